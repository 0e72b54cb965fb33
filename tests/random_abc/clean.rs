//! Clean's own back end: programs become one executable, each is a run of it.
//!
//! `cg` compiles a module at a time; all are linked with Clean's run-time system and an entry that jumps to the program
//! whose number is in the variable `CLEAN_PROGRAM`. Takes an installation as `lib/exe/cg`,
//! `lib/StdEnv/Clean System Files/{_startup.o,_system.abc}`, and a C compiler.

use crate::process::{Output, clean, run};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Seconds that anything here may take.
const LIMIT: Duration = Duration::from_secs(60);
const PROGRAM: &str = "CLEAN_PROGRAM";
/// How messages begin of programs that Clean's code generator does not translate.
pub const CG_FAILS: &str = "cg fails";

/// Memory of each program, and the entry.
const OPTIONS: &str = "\
#include <stdlib.h>
long heap_size = 268435456, ab_stack_size = 67108864, flags = 0, heap_size_multiple = 5120;
long initial_heap_size = 204800, min_write_heap_size = 2147483647;
void *chosen_program;
extern void *all_programs[];
__attribute__((constructor)) static void choose(void) {
    const char *number = getenv(\"CLEAN_PROGRAM\");
    chosen_program = all_programs[number ? atoi(number) : 0];
}
__asm__(\".text\\n.globl __start\\n__start: jmp *chosen_program\\n\");
";

pub struct Clean {
    home: PathBuf,
    system: PathBuf,
}

/// Programs that have been linked.
pub struct Executable {
    file: PathBuf,
}

impl Clean {
    /// The installation in a folder, with objects that all programs share in another one.
    pub fn prepare(home: &Path, scratch: &Path) -> Result<Clean, String> {
        let system = home.join("lib/StdEnv/Clean System Files");
        fs::create_dir_all(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
        let own = Clean { home: home.to_path_buf(), system };
        own.compile(&own.system.join("_system.abc"), &scratch.join("_system.o"))?;
        Ok(own)
    }

    fn compile(&self, abc: &Path, object: &Path) -> Result<(), String> {
        let mut command = clean(Command::new(self.home.join("lib/exe/cg")));
        command.arg(abc.with_extension("")).arg("-o").arg(object);
        let output = run(&mut command, Vec::new(), LIMIT)?;
        if output.status != Some(0) || !object.is_file() {
            let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            return Err(format!("{CG_FAILS} on {}: {words}", abc.display()));
        }
        Ok(())
    }

    /// Builds programs that have these names and texts; the folder holds `_system.o` of `prepare`, too.
    pub fn build(&self, programs: &[(String, String)], shared: &Path, folder: &Path) -> Result<Executable, String> {
        let write =
            |path: &Path, text: &str| fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
        let mut command = clean(Command::new("gcc"));
        let file = folder.join("clean.exe");
        command.args(["-w", "-no-pie", "-z", "execstack", "-o"]).arg(&file).arg(self.system.join("_startup.o"));
        command.arg(shared.join("_system.o"));
        let (mut table, mut external) = (String::new(), String::new());
        for (name, text) in programs {
            let abc = folder.join(format!("{name}.abc"));
            let object = folder.join(format!("{name}.o"));
            // Only one entry of all is `__start`.
            let start = format!(".start __{name}_Start");
            write(&abc, &text.replacen(&start, ".start _nostart_", 1))?;
            self.compile(&abc, &object)?;
            let symbol = format!("____{name}__Start");
            let _ = writeln!(external, "extern char {symbol}[];");
            let _ = write!(table, "{symbol}, ");
            command.arg(object);
        }
        let options = folder.join("options.c");
        write(&options, &format!("{OPTIONS}{external}void *all_programs[] = {{ {table} 0 }};\n"))?;
        command.arg(options).arg("-lm");
        let output = run(&mut command, Vec::new(), LIMIT)?;
        if output.status != Some(0) {
            return Err(format!("they cannot be linked: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(Executable { file })
    }
}

impl Executable {
    /// Runs one of the programs in a folder.
    pub fn run(&self, number: usize, folder: &Path, limit: Duration) -> Result<Output, String> {
        let mut command = clean(Command::new(&self.file));
        command.env(PROGRAM, number.to_string()).current_dir(folder);
        run(&mut command, Vec::new(), limit)
    }
}
