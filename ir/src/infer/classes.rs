//! What must have one representation because some value may be any of it: classes of closures, and the instances of a class of the
//! program that are in boxes.

use super::abs::{Abs, Boxed, Closure, Mismatch};
use super::instances::InstId;
use crate::data::{Class, Schema};
use crate::entries::Entries;
use crate::eval::Floats;
use crate::span::Diagnostic;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// The types of the fields of boxed instances.
#[derive(Clone, Default)]
struct Content {
    fields: Rc<[Abs]>,
    /// Instances of functions that open such boxes.
    watchers: Vec<InstId>,
}

/// A union-find structure over closures, and the contents of boxes.
#[derive(Clone)]
pub(super) struct Classes {
    /// The classes of the program.
    table: Rc<[Class]>,
    /// What the floats are: those of 64 bits are known where they are made of constants.
    pub(super) floats: Floats,
    /// The entries of sparse matrices, as far as they were found.
    pub(super) entries: Rc<Entries>,
    contents: FxHashMap<Boxed, Content>,
    /// What mutable boxes hold, by the classes of the places where they are made.
    refs: FxHashMap<usize, Content>,
    /// Whether values of several kinds may be joined to a union.
    pub(super) unions: bool,
    /// Whether lists of different lengths may be joined to one whose length only the run knows.
    pub(super) lists: bool,
    /// Whether some could not be.
    pub(super) lacks_lists: bool,
    /// Whether the run finds what would better be constants of the program: which element of a list is written to, so that each of them
    /// is chosen, and whether strings are equal.
    pub(super) choices: bool,
    /// Whether that was needed somewhere.
    pub(super) lacks_choices: bool,
    /// Where the typed module would make an array one of another type of elements, since it must be of one type.
    pub(super) changed: Option<Diagnostic>,
    index: FxHashMap<Closure, usize>,
    parent: Vec<usize>,
    members: Vec<Rc<[Closure]>>,
    /// Instances that call a value of the class, or mention its members in a call's signature.
    watchers: Vec<Vec<InstId>>,
    /// Watchers of classes that have grown since they were last taken.
    pub(super) grown: Vec<InstId>,
}

impl Classes {
    /// Those of a program with these classes.
    pub(super) fn new(table: &[Class], floats: Floats) -> Classes {
        let (contents, refs, index, parent, members, watchers, grown) = Default::default();
        let (lists, lacks_lists, choices, lacks_choices) = Default::default();
        Classes {
            table: table.into(),
            floats,
            entries: Rc::default(),
            contents,
            refs,
            unions: true,
            lists,
            lacks_lists,
            choices,
            lacks_choices,
            changed: None,
            index,
            parent,
            members,
            watchers,
            grown,
        }
    }

    /// Undoes what was done since, but for what is known to be lacking.
    pub(super) fn restore(&mut self, before: Classes) {
        let Classes { lacks_lists, lacks_choices, .. } = *self;
        *self = Classes { lacks_lists, lacks_choices, ..before };
    }

    /// The number of a class of the program.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.table.iter().position(|c| c.schema.class.as_deref() == Some(name))
    }

    /// The tag of a kind of values.
    pub(super) fn tag(&self, kind: &Abs) -> i64 {
        match kind {
            Abs::None => 0,
            Abs::Boxed(b) => {
                let class = b.schema.class.as_ref().and_then(|c| self.number(c)).expect("a class of the program");
                (class as i64 + 1) * 256 + i64::from(b.grade)
            }
            _ => 1,
        }
    }

    /// A class of the program.
    pub(super) fn class(&self, name: &str) -> Option<&Class> {
        self.number(name).map(|i| &self.table[i])
    }

    /// Whether some class of the program has a field or a method of this name.
    pub(super) fn is_member(&self, name: &str) -> bool {
        let has = |names: &[Arc<str>]| names.iter().any(|n| **n == *name);
        self.table.iter().any(|c| has(&c.schema.fields) || has(&c.members))
    }

    /// Whether a kind of values is of the class or type with a name.
    pub(super) fn is_of(&self, kind: &Abs, name: &str) -> bool {
        if name.contains('\'') {
            return kind.exact_name().is_some_and(|exact| *exact == *name);
        }
        match kind {
            Abs::Record(s, _) | Abs::Boxed(Boxed { schema: s, .. }) => match &s.class {
                Some(_) if s.object() == Some(name) || s.is_table() && name == "dict" => true,
                Some(class) => self.class(class).is_some_and(|c| c.is_a(name) || c.tuple && name == "tuple"),
                None => name == "dict",
            },
            Abs::F64(_) => name == "float",
            Abs::I64(_) => name == "int",
            Abs::Bool(_) => matches!(name, "bool" | "int"),
            Abs::Str(_) => name == "str",
            Abs::None => name == "None",
            Abs::Array(..) => name == "ndarray",
            Abs::Tuple(_, of) => of.is_a(name),
            Abs::Func(_) | Abs::Pullback(..) => name == "function",
            Abs::Ref(_) => name == "Box",
            _ => false,
        }
    }

    /// Whether a value is an instance of a class whose instances are tuples.
    pub(super) fn is_named_tuple(&self, value: &Abs) -> bool {
        value.schema().and_then(|s| s.class.as_ref()).and_then(|name| self.class(name)).is_some_and(|c| c.tuple)
    }

    /// Whether instances of a class may hold others of it.
    pub(super) fn is_recursive(&self, schema: &Schema) -> bool {
        schema.class.as_ref().and_then(|name| self.class(name)).is_some_and(|c| c.recursive)
    }

    /// Lets the boxes of a class hold these fields.
    pub(super) fn enclose(&mut self, boxed: &Boxed, fields: &[Abs]) -> Result<(), Mismatch> {
        let fields: Vec<Abs> = fields.iter().map(|f| self.enclose_inner(boxed, &f.broaden())).collect::<Result<_, _>>()?;
        let known = self.contents.entry(boxed.clone()).or_default().fields.clone();
        let joined: Rc<[Abs]> = match known.is_empty() {
            true => fields.into(),
            false => known.iter().zip(&fields).map(|(a, b)| a.join(b, self)).collect::<Result<_, _>>()?,
        };
        let content = self.contents.get_mut(boxed).expect("it was made above");
        if content.fields != joined {
            content.fields = joined;
            self.grown.extend(&content.watchers);
        }
        Ok(())
    }

    /// A value in a box of a class. Instances of the class in it, of which its annotations need not tell, are in boxes, too: the content
    /// of the boxes would be a part of itself.
    fn enclose_inner(&mut self, boxed: &Boxed, value: &Abs) -> Result<Abs, Mismatch> {
        Ok(match value {
            Abs::Record(schema, fields) if *schema == boxed.schema => {
                self.enclose(boxed, fields)?;
                Abs::Boxed(boxed.clone())
            }
            Abs::Record(schema, fields) => {
                let fields = fields.iter().map(|f| self.enclose_inner(boxed, f)).collect::<Result<_, _>>()?;
                Abs::Record(schema.clone(), fields)
            }
            Abs::Tuple(items, of) => {
                Abs::Tuple(items.iter().map(|item| self.enclose_inner(boxed, item)).collect::<Result<_, _>>()?, *of)
            }
            Abs::Elements(of) => Abs::Elements(Rc::new(self.enclose_inner(boxed, of)?)),
            other => other.clone(),
        })
    }

    /// Lets the mutable boxes of a place hold a value.
    pub(super) fn fill(&mut self, of: Closure, value: &Abs) -> Result<(), Mismatch> {
        let class = self.of(of);
        let joined =
            self.refs.entry(class).or_default().fields.first().cloned().unwrap_or(Abs::Bottom).join(&value.broaden(), self)?;
        let class = self.of(of);
        let content = self.refs.entry(class).or_default();
        if content.fields.first() != Some(&joined) {
            content.fields = [joined].into();
            self.grown.extend(&content.watchers);
        }
        Ok(())
    }

    /// What the mutable boxes of a place hold.
    pub(super) fn content_of(&mut self, of: Closure) -> Abs {
        let class = self.of(of);
        self.refs.get(&class).and_then(|c| c.fields.first().cloned()).unwrap_or(Abs::Bottom)
    }

    /// Tells an instance when the mutable boxes of a place hold more.
    pub(super) fn watch_ref(&mut self, of: Closure, watcher: InstId) {
        let class = self.of(of);
        let watchers = &mut self.refs.entry(class).or_default().watchers;
        if !watchers.contains(&watcher) {
            watchers.push(watcher);
        }
    }

    /// Lets the boxes of two places be boxes of one.
    pub(super) fn meet_refs(&mut self, a: Closure, b: Closure) -> Result<Closure, Mismatch> {
        let classes = [self.of(a), self.of(b)];
        if classes[0] != classes[1] {
            let contents = classes.map(|c| self.refs.remove(&c).unwrap_or_default());
            self.unite(&[a, b]);
            let class = self.of(a);
            let watchers: Vec<InstId> = contents.iter().flat_map(|c| c.watchers.iter().copied()).collect();
            self.grown.extend(&watchers);
            self.refs.insert(class, Content { fields: [].into(), watchers });
            for content in contents.iter().flat_map(|c| c.fields.iter()) {
                self.fill(a, content)?;
            }
        }
        Ok(a.min(b))
    }

    /// What the boxes of a class hold.
    pub(super) fn content(&self, boxed: &Boxed) -> Rc<[Abs]> {
        let unknown = || boxed.schema.fields.iter().map(|_| Abs::Bottom).collect();
        self.contents.get(boxed).map(|c| c.fields.clone()).filter(|f| !f.is_empty()).unwrap_or_else(unknown)
    }

    /// Tells an instance when the boxes of a class hold more.
    pub(super) fn watch(&mut self, boxed: &Boxed, watcher: InstId) {
        let watchers = &mut self.contents.entry(boxed.clone()).or_default().watchers;
        if !watchers.contains(&watcher) {
            watchers.push(watcher);
        }
    }

    /// The class of a closure, made on first sight.
    pub(super) fn of(&mut self, closure: Closure) -> usize {
        let next = self.parent.len();
        let start = *self.index.entry(closure).or_insert(next);
        if start == next {
            self.parent.push(next);
            self.members.push(Rc::new([closure]));
            self.watchers.push(Vec::new());
        }
        let mut root = start;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    /// Puts closures into one class.
    pub(super) fn unite(&mut self, closures: &[Closure]) {
        let Some((&first, rest)) = closures.split_first() else { return };
        let mut root = self.of(first);
        for &closure in rest {
            let other = self.of(closure);
            if other != root {
                let (keep, gone) = (root.min(other), root.max(other));
                self.parent[gone] = keep;
                let mut members: Vec<Closure> = self.members[keep].iter().chain(self.members[gone].iter()).copied().collect();
                members.sort_unstable();
                self.members[keep] = members.into();
                self.members[gone] = Rc::new([]);
                let watchers = std::mem::take(&mut self.watchers[gone]);
                self.watchers[keep].extend(watchers);
                self.grown.extend(&self.watchers[keep]);
                root = keep;
            }
        }
    }

    /// The members of a class, sorted. The instance is told when there are more.
    pub(super) fn members(&mut self, class: usize, watcher: InstId) -> Rc<[Closure]> {
        if !self.watchers[class].contains(&watcher) {
            self.watchers[class].push(watcher);
        }
        self.members[class].clone()
    }
}
