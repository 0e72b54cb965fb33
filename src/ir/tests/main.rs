//! Tests of the IR beyond files of it: entities out of range, analyses against slower ones, the table of opcodes.

mod dom;
mod live_intervals;
mod loops;
mod opcode;
mod incremental_padding;
mod text;
mod verify;
mod spill_around_calls;
