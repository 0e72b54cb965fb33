//! What goes in and out of the interpreter: typed values, and the reasons why a run stops.

use cleave_ir::{Block, Inst, Type};
use std::fmt;

/// A value of the IR.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Val {
    /// A condition, an address, or a small number.
    I32(i32),
    /// A whole number.
    I64(i64),
    /// A real; compared as numbers are, so a NaN differs from itself.
    F64(f64),
    /// Address of an object. Valid until the next collection.
    Ref(u32),
}

impl Val {
    /// The type in the IR.
    pub fn ty(self) -> Type {
        match self {
            Val::I32(_) => Type::I32,
            Val::I64(_) => Type::I64,
            Val::F64(_) => Type::F64,
            Val::Ref(_) => Type::Ref,
        }
    }
    /// Register contents (see `machine.rs`): i32 sign extended, a reference without its epoch.
    pub(crate) fn bits(self) -> u64 {
        match self {
            Val::I32(n) => n as i64 as u64,
            Val::I64(n) => n as u64,
            Val::F64(x) => x.to_bits(),
            Val::Ref(address) => address as u64,
        }
    }
    pub(crate) fn from_bits(ty: Type, bits: u64) -> Val {
        match ty {
            Type::I32 => Val::I32(bits as i32),
            Type::I64 => Val::I64(bits as i64),
            Type::F64 => Val::F64(f64::from_bits(bits)),
            Type::Ref => Val::Ref(bits as u32),
        }
    }
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::I32(n) => write!(f, "{n}"),
            Val::I64(n) => write!(f, "{n}"),
            Val::F64(x) => write!(f, "{x}"),
            Val::Ref(address) => write!(f, "ref {address:#x}"),
        }
    }
}

/// Why execution stopped before its end.
#[derive(Clone, PartialEq, Debug)]
pub enum Trap {
    /// The program ended itself (end of output, `halt`, an error of its own) with this status.
    Exit(i32),
    /// The divisor is 0.
    DivideByZero,
    /// The least integer divided by -1.
    IntegerOverflow,
    /// The interpreter's register stack or the shadow stack is full.
    StackOverflow,
    /// `Options::max_steps` instructions were executed.
    StepLimit,
    /// Whoever watches wants to look around.
    Paused,
    /// The program breaks a rule of the IR that only running it can show: what it did, and where.
    Wrong(Box<Mistake>),
}

/// A mistake in the IR, caught while it ran.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// One line, without the place.
    pub message: String,
    /// Function, block and instruction that were being executed; none outside of compiled code.
    pub place: Option<(String, Block, Inst)>,
    /// The innermost functions that wait for this one, innermost first.
    pub callers: Vec<String>,
}

impl Trap {
    pub(crate) fn wrong(message: impl Into<String>) -> Trap {
        Trap::Wrong(Box::new(Mistake { message: message.into(), place: None, callers: Vec::new() }))
    }
    /// Status of a process that ends like this (128 + signal for faults of the machine).
    pub fn status(&self) -> i32 {
        match self {
            Trap::Exit(status) => *status,
            Trap::DivideByZero | Trap::IntegerOverflow => 136,
            Trap::StackOverflow => 255,
            Trap::StepLimit | Trap::Paused => 124,
            Trap::Wrong(_) => 255,
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trap::Exit(status) => write!(f, "exit with status {status}"),
            Trap::DivideByZero => f.write_str("integer division by zero"),
            Trap::IntegerOverflow => f.write_str("integer division overflow"),
            Trap::StackOverflow => f.write_str("stack overflow"),
            Trap::StepLimit => f.write_str("step limit reached"),
            Trap::Paused => f.write_str("paused"),
            Trap::Wrong(mistake) => {
                write!(f, "{}", mistake.message)?;
                if let Some((func, block, inst)) = &mistake.place {
                    write!(f, " in @{func}, {block}, {inst}")?;
                }
                for (i, caller) in mistake.callers.iter().enumerate() {
                    write!(f, "{} @{caller}", if i == 0 { ", called by" } else { "," })?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Trap {}
