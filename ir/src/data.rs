//! The data that a program names: classes of its source, and how values of the program are represented where they enter and leave it.
//!
//! In a typed module there are no classes. A record is a tuple of its fields. What is of a class that refers to itself, or of one of
//! several classes, is in a box, and a value of several kinds is a tuple of a tag and a box.

use crate::graph::GraphId;
use crate::span::{Diagnostic, Span};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, LazyLock};

/// The names of the fields of a record, in their order.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Schema {
    /// The class; none for a dict with constant keys.
    pub class: Option<Arc<str>>,
    /// The names of the fields, or of the keys ([`crate::key::Key`]).
    pub fields: Box<[Arc<str>]>,
}

/// The class of complex numbers.
const COMPLEX: &str = "complex";

/// The class of lists whose length only the run knows.
const LIST: &str = "list";

/// That of iterators over them.
const LIST_ITERATOR: &str = "list_iterator";

/// The class of dicts whose keys only the run knows.
const TABLE: &str = "table";

/// That of iterators over arrays of complex numbers.
const COMPLEX_ITERATOR: &str = "complex_iterator";

/// Lists, dicts and arrays that are objects: the classes, and the type of Python that each is.
const OBJECTS: [(&str, &str); 5] = [
    ("mutable_list", "list"),
    ("mutable_dict", "dict"),
    ("mutable_array", "ndarray"),
    ("array_view", "ndarray"),
    ("array_of_places", "ndarray"),
];

/// With what the names of classes begin that functions of SciPy give instances of.
const OF_SCIPY: &str = "scipy_";

/// The other classes that the library defines.
const OF_LIBRARY: &[&str] = &[
    COMPLEX,
    COMPLEX_ITERATOR,
    LIST,
    LIST_ITERATOR,
    TABLE,
    "array_object",
    "random_bits",
    "random_generator",
    "random_state",
    "seed_sequence",
    "mutable_list_iterator",
    "backward_iterator",
    "numbered_iterator",
    "zipped_iterator",
    "raised_exception",
    "null_context",
    "task_pool",
    "finished_task",
];

impl Schema {
    /// That of complex numbers, which are instances of a class that the library defines.
    pub fn complex() -> Arc<Schema> {
        static SCHEMA: LazyLock<Arc<Schema>> =
            LazyLock::new(|| Arc::new(Schema { class: Some(COMPLEX.into()), fields: ["real".into(), "imag".into()].into() }));
        SCHEMA.clone()
    }

    /// That of lists whose length only the run knows.
    pub fn list() -> Arc<Schema> {
        static SCHEMA: LazyLock<Arc<Schema>> =
            LazyLock::new(|| Arc::new(Schema { class: Some(LIST.into()), fields: ["_count".into(), "_elements".into()].into() }));
        SCHEMA.clone()
    }

    /// That of dicts whose keys only the run knows: the keys and the values in the order in which they came, and where each key is.
    pub fn table() -> Arc<Schema> {
        static SCHEMA: LazyLock<Arc<Schema>> = LazyLock::new(|| {
            let fields = ["_keys".into(), "_values".into(), "_slots".into()];
            Arc::new(Schema { class: Some(TABLE.into()), fields: fields.into() })
        });
        SCHEMA.clone()
    }

    /// Whether its records are such dicts.
    pub fn is_table(&self) -> bool {
        self.class.as_deref() == Some(TABLE)
    }

    /// Whether its records are such lists.
    pub fn is_list(&self) -> bool {
        self.class.as_deref() == Some(LIST)
    }

    /// Whether its records are iterators over such lists: the list, and the place where it stands.
    pub fn is_list_iterator(&self) -> bool {
        self.class.as_deref() == Some(LIST_ITERATOR)
    }

    /// The type of Python whose objects its records are, if they are lists, dicts or arrays that may be changed.
    pub fn object(&self) -> Option<&'static str> {
        let class = self.class.as_deref()?;
        OBJECTS.iter().find(|(name, _)| *name == class).map(|&(_, of)| of)
    }

    /// Whether its records are complex numbers.
    pub fn is_complex(&self) -> bool {
        self.class.as_deref() == Some(COMPLEX)
    }

    /// Whether the library defines the class with this name, so that no program may.
    pub fn is_of_library(class: &str) -> bool {
        class.starts_with(OF_SCIPY) || OF_LIBRARY.contains(&class) || OBJECTS.iter().any(|(name, _)| *name == class)
    }

    /// The position of a field.
    pub fn position(&self, field: &str) -> Option<usize> {
        self.fields.iter().position(|f| **f == *field)
    }

    /// Whether its records are instances that have a field of this name.
    pub fn has_field(&self, name: &str) -> bool {
        self.class.is_some() && self.position(name).is_some()
    }

    /// Where another dict has the keys of this one, if it has these and no others.
    pub fn places_in(&self, other: &Schema) -> Option<Vec<usize>> {
        let is_dict = self.class.is_none() && other.class.is_none();
        let places = || self.fields.iter().map(|key| other.position(key)).collect();
        if is_dict && self.fields.len() == other.fields.len() { places() } else { None }
    }

    /// What a message calls its records.
    pub fn name(&self) -> &str {
        self.class.as_deref().filter(|_| !self.is_table()).unwrap_or("dict")
    }
}

/// A class of the source: a frozen dataclass.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its name and fields, those of its base first.
    pub schema: Arc<Schema>,
    /// Where it is defined.
    pub span: Span,
    /// The names of its bases.
    pub bases: Vec<Arc<str>>,
    /// Whether an instance may hold others of its class, by the annotations of the fields. Such an instance is in a box, and all
    /// instances have the same types of fields.
    pub recursive: bool,
    /// The methods, those of its base included, as functions that take the instance first; or why one is refused.
    pub methods: FxHashMap<Arc<str>, Result<GraphId, Diagnostic>>,
    /// The fields that its text leaves out; none if it has a text of its own, which only Python makes.
    pub silent: Option<FxHashSet<Arc<str>>>,
    /// The methods that are read like fields.
    pub properties: FxHashSet<Arc<str>>,
    /// The methods that are called without the instance.
    pub statics: FxHashSet<Arc<str>>,
    /// The names of the methods and variables of the class that do not begin with an underscore.
    pub members: Vec<Arc<str>>,
    /// Whether an instance is the tuple of its fields, too.
    pub tuple: bool,
}

impl Class {
    /// Whether an instance is one of a class of this name, too.
    pub fn is_a(&self, name: &str) -> bool {
        self.schema.class.as_deref() == Some(name) || self.bases.iter().any(|b| **b == *name)
    }
}

/// How a value of the program is represented in a typed module.
#[derive(Clone, PartialEq, Debug)]
pub enum Form {
    /// As it is.
    Plain(Type),
    /// A tuple of forms.
    Tuple(Vec<Form>),
    /// A list of known length: a tuple.
    List(Vec<Form>),
    /// A record: a tuple.
    Record(Arc<Schema>, Vec<Form>),
    /// An instance of a class in a box, by its number in [`Boundary::boxes`].
    Boxed(usize),
    /// A list whose length only the run knows: the number of its elements, which are of a form, the place of the first, and a vector
    /// ([`Type::Vec`]). Elements that cannot be records of vectors are in boxes there.
    Unbounded(Box<Form>),
    /// One of several kinds, each with its tag: a tag and a box. That of `None` is 0.
    Union(Vec<(i64, Form)>),
}

/// How arguments enter a typed module and the result leaves it.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    /// The parameters of the entry.
    pub params: Vec<Form>,
    /// The result.
    pub result: Option<Form>,
    /// What lies in boxes.
    pub boxes: Vec<Content>,
}

impl Boundary {
    /// The type of values of a form, as programs see it.
    pub fn type_of(&self, form: &Form) -> Type {
        let all = |items: &[Form]| items.iter().map(|item| self.type_of(item)).collect();
        match form {
            Form::Plain(ty) => ty.clone(),
            Form::Tuple(items) => Type::Tuple(all(items)),
            Form::List(items) => Type::List(all(items)),
            Form::Record(schema, items) => Type::Record(schema.clone(), all(items)),
            Form::Boxed(content) => Type::Instance(self.boxes[*content].0.clone()),
            Form::Unbounded(element) => Type::List([self.type_of(element)].into()),
            Form::Union(kinds) => Type::OneOf(kinds.iter().map(|(_, kind)| self.type_of(kind)).collect()),
        }
    }

    /// How deep values may be nested that enter or leave a program: what goes through them recurses.
    pub const MAX_DEPTH: usize = 1000;
}

/// What lies in a box: the class, the forms of the fields, and the type of the whole.
pub type Content = (Arc<Schema>, Vec<Form>, Type);
