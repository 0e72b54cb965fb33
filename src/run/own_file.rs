//! Files whose contents decide what a run executes: read only where nobody but this user can have written them.
//!
//! Such a file, and the folder that it lies in, belongs to the user who runs the program, and neither its group nor
//! others may write there. It is a plain file: no symbolic link is followed at its name, and opening it waits for
//! nobody, as a FIFO would. On systems without these notions only the kind of file is checked.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why a file is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsafe {
    /// The file, or its folder.
    pub path: PathBuf,
    /// What is wrong with it, as the end of a sentence.
    pub reason: &'static str,
}

impl fmt::Display for Unsafe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.reason)
    }
}

/// Opens a file for reading, and for writing too if `write` says so. None if there is none, or it cannot be opened.
pub fn open(path: &Path, write: bool) -> Result<Option<File>, Unsafe> {
    let refused = |path: &Path, reason| Err(Unsafe { path: path.to_path_buf(), reason });
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(data) = fs::metadata(folder) else { return Ok(None) };
    if let Some(reason) = wrong(&data) {
        return refused(folder, reason);
    }
    match fs::symlink_metadata(path) {
        Ok(data) if !data.is_file() => return refused(path, "is not a plain file"),
        Ok(_) => {}
        Err(_) => return Ok(None),
    }
    let mut options = OpenOptions::new();
    options.read(true).write(write);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let Ok(file) = options.open(path) else { return Ok(None) };
    // What was opened counts: the name may stand for another file by now.
    let Ok(data) = file.metadata() else { return Ok(None) };
    if !data.is_file() {
        return refused(path, "is not a plain file");
    }
    match wrong(&data) {
        Some(reason) => refused(path, reason),
        None => Ok(Some(file)),
    }
}

/// What a file holds; nothing if there is none.
pub fn read(path: &Path) -> Result<Vec<u8>, Unsafe> {
    let mut bytes = Vec::new();
    let read = |mut file: File| -> io::Result<usize> { file.read_to_end(&mut bytes) };
    if open(path, false)?.map(read).is_some_and(|read| read.is_err()) {
        bytes.clear();
    }
    Ok(bytes)
}

/// Makes the folder of a file, for this user alone.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Files that are created by these options are for this user alone.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

#[cfg(unix)]
fn wrong(data: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    // SAFETY: the call has no conditions, and cannot fail.
    let user = unsafe { libc::geteuid() };
    if data.uid() != user {
        Some("belongs to another user")
    } else if data.mode() & 0o022 != 0 {
        Some("can be written by others")
    } else {
        None
    }
}

#[cfg(not(unix))]
fn wrong(_: &Metadata) -> Option<&'static str> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    #[test]
    fn only_plain_files_that_nobody_else_writes_are_read() {
        let folder = std::env::temp_dir().join(format!("cleave-own-file-{}", std::process::id()));
        let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
        fs::create_dir_all(&folder).expect("a folder");
        mode(&folder, 0o755);
        let path = folder.join("code");
        assert_eq!(read(&path), Ok(Vec::new()), "no file");
        fs::write(&path, b"made").expect("a file");
        mode(&path, 0o644);
        assert_eq!(read(&path), Ok(b"made".to_vec()));
        let reason = |path: &Path| read(path).expect_err("it is not safe").reason;
        mode(&path, 0o664);
        assert_eq!(reason(&path), "can be written by others");
        mode(&path, 0o644);
        let link = folder.join("link");
        symlink(&path, &link).expect("a link");
        assert_eq!(reason(&link), "is not a plain file");
        let fifo = folder.join("fifo");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        assert_eq!(reason(&fifo), "is not a plain file");
        mode(&folder, 0o777);
        assert_eq!(read(&path).expect_err("it is not safe").path, folder);
        mode(&folder, 0o755);
        let _ = fs::remove_dir_all(&folder);
        // Only the super-user can give a file away.
        let foreign = Path::new("/etc/passwd");
        if fs::metadata(foreign).is_ok_and(|data| wrong(&data).is_some()) {
            assert_eq!(read(foreign).expect_err("it is not safe").reason, "belongs to another user");
        }
    }
}
