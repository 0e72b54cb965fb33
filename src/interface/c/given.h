 * Functions that you give
 *   The program calls functions of yours that name_set_...() gives it, before a call needs them, in a structure with a
 *   context, which is their first argument. The structure is copied; it is kept when the program starts anew, and NULL
 *   takes the functions away. They follow the rules of the functions of yours that are values: they return 0 and write
 *   their result to *result, where what its strings and lists point to has to stay until the call of the program
 *   returns; or they return something else, and the call of the program fails, as it does if nothing was given. What
 *   they are passed is there until they return. They may call the program.
 *
