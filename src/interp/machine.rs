//! The machine: memory, registers, frames, and how references survive collections.
//!
//! # Registers
//! All frames live in one vector of 64-bit registers; a frame is the window `base .. base + regs` of it.
//! ```text
//! i32    sign extended (so that comparing, also unsigned, works on all 64 bits)
//! f64    its bits
//! ref    address in the low half; in the high half the epoch in which the reference was obtained
//! ```
//! The *epoch* is the number of collections so far. A reference of an older epoch that is not static is stale: using
//! it is reported. In high IR this never happens, because every live reference is updated.
//!
//! # Roots
//! The collector scans the shadow stack only. A frame of rooted or low code keeps its references there itself. The
//! references of a *high* frame are spilled there for it, but only when a collection may come, and read back only when
//! the frame runs again:
//! ```text
//! frames     0 … spilled-1  | spilled … n-1
//!            on the shadow  |  in registers
//!            stack          |
//! ```
//! Each frame is spilled at most once between two of its own steps, so deep stacks cost nothing at each collection
//! beyond what the collector does itself.

use crate::code::{FuncCode, Reg};
use crate::dispatch::Steps;
use crate::host_env::HostEnv;
use crate::memory::LinearMemory;
use crate::value::Trap;
use crate::watch::Watch;
use cleave_ir::abi::rc_stats::RcStats;
use cleave_ir::data_section::{DataSectionOptions, StaticDataSection};
use cleave_ir::layout::{
    PROGRAM_FLAGS, PROGRAM_FLAGS_OF_CYCLES, PROGRAM_HEAP_LIMIT, PROGRAM_HEAP_POINTER, RUNTIME_STACK_TOP, is_immediate,
};
use cleave_ir::{EntityRef, ExternData, FuncId, Module, Phase, StaticData, ThunkKind, WellKnownDesc};
use cleave_rt::state::State;
use std::cell::{Cell, OnceCell};

/// The externs that a module calls and the runtime does not have.
pub fn missing_externs(module: &Module) -> impl Iterator<Item = &ExternData> {
    let called = module.called_externs().into_iter().map(|id| &module.externs[id]);
    called.filter(|data| data.from.is_some() || !cleave_rt::libcalls::NAMES.contains(&&*data.name))
}

/// Bytes of the address before the text of a symbol.
const SYMBOL_ADDRESS: u32 = 8;

/// A module with its image; functions are decoded when they are first called.
#[derive(Debug)]
pub struct Program<'m> {
    /// The module that runs; the verifier has accepted it.
    pub module: &'m Module,
    /// The static memory, with the addresses of everything in it.
    pub data_section: StaticDataSection,
    /// Header of boxed integers.
    pub int_header: u32,
    /// Header of indirections.
    pub indirection: Option<u32>,
    pub(crate) steps: Steps,
    /// Numbers of the functions of the runtime, by extern.
    pub(crate) runtime: Vec<usize>,
    /// Operands of each extern that are strings or arrays, with their kinds.
    pub(crate) operands: Vec<&'static [(usize, u32)]>,
    /// What else each extern takes for granted of its operands.
    pub(crate) demands: Vec<Demands>,
    /// Functions whose callers rely on an evaluated result.
    pub(crate) evaluates: Vec<bool>,
    /// The addresses of texts, sorted.
    pub(crate) texts: Vec<u32>,
    code: Vec<OnceCell<FuncCode>>,
}

impl<'m> Program<'m> {
    /// With an image of its own: for high and rooted IR, which contains no addresses.
    pub fn new(module: &'m Module, options: DataSectionOptions) -> Program<'m> {
        Program::with_data_section(module, StaticDataSection::build(module, RUNTIME_STACK_TOP, options))
    }
    /// With the data section that the module was lowered for: low IR contains addresses.
    pub fn with_data_section(module: &'m Module, mut data_section: StaticDataSection) -> Program<'m> {
        if module.phase() != Phase::Low {
            // Instructions count for themselves here, and do not look for cycles.
            let flags = (data_section.program + PROGRAM_FLAGS - data_section.base) as usize;
            for (byte, mask) in data_section.bytes[flags..].iter_mut().zip(PROGRAM_FLAGS_OF_CYCLES.to_le_bytes()) {
                *byte &= !mask;
            }
        }
        let int_header = data_section.node_info(WellKnownDesc::Int.desc(), 0);
        let indirection = module.thunk_infos.iter().find(|(_, data)| data.kind == ThunkKind::Indirection);
        let indirection = indirection.map(|(entry, _)| data_section.thunk_info(entry));
        let steps = Steps::of(module);
        let code = (0..module.funcs.len() + steps.funcs.len()).map(|_| OnceCell::new()).collect();
        let number = |name: &str| cleave_rt::libcalls::NAMES.iter().position(|known| *known == name);
        let runtime_number = |data: &ExternData| data.from.is_none().then(|| number(&data.name)).flatten();
        let runtime = module.externs.values().map(|data| runtime_number(data).unwrap_or(usize::MAX)).collect();
        let kinds = |data: &ExternData| match data.from {
            None => cleave_ir::libcalls::operand_kinds(&data.name),
            Some(_) => &[],
        };
        let operands = module.externs.values().map(kinds).collect();
        let demands = module.externs.values().map(|data| Demands::of(module, data)).collect();
        let evaluates = cleave_ir::demands::evaluating(module);
        // Names of descriptors are texts, too, and the texts of symbols come after an address.
        let texts = module.statics.iter().filter_map(|(id, data)| match data {
            StaticData::Text(_) => Some(data_section.static_object(id)),
            StaticData::Symbol { .. } => Some(data_section.static_object(id) + SYMBOL_ADDRESS),
            StaticData::String(_) | StaticData::Node(_) => None,
        });
        let names = module.descs.keys().map(|desc| data_section.name(desc));
        let mut texts: Vec<u32> = texts.chain(names).collect();
        texts.sort_unstable();
        Program {
            module,
            data_section,
            int_header,
            indirection,
            steps,
            runtime,
            operands,
            demands,
            evaluates,
            texts,
            code,
        }
    }
    #[inline]
    pub(crate) fn code(&self, func: FuncId) -> &FuncCode {
        self.code[func.index()].get_or_init(|| crate::decode::decode(self.module, &self.data_section, self.func(func)))
    }
}

/// What a function of the runtime takes for granted of its operands, beside their kinds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Demands {
    pub(crate) text: Option<usize>,
    pub(crate) closure: Option<usize>,
    pub(crate) overwrites_string: bool,
    /// Where the module has immediates: operands that must be objects, as bits.
    pub(crate) objects: u32,
}

impl Demands {
    fn of(module: &Module, data: &ExternData) -> Demands {
        use cleave_ir::demands;
        if data.from.is_some() {
            return Demands::default();
        }
        Demands {
            text: demands::text_operand(&data.name),
            closure: demands::closure_operand(&data.name),
            overwrites_string: demands::overwrites_string(&data.name),
            objects: if module.immediates { demands::object_operands(&data.name) } else { 0 },
        }
    }
}

/// An activation of a function.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub func: FuncId,
    /// The call that the frame is waiting for; for the running frame out of date.
    pub pc: u32,
    pub base: usize,
    /// Shadow-stack pointer at entry.
    pub sp: u32,
}

/// Everything that changes while a program runs.
pub struct Machine<'p> {
    pub program: &'p Program<'p>,
    pub memory: LinearMemory,
    pub(crate) regs: Vec<u64>,
    pub(crate) base: usize,
    pub(crate) frames: Vec<Frame>,
    /// Frames below have their references on the shadow stack.
    pub(crate) spilled: usize,
    /// Next free byte of the heap, and the end of what may be allocated without asking.
    pub(crate) heap_pointer: u32,
    pub(crate) heap_limit: u32,
    /// End of what the last `collect` has granted; matters when stress keeps the limit at 0.
    pub(crate) granted: u32,
    pub(crate) epoch: u32,
    /// The op that is being executed.
    pub(crate) pc: u32,
    pub(crate) steps: u64,
    /// Objects to which walks of the runtime have come.
    pub(crate) visits: u64,
    pub(crate) max_steps: u64,
    pub(crate) max_registers: usize,
    /// How often each opcode was executed; empty unless that is wanted.
    pub(crate) executed: Vec<u64>,
    /// Results of the last `ret` to the outside; scratch space for tail calls.
    pub(crate) results: Vec<u64>,
    /// Every how many safepoints of rooted and low code a collection is forced; 0: never.
    pub(crate) stress: u64,
    pub(crate) safepoints: u64,
    /// Shadow-stack pointer of the outermost function.
    pub(crate) start_sp: u32,
    /// Functions with a shadow-stack pointer below it are captured; 0 while they leave their records and return.
    pub(crate) stack_limit: u32,
    pub(crate) state: Box<State>,
    pub(crate) host_env: HostEnv,
    /// What happened on the reference-counted heap.
    pub(crate) counters: RcStats,
    /// First bad access of a libcall, which cannot report it itself.
    pub(crate) fault: Cell<Option<u32>>,
    /// Libcalls that wait for the evaluation of a node: loops of the interpreter below the innermost one.
    pub(crate) nesting: u32,
    /// Where the innermost loop goes on after a pause.
    pub(crate) resume: usize,
    /// Each instruction is looked at: opcodes are counted, or somebody watches.
    pub(crate) is_observed: bool,
    pub(crate) watch: Option<Box<Watch>>,
}

impl<'p> Machine<'p> {
    // -- registers ----------------------------------------------------------------------------------------------------

    #[inline(always)]
    pub(crate) fn get(&self, reg: Reg) -> u64 {
        self.regs[self.base + reg as usize]
    }
    #[inline(always)]
    pub(crate) fn set(&mut self, reg: Reg, bits: u64) {
        self.regs[self.base + reg as usize] = bits;
    }
    /// The address of a reference, which must not be stale.
    #[inline(always)]
    pub(crate) fn reference(&self, reg: Reg) -> Result<u32, Trap> {
        let bits = self.get(reg);
        let is_fresh = (bits >> 32) as u32 == self.epoch || (bits as u32) < self.program.data_section.heap_base;
        if is_fresh || is_immediate(bits as u32) { Ok(bits as u32) } else { Err(self.stale(reg)) }
    }
    #[inline(always)]
    pub(crate) fn tagged(&self, address: u32) -> u64 {
        address as u64 | (self.epoch as u64) << 32
    }
    #[inline(always)]
    pub(crate) fn set_ref(&mut self, reg: Reg, address: u32) {
        self.set(reg, self.tagged(address));
    }

    #[cold]
    fn stale(&self, reg: Reg) -> Trap {
        let (age, name) = (self.epoch.wrapping_sub((self.get(reg) >> 32) as u32), self.value_name(reg));
        Trap::wrong(format!("stale reference {name} used ({age} collections old)"))
    }
    /// The operand of the current instruction that is in this register.
    fn value_name(&self, reg: Reg) -> String {
        let Some(frame) = self.frames.last() else { return format!("in register {reg}") };
        let func = self.program.func(frame.func);
        let (_, inst) = self.program.code(frame.func).origin[self.pc as usize];
        // The decoder keeps no names: assign the registers once more.
        let cfg = cleave_ir::cfg::Cfg::compute(func);
        let regs = crate::registers::assign(func, &cfg, |_| None);
        match func.args(inst).iter().find(|&&v| regs.of[v] == reg && func.values[v] == cleave_ir::Type::Ref) {
            Some(value) => value.to_string(),
            None => format!("in register {reg}"),
        }
    }

    /// Adds the place of execution to a mistake that has none yet.
    #[cold]
    pub(crate) fn locate(&self, trap: Trap) -> Trap {
        const CALLERS: usize = 6;
        let name = |frame: &Frame| self.program.func(frame.func).name.clone();
        match (trap, self.frames.last()) {
            (Trap::Wrong(mut mistake), Some(frame)) if mistake.place.is_none() => {
                let (block, inst) = self.program.code(frame.func).origin[self.pc as usize];
                mistake.place = Some((name(frame), block, inst));
                mistake.callers = self.frames.iter().rev().skip(1).take(CALLERS).map(name).collect();
                Trap::Wrong(mistake)
            }
            (trap, _) => trap,
        }
    }

    /// Function of the entry that a thunk header names.
    #[inline]
    pub(crate) fn entry_code(&self, header: u32) -> Result<FuncId, Trap> {
        match self.program.entry_at(header) {
            Some(data) => Ok(data.code),
            None => Err(Trap::wrong("what is evaluated is no thunk")),
        }
    }

    // -- frames -------------------------------------------------------------------------------------------------------

    pub(crate) fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("no function is running")
    }

    /// Starts an activation; the parameters have to be stored by the caller.
    #[inline]
    pub(crate) fn push_frame(&mut self, func: FuncId, code: &FuncCode, base: usize, sp: u32) -> Result<(), Trap> {
        if base + code.regs > self.regs.len() {
            self.grow_registers(base + code.regs)?;
        }
        self.frames.push(Frame { func, pc: 0, base, sp });
        self.base = base;
        self.count(code.cost)
    }

    #[cold]
    pub(crate) fn grow_registers(&mut self, needed: usize) -> Result<(), Trap> {
        if needed > self.max_registers {
            return Err(Trap::StackOverflow);
        }
        self.regs.resize((2 * needed).max(4096).min(self.max_registers), 0);
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn count(&mut self, instructions: u32) -> Result<(), Trap> {
        self.steps += instructions as u64;
        if self.steps > self.max_steps { Err(Trap::StepLimit) } else { Ok(()) }
    }

    // -- roots --------------------------------------------------------------------------------------------------------

    /// Puts the references of all high frames on the shadow stack; returns the stack pointer below them (meaningful
    /// if the running frame is high). The running frame must have saved its pc.
    pub(crate) fn spill_frames(&mut self) -> Result<u32, Trap> {
        let program = self.program;
        // Frames that run above unspilled ones all got the same stack pointer; now they move down one by one.
        let mut sp = u32::MAX;
        for frame in &mut self.frames[self.spilled..] {
            let code = program.code(frame.func);
            if code.phase != Phase::High {
                sp = u32::MAX;
                continue;
            }
            frame.sp = frame.sp.min(sp);
            sp = frame.sp;
            for &reg in code.roots_at(frame.pc) {
                sp = sp.checked_sub(4).ok_or(Trap::StackOverflow)?;
                let address = self.regs[frame.base + reg as usize] as u32;
                self.memory.store_any(sp, address.to_le_bytes())?;
            }
        }
        self.spilled = self.frames.len();
        Ok(sp)
    }

    /// Reads the references of the running frame back.
    pub(crate) fn unspill_top(&mut self) -> Result<(), Trap> {
        let frame = *self.top();
        self.spilled = self.frames.len() - 1;
        let code = self.program.code(frame.func);
        if code.phase == Phase::High {
            let mut sp = frame.sp;
            for &reg in code.roots_at(frame.pc) {
                sp -= 4;
                let address = u32::from_le_bytes(self.memory.load_any(sp)?);
                self.regs[frame.base + reg as usize] = self.tagged(address);
            }
        }
        Ok(())
    }

    // -- heap ---------------------------------------------------------------------------------------------------------

    /// Takes `bytes` of heap. High code collects when there are too few; later phases have made sure before.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, code: &FuncCode, bytes: u32) -> Result<u32, Trap> {
        if self.is_heap_full(bytes) {
            self.allocate_slowly(code, bytes)?;
        }
        let at = self.heap_pointer;
        self.heap_pointer = at + bytes;
        Ok(at)
    }
    #[inline(always)]
    pub(crate) fn is_heap_full(&self, bytes: u32) -> bool {
        self.heap_pointer as u64 + bytes as u64 > self.heap_limit as u64
    }

    #[cold]
    fn allocate_slowly(&mut self, code: &FuncCode, bytes: u32) -> Result<(), Trap> {
        if self.heap_pointer as u64 + bytes as u64 <= self.granted as u64 {
            return Ok(());
        }
        match code.phase {
            Phase::High => self.collect_high(bytes),
            _ => Err(Trap::wrong(format!("allocation of {bytes} bytes that were not checked for"))),
        }
    }

    /// A collection asked for by high code.
    pub(crate) fn collect_high(&mut self, bytes: u32) -> Result<(), Trap> {
        self.top().pc = self.pc;
        let sp = self.spill_frames()?;
        self.collect(sp, bytes)?;
        self.unspill_top()
    }

    /// Heap pointer and limit to the program record, for the runtime.
    pub(crate) fn heap_to_record(&mut self) -> Result<(), Trap> {
        let record = self.program.data_section.program;
        self.memory.store32(record + PROGRAM_HEAP_POINTER, self.heap_pointer)?;
        self.memory.store32(record + PROGRAM_HEAP_LIMIT, self.heap_limit)
    }
    /// The way back; the runtime may have collected.
    pub(crate) fn heap_from_record(&mut self) -> Result<(), Trap> {
        let record = self.program.data_section.program;
        self.heap_pointer = self.memory.load32(record + PROGRAM_HEAP_POINTER)?;
        self.heap_limit = self.memory.load32(record + PROGRAM_HEAP_LIMIT)?;
        let epoch = self.state.gc.statistics.collections as u32;
        if epoch != self.epoch {
            self.epoch = epoch;
            self.granted = 0;
        }
        Ok(())
    }
}
