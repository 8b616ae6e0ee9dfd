//! The library's modules, each with its parsed file, found from `lib.rs` along `mod` declarations; and the parsed
//! files of all packages. Test modules are left out.

use crate::run::root;
use crate::tidy;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, Ident, Item, Visibility};

/// A module and its file.
pub(super) struct Module {
    /// Its path below the crate; empty for `lib.rs`.
    pub(super) path: Vec<String>,
    /// Its file, below the folder of the sources.
    pub(super) file: String,
    /// Whether it and the modules around it are public.
    pub(super) is_public: bool,
    pub(super) items: Vec<Item>,
}

impl Module {
    /// Whether it holds other modules, as `mod.rs` and `lib.rs` do: those re-export and depend on nothing themselves.
    pub(super) fn is_folder(&self) -> bool {
        self.file.ends_with("mod.rs") || self.path.is_empty()
    }
}

/// A file of any package.
pub(super) struct ParsedFile {
    /// Its path from the repository's root.
    pub(super) name: String,
    pub(super) items: Vec<Item>,
}

/// The sources of all packages but their tests.
pub(super) fn all_files() -> Result<Vec<ParsedFile>, String> {
    let is_source = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or(name);
        name.contains("/src/") && !name.contains("/tests/") && !file.ends_with("tests.rs") && !file.starts_with("test_")
    };
    let mut files = Vec::new();
    for name in tidy::files().into_iter().filter(|name| name.ends_with(".rs") && is_source(name)) {
        let say = |e: &dyn std::fmt::Display| format!("{name}: {e}");
        let text = fs::read_to_string(root().join(&name)).map_err(|e| say(&e))?;
        let items = syn::parse_file(&text).map_err(|e| say(&e))?.items;
        files.push(ParsedFile { name, items });
    }
    Ok(files)
}

/// All modules of a crate.
pub(super) struct SourceTree {
    pub(super) modules: Vec<Module>,
}

impl SourceTree {
    pub(super) fn read(sources: &str) -> Result<Self, String> {
        let sources = root().join(sources);
        let mut tree = Self { modules: Vec::new() };
        tree.read_module(&sources, &sources.join("lib.rs"), &[], true)?;
        Ok(tree)
    }

    fn read_module(&mut self, sources: &Path, file: &Path, path: &[String], is_public: bool) -> Result<(), String> {
        let say = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = fs::read_to_string(file).map_err(|e| say(&e))?;
        let mut items = syn::parse_file(&text).map_err(|e| say(&e))?.items;
        items.retain(|item| !is_for_tests(attributes(item)));
        let mut inner = Vec::new();
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if module.content.is_none() {
                inner.push((module.ident.to_string(), matches!(module.vis, Visibility::Public(_))));
            }
        }
        let below = file.strip_prefix(sources).unwrap_or(file).display().to_string();
        self.modules.push(Module { path: path.to_vec(), file: below.replace('\\', "/"), is_public, items });
        let folder = if path.is_empty() || file.ends_with("mod.rs") {
            file.parent().map(Path::to_path_buf).unwrap_or_default()
        } else {
            file.with_extension("")
        };
        for (name, inner_is_public) in inner {
            let path = [path, std::slice::from_ref(&name)].concat();
            self.read_module(sources, &file_of(&folder, &name), &path, is_public && inner_is_public)?;
        }
        Ok(())
    }

    /// The module at a path.
    pub(super) fn module(&self, path: &[String]) -> Option<&Module> {
        self.modules.iter().find(|module| module.path == path)
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let flat = folder.join(format!("{name}.rs"));
    if flat.exists() { flat } else { folder.join(name).join("mod.rs") }
}

/// Whether something is compiled for tests or for the examples of documents alone.
pub(super) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        let condition = list.tokens.to_string();
        list.path.is_ident("cfg") && (condition.starts_with("test") || condition.contains("doctest"))
    })
}

pub(super) fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name of an item, and who may use it; `None` for what has no name of its own to be used by.
pub(super) fn named(item: &Item) -> Option<(&Ident, &Visibility)> {
    match item {
        Item::Const(item) => Some((&item.ident, &item.vis)),
        Item::Enum(item) => Some((&item.ident, &item.vis)),
        Item::Fn(item) => Some((&item.sig.ident, &item.vis)),
        Item::Static(item) => Some((&item.ident, &item.vis)),
        Item::Struct(item) => Some((&item.ident, &item.vis)),
        Item::Trait(item) => Some((&item.ident, &item.vis)),
        Item::Type(item) => Some((&item.ident, &item.vis)),
        _ => None,
    }
}
