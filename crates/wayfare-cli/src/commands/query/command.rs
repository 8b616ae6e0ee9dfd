//! The command: reads a batch, at once or line by line, and answers it in order.

use super::bench;
use super::line::Line;
use super::ops::{self, Question, Shared};
use super::stored::{self, Stored};
use crate::dash::{self, is_dash};
use crate::failure::{Answer, Failure, Result};
use crate::input::mesh_file;
use crate::input::store_file::is_store_path;
use crate::options::{Residency, json_lines};
use crate::output::{Kind, atomic_file, targets};
use crate::terminal::Terminal;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::BufRead;
use std::path::PathBuf;
use wayfare::mesh::NavMesh;
use wayfare::query::{CostOverlay, SearchScratch};

/// Answer a file of queries
#[derive(Args, Debug)]
#[command(after_help = "One JSON object a line; the answers have the same ids and the same order.
Ops, and what they ask with: nearest, height, segments: point; wall: point, max_radius; around, neighbourhood: point, radius; path,
reachable, raycast, move: start, end; bounds_path: start, min, max; random: seed, count.
Examples:
  echo '{\"id\": 1, \"op\": \"nearest\", \"point\": [1, 0, 2]}' | wayfare query level.way --batch -
  echo '{\"id\": 2, \"op\": \"path\", \"start\": [1, 0, 2], \"end\": [30, 0, -8]}' |
    wayfare query level.way --batch -
  wayfare query level.way --batch questions.jsonl --out answers.jsonl --bench")]
pub(crate) struct Query {
    /// A .way file or another tool's mesh; - for standard input
    mesh: PathBuf,
    /// The queries, one JSON object per line; - for standard input, answered line by line
    #[arg(long, value_name = "FILE")]
    batch: PathBuf,
    /// The file for the answers; - for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Repeat the queries of each op for a second and print the time of one
    #[arg(long)]
    bench: bool,
    /// Print the times of --bench as JSON
    #[arg(long, requires = "bench")]
    json: bool,
    #[command(flatten)]
    residency: Residency,
}

/// A line of the batch, valid or not.
pub(super) struct Asked {
    id: Value,
    pub(super) op: String,
    pub(super) question: std::result::Result<Box<dyn Question>, String>,
    /// Further fields of the answer, about positions away from their points.
    remarks: Map<String, Value>,
}

impl Query {
    pub(crate) fn run(self) -> Result<Answer> {
        targets::check(&[(&self.out, Kind::Answers)], [self.batch.as_path(), self.mesh.as_path()])?;
        if [&self.mesh, &self.batch].iter().all(|path| is_dash(path)) {
            return Err(Failure::new("the mesh and the batch cannot both be standard input: give one of them a file"));
        }
        self.residency.check(&self.mesh)?;
        self.residency
            .check_partial(self.bench.then_some("--bench times questions to a mesh in memory: leave out --bench"))?;
        let is_live = is_dash(&self.batch) && is_dash(&self.out) && !self.bench;
        let batch = if is_live { None } else { Some(dash::read(&self.batch)?) };
        let is_partial = is_store_path(&self.mesh)
            && !self.bench
            && (self.residency.is_given() || batch.as_deref().is_some_and(stored::can_answer));
        let misunderstood = if is_partial {
            let mut stored = Stored::open(&self.mesh, self.residency)?;
            match &batch {
                Some(batch) => {
                    let (answers, understood): (Vec<String>, Vec<bool>) =
                        json_lines::numbered(batch).map(|line| stored.answer(line)).unzip();
                    atomic_file::write(&self.out, answers.concat().as_bytes())?;
                    understood.iter().filter(|is_understood| !**is_understood).count() as u64
                }
                None => converse(|line| stored.answer(line))?,
            }
        } else {
            let mesh = mesh_file::read(&self.mesh)?;
            let (mut scratch, mut shared) = (SearchScratch::new(), Shared::default());
            match &batch {
                Some(batch) => self.answer_batch(batch, &mesh, &mut scratch)?,
                None => converse(|line| {
                    let mut asked = understand(line, &mesh, &mut shared);
                    (asked.answer(&mesh, &mut scratch), asked.question.is_ok())
                })?,
            }
        };
        match misunderstood {
            0 => Ok(Answer::Yes),
            1 => Err(Failure::new("1 question could not be understood: its answer says why")),
            n => Err(Failure::new(format_args!("{n} questions could not be understood: their answers say why"))),
        }
    }

    /// Runs all queries of a batch, then prints all answers. Returns how many queries were invalid.
    fn answer_batch(&self, batch: &[u8], mesh: &NavMesh, scratch: &mut SearchScratch) -> Result<u64> {
        let mut shared = Shared::default();
        let mut asked: Vec<Asked> =
            json_lines::numbered(batch).map(|line| understand(line, mesh, &mut shared)).collect();
        // With --bench, standard error is for the times.
        let count = asked.len() as u64;
        let bar = Terminal::new(self.bench).bar("answering", count);
        let mut answers = String::new();
        for (done, asked) in (1..).zip(&mut asked) {
            answers.push_str(&asked.answer(mesh, scratch));
            bar.set(done, count);
        }
        drop(bar);
        atomic_file::write(&self.out, answers.as_bytes())?;
        if self.bench {
            bench::report(&mut asked, mesh, scratch, self.json);
        }
        Ok(asked.iter().filter(|asked| asked.question.is_err()).count() as u64)
    }
}

/// Answers every query as it arrives, for programs that send one after the other. Returns how many were invalid.
/// `answer` gives the answer to a line, and whether it was valid.
fn converse(mut answer: impl FnMut((u64, &[u8])) -> (String, bool)) -> Result<u64> {
    let mut misunderstood = 0;
    // Bytes, not text: a line that is not UTF-8 is invalid, and the rest continues.
    for (number, line) in (1..).zip(std::io::stdin().lock().split(b'\n')) {
        let line = line.map_err(|e| Failure::io("standard input", &e))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (answer, is_understood) = answer((number, &line));
        misunderstood += u64::from(!is_understood);
        atomic_file::print(answer.as_bytes())?;
    }
    Ok(misunderstood)
}

/// The answer to one line of a batch by its number and its text, where metres cost more as overlays say, and whether it
/// could be understood: for commands that are asked between other operations.
pub(in crate::commands) fn answer_line(
    line: (u64, &[u8]),
    mesh: &NavMesh,
    overlays: Vec<CostOverlay>,
    scratch: &mut SearchScratch,
) -> (Map<String, Value>, bool) {
    let mut asked = understand(line, mesh, &mut Shared::under(overlays));
    (asked.fields(mesh, scratch), asked.question.is_ok())
}

impl Asked {
    /// The answer, one line of JSON.
    fn answer(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) -> String {
        format!("{}\n", Value::Object(self.fields(mesh, scratch)))
    }

    fn fields(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) -> Map<String, Value> {
        let mut answer = match &mut self.question {
            Ok(question) => {
                question.run(mesh, scratch);
                let mut answer = question.answer();
                answer.extend(self.remarks.clone());
                answer
            }
            Err(message) => Map::from_iter([("error".to_owned(), json!(message))]),
        };
        answer.insert("id".to_owned(), self.id.clone());
        answer
    }
}

/// Parses a line, given its number and its text.
fn understand((number, text): (u64, &[u8]), mesh: &NavMesh, shared: &mut Shared) -> Asked {
    let (id, op, line) = parse(text);
    let mut remarks = Map::new();
    let question = line.and_then(|line| ops::question(&line, mesh, shared, &mut remarks));
    Asked { id, op, question: question.map_err(|message| format!("line {number}: {message}")), remarks }
}

/// The id and the op of a line, and its fields if it can be understood.
pub(super) fn parse(text: &[u8]) -> (Value, String, std::result::Result<Line, String>) {
    // The byte order mark that some editors put before the first line.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(e) => return (Value::Null, String::new(), Err(format!("is not JSON: {}", json_lines::in_line(&e)))),
    };
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    let op = value.get("op").and_then(Value::as_str).unwrap_or_default().to_owned();
    (id, op, Line::read(text))
}
