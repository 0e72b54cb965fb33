//! Conversations at a terminal, which `script` (of util-linux) makes: history, completion, entries of several lines.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What the editor of lines writes whenever it is ready for an entry.
const READY: &str = "\x1b[?2004h";
const LIMIT: Duration = Duration::from_secs(60);

/// Can a terminal be made here?
pub fn is_there() -> bool {
    Command::new("script").arg("--version").output().is_ok()
}

struct Terminal {
    child: Child,
    output: Arc<Mutex<Vec<u8>>>,
    entries: usize,
}

impl Terminal {
    fn start(arguments: &str, folder: &Path, as_compiler: &str) -> Result<Terminal, String> {
        let exe = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut child = Command::new("script")
            .args(["-qfec", &format!("'{}' {arguments}", exe.display()), "/dev/null"])
            .env(as_compiler, "1")
            .env("CLEAVE_CACHE", folder)
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let output = Arc::new(Mutex::new(Vec::new()));
        let (mut stdout, kept) = (child.stdout.take().ok_or("no output")?, Arc::clone(&output));
        thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut part) {
                kept.lock().expect("nobody panics with it").extend(&part[..count]);
            }
        });
        Ok(Terminal { child, output, entries: 0 })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.lock().expect("nobody panics with it")).into_owned()
    }

    fn wait(&self, what: &str, count: usize) -> Result<(), String> {
        let begin = Instant::now();
        while self.text().matches(what).count() < count {
            if begin.elapsed() > LIMIT {
                return Err(format!("{what:?} is not there {count} times: {:?}", self.text()));
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    /// Types keys when the editor is ready for an entry.
    fn keys(&mut self, keys: &str) -> Result<(), String> {
        self.entries += 1;
        self.wait(READY, self.entries)?;
        let stdin = self.child.stdin.as_mut().ok_or("no input")?;
        stdin.write_all(keys.as_bytes()).and_then(|()| stdin.flush()).map_err(|error| error.to_string())
    }

    /// Ends the input of the terminal, and waits for the end.
    fn end(mut self) -> Result<(), String> {
        self.keys("\x04")?;
        let status = self.child.wait().map_err(|error| error.to_string())?;
        if status.success() { Ok(()) } else { Err(format!("{status}: {:?}", self.text())) }
    }
}

/// `as_compiler` is the variable by which this program is the compiler.
pub fn prompt(folder: &Path, as_compiler: &str) -> Result<(), String> {
    let mut terminal = Terminal::start("repl", folder, as_compiler)?;
    // Two lines are one entry, which the arrow brings back as a whole.
    terminal.keys("Int: Int\ntwiceAs n = n + n;\n")?;
    terminal.keys("twic\t(21)\n")?;
    terminal.wait("42: Int", 1)?;
    terminal.keys("\x1b[A\n")?;
    terminal.wait("42: Int", 2)?;
    terminal.keys(":ty\t twiceAs(1)\n")?;
    terminal.end()?;
    // What was typed before is there in the next conversation; control-C gives up what is typed.
    let mut terminal = Terminal::start("repl", folder, as_compiler)?;
    terminal.keys("nonsense\x03")?;
    terminal.keys("\x1b[A\x1b[A\n")?;
    terminal.wait("there is no function `twiceAs`", 1)?;
    terminal.end()?;
    let mut terminal = Terminal::start("repl --language sam", folder, as_compiler)?;
    terminal.keys("\"ab\".toI\t()\n")?;
    terminal.wait("\"ab\".toInt", 1)?;
    terminal.end()
}
