//! Long bodies cut into stages.
//!
//! What a processor looks ahead is a few hundred instructions. Of a long chain of them it works on few vectors at a time, and waits
//! for most of the results. So several vectors go through one stage after the other, and values wait in the frame between stages.

use super::body::{Body, Form, Inst, Memory, Value};
use std::ops::Range;

/// How many vectors are taken together.
pub const TOGETHER: usize = 8;

/// Where a stage may end, in instructions from its start.
const LENGTHS: Range<usize> = 32..80;

/// How many values wait between stages at most.
const MOST_WAITING: u32 = 24;

impl Body {
    /// The stages of a body, and how many values wait between them; none if it is short or cannot be cut.
    pub fn stages(&self) -> Option<(Vec<Body>, u32)> {
        let cuts = self.cuts()?;
        let stage_of = |at: usize| cuts.partition_point(|&cut| cut <= at);
        let mut born: Vec<Option<usize>> = vec![None; self.values.len()];
        let mut waits: Vec<Option<u32>> = vec![None; self.values.len()];
        let mut slots = 0;
        for (at, inst) in self.insts.iter().enumerate() {
            for v in inst.operands() {
                if born[v.index()].is_some_and(|born| stage_of(born) < stage_of(at)) {
                    waits[v.index()].get_or_insert_with(|| (slots, slots += 1).0);
                }
            }
            if let Some(to) = inst.to {
                born[to.index()] = Some(at);
            }
        }
        let mut stages: Vec<Body> = Vec::new();
        for (at, inst) in self.insts.iter().enumerate() {
            if stages.len() <= stage_of(at) {
                let mut stage = Body::default();
                stage.values.clone_from(&self.values);
                for (v, slot) in waits.iter().enumerate() {
                    if let (Some(slot), true) = (slot, born[v].is_some_and(|born| born < at)) {
                        stage.values[v].1 = Some(Memory::Stage(*slot));
                    }
                }
                stages.push(stage);
            }
            let stage = stages.last_mut().expect("a stage");
            stage.insts.push(*inst);
            if let Some(to) = inst.to
                && let Some(slot) = waits[to.index()]
            {
                stage.keep(Memory::Stage(slot), to);
            }
        }
        (slots <= MOST_WAITING).then_some((stages, slots))
    }

    /// Where stages begin, but for the first: where few values wait, and no mask.
    fn cuts(&self) -> Option<Vec<usize>> {
        let mut last_use = vec![0; self.values.len()];
        for (at, inst) in self.insts.iter().enumerate() {
            inst.operands().for_each(|v| last_use[v.index()] = at);
        }
        // For each place how many vectors and masks are alive there.
        let mut changes = vec![[0_i32; 2]; self.insts.len() + 2];
        for (at, Inst { to, .. }) in self.insts.iter().enumerate() {
            let Some(Value(to)) = *to else { continue };
            let (is_mask, end) = (usize::from(self.values[to as usize].0), last_use[to as usize]);
            if end > at {
                changes[at + 1][is_mask] += 1;
                changes[end + 1][is_mask] -= 1;
            }
        }
        let mut alive = [0; 2];
        let waiting: Vec<[i32; 2]> = changes
            .iter()
            .map(|change| {
                alive = [alive[0] + change[0], alive[1] + change[1]];
                alive
            })
            .collect();
        // All that is stored is stored in the last stage: an output may be where an input is, which is read before that.
        let is_store = |inst: &Inst| matches!(inst.form, Form::Store { .. } | Form::StoreMask { .. });
        let stores = self.insts.iter().position(is_store).unwrap_or(self.insts.len());
        let mut cuts = Vec::new();
        let mut start = 0;
        while stores - start > LENGTHS.end {
            let places = start + LENGTHS.start..start + LENGTHS.end;
            let cut = places.filter(|&at| waiting[at][1] == 0).min_by_key(|&at| (waiting[at][0], usize::MAX - at))?;
            cuts.push(cut);
            start = cut;
        }
        (!cuts.is_empty()).then_some(cuts)
    }
}
