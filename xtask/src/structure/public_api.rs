//! What the library promises: a listing of its public items, committed, so that a change of it is seen in review.
//!
//! Signatures only: documentation, bodies and private fields are left out. Methods stand under the type that they are
//! called on, wherever their file is; implementations of traits are listed by name.

use super::resolve::{collect, resolve};
use super::source_tree::{Module, SourceTree, is_for_tests, named};
use crate::run::root;
use quote::ToTokens;
use std::fs;
use std::path::PathBuf;
use syn::{Attribute, Block, Fields, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

/// Tells if the committed listing is another.
pub(super) fn compare(tree: &SourceTree, wrong: &mut Vec<String>) -> Result<(), String> {
    let committed = fs::read_to_string(path()).map_err(|e| format!("{}: {e}", path().display()))?;
    let now = listing(tree);
    if let Some((line, (old, new))) = (1..).zip(lines(&committed).zip(lines(&now))).find(|(_, (old, new))| old != new) {
        wrong.push(format!(
            "public API: line {line} of docs/dev/public-api.txt is `{old}`, and the sources give `{new}`: \
             run `cargo xtask bless-structure` and look at the difference"
        ));
    }
    Ok(())
}

/// The lines of a text, and then nothing for ever.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim_end).chain(std::iter::repeat("")).take(1 << 16)
}

pub(super) fn write(tree: &SourceTree) -> Result<(), String> {
    fs::write(path(), listing(tree)).map_err(|e| format!("{}: {e}", path().display()))
}

fn path() -> PathBuf {
    root().join("docs/dev/public-api.txt")
}

/// All public items, by the module that they are found in.
fn listing(tree: &SourceTree) -> String {
    let mut text = String::from("The public items of the library, written by `cargo xtask bless-structure`.\n");
    for module in tree.modules.iter().filter(|module| module.is_public) {
        let mut items = public_items(tree, module);
        items.sort_by_cached_key(|(name, item)| (name.clone(), item.to_token_stream().to_string()));
        let shown = items.into_iter().flat_map(|(name, item)| with_methods(tree, &name, item));
        let file = syn::File { shebang: None, attrs: Vec::new(), items: shown.collect() };
        if !file.items.is_empty() {
            let name = [&["wayfare".to_owned()], module.path.as_slice()].concat().join("::");
            text += &format!("\n# {name}\n\n{}", prettyplease::unparse(&file));
        }
    }
    text
}

/// The items that can be named through a module, each with its name there.
fn public_items(tree: &SourceTree, module: &Module) -> Vec<(String, Item)> {
    let mut found = Vec::new();
    for item in &module.items {
        if let Item::Use(declaration) = item
            && matches!(declaration.vis, Visibility::Public(_))
        {
            let mut imports = Vec::new();
            collect(&declaration.tree, &mut Vec::new(), &mut imports);
            for import in imports {
                let Some((there, name)) = resolve(tree, module, &import.path) else { continue };
                let named = there.items.iter().find(|item| name_of(item).as_deref() == Some(&name));
                found.extend(named.map(|item| (import.name.clone(), item.clone())));
            }
        } else if let Some(name) = name_of(item).filter(|_| is_public(item)) {
            found.push((name, item.clone()));
        }
    }
    found
}

/// An item without what is private, and what is implemented for it.
fn with_methods(tree: &SourceTree, name: &str, item: Item) -> Vec<Item> {
    let own = name_of(&item);
    let is_type = matches!(item, Item::Struct(_) | Item::Enum(_));
    let mut all = vec![signature(item)];
    if !is_type {
        return all;
    }
    let own = own.unwrap_or_else(|| name.to_owned());
    let implementations = tree.modules.iter().flat_map(|module| &module.items).filter_map(|item| match item {
        Item::Impl(block) if implements(block) == Some(own.clone()) => public_part(block),
        _ => None,
    });
    all.extend(implementations.map(Item::Impl));
    all
}

/// The type that an implementation is for.
fn implements(block: &ItemImpl) -> Option<String> {
    match &*block.self_ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// An implementation without what is private; `None` if nothing is left.
fn public_part(block: &ItemImpl) -> Option<ItemImpl> {
    let mut block = block.clone();
    plain(&mut block.attrs);
    if block.trait_.is_some() {
        block.items.clear();
        return Some(block);
    }
    block.items.retain_mut(|item| match item {
        ImplItem::Fn(function) => {
            plain(&mut function.attrs);
            function.block = empty();
            matches!(function.vis, Visibility::Public(_))
        }
        ImplItem::Const(constant) => {
            plain(&mut constant.attrs);
            matches!(constant.vis, Visibility::Public(_))
        }
        _ => false,
    });
    (!block.items.is_empty()).then_some(block)
}

/// An item without bodies, private fields and documentation.
fn signature(mut item: Item) -> Item {
    match &mut item {
        Item::Fn(function) => {
            plain(&mut function.attrs);
            *function.block = empty();
        }
        Item::Struct(item) => {
            plain(&mut item.attrs);
            public_fields(&mut item.fields);
        }
        Item::Enum(item) => {
            plain(&mut item.attrs);
            for variant in &mut item.variants {
                plain(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|field| plain(&mut field.attrs));
            }
        }
        Item::Trait(item) => {
            plain(&mut item.attrs);
            for member in &mut item.items {
                if let TraitItem::Fn(function) = member {
                    plain(&mut function.attrs);
                    function.default = function.default.is_some().then(empty);
                }
            }
        }
        Item::Const(item) => plain(&mut item.attrs),
        Item::Type(item) => plain(&mut item.attrs),
        _ => {}
    }
    item
}

/// Leaves the public fields of a struct; positions of a tuple stay, so that they keep their numbers.
fn public_fields(fields: &mut Fields) {
    if let Fields::Named(named) = fields {
        let all = std::mem::take(&mut named.named);
        named.named = all.into_iter().filter(|field| matches!(field.vis, Visibility::Public(_))).collect();
    }
    fields.iter_mut().for_each(|field| plain(&mut field.attrs));
}

/// Leaves the attributes that a user of the item notices.
fn plain(attributes: &mut Vec<Attribute>) {
    let noticed = ["cfg", "deprecated", "derive", "must_use", "non_exhaustive", "repr"];
    attributes.retain(|attribute| {
        noticed.iter().any(|name| attribute.path().is_ident(name)) && !is_for_tests(std::slice::from_ref(attribute))
    });
}

fn empty() -> Block {
    Block { brace_token: syn::token::Brace::default(), stmts: Vec::new() }
}

fn name_of(item: &Item) -> Option<String> {
    named(item).map(|(name, _)| name.to_string())
}

fn is_public(item: &Item) -> bool {
    matches!(named(item), Some((_, Visibility::Public(_))))
}
