//! Libraries that import functions of the host by name, which answer at once: `imports.mjs` in node, with collections
//! at every chance, too; components in stock wasmtime and behind jco; worlds that say what is imported. (In C:
//! `c_library.rs`.)

use super::places::{LIMIT, folder, here, jco, python};
use cleave_tests::process::{compiler, run};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Those whose types have neither functions nor objects of the host.
const PLAIN: &str = "size,why,sum,moved,told,found,turned,after,joined,fail";
const HEAPS: [(&str, &str); 2] = [("counted", "--memory=rc"), ("collected", "--memory=gc")];

fn build(program: &str, flags: &[&str], output: &Path) -> Result<(), String> {
    let mut command = compiler();
    command.arg("build").arg(here("../embedding").join(program)).args(flags).arg("-o").arg(output);
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"")
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

pub fn in_node() -> Result<(), String> {
    let folder = folder("imports")?;
    for module in ["net", "tools", "numbers", "counter"] {
        let file = folder.join(module).with_extension("mjs");
        fs::copy(here("../embedding/imports_net.mjs"), file).map_err(|error| error.to_string())?;
    }
    let flags = ["--lib", "--rts-options", "--sync", "--import", "Net=./net.mjs", "--import", "Tools"];
    for (name, memory) in HEAPS {
        build("imports.sam", &[&flags[..], &[memory]].concat(), &folder.join(name).with_extension("mjs"))?;
        for stress in ["", "997"] {
            let mut command = Command::new("node");
            if !stress.is_empty() {
                command.env("GC_STRESS", stress).arg("--import").arg(here("stress.mjs"));
            }
            run(command.arg(here("imports.mjs")).arg(&folder).arg(name), Vec::new(), LIMIT)?
                .expect(0, b"ok\n")
                .map_err(|error| format!("{memory} {stress}: {error}"))?;
        }
    }
    let source = fs::read_to_string(here("../embedding/imports.ir")).map_err(|error| error.to_string())?;
    for (name, heap) in [("ir", ""), ("ir-counted", "heap rc\n")] {
        let (ir, module) = (folder.join(name).with_extension("ir"), folder.join(name).with_extension("mjs"));
        write(&ir, &format!("{heap}{source}"))?;
        run(compiler().arg("build").arg(&ir).arg("-o").arg(&module), Vec::new(), LIMIT)?.expect(0, b"")?;
        let mut command = Command::new("node");
        run(command.arg(here("imports_ir.mjs")).arg(&folder).arg(name), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    in_worker(&folder.join("worker"))
}

/// In a Worker the functions are the Worker's.
fn in_worker(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    build("imports.sam", &["--export", "why,sum", "--sync", "--import", "Net", "--worker"], &folder.join("lib.mjs"))?;
    write(
        &folder.join("net.mjs"),
        "export const get = (url) => url + \"!\", twice = () => { throw new RangeError(\"no\"); };",
    )?;
    let script = "import * as lib from \"./lib.mjs\";\n\
                  console.log(await lib.why(\"a\"), await lib.sum(1).catch((error) => error.message));\n";
    write(&folder.join("main.mjs"), script)?;
    run(Command::new("node").arg(folder.join("main.mjs")), Vec::new(), LIMIT)?.expect(0, b"a! no\n")
}

/// Components whose host gives functions, and has reals of 32 bits.
fn given(folder: &Path, name: &str, memory: &str) -> Result<[String; 2], String> {
    let names = ["added", "reals"].map(|part| format!("{part}-{name}"));
    let flags = ["--target", "component", "--import", "Tools", "--export", "added", memory];
    build("imports.sam", &flags, &folder.join(&names[0]).with_extension("wasm"))?;
    build("reals.ir", &["--target", "component", memory], &folder.join(&names[1]).with_extension("wasm"))?;
    Ok(names)
}

/// Components of the plain functions, and with objects beside them.
fn components(folder: &Path, name: &str, memory: &str) -> Result<[String; 2], String> {
    let names = [format!("plain-{name}"), format!("objects-{name}")];
    for (component, exports) in names.iter().zip([PLAIN.to_string(), format!("{PLAIN},marked")]) {
        let flags = ["--target", "component", "--import", "Net", "--export", &exports, memory];
        build("imports.sam", &flags, &folder.join(component).with_extension("wasm"))?;
    }
    Ok(names)
}

pub fn in_python() -> Result<(), String> {
    let folder = folder("imports component")?;
    for (name, memory) in HEAPS {
        let names = components(&folder, name, memory)?;
        let mut command = Command::new(python());
        command.arg(here("../embedding/component_imports.py")).arg(&folder).args(names);
        run(&mut command, Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
        given(&folder, name, memory)?;
    }
    let mut command = Command::new(python());
    command.arg(here("../embedding/component_given.py")).arg(&folder);
    run(&mut command, Vec::new(), LIMIT)?.expect(0, b"ok\n")
}

pub fn in_jco() -> Result<(), String> {
    let folder = folder("imports jco")?;
    for (from, to) in [("imports", "net"), ("given", "given")] {
        let from = here(&format!("component_{from}_host.mjs"));
        fs::copy(from, folder.join(to).with_extension("mjs")).map_err(|error| error.to_string())?;
    }
    let plain = components(&folder, "counted", "--memory=rc")?.map(|name| (name, "net"));
    let given = given(&folder, "counted", "--memory=rc")?.map(|name| (name, "given"));
    for (component, host) in plain.into_iter().chain(given) {
        let mut command = Command::new(jco());
        command.args(["transpile", "--quiet"]);
        for interface in ["host", "net", "tools", "reals"] {
            for world in ["imports", "x"] {
                command.args(["--map", &format!("local:{world}/{interface}=./{host}.mjs")]);
            }
        }
        command.arg("--out-dir").arg(&folder);
        let output = run(command.arg(folder.join(component).with_extension("wasm")), Vec::new(), LIMIT)?;
        if output.status != Some(0) {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
    }
    for test in ["component_imports.mjs", "component_given.mjs"] {
        let mut command = Command::new("node");
        run(command.arg(here(test)).arg(&folder), Vec::new(), LIMIT)?.expect(0, b"ok\n")?;
    }
    Ok(())
}

/// What a world says of the host is taken from there; where there is no host, the bodies of the program run; what does
/// not fit says so.
pub fn elsewhere() -> Result<(), String> {
    let folder = folder("imports elsewhere")?;
    let program = here("../embedding/imports.sam");
    for target in ["wasm", "native"] {
        let mut command = compiler();
        let output = run(command.args(["run", "--target", target]).arg(&program), Vec::new(), LIMIT)?;
        output.expect(0, b"log: here\nlog: again: here\nfailed: no network for a1220\n")?;
    }
    let interp = |call: &str| {
        let mut command = compiler();
        run(command.arg("interp").arg(here("../embedding/imports.ir")).args(["--call", call]), Vec::new(), LIMIT)
    };
    interp("next")?.expect(0, b"14\n")?;
    let world = |imports: &str| {
        format!(
            "package somebody:app;\ninterface net {{\n{imports}}}\nworld app {{\n  import net;\n  \
             export why: func(url: string) -> string;\n}}\n"
        )
    };
    let (good, waits) = (folder.join("good.wit"), folder.join("waits.wit"));
    let get = "get: func(url: string) -> result<string, string>;\n";
    write(&good, &world(&format!("  {get}  other: func();\n")))?;
    // What waits for a promise gives one.
    let promised = world(get).replace("func", "async func");
    write(&waits, &promised)?;
    write(&folder.join("net.mjs"), "export const get = (url) => url + \"!\";\n")?;
    let said = |command: &mut Command, status: i32| -> Result<String, String> {
        let output = run(command, Vec::new(), LIMIT)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status == Some(status) { Ok(said) } else { Err(said) }
    };
    for (wit, script) in [(&good, "console.log(lib.why('a'))"), (&waits, "console.log(await lib.why('a'))")] {
        let mut command = compiler();
        command.args(["build", "--export", "why", "--wit"]).arg(wit).arg(&program);
        said(command.arg("-o").arg(folder.join("lib.mjs")), 0)?;
        write(&folder.join("main.mjs"), &format!("import * as lib from './lib.mjs'; {script};"))?;
        run(Command::new("node").arg(folder.join("main.mjs")), Vec::new(), LIMIT)?.expect(0, b"a!\n")?;
        let mut command = compiler();
        said(command.args(["wit", "--export", "why", "--check"]).arg(wit).arg(&program), 0)?;
    }
    let refused = |flags: &[&str], wit: Option<&str>, message: &str| {
        let mut command = compiler();
        command.arg("build").arg(&program).args(flags);
        if let Some(text) = wit {
            write(&folder.join("bad.wit"), text)?;
            command.arg("--wit").arg(folder.join("bad.wit"));
        }
        let said = said(command.arg("-o").arg(folder.join("refused")), 1)?;
        if said.contains(message) { Ok(()) } else { Err(format!("{flags:?}: no `{message}` in {said}")) }
    };
    let other = get.replace("result<string, string>", "string");
    refused(
        &["--export", "why"],
        Some(&world(&other)),
        "`net.get` is another function in the program: its result is `result<string, string>`, not `string`",
    )?;
    refused(&["--export", "why", "--import", "Net"], Some(&world("")), "the program imports `net.get`")?;
    refused(
        &["--export", "why"],
        Some(&promised.replace("why: async", "why:")),
        "`why` is another function in the program: it is `async`",
    )?;
    refused(&["--export", "why", "--target", "component"], Some(&promised), "`get` gives a promise")?;
    let tools = ["--lib", "--import", "Net", "--import", "Tools", "--target", "component"];
    refused(&tools, None, "`each` cannot be imported by a component: its argument `f` is a function")?;
    refused(&["--import", "Net", "--sync"], None, "functions come from the host in libraries alone")?;
    let mut command = compiler();
    let output = said(command.arg("opt").arg(here("../embedding/imports.ir")).args(["--pass", "dce"]), 1)?;
    if !output.contains("passes cannot run on a module that imports functions, as `halved`") {
        return Err(output);
    }
    Ok(())
}
