//! Tests of `dom`.

use cleave_ir::cfg::Cfg;
use cleave_ir::dom::DomTree;
use cleave_ir::{Block, Func, Signature};

/// A function of so many blocks whose edges follow from a seed.
fn graph(count: usize, seed: u64) -> Func {
    let mut func = Func::new("f", Signature::default());
    let blocks: Vec<Block> = (0..count).map(|_| func.new_block()).collect();
    let mut state = seed;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for n in 0..count {
        for _ in 0..random(4) {
            let far = random(count);
            let near = (n + 1 + random(3)).min(count - 1);
            let target = if random(4) == 0 { far } else { near };
            func.add_edge(blocks[n], blocks[target], &[]);
        }
    }
    func
}

/// A small function is done by iteration, one with more than 1,024 blocks by semidominators: a chain of blocks beside
/// the graph makes it large and changes no dominator.
#[test]
fn both_algorithms_agree() {
    for seed in 0..500 {
        let count = 1 + seed as usize % 60;
        let mut func = graph(count, seed);
        let small = DomTree::compute(&Cfg::compute(&func));
        let blocks: Vec<Block> = func.blocks.keys().collect();
        let mut last = blocks[0];
        for _ in 0..1_100 {
            let next = func.new_block();
            func.add_edge(last, next, &[]);
            last = next;
        }
        let large = DomTree::compute(&Cfg::compute(&func));
        blocks.iter().for_each(|&block| assert_eq!(small.idom(block), large.idom(block), "{block} of graph {seed}"));
    }
}

#[test]
fn used_memory_changes_nothing() {
    let (mut cfg, mut dom) = (Cfg::default(), DomTree::default());
    for seed in 0..500 {
        let func = graph(1 + (seed as usize * 7) % 40, seed);
        let new = Cfg::compute(&func);
        cfg.recompute(&func);
        dom.recompute(&cfg);
        let tree = DomTree::compute(&new);
        assert_eq!((&cfg.order, cfg.has_loops), (&new.order, new.has_loops));
        for block in func.blocks.keys() {
            assert_eq!((cfg.number[block], &cfg.preds[block]), (new.number[block], &new.preds[block]));
            assert_eq!(dom.idom(block), tree.idom(block), "{block} of graph {seed}");
            let below = |tree: &DomTree| func.blocks.keys().filter(|&at| tree.dominates(block, at)).count();
            assert_eq!(below(&dom), below(&tree), "{block} of graph {seed}");
        }
    }
}

/// Each step of the ladder can be reached from the one before and from outside: iteration would take 10^10 steps.
#[test]
fn ladders_take_linear_time() {
    let count = 100_000;
    let mut func = Func::new("f", Signature::default());
    let (sides, steps): (Vec<Block>, Vec<Block>) = (0..count).map(|_| (func.new_block(), func.new_block())).unzip();
    for n in 0..count {
        func.add_edge(sides[n], steps[n], &[]);
        if n + 1 < count {
            func.add_edge(sides[n], sides[n + 1], &[]);
            func.add_edge(steps[n], steps[n + 1], &[]);
        }
    }
    let dom = DomTree::compute(&Cfg::compute(&func));
    assert!(steps[1..].iter().all(|&step| dom.idom(step) == Some(sides[0])));
}
