/* Strings and arrays of Clean as C functions get them by ccall: for programs that Cleave compiles.
 *
 * The names are those of Clean's own Clean.h, whose place this file takes. A size is a word of C before the characters
 * or elements: 8 bytes in machine code, 4 bytes in WebAssembly. Elements are the same everywhere: Int and Real have
 * 8 bytes, Char and Bool 1, Int32 and Real32 4. So an Int is no `long` in WebAssembly: CleanIntArray is right there, too.
 *
 * Sizes can be read and written. What C writes as the size of an argument is its size afterwards, which may be less
 * than before and not more. Pointers to arguments are valid during the call.
 */
#ifndef CLEAN_H
#define CLEAN_H

/* Declarations for programs that make Clean modules of C headers. */
#define Clean(declaration)

#ifdef __wasm__
/* Says to Cleave that this object knows how wide integers are in arrays. */
__attribute__((weak, used)) char cleave_elements_of_clean = 1;
typedef long long CleanElement;
#else
typedef long CleanElement;
#endif

/* S: a size, and behind it so many characters. There is no '\0' at the end. */
typedef struct clean_string *CleanString;

#define CleanStringLength(string) (*(unsigned long *) (string))
#define CleanStringCharacters(string) ((char *) ((unsigned long *) (string) + 1))

/* Words, and bytes, that a string of so many characters takes; the latter with a word more than needed. */
#define CleanStringSizeInts(length) \
    (1 + ((unsigned long) (length) + sizeof (unsigned long) - 1) / sizeof (unsigned long))
#define CleanStringSizeBytes(length) ((CleanStringSizeInts (length) + 1) * sizeof (unsigned long))

/* A variable with room for so many characters. The macros above take it as it is, others as (CleanString) string. */
#define CleanStringVariable(string, length) unsigned long string[CleanStringSizeInts (length)]

/* A: the elements of an array; s: the characters of a string. */
typedef CleanElement *CleanIntArray;
typedef double *CleanRealArray;
typedef unsigned char *CleanCharArray;

#define CleanIntArraySize(array) (((unsigned long *) (array))[-2])
#define CleanRealArraySize(array) (((unsigned long *) (array))[-2])
#define CleanCharArraySize(array) (((unsigned long *) (array))[-1])

#endif
