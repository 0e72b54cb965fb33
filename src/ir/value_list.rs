//! Lists of values: operands, results, parameters, arguments of edges. Most have one value or none, so one value lies
//! in the list itself; more lie in the pool of the function, behind their number.
//!
//! ```text
//! list  v                     the one value v            pool   … n, v, v, v …
//!       POOLED | place        n values there                      place
//!       all bits              none
//! ```
//! The pool gives nothing back: renumbering makes a new one.

use crate::entity::Value;
use cranelift_entity::packed_option::ReservedValue;
use std::slice;

/// In the list: its values are in the pool.
const POOLED: u32 = 1 << 31;
/// In the number before the values: the list was moved in order to grow, and its words are a power of two.
const HAS_ROOM: u32 = 1 << 31;

/// The memory of the lists of a function that have more than one value.
#[derive(Clone, Debug, Default)]
pub struct ValuePool(Vec<Value>);

impl ValuePool {
    /// An empty pool with room for so many words.
    pub fn with_capacity(words: usize) -> ValuePool {
        ValuePool(Vec::with_capacity(words))
    }

    /// The place of the next list.
    fn end(&self) -> u32 {
        match u32::try_from(self.0.len()) {
            Ok(end) if end < POOLED - 1 => end,
            _ => panic!("the lists of a function have no more than 2^31 values"),
        }
    }
}

/// A list of values. A clone refers to the same values, if they are in the pool.
#[derive(Clone, Debug)]
pub struct ValueList(Value);

impl Default for ValueList {
    fn default() -> ValueList {
        ValueList(Value::reserved_value())
    }
}

/// Where the values of a list are.
enum Place {
    Nowhere,
    Here,
    Pool(usize),
}

impl ValueList {
    /// An empty list.
    pub fn new() -> ValueList {
        ValueList::default()
    }

    /// A list of these values.
    pub fn from_slice(values: &[Value], pool: &mut ValuePool) -> ValueList {
        match *values {
            [] => ValueList::new(),
            [value] => ValueList::of_one(value),
            _ => {
                let place = pool.end();
                pool.0.push(Value::from_u32(values.len() as u32));
                pool.0.extend_from_slice(values);
                ValueList(Value::from_u32(POOLED | place))
            }
        }
    }

    /// A list of these values.
    pub fn from_iter(values: impl IntoIterator<Item = Value>, pool: &mut ValuePool) -> ValueList {
        let mut values = values.into_iter();
        let Some(first) = values.next() else { return ValueList::new() };
        let Some(second) = values.next() else { return ValueList::of_one(first) };
        let place = pool.end();
        pool.0.extend([Value::from_u32(0), first, second]);
        pool.0.extend(values);
        let len = pool.0.len() - place as usize - 1;
        pool.0[place as usize] = Value::from_u32(len as u32);
        ValueList(Value::from_u32(POOLED | place))
    }

    fn of_one(value: Value) -> ValueList {
        debug_assert!(value.as_u32() < POOLED);
        ValueList(value)
    }

    #[inline]
    fn place(&self) -> Place {
        match self.0.as_u32() {
            word if word < POOLED => Place::Here,
            u32::MAX => Place::Nowhere,
            word => Place::Pool((word & !POOLED) as usize),
        }
    }

    /// Its values.
    #[inline]
    pub fn as_slice<'a>(&'a self, pool: &'a ValuePool) -> &'a [Value] {
        match self.place() {
            Place::Here => slice::from_ref(&self.0),
            Place::Nowhere => &[],
            Place::Pool(at) => &pool.0[at + 1..][..(pool.0[at].as_u32() & !HAS_ROOM) as usize],
        }
    }

    /// Its values, to be changed.
    #[inline]
    pub fn as_mut_slice<'a>(&'a mut self, pool: &'a mut ValuePool) -> &'a mut [Value] {
        match self.place() {
            Place::Here => slice::from_mut(&mut self.0),
            Place::Nowhere => &mut [],
            Place::Pool(at) => {
                let len = (pool.0[at].as_u32() & !HAS_ROOM) as usize;
                &mut pool.0[at + 1..][..len]
            }
        }
    }

    /// The value of that number.
    pub fn get(&self, number: usize, pool: &ValuePool) -> Option<Value> {
        self.as_slice(pool).get(number).copied()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        matches!(self.place(), Place::Nowhere)
    }

    /// How many there are.
    pub fn len(&self, pool: &ValuePool) -> usize {
        self.as_slice(pool).len()
    }

    /// A list of the same values that is changed by itself.
    pub fn deep_clone(&self, pool: &mut ValuePool) -> ValueList {
        let Place::Pool(at) = self.place() else { return self.clone() };
        let place = pool.end();
        let len = (pool.0[at].as_u32() & !HAS_ROOM) as usize;
        pool.0.push(Value::from_u32(len as u32));
        pool.0.extend_from_within(at + 1..=at + len);
        ValueList(Value::from_u32(POOLED | place))
    }

    /// Leaves so many values of it, the first ones.
    pub fn truncate(&mut self, len: usize, pool: &mut ValuePool) {
        match (self.place(), len) {
            _ if len >= self.len(pool) => {}
            (_, 0) => *self = ValueList::new(),
            (Place::Pool(at), 1) => *self = ValueList::of_one(pool.0[at + 1]),
            (Place::Pool(at), _) => pool.0[at] = Value::from_u32(len as u32 | pool.0[at].as_u32() & HAS_ROOM),
            (Place::Here | Place::Nowhere, _) => unreachable!("it has no more values than that"),
        }
    }

    /// Takes out the value of that number; those behind it move up.
    pub fn remove(&mut self, number: usize, pool: &mut ValuePool) {
        let values = self.as_mut_slice(pool);
        values[number..].rotate_left(1);
        let left = values.len() - 1;
        self.truncate(left, pool);
    }

    /// Adds a value at the end.
    pub fn push(&mut self, value: Value, pool: &mut ValuePool) {
        let at = match self.place() {
            Place::Nowhere => return *self = ValueList::of_one(value),
            Place::Here => return *self = ValueList::from_slice(&[self.0, value], pool),
            Place::Pool(at) => at,
        };
        let (number, room) = (pool.0[at].as_u32() & !HAS_ROOM, pool.0[at].as_u32() & HAS_ROOM);
        let (len, words) = (number as usize, number as usize + 1);
        if at + words == pool.0.len() {
            pool.0.push(value);
            pool.0[at] = Value::from_u32(number + 1);
        } else if room != 0 && !words.is_power_of_two() {
            pool.0[at + words] = value;
            pool.0[at] = Value::from_u32((number + 1) | HAS_ROOM);
        } else {
            let place = pool.end();
            pool.0.push(Value::from_u32((number + 1) | HAS_ROOM));
            pool.0.extend_from_within(at + 1..=at + len);
            pool.0.push(value);
            pool.0.resize(place as usize + (words + 1).next_power_of_two(), Value::reserved_value());
            self.0 = Value::from_u32(POOLED | place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists that grow in turn, one value, then many, keep what they had.
    #[test]
    fn lists_that_grow_in_turn() {
        let mut pool = ValuePool::default();
        let mut lists: Vec<(ValueList, Vec<Value>)> = vec![Default::default(); 5];
        for step in 0..500u32 {
            let turn = (step * step % 7) as usize % lists.len();
            let (list, expected) = &mut lists[turn];
            list.push(Value::from_u32(step), &mut pool);
            expected.push(Value::from_u32(step));
            if step % 11 == 0 {
                *list = list.deep_clone(&mut pool);
            }
            if step % 53 == 0 {
                let kept = step as usize / 53 % 4;
                list.truncate(kept, &mut pool);
                expected.truncate(kept);
            }
            if step % 17 == 0 && !expected.is_empty() {
                let number = step as usize / 17 % expected.len();
                list.remove(number, &mut pool);
                expected.remove(number);
            }
            for (list, expected) in &lists {
                assert_eq!(list.as_slice(&pool), &expected[..]);
            }
        }
    }

    #[test]
    fn lists_of_each_length() {
        let mut pool = ValuePool::default();
        for len in 0..9 {
            let mut values: Vec<Value> = (0..len).map(Value::from_u32).collect();
            let mut made = ValueList::from_slice(&values, &mut pool);
            let other = ValueList::from_iter(values.iter().copied(), &mut pool);
            let copy = made.deep_clone(&mut pool);
            made.as_mut_slice(&mut pool).reverse();
            assert_eq!([other.as_slice(&pool), copy.as_slice(&pool)], [&values[..]; 2]);
            values.reverse();
            assert_eq!(made.as_slice(&pool), &values[..]);
            assert_eq!((made.len(&pool), made.get(0, &pool)), (values.len(), values.first().copied()));
        }
    }
}
