//! Files that users name, and what they include: read at once and whole, or an error. What may never end is refused,
//! and everything has a limit far above what any program needs.

use crate::driver::output::reason;
use cleave_diag::{Diagnostic, code, nearest};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Stands for stdin where a file is named.
pub const STDIN: &str = "-";

/// Bytes of the largest file: ten times the largest program that we know of.
pub const MOST_BYTES: u64 = 256 << 20;

/// The name of a file in messages.
pub fn shown(path: &Path) -> String {
    if path == Path::new(STDIN) { "<stdin>".to_string() } else { path.display().to_string() }
}

/// The bytes of a file: a regular one, or a pipe that the shell has made (`<(…)`).
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let data = fs::metadata(path)?;
    if data.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if let Some(what) = endless(&data, path) {
        return Err(io::Error::other(format!("it is {what}")));
    }
    if data.len() > MOST_BYTES {
        return Err(ErrorKind::FileTooLarge.into());
    }
    limited(File::open(path)?, data.len())
}

/// The text of a file, as `read` reads it; an error if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// The bytes of stdin.
pub fn read_stdin() -> io::Result<Vec<u8>> {
    limited(io::stdin().lock(), 0)
}

/// Those of a file, or of stdin if that is meant.
pub fn read_given(path: &Path) -> io::Result<Vec<u8>> {
    if path == Path::new(STDIN) { read_stdin() } else { read(path) }
}

fn limited(input: impl Read, expected: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(expected as usize);
    input.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// What a file is that may have no end, or no beginning: nobody may ever write to a pipe that has a name.
#[cfg(unix)]
fn endless(data: &Metadata, path: &Path) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = data.file_type();
    // The shell gives a pipe of its own by the number of a descriptor; `/dev/stdin` is one, too.
    let is_descriptor = || path.starts_with("/dev") || path.starts_with("/proc");
    match () {
        () if kind.is_char_device() || kind.is_block_device() => Some("a device"),
        () if kind.is_socket() => Some("a socket"),
        () if kind.is_fifo() && !is_descriptor() => Some("a pipe with a name; `-` reads from a pipe"),
        () => None,
    }
}
#[cfg(not(unix))]
fn endless(_: &Metadata, _: &Path) -> Option<&'static str> {
    None
}

/// What is said of a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Diagnostic {
    let name = shown(path);
    match error.kind() {
        ErrorKind::NotFound => {
            let diagnostic = Diagnostic::error(code::FILE_NOT_FOUND, format!("there is no file `{name}`"));
            similar(path, |_| false).into_iter().fold(diagnostic, |it, name| it.help(format!("did you mean `{name}`?")))
        }
        ErrorKind::IsADirectory => Diagnostic::error(code::FILE_IS_DIRECTORY, format!("`{name}` is a folder")),
        ErrorKind::FileTooLarge => {
            let message = format!("`{name}` is larger than {} MiB", MOST_BYTES >> 20);
            Diagnostic::error(code::FILE_TOO_LARGE, message)
        }
        _ => Diagnostic::error(code::FILE_UNREADABLE, format!("`{name}` cannot be read: {}", reason(error))),
    }
}

/// A file or folder beside this path whose name may have been meant; programs may be named without their ending.
pub fn similar(path: &Path, is_program: fn(&Path) -> bool) -> Option<String> {
    /// Entries of a folder that are looked at.
    const MOST: usize = 10_000;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> =
        entries.take(MOST).flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    // The same name with another ending is meant rather than another name.
    let is_same = |name: &&String| Path::new(name).file_stem() == path.file_stem();
    let same: Vec<&[u8]> = names.iter().filter(is_same).map(String::as_bytes).collect();
    if let [one] = same[..] {
        names = vec![String::from_utf8_lossy(one).into_owned()];
    }
    let called = |name: &'_ str| match path.extension() {
        None if is_program(Path::new(name)) => {
            Path::new(name).file_stem().and_then(|stem| stem.to_str()).map(str::to_string)
        }
        _ => Some(name.to_string()),
    };
    let called: Vec<String> = names.iter().map(|name| called(name).unwrap_or_default()).collect();
    let near = nearest(path.file_name()?.to_str()?.as_bytes(), called.iter().map(String::as_bytes))?;
    // A program rather than what was made of it.
    let found = names.iter().zip(&called).filter(|(_, called)| called.as_bytes() == near).map(|(name, _)| name);
    let near = Path::new(found.min_by_key(|name| !is_program(Path::new(name)))?);
    Some(folder.map_or_else(|| near.to_path_buf(), |folder| folder.join(near)).display().to_string())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_may_never_end_is_refused() {
        let text = |path: &str| {
            let path = Path::new(path);
            unreadable(path, &read(path).expect_err("it is no file")).message
        };
        assert_eq!(text("/dev/zero"), "`/dev/zero` cannot be read: it is a device");
        assert_eq!(text("/"), "`/` is a folder");
        assert_eq!(text("/there/is/none"), "there is no file `/there/is/none`");
    }

    #[test]
    fn an_endless_pipe_has_a_limit() {
        let error = limited(io::repeat(0), 0).expect_err("it has no end");
        let message = unreadable(Path::new(STDIN), &error).message;
        assert_eq!(message, "`<stdin>` is larger than 256 MiB");
    }
}
