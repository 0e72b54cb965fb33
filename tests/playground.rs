//! The compiler as WebAssembly and the page of the playground, as `sh playground/build.sh` has built them.
//!
//! ```text
//! about      what the compiler says of itself is JSON
//! api        `playground/api.mjs`: the interface of the npm package in node
//! package    `playground/package.mjs`: the package in a project of somebody else, with its types
//! corpus     every program of the corpus, and those of GOOPEA, become the same bytes as natively
//! language   `playground/add-language.mjs`: a page gets a language of somebody else
//! server     what `cleave playground` answers
//! page       `playground/page.mjs`: everything on the page in headless Chromium, as a visitor does it; it leaves
//!            screenshots in the folder of the target for temporary files
//! ```
//! Where nothing has been built, or the sources have changed since, the tests are ignored; with CLEAVE_PLAYGROUND=built
//! they fail, and with CLEAVE_PLAYGROUND=0 none runs. Without node or Chromium their tests are ignored. CLEAVE_PAGE
//! chooses parts of the last one by name, CLEAVE_BROWSER names another browser (Firefox), CLEAVE_COCL_WASM and
//! CLEAVE_COCL Clean's compiler as WebAssembly and the folder with StdEnv (see `compiler.rs`), without which its part
//! does nothing.

use cleave_tests::browser;
use cleave_tests::process::{AS_COMPILER, Output, clean, compiler, has_node, run};
use cleave_tests::samples;
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(600);

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let wanted = std::env::var("CLEAVE_PLAYGROUND").unwrap_or_default();
    if wanted == "0" {
        libtest_mimic::run(&arguments, Vec::new()).exit();
    }
    let must = wanted == "built";
    let built = is_current();
    let ignored = !has_node() || built.is_err() && !must;
    if let (Err(why), false) = (&built, arguments.list) {
        println!("{why}: `sh playground/build.sh` builds the playground, and its tests are ignored without");
    }
    let trial = |name: &str, test: fn() -> Result<(), String>| {
        let built = built.clone();
        Trial::test(name, move || built.and_then(|()| test()).map_err(Failed::from)).with_ignored_flag(ignored)
    };
    let trials = vec![
        Trial::test("about", || about().map_err(Failed::from)),
        trial("api", api),
        trial("package", package),
        trial("corpus", corpus),
        trial("page", page).with_ignored_flag(ignored || browser::find().is_none()),
        Trial::test("language", || language().map_err(Failed::from)).with_ignored_flag(!has_node()),
        Trial::test("server", || server().map_err(Failed::from)),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

/// What the script has built.
fn built() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    folder.parent().unwrap_or(folder).join("playground")
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("playground").join(name)
}

fn node(arguments: &[&Path]) -> Result<Output, String> {
    run(clean(Command::new("node")).args(arguments).env("CLEAVE_PACKAGE", built().join("compiler")), Vec::new(), LIMIT)
}

/// The value of a field of JSON that is a plain text.
fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    json.split_once(&format!("\"{name}\":\""))?.1.split('"').next()
}

/// The compiler was built, of these sources.
fn is_current() -> Result<(), String> {
    let about = fs::read_to_string(built().join("compiler/about.json"))
        .map_err(|_| "the playground has not been built".to_string())?;
    let ours = cleave::web::about();
    match field(&about, "sources") == field(&ours, "sources") {
        true => Ok(()),
        false => Err("the playground was built of other sources".to_string()),
    }
}

fn about() -> Result<(), String> {
    let about = cleave::web::about();
    let parts =
        ["\"version\":\"0.", "\"extensions\":[\"abc\",", "\"name\":\"build\"", "\"name\":\"roots\"", "\"E0101\""];
    match parts.iter().find(|part| !about.contains(**part)) {
        Some(part) => Err(format!("{part} is missing in {about}")),
        None => Ok(()),
    }
}

fn api() -> Result<(), String> {
    node(&[&script("api.mjs"), &built().join("compiler")])?.expect(0, b"")
}

/// What the script has installed.
fn node_modules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).join("playground/node_modules")
}

fn package() -> Result<(), String> {
    node(&[&script("package.mjs"), &built().join("compiler"), &node_modules()])?.expect(0, b"")
}

/// Main modules: of Clean, and of GOOPEA.
fn programs() -> Vec<PathBuf> {
    let goopea = Path::new(env!("CARGO_MANIFEST_DIR")).join("goopea");
    let mut list: Vec<PathBuf> = samples::all().into_iter().map(|sample| sample.path).collect();
    let entries = fs::read_dir(&goopea).unwrap_or_else(|error| panic!("{}: {error}", goopea.display()));
    list.extend(entries.flatten().map(|entry| entry.path()).filter(|path| {
        path.extension().is_some_and(|extension| extension == "goo") && path.with_extension("expected").exists()
    }));
    list.sort();
    list
}

/// A language is added to a page, takes the place of what was there of it, and wrong ones are told.
fn language() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("added language");
    let _ = fs::remove_dir_all(&folder);
    let text = |error: std::io::Error| error.to_string();
    let page = folder.join("page");
    fs::create_dir_all(page.join("examples")).map_err(text)?;
    let write = |name: &str, contents: &[u8]| fs::write(folder.join(name), contents).map_err(text);
    write("page/examples/index.json", b"[]")?;
    // A front end that says nothing.
    write("front.wasm", b"\0asm\x01\0\0\0")?;
    write("one.my", b"1 + 1\n")?;
    write(
        "language.json",
        br#"{"name":"My","ending":"my","about":"Mine.","examples":[{"file":"one.my","line":"One."}]}"#,
    )?;
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../playground/add-language.mjs");
    let add = |page: &Path, description: &str, front: &str| {
        let mut command = Command::new("node");
        let command = command.arg(&script).arg(page).arg(folder.join(description)).arg(folder.join(front));
        run(command, Vec::new(), LIMIT)
    };
    for _ in 0..2 {
        add(&page, "language.json", "front.wasm")?.expect(0, b"")?;
    }
    for (file, wanted) in [
        ("languages/index.json", r#"[{"name":"My","ending":"my","about":"Mine."}]"#),
        ("examples/index.json", r#"[{"path":"my/one","group":"My","name":"one","line":"One.","about":"Mine."}]"#),
    ] {
        let found = fs::read_to_string(page.join(file)).map_err(text)?;
        if found != wanted {
            return Err(format!("{file}: {found}"));
        }
    }
    if !page.join("examples/my/one.json").is_file() || !page.join("languages/my.wasm.gz").is_file() {
        return Err("the front end or the example is missing".into());
    }
    write("nameless.json", br#"{"ending":"my","about":"Mine."}"#)?;
    for (page, description, front, message) in [
        (&folder, "language.json", "front.wasm", "is no page: build it with playground/build.sh"),
        (
            &page,
            "nameless.json",
            "front.wasm",
            "a language has a name, an ending of letters, and a sentence `about` it",
        ),
        (&page, "language.json", "one.my", "WebAssembly.Module()"),
    ] {
        let output = add(page, description, front)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        output.expect(1, b"")?;
        if !said.contains(message) {
            return Err(format!("no `{message}` in {said}"));
        }
    }
    Ok(())
}

fn corpus() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playground");
    let _ = fs::remove_dir_all(&folder);
    let text = |error: std::io::Error| error.to_string();
    let (here, there) = (folder.join("native"), folder.join("wasm"));
    [&here, &there].into_iter().try_for_each(fs::create_dir_all).map_err(text)?;
    let programs = programs();
    let mut plan = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        // The loader has the name of its program.
        for folder in [&here, &there] {
            fs::create_dir_all(folder.join(number.to_string())).map_err(text)?;
        }
        let module = here.join(format!("{number}/{name}.mjs"));
        // Lines of errors have the name of the file as it is given.
        let (folder, file) = (program.parent().unwrap_or(Path::new(".")), program.file_name().unwrap_or_default());
        let mut build = compiler();
        build.current_dir(folder).arg("build").arg(file).arg("-o").arg(&module);
        run(&mut build, Vec::new(), LIMIT)?.expect(0, b"")?;
        plan.push(format!(
            "{{\"main\":{:?},\"folder\":{:?},\"out\":{:?}}}",
            program.file_name().unwrap_or_default(),
            program.parent().unwrap_or(Path::new(".")),
            there.join(format!("{number}/{name}"))
        ));
    }
    let list = folder.join("plan.json");
    fs::write(&list, format!("[{}]", plan.join(",\n"))).map_err(text)?;
    node(&[&script("compile.mjs"), &built().join("compiler"), &list])?.expect(0, b"")?;
    let mut different = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let name = program.file_stem().unwrap_or_default().to_string_lossy();
        let read = |folder: &Path, ending| fs::read(folder.join(format!("{number}/{name}.{ending}"))).ok();
        if ["wasm", "mjs"].iter().any(|ending| read(&here, ending) != read(&there, ending)) {
            different.push(program.display().to_string());
        }
    }
    if different.is_empty() { Ok(()) } else { Err(format!("other bytes: {}", different.join(", "))) }
}

/// A server that runs until it is dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(folder: &Path) -> Result<Server, String> {
        let mut command = compiler();
        command.args(["playground", "--port", "0", "--folder"]).arg(folder).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let mut line = String::new();
        let read = child.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut line));
        let server = Server { child, url: line.trim_end().to_string() };
        match read {
            Some(Ok(_)) if server.url.starts_with("http://127.0.0.1:") => Ok(server),
            _ => Err(format!("the server says {line:?}")),
        }
    }

    fn host(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches('/')
    }

    /// Sends a line, and returns head and body of the answer.
    fn ask(&self, line: &str) -> Result<(String, Vec<u8>), String> {
        self.send(&format!("{line} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host()))
    }

    fn send(&self, request: &str) -> Result<(String, Vec<u8>), String> {
        let text = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(self.host()).map_err(text)?;
        stream.write_all(request.as_bytes()).map_err(text)?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).map_err(text)?;
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").ok_or("the answer has no head")?;
        Ok((String::from_utf8_lossy(&bytes[..end]).into_owned(), bytes[end + 4..].to_vec()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn server() -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("served");
    let text = |error: std::io::Error| error.to_string();
    fs::create_dir_all(folder.join("docs")).map_err(text)?;
    let files = [("index.html", "<p>page"), ("docs/a.json", "[]"), ("cleave.wasm.gz", "wasm")];
    files.iter().try_for_each(|(name, content)| fs::write(folder.join(name), content)).map_err(text)?;
    let server = Server::start(&folder)?;
    // What is asked for, and status, type and body of the answer.
    let cases = [
        ("GET /", "200", "text/html", "<p>page"),
        ("GET /index.html?x", "200", "text/html", "<p>page"),
        ("GET /docs/a.json", "200", "application/json", "[]"),
        ("GET /cleave.wasm.gz", "200", "application/octet-stream", "wasm"),
        ("HEAD /", "200", "text/html", ""),
        ("GET /none", "404", "text/plain", "not found\n"),
        ("GET /docs/../../served/index.html", "404", "text/plain", "not found\n"),
        ("GET //etc/hosts", "404", "text/plain", "not found\n"),
        ("POST /", "405", "text/plain", "only GET\n"),
        ("GET /outside", "404", "text/plain", "not found\n"),
        ("GET /fifo", "404", "text/plain", "not found\n"),
    ];
    #[cfg(unix)]
    {
        let _ = fs::remove_file(folder.join("outside"));
        std::os::unix::fs::symlink("/etc/hosts", folder.join("outside")).map_err(text)?;
        let _ = fs::remove_file(folder.join("fifo"));
        Command::new("mkfifo").arg(folder.join("fifo")).status().map_err(text)?;
    }
    for (line, status, kind, body) in cases {
        let (head, answer) = server.ask(line)?;
        let is_right = head.starts_with(&format!("HTTP/1.1 {status} "))
            && head.contains(&format!("Content-Type: {kind}"))
            && head.contains("Content-Security-Policy: default-src 'self'")
            && answer == body.as_bytes();
        if !is_right {
            return Err(format!("{line}: {head}\n{}", String::from_utf8_lossy(&answer)));
        }
    }
    // A name that somebody else has given to this machine, none, or two of them.
    let host = server.host().to_string();
    for hosts in ["Host: evil.example\r\n".to_string(), String::new(), format!("Host: {host}\r\nHost: {host}\r\n")] {
        let (head, _) = server.send(&format!("GET / HTTP/1.1\r\n{hosts}\r\n"))?;
        if !head.starts_with("HTTP/1.1 421 ") {
            return Err(format!("{hosts:?}: {head}"));
        }
    }
    // Connections that send nothing do not add up: the server says so, and is there again when they are gone.
    let idle: Vec<TcpStream> = (0..200).filter_map(|_| TcpStream::connect(&host).ok()).collect();
    let (mut refused, mut stream) = (String::new(), TcpStream::connect(&host).map_err(text)?);
    stream.read_to_string(&mut refused).map_err(text)?;
    if !refused.starts_with("HTTP/1.1 503 ") {
        return Err(format!("the two hundred and first connection: {refused}"));
    }
    drop(idle);
    let end = Instant::now() + Duration::from_secs(20);
    while !server.ask("GET /").is_ok_and(|(head, _)| head.starts_with("HTTP/1.1 200 ")) {
        if Instant::now() > end {
            return Err("the server does not answer any more".into());
        }
    }
    // A request without an end is not read for ever.
    match server.send(&format!("GET /{}", "a".repeat(1 << 20))) {
        Ok((head, _)) if head.contains("200") => Err(format!("an endless request: {head}")),
        _ => Ok(()),
    }
}

fn page() -> Result<(), String> {
    let server = Server::start(&built().join("page"))?;
    let modules = node_modules();
    let screenshots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
    let chosen = std::env::var_os("CLEAVE_PAGE").unwrap_or_default();
    let browser = std::env::var("CLEAVE_BROWSER").ok();
    let browser = Path::new(browser.as_deref().or(browser::find()).unwrap_or_default());
    let arguments = [&script("page.mjs"), &modules, Path::new(&server.url), browser, &screenshots, Path::new(&chosen)];
    node(&arguments)?.expect(0, b"")
}
