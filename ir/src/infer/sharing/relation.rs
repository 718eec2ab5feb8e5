//! Which places share memory.
//!
//! Whether two places of a function may share memory, at a time when both values exist, is asked of the one made later. If it is new,
//! they do not; otherwise they do if the other one shares memory with what the later one comes from. Parameters of one block are
//! followed together, jump by jump. So what an iteration of a loop makes is not taken for what the one before it has made, and two
//! variables that a loop swaps are not taken for one.
//!
//! A result of a call comes from arguments and from what is outside of the callee, by an answer for each function. Answers begin
//! with nothing and grow until all of them hold.

use super::elements::{Pair, apart, product};
use super::sources::{Origin, Place, Sources};
use crate::graph::Kind;
use crate::infer::instances::InstId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of the result of a function.
type Part = (Vec<u32>, bool);

/// What is asked of a function.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Question {
    /// Where a part of its result comes from.
    Origins(InstId, Part),
    /// Whether two parts of it share memory.
    Share(InstId, [Part; 2]),
}

/// What is known of it.
#[derive(Clone, Default, PartialEq, Eq)]
struct Answer {
    /// Whether they share memory whatever the arguments are.
    shared: bool,
    /// Places outside of the function: those that it comes from, and those that share memory if a pair of these does.
    origins: Vec<Place>,
    pairs: Vec<Pair>,
}

/// The relation, with the answers that were needed so far.
pub(super) struct Relation<'e> {
    pub(super) sources: Sources<'e>,
    known: FxHashMap<Question, Answer>,
    /// The questions in the order in which they were asked, and how many of them have their last answer.
    asked: Vec<Question>,
    answered: usize,
    /// Places of functions that come from nowhere outside, and pairs of places that do not share memory: each write of a loop that is
    /// unrolled would go back through all writes before it.
    within: FxHashSet<(InstId, Place)>,
    apart: FxHashSet<(InstId, Place, Place)>,
}

impl<'e> Relation<'e> {
    pub(super) fn new(sources: Sources<'e>) -> Relation<'e> {
        let known = FxHashMap::default();
        Relation { sources, known, asked: Vec::new(), answered: 0, within: FxHashSet::default(), apart: FxHashSet::default() }
    }

    /// The parameters of a function, and the places outside of it, that a place in it may come from.
    pub(super) fn origins(&mut self, function: InstId, place: &Place) -> Vec<Place> {
        let (answer, seen) = self.settled(|r| r.followed(function, vec![place.clone()]));
        if answer.origins.is_empty() {
            self.within.extend(seen);
        }
        answer.origins
    }

    /// Whether two places of a function may share memory. Different arguments do not. What holds for all of a list may hold for none of
    /// its elements.
    pub(super) fn share(&mut self, function: InstId, a: &Place, b: &Place) -> bool {
        self.share_as_one(function, a, b)
            && match self.sources.parts(b) {
                Some(parts) => parts.iter().any(|part| self.share(function, a, part)),
                None => true,
            }
    }

    fn share_as_one(&mut self, function: InstId, a: &Place, b: &Place) -> bool {
        // Pairs of places outside are told to a caller, which has none here.
        let known = std::mem::take(&mut self.apart);
        let (answer, seen) = self.settled(|r| r.compared(function, vec![(a.clone(), b.clone())], &known));
        self.apart = known;
        if !answer.shared {
            self.apart.extend(seen);
        }
        answer.shared
    }

    fn settled<T>(&mut self, find: impl Fn(&mut Self) -> T) -> T {
        loop {
            let asked = self.asked.len();
            let found = find(self);
            if self.asked.len() == asked {
                return found;
            }
            self.settle();
        }
    }

    /// Answers all new questions, those first that were asked for the others. The old ones do not depend on them.
    fn settle(&mut self) {
        loop {
            let before = self.asked.len();
            let mut changed = false;
            for i in (self.answered..before).rev() {
                let question = self.asked[i].clone();
                let answer = self.answer(&question);
                changed |= self.known.insert(question, answer.clone()) != Some(answer);
            }
            if !changed && self.asked.len() == before {
                self.answered = before;
                return;
            }
        }
    }

    fn ask(&mut self, question: Question) -> Answer {
        if let Some(answer) = self.known.get(&question) {
            return answer.clone();
        }
        self.known.insert(question.clone(), Answer::default());
        self.asked.push(question);
        Answer::default()
    }

    fn answer(&mut self, question: &Question) -> Answer {
        match question {
            Question::Origins(f, (path, exact)) => {
                let results = self.sources.results(*f);
                let start = results.into_iter().flat_map(|(id, n)| self.sources.places(id, n, path, *exact)).collect();
                self.followed(*f, start).0
            }
            Question::Share(f, [a, b]) => {
                let results = self.sources.results(*f);
                let parts = [(&a.0[..], a.1), (&b.0[..], b.1)];
                let start = results.into_iter().flat_map(|(id, n)| self.sources.pairs(id, n, parts)).collect();
                self.compared(*f, start, &FxHashSet::default()).0
            }
        }
    }

    /// Follows places of a function to what they come from outside of it; and those that it has come by.
    fn followed(&mut self, function: InstId, mut work: Vec<Place>) -> (Answer, FxHashSet<(InstId, Place)>) {
        let mut answer = Answer::default();
        let mut seen = FxHashSet::default();
        while let Some(place) = work.pop() {
            let key = (function, self.sources.root(place));
            if self.within.contains(&key) || !seen.insert(key.clone()) {
                continue;
            }
            let place = key.1;
            if self.sources.time(function, &place).is_none() {
                answer.origins.push(place);
            } else {
                work.extend(self.before(&place));
            }
        }
        answer.origins.sort_unstable();
        (answer, seen)
    }

    /// Follows pairs of places of a function, but for those that are known; and those that it has come by.
    fn compared(
        &mut self,
        function: InstId,
        mut work: Vec<Pair>,
        known: &FxHashSet<(InstId, Place, Place)>,
    ) -> (Answer, FxHashSet<(InstId, Place, Place)>) {
        let mut answer = Answer::default();
        let mut seen = FxHashSet::default();
        while let Some(pair) = work.pop() {
            let (a, b) = apart(pair);
            let key = (function, self.sources.root(a), self.sources.root(b));
            if known.contains(&key) || !seen.insert(key.clone()) {
                continue;
            }
            let (_, a, b) = key;
            let times = (self.sources.time(function, &a), self.sources.time(function, &b));
            if (a.at, a.node) == (b.at, b.node) {
                if a.meets(&b) {
                    answer.shared = true;
                    break;
                }
                match times.0 {
                    Some(_) if a.is_beside(&b) => {
                        let (shared, pairs) = self.fields_before(&a, &b);
                        answer.shared |= shared;
                        work.extend(pairs);
                    }
                    Some(_) => {}
                    None => answer.pairs.push((a, b)),
                }
                continue;
            }
            match times {
                (None, None) => answer.pairs.push((a, b)),
                (Some(_), Some(_)) if a.at == b.at && self.are_parameters(&a, &b) => work.extend(self.sources.by_jump(&a, &b)),
                (first, second) if first < second => work.extend(self.before(&b).into_iter().map(|b| (a.clone(), b))),
                _ => work.extend(self.before(&a).into_iter().map(|a| (a, b.clone()))),
            }
        }
        answer.pairs.sort_unstable();
        (answer, seen)
    }

    fn are_parameters(&self, a: &Place, b: &Place) -> bool {
        [a, b].into_iter().all(|p| self.sources.e.m[p.node].kind == Kind::Param)
    }

    /// What a place comes from.
    fn before(&mut self, p: &Place) -> Vec<Place> {
        match self.sources.of(p) {
            Origin::Outside => Vec::new(),
            Origin::Places(places) => places,
            Origin::Results(functions) => {
                let mut places = Vec::new();
                for f in functions {
                    let found = self.ask(Question::Origins(f, (p.path.clone(), p.exact))).origins;
                    places.extend(found.iter().flat_map(|outside| self.sources.given(f, p.at, p.node, outside)));
                }
                places
            }
        }
    }

    /// What two fields of one value come from, and whether they share memory in any case.
    fn fields_before(&mut self, a: &Place, b: &Place) -> (bool, Vec<Pair>) {
        if self.are_parameters(a, b) {
            return (false, self.sources.by_jump(a, b));
        }
        if let Some(pairs) = self.sources.elements_before(a, b) {
            return (false, pairs);
        }
        match self.sources.of(a) {
            Origin::Outside => (false, Vec::new()),
            Origin::Places(places) => (false, product(&places, &self.before(b))),
            Origin::Results(functions) => {
                let (mut shared, mut pairs) = (false, Vec::new());
                for f in functions {
                    let answer = self.ask(Question::Share(f, [a, b].map(|p| (p.path.clone(), p.exact))));
                    shared |= answer.shared;
                    for (x, y) in &answer.pairs {
                        pairs.extend(self.sources.given_pairs(f, a.at, a.node, [x, y]));
                    }
                }
                (shared, pairs)
            }
        }
    }
}
