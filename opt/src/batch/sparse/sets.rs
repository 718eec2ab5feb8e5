//! Sets of columns, each of them held once.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a set.
pub(super) type SetId = u32;

/// The empty set.
pub(super) const EMPTY: SetId = 0;

/// The most members of all sets together, 32 MB of them.
const MEMBERS: usize = 1 << 23;

/// All sets.
pub(super) struct Sets {
    list: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    members: usize,
}

impl Sets {
    pub(super) fn new() -> Sets {
        let empty: Rc<[u32]> = Rc::new([]);
        let numbers = FxHashMap::from_iter([(empty.clone(), EMPTY)]);
        Sets { list: vec![empty], numbers, unions: FxHashMap::default(), members: 0 }
    }

    /// The members, in ascending order.
    pub(super) fn members(&self, set: SetId) -> &[u32] {
        &self.list[set as usize]
    }

    /// The set of these members, which are in ascending order. None if all sets are too large together.
    pub(super) fn of(&mut self, members: &[u32]) -> Option<SetId> {
        if let Some(&known) = self.numbers.get(members) {
            return Some(known);
        }
        self.members += members.len();
        if self.members > MEMBERS {
            return None;
        }
        let (set, members): (SetId, Rc<[u32]>) = (self.list.len() as SetId, members.into());
        self.list.push(members.clone());
        self.numbers.insert(members, set);
        Some(set)
    }

    pub(super) fn union(&mut self, a: SetId, b: SetId) -> Option<SetId> {
        if a == b || b == EMPTY {
            return Some(a);
        }
        if a == EMPTY {
            return Some(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return Some(known);
        }
        let union = self.merged(&[a, b])?;
        self.unions.insert(key, union);
        Some(union)
    }

    /// The union of many, at once: one after the other, the sum of n elements would have n sets.
    pub(super) fn union_of(&mut self, sets: impl Iterator<Item = SetId>) -> Option<SetId> {
        let mut sets: Vec<SetId> = sets.filter(|&set| set != EMPTY).collect();
        sets.sort_unstable();
        sets.dedup();
        match sets[..] {
            [] => Some(EMPTY),
            [set] => Some(set),
            [a, b] => self.union(a, b),
            _ => self.merged(&sets),
        }
    }

    fn merged(&mut self, sets: &[SetId]) -> Option<SetId> {
        let mut all: Vec<u32> = sets.iter().flat_map(|&set| self.members(set)).copied().collect();
        all.sort_unstable();
        all.dedup();
        self.of(&all)
    }
}
