// What the hosts in C demand. LAST_ERROR is the library's function for it.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            printf("line %d: %s; the last error: %s\n", __LINE__, #condition, LAST_ERROR()); \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
