//! How the stepper shows where a program is, its variables, its calls and its heap.

use super::commands::Terminal;
use crate::driver::interpret;
use cleave_diag::FileId;
use cleave_interp::debug::{Debugger, Event, Object, ObjectKind, Root, Shown, Stop, Where, name};
use cleave_ir::Location;
use std::io::Result;
use std::ops::RangeInclusive;

/// A value on one line; what has an address is named by it, too.
pub fn value(debugger: &Debugger, value: &Shown) -> String {
    let text = debugger.text(value);
    match *value {
        Shown::Object(address) if debugger.object(address).is_some_and(|object| !object.is_static) => {
            format!("{} {text}", name(address))
        }
        _ => text,
    }
}

impl Terminal<'_, '_> {
    /// After a step: what the program has printed, why it stands still, what happened, and where it is.
    pub(super) fn arrived(&mut self, stop: Stop) -> Result<()> {
        self.frame = 0;
        self.new_output()?;
        match stop {
            Stop::Breakpoint(number) => writeln!(self.out, "breakpoint {}", number + 1)?,
            Stop::Beginning => writeln!(self.out, "this is the beginning")?,
            Stop::Limit => writeln!(self.out, "it goes on and on; `run` lets it")?,
            Stop::Stepped | Stop::Ended => {}
        }
        for event in self.debugger.events().to_vec() {
            self.event(event)?;
        }
        if self.debugger.ended().is_some() { self.end() } else { self.place() }
    }

    fn end(&mut self) -> Result<()> {
        let Some(ended) = self.debugger.ended().cloned() else { return Ok(()) };
        if let Some(trap) = &ended.trap {
            self.place()?;
            writeln!(self.out, "{}", interpret::describe(trap))?;
        }
        let time = self.debugger.time();
        writeln!(self.out, "the program has ended with status {} at time {time}", interpret::status(&ended))
    }

    fn event(&mut self, event: Event) -> Result<()> {
        let word = event.kind.word();
        match event.object.and_then(|object| self.debugger.object(object)) {
            Some(object) if object.kind != ObjectKind::Free => {
                let count = object.count.map_or(String::new(), |count| format!("  count {count}"));
                let text = self.debugger.object_text(&object);
                writeln!(self.out, "  {word} {} {text}{count}", name(object.address))
            }
            _ => match event.object {
                Some(object) => writeln!(self.out, "  {word} {}", name(object)),
                None => writeln!(self.out, "  {word}"),
            },
        }
    }

    /// Where the call that is looked at is.
    pub(super) fn place(&mut self) -> Result<()> {
        let Some(activation) = self.debugger.activation(self.frame) else {
            return writeln!(self.out, "the program has ended");
        };
        let (at, time) = (activation.at, self.debugger.time());
        let depth = self.debugger.depth();
        writeln!(self.out, "{}: in {}, {depth} deep, time {time}", self.location(at), activation.function)?;
        if self.text_of(at).is_some() {
            self.lines_of(at, at.line..=at.line)?;
        } else if let Some(text) = self.debugger.instruction(self.frame) {
            writeln!(self.out, "  {text}")?;
        }
        Ok(())
    }

    fn location(&self, at: Location) -> String {
        let file = self.sources.files().nth(usize::from(at.file)).filter(|_| at.is_known());
        match file {
            Some((_, file)) => format!("{}:{}:{}", file.name, at.line, at.column),
            None => "(no source)".into(),
        }
    }

    /// The bytes of the file of a location.
    fn text_of(&self, at: Location) -> Option<&[u8]> {
        let is_there = at.is_known() && usize::from(at.file) < self.sources.files().len();
        is_there.then(|| &self.sources.file(FileId(at.file.into())).bytes[..])
    }

    /// Lines of the file of a location, with a mark below that of the location.
    fn lines_of(&mut self, at: Location, lines: RangeInclusive<u32>) -> Result<()> {
        let all = self.text_of(at).into_iter().flat_map(|text| text.split(|&byte| byte == b'\n'));
        let first = lines.start().saturating_sub(1) as usize;
        let mut shown = String::new();
        for (line, text) in lines.zip(all.skip(first)) {
            let text = String::from_utf8_lossy(text);
            let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            shown += &format!("{line:>5} | {}\n", text.trim_end());
            if line == at.line {
                shown += &format!("      | {:>width$}\n", "^", width = usize::from(at.column));
            }
        }
        write!(self.out, "{shown}")
    }

    pub(super) fn source(&mut self, around: u32) -> Result<()> {
        let at = self.debugger.activation(self.frame).map_or(Location::NONE, |activation| activation.at);
        if self.text_of(at).is_none() {
            return writeln!(self.out, "there is no source for this place");
        }
        self.lines_of(at, at.line.saturating_sub(around).max(1)..=at.line.saturating_add(around))
    }

    pub(super) fn breakpoints(&mut self) -> Result<()> {
        let list: Vec<_> = self.debugger.breakpoints().map(|(number, point)| (number, point.clone())).collect();
        if list.is_empty() {
            return writeln!(self.out, "there are no breakpoints");
        }
        for (number, point) in list {
            let place = match &point.wanted {
                Where::Function(name) => format!("function {name}"),
                Where::Line(file, line) => {
                    let file = self.sources.files().nth(usize::from(*file)).map_or("", |(_, file)| &file.name);
                    format!("{file}:{}", point.line.unwrap_or(*line))
                }
            };
            writeln!(self.out, "breakpoint {}: {place}", number + 1)?;
        }
        Ok(())
    }

    pub(super) fn variables(&mut self) -> Result<()> {
        let variables = self.debugger.variables(self.frame);
        if variables.is_empty() {
            return writeln!(self.out, "no variables are known here");
        }
        for variable in variables {
            writeln!(self.out, "  {} = {}", variable.name, value(&self.debugger, &variable.value))?;
        }
        Ok(())
    }

    pub(super) fn stack(&mut self, most: usize) -> Result<()> {
        for (number, activation) in self.debugger.activations(most).into_iter().enumerate() {
            let mark = if number == self.frame { '*' } else { ' ' };
            writeln!(self.out, "{mark}{number:>3} {} at {}", activation.function, self.location(activation.at))?;
        }
        let more = self.debugger.depth().saturating_sub(most);
        if more > 0 {
            writeln!(self.out, "     … {more} more")?;
        }
        Ok(())
    }

    pub(super) fn object(&mut self, object: &Object) -> Result<()> {
        writeln!(self.out, "{}", self.object_line(object, &[]))
    }

    fn object_line(&self, object: &Object, roots: &[Root]) -> String {
        let mut line = format!("  {:<8} {}", name(object.address), self.debugger.object_text(object));
        let mut notes = Vec::new();
        notes.extend(object.count.map(|count| format!("count {count}")));
        if object.is_static {
            notes.push("static".into());
        }
        if object.kind != ObjectKind::Node {
            notes.push(object.kind.word().into());
        }
        let holders: Vec<String> = roots.iter().filter(|root| root.object == object.address).map(holder).collect();
        if !holders.is_empty() {
            notes.push(format!("← {}", holders.join(", ")));
        }
        if !notes.is_empty() {
            let gap = 44usize.saturating_sub(line.chars().count()).max(2);
            line.push_str(&" ".repeat(gap));
            line.push_str(&notes.join("  "));
        }
        line
    }

    pub(super) fn heap(&mut self, most: usize) -> Result<()> {
        let heap = self.debugger.heap(most);
        if heap.objects.is_empty() {
            return writeln!(self.out, "no cell is alive");
        }
        for (number, object) in heap.objects.iter().enumerate() {
            if number == heap.named {
                writeln!(self.out, "no variable leads to")?;
            }
            let line = self.object_line(object, &heap.roots);
            writeln!(self.out, "{line}")?;
        }
        if heap.is_cut {
            writeln!(self.out, "  … more cells; `heap N` shows N")?;
        }
        Ok(())
    }

    pub(super) fn counts(&mut self) -> Result<()> {
        let counters = self.debugger.counters();
        let rows = [
            ("allocations", counters.allocations),
            ("reuses", counters.reuses),
            ("failed reuses", counters.failed_reuses),
            ("frees", counters.frees),
            ("cells alive", counters.alive()),
            ("retains", counters.retains),
            ("releases", counters.releases),
            ("peak cells", counters.peak_objects),
            ("peak bytes", counters.peak_bytes),
            ("collections", self.debugger.collections()),
        ];
        for (name, count) in rows {
            writeln!(self.out, "  {count:>10}  {name}")?;
        }
        Ok(())
    }

    /// What the program has printed since the last time; after a step back nothing is new.
    fn new_output(&mut self) -> Result<()> {
        let all = [self.debugger.stdout().to_vec(), self.debugger.stderr().to_vec()];
        for (index, bytes) in all.iter().enumerate() {
            let new = bytes.get(self.shown[index]..).unwrap_or_default();
            self.shown[index] = bytes.len();
            for line in String::from_utf8_lossy(new).lines() {
                writeln!(self.out, "  | {line}")?;
            }
        }
        Ok(())
    }

    pub(super) fn all_output(&mut self) -> Result<()> {
        let all = self.debugger.stdout().to_vec();
        if all.is_empty() {
            return writeln!(self.out, "the program has printed nothing");
        }
        for line in String::from_utf8_lossy(&all).lines() {
            writeln!(self.out, "  | {line}")?;
        }
        Ok(())
    }
}

/// Who holds a cell.
fn holder(root: &Root) -> String {
    match root.activation {
        None => format!("constant {}", root.name),
        Some(0) => root.name.clone(),
        Some(number) => format!("{} of call {number}", root.name),
    }
}
