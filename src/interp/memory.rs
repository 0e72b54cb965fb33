//! The linear memory: one array of bytes with the layout of `cleave_ir::layout`, every access checked.
//!
//! Pages of zeros cost nothing until they are touched, so all of it is reserved at once, and growing only moves `size`.
//! Accesses through references go through `load`/`store`, which refuse everything below the program image: a null
//! reference never reads the shadow stack.

use crate::value::Trap;
use cleave_ir::layout::is_immediate;

/// Bytes `0 .. size` exist; objects live at `low .. size`.
#[derive(Debug)]
pub struct LinearMemory {
    bytes: Vec<u8>,
    /// Start of the program image.
    low: u32,
    size: u32,
}

#[cold]
fn bad_address(at: u32, length: usize) -> Trap {
    Trap::wrong(format!("access of {length} bytes at address {at:#x}, where no object is"))
}

/// Words of objects lie at even addresses: this is none that was made of an immediate.
#[inline(always)]
pub(crate) fn no_immediate(at: u32) -> Result<(), Trap> {
    if is_immediate(at) { Err(immediate_used()) } else { Ok(()) }
}
#[cold]
fn immediate_used() -> Trap {
    Trap::wrong("an immediate is used as an object")
}

impl LinearMemory {
    /// Memory that can grow to `reservation` bytes and has `size` now.
    pub fn new(low: u32, size: u32, reservation: u32) -> LinearMemory {
        LinearMemory { bytes: vec![0; reservation.max(size) as usize], low, size }
    }
    pub fn size(&self) -> u32 {
        self.size
    }
    /// False if the reservation is too small.
    pub fn grow_to(&mut self, size: u32) -> bool {
        if size as usize > self.bytes.len() {
            return false;
        }
        self.size = self.size.max(size);
        true
    }

    /// Bytes at any address, the shadow stack included.
    #[inline]
    pub fn load_any<const N: usize>(&self, at: u32) -> Result<[u8; N], Trap> {
        match self.bytes[..self.size as usize].get(at as usize..).and_then(|b| b.first_chunk::<N>()) {
            Some(bytes) => Ok(*bytes),
            None => Err(bad_address(at, N)),
        }
    }
    #[inline]
    pub fn store_any<const N: usize>(&mut self, at: u32, value: [u8; N]) -> Result<(), Trap> {
        match self.bytes[..self.size as usize].get_mut(at as usize..).and_then(|b| b.first_chunk_mut::<N>()) {
            Some(bytes) => {
                *bytes = value;
                Ok(())
            }
            None => Err(bad_address(at, N)),
        }
    }
    /// Bytes of an object.
    #[inline]
    pub fn load<const N: usize>(&self, at: u32) -> Result<[u8; N], Trap> {
        if at < self.low {
            return Err(bad_address(at, N));
        }
        self.load_any(at)
    }
    #[inline]
    pub fn store<const N: usize>(&mut self, at: u32, value: [u8; N]) -> Result<(), Trap> {
        if at < self.low {
            return Err(bad_address(at, N));
        }
        self.store_any(at, value)
    }
    #[inline]
    pub fn load32(&self, at: u32) -> Result<u32, Trap> {
        no_immediate(at)?;
        Ok(u32::from_le_bytes(self.load(at)?))
    }
    #[inline]
    pub fn load64(&self, at: u32) -> Result<u64, Trap> {
        no_immediate(at)?;
        Ok(u64::from_le_bytes(self.load(at)?))
    }
    #[inline]
    pub fn store32(&mut self, at: u32, value: u32) -> Result<(), Trap> {
        no_immediate(at)?;
        self.store(at, value.to_le_bytes())
    }
    #[inline]
    pub fn store64(&mut self, at: u32, value: u64) -> Result<(), Trap> {
        no_immediate(at)?;
        self.store(at, value.to_le_bytes())
    }

    /// A stretch of bytes.
    pub fn slice(&self, at: u32, length: u32) -> Result<&[u8], Trap> {
        self.bytes[..self.size as usize]
            .get(at as usize..at as usize + length as usize)
            .ok_or_else(|| bad_address(at, length as usize))
    }
    pub fn slice_mut(&mut self, at: u32, length: u32) -> Result<&mut [u8], Trap> {
        self.bytes[..self.size as usize]
            .get_mut(at as usize..at as usize + length as usize)
            .ok_or_else(|| bad_address(at, length as usize))
    }
    /// Copies within the memory; the stretches may overlap.
    pub fn copy(&mut self, from: u32, to: u32, length: u32) -> Result<(), Trap> {
        self.slice(from, length)?;
        self.slice(to, length)?;
        self.bytes.copy_within(from as usize..from as usize + length as usize, to as usize);
        Ok(())
    }
}
