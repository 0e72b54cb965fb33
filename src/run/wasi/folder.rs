//! Preopened folders, from which the paths of a program start: of the whole system, or confined.
//!
//! A program that `cleave run` starts opens what its executable would open: absolute paths, `..`, links to anywhere,
//! devices, names that are no UTF-8. In a sandbox paths start from folders that they cannot leave, which is the work of
//! `cap-std`.

use super::guest::{NOTDIR, NOTSUP, PERM, Wasi, check, number_of};
use cap_std::fs::{Dir, OpenOptions as ConfinedOptions, OpenOptionsExt as _};
use std::ffi::{OsStr, OsString};
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{DirEntryExt, FileTypeExt, MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// A folder.
pub enum Folder {
    /// Paths mean what they mean for any program.
    Anywhere(PathBuf),
    /// No path leaves it.
    Within(Dir),
}

/// How a path is to be opened.
#[derive(Clone, Copy)]
pub struct Access {
    pub reads: bool,
    pub writes: bool,
    /// Flags of the system's `open`.
    pub flags: i32,
}

/// A name in a folder.
pub struct Name {
    pub name: OsString,
    pub number: u64,
    /// As WASI numbers the kinds of files.
    pub kind: u64,
}

impl Folder {
    /// A folder whose paths are those of the system.
    pub fn anywhere(base: &str) -> Folder {
        // Relative paths are given to the system as they are.
        Folder::Anywhere(if base == "." { PathBuf::new() } else { base.into() })
    }

    /// A folder that no path leaves.
    pub fn within(path: &Path) -> io::Result<Folder> {
        Dir::open_ambient_dir(path, cap_std::ambient_authority()).map(Folder::Within)
    }

    /// The path that the system is asked for, in a folder without confines.
    fn path(base: &Path, name: &OsStr) -> PathBuf {
        match base.as_os_str().is_empty() {
            true => name.into(),
            false => base.join(name),
        }
    }

    pub fn open(&self, name: &OsStr, access: Access) -> Wasi<File> {
        match self {
            Folder::Anywhere(base) => {
                let mut options = OpenOptions::new();
                options.read(access.reads).write(access.writes).custom_flags(access.flags);
                repeated(|| options.open(Folder::path(base, name)))
            }
            Folder::Within(dir) => {
                let has = |flag| access.flags & flag != 0;
                let mut options = ConfinedOptions::new();
                options.read(access.reads).write(access.writes).append(has(libc::O_APPEND));
                // What creates and cuts needs a file that is written; `open` of the system says so as well.
                options.create(has(libc::O_CREAT)).truncate(has(libc::O_TRUNC));
                options.create_new(has(libc::O_CREAT) && has(libc::O_EXCL));
                options.custom_flags(access.flags & (libc::O_NONBLOCK | libc::O_DIRECTORY | libc::O_NOFOLLOW));
                repeated(|| dir.open_with(name, &options)).map(cap_std::fs::File::into_std)
            }
        }
    }

    /// The folder of that name.
    pub fn folder(&self, name: &OsStr) -> Wasi<Folder> {
        match self {
            Folder::Anywhere(base) => {
                let path = Folder::path(base, name);
                match check(std::fs::metadata(&path))?.is_dir() {
                    true => Ok(Folder::Anywhere(path)),
                    false => Err(NOTDIR),
                }
            }
            Folder::Within(dir) => check(dir.open_dir(name)).map(Folder::Within),
        }
    }

    /// Device, number, type, links, size, times of what a path names, or of the link that it is.
    pub fn record(&self, name: &OsStr, follows: bool) -> Wasi<[u64; 8]> {
        match self {
            Folder::Anywhere(base) => {
                let path = Folder::path(base, name);
                let found = if follows { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
                Ok(record(&check(found)?))
            }
            Folder::Within(dir) => {
                use cap_std::fs::MetadataExt;
                let found = check(if follows { dir.metadata(name) } else { dir.symlink_metadata(name) })?;
                let kind = match found.file_type() {
                    kind if kind.is_dir() => FOLDER,
                    kind if kind.is_file() => FILE,
                    kind if kind.is_symlink() => LINK,
                    _ => UNKNOWN,
                };
                let times = [
                    (found.atime(), found.atime_nsec()),
                    (found.mtime(), found.mtime_nsec()),
                    (found.ctime(), found.ctime_nsec()),
                ]
                .map(|(seconds, ns)| nanoseconds(seconds, ns));
                Ok([found.dev(), found.ino(), kind, found.nlink(), found.size(), times[0], times[1], times[2]])
            }
        }
    }

    pub fn create_folder(&self, name: &OsStr) -> Wasi<()> {
        check(match self {
            Folder::Anywhere(base) => std::fs::create_dir(Folder::path(base, name)),
            Folder::Within(dir) => dir.create_dir(name),
        })
    }

    pub fn remove_folder(&self, name: &OsStr) -> Wasi<()> {
        check(match self {
            Folder::Anywhere(base) => std::fs::remove_dir(Folder::path(base, name)),
            Folder::Within(dir) => dir.remove_dir(name),
        })
    }

    pub fn remove_file(&self, name: &OsStr) -> Wasi<()> {
        check(match self {
            Folder::Anywhere(base) => std::fs::remove_file(Folder::path(base, name)),
            Folder::Within(dir) => dir.remove_file(name),
        })
    }

    pub fn rename(&self, old: &OsStr, other: &Folder, new: &OsStr) -> Wasi<()> {
        check(match (self, other) {
            (Folder::Anywhere(from), Folder::Anywhere(to)) => {
                std::fs::rename(Folder::path(from, old), Folder::path(to, new))
            }
            (Folder::Within(from), Folder::Within(to)) => from.rename(old, to, new),
            _ => return Err(PERM),
        })
    }

    pub fn link(&self, old: &OsStr, other: &Folder, new: &OsStr) -> Wasi<()> {
        check(match (self, other) {
            (Folder::Anywhere(from), Folder::Anywhere(to)) => {
                std::fs::hard_link(Folder::path(from, old), Folder::path(to, new))
            }
            (Folder::Within(from), Folder::Within(to)) => from.hard_link(old, to, new),
            _ => return Err(PERM),
        })
    }

    /// Makes a link with this content; one that leads out of a confined folder is refused.
    pub fn symbolic_link(&self, content: &OsStr, name: &OsStr) -> Wasi<()> {
        check(match self {
            Folder::Anywhere(base) => std::os::unix::fs::symlink(content, Folder::path(base, name)),
            Folder::Within(dir) => dir.symlink(content, name),
        })
    }

    pub fn read_link(&self, name: &OsStr) -> Wasi<PathBuf> {
        check(match self {
            Folder::Anywhere(base) => std::fs::read_link(Folder::path(base, name)),
            Folder::Within(dir) => dir.read_link(name),
        })
    }

    /// All names in it, those of itself and the one above included.
    pub fn names(&self) -> Wasi<Vec<Name>> {
        let own = |name: &str, number| Name { name: name.into(), number, kind: FOLDER };
        match self {
            Folder::Anywhere(base) => {
                let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
                let number = |name: &str| std::fs::metadata(base.join(name)).map_or(0, |metadata| metadata.ino());
                let mut names = Vec::from([".", ".."].map(|name| own(name, number(name))));
                for entry in check(std::fs::read_dir(base))? {
                    let entry = check(entry)?;
                    let kind = entry.file_type().map_or(UNKNOWN, kind_of);
                    names.push(Name { name: entry.file_name(), number: entry.ino(), kind });
                }
                Ok(names)
            }
            Folder::Within(dir) => {
                let number = self.record(OsStr::new("."), true).map_or(0, |record| record[1]);
                // What lies above is not shown: it gets the number of the folder itself, as `/..` has.
                let mut names = vec![own(".", number), own("..", number)];
                for entry in check(dir.entries())? {
                    let name = check(entry)?.file_name();
                    let (number, kind) = self.record(&name, false).map_or((0, UNKNOWN), |found| (found[1], found[2]));
                    names.push(Name { name, number, kind });
                }
                Ok(names)
            }
        }
    }

    /// Sets the times of a file; of links themselves not.
    pub fn set_times(&self, name: &OsStr, follows: bool, times: std::fs::FileTimes) -> Wasi<()> {
        if !follows {
            return Err(NOTSUP);
        }
        let file = self.open(name, Access { reads: true, writes: false, flags: libc::O_NONBLOCK })?;
        check(file.set_times(times))
    }
}

const UNKNOWN: u64 = 0;
const FOLDER: u64 = 3;
const FILE: u64 = 4;
const LINK: u64 = 7;

/// The number that WASI has for the kind of a file.
pub fn kind_of(kind: FileType) -> u64 {
    match () {
        () if kind.is_block_device() => 1,
        () if kind.is_char_device() => 2,
        () if kind.is_dir() => FOLDER,
        () if kind.is_file() => FILE,
        () if kind.is_symlink() => LINK,
        () => UNKNOWN,
    }
}

fn nanoseconds(seconds: i64, ns: i64) -> u64 {
    (seconds.wrapping_mul(1_000_000_000)).wrapping_add(ns) as u64
}

/// Device, number, type, links, size, times.
pub fn record(metadata: &Metadata) -> [u64; 8] {
    [
        metadata.dev(),
        metadata.ino(),
        kind_of(metadata.file_type()),
        metadata.nlink(),
        metadata.size(),
        nanoseconds(metadata.atime(), metadata.atime_nsec()),
        nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
    ]
}

/// Repeats what a signal has interrupted.
pub fn repeated<T>(mut action: impl FnMut() -> io::Result<T>) -> Wasi<T> {
    loop {
        match action() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map_err(|error| number_of(&error)),
        }
    }
}
