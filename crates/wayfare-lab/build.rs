//! Makes a module and a row of the registry of every file in `src/prototypes`, so that adding a prototype is adding
//! one file. The file `two_words.rs` holds the type `TwoWords`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let home = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let folder = home.join("src/prototypes");
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(out.join("prototypes.rs"), registry(&folder, &names(&folder)?))
}

/// The files of the folder without their ending, sorted: the order of a folder differs between file systems.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "rs")
            && let Some(name) = path.file_stem()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

pub(crate) fn registry(folder: &Path, names: &[String]) -> String {
    let mut modules = String::new();
    let mut rows = String::new();
    for name in names {
        let path = folder.join(format!("{name}.rs"));
        let of_type = type_name(name);
        modules += &format!("#[path = {path:?}]\nmod {name};\n");
        let make = format!("|| Box::new({name}::{of_type}::default())");
        rows += &format!("    Entry {{ name: {name:?}, source: include_str!({path:?}), make: {make} }},\n");
    }
    format!("{modules}\n/// All prototypes, by file name.\npub(crate) static ALL: &[Entry] = &[\n{rows}];\n")
}

/// `two_words` as `TwoWords`.
fn type_name(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|part| !part.is_empty()).map(word).collect()
}
