//! Refuses files that are no ABC text at all: empty, too large or binary. First step of `parse`; one error per file.

use cleave_diag::{Diagnostic, FileId, MAX_FILE_BYTES, Span, code};

/// What can be said about a file without reading its lines.
pub(crate) fn refuse_whole_file(file: FileId, bytes: &[u8]) -> Option<Diagnostic> {
    let at = |offset: usize| Span::new(file, offset as u32, offset as u32);
    if bytes.iter().all(|byte| byte.is_ascii_whitespace()) {
        return Some(
            Diagnostic::error(code::FILE_EMPTY, "the file is empty")
                .at(at(0), "")
                .help("compile the Clean module again"),
        );
    }
    if bytes.len() > MAX_FILE_BYTES {
        return Some(Diagnostic::error(code::FILE_TOO_LARGE, "the file is larger than 4 GiB").at(at(0), ""));
    }
    // A search for a byte goes by words; what follows goes byte by byte.
    let nul = bytes.contains(&0).then(|| bytes.iter().position(|&byte| byte == 0))??;
    let message = "this is a binary file, not ABC assembly";
    Some(
        Diagnostic::error(code::FILE_NOT_ABC, message)
            .at(at(nul), "a NUL byte")
            .help("name the .abc file that the Clean compiler wrote"),
    )
}
