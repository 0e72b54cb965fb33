 * Objects of yours
 *   An object that you pass to the program, as an address and the function that drops it, is the program's from then
 *   on, also if the call fails. When the program has it no more, drop(object) is called once for each time that you
 *   have passed it, on the thread and at the end of a call or in name_free(); NULL drops nothing. An object in a result,
 *   or among the arguments of your function, is there until name_free(), and as long as the program has it. drop() may
 *   not call the library: it gets NAME_BUSY. After NAME_FAILED the objects of the program that has failed are dropped.
 *
