//! Tests of `live_intervals`.

use cleave_ir::cfg::Cfg;
use cleave_ir::live_intervals::*;
use cleave_ir::liveness::Liveness;
use cleave_ir::text::parse_module;

const TEXT: &str = "module \"m\"\nfunc @f(v0: i32) {\nblock0(v0: i32):\n  v1 = iconst.i32 1\n  v2 = iconst.i32 2\n  \
                    jump block1\nblock1:\n  br_if v0, block2, block5\nblock2:\n  br_if v2, block3, block4\n\
                    block3:\n  br_if v0, block2, block4\nblock4:\n  br_if v1, block1, block3\nblock5:\n  ret\n}\n";

/// Two nested loops, the inner one entered from two sides.
#[test]
fn extents_cover_liveness() {
    let module = parse_module(TEXT).expect("the module is correct");
    let func = module.funcs.values().next().expect("a function");
    let cfg = Cfg::compute(func);
    let extents = Extents::compute(&cfg);
    let live = Liveness::compute(func, &cfg, |_| true);
    for value in func.values.keys() {
        let uses = |block| func.blocks[block].insts.iter().any(|&inst| func.args(inst).contains(&value));
        let used = (0..).zip(&cfg.order).filter(|&(_, &block)| uses(block)).map(|(n, _)| n).max();
        let extent = extents.of(0, used.expect("each value is used"));
        for (n, &block) in (0..).zip(&cfg.order) {
            let through = extent.last > n || extent.last == n && extent.through;
            assert!(through || !live.contains(live.live_out(block), value), "{value} at the end of {block}");
            assert!(extent.last >= n || !live.contains(live.live_in(block), value), "{value} in {block}");
        }
    }
    let last = cfg.order.len() as u32 - 1;
    assert_eq!(extents.of(0, 0), Extent { last: 0, through: false });
    assert!(extents.of(0, 1).last >= last - 1, "the outer loop");
}
