//! Arrays, from which the library makes `Vec`: of references, or of numbers, by what their elements are.

use super::bodies::Lower;
use super::mono_types::{MonoType, REFERENCE};
use crate::program::Builtin;
use cleave_diag::Span;
use cleave_strict::core_ir::{Expr, ExprKind, Operator, Primitive, Type};

impl Lower<'_, '_> {
    /// What is built in of arrays with elements of a type.
    pub fn of_array(&mut self, builtin: Builtin, element: MonoType, args: &[Expr], ty: Type, span: Span) -> Expr {
        let is_reference = self.all.mono_types.canonical(element) == REFERENCE;
        let primitive = match (builtin, is_reference) {
            (Builtin::NewArray, true) => Primitive::NewReferences,
            (Builtin::NewArray, false) => Primitive::NewWords,
            (Builtin::ArraySize, true) => Primitive::SizeOfReferences,
            (Builtin::ArraySize, false) => Primitive::SizeOfWords,
            (Builtin::Element, true) => Primitive::Reference,
            (Builtin::Element | Builtin::Take, false) => Primitive::Word,
            (Builtin::InnerElement, true) => Primitive::InnerReference,
            (Builtin::InnerElement | Builtin::InnerTake, false) => Primitive::InnerWord,
            (Builtin::SetInnerElement, false) => Primitive::SetInnerWord,
            (Builtin::Same, true) => Primitive::Same,
            (Builtin::Same, false) => {
                let truth = Type::Data(Self::TRUTH);
                return self.add(ExprKind::Binary(Operator::Equal, args[0], args[1]), truth, span);
            }
            (Builtin::Take | Builtin::InnerTake, true) => {
                // Something has to be there in its place.
                let text = self.all.text(b"");
                let text = self.add(ExprKind::Str(text), Type::Str, span);
                let exchange = if builtin == Builtin::Take { Primitive::Exchange } else { Primitive::InnerExchange };
                return self.primitive(exchange, &[text, args[0], args[1]], ty, span);
            }
            (Builtin::SetElement | Builtin::SetInnerElement, true) => {
                // The new element is evaluated last.
                let (array, index) = (self.var("array".into(), Type::Reference), self.var("index".into(), Type::Int));
                let places = [self.use_var(array, span), self.use_var(index, span)];
                let exchange =
                    if builtin == Builtin::SetElement { Primitive::Exchange } else { Primitive::InnerExchange };
                let old = self.primitive(exchange, &[args[2], places[0], places[1]], Type::Reference, span);
                let unit = self.unit(span);
                let body = self.add(ExprKind::Sequence(old, unit), Type::Unit, span);
                let inner = self.bind(index, args[1], body, Type::Unit, span);
                return self.bind(array, args[0], inner, Type::Unit, span);
            }
            _ => Primitive::SetWord,
        };
        self.primitive(primitive, args, ty, span)
    }
}
