//! Tests of the IR beyond files of it: entities out of range, analyses against slower ones, the table of opcodes.

mod cell_sizes;
mod dom;
mod incremental_padding;
mod live_intervals;
mod loops;
mod opcode;
mod spill_around_calls;
mod text;
mod verify;
