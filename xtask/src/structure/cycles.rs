//! Files that need one another in a circle, directly or through others.
//!
//! A file needs another if it names something that is defined there. Methods are not followed: which file a method is
//! in cannot be read from a call.

use super::resolve::{imports, resolve};
use super::source_tree::{Module, SourceTree, is_for_tests};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{ItemMod, Path};

/// Each circle as the list of its files.
pub(super) fn between_files(tree: &SourceTree) -> Vec<String> {
    let needs: BTreeMap<&str, BTreeSet<&str>> =
        tree.modules.iter().map(|module| (module.file.as_str(), needs(tree, module))).collect();
    let reach: BTreeMap<&str, BTreeSet<&str>> = needs.keys().map(|file| (*file, reachable(&needs, file))).collect();
    let mut circles = BTreeSet::new();
    for (file, there) in &reach {
        let circle: Vec<&str> = there.iter().copied().filter(|other| reach[other].contains(file)).collect();
        if circle.len() > 1 {
            circles.insert(circle.join(" "));
        }
    }
    circles.into_iter().collect()
}

/// All files that can be come to from one.
fn reachable<'a>(needs: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        open.extend(needs[file].iter().copied().filter(|next| seen.insert(*next)));
    }
    seen
}

/// The files that a module's file needs.
fn needs<'a>(tree: &'a SourceTree, module: &Module) -> BTreeSet<&'a str> {
    if module.is_folder() {
        return BTreeSet::new();
    }
    let mut paths = Paths(imports(module).into_iter().map(|import| import.path).collect());
    module.items.iter().for_each(|item| paths.visit_item(item));
    let found = paths.0.iter().filter_map(|path| resolve(tree, module, path));
    let files = found.filter(|(there, _)| !there.is_folder()).map(|(there, _)| there.file.as_str());
    files.filter(|file| *file != module.file).collect()
}

/// All paths that begin at a module.
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if ["crate", "super", "self"].contains(&names[0].as_str()) && names.len() > 1 {
            self.0.push(names);
        }
        visit::visit_path(self, path);
    }
}
