//! Tests of passes that need more than a file of IR: limits of their own, or the time that they take.

mod outline;
mod roots;
