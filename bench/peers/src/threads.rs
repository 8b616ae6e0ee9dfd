//! Group `threads`: tiled bakes on as many threads as there are, beside ours on one. They are run by the program
//! `threads`, since this one is built without threads.

use crate::Options;
use crate::measure::Rounds;
use crate::table::{Row, print_row};
use serde_json::Value;
use std::process::Command;

/// Levels of many tiles; the last has a million triangles.
const SCENES: [&str; 3] = ["city", "terrain?size=224", "terrain?size=708"];

pub fn rows(options: &Options) -> Vec<Row> {
    let wanted = SCENES.iter().filter(|spec| options.wants(&format!("scene:{spec}")));
    let rows = wanted.filter_map(|spec| match run(spec, if options.quick { 3 } else { 9 }) {
        Ok(row) => Some(row),
        Err(e) => {
            eprintln!("skipped: threads on {spec}: {e}");
            None
        }
    });
    rows.inspect(print_row).collect()
}

fn run(spec: &str, rounds: usize) -> Result<Row, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?.with_file_name("threads");
    let done = Command::new(&program).args([spec, &rounds.to_string()]).output();
    let done = done.map_err(|e| format!("{}: {e}", program.display()))?;
    if !done.status.success() {
        return Err(String::from_utf8_lossy(&done.stderr).trim().to_owned());
    }
    let told: Value = serde_json::from_slice(&done.stdout).map_err(|e| e.to_string())?;
    let times = |name: &str| told[name].as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    let number = |name: &str| told[name].as_u64().unwrap_or(0);
    let rounds = Rounds(vec![times("all"), times("one"), times("apart")]);
    let (all, one) = (rounds.of(0).median, rounds.of(1).median);
    // As many separate bakes take as long as one where threads do not hold one another up at all.
    let most = rounds.ratio(2, 1).median * number("threads") as f64;
    let tiles = number("tiles");
    let a_second = |seconds: f64| (tiles as f64 / seconds).round();
    Ok(Row {
        group: "threads",
        work: format!(
            "scene:{spec} tiled, {} triangles, {tiles} tiles, {} threads",
            number("triangles"),
            number("threads")
        ),
        peer: "one thread",
        ours: all * 1e3,
        theirs: one * 1e3,
        unit: "ms",
        ratio: rounds.ratio(0, 1),
        agrees: told["equal"].as_bool(),
        bytes: Some((number("peak_all"), number("peak_one"))),
        note: format!(
            "{} tiles a second, on one thread {}; separate bakes side by side: {most:.2} times one",
            a_second(all),
            a_second(one)
        ),
        ..Row::default()
    })
}
