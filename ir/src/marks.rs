//! Sets of graphs and nodes for the walks over a module.

use slotmap::Key;
use std::marker::PhantomData;

/// What was marked with which stamp last: a set that is emptied by taking the next stamp. By the places of keys, which no two keys of
/// one module share.
pub(crate) struct Marks<K: Key> {
    stamps: Vec<u32>,
    keys: PhantomData<K>,
}

impl<K: Key> Default for Marks<K> {
    fn default() -> Marks<K> {
        Marks { stamps: Vec::new(), keys: PhantomData }
    }
}

impl<K: Key> Marks<K> {
    /// Marks it; true if it was not marked with this stamp, which is not zero.
    pub(crate) fn mark(&mut self, k: K, stamp: usize) -> bool {
        let stamp = stamp as u32;
        let i = place(k);
        if i >= self.stamps.len() {
            self.stamps.resize(i + 1, 0);
        }
        std::mem::replace(&mut self.stamps[i], stamp) != stamp
    }

    /// Whether this stamp was the last one.
    pub(crate) fn is(&self, k: K, stamp: usize) -> bool {
        self.stamps.get(place(k)) == Some(&(stamp as u32))
    }
}

/// The lower half of a key is the index of its slot.
fn place<K: Key>(k: K) -> usize {
    k.data().as_ffi() as u32 as usize
}
