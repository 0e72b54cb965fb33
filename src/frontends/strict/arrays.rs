//! Arrays, and the identity of objects. On the garbage-collected heap arrays are those of the IR, with its barrier; on
//! the reference-counted heap, where nothing else is ever overwritten, they are objects of the runtime.

use crate::core_ir::Primitive;
use crate::runtime::Runtime;
use cleave_ir::layout::{ARRAY_DATA, ElementKind, SLOT};
use cleave_ir::{Builder, Heap, LibcallSignature, Opcode, Value, libcalls, pack};

/// The functions of the runtime that a primitive calls; the last one gives its value.
pub fn rows(heap: Heap, primitive: Primitive) -> Vec<&'static LibcallSignature> {
    use Primitive::*;
    match (primitive, heap.counts()) {
        (NewReferences, true) => vec![&libcalls::RC_NEW_ARRAY],
        (NewWords, true) => vec![&libcalls::RC_NEW_WORDS],
        (Reference | InnerReference | InnerWord | SetInnerWord, true) => vec![&libcalls::RC_ELEMENT],
        (Exchange, true) => vec![&libcalls::RC_EXCHANGE],
        (InnerExchange, true) => vec![&libcalls::RC_ELEMENT, &libcalls::RC_EXCHANGE],
        (Same, true) => vec![&libcalls::RC_SAME],
        (NewReferences | NewWords, false) => vec![&libcalls::NEW_ARRAY],
        (Same, false) => vec![&libcalls::SAME],
        _ => Vec::new(),
    }
}

/// The operand of this number is an integer of 64 bits.
pub fn is_wide(primitive: Primitive, operand: usize) -> bool {
    use Primitive::*;
    match primitive {
        NewReferences | NewWords => true,
        Reference | Word | InnerReference | InnerWord => operand == 1,
        Exchange | InnerExchange => operand == 2,
        SetWord | SetInnerWord => operand > 0,
        _ => false,
    }
}

/// The value of a primitive; integers have 64 bits.
pub fn operate(runtime: &Runtime, b: &mut Builder, heap: Heap, primitive: Primitive, args: &[Value]) -> Value {
    use Primitive::*;
    let place = pack(SLOT, ARRAY_DATA);
    // The inner array is read first.
    let outside = match primitive {
        InnerReference | InnerWord | SetInnerWord => Some((0, primitive)),
        InnerExchange => Some((1, primitive)),
        _ => None,
    };
    if let Some((at, primitive)) = outside {
        let first = b.iconst64(0);
        let mut args = args.to_vec();
        args[at] = operate(runtime, b, heap, Reference, &[args[at], first]);
        let primitive = match primitive {
            InnerReference => Reference,
            InnerExchange => Exchange,
            InnerWord => Word,
            _ => SetWord,
        };
        return operate(runtime, b, heap, primitive, &args);
    }
    match (primitive, heap.counts()) {
        (NewReferences | NewWords, false) => {
            let kind = if primitive == NewWords { ElementKind::Int32 } else { ElementKind::Ref };
            let kind = b.iconst32(kind as i32);
            let none = b.iconst32(0);
            runtime.value(b, &libcalls::NEW_ARRAY, &[kind, none, none, args[0]])
        }
        (Reference, false) => b.value(Opcode::ElemRef, place, 0, args),
        (SizeOfReferences | SizeOfWords, false) => b.op(Opcode::ArraySize, args),
        (SizeOfReferences, true) => b.op(Opcode::StringSize, args),
        (SizeOfWords, true) => {
            let bytes = b.op(Opcode::StringSize, args);
            let shift = b.iconst64(2);
            b.op(Opcode::Ushr, &[bytes, shift])
        }
        (Word, _) => b.value(Opcode::ElemI32, place, 0, args),
        (Exchange, false) => {
            let old = b.value(Opcode::ElemRef, place, 0, &[args[1], args[2]]);
            b.inst(Opcode::SetElemRef, place, 0, &[args[1], args[2], args[0]]);
            old
        }
        (SetWord, _) => {
            b.inst(Opcode::SetElemI32, place, 0, args);
            b.iconst32(0)
        }
        (primitive, _) => runtime.value(b, rows(heap, primitive).last().expect("it is one of the runtime"), args),
    }
}
