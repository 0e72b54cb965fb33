//! The incremental collector on random object graphs, which change between the portions of marking.

use super::*;

impl World {
    /// Moves a reference from a root into a node, which may have been looked through already.
    pub(super) fn hide(&mut self) {
        let root = self.any_root();
        let target = (self.roots[root].unwrap_or(0), self.image.c.load_u32(self.root_address(root)));
        let node = self.any();
        if self.patch_with(node, target) {
            let nil = self.image.nil;
            self.set_root(root, 0, nil);
        }
    }
}

/// Marking in portions: what becomes old is put into holes, while other old objects change.
#[test]
fn random_graphs_survive_marking() {
    for mutations in [Mutations::NoPatches, Mutations::NoSelectors] {
        for seed in 1..=size(4, 6) {
            let options = if seed % 2 == 0 {
                "--gc=incremental --nursery=16k --heap=8m"
            } else {
                "--gc=incremental --nursery=32k --heap=25000001"
            };
            let mut world = World::new(seed * 7331, options, mutations);
            let mut cycles = 0;
            for _ in 0..2000 {
                if seed % 3 == 0 {
                    let list = &mut world.image.c.state.gc.heap.remembered;
                    list.end = list.end.min(list.start + 4 * SLOT);
                }
                world.step();
                if world.random.chance(10) {
                    world.collect();
                }
                cycles = cycles.max(world.image.c.state.gc.heap.incremental.cycles);
            }
            assert!(cycles > 1, "{cycles}");
        }
    }
}

#[test]
fn random_graphs_survive_stress_while_they_are_marked() {
    for mutations in [Mutations::NoPatches, Mutations::NoSelectors] {
        for seed in 1..=3 {
            let options = "--gc=incremental --nursery=16k --heap=8m --gc-stress=1 --poison";
            let mut world = World::new(seed * 15073, options, mutations);
            for _ in 0..1000 {
                world.step();
                if world.random.chance(10) {
                    world.compare();
                }
            }
            let state = &world.image.c.state.gc;
            assert!(state.heap.incremental.cycles > 20, "{}", state.heap.incremental.cycles);
            assert!(state.statistics.collections - state.statistics.minor_collections < 20);
        }
    }
}
