//! What `wayfare blocks` prints.

use crate::output::numbers::{number, point};
use serde_json::{Value, json};
use std::fmt::Write as _;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::blocks::{BlockGridPath, BlockNav, BlockPath};

/// One query and its answers.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) path: BlockPath,
    pub(super) ms: f64,
    /// The result of plain A* and its time in milliseconds.
    pub(super) grid: Option<(BlockGridPath, f64)>,
    pub(super) edit_to_path_ms: Option<f64>,
    /// The distances of start and goal from the requested points, if an agent standing there is not at the point.
    pub(super) gaps: [Option<f32>; 2],
    /// Whether the edits have made it impossible to stand at start or goal.
    pub(super) buried: [bool; 2],
}

/// The names of start and goal.
const ENDS: [&str; 2] = ["start", "goal"];

impl Run {
    /// The first end where standing is no longer possible.
    fn buried(&self) -> Option<&'static str> {
        self.buried.iter().zip(ENDS).find_map(|(is_buried, end)| is_buried.then_some(end))
    }
}

/// A path as JSON.
fn path(run: &Run) -> Value {
    let mut json = json!({
        "status": run.path.status.to_string(),
        "points": run.path.points.iter().map(|&p| point(p)).collect::<Vec<_>>(),
        "length": number(run.path.length),
        "ms": run.ms,
        "nodes": run.path.visited,
    });
    if let Some((grid, ms)) = &run.grid {
        json["grid"] = json!({"length": number(grid.length), "nodes": grid.nodes, "ms": ms});
    }
    if let Some(ms) = run.edit_to_path_ms {
        json["edit_to_path_ms"] = ms.into();
    }
    for (gap, end) in run.gaps.iter().zip(ENDS) {
        if let Some(gap) = gap {
            json[format!("{end}_gap")] = number(*gap);
        }
    }
    if let Some(end) = run.buried() {
        json["reason"] = format!("{end}-buried").into();
    }
    if let Some(limit) = run.path.limit {
        json["limit"] = limit.to_string().into();
    }
    json
}

fn meshes(nav: &BlockNav, total: u64) -> Value {
    let stats = nav.stats();
    json!({"total": total, "built": stats.built, "connected": stats.connected, "bytes": stats.bytes})
}

/// The answer to one query.
pub(super) fn one(run: &Run, nav: &BlockNav, total: u64) -> Value {
    let mut json = path(run);
    json["meshes"] = meshes(nav, total);
    json
}

/// The answers to random queries.
pub(super) fn all(runs: &[Run], nav: &BlockNav, total: u64) -> Value {
    let runs: Vec<Value> = runs
        .iter()
        .map(|run| {
            let mut json = path(run);
            (json["from"], json["to"]) = (point(run.from), point(run.to));
            json
        })
        .collect();
    json!({"runs": runs, "meshes": meshes(nav, total)})
}

/// The text output.
pub(super) fn text(runs: &[Run], nav: &BlockNav, total: u64) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if let [run] = runs {
        for p in &run.path.points {
            let _ = writeln!(text, "{},{},{}", p.x, p.y, p.z);
        }
    }
    for run in runs {
        let result = match run.path.status {
            PathStatus::Complete => format!("a path of {:.2} m", run.path.length),
            _ => "no path".to_owned(),
        };
        let result = match run.buried() {
            Some(end) => format!("{result}: after the edits nobody can stand at the {end}"),
            None => result,
        };
        let _ = write!(text, "{result}, {} nodes, {:.3} ms", run.path.visited, run.ms);
        if run.edit_to_path_ms.is_some() {
            let _ = write!(text, " from the edits to the path");
        }
        if let Some((grid, ms)) = &run.grid {
            let found = if grid.cells.is_empty() { "no path".to_owned() } else { format!("{:.2} m", grid.length) };
            let _ = write!(text, "; plain A*: {found}, {} nodes, {ms:.3} ms", grid.nodes);
        }
        for ((gap, end), at) in run.gaps.iter().zip(ENDS).zip([run.from, run.to]) {
            if let Some(gap) = gap {
                let _ = write!(
                    text,
                    "; the standing point that was found for the {end} lies {gap:.2} m from it, at {},{},{}",
                    at.x, at.y, at.z
                );
            }
        }
        let _ = writeln!(text);
    }
    let stats = nav.stats();
    let _ = writeln!(
        text,
        "mini meshes: {total}, of which {} are built and {} of these connected; {} bytes",
        stats.built, stats.connected, stats.bytes
    );
    text
}
