//! `cleave playground`: serves the page of the playground to browsers of this machine.
//!
//! The files are embedded with the feature `playground`, or lie in a folder that `sh playground/build.sh` has made. All
//! is static: nothing that a page does reaches this process. A connection serves one request; the page needs a dozen.

mod server;

use crate::cli::exit_code::{FAILURE, written};
use crate::driver::input;
use crate::driver::output::{reason, write_stderr, write_stdout};
use crate::driver::session::{Outcome, Session};
use clap::{Args, ValueHint};
use cleave_diag::{Diagnostic, code};
use std::borrow::Cow;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// The page compiles and runs programs in the browser, with the compiler as WebAssembly. It loads nothing from
/// elsewhere, and only this machine can reach the server. Ctrl-C ends it.
#[derive(Debug, Args)]
pub struct PlaygroundArgs {
    /// The port of the server; 0 is any free one [default: 8177, or a free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    pub open: bool,
    /// Serve the page from this folder, as playground/build.sh has made it [default: the page that is built in]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}

const PORT: u16 = 8177;
/// The page that a visitor asks for without naming it.
const INDEX: &str = "index.html";

/// Where the files of the page are.
pub enum Page {
    Folder(PathBuf),
    Packed(Vec<(&'static str, &'static [u8])>),
}

/// A file of the page.
#[derive(PartialEq, Debug)]
pub struct Found<'p> {
    pub bytes: Cow<'p, [u8]>,
    /// With gzip.
    pub compressed: bool,
}

impl Page {
    /// A file by its path from the index on. In a folder it is a plain file that lies there: no link leads out of it.
    pub fn find(&self, name: &str) -> Option<Found<'_>> {
        match self {
            Page::Folder(folder) => {
                let name = Path::new(name);
                if !name.components().all(|part| matches!(part, Component::Normal(_))) {
                    return None;
                }
                let path = folder.join(name).canonicalize().ok()?;
                if !path.starts_with(folder) || !path.is_file() {
                    return None;
                }
                Some(Found { bytes: input::read(&path).ok()?.into(), compressed: false })
            }
            Page::Packed(files) => {
                let file = files.iter().find(|file| file.0 == name)?;
                Some(Found { bytes: file.1.into(), compressed: !name.ends_with(".gz") })
            }
        }
    }
}

/// What playground/build.sh packs: for each file a line with its name and its length, then its bytes, compressed unless
/// they are so already.
pub fn unpacked(mut pack: &'static [u8]) -> Option<Vec<(&'static str, &'static [u8])>> {
    let mut files = Vec::new();
    while !pack.is_empty() {
        let end = pack.iter().position(|byte| *byte == b'\n')?;
        let (name, length) = std::str::from_utf8(&pack[..end]).ok()?.rsplit_once(' ')?;
        let (bytes, rest) = pack[end + 1..].split_at_checked(length.parse().ok()?)?;
        files.push((name, bytes));
        pack = rest;
    }
    Some(files)
}

#[cfg(feature = "playground")]
const PACK: Option<&[u8]> = Some(include_bytes!(env!("CLEAVE_PLAYGROUND_PACK")));
#[cfg(not(feature = "playground"))]
const PACK: Option<&[u8]> = None;

fn page(session: &mut Session, args: &PlaygroundArgs) -> Outcome<Page> {
    if let Some(folder) = &args.folder {
        if folder.join(INDEX).is_file()
            && let Ok(folder) = folder.canonicalize()
        {
            return Ok(Page::Folder(folder));
        }
        let message = format!("`{}` holds no page: there is no `{INDEX}` in it", folder.display());
        let help = "`sh playground/build.sh`, in the sources of cleave, makes the folder target/playground/page";
        return Err(session.fail(Diagnostic::error(code::FILE_NOT_FOUND, message).help(help)));
    }
    match PACK.and_then(unpacked) {
        Some(files) => Ok(Page::Packed(files)),
        None => {
            let help = "`sh playground/build.sh`, in the sources of cleave, makes it (with npm); then --folder \
                        target/playground/page serves it, and `cargo install --path . --features playground` builds \
                        it in";
            let message = "the page of the playground is not built into this version";
            Err(session.fail(Diagnostic::error(code::NOT_BUILT_IN, message).help(help)))
        }
    }
}

/// Serves the page until somebody ends the process.
pub fn run(session: &mut Session, args: &PlaygroundArgs) -> Outcome<i32> {
    let page = page(session, args)?;
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = match args.port {
        Some(port) => bind(port),
        None => bind(PORT).or_else(|_| bind(0)),
    };
    let bound = listener.and_then(|listener| listener.local_addr().map(|address| (listener, address)));
    let (listener, address) = bound.map_err(|error| {
        let port = args.port.unwrap_or(PORT);
        let message = format!("port {port} of this machine cannot be used: {}", reason(&error));
        session
            .fail(Diagnostic::error(code::OUTPUT_UNWRITABLE, message).help("--port names another one, 0 any free one"))
    })?;
    let url = format!("http://{address}/");
    if written(write_stdout(format!("{url}\n").as_bytes())) != 0 {
        return Ok(FAILURE);
    }
    if args.open && !open(&url) {
        write_stderr("cleave: no browser could be started; open the address yourself\n");
    }
    if let Err(error) = server::serve(&listener, page) {
        write_stderr(&format!("cleave: {}\n", reason(&error)));
        return Ok(FAILURE);
    }
    Ok(0)
}

/// Starts the browser of the system.
fn open(url: &str) -> bool {
    let words: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["cmd", "/C", "start", ""],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
