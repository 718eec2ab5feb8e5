//! Refuses programs in which a write would be seen through another value, were arrays and lists the objects that they are in Python.
//!
//! The front end says which values are read after each write ([`crate::memory`]). None of them may share memory with what is written
//! to, which must not be a part of what came from outside of the function either. `sources` says where the memory of a value comes
//! from, `relation` which values share theirs.

mod boxes;
mod elements;
mod relation;
mod sources;

use super::abs::{Abs, Closure, Sequence};
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::Kind;
use crate::memory::Write;
use crate::prim::Prim;
use crate::span::{Diagnostic, Span};
use boxes::Held;
use elements::Pair;
use relation::Relation;
use sources::{ELEMENT, OTHER, Place, Sources, makes_copy};

/// The way to a value of a table, and to another one.
const VALUE: [u32; 2] = [1, ELEMENT];
const OTHER_VALUE: [u32; 2] = [1, OTHER];

/// What is wrong with the writes of a program that is right otherwise.
pub(super) fn check(e: &mut Engine, entry: InstId) -> Vec<Diagnostic> {
    let writes = e.m.memory.writes.clone();
    if writes.is_empty() {
        return Vec::new();
    }
    let reached = e.reached(entry);
    let mut relation = Relation::new(Sources::new(e, &reached));
    let held = Held::find(&mut relation, &reached);
    let hides = relation.sources.e.objects_hide_memory(&reached);
    let mut found = Vec::new();
    for &id in &reached {
        let graph = relation.sources.e.instances[id].graph;
        for write in writes.get(&graph).into_iter().flatten() {
            found.extend(refusal(&mut relation, &held, hides, id, write));
        }
    }
    found.sort_by_key(|d: &Diagnostic| (d.span, d.message.clone()));
    found.dedup_by(|a, b| a.span == b.span);
    found
}

impl Engine {
    /// Whether lists and dicts that are objects hold values that share memory, as arrays do: the library put them there, and nobody knows
    /// which.
    fn objects_hide_memory(&mut self, reached: &[InstId]) -> bool {
        let mut sites = Vec::new();
        for &id in reached.iter().filter(|&&id| self.is_library(id)) {
            let schedule = self.scopes.schedule(self.instances[id].graph);
            let boxes = schedule.iter().filter(|&&n| self.m.as_prim(n) == Some(Prim::NewBox));
            sites.extend(boxes.map(|&n| Closure::Made(n, id)));
        }
        sites.into_iter().any(|site| {
            let content = self.classes.content_of(site);
            let parts = match &content {
                table if let Some(value) = table.value_of_table() => vec![value.clone()],
                Abs::Tuple(items, _) | Abs::Record(_, items) if content.element().is_none() => items.to_vec(),
                list => list.element().cloned().into_iter().collect(),
            };
            !parts.iter().all(has_no_memory)
        })
    }
}

/// Whether `+=` and the like write to a value of this type, and do not make another one.
fn changes_in_place(value: &Abs) -> bool {
    value.is_dict() || value.element().is_some() || matches!(value, Abs::Array(..) | Abs::Tuple(_, Sequence::List))
}

/// Whether no value of this type is seen to change.
fn has_no_memory(value: &Abs) -> bool {
    match value {
        Abs::Bottom | Abs::Bool(_) | Abs::I64(_) | Abs::F64(_) | Abs::Str(_) | Abs::None | Abs::Zero | Abs::Ref(_) => true,
        Abs::Tuple(items, Sequence::Tuple) | Abs::Union(items) => items.iter().all(has_no_memory),
        Abs::Record(schema, fields) if schema.class.is_some() => fields.iter().all(has_no_memory),
        Abs::Func(set) => set.iter().all(|closure| matches!(closure, Closure::Graph(_, None))),
        _ => false,
    }
}

/// What is wrong with a write in an instance.
fn refusal(relation: &mut Relation<'_>, held_by: &Held, hides: bool, id: InstId, write: &Write) -> Option<Diagnostic> {
    let sources = &mut relation.sources;
    let old = sources.e.operand(id, write.old);
    // Any element of a list whose length only the run knows.
    let of_list = write.element.is_some() && old.element().is_some();
    let path = match write.element {
        Some(_) if old.value_of_table().is_some() => VALUE.to_vec(),
        Some(index) if !of_list => vec![sources.element(id, write.old, index)?],
        _ => Vec::new(),
    };
    let is_object = match (&old, &path[..]) {
        (list, _) if list.element().is_some() => {
            if of_list {
                list.element().is_some_and(changes_in_place)
            } else {
                write.any
            }
        }
        (table, &[_, _]) => table.value_of_table().is_some_and(changes_in_place),
        (Abs::Tuple(items, _) | Abs::Record(_, items), &[i]) => changes_in_place(&items[i as usize]),
        (Abs::Tuple(..), _) => write.any,
        // Of records dicts alone can be written to.
        (Abs::Record(..), _) => write.any && old.is_dict(),
        (Abs::Array(..), _) => true,
        _ => false,
    };
    let new = sources.e.operand(id, write.new);
    if !is_object || new.is_bottom() {
        return None;
    }
    let name = &write.name;
    let refuse = |message: String| Diagnostic::unsupported(write.span, message).of_values();
    if hides {
        let d = refuse(format!("`{name}` is written to, and may be in a list or dict that is an object"));
        return Some(d.hint("write to a copy, and put that there"));
    }
    let is_whole = write.element.is_none() && write.way.is_empty();
    // What is stored in an element has been fitted to it.
    if is_whole && matches!((&old, &new), (Abs::Array(..), Abs::Array(..))) && old != new {
        let what = format!("`{name}` is {}, which cannot become {} in place", old.a(), new.a());
        return Some(Diagnostic::refused(write.span, what).hint(format!("for another array, write `{name} = {name} …`")));
    }
    let copied = match sources.e.operand(id, write.old) {
        Abs::Array(..) => format!("{name}.copy()"),
        dict if dict.is_dict() => format!("dict({name})"),
        _ => format!("list({name})"),
    };
    let each = "if no two are meant to be one object, give each its own: `.copy()` of an array, `list(…)` of a list, `dict(…)` of a dict";
    if let Some(&row) = write.way.iter().find(|&&row| makes_copy(sources.e, id, row)) {
        let d = refuse("this index makes a copy, so what is written to it is lost".into());
        return Some(d.label(sources.e.m[row].span, "a copy").hint("give all indices at once: `x[i, j] = v`"));
    }
    let written = sources.places(id, write.old, &path, !of_list).pop()?;
    let function = sources.e.instances[id].function;
    let owns_arguments = sources.e.m.memory.owners.contains(&sources.e.instances[function].graph);
    for origin in relation.origins(function, &written) {
        if let Some(place) = relation.sources.e.opened(&origin) {
            if held_by.is_alone(relation.sources.e, id, write, place) {
                continue;
            }
            let span = relation.sources.e.m[origin.node].span;
            let d = refuse(format!(
                "`{name}` is in a Box, a field or a variable that functions share, and may have another name, too"
            ));
            let hint = match write.home {
                Some(_) => "assign another one to it, which has the change".into(),
                None => format!("write to a copy, `{name} = {copied}`, and put that where it was"),
            };
            return Some(if span.is_some() && span != write.span { d.label(span, "it is from there") } else { d }.hint(hint));
        }
        let e = &relation.sources.e;
        let span = e.m[origin.node].span;
        if origin.at != function || e.m[origin.node].kind != Kind::Param {
            let d = refuse(format!("`{name}` shares memory with what is defined outside of this function"));
            // Of the same name it would be a variable of this function, without a value before.
            return Some(d.label(span, "this").hint(format!("write to a copy of another name, `own = {copied}`, and return it")));
        }
        if !owns_arguments {
            let d = refuse(format!("`{name}` shares memory with an argument, which may be read by who gave it"));
            let copy = format!("write to a copy, `{name} = {copied}`, and return it to who is to see the change");
            return Some(d.label(span, "an argument").hint(if is_whole { &copy } else { each }));
        }
    }
    if let Some(place) =
        held(&mut relation.sources, id, write).into_iter().find(|place| relation.share(function, &written, place))
    {
        let span = relation.sources.e.m[place.node].span;
        let d = refuse(format!("`{name}` is put into itself")).hint("put a copy there: `list(…)` of a list, `dict(…)` of a dict");
        return Some(if span.is_some() && span != write.span { d.label(span, "this is a part of it") } else { d });
    }
    let mut later = write.later.clone();
    later.sort_unstable_by_key(|&(n, span)| (span, n));
    let mut others: Vec<(Pair, Span, &str)> = Vec::new();
    for (n, span) in later {
        // Reads that nothing needs are gone, and with them what nested the graph of the write in that of the value.
        let e = &relation.sources.e;
        if e.m[n].graph.is_some_and(|owner| e.instances.ancestor(Some(id), owner).is_none()) {
            continue;
        }
        let read = relation.sources.places(id, n, &[], false);
        others.extend(read.into_iter().map(|place| ((written.clone(), place), span, "read here")));
    }
    others.extend(beside(&mut relation.sources, id, write, &written));
    for &(call, arg) in &write.handed {
        if held_by.is_kept(relation.sources.e, id, call) {
            let span = relation.sources.e.m[call].span;
            let places = relation.sources.places(id, arg, &[], false);
            others.extend(places.into_iter().map(|place| ((written.clone(), place), span, "this may keep it")));
        }
    }
    let ((_, read), span, label) = others.into_iter().find(|((a, b), ..)| relation.share(function, a, b))?;
    // In Python the read sees the write: a copy of what is written to would hide it.
    let read = relation.sources.e.m[read.node].name.clone().filter(|read| is_whole && read != name);
    let d = refuse(format!("`{name}` is written to here, and something that may share its memory is read later"));
    let d = match read {
        Some(read) => d.hint(format!(
            "where `{read}` is to see this, write to it by that name; where not, let it be a copy that is made before"
        )),
        None => {
            d.hint(if is_whole { "let what is read later be a copy that is made before, unless it is to see this" } else { each })
        }
    };
    Some(if span.is_some() && span != write.span { d.label(span, label) } else { d })
}

/// What becomes a part of the list or dict that is written to, with its own parts.
fn held(sources: &mut Sources<'_>, id: InstId, write: &Write) -> Vec<Place> {
    let is_array = matches!(sources.e.operand(id, write.old), Abs::Array(..));
    match write.stored {
        Some(stored) if !is_array => sources.places(id, stored, &[], false),
        _ => Vec::new(),
    }
}

/// The other elements of the lists on the way to what is written to, with the places of these lists.
fn beside(sources: &mut Sources<'_>, id: InstId, write: &Write, written: &Place) -> Vec<(Pair, Span, &'static str)> {
    let mut found = Vec::new();
    let way: Vec<_> = write.way.iter().map(|&row| (sources.e.m[row].inputs()[0], sources.e.m[row].inputs()[1])).collect();
    let way: Vec<_> = way.into_iter().chain(write.element.map(|index| (write.old, index))).collect();
    for (step, &(list, index)) in way.iter().enumerate() {
        let abs = sources.e.operand(id, list);
        let pairs = match (sources.element(id, list, index), &abs) {
            (Some(taken), Abs::Tuple(items, _) | Abs::Record(_, items)) => {
                let others = (0..items.len() as u32).filter(|&i| i != taken);
                let places = others.flat_map(|i| sources.places(id, list, &[i], false));
                places.map(|place| (written.clone(), place)).collect()
            }
            // Which element it is only the run knows.
            (None, list_of) if matches!(list_of, Abs::Tuple(..)) || list_of.element().is_some() => {
                let is_last = step + 1 == way.len();
                sources.pairs(id, list, [(&[ELEMENT], is_last), (&[OTHER], false)])
            }
            (None, table) if table.value_of_table().is_some() => {
                sources.pairs(id, list, [(&VALUE, step + 1 == way.len()), (&OTHER_VALUE, false)])
            }
            _ => continue,
        };
        let span = sources.e.m[list].span;
        found.extend(pairs.into_iter().map(|pair| (pair, span, "another element of this may share it")));
    }
    found
}
