//! The pictures of the documents, drawn by the program.

use crate::run::{output, root, run as run_line};
use std::fs;
use std::path::Path;

/// The program.
const WAYFARE: &str = "cargo run --release -q -p wayfare-cli --";

/// How the pictures of the bake's stages are made: the options of each bake, and which of its pictures are kept under
/// which names.
const BAKES: [(&str, &[(&str, &str)]); 8] = [
    ("--no-filter-low-hanging --no-filter-ledges --no-filter-low-height", &[("1-heightfield", "filter-0-none")]),
    ("--no-filter-ledges --no-filter-low-height", &[("1-heightfield", "filter-1-low-hanging")]),
    ("--no-filter-low-height", &[("1-heightfield", "filter-2-ledges")]),
    // Beams hide the solid spans below them: what the third filter does shows on the open ground.
    ("--no-filter-low-height --agent-radius 0", &[("2-eroded", "filter-2-ground")]),
    ("--agent-radius 0", &[("2-eroded", "filter-3-low-height")]),
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

/// What shows that searches differ: a level, a question, and how it is asked.
const SEARCHES: [(&str, &str, &str, &[&str]); 2] = [
    ("optimal", "holes_and_pillars?size=30&holes=24&pillars=0&seed=4", "-13,0,-10:13,0,10", &["corridor", "optimal"]),
    (
        "placements",
        "city?blocks=2",
        "9,0,102.6:104.5,0,62.2",
        &["corridor", "corridor-nearest", "corridor-visible", "optimal"],
    ),
];

/// The path that shows agents of three radii, the level it leads through, and how that is baked.
const RADII: (&str, &str) = (
    "scene:holes_and_pillars?seed=3 --agent-radius 0.2 --cell-size 0.2 --cell-height 0.1",
    "-18,0.2,-18:18,0.2,17:optimal",
);

/// What the chapter on areas says of those of the scene `river`.
const AREAS: &str = "[area.1]\nname = \"water\"\ncost = 5.0\n[area.2]\nname = \"road\"\n[area.3]\nname = \"door\"\n\
    [area.4]\nname = \"mud\"\ncost = 3.0\n";

/// Pictures of the small systems, and what is asked for each.
const SMALL: [(&str, &str); 2] = [
    ("blocks scene:blocks?size=64&height=24&seed=2 --random 3 --seed 4", "block-world"),
    ("grid --play scene:lively_yard?seed=1&tick=80 --size 800", "local-grid"),
];

/// Trials of crowds whose pictures are kept, with these methods.
const TRIALS: [&str; 2] = ["circle-100", "crossing"];
const METHODS: [&str; 3] = ["sampled", "orca", "hrvo"];

/// The crowds whose cost is told, and the room for each agent: a square of so many metres.
const CROWDS: [u32; 4] = [1000, 2000, 5000, 10_000];
const ROOM: f64 = 5.0;

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
    let table = root().join("target/demo/areas.toml");
    fs::write(&table, AREAS).map_err(|e| format!("{}: {e}", table.display()))?;
    run_line(&format!("{WAYFARE} bake scene:river -o {mesh} --quiet --areas target/demo/areas.toml"), &[])?;
    let way = "--path=-7,0,12:8,0,10";
    run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/areas.png --size 800 --quiet {way}"), &[])?;
    for (name, scene, ends, searches) in SEARCHES {
        run_line(&format!("{WAYFARE} bake scene:{scene} -o {mesh} --quiet"), &[])?;
        let paths: String = searches.iter().map(|search| format!(" --path={ends}:{search}")).collect();
        run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/{name}.png --size 800 --quiet{paths}"), &[])?;
    }
    let (level, path) = RADII;
    run_line(&format!("{WAYFARE} bake {level} -o {mesh} --quiet"), &[])?;
    let paths = [0.2, 0.9, 1.6].map(|radius| format!(" --path={path}:{radius}")).concat();
    run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/radii.png --size 800 --quiet{paths}"), &[])?;
    run_line(&format!("{WAYFARE} bake scene:continent?km=0.15 -o {mesh} --quiet --tile-size 64"), &[])?;
    run_line(&format!("{WAYFARE} draw {mesh} -o docs/pictures/abstract-graph.png --size 800 --quiet --graph"), &[])?;
    for (question, name) in SMALL {
        run_line(&format!("{WAYFARE} {question} --draw docs/pictures/{name}.png"), &[])?;
    }
    run_line("cargo run --release -q -p wayfare-testkit --example avoid_pictures docs/pictures", &[])?;
    run_line("cargo run --release -q -p wayfare-testkit --example hull_pictures docs/pictures", &[])?;
    run_line("cargo run --release -q -p wayfare-testkit --example changing_world_pictures docs/pictures", &[])?;
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
    renew(&chapter, "growth", &growth("target/demo/growth.way")?)?;
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

/// What a tick of ever larger crowds costs, on an open field on which everybody has the same room, on one and on two
/// threads.
fn growth(mesh: &str) -> Result<String, String> {
    let mut table = String::from(
        "| agents | one thread, ms a tick | µs an agent | two threads, ms a tick | times as fast |\n|---|---|---|---|---|\n",
    );
    for agents in CROWDS {
        let size = (f64::from(agents).sqrt() * ROOM).round();
        run_line(&format!("{WAYFARE} bake scene:flat?size={size} -o {mesh} --quiet"), &[])?;
        let mut least = [f64::INFINITY; 2];
        // In turns, and the least of a few: other work on the machine does not count.
        for _ in 0..5 {
            for (threads, least) in (1..).zip(&mut least) {
                let line = format!("{WAYFARE} crowd {mesh} --agents {agents} --ticks 200 --threads {threads} --json");
                *least = least.min(number(&output(&line)?, "ms_per_tick_median")?);
            }
        }
        let [one, two] = least;
        table +=
            &format!("| {agents} | {one:.2} | {:.2} | {two:.2} | {:.2} |\n", one * 1e3 / f64::from(agents), one / two);
    }
    Ok(table)
}

/// A number of a JSON document that has it once.
fn number(json: &str, name: &str) -> Result<f64, String> {
    let after = json.split_once(&format!("\"{name}\":")).map(|(_, after)| after);
    let text = after.and_then(|after| after.split([',', '\n', '}']).next());
    text.and_then(|text| text.trim().parse().ok()).ok_or_else(|| format!("no number {name} in {json}"))
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
