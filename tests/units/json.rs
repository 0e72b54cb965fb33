//! JSON.

use cleave::driver::json::*;

#[test]
fn what_is_read_is_written() {
    let text = r#"{"a":[1,-2.5,true,null,{}],"b":"x\n\"\\\u0001","c":[]}"#;
    let value = Value::parse(text).expect("it is JSON");
    assert_eq!(value.to_string(), text);
    assert_eq!(value.get(&["b"]).and_then(Value::as_text), Some("x\n\"\\\u{1}"));
    assert_eq!(Value::parse(r#" "\ud834\udd1e\/\ud834" "#), Some("𝄞/\u{fffd}".into()));
    for wrong in ["", "[1", "{\"a\"}", "\"", "nul", "1 2", "[,]", "\"\\x\"", "1e999", &"[".repeat(1000)] {
        assert_eq!(Value::parse(wrong), None, "{wrong}");
    }
}
