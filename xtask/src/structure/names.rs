//! Types and traits of the library that share their name with another: a reader who searches finds two.

use super::source_tree::{SourceTree, named};
use std::collections::BTreeMap;
use syn::Item;

/// `Name: files`, for each name that more than one item has.
pub(super) fn shared(tree: &SourceTree) -> Vec<String> {
    let mut files: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for module in &tree.modules {
        for name in module.items.iter().filter_map(type_name) {
            files.entry(name).or_default().push(&module.file);
        }
    }
    files.retain(|_, files| files.len() > 1);
    files.into_iter().map(|(name, files)| format!("{name}: {}", files.join(" "))).collect()
}

fn type_name(item: &Item) -> Option<String> {
    let is_type = matches!(item, Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_));
    named(item).filter(|_| is_type).map(|(name, _)| name.to_string())
}
