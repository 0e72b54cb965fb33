//! Types of values, effects of calls, and signatures of libcalls.

use core::fmt;

/// Type of a value. Raw words are `I64` or `F64`; conditions and addresses are `I32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Type {
    /// A condition, an address, or a small number.
    I32,
    /// A whole number; as a raw word in an object it has two slots.
    I64,
    /// A real in double precision; as a raw word in an object it has two slots.
    F64,
    /// Reference to a heap or static object; the only type that the collector cares about.
    Ref,
}

impl Type {
    /// In the order of their numbers.
    pub const ALL: [Type; 4] = [Type::I32, Type::I64, Type::F64, Type::Ref];
    /// The word of the text form: `i32`, `i64`, `f64` or `ref`.
    pub const fn name(self) -> &'static str {
        match self {
            Type::I32 => "i32",
            Type::I64 => "i64",
            Type::F64 => "f64",
            Type::Ref => "ref",
        }
    }
    /// The type with this word in the text form.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|t| t.name() == name)
    }
    /// Bytes in memory.
    pub const fn bytes(self) -> u32 {
        match self {
            Type::I32 | Type::Ref => 4,
            Type::I64 | Type::F64 => 8,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a call does besides computing its results. The compiler removes, reuses and moves calls by this alone, so a row
/// must name every effect that its function has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Effects(pub u16);

impl Effects {
    /// The results depend on the operands alone.
    pub const PURE: Effects = Effects(0);
    /// Uses the heap pointer (allocates or inspects it).
    pub const HEAP: Effects = Effects(1);
    /// May collect: a safepoint that takes the shadow-stack pointer. Implies `HEAP`.
    pub const MAY_GC: Effects = Effects(2 | 1);
    /// Has effects outside (output, files) or stops the program; must not be removed or reordered.
    pub const EFFECT: Effects = Effects(4);
    /// Never returns. Implies `EFFECT`.
    pub const NORETURN: Effects = Effects(8 | 4);
    /// Reads objects of the heap but changes nothing.
    pub const READS: Effects = Effects(16);
    /// Takes part in calls of C functions: a program that uses it has the memory that C works on.
    pub const FFI: Effects = Effects(32);
    /// The first operand is the address of a symbol of machine code.
    pub const SYMBOL: Effects = Effects(64);
    /// Looks at the object of its first operand only; references behind it are stored in the result as they are.
    pub const STORES: Effects = Effects(128);
    /// Its objects are those of the reference-counted heap: operands are borrowed, results belong to the caller. A
    /// function without this effect that takes or gives references works on the garbage-collected heap.
    pub const RC: Effects = Effects(256);

    /// Takes over the reference of its first operand, instead of borrowing it.
    pub const CONSUMES: Effects = Effects(512);

    /// The words of the text form. `PURE` is written alone; of two that share bits the larger comes first.
    pub const WORDS: [(Effects, &'static str); 10] = [
        (Effects::MAY_GC, "may_gc"),
        (Effects::HEAP, "heap"),
        (Effects::NORETURN, "noreturn"),
        (Effects::EFFECT, "effect"),
        (Effects::READS, "reads"),
        (Effects::FFI, "ffi"),
        (Effects::SYMBOL, "symbol"),
        (Effects::STORES, "stores"),
        (Effects::RC, "rc"),
        (Effects::CONSUMES, "consumes"),
    ];

    /// True if it has all of these effects, and they are some.
    pub const fn all(self, other: Effects) -> bool {
        self.0 & other.0 == other.0 && other.0 != 0
    }
    /// Both, for tables of constants.
    pub const fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
    /// A safepoint: takes the shadow-stack pointer as a hidden first parameter.
    pub const fn may_gc(self) -> bool {
        self.all(Effects::MAY_GC)
    }
    /// The call ends the program: what follows it is never executed.
    pub const fn never_returns(self) -> bool {
        self.all(Effects::NORETURN)
    }
    /// The effect with this word in the text form.
    pub fn from_word(word: &str) -> Option<Effects> {
        if word == "pure" {
            return Some(Effects::PURE);
        }
        Effects::WORDS.into_iter().find(|(_, known)| *known == word).map(|(effects, _)| effects)
    }
    /// The words that name exactly these effects; none if there are none.
    pub fn words(self) -> impl Iterator<Item = &'static str> + Clone {
        let mut named = Effects::PURE;
        Effects::WORDS.into_iter().filter_map(move |(effects, word)| {
            let is_new = self.all(effects) && !named.all(effects);
            named = if is_new { named.and(effects) } else { named };
            is_new.then_some(word)
        })
    }
}

/// A function of the runtime as callers see it; the runtime exports it as `rt_<name>`.
///
/// Calling rules, the same on every target:
/// - Parameters in order: the shadow-stack pointer (i32) first if the function has `MAY_GC`, then `params`;
///   a `ref` is its 32-bit address.
/// - One result is returned; with two or more, result `i` is left in the `i`-th 8-byte cell of `PROGRAM_RESULTS`
///   (i32 and ref in the low half) and nothing is returned.
/// - A function that collects keeps its own reference operands alive: it pushes them on the shadow stack.
/// - Compiled code keeps heap pointer and limit where its target wants them; around a function with `HEAP` they are
///   stored to and reloaded from `PROGRAM_HEAP_POINTER` / `PROGRAM_HEAP_LIMIT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LibcallSignature {
    /// As the text form calls it; exported as `rt_<name>`.
    pub name: &'static str,
    /// Without the shadow-stack pointer.
    pub params: &'static [Type],
    /// More than one come back in memory (`PROGRAM_RESULTS`).
    pub results: &'static [Type],
    /// All of them: what is not named here, the compiler takes for impossible.
    pub effects: Effects,
    /// What it does, for the documentation of the text form.
    pub doc: &'static str,
}

/// The row that is written `"name" (types) -> (types) [effects] "what it does"`, types and effects by their Rust names.
#[macro_export]
macro_rules! libcall {
    ($name:literal ($($p:ident)*) -> ($($r:ident)*) [$($e:ident)*] $doc:literal) => {
        $crate::LibcallSignature {
            name: $name,
            params: &[$($crate::Type::$p),*],
            results: &[$($crate::Type::$r),*],
            effects: $crate::Effects(0 $(| $crate::Effects::$e.0)*),
            doc: $doc,
        }
    };
}

/// A table of rows: each becomes a static with the name before it, all of them are in `ALL`.
#[macro_export]
macro_rules! libcalls {
    ($( $variant:ident $name:literal $p:tt -> $r:tt $e:tt $doc:literal; )*) => {
        $( #[doc = $doc] pub static $variant: $crate::LibcallSignature = $crate::libcall!($name $p -> $r $e $doc); )*
        /// All rows of the table, in order.
        pub static ALL: &[&$crate::LibcallSignature] = &[$( &$variant ),*];
    };
}
