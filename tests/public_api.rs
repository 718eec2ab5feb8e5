//! The public items of the crate `gradus`, as its source declares them, against a list: who adds one sees it there.
//! `UPDATE_EXPECT=1` writes the list anew.

use expect_test::expect_file;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{Fields, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

/// What the source declares.
#[derive(Default)]
struct Found {
    /// The items of each module by name, with their fields, variants and members; and whether the module is public.
    declared: BTreeMap<(String, String), (Vec<String>, bool)>,
    /// The methods of each type, wherever they are written.
    methods: BTreeMap<String, Vec<String>>,
    /// What public modules export: their path, where the item is declared, and its name.
    exported: Vec<(String, String, String)>,
    /// Public modules, and what they export of other crates.
    lines: BTreeSet<String>,
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The names that an item brings, its own first; fields, variants and members after it. Those of an `impl` are its methods.
fn names(item: &Item) -> Vec<String> {
    let of_fields = |name: &str, fields: &Fields| -> Vec<String> {
        let named = fields.iter().filter(|f| is_public(&f.vis)).filter_map(|f| f.ident.as_ref());
        named.map(|field| format!("{name}.{field}")).collect()
    };
    let all = |name: String, more: Vec<String>| [vec![name], more].concat();
    match item {
        Item::Fn(i) if is_public(&i.vis) => vec![format!("{}()", i.sig.ident)],
        Item::Const(i) if is_public(&i.vis) => vec![i.ident.to_string()],
        Item::Type(i) if is_public(&i.vis) => vec![i.ident.to_string()],
        Item::Struct(i) if is_public(&i.vis) => all(i.ident.to_string(), of_fields(&i.ident.to_string(), &i.fields)),
        Item::Enum(i) if is_public(&i.vis) => {
            all(i.ident.to_string(), i.variants.iter().map(|v| format!("{}::{}", i.ident, v.ident)).collect())
        }
        Item::Trait(i) if is_public(&i.vis) => {
            let hidden = |attributes: &[syn::Attribute]| attributes.iter().any(is_hidden);
            let members = i.items.iter().filter_map(|item| match item {
                TraitItem::Fn(f) if !hidden(&f.attrs) => Some(format!("{}::{}()", i.ident, f.sig.ident)),
                TraitItem::Const(c) if !hidden(&c.attrs) => Some(format!("{}::{}", i.ident, c.ident)),
                TraitItem::Type(t) if !hidden(&t.attrs) => Some(format!("{}::{}", i.ident, t.ident)),
                _ => None,
            });
            all(i.ident.to_string(), members.collect())
        }
        Item::Impl(i) if i.trait_.is_none() => {
            let Type::Path(path) = &*i.self_ty else { return Vec::new() };
            let name = path.path.segments.last().expect("a name").ident.to_string();
            let public = i.items.iter().filter_map(|item| match item {
                ImplItem::Fn(f) if is_public(&f.vis) => Some(format!("{name}::{}()", f.sig.ident)),
                ImplItem::Const(c) if is_public(&c.vis) => Some(format!("{name}::{}", c.ident)),
                _ => None,
            });
            all(name.clone(), public.collect())
        }
        _ => Vec::new(),
    }
}

fn is_hidden(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc") && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "hidden")
}

impl Found {
    /// Reads a module: its file, the folder of those inside of it, its path, and whether it is public.
    fn module(&mut self, file: &Path, folder: &Path, path: &str, is_open: bool) {
        let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        for item in &syn::parse_file(&text).expect("it compiles").items {
            match item {
                Item::Mod(inner) if inner.content.is_none() => {
                    let name = inner.ident.to_string();
                    let (path, is_open) = (format!("{path}::{name}"), is_open && is_public(&inner.vis));
                    if is_open {
                        self.lines.insert(path.clone());
                    }
                    let (of, flat) = (folder.join(&name), folder.join(format!("{name}.rs")));
                    let file = if flat.exists() { flat } else { of.join("mod.rs") };
                    self.module(&file, &of, &path, is_open);
                }
                Item::Use(i) if is_public(&i.vis) && is_open => self.exports(&i.tree, "", path),
                item => {
                    let mut names = names(item);
                    if names.is_empty() {
                        continue;
                    }
                    let own = names[0].trim_end_matches("()").to_owned();
                    if let Item::Impl(_) = item {
                        self.methods.entry(own).or_default().extend(names.drain(1..));
                    } else {
                        self.declared.insert((path.to_owned(), own), (names, is_open));
                    }
                }
            }
        }
    }

    fn exports(&mut self, tree: &UseTree, before: &str, path: &str) {
        match tree {
            UseTree::Path(p) => self.exports(&p.tree, &format!("{before}{}::", p.ident), path),
            UseTree::Group(g) => g.items.iter().for_each(|tree| self.exports(tree, before, path)),
            UseTree::Name(n) if before.starts_with("gradus_") => {
                self.lines.insert(format!("{path}::{} = {before}{}", n.ident, n.ident));
            }
            UseTree::Name(n) => {
                let before = before.trim_end_matches("::");
                let home =
                    before.strip_prefix("crate").map_or_else(|| format!("{path}::{before}"), |rest| format!("gradus{rest}"));
                self.exported.push((path.to_owned(), home, n.ident.to_string()));
            }
            other => panic!("a name is exported as it is, unlike {other:?}"),
        }
    }

    /// Lists an item of a module, or of one inside of it, as one of another module.
    fn list(&mut self, path: &str, home: &str, name: &str) {
        let is_it = |((module, own), _): &(&(String, String), _)| {
            own == name && (module == home || module.starts_with(&format!("{home}::")))
        };
        let (_, (names, _)) = self.declared.iter().find(is_it).unwrap_or_else(|| panic!("`{name}` is declared in {home}"));
        let is_type = names[0] == name && !names.iter().any(|n| n.starts_with(&format!("{name}::")) && n.ends_with("()"));
        let methods = self.methods.get(name).filter(|_| is_type).into_iter().flatten();
        self.lines.extend(names.iter().chain(methods).map(|name| format!("{path}::{name}")));
    }
}

#[test]
fn the_public_items_are_those_of_the_list() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Found::default();
    found.module(&src.join("lib.rs"), &src, "gradus", true);
    for (path, home, name) in std::mem::take(&mut found.exported) {
        found.list(&path, &home, &name);
    }
    let open: Vec<_> = found.declared.iter().filter(|(_, (_, is_open))| *is_open).map(|(key, _)| key.clone()).collect();
    for (module, name) in open {
        found.list(&module, &module, &name);
    }
    let text: String = found.lines.iter().map(|line| format!("{line}\n")).collect();
    expect_file!["public_api.txt"].assert_eq(&text);
}
