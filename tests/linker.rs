//! The linker of the native target on what it should never get: damaged objects. That its executables run is tested
//! with the corpus, and what it refuses on the command line (`cli/native-l*.abc`).

use cleave::driver::session::Target;
use cleave_ir::data_section::DataSectionOptions;
use cleave_native::link::{self, File};
use cleave_tests::lowering;

/// The object of a program that prints a number.
fn program() -> Vec<u8> {
    let source = "start @main\nfunc @main() {\nblock0:\n  v0 = iconst.i64 1\n  call_rt print_int(v0)\n  ret\n}\n";
    let mut module = cleave_ir::text::parse_module(source).expect("a module");
    lowering::root(&mut module, cleave_passes::roots::Options::default());
    let data_section = lowering::lower(&mut module, Target::Native, DataSectionOptions::default());
    let options = cleave_native::Options::default();
    let program = lowering::emit(module, data_section, &cleave_native::Native { options }).expect("it compiles");
    program.object(false)
}

fn runtime() -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rt/prebuilt/rt-x86_64-linux.o");
    std::fs::read(path).expect("the runtime is checked in")
}

fn linked(program: &[u8], runtime: &[u8], strip: bool) -> Result<Vec<u8>, link::Error> {
    let objects = [File { name: "program", bytes: program }, File { name: "runtime", bytes: runtime }];
    link::link(&link::Inputs { objects: &objects, ..link::Inputs::default() }, strip)
}

#[test]
fn same_objects_same_file() {
    let (program, runtime) = (program(), runtime());
    let whole = linked(&program, &runtime, false).expect("it can be linked");
    assert_eq!(whole, linked(&program, &runtime, false).expect("it can be linked"));
    assert!(linked(&program, &runtime, true).expect("it can be linked").len() < whole.len());
}

#[test]
fn what_is_missing_is_named() {
    assert_eq!(
        linked(&program(), &program(), false).map(drop),
        Err(link::Error::Duplicate {
            symbol: "cleave_program".into(),
            first: "program".into(),
            second: "runtime".into(),
        })
    );
    let program = program();
    let objects = [File { name: "program", bytes: &program }];
    let alone = link::link(&link::Inputs { objects: &objects, ..link::Inputs::default() }, false);
    assert_eq!(alone.map(drop), Err(link::Error::Undefined(vec!["main".into()])));
}

/// The linker refuses damaged objects or links them, and never panics.
#[test]
fn damaged_objects() {
    const ROUNDS: u64 = 1500;
    let mut objects = [program(), runtime()];
    let mut state = 1u64;
    let mut random = |bound: usize| {
        // Knuth's linear congruence; the upper bits are the random ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut refused = 0;
    for round in 0..ROUNDS {
        let number = (round % 2) as usize;
        // Most of a file is code, and most of what matters is at its end: symbols, relocations, headers of sections.
        let length = objects[number].len();
        let start = if round % 4 < 2 { 0 } else { length - length / 5 };
        let at = start + random(length - start);
        let before = std::mem::replace(&mut objects[number][at], random(256) as u8);
        let outcome = std::panic::catch_unwind(|| linked(&objects[0], &objects[1], false));
        let result = outcome.unwrap_or_else(|_| panic!("round {round}: object {number} with another byte at {at}"));
        refused += u64::from(result.is_err());
        objects[number][at] = before;
    }
    assert!(refused > 0, "no damage was found");
}

/// An archive with the runtime as a member: what is needed of it is taken, and damage is refused.
#[test]
fn archives() {
    let (program, runtime) = (program(), runtime());
    let mut archive = b"!<arch>\n".to_vec();
    for (name, member) in [("notes.txt/", &b"odd"[..]), ("runtime.o/", &runtime)] {
        archive.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, member.len()).bytes());
        archive.extend_from_slice(member);
        archive.resize(archive.len().next_multiple_of(2), b'\n');
    }
    let objects = [File { name: "program", bytes: &program }];
    let with = |bytes: &[u8]| {
        let archives = [File { name: "archive", bytes }];
        link::link(&link::Inputs { objects: &objects, archives: &archives, ..link::Inputs::default() }, false)
    };
    // The program asks for libcalls, and the member that has them has `main`, too.
    let whole = with(&archive).expect("it can be linked");
    assert_eq!(whole, linked(&program, &runtime, false).expect("it can be linked"));
    for length in [0, 7, 30, archive.len() / 2] {
        assert!(matches!(with(&archive[..length]), Err(link::Error::Malformed { .. })), "{length} bytes");
    }
    let thin = [&b"!<thin>\n"[..], &archive[8..]].concat();
    assert!(matches!(with(&thin), Err(link::Error::Unsupported { .. })));
}

/// An object whose sections all lie in the same bytes.
fn overlapping(sections: u16) -> Vec<u8> {
    const HEADER: u64 = 64;
    const CODE: u64 = 4096;
    const NAME: &[u8; 8] = b"\0.text\0\0";
    let mut bytes = Vec::new();
    bytes.extend(*b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    // An object for x86-64.
    bytes.extend([1u16, 62].iter().flat_map(|half| half.to_le_bytes()));
    bytes.extend(1u32.to_le_bytes());
    let table = HEADER + CODE + NAME.len() as u64;
    bytes.extend([0, 0, table].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(0u32.to_le_bytes());
    bytes.extend([64u16, 0, 0, 64, sections + 2, sections + 1].iter().flat_map(|half| half.to_le_bytes()));
    bytes.resize((HEADER + CODE) as usize, 0x90);
    bytes.extend(NAME);
    let mut header = |name: u32, kind: u32, flags: u64, offset: u64, size: u64| {
        bytes.extend([name, kind].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([flags, 0, offset, size].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([0u32; 2].iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend([1u64, 0].iter().flat_map(|word| word.to_le_bytes()));
    };
    header(0, 0, 0, 0, 0);
    (0..sections).for_each(|_| header(1, 1, 6, HEADER, CODE));
    header(1, 3, 0, HEADER + CODE, NAME.len() as u64);
    bytes
}

/// Many sections in the same bytes would become a program that is much larger than its objects.
#[test]
fn sections_that_overlap() {
    let (program, runtime) = (program(), runtime());
    let with = |bytes: &[u8]| {
        let file = |name, bytes| File { name, bytes };
        let objects = [file("program", &program), file("runtime", &runtime), file("more", bytes)];
        link::link(&link::Inputs { objects: &objects, ..link::Inputs::default() }, false).map(drop)
    };
    assert_eq!(with(&overlapping(1)), Ok(()));
    let reason = "its sections are larger than the file".into();
    assert_eq!(with(&overlapping(50_000)), Err(link::Error::Malformed { file: "more".into(), reason }));
}
