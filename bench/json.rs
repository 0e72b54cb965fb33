//! A value of JSON and its text. Objects keep the order in which they were made.

use std::fmt::{self, Display, Formatter};

#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Number(f64),
    Integer(u64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// An object of the named values.
    pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
        Json::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn numbers(values: &[f64]) -> Json {
        Json::List(values.iter().map(|&value| Json::Number(value)).collect())
    }

    /// Lists of numbers stay on one line, everything else gets a line of its own.
    fn write(&self, out: &mut Formatter, depth: usize) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            // JSON knows no infinities and no NaN.
            Json::Number(value) if !value.is_finite() => out.write_str("null"),
            Json::Number(value) => write!(out, "{value}"),
            Json::Integer(value) => write!(out, "{value}"),
            Json::Text(text) => write_text(out, text),
            Json::List(items) => {
                let short = items.iter().all(|item| matches!(item, Json::Number(_) | Json::Integer(_)));
                sequence(out, depth, short, ['[', ']'], items.iter(), |out, item| item.write(out, depth + 1))
            }
            Json::Object(fields) => sequence(out, depth, false, ['{', '}'], fields.iter(), |out, (name, value)| {
                write_text(out, name)?;
                out.write_str(": ")?;
                value.write(out, depth + 1)
            }),
        }
    }
}

fn sequence<T>(
    out: &mut Formatter,
    depth: usize,
    short: bool,
    brackets: [char; 2],
    items: impl ExactSizeIterator<Item = T>,
    mut write: impl FnMut(&mut Formatter, T) -> fmt::Result,
) -> fmt::Result {
    let empty = items.len() == 0;
    write!(out, "{}", brackets[0])?;
    for (index, item) in items.enumerate() {
        match (short, index) {
            (true, 0) => {}
            (true, _) => out.write_str(", ")?,
            (false, 0) => write!(out, "\n{:1$}", "", 2 * (depth + 1))?,
            (false, _) => write!(out, ",\n{:1$}", "", 2 * (depth + 1))?,
        }
        write(out, item)?;
    }
    if !short && !empty {
        write!(out, "\n{:1$}", "", 2 * depth)?;
    }
    write!(out, "{}", brackets[1])
}

fn write_text(out: &mut Formatter, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            control if (control as u32) < 32 => write!(out, "\\u{:04x}", control as u32)?,
            other => write!(out, "{other}")?,
        }
    }
    out.write_str("\"")
}

impl Display for Json {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        self.write(out, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_values() {
        let value = Json::object([("a\"b", Json::numbers(&[1.0, 0.5])), ("c", Json::List(vec![])), ("d", Json::Null)]);
        assert_eq!(value.to_string(), "{\n  \"a\\\"b\": [1, 0.5],\n  \"c\": [],\n  \"d\": null\n}");
        assert_eq!(Json::Number(f64::NAN).to_string(), "null");
    }
}
