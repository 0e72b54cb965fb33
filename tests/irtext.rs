//! Writes functions in IR text, for tests that make programs.

use std::fmt::Write as _;

/// Lines of a block, with fresh values.
#[derive(Default)]
pub struct Body {
    /// The lines so far.
    pub text: String,
    /// Number of the next value.
    pub next: usize,
}

impl Body {
    /// Continues after the parameters of the function.
    pub fn after(params: usize) -> Body {
        Body { text: String::new(), next: params }
    }
    pub fn value(&mut self, instruction: &str) -> String {
        let name = format!("v{}", self.next);
        self.next += 1;
        let _ = writeln!(self.text, "  {name} = {instruction}");
        name
    }
    pub fn effect(&mut self, instruction: &str) {
        let _ = writeln!(self.text, "  {instruction}");
    }
    pub fn int(&mut self, n: i64) -> String {
        self.value(&format!("iconst.i64 {n}"))
    }
    /// Prints a value of a type as an integer and a blank.
    pub fn print(&mut self, value: &str, ty: &str) {
        let word = match ty {
            "i64" => value.to_string(),
            "i32" => self.value(&format!("extend_s {value}")),
            _ => self.value(&format!("real_to_int {value}")),
        };
        self.effect(&format!("call_rt print_int({word})"));
        let blank = self.int(32);
        self.effect(&format!("call_rt print_char({blank})"));
    }
}

/// Items with commas between.
pub fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
