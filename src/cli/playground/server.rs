//! The server of `cleave playground`: static files, for browsers of this machine alone.
//!
//! A connection serves one request. What may come from a page elsewhere, or from a program that wants to keep the
//! server busy, ends early: a request names this server as its host (a name that somebody else has given to this
//! machine is refused), is short, arrives in time, and is one of few at once. Answers tell the browser to load nothing
//! from elsewhere.

use super::{Found, INDEX, Page};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A request is a few lines; what is longer comes from no browser.
const LONGEST_REQUEST: u64 = 16 << 10;
/// Time for a request, and again for its answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at once. A browser opens six.
const MOST_CONNECTIONS: usize = 64;

/// What a page may load and do: scripts, styles and data of its own, its workers, WebAssembly. Its editor adds styles.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Serves a page until somebody ends the process.
pub fn serve(listener: &TcpListener, page: Page) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let shared = Arc::new((page, hosts, AtomicUsize::new(0)));
    for stream in listener.incoming().flatten() {
        let shared = Arc::clone(&shared);
        if shared.2.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
            // Without a thread: nothing is read, and a short answer fits into what the system keeps for a connection.
            let _ = Answer::text("503 Libcall Unavailable", b"too many connections\n").send(&stream, true);
            shared.2.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        std::thread::spawn(move || {
            let (page, hosts, open) = &*shared;
            // A connection that breaks is none.
            let _ = answer(&stream, page, hosts);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

/// A line of a request, in the time that is left.
fn line(reader: &mut BufReader<io::Take<&TcpStream>>, stream: &TcpStream, end: Instant) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    while line.last() != Some(&b'\n') {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let taken = reader.fill_buf()?;
        let count = taken.iter().position(|byte| *byte == b'\n').map_or(taken.len(), |at| at + 1);
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        line.extend_from_slice(&taken[..count]);
        reader.consume(count);
    }
    Ok(line)
}

/// Answers one request.
fn answer(stream: &TcpStream, page: &Page, hosts: &[String]) -> io::Result<()> {
    let end = Instant::now() + PATIENCE;
    let mut reader = BufReader::new(stream.take(LONGEST_REQUEST));
    let request = String::from_utf8_lossy(&line(&mut reader, stream, end)?).into_owned();
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // The connection is closed with all that was sent read, else the browser may see an error.
    let mut named = Vec::new();
    loop {
        let header = line(&mut reader, stream, end)?;
        let header = String::from_utf8_lossy(header.trim_ascii()).into_owned();
        match header.split_once(':') {
            _ if header.is_empty() => break,
            Some((name, value)) if name.eq_ignore_ascii_case("host") => named.push(value.trim().to_ascii_lowercase()),
            _ => {}
        }
    }
    stream.set_write_timeout(Some(PATIENCE))?;
    let with_body = method != "HEAD";
    if !matches!(&named[..], [host] if hosts.contains(host)) {
        return Answer::text("421 Misdirected Request", b"not the name of this server\n").send(stream, with_body);
    }
    if method != "GET" && method != "HEAD" {
        return Answer::text("405 Method Not Allowed", b"only GET\n").send(stream, with_body);
    }
    let name = path.split(['?', '#']).next().unwrap_or_default();
    let name = name.strip_prefix('/').unwrap_or(name);
    let name = if name.is_empty() { INDEX } else { name };
    match page.find(name) {
        Some(Found { bytes, compressed }) => {
            Answer { status: "200 OK", kind: kind(name), compressed, body: &bytes }.send(stream, with_body)
        }
        None => Answer::text("404 Not Found", b"not found\n").send(stream, with_body),
    }
}

/// The type of a file by its ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

struct Answer<'a> {
    status: &'a str,
    kind: &'a str,
    compressed: bool,
    body: &'a [u8],
}

impl<'a> Answer<'a> {
    fn text(status: &'a str, body: &'a [u8]) -> Answer<'a> {
        Answer { status, kind: "text/plain", compressed: false, body }
    }

    /// Pages that are isolated from other origins have exact clocks.
    fn send(&self, mut stream: &TcpStream, with_body: bool) -> io::Result<()> {
        let encoding = if self.compressed { "Content-Encoding: gzip\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{encoding}Connection: close\r\n\
             Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {POLICY}\r\n\r\n",
            self.status,
            self.kind,
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        if with_body { stream.write_all(self.body) } else { Ok(()) }
    }
}
