//! Cache of the machine code of single functions that the engine has compiled: of any program, for most of them have
//! the same runtime in them, which is most of what the engine compiles in a small one.
//!
//! ```text
//! file:   MAGIC | record*
//! record: u32 bytes of the value | u8 bytes of the key | key | value | SHA-256 of both
//! ```
//! The engine's key is a cryptographic hash of the function, of the settings and of the engine's version. The file is
//! read as a whole when the first function is asked for, and only ever appended to, by one process at a time. A record
//! is checked when its function is asked for: a program needs few of those that are there. A file that has grown beyond
//! `MOST_BYTES` begins anew.

use crate::own_file;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use wasmtime::CacheStore;

/// Changes with the format.
const MAGIC: &[u8; 16] = b"cleave-funcs 002";
/// The runtime takes 3 MB. What is larger takes longer to read than it saves.
const MOST_BYTES: u64 = 12 << 20;
/// Bytes of a record beside key and value.
const HEADER: usize = 5;
const CHECKSUM: usize = 32;

/// The functions of a file, and those that are new.
#[derive(Debug)]
pub struct Functions {
    path: PathBuf,
    file: OnceLock<Contents>,
    new: Mutex<Vec<u8>>,
}

/// What a file has.
#[derive(Debug)]
struct Contents {
    bytes: Vec<u8>,
    /// Where the records are in `bytes`, by their keys.
    known: BTreeMap<Vec<u8>, Record>,
}

impl Contents {
    /// Nothing if there is no file, or it is not safe to take.
    fn read(path: &Path) -> Contents {
        let bytes = own_file::read(path).unwrap_or_default();
        let mut known = BTreeMap::new();
        let mut at = MAGIC.len();
        if bytes.starts_with(MAGIC) {
            while let Some(record) = Record::at(&bytes, at) {
                at = record.value.end + CHECKSUM;
                known.insert(bytes[record.key.clone()].to_vec(), record);
            }
        }
        Contents { bytes, known }
    }
}

impl Functions {
    /// Those of a file.
    pub fn of(path: &Path) -> Functions {
        Functions { path: path.to_path_buf(), file: OnceLock::new(), new: Mutex::default() }
    }

    /// Appends what is new to the file. Failing costs no more than time, in the next run.
    pub fn write(&self) {
        let new = std::mem::take(&mut *self.new.lock().unwrap_or_else(PoisonError::into_inner));
        if !new.is_empty() {
            let _ = append(&self.path, &new);
        }
    }
}

/// Where a record has its key and its value.
#[derive(Debug)]
struct Record {
    key: Range<usize>,
    value: Range<usize>,
}

impl Record {
    /// The one at an offset, if the file is long enough.
    fn at(bytes: &[u8], at: usize) -> Option<Record> {
        let header = bytes.get(at..at.checked_add(HEADER)?)?;
        let length = u32::from_le_bytes(header[..4].try_into().ok()?) as usize;
        let key = at + HEADER..at + HEADER + usize::from(header[4]);
        let value = key.end..key.end.checked_add(length)?;
        (value.end.checked_add(CHECKSUM)? <= bytes.len()).then_some(Record { key, value })
    }

    /// The value, if key and value are as they were written.
    fn value<'a>(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let sum = &bytes[self.value.end..][..CHECKSUM];
        (*sum == checksum(&bytes[self.key.start..self.value.end])).then(|| &bytes[self.value.clone()])
    }
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    Sha256::digest(bytes).into()
}

fn append(path: &Path, new: &[u8]) -> io::Result<()> {
    own_file::create_folder(path)?;
    if fs::symlink_metadata(path).is_err() {
        own_file::private(OpenOptions::new().write(true).create_new(true)).open(path)?;
    }
    let Ok(Some(mut file)) = own_file::open(path, true) else { return Ok(()) };
    // Another process is writing: what this one has is not worth waiting for.
    if file.try_lock().is_err() {
        return Ok(());
    }
    let length = file.seek(SeekFrom::End(0))?;
    if length == 0 || length + new.len() as u64 > MOST_BYTES {
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(MAGIC)?;
    }
    file.write_all(new)
}

impl CacheStore for Functions {
    fn get(&self, key: &[u8]) -> Option<Cow<'_, [u8]>> {
        let Contents { bytes, known } = self.file.get_or_init(|| Contents::read(&self.path));
        known.get(key)?.value(bytes).map(Cow::Borrowed)
    }

    fn insert(&self, key: &[u8], value: Vec<u8>) -> bool {
        let (Ok(length), Ok(key_length)) = (u32::try_from(value.len()), u8::try_from(key.len())) else { return false };
        let body = [key, &value].concat();
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.extend(length.to_le_bytes());
        new.push(key_length);
        new.extend(&body);
        new.extend(checksum(&body));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_is_not_read() {
        let folder = std::env::temp_dir().join(format!("cleave-functions-test-{}", std::process::id()));
        let path = folder.join("functions");
        let write = |pairs: &[(&[u8], &[u8])]| {
            let functions = Functions::of(&path);
            pairs.iter().for_each(|(key, value)| assert!(functions.insert(key, value.to_vec())));
            functions.write();
        };
        let get = |key: &[u8]| Functions::of(&path).get(key).map(Cow::into_owned);
        assert_eq!(get(b"a"), None);
        write(&[(b"a", b"one"), (b"bb", b"")]);
        write(&[(b"c", b"three")]);
        assert_eq!((get(b"a"), get(b"bb"), get(b"c")), (Some(b"one".into()), Some(b"".into()), Some(b"three".into())));
        // The value of the last record is changed, then the length of the second one. What is before still is what it
        // was.
        let mut bytes = fs::read(&path).expect("it was written");
        let last = bytes.len() - CHECKSUM - 1;
        bytes[last] ^= 1;
        fs::write(&path, &bytes).expect("a file of our own");
        assert_eq!((get(b"a"), get(b"bb"), get(b"c")), (Some(b"one".into()), Some(b"".into()), None));
        let mut bytes = fs::read(&path).expect("it was written");
        bytes[MAGIC.len() + HEADER + 4 + CHECKSUM] ^= 1;
        fs::write(&path, &bytes).expect("a file of our own");
        assert_eq!((get(b"a"), get(b"bb"), get(b"c")), (Some(b"one".into()), None, None));
        // A file of something else.
        fs::write(&path, b"something else").expect("a file of our own");
        assert_eq!(get(b"a"), None);
        fs::remove_dir_all(&folder).expect("a folder of our own");
    }

    #[test]
    fn a_file_that_has_grown_begins_anew() {
        let folder = std::env::temp_dir().join(format!("cleave-functions-grow-{}", std::process::id()));
        let path = folder.join("functions");
        for key in [b"a", b"b", b"c"] {
            let functions = Functions::of(&path);
            functions.insert(key, vec![key[0]; 5 << 20]);
            functions.write();
        }
        let functions = Functions::of(&path);
        assert_eq!([b"a", b"b", b"c"].map(|key| functions.get(key).is_some()), [false, false, true]);
        fs::remove_dir_all(&folder).expect("a folder of our own");
    }
}
