//! Measures how long the queries of each op take: `--bench`.
//!
//! The queries of an op are run as one batch, repeatedly, until a second has passed; the time of one query is the
//! batch's time divided by its size. Parsing, snapping and printing are done outside and are not counted.

use super::command::Asked;
use crate::output::numbers::at_share;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};
use wayfare::mesh::NavMesh;
use wayfare::query::SearchScratch;

const ENOUGH: Duration = Duration::from_secs(1);

/// Measures every op that was used, and prints the times on standard error.
pub(super) fn report(asked: &mut [Asked], mesh: &NavMesh, scratch: &mut SearchScratch, as_json: bool) {
    let mut by_op: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, question) in asked.iter().enumerate().filter(|(_, a)| a.question.is_ok()) {
        by_op.entry(question.op.clone()).or_default().push(i);
    }
    let mut rows = Vec::new();
    for (op, members) in by_op {
        let times = measure(asked, &members, mesh, scratch);
        let at = |share| at_share(&times, share).unwrap_or_default();
        rows.push((op, members.len(), at(0.5), at(0.99)));
    }
    let mut text = String::new();
    if as_json {
        let list: Vec<_> = rows
            .iter()
            .map(|(op, count, median, p99)| json!({"op": op, "count": count, "ns_median": median, "ns_p99": p99}))
            .collect();
        text = format!("{}\n", json!({ "bench": list }));
    } else {
        text.push_str("op, count, ns_median, ns_p99\n");
        for (op, count, median, p99) in rows {
            text.push_str(&format!("{op}, {count}, {median:.0}, {p99:.0}\n"));
        }
    }
    // If standard error is closed, there is nobody to report to.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Nanoseconds per query, one value per batch, ascending; at least one.
fn measure(asked: &mut [Asked], members: &[usize], mesh: &NavMesh, scratch: &mut SearchScratch) -> Vec<f64> {
    let mut times = Vec::new();
    let began = Instant::now();
    while times.is_empty() || began.elapsed() < ENOUGH {
        let batch = Instant::now();
        for &i in members {
            if let Ok(question) = &mut asked[i].question {
                question.run(mesh, scratch);
            }
        }
        times.push(batch.elapsed().as_nanos() as f64 / members.len() as f64);
    }
    times.sort_by(f64::total_cmp);
    times
}
