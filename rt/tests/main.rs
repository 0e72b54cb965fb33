//! Tests of the runtime over a byte vector.

mod collector;
mod counted;
mod cycles;
mod files;
mod foreign;
mod frames;
mod heap;
mod lock;
mod numbers;
mod nursery;
mod outermost;
mod pauses;
mod prebuilt;
mod print;
mod strings;
mod support;
mod time;
mod transcendental;
