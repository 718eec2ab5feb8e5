//! Instances: a graph, specialised. A function has one for each list of argument values, a block one for each instance of its
//! function, the arguments of all entries joined.

use super::abs::{Abs, Closure};
use super::calls::Target;
use super::engine::Unassigned;
use super::orders::Derivatives;
use crate::graph::{GraphId, NodeId};
use crate::span::{Diagnostic, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// An instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct InstId(u32);

/// Who is told of what an instance does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Voice {
    /// Everybody.
    Loud,
    /// Nobody, for it runs for a derivative alone: it prints nothing, and fails after what was printed before.
    Silent,
    /// Nobody, and it is told of nothing: it is a part of a function with a rule.
    Detached,
}

/// What is known of an instance.
pub(super) struct Instance {
    pub(super) graph: GraphId,
    /// The instance that holds the free variables; its ancestors hold the rest.
    pub(super) parent: Option<InstId>,
    /// The instance of the function that a block belongs to; a function's own.
    pub(super) function: InstId,
    /// The instance that first called this one.
    pub(super) creator: Option<InstId>,
    pub(super) args: Vec<Abs>,
    /// Where each argument first came from.
    pub(super) arg_spans: Vec<Span>,
    /// The place that stands for those of a library's code: where the function was called.
    pub(super) site: Span,
    /// The same of the function that makes an instance, for what that calls.
    pub(super) origin: Span,
    /// The function that calls one whose callers are told apart.
    pub(super) context: Option<InstId>,
    pub(super) voice: Voice,
    pub(super) result: Abs,
    /// A place that decides the result.
    pub(super) result_span: Span,
    /// Whether the result is only assumed, because the program never returns.
    pub(super) assumed: bool,
    pub(super) values: FxHashMap<NodeId, Abs>,
    /// What each call was found to call.
    pub(super) calls: FxHashMap<NodeId, Target>,
    /// The derivatives that are taken of the code.
    pub(super) derivatives: Derivatives,
    pub(super) errors: Vec<Diagnostic>,
    /// Where it fails, since a variable that is read there has no value.
    pub(super) unassigned: Option<Unassigned>,
    /// Who reads the result.
    pub(super) dependents: Vec<InstId>,
    /// Nested instances that read a value.
    pub(super) readers: Vec<InstId>,
    pub(super) progress: Progress,
    homes: FxHashMap<GraphId, InstId>,
}

/// Where an instance stands in the analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// It has been looked at, in part at least.
    pub(super) begun: bool,
    /// It is being looked at.
    pub(super) active: bool,
    /// It must be looked at again.
    pub(super) queued: bool,
}

/// Instances of one function that take more values than this, tuples counted by what they hold, are taken for a recursion whose
/// arguments grow.
const MAX_ARGUMENTS: usize = 1 << 20;

/// What makes a block's instance.
#[derive(PartialEq, Eq, Hash)]
struct BlockKey {
    graph: GraphId,
    parent: Option<InstId>,
    function: InstId,
    /// Where the iterators over tuples stand.
    positions: Vec<usize>,
    /// The arguments that it is specialised for; what is no constant is left out.
    constants: Vec<Option<Abs>>,
}

/// What makes a function's instance.
#[derive(PartialEq, Eq, Hash)]
struct FunctionKey {
    graph: GraphId,
    parent: Option<InstId>,
    site: Span,
    origin: Span,
    context: Option<InstId>,
    voice: Voice,
    args: Vec<Abs>,
}

impl FunctionKey {
    fn of(r: &Request<'_>) -> FunctionKey {
        let &Request { graph, parent, site, origin, context, voice, .. } = r;
        FunctionKey { graph, parent, site, origin, context, voice, args: r.args.to_vec() }
    }
}

/// All instances.
#[derive(Default)]
pub(super) struct Instances {
    list: Vec<Instance>,
    functions: FxHashMap<FunctionKey, InstId>,
    blocks: FxHashMap<BlockKey, InstId>,
    /// Those of each function; of a function of a library, of each place where it is called.
    of_function: FxHashMap<(GraphId, Span), Vec<InstId>>,
    /// How many values the arguments of more of them may hold.
    room: FxHashMap<(GraphId, Span), usize>,
    /// How many values the arguments of blocks hold.
    held: usize,
    edges: FxHashSet<(InstId, InstId, bool)>,
}

impl std::ops::Index<InstId> for Instances {
    type Output = Instance;
    fn index(&self, id: InstId) -> &Instance {
        &self.list[id.0 as usize]
    }
}

impl std::ops::IndexMut<InstId> for Instances {
    fn index_mut(&mut self, id: InstId) -> &mut Instance {
        &mut self.list[id.0 as usize]
    }
}

/// A function that would get an instance.
pub(super) struct Request<'a> {
    pub(super) graph: GraphId,
    pub(super) parent: Option<InstId>,
    pub(super) args: &'a [Abs],
    pub(super) spans: &'a [Span],
    pub(super) caller: Option<InstId>,
    /// The place of the call, of a function of a library or a block of one; none of others.
    pub(super) site: Span,
    /// The place where the function was called that makes the instance which this is for; none of others.
    pub(super) origin: Span,
    /// The function that calls one whose callers are told apart.
    pub(super) context: Option<InstId>,
    pub(super) voice: Voice,
}

impl Request<'_> {
    /// Whether an instance is of the same function, made in the same surroundings.
    fn is_alike(&self, i: &Instance) -> bool {
        (i.graph, i.parent, i.site, i.origin, i.context, i.voice)
            == (self.graph, self.parent, self.site, self.origin, self.context, self.voice)
    }
}

impl Instances {
    fn add(&mut self, r: &Request<'_>, function: Option<InstId>) -> InstId {
        let id = InstId(self.list.len() as u32);
        self.list.push(Instance {
            graph: r.graph,
            parent: r.parent,
            function: function.unwrap_or(id),
            creator: r.caller,
            args: r.args.to_vec(),
            arg_spans: r.spans.to_vec(),
            site: r.site,
            origin: r.origin,
            context: r.context,
            voice: r.voice,
            result: Abs::Bottom,
            result_span: Span::NONE,
            assumed: false,
            values: FxHashMap::default(),
            calls: FxHashMap::default(),
            derivatives: Derivatives::default(),
            errors: Vec::new(),
            unassigned: None,
            dependents: Vec::new(),
            readers: Vec::new(),
            progress: Progress { begun: false, active: false, queued: false },
            homes: FxHashMap::default(),
        });
        id
    }

    /// The instance of a block for these constants, and whether it is new. The arguments are those of its first entry.
    pub(super) fn block(&mut self, r: &Request<'_>, function: InstId, constants: Vec<Option<Abs>>) -> (InstId, bool) {
        let positions = r.args.iter().filter_map(|a| if let Abs::Iter(_, at) = a { Some(*at) } else { None }).collect();
        let key = BlockKey { graph: r.graph, parent: r.parent, function, positions, constants };
        if let Some(&id) = self.blocks.get(&key) {
            return (id, false);
        }
        let id = self.add(r, Some(function));
        self.held += r.args.iter().map(Abs::size).sum::<usize>();
        self.blocks.insert(key, id);
        (id, true)
    }

    /// The instance of a function for these arguments, if there is one.
    pub(super) fn find_function(&self, r: &Request<'_>) -> Option<InstId> {
        self.functions.get(&FunctionKey::of(r)).copied()
    }

    /// How many instances of blocks there are.
    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many values their arguments hold: the elements of lists are counted each time.
    pub(super) fn held_by_blocks(&self) -> usize {
        self.held
    }

    /// The last instance of a block, in the same surroundings, that control came through on its first way to `from`.
    pub(super) fn last_entry(&self, from: InstId, graph: GraphId, parent: Option<InstId>) -> Option<InstId> {
        let function = self[from].function;
        std::iter::successors(Some(from), |&id| self[id].creator)
            .take_while(|&id| self[id].function == function)
            .find(|&id| self[id].graph == graph && self[id].parent == parent)
    }

    /// Makes an instance of a function.
    pub(super) fn add_function(&mut self, r: &Request<'_>) -> InstId {
        let id = self.add(r, None);
        self.of_function.entry((r.graph, r.site)).or_default().push(id);
        self.alias(r, id);
        id
    }

    /// Lets these arguments lead to an instance.
    pub(super) fn alias(&mut self, r: &Request<'_>, id: InstId) {
        self.functions.insert(FunctionKey::of(r), id);
    }

    /// All instances.
    pub(super) fn ids(&self) -> impl Iterator<Item = InstId> + use<> {
        (0..self.list.len() as u32).map(InstId)
    }

    /// The instances of the function that a request is for; of a function of a library, those for its place.
    pub(super) fn of_function(&self, r: &Request<'_>) -> &[InstId] {
        self.of_function.get(&(r.graph, r.site)).map_or(&[], Vec::as_slice)
    }

    /// How many values the arguments of more such instances may hold; the caller takes what it needs.
    pub(super) fn room(&mut self, r: &Request<'_>) -> &mut usize {
        self.room.entry((r.graph, r.site)).or_insert(MAX_ARGUMENTS)
    }

    /// `reader` wants to know when the result of `id` grows.
    pub(super) fn depend(&mut self, id: InstId, reader: InstId) {
        if self.edges.insert((id, reader, false)) {
            self[id].dependents.push(reader);
        }
    }

    /// `reader` wants to know when a value of `id` grows.
    pub(super) fn read(&mut self, id: InstId, reader: InstId) {
        if self.edges.insert((id, reader, true)) {
            self[id].readers.push(reader);
        }
    }

    /// The instance of `owner` that `from` is, or is nested in.
    pub(super) fn home(&mut self, from: InstId, owner: GraphId) -> InstId {
        if self[from].graph == owner {
            return from;
        }
        if let Some(&home) = self[from].homes.get(&owner) {
            return home;
        }
        let mut at = from;
        while self[at].graph != owner {
            at = self[at].parent.expect("a free variable belongs to a graph around its user");
        }
        self[from].homes.insert(owner, at);
        at
    }

    /// The instance of `owner` that this one is, or is nested in.
    pub(super) fn ancestor(&self, from: Option<InstId>, owner: GraphId) -> Option<InstId> {
        std::iter::successors(from, |&id| self[id].parent).find(|&id| self[id].graph == owner)
    }

    /// Whether a graph nested in `parent` is in scope in `from`.
    pub(super) fn in_scope(&self, from: InstId, parent: Option<InstId>) -> bool {
        let Some(parent) = parent else { return true };
        std::iter::successors(Some(from), |&id| self[id].parent).any(|id| id == parent)
    }

    /// The instances that a call may join its arguments into rather than make one more, because closures among the arguments
    /// would contain themselves: they live in instances of the same function. The oldest first. Or because the arguments grow without
    /// such closures.
    ///
    /// A closure chain that a program writes out (`compose(f, compose(g, h))`) is followed as it stands. One that grows is
    /// recognised by a recursion that is under way, or by a set of closures (a variable of a loop).
    pub(super) fn widened(&self, r: &Request<'_>) -> Vec<InstId> {
        let mut closures = Vec::new();
        r.args.iter().for_each(|a| a.closures(&mut closures));
        let mut context = self.context(&closures, r);
        context.sort_unstable();
        let sets = r.args.iter().any(has_choice);
        if context.is_empty() || sets || context.len() >= MAX_NESTED || self.is_recursive(r, &context) {
            if context.is_empty() {
                context.extend(self.grows_from(r));
            }
            context
        } else {
            Vec::new()
        }
    }

    /// The instance that a recursion began with whose arguments hold more values with each call, as a list does that is appended to.
    /// One that ends before it is deep has lists of lengths that are known.
    fn grows_from(&self, r: &Request<'_>) -> Option<InstId> {
        if self.of_function(r).is_empty() {
            return None;
        }
        let size = |args: &[Abs]| args.iter().map(Abs::size).sum::<usize>();
        let (mut at, mut smallest, mut depth) = (r.caller, size(r.args), 0);
        while let Some(id) = at {
            let instance = &self[id];
            if instance.function == id && r.is_alike(instance) {
                let held = size(&instance.args);
                depth += 1;
                if held >= smallest || depth == MAX_NESTED {
                    return Some(id).filter(|_| held < smallest);
                }
                smallest = held;
            }
            at = instance.creator;
        }
        None
    }

    /// The instances of the requested function that the closures live in: as ancestors, or in arguments of ancestors.
    fn context(&self, closures: &[Closure], r: &Request<'_>) -> Vec<InstId> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack: Vec<InstId> = closures.iter().filter_map(closure_home).collect();
        let mut inner = Vec::new();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let instance = &self[id];
            if r.is_alike(instance) {
                found.push(id);
            }
            stack.extend(instance.parent);
            // A block without free variables is nested in nothing, but belongs to its function.
            stack.push(instance.function);
            instance.args.iter().for_each(|a| a.closures(&mut inner));
            stack.extend(inner.drain(..).filter_map(|c| closure_home(&c)));
        }
        found
    }

    /// Whether the caller runs on behalf of one of these instances, or of two instances of any one function; of a function of a
    /// library, two for one place.
    fn is_recursive(&self, r: &Request<'_>, context: &[InstId]) -> bool {
        let mut seen = FxHashSet::default();
        let mut at = r.caller;
        while let Some(id) = at {
            let instance = &self[id];
            if context.contains(&id) || instance.function == id && !seen.insert((instance.graph, instance.parent, instance.site))
            {
                return true;
            }
            at = instance.creator;
        }
        false
    }
}

/// More closures than this of one function inside of each other are taken for a chain that grows, and more calls, each of larger
/// arguments than the one before.
pub(super) const MAX_NESTED: usize = 64;

fn closure_home(c: &Closure) -> Option<InstId> {
    match *c {
        Closure::Graph(_, parent) => parent,
        Closure::Made(_, at) => Some(at),
    }
}

fn has_choice(a: &Abs) -> bool {
    match a {
        Abs::Func(set) => set.len() > 1,
        Abs::Tuple(items, _) | Abs::Iter(items, _) => items.iter().any(has_choice),
        _ => false,
    }
}
