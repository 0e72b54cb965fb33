//! Messages as bytes: a few lines, an empty one, and so much JSON as the lines say. What is torn or no message is told
//! as such, and reading goes on after it.

use crate::driver::json::{Value, object};
use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Messages are as long as files; what is longer is none.
const LONGEST: usize = 256 << 20;
/// Lines before a message are short.
const LONGEST_LINE: u64 = 1 << 16;
/// In which the length of a message stands.
const LENGTH: &[u8] = b"content-length:";

/// What was read.
pub enum Incoming {
    Message(Value),
    /// Bytes that are no message, and why.
    Malformed(&'static str),
}

/// The length that a line says, wherever in the line: something torn may stand before it.
fn length(line: &[u8]) -> Option<Option<usize>> {
    let at = line.windows(LENGTH.len()).rposition(|part| part.eq_ignore_ascii_case(LENGTH))?;
    let value = line[at + LENGTH.len()..].trim_ascii();
    Some(std::str::from_utf8(value).ok().and_then(|value| value.parse().ok()))
}

/// Reads the next message; nothing at the end.
pub fn read(input: &mut impl BufRead) -> Option<Incoming> {
    let mut said: Option<Option<usize>> = None;
    let mut is_first = true;
    let length = loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        said = length(&line).or(said);
        if line.trim_ascii().is_empty() {
            match said {
                Some(length) => break length,
                // Empty lines between messages harm nobody.
                None if is_first => continue,
                None => return Some(Incoming::Malformed("a message begins with a line `Content-Length`")),
            }
        }
        is_first = false;
    };
    let Some(length) = length else { return Some(Incoming::Malformed("`Content-Length` is followed by a number")) };
    if length > LONGEST {
        std::io::copy(&mut input.by_ref().take(length as u64), &mut std::io::sink()).ok()?;
        return Some(Incoming::Malformed("the message is too long"));
    }
    let mut bytes = Vec::new();
    // As much as there is: who says a large number need not send so much.
    if input.by_ref().take(length as u64).read_to_end(&mut bytes).ok()? < length {
        return None;
    }
    let value = std::str::from_utf8(&bytes).ok().and_then(Value::parse);
    Some(value.map_or(Incoming::Malformed("the message is no JSON"), Incoming::Message))
}

/// Writes a message.
pub fn write<const N: usize>(fields: [(&str, Value); N]) -> std::io::Result<()> {
    let Value::Object(mut fields) = object(fields) else { unreachable!("an object was made") };
    fields.insert(0, ("jsonrpc".into(), "2.0".into()));
    let text = Value::Object(fields).to_string();
    let mut out = std::io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// Answers with an error.
pub fn refuse(id: &Value, code: i32, message: &str) -> std::io::Result<()> {
    let error = object([("code", Value::Number(code.into())), ("message", message.into())]);
    write([("id", id.clone()), ("error", error)])
}

/// Messages that wait, and which of them nobody wants an answer to any more.
pub struct Queue {
    messages: Receiver<Incoming>,
    waiting: VecDeque<Incoming>,
    cancelled: BTreeSet<String>,
    is_over: bool,
}

/// What there is to do.
pub enum Next {
    Do(Incoming),
    /// Nothing was said for a while.
    Idle,
    End,
}

impl Queue {
    pub fn new(messages: Receiver<Incoming>) -> Queue {
        Queue { messages, waiting: VecDeque::new(), cancelled: BTreeSet::new(), is_over: false }
    }

    fn add(&mut self, incoming: Incoming) {
        if let Incoming::Message(message) = &incoming
            && message.get(&["method"]).and_then(Value::as_text) == Some("$/cancelRequest")
            && let Some(id) = message.get(&["params", "id"])
        {
            self.cancelled.insert(id.to_string());
        }
        self.waiting.push_back(incoming);
    }

    /// Takes all that has come, to know what is cancelled.
    pub fn gather(&mut self) {
        while let Ok(incoming) = self.messages.try_recv() {
            self.add(incoming);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next message, for which it waits so long.
    pub fn next(&mut self, patience: Option<Duration>) -> Next {
        self.gather();
        if let Some(incoming) = self.waiting.pop_front() {
            return Next::Do(incoming);
        }
        if self.is_over {
            return Next::End;
        }
        let received = match patience {
            Some(patience) => self.messages.recv_timeout(patience),
            None => self.messages.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(incoming) => {
                self.add(incoming);
                self.next(patience)
            }
            Err(RecvTimeoutError::Timeout) => Next::Idle,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_over = true;
                Next::End
            }
        }
    }

    /// True if the answer to this request is not wanted.
    pub fn is_cancelled(&mut self, id: &Value) -> bool {
        self.cancelled.remove(&id.to_string())
    }
}
