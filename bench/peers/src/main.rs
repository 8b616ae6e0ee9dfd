//! Wayfare and the published peers on the same work in one process. See `README.md` beside this crate.

mod bake;
mod bindings;
mod blocks;
mod chart;
mod crowd;
mod detour;
mod dynamic;
mod flat;
mod grid;
mod hull;
mod job;
mod levels;
mod measure;
mod memory;
mod optimal;
mod optimal_baked;
mod orca;
mod our_queries;
mod ours;
mod query;
mod recast;
mod record;
mod rerecast_bake;
mod table;
mod threads;
mod tile_cache;
mod tiles;
mod trials;
mod waymark_queries;

use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// The command line.
#[derive(Default)]
pub struct Options {
    json: bool,
    quick: bool,
    stages: bool,
    peers_alone: bool,
    /// The folder of this crate, where results are to be kept.
    record: Option<PathBuf>,
    groups: Vec<String>,
    pub only: Option<String>,
}

impl Options {
    /// Whether a piece of work with this name is asked for.
    pub fn wants(&self, name: &str) -> bool {
        match &self.only {
            Some(only) => only.split(',').any(|part| name.contains(part)),
            None => {
                !self.quick
                    || ["nav_test", "dungeon", "scene:dungeon", "scene:city", "scene:terrain?size=224"].contains(&name)
            }
        }
    }

    fn wants_group(&self, name: &str) -> bool {
        self.groups.is_empty() || self.groups.iter().any(|g| g == name)
    }
}

/// A group's name and what measures it.
type Group = (&'static str, fn(&Options) -> Vec<table::Row>);

/// All groups, in the order in which they are run.
const GROUPS: [Group; 15] = [
    ("bake", bake::rows),
    ("threads", threads::rows),
    ("query", query::rows),
    ("tiles", tiles::rows),
    ("dynamic", dynamic::rows),
    ("optimal", optimal::rows),
    ("baked", optimal_baked::rows),
    ("crowd", |options| [crowd::rows(options), orca::rows(options)].concat()),
    ("trials", trials::rows),
    ("blocks", blocks::rows),
    ("grid", grid::rows),
    ("hull", hull::rows),
    ("c", |_| bindings::rows("c")),
    ("python", |_| bindings::rows("python")),
    ("javascript", |_| bindings::rows("javascript")),
];

const USAGE: &str = "usage: run [GROUP…] [--json] [--quick] [--stages] [--only NAME[,NAME]] [--record] [--peers-alone]

Groups: bake, threads, query, tiles, dynamic, optimal, baked, crowd, trials, blocks, grid, hull, c, python, javascript (all groups without one). --only: work whose name contains NAME. --stages: every stage of a bake side by side.
--quick: few repeats and few levels, to see that everything builds and that answers agree. --json: the last line is one JSON document.
--record: keeps the results in results/*.csv, and renews what is made of them: docs/measurements.md, docs/pictures/peers.svg, README.md. --peers-alone: the peers' counts and times, without us.
Exit status: 0 all answers agree, 1 some differ, 2 the command line is wrong.";

fn options() -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--json" => options.json = true,
            "--quick" => options.quick = true,
            "--stages" => options.stages = true,
            "--peers-alone" => options.peers_alone = true,
            "--record-in" => options.record = Some(value()?.into()),
            "--only" => options.only = Some(value()?),
            _ if GROUPS.iter().any(|(name, _)| *name == word) => options.groups.push(word),
            _ => return Err(format!("{word} is not known\n{USAGE}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(2);
        }
    };
    if options.peers_alone {
        if options.wants_group("bake") {
            bake::peers_alone(&options);
        }
        if options.wants_group("query") {
            query::rows(&options);
        }
        return ExitCode::SUCCESS;
    }
    let wanted = GROUPS.iter().filter(|(name, _)| options.wants_group(name));
    let rows: Vec<table::Row> = wanted.flat_map(|(_, measure)| measure(&options)).collect();
    for (group, count, mean) in table::means(&rows) {
        eprintln!("{group}: geometric mean of {count} ratios: {mean:.2}");
    }
    if let Some(here) = &options.record {
        let text = |name: &str| std::env::var(name).unwrap_or_else(|_| "unknown".into());
        let places = record::Places::of(here);
        if let Err(e) = places.record(&text("PEERS_MACHINE"), &text("PEERS_DATE"), &rows) {
            eprintln!("{e}");
        }
    }
    if options.json {
        println!("{}", serde_json::json!({ "rows": rows.iter().map(table::Row::json).collect::<Vec<_>>() }));
    }
    if rows.iter().any(|r| r.agrees == Some(false)) { ExitCode::from(1) } else { ExitCode::SUCCESS }
}
