//! Kernels on several threads. What they compute is divided where one thread would not join what lies on both sides, or only by
//! the results of whole blocks; so the number of threads changes nothing.

use super::reduce::BLOCK;
use super::run::{Fold, Kernel, Mode};
use rayon::prelude::*;
use std::ptr;

/// Where an iteration space may be divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Division {
    /// Nowhere.
    #[default]
    None,
    /// At multiples of this number of points.
    Points(usize),
    /// Between the blocks of one row.
    Blocks,
}

impl Division {
    /// Of a space with these reductions, in chunks of this length.
    pub fn of(folds: &[Fold], count: usize, chunk: usize, row: usize) -> Division {
        let shared = |fold: &Fold| fold.shape.row_by_row() && fold.shape.inner == folds[0].shape.inner;
        match folds.first() {
            None => Division::Points(chunk),
            Some(_) if !folds.iter().all(shared) => Division::None,
            Some(fold) if fold.shape.inner == count => {
                if fold.mode == Mode::Lanes {
                    Division::Blocks
                } else {
                    Division::None
                }
            }
            Some(fold) => Division::Points(if fold.mode == Mode::Lanes { row } else { chunk }),
        }
    }
}

/// How many elements, each counted as often as there are instructions, take about as long as it takes to wake a thread.
const WORTH_A_THREAD: usize = 1 << 18;

/// Pointers that threads share.
#[derive(Clone, Copy)]
struct Shared<T>(T);

// SAFETY: threads read inputs, and write to parts of the outputs that are apart.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T: Copy> Shared<T> {
    fn get(&self) -> T {
        self.0
    }
}

impl Kernel {
    /// How many points make a part that is not divided further.
    fn unit(&self) -> usize {
        match self.division {
            Division::None => self.count,
            Division::Points(unit) => unit,
            Division::Blocks => BLOCK,
        }
    }

    /// How many instructions there are for all elements together.
    fn work(&self) -> usize {
        self.count * (self.body.len() + self.folds.len())
    }

    /// Whether there is work for several threads.
    pub(super) fn is_divided(&self) -> bool {
        self.work() >= 2 * WORTH_A_THREAD && self.division != Division::None
    }

    /// Into how many parts a run is divided: one where several would not gain.
    pub(super) fn parts(&self) -> usize {
        if !self.is_divided() {
            return 1;
        }
        let work = self.work();
        rayon::current_num_threads().min(work / WORTH_A_THREAD).min(self.count.div_ceil(self.unit())).max(1)
    }

    /// Runs parts on several threads.
    ///
    /// # Safety
    /// As for [`Kernel::run`].
    pub(super) unsafe fn in_parallel(&self, parts: usize, inputs: *const u64, outputs: *const *mut u8) {
        let blocks = if self.division == Division::Blocks { self.count.div_ceil(BLOCK) } else { 0 };
        let mut partials = vec![0_u64; blocks * self.folds.len()];
        let places: Vec<*mut u64> = partials.chunks_mut(blocks.max(1)).map(|blocks| blocks.as_mut_ptr()).collect();
        for (fold, &place) in self.folds.iter().zip(&places) {
            for block in 0..blocks {
                // SAFETY: a place for each block.
                unsafe { (fold.joins.clear)(1, place.add(block).cast(), [ptr::null(); 3]) };
            }
        }
        let results = if blocks == 0 { ptr::null() } else { places.as_ptr() };
        let shared = Shared((inputs, outputs, results));
        let units = self.count.div_ceil(self.unit());
        let border = |part: usize| (units * part / parts * self.unit()).min(self.count);
        (0..parts).into_par_iter().for_each(|part| {
            let (inputs, outputs, results) = shared.get();
            // SAFETY: the caller's promise; parts are apart.
            unsafe { self.range(border(part)..border(part + 1), inputs, outputs, results) };
        });
        if blocks == 0 {
            return;
        }
        for (fold, &place) in self.folds.iter().zip(&places) {
            // SAFETY: the output is one element.
            unsafe {
                let output = *outputs.add(fold.output as usize);
                (fold.joins.clear)(1, output, [ptr::null(); 3]);
                for block in 0..blocks {
                    (fold.joins.results)(1, output, [place.add(block).cast_const().cast(); 3]);
                }
            }
        }
    }
}
