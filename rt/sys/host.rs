//! The host: memory is a byte vector, the outside world is in memory too. For tests of this crate and of others.
//!
//! Every access is checked, and reading memory that was never written is visible as zeros or poison. `evaluate` is the
//! program: by default it refuses.

use crate::platform::{FileIdentity, Host, Io, Memory, OpenMode, Whence};
use crate::state::{Context, State};

/// The program has ended with this status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exited(pub u32);

/// A file of the host: name and contents.
#[derive(Clone, Debug)]
pub struct HostFile {
    pub name: Vec<u8>,
    pub contents: Vec<u8>,
}

pub struct HostContext {
    pub memory: Vec<u8>,
    /// The memory cannot grow beyond this.
    pub memory_limit: u64,
    /// Bytes that were given back.
    pub discarded: u64,
    pub state: Box<State>,
    pub evaluate: fn(&mut HostContext, u32, u32) -> Result<u32, Exited>,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    pub input: Vec<u8>,
    input_used: usize,
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<Vec<u8>>,
    pub files: Vec<HostFile>,
    /// Open files: which, and where.
    open: Vec<Option<(usize, u64)>>,
}

/// The first descriptor of a file that is not standard.
const FIRST: u32 = 3;

impl HostContext {
    pub fn new(memory: usize) -> HostContext {
        HostContext {
            memory: vec![0; memory],
            memory_limit: 1 << 31,
            discarded: 0,
            state: Box::new(State::new()),
            evaluate: |_, _, _| panic!("nothing to evaluate with"),
            output: Vec::new(),
            errors: Vec::new(),
            input: Vec::new(),
            input_used: 0,
            arguments: Vec::new(),
            environment: Vec::new(),
            files: Vec::new(),
            open: Vec::new(),
        }
    }

    #[inline]
    fn bytes<const N: usize>(&self, address: u32) -> [u8; N] {
        let start = address as usize;
        match self.memory.get(start..start + N) {
            Some(bytes) => bytes.try_into().unwrap_or([0; N]),
            None => panic!("load of {N} bytes at {address:#x}, beyond the memory of {:#x}", self.memory.len()),
        }
    }

    #[inline]
    fn bytes_mut(&mut self, address: u32, count: usize) -> &mut [u8] {
        let (start, size) = (address as usize, self.memory.len());
        match self.memory.get_mut(start..start + count) {
            Some(bytes) => bytes,
            None => panic!("store of {count} bytes at {address:#x}, beyond the memory of {size:#x}"),
        }
    }

    fn load_strings(&mut self, strings: Vec<Vec<u8>>, table: u32, bytes: u32) -> bool {
        let mut next = bytes;
        for (index, string) in strings.iter().enumerate() {
            self.store_u32(table + 4 * index as u32, next);
            self.write_bytes(next, string);
            self.store_u8(next + string.len() as u32, 0);
            next += string.len() as u32 + 1;
        }
        true
    }
}

fn sizes(strings: &[Vec<u8>]) -> (u32, u32) {
    (strings.len() as u32, strings.iter().map(|string| string.len() as u32 + 1).sum())
}

// All that happens here is called from code that is generic, thus of other crates.
impl Memory for HostContext {
    #[inline]
    fn load_u8(&self, address: u32) -> u32 {
        u32::from(self.bytes::<1>(address)[0])
    }
    #[inline]
    fn load_u16(&self, address: u32) -> u32 {
        u32::from(u16::from_le_bytes(self.bytes(address)))
    }
    #[inline]
    fn load_u32(&self, address: u32) -> u32 {
        u32::from_le_bytes(self.bytes(address))
    }
    #[inline]
    fn load_u64(&self, address: u32) -> u64 {
        u64::from_le_bytes(self.bytes(address))
    }
    #[inline]
    fn store_u8(&mut self, address: u32, value: u32) {
        self.bytes_mut(address, 1)[0] = value as u8;
    }
    #[inline]
    fn store_u32(&mut self, address: u32, value: u32) {
        self.bytes_mut(address, 4).copy_from_slice(&value.to_le_bytes());
    }
    #[inline]
    fn store_u64(&mut self, address: u32, value: u64) {
        self.bytes_mut(address, 8).copy_from_slice(&value.to_le_bytes());
    }
    fn copy_within(&mut self, from: u32, to: u32, bytes: u32) {
        self.memory.copy_within(from as usize..from as usize + bytes as usize, to as usize);
    }
    fn fill(&mut self, address: u32, value: u8, bytes: u32) {
        self.bytes_mut(address, bytes as usize).fill(value);
    }
    fn read_bytes(&self, address: u32, bytes: &mut [u8]) {
        let start = address as usize;
        bytes.copy_from_slice(&self.memory[start..start + bytes.len()]);
    }
    fn write_bytes(&mut self, address: u32, bytes: &[u8]) {
        self.bytes_mut(address, bytes.len()).copy_from_slice(bytes);
    }
    fn size(&self) -> u64 {
        self.memory.len() as u64
    }
    fn grow_to(&mut self, bytes: u64) -> bool {
        if bytes > self.memory_limit {
            return false;
        }
        if bytes > self.size() {
            self.memory.resize(bytes.next_multiple_of(1 << 16).min(self.memory_limit) as usize, 0);
        }
        true
    }
    /// What is read there afterwards is no reference.
    fn discard(&mut self, start: u64, end: u64) {
        self.discarded += end - start;
        self.memory[start as usize..end as usize].fill(0xdd);
    }
}

impl Host for HostContext {
    type Exit = Exited;

    fn exit(&mut self, status: u32) -> Exited {
        Exited(status)
    }
    fn eval(&mut self, sp: u32, node: u32) -> Result<u32, Exited> {
        (self.evaluate)(self, sp, node)
    }
    fn write(&mut self, file: u32, bytes: &[u8]) -> Io<usize> {
        match file {
            1 => self.output.extend_from_slice(bytes),
            2 => self.errors.extend_from_slice(bytes),
            _ => {
                let (index, position) = self.entry(file)?;
                let contents = &mut self.files[index].contents;
                let start = position as usize;
                contents.resize(contents.len().max(start + bytes.len()), 0);
                contents[start..start + bytes.len()].copy_from_slice(bytes);
                self.open[(file - FIRST) as usize] = Some((index, position + bytes.len() as u64));
            }
        }
        Ok(bytes.len())
    }
    fn read(&mut self, file: u32, bytes: &mut [u8]) -> Io<usize> {
        if file == 0 {
            let rest = &self.input[self.input_used..];
            let count = rest.len().min(bytes.len());
            bytes[..count].copy_from_slice(&rest[..count]);
            self.input_used += count;
            return Ok(count);
        }
        let (index, position) = self.entry(file)?;
        let rest = self.files[index].contents.get(position as usize..).unwrap_or_default();
        let count = rest.len().min(bytes.len());
        bytes[..count].copy_from_slice(&rest[..count]);
        self.open[(file - FIRST) as usize] = Some((index, position + count as u64));
        Ok(count)
    }
    fn arguments_size(&mut self) -> (u32, u32) {
        sizes(&self.arguments)
    }
    fn load_arguments(&mut self, table: u32, bytes: u32) -> bool {
        self.load_strings(self.arguments.clone(), table, bytes)
    }
    fn environment_size(&mut self) -> (u32, u32) {
        sizes(&self.environment)
    }
    fn load_environment(&mut self, table: u32, bytes: u32) -> bool {
        self.load_strings(self.environment.clone(), table, bytes)
    }
    fn open(&mut self, path: &[u8], mode: OpenMode) -> Io<(u32, FileIdentity)> {
        let index = match self.files.iter().position(|file| file.name == path) {
            Some(index) => index,
            None if mode == OpenMode::Write => {
                self.files.push(HostFile { name: path.to_vec(), contents: Vec::new() });
                self.files.len() - 1
            }
            None => return Err(()),
        };
        if mode == OpenMode::Write {
            self.files[index].contents.clear();
        }
        self.open.push(Some((index, 0)));
        Ok((FIRST + self.open.len() as u32 - 1, FileIdentity { device: 1, number: index as u64 + 1 }))
    }
    fn close(&mut self, file: u32) -> Io<()> {
        self.entry(file)?;
        self.open[(file - FIRST) as usize] = None;
        Ok(())
    }
    fn seek(&mut self, file: u32, offset: i64, whence: Whence) -> Io<u64> {
        let (index, position) = self.entry(file)?;
        let from = match whence {
            Whence::Start => 0,
            Whence::Current => position as i64,
            Whence::End => self.files[index].contents.len() as i64,
        };
        let position = u64::try_from(from + offset).map_err(|_| ())?;
        self.open[(file - FIRST) as usize] = Some((index, position));
        Ok(position)
    }
}

impl HostContext {
    fn entry(&self, file: u32) -> Io<(usize, u64)> {
        self.open.get(file.checked_sub(FIRST).ok_or(())? as usize).copied().flatten().ok_or(())
    }
}

impl Context for HostContext {
    #[inline]
    fn state(&self) -> &State {
        &self.state
    }
    #[inline]
    fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }
}
