//! Rules on the structure of the library: what holds for its functions, statements and files, read from the parsed
//! sources.
//!
//! Each rule has a list of the places that break it today, in `xtask/structure`. A place that is not on the list fails,
//! and so does a line of the list that nothing breaks any more: the lists only shrink.

mod cycles;
mod exceptions;
mod names;
mod paired_lets;
mod parameters;
mod public_api;
mod resolve;
mod source_tree;

use exceptions::Exceptions;
use source_tree::SourceTree;

/// Checks all rules, and that the listing of the public items is the one that is committed.
pub(crate) fn run() -> Result<(), String> {
    let tree = SourceTree::read("crates/wayfare/src")?;
    let mut wrong = Vec::new();
    for (name, found) in rules(&tree) {
        Exceptions::read(name)?.compare(&found, &mut wrong);
    }
    public_api::compare(&tree, &mut wrong)?;
    if wrong.is_empty() {
        println!("\nstructure: {} files", tree.modules.len());
        return Ok(());
    }
    Err(format!("the structure breaks its rules:\n{}", wrong.join("\n")))
}

/// Writes the lists and the listing of public items anew.
pub(crate) fn bless() -> Result<(), String> {
    let tree = SourceTree::read("crates/wayfare/src")?;
    for (name, found) in rules(&tree) {
        Exceptions::read(name)?.write(&found)?;
    }
    public_api::write(&tree)
}

/// What breaks each rule, a line each.
fn rules(tree: &SourceTree) -> [(&'static str, Vec<String>); 4] {
    [
        ("cycles", cycles::between_files(tree)),
        ("names", names::shared(tree)),
        ("parameters", parameters::too_many(tree)),
        ("paired_lets", paired_lets::of(tree)),
    ]
}
