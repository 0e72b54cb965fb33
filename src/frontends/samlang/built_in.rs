//! What is built in: the class `Builtins`, which every module knows.

use crate::declare::BUILTINS;
use crate::lex::Names;
use crate::types::{ParamId, Ty};
use crate::world::{Builtin, ClassInfo, ClassKind, MemberId, MemberInfo, ParamInfo, World};
use rustc_hash::FxHashMap;

/// The names of the members that are built in; their types are words.
const MEMBERS: [(&str, Builtin, &[Ty], Option<Ty>); 9] = [
    ("println", Builtin::Println, &[Ty::TEXT], Some(Ty::UNIT)),
    ("panic", Builtin::Panic, &[Ty::TEXT], None),
    ("intToString", Builtin::IntToString, &[Ty::INT], Some(Ty::TEXT)),
    ("stringToInt", Builtin::StringToInt, &[Ty::TEXT], Some(Ty::INT)),
    ("stringLength", Builtin::Length, &[Ty::TEXT], Some(Ty::INT)),
    ("charAt", Builtin::CharAt, &[Ty::TEXT, Ty::INT], Some(Ty::INT)),
    ("substring", Builtin::Substring, &[Ty::TEXT, Ty::INT, Ty::INT], Some(Ty::TEXT)),
    ("charToString", Builtin::CharToString, &[Ty::INT], Some(Ty::TEXT)),
    ("compareStrings", Builtin::Compare, &[Ty::TEXT, Ty::TEXT], Some(Ty::INT)),
];

/// Declares the class.
pub fn built_in(world: &mut World, names: &mut Names) {
    let mut by_name = FxHashMap::default();
    for (name, builtin, types, result) in MEMBERS {
        let name = names.name(name);
        let mut params = Vec::new();
        let result = result.unwrap_or_else(|| {
            params.push(ParamId(world.params.len() as u32));
            world.params.push(ParamInfo { name: names.name("T"), bound: None, span: None });
            world.types.param(params[0])
        });
        by_name.insert(name, MemberId(world.members.len() as u32));
        let types = types.to_vec();
        world.members.push(MemberInfo {
            name,
            span: None,
            class: BUILTINS,
            source: usize::MAX,
            is_method: false,
            is_private: false,
            params,
            types,
            result,
            builtin: Some(builtin),
        });
    }
    world.classes.push(ClassInfo {
        name: names.name("Builtins"),
        span: None,
        source: (usize::MAX, 0),
        is_private: false,
        params: Vec::new(),
        kind: ClassKind::Space,
        interfaces: Vec::new(),
        members: (0..MEMBERS.len() as u32).map(MemberId).collect(),
        by_name,
    });
}
