//! The pictures of the documents, drawn by the program.

use crate::run::run as run_line;

/// Scene, file below `docs/pictures`.
const PICTURES: &[(&str, &str)] = &[("scene:dungeon", "dungeon"), ("scene:city", "city"), ("scene:terrain", "terrain")];

pub(crate) fn run() -> Result<(), String> {
    run_line("cargo build --release -q -p wayfare-cli", &[])?;
    run_line("mkdir -p docs/pictures", &[])?;
    let wayfare = format!("target/release/wayfare{}", std::env::consts::EXE_SUFFIX);
    for (level, name) in PICTURES {
        let mesh = format!("target/{name}.way");
        run_line(&format!("{wayfare} bake {level} -o {mesh} --quiet"), &[])?;
        run_line(&format!("{wayfare} draw {mesh} -o docs/pictures/{name}.png"), &[])?;
    }
    Ok(())
}
