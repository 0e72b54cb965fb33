//! What the constants of the IR are once the static data has its addresses: for all targets.

use crate::data_section::StaticDataSection;
use crate::entity::{Caf, Desc, Static, ThunkInfo};
use crate::opcode::Constant;

/// A number, or the address of something in the static data section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConstantValue {
    /// An integer or an address; a reference is one, too.
    I32(u32),
    /// An integer.
    I64(i64),
    /// The bits of a real.
    F64(u64),
}

impl Constant {
    /// The value of an instruction with these immediates.
    pub fn value(self, data_section: &StaticDataSection, imm: u64, aux: u32) -> ConstantValue {
        let n = imm as u32;
        ConstantValue::I32(match self {
            Constant::Iconst32 => n,
            Constant::Iconst64 => return ConstantValue::I64(imm as i64),
            Constant::Fconst => return ConstantValue::F64(imm),
            Constant::NodeInfoAddr => data_section.node_info(Desc::from_u32(n), aux),
            Constant::ThunkInfoAddr => data_section.thunk_info(ThunkInfo::from_u32(n)),
            Constant::StaticRef | Constant::StaticNode | Constant::TextAddr => {
                data_section.static_object(Static::from_u32(n))
            }
            Constant::NodeRef => data_section.node(Desc::from_u32(n)),
            Constant::NameAddr => data_section.name(Desc::from_u32(n)),
            Constant::DescInfoAddr => data_section.descriptor_info(Desc::from_u32(n)),
            Constant::CafAddr => data_section.caf(Caf::from_u32(n)),
            Constant::CafRefAddr => data_section.caf_ref(Caf::from_u32(n), aux),
        })
    }
}
