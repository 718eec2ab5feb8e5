//! Sets of small numbers, as those words of a bit set that are not empty.
//!
//! The graphs of a long function capture nearly the same variables, thousands each. As lists they would be quadratic in the size
//! of the function; here 64 neighbours take one word, and what two graphs share is found word by word.

/// A set of numbers.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Set {
    /// The position of each word and its bits, ascending.
    words: Vec<(u32, u64)>,
}

impl Clone for Set {
    fn clone(&self) -> Set {
        Set { words: self.words.clone() }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &Set) {
        self.words.clone_from(&other.words);
    }
}

impl Set {
    /// That of one number.
    pub(super) fn of(number: usize) -> Set {
        let mut set = Set::default();
        set.push(number);
        set
    }

    /// The number that was added last must not be greater than this one.
    pub(super) fn push(&mut self, number: usize) {
        let (position, bit) = ((number / 64) as u32, 1 << (number % 64));
        match self.words.last_mut() {
            Some((last, bits)) if *last == position => *bits |= bit,
            _ => self.words.push((position, bit)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The greatest of its numbers.
    pub(super) fn last(&self) -> Option<usize> {
        self.words.last().map(|&(position, bits)| position as usize * 64 + 63 - bits.leading_zeros() as usize)
    }

    /// Takes away the greatest of its numbers.
    pub(super) fn remove_last(&mut self) {
        if let Some((_, bits)) = self.words.last_mut() {
            *bits &= !(1 << (63 - bits.leading_zeros()));
            if *bits == 0 {
                self.words.pop();
            }
        }
    }

    /// Its numbers, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.words.iter().flat_map(|&word| numbers(word))
    }

    /// The numbers in both, ascending.
    pub(super) fn common(&self, other: &Set) -> impl Iterator<Item = usize> {
        let mut rest = &other.words[..];
        let shared = self.words.iter().filter_map(move |&(position, bits)| {
            rest = &rest[seek(rest, position)..];
            rest.first().filter(|&&(p, _)| p == position).map(|&(_, other)| (position, bits & other))
        });
        shared.flat_map(numbers)
    }

    /// Whether the numbers of another are all in it.
    fn holds(&self, other: &Set) -> bool {
        let mut rest = &self.words[..];
        other.words.iter().all(|&(position, bits)| {
            rest = &rest[seek(rest, position)..];
            rest.first().is_some_and(|&(p, own)| p == position && bits & !own == 0)
        })
    }

    /// Adds the numbers of another.
    pub(super) fn join(&mut self, other: &Set) {
        if self.holds(other) {
            return;
        }
        let mut joined = Vec::with_capacity(self.words.len().max(other.words.len()));
        let (mut a, mut b) = (self.words.iter().copied().peekable(), other.words.iter().copied().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some(&(p, x)), Some(&(q, y))) if p == q => {
                    joined.push((p, x | y));
                    a.next();
                    b.next();
                }
                (Some(&(p, _)), Some(&(q, _))) if p < q => joined.extend(a.next()),
                (Some(_), None) => joined.extend(a.next()),
                (_, Some(_)) => joined.extend(b.next()),
                (None, None) => break,
            }
        }
        self.words = joined;
    }

    /// Takes away the numbers of another.
    pub(super) fn subtract(&mut self, other: &Set) {
        let (mut from, mut is_emptied) = (0, false);
        for &(position, taken) in &other.words {
            from += seek(&self.words[from..], position);
            if let Some((_, bits)) = self.words.get_mut(from).filter(|(p, _)| *p == position) {
                *bits &= !taken;
                is_emptied |= *bits == 0;
            }
        }
        if is_emptied {
            self.words.retain(|&(_, bits)| bits != 0);
        }
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Set {
        let mut numbers: Vec<usize> = numbers.into_iter().collect();
        numbers.sort_unstable();
        let mut set = Set::default();
        numbers.into_iter().for_each(|number| set.push(number));
        set
    }
}

/// The index of the first word at a position or after it, which most often is near the front.
fn seek(words: &[(u32, u64)], position: u32) -> usize {
    let mut end = 1;
    while end < words.len() && words[end - 1].0 < position {
        end *= 2;
    }
    let (start, end) = (end / 2, end.min(words.len()));
    start + words[start..end].partition_point(|&(p, _)| p < position)
}

/// The numbers of one word.
fn numbers((position, bits): (u32, u64)) -> impl Iterator<Item = usize> + Clone {
    let after = |&bits: &u64| Some(bits & (bits - 1)).filter(|&rest| rest != 0);
    let lowest = move |bits: u64| position as usize * 64 + bits.trailing_zeros() as usize;
    std::iter::successors(Some(bits).filter(|&bits| bits != 0), after).map(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_as_ordinary_sets() {
        let multiples = |n: usize, to: usize| (0..to).step_by(n).collect::<BTreeSet<usize>>();
        let sets = [multiples(1, 70), multiples(3, 1000), multiples(64, 5000), multiples(191, 3000), BTreeSet::new()];
        let list = |set: &Set| set.iter().collect::<Vec<_>>();
        for a in &sets {
            let set: Set = a.iter().rev().copied().collect();
            assert!(list(&set).iter().eq(a));
            assert_eq!((set.last(), set.is_empty()), (a.last().copied(), a.is_empty()));
            let mut others = set.clone();
            others.remove_last();
            assert!(list(&others).iter().eq(a.iter().take(a.len().saturating_sub(1))));
            for b in &sets {
                let other: Set = b.iter().copied().collect();
                let (mut joined, mut left) = (set.clone(), set.clone());
                joined.join(&other);
                left.subtract(&other);
                assert!(list(&joined).iter().eq(a.union(b)));
                assert!(list(&left).iter().eq(a.difference(b)));
                assert!(set.common(&other).eq(a.intersection(b).copied()));
                assert_eq!(joined.is_empty(), a.is_empty() && b.is_empty());
                assert_eq!(left, a.difference(b).copied().collect::<Set>());
            }
        }
    }
}
