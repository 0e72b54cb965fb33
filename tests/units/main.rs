//! Parts of the command line and the driver alone, without a program.

mod allocator;
mod args;
mod argv_split;
mod cache;
mod documents;
mod edits;
mod ffi;
mod json;
mod missing;
mod names;
mod playground;
mod reduce;
mod reduce_abc;
mod reduce_ir;
mod sandbox;
mod sources;
mod structure;
mod temporary;
mod transport;
