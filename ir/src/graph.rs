//! The IR: a module of graphs and nodes.
//!
//! A node is a parameter, a constant, a primitive application, a call (its first input is the callee), or the return of its
//! graph. Links run both ways. A graph that uses a node of another graph is nested in it: its free variables are exactly those
//! direct links, and nesting is computed ([`crate::nest`]), never stored. A loop is a graph that calls itself in tail
//! position; a branch is a call of a `select` between two graphs.
//!
//! Primitives are not first-class (the front end wraps one that is used as a value in a graph), so a module has no node that
//! every multiplication links to, and unlinking a node is O(1) in the number of its fellow users.

use crate::data::{Boundary, Class};
use crate::eval::Floats;
use crate::marks::Marks;
use crate::memory::Memory;
use crate::prim::Prim;
use crate::span::{Diagnostic, Source, Span};
use crate::types::Type;
use rustc_hash::FxHashMap;
use slotmap::{SlotMap, new_key_type};
use smallvec::{SmallVec, smallvec};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

new_key_type! {
    /// A graph of a [`Module`].
    pub struct GraphId;
    /// A node of a [`Module`].
    pub struct NodeId;
}

/// A constant. Floats are keyed by their bits, so 0.0 and -0.0 differ and a NaN equals itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Const {
    /// A float, as its bits.
    F64(u64),
    /// An integer.
    I64(i64),
    /// A boolean.
    Bool(bool),
    /// A string.
    Str(Arc<str>),
    /// `None`.
    None,
    /// The structural zero, of type `zero`; of type `opaque`, the box that is zero; of a tape type, the empty tape.
    Zero,
    /// Some value of its type, for a place where it is not looked at. Of a tape type, a tape without records on which records are
    /// pushed, and of which no more are popped.
    Undefined,
    /// A graph: a function value, and a closure where the graph has free variables.
    Graph(GraphId),
}

/// What a node is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A parameter of its graph.
    Param,
    /// A constant; belongs to no graph and is interned by value and type.
    Const(Const),
    /// A primitive applied to the inputs.
    Prim(Prim),
    /// A call: the callee, then the arguments.
    Call,
    /// The return of its graph: one input.
    Return,
}

/// One use of a node: input `index` of `node`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The user.
    pub node: NodeId,
    /// Which of its inputs.
    pub index: u32,
}

/// A node. Most have two inputs at most and one user: with these in the node itself, walks over a module touch half of the memory.
#[derive(Clone, Debug)]
pub struct Node {
    /// The graph the node belongs to; none for constants.
    pub graph: Option<GraphId>,
    /// What it is.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// Its place in the source; for a node made by `ad` or `opt`, that of its origin.
    pub span: Span,
    /// The name of the variable it was assigned to, if any.
    pub name: Option<Arc<str>>,
    inputs: SmallVec<[NodeId; 2]>,
    /// `slots[i]` is the position of this use in the user list of `inputs[i]`.
    slots: SmallVec<[u32; 4]>,
    users: SmallVec<[Use; 1]>,
}

impl Node {
    /// The inputs: operands, or callee and arguments.
    #[inline]
    pub fn inputs(&self) -> &[NodeId] {
        &self.inputs
    }

    /// The uses of this node, in no particular order.
    #[inline]
    pub fn users(&self) -> &[Use] {
        &self.users
    }

    /// The constant this node is, if it is one.
    #[inline]
    pub fn as_const(&self) -> Option<&Const> {
        match &self.kind {
            Kind::Const(c) => Some(c),
            _ => None,
        }
    }
}

/// Which part of a differentiated program a graph belongs to; DOT colours by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Role {
    /// The program as written.
    #[default]
    Primal,
    /// Made by `ad`: runs the primal and records.
    Forward,
    /// Made by `ad`: propagates cotangents.
    Backward,
}

/// What inference specialises: functions per call signature; blocks once per instance of their function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Flavor {
    /// A function of the source: `def`, `lambda`, or a wrapper around one.
    #[default]
    Function,
    /// A branch arm, a join, a loop header: control flow inside of a function.
    Block,
    /// A function of a library that is written in the language: specialised for each place that calls it, and for constants among its
    /// arguments, too. What it does has the place of the call.
    Library,
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// A name for people; the text form makes it unique.
    pub name: Arc<str>,
    /// Parameters, in order.
    pub params: Vec<NodeId>,
    /// The return node; none while the graph is being built.
    pub ret: Option<NodeId>,
    /// The type of the result, known before the return is built where the graph is recursive.
    pub result: Type,
    /// Its part in a differentiated program.
    pub role: Role,
    /// Of how many derivatives it is part, one inside of the other: 0 in the program as written. The text form does not show it.
    pub order: usize,
    /// What inference specialises. Without meaning after inference, where control flow is computed ([`crate::cfg`]).
    pub flavor: Flavor,
    /// Default values of the last parameters, nodes of the defining scope. Empty after inference.
    pub defaults: Vec<NodeId>,
    /// How the last parameters are given. Without meaning after inference.
    pub tail: Tail,
    /// Where it was defined.
    pub span: Span,
}

/// Which parameters of a graph are not given by their place.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tail {
    /// So many of the last parameters are given by name only.
    pub keyword_only: usize,
    /// The parameter before these takes the arguments that are given by other names, as a dict.
    pub keywords: bool,
    /// The parameter before all these takes the positional arguments that are left, as a tuple.
    pub rest: bool,
}

/// A program: graphs and the nodes they consist of.
#[derive(Clone, Debug, Default)]
pub struct Module {
    graphs: SlotMap<GraphId, Graph>,
    nodes: SlotMap<NodeId, Node>,
    constants: FxHashMap<(Const, Type), NodeId>,
    /// The graph that runs. Set by inference; the front end leaves it open.
    pub entry: Option<GraphId>,
    /// What `J`, `K` and `F` of a closure of a graph call at run time: the derivative graph of a graph without free variables, by
    /// the primitive ([`Prim::OPERATORS`]). Holds what can reach a `J` of an unknown callee, and keeps it alive. Where
    /// closures of the graph are partial applications, the derivative takes the same leading arguments, and the cotangents of
    /// these are in the box that is the closure's own cotangent.
    pub derivatives: FxHashMap<(GraphId, Prim), GraphId>,
    /// What the floats are.
    pub floats: Floats,
    /// What an untyped module says of memory.
    pub memory: Memory,
    /// The classes that an untyped module mentions.
    pub classes: Vec<Class>,
    /// Adds the classes of the library that lists are of where only the run knows their length. None if an untyped module has no lists.
    pub with_lists: Option<fn(&Module) -> Module>,
    /// The function around each function of an untyped module that is defined inside of another one.
    pub within: FxHashMap<GraphId, GraphId>,
    /// Whether `grad` takes a result with one element for that element, as Autograd's does.
    pub one_element: bool,
    /// How many of the last parameters of the entry of an untyped module are tangents or cotangents: an instance in them is what a
    /// gradient is, of the same class but with other types of fields.
    pub tangents: usize,
    /// Why arms of branches of an untyped module have no code, by the numbers that `refuse` is given there.
    pub refused: Vec<Diagnostic>,
    /// Whether products of cotangents and tangents may be plain (docs/strategies.md §2): the program makes no infinity of finite
    /// numbers. Said of a typed module before it is simplified, and kept.
    pub regular: bool,
    /// How values enter and leave a typed module.
    pub boundary: Boundary,
    /// The file the spans point into.
    pub source: Option<Source>,
    version: u64,
}

impl std::ops::Index<NodeId> for Module {
    type Output = Node;
    #[inline]
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

impl std::ops::Index<GraphId> for Module {
    type Output = Graph;
    #[inline]
    fn index(&self, id: GraphId) -> &Graph {
        &self.graphs[id]
    }
}

impl std::ops::IndexMut<GraphId> for Module {
    fn index_mut(&mut self, id: GraphId) -> &mut Graph {
        self.version += 1;
        &mut self.graphs[id]
    }
}

impl Module {
    /// An empty module.
    pub fn new() -> Module {
        Module::default()
    }

    // --- reading

    /// All graphs, in creation order (as long as none was removed).
    pub fn graphs(&self) -> impl Iterator<Item = (GraphId, &Graph)> {
        self.graphs.iter()
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter()
    }

    /// The number of nodes, constants included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// A number that grows whenever nodes or graphs change in what they mean: the same number, the same program. It does not count
    /// what is written into the public fields.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A number for all that executors see of a typed module but its boundary, and for the places and names in it. Two modules that were made
    /// of one typed program and have the same number may stand for each other.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (g, graph) in &self.graphs {
            let Graph { name, params, ret, result, role, order, span, .. } = graph;
            (g, name, params, ret, result, role, order, span).hash(&mut hasher);
        }
        for (n, Node { graph, kind, ty, span, name, inputs, .. }) in &self.nodes {
            (n, graph, kind, ty, span, name, inputs).hash(&mut hasher);
        }
        let mut derivatives: Vec<_> = self.derivatives.iter().collect();
        derivatives.sort_unstable();
        (self.entry, self.floats, self.regular, derivatives).hash(&mut hasher);
        hasher.finish()
    }

    /// The number of graphs.
    pub fn graph_count(&self) -> usize {
        self.graphs.len()
    }

    /// Whether a program prints. In an untyped module.
    pub fn prints(&self) -> bool {
        let is_own = |g: Option<GraphId>| g.is_some_and(|g| self[g].flavor != Flavor::Library);
        self.nodes().any(|(_, n)| n.kind == Kind::Prim(Prim::Print) && is_own(n.graph))
    }

    /// Whether a derivative is traced.
    pub fn has_trace(&self) -> bool {
        self.nodes().any(|(_, n)| matches!(n.kind, Kind::Prim(Prim::Trace(_))))
    }

    /// Whether a program has mutable boxes. In an untyped module.
    pub fn has_boxes(&self) -> bool {
        self.nodes().any(|(_, n)| n.kind == Kind::Prim(Prim::NewBox))
    }

    /// Whether a program calls functions whose results nobody reads. In an untyped module.
    pub(crate) fn drops(&self) -> bool {
        let is_own = |g: GraphId| self.graphs.get(g).is_some_and(|g| g.flavor != Flavor::Library);
        let dropped = |n: &NodeId| self.nodes.get(*n).is_some_and(|n| n.users.is_empty());
        self.memory.steps.iter().any(|(&g, steps)| is_own(g) && steps.iter().any(dropped))
    }

    /// Whether the graph still exists.
    pub fn has_graph(&self, g: GraphId) -> bool {
        self.graphs.contains_key(g)
    }

    /// Whether the node still exists.
    pub fn has_node(&self, n: NodeId) -> bool {
        self.nodes.contains_key(n)
    }

    /// The value a graph returns. Panics if the graph has no return yet.
    #[inline]
    pub fn result(&self, g: GraphId) -> NodeId {
        self[self[g].ret.expect("the graph has a return")].inputs[0]
    }

    /// The nodes that a run of a graph computes, with all that they need: in untyped modules writes of the source, the return, steps,
    /// and reads of the source. The last is computed first: steps come in their order, before all that only asks for values.
    pub fn roots(&self, g: GraphId) -> impl Iterator<Item = NodeId> {
        self.memory.read(g).chain(self.memory.written(g)).chain(self[g].ret).chain(self.memory.steps(g).iter().rev().copied())
    }

    /// The graph that a node is a constant of, if it is one.
    #[inline]
    pub fn as_graph(&self, n: NodeId) -> Option<GraphId> {
        match self[n].kind {
            Kind::Const(Const::Graph(g)) => Some(g),
            _ => None,
        }
    }

    /// The primitive that a node applies, if it is an application of one.
    #[inline]
    pub fn as_prim(&self, n: NodeId) -> Option<Prim> {
        match self[n].kind {
            Kind::Prim(p) => Some(p),
            _ => None,
        }
    }

    /// The float a node is, if it is a constant one.
    pub fn as_f64(&self, n: NodeId) -> Option<f64> {
        match self[n].kind {
            Kind::Const(Const::F64(bits)) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The node that stands for the graph as a value or callee, if it is used anywhere.
    pub fn graph_const(&self, g: GraphId) -> Option<NodeId> {
        self.constants.get(&constant_key(Const::Graph(g), Type::Unknown)).copied()
    }

    /// The signature of a graph, from its parameters and its declared result; `Unknown` in an untyped module.
    pub fn graph_type(&self, g: GraphId) -> Type {
        let graph = &self[g];
        match &graph.result {
            Type::Unknown => Type::Unknown,
            result => Type::func(graph.params.iter().map(|&p| self[p].ty.clone()), result.clone()),
        }
    }

    /// Whether a call is the value its graph returns: a jump, if its callee is a block. Not so that of a function with rules, whose
    /// derivative has no `K`.
    pub fn is_tail_call(&self, n: NodeId) -> bool {
        let node = &self[n];
        let is_returned = node.users.len() == 1 && node.graph.is_some_and(|g| self[g].ret == Some(node.users[0].node));
        node.kind == Kind::Call && is_returned && self.as_prim(node.inputs[0]) != Some(Prim::Ruled)
    }

    // --- building

    /// Adds a graph without parameters and return.
    pub fn add_graph(&mut self, name: impl Into<Arc<str>>, flavor: Flavor, role: Role, span: Span) -> GraphId {
        self.version += 1;
        self.graphs.insert(Graph {
            name: name.into(),
            params: Vec::new(),
            ret: None,
            result: Type::Unknown,
            role,
            order: 0,
            flavor,
            defaults: Vec::new(),
            tail: Tail::default(),
            span,
        })
    }

    /// Lets a graph be part of so many derivatives, if it was of fewer.
    pub fn raise_order(&mut self, g: GraphId, order: usize) {
        let graph = &mut self.graphs[g];
        graph.order = graph.order.max(order);
    }

    /// Whether all parameters are given by their place.
    pub fn is_positional(&self, g: GraphId) -> bool {
        self.graphs[g].tail == Tail::default()
    }

    /// How many parameters are given by their place: those before what takes the arguments that are left, or is given by name.
    pub fn by_place(&self, g: GraphId) -> usize {
        let Tail { keyword_only, keywords, rest } = self.graphs[g].tail;
        self.graphs[g].params.len() - keyword_only - usize::from(keywords) - usize::from(rest)
    }

    /// Adds a parameter at the end.
    pub fn add_param(&mut self, g: GraphId, ty: Type, name: Option<Arc<str>>, span: Span) -> NodeId {
        let p = self.insert(Some(g), Kind::Param, Vec::new(), ty, span);
        self.nodes[p].name = name;
        self.graphs[g].params.push(p);
        p
    }

    /// The node of a constant, made on first use.
    pub fn constant(&mut self, value: Const, ty: Type) -> NodeId {
        let key = constant_key(value.clone(), ty.clone());
        if let Some(&n) = self.constants.get(&key) {
            return n;
        }
        let n = self.insert(None, Kind::Const(value), Vec::new(), ty, Span::NONE);
        self.constants.insert(key, n);
        n
    }

    /// A float constant.
    pub fn f64(&mut self, v: f64) -> NodeId {
        self.constant(Const::F64(v.to_bits()), Type::F64)
    }

    /// An integer constant.
    pub fn i64(&mut self, v: i64) -> NodeId {
        self.constant(Const::I64(v), Type::I64)
    }

    /// A boolean constant.
    pub fn bool(&mut self, v: bool) -> NodeId {
        self.constant(Const::Bool(v), Type::Bool)
    }

    /// The structural zero.
    pub fn zero(&mut self) -> NodeId {
        self.constant(Const::Zero, Type::Zero)
    }

    /// The node that stands for the graph as a value or callee. Gives it the graph's present signature, so a pass that changed
    /// parameters calls this once more.
    pub fn graph_ref(&mut self, g: GraphId) -> NodeId {
        let ty = self.graph_type(g);
        let n = self.constant(Const::Graph(g), ty.clone());
        self.nodes[n].ty = ty;
        n
    }

    /// Declares the result type of a graph before its return is built.
    pub fn declare_result(&mut self, g: GraphId, ty: Type) {
        self.version += 1;
        self.graphs[g].result = ty;
    }

    /// Applies a primitive, as it is: no folding, no sharing (for that, see [`crate::build`]).
    pub fn prim(&mut self, g: GraphId, prim: Prim, operands: Vec<NodeId>, ty: Type, span: Span) -> NodeId {
        self.insert(Some(g), Kind::Prim(prim), operands, ty, span)
    }

    /// Calls `callee`.
    pub fn call(&mut self, g: GraphId, callee: NodeId, args: &[NodeId], ty: Type, span: Span) -> NodeId {
        let inputs = std::iter::once(callee).chain(args.iter().copied()).collect();
        self.insert(Some(g), Kind::Call, inputs, ty, span)
    }

    /// Makes `value` the result of `g`, in place of any before, and its type the declared one unless one that fits is declared.
    pub fn set_result(&mut self, g: GraphId, value: NodeId) {
        if !self.graphs[g].result.fits(&self.nodes[value].ty) {
            self.graphs[g].result = self.nodes[value].ty.clone();
        }
        match self.graphs[g].ret {
            Some(ret) => {
                self.set_input(ret, 0, value);
                self.nodes[ret].ty = self.nodes[value].ty.clone();
            }
            None => {
                let ty = self.nodes[value].ty.clone();
                let span = self.nodes[value].span;
                let ret = self.insert(Some(g), Kind::Return, vec![value], ty, span);
                self.graphs[g].ret = Some(ret);
            }
        }
    }

    /// Names a node, unless it has a name or is a constant.
    pub fn set_name(&mut self, n: NodeId, name: impl Into<Arc<str>>) {
        let node = &mut self.nodes[n];
        if node.name.is_none() && node.graph.is_some() {
            node.name = Some(name.into());
        }
    }

    /// Gives a node that is no constant another type.
    pub fn set_type(&mut self, n: NodeId, ty: Type) {
        assert!(self.nodes[n].graph.is_some(), "a constant has its type for good");
        self.version += 1;
        self.nodes[n].ty = ty;
    }

    /// Gives a node another place in the source.
    pub fn set_span(&mut self, n: NodeId, span: Span) {
        self.nodes[n].span = span;
    }

    /// Moves a node to another graph.
    pub fn set_graph(&mut self, n: NodeId, g: GraphId) {
        debug_assert!(self.nodes[n].graph.is_some(), "constants belong to no graph");
        self.version += 1;
        self.nodes[n].graph = Some(g);
    }

    /// Puts another primitive or kind of application in place, the inputs being the same.
    pub fn set_kind(&mut self, n: NodeId, kind: Kind) {
        self.version += 1;
        self.nodes[n].kind = kind;
    }

    /// Puts `new` in the place of one input.
    pub fn set_input(&mut self, user: NodeId, index: usize, new: NodeId) {
        self.unlink(user, index);
        self.nodes[user].inputs[index] = new;
        self.link(user, index);
    }

    /// Puts other inputs in the place of all.
    pub fn set_inputs(&mut self, user: NodeId, inputs: Vec<NodeId>) {
        self.version += 1;
        for i in 0..self.nodes[user].inputs.len() {
            self.unlink(user, i);
        }
        self.nodes[user].slots = smallvec![0; inputs.len()];
        self.nodes[user].inputs = SmallVec::from_slice(&inputs);
        for i in 0..self.nodes[user].inputs.len() {
            self.link(user, i);
        }
    }

    /// Lets every user of `old` use `new`.
    pub fn replace(&mut self, old: NodeId, new: NodeId) {
        if old == new {
            return;
        }
        for Use { node, index } in std::mem::take(&mut self.nodes[old].users) {
            self.nodes[node].inputs[index as usize] = new;
            self.link(node, index as usize);
        }
    }

    /// Removes a parameter from its graph's list; the node must be unused. The calls are the caller's business.
    pub fn remove_param(&mut self, g: GraphId, index: usize) {
        let p = self.graphs[g].params.remove(index);
        self.remove_node(p);
    }

    /// Removes a node. Panics if it is used.
    pub fn remove_node(&mut self, n: NodeId) {
        assert!(self.nodes[n].users.is_empty(), "a node in use cannot be removed");
        self.version += 1;
        for i in 0..self.nodes[n].inputs.len() {
            self.unlink(n, i);
        }
        if let Kind::Const(c) = &self.nodes[n].kind {
            self.constants.remove(&constant_key(c.clone(), self.nodes[n].ty.clone()));
        }
        self.nodes.remove(n);
    }

    /// Removes all graphs and nodes that the roots do not reach. What [`Module::derivatives`] holds for a reachable graph is
    /// reachable; entries of unreachable graphs go.
    pub fn collect_garbage(&mut self, roots: &[GraphId]) {
        let (mut live_nodes, mut live_graphs) = (Marks::<NodeId>::default(), Marks::<GraphId>::default());
        let mut graphs: Vec<GraphId> = roots.to_vec();
        graphs.extend(self.classes.iter().flat_map(|c| c.methods.values()).filter_map(|m| m.as_ref().ok()));
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut derivatives: FxHashMap<GraphId, Vec<GraphId>> = FxHashMap::default();
        for (&(g, _), &d) in &self.derivatives {
            derivatives.entry(g).or_default().push(d);
        }
        loop {
            if let Some(n) = nodes.pop() {
                if live_nodes.mark(n, 1) {
                    nodes.extend(&self[n].inputs);
                    // A free variable keeps the graph alive that it belongs to, with all its parameters.
                    let owner = self[n].graph;
                    graphs.extend(owner.into_iter().chain(self.as_graph(n)).filter(|&g| !live_graphs.is(g, 1)));
                }
            } else if let Some(g) = graphs.pop() {
                if live_graphs.mark(g, 1) {
                    nodes.extend(&self[g].params);
                    nodes.extend(self.roots(g));
                    nodes.extend(&self[g].defaults);
                    graphs.extend(derivatives.get(&g).into_iter().flatten());
                }
            } else {
                break;
            }
        }
        let dead: Vec<NodeId> = self.nodes.keys().filter(|&n| !live_nodes.is(n, 1)).collect();
        for &n in &dead {
            for i in 0..self.nodes[n].inputs.len() {
                self.unlink(n, i);
            }
            self.nodes[n].inputs.clear();
            self.nodes[n].slots.clear();
        }
        for n in dead {
            self.remove_node(n);
        }
        self.graphs.retain(|g, _| live_graphs.is(g, 1));
        let (nodes, graphs) = (&self.nodes, &self.graphs);
        self.derivatives.retain(|&(g, _), _| graphs.contains_key(g));
        self.within.retain(|&g, _| graphs.contains_key(g));
        self.memory.retain(|n| nodes.contains_key(n), |g| graphs.contains_key(g));
    }

    fn insert(&mut self, graph: Option<GraphId>, kind: Kind, inputs: Vec<NodeId>, ty: Type, span: Span) -> NodeId {
        self.version += 1;
        let (inputs, slots) = (SmallVec::from_slice(&inputs), smallvec![0; inputs.len()]);
        let n = self.nodes.insert(Node { graph, kind, ty, span, name: None, inputs, slots, users: SmallVec::new() });
        for i in 0..self.nodes[n].inputs.len() {
            self.link(n, i);
        }
        n
    }

    fn link(&mut self, user: NodeId, index: usize) {
        self.version += 1;
        let target = self.nodes[user].inputs[index];
        let users = &mut self.nodes[target].users;
        let slot = users.len() as u32;
        users.push(Use { node: user, index: index as u32 });
        self.nodes[user].slots[index] = slot;
    }

    fn unlink(&mut self, user: NodeId, index: usize) {
        let target = self.nodes[user].inputs[index];
        let slot = self.nodes[user].slots[index] as usize;
        let users = &mut self.nodes[target].users;
        users.swap_remove(slot);
        if let Some(&moved) = users.get(slot) {
            self.nodes[moved.node].slots[moved.index as usize] = slot as u32;
        }
    }
}

/// Constants are interned by value and type; graphs by identity alone, since their signature may change.
fn constant_key(value: Const, ty: Type) -> (Const, Type) {
    let ty = if matches!(value, Const::Graph(_)) { Type::Unknown } else { ty };
    (value, ty)
}
