//! Libcalls, the functions of the runtime that programs of any language may call: collector, console, numbers, strings,
//! closures, arrays.
//!
//! IR text may call them without declaring them.

crate::libcalls! {
    // -- the program --
    COLLECT "collect" (I32) -> () [MAY_GC EFFECT] "make this many bytes available between heap pointer and limit, or stop with `Heap full.`; under stress the limit stays at 0 so that every reservation comes here";
    REMEMBER "remember" (Ref) -> () [EFFECT] "an object from `PROGRAM_OLD_START` on has got references: a collection of the young ones looks at it";
    REMEMBER_SLOT "remember_slot" (I32) -> () [EFFECT] "the same for the element of an array at an address";
    ALLOC_OBJECT "alloc_object" (I32) -> (Ref) [EFFECT RC] "reference-counted heap: a cell of a size class that has no free one, or stop with `Heap full.`";
    RELEASE_LAST "release_last" (Ref) -> () [EFFECT RC] "reference-counted heap: the last reference to an object is gone: free it, with what it alone refers to";
    RELEASE_CYCLIC "release_cyclic" (Ref) -> () [EFFECT RC] "reference-counted heap: an object that may be part of a cycle has lost a reference: free it without any, otherwise note that it may be the root of a cycle that nothing else refers to; frees such cycles now and then";
    COUNT_CELLS "count_cells" (I32 I32) -> () [EFFECT] "reference-counted heap, in programs that say at the end what they did: one of the events of `rc.rs`, and the bytes of the cell";
    CHECK_DIVISION "check_division" (I64 I64) -> () [EFFECT] "dividend, divisor: stop with a message if the quotient does not exist (by 0) or does not fit; used by targets whose own fault would show other words";
    HALT "halt" () -> () [NORETURN] "flush and stop with status 255";
    ADD_ARGUMENT "add_argument" (Ref Ref) -> (Ref) [MAY_GC STORES] "copy of a closure holding one more argument (the node info after its own)";
    STACK_LIMIT "stack_limit" () -> (I32) [READS] "the shadow-stack pointer below which the stack of the engine may soon be used up";
    CAPTURE_BEGIN "capture_begin" (I32) -> () [EFFECT] "the function with this shadow-stack pointer, and all that wait for it, are about to leave records of themselves and to return";
    CAPTURE_END "capture_end" (I32 I32) -> () [EFFECT] "they have. For 1, the first time since the function was called that goes on with them, at this shadow-stack pointer";
    CAPTURE_NEXT "capture_next" (I32) -> (I32) [EFFECT] "makes ready the innermost captured frame: the number that its record begins with, or -1 if none is left. The argument masks the bits of numbers that are 0 for a function that has just been called";
    STACK_OVERFLOW "stack_overflow" () -> () [NORETURN] "`Stack overflow.`, stop";
    INDEX_ERROR "index_error" () -> () [NORETURN] "`Run Time Error: index out of range`, stop";
    UNAVAILABLE "unavailable" (I32) -> () [NORETURN] "something without meaning on this target is reached: write the text block, which says what, to stderr, stop";
    PANIC "panic" (Ref) -> () [NORETURN] "the program has found an error: write what was printed, then this string and a new line to stderr, stop";
    UNCAUGHT "uncaught" (I32) -> () [NORETURN] "nobody handles an exception: write what was printed, then `Uncaught exception: ` and this text block to stderr, stop";
    UNHANDLED "unhandled" (I32) -> () [NORETURN] "nobody handles an effect: write what was printed, then `Unhandled effect: ` and this text block to stderr, stop";
    IS_STATIC "is_static" (Ref) -> (I32) [READS] "1 if the object is part of the program: nobody writes over it";
    // -- console --
    PRINT_TEXT "print_text" (I32) -> () [EFFECT] "write a text block";
    PRINT_INT "print_int" (I64) -> () [EFFECT] "write a decimal integer";
    PRINT_CHAR "print_char" (I64) -> () [EFFECT] "write a byte";
    PRINT_REAL "print_real" (F64) -> () [EFFECT] "write a real with 15 significant digits";
    PRINT_STRING "print_string" (Ref) -> () [EFFECT] "write the characters of a string object";
    // -- what surrounds the program --
    EXIT "exit" (I64) -> () [NORETURN] "flush and end with this status, of which eight bits count";
    READ_LINE "read_line" () -> (Ref) [MAY_GC EFFECT] "the next line of the input with its new line; an empty string at the end";
    ARGUMENT_COUNT "argument_count" () -> (I64) [EFFECT] "how many arguments the program was given";
    ARGUMENT "argument" (I64) -> (Ref) [MAY_GC EFFECT] "an argument, from 0 on; stops as `index_error` does if there is none";
    ENVIRONMENT "environment" (Ref) -> (Ref) [MAY_GC EFFECT] "the value of the variable of a name; an empty string if there is none";
    READ_FILE "read_file" (Ref) -> (Ref I64) [MAY_GC EFFECT] "the contents of the file of a name, and 1; an empty string and 0 if it cannot be read";
    WRITE_FILE "write_file" (Ref Ref) -> (I64) [EFFECT] "make or overwrite the file of a name with these contents; 1, or 0 if that failed";
    RC_READ_LINE "rc_read_line" () -> (Ref) [EFFECT RC] "as `read_line`";
    RC_ARGUMENT "rc_argument" (I64) -> (Ref) [EFFECT RC] "as `argument`";
    RC_ENVIRONMENT "rc_environment" (Ref) -> (Ref) [EFFECT RC] "as `environment`";
    RC_READ_FILE "rc_read_file" (Ref) -> (Ref I64) [EFFECT RC] "as `read_file`";
    RC_WRITE_FILE "rc_write_file" (Ref Ref) -> (I64) [EFFECT RC] "as `write_file`";
    // -- strings --
    CAT_STRING "cat_string" (Ref Ref) -> (Ref) [MAY_GC] "concatenation";
    SLICE_STRING "slice_string" (Ref I64 I64) -> (Ref) [MAY_GC] "characters from .. to inclusive, bounds clipped";
    UPDATE_STRING "update_string" (Ref I64 I64) -> (Ref) [MAY_GC EFFECT] "copy with a character replaced; stops when out of range";
    PUT_STRING "put_string" (Ref I64 Ref) -> () [EFFECT] "overwrite characters of a string, from an index on, by all those of another; they fit";
    EQ_STRING "eq_string" (Ref Ref) -> (I64) [READS] "1 if equal";
    CMP_STRING "cmp_string" (Ref Ref) -> (I64) [READS] "-1, 0, 1";
    CHAR_TO_STRING "char_to_string" (I64) -> (Ref) [MAY_GC] "fresh one-character string";
    INT_TO_STRING "int_to_string" (I64) -> (Ref) [MAY_GC] "decimal";
    REAL_TO_STRING "real_to_string" (F64) -> (Ref) [MAY_GC] "15 significant digits";
    BOOL_TO_STRING "bool_to_string" (I64) -> (Ref) [MAY_GC] "`True` or `False`";
    COPY_ELEMENTS "copy_elements" (Ref I64 Ref I64 I64) -> () [EFFECT] "overwrite bytes of the elements of an array, from an offset on, by so many bytes, from an offset on, of another or the same one, as they were before; they fit";
    // -- strings of the reference-counted heap --
    RC_CAT_STRING "rc_cat_string" (Ref Ref) -> (Ref) [EFFECT RC CONSUMES] "concatenation, in the memory of the first where nothing else refers to it";
    RC_EXTEND_STRING "rc_extend_string" (Ref I64) -> (Ref) [EFFECT RC CONSUMES] "string of this length that begins as the first, in its memory where nothing else refers to it";
    RC_SLICE_STRING "rc_slice_string" (Ref I64 I64) -> (Ref) [EFFECT RC] "characters from .. to inclusive, bounds clipped";
    RC_PUT_STRING "rc_put_string" (Ref I64 Ref) -> () [EFFECT RC] "as `put_string`";
    RC_COPY_ELEMENTS "rc_copy_elements" (Ref I64 Ref I64 I64) -> () [EFFECT RC] "as `copy_elements`; not for references";
    RC_REPEAT "rc_repeat" (Ref I32) -> () [EFFECT RC] "copy the first element of an array of numbers, so many bytes, to all others";
    RC_EQ_STRING "rc_eq_string" (Ref Ref) -> (I64) [READS RC] "1 if equal";
    RC_CMP_STRING "rc_cmp_string" (Ref Ref) -> (I64) [READS RC] "-1, 0, 1";
    RC_CHAR_TO_STRING "rc_char_to_string" (I64) -> (Ref) [EFFECT RC] "fresh one-character string";
    RC_INT_TO_STRING "rc_int_to_string" (I64) -> (Ref) [EFFECT RC] "decimal";
    RC_PRINT_STRING "rc_print_string" (Ref) -> () [EFFECT RC] "write the characters";
    RC_PANIC "rc_panic" (Ref) -> () [NORETURN RC] "as `panic`";
    // -- arrays of the reference-counted heap --
    RC_NEW_ARRAY "rc_new_array" (I64) -> (Ref) [EFFECT RC] "array of so many references, all of them the end of a list; a negative or huge size stops with `Heap full.`";
    RC_ELEMENT "rc_element" (Ref I64) -> (Ref) [READS RC] "the reference at an index, which is in range";
    RC_EXCHANGE "rc_exchange" (Ref Ref I64) -> (Ref) [EFFECT RC CONSUMES] "puts the first into an array, the second, at an index, which is in range; gives what was there";
    RC_NEW_WORDS "rc_new_words" (I64) -> (Ref) [EFFECT RC] "array of so many integers of 32 bits, all 0: a string that has four bytes for each";
    RC_WORD "rc_word" (Ref I64) -> (I64) [EFFECT RC] "the integer at an index, which is in range";
    RC_SET_WORD "rc_set_word" (Ref I64 I64) -> () [EFFECT RC] "overwrites the integer at an index, which is in range";
    RC_INNER_ELEMENT "rc_inner_element" (Ref I64) -> (Ref) [EFFECT RC] "`rc_element` of the array that is the first element of an array";
    RC_INNER_EXCHANGE "rc_inner_exchange" (Ref Ref I64) -> (Ref) [EFFECT RC CONSUMES] "`rc_exchange` in the array that is the first element of an array, the second operand";
    RC_INNER_WORD "rc_inner_word" (Ref I64) -> (I64) [EFFECT RC] "`rc_word` of the array that is the first element of an array";
    RC_SET_INNER_WORD "rc_set_inner_word" (Ref I64 I64) -> () [EFFECT RC] "`rc_set_word` in the array that is the first element of an array";
    RC_SAME "rc_same" (Ref Ref) -> (I64) [READS RC] "1 if both are the same object";
    // -- arrays --
    NEW_ARRAY "new_array" (I32 I32 I32 I64) -> (Ref) [MAY_GC EFFECT] "array object: kind word, references and raw words per record element (0 0 for named kinds), size; references are the end of a list, the rest 0. Kind `Char` makes a string object. Negative or huge sizes stop with `Heap full.`";
    REPLICATE "replicate" (Ref I32 I32) -> () [EFFECT] "copy element 0 of an array (references, raw words per record element) to all the others";
    SHORTEN_ARRAY "shorten_array" (Ref I64) -> (Ref) [MAY_GC EFFECT] "copy of an array object with its first elements; the array itself if that is all of them";
    SAME "same" (Ref Ref) -> (I64) [READS] "1 if both are the same object";
    // -- objects of the host --
    NEW_FOREIGN "new_foreign" (I32 I64) -> (Ref) [MAY_GC EFFECT] "a cell with this header, of a descriptor of kind `foreign`, for the object of the host that has this number, from 0 on";
    FOREIGN_NUMBER "foreign_number" (Ref) -> (I64) [READS] "the number in such a cell; -1 after `close_foreign`";
    CLOSE_FOREIGN "close_foreign" (Ref) -> (I64) [MAY_GC EFFECT] "the program gives the object back by hand: its number is that of a dead cell now. 1, or 0 if that was done before. Nothing happens to other values, of which it gives 1";
    BEGIN_CALL "begin_call" () -> () [MAY_GC EFFECT] "the host calls the program: if nothing of it is active, this is the time to collect what is young";
    TAKE_FOREIGN "take_foreign" () -> (I64) [EFFECT] "the number of a cell that is dead or closed: each is given once; -1 if there is none";
    RC_NEW_FOREIGN "rc_new_foreign" (I32 I64) -> (Ref) [EFFECT RC] "as `new_foreign`";
    RC_FOREIGN_NUMBER "rc_foreign_number" (Ref) -> (I64) [READS RC] "as `foreign_number`";
    RC_CLOSE_FOREIGN "rc_close_foreign" (Ref) -> (I64) [EFFECT RC] "as `close_foreign`";
    RC_TAKE_FOREIGN "rc_take_foreign" () -> (I64) [EFFECT RC] "as `take_foreign`";
    // -- mathematics --
    SIN "sin" (F64) -> (F64) [PURE] "sine";
    COS "cos" (F64) -> (F64) [PURE] "cosine";
    TAN "tan" (F64) -> (F64) [PURE] "tangent";
    ASIN "asin" (F64) -> (F64) [PURE] "arc sine";
    ACOS "acos" (F64) -> (F64) [PURE] "arc cosine";
    ATAN "atan" (F64) -> (F64) [PURE] "arc tangent";
    EXP "exp" (F64) -> (F64) [PURE] "e to the power";
    LN "ln" (F64) -> (F64) [PURE] "natural logarithm";
    LOG10 "log10" (F64) -> (F64) [PURE] "decimal logarithm";
    POW "pow" (F64 F64) -> (F64) [PURE] "first to the power of second";
    DIVIDE_LONG "divide_long" (I64 I64 I64) -> (I64 I64) [EFFECT] "divLU: unsigned h:l by d gives remainder, quotient";
}

/// The row of this name.
pub fn find(name: &str) -> Option<&'static crate::LibcallSignature> {
    ALL.iter().copied().find(|row| row.name == name)
}

/// The operands of a function that must be strings, arrays or objects of the host, with their kinds: it does not ask.
pub fn operand_kinds(name: &str) -> &'static [(usize, u32)] {
    use crate::layout::{KIND_ARRAY as ARRAY, KIND_FOREIGN as FOREIGN, KIND_STRING as STRING};
    match name {
        "panic" | "print_string" | "slice_string" | "update_string" => &[(0, STRING)],
        "cat_string" | "eq_string" | "cmp_string" => &[(0, STRING), (1, STRING)],
        "put_string" | "rc_put_string" => &[(0, STRING), (2, STRING)],
        "rc_panic" | "rc_print_string" | "rc_slice_string" | "rc_extend_string" => &[(0, STRING)],
        "rc_cat_string" | "rc_eq_string" | "rc_cmp_string" => &[(0, STRING), (1, STRING)],
        "environment" | "read_file" | "rc_environment" | "rc_read_file" => &[(0, STRING)],
        "write_file" | "rc_write_file" => &[(0, STRING), (1, STRING)],
        "shorten_array" => &[(0, ARRAY)],
        "foreign_number" | "rc_foreign_number" => &[(0, FOREIGN)],
        _ => &[],
    }
}
