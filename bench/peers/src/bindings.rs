//! Groups `c`, `python` and `javascript`: the bindings' own benchmarks, each beside what its users would take else. C
//! and Python stand beside the same loop in Rust, the npm package beside `recast-navigation`. They run in processes of
//! their own and print their rows as JSON; one whose tools are missing is skipped.

use crate::levels::data_dir;
use crate::measure::Spread;
use crate::table::{Row, print_row};
use serde::Deserialize;
use std::path::Path;
use std::process::Command;

/// A benchmark of a binding.
struct Benchmark {
    group: &'static str,
    peer: &'static str,
    /// From the project's folder.
    command: &'static [&'static str],
    /// Whether it takes levels as files.
    has_levels: bool,
}

const BENCHMARKS: [Benchmark; 3] = [
    Benchmark { group: "c", peer: "Rust", command: &["bindings/c/bench/run", "--json"], has_levels: false },
    Benchmark {
        group: "python",
        peer: "Rust",
        command: &["bindings/python/bench/run", "--count", "--json"],
        has_levels: false,
    },
    Benchmark {
        group: "javascript",
        peer: "recast-navigation",
        command: &["node", "bindings/js/package/bench/run.mjs", "--json"],
        has_levels: true,
    },
];

/// Levels that the npm packages bake beside a built-in one.
const LEVELS: [&str; 2] = ["nav_test", "dungeon"];

/// A row as a benchmark prints it.
#[derive(Deserialize)]
struct Printed {
    work: String,
    ours: f64,
    theirs: f64,
    unit: String,
    agrees: Option<bool>,
    note: String,
}

pub fn rows(group: &str) -> Vec<Row> {
    let wanted = BENCHMARKS.iter().filter(|benchmark| benchmark.group == group);
    let rows = wanted.flat_map(|benchmark| match run(benchmark) {
        Ok(rows) => rows,
        Err(e) => {
            eprintln!("skipped: {group}: {e}");
            Vec::new()
        }
    });
    rows.inspect(print_row).collect()
}

fn run(benchmark: &Benchmark) -> Result<Vec<Row>, String> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(benchmark.command[0]);
    command.args(&benchmark.command[1..]).current_dir(&project);
    if benchmark.has_levels {
        let folder = data_dir().map(|data| data.join("levels"));
        let files = folder.iter().flat_map(|folder| LEVELS.map(|name| folder.join(name).with_extension("obj")));
        command.args(files.filter(|file| file.exists()));
    }
    let done = command.output().map_err(|e| format!("{}: {e}", benchmark.command.join(" ")))?;
    let words = String::from_utf8_lossy(&done.stdout);
    let Some(line) = words.lines().rfind(|line| line.starts_with('[')) else {
        let told = String::from_utf8_lossy(&done.stderr);
        return Err([told.trim(), words.trim()].join(" ").trim().to_owned());
    };
    let printed: Vec<Printed> = serde_json::from_str(line).map_err(|e| e.to_string())?;
    printed.into_iter().map(|row| read(benchmark, row)).collect()
}

fn read(benchmark: &Benchmark, row: Printed) -> Result<Row, String> {
    let unit = ["ms", "µs", "kB", "instructions"].into_iter().find(|unit| *unit == row.unit);
    let ratio = row.theirs / row.ours;
    Ok(Row {
        group: benchmark.group,
        work: row.work,
        peer: benchmark.peer,
        ours: row.ours,
        theirs: row.theirs,
        unit: unit.ok_or_else(|| format!("the unit {} is not known", row.unit))?,
        // The best of several rounds on either side.
        ratio: Spread { min: ratio, median: ratio, max: ratio },
        agrees: row.agrees,
        note: row.note,
        ..Row::default()
    })
}
