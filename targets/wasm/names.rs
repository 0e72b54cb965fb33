//! Custom sections: names of functions, who made the file, and which features it needs.

use wasm_encoder::{CustomSection, NameMap, NameSection, ProducersField, ProducersSection};

/// The features beyond the first version of Wasm that emitted modules may use.
const FEATURES: [&str; 6] =
    ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-fptoint", "sign-ext", "tail-call"];

/// The name section, from (function index, name) in increasing order of the indices. Names are any Unicode text, so
/// none needs escapes.
pub fn functions<'a>(module: &str, names: impl Iterator<Item = (u32, &'a str)>) -> NameSection {
    let mut map = NameMap::new();
    for (index, name) in names {
        map.append(index, name);
    }
    let mut section = NameSection::new();
    section.module(module);
    section.functions(&map);
    section
}

pub fn producers() -> ProducersSection {
    let mut field = ProducersField::new();
    field.value("cleave", env!("CARGO_PKG_VERSION"));
    let mut section = ProducersSection::new();
    section.field("processed-by", &field);
    section
}

pub fn target_features() -> CustomSection<'static> {
    let mut data = vec![FEATURES.len() as u8];
    for feature in FEATURES {
        data.push(b'+');
        data.push(feature.len() as u8);
        data.extend_from_slice(feature.as_bytes());
    }
    CustomSection { name: "target_features".into(), data: data.into() }
}
