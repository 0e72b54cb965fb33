//! The host of programs for WASI preview 1: all of its functions, on the files of the system or in a sandbox.
//!
//! - `guest`: the memory of the program, and numbers of errors
//! - `folder`: where paths start from, confined by `cap-std` or not
//! - `files`, `paths`: functions on descriptors and on paths
//! - `wait`: clocks, waiting, random bytes
//! - `words`: arguments and environment
//!
//! A library that does all of this exists (`wasmtime-wasi`). It brings an asynchronous runtime and the Component Model,
//! 62 crates and a sixth of the time of a build from nothing, confines every program to folders, and takes only
//! Unicode as arguments. The part that is hard to get right, paths that may not leave a folder, is still a library.

mod argv_env;
mod files;
mod folder;
mod guest;
mod paths;
mod wait;

pub use files::Files;
pub use folder::Folder;

use argv_env::Words;
use guest::{FAULT, Guest, NOTSUP};
use std::fmt;
use wasmtime::{Caller, Extern, Linker, StoreLimits};

const MODULE: &str = "wasi_snapshot_preview1";

/// What belongs to a running program.
pub struct Host {
    pub files: Files,
    arguments: Words,
    environment: Words,
    /// What the engine gives it at most.
    pub limits: StoreLimits,
}

impl Host {
    /// The first argument is the name of the program; variables are `NAME=value`.
    pub fn new(files: Files, arguments: Vec<Vec<u8>>, environment: Vec<Vec<u8>>, limits: StoreLimits) -> Host {
        Host { files, arguments: Words::new(arguments), environment: Words::new(environment), limits }
    }
}

/// A program has ended itself with this status.
#[derive(Clone, Copy, Debug)]
pub struct Exit(pub i32);

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit with status {}", self.0)
    }
}

impl std::error::Error for Exit {}

macro_rules! functions {
    ($linker:ident $host:ident . $owner:ident $($name:ident($($parameter:ident: $type:ty),*);)*) => {
        $(
            $linker.func_wrap(MODULE, stringify!($name), |mut caller: Caller<'_, Host>, $($parameter: $type),*| {
                let Some(memory) = caller.get_export("memory").and_then(Extern::into_memory) else { return FAULT };
                let (bytes, $host) = memory.data_and_store_mut(&mut caller);
                $host.$owner.$name(&mut Guest(bytes), $($parameter),*).err().unwrap_or(0)
            })?;
        )*
    };
}

/// Defines all functions of WASI preview 1.
pub fn add_to_linker(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    functions! { linker host.files
        clock_res_get(number: u32, result: u32);
        clock_time_get(number: u32, precision: u64, result: u32);
        fd_advise(fd: u32, offset: u64, length: u64, advice: u32);
        fd_allocate(fd: u32, offset: u64, length: u64);
        fd_close(fd: u32);
        fd_datasync(fd: u32);
        fd_fdstat_get(fd: u32, at: u32);
        fd_fdstat_set_flags(fd: u32, flags: u32);
        fd_fdstat_set_rights(fd: u32, base: u64, inherited: u64);
        fd_filestat_get(fd: u32, at: u32);
        fd_filestat_set_size(fd: u32, size: u64);
        fd_filestat_set_times(fd: u32, accessed: u64, modified: u64, flags: u32);
        fd_pread(fd: u32, pieces: u32, count: u32, offset: u64, result: u32);
        fd_prestat_get(fd: u32, at: u32);
        fd_prestat_dir_name(fd: u32, at: u32, room: u32);
        fd_pwrite(fd: u32, pieces: u32, count: u32, offset: u64, result: u32);
        fd_read(fd: u32, pieces: u32, count: u32, result: u32);
        fd_readdir(fd: u32, at: u32, room: u32, cookie: u64, result: u32);
        fd_renumber(from: u32, to: u32);
        fd_seek(fd: u32, offset: i64, whence: u32, result: u32);
        fd_sync(fd: u32);
        fd_tell(fd: u32, result: u32);
        fd_write(fd: u32, pieces: u32, count: u32, result: u32);
        path_create_directory(fd: u32, at: u32, length: u32);
        path_filestat_get(fd: u32, lookup: u32, path: u32, length: u32, at: u32);
        path_filestat_set_times(fd: u32, lookup: u32, path: u32, length: u32, accessed: u64, modified: u64, flags: u32);
        path_link(fd: u32, lookup: u32, at: u32, length: u32, new_fd: u32, new_at: u32, new_length: u32);
        path_open(fd: u32, lookup: u32, at: u32, length: u32, creation: u32, rights: u64, inherited: u64, flags: u32,
            result: u32);
        path_readlink(fd: u32, at: u32, length: u32, to: u32, room: u32, result: u32);
        path_remove_directory(fd: u32, at: u32, length: u32);
        path_rename(fd: u32, at: u32, length: u32, new_fd: u32, new_at: u32, new_length: u32);
        path_symlink(content: u32, content_length: u32, fd: u32, at: u32, length: u32);
        path_unlink_file(fd: u32, at: u32, length: u32);
        poll_oneoff(from: u32, to: u32, count: u32, result: u32);
        random_get(at: u32, length: u32);
    }
    functions! { linker host.arguments
        args_get(table: u32, to: u32);
        args_sizes_get(count: u32, length: u32);
    }
    functions! { linker host.environment
        environ_get(table: u32, to: u32);
        environ_sizes_get(count: u32, length: u32);
    }
    linker.func_wrap(MODULE, "proc_exit", |status: i32| -> wasmtime::Result<()> { Err(Exit(status).into()) })?;
    linker.func_wrap(MODULE, "sched_yield", || {
        std::thread::yield_now();
        0
    })?;
    // No program has a socket; signals are not for programs.
    linker.func_wrap(MODULE, "proc_raise", |_: u32| NOTSUP)?;
    linker.func_wrap(MODULE, "sock_accept", |_: u32, _: u32, _: u32| NOTSUP)?;
    linker.func_wrap(MODULE, "sock_recv", |_: u32, _: u32, _: u32, _: u32, _: u32, _: u32| NOTSUP)?;
    linker.func_wrap(MODULE, "sock_send", |_: u32, _: u32, _: u32, _: u32, _: u32| NOTSUP)?;
    linker.func_wrap(MODULE, "sock_shutdown", |_: u32, _: u32| NOTSUP)?;
    Ok(())
}
