//! An interpreter session: a machine with the runtime started, for calling functions, making arguments and looking at
//! results.

use crate::host_env::HostEnv;
use crate::machine::{Machine, Program};
use crate::memory::LinearMemory;
use crate::value::{Trap, Val};
use crate::{Options, Outcome};
use cleave_ir::abi::rc_stats::RcStats;
use cleave_ir::layout::{MIN_OBJECT, SLOT, string_bytes};
use cleave_ir::{Desc, FuncId, Opcode, WellKnownDesc};
use cleave_rt::state::State;
use std::cell::Cell;

/// Bytes for captured functions.
const STACKLESS_STACKS: u64 = 64 << 20;

/// One run of one program.
pub struct Session<'p> {
    pub(crate) machine: Machine<'p>,
}

impl<'p> Session<'p> {
    /// Starts the runtime. Fails if the data section does not fit the memory, or the heap is too small to start.
    pub fn new(program: &'p Program<'p>, options: Options) -> Result<Session<'p>, Trap> {
        let data_section = &program.data_section;
        // The heap starts after the data section; whole pages, as on Wasm.
        let page = 1 << 16;
        let size = data_section.heap_base.next_multiple_of(page);
        let stacks = if options.force_stackless { STACKLESS_STACKS } else { 0 };
        let reservation = (size as u64 + options.heap_limit as u64 + page as u64 + stacks).min(u32::MAX as u64) as u32;
        let mut args = vec![program.module.name.clone().into_bytes()];
        args.extend(options.args);
        let mut host_env = HostEnv::new(options.stdin, args, options.pass_through);
        host_env.environment = options.environment;
        host_env.max_output = options.max_output;
        let mut machine = Machine {
            program,
            memory: LinearMemory::new(data_section.base, size, reservation),
            regs: Vec::new(),
            base: 0,
            frames: Vec::new(),
            spilled: 0,
            heap_pointer: 0,
            heap_limit: 0,
            granted: 0,
            epoch: 0,
            pc: 0,
            start_sp: 0,
            stack_limit: 0,
            steps: 0,
            visits: 0,
            max_steps: options.max_steps,
            max_registers: options.max_registers,
            executed: if options.count_opcodes { vec![0; Opcode::ALL.len()] } else { Vec::new() },
            results: Vec::new(),
            // Where functions can be captured, a call that takes a shadow-stack pointer need not collect.
            stress: if options.force_stackless { 0 } else { options.stress.unwrap_or(0) as u64 },
            safepoints: 0,
            state: Box::new(State::new()),
            host_env,
            counters: RcStats::default(),
            fault: Cell::new(None),
            nesting: 0,
            resume: 0,
            is_observed: options.count_opcodes,
            watch: None,
        };
        machine
            .memory
            .slice_mut(data_section.base, data_section.bytes.len() as u32)?
            .copy_from_slice(&data_section.bytes);
        machine.start_runtime(options.heap_limit, options.stress, options.force_stackless)?;
        // Whoever looks at a freed cell sees nothing useful.
        machine.state.gc.options.poison |= program.module.heap.counts();
        Ok(Session { machine })
    }

    /// Runs the function with this name.
    pub fn call(&mut self, name: &str, args: &[Val]) -> Result<Vec<Val>, Trap> {
        let mut funcs = self.machine.program.module.funcs.iter();
        match funcs.find(|(_, func)| func.name == name) {
            Some((id, _)) => self.call_func(id, args),
            None => Err(Trap::wrong(format!("no function @{name}"))),
        }
    }

    /// Runs a function. Arguments of other types than its parameters are [`Trap::Wrong`].
    pub fn call_func(&mut self, func: FuncId, args: &[Val]) -> Result<Vec<Val>, Trap> {
        let data = &self.machine.program.module.funcs[func];
        let types: Vec<_> = args.iter().map(|a| a.ty()).collect();
        if types[..] != data.signature.params[..] {
            return Err(Trap::wrong(format!("@{} has the signature {}", data.name, data.signature)));
        }
        let bits: Vec<u64> = args
            .iter()
            .map(|arg| match arg {
                Val::Ref(address) => self.machine.tagged(*address),
                other => other.bits(),
            })
            .collect();
        self.machine.reset_frames();
        self.machine.invoke(func, &bits, self.machine.start_sp)?;
        let results = data.signature.results.iter().zip(&self.machine.results);
        Ok(results.map(|(&ty, &bits)| Val::from_bits(ty, bits)).collect())
    }

    /// Runs the program from its start to its end.
    pub fn run_program(mut self) -> Outcome {
        let machine = &mut self.machine;
        let ended = machine.run_all();
        let (status, trap) = machine.ended(ended);
        let active = if status == 0 { Vec::new() } else { machine.active() };
        Outcome {
            active,
            stdout: std::mem::take(&mut machine.host_env.stdout),
            stderr: std::mem::take(&mut machine.host_env.stderr),
            status,
            trap,
            lost: machine.host_env.flush_lost(),
            collections: machine.state.gc.statistics.collections,
            steps: machine.steps,
            executed: std::mem::take(&mut machine.executed),
            counters: machine.counters,
        }
    }

    /// What happened on the reference-counted heap.
    pub fn counters(&self) -> RcStats {
        self.machine.counters
    }
    /// How often the collector ran.
    pub fn collections(&self) -> u64 {
        self.machine.state.gc.statistics.collections
    }
    /// Instructions of the IR that were executed.
    pub fn steps(&self) -> u64 {
        self.machine.steps
    }
    /// What libcalls have printed so far.
    pub fn take_stdout(&mut self) -> Vec<u8> {
        self.machine.flush_output();
        std::mem::take(&mut self.machine.host_env.stdout)
    }

    // -- arguments --------------------------------------------------------------------------------------------------

    /// The static node of a descriptor without arguments.
    pub fn node(&self, desc: Desc) -> Val {
        Val::Ref(self.machine.program.data_section.node(desc))
    }
    /// The empty list.
    pub fn nil(&self) -> Val {
        self.node(WellKnownDesc::Empty.desc())
    }
    /// A new boxed integer.
    pub fn int(&mut self, value: i64) -> Result<Val, Trap> {
        let header = self.machine.program.int_header;
        let cell = self.reserve(MIN_OBJECT)?;
        self.machine.memory.store32(cell, header)?;
        self.machine.memory.store64(cell + SLOT, value as u64)?;
        Ok(Val::Ref(cell))
    }
    /// A new string object.
    pub fn string(&mut self, text: &[u8]) -> Result<Val, Trap> {
        let header = self.machine.program.data_section.node_info(WellKnownDesc::String.desc(), 0);
        let object = self.reserve(string_bytes(text.len() as u32))?;
        self.machine.memory.store32(object, header)?;
        self.machine.memory.store32(object + 4, text.len() as u32)?;
        self.machine.memory.slice_mut(object + 8, text.len() as u32)?.copy_from_slice(text);
        Ok(Val::Ref(object))
    }

    /// Heap outside of any function: never collects, because nothing would keep the caller's references.
    fn reserve(&mut self, bytes: u32) -> Result<u32, Trap> {
        let machine = &mut self.machine;
        if machine.heap_pointer as u64 + bytes as u64 > machine.state.gc.heap.eden_end as u64 {
            return Err(Trap::wrong("no heap left for an argument"));
        }
        let at = machine.heap_pointer;
        machine.heap_pointer += bytes;
        Ok(at)
    }
}

impl Machine<'_> {
    /// Runs the start function and what follows it.
    pub(crate) fn run_all(&mut self) -> Result<(), Trap> {
        match self.program.module.start {
            Some(start) => self.run_start(start),
            None => Err(Trap::wrong("the program has no start function")),
        }
    }

    /// The status of a program that has ended like this, and why it did, unless by itself. All output is written.
    pub(crate) fn ended(&mut self, ended: Result<(), Trap>) -> (i32, Option<Trap>) {
        match ended {
            Ok(()) => (0, None),
            Err(Trap::Exit(status)) => (status, None),
            Err(trap) => {
                self.flush_output();
                if trap == Trap::StackOverflow {
                    let _ = self.host_env.write(2, b"Stack overflow.\n");
                }
                (trap.status(), Some(trap))
            }
        }
    }

    /// Forgets what a trap has left after.
    fn reset_frames(&mut self) {
        self.frames.clear();
        self.spilled = 0;
        self.base = 0;
        self.fault.set(None);
        self.nesting = 0;
        self.resume = 0;
    }
}
