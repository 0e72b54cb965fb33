//! Shows values as text for tests: graphs in head normal form, nothing is evaluated. Thunks appear as `<label>`.

use crate::machine::Machine;
use crate::session::Session;
use crate::value::{Trap, Val};
use cleave_ir::ThunkInfo;
use cleave_ir::layout::*;
use std::fmt::Write;

/// What is still to be written.
enum Item {
    Node(u32),
    Text(String),
}

/// Longest text; cyclic graphs are cut here.
const MAX_TEXT: usize = 10_000;

impl Session<'_> {
    /// A value as text: `(Pair 1 2)`, `"abc"`, `{1,2}`, `'c'`; integers in nodes look like raw ones.
    pub fn show(&self, value: Val) -> Result<String, Trap> {
        let Val::Ref(root) = value else { return Ok(value.to_string()) };
        let mut out = String::new();
        let mut todo = vec![Item::Node(root)];
        while let Some(item) = todo.pop() {
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Node(node) => {
                    let mut parts = self.machine.parts(node)?;
                    parts.reverse();
                    todo.append(&mut parts);
                }
            }
            if out.len() > MAX_TEXT {
                out.push('…');
                break;
            }
        }
        Ok(out)
    }
}

impl Machine<'_> {
    fn text_block(&self, at: u32) -> Result<String, Trap> {
        let length = self.memory.load32(at)?;
        Ok(String::from_utf8_lossy(self.memory.slice(at + 4, length)?).into_owned())
    }

    fn parts(&self, node: u32) -> Result<Vec<Item>, Trap> {
        if is_immediate(node) {
            return Ok(vec![Item::Text(immediate_value(node).to_string())]);
        }
        let header = self.memory.load32(node)?;
        if header & TAG_HNF == 0 {
            let entry =
                ThunkInfo::from_u32(header.wrapping_sub(self.program.data_section.thunk_infos) / THUNK_INFO_SIZE);
            let label = self.program.module.thunk_infos.get(entry).map_or("?", |data| data.label.as_str());
            return Ok(vec![Item::Text(format!("<{label}>"))]);
        }
        let node_info = header - TAG_HNF;
        let info = self.memory.load32(node_info + NODE_INFO_WORD)?;
        let descriptor = self.memory.load32(node_info + NODE_INFO_DESCRIPTOR)?;
        let [kind] = self.memory.load::<1>(descriptor + DESCRIPTOR_KIND)?;
        let (ptrs, slots) = (info >> 4 & MAX_SLOTS, info >> 18);
        let shape = Shape { ptrs, nptrs: (slots - ptrs) / 2, contiguous: info & INFO_KIND == KIND_CONTIGUOUS };
        let mut text = String::new();
        let word = |index| self.word_field(node, shape, index);
        if kind == DescriptorKind::Int as u8 {
            let _ = write!(text, "{}", word(0)? as i64);
        } else if kind == DescriptorKind::Char as u8 {
            let _ = write!(text, "'{}'", word(0)? as u8 as char);
        } else if kind == DescriptorKind::Bool as u8 {
            text.push_str(if word(0)? != 0 { "True" } else { "False" });
        } else if kind == DescriptorKind::Real as u8 {
            let _ = write!(text, "{:?}", f64::from_bits(word(0)?));
        } else if kind == DescriptorKind::String as u8 {
            let length = self.memory.load32(node + STRING_LENGTH)?;
            let bytes = self.memory.slice(node + STRING_DATA, length)?;
            let _ = write!(text, "{:?}", String::from_utf8_lossy(bytes));
        } else if kind == DescriptorKind::Array as u8 {
            return self.array_parts(node);
        } else {
            return self.node_parts(node, shape, descriptor);
        }
        Ok(vec![Item::Text(text)])
    }

    fn node_parts(&self, node: u32, shape: Shape, descriptor: u32) -> Result<Vec<Item>, Trap> {
        let name = self.text_block(self.memory.load32(descriptor + DESCRIPTOR_NAME)?)?;
        if shape.slots() == 0 {
            return Ok(vec![Item::Text(name)]);
        }
        let mut parts = vec![Item::Text(format!("({name}"))];
        for i in 0..shape.ptrs {
            parts.push(Item::Text(" ".into()));
            parts.push(Item::Node(self.reference_field(node, shape, i)?));
        }
        for i in 0..shape.nptrs {
            parts.push(Item::Text(format!(" #{}", self.word_field(node, shape, i)? as i64)));
        }
        parts.push(Item::Text(")".into()));
        Ok(parts)
    }

    fn array_parts(&self, array: u32) -> Result<Vec<Item>, Trap> {
        let size = self.memory.load32(array + ARRAY_SIZE)?;
        let kind = self.memory.load32(array + ARRAY_ELEMENT)?;
        let mut parts = vec![Item::Text("{".into())];
        let data = array + ARRAY_DATA;
        let (ptrs, nptrs) = match kind {
            0 => (1, 0),
            1 | 2 => (0, 1),
            3..=6 => (0, 0),
            descriptor => {
                let sizes = self.memory.load32(descriptor + DESCRIPTOR_SIZES)?;
                (sizes & 0xffff, sizes >> 16)
            }
        };
        for i in 0..size {
            if i > 0 {
                parts.push(Item::Text(",".into()));
            }
            let element = data + i * (4 * ptrs + 8 * nptrs);
            match kind {
                3 => parts.push(Item::Text(self.memory.load::<1>(data + i)?[0].to_string())),
                4 => parts.push(Item::Text((self.memory.load32(data + 4 * i)? as i32).to_string())),
                5 => parts.push(Item::Text(f32::from_bits(self.memory.load32(data + 4 * i)?).to_string())),
                2 => parts.push(Item::Text(format!("{:?}", f64::from_bits(self.memory.load64(element)?)))),
                _ => {
                    for r in 0..ptrs {
                        parts.push(Item::Node(self.memory.load32(element + 4 * r)?));
                    }
                    for w in 0..nptrs {
                        let word = self.memory.load64(element + 4 * ptrs + 8 * w)?;
                        parts.push(Item::Text(format!("#{}", word as i64)));
                    }
                }
            }
        }
        parts.push(Item::Text("}".into()));
        Ok(parts)
    }
}
