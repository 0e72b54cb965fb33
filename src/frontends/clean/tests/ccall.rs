//! Patterns of calls of C.

use cleave_clean::ccall::*;
use cleave_clean::externs::Runtime;

fn parse(text: &str) -> Result<Signature, String> {
    Signature::parse(text.as_bytes())
}

#[test]
fn forms() {
    let signature = parse("GIpRrsSA:IpS:AIp").unwrap();
    use PassedAs::{Data, Float, Int, Real, String, Word};
    assert_eq!(signature.arguments, [Word, Word, Real, Float, Data, String, Data]);
    assert_eq!(signature.returned, Some(Int));
    assert_eq!(signature.through_pointers, [Word, String]);
    assert_eq!((signature.passed_nodes, signature.passed_words), (1, 2));
    assert_eq!(signature.taken(), (3, 4));

    // With `-` a single result is returned, several go through pointers.
    assert_eq!(parse("-I").unwrap().returned, Some(Int));
    assert_eq!(parse("S-pp").unwrap().returned, None);
    assert_eq!(parse("S-pp").unwrap().through_pointers, [Word, Word]);
    assert_eq!(parse("I:VIS:A").unwrap().through_pointers, [Int, String]);
    assert!(parse("O*[8]I:I").unwrap().unusual);
}

#[test]
fn arrays() {
    let has = |text| parse(text).unwrap().has_integers;
    assert!(["A:I", "IA-p", ":Ai", ":VIAi"].into_iter().all(has));
    assert!(!["sS:I", ":Ar", "I:S:A", "I:V"].into_iter().any(has));
}

#[test]
fn wrong_forms() {
    for text in ["", "I", "I:", ":", "X:I", "I:X", "I:IV", "I:A", "I::A", "I:I:", "I:I:V", "s:s"] {
        assert!(parse(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_found() {
    let found = |name: &str, text: &str| find(name.as_bytes(), &parse(text).unwrap());
    assert_eq!(found("malloc", "I:p"), Some(Runtime::CMalloc));
    assert_eq!(found("malloc", "I:p:A"), Some(Runtime::CMalloc));
    assert_eq!(found("free", "p:I"), Some(Runtime::CFree));
    assert_eq!(found("free", "p:V:A"), Some(Runtime::CFree));
    assert_eq!(found("memcpy", "psp:p"), Some(Runtime::CMemcpyFromObject));
    assert_eq!(found("free", "pp:V"), None);
    assert_eq!(found("getenv", "s:R"), None);
    assert_eq!(found("mysql_init", "p:p"), None);
}

/// Every function takes from the stacks what its pattern says, nodes first.
#[test]
fn table_agrees_with_libcalls() {
    use cleave_ir::Type;
    for (name, pattern, libcall) in FUNCTIONS {
        let info = libcall.signature();
        let (takes, returns) = pattern.split_once(':').unwrap();
        let of_kind = |letters: &str| takes.chars().filter(|letter| letters.contains(*letter)).count();
        let ptrs = info.params.iter().take_while(|&&ty| ty == Type::Ref).count();
        assert_eq!(of_kind("sS"), ptrs, "{name}");
        assert_eq!(of_kind("w"), info.params[ptrs..].iter().filter(|&&ty| ty == Type::I64).count(), "{name}");
        assert_eq!(takes.len(), info.params.len(), "{name}");
        let result = if returns.starts_with('w') { &[Type::I64][..] } else { &[] };
        assert_eq!(info.results, result, "{name}");
    }
}
