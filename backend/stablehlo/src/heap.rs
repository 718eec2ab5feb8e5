//! Boxes, in a heap of our own.
//!
//! The heap is one buffer of words of 64 bits, and the number of the first that is free. A box is the number of its first word, which
//! says of which type the content is; the words of the content follow. Word 0 is the box that is zero. Nothing is ever freed: a heap
//! that is full is a [`Fault::Full`], and there is an answer with a larger one.

use crate::function::Emit;
use crate::module::{Fault, Unit};
use crate::op::Val;
use crate::refusal::Reason;
use crate::tensor::{Element, Tensor, leaves};
use crate::world::{FREE, HEAP, numbers};
use gradus_ir::Type;

/// How many words the heap has for each record that a tape has room for.
const WORDS: i64 = 64;

/// The fate of a word in a sum.
#[derive(Clone, Copy, PartialEq)]
enum Word {
    /// It is that of the first operand.
    Kept,
    /// The sum of floats.
    Float,
    /// The sum of boxes.
    Box,
}

impl Unit<'_> {
    /// How many words boxes may take.
    fn heap_limit(&self) -> i64 {
        self.depth.saturating_mul(WORDS)
    }

    /// Where the words of sums are that are made now: as many words as a box may have may be read at any place before.
    fn sums_start(&self) -> i64 {
        let count = |ty: &Type| leaves(ty, self.room).map_or(0, |types| types.iter().map(|ty| ty.count()).sum::<usize>());
        self.heap_limit() + 2 + self.contents.iter().map(count).max().unwrap_or(0) as i64
    }

    /// The words of the buffer.
    pub fn heap_words(&self) -> i64 {
        self.sums_start() + self.sums.iter().map(|ty| self.boxes_in(ty)).max().unwrap_or(0)
    }

    /// How many boxes there are in a sum of this type.
    pub fn boxes_in(&self, ty: &Type) -> i64 {
        let mut found = Vec::new();
        words(ty, self.room.elements, &mut found).map_or(0, |()| found.iter().filter(|&&word| word == Word::Box).count() as i64)
    }
}

/// The words of a value, for sums. None if a tape is among it, whose sum is another.
fn words(ty: &Type, elements: i64, found: &mut Vec<Word>) -> Option<()> {
    match ty {
        Type::Tuple(items) => items.iter().try_for_each(|ty| words(ty, elements, found))?,
        Type::Tape(_) => return None,
        Type::Opaque => found.push(Word::Box),
        Type::Vec(record) => {
            let mut of_record = Vec::new();
            words(record, elements, &mut of_record)?;
            found.extend(of_record.into_iter().flat_map(|word| std::iter::repeat_n(word, elements as usize)));
        }
        _ => {
            if let Some((dtype, dims)) = ty.as_array() {
                let word = if dtype.is_float() { Word::Float } else { Word::Kept };
                found.extend(std::iter::repeat_n(word, dims.count()));
            }
        }
    }
    Some(())
}

impl Emit<'_, '_> {
    /// A box with a content.
    pub fn pack(&mut self, ty: &Type, content: &[Val]) -> Val {
        let number = self.unit.contents.iter().position(|known| known == ty).map_or(0, |i| i as i64 + 1);
        let scalar = Tensor::scalar(Element::I64);
        let header = self.b().int(scalar.with([1]), number);
        let parts: Vec<Val> = std::iter::once(header).chain(content.iter().map(|v| self.as_words(v))).collect();
        let count = parts.iter().map(|v| v.ty.count() as i64).sum::<i64>();
        let words = match &parts[..] {
            [one] => one.clone(),
            _ => self.b().concatenate(&parts.iter().collect::<Vec<_>>(), 0),
        };
        self.allocate(&words, count)
    }

    /// Writes words to the heap; gives their place.
    fn allocate(&mut self, words: &Val, count: i64) -> Val {
        let (place, heap) = (self.part(FREE), self.part(HEAP));
        let count = self.b().int(place.ty, count);
        let end = self.b().same("add", &[&place, &count]);
        self.check_room(&end);
        self.world[HEAP] = Some(self.b().dynamic_update(&heap, words, std::slice::from_ref(&place)));
        self.world[FREE] = Some(end);
        place
    }

    fn check_room(&mut self, end: &Val) {
        let limit = self.unit.heap_limit();
        let limit = self.b().int(end.ty, limit);
        let is_full = self.b().compare("GT", end, &limit);
        self.fault_if(&is_full, Fault::Full);
    }

    /// The content of a box, of these types; of the box that is zero, zeros.
    pub fn unpack(&mut self, place: &Val, types: &[Tensor]) -> Vec<Val> {
        let counts: Vec<i64> = types.iter().map(|ty| ty.count() as i64).collect();
        let total: i64 = counts.iter().sum();
        let heap = self.part(HEAP);
        let (zero, one) = (self.b().int(place.ty, 0), self.b().int(place.ty, 1));
        let is_zero = self.b().compare("EQ", place, &zero);
        let start = self.b().same("add", &[place, &one]);
        let words = self.b().dynamic_slice(&heap, &[start], &[total]);
        let mut at = 0;
        let mut found = Vec::new();
        for (&ty, count) in types.iter().zip(counts) {
            let nothing = self.b().neutral(ty);
            let part = self.b().slice(&words, &[[at, at + count, 1]]);
            let part = self.b().reshape(&part, ty.dims);
            let value = self.of_words(&part, ty.element);
            found.push(self.b().select(&is_zero, &nothing, &value));
            at += count;
        }
        found
    }

    /// The elements of a tensor as words. Floats of 32 bits are ones of 64, so that sums need not tell them apart.
    fn as_words(&mut self, v: &Val) -> Val {
        let words = match v.ty.element {
            Element::F32 | Element::F64 => {
                let wide = self.b().convert(v, Element::F64);
                self.cast(&wide, Element::I64)
            }
            _ => self.b().convert(v, Element::I64),
        };
        let count = words.ty.count() as i64;
        self.b().reshape(&words, [count])
    }

    fn of_words(&mut self, v: &Val, element: Element) -> Val {
        match element {
            Element::F32 | Element::F64 => {
                let float = self.cast(v, Element::F64);
                self.b().convert(&float, element)
            }
            Element::Pred => {
                let zero = self.b().zeros(v.ty);
                self.b().compare("NE", v, &zero)
            }
            _ => self.b().convert(v, element),
        }
    }

    /// The same bits as elements of another type of as many bits.
    pub fn cast(&mut self, v: &Val, element: Element) -> Val {
        self.b().op("bitcast_convert", &[v], Vec::new(), v.ty.of(element))
    }

    /// The sum of two boxes or two vectors.
    pub fn sum(&mut self, ty: &Type, a: &[Val], b: &[Val]) -> Result<Vec<Val>, Reason> {
        let mut fates = Vec::new();
        words(ty.element().unwrap_or(ty), self.unit.room.elements, &mut fates).ok_or(Reason::Boxes)?;
        let mut boxes = Vec::new();
        let mut sums: Vec<Val> = Vec::new();
        for ((a, b), fate) in a.iter().zip(b).zip(&fates) {
            sums.push(if *fate == Word::Float { self.b().same("add", &[a, b]) } else { a.clone() });
            if *fate == Word::Box {
                boxes.push([a, b]);
            }
        }
        if !boxes.is_empty() {
            let mut made = self.sums_of_boxes(&boxes)?.into_iter();
            let places = sums.iter_mut().zip(&fates).filter(|(_, fate)| **fate == Word::Box);
            places.zip(&mut made).for_each(|((sum, _), made)| *sum = made);
        }
        Ok(sums)
    }

    /// The sums of pairs of boxes, which lie in tensors, and of those in them, field by field. Boxes hold each other in chains of any
    /// length, so a loop makes the sums. Its stack has the places and pairs of boxes that are left to do, none of which is zero.
    fn sums_of_boxes(&mut self, pairs: &[[&Val; 2]]) -> Result<Vec<Val>, Reason> {
        let mut rows: Vec<Vec<Word>> = vec![Vec::new()];
        for ty in &self.unit.contents {
            let mut row = Vec::new();
            words(ty, self.unit.room.elements, &mut row).ok_or(Reason::Boxes)?;
            rows.push(row);
        }
        let width = rows.iter().map(Vec::len).max().unwrap_or(0).max(1) as i64;
        let (index, flag) = (Tensor::scalar(Element::I64), Tensor::scalar(Element::Pred));
        let depth = self.unit.depth;
        let parts = numbers([true; 3]);
        let [a, b] = [0, 1].map(|side| {
            let flat: Vec<Val> = pairs.iter().map(|pair| self.as_words(pair[side])).collect();
            match &flat[..] {
                [one] => one.clone(),
                all => self.b().concatenate(&all.iter().collect::<Vec<_>>(), 0),
            }
        });
        let count = a.ty.dims[0];
        let start = self.unit.sums_start();
        let start = self.b().int(index, start);
        let all = self.b().int(a.ty, 1);
        let all = self.b().compare("EQ", &all, &all);
        let (zero, nothing) = (self.b().int(index, 0), self.b().zeros(index.with([depth + 1, 3])));
        let (first, left) = self.push_boxes(&all, &start, [&a, &b], (zero, nothing));
        let lone = self.lone(&a, &b);
        let heap = self.part(HEAP);
        self.world[HEAP] = Some(self.b().dynamic_update(&heap, &lone, std::slice::from_ref(&start)));
        let mut state: Vec<Val> = parts.iter().map(|&part| self.part(part)).collect();
        state.extend([first, left]);
        let types: Vec<Tensor> = state.iter().map(|v| v.ty).collect();

        self.b().open(true);
        let inside = self.b().params(types.clone());
        let zero = self.b().int(index, 0);
        let has_more = self.b().compare("GT", &inside[3], &zero);
        let sound = self.b().int(inside[0].ty, 0);
        let is_sound = self.b().compare("EQ", &inside[0], &sound);
        let goes_on = self.b().same("and", &[&has_more, &is_sound]);
        self.b().leave(&[goes_on]);
        let condition = (inside, self.b().close());

        self.b().open(true);
        let inside = self.b().params(types.clone());
        for &part in &parts {
            self.world[part] = Some(inside[part].clone());
        }
        let (zero, one) = (self.b().int(index, 0), self.b().int(index, 1));
        let left = self.b().same("subtract", &[&inside[3], &one]);
        let triple = self.b().dynamic_slice(&inside[4], &[left.clone(), zero.clone()], &[1, 3]);
        let [to, a, b] = [0, 1, 2].map(|i| {
            let part = self.b().slice(&triple, &[[0, 1, 1], [i, i + 1, 1]]);
            self.b().reshape(&part, [])
        });
        let heap = self.part(HEAP);
        let head = self.b().dynamic_slice(&heap, std::slice::from_ref(&a), &[1]);
        let header = self.b().reshape(&head, []);
        // Tables of types: how many words, and what becomes of each.
        let sizes = rows.iter().map(|row| row.len() as i64 + 1).collect();
        let sizes = self.b().constant(index.with([rows.len() as i64]), sizes);
        let size = self.b().dynamic_slice(&sizes, std::slice::from_ref(&header), &[1]);
        let size = self.b().reshape(&size, []);
        let table = |e: &mut Self, word: Word| {
            let cells = rows.iter().flat_map(|row| (0..width as usize).map(|i| (row.get(i) == Some(&word)).into()));
            let all = e.b().constant(flag.with([rows.len() as i64, width]), cells.collect());
            let row = e.b().dynamic_slice(&all, &[header.clone(), zero.clone()], &[1, width]);
            e.b().reshape(&row, [width])
        };
        let (is_float, is_box) = (table(self, Word::Float), table(self, Word::Box));
        let [own, others] = [&a, &b].map(|place| {
            let start = self.b().same("add", &[place, &one]);
            self.b().dynamic_slice(&heap, &[start], &[width])
        });
        let [x, y] = [self.cast(&own, Element::F64), self.cast(&others, Element::F64)];
        let sum = self.b().same("add", &[&x, &y]);
        let sum = self.cast(&sum, Element::I64);
        let lone = self.lone(&own, &others);
        let kept = self.b().select(&is_box, &lone, &own);
        let result = self.b().select(&is_float, &sum, &kept);
        let place = self.part(FREE);
        let margin = self.b().int(index, width + 1);
        let needed = self.b().same("add", &[&place, &margin]);
        self.check_room(&needed);
        let all = self.b().concatenate(&[&head, &result], 0);
        let written = self.b().dynamic_update(&heap, &all, std::slice::from_ref(&place));
        let outcome = self.b().reshape(&place, [1]);
        self.world[HEAP] = Some(self.b().dynamic_update(&written, &outcome, &[to]));
        self.world[FREE] = Some(self.b().same("add", &[&place, &size]));
        let first = self.b().same("add", &[&place, &one]);
        let (left, todo) = self.push_boxes(&is_box, &first, [&own, &others], (left, inside[4].clone()));
        let mut values: Vec<Val> = parts.iter().map(|&part| self.part(part)).collect();
        values.extend([left, todo]);
        self.b().leave(&values);
        let body = (inside, self.b().close());
        let results = self.b().compound("while", &state.iter().collect::<Vec<_>>(), vec![condition, body], Vec::new(), &types);
        for &part in &parts {
            self.world[part] = Some(results[part].clone());
        }
        let sums = self.b().dynamic_slice(&results[HEAP], &[start], &[count]);
        let mut at = 0;
        let parts = pairs.iter().map(|[a, _]| {
            let count = a.ty.count() as i64;
            at += count;
            let part = self.b().slice(&sums, &[[at - count, at, 1]]);
            self.b().reshape(&part, a.ty.dims)
        });
        Ok(parts.collect())
    }

    /// Of each pair of boxes the one that is not zero, as far as one is.
    fn lone(&mut self, a: &Val, b: &Val) -> Val {
        let zeros = self.b().zeros(a.ty);
        let is_zero = self.b().compare("EQ", a, &zeros);
        self.b().select(&is_zero, b, a)
    }

    /// Adds the sums of boxes in a row of words to what is left to do, but for those in which one is zero. `first` is where the first sum
    /// goes, and the stack is `count` and `todo`; gives both as they are then.
    fn push_boxes(&mut self, is_box: &Val, first: &Val, words: [&Val; 2], (count, todo): (Val, Val)) -> (Val, Val) {
        let width = is_box.ty.dims[0];
        let index = Tensor::scalar(Element::I64);
        let nothing = self.b().zeros(words[0].ty);
        let mut wanted = is_box.clone();
        for words in words {
            let exists = self.b().compare("NE", words, &nothing);
            wanted = self.b().same("and", &[&wanted, &exists]);
        }
        let ones = self.b().convert(&wanted, Element::I64);
        let sums = self.running_sum(&ones, 0);
        let last = self.b().slice(&sums, &[[width - 1, width, 1]]);
        let total = self.b().reshape(&last, []);
        let end = self.b().same("add", &[&count, &total]);
        let limit = self.unit.depth;
        let limit = self.b().int(index, limit);
        let is_full = self.b().compare("GT", &end, &limit);
        self.fault_if(&is_full, Fault::Full);
        // Each goes to its place on the stack; what is not wanted goes behind it, and is lost.
        let one = self.b().int(index, 1);
        let before = self.b().same("subtract", &[&count, &one]);
        let before = self.b().splat(&before, [width]);
        let rows = self.b().same("add", &[&before, &sums]);
        let behind = self.b().int(rows.ty, todo.ty.dims[0]);
        let rows = self.b().select(&wanted, &rows, &behind);
        let first = self.b().splat(first, [width]);
        let numbers = self.b().iota(0, [width]);
        let places = self.b().same("add", &[&first, &numbers]);
        let columns: Vec<Val> = [&places, words[0], words[1]].iter().map(|v| self.b().reshape(v, [width, 1])).collect();
        let triples = self.b().concatenate(&columns.iter().collect::<Vec<_>>(), 1);
        (end, self.scatter(&todo, &rows, &triples, None))
    }
}
