//! The function that makes a node observable: evaluates it, prints what it is and what it holds, down to a depth and up
//! to a number of nodes, so that cycles end.

use super::plan::Plan;
use cleave_clean::externs::Runtime;
use cleave_ir::layout::{ARRAY_DATA, ARRAY_ELEMENT, ElementKind};
use cleave_ir::{Block, Builder, Desc, Func, Module, Opcode, Type, Value, WellKnownDesc, pack};

/// Elements of an array that are shown.
const ELEMENTS: i64 = 3;

/// Replaces the empty function of the library.
pub fn write(module: &mut Module, plan: &Plan) {
    let func = &mut module.funcs[plan.library.show];
    *func = Func::new(func.name.clone(), func.signature.clone());
    let block = func.new_block();
    let (depth, node) = (func.add_param(block, Type::I64), func.add_param(block, Type::Ref));
    let end = func.new_block();
    Builder::new(func, end).ret(&[]);
    let mut show = Show { plan, b: Builder::new(func, block), depth, end };
    show.limits();
    let node = show.b.op(Opcode::Eval, &[node]);
    let header = show.b.op(Opcode::Header, &[node]);
    for data in &plan.nodes {
        show.case(header, data.desc, data.applied_args, |show| {
            show.name(data.desc);
            show.fields(node, data.ptrs, &data.nptrs);
        });
    }
    let applied_args: Vec<(Desc, u32)> =
        plan.closures.iter().flat_map(|c| (0..c.arity).map(|applied_args| (c.desc, applied_args))).collect();
    let pairs = [(plan.library.pair, 2), (WellKnownDesc::ListCell.desc(), 2), (WellKnownDesc::Empty.desc(), 0)];
    let pairs = pairs.into_iter().filter(|_| plan.features.lists || plan.features.special);
    for (desc, applied_args) in applied_args.into_iter().chain(pairs) {
        show.case(header, desc, applied_args, |show| {
            show.name(desc);
            show.fields(node, applied_args, &[]);
        });
    }
    show.case(header, WellKnownDesc::Int.desc(), 0, |show| show.fields(node, 0, &[Type::I64]));
    show.case(header, WellKnownDesc::Real.desc(), 0, |show| show.fields(node, 0, &[Type::F64]));
    for known in [WellKnownDesc::Char, WellKnownDesc::Bool] {
        show.case(header, known.desc(), 0, |show| {
            show.b.call_extern(Runtime::PrintSymbol.callee(), &[node]);
        });
    }
    if plan.features.objects {
        show.case(header, WellKnownDesc::BoxedArray.desc(), 1, |show| show.array(node));
    }
    let unknown = show.b.text(plan.library.unknown);
    show.b.call_extern(Runtime::PrintText.callee(), &[unknown]);
    show.b.jump(end, &[]);
}

struct Show<'a> {
    plan: &'a Plan,
    b: Builder<'a>,
    depth: Value,
    end: Block,
}

impl Show<'_> {
    /// Goes on while there is depth and budget.
    fn limits(&mut self) {
        let budget = self.plan.library.budget;
        let (zero, one) = (self.b.iconst64(0), self.b.iconst64(1));
        let left = self.b.value(Opcode::CafI64, u64::from(budget.as_u32()), 1, &[]);
        for value in [self.depth, left] {
            let more = self.b.op(Opcode::Sgt, &[value, zero]);
            let on = self.b.func.new_block();
            self.b.br_if(more, (on, &[]), (self.end, &[]));
            self.b.switch_to(on);
        }
        let less = self.b.op(Opcode::Isub, &[left, one]);
        self.b.caf(Opcode::SetCafI64, budget, 1, &[less]);
    }

    /// What to do for one header; the code goes on with the others.
    fn case(&mut self, header: Value, desc: Desc, applied_args: u32, then: impl FnOnce(&mut Self)) {
        let node_info = self.b.node_info(desc, applied_args);
        let same = self.b.op(Opcode::Eq, &[header, node_info]);
        let (yes, no) = (self.b.func.new_block(), self.b.func.new_block());
        self.b.br_if(same, (yes, &[]), (no, &[]));
        self.b.switch_to(yes);
        then(self);
        let end = self.end;
        self.b.jump(end, &[]);
        self.b.switch_to(no);
    }

    fn name(&mut self, desc: Desc) {
        let name = self.b.value(Opcode::NameAddr, u64::from(desc.as_u32()), 0, &[]);
        self.b.call_extern(Runtime::PrintText.callee(), &[name]);
        self.character(b' ');
    }
    fn character(&mut self, letter: u8) {
        let letter = self.b.iconst64(i64::from(letter));
        self.b.call_extern(Runtime::PrintChar.callee(), &[letter]);
    }

    fn fields(&mut self, node: Value, ptrs: u32, nptrs: &[Type]) {
        let shape = pack(ptrs, nptrs.len() as u32);
        for i in 0..ptrs {
            let field = self.b.value(Opcode::GetRef, shape, i, &[node]);
            self.node(field);
        }
        for (i, &ty) in nptrs.iter().enumerate() {
            let op = if ty == Type::F64 { Opcode::GetF64 } else { Opcode::GetI64 };
            let word = self.b.value(op, shape, i as u32, &[node]);
            self.number(word);
        }
        self.character(b'.');
    }
    fn node(&mut self, node: Value) {
        let one = self.b.iconst64(1);
        let depth = self.b.op(Opcode::Isub, &[self.depth, one]);
        self.b.call(self.plan.library.show, &[depth, node], &[]);
    }
    fn number(&mut self, value: Value) {
        let library = self.plan.library;
        let print = if self.b.func.values[value] == Type::F64 { library.print_number } else { library.print_word };
        self.b.call(print, &[value], &[]);
    }

    /// A string, or size and first elements of an array.
    fn array(&mut self, node: Value) {
        let object = self.b.value(Opcode::GetRef, pack(1, 0), 0, &[node]);
        let header = self.b.op(Opcode::Header, &[object]);
        self.case(header, WellKnownDesc::String.desc(), 0, |show| {
            show.b.call_extern(Runtime::PrintString.callee(), &[object]);
        });
        let size = self.b.op(Opcode::ArraySize, &[object]);
        self.number(size);
        let kind = self.b.value(Opcode::LoadI32, u64::from(ARRAY_ELEMENT), 0, &[object]);
        let word = |offset| (ARRAY_DATA + offset, Type::I64, Opcode::ElemI64);
        let kinds = [
            (ElementKind::Ref, 4, (ARRAY_DATA, Type::Ref, Opcode::ElemRef)),
            (ElementKind::Int, 8, word(0)),
            (ElementKind::Real, 8, (ARRAY_DATA, Type::F64, Opcode::ElemF64)),
            (ElementKind::Bool, 1, (ARRAY_DATA, Type::I64, Opcode::ElemU8)),
            (ElementKind::Int32, 4, (ARRAY_DATA, Type::I64, Opcode::ElemI32)),
            (ElementKind::Real32, 4, (ARRAY_DATA, Type::F64, Opcode::ElemF32)),
        ];
        for (element, stride, access) in kinds {
            let wanted = self.b.iconst32(element as i32);
            self.kind(kind, wanted, object, size, stride, &[access]);
        }
        let record = &self.plan.nodes[self.plan.element];
        let info = self.b.value(Opcode::DescInfoAddr, u64::from(record.desc.as_u32()), 0, &[]);
        let ptrs = (0..record.ptrs).map(|i| (ARRAY_DATA + 4 * i, Type::Ref, Opcode::ElemRef));
        let nptrs = record.nptrs.iter().enumerate().map(|(i, &ty)| {
            let (offset, _, op) = word(4 * record.ptrs + 8 * i as u32);
            (offset, ty, if ty == Type::F64 { Opcode::ElemF64 } else { op })
        });
        let accesses: Vec<(u32, Type, Opcode)> = ptrs.chain(nptrs).collect();
        let stride = 4 * record.ptrs + 8 * record.nptrs.len() as u32;
        self.kind(kind, info, object, size, stride, &accesses);
    }

    /// The first elements, if the array is of this kind.
    fn kind(
        &mut self,
        kind: Value,
        wanted: Value,
        object: Value,
        size: Value,
        stride: u32,
        accesses: &[(u32, Type, Opcode)],
    ) {
        let same = self.b.op(Opcode::Eq, &[kind, wanted]);
        let (start, header, body, on) =
            (self.b.func.new_block(), self.b.func.new_block(), self.b.func.new_block(), self.b.func.new_block());
        self.b.br_if(same, (start, &[]), (on, &[]));
        self.b.switch_to(start);
        let (zero, most) = (self.b.iconst64(0), self.b.iconst64(ELEMENTS));
        let fewer = self.b.op(Opcode::Slt, &[size, most]);
        let limit = self.b.op(Opcode::Select, &[fewer, size, most]);
        self.b.jump(header, &[zero]);
        let index = self.b.func.add_param(header, Type::I64);
        self.b.switch_to(header);
        let more = self.b.op(Opcode::Slt, &[index, limit]);
        self.b.br_if(more, (body, &[]), (on, &[]));
        self.b.switch_to(body);
        for &(offset, ty, op) in accesses {
            let element = self.b.value(op, pack(stride, offset), 0, &[object, index]);
            if ty == Type::Ref { self.node(element) } else { self.number(element) }
        }
        let one = self.b.iconst64(1);
        let next = self.b.op(Opcode::Iadd, &[index, one]);
        self.b.jump(header, &[next]);
        self.b.switch_to(on);
    }
}
