//! Finds out which objects may be parts of cycles of references, from what the whole program does with references. A
//! cycle has a reference that was written into an object after that was made. So programs that overwrite no reference
//! make none, nor do those whose overwritten fields hold what never leads back to them.
//!
//! Every reference of the program belongs to a *class*, and each class has a set of *objects*: nodes of a descriptor
//! with so many arguments, arrays of one `rc_new_array`. References that flow into each other are one class, and so are
//! a reference and the field that it is read from (unification: B. Steensgaard, *Points-to analysis in almost linear
//! time*, POPL 1996). Fields belong to objects, so a list of one type does not become a list of another.
//!
//! Objects that lead to each other are strongly connected. Where an overwritten field is among the connections, all of
//! them may be parts of cycles.

mod flow;

use crate::analysis::components::components;
use cleave_ir::{
    Caf, Cycles, Desc, EntityRef, EntitySet, Func, FuncId, Inst, LibcallSignature, Module, Opcode, Table, UnionFind,
    Value, libcalls,
};
use rustc_hash::FxHashMap;

/// Something that is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// A node of a descriptor with so many arguments.
    Node(Desc, u32),
    /// What one instruction makes.
    Array,
}

/// What is read from an object, or written there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// Of nodes with so many references and words, a reference.
    Field(u32, u32, u32),
    /// Of arrays, all of them.
    Element,
    /// Of a hole, what is to be written there.
    Hole,
    /// Parameter and result of the function that nodes have for a table.
    Parameter(Table, u32),
    Result(Table, u32),
}

type Class = u32;
type Object = u32;

/// What is known of a class: its objects, and the classes of what was accessed in all of them.
#[derive(Default)]
struct Facts {
    objects: Vec<Object>,
    accesses: Vec<(Place, Class)>,
}

/// Which objects of a program may be parts of cycles. High IR without applications.
pub fn find(module: &Module) -> Cycles {
    let mut cycles = Cycles::default();
    if !module.funcs.values().any(|func| overwrites(module, func)) {
        return cycles;
    }
    let mut graph = Graph::new(module);
    if !graph.collect() {
        // Something about which nothing is known takes or gives references.
        let descs = module.descs.iter().filter(|(_, data)| data.payload(data.arity).0 > 0);
        descs.for_each(|(desc, _)| cycles.insert(desc));
        cycles.arrays = true;
        return cycles;
    }
    for object in graph.on_cycles() {
        match graph.objects[object as usize] {
            Kind::Node(desc, _) => cycles.insert(desc),
            Kind::Array => cycles.arrays = true,
        }
    }
    cycles
}

/// Is an instruction a call of one of these functions of the runtime?
fn calls(module: &Module, func: &Func, inst: Inst, rows: &[&LibcallSignature]) -> bool {
    let data = &func.insts[inst];
    data.op == Opcode::CallRt && {
        let called = &module.externs[data.external().0];
        called.from.is_none() && rows.iter().any(|row| row.name == called.name)
    }
}

const EXCHANGES: [&LibcallSignature; 2] = [&libcalls::RC_EXCHANGE, &libcalls::RC_INNER_EXCHANGE];

fn overwrites(module: &Module, func: &Func) -> bool {
    let mut insts = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.any(|&inst| {
        matches!(func.insts[inst].op, Opcode::SetRef | Opcode::ExchangeRef) || calls(module, func, inst, &EXCHANGES)
    })
}

struct Graph<'m> {
    module: &'m Module,
    classes: UnionFind,
    facts: Vec<Facts>,
    objects: Vec<Kind>,
    nodes: FxHashMap<(Desc, u32), Object>,
    fields: FxHashMap<(Object, Place), Class>,
    /// The class of the first value of each function, of its first result, and of references of static storage.
    values: Vec<Class>,
    results: Vec<Class>,
    stored: FxHashMap<(Caf, u32), Class>,
    /// Classes that are to become one.
    open: Vec<(Class, Class)>,
    /// In which classes, and where, references are overwritten.
    writes: Vec<(Class, Place)>,
    /// Values of the function at hand that lead to nothing.
    harmless: EntitySet<Value>,
}

impl<'m> Graph<'m> {
    fn new(module: &'m Module) -> Graph<'m> {
        let (mut count, mut values, mut results) = (0, Vec::new(), Vec::new());
        for func in module.funcs.values() {
            values.push(count);
            count += func.values.len() as u32;
            results.push(count);
            count += func.signature.results.len() as u32;
        }
        Graph {
            module,
            classes: UnionFind::new(count as usize),
            facts: (0..count).map(|_| Facts::default()).collect(),
            objects: Vec::new(),
            nodes: FxHashMap::default(),
            fields: FxHashMap::default(),
            values,
            results,
            stored: FxHashMap::default(),
            open: Vec::new(),
            writes: Vec::new(),
            harmless: EntitySet::new(),
        }
    }

    // -- classes ------------------------------------------------------------------------------------------------------

    fn class(&mut self) -> Class {
        self.facts.push(Facts::default());
        self.classes.push()
    }

    fn unify(&mut self, first: Class, second: Class) {
        self.open.push((first, second));
        while let Some((first, second)) = self.open.pop() {
            let (first, second) = (self.classes.find(first), self.classes.find(second));
            if first == second {
                continue;
            }
            let size =
                |class: Class| self.facts[class as usize].objects.len() + self.facts[class as usize].accesses.len();
            let (larger, smaller) = if size(first) < size(second) { (second, first) } else { (first, second) };
            self.classes.link(smaller, larger);
            let Facts { objects, accesses } = std::mem::take(&mut self.facts[smaller as usize]);
            for (place, class) in accesses {
                self.note_access(larger, place, class);
            }
            objects.into_iter().for_each(|object| self.note_object(larger, object));
        }
    }

    /// A class has an object. `open` has what follows.
    fn note_object(&mut self, class: Class, object: Object) {
        if self.facts[class as usize].objects.contains(&object) {
            return;
        }
        self.facts[class as usize].objects.push(object);
        for at in 0..self.facts[class as usize].accesses.len() {
            let (place, accessed) = self.facts[class as usize].accesses[at];
            if let Some(field) = self.field(object, place) {
                self.open.push((field, accessed));
            }
        }
    }

    /// What is accessed in the objects of a class is of another one.
    fn note_access(&mut self, class: Class, place: Place, accessed: Class) {
        if let Some(&(_, known)) = self.facts[class as usize].accesses.iter().find(|access| access.0 == place) {
            return self.open.push((known, accessed));
        }
        self.facts[class as usize].accesses.push((place, accessed));
        for at in 0..self.facts[class as usize].objects.len() {
            let object = self.facts[class as usize].objects[at];
            if let Some(field) = self.field(object, place) {
                self.open.push((field, accessed));
            }
        }
    }

    /// The class of what is in a place of an object, if it has that.
    fn field(&mut self, object: Object, place: Place) -> Option<Class> {
        match (self.objects[object as usize], place) {
            (Kind::Node(desc, held), Place::Field(ptrs, nptrs, _)) => {
                (self.module.descs[desc].payload(held) == (ptrs, nptrs)).then_some(())?;
            }
            (Kind::Array, Place::Element) => {}
            (Kind::Node(desc, _), Place::Parameter(table, number)) => {
                let func = self.method(desc, table)?;
                let entry = self.module.funcs[func].entry_block();
                let value = *self.module.funcs[func].params(entry).get(number as usize)?;
                return Some(self.value(func, value));
            }
            (Kind::Node(desc, _), Place::Result(table, number)) => {
                return Some(self.results[self.method(desc, table)?.index()] + number);
            }
            _ => return None,
        }
        if let Some(&known) = self.fields.get(&(object, place)) {
            return Some(known);
        }
        let class = self.class();
        self.fields.insert((object, place), class);
        Some(class)
    }

    fn method(&self, desc: Desc, table: Table) -> Option<FuncId> {
        self.module.descs[desc].method.filter(|method| method.0 == table).map(|method| method.1)
    }

    fn value(&self, func: FuncId, value: Value) -> Class {
        self.values[func.index()] + value.as_u32()
    }

    fn add(&mut self, class: Class, object: Object) {
        let class = self.classes.find(class);
        self.note_object(class, object);
        self.settle();
    }

    fn access(&mut self, class: Class, place: Place, accessed: Class) {
        let class = self.classes.find(class);
        self.note_access(class, place, accessed);
        self.settle();
    }

    fn settle(&mut self) {
        if let Some((first, second)) = self.open.pop() {
            self.unify(first, second);
        }
    }

    fn node(&mut self, desc: Desc, held: u32) -> Object {
        if let Some(&known) = self.nodes.get(&(desc, held)) {
            return known;
        }
        let object = self.object(Kind::Node(desc, held));
        self.nodes.insert((desc, held), object);
        object
    }

    fn object(&mut self, kind: Kind) -> Object {
        self.objects.push(kind);
        self.objects.len() as u32 - 1
    }

    fn storage(&mut self, caf: Caf, number: u32) -> Class {
        if let Some(&known) = self.stored.get(&(caf, number)) {
            return known;
        }
        let class = self.class();
        self.stored.insert((caf, number), class);
        class
    }

    // -- cycles -------------------------------------------------------------------------------------------------------

    /// Objects that are strongly connected by references of which the program overwrites some.
    fn on_cycles(&mut self) -> Vec<Object> {
        // Objects lead to the classes of their fields, after which come the classes: they lead to their objects.
        let count = self.objects.len();
        let mut edges = vec![Vec::new(); count + self.facts.len()];
        let mut fields: Vec<_> = self.fields.iter().map(|(&(object, _), &class)| (object, class)).collect();
        fields.sort_unstable();
        for (object, class) in fields {
            edges[object as usize].push(count + self.classes.find(class) as usize);
        }
        for (at, facts) in self.facts.iter().enumerate() {
            edges[count + at] = facts.objects.iter().map(|&object| object as usize).collect();
        }
        let (components, _) = components(edges.len(), |at, number| edges[at].get(number).copied());
        let mut cyclic = vec![false; edges.len()];
        for (class, place) in std::mem::take(&mut self.writes) {
            let class = self.classes.find(class);
            for object in self.facts[class as usize].objects.clone() {
                let Some(&field) = self.fields.get(&(object, place)) else { continue };
                let component = components[object as usize];
                if components[count + self.classes.find(field) as usize] == component {
                    cyclic[component as usize] = true;
                }
            }
        }
        (0..count as u32).filter(|&object| cyclic[components[object as usize] as usize]).collect()
    }
}
