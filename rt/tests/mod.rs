//! Tests of the runtime over a byte vector.

mod collector;
mod files;
mod heap;
mod numbers;
mod nursery;
mod print;
mod strings;
mod support;
mod transcendental;
