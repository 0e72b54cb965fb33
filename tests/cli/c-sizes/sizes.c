// Reads and writes the sizes of strings and arrays, by all macros of Clean.h.
// Compiled: cleave header > Clean.h; clang --target=wasm32 -O2 -c sizes.c -o sizes.wasm
#include "Clean.h"

// The example of the documents: four sizes.
void sizes(CleanIntArray i, CleanRealArray r, CleanString s, CleanCharArray c, int *ri, int *rr, int *rs, int *rc) {
  *ri = CleanIntArraySize(i); *rr = CleanRealArraySize(r); *rs = CleanStringLength(s); *rc = CleanCharArraySize(c); }

// Fills arrays of every unboxed type as far as their sizes say, and counts what it has filled.
int fill(CleanIntArray i, CleanRealArray r, unsigned char *b, int *i32, float *r32, CleanString s, CleanCharArray c) {
  unsigned long n; int all = 0;
  for (n = 0; n < CleanIntArraySize(i); n++, all++) i[n] = -1 - (CleanElement) n;
  for (n = 0; n < CleanRealArraySize(r); n++, all++) r[n] = n / 2.0;
  for (n = 0; n < CleanIntArraySize(b); n++, all++) b[n] = n % 2;
  for (n = 0; n < CleanIntArraySize(i32); n++, all++) i32[n] = 7 - (int) n;
  for (n = 0; n < CleanIntArraySize(r32); n++, all++) r32[n] = n * 2;
  for (n = 0; n < CleanStringLength(s); n++, all++) CleanStringCharacters(s)[n] = 'A' + n % 26;
  for (n = 0; n < CleanCharArraySize(c); n++, all++) c[n] = 'a' + n % 26;
  return all;
}
// The same object twice.
int twice(CleanIntArray a, CleanIntArray b, CleanString s, CleanCharArray c) {
  b[0]++;
  return (a == b) + 10 * (CleanStringCharacters(s) == (char *) c) + 100 * CleanIntArraySize(b) + 1000 * CleanCharArraySize(c) + 10000 * a[0];
}
// Words of nine arrays: some come on the stack.
long nine(CleanIntArray a, CleanIntArray b, CleanIntArray c, CleanIntArray d, CleanIntArray e, CleanIntArray f,
          CleanIntArray g, CleanIntArray h, CleanIntArray i) {
  CleanIntArray all[] = { a, b, c, d, e, f, g, h, i };
  long sum = 0;
  for (int n = 0; n < 9; n++)
    for (unsigned long k = 0; k < CleanIntArraySize(all[n]); k++) all[n][k] = 10 * n + k;
  for (int n = 0; n < 9; n++)
    for (unsigned long k = 0; k < CleanIntArraySize(all[n]); k++) sum += n + 1 + 1000 * (all[n][k] != 10 * n + (long) k);
  return sum;
}
// An array of unboxed records of two integers: its size counts records.
long records(CleanIntArray pairs) {
  unsigned long size = CleanIntArraySize(pairs);
  for (unsigned long k = 0; k < 2 * size; k++) pairs[k] = 100 + k;
  return size;
}
// A NUL behind strings, where those of Clean have room for it: up to the next multiple of a word.
int ends(CleanString s, CleanCharArray c, CleanIntArray after) {
  if (CleanStringLength(s) % sizeof (long)) CleanStringCharacters(s)[CleanStringLength(s)] = 0;
  if (CleanCharArraySize(c) % sizeof (long)) c[CleanCharArraySize(c)] = 0;
  after[0] = 77;
  return CleanStringLength(s) * 100 + CleanCharArraySize(c) * 10 + CleanIntArraySize(after);
}
// Sizes that are written.
void shorten(CleanIntArray i, CleanRealArray r, CleanString s, CleanCharArray c, long to) {
  CleanIntArraySize(i) = to; CleanRealArraySize(r) = to; CleanStringLength(s) = to; CleanCharArraySize(c) = to; }
void grow(CleanIntArray i, long to) { CleanIntArraySize(i) = to; }
void grow_string(CleanString s, long to) { CleanStringLength(s) = to; }
// What is returned is an argument, or a part of it; two results, so that making the second meets a heap that has moved.
CleanString same(CleanString s, CleanString *other) { *other = s; return s; }
CleanIntArray same_array(CleanIntArray a, CleanString s, CleanString *other) { *other = s; return a; }
CleanRealArray same_reals(CleanRealArray a, CleanIntArray i) { return CleanIntArraySize(i) ? a : 0; }
// Strings of its own.
static CleanStringVariable(own, 20);
CleanString mine(long length, int *ints, int *bytes) {
  for (long n = 0; n < length; n++) CleanStringCharacters(own)[n] = '0' + n;
  CleanStringLength(own) = length; *ints = CleanStringSizeInts(length); *bytes = sizeof own;
  return (CleanString) own;
}
long ignore(void *array) { return array != 0; }
