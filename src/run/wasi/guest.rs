//! Access to the memory of the guest program, and the `errno` of WASI.

use std::io;

/// Result of a function of WASI: a failure is its number.
pub type Wasi<T> = Result<T, u32>;

/// Failures that have no number in the system, or that we find ourselves.
pub const AGAIN: u32 = 6;
pub const BADF: u32 = 8;
pub const FAULT: u32 = 21;
pub const INVAL: u32 = 28;
pub const IO: u32 = 29;
pub const NOSYS: u32 = 52;
pub const NOTDIR: u32 = 54;
pub const NOTSUP: u32 = 58;
pub const PERM: u32 = 63;

/// The number of WASI for a failure of the system.
pub fn number_of(error: &io::Error) -> u32 {
    let Some(number) = error.raw_os_error() else {
        return match error.kind() {
            io::ErrorKind::InvalidInput => INVAL,
            // A path that leaves its folder.
            io::ErrorKind::PermissionDenied => PERM,
            _ => IO,
        };
    };
    match number {
        libc::EACCES => 2,
        libc::EAGAIN => AGAIN,
        libc::EBADF => BADF,
        libc::EBUSY => 10,
        libc::EEXIST => 20,
        libc::EFBIG => 22,
        libc::EINVAL => INVAL,
        libc::EISDIR => 31,
        libc::ELOOP => 32,
        libc::EMFILE => 33,
        libc::EMLINK => 34,
        libc::ENAMETOOLONG => 37,
        libc::ENFILE => 41,
        libc::ENOENT => 44,
        libc::ENOMEM => 48,
        libc::ENOSPC => 51,
        libc::ENOSYS => NOSYS,
        libc::ENOTDIR => NOTDIR,
        libc::ENOTEMPTY => 55,
        libc::ENOTSUP => NOTSUP,
        libc::EPERM => PERM,
        libc::EPIPE => 64,
        libc::EROFS => 69,
        libc::ESPIPE => 70,
        libc::ETXTBSY => 74,
        libc::EXDEV => 75,
        _ => IO,
    }
}

/// A result of the system as WASI has it.
pub fn check<T>(result: io::Result<T>) -> Wasi<T> {
    result.map_err(|error| number_of(&error))
}

/// The memory of the program. Every access checks its bounds.
pub struct Guest<'m>(pub &'m mut [u8]);

impl Guest<'_> {
    /// `length` bytes from an address on.
    pub fn bytes(&mut self, at: u32, length: u32) -> Wasi<&mut [u8]> {
        let start = at as usize;
        self.0.get_mut(start..start + length as usize).ok_or(FAULT)
    }

    pub fn word(&mut self, at: u32) -> Wasi<u32> {
        let bytes = self.bytes(at, 4)?;
        Ok(u32::from_le_bytes(bytes.try_into().map_err(|_| FAULT)?))
    }

    pub fn long(&mut self, at: u32) -> Wasi<u64> {
        let bytes = self.bytes(at, 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| FAULT)?))
    }

    pub fn store(&mut self, at: u32, bytes: &[u8]) -> Wasi<()> {
        self.bytes(at, bytes.len() as u32)?.copy_from_slice(bytes);
        Ok(())
    }

    pub fn store_word(&mut self, at: u32, word: u32) -> Wasi<()> {
        self.store(at, &word.to_le_bytes())
    }

    /// Words of 8 bytes, one after the other.
    pub fn store_longs(&mut self, at: u32, words: &[u64]) -> Wasi<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.store(at, &bytes)
    }

    /// The first piece of a list of addresses and lengths that has a length: reading and writing may stop early.
    pub fn piece(&mut self, pieces: u32, count: u32) -> Wasi<&mut [u8]> {
        let mut piece = pieces;
        for _ in 0..count {
            let next = piece.checked_add(4).ok_or(FAULT)?;
            let (at, length) = (self.word(piece)?, self.word(next)?);
            if length > 0 {
                return self.bytes(at, length);
            }
            piece = next.checked_add(4).ok_or(FAULT)?;
        }
        Ok(&mut [])
    }
}
