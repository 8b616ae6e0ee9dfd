//! Files named `mod.rs` that hold more than documentation, modules and re-exports: an idea has a file of its own, named
//! after it.

use super::source_tree::{ParsedFile, attributes, is_for_tests};
use syn::Item;

/// `file: items`, for each.
pub(super) fn with_code(files: &[ParsedFile]) -> Vec<String> {
    let folders = files.iter().filter(|file| file.name.ends_with("/mod.rs"));
    folders.filter_map(|file| Some((&file.name, code(&file.items)?))).map(|(name, n)| format!("{name}: {n}")).collect()
}

/// How many items are more than that; `None` if there is none.
fn code(items: &[Item]) -> Option<usize> {
    let is_code = |item: &&Item| match item {
        Item::Mod(module) => module.content.is_some() && !is_for_tests(&module.attrs),
        Item::Use(_) => false,
        other => !is_for_tests(attributes(other)),
    };
    let count = items.iter().filter(is_code).count();
    (count > 0).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_imports_are_no_code() {
        let count = |text: &str| code(&syn::parse_file(text).expect("a file").items);
        assert_eq!(count("//! A folder.\nmod a;\npub use a::A;\n#[cfg(test)]\nmod tests { fn t() {} }\n"), None);
        assert_eq!(count("mod a { fn f() {} }\nconst B: u32 = 1;\n"), Some(2));
    }
}
