//! Values of JSON: read, made and written. Objects keep the order of their fields.

use cleave_diag::json_string;
use std::fmt::{self, Display, Formatter, Write};

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

/// What nests deeper is refused: no editor sends it.
const MAX_DEPTH: usize = 100;

impl Value {
    /// Nothing if the text is no JSON.
    pub fn parse(text: &str) -> Option<Value> {
        Value::parse_or_place(text).ok()
    }

    /// The same, or the number of the byte from which on the text is no JSON.
    pub fn parse_or_place(text: &str) -> Result<Value, usize> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0);
        reader.skip();
        value.filter(|_| reader.at == text.len()).ok_or(reader.at)
    }

    /// A field of an object, or of objects in objects.
    pub fn get(&self, path: &[&str]) -> Option<&Value> {
        path.iter().try_fold(self, |value, name| match value {
            Value::Object(fields) => fields.iter().find(|field| field.0 == *name).map(|field| &field.1),
            _ => None,
        })
    }

    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    pub fn as_list(&self) -> &[Value] {
        if let Value::List(items) = self { items } else { &[] }
    }

    pub fn as_index(&self) -> Option<usize> {
        if let Value::Number(number) = *self { Some(number as usize) } else { None }
    }
}

/// An object with these fields.
pub fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.map(|(name, value)| (name.to_string(), value)).into())
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_string())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Number(number.into())
    }
}

impl Value {
    /// Appends it: answers are long, and made of very many small parts.
    fn write(&self, out: &mut String) {
        match self {
            Value::Null => out.push_str("null"),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // Nearly all are small integers, and colours have very many.
            Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e9 => {
                _ = write!(out, "{}", *number as i64)
            }
            Value::Number(number) => _ = write!(out, "{number}"),
            Value::Text(text) => json_string(out, text),
            Value::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Value::Object(fields) => {
                out.push('{');
                for (index, (name, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    json_string(out, name);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl Display for Value {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        out.write_str(&text)
    }
}

struct Reader<'r> {
    text: &'r str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().bytes().take_while(u8::is_ascii_whitespace).count();
    }

    fn accept(&mut self, word: &str) -> bool {
        self.skip();
        let is_it = self.rest().starts_with(word);
        if is_it {
            self.at += word.len();
        }
        is_it
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip();
        let first = self.rest().bytes().next().filter(|_| depth < MAX_DEPTH)?;
        match first {
            b'"' => self.string().map(Value::Text),
            b'[' => self.items("[", "]", |reader| reader.value(depth + 1)).map(Value::List),
            b'{' => {
                let field = |reader: &mut Self| {
                    reader.skip();
                    let name = reader.string()?;
                    reader.accept(":").then_some(())?;
                    Some((name, reader.value(depth + 1)?))
                };
                self.items("{", "}", field).map(Value::Object)
            }
            b'-' | b'0'..=b'9' => {
                let is_outlined = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                let length = self.rest().bytes().take_while(is_outlined).count();
                // What no number of JSON can say is none: it could not be written again.
                let number = self.rest()[..length].parse().ok().filter(|number: &f64| number.is_finite())?;
                self.at += length;
                Some(Value::Number(number))
            }
            _ if self.accept("true") => Some(Value::Bool(true)),
            _ if self.accept("false") => Some(Value::Bool(false)),
            _ => self.accept("null").then_some(Value::Null),
        }
    }

    /// Things with commas between them.
    fn items<T>(&mut self, open: &str, close: &str, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.accept(open).then_some(())?;
        let mut items = Vec::new();
        if self.accept(close) {
            return Some(items);
        }
        loop {
            items.push(one(self)?);
            if self.accept(close) {
                return Some(items);
            }
            self.accept(",").then_some(())?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.rest().starts_with('"').then_some(())?;
        self.at += 1;
        let mut text = String::new();
        // The first half of a letter beyond 16 bits.
        let mut half: Option<u32> = None;
        loop {
            let letter = self.rest().chars().next()?;
            self.at += letter.len_utf8();
            if letter != '\\' {
                text.extend(half.take().map(|_| char::REPLACEMENT_CHARACTER));
                if letter == '"' {
                    return Some(text);
                }
                text.push(letter);
                continue;
            }
            let escape = self.rest().chars().next()?;
            self.at += escape.len_utf8();
            let plain = match escape {
                '"' | '\\' | '/' => escape,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let code = u32::from_str_radix(self.rest().get(..4)?, 16).ok()?;
                    self.at += 4;
                    match (half.take(), code) {
                        (None, 0xd800..0xdc00) => {
                            half = Some(code);
                            continue;
                        }
                        (Some(high), 0xdc00..0xe000) => {
                            char::from_u32(0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00))?
                        }
                        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                    }
                }
                _ => return None,
            };
            text.extend(half.take().map(|_| char::REPLACEMENT_CHARACTER));
            text.push(plain);
        }
    }
}
