// Made with a C library, where there is one: clang --target=wasm32-wasi -O1 -nostartfiles -Wl,-r library.c -o library.wasm
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char text[1000]; };
static void last(void) { printf("last\n"); }
static int compare(const void *a, const void *b) { return strcmp(*(char **) a, *(char **) b); }
// Takes megabytes from the heap, and looks whether all is as it was written.
long fill(long n) {
  struct item *first = 0, *item; long good = 0;
  for (long i = 0; i < n; i++) { item = malloc(sizeof *item); sprintf(item->text, "item %ld", i); item->next = first; first = item; }
  for (long i = n - 1; first; i--) { char text[40]; sprintf(text, "item %ld", i); good += !strcmp(text, first->text);
    item = first->next; free(first); first = item; }
  return good;
}
long too_much(void) { void *volatile p = malloc(1100u << 20); return p == 0; }
long sorted(char *words, long n) {
  char *copy = malloc(n + 1), *list[20]; int count = 0;
  memcpy(copy, words, n); copy[n] = 0;
  for (char *word = strtok(copy, " "); word && count < 20; word = strtok(0, " ")) list[count++] = word;
  qsort(list, count, sizeof *list, compare);
  for (int i = 0; i < count; i++) printf("%s ", list[i]);
  printf("%.3f\n", strtod("2.5e3", 0) / 3);
  atexit(last); free(copy); return count;
}
