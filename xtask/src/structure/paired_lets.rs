//! Statements that do two things: `let (a, b) = (x, y);`. One statement a line.

use super::source_tree::{SourceTree, is_for_tests};
use syn::visit::{self, Visit};
use syn::{Expr, ItemMod, Local, Pat};

/// `file: count`, for each file that has such statements.
pub(super) fn of(tree: &SourceTree) -> Vec<String> {
    let counts = tree.modules.iter().filter_map(|module| {
        let mut lets = PairedLets(0);
        module.items.iter().for_each(|item| lets.visit_item(item));
        (lets.0 > 0).then(|| format!("{}: {}", module.file, lets.0))
    });
    counts.collect()
}

struct PairedLets(usize);

impl<'ast> Visit<'ast> for PairedLets {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let value = local.init.as_ref().map(|init| &*init.expr);
        self.0 += usize::from(is_tuple(&local.pat) && matches!(value, Some(Expr::Tuple(_))));
        visit::visit_local(self, local);
    }
}

fn is_tuple(pattern: &Pat) -> bool {
    match pattern {
        Pat::Tuple(_) => true,
        Pat::Type(typed) => is_tuple(&typed.pat),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(body: &str) -> usize {
        let function: syn::Item = syn::parse_str(&format!("fn f() {{ {body} }}")).expect("a function");
        let mut lets = PairedLets(0);
        lets.visit_item(&function);
        lets.0
    }

    #[test]
    fn only_a_tuple_of_values_is_two_statements() {
        assert_eq!(count("let (a, b) = (1, 2);"), 1);
        assert_eq!(count("let (a, b): (u32, u32) = (1, 2);"), 1);
        assert_eq!(count("let (a, b) = ends(); (a, b) = (b, a); let c = (1, 2);"), 0);
    }
}
