//! Type rules: operands and results of every instruction against the opcode table and, where the table says `...`,
//! against what the immediate names (signature, row, entry). Needs a structurally correct function.

use super::meant;
use super::report::{Location, Sink, VerifyError, callee, type_list};
use crate::call_target::CallTarget;
use crate::entity::{Block, Caf, FuncId, Inst, Static, Table, Value};
use crate::func::{Func, Phase};
use crate::layout::Shape;
use crate::module::{Module, StaticData, TableRole};
use crate::opcode::{self, Element, Field, ImmKind, Opcode, OperandRule as Rule, ResultRule, Storage};
use crate::runtime::pack_extern;
use crate::types::{Signature, Type};
use cleave_abi::Effects;
use smallvec::{SmallVec, smallvec};
use std::sync::LazyLock;

/// The operand columns of the opcode table, taken apart once.
static RULES: LazyLock<Vec<SmallVec<[Rule; 4]>>> =
    LazyLock::new(|| opcode::table().map(|(_, row)| row.operands().map(|operand| operand.rule).collect()).collect());

pub(super) struct Checker<'a> {
    pub(super) module: &'a Module,
    pub(super) func: &'a Func,
    sink: Sink<'a>,
}

pub(super) fn check(module: &Module, func: &Func) -> Result<(), Vec<VerifyError>> {
    let mut checker = Checker { module, func, sink: Sink::new(module, func) };
    checker.convention();
    let rules = &*RULES;
    for &block in &func.layout {
        for &inst in &func.blocks[block].insts {
            let at = Location::Inst(block, inst);
            let fixed = checker.operands(at, inst, &rules[func.insts[inst].op as usize]);
            checker.further(at, inst, fixed);
            checker.results(at, inst);
            checker.immediate(at, inst);
        }
        checker.edges(block);
    }
    checker.sink.finish()
}

impl Checker<'_> {
    fn error(&mut self, at: Location, message: String) {
        self.sink.push(at, message);
    }

    /// Which parameters are borrowed, and which are holes.
    fn convention(&mut self) {
        let func = self.func;
        let has_type = |number: u32, ty: Type| func.signature.params.get(number as usize) == Some(&ty);
        for &number in func.borrows.iter().filter(|&&number| !has_type(number, Type::Ref)) {
            let why = self.unfit_parameter(number);
            self.error(Location::Func, format!("parameter {number} cannot be borrowed: {why}"));
        }
        for &number in func.holes.iter().filter(|&&number| !has_type(number, Type::I64)) {
            let why = self.unfit_parameter(number);
            self.error(Location::Func, format!("parameter {number} cannot be a hole: {why}"));
        }
    }

    /// Why a parameter cannot be what the head of the function says of it.
    fn unfit_parameter(&self, number: u32) -> String {
        let params = &self.func.signature.params;
        match params.get(number as usize) {
            Some(ty) => format!("it is `{}`", ty.name()),
            None => match params.len() {
                0 => "there are none".to_string(),
                1 => "there is one, parameter 0".to_string(),
                count => format!("there are {count}, counted from 0"),
            },
        }
    }

    /// Checks the operands that the table lists; returns their number if more may follow.
    fn operands(&mut self, at: Location, inst: Inst, rules: &[Rule]) -> Option<usize> {
        let func = self.func;
        let args = func.args(inst);
        let mut same = None;
        for (i, &rule) in rules.iter().enumerate() {
            if rule == Rule::Rest {
                return Some(i);
            }
            let Some(&arg) = args.get(i) else {
                let wanted = rules.iter().filter(|&&rule| rule != Rule::Rest).count();
                let (missing, syntax) = (wanted - i, func.insts[inst].op.info().syntax());
                let are = if missing == 1 { "operand is" } else { "operands are" };
                self.error(at, format!("{missing} {are} missing: `{syntax}`"));
                return None;
            };
            let ty = func.values[arg];
            let fine = match rule {
                Rule::Is(wanted) => ty == wanted,
                Rule::Int => matches!(ty, Type::I32 | Type::I64),
                Rule::Addr => ty != Type::F64,
                Rule::Same => same == Some(ty),
                Rule::Any => true,
                Rule::Rest => unreachable!("handled above"),
            };
            if matches!(rule, Rule::Int | Rule::Any) {
                same = Some(ty);
            }
            if !fine {
                let wanted = match rule {
                    Rule::Is(wanted) => wanted.name(),
                    Rule::Int => "i32 or i64",
                    Rule::Addr => "i32, i64 or ref",
                    _ => same.map_or("other", Type::name),
                };
                let types: SmallVec<[Type; 4]> = args.iter().map(|&arg| func.values[arg]).collect();
                let help = meant::operands(func.insts[inst].op, &types);
                let help = help.unwrap_or_else(|| meant::conversion(ty, wanted).into());
                self.error(at, format!("operand {i} ({arg}) is {ty}, not {wanted}{help}"));
                // What should be of its type would be wrong, too.
                return None;
            }
        }
        if func.phase == Phase::Low && func.insts[inst].op == Opcode::Collect {
            // Lowered, it takes the shadow-stack pointer like every call of the runtime.
            self.list(at, args, true, &[], &String::new);
        } else if args.len() > rules.len() {
            let (more, syntax) = (args.len() - rules.len(), func.insts[inst].op.info().syntax());
            let are = if more == 1 { "operand is" } else { "operands are" };
            self.error(at, format!("{more} {are} too many: `{syntax}`"));
        }
        None
    }

    /// Checks the operands after the fixed ones, whose types follow from the immediate.
    fn further(&mut self, at: Location, inst: Inst, fixed: Option<usize>) {
        let Some(fixed) = fixed else { return };
        let (module, func) = (self.module, self.func);
        let data = &func.insts[inst];
        let args = &func.args(inst)[fixed..];
        let low = func.phase == Phase::Low;
        match data.op.mere_call() {
            Opcode::Call | Opcode::TailCall => {
                let Some(f) = callee(module, func, FuncId::from_u32(data.imm as u32)) else { return };
                let takes = || format!(", which @{} takes", f.name);
                // Which of the two heads is wrong is said of the function.
                if !self.entry_takes(f, args) {
                    self.list(at, args, low && f.takes_stack_pointer, &f.signature.params, &takes);
                }
                self.call_results(at, inst, &f.signature);
            }
            Opcode::CallTable | Opcode::TailCallTable => {
                let signature = &module.tables[Table::from_u32(data.imm as u32)].signature;
                self.list(at, args, low, &signature.params, &String::new);
                self.call_results(at, inst, signature);
            }
            Opcode::Apply | Opcode::TailApply => {
                if let Some(other) = args.iter().find(|&&arg| func.values[arg] != Type::Ref) {
                    self.error(at, format!("{other} is {}: closures are applied to references", func.values[*other]));
                }
                if data.op == Opcode::TryApply {
                    self.result_list(at, inst, &[Type::Ref; 2]);
                }
            }
            Opcode::CallMethod | Opcode::TailCallMethod => {
                let data = &module.tables[Table::from_u32(data.imm as u32)];
                if data.role != TableRole::Method {
                    self.error(at, format!("%{} is no table of instances", data.label));
                }
                self.list(at, func.args(inst), false, &data.signature.params, &String::new);
                self.call_results(at, inst, &data.signature);
            }
            Opcode::CallRt => {
                let (id, effects) = data.external();
                let declared = &module.externs[id];
                if pack_extern(id, declared.effects) != data.imm {
                    self.error(at, format!("the effects differ from those of `{}`", declared.name));
                }
                let hidden = if low { declared.lowered_signature().hidden() } else { 0 };
                self.list(at, args, hidden > 0, &declared.params, &|| {
                    let given: SmallVec<[Type; 4]> = args.iter().map(|&arg| func.values[arg]).collect();
                    format!(", which `{}` takes{}", declared.name, meant::runtime(declared, &given))
                });
                self.result_list(at, inst, &declared.results);
                let args = &args[hidden.min(args.len())..];
                if effects.all(Effects::SYMBOL) && !self.is_symbol(args) {
                    self.error(at, "the operand is no address of a symbol".into());
                }
            }
            Opcode::Return => {
                self.list(at, args, false, &func.signature.results, &|| format!(", the results of @{}", func.name));
            }
            Opcode::BuildNode | Opcode::FillNode | Opcode::Reuse => {
                let (ptrs, nptrs) = module.payload(data.desc(), data.aux);
                self.payload(at, args, ptrs, nptrs);
            }
            Opcode::BuildThunk | Opcode::FillThunk => {
                let entry = &module.thunk_infos[data.thunk_info()];
                self.payload(at, args, entry.ptrs, entry.nptrs);
            }
            Opcode::UnpackRelease | Opcode::Reset | Opcode::ResetOrAlloc => {
                if let Some(word) = args.iter().find(|&&arg| func.values[arg] != Type::Ref) {
                    self.error(at, format!("{word} is {}: only references are kept", func.values[*word]));
                }
            }
            op => unreachable!("`{}` has no rule for its further operands", op.name()),
        }
    }

    /// The first block of a function has other parameters than its signature, and these operands are for the block.
    fn entry_takes(&self, function: &Func, args: &[Value]) -> bool {
        let Some(entry) = function.entry.filter(|&entry| function.blocks.is_valid(entry)) else { return false };
        let types = || function.params(entry).iter().filter_map(|&param| function.values.get(param).copied());
        let given = args.iter().map(|&arg| self.func.values[arg]);
        !types().eq(function.signature.params.iter().copied()) && types().eq(given)
    }

    /// `why` says whose types they are.
    fn list(&mut self, at: Location, args: &[Value], shadow_pointer: bool, types: &[Type], why: &dyn Fn() -> String) {
        let func = self.func;
        let lead: &[Type] = if shadow_pointer { &[Type::I32] } else { &[] };
        let given = args.iter().map(|&v| func.values[v]);
        if !given.clone().eq(lead.iter().chain(types).copied()) {
            let given: SmallVec<[Type; 8]> = given.collect();
            let hint = if shadow_pointer { " behind the shadow-stack pointer" } else { "" };
            let why = why();
            self.error(at, format!("operands are {}, not {}{hint}{why}", type_list(&given), type_list(types)));
        }
    }

    /// References, then raw words; a raw word may be an integer or a real.
    fn payload(&mut self, at: Location, args: &[Value], ptrs: u32, nptrs: u32) {
        let func = self.func;
        let fits = args.len() as u64 == u64::from(ptrs) + u64::from(nptrs)
            && args.iter().enumerate().all(|(i, &v)| {
                let ty = func.values[v];
                if i < ptrs as usize { ty == Type::Ref } else { matches!(ty, Type::I64 | Type::F64) }
            });
        if !fits {
            let given: SmallVec<[Type; 8]> = args.iter().map(|&v| func.values[v]).collect();
            let count = |number: u32, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
            let wanted = format!("{}, then {}", count(ptrs, "reference"), count(nptrs, "word"));
            // All are there, in another order.
            let is_ref = |arg: &&Value| func.values[**arg] == Type::Ref;
            let (first, rest): (SmallVec<[&Value; 8]>, SmallVec<[&Value; 8]>) = args.iter().partition(is_ref);
            let order: Vec<String> = first.iter().chain(&rest).map(ToString::to_string).collect();
            let is_mixed = first.len() as u64 == u64::from(ptrs) && rest.len() as u64 == u64::from(nptrs);
            let help = match is_mixed && ptrs > 0 && nptrs > 0 {
                true => format!(": references stand first, `{}`", order.join(", ")),
                false => String::new(),
            };
            let message = format!("payload is {}, not {wanted}{help}", type_list(&given));
            self.error(at, message);
        }
    }

    fn call_results(&mut self, at: Location, inst: Inst, signature: &Signature) {
        let func = self.func;
        let op = func.insts[inst].op;
        if op.delimited_call().is_some() {
            if signature.results[..] != [Type::Ref] {
                let results = type_list(&signature.results);
                self.error(at, format!("what is called returns {results}: a call with a handler of effects calls what returns one reference"));
            }
        } else if !op.is_terminator() {
            self.result_list(at, inst, &signature.results);
        } else if op.handled_call().is_some() {
            let types: SmallVec<[Type; 4]> = signature.results.iter().copied().chain([Type::Ref]).collect();
            self.result_list(at, inst, &types);
        } else if signature.results != func.signature.results {
            let (theirs, ours) = (type_list(&signature.results), type_list(&func.signature.results));
            self.error(at, format!("a tail call of a function with results {theirs} in one with {ours}"));
        }
    }

    /// May the operand be the address of a symbol? Not that of a text.
    fn is_symbol(&self, args: &[Value]) -> bool {
        let insts = &self.func.insts;
        let definition = |value| insts.keys().find(|&inst| self.func.results(inst).contains(value));
        let data = args.first().and_then(definition).map(|inst| &insts[inst]);
        data.filter(|data| data.op == Opcode::TextAddr).is_none_or(|data| {
            let object = self.module.statics.get(Static::from_u32(data.imm as u32));
            matches!(object, Some(StaticData::Symbol { .. }))
        })
    }

    fn result_list(&mut self, at: Location, inst: Inst, types: &[Type]) {
        let func = self.func;
        if !func.results(inst).iter().map(|&v| func.values[v]).eq(types.iter().copied()) {
            let given: SmallVec<[Type; 4]> = func.results(inst).iter().map(|&v| func.values[v]).collect();
            let name = func.insts[inst].op.name();
            let mut pairs = func.results(inst).iter().zip(given.iter().zip(types));
            let wrong = pairs.find(|(_, (given, wanted))| given != wanted);
            let message = match wrong.filter(|_| given.len() == types.len()) {
                Some((value, (given, wanted))) => format!("{value} is {given}, but `{name}` gives {wanted}"),
                None => {
                    let help = if given.len() < types.len() { ": a value for each stands before the `=`" } else { "" };
                    format!("results are {}, not {}{help}", type_list(&given), type_list(types))
                }
            };
            self.error(at, message);
        }
    }

    fn results(&mut self, at: Location, inst: Inst) {
        let func = self.func;
        let arg = |i: usize| func.args(inst).get(i).map(|&v| func.values[v]);
        let types: SmallVec<[Type; 1]> = match func.insts[inst].op.info().result {
            ResultRule::None => smallvec![],
            ResultRule::One(ty) => smallvec![ty],
            ResultRule::SameAsFirst => arg(0).into_iter().collect(),
            ResultRule::SameAsSecond => arg(1).into_iter().collect(),
            ResultRule::Element => smallvec![func.insts[inst].array_kind().ty()],
            ResultRule::Outcome => SmallVec::from_slice(&ResultRule::OUTCOME),
            ResultRule::Callee | ResultRule::Handled => return,
        };
        self.result_list(at, inst, &types);
    }

    /// Immediates in range; tail evaluation only where the result is a node.
    fn immediate(&mut self, at: Location, inst: Inst) {
        let (module, func) = (self.module, self.func);
        let data = &func.insts[inst];
        if let Some(message) = self.misplaced(data) {
            return self.error(at, message.into_owned());
        }
        let is_tail_of_node = matches!(
            data.call_target(),
            Some(CallTarget::Thunk | CallTarget::Entry | CallTarget::Closure) if data.op.is_terminator()
        );
        if is_tail_of_node && func.signature.results[..] != [Type::Ref] {
            let ours = type_list(&func.signature.results);
            return self.error(at, format!("`{}` in a function with results {ours}", data.op.name()));
        }
        let limit = match data.op.info().imm {
            ImmKind::Field => {
                let Shape { ptrs, nptrs, .. } = data.field_shape();
                if Field::of(data.op).is_none_or(Field::is_ref) { ptrs } else { nptrs }
            }
            ImmKind::Caf => {
                let caf = &module.cafs[Caf::from_u32(data.imm as u32)];
                match Storage::of(data.op) {
                    Some(Storage::CafState | Storage::SetCafState) => 1,
                    Some(Storage::CafRef | Storage::PeekCafRef | Storage::SetCafRef) => caf.ptrs,
                    Some(Storage::CafI64 | Storage::CafF64 | Storage::SetCafI64 | Storage::SetCafF64) => caf.nptrs,
                    // Its address, or that of a reference.
                    None => {
                        if data.op == Opcode::CafAddr {
                            1
                        } else {
                            caf.ptrs
                        }
                    }
                }
            }
            ImmKind::NodeInfo => module.descs[data.desc()].arity.saturating_add(1),
            ImmKind::Element => {
                let (stride, offset) = data.element();
                let access = Element::of(data.op).expect("an access of an element");
                if let Some(message) = super::elements::misplaced(access, stride, offset, module.heap.counts()) {
                    self.error(at, message);
                }
                return;
            }
            ImmKind::Elements => {
                let value = func.args(inst).last().map(|&value| func.values[value]);
                let kind = data.array_kind();
                let has_value = data.op == Opcode::ArrayNew || data.op == Opcode::ArraySet;
                if has_value && value != Some(kind.ty()) {
                    let given = value.map_or("missing", Type::name);
                    let message =
                        format!("the value is {given}, but elements of kind {} are {}", kind.word(), kind.ty());
                    self.error(at, message);
                }
                return;
            }
            ImmKind::None | ImmKind::Int | ImmKind::Float | ImmKind::Func | ImmKind::Extern | ImmKind::Table => return,
            ImmKind::Frame | ImmKind::ThunkInfo | ImmKind::Static | ImmKind::Desc | ImmKind::Shape => return,
            ImmKind::Offset | ImmKind::Bytes | ImmKind::Slot => return,
        };
        if data.aux >= limit {
            let message = match data.op.info().imm {
                ImmKind::NodeInfo => {
                    let desc = &module.descs[data.desc()];
                    let (name, arity) = (&desc.label, desc.arity);
                    format!("`${name}` has {arity} argument{}, not {}", if arity == 1 { "" } else { "s" }, data.aux)
                }
                ImmKind::Field => {
                    let Shape { ptrs, nptrs, .. } = data.field_shape();
                    let is_ref = Field::of(data.op).is_none_or(Field::is_ref);
                    let shape = format!("index {} is out of range: the shape `({ptrs}, {nptrs})` has", data.aux);
                    match (limit, is_ref) {
                        (0, true) => format!("{shape} no references"),
                        (0, false) => format!("{shape} no words"),
                        (1, true) => format!("{shape} 1 reference, counted from 0"),
                        (_, true) => format!("{shape} {limit} references, counted from 0"),
                        (1, false) => format!("{shape} 1 word, counted from 0 and apart from references"),
                        (_, false) => format!("{shape} {limit} words, counted from 0 and apart from references"),
                    }
                }
                _ => format!("index {} is out of range: there are {limit}", data.aux),
            };
            self.error(at, message);
        }
    }

    /// Arguments of the edges against the parameters of their targets.
    fn edges(&mut self, block: Block) {
        let func = self.func;
        let data = &func.blocks[block];
        for edge in &data.edges {
            for (&arg, &param) in func.edge_args(edge).iter().zip(func.params(edge.block)) {
                let (given, wanted) = (func.values[arg], func.values[param]);
                if given != wanted {
                    let terminator = *data.insts.last().expect("terminator");
                    let at = Location::Inst(block, terminator);
                    self.error(at, format!("{arg} is {given}, but {param} of {} is {wanted}", edge.block));
                }
            }
        }
    }
}
