//! Values of JSON as text.

use cleave_diag::json_string;

pub fn literal(text: &str) -> String {
    let mut out = String::new();
    json_string(&mut out, text);
    out
}

/// A value, or null.
pub fn or_null<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "null".into(), |value| value.to_string())
}

pub fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

pub fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}
