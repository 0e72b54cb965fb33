//! Custom sections: names of functions, also of those whose frames are in memory, who made the file, and which features
//! it needs.

use cleave_ir::Module;
use std::borrow::Cow;
use wasm_encoder::{CustomSection, NameMap, NameSection, ProducersField, ProducersSection, Section};

/// The section that `cleave run` and the loader look for.
const FRAMES: &str = "cleave.frames";

/// The features beyond the first version of Wasm that emitted modules may use.
const FEATURES: [&str; 6] =
    ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-fptoint", "sign-ext", "tail-call"];

/// The name section: the names of all functions in order of their indices, but for those that have none. Names are any
/// Unicode text, so none needs escapes.
pub fn functions(module: &str, names: &[Option<Cow<str>>]) -> NameSection {
    let mut map = NameMap::new();
    for (index, name) in (0..).zip(names) {
        if let Some(name) = name {
            map.append(index, name);
        }
    }
    let mut section = NameSection::new();
    section.module(module);
    section.functions(&map);
    section
}

/// What traces need for captured functions: how the numbers of records have to be shifted, and the names by the numbers
/// that this gives, a line for each.
fn frames(module: &Module) -> CustomSection<'static> {
    let mut text = String::new();
    if let Some(captures) = &module.captures {
        text = captures.bits.to_string();
        for &func in &captures.funcs {
            text.push('\n');
            text.push_str(&module.funcs[func].name);
        }
    }
    CustomSection { name: FRAMES.into(), data: text.into_bytes().into() }
}

/// Who made the file, for which engines, and what traces of a module need.
pub fn about(wasm: &mut Vec<u8>, traced: Option<&Module>) {
    producers().append_to(wasm);
    target_features().append_to(wasm);
    if let Some(module) = traced {
        frames(module).append_to(wasm);
    }
}

fn producers() -> ProducersSection {
    let mut field = ProducersField::new();
    field.value("cleave", env!("CARGO_PKG_VERSION"));
    let mut section = ProducersSection::new();
    section.field("processed-by", &field);
    section
}

fn target_features() -> CustomSection<'static> {
    let mut data = vec![FEATURES.len() as u8];
    for feature in FEATURES {
        data.push(b'+');
        data.push(feature.len() as u8);
        data.extend_from_slice(feature.as_bytes());
    }
    CustomSection { name: "target_features".into(), data: data.into() }
}
