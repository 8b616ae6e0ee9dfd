//! Group `query`: the same questions on the same mesh bytes, the time of a question in nanoseconds. The bytes are the
//! reference's, and of one level, in one tile and in many, ours: what we write, off-mesh connections with it, the
//! reference loads and answers alike.

use crate::detour::Detour;
use crate::flat::{Flat, Random};
use crate::job::Job;
use crate::levels;
use crate::measure::{Effort, Rounds, in_turns, seconds};
use crate::recast::{self, DetourMesh};
use crate::table::{Row, print_row};
use crate::{Options, our_queries, waymark_queries};
use std::hint::black_box;
use wayfare::format::RefBits;
use wayfare::mesh::{NavMesh, PolyRef};

/// Least and most search nodes that the reference gets: what its mesh has polygons, so that no search is cut short and
/// little is cleared before each.
pub const NODES: (i32, i32) = (2048, 65535);

/// A way between two places on the mesh.
#[derive(Clone, Copy)]
pub struct Errand<R> {
    pub start: (R, [f32; 3]),
    pub end: (R, [f32; 3]),
    /// Where a step from the start is meant to go.
    pub step: [f32; 3],
}

/// Who answers. Answers that are lists lie in the engine's own buffers until the next question.
pub trait Engine {
    /// Names a polygon.
    type Ref: Copy;

    fn nearest(&mut self, point: [f32; 3]) -> Option<(Self::Ref, [f32; 3])>;
    /// Whether the goal was reached; the polygons are in [`Engine::polys`].
    fn path(&mut self, errand: &Errand<Self::Ref>) -> bool;
    fn polys(&self) -> &[Self::Ref];
    /// Keeps a corridor for [`Engine::string_pull`].
    fn keep(&mut self, errand: &Errand<Self::Ref>, polys: &[Self::Ref]);
    /// Pulls the string through the corridor that was kept as number `corridor`; the points are in [`Engine::points`].
    fn string_pull(&mut self, corridor: usize);
    /// Pulls the string through the last path found.
    fn string_pull_last(&mut self, errand: &Errand<Self::Ref>);
    /// The points of the string that was pulled last.
    fn points(&self) -> Vec<[f32; 3]>;
    /// Whether the last path found costs no more than the corridor that was kept under this number, by the middles of
    /// the portals: what both searches measure.
    fn costs_no_more(&self, _: &Errand<Self::Ref>, _corridor: usize) -> bool {
        false
    }
    /// How much of the way is free, 0 to 1.
    fn raycast(&mut self, start: (Self::Ref, [f32; 3]), end: [f32; 3]) -> f32;
    /// Whether the last ray left a polygon over two edges in one line, only one of them a wall, where the reference
    /// takes the one that comes first.
    fn is_ray_in_doubt(&self, _start: [f32; 3], _end: [f32; 3]) -> bool {
        false
    }
    fn move_along(&mut self, start: (Self::Ref, [f32; 3]), end: [f32; 3]) -> [f32; 3];
    /// Distance to the nearest wall.
    fn wall(&mut self, at: (Self::Ref, [f32; 3]), radius: f32) -> f32;
    /// How many polygons can be reached within the radius.
    fn around(&mut self, at: (Self::Ref, [f32; 3]), radius: f32) -> usize;
}

/// The questions, in one engine's own references.
pub struct Questions<R> {
    /// Places near the mesh.
    pub near: Vec<[f32; 3]>,
    /// Both engines have kept the reference's corridors for these.
    pub errands: Vec<Errand<R>>,
    /// Radius of `wall` and `around`.
    pub radius: f32,
}

const OPS: [&str; 7] = ["nearest", "path", "string_pull", "raycast", "move", "wall", "around"];

/// Asks all questions of one kind once.
fn ask<E: Engine>(engine: &mut E, questions: &Questions<E::Ref>, op: &str) {
    let q = questions;
    match op {
        "nearest" => q.near.iter().for_each(|&p| _ = black_box(engine.nearest(p).is_some())),
        "path" => q.errands.iter().for_each(|e| _ = black_box(engine.path(e))),
        "string_pull" => {
            for i in 0..q.errands.len() {
                engine.string_pull(i);
            }
        }
        "raycast" => q.errands.iter().for_each(|e| _ = black_box(engine.raycast(e.start, e.end.1))),
        "move" => q.errands.iter().for_each(|e| _ = black_box(engine.move_along(e.start, e.step))),
        "wall" => q.errands.iter().for_each(|e| _ = black_box(engine.wall(e.start, q.radius))),
        _ => q.errands.iter().for_each(|e| _ = black_box(engine.around(e.start, q.radius))),
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f32>().sqrt()
}

/// Length in plan: strings are pulled in plan, and heights at borders of tiles are nobody's to say.
fn plan_length(points: &[[f32; 3]]) -> f32 {
    points.windows(2).map(|p| (p[1][0] - p[0][0]).hypot(p[1][2] - p[0][2])).sum()
}

/// Which of the answers to one kind of question are as good as the reference's. A path may be better, never worse:
/// complete where the reference's is, and no longer or of no greater cost; where it is partial, ending no farther from
/// the goal. The others have one right answer.
fn judge<A: Engine, B: Engine>(
    ours: (&mut A, &Questions<A::Ref>),
    theirs: (&mut B, &Questions<B::Ref>),
    op: &str,
    scale: f32,
) -> (usize, usize) {
    let explain = std::env::var_os("PEERS_EXPLAIN").is_some();
    let ((a, qa), (b, qb)) = (ours, theirs);
    let near = |x: f32, y: f32| (x - y).abs() <= 1e-3 * scale;
    if op == "nearest" {
        let good = qa.near.iter().filter(|&&p| match (a.nearest(p), b.nearest(p)) {
            (Some(x), Some(y)) => distance(x.1, y.1) <= 1e-3 * scale,
            (x, y) => x.is_none() == y.is_none(),
        });
        return (good.count(), qa.near.len());
    }
    let mut good = 0;
    for (i, (ea, eb)) in qa.errands.iter().zip(&qb.errands).enumerate() {
        good += usize::from(match op {
            "path" => {
                let complete = (a.path(ea), b.path(eb));
                a.string_pull_last(ea);
                b.string_pull_last(eb);
                let (pa, pb) = (a.points(), b.points());
                let worse = |x: f32, y: f32| {
                    if explain && x > y {
                        eprintln!("{:?} to {:?}: {complete:?} {x} / {y} {pa:?} / {pb:?}", ea.start.1, ea.end.1);
                    }
                };
                match complete {
                    (true, true) => {
                        let (x, y) = (plan_length(&pa), plan_length(&pb) * 1.001 + 1e-3 * scale);
                        let is_cheap = a.costs_no_more(ea, i);
                        if !is_cheap {
                            worse(x, y);
                        }
                        let ends = plan_length(&[ea.start.1, ea.end.1]);
                        (x <= y || is_cheap) && x >= ends * 0.999 - 1e-3 * scale
                    }
                    (false, false) => {
                        let end = |points: &[[f32; 3]]| points.last().copied().unwrap_or([f32::MAX; 3]);
                        let (x, y) = (end(&pa), end(&pb));
                        worse(distance(x, ea.end.1), distance(y, ea.end.1) + 1e-2 * scale);
                        // The same place, by the reference at the height of the polygon's edge.
                        let same = near(x[0], y[0]) && near(x[2], y[2]) && (x[1] - y[1]).abs() < 2.0 * scale;
                        same || distance(x, ea.end.1) <= distance(y, ea.end.1) + 1e-2 * scale
                    }
                    _ => false,
                }
            }
            "string_pull" => {
                a.string_pull(i);
                b.string_pull(i);
                // The reference bends where a line between two polygons is cut into several portals, which to us is
                // one.
                let (x, y) = (plan_length(&a.points()), plan_length(&b.points()));
                if explain && x > y * 1.001 + 1e-2 * scale {
                    eprintln!("{op} {i} {:?} to {:?}: {x} / {y}", ea.start.1, ea.end.1);
                }
                let least = b.points().first().zip(b.points().last()).map_or(0.0, |(&p, &q)| plan_length(&[p, q]));
                x <= y * 1.001 + 1e-2 * scale && x >= least * 0.999 - 1e-2 * scale
            }
            "raycast" => {
                let (x, y) = (a.raycast(ea.start, ea.end.1), b.raycast(eb.start, eb.end.1));
                (x - y).abs() <= 1e-3 || b.is_ray_in_doubt(eb.start.1, eb.end.1)
            }
            "move" => {
                let (x, y) = (a.move_along(ea.start, ea.step), b.move_along(eb.start, eb.step));
                near(x[0], y[0]) && near(x[2], y[2])
            }
            "wall" => near(a.wall(ea.start, qa.radius), b.wall(eb.start, qb.radius)),
            _ => a.around(ea.start, qa.radius) == b.around(eb.start, qb.radius),
        });
    }
    (good, qa.errands.len())
}

/// Random questions on a mesh, in the reference's own references. Lengths grow with the size of a cell.
fn questions(engine: &mut Detour<'_>, flat: &Flat, count: usize, scale: f32) -> Questions<u32> {
    let places: Vec<[f32; 3]> = flat.samples(count * 2, 11).into_iter().map(|s| s.0).collect();
    let mut random = Random(5);
    let mut jitter = |size: f32| (random.unit() as f32 * 2.0 - 1.0) * size * scale;
    let near =
        places.iter().take(count).map(|p| [p[0] + jitter(1.0), p[1] + jitter(2.0), p[2] + jitter(1.0)]).collect();
    let mut errands = Vec::new();
    for pair in places.chunks_exact(2) {
        if let (Some(start), Some(end)) = (engine.nearest(pair[0]), engine.nearest(pair[1])) {
            let step = [start.1[0] + jitter(3.0), start.1[1], start.1[2] + jitter(3.0)];
            errands.push(Errand { start, end, step });
        }
    }
    for e in &errands {
        engine.path(e);
        let polys = engine.polys().to_vec();
        // Where the goal is out of reach, both are told to pull to where the reference ends.
        engine.string_pull_last(e);
        let end = engine.points().last().map_or(e.end.1, |&p| p);
        engine.keep(&Errand { end: (e.end.0, end), ..*e }, &polys);
    }
    Questions { near, errands, radius: 10.0 * scale }
}

/// A scene as the reference bakes it, with the size of its cells.
fn baked(spec: &str, tile_size: u32) -> Option<(String, DetourMesh, f32)> {
    let level = levels::scene(spec)?;
    let mesh = Job::new(&level, tile_size).and_then(|job| Ok((recast::bake(&job, None, None)?, job.name)));
    match mesh {
        Ok((mesh, name)) => Some((name, mesh, level.settings.cell_size / 0.3)),
        Err(e) => {
            eprintln!("skipped: {}: {e}", level.name);
            None
        }
    }
}

/// The large mesh as one tile.
pub fn large_solo(options: &Options) -> Option<(String, DetourMesh, f32)> {
    let wanted = !options.quick && options.only.as_ref().is_none_or(|_| options.wants(&format!("scene:{LARGE}")));
    wanted.then(|| baked(LARGE, 0)).flatten()
}

/// A mesh of about 11,000 polygons.
const LARGE: &str = "terrain?size=300&height=25&wavelength=30";

/// The meshes: the reference's own files where they are present, else its bakes of our scenes; and a large one.
pub fn meshes(options: &Options) -> Vec<(String, DetourMesh, f32)> {
    let mut meshes = Vec::new();
    for name in ["nav_test", "dungeon"] {
        let file = format!("reference/mesh/navmesh_{name}_solo.bin");
        let Some(path) = levels::data_dir().map(|d| d.join(file)).filter(|p| p.is_file() && options.wants(name)) else {
            continue;
        };
        match std::fs::read(&path).map_err(|e| e.to_string()).and_then(|bytes| DetourMesh::from_set(&bytes)) {
            Ok(mesh) => meshes.push((name.to_string(), mesh, 1.0)),
            Err(e) => eprintln!("skipped: {}: {e}", path.display()),
        }
    }
    let bakes = [("dungeon", 0, meshes.is_empty()), (LARGE, 32, true)];
    for (spec, tile_size, needed) in bakes {
        if !needed || options.only.is_some() && !options.wants(&format!("scene:{spec}")) {
            continue;
        }
        meshes.extend(baked(spec, tile_size));
    }
    meshes
}

pub fn rows(options: &Options) -> Vec<Row> {
    let mut rows = on_their_bytes(options);
    for (tile_size, longest) in [(0, 30.0), (32, 8.0)] {
        match on_our_bytes(options, tile_size, longest) {
            Ok(found) => rows.extend(found),
            Err(e) => eprintln!("our own bytes: {e}"),
        }
    }
    rows
}

/// Level of the meshes that we bake and write.
const OWN: &str = "dungeon";

/// Our bake with off-mesh connections of at most `longest` metres, handed to the reference as the file that we write.
fn on_our_bytes(options: &Options, tile_size: u32, longest: f32) -> Result<Vec<Row>, String> {
    let name = format!("scene:{OWN}{} written by us", if tile_size > 0 { " tiled" } else { "" });
    if options.peers_alone || options.only.is_some() && !options.wants(&name) {
        return Ok(Vec::new());
    }
    let scene = wayfare_scenes::scene(OWN).map_err(|e| e.to_string())?;
    let mut mesh = our_queries::baked(&scene, tile_size)?;
    let write = |mesh: &NavMesh| mesh.to_detour(RefBits::Bits32).map_err(|e| e.to_string());
    let ground = Flat::of_detour(&DetourMesh::from_set(&write(&mesh)?)?);
    let places: Vec<[f32; 3]> = ground.samples(4000, 77).into_iter().map(|s| s.0).collect();
    let ends = places.chunks_exact(2).filter(|ends| distance(ends[0], ends[1]) < longest).take(40);
    our_queries::connect(&mut mesh, ends)?;
    let theirs = DetourMesh::from_set(&write(&mesh)?)?;
    let half_extents = [2.0, 4.0, 2.0];
    let mut theirs = Detour::new(&theirs, half_extents)?;
    let asked = questions(&mut theirs, &ground, 1000, 1.0);
    let (mut ours, our_questions) = our_queries::engine(&mesh, half_extents, &theirs, &asked)?;
    // Our circles do not follow connections.
    let ops = OPS.iter().filter(|&&op| op != "around");
    Ok(ops.map(|op| row_for(options, &name, op, (&mut ours, &our_questions), (&mut theirs, &asked), 1.0)).collect())
}

fn on_their_bytes(options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, mesh, scale) in &meshes(options) {
        let half_extents = [2.0, 4.0, 2.0].map(|h| h * scale);
        let mut theirs = match Detour::new(mesh, half_extents) {
            Ok(theirs) => theirs,
            Err(e) => {
                eprintln!("skipped: {name}: {e}");
                continue;
            }
        };
        let flat = Flat::of_detour(mesh);
        let asked = questions(&mut theirs, &flat, 1000, *scale);
        if options.peers_alone {
            println!("{name}: {} polygons", flat.polys());
            for op in OPS {
                let mut run = || seconds(|| ask(&mut theirs, &asked, op)).1;
                let rounds = in_turns(Effort::new(options.quick), &mut [&mut run]);
                println!("  {op:<12} {:>9.1} ns", rounds.of(0).min * 1e9 / asked.errands.len() as f64);
            }
            continue;
        }
        let our_mesh = our_queries::mesh_of(mesh);
        let engine = our_mesh.as_ref().map_err(String::clone);
        let engine = engine.and_then(|mesh| our_queries::engine(mesh, half_extents, &theirs, &asked));
        let (mut ours, our_questions) = match engine {
            Ok(both) => both,
            Err(e) => {
                eprintln!("{name}: our side fails: {e}");
                continue;
            }
        };
        for op in OPS {
            rows.push(row_for(options, name, op, (&mut ours, &our_questions), (&mut theirs, &asked), *scale));
        }
        let (our_hopeless, hopeless) = out_of_reach(&mut theirs, &our_questions, &asked);
        if !hopeless.errands.is_empty() {
            let judged = judge((&mut ours, &our_hopeless), (&mut theirs, &hopeless), "path", *scale);
            let mut row = compare(options, (&mut ours, &our_hopeless), (&mut theirs, &hopeless), "path");
            row.note = format!("{}; {} of the paths", told(&mut ours, &our_hopeless), hopeless.errands.len());
            rows.push(finish(row, format!("{name} path to another island"), "recastnavigation", judged, true));
        }
        match waymark_queries::load(mesh) {
            Ok(port) => {
                rows.push(against_waymark(options, name, &port, half_extents, (&mut ours, &mut theirs), &asked.near))
            }
            Err(e) => eprintln!("skipped: {name} in waymark: {e}"),
        }
    }
    rows
}

/// One kind of question, judged and timed.
fn row_for<A: Engine, B: Engine>(
    options: &Options,
    name: &str,
    op: &str,
    (ours, our_questions): (&mut A, &Questions<A::Ref>),
    (theirs, asked): (&mut B, &Questions<B::Ref>),
    scale: f32,
) -> Row {
    let judged = judge((ours, our_questions), (theirs, asked), op, scale);
    let row = compare(options, (ours, our_questions), (theirs, asked), op);
    finish(row, format!("{name} {op}"), "recastnavigation", judged, true)
}

/// Those of the questions whose goal lies on another island, in both engines' references.
fn out_of_reach<R: Copy>(
    theirs: &mut Detour<'_>,
    ours: &Questions<R>,
    asked: &Questions<u32>,
) -> (Questions<R>, Questions<u32>) {
    let pairs = ours.errands.iter().zip(&asked.errands).filter(|(_, errand)| !theirs.path(errand));
    let (our_errands, errands) = pairs.map(|(&a, &b)| (a, b)).unzip();
    let of = |errands| Questions { near: Vec::new(), errands, radius: asked.radius };
    (Questions { near: Vec::new(), errands: our_errands, radius: ours.radius }, of(errands))
}

/// How long it takes to tell, without a way, that goals cannot be reached.
fn told(ours: &mut our_queries::Ours<'_>, hopeless: &Questions<PolyRef>) -> String {
    const PASSES: usize = 1000;
    let mut pass = || hopeless.errands.iter().filter(|errand| black_box(ours.is_within_reach(errand))).count();
    let within = pass();
    let (_, time) = seconds(|| (0..PASSES).for_each(|_| _ = black_box(pass())));
    let each = time * 1e9 / (PASSES * hopeless.errands.len()) as f64;
    format!("that there is none is told in {each:.0} ns, wrongly {within} times")
}

/// `nearest` beside waymark's: shown, not judged.
fn against_waymark<A: Engine>(
    options: &Options,
    name: &str,
    port: &waymark::NavMesh,
    half_extents: [f32; 3],
    (ours, theirs): (&mut A, &mut Detour<'_>),
    near: &[[f32; 3]],
) -> Row {
    let nearest = waymark_queries::nearest(port, half_extents);
    let same = |p: &&[f32; 3]| match (nearest(**p), theirs.nearest(**p)) {
        (Some(a), Some(b)) => distance(a, b.1) <= 1e-3,
        (a, b) => a.is_none() == b.is_none(),
    };
    let good = near.iter().filter(same).count();
    let mut run_ours = || seconds(|| near.iter().for_each(|&p| _ = black_box(ours.nearest(p).is_some()))).1;
    let mut run_theirs = || seconds(|| near.iter().for_each(|&p| _ = black_box(nearest(p).is_some()))).1;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    let row = row_of(&rounds, near.len());
    finish(row, format!("{name} nearest"), "waymark", (good, near.len()), false)
}

/// Times of both for one kind of question.
fn compare<A: Engine, B: Engine>(
    options: &Options,
    ours: (&mut A, &Questions<A::Ref>),
    theirs: (&mut B, &Questions<B::Ref>),
    op: &str,
) -> Row {
    // Rounds of a few milliseconds: shorter ones are drowned by the machine's other business.
    let once = seconds(|| ask(theirs.0, theirs.1, op)).1;
    let passes = ((3e-3 / once) as usize).clamp(1, 100);
    let mut run_ours = || seconds(|| (0..passes).for_each(|_| ask(ours.0, ours.1, op))).1 / passes as f64;
    let mut run_theirs = || seconds(|| (0..passes).for_each(|_| ask(theirs.0, theirs.1, op))).1 / passes as f64;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_theirs]);
    row_of(&rounds, if op == "nearest" { ours.1.near.len() } else { ours.1.errands.len() })
}

fn row_of(rounds: &Rounds, questions: usize) -> Row {
    let per = 1e9 / questions.max(1) as f64;
    Row {
        group: "query",
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        unit: "ns",
        ratio: rounds.ratio(0, 1),
        ..Row::default()
    }
}

/// Names the row and gives the verdict: `good` of `all` answers are as good as the reference's.
fn finish(row: Row, work: String, peer: &'static str, (good, all): (usize, usize), verdict: bool) -> Row {
    let row = Row {
        work,
        peer,
        agrees: verdict.then_some(good as f64 >= all as f64 * 0.995),
        note: match (good == all, verdict) {
            (true, _) => row.note.clone(),
            (_, true) => format!("{good} of {all} answers as good"),
            (_, false) => format!("{good} of its {all} answers are right"),
        },
        ..row
    };
    print_row(&row);
    row
}
