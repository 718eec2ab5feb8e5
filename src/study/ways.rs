//! The ways of a study: points on axes, each a way to compile a derivative.

use crate::compare::Way;
use crate::xla::Xla;
use crate::{Backend, Closures, Math, Mode, Options, PASSES, Plan, Request, Simplify, Strategy};
use serde::{Deserialize, Serialize};

/// What one order of a derivative is taken by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    Closure,
    Stack,
    /// Loops that are run again from so many of their states.
    Checkpoint(usize),
    /// A tape of what the run does.
    Trace,
    /// In reverse mode, by the strategy that suits each function.
    Reverse,
    Forward,
    /// As the compiler chooses, modes included; it stands alone.
    Auto,
}

impl Word {
    /// Those that a study has if it names none.
    const DEFAULT: [Word; 5] = [Word::Closure, Word::Stack, Word::Reverse, Word::Forward, Word::Auto];
    /// All, as a study names them.
    pub const KNOWN: [&str; 8] = ["closure", "stack", "checkpoint", "checkpoint N", "trace", "reverse", "forward", "auto"];

    /// Reads a name.
    pub fn read(text: &str) -> Option<Word> {
        match text.strip_prefix("checkpoint") {
            Some("") => Some(Word::Checkpoint(Plan::SLOTS)),
            Some(slots) => slots.trim().parse().ok().filter(|&slots| slots > 0).map(Word::Checkpoint),
            None => Word::DEFAULT.into_iter().chain([Word::Trace]).find(|word| word.name() == text),
        }
    }

    fn name(self) -> String {
        match self {
            Word::Closure => "closure".into(),
            Word::Stack => "stack".into(),
            Word::Checkpoint(slots) => format!("checkpoint {slots}"),
            Word::Trace => "trace".into(),
            Word::Reverse => "reverse".into(),
            Word::Forward => "forward".into(),
            Word::Auto => "auto".into(),
        }
    }

    fn strategy(self) -> Strategy {
        match self {
            Word::Closure => Strategy::Closure,
            Word::Stack => Strategy::Stack,
            Word::Checkpoint(_) => Strategy::Checkpoint,
            Word::Trace => Strategy::Trace,
            Word::Reverse | Word::Forward | Word::Auto => Strategy::Auto,
        }
    }
}

/// The passes that run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    All,
    /// Equality saturation alone.
    Egg,
    /// All but one.
    Without(&'static str),
}

impl Passes {
    /// Reads `all`, `egg` or `no inline`.
    pub fn read(text: &str) -> Option<Passes> {
        match text {
            "all" => Some(Passes::All),
            "egg" => Some(Passes::Egg),
            _ => PASSES.into_iter().find(|pass| text.strip_prefix("no ") == Some(pass)).map(Passes::Without),
        }
    }

    fn name(self) -> String {
        match self {
            Passes::All => "all".into(),
            Passes::Egg => "egg".into(),
            Passes::Without(pass) => format!("no {pass}"),
        }
    }

    fn without(self) -> Vec<&'static str> {
        match self {
            Passes::All => Vec::new(),
            Passes::Egg => PASSES.into_iter().filter(|&pass| pass != "saturate").collect(),
            Passes::Without(pass) => vec![pass],
        }
    }
}

/// The values of each axis; the first ones make the base.
#[derive(Clone, Debug)]
pub struct Axes {
    pub(super) orders: Vec<usize>,
    pub(super) strategies: Vec<Vec<Word>>,
    pub(super) closures: Vec<Closures>,
    pub(super) simplify: Vec<Simplify>,
    pub(super) math: Vec<Math>,
    pub(super) recompute: Vec<usize>,
    pub(super) backends: Vec<Backend>,
    pub(super) passes: Vec<Passes>,
    /// All combinations of the values; else those that differ from the base in one axis.
    pub(super) cross: bool,
}

impl Default for Axes {
    fn default() -> Axes {
        let base = Options::default();
        Axes {
            orders: vec![1],
            strategies: Word::DEFAULT.map(|word| vec![word]).to_vec(),
            closures: vec![base.closures],
            simplify: vec![base.simplify],
            math: vec![base.math],
            recompute: vec![base.recompute],
            backends: vec![base.backend],
            passes: vec![Passes::All],
            cross: false,
        }
    }
}

/// A way, by its place on each axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    words: Vec<Word>,
    closures: Closures,
    simplify: Simplify,
    math: Math,
    recompute: usize,
    backend: Backend,
    passes: Passes,
}

/// The names of a way in tables; the function itself has `value` as its strategy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Debug)]
pub struct Names {
    pub strategy: String,
    pub closures: String,
    pub simplify: String,
    pub math: String,
    pub recompute: usize,
    pub backend: String,
    pub passes: String,
}

impl Axes {
    /// The ways of an order: words over `closure` and `stack`, and the other strategies that are named; and variants of the words
    /// that are one strategy throughout. `auto` comes last, since it is left out where it makes a program that is there.
    pub(super) fn ways(&self, order: usize) -> Vec<Choice> {
        let base = |words: Vec<Word>| Choice {
            words,
            closures: self.closures[0],
            simplify: self.simplify[0],
            math: self.math[0],
            recompute: self.recompute[0],
            backend: self.backends[0],
            passes: self.passes[0],
        };
        let mixed: Vec<Word> = self.strategies.iter().filter_map(|words| one_of(words)).filter(|w| w.is_kept()).collect();
        let mut words: Vec<Vec<Word>> = if mixed.is_empty() { Vec::new() } else { vec![Vec::new()] };
        for _ in 0..order {
            words = words.iter().flat_map(|w| mixed.iter().map(move |&last| [&w[..], &[last]].concat())).collect();
        }
        let others = self.strategies.iter().filter_map(|words| one_of(words)).filter(|w| !w.is_kept());
        words.extend(others.map(|word| vec![word; order]));
        words.extend(self.strategies.iter().filter(|words| words.len() == order && order > 1).cloned());
        words.sort_by_key(|words| words[0] == Word::Auto);
        let mut ways: Vec<Choice> = Vec::new();
        for words in words {
            let is_one = words.iter().all(|&word| word == words[0] && word.is_kept());
            let base = base(words);
            let all = if is_one { self.variants(&base) } else { vec![base] };
            for way in all {
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        ways
    }

    /// A way, and those that differ from it in one axis, or by `cross` in any number.
    fn variants(&self, base: &Choice) -> Vec<Choice> {
        let mut ways = vec![base.clone()];
        let mut vary = |values: usize, set: &dyn Fn(&mut Choice, usize)| {
            let from: Vec<Choice> = if self.cross { ways.clone() } else { vec![base.clone()] };
            for i in 1..values {
                ways.extend(from.iter().map(|way| {
                    let mut way = way.clone();
                    set(&mut way, i);
                    way
                }));
            }
        };
        if base.words[0] == Word::Closure {
            vary(self.closures.len(), &|way, i| way.closures = self.closures[i]);
        }
        vary(self.simplify.len(), &|way, i| way.simplify = self.simplify[i]);
        vary(self.math.len(), &|way, i| way.math = self.math[i]);
        vary(self.recompute.len(), &|way, i| way.recompute = self.recompute[i]);
        vary(self.backends.len(), &|way, i| way.backend = self.backends[i]);
        vary(self.passes.len(), &|way, i| way.passes = self.passes[i]);
        ways
    }
}

fn one_of(words: &[Word]) -> Option<Word> {
    match words {
        [word] => Some(*word),
        _ => None,
    }
}

impl Word {
    /// Whether it is a strategy that words of several orders are made of.
    fn is_kept(self) -> bool {
        matches!(self, Word::Closure | Word::Stack)
    }
}

impl Choice {
    pub fn names(&self) -> Names {
        let words: Vec<String> = self.words.iter().map(|w| w.name()).collect();
        let is_uniform = !self.words[0].is_kept() && words.iter().all(|w| *w == words[0]);
        Names {
            strategy: if is_uniform { words[0].clone() } else { words.join(",") },
            closures: self.closures.name().into(),
            simplify: self.simplify.name().into(),
            math: match self.math {
                Math::Exact => "exact".into(),
                Math::Fast => "fast".into(),
            },
            recompute: self.recompute,
            backend: self.backend.name().into(),
            passes: self.passes.name(),
        }
    }

    /// The way to the gradient in some arguments; of more than one order in the first of them, which is a float.
    pub fn way(&self, wrt: &[usize]) -> Way {
        let request = match &self.words[..] {
            [Word::Forward] => Request::Forward(wrt.to_vec(), None),
            [Word::Auto] => Request::Gradient(wrt.to_vec()),
            [_] => Request::Reverse(wrt.to_vec()),
            words => Request::Orders(wrt[0], words.iter().map(|word| word.mode()).collect()),
        };
        let slots = self.words.iter().find_map(|word| match word {
            Word::Checkpoint(slots) => Some(*slots),
            _ => None,
        });
        let slots = slots.unwrap_or(Plan::SLOTS);
        let options = Options {
            plan: Plan { orders: self.words.iter().map(|w| w.strategy()).collect(), slots, ..Plan::default() },
            backend: self.backend,
            xla: (self.backend == Backend::Xla).then(|| Xla::named(1).ok()).flatten(),
            math: self.math,
            simplify: self.simplify,
            closures: self.closures,
            recompute: self.recompute,
            without: self.passes.without(),
            ..Options::default()
        };
        Way { request, options }
    }
}

impl Word {
    /// The mode of an order above the first; `auto` goes forward at each, as the command does.
    fn mode(self) -> Mode {
        match self {
            Word::Forward | Word::Auto => Mode::Forward,
            Word::Closure | Word::Stack | Word::Checkpoint(_) | Word::Trace | Word::Reverse => Mode::Reverse,
        }
    }
}

impl Names {
    /// The names of the function itself.
    pub fn value() -> Names {
        let base = Axes::default().ways(1).remove(0);
        Names { strategy: "value".into(), ..base.names() }
    }

    /// A short name: the strategies, and what differs from another way.
    pub fn short(&self, base: &Names) -> String {
        let simplified = match &*self.simplify {
            "off" => "no simplification".into(),
            when => format!("simplification {when}"),
        };
        let differing = [
            (self.closures != base.closures).then(|| format!("closures as {}", self.closures)),
            (self.simplify != base.simplify).then_some(simplified),
            (self.math != base.math).then(|| format!("{} math", self.math)),
            (self.recompute != base.recompute).then(|| format!("recompute {}", self.recompute)),
            (self.backend != base.backend).then(|| format!("back end {}", self.backend)),
            (self.passes != base.passes).then(|| format!("passes: {}", self.passes)),
        ];
        let differing: Vec<String> = differing.into_iter().flatten().collect();
        match differing.is_empty() {
            true => self.strategy.clone(),
            false => format!("{} with {}", self.strategy, differing.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axes: &Axes, order: usize) -> Vec<String> {
        let base = axes.ways(order)[0].names();
        axes.ways(order).iter().map(|way| way.names().short(&base)).collect()
    }

    #[test]
    fn words_of_an_order() {
        let axes = Axes::default();
        assert_eq!(names(&axes, 1), ["closure", "stack", "reverse", "forward", "auto"]);
        let two = ["closure,closure", "closure,stack", "stack,closure", "stack,stack", "reverse", "forward", "auto"];
        assert_eq!(names(&axes, 2), two);
        assert_eq!(axes.ways(3).len(), 8 + 3);
        let axes = Axes { strategies: vec![vec![Word::Auto], vec![Word::Stack, Word::Forward], vec![Word::Stack]], ..axes };
        assert_eq!(
            (names(&axes, 1), names(&axes, 2)),
            (vec!["stack".into(), "auto".into()], vec!["stack,stack".into(), "stack,forward".into(), "auto".into()])
        );
        assert_eq!(axes.ways(2)[1].way(&[3]).request, Request::Orders(3, vec![Mode::Reverse, Mode::Forward]));
    }

    #[test]
    fn axes_are_varied_alone_or_together() {
        let axes = Axes {
            strategies: vec![vec![Word::Closure], vec![Word::Stack]],
            closures: vec![Closures::Tapes, Closures::Tags],
            simplify: vec![Simplify::Interleaved, Simplify::Off],
            passes: vec![Passes::All, Passes::Egg],
            ..Axes::default()
        };
        let alone = ["closure", "closure with closures as tags", "closure with no simplification", "closure with passes: egg"];
        assert_eq!(names(&axes, 1)[..4], alone);
        // Steps of closures are varied where there are closures.
        assert_eq!((axes.ways(1).len(), axes.ways(2).len()), (4 + 3, 4 + 1 + 1 + 3));
        assert_eq!(Axes { cross: true, ..axes }.ways(1).len(), 8 + 4);
    }

    #[test]
    fn passes_that_do_not_run() {
        assert_eq!(Passes::read("no inline"), Some(Passes::Without("inline")));
        assert_eq!((Passes::read("no passes"), Passes::read("inline")), (None, None));
        let without = Passes::Egg.without();
        assert!(without.len() == PASSES.len() - 1 && !without.contains(&"saturate"));
    }
}
