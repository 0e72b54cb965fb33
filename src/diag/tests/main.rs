//! Codes, messages and suggestions.

mod code;
mod messages;
mod suggest;
