//! Group `bake`: the whole bake, solo and tiled, from triangles in memory to a finished mesh; group `bake-stage`: its
//! stages.

use crate::flat::{Flat, Side, differences};
use crate::job::Job;
use crate::measure::{Effort, Rounds, in_turns, seconds, spread};
use crate::table::{Row, print_row};
use crate::{Options, levels, memory, ours, recast, rerecast_bake};
use wayfare::bake::{BakeStats, Stage, StageTimes};

/// Side of a tile in cells: the demo's.
const TILE: u32 = 32;

pub fn rows(options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    let wanted = |name: &str| options.wants(name);
    let mut levels = levels::files(wanted);
    levels.extend(levels::scenes(wanted));
    for level in &levels {
        // Known from the untiled bake, which comes first.
        let mut ground = None;
        for tile_size in [0, TILE] {
            match Job::new(level, tile_size) {
                Ok(job) => compare(&job, options, &mut ground, &mut rows),
                Err(e) => eprintln!("skipped: {}: {e}", level.name),
            }
        }
    }
    rows
}

/// Where the port itself parts from the reference, its answer is the wrong one.
fn blame(job: &Job, reference: &Result<Answer, String>, port: &mut Result<Answer, String>, ground: Option<f64>) {
    if let (Ok(reference), Ok(port)) = (reference, port) {
        let differ = differences(&port.side(), &reference.side(), job, ground);
        if port.wrong.is_none() && !differ.is_empty() {
            port.wrong = Some(format!("differs from the reference: {}", differ.join("; ")));
        }
    }
}

/// The answers of one competitor, for judging.
struct Answer {
    stats: BakeStats,
    flat: Flat,
    /// Why this answer is known to be wrong, if it is.
    wrong: Option<String>,
}

impl Answer {
    fn side(&self) -> Side<'_> {
        Side { stats: &self.stats, flat: &self.flat }
    }
}

fn their_answers(job: &Job) -> (Result<Answer, String>, Result<Answer, String>) {
    let mut stats = BakeStats::default();
    let cpp = recast::bake(job, None, Some(&mut stats)).map(|mesh| Answer {
        stats,
        flat: Flat::of_detour(&mesh),
        wrong: None,
    });
    let mut stats = BakeStats::default();
    let rust = rerecast_bake::bake(job, &mut job.rerecast.clone(), None, Some(&mut stats)).and_then(|baked| {
        let (tiles, why) = &baked.given_up;
        let wrong = (*tiles > 0).then(|| format!("gives up {tiles} tiles: {why}"));
        Ok(Answer { stats, flat: Flat::of_detour(&baked.to_detour(job)?), wrong })
    });
    (cpp, rust)
}

/// `ground` is the area of the eroded voxels in square metres: told by the reference's untiled bake, used for all
/// others.
fn compare(job: &Job, options: &Options, ground: &mut Option<f64>, rows: &mut Vec<Row>) {
    let (cpp, mut rust) = their_answers(job);
    if let (false, Ok(cpp)) = (job.tiled(), &cpp) {
        *ground = Some(cpp.stats.eroded_spans as f64 * f64::from(job.vx.cell_size).powi(2));
    }
    blame(job, &cpp, &mut rust, *ground);
    let our_answer = match ours::bake(job, false) {
        Ok(baked) => Answer { stats: baked.stats(), flat: Flat::of_ours(&baked.mesh), wrong: None },
        Err(e) => {
            eprintln!("{}: our bake fails: {e}", job.name);
            return;
        }
    };
    let mut input = job.rerecast.clone();
    // Ours twice: up to the mesh, as the C++ reference, and up to the tiles, as rerecast. The bake is run once for
    // both.
    let mut until_tiles = Vec::new();
    let mut run_ours = || match seconds(|| ours::bake(job, false)) {
        (Ok(baked), s) => {
            until_tiles.push(baked.tiles_done.as_secs_f64());
            s.min(baked.mesh_done.as_secs_f64())
        }
        (Err(_), s) => s,
    };
    let mut run_cpp = || seconds(|| recast::bake(job, None, None)).1;
    let mut run_rust = || seconds(|| rerecast_bake::bake(job, &mut input, None, None)).1;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_cpp, &mut run_rust]);
    // The first is the round that warms up.
    until_tiles.remove(0);
    let laps = if options.stages { by_stage(job, options) } else { <[Vec<StageTimes>; 3]>::default() };
    let our_peak = memory::peak_of(|| drop(ours::bake(job, false)));
    let cpp_peak = memory::peak_of(|| drop(recast::bake(job, None, None)));
    let rust_peak = memory::peak_of(|| drop(rerecast_bake::bake(job, &mut input, None, None)));
    let them = [("recastnavigation", cpp, cpp_peak, job.build_factor), ("rerecast", rust, rust_peak, None)];
    for (i, (peer, answer, peak, build_factor)) in them.into_iter().enumerate() {
        let answer = match answer {
            Ok(answer) => answer,
            Err(e) => {
                eprintln!("{}: {peer} fails: {e}", job.name);
                continue;
            }
        };
        let our_rounds = if peer == "rerecast" { &until_tiles } else { &rounds.0[0] };
        let rounds = Rounds(vec![our_rounds.clone(), rounds.0[i + 1].clone()]);
        let differ = differences(&our_answer.side(), &answer.side(), job, *ground);
        let tiles = f64::from(job.tiles().into_iter().product::<i32>());
        let a_tile = |of: usize| rounds.of(of).median * 1e3 / tiles;
        let by_tile =
            job.tiled().then(|| format!("{:.3} against {:.3} ms a tile of {TILE} cells", a_tile(0), a_tile(1)));
        let row = Row {
            group: "bake",
            work: job.name.clone(),
            peer,
            ours: rounds.of(0).median * 1e3,
            theirs: rounds.of(1).median * 1e3,
            unit: "ms",
            ratio: rounds.ratio(0, 1),
            agrees: answer.wrong.is_none().then_some(differ.is_empty()),
            build_factor,
            bytes: Some((our_peak, peak)),
            note: answer.wrong.into_iter().chain(differ).chain(by_tile).collect::<Vec<_>>().join("; "),
        };
        print_row(&row);
        let agrees = row.agrees;
        rows.push(row);
        if options.stages {
            stage_rows(job, peer, &laps[0], &laps[i + 1], agrees, rows);
        }
    }
}

/// The stage times of bakes of their own, ours first: looking at the clock takes a tenth of a bake in small tiles.
fn by_stage(job: &Job, options: &Options) -> [Vec<StageTimes>; 3] {
    let mut laps = <[Vec<StageTimes>; 3]>::default();
    let [ours_laps, cpp_laps, rust_laps] = &mut laps;
    let mut input = job.rerecast.clone();
    let mut run_ours = || {
        let (baked, s) = seconds(|| ours::bake(job, true));
        ours_laps.extend(baked.map(|baked| baked.times()));
        s
    };
    let mut run_cpp = || {
        let mut times = StageTimes::default();
        let s = seconds(|| recast::bake(job, Some(&mut times), None)).1;
        cpp_laps.push(times);
        s
    };
    let mut run_rust = || {
        let mut times = StageTimes::default();
        let s = seconds(|| rerecast_bake::bake(job, &mut input, Some(&mut times), None)).1;
        rust_laps.push(times);
        s
    };
    in_turns(Effort::new(options.quick), &mut [&mut run_ours, &mut run_cpp, &mut run_rust]);
    // The first is the round that warms up.
    laps.iter_mut().for_each(|lap| _ = lap.remove(0));
    laps
}

fn stage_rows(
    job: &Job,
    peer: &'static str,
    ours: &[StageTimes],
    theirs: &[StageTimes],
    agrees: Option<bool>,
    rows: &mut Vec<Row>,
) {
    for stage in Stage::ALL {
        let of = |times: &[StageTimes]| times.iter().map(|t| t.get(stage).as_secs_f64()).collect::<Vec<_>>();
        let rounds = Rounds(vec![of(ours), of(theirs)]);
        let (o, t) = (spread(&rounds.0[0]), spread(&rounds.0[1]));
        if o.median <= 0.0 || t.median <= 0.0 {
            continue;
        }
        let row = Row {
            group: "bake-stage",
            work: format!("{} {}", job.name, stage.name()),
            peer,
            ours: o.median * 1e3,
            theirs: t.median * 1e3,
            unit: "ms",
            ratio: rounds.ratio(0, 1),
            agrees,
            ..Row::default()
        };
        print_row(&row);
        rows.push(row);
    }
}

/// Prints what each peer makes of each level: counts, and times by stage. For looking at the peers alone.
pub fn peers_alone(options: &Options) {
    let mut levels = levels::files(|name| options.wants(name));
    levels.extend(levels::scenes(|name| options.wants(name)));
    for level in &levels {
        for tile_size in [0, TILE] {
            let Ok(job) = Job::new(level, tile_size) else { continue };
            let (cpp, rust) = their_answers(&job);
            for (peer, answer) in [("recastnavigation", &cpp), ("rerecast", &rust)] {
                match answer {
                    Ok(a) => println!("{} {peer}: {:?} area {:.2} {:?}", job.name, a.stats, a.flat.area(), a.wrong),
                    Err(e) => println!("{} {peer}: {e}", job.name),
                }
            }
            if let Ok(cpp) = &cpp {
                reference(&job, &cpp.stats, cpp.flat.area());
            }
            if let (Ok(cpp), Ok(rust)) = (&cpp, &rust) {
                println!("{} they differ in: {:?}", job.name, differences(&rust.side(), &cpp.side(), &job, None));
            }
            let mut input = job.rerecast.clone();
            let (mut cpp_times, mut rust_times) = (StageTimes::default(), StageTimes::default());
            let mut n = 0u32;
            let mut cpp = || seconds(|| recast::bake(&job, Some(&mut cpp_times), None)).1;
            let mut rust = || seconds(|| rerecast_bake::bake(&job, &mut input, Some(&mut rust_times), None)).1;
            let rounds = in_turns(Effort::new(options.quick), &mut [&mut cpp, &mut rust]);
            n += rounds.0[0].len() as u32 + 1;
            println!(
                "{}: C++ {:.3} ms, rerecast {:.3} ms",
                job.name,
                rounds.of(0).median * 1e3,
                rounds.of(1).median * 1e3
            );
            for stage in Stage::ALL {
                println!(
                    "  {:<10} {:>9.3?} {:>9.3?}",
                    stage.name(),
                    cpp_times.get(stage) / n,
                    rust_times.get(stage) / n
                );
            }
        }
    }
}

/// Holds the binding's counts against those that the reference's own program wrote down, where they are present:
/// whether this harness drives it as the demo does.
fn reference(job: &Job, stats: &BakeStats, area: f64) {
    let file = format!("bake_{}_watershed.json", job.name.replace(' ', "_"));
    let path = levels::data_dir().map(|d| d.join("reference/bake").join(file));
    let Some(json) = path.and_then(|p| std::fs::read_to_string(p).ok()) else { return };
    let Ok(json) = serde_json::from_str::<serde_json::Value>(&json) else { return };
    let counts = &json["counts"];
    let mut pairs = vec![
        ("polygons", stats.polys as f64, &counts["polymesh_polys"]),
        ("polygon vertices", stats.poly_verts as f64, &counts["polymesh_verts"]),
        ("detail vertices", stats.detail_verts as f64, &counts["detail_verts"]),
        ("detail triangles", stats.detail_tris as f64, &counts["detail_tris"]),
        ("area", area, &json["detour"]["surface_xz"]),
    ];
    if !job.tiled() {
        pairs.push(("spans", stats.spans as f64, &counts["hf_spans"]));
        pairs.push(("walkable spans", stats.walkable_spans as f64, &counts["hf_walkable_after_filter"]));
        pairs.push(("eroded spans", stats.eroded_spans as f64, &counts["compact_walkable_after_erode"]));
    }
    for (what, have, want) in pairs {
        let want = want.as_f64().unwrap_or(f64::NAN);
        let verdict = if (have - want).abs() <= want * 0.001 { "equal" } else { "DIFFERS" };
        println!("{} reference {what}: {have} / {want} {verdict}", job.name);
    }
}
