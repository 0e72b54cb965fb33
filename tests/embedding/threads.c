/* The lock of a library: the thread that has called first gives it up, once in a process, while others call. So each
 * round is a process of its own. */
#define LAST_ERROR lib_error
#include "check.h"
#include "lib.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 60, CALLS = 3000 };

static lib_function_s32_to_s32_t mine;
static volatile int inside;
static pthread_barrier_t start;

/* Nobody else is here: increments that two threads do at once get lost, or are seen. */
static int alone(void *context, int32_t n, int32_t *result) {
    (void)context;
    CHECK(inside == 0);
    inside++;
    for (volatile int i = 0; i < 20; i++) {}
    CHECK(inside == 1);
    inside--;
    *result = n + 1;
    return 0;
}

static void *calls(void *done) {
    pthread_barrier_wait(&start);
    for (int32_t i = 0; i < CALLS; i++) {
        int32_t n = 0;
        int status = lib_apply(mine, i, &n);
        CHECK((status == LIB_OK && n == i + 1) || status == LIB_BUSY);
        *(int *)done += status == LIB_OK;
    }
    return NULL;
}

static void *one_call(void *status) {
    int32_t n = 0;
    *(int *)status = lib_apply(mine, 4, &n);
    CHECK(*(int *)status != LIB_OK || n == 5);
    return NULL;
}

/* With another thread, which calls while this one, the owner, does not. */
static int elsewhere(void) {
    pthread_t thread;
    int status = -1;
    CHECK(pthread_create(&thread, NULL, one_call, &status) == 0 && pthread_join(thread, NULL) == 0);
    return status;
}

static void round_of(int others) {
    pthread_t threads[3];
    int done[4] = {0}, status = -1;
    CHECK(pthread_barrier_init(&start, NULL, others + 1) == 0);
    CHECK(lib_function_s32_to_s32_new(alone, NULL, NULL, &mine) == LIB_OK);
    for (int i = 0; i < others; i++) CHECK(pthread_create(&threads[i], NULL, calls, &done[i]) == 0);
    calls(&done[others]);
    for (int i = 0; i < others; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    int all = 0;
    for (int i = 0; i <= others; i++) all += done[i];
    CHECK(all > 0);
    /* What is left is free. */
    one_call(&status);
    CHECK(status == LIB_OK && elsewhere() == LIB_OK && lib_drop(mine) == LIB_OK);
}

/* What a child of this process returns. */
static void in_child(int others, int is_fresh) {
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (is_fresh) {
            round_of(others);
        } else {
            CHECK(elsewhere() == LIB_OK && elsewhere() == LIB_OK);
        }
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++) in_child(1 + i % 3, 1);
    /* The parent owns the lock: its child does, too, until another thread calls there. */
    CHECK(lib_function_s32_to_s32_new(alone, NULL, NULL, &mine) == LIB_OK);
    in_child(1, 0);
    CHECK(elsewhere() == LIB_OK);
    in_child(1, 0);
    CHECK(lib_drop(mine) == LIB_OK);
    printf("ok\n");
    return 0;
}
