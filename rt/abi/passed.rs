//! What may be wrong with a value that a host in C passes to a library: compiled code finds it and gives its number,
//! the runtime has the words.

/// Whose value it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    /// An argument: the call is refused, and the program goes on with the next one.
    Argument = 0,
    /// The result of a function of the host: the program, which waits for it, ends.
    Result = 1,
}

macro_rules! wrong {
    ($($name:ident = $number:literal $words:literal;)*) => {
        /// What is wrong with it. Nothing is 0.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Wrong {
            $(#[doc = $words] $name = $number,)*
        }

        impl Wrong {
            /// What messages say of a number that compiled code gives.
            pub fn words(number: u32) -> &'static str {
                match number {
                    $($number => $words,)*
                    _ => "a value that is none of its type",
                }
            }
        }
    };
}

wrong! {
    Null = 1 "NULL";
    Length = 2 "a length that is too large";
    Text = 3 "a text that is not UTF-8";
    Function = 4 "a function that does not exist, that was dropped, or that has another type";
    Case = 5 "a case that does not exist";
    Character = 6 "a number that is no character";
    ByteCharacter = 7 "a character that the program cannot have";
    Number = 8 "a number that is too large";
}
