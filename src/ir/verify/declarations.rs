//! Rules of descriptors and externs: what is declared must be what the runtime relies on. It prints nodes by the kind
//! and the field types of their descriptor, and its functions have one signature each.

use super::report::{Item, Location, VerifyError, type_list};
use crate::layout::{DescriptorKind, FOREIGN_SLOTS};
use crate::module::{DescData, Module, RecordData, WellKnownDesc};
use crate::runtime::ExternData;
use crate::types::Signature;
use cleave_abi::{Effects, LibcallSignature, libcalls};

/// Externs that are declared otherwise than the runtime has them. The functions that any language may call are known
/// here; a front end that brings more gives their rows.
pub fn externs(module: &Module, rows: &[&LibcallSignature]) -> Vec<VerifyError> {
    let mut errors = Vec::new();
    for (id, declared) in module.externs.iter().filter(|(_, declared)| declared.from.is_none()) {
        let row = libcalls::find(&declared.name).or_else(|| rows.iter().copied().find(|row| row.name == declared.name));
        if let Some(message) = row.and_then(|row| differs(declared, row)) {
            let message = format!("extern {}: {message}", declared.name);
            errors.push(VerifyError {
                func: String::new(),
                at: Location::Item(Item::Extern(id)),
                inst: String::new(),
                message,
            });
        }
    }
    errors
}

fn differs(declared: &ExternData, row: &LibcallSignature) -> Option<String> {
    if declared.params[..] != *row.params || declared.results[..] != *row.results {
        let (params, results) = (type_list(row.params), type_list(row.results));
        return Some(format!("the function of the runtime has the types {params} -> {results}"));
    }
    // To say that it does more costs speed, and no more. All else callers rely on.
    let harmless = Effects::EFFECT.and(Effects::READS);
    let (ours, theirs) = (declared.effects.0, row.effects.0);
    if theirs & !ours != 0 || ours & !theirs & !harmless.0 != 0 {
        let words: Vec<&str> = row.effects.words().collect();
        let words = if words.is_empty() { "pure".into() } else { words.join(", ") };
        return Some(format!("the function of the runtime has the effects [{words}]"));
    }
    None
}

/// What is wrong with a descriptor of its own accord.
pub(super) fn descriptor(module: &Module, desc: &DescData) -> Option<String> {
    if is_last_none(desc) {
        let help = other_places(module, desc);
        return Some(format!(
            "the last function of `apply` is `none`: nothing is called when all arguments are there{help}"
        ));
    }
    if let Some(record) = &desc.record
        && matches!(desc.kind, DescriptorKind::Record | DescriptorKind::UnboxedListCell)
        && let Some(message) = field_types(record)
    {
        return Some(message);
    }
    kind(module, desc)
}

/// The function that takes the last argument of a closure is missing.
pub(super) fn is_last_none(desc: &DescData) -> bool {
    desc.apply.iter().any(Option::is_some) && desc.apply.last() == Some(&None)
}

/// The end of the message for functions of `apply` that stand at other places than their signatures are for: a function
/// takes the closure and what is missing where it stands.
pub(super) fn other_places(module: &Module, desc: &DescData) -> String {
    let mut places = vec![None; desc.arity as usize];
    for func in desc.apply.iter().flatten() {
        let Some(data) = module.funcs.get(*func) else { return String::new() };
        let count = data.signature.params.len() as u32;
        let place = (desc.arity + 1).checked_sub(count).map(|place| place as usize);
        let Some(place) = place.and_then(|place| places.get_mut(place)) else { return String::new() };
        if data.signature != Signature::ptrs(count) || place.replace(&data.name).is_some() {
            return String::new();
        }
    }
    if places.last().is_none_or(Option::is_none) {
        return String::new();
    }
    let name = |place: &Option<&String>| place.map_or_else(|| "none".to_string(), |name| format!("@{name}"));
    let places: Vec<String> = places.iter().map(name).collect();
    format!(": a function stands behind as many others as arguments are there already, `apply [{}]`", places.join(", "))
}

/// The types of the fields, by which the runtime prints them, speak of no more than there is.
fn field_types(record: &RecordData) -> Option<String> {
    let (mut ptrs, mut nptrs, mut nested) = (0, 0, 0);
    let types = &record.types[..];
    let types = match types {
        [b'd', rest @ ..] | [b'l', b'R', rest @ ..] | [b'l', rest @ ..] => rest,
        _ => types,
    };
    for letter in types {
        match letter {
            b'a' | b'w' => ptrs += 1,
            b'(' | b')' | b'}' | b',' => {}
            b'{' => nested += 1,
            b'f' => nptrs += 2,
            _ => nptrs += 1,
        }
    }
    if ptrs > record.ptrs || nptrs > record.nptrs {
        return Some(format!(
            "its field types have {ptrs} references and {nptrs} words, but it has {} and {} (`a` is a reference, `i`, `r`, \
             `c` and `b` are words)",
            record.ptrs, record.nptrs
        ));
    }
    (nested > record.nested.len())
        .then(|| format!("its field types have {nested} nested records, `nested` lists fewer"))
}

/// The runtime knows what nodes of these kinds hold.
fn kind(module: &Module, desc: &DescData) -> Option<String> {
    let (ptrs, nptrs) = match &desc.record {
        Some(record) => (record.ptrs, record.nptrs),
        None => (desc.arity, 0),
    };
    let (wanted, what) = match desc.kind {
        DescriptorKind::Int | DescriptorKind::Char | DescriptorKind::Bool | DescriptorKind::Real => {
            (ptrs == 0 && nptrs == 1, "one word, and no references")
        }
        DescriptorKind::File => (ptrs == 0 && nptrs == 2, "two words, and no references"),
        DescriptorKind::Foreign => (2 * nptrs == FOREIGN_SLOTS && ptrs == 0, "two words, and no references"),
        DescriptorKind::ListCell => (ptrs == 2 && nptrs == 0, "two references, and no words"),
        DescriptorKind::BoxedArray => (ptrs == 1 && nptrs == 0, "one reference, and no words"),
        DescriptorKind::String | DescriptorKind::Array => {
            let known = if desc.kind == DescriptorKind::String { WellKnownDesc::String } else { WellKnownDesc::Array };
            let is_known = module.descs[known.desc()].label == desc.label;
            return (!is_known).then(|| format!("${} is the only descriptor of this kind", known.label()));
        }
        _ => return None,
    };
    (!wanted).then(|| format!("nodes of this kind have {what}"))
}
