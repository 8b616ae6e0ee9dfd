//! Functions with more than five parameters, `self` not counted. A tuple counts as its members: five names in two
//! brackets are five things that a caller has to know.

use super::source_tree::{SourceTree, is_for_tests};
use syn::visit::{self, Visit};
use syn::{FnArg, ImplItemFn, ItemFn, ItemMod, Pat, Signature, TraitItemFn};

const MOST: usize = 5;

/// `file function: count`, for each.
pub(super) fn too_many(tree: &SourceTree) -> Vec<String> {
    let mut found = Vec::new();
    for module in &tree.modules {
        let mut visitor = Functions { file: &module.file, found: &mut found };
        module.items.iter().for_each(|item| visitor.visit_item(item));
    }
    found
}

struct Functions<'a> {
    file: &'a str,
    found: &'a mut Vec<String>,
}

impl Functions<'_> {
    fn look_at(&mut self, signature: &Signature) {
        let count: usize = signature.inputs.iter().map(members).sum();
        if count > MOST {
            self.found.push(format!("{} {}: {count}", self.file, signature.ident));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        self.look_at(&function.sig);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.look_at(&function.sig);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        self.look_at(&function.sig);
        visit::visit_trait_item_fn(self, function);
    }
}

fn members(parameter: &FnArg) -> usize {
    match parameter {
        FnArg::Receiver(_) => 0,
        FnArg::Typed(typed) => names(&typed.pat),
    }
}

/// How many names a pattern gives.
fn names(pattern: &Pat) -> usize {
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().map(names).sum(),
        Pat::Paren(inner) => names(&inner.pat),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(function: &str) -> usize {
        let function: ItemFn = syn::parse_str(function).expect("a function");
        function.sig.inputs.iter().map(members).sum()
    }

    #[test]
    fn tuples_count_as_their_members() {
        assert_eq!(count("fn f() {}"), 0);
        assert_eq!(count("fn f(a: u32, b: (u32, u32)) {}"), 2);
        assert_eq!(count("fn f(a: u32, (b, (c, d)): (u32, (u32, u32))) {}"), 4);
    }
}
