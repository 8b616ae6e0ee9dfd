//! Makes the lab's page: `cargo run --manifest-path crates/wayfare-lab/web/Cargo.toml -- FOLDER [--quick]`.
//!
//! Compiles the lab for the web, writes the JavaScript around it, and puts the page beside both: a folder that any
//! server of files can serve. `--quick` compiles without link-time optimisation, for working on it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

fn main() -> Result<(), Box<dyn Error>> {
    let (options, folders): (Vec<String>, Vec<String>) = env::args().skip(1).partition(|word| word.starts_with("--"));
    let [folder] = folders.as_slice() else { return Err("say one folder, in which the page is made".into()) };
    let is_quick = options.iter().any(|option| option == "--quick");
    let profile = if is_quick { "quick-web" } else { "release-web" };
    let lab = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    // Cargo tells the programs it starts about itself; what we start is to find out by itself.
    cargo.env_remove("CARGO_MANIFEST_DIR").current_dir(&lab).args(["build", "--profile", profile, "--target", TARGET]);
    if !cargo.status()?.success() {
        return Err("the lab does not compile for the web".into());
    }
    let program: PathBuf = lab.join("target").join(TARGET).join(profile).join("wayfare-lab.wasm");
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&program).typescript(false).omit_default_module_path(false).remove_producers_section(true);
    // Names of functions are a tenth of what is to be loaded.
    bindgen.remove_name_section(!is_quick).out_name("wayfare_lab").web(true)?;
    bindgen.generate(folder)?;
    fs::copy(lab.join("web/index.html"), Path::new(folder).join("index.html"))?;
    let bytes = fs::metadata(Path::new(folder).join("wayfare_lab_bg.wasm"))?.len();
    println!("the page is in {folder}: {:.1} MB before compression. To see it:", bytes as f64 / 1e6);
    println!("  python3 -m http.server --directory {folder}");
    Ok(())
}
