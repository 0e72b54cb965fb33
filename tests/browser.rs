//! A browser for tests: headless Chromium, and the server of the files that it loads and of the results that it posts.
//!
//! The server knows just what such a test needs: GET of files below a folder, POST of anything. All pages are
//! cross-origin isolated, as shared memory demands. Every connection serves one request.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Names under which the browser is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Something that the page has posted.
#[derive(Clone, Debug)]
pub struct Posted {
    pub path: String,
    pub body: Vec<u8>,
}

/// The command of a browser that starts.
pub fn find() -> Option<&'static str> {
    let starts = |name: &&str| {
        let version = Command::new(name).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    NAMES.into_iter().find(|name| starts(name))
}

struct Browser {
    child: Child,
    profile: PathBuf,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// Opens `page.html` of a folder and returns what is posted before `/done`.
pub fn visit(browser: &str, folder: &Path, limit: Duration) -> Result<Vec<Posted>, String> {
    let text = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind("127.0.0.1:0").map_err(text)?;
    let address = listener.local_addr().map_err(text)?;
    let (sender, receiver) = channel();
    let root = folder.to_path_buf();
    // The thread ends with the tests.
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (root, sender) = (root.clone(), sender.clone());
            std::thread::spawn(move || serve(&stream, &root, &sender));
        }
    });
    let profile = folder.join("profile");
    let _ = fs::remove_dir_all(&profile);
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]);
    command.args(["--disable-extensions", "--disable-background-networking", "--disable-component-update"]);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("http://{address}/page.html"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut browser = Browser { child: command.spawn().map_err(text)?, profile };
    collect(&receiver, &mut browser, limit)
}

fn collect(receiver: &Receiver<Posted>, browser: &mut Browser, limit: Duration) -> Result<Vec<Posted>, String> {
    let begin = Instant::now();
    let mut all = Vec::new();
    loop {
        match receiver.recv_timeout(Duration::from_millis(200)) {
            Ok(posted) if posted.path == "/done" => return Ok(all),
            Ok(posted) => all.push(posted),
            Err(RecvTimeoutError::Disconnected) => return Err("the server has ended".into()),
            Err(RecvTimeoutError::Timeout) => {
                if let Ok(Some(status)) = browser.child.try_wait() {
                    return Err(format!("the browser ended with {status}"));
                }
            }
        }
        if begin.elapsed() > limit {
            let last = all.last().map_or("nothing", |posted: &Posted| posted.path.as_str());
            return Err(format!("not ready after {} seconds; the last result: {last}", limit.as_secs()));
        }
    }
}

/// Answers one request. A connection that breaks is none.
fn serve(stream: &TcpStream, root: &Path, sender: &Sender<Posted>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_string(), words.next()?.to_string());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    if method == "POST" {
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        sender.send(Posted { path, body }).ok()?;
        return answer(stream, "200 OK", "text/plain", b"");
    }
    let name = path.trim_start_matches('/');
    match fs::read(root.join(name)) {
        Ok(bytes) if !name.split('/').any(|part| part == "..") => answer(stream, "200 OK", kind(name), &bytes),
        _ => answer(stream, "404 Not Found", "text/plain", b""),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("mjs") => "text/javascript",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

fn answer(mut stream: &TcpStream, status: &str, kind: &str, body: &[u8]) -> Option<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Embedder-Policy: require-corp\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()
}

/// Text with the escapes of a URL.
pub fn unescaped(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let hex = |byte: u8| char::from(byte).to_digit(16);
        match byte {
            b'%' => {
                let digits = bytes.next().and_then(hex).zip(bytes.next().and_then(hex));
                out.push(digits.map_or(b'?', |(high, low)| (16 * high + low) as u8));
            }
            byte => out.push(byte),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
