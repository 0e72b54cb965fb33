//! Arrays, and the identity of objects. On the garbage-collected heap arrays are those of the IR, with its barrier; on
//! the reference-counted heap, where nothing else is ever overwritten, they are objects of the runtime.

use crate::core_ir::Primitive;
use crate::runtime::Runtime;
use cleave_ir::layout::{ARRAY_DATA, ElementKind, SLOT};
use cleave_ir::{Builder, Heap, LibcallSignature, Opcode, Value, libcalls, pack};

/// The function of the runtime that a primitive calls.
pub fn row(heap: Heap, primitive: Primitive) -> Option<&'static LibcallSignature> {
    use Primitive::*;
    match (primitive, heap.counts()) {
        (NewReferences, true) => Some(&libcalls::RC_NEW_ARRAY),
        (Reference, true) => Some(&libcalls::RC_ELEMENT),
        (Exchange, true) => Some(&libcalls::RC_EXCHANGE),
        (NewWords, true) => Some(&libcalls::RC_NEW_WORDS),
        (Word, true) => Some(&libcalls::RC_WORD),
        (SetWord, true) => Some(&libcalls::RC_SET_WORD),
        (InnerReference, true) => Some(&libcalls::RC_INNER_ELEMENT),
        (InnerExchange, true) => Some(&libcalls::RC_INNER_EXCHANGE),
        (InnerWord, true) => Some(&libcalls::RC_INNER_WORD),
        (SetInnerWord, true) => Some(&libcalls::RC_SET_INNER_WORD),
        (Same, true) => Some(&libcalls::RC_SAME),
        (NewReferences | NewWords, false) => Some(&libcalls::NEW_ARRAY),
        (Same, false) => Some(&libcalls::SAME),
        _ => None,
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
    // On the garbage-collected heap the inner array is read first.
    let outside = match primitive {
        InnerReference | InnerWord | SetInnerWord => Some((0, primitive)),
        InnerExchange => Some((1, primitive)),
        _ => None,
    };
    if let Some((at, primitive)) = outside.filter(|_| !heap.counts()) {
        let first = b.iconst64(0);
        let mut args = args.to_vec();
        args[at] = b.value(Opcode::ElemRef, place, 0, &[args[at], first]);
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
        (Word, false) => b.value(Opcode::ElemI32, place, 0, args),
        (Exchange, false) => {
            let old = b.value(Opcode::ElemRef, place, 0, &[args[1], args[2]]);
            b.inst(Opcode::SetElemRef, place, 0, &[args[1], args[2], args[0]]);
            old
        }
        (SetWord, false) => {
            b.inst(Opcode::SetElemI32, place, 0, args);
            b.iconst32(0)
        }
        (SetWord | SetInnerWord, true) => {
            runtime.call(b, row(heap, primitive).expect("it is one of the runtime"), args);
            b.iconst32(0)
        }
        (primitive, _) => runtime.value(b, row(heap, primitive).expect("it is one of the runtime"), args),
    }
}
