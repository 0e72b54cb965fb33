/*
 * Functions of a program that Cleave has compiled, for C and C++. Link with the archive or the shared library that
 * comes with this file. Made by a tool: changes get lost.
 *
 * Calls
 *   Each function returns NAME_OK, or what has happened instead; name_error() says it in words. The result is written
 *   to *result, and only if all went well. The first call starts the program.
 *
 * Arguments
 *   Strings and lists are passed as an address and a length, without a NUL at the end; all data that are no numbers by
 *   their address. Strings are UTF-8. The functions keep nothing of them: they may be freed or changed after the call.
 *
 * Results
 *   What strings and lists of a result point to belongs to the library, until name_free() frees all of it at once.
 *   Call it when you have read or copied what you want. Without it calls fail when 256 MiB are used.
 *   Results may be passed as arguments.
 *
{{VALUES}}
{{GIVEN}}
{{OBJECTS}}
 * Errors
 *   If an argument is none of its type, name_error() says which one and why, as `greet: argument 1 ("text"): NULL`: the
 *   program has not been called, and all that it has stays. After any other NAME_FAILED the next call starts the program
 *   anew; results that you have stay.
 *
 * Threads
 *   Any thread may call, one at a time: who calls meanwhile gets NAME_BUSY, and may try again.
 */
#ifndef NAME_H
#define NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NAME_OK = 0,
    /* The program has ended with an error, or an argument is none of its type: the program goes on then. */
    NAME_FAILED = 1,
    /* A call has not returned yet: of another thread, or that from whose signal handler this call comes. */
    NAME_BUSY = 2,
    /* The addresses below 4 GiB, or memory for the stack, are not to be had: no call will succeed. */
    NAME_UNAVAILABLE = 3
};

/* What the last call that was not NAME_OK has said, up to the next call. */
const char *name_error(void);

/* Frees all results. */
int name_free(void);
{{DROP}}

{{FUNCTIONS}}
#ifdef __cplusplus
}
#endif

#endif
