//! Functions of more than sixty lines, from their `fn` to their last brace. What is longer has phases, and these have
//! names: each is a function of its own.

use super::source_tree::{ParsedFile, is_for_tests};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, ItemMod, Signature, TraitItemFn};

const MOST: usize = 60;

/// `file function: lines`, for each.
pub(super) fn of(files: &[ParsedFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let mut visitor = Functions { file: &file.name, found: &mut found };
        file.items.iter().for_each(|item| visitor.visit_item(item));
    }
    found
}

struct Functions<'a> {
    file: &'a str,
    found: &'a mut Vec<String>,
}

impl Functions<'_> {
    fn look_at(&mut self, signature: &Signature, body: &Block) {
        let lines = lines(signature, body);
        if lines > MOST {
            self.found.push(format!("{} {}: {lines}", self.file, signature.ident));
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
        self.look_at(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast ImplItemFn) {
        self.look_at(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast TraitItemFn) {
        if let Some(body) = &function.default {
            self.look_at(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

fn lines(signature: &Signature, body: &Block) -> usize {
    let last = body.brace_token.span.close().end().line;
    last + 1 - signature.span().start().line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_before_a_function_are_not_counted() {
        let function: ItemFn =
            syn::parse_str("/// One.\n#[must_use]\nfn f() -> u32 {\n    // Two.\n    2\n}\n").expect("a function");
        assert_eq!(lines(&function.sig, &function.block), 4);
    }
}
