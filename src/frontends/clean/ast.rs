//! The syntax tree of an ABC module: what `parse` produces and `link` and `translate` read.
//!
//! The code is a flat list of [`Item`]s in file order, 12 bytes each; operands lie in one shared table of `u32`, their
//! meaning given by the instruction table:
//!
//! ```text
//!   items     [ label . ] [ push_a . ] [ build . . . ] [ dot_d . ] …       op, byte offset of the line, first operand
//!                     |           |          | |  \            \
//!   operands  [ sym 7 | 3 | sym 1, -2, sym 9 | layout 4 | … ]
//! ```
//!
//! Invariants established by the parser: every item has the operands of its row in the table, of the right kind and in
//! range; symbols, strings, layouts and constants named by an operand exist in this module. Every operand that the
//! line may leave out is present (see [`Symbol::ABSENT`]), so operand numbers are fixed per opcode; only `.record` has
//! a variable number, at its end. Names are not resolved: a symbol is only a spelling.
//!
//! Everything is private to one module, so that modules are parsed in parallel.

use cleave_diag::{FileId, Span};

use crate::instr::{Opcode, Operand};
pub use crate::intern::{BytePool, Interner, Symbol};

/// One word of the B stack as declared by `.o` and `.d`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BWord {
    Int,
    Bool,
    Char,
    Real,
    /// First word (nearer the top) of a file: its number.
    FileNumber,
    /// Second word of a file: its position.
    FilePosition,
    /// `p`: process number or address.
    Address,
}

/// The number of a layout in the table of its module; equal numbers mean equal layouts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LayoutId(pub u32);

/// The top of both stacks: `a` nodes, and one entry per word of B, top first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout<'m> {
    pub a: u32,
    pub b: &'m [BWord],
}

/// The layouts of one module, each stored once.
#[derive(Clone, Debug)]
pub struct Layouts {
    /// Key: four bytes of `a`, then the letters.
    keys: Interner,
    words: Vec<BWord>,
    /// Per symbol of `keys`: `a` and the end of its words.
    rows: Vec<(u32, u32)>,
    /// The numbers of the first few layouts without words, by `a`: most layouts are of this kind.
    plain: Vec<Option<LayoutId>>,
    key: Vec<u8>,
}

impl Default for Layouts {
    fn default() -> Layouts {
        Layouts { keys: Interner::empty(), words: Vec::new(), rows: Vec::new(), plain: Vec::new(), key: Vec::new() }
    }
}

impl Layouts {
    /// The layout with `a` nodes and the words named by lower-case letters (`f` gives two words).
    pub(crate) fn intern(&mut self, a: u32, letters: &[u8]) -> LayoutId {
        if letters.is_empty()
            && let Some(&Some(id)) = self.plain.get(a as usize)
        {
            return id;
        }
        self.key.clear();
        self.key.extend_from_slice(&a.to_le_bytes());
        self.key.extend_from_slice(letters);
        let symbol = self.keys.intern(&self.key);
        let id = LayoutId(symbol.0);
        if id.0 as usize == self.rows.len() {
            for &letter in letters {
                self.words.push(match letter {
                    b'b' => BWord::Bool,
                    b'c' => BWord::Char,
                    b'r' => BWord::Real,
                    b'p' => BWord::Address,
                    b'f' => BWord::FileNumber,
                    _ => BWord::Int,
                });
                if letter == b'f' {
                    self.words.push(BWord::FilePosition);
                }
            }
            self.rows.push((a, self.words.len() as u32));
        }
        if letters.is_empty() && a < 64 {
            self.plain.resize(self.plain.len().max(a as usize + 1), None);
            self.plain[a as usize] = Some(id);
        }
        id
    }

    #[inline]
    pub fn get(&self, id: LayoutId) -> Layout<'_> {
        let index = id.0 as usize;
        let start = if index == 0 { 0 } else { self.rows[index - 1].1 };
        let (a, end) = self.rows[index];
        Layout { a, b: &self.words[start as usize..end as usize] }
    }

    /// Number of layouts; they are `LayoutId(0)..LayoutId(len)`.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// A label definition, a directive or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// Byte offset of its first word in the file.
    pub offset: u32,
    /// Number of its first operand in the operand table.
    first: u32,
    pub op: Opcode,
    count: u16,
}

/// The line `.comp`.
#[derive(Clone, Debug, Default)]
pub struct Comp {
    pub version: u32,
    /// The option digits.
    pub options: String,
}

/// A line `.depend`.
#[derive(Clone, Debug)]
pub struct Depend {
    pub name: Vec<u8>,
    pub span: Span,
}

/// A line `.impobj` or `.implib`: native code that `ccall`s of this module need.
#[derive(Clone, Debug)]
pub struct NativeNeed {
    pub name: Vec<u8>,
    pub is_library: bool,
    pub span: Span,
}

/// One module.
#[derive(Clone, Debug)]
pub struct ParsedModule {
    /// The name in `.module`, or of the file if there is none.
    pub name: String,
    pub file: FileId,
    pub comp: Comp,
    /// The label of `.start`, `None` for `_nostart_`.
    pub start: Option<Symbol>,
    pub start_span: Span,
    pub depends: Vec<Depend>,
    pub natives: Vec<NativeNeed>,
    pub symbols: Interner,
    pub strings: BytePool,
    pub layouts: Layouts,
    pub items: Vec<Item>,
    /// Offsets and names of the lines that stand for several items, in order.
    pub(crate) fused: Vec<(u32, Opcode)>,
    pub operands: Vec<u32>,
    /// Integers and doubles, as bits.
    pub wide: Vec<u64>,
}

impl ParsedModule {
    pub(crate) fn new(name: String, file: FileId) -> ParsedModule {
        ParsedModule {
            name,
            file,
            comp: Comp::default(),
            start: None,
            start_span: Span::new(file, 0, 0),
            depends: Vec::new(),
            natives: Vec::new(),
            symbols: Interner::new(),
            strings: BytePool::default(),
            layouts: Layouts::default(),
            items: Vec::new(),
            fused: Vec::new(),
            operands: Vec::new(),
            wide: Vec::new(),
        }
    }

    /// Appends an item whose operands are those from `first` to the end of the operand table.
    pub(crate) fn push_item(&mut self, op: Opcode, offset: u32, first: usize) {
        let count = self.operands.len() - first;
        debug_assert!(count <= u16::MAX as usize, "operand lists are bounded by the parser");
        self.items.push(Item { offset, first: first as u32, op, count: count as u16 });
    }

    /// True if the optimiser of the ABC interpreter has worked on the module: it leaves out some directives.
    pub fn is_optimised(&self) -> bool {
        !self.fused.is_empty()
    }

    /// The item with a number, ready to read its operands.
    #[inline]
    pub fn line(&self, index: usize) -> Line<'_> {
        self.view(self.items[index])
    }

    #[inline]
    pub fn view(&self, item: Item) -> Line<'_> {
        let first = item.first as usize;
        Line {
            module: self,
            op: item.op,
            offset: item.offset,
            args: &self.operands[first..first + item.count as usize],
        }
    }

    /// All items in file order.
    pub fn lines(&self) -> impl DoubleEndedIterator<Item = Line<'_>> + ExactSizeIterator {
        self.items.iter().map(|&item| self.view(item))
    }

    /// The spelling of a symbol.
    pub fn name_of(&self, symbol: Symbol) -> &[u8] {
        self.symbols.name(symbol)
    }

    /// The spelling of a symbol as text, for messages.
    pub fn text_of(&self, symbol: Symbol) -> String {
        self.symbols.text(symbol)
    }
}

/// An item with its operands. `args` has one number per operand of the opcode's row; the methods below give it its
/// type. The number `k` counts from 0 in the order of the line.
#[derive(Clone, Copy)]
pub struct Line<'m> {
    pub module: &'m ParsedModule,
    pub op: Opcode,
    pub offset: u32,
    pub args: &'m [u32],
}

impl<'m> Line<'m> {
    /// A stack offset, count, arity, flag, Bool or Char.
    #[inline]
    pub fn n(&self, k: usize) -> u32 {
        self.args[k]
    }

    /// The argument count of `build`, `fill`, `.n`: negative for special kinds.
    #[inline]
    pub fn signed(&self, k: usize) -> i32 {
        self.args[k] as i32
    }

    /// A label, descriptor, bit string, name, type string or big number. `_` is [`Symbol::NONE`].
    #[inline]
    pub fn symbol(&self, k: usize) -> Symbol {
        Symbol(self.args[k])
    }

    /// A label or descriptor, `None` for `_` or if it was left out.
    #[inline]
    pub fn label(&self, k: usize) -> Option<Symbol> {
        Some(self.symbol(k)).filter(|symbol| !symbol.is_none())
    }

    /// The spelling of the symbol that is operand `k`.
    pub fn name(&self, k: usize) -> &'m [u8] {
        self.module.symbols.name(self.symbol(k))
    }

    #[inline]
    pub fn int(&self, k: usize) -> i64 {
        self.module.wide[self.args[k] as usize] as i64
    }

    #[inline]
    pub fn real(&self, k: usize) -> f64 {
        f64::from_bits(self.module.wide[self.args[k] as usize])
    }

    /// The contents of a string, escapes resolved.
    #[inline]
    pub fn string(&self, k: usize) -> &'m [u8] {
        self.module.strings.get(self.args[k])
    }

    /// The layout of `.o` and `.d`.
    #[inline]
    pub fn layout_id(&self) -> LayoutId {
        LayoutId(self.args[0])
    }

    #[inline]
    pub fn layout(&self) -> Layout<'m> {
        self.module.layouts.get(self.layout_id())
    }

    /// `.record`: the descriptors of nested unboxed records, in the order of the line.
    pub fn record_ptrs(&self) -> impl ExactSizeIterator<Item = Symbol> + 'm {
        debug_assert_eq!(self.op, Opcode::dot_record);
        self.args[5..].iter().map(|&symbol| Symbol(symbol))
    }

    /// The kinds of the operands.
    pub fn kinds(&self) -> &'static [Operand] {
        self.op.info().operands
    }
}
