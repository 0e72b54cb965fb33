//! What the front end does without a compiler: the form of programs.

mod format;
