//! Names of types that have none of their own, made of what the types are: `function-s32-list-string-to-bool`. So a
//! name says something, and it stays the same when other functions and types come and go.
//!
//! Each part says how many follow it, by what it is or by a number, so that two types have the same name only if
//! records or variants are called like one of these words.

use crate::names::kebab;
use cleave_ir::PrimaryMap;
use cleave_ir::interface::{Interface, InterfaceKind, InterfaceType};

/// Longer names are cut, and end with a number that is computed from all of it.
const MOST: usize = 60;
const KEPT: usize = 40;

/// The names of all types.
pub(crate) fn spelled(interface: &Interface) -> PrimaryMap<InterfaceType, String> {
    let mut names: PrimaryMap<InterfaceType, String> = PrimaryMap::new();
    for data in interface.types.values() {
        let maybe = |ty: &Option<InterfaceType>| ty.map_or("none".to_string(), |ty| names[ty].clone());
        let each = |all: &[InterfaceType]| all.iter().map(|&ty| format!("-{}", names[ty])).collect::<String>();
        let name = match &data.kind {
            InterfaceKind::Primitive(primitive) => primitive.name().to_string(),
            InterfaceKind::String => "string".into(),
            InterfaceKind::List(element) => format!("list-{}", names[*element]),
            InterfaceKind::Option(some) => format!("option-{}", names[*some]),
            InterfaceKind::Tuple(parts) => format!("tuple{}{}", parts.len(), each(parts)),
            InterfaceKind::Result(good, bad) => format!("result-{}-{}", maybe(good), maybe(bad)),
            InterfaceKind::Record(name, _) | InterfaceKind::Variant(name, _) | InterfaceKind::Foreign(name) => {
                kebab(name)
            }
            InterfaceKind::Function(params, results) => {
                let result = match &results[..] {
                    [] => "-none".into(),
                    [_] => each(results),
                    several => format!("-tuple{}{}", several.len(), each(several)),
                };
                format!("function{}-to{result}", each(params))
            }
        };
        names.push(shortened(name));
    }
    names
}

fn shortened(name: String) -> String {
    if name.len() <= MOST {
        return name;
    }
    let whole = name[..KEPT].rfind('-').unwrap_or(KEPT);
    // Each word begins with a letter.
    format!("{}-x{:08x}", &name[..whole], fnv(&name))
}

/// The hash of Fowler, Noll and Vo, of 32 bits.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cleave_ir::Type;
    use cleave_ir::interface::{InterfaceTypeData, Primitive, Representation};

    fn names(kinds: Vec<InterfaceKind>) -> Vec<String> {
        let mut interface = Interface::default();
        for kind in kinds {
            let representation = Representation::Scalar(Type::I64, 0);
            interface.types.push(InterfaceTypeData { kind, representation });
        }
        spelled(&interface).values().cloned().collect()
    }

    #[test]
    fn names_say_what_types_are() {
        let id = InterfaceType::from_u32;
        let kinds = vec![
            InterfaceKind::Primitive(Primitive::S32),
            InterfaceKind::String,
            InterfaceKind::List(id(1)),
            InterfaceKind::Function(vec![id(0), id(2)], vec![id(1)]),
            InterfaceKind::Function(vec![], vec![]),
            InterfaceKind::Tuple(vec![id(0), id(3)]),
            InterfaceKind::Result(None, Some(id(1))),
            InterfaceKind::Record("MyPoint".into(), vec![("x".into(), id(0))]),
            InterfaceKind::Option(id(7)),
        ];
        let wanted = [
            "s32",
            "string",
            "list-string",
            "function-s32-list-string-to-string",
            "function-to-none",
            "tuple2-s32-function-s32-list-string-to-string",
            "result-none-string",
            "my-point",
            "option-my-point",
        ];
        assert_eq!(names(kinds), wanted);
    }

    #[test]
    fn long_names_are_cut_and_differ() {
        let id = InterfaceType::from_u32;
        let mut kinds = vec![InterfaceKind::String, InterfaceKind::Primitive(Primitive::Char)];
        kinds.push(InterfaceKind::Function(vec![id(0); 20], vec![id(0)]));
        kinds.push(InterfaceKind::Function(vec![id(0); 20], vec![id(1)]));
        kinds.extend((3..40).map(|at| InterfaceKind::Tuple(vec![id(at); 2])));
        let names = names(kinds);
        assert!(names[2].starts_with("function-string-string-") && names[2] != names[3], "{:?}", &names[2..4]);
        assert!(names.iter().all(|name| name.len() <= MOST));
    }
}
