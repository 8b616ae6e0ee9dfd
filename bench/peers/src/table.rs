//! The rows of a run, and the ways they are written down: a table to read, JSON for scripts, CSV for the record.

use crate::measure::Spread;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

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

fn number(x: f64) -> String {
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

fn mib(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / (1024.0 * 1024.0))
}

/// Prints one row to read.
pub fn print_row(row: &Row) {
    let memory = row.bytes.map_or(String::new(), |(o, t)| format!("  {} / {} MiB", mib(o), mib(t)));
    let best = row.build_factor.map_or(String::new(), |_| format!("  best build {}", ratio(row, row.against_best())));
    eprintln!(
        "{:<11} {:<44} {:<17} {:>9} {:>9} {:<3} x {} ({:.2}..{:.2}){best}{memory}  agrees: {}{}{}",
        row.group,
        row.work,
        row.peer,
        number(row.ours),
        number(row.theirs),
        row.unit,
        ratio(row, row.ratio.median),
        row.ratio.min,
        row.ratio.max,
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

/// Writes one CSV file per group.
pub fn write_csv(dir: &Path, machine: &str, date: &str, rows: &[Row]) -> std::io::Result<()> {
    std::fs::create_dir_all(dir)?;
    let mut groups: Vec<&str> = rows.iter().map(|r| r.group).collect();
    groups.dedup();
    for group in groups {
        let mut file = std::fs::File::create(dir.join(format!("{group}.csv")))?;
        writeln!(file, "# {machine}; {date}")?;
        writeln!(
            file,
            "group,work,peer,ours,theirs,unit,ratio,ratio_min,ratio_max,ratio_best_build,ours_peak_bytes,theirs_peak_bytes,agrees,note"
        )?;
        for r in rows.iter().filter(|r| r.group == group) {
            let bytes = |f: fn((u64, u64)) -> u64| r.bytes.map_or(String::new(), |b| f(b).to_string());
            writeln!(
                file,
                "{},{},{},{:.6},{:.6},{},{:.3},{:.3},{:.3},{},{},{},{},{}",
                r.group,
                r.work.replace(',', ";"),
                r.peer,
                r.ours,
                r.theirs,
                r.unit,
                r.ratio.median,
                r.ratio.min,
                r.ratio.max,
                r.build_factor.map_or(String::new(), |_| format!("{:.3}", r.against_best())),
                bytes(|b| b.0),
                bytes(|b| b.1),
                r.agrees.map_or("null".into(), |a| a.to_string()),
                r.note.replace(',', ";")
            )?;
        }
    }
    Ok(())
}

const BEGIN: &str = "<!-- peers: begin (written by bench/peers/run --record) -->";
const END: &str = "<!-- peers: end -->";

/// Writes what the CSV files say between the markers of a document. The document is made if it is not there.
pub fn write_docs(csv_dir: &Path, doc: &Path) -> Result<(), String> {
    let text = |e: std::io::Error| format!("{}: {e}", doc.display());
    let old = if doc.exists() {
        std::fs::read_to_string(doc).map_err(text)?
    } else {
        format!("# Performance\n\n{BEGIN}\n{END}\n")
    };
    let (Some(begin), Some(end)) = (old.find(BEGIN), old.find(END)) else {
        return Err(format!("{} has no lines `{BEGIN}` and `{END}`", doc.display()));
    };
    let mut section = String::new();
    for (group, title) in GROUPS {
        if let Ok(csv) = std::fs::read_to_string(csv_dir.join(format!("{group}.csv"))) {
            section += &group_section(title, &csv);
        }
    }
    let new = format!("{}{BEGIN}\n\n{section}{}", &old[..begin], &old[end..]);
    std::fs::write(doc, new).map_err(text)
}

const GROUPS: [(&str, &str); 5] = [
    ("bake", "Baking"),
    ("bake-stage", "Baking, stage by stage"),
    ("query", "Queries"),
    ("optimal", "Shortest paths in any direction"),
    ("crowd", "Crowds"),
];

fn group_section(title: &str, csv: &str) -> String {
    let mut lines = csv.lines();
    let machine = lines.next().unwrap_or_default().trim_start_matches("# ");
    let mut table = format!(
        "### {title}\n\nMeasured on {machine}. Ratios are theirs / ours: more is better.\n\n| work | peer | ours | theirs | ratio (least … greatest) | against the best build | peak memory, ours / theirs | answers agree |\n|---|---|---|---|---|---|---|---|\n"
    );
    let (mut logs, mut judged) = (0.0, 0);
    for line in lines.skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        if f.len() < 14 {
            continue;
        }
        let value = |i: usize| f[i].parse::<f64>().unwrap_or_default();
        let agrees = match f[12] {
            "true" => "yes".to_string(),
            "false" => format!("**no**: {}", f[13]),
            _ => format!("not judged: {}", f[13]),
        };
        let ratio =
            |i: usize| if f[12] == "false" || f[i].is_empty() { "–".into() } else { format!("{:.2}", value(i)) };
        if f[12] == "true" {
            logs += value(6).max(1e-9).ln();
            judged += 1;
        }
        let memory = if f[10].is_empty() {
            "–".into()
        } else {
            format!("{} / {} MiB", mib(value(10) as u64), mib(value(11) as u64))
        };
        table += &format!(
            "| {} | {} | {} {} | {} {} | {} ({} … {}) | {} | {memory} | {agrees} |\n",
            f[1],
            f[2],
            number(value(3)),
            f[5],
            number(value(4)),
            f[5],
            ratio(6),
            ratio(7),
            ratio(8),
            ratio(9),
        );
    }
    if judged > 0 {
        table += &format!(
            "\nGeometric mean of the {judged} ratios whose answers agree: {:.2}.\n",
            (logs / f64::from(judged)).exp()
        );
    }
    table + "\n"
}
