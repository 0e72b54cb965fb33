//! What editors know without the server: grammars, comments, brackets, indentation.
//!
//! `languages` says once what words each language has; `textmate`, `tree_sitter`, `vim` and `emacs` make the files in
//! `editors` of it, which `BLESS=1` writes. The words that a grammar finds are those that the server tells editors
//! (`cleave lsp`), in every program of the tree: with the libraries of VS Code (npm: `vscode-textmate`,
//! `vscode-oniguruma`, where `NODE_PATH` leads), and with the parser that `tree-sitter` generates. Emacs, and Neovim as
//! an editor of today and of some years ago, open files with what is here. A test whose tool is missing is ignored.

mod emacs;
mod languages;
mod textmate;
mod tree_sitter;
mod vim;
mod words;

use cleave_tests::process::AS_COMPILER;
use languages::{ALL, CLEAN};
use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[global_allocator]
static ALLOCATOR: cleave_tests::memory::Allocator = cleave_tests::memory::Allocator;

fn main() {
    if std::env::var_os(AS_COMPILER).is_some() {
        std::process::exit(cleave::cli::main(std::env::args_os()));
    }
    let arguments = Arguments::from_args();
    let finds =
        |program: &str, flags: &[&str]| Command::new(program).args(flags).output().is_ok_and(|o| o.status.success());
    let has_textmate = finds("node", &["-e", "require('vscode-textmate'), require('vscode-oniguruma')"]);
    let has_tree_sitter = finds("tree-sitter", &["--version"]);
    let has_neovim = finds("nvim", &["--version"]);
    let has_emacs = finds("emacs", &["--version"]);
    let has_eglot = finds("emacs", &["--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]);
    if !arguments.list {
        for (is_there, name) in [
            (has_textmate, "vscode-textmate and vscode-oniguruma (npm)"),
            (has_tree_sitter, "tree-sitter"),
            (has_neovim, "nvim"),
            (has_emacs, "emacs"),
        ] {
            if !is_there {
                println!("there is no {name}: its tests are ignored");
            }
        }
    }
    let test = |name: &str, run: fn() -> Result<(), String>, is_there: bool| {
        Trial::test(name, move || run().map_err(Failed::from)).with_ignored_flag(!is_there)
    };
    let trials = vec![
        test("fresh", fresh, true),
        test("textmate", words::textmate, has_textmate),
        test("tree-sitter", words::tree_sitter, has_tree_sitter),
        test("clean", words::clean, has_textmate),
        test("neovim", neovim, has_neovim),
        test("emacs", in_emacs, has_emacs),
        test("eglot", eglot, has_eglot),
    ];
    libtest_mimic::run(&arguments, trials).exit();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All files that are made, with their names in `editors`.
fn made() -> Vec<(String, String)> {
    let mut made = vec![("emacs/cleave.el".to_string(), emacs::file())];
    for language in ALL {
        let id = language.id;
        made.push((format!("vscode/syntaxes/{id}.tmLanguage.json"), textmate::grammar(language)));
        made.push((format!("vscode/configuration/{id}.json"), textmate::configuration(language)));
        made.push((format!("nvim/syntax/{id}.vim"), vim::syntax(language)));
        made.push((format!("nvim/ftplugin/{id}.vim"), vim::plugin(language)));
        if id == CLEAN.id {
            continue;
        }
        made.push((format!("tree-sitter/{id}/grammar.js"), tree_sitter::grammar(language)));
        made.push((format!("tree-sitter/{id}/queries/highlights.scm"), tree_sitter::highlights(language)));
        if !language.brackets.is_empty() {
            made.push((format!("tree-sitter/{id}/queries/folds.scm"), tree_sitter::brackets(language, "fold")));
            made.push((
                format!("tree-sitter/{id}/queries/indents.scm"),
                tree_sitter::brackets(language, "indent.begin"),
            ));
        }
    }
    made
}

/// What is checked in is what would be made.
fn fresh() -> Result<(), String> {
    for (name, wanted) in made() {
        let path = root().join("editors").join(&name);
        if fs::read_to_string(&path).is_ok_and(|found| found == wanted) {
            continue;
        }
        if std::env::var_os("BLESS").is_none() {
            return Err(format!("editors/{name} is stale: BLESS=1 cargo test -p cleave-tests --test editors"));
        }
        fs::create_dir_all(path.parent().expect("a folder")).map_err(|error| error.to_string())?;
        fs::write(&path, wanted).map_err(|error| error.to_string())?;
    }
    // What is written by hand names every language.
    let package = fs::read_to_string(root().join("editors/vscode/package.json")).map_err(|error| error.to_string())?;
    for language in ALL {
        for ending in language.endings {
            let wanted = [format!("\"id\": \"{}\"", language.id), format!("\".{ending}\"")];
            if let Some(missing) = wanted.iter().find(|wanted| !package.contains(*wanted)) {
                return Err(format!("editors/vscode/package.json has no {missing}"));
            }
        }
    }
    Ok(())
}

/// Runs an editor in a folder of its own with some program, and compares what it says.
fn edit(name: &str, mut editor: Command, expected: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editors").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("util")).map_err(|error| error.to_string())?;
    fs::copy(root().join("examples/goopea/sort.goo"), folder.join("sort.goo")).map_err(|error| error.to_string())?;
    fs::write(folder.join("wrong.goo"), "(): Int\nmain = missing 1;\n").map_err(|error| error.to_string())?;
    // The server as a command of that name.
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let script = format!("#!/bin/sh\n{AS_COMPILER}=1 exec '{}' \"$@\"\n", program.display());
    let command = folder.join("bin/cleave");
    fs::create_dir_all(folder.join("bin")).map_err(|error| error.to_string())?;
    fs::write(&command, script).map_err(|error| error.to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&command, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    }
    let path = std::env::var("PATH").unwrap_or_default();
    editor.current_dir(&folder).env("PATH", format!("{}:{path}", folder.join("bin").display()));
    editor.env("HOME", &folder).env("XDG_CONFIG_HOME", &folder).env("EDITORS", root().join("editors"));
    let output = editor.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    if said == expected && output.status.success() {
        return Ok(());
    }
    Err(format!("expected:\n{expected}\nfound:\n{said}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Neovim with the plug-in: kind of file, comments, colours, and what the server says.
fn neovim() -> Result<(), String> {
    let mut editor = Command::new("nvim");
    let script = root().join("tests/editors/neovim.lua");
    editor.args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-c", &format!("luafile {}", script.display())]);
    let wanted = "filetype goopea\ncommentstring // %s\ncolours goopeaComment goopeaKeyword goopeaNumber goopeaPreProc goopeaType\n\
                  error 1:7 there is no function `missing`\n";
    edit("neovim", editor, wanted)
}

const MODES: &str = "mode goopea-mode\ncomment // \n\
    faces font-lock-comment-face font-lock-constant-face font-lock-keyword-face font-lock-preprocessor-face \
    font-lock-type-face\nindentation kept\n";

fn emacs(script: &str) -> Command {
    let mut editor = Command::new("emacs");
    let script = root().join("tests/editors").join(script);
    // Debian tells where its packages are in the file of the site.
    editor.args(["--batch", "-l", &script.display().to_string()]);
    editor
}

/// Emacs with its modes.
fn in_emacs() -> Result<(), String> {
    edit("emacs", emacs("emacs.el"), MODES)
}

/// Emacs with what the server says.
fn eglot() -> Result<(), String> {
    edit("eglot", emacs("eglot.el"), "error cleave [E0312]: there is no function `missing`\n")
}
