//! The pictures of the documents, drawn by the program.

use crate::run::{output, root, run as run_line};
use std::fs;
use std::path::Path;

/// The program.
const WAYFARE: &str = "cargo run --release -q -p wayfare-cli --";

/// How the pictures of the bake's stages are made: the options of each bake, and which of its pictures are kept under which
/// names.
const BAKES: [(&str, &[(&str, &str)]); 6] = [
    ("--no-filter-low-hanging --no-filter-ledges --no-filter-low-height", &[("1-heightfield", "filter-0-none")]),
    ("--no-filter-ledges --no-filter-low-height", &[("1-heightfield", "filter-1-low-hanging")]),
    ("--no-filter-low-height", &[("1-heightfield", "filter-2-ledges")]),
    ("--partition monotone", &[("4-regions", "regions-monotone")]),
    ("--partition layers", &[("4-regions", "regions-layers")]),
    (
        "",
        &[
            ("2-eroded", "eroded"),
            ("3-distances", "distances"),
            ("4-regions", "regions-watershed"),
            ("5-contours", "contours"),
            ("6-polygons", "polygons"),
            ("7-detail", "detail"),
        ],
    ),
];

/// The scenes that show automatic links.
const LINKED: [&str; 2] = ["ledges", "platforms"];

/// The path that shows agents of three radii, the level it leads through, and how that is baked.
const RADII: (&str, &str) = (
    "scene:holes_and_pillars?seed=3 --agent-radius 0.2 --cell-size 0.2 --cell-height 0.1",
    "-18,0.2,-18:18,0.2,17:optimal",
);

/// Pictures of the small systems, and what is asked for each.
const SMALL: [(&str, &str); 2] = [
    ("blocks scene:blocks?size=64&height=24&seed=2 --random 3 --seed 4", "block-world"),
    ("grid --play scene:lively_yard?seed=1&tick=80 --size 800", "local-grid"),
];

/// Trials of crowds whose pictures are kept, with these methods.
const TRIALS: [&str; 2] = ["circle-100", "crossing"];
const METHODS: [&str; 3] = ["sampled", "orca", "hrvo"];

/// Measured pedestrian flows, beside the checkout where they are present.
const MEASURED: &str = "../shared/data/crowd/flow_reference.json";

/// The demo's picture, which README.md shows, and those of the manual.
pub(crate) fn run() -> Result<(), String> {
    run_line(&format!("{WAYFARE} demo --quiet --out target/demo"), &[])?;
    let pictures = root().join("docs/pictures");
    fs::create_dir_all(&pictures).map_err(|e| format!("{}: {e}", pictures.display()))?;
    copy(&root().join("target/demo/dungeon.png"), &pictures.join("demo.png"))?;
    let mesh = "target/demo/picture.way";
    for (options, kept) in BAKES {
        let drawn = "--draw-stages target/demo/stages --draw-size 560";
        run_line(&format!("{WAYFARE} bake scene:yard -o {mesh} --quiet {drawn} {options}"), &[])?;
        for (from, to) in kept {
            let from = root().join(format!("target/demo/stages/{from}.png"));
            copy(&from, &pictures.join(format!("bake-{to}.png")))?;
        }
    }
    for scene in LINKED {
        run_line(&format!("{WAYFARE} bake scene:{scene} -o {mesh} --quiet --links agent"), &[])?;
        run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/links-{scene}.png --size 900 --quiet"), &[])?;
    }
    let (level, path) = RADII;
    run_line(&format!("{WAYFARE} bake {level} -o {mesh} --quiet"), &[])?;
    let paths = [0.2, 0.9, 1.6].map(|radius| format!(" --path={path}:{radius}")).concat();
    run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/radii.png --size 800 --quiet{paths}"), &[])?;
    for (question, name) in SMALL {
        run_line(&format!("{WAYFARE} {question} --draw docs/pictures/{name}.png"), &[])?;
    }
    run_line("cargo run --release -q -p wayfare-testkit --example avoid_pictures docs/pictures", &[])?;
    run_line("cargo run --release -q -p wayfare-testkit --example hull_pictures docs/pictures", &[])?;
    crowds()
}

/// The tables and pictures of the chapter on crowds.
fn crowds() -> Result<(), String> {
    let (chapter, drawn) = (root().join("docs/crowds.md"), "target/demo/trials");
    renew(&chapter, "trials", &output(&format!("{WAYFARE} crowd --trials --threads 0 --draw {drawn} --size 500"))?)?;
    for (trial, method) in TRIALS.iter().flat_map(|trial| METHODS.map(|method| (trial, method))) {
        let name = format!("crowd-{trial}-{method}.png");
        copy(&root().join(drawn).join(&name), &root().join("docs/pictures").join(&name))?;
    }
    if !root().join(MEASURED).exists() {
        println!("skipped: {MEASURED} is missing");
        return Ok(());
    }
    let picture = "docs/pictures/crowd-measured.svg";
    renew(
        &chapter,
        "measured",
        &output(&format!("{WAYFARE} crowd --measured {MEASURED} --threads 0 --draw {picture}"))?,
    )
}

/// Puts a table between its marks in a document.
fn renew(document: &Path, name: &str, table: &str) -> Result<(), String> {
    let text = fs::read_to_string(document).map_err(|e| format!("{}: {e}", document.display()))?;
    let (begin, end) =
        (format!("<!-- {name}: begin (written by cargo xtask screenshots) -->\n"), format!("<!-- {name}: end -->"));
    let place = text.find(&begin).map(|at| at + begin.len()).zip(text.find(&end));
    let (from, to) = place.ok_or_else(|| format!("{}: no marks for {name}", document.display()))?;
    let text = format!("{}{table}{}", &text[..from], &text[to..]);
    fs::write(document, text).map_err(|e| format!("{}: {e}", document.display()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|e| format!("{}: {e}", from.display()))
}
