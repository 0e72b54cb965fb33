//! Instruction selection for integers and reals: mostly one Wasm operator each.

use super::Lower;
use crate::isel::Node;
use cleave_ir::opcode::{Comparison, Integer, Real, RealComparison};
use cleave_ir::{Inst, Type};
use wasm_encoder::{Ieee64, ValType};

impl Lower<'_> {
    /// Integer arithmetic and conversions.
    pub(super) fn integer(&mut self, op: Integer, inst: Inst) {
        use Integer::*;
        let is_wide = self.folded.node(inst).ty == Type::I64;
        if op.opcode().is_division() {
            self.prepare_division(inst);
        }
        macro_rules! by_width {
            ($($row:ident $narrow:ident $wide:ident;)*) => {
                match op {
                    $($row if is_wide => _ = self.code.sink().$wide(),
                    $row => _ = self.code.sink().$narrow(),)*
                    Umulhi => _ = self.code.sink().call(self.env.umulhi),
                    // They join the instruction before them.
                    ExtendU => self.code.extend(false),
                    ExtendS => self.code.extend(true),
                    Wrap => self.code.wrap(),
                }
            };
        }
        by_width! {
            Iadd i32_add i64_add;
            Isub i32_sub i64_sub;
            Imul i32_mul i64_mul;
            Sdiv i32_div_s i64_div_s;
            Srem i32_rem_s i64_rem_s;
            Udiv i32_div_u i64_div_u;
            Urem i32_rem_u i64_rem_u;
            And i32_and i64_and;
            Or i32_or i64_or;
            Xor i32_xor i64_xor;
            Shl i32_shl i64_shl;
            Sshr i32_shr_s i64_shr_s;
            Ushr i32_shr_u i64_shr_u;
            Rotl i32_rotl i64_rotl;
            Rotr i32_rotr i64_rotr;
            Clz i32_clz i64_clz;
            Popcnt i32_popcnt i64_popcnt;
            Eqz i32_eqz i64_eqz;
        }
    }

    pub(super) fn comparison(&mut self, comparison: Comparison, node: &Node) {
        use Comparison::*;
        let mut sink = self.code.sink();
        macro_rules! by_width {
            ($($row:ident $narrow:ident $wide:ident;)*) => {
                match comparison {
                    $($row => if node.ty == Type::I64 { sink.$wide() } else { sink.$narrow() },)*
                }
            };
        }
        by_width! {
            Eq i32_eq i64_eq;
            Ne i32_ne i64_ne;
            Slt i32_lt_s i64_lt_s;
            Sgt i32_gt_s i64_gt_s;
            Sle i32_le_s i64_le_s;
            Sge i32_ge_s i64_ge_s;
            Ult i32_lt_u i64_lt_u;
            Ugt i32_gt_u i64_gt_u;
            Ule i32_le_u i64_le_u;
            Uge i32_ge_u i64_ge_u;
        };
    }

    /// Real arithmetic and conversions.
    pub(super) fn real(&mut self, op: Real) {
        use Real::*;
        let mut sink = self.code.sink();
        match op {
            Fadd => _ = sink.f64_add(),
            Fsub => _ = sink.f64_sub(),
            Fmul => _ = sink.f64_mul(),
            Fdiv => _ = sink.f64_div(),
            Fneg => _ = sink.f64_neg(),
            Fabs => _ = sink.f64_abs(),
            Fsqrt => _ = sink.f64_sqrt(),
            Ffloor => _ = sink.f64_floor(),
            Fceil => _ = sink.f64_ceil(),
            Ftrunc => _ = sink.f64_trunc(),
            Fnearest => _ = sink.f64_nearest(),
            IntToReal => _ = sink.f64_convert_i64_s(),
            RealToInt => self.real_to_int(),
            RealBits => _ = sink.i64_reinterpret_f64(),
            BitsReal => _ = sink.f64_reinterpret_i64(),
        }
    }

    pub(super) fn real_comparison(&mut self, comparison: RealComparison) {
        use RealComparison::*;
        let mut sink = self.code.sink();
        match comparison {
            Feq => sink.f64_eq(),
            Fne => sink.f64_ne(),
            Flt => sink.f64_lt(),
            Fgt => sink.f64_gt(),
            Fle => sink.f64_le(),
            Fge => sink.f64_ge(),
        };
    }

    /// The saturating conversion is right except where it gives 0 for NaN and the greatest integer from 2^63 on;
    /// both fail the comparison.
    fn real_to_int(&mut self) {
        let scratch = self.scratch(ValType::F64, 0);
        self.code
            .sink()
            .local_tee(scratch)
            .i64_trunc_sat_f64_s()
            .i64_const(i64::MIN)
            .local_get(scratch)
            .f64_const(Ieee64::from(9_223_372_036_854_775_808.0))
            .f64_lt()
            .select();
    }
}
