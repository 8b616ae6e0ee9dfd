//! What is kept of a run: a CSV file for each group, and from them the tables of the manual, the figures of the README
//! and the picture. Groups that a run leaves out keep what was recorded of them before.

use crate::chart;
use crate::table::{Row, mib, number};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Every group, in the order in which it is told: its name, its title, and whether it stands in the README and the
/// picture. Single stages and comparisons with ourselves stand in the manual alone.
const GROUPS: [(&str, &str, bool); 16] = [
    ("bake", "Baking", true),
    ("bake-stage", "Baking, stage by stage", false),
    ("threads", "Baking on all threads, compared with one", false),
    ("query", "Queries", true),
    ("tiles", "Tiles at run time", true),
    ("dynamic", "Obstacles", true),
    ("optimal", "Shortest paths in any direction", true),
    ("baked", "Shortest paths on baked levels, compared with our corridor search", false),
    ("crowd", "Crowds", true),
    ("trials", "Crowds at the trials: how well they walk", false),
    ("blocks", "Worlds of blocks", false),
    ("grid", "Local grids", false),
    ("hull", "Convex hulls", true),
    ("javascript", "In JavaScript", true),
    ("python", "From Python, compared with the same loop in Rust", false),
    ("c", "From C, compared with the same loop in Rust", false),
];

/// A row as it stands in a file.
#[derive(Serialize, Deserialize)]
pub struct Record {
    group: String,
    pub work: String,
    pub peer: String,
    ours: f64,
    theirs: f64,
    unit: String,
    /// Theirs / ours.
    pub ratio: f64,
    ratio_min: f64,
    ratio_max: f64,
    ratio_best_build: Option<f64>,
    ours_peak_bytes: Option<u64>,
    theirs_peak_bytes: Option<u64>,
    /// Empty for a peer whose answers are known to be wrong.
    pub agrees: Option<bool>,
    note: String,
}

impl From<&Row> for Record {
    fn from(row: &Row) -> Self {
        let round = |x: f64, digits: i32| (x * 10f64.powi(digits)).round() / 10f64.powi(digits);
        Self {
            group: row.group.into(),
            work: row.work.clone(),
            peer: row.peer.into(),
            ours: round(row.ours, 6),
            theirs: round(row.theirs, 6),
            unit: row.unit.into(),
            ratio: round(row.ratio.median, 3),
            ratio_min: round(row.ratio.min, 3),
            ratio_max: round(row.ratio.max, 3),
            ratio_best_build: row.build_factor.map(|_| round(row.against_best(), 3)),
            ours_peak_bytes: row.bytes.map(|b| b.0),
            theirs_peak_bytes: row.bytes.map(|b| b.1),
            agrees: row.agrees,
            note: row.note.clone(),
        }
    }
}

/// The rows of one group, with the machine and the date that they were measured on.
pub struct Group {
    pub title: &'static str,
    /// Whether it stands in the README and the picture.
    pub shown: bool,
    machine: String,
    pub rows: Vec<Record>,
}

/// Where everything is kept, beside this crate and in the project.
pub struct Places {
    results: PathBuf,
    manual: PathBuf,
    readme: PathBuf,
    picture: PathBuf,
}

impl Places {
    /// Those of the project whose folder `bench/peers` is `here`.
    pub fn of(here: &Path) -> Self {
        let project = here.join("../..");
        Self {
            results: here.join("results"),
            manual: project.join("docs/measurements.md"),
            readme: project.join("README.md"),
            picture: project.join("docs/pictures/peers.svg"),
        }
    }

    /// Keeps the rows of a run, and renews all that is made of what was kept.
    pub fn record(&self, machine: &str, date: &str, rows: &[Row]) -> Result<(), String> {
        fs::create_dir_all(&self.results).map_err(|e| told(&self.results, e))?;
        for (group, ..) in GROUPS {
            let mine: Vec<&Row> = rows.iter().filter(|r| r.group == group).collect();
            if !mine.is_empty() {
                write_group(&self.results.join(format!("{group}.csv")), machine, date, &mine)?;
            }
        }
        let groups: Vec<Group> =
            GROUPS.iter().filter_map(|&(name, title, shown)| self.read_group(name, title, shown)).collect();
        between_marks(&self.manual, &groups.iter().map(table).collect::<String>())?;
        between_marks(&self.readme, &summary(&groups))?;
        svg::save(&self.picture, &chart::picture(&groups)).map_err(|e| told(&self.picture, e))
    }

    fn read_group(&self, name: &str, title: &'static str, shown: bool) -> Option<Group> {
        let text = fs::read_to_string(self.results.join(format!("{name}.csv"))).ok()?;
        let machine = text.lines().next()?.trim_start_matches("# ").to_owned();
        let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
        let rows = reader.deserialize().collect::<Result<_, _>>();
        match rows {
            Ok(rows) => Some(Group { title, shown, machine, rows }),
            Err(e) => {
                eprintln!("results/{name}.csv is left out: {e}");
                None
            }
        }
    }
}

fn told(path: &Path, e: impl std::fmt::Display) -> String {
    format!("{}: {e}", path.display())
}

fn write_group(file: &Path, machine: &str, date: &str, rows: &[&Row]) -> Result<(), String> {
    let mut csv = csv::Writer::from_writer(format!("# {machine}; {date}\n").into_bytes());
    for row in rows {
        csv.serialize(Record::from(*row)).map_err(|e| told(file, e))?;
    }
    let bytes = csv.into_inner().map_err(|e| told(file, e))?;
    fs::write(file, bytes).map_err(|e| told(file, e))
}

const BEGIN: &str = "<!-- peers: begin (written by bench/peers/run --record) -->";
const END: &str = "<!-- peers: end -->";

/// Puts `section` between the marks of a document.
fn between_marks(document: &Path, section: &str) -> Result<(), String> {
    let old = fs::read_to_string(document).map_err(|e| told(document, e))?;
    let (Some(begin), Some(end)) = (old.find(BEGIN), old.find(END)) else {
        return Err(told(document, format!("there are no lines `{BEGIN}` and `{END}`")));
    };
    let new = format!("{}{BEGIN}\n\n{section}{}", &old[..begin], &old[end..]);
    fs::write(document, new).map_err(|e| told(document, e))
}

impl Group {
    /// The peers of this group, in the order of their rows, each with its ratios that count: those whose answers agree.
    pub fn peers(&self) -> Vec<(&str, Vec<&Record>)> {
        let mut peers: Vec<(&str, Vec<&Record>)> = Vec::new();
        for row in self.rows.iter().filter(|r| r.agrees == Some(true)) {
            match peers.iter_mut().find(|(peer, _)| *peer == row.peer) {
                Some((_, rows)) => rows.push(row),
                None => peers.push((&row.peer, vec![row])),
            }
        }
        peers
    }
}

/// The geometric mean of ratios.
pub fn mean<'a>(rows: impl IntoIterator<Item = &'a Record>) -> f64 {
    let (mut logs, mut count) = (0.0, 0.0);
    for row in rows {
        logs += row.ratio.max(1e-9).ln();
        count += 1.0;
    }
    f64::exp(logs / f64::max(count, 1.0))
}

/// A line for each group and peer: the README's figures.
fn summary(groups: &[Group]) -> String {
    let mut text = String::from(
        "| | against | benchmarks | times as fast (geometric mean) | lowest | highest |\n|---|---|---|---|---|---|\n",
    );
    for group in groups.iter().filter(|g| g.shown) {
        for (peer, rows) in group.peers() {
            let ratios = || rows.iter().map(|r| r.ratio);
            let (lowest, highest) = (ratios().fold(f64::MAX, f64::min), ratios().fold(0.0, f64::max));
            let mean = mean(rows.iter().copied());
            text +=
                &format!("| {} | {peer} | {} | {mean:.2} | {lowest:.2} | {highest:.2} |\n", group.title, rows.len());
        }
    }
    text + "\n"
}

/// All rows of a group: the manual's tables.
fn table(group: &Group) -> String {
    let mut table = format!(
        "## {}\n\nMeasured on {}. Ratios are theirs / ours: more is better.\n\n| work | peer | ours | theirs | ratio (lowest … highest) | against the best build | peak memory, ours / theirs | answers agree |\n|---|---|---|---|---|---|---|---|\n",
        group.title, group.machine
    );
    for r in &group.rows {
        let agrees = match r.agrees {
            Some(true) if r.note.is_empty() => "yes".to_string(),
            Some(true) => format!("yes; {}", r.note),
            Some(false) => format!("**no**: {}", r.note),
            None => format!("not judged: {}", r.note),
        };
        // What is measured where answers differ is not the same work.
        let ratio = |x: Option<f64>| match x {
            Some(x) if r.agrees != Some(false) => format!("{x:.2}"),
            _ => "–".into(),
        };
        let memory = match (r.ours_peak_bytes, r.theirs_peak_bytes) {
            (Some(ours), Some(theirs)) => format!("{} / {} MiB", mib(ours), mib(theirs)),
            _ => "–".into(),
        };
        table += &format!(
            "| {} | {} | {} {unit} | {} {unit} | {} ({} … {}) | {} | {memory} | {agrees} |\n",
            r.work,
            r.peer,
            number(r.ours),
            number(r.theirs),
            ratio(Some(r.ratio)),
            ratio(Some(r.ratio_min)),
            ratio(Some(r.ratio_max)),
            ratio(r.ratio_best_build),
            unit = r.unit,
        );
    }
    let judged: Vec<&Record> = group.rows.iter().filter(|r| r.agrees == Some(true)).collect();
    if !judged.is_empty() {
        let (count, mean) = (judged.len(), mean(judged));
        table += &format!("\nGeometric mean of the {count} ratios whose answers agree: {mean:.2}.\n");
    }
    table + "\n"
}
