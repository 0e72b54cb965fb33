 * Functions as values
 *   Values of the types name_function..._t are functions: the name says what they take and give. Those that the program
 *   gives you are yours until you drop them with name_drop(); one that you pass to the program stays yours. To use one
 *   that was dropped, that never was, or that is of a program which has failed since is an error.
 *   name_function..._new() makes one of a function of yours and a context, which is its first argument; drop it when
 *   the program has got it. When nobody has it any more, drop(context) is called, once, at the end of a call or in
 *   name_free(), where the library may not be called; NULL drops nothing. Your function returns 0, and writes its
 *   result to *result; what strings and lists of it point to has to stay until the call of the program returns. If it
 *   returns something else, the call of the program fails. Its arguments are there until it returns. It may call the
 *   program; if that fails, so does the call that waits for your function. Do not leave your function by longjmp() or
 *   by an exception.
 *
