//! Which definition a name means, and what is refused.

use cleave_native::link::input::*;
use cleave_native::link::library::*;
use cleave_native::link::resolve::*;

#[derive(Clone, Copy)]
enum Kind {
    Weak,
    Common(u64),
    Strong,
}

/// What `x` means if these objects define it, each as its number.
fn meaning(kinds: &[Kind]) -> Option<usize> {
    let object = |(number, kind): (u64, &Kind)| {
        let (is_weak, is_common) = (matches!(kind, Kind::Weak), matches!(kind, Kind::Common(_)));
        let size = if let Kind::Common(size) = *kind { size } else { 8 };
        let meaning = Meaning::Absolute(number);
        let symbol = Symbol { name: b"x", meaning, is_global: true, is_weak, is_common, kind: 0, size };
        Object { file: "x.o", sections: Vec::new(), symbols: vec![symbol] }
    };
    let found = globals(&(0..).zip(kinds).map(object).collect::<Vec<_>>()).ok()?;
    let Target::Absolute(number) = found[&b"x"[..]] else { panic!("all are numbers") };
    Some(number as usize)
}

#[test]
fn the_strongest_definition_counts() {
    use Kind::*;
    assert_eq!(meaning(&[Weak, Weak]), Some(0));
    assert_eq!(meaning(&[Weak, Common(4), Weak]), Some(1));
    assert_eq!(meaning(&[Common(4), Common(400), Common(4)]), Some(1));
    assert_eq!(meaning(&[Common(400), Weak, Strong, Common(4000)]), Some(2));
    assert_eq!(meaning(&[Strong, Weak, Strong]), None, "two strong ones");
}

/// A program that uses the variable `x` of a library in place.
#[test]
fn variables_of_libraries_have_a_limit() {
    let refusal = |size| {
        let relocation = Relocation { offset: 0, how: How::Distance, symbol: 1, addend: 0 };
        let (bytes, relocations) = (&[0; 8][..], vec![relocation]);
        let section = Section { kind: SectionKind::Text, align: 1, size: bytes.len() as u64, bytes, relocations };
        let symbol = |name, meaning| {
            let (is_global, is_weak, is_common) = (true, false, false);
            Symbol { name, meaning, is_global, is_weak, is_common, kind: 0, size: 0 }
        };
        let main = symbol(&b"main"[..], Meaning::Place { section: 0, offset: 0 });
        let symbols = vec![main, symbol(b"x", Meaning::Undefined)];
        let object = Object { file: "main.o", sections: vec![section], symbols };
        let offered = |is_function, size| Offered { version: None, is_function, address: 4096, size };
        let symbols = [(&b"x"[..], offered(false, size)), (START, offered(true, 1))];
        let library = Library { name: b"libx.so", symbols: symbols.into_iter().collect() };
        resolve(vec![object], &[library], &[]).err().map(|error| error.to_string())
    };
    assert_eq!(refusal(4096), None);
    for size in [LARGEST + 1, u64::MAX - 255] {
        let message = refusal(size).expect("it is too large");
        assert!(message.contains("more than a GiB in its library"), "{message}");
    }
}
