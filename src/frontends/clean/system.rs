//! What the run-time part of module `_system` provides: known descriptors, libcalls by their Clean names, and our own
//! ABC text for the few labels that are ordinary code (`system.abc`).

use crate::externs::Runtime;
use cleave_ir::{Desc, Type, WellKnownDesc};

/// Our `_system` module. The user's is never linked.
pub const SOURCE: &str = include_str!("system.abc");
/// Name of the module in messages.
pub const FILE_NAME: &str = "<system.abc>";

/// Descriptors that exist in every program.
pub fn known_descriptor(name: &[u8]) -> Option<Desc> {
    let known = match name {
        b"INT" | b"dINT" | b"PROCID" => WellKnownDesc::Int,
        b"CHAR" => WellKnownDesc::Char,
        b"BOOL" => WellKnownDesc::Bool,
        b"REAL" => WellKnownDesc::Real,
        b"FILE" => WellKnownDesc::File,
        b"_STRING_" => WellKnownDesc::String,
        b"_ARRAY_" => WellKnownDesc::Array,
        b"ARRAY" => WellKnownDesc::BoxedArray,
        b"_Nil" => WellKnownDesc::Empty,
        b"_Cons" => WellKnownDesc::ListCell,
        b"_Tuple" => WellKnownDesc::Tuple,
        _ => return None,
    };
    Some(known.desc())
}

/// Labels that are called with `jsr` or `jmp` and implemented by the runtime.
pub fn libcall(name: &[u8]) -> Option<Runtime> {
    use Runtime::*;
    Some(match name {
        b"_driver" => Driver,
        b"_match_error" => MatchError,
        b"selector_m_error" => SelectorError,
        b"_type_error" => TypeError,
        b"index_error" => IndexError,
        b"_cycle_in_spine" | b"_reserve" => CycleInSpine,
        b"_print_graph" => PrintGraph,
        b"_eval_to_nf" => EvalToNormalForm,
        b"catAC" => CatString,
        b"sliceAC" => SliceString,
        b"updateAC" => UpdateString,
        b"eqAC" => EqString,
        b"cmpAC" => CmpString,
        b"ItoAC" => IntToString,
        b"RtoAC" => RealToString,
        b"BtoAC" => BoolToString,
        b"DtoAC" => NameToString,
        b"print_string_" => PrintString,
        b"print_chars_sc" => PrintCharsSc,
        // Ours: no library of Clean has it.
        b"giveBackO" => GiveBackObject,
        b"stdioF" => StdioF,
        b"stderrF" => StderrF,
        b"openF" => OpenF,
        b"closeF" => CloseF,
        b"reopenF" => ReopenF,
        b"readFC" => ReadFC,
        b"readFI" => ReadFI,
        b"readFR" => ReadFR,
        b"readFS" => ReadFS,
        b"readFString" => ReadFString,
        b"readLineF" => ReadLineF,
        b"writeFC" => WriteFC,
        b"writeFI" => WriteFI,
        b"writeFR" => WriteFR,
        b"writeFS" => WriteFS,
        b"writeFString" => WriteFString,
        b"endF" => EndF,
        b"errorF" => ErrorF,
        b"flushF" => FlushF,
        b"positionF" => PositionF,
        b"seekF" => SeekF,
        b"shareF" => ShareF,
        b"openSF" => OpenSF,
        b"readSFC" => ReadSFC,
        b"readSFI" => ReadSFI,
        b"readSFR" => ReadSFR,
        b"readSFS" => ReadSFS,
        b"readLineSF" => ReadLineSF,
        b"seekSF" => SeekSF,
        b"endSF" => EndSF,
        b"positionSF" => PositionSF,
        _ => return None,
    })
}

/// Why a label of Clean's own run-time system does not exist here.
pub fn foreign_label(name: &[u8]) -> Option<&'static str> {
    let copies_graphs = matches!(name, b"_copy_graph_to_string" | b"_copy_string_to_graph");
    copies_graphs.then_some(
        "the libraries GraphCopy and Dynamics store nodes as they are in the memory of Clean's own native code, which \
         this program does not have",
    )
}

/// What a label of the runtime returns. Reading and writing a character leave the file as it is, so their libcalls
/// return less than their labels.
pub fn results(libcall: Runtime) -> &'static [Type] {
    match libcall {
        Runtime::ReadFC => &[Type::I64; 4],
        Runtime::WriteFC => &[Type::I64; 2],
        _ => libcall.signature().results,
    }
}

/// What a label of the runtime takes.
pub fn params(libcall: Runtime) -> &'static [Type] {
    match libcall {
        Runtime::ReadFC => &[Type::I64; 2],
        Runtime::WriteFC => &[Type::I64; 3],
        _ => libcall.signature().params,
    }
}
