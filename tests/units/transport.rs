//! Messages of an editor, also torn ones.

use cleave::cli::lsp::transport::*;

#[test]
fn what_is_torn_is_told_and_reading_goes_on() {
    let text: &[u8] = b"garbage\r\n\r\nContent-Length: 2\r\n\r\n{]Content-Length: x\r\n\r\n\r\n\
        half Content-Length: 4\r\nContent-Type: y\r\n\r\nnullcontent-length: 3\n\n\xff\xfe\xfdContent-Length: 9\r\n\r\n12";
    let mut input = std::io::Cursor::new(text);
    let mut found = Vec::new();
    while let Some(incoming) = read(&mut input) {
        found.push(match incoming {
            Incoming::Message(value) => value.to_string(),
            Incoming::Malformed(_) => "malformed".into(),
        });
    }
    assert_eq!(found, ["malformed", "malformed", "malformed", "null", "malformed"]);
}
