//! Group `optimal`: shortest paths in any direction on the meshes of Polyanya's own tests, beside the published crate.
//!
//! Both get the same polygons and the same questions, places on the plane, and find the polygons themselves. The meshes
//! `arena` and `aurora` come with the crate's source, the others are the maps of `../shared/data/paths`, with their
//! optima.

use crate::Options;
use crate::levels::data_dir;
use crate::measure::{Effort, in_turns, seconds};
use crate::table::{Row, print_row};
use polyanya::{Mesh, PolyanyaFile};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, OptimalPath, PathRequest, SearchScratch, find_nearest, find_optimal_path_into};
use wayfare::tile::{SourcePoly, TileSource, build_tile};

/// Questions of one work: enough for a mean that stands still, few enough for a run of a minute.
const QUESTIONS: usize = 400;

/// A mesh file and questions.
struct Work {
    name: String,
    mesh: PathBuf,
    questions: Vec<Question>,
}

#[derive(Clone, Copy)]
struct Question {
    start: [f32; 2],
    goal: [f32; 2],
    /// The published length, if it is of any direction.
    optimum: Option<f64>,
}

pub fn rows(options: &Options) -> Vec<Row> {
    let mut works = of_the_crate();
    works.extend(of_the_maps());
    let wanted = |work: &&Work| match &options.only {
        Some(_) => options.wants(&work.name),
        None => !options.quick || ["arena", "dao/arena", "da2/ht_chantry"].contains(&work.name.as_str()),
    };
    works.iter().filter(wanted).filter_map(|work| row(options, work)).collect()
}

fn row(options: &Options, work: &Work) -> Option<Row> {
    let file = PolyanyaFile::from_file(work.mesh.to_str()?);
    let nav = match nav_mesh(&file) {
        Ok(nav) => nav,
        Err(e) => {
            eprintln!("skipped: {}: {e}", work.name);
            return None;
        }
    };
    let theirs: Mesh = match file.try_into() {
        Ok(mesh) => mesh,
        Err(e) => {
            eprintln!("skipped: {} in polyanya: {e:?}", work.name);
            return None;
        }
    };
    let mut ours =
        Ours { nav, filter: DefaultFilter::default(), scratch: SearchScratch::new(), path: OptimalPath::default() };
    let asked = &work.questions;
    let good = asked.iter().filter(|q| agrees(q, ours.length(q), length(&theirs, q))).count();
    let once = seconds(|| asked.iter().for_each(|q| _ = black_box(length(&theirs, q)))).1;
    let passes = ((3e-3 / once) as usize).clamp(1, 100);
    let mut run_ours = || {
        seconds(|| (0..passes).for_each(|_| asked.iter().for_each(|q| _ = black_box(ours.length(q))))).1 / passes as f64
    };
    let mut run_theirs = || {
        let all = || asked.iter().for_each(|q| _ = black_box(length(&theirs, q)));
        seconds(|| (0..passes).for_each(|_| all())).1 / passes as f64
    };
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    let per = 1e6 / asked.len().max(1) as f64;
    let row = Row {
        group: "optimal",
        work: work.name.clone(),
        peer: "polyanya",
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        unit: "µs",
        ratio: rounds.ratio(0, 1),
        agrees: Some(good as f64 >= asked.len() as f64 * 0.995),
        note: if good == asked.len() { String::new() } else { format!("{good} of {} answers as good", asked.len()) },
        ..Row::default()
    };
    print_row(&row);
    Some(row)
}

/// An answer of ours is right if it has the published length; where none is published, if it is as long as the crate's,
/// which computes in f32 with some slack.
fn agrees(question: &Question, ours: Option<f64>, theirs: Option<f64>) -> bool {
    match (ours, question.optimum.or(theirs)) {
        (Some(ours), Some(right)) => {
            let slack = if question.optimum.is_some() { 1e-4 } else { 1e-3 };
            (ours - right).abs() <= slack * (1.0 + right)
        }
        (ours, right) => ours.is_none() == right.is_none(),
    }
}

fn length(mesh: &Mesh, q: &Question) -> Option<f64> {
    let [start, goal] = [q.start, q.goal].map(|[x, y]| glam_of_polyanya::Vec2::new(x, y));
    mesh.path(start, goal).map(|path| f64::from(path.length))
}

/// Our side, with its memory.
struct Ours {
    nav: NavMesh,
    filter: DefaultFilter,
    scratch: SearchScratch,
    path: OptimalPath,
}

impl Ours {
    fn length(&mut self, q: &Question) -> Option<f64> {
        let place = |[x, y]: [f32; 2]| {
            let half = Vec3::new(1e-3, 1.0, 1e-3);
            find_nearest(&self.nav, Vec3::new(x, 0.0, y), half, &self.filter).map(|found| found.place())
        };
        let request = PathRequest::new(place(q.start)?, place(q.goal)?);
        find_optimal_path_into(&self.nav, &request, &self.filter, &mut self.scratch, &mut self.path).ok()?;
        (self.path.path.status == PathStatus::Complete).then_some(f64::from(self.path.straight.length))
    }
}

/// The same polygons as a mesh of ours.
fn nav_mesh(file: &PolyanyaFile) -> Result<NavMesh, String> {
    let verts: Vec<Vec3> = file.vertices.iter().map(|v| Vec3::new(v.coords.x, 0.0, v.coords.y)).collect();
    let corners: Vec<u32> = file.polygons.iter().flat_map(|p| p.vertices.iter().copied()).collect();
    let poly = |count: usize| SourcePoly { count: count as u16, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
    let polys: Vec<SourcePoly> = file.polygons.iter().map(|p| poly(p.vertices.len())).collect();
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    let tile = build_tile(&source).map_err(|e| e.to_string())?;
    NavMesh::from_tile(tile).map_err(|e| e.to_string())
}

/// The meshes that come with the crate's source, if cargo has it.
fn of_the_crate() -> Vec<Work> {
    let Some(dir) = crate_dir() else {
        eprintln!("skipped: the source of the crate polyanya was not found: only the maps are measured");
        return Vec::new();
    };
    let mut works = Vec::new();
    for name in ["arena", "arena-merged", "aurora", "aurora-merged"] {
        let scenario = dir.join("scenarios").join(format!("{}.scen", name.trim_end_matches("-merged")));
        let Ok(text) = std::fs::read_to_string(&scenario) else { continue };
        let questions = text.lines().skip(1).filter_map(|line| {
            let f: Vec<f32> = line.split_whitespace().skip(4).filter_map(|word| word.parse().ok()).collect();
            // The length in the file is that of a path over a grid in eight directions.
            let &[x, y, to_x, to_y, _] = &f[..] else { return None };
            Some(Question { start: [x, y], goal: [to_x, to_y], optimum: None })
        });
        let mesh = dir.join("meshes/v2").join(format!("{name}.mesh"));
        works.push(Work { name: name.into(), mesh, questions: some_of(questions.collect()) });
    }
    works
}

fn crate_dir() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry/src")).ok()?;
    registries.flatten().map(|entry| entry.path().join("polyanya-0.18.0")).find(|dir| dir.join("meshes/v2").is_dir())
}

/// The maps of the shared data that have a mesh and optima.
fn of_the_maps() -> Vec<Work> {
    let Some(dir) = data_dir().map(|d| d.join("paths")) else { return Vec::new() };
    let mut works = Vec::new();
    for suite in ["dao", "da2", "bgmaps", "sc1"] {
        let Ok(entries) = std::fs::read_dir(dir.join(suite)) else { continue };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        files.sort();
        for mesh in files.iter().filter(|file| file.extension().is_some_and(|x| x == "mesh")) {
            let stem = mesh.file_stem().and_then(|s| s.to_str()).unwrap_or_default().trim_end_matches("-merged");
            let Ok(text) = std::fs::read_to_string(dir.join(suite).join(format!("{stem}.anyangle.csv"))) else {
                continue;
            };
            let questions = text.lines().skip(1).filter_map(|line| {
                let f: Vec<f64> = line.split(',').filter_map(|word| word.parse().ok()).collect();
                let &[_, x, y, to_x, to_y, optimum, _, ambiguous] = &f[..] else { return None };
                let place = |x: f64, y: f64| [x as f32, y as f32];
                let question = Question { start: place(x, y), goal: place(to_x, to_y), optimum: Some(optimum) };
                (ambiguous != 1.0).then_some(question)
            });
            works.push(Work {
                name: format!("{suite}/{stem}"),
                mesh: mesh.clone(),
                questions: some_of(questions.collect()),
            });
        }
    }
    works
}

/// Every so manieth question.
fn some_of(questions: Vec<Question>) -> Vec<Question> {
    let step = (questions.len() / QUESTIONS).max(1);
    questions.into_iter().step_by(step).collect()
}
