//! `cleave explain`: what an error code means, or the list of all; what the passes do, and the steps of root placement.

use crate::cli::exit_code::{FAILURE, written};
use crate::cli::passes;
use crate::driver::output::{write_stderr, write_stdout};
use cleave_diag::{Code, LINTS, code, lint, lint_name, nearest};

pub fn run(text: Option<&str>) -> i32 {
    let Some(text) = text else {
        let rows = code::TABLE.iter().map(|row| {
            let name = lint_name(row.code).map(|name| format!(" ({name})")).unwrap_or_default();
            format!("{}  {}{name}\n", row.code, row.title)
        });
        return written(write_stdout(rows.collect::<String>().as_bytes()));
    };
    match text {
        "passes" => return written(write_stdout(passes::list_of_passes().as_bytes())),
        "roots" => return written(write_stdout(passes::list_of_root_steps().as_bytes())),
        _ => {}
    }
    match Code::parse(text).or_else(|| lint(text)).and_then(Code::explanation) {
        Some(row) => written(write_stdout(format!("{}: {}\n\n{}\n", row.code, row.title, wrap(row.text)).as_bytes())),
        None => {
            let names = LINTS.iter().map(|(name, _)| name.as_bytes());
            let near = nearest(text.as_bytes(), names).map(String::from_utf8_lossy);
            let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            write_stderr(&format!(
                "cleave: there is no error code and no lint `{text}`; {near}`cleave explain` lists all, `cleave explain \
                 passes` the passes\n"
            ));
            FAILURE
        }
    }
}

/// Lines of at most 80 characters.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + 1 + word.len() > 80 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out
}
