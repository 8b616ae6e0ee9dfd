//! The rows of a run, as a table to read and as JSON for scripts. What is kept of them: `record.rs`.

use crate::measure::Spread;
use serde_json::{Value, json};

/// One comparison of one piece of work with one peer.
#[derive(Clone, Debug, Default)]
pub struct Row {
    pub group: &'static str,
    pub work: String,
    pub peer: &'static str,
    pub ours: f64,
    pub theirs: f64,
    pub unit: &'static str,
    /// Theirs / ours: more is better.
    pub ratio: Spread,
    /// Whether the answers are the same; `None` for a peer whose answers are known to be wrong.
    pub agrees: Option<bool>,
    /// What the peer's build is slower by than its best build, where that is known.
    pub build_factor: Option<f64>,
    /// Peak bytes, where taken.
    pub bytes: Option<(u64, u64)>,
    /// Where the answers part, or what else there is to say.
    pub note: String,
}

impl Row {
    /// The ratio against the peer's best build.
    pub fn against_best(&self) -> f64 {
        self.ratio.median / self.build_factor.unwrap_or(1.0)
    }

    fn verdict(&self) -> &'static str {
        match self.agrees {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "not judged",
        }
    }

    pub fn json(&self) -> Value {
        let mut row = json!({
            "group": self.group, "work": self.work, "peer": self.peer, "ours": self.ours, "theirs": self.theirs,
            "unit": self.unit, "ratio": self.ratio.median, "agrees": self.agrees,
            "ratio_min": self.ratio.min, "ratio_max": self.ratio.max,
        });
        if let Some(factor) = self.build_factor {
            row["build_factor"] = json!(factor);
            row["ratio_against_best_build"] = json!(self.against_best());
        }
        if let Some((ours, theirs)) = self.bytes {
            row["ours_peak_bytes"] = json!(ours);
            row["theirs_peak_bytes"] = json!(theirs);
        }
        if !self.note.is_empty() {
            row["note"] = json!(self.note);
        }
        row
    }
}

pub fn number(x: f64) -> String {
    if x >= 100.0 {
        format!("{x:.0}")
    } else if x >= 1.0 {
        format!("{x:.2}")
    } else {
        format!("{x:.4}")
    }
}

/// A ratio is not shown where the answers differ: what is measured then is not the same work.
fn ratio(row: &Row, x: f64) -> String {
    if row.agrees == Some(false) { "answers differ".into() } else { format!("{x:.2}") }
}

pub fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}

/// Prints one row to read.
pub fn print_row(row: &Row) {
    let memory = row.bytes.map_or(String::new(), |(o, t)| format!("  {} / {} MiB", mib(o), mib(t)));
    let best = row.build_factor.map_or(String::new(), |_| format!("  best build {}", ratio(row, row.against_best())));
    let spread = match row.agrees {
        Some(false) => String::new(),
        _ => format!(" ({:.2}..{:.2})", row.ratio.min, row.ratio.max),
    };
    eprintln!(
        "{:<11} {:<44} {:<17} {:>9} {:>9} {:<3} x {}{spread}{best}{memory}  agrees: {}{}{}",
        row.group,
        row.work,
        row.peer,
        number(row.ours),
        number(row.theirs),
        row.unit,
        ratio(row, row.ratio.median),
        row.verdict(),
        if row.note.is_empty() { "" } else { "; " },
        row.note
    );
}

/// The geometric mean of the ratios that are judged, by group.
pub fn means(rows: &[Row]) -> Vec<(&'static str, usize, f64)> {
    let mut means: Vec<(&'static str, usize, f64)> = Vec::new();
    for row in rows.iter().filter(|r| r.agrees == Some(true)) {
        let at = means.iter().position(|m| m.0 == row.group).unwrap_or_else(|| {
            means.push((row.group, 0, 0.0));
            means.len() - 1
        });
        means[at].1 += 1;
        means[at].2 += row.ratio.median.max(1e-9).ln();
    }
    means.iter_mut().for_each(|m| m.2 = (m.2 / m.1 as f64).exp());
    means
}
