//! The bridge to the runtime: the machine as a context of `cleave_rt`, and the libcalls that compiled code calls.
//!
//! The runtime has no way to report a bad address: on Wasm the access would trap. So the first bad address is kept in
//! `fault`, and reported when the libcall returns or evaluates something.

use crate::machine::Machine;
use crate::paths;
use crate::value::Trap;
use cleave_ir::layout::SHADOW_STACK_TOP;
use cleave_ir::{Effects, EntityRef, Extern, FuncId, Libcall, Phase, Type, libcalls};
use cleave_rt::platform::{
    DirectoryEntry, FileIdentity, FileStatus, Host, Io, Memory, OpenFlags, OpenMode, Posix, Whence,
};
use cleave_rt::state::{Context, State};

/// What these give was in an array before.
const HELD: [&cleave_ir::LibcallSignature; 4] =
    [&libcalls::RC_ELEMENT, &libcalls::RC_EXCHANGE, &libcalls::RC_INNER_ELEMENT, &libcalls::RC_INNER_EXCHANGE];

impl Machine<'_> {
    fn read_number<const N: usize>(&self, address: u32) -> [u8; N] {
        self.memory.load_any(address).unwrap_or_else(|_| {
            self.note_fault(address);
            [0; N]
        })
    }
    fn write_number<const N: usize>(&mut self, address: u32, bytes: [u8; N]) {
        if self.memory.store_any(address, bytes).is_err() {
            self.note_fault(address);
        }
    }
    fn note_fault(&self, address: u32) {
        if self.fault.get().is_none() {
            self.fault.set(Some(address));
        }
    }
    fn check_fault(&self) -> Result<(), Trap> {
        match self.fault.get() {
            None => Ok(()),
            // Below zero: the shadow stack has no room.
            Some(address) if address > u32::MAX - SHADOW_STACK_TOP => Err(Trap::StackOverflow),
            Some(address) => Err(Trap::wrong(format!("the runtime accessed address {address:#x}"))),
        }
    }
}

impl Memory for Machine<'_> {
    fn load_u8(&self, address: u32) -> u32 {
        u8::from_le_bytes(self.read_number(address)) as u32
    }
    fn load_u16(&self, address: u32) -> u32 {
        u16::from_le_bytes(self.read_number(address)) as u32
    }
    fn load_u32(&self, address: u32) -> u32 {
        u32::from_le_bytes(self.read_number(address))
    }
    fn load_u64(&self, address: u32) -> u64 {
        u64::from_le_bytes(self.read_number(address))
    }
    fn store_u8(&mut self, address: u32, value: u32) {
        self.write_number(address, [value as u8]);
    }
    fn store_u32(&mut self, address: u32, value: u32) {
        self.write_number(address, value.to_le_bytes());
    }
    fn store_u64(&mut self, address: u32, value: u64) {
        self.write_number(address, value.to_le_bytes());
    }
    fn copy_within(&mut self, from: u32, to: u32, bytes: u32) {
        if self.memory.copy(from, to, bytes).is_err() {
            self.note_fault(to);
        }
    }
    fn fill(&mut self, address: u32, value: u8, bytes: u32) {
        match self.memory.slice_mut(address, bytes) {
            Ok(slice) => slice.fill(value),
            Err(_) => self.note_fault(address),
        }
    }
    fn read_bytes(&self, address: u32, bytes: &mut [u8]) {
        match self.memory.slice(address, bytes.len() as u32) {
            Ok(slice) => bytes.copy_from_slice(slice),
            Err(_) => self.note_fault(address),
        }
    }
    fn write_bytes(&mut self, address: u32, bytes: &[u8]) {
        match self.memory.slice_mut(address, bytes.len() as u32) {
            Ok(slice) => slice.copy_from_slice(bytes),
            Err(_) => self.note_fault(address),
        }
    }
    fn size(&self) -> u64 {
        self.memory.size() as u64
    }
    fn grow_to(&mut self, bytes: u64) -> bool {
        u32::try_from(bytes).is_ok_and(|bytes| self.memory.grow_to(bytes))
    }
}

impl Host for Machine<'_> {
    type Exit = Trap;

    fn exit(&mut self, status: u32) -> Trap {
        Trap::Exit(status as i32)
    }

    fn visit(&mut self) -> Result<(), Trap> {
        self.check_fault()?;
        self.visits += 1;
        if self.visits > self.max_steps { Err(Trap::StepLimit) } else { Ok(()) }
    }

    /// Evaluation asked for by a libcall: a nested loop of the interpreter.
    fn eval(&mut self, sp: u32, node: u32) -> Result<u32, Trap> {
        self.check_fault()?;
        let header = self.memory.load32(node)?;
        if header & cleave_ir::layout::TAG_HNF != 0 {
            return Ok(node);
        }
        let func = self.entry_code(header)?;
        self.heap_from_record()?;
        self.nesting += 1;
        self.invoke(func, &[self.tagged(node)], sp)?;
        self.nesting -= 1;
        self.heap_to_record()?;
        let value = self.results[0] as u32;
        self.check_evaluated(value)?;
        Ok(value)
    }

    fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        self.host_env.write(file, bytes)
    }
    fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize> {
        self.host_env.read(file, bytes)
    }
    fn clock_ns(&mut self) -> u64 {
        self.host_env.clock_ns()
    }
    fn arguments_size(&mut self) -> (u32, u32) {
        let args = &self.host_env.args;
        (args.len() as u32, args.iter().map(|a| a.len() as u32 + 1).sum())
    }
    fn load_arguments(&mut self, table: u32, bytes: u32) -> bool {
        self.load_texts(&self.host_env.args.clone(), table, bytes);
        true
    }
    fn open(&mut self, path: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
        self.host_env.open(path, mode)
    }
    fn close(&mut self, file: u32) -> Io<()> {
        self.host_env.close(file)
    }
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        self.host_env.seek(file, offset, whence)
    }
    fn environment_size(&mut self) -> (u32, u32) {
        let variables = &self.host_env.environment;
        (variables.len() as u32, variables.iter().map(|text| text.len() as u32 + 1).sum())
    }
    fn load_environment(&mut self, table: u32, bytes: u32) -> bool {
        self.load_texts(&self.host_env.environment.clone(), table, bytes);
        true
    }
    fn wall_clock_ns(&mut self) -> u64 {
        self.host_env.wall_clock_ns()
    }
    fn file_status(&mut self, path: &[u8], follow_links: bool) -> Posix<FileStatus> {
        self.host_env.file_status(path, follow_links)
    }
    fn create_directory(&mut self, path: &[u8]) -> Posix<()> {
        paths::create_directory(path)
    }
    fn remove_directory(&mut self, path: &[u8]) -> Posix<()> {
        paths::remove_directory(path)
    }
    fn remove_file(&mut self, path: &[u8]) -> Posix<()> {
        paths::remove_file(path)
    }
    fn rename(&mut self, from: &[u8], to: &[u8]) -> Posix<()> {
        paths::rename(from, to)
    }
    fn open_descriptor(&mut self, path: &[u8], flags: OpenFlags) -> Posix<u32> {
        self.host_env.open_descriptor(path, flags)
    }
    fn open_directory(&mut self, path: &[u8]) -> Posix<u32> {
        self.host_env.open_directory(path)
    }
    fn directory_entry(&mut self, directory: u32, cookie: u64, name: &mut [u8]) -> Posix<Option<DirectoryEntry>> {
        self.host_env.directory_entry(directory, cookie, name)
    }
}

impl Machine<'_> {
    /// Writes texts with a NUL after each, and a table of their addresses.
    fn load_texts(&mut self, texts: &[Vec<u8>], table: u32, bytes: u32) {
        let mut at = bytes;
        for (index, text) in texts.iter().enumerate() {
            self.store_u32(table + 4 * index as u32, at);
            self.write_bytes(at, text);
            at += text.len() as u32;
            self.store_u8(at, 0);
            at += 1;
        }
    }
}

impl Context for Machine<'_> {
    fn state(&self) -> &State {
        &self.state
    }
    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Machine<'_> {
    /// Calls an extern: arguments and results as register contents.
    pub(crate) fn external(&mut self, id: Extern, sp: u32, args: &[u64], results: &mut Vec<u64>) -> Result<(), Trap> {
        self.heap_to_record()?;
        let ended = self.dispatch(id, sp, args, results);
        self.check_fault()?;
        ended?;
        self.heap_from_record()
    }

    /// The libcall `collect`, for a reservation of `bytes`.
    pub(crate) fn collect(&mut self, sp: u32, bytes: u32) -> Result<(), Trap> {
        self.heap_to_record()?;
        cleave_rt::gc::heap::collect(self, sp, bytes)?;
        self.check_fault()?;
        self.heap_from_record()
    }

    /// Makes the next reservation collect, whatever the runtime's own counting says.
    pub(crate) fn prepare_forced(&mut self) {
        let stress = &mut self.state.gc.options.gc_stress;
        *stress = (*stress).max(1);
        self.state.gc.heap.stress_count = *stress - 1;
    }

    /// A collection that nobody asked for; every object moves.
    pub(crate) fn force_collection(&mut self, sp: u32) -> Result<(), Trap> {
        self.prepare_forced();
        self.collect(sp, 0)
    }
}

impl Machine<'_> {
    /// One function of the runtime by name. Results that are references get the epoch in which they are returned.
    fn dispatch(&mut self, id: Extern, sp: u32, args: &[u64], results: &mut Vec<u64>) -> Result<(), Trap> {
        let program = self.program;
        let data = &program.module.externs[id];
        results.resize(data.results.len(), 0);
        let is_rc = program.module.heap.counts();
        let takes = data.effects.all(Effects::CONSUMES);
        // High code counts nothing: what it passes on may be needed later.
        let is_high = || program.module.funcs.values().next().is_some_and(|func| func.phase == Phase::High);
        if is_rc && takes && is_high() {
            self.retain_object(args[0] as u32)?;
        }
        let taken = match is_rc {
            true => self.check_operands(&data.params, args, takes)?,
            false => None,
        };
        if !cleave_rt::libcalls::call_index(self, program.runtime[id.index()], sp, args, results)? {
            return Err(Trap::wrong(format!("the runtime has no function `{}`", data.symbol())));
        }
        // What an array holds is not new.
        let is_old = HELD.iter().any(|row| row.name == data.name);
        if is_rc && data.results.first() == Some(&Type::Ref) && id != Libcall::AllocObject.id() && !is_old {
            self.note_string(results[0] as u32, taken)?;
        }
        let epoch = self.state.gc.statistics.collections << 32;
        for (bits, ty) in results.iter_mut().zip(&*data.results) {
            match ty {
                Type::Ref => *bits = *bits as u32 as u64 | epoch,
                Type::I32 => *bits = *bits as i32 as i64 as u64,
                Type::I64 | Type::F64 => {}
            }
        }
        Ok(())
    }

    /// Prepares options, shadow stack and heap.
    pub(crate) fn start_runtime(
        &mut self,
        heap_limit: u32,
        stress: Option<u32>,
        force_stackless: bool,
    ) -> Result<(), Trap> {
        let options = &mut self.state.gc.options;
        options.heap_limit = heap_limit as u64;
        options.gc_stress = stress.unwrap_or(0);
        options.poison = stress.is_some();
        let sp = cleave_rt::base::start::prepare(self, self.program.data_section.program)?;
        self.start_sp = sp;
        self.stack_limit = if force_stackless { u32::MAX } else { 1 };
        self.check_fault()?;
        self.heap_from_record()
    }

    /// Runs the program; output is flushed at its normal end.
    pub(crate) fn run_start(&mut self, start: FuncId) -> Result<(), Trap> {
        self.invoke(start, &[], self.start_sp)?;
        cleave_rt::base::error::end(self)
    }

    /// Goes on after a pause outside of libcalls.
    pub(crate) fn go_on(&mut self) -> Result<(), Trap> {
        self.resume = self.pc as usize;
        self.run(0)?;
        cleave_rt::base::error::end(self)
    }

    /// What was printed before a trap must not be lost.
    pub(crate) fn flush_output(&mut self) {
        cleave_rt::base::console::flush(self);
    }
}
