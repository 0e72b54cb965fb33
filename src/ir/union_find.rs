//! Union-find: classes of numbers from 0 on, each named by one of its members.

/// The classes, as a forest of parents. Paths are halved as they are walked, which keeps them short enough.
#[derive(Default)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// So many numbers, each a class of its own.
    pub fn new(count: usize) -> UnionFind {
        UnionFind { parents: (0..count as u32).collect() }
    }
    /// The same in the memory of this one.
    pub fn reset(&mut self, count: usize) {
        self.parents.clear();
        self.parents.extend(0..count as u32);
    }
    /// One more number, in a class of its own.
    pub fn push(&mut self) -> u32 {
        let number = self.parents.len() as u32;
        self.parents.push(number);
        number
    }
    /// The member that names the class.
    pub fn find(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let above = self.parents[self.parents[number as usize] as usize];
            self.parents[number as usize] = above;
            number = above;
        }
        number
    }
    /// Makes two classes one, which the lesser of their names names.
    pub fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.link(a.max(b), a.min(b));
    }
    /// The same for two names, of which the second stays one.
    pub fn link(&mut self, other: u32, name: u32) {
        self.parents[other as usize] = name;
    }
}
