//! All rules, each with the places that break it today, and the listing of the public items.

use super::exceptions::Exceptions;
use super::source_tree::{SourceTree, all_files};
use super::{cycles, folder_files, long_functions, names, paired_lets, parameters, public_api};

/// Where the library is.
const LIBRARY: &str = "crates/wayfare/src";

/// Checks all rules, and that the listing of the public items is the one that is committed.
pub(crate) fn run() -> Result<(), String> {
    let tree = SourceTree::read(LIBRARY)?;
    let mut wrong = Vec::new();
    for (name, found) in broken(&tree)? {
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
    let tree = SourceTree::read(LIBRARY)?;
    for (name, found) in broken(&tree)? {
        Exceptions::read(name)?.write(&found)?;
    }
    public_api::write(&tree)
}

/// What breaks each rule, a line each. Two rules are for all packages, the others for the library.
fn broken(tree: &SourceTree) -> Result<[(&'static str, Vec<String>); 6], String> {
    let files = all_files()?;
    Ok([
        ("cycles", cycles::between_files(tree)),
        ("names", names::shared(tree)),
        ("parameters", parameters::too_many(tree)),
        ("paired_lets", paired_lets::of(tree)),
        ("long_functions", long_functions::of(&files)),
        ("folder_files", folder_files::with_code(&files)),
    ])
}
