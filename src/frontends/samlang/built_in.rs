//! What is built in: classes that modules know without importing them. `Builtins` is of programs of 2021, `Process` and
//! `Str` are today's; `Array`, from which `Vec` is made, is known in hidden modules only, as are `Native`'s functions
//! in modules of the library that are not samlang's own.

use crate::lex::{Name, Names};
use crate::program::{Builtin, ClassInfo, ClassKind, MemberId, MemberInfo, ParamInfo, Program};
use crate::types::{ClassId, ParamId, Ty};
use cleave_strict::core_ir::Primitive;
use rustc_hash::FxHashMap;

pub const BUILTINS: ClassId = ClassId(0);
pub const PROCESS: ClassId = ClassId(1);
pub const STR: ClassId = ClassId(2);
pub const ARRAY: ClassId = ClassId(3);
pub const NATIVE: ClassId = ClassId(4);
/// So many classes are built in.
pub const BUILT_IN: u32 = 5;

/// The type of a parameter or a result.
#[derive(Clone, Copy)]
enum Of {
    Plain(Ty),
    /// The type parameter, which the function has then.
    Param,
    /// `Array<T>`
    Array,
    /// `Array<Array<T>>`
    Arrays,
    /// `Array<int>`
    Ints,
}

const UNIT: Of = Of::Plain(Ty::UNIT);
const BOOL: Of = Of::Plain(Ty::BOOL);
const INT: Of = Of::Plain(Ty::INT);
const TEXT: Of = Of::Plain(Ty::TEXT);

type Row = (&'static str, Builtin, &'static [Of], Of);

/// The names of the members; their types are words.
const MEMBERS_OF_2021: [Row; 9] = [
    ("println", Builtin::Primitive(Primitive::PrintLine), &[TEXT], UNIT),
    ("panic", Builtin::Primitive(Primitive::Panic), &[TEXT], Of::Param),
    ("intToString", Builtin::Primitive(Primitive::OfInt), &[INT], TEXT),
    ("stringToInt", Builtin::StringToInt, &[TEXT], INT),
    ("stringLength", Builtin::Primitive(Primitive::Length), &[TEXT], INT),
    ("charAt", Builtin::Primitive(Primitive::CharAt), &[TEXT, INT], INT),
    ("substring", Builtin::Primitive(Primitive::Slice), &[TEXT, INT, INT], TEXT),
    ("charToString", Builtin::Primitive(Primitive::OfChar), &[INT], TEXT),
    ("compareStrings", Builtin::Primitive(Primitive::Compare), &[TEXT, TEXT], INT),
];
const PROCESS_MEMBERS: [Row; 2] = [
    ("println", Builtin::Primitive(Primitive::PrintLine), &[TEXT], UNIT),
    ("panic", Builtin::Primitive(Primitive::Panic), &[TEXT], Of::Param),
];
const STR_MEMBERS: [Row; 1] = [("fromInt", Builtin::Primitive(Primitive::OfInt), &[INT], TEXT)];
const STR_METHODS: [Row; 1] = [("toInt", Builtin::ToInt, &[], INT)];
const ARRAY_MEMBERS: [Row; 9] = [
    ("make", Builtin::NewArray, &[INT], Of::Array),
    ("size", Builtin::ArraySize, &[Of::Array], INT),
    ("get", Builtin::Element, &[Of::Array, INT], Of::Param),
    ("take", Builtin::Take, &[Of::Array, INT], Of::Param),
    ("set", Builtin::SetElement, &[Of::Array, INT, Of::Param], UNIT),
    ("getInner", Builtin::InnerElement, &[Of::Arrays, INT], Of::Param),
    ("takeInner", Builtin::InnerTake, &[Of::Arrays, INT], Of::Param),
    ("setInner", Builtin::SetInnerElement, &[Of::Arrays, INT, Of::Param], UNIT),
    ("same", Builtin::Same, &[Of::Param, Of::Param], BOOL),
];

/// What the modules of `cleave.…` are made of: input, files, the bytes of strings.
const NATIVE_MEMBERS: [Row; 14] = [
    ("print", Builtin::Primitive(Primitive::Print), &[TEXT], UNIT),
    ("readLine", Builtin::Primitive(Primitive::ReadLine), &[], TEXT),
    ("argumentCount", Builtin::Primitive(Primitive::ArgumentCount), &[], INT),
    ("argument", Builtin::Primitive(Primitive::Argument), &[INT], TEXT),
    ("environment", Builtin::Primitive(Primitive::Environment), &[TEXT], TEXT),
    ("readFile", Builtin::Primitive(Primitive::ReadFile), &[TEXT, Of::Ints], TEXT),
    ("writeFile", Builtin::Primitive(Primitive::WriteFile), &[TEXT, TEXT], INT),
    ("exit", Builtin::Primitive(Primitive::Exit), &[INT], Of::Param),
    ("length", Builtin::Primitive(Primitive::Length), &[TEXT], INT),
    ("charAt", Builtin::Primitive(Primitive::CharAt), &[TEXT, INT], INT),
    ("substring", Builtin::Primitive(Primitive::Slice), &[TEXT, INT, INT], TEXT),
    ("charToString", Builtin::Primitive(Primitive::OfChar), &[INT], TEXT),
    ("compare", Builtin::Primitive(Primitive::Compare), &[TEXT, TEXT], INT),
    ("giveBack", Builtin::GiveBack, &[Of::Param], INT),
];

/// Declares the classes, in the order of their numbers.
pub fn built_in(program: &mut Program, names: &mut Names) {
    class(program, names, "Builtins", &[(false, &MEMBERS_OF_2021)]);
    class(program, names, "Process", &[(false, &PROCESS_MEMBERS)]);
    class(program, names, "Str", &[(false, &STR_MEMBERS), (true, &STR_METHODS)]);
    class(program, names, "Array", &[(false, &ARRAY_MEMBERS)]);
    program.classes[ARRAY.0 as usize].params = vec![param(program, names)];
    class(program, names, "Native", &[(false, &NATIVE_MEMBERS)]);
}

fn param(program: &mut Program, names: &mut Names) -> ParamId {
    let id = ParamId(program.params.len() as u32);
    program.params.push(ParamInfo { name: names.name("T"), bound: None, span: None });
    id
}

fn class(program: &mut Program, names: &mut Names, name: &str, groups: &[(bool, &[Row])]) {
    let class = ClassId(program.classes.len() as u32);
    let (mut by_name, mut members): (FxHashMap<Name, MemberId>, Vec<MemberId>) = Default::default();
    for &(is_method, rows) in groups {
        for &(name, builtin, types, result) in rows {
            let is_generic = types.iter().chain([&result]).any(|of| !matches!(of, Of::Plain(_) | Of::Ints));
            let params: Vec<ParamId> = is_generic.then(|| param(program, names)).into_iter().collect();
            let mut of = |of: &Of| match *of {
                Of::Plain(ty) => ty,
                Of::Ints => program.types.class(ARRAY, &[Ty::INT]),
                Of::Param => program.types.param(params[0]),
                Of::Array => {
                    let param = program.types.param(params[0]);
                    program.types.class(ARRAY, &[param])
                }
                Of::Arrays => {
                    let param = program.types.param(params[0]);
                    let array = program.types.class(ARRAY, &[param]);
                    program.types.class(ARRAY, &[array])
                }
            };
            let types = types.iter().map(&mut of).collect();
            let result = of(&result);
            let (id, name) = (MemberId(program.members.len() as u32), names.name(name));
            by_name.insert(name, id);
            members.push(id);
            program.members.push(MemberInfo {
                name,
                span: None,
                class,
                source: usize::MAX,
                is_method,
                is_private: false,
                params,
                types,
                result,
                builtin: Some(builtin),
                tried: None,
            });
        }
    }
    program.classes.push(ClassInfo {
        name: names.name(name),
        span: None,
        source: (usize::MAX, 0),
        is_private: false,
        is_today: false,
        params: Vec::new(),
        kind: ClassKind::Space,
        interfaces: Vec::new(),
        members,
        by_name,
    });
}
