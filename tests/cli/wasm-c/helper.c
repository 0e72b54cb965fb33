// Compiled: clang --target=wasm32 -O1 -c helper.c -o helper.wasm
// All that calls can hand over, and what a linker has to do: tables, static data, constructors, weak symbols.
#include <stddef.h>
#include <stdint.h>
// What Clean.h says, too: the elements of arrays are known to have 64 bits.
__attribute__((weak, used)) char cleave_elements_of_clean = 1;
typedef struct { size_t length; char characters[]; } clean_string;
static struct { size_t length; char characters[8]; } answer = { 3, "yes" };
static struct { size_t size; void *element; int64_t data[3]; } integers = { 3, 0, { 5, 6, -7 } };
static struct { size_t size; void *element; double data[2]; } reals = { 2, 0, { 0.5, 1.5 } };

double half(float x) { return x / 2; }
float third(double x) { return (float) (x / 3); }
int64_t many(long a, long b, int64_t c, long d, long e, long f, int64_t g, long h) {
  return a + 10*b + 100*c + 1000*d + 10000*e + 100000*f + 1000000*g + 10000000*h; }
double mixed(double a, long i, double b, double c, double d, double e, double f, double g, double h, float x, double y) {
  return a + b + c + d + e + f + g + h + 100 * x + 1000 * y + i; }
long reverse(clean_string *s) { for (long i = 0, j = s->length - 1; i < j; i++, j--) {
  char c = s->characters[i]; s->characters[i] = s->characters[j]; s->characters[j] = c; } return s->length; }
void *text(void) { return &answer; }
void two(long n, void **s, long *m) { *s = &answer; *m = n - 43; }
void words(int64_t *wide, long *narrow, void **pointer, double *real, long *none) {
  *wide = -5000000000; *narrow = -1; *pointer = (void *) -2; *real = 0.25; }
int64_t wide(void) { return 5000000000; }
void *minus(void) { return (void *) -1; }
void *array_i(void) { return integers.data; }
void *array_r(void) { return reals.data; }
int64_t sum(int64_t *p, long n) { int64_t t = 0; while (n-- > 0) t += *p++; return t; }
long before(int64_t *p) { return ((size_t *) p)[-2]; }
long letters(char *s) { return ((size_t *) s)[-1] * 1000 + s[0]; }
void nothing(void) {}

// Static data that the constructors have filled, and functions by their addresses.
static long order;
__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(100))) static void first(void) { order = order * 10 + 1; }
long constructed(void) { return order; }

static long add(long a, long b) { return a + b; }
static long subtract(long a, long b) { return a - b; }
static long (*const operators[])(long, long) = { add, subtract };
static long (*chosen)(long, long) = subtract;
long apply(long which, long a, long b) { return which < 2 ? operators[which](a, b) : chosen(a, b); }

__attribute__((weak)) long absent(long);
long is_absent(void) { return absent == 0; }

// A stack of its own: `deep` keeps memory in each frame.
long deep(long n) { volatile char frame[1000]; frame[n % 1000] = (char) n; return n == 0 ? 0 : 1 + deep(n - 1) + (frame[n % 1000] != (char) n); }

// Memory of its own, which grows: what is there stays, and nothing else is touched.
extern char __heap_base;
long grows(void) {
  long pages = __builtin_wasm_memory_size(0), old = __builtin_wasm_memory_grow(0, 3);
  char *p = (char *) ((size_t) old * 65536);
  if (old != pages || (size_t) &__heap_base > (size_t) p || (long) __builtin_wasm_memory_size(0) != pages + 3) return -1;
  for (long i = 0; i < 3 * 65536; i++) { if (p[i]) return -2; p[i] = 7; }
  return __builtin_wasm_memory_grow(0, 65536) == (size_t) -1 ? 3 : -3;
}
