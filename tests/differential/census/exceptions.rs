//! Rows of the table that generated programs need not have, each with its reason.

use cleave_ir::Heap;

/// A row without programs, or all that begin alike (`…*`), on one heap or both.
pub struct Exception {
    heap: Option<Heap>,
    pub row: &'static str,
    pub reason: &'static str,
}

impl Exception {
    pub fn is_for(&self, heap: Heap, row: &str) -> bool {
        let fits = match self.row.strip_suffix('*') {
            Some(begin) => row.starts_with(begin),
            None => row == self.row,
        };
        fits && self.heap.is_none_or(|own| own == heap)
    }
}

const fn both(row: &'static str, reason: &'static str) -> Exception {
    Exception { heap: None, row, reason }
}
const fn traced(row: &'static str, reason: &'static str) -> Exception {
    Exception { heap: Some(Heap::Gc), row, reason }
}
const fn counted(row: &'static str, reason: &'static str) -> Exception {
    Exception { heap: Some(Heap::Rc), row, reason }
}

const CLOSURES: &str = "the pass `lower-apply` makes it";
const RC_INSERTION: &str = "the pass `rc-insertion` makes it";
const PHASES: &str = "the compiler makes it of what is high";
const OUTSIDE: &str = "programs with functions from outside are those of `library`, `javascript` and the command line";
const OPTION: &str = "an option of the command line asks for it";
const WHOLE: &str = "ways have it for whole programs: what is linked with such a function is never captured";
const EXCEPTIONS: &str =
    "made of other opcodes before anything else: `ir-exceptions*` of the command line's tests run in all ways";
const TABLES: &str = "no function of its tables gives one reference: `ir-effects` of the command line's tests has it";
const EXPANDED: &str = "`array.new` and its like become calls of it before anything else, in these programs too";
const FOREIGN: &str = "objects of the host are those of `javascript` and `c_library`";
const HOSTS: &str = "calls of a host are those of `javascript` and `c_library`";
const SYSTEM: &str =
    "the engines of these tests give no arguments alike: `ir-system` of the command line's tests runs in all ways";
const LAZY: &str = "the reference-counted heap has no thunks";
const BOXED: &str = "the reference-counted heap has no arrays of this kind, and boxed values are no static nodes";
const ONE_BY_ONE: &str = "the reference-counted heap has no closures that take their arguments one by one";
const FIXED: &str = "nodes of the reference-counted heap keep their constructors";
const COLLECTOR: &str = "the reference-counted heap has no collector";
const ADDRESSES: &str = "references of the reference-counted heap are read from nodes alone";
const OTHER_HEAP: &str = "objects of the other heap";

/// All of them.
#[rustfmt::skip]
pub fn exceptions() -> Vec<Exception> {
    vec![
        both("phase rooted", PHASES),
        both("phase low", PHASES),
        both("table apply", CLOSURES),
        both("table update", CLOSURES),
        both("function borrows", RC_INSERTION),
        both("function borrowed", RC_INSERTION),
        both("function holes", "the pass `trmc` makes it"),
        both("effect heap", "no row has it without collecting"),
        both("effect ffi", OUTSIDE),
        both("effect from", OUTSIDE),
        both("effect symbol", OUTSIDE),
        both("static symbol", OUTSIDE),
        both("module counts cells", OPTION),
        both("roots chain", WHOLE),
        both("roots stackmap", WHOLE),
        traced("effect rc", OTHER_HEAP),
        traced("effect consumes", OTHER_HEAP),
        both("opcode open_hole", "the pass `trmc` makes it"),
        both("opcode move_hole", "the pass `trmc` makes it"),
        both("opcode fill_hole", "the pass `trmc` makes it"),
        both("extern uncaught", EXCEPTIONS),
        both("extern unhandled", EXCEPTIONS),
        both("kind foreign", FOREIGN),
        traced("extern new_foreign", FOREIGN),
        traced("extern foreign_number", FOREIGN),
        traced("extern close_foreign", FOREIGN),
        both("extern take_foreign", FOREIGN),
        both("extern begin_call", HOSTS),
        counted("extern rc_new_foreign", FOREIGN),
        counted("extern rc_foreign_number", FOREIGN),
        counted("extern rc_close_foreign", FOREIGN),
        counted("extern rc_take_foreign", FOREIGN),
        both("extern argument_count", SYSTEM),
        traced("extern argument", SYSTEM),
        counted("extern rc_argument", SYSTEM),
        traced("extern copy_elements", EXPANDED),
        counted("extern rc_copy_elements", EXPANDED),
        counted("extern rc_repeat", EXPANDED),
        traced("extern is_static", OPTION),
        counted("extern rc_new_array", EXPANDED),
        both("opcode handle_call_table", TABLES),
        counted("opcode handle_apply", ONE_BY_ONE),
        counted("module blackhole", LAZY),
        counted("thunk_info *", LAZY),
        counted("opcode arg.*", LAZY),
        counted("opcode blackhole", LAZY),
        counted("opcode build_dummy", LAZY),
        counted("opcode build_thunk", LAZY),
        counted("opcode enter", LAZY),
        counted("opcode thunk_info", LAZY),
        counted("opcode eval", LAZY),
        counted("opcode fill*", LAZY),
        counted("opcode is_hnf", LAZY),
        counted("opcode make_indirection", LAZY),
        counted("opcode tail_e*", LAZY),
        counted("opcode update", LAZY),
        counted("opcode tail_update", LAZY),
        counted("closure *", ONE_BY_ONE),
        counted("desc apply*", ONE_BY_ONE),
        counted("desc callable", ONE_BY_ONE),
        counted("effect stores", ONE_BY_ONE),
        counted("opcode apply", ONE_BY_ONE),
        counted("opcode tail_apply", ONE_BY_ONE),
        counted("opcode try_apply", ONE_BY_ONE),
        counted("effect may_gc", COLLECTOR),
        counted("roots *", COLLECTOR),
        counted("opcode alloc", COLLECTOR),
        counted("opcode collect", COLLECTOR),
        counted("opcode heap_full", COLLECTOR),
        counted("kind array", BOXED),
        counted("kind boxed_array", BOXED),
        counted("known ARRAY", BOXED),
        counted("known _ARRAY_", BOXED),
        counted("static field bool", BOXED),
        counted("static field char", BOXED),
        counted("static field int", BOXED),
        counted("opcode addr_ref", BOXED),
        counted("opcode ref_addr", BOXED),
        counted("opcode array_size", BOXED),
        counted("opcode elem.ref", BOXED),
        counted("opcode set_elem.ref", BOXED),
        counted("opcode set_node_info", FIXED),
        counted("opcode load.ref", ADDRESSES),
        counted("opcode store.ref", ADDRESSES),
    ]
}
