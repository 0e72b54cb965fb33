// Functions as values between C and samlang: those of the program that C has, those of C that the program has, calls in
// all directions, errors on the way, and wrong use.
#include "lib.h"
#include <pthread.h>
#define LAST_ERROR lib_error
#include "check.h"
#include <string.h>

typedef lib_function_s32_to_s32_t number_function;

static int is(lib_string_t text, const char *wanted) {
    return text.length == strlen(wanted) && memcmp(text.data, wanted, text.length) == 0;
}

static int increase(void *context, int32_t n, int32_t *result) {
    *result = n + *(int32_t *)context;
    return 0;
}

static int refuse(void *context, int32_t n, int32_t *result) {
    (void)context, (void)n, (void)result;
    return 1;
}

// Calls the program: lists of 100 elements, by a function that it has made of this one.
static number_function of_program;
static int nested(void *context, int32_t n, int32_t *result) {
    (void)context;
    int32_t numbers[100];
    for (int i = 0; i < 100; i++) numbers[i] = i;
    lib_list_s32_t list;
    if (lib_each(of_program, numbers, 100, &list) != LIB_OK || list.length != 100 || list.data[99] != 139) return 1;
    if (n == 0) {
        *result = 0;
        return 0;
    }
    number_function self;
    int32_t below;
    CHECK(lib_function_s32_to_s32_new(nested, NULL, NULL, &self) == LIB_OK);
    if (lib_apply(self, n - 1, &below) != LIB_OK) return 1;
    CHECK(lib_drop(self) == LIB_OK);
    // What inner calls have given stays.
    CHECK(list.data[50] == 90);
    *result = below + 1;
    return 0;
}

static int says(const char *wanted) { return strcmp(lib_error(), wanted) == 0; }

// Fails because a call has failed, or for a reason of its own.
static int hands_on(void *context, int32_t n, int32_t *result) {
    (void)context;
    lib_function_string_list_string_to_string_t joined;
    CHECK(lib_joiner(NULL, 1, &joined) == LIB_FAILED);
    if (n == 2) CHECK(lib_joiner("-", 1, &joined) == LIB_OK);
    *result = n;
    return 1;
}

static int passes_wrong(void *context, int32_t n, int32_t *result) {
    (void)context;
    CHECK(lib_apply((number_function)result, 1, result) == LIB_FAILED);
    return lib_apply(of_program, n + 1, result) != LIB_OK;
}

// The program fails in an inner call; this function says nothing of it.
static int hides(void *context, int32_t n, int32_t *result) {
    lib_function_list_s32_to_s32_t failing;
    int32_t found;
    CHECK(lib_failing(1, &failing) == LIB_OK);
    CHECK(lib_function_list_s32_to_s32_call(failing, NULL, 0, &found) == LIB_FAILED && strstr(lib_error(), "There is nothing."));
    // It has begun anew.
    CHECK(lib_function_list_s32_to_s32_call(failing, NULL, 0, &found) == LIB_FAILED && strstr(lib_error(), "does not exist"));
    number_function adder;
    CHECK(lib_adder(1, &adder) == LIB_OK && lib_function_s32_to_s32_call(adder, n, result) == LIB_OK && *result == n + 1);
    *(number_function *)context = adder;
    return 0;
}

static int endless(void *context, int32_t n, int32_t *result) {
    return lib_apply(*(number_function *)context, n, result) != LIB_OK;
}

static int deep(void *context, int32_t n, int32_t *result) {
    (void)context;
    number_function adder;
    CHECK(lib_adder(1, &adder) == LIB_OK);
    return n > 0 ? 1 : lib_deep(adder, 100000, result) != LIB_OK;
}

static int told(void *context, const char *text, size_t text_length, const lib_string_t *list, size_t list_length,
                lib_list_string_t *result) {
    static lib_string_t strings[10];
    CHECK(context == NULL);
    CHECK(list_length == 2 && is(list[0], "a") && list[1].length == 0);
    char *copy = malloc(text_length);
    memcpy(copy, text, text_length);
    strings[0] = (lib_string_t){copy, text_length};
    strings[1] = (lib_string_t){"\xc3\xa9", 2};
    *result = (lib_list_string_t){strings, 2};
    return 0;
}

static int bad_text(void *context, const char *text, size_t text_length, const lib_string_t *list, size_t list_length,
                    lib_list_string_t *result) {
    (void)context, (void)text, (void)text_length, (void)list, (void)list_length;
    static const lib_string_t bad = {"\xff", 1};
    *result = (lib_list_string_t){&bad, 1};
    return 0;
}

static int choose(void *context, const lib_option_s32_t *number, bool flag, lib_option_string_t *result) {
    CHECK(number->is_some == !flag && (flag || number->value == 5));
    *(int *)context += 1;
    if (number->is_some) {
        result->is_some = true;
        result->value = (lib_string_t){"five", 4};
    }
    return 0;
}

static int count(void *context, int32_t n) {
    *(int *)context += n;
    return 0;
}

static int many(void *context, int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, int32_t f, int32_t g, int32_t h,
                int32_t i, int32_t j, int32_t k, int32_t l, int32_t m, int32_t n, int32_t o, int32_t p, const char *text,
                size_t text_length, lib_string_t *result) {
    CHECK(context == NULL && a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6 && g == 7 && h == 8 && i == 9);
    CHECK(j == 10 && k == 11 && l == 12 && m == 13 && n == 14 && o == 15 && p == 16);
    *result = (lib_string_t){text, text_length};
    return 0;
}

static void *other_thread(void *context) {
    number_function adder;
    *(int *)context = lib_adder(1, &adder);
    return NULL;
}

static int asks_another_thread(void *context, int32_t n, int32_t *result) {
    (void)context;
    pthread_t thread;
    int status = -1;
    CHECK(pthread_create(&thread, NULL, other_thread, &status) == 0 && pthread_join(thread, NULL) == 0);
    *result = status;
    // This one may call.
    number_function adder;
    CHECK(status == LIB_BUSY && lib_adder(n, &adder) == LIB_OK && lib_drop(adder) == LIB_OK);
    return 0;
}

int main(void) {
    int32_t number, two = 2;
    number_function add, twice, mine;
    for (int round = 0; round < 20; round++) {
        CHECK(lib_adder(40, &add) == LIB_OK && lib_function_s32_to_s32_call(add, 2, &number) == LIB_OK && number == 42);
        CHECK(lib_twice(add, &twice) == LIB_OK && lib_function_s32_to_s32_call(twice, 2, &number) == LIB_OK && number == 82);
        CHECK(lib_apply(twice, 0, &number) == LIB_OK && number == 80);
        CHECK(lib_function_s32_to_s32_new(increase, &two, NULL, &mine) == LIB_OK && lib_function_s32_to_s32_call(mine, 40, &number) == LIB_OK && number == 42);
        number_function four;
        CHECK(lib_twice(mine, &four) == LIB_OK && lib_drop(mine) == LIB_OK);
        CHECK(lib_function_s32_to_s32_call(four, 1, &number) == LIB_OK && number == 5);
        int32_t numbers[] = {1, 2, 3};
        lib_list_s32_t list;
        CHECK(lib_each(four, numbers, 3, &list) == LIB_OK && list.length == 3 && list.data[2] == 7);
        CHECK(lib_sum_of(four, 1000, &number) == LIB_OK && number == 504500);
        // In records, lists and variants.
        lib_named_t named[2];
        CHECK(lib_named("four", 4, &named[0]) == LIB_OK && is(named[0].name, "four"));
        named[1] = (lib_named_t){{"mine", 4}, add};
        CHECK(lib_run_all(named, 2, 2, &list) == LIB_OK && list.length == 2 && list.data[0] == 6 && list.data[1] == 42);
        lib_task_t task = {.tag = LIB_TASK_RUN, .value.run = {add, {"=", 1}}};
        lib_string_t text;
        CHECK(lib_perform(&task, 2, &text) == LIB_OK && is(text, "=42"));
        CHECK(lib_task(3, &task) == LIB_OK && task.tag == LIB_TASK_BOTH);
        CHECK(lib_perform(&task, 4, &text) == LIB_OK && is(text, "77"));
        CHECK(lib_drop(task.value.both.f0) == LIB_OK && lib_drop(named[0].run) == LIB_OK);
        CHECK(lib_drop(add) == LIB_OK && lib_drop(twice) == LIB_OK && lib_drop(four) == LIB_OK);
        // All kinds of arguments.
        lib_function_string_list_string_to_list_string_t teller;
        lib_string_t parts[] = {{"a", 1}, {"", 0}};
        CHECK(lib_function_string_list_string_to_list_string_new(told, NULL, NULL, &teller) == LIB_OK);
        CHECK(lib_tell(teller, "text", 4, parts, 2, &text) == LIB_OK && is(text, "+text+\xc3\xa9"));
        CHECK(lib_drop(teller) == LIB_OK);
        lib_function_option_s32_bool_to_option_string_t chooser;
        int asked = 0;
        lib_list_option_string_t chosen;
        CHECK(lib_function_option_s32_bool_to_option_string_new(choose, &asked, NULL, &chooser) == LIB_OK && lib_choose(chooser, &chosen) == LIB_OK && asked == 2);
        CHECK(chosen.length == 2 && !chosen.data[0].is_some && is(chosen.data[1].value, "five"));
        CHECK(lib_drop(chooser) == LIB_OK);
        lib_function_s32_to_none_t counter;
        int counted = 0;
        CHECK(lib_function_s32_to_none_new(count, &counted, NULL, &counter) == LIB_OK && lib_for_each(counter, 100) == LIB_OK);
        CHECK(counted == 5050 && lib_drop(counter) == LIB_OK);
        lib_function_s32_s32_s32_s32_s32_s32_s32_x7469e44d_t all;
        CHECK(lib_function_s32_s32_s32_s32_s32_s32_s32_x7469e44d_new(many, NULL, NULL, &all) == LIB_OK && lib_many(all, &text) == LIB_OK && is(text, "end"));
        CHECK(lib_drop(all) == LIB_OK);
        CHECK(lib_free() == LIB_OK);
    }

    // Calls in all directions.
    CHECK(lib_adder(40, &of_program) == LIB_OK && lib_function_s32_to_s32_new(nested, NULL, NULL, &mine) == LIB_OK);
    CHECK(lib_apply(mine, 50, &number) == LIB_OK && number == 50);
    CHECK(lib_function_s32_to_s32_new(deep, NULL, NULL, &mine) == LIB_OK && lib_deep(mine, 100000, &number) == LIB_OK && number == 200001);
    CHECK(lib_function_s32_to_s32_new(asks_another_thread, NULL, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_OK);
    CHECK(number == LIB_BUSY);

    // Thousands, which live until they are dropped.
    static number_function functions[3000];
    for (int i = 0; i < 3000; i++) CHECK(lib_adder(i, &functions[i]) == LIB_OK);
    for (int i = 0; i < 3000; i += 2) CHECK(lib_drop(functions[i]) == LIB_OK);
    for (int i = 0; i < 3000; i++) {
        CHECK(lib_function_s32_to_s32_call(functions[i], 1, &number) == (i % 2 ? LIB_OK : LIB_FAILED));
        CHECK(i % 2 == 0 || number == i + 1);
        if (i % 2 == 0) break;
    }
    // That was an error of the call: the others are there.
    CHECK(strstr(lib_error(), "does not exist, that was dropped") && lib_drop(functions[0]) == LIB_FAILED);
    CHECK(lib_apply(NULL, 1, &number) == LIB_FAILED && lib_drop(NULL) == LIB_FAILED);
    CHECK(lib_apply((number_function)&number, 1, &number) == LIB_FAILED);
    // One of another type.
    lib_function_string_list_string_to_string_t joined;
    CHECK(lib_joiner("-", 1, &joined) == LIB_OK && lib_apply((number_function)joined, 1, &number) == LIB_FAILED);
    CHECK(strstr(lib_error(), "that has another type") && lib_drop(joined) == LIB_OK);
    CHECK(lib_function_s32_to_s32_call(functions[1], 1, &number) == LIB_OK && number == 2 && lib_drop(functions[1]) == LIB_OK);
    CHECK(lib_function_s32_to_s32_call(functions[1], 1, &number) == LIB_FAILED && lib_drop(functions[1]) == LIB_FAILED);
    CHECK(lib_apply(of_program, 1, &number) == LIB_OK);
    // Inside of a call, too.
    CHECK(lib_function_s32_to_s32_new(passes_wrong, NULL, NULL, &mine) == LIB_OK && lib_apply(mine, 5, &number) == LIB_OK && number == 46);
    // And inside of data: nothing has been read, and the others are there.
    lib_named_t all[3] = {{{"a", 1}, of_program}, {{"b", 1}, functions[1]}, {{"c", 1}, of_program}};
    lib_list_s32_t found_all;
    CHECK(lib_run_all(all, 3, 1, &found_all) == LIB_FAILED && strstr(lib_error(), "does not exist, that was dropped"));
    all[1].run = (number_function)joined;
    CHECK(lib_run_all(all, 3, 1, &found_all) == LIB_FAILED && lib_run_all(all, 1, 1, &found_all) == LIB_OK);
    lib_task_t wrong_task = {.tag = LIB_TASK_RUN, .value.run = {functions[1], {"x", 1}}};
    lib_string_t shown;
    CHECK(lib_perform(&wrong_task, 1, &shown) == LIB_FAILED && strstr(lib_error(), "does not exist"));
    wrong_task.value.run.f0 = of_program;
    CHECK(lib_perform(&wrong_task, 1, &shown) == LIB_OK && shown.length == 3);
    // What the other case holds is no function.
    wrong_task = (lib_task_t){.tag = LIB_TASK_IDLE, .value.run = {functions[1], {"x", 1}}};
    CHECK(lib_perform(&wrong_task, 1, &shown) == LIB_OK && shown.length == 4);
    CHECK(lib_apply(of_program, 1, &number) == LIB_OK && lib_function_s32_to_s32_call(functions[3], 1, &number) == LIB_OK);
    // Whatever else is wrong with an argument: the program has not been called, and all that it has given is there.
    CHECK(lib_adder(1, NULL) == LIB_FAILED && says("adder: the result: NULL"));
    CHECK(lib_joiner("\xff", 1, &joined) == LIB_FAILED && says("joiner: argument 1 (\"separator\"): a text that is not UTF-8"));
    CHECK(lib_joiner(NULL, 1, &joined) == LIB_FAILED && says("joiner: argument 1 (\"separator\"): NULL"));
    CHECK(lib_joiner("-", SIZE_MAX, &joined) == LIB_FAILED && strstr(lib_error(), "a length that is too large"));
    all[1] = (lib_named_t){{"\xe2\x82", 2}, of_program};
    CHECK(lib_run_all(all, 3, 1, &found_all) == LIB_FAILED && says("runAll: argument 1 (\"all\"): a text that is not UTF-8"));
    wrong_task.tag = 3;
    CHECK(lib_perform(&wrong_task, 1, &shown) == LIB_FAILED && says("perform: argument 1 (\"t\"): a case that does not exist"));
    CHECK(lib_perform(NULL, 1, &shown) == LIB_FAILED && says("perform: argument 1 (\"t\"): NULL"));
    CHECK(lib_function_s32_to_s32_new(NULL, NULL, NULL, &mine) == LIB_FAILED && strstr(lib_error(), "(\"call\"): NULL"));
    CHECK(lib_function_s32_to_s32_new(refuse, NULL, NULL, NULL) == LIB_FAILED && strstr(lib_error(), "the result: NULL"));
    CHECK(lib_function_s32_to_s32_call(functions[3], 1, NULL) == LIB_FAILED && says("function of the program: the result: NULL"));
    CHECK(lib_function_s32_to_s32_call(functions[1], 1, &number) == LIB_FAILED && strstr(lib_error(), "function of the program: a"));
    CHECK(lib_joiner("-", 1, &joined) == LIB_OK);
    CHECK(lib_function_string_list_string_to_string_call(joined, "\xff", 1, NULL, 0, &shown) == LIB_FAILED);
    CHECK(says("function of the program: argument 1: a text that is not UTF-8") && lib_drop(joined) == LIB_OK);
    CHECK(lib_apply(of_program, 1, &number) == LIB_OK && lib_function_s32_to_s32_call(functions[3], 1, &number) == LIB_OK);
    // After an error of the program all of them are gone.
    lib_function_list_s32_to_s32_t failing;
    CHECK(lib_failing(1, &failing) == LIB_OK && lib_function_list_s32_to_s32_call(failing, NULL, 0, &number) == LIB_FAILED);
    CHECK(lib_function_s32_to_s32_call(functions[3], 1, &number) == LIB_FAILED && lib_drop(functions[3]) == LIB_FAILED);
    CHECK(lib_apply(of_program, 1, &number) == LIB_FAILED);

    // Errors on the way.
    CHECK(lib_function_s32_to_s32_new(refuse, NULL, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_FAILED);
    CHECK(says("A function of the host has failed."));
    // With what a call inside of it has said last, and only that.
    CHECK(lib_function_s32_to_s32_new(hands_on, NULL, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_FAILED);
    CHECK(says("A function of the host has failed: joiner: argument 1 (\"separator\"): NULL"));
    CHECK(lib_function_s32_to_s32_new(hands_on, NULL, NULL, &mine) == LIB_OK && lib_apply(mine, 2, &number) == LIB_FAILED);
    CHECK(says("A function of the host has failed."));
    lib_function_string_list_string_to_list_string_t teller;
    lib_string_t text;
    CHECK(lib_function_string_list_string_to_list_string_new(bad_text, NULL, NULL, &teller) == LIB_OK && lib_tell(teller, "", 0, NULL, 0, &text) == LIB_FAILED);
    CHECK(says("A function of the host: its result: a text that is not UTF-8"));
    number_function inner;
    CHECK(lib_function_s32_to_s32_new(hides, &inner, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_FAILED);
    const char *reason = "The program has failed while this call of it has waited for a function: There is nothing.";
    CHECK(strncmp(lib_error(), reason, strlen(reason)) == 0);
    CHECK(lib_function_s32_to_s32_call(inner, 1, &number) == LIB_FAILED);
    // Without end.
    CHECK(lib_function_s32_to_s32_new(endless, &mine, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_FAILED);
    CHECK(lib_function_s32_to_s32_new(increase, &two, NULL, &mine) == LIB_OK && lib_apply(mine, 1, &number) == LIB_OK && number == 3);
    puts("ok");
    return 0;
}
