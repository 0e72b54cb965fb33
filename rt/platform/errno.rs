//! Numbers of failures: the `errno` of Linux.

pub const ENOENT: u32 = 2;
pub const EBADF: u32 = 9;
pub const ENOMEM: u32 = 12;
pub const EACCES: u32 = 13;
pub const EEXIST: u32 = 17;
pub const ENOTDIR: u32 = 20;
pub const EINVAL: u32 = 22;
pub const ERANGE: u32 = 34;
pub const ENAMETOOLONG: u32 = 36;
pub const ENOSYS: u32 = 38;
