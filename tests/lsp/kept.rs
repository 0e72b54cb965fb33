//! The server keeps what it found: after any changes it says what one says that has just been started.

use super::protocol::Server;
use cleave::driver::json::{Value, object};
use cleave_tests::random_goopea::Random;
use std::collections::BTreeMap;
use std::time::Duration;

/// Files that read each other, and words that make them right and wrong.
const FILES: [(&str, &str); 4] = [
    (
        "a.sam",
        "import { Box } from b;\nclass A {\n  function f(box: Box): int = box.twice() + 1\n\n  function g(n: int): int = \
         if n == 0 { 1 } else { A.f(Box.init(n)) }\n}\n",
    ),
    (
        "b.sam",
        "class Box(val n: int) {\n  method twice(): int = this.n * 2\n\n  function zero(): Box = Box.init(0)\n}\n",
    ),
    (
        "c.goo",
        "#include d.goo\nList: Int\nsum list = match list { Nil: 0, Cons(x, rest): x + sum rest };\n(): Int\nmain = sum ones;\n",
    ),
    ("d.goo", "enum List = Nil, Cons(Int, List);\n(): List\nones = Cons(1, Nil);\n"),
];
const WORDS: [&str; 18] = [
    "Box", "int", "n", "twice", "f", "1", "(", "}", ";", "List", "Cons", "Nil", "sum", "ones", "x", ":", "wrong", "Str",
];
const QUESTIONS: [&str; 10] = [
    "hover",
    "definition",
    "completion",
    "references",
    "semanticTokens/full",
    "documentSymbol",
    "typeDefinition",
    "implementation",
    "documentLink",
    "prepareCallHierarchy",
];
/// So many changes; a server is started for each.
const ROUNDS: usize = 30;
/// So often it is asked whether more was said.
const PATIENCE: usize = 500;

/// What a server says of all files, and its answer to a question; another request ends what is said.
fn told(server: &Server, shown: &mut BTreeMap<String, String>) -> Result<String, String> {
    let mut answer = String::new();
    loop {
        let message = server.receive()?;
        if let Some(found) = message.get(&["params", "diagnostics"]) {
            let uri = message.get(&["params", "uri"]).map(Value::to_string).unwrap_or_default();
            shown.insert(uri, found.to_string());
        } else if message.get(&["id"]) == Some(&Value::from(2)) {
            answer = message.to_string();
        } else if message.get(&["id"]) == Some(&Value::from(3)) {
            return Ok(answer);
        }
    }
}

fn ask(server: &mut Server, name: &str, method: &str, character: u32) -> Result<(), String> {
    let uri = server.uri(name);
    let at = format!("{{\"line\":2,\"character\":{character}}}");
    let context = "\"context\":{\"includeDeclaration\":true}";
    let params = format!("{{\"textDocument\":{{\"uri\":\"{uri}\"}},\"position\":{at},{context}}}");
    server.request(2, &format!("textDocument/{method}"), &params)
}

pub fn kept() -> Result<(), String> {
    let mut random = Random::new(9);
    let mut server = Server::start("kept")?;
    server.initialize()?;
    let mut texts = FILES.map(|(_, text)| text.to_string());
    for (name, text) in FILES {
        server.open(name, text)?;
    }
    let mut shown = BTreeMap::new();
    for round in 0..ROUNDS {
        // Some files change, and others do not.
        for _ in 0..random.below(3) {
            let number = random.below(FILES.len());
            let (name, original) = FILES[number];
            let words: Vec<&str> = texts[number].split_inclusive([' ', '(', '.', ')']).collect();
            let at: usize = words[..random.below(words.len())].iter().map(|word| word.len()).sum();
            match random.once_in(4) {
                true => texts[number] = original.to_string(),
                false => texts[number].insert_str(at, WORDS[random.below(WORDS.len())]),
            }
            let document = object([("uri", server.uri(name).as_str().into()), ("version", (round as u32 + 2).into())]);
            let change = object([("text", texts[number].as_str().into())]);
            let params = object([("textDocument", document), ("contentChanges", Value::List(vec![change]))]);
            server.notify("textDocument/didChange", &params.to_string())?;
        }
        let (name, method) = (FILES[random.below(FILES.len())].0, QUESTIONS[random.below(QUESTIONS.len())]);
        let character = random.below(30) as u32;
        ask(&mut server, name, method, character)?;
        server.request(3, "nobody/knows", "{}")?;
        let found = told(&server, &mut shown)?;
        let mut fresh = Server::start("kept")?;
        fresh.initialize()?;
        for ((name, _), text) in FILES.iter().zip(&texts) {
            fresh.open(name, text)?;
        }
        ask(&mut fresh, name, method, character)?;
        let mut wanted_shown = BTreeMap::new();
        let mut wanted = String::new();
        // It may be asked before it has said all.
        while wanted_shown.len() < FILES.len() {
            fresh.request(3, "nobody/knows", "{}")?;
            let answer = told(&fresh, &mut wanted_shown)?;
            wanted = if wanted.is_empty() { answer } else { wanted };
        }
        if found != wanted {
            return Err(format!("round {round}: {method} in {name} at {character}: wanted\n{wanted}\nfound\n{found}"));
        }
        // What waits is answered before anything is said of files.
        for _ in 0..PATIENCE {
            if shown == wanted_shown {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
            server.request(3, "nobody/knows", "{}")?;
            told(&server, &mut shown)?;
        }
        if shown != wanted_shown {
            return Err(format!("round {round}: wanted\n{wanted_shown:#?}\nfound\n{shown:#?}\nof {texts:#?}"));
        }
        fresh.end()?;
    }
    server.end()
}
