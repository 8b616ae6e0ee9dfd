//! In which file a path of the sources ends: through modules, and through what they re-export.

use super::source_tree::{Module, SourceTree};
use syn::{Item, UseTree};

/// A name that a `use` brings in, and the path that it stands for, as written.
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Vec<String>,
}

/// What the `use` declarations of a module bring in. Globs have the name `*`.
pub(super) fn imports(module: &Module) -> Vec<Import> {
    let mut found = Vec::new();
    for item in &module.items {
        if let Item::Use(declaration) = item {
            collect(&declaration.tree, &mut Vec::new(), &mut found);
        }
    }
    found
}

/// The names that a `use` declaration brings in.
pub(super) fn collect(tree: &UseTree, before: &mut Vec<String>, found: &mut Vec<Import>) {
    let with = |before: &[String], last: &str| match last {
        "self" => before.to_vec(),
        _ => [before, &[last.to_owned()]].concat(),
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            collect(&path.tree, before, found);
            before.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, before, found)),
        UseTree::Name(name) => {
            let path = with(before, &name.ident.to_string());
            let name = path.last().cloned().unwrap_or_default();
            found.push(Import { name, path });
        }
        UseTree::Rename(rename) => {
            found.push(Import { name: rename.rename.to_string(), path: with(before, &rename.ident.to_string()) });
        }
        UseTree::Glob(_) => found.push(Import { name: "*".to_owned(), path: before.clone() }),
    }
}

/// The module and the item that a path means, as seen from a module; `None` for what is not of this crate.
pub(super) fn resolve<'a>(tree: &'a SourceTree, from: &Module, path: &[String]) -> Option<(&'a Module, String)> {
    follow(tree, &from.path, path, 0)
}

/// Re-exports of re-exports, at most.
const DEEPEST: usize = 8;

fn follow<'a>(tree: &'a SourceTree, from: &[String], path: &[String], depth: usize) -> Option<(&'a Module, String)> {
    if depth > DEEPEST {
        return None;
    }
    let mut at = from.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => drop(at.pop()),
        first => {
            let child = [from, &[first.to_owned()]].concat();
            tree.module(&child)?;
            at = child;
        }
    }
    rest = &rest[1..];
    while let Some(next) = rest.first() {
        if next == "super" {
            at.pop();
        } else {
            let child = [at.as_slice(), std::slice::from_ref(next)].concat();
            if tree.module(&child).is_none() {
                break;
            }
            at = child;
        }
        rest = &rest[1..];
    }
    let module = tree.module(&at)?;
    let Some(name) = rest.first() else { return Some((module, String::new())) };
    let import = imports(module).into_iter().find(|import| import.name == *name);
    if let Some(import) = import.filter(|_| module.is_folder()) {
        return follow(tree, &at, &import.path, depth + 1);
    }
    Some((module, name.clone()))
}
