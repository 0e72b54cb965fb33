#include <stdint.h>
typedef struct { int64_t length; char characters[]; } clean_string;
static struct { int64_t length; char characters[8]; } answer = { 3, "yes" };
static struct { int64_t size; void *element; int64_t data[3]; } integers = { 3, 0, { 5, 6, 7 } };
static struct { int64_t size; void *element; double data[2]; } reals = { 2, 0, { 0.5, 1.5 } };
double half(float x) { return x / 2; }
int64_t many(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int64_t h) {
  return a + 10*b + 100*c + 1000*d + 10000*e + 100000*f + 1000000*g + 10000000*h; }
double mixed(double a, int64_t i, double b, double c, double d, double e, double f, double g, double h, float x, double y) {
  return a + b + c + d + e + f + g + h + 100 * x + 1000 * y + i; }
int64_t reverse(clean_string *s) { for (int64_t i = 0, j = s->length - 1; i < j; i++, j--) {
  char c = s->characters[i]; s->characters[i] = s->characters[j]; s->characters[j] = c; } return s->length; }
clean_string *text(void) { return (clean_string *) &answer; }
void two(int64_t n, clean_string **s, int64_t *m) { *s = (clean_string *) &answer; *m = n + 1; }
int64_t *array_i(void) { return integers.data; }
double *array_r(void) { return reals.data; }
int64_t sum(int64_t *p, int64_t n) { int64_t t = 0; while (n-- > 0) t += *p++; return t; }
