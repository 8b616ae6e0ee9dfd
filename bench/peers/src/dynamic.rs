//! Group `dynamic`: obstacles that come, move and go, beside the C++ reference's tile cache.
//!
//! - **checkpoints**: from the triangles of a level to all that tiles are rebuilt from, compressed.
//! - **tile rebuilt**, median and 99 of 100: a hundred cylinders on the ground, one after the other; the time until the
//!   mesh is up to date, shared out over the tiles that were rebuilt. Ours has detailed heights, the reference none.
//! - **100 moving, a frame**: all of them are moved a little, and the mesh is brought up to date.
//!
//! A tile of ours holds all layers of its place; each layer is a tile of the reference.

use crate::Options;
use crate::job::Job;
use crate::levels::{Level, files, scene};
use crate::measure::{Effort, Rounds, in_turns, now, seconds, spread};
use crate::recast::DetourMesh;
use crate::table::{Row, print_row};
use crate::tile_cache::TileCache;
use std::hint::black_box;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles};
use wayfare::input::{MarkedVolume, Volume};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, PointSampler};

const TILE_CELLS: u32 = 48;
const OBSTACLES: usize = 100;
const RADIUS: f32 = 1.0;
const HEIGHT: f32 = 2.0;
/// How far the walkable areas under all obstacles may differ: outlines of both are simplified, and what the reference
/// enlarges by a rounder radius than erosion does.
const SLACK: f64 = 0.05;

pub fn rows(options: &Options) -> Vec<Row> {
    let wanted = |name: &str| ["nav_test", "dungeon"].contains(&name) && options.wants(name);
    let mut levels: Vec<Level> = files(wanted);
    let built_in = ["dungeon", "flat?size=100"].into_iter().filter(|spec| options.wants(&format!("scene:{spec}")));
    levels.extend(built_in.filter_map(scene));
    let mut rows = Vec::new();
    for level in &levels {
        match compare(options, level) {
            Ok(found) => rows.extend(found),
            Err(e) => eprintln!("skipped: {}: {e}", level.name),
        }
    }
    rows
}

/// Our side: obstacles over a mesh.
struct Ours {
    mesh: NavMesh,
    obstacles: Obstacles,
}

impl Ours {
    fn new(job: &Job) -> Result<(Self, u64), String> {
        let context = Context::default();
        let (baked, _) = bake_tiles(&job.mesh, &job.settings, &context).map_err(|e| e.to_string())?;
        let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).map_err(|e| e.to_string())?;
        let kept = LevelCheckpoints::bake(&job.mesh, &job.settings, &context).map_err(|e| e.to_string())?;
        let bytes = kept.compressed_bytes();
        Ok((Self { mesh, obstacles: Obstacles::new(kept) }, bytes))
    }

    /// Rebuilds what was touched; seconds a tile.
    fn update(&mut self) -> Result<f64, String> {
        let step = || self.obstacles.step(&mut self.mesh, Budget::unlimited(), &Context::default());
        let (done, time) = seconds(step);
        done.map_err(|e| e.to_string())?;
        Ok(time / self.obstacles.rebuilt().len().max(1) as f64)
    }

    fn add(&mut self, at: Vec3) -> Result<ObstacleRef, String> {
        self.obstacles.add(cylinder(at)).map(|added| added.0).map_err(|e| e.to_string())
    }

    fn remove(&mut self, obstacle: ObstacleRef) -> Result<(), String> {
        self.obstacles.remove(obstacle).map(|_| ()).map_err(|e| e.to_string())
    }
}

fn cylinder(base: Vec3) -> MarkedVolume {
    MarkedVolume::block(Volume::Cylinder { base, radius: RADIUS, height: HEIGHT })
}

/// Places on the ground.
fn places(mesh: &NavMesh) -> Vec<Vec3> {
    let sampler = PointSampler::on_mesh(mesh, &DefaultFilter::of(mesh));
    let mut rng = Rng::new(7);
    (0..OBSTACLES).filter_map(|_| Some(sampler.sample(mesh, &mut rng).ok()??.point)).collect()
}

/// Seconds a tile for each obstacle that is added, then for each that is removed.
fn one_by_one(ours: &mut Ours, places: &[Vec3]) -> Result<Vec<f64>, String> {
    let mut times = Vec::new();
    let mut all = Vec::new();
    for &at in places {
        all.push(ours.add(at)?);
        times.push(ours.update()?);
    }
    for obstacle in all {
        ours.remove(obstacle)?;
        times.push(ours.update()?);
    }
    Ok(times)
}

/// The same by the reference: seconds for each tile.
fn one_by_one_theirs(theirs: &mut TileCache, places: &[Vec3]) -> Result<Vec<f64>, String> {
    let mut times = Vec::new();
    let mut all = Vec::new();
    for &at in places {
        all.push(theirs.add(at.to_array(), RADIUS, HEIGHT)?);
        times.extend(theirs.update()?);
    }
    for obstacle in all {
        theirs.remove(obstacle)?;
        times.extend(theirs.update()?);
    }
    Ok(times)
}

fn compare(options: &Options, level: &Level) -> Result<Vec<Row>, String> {
    let effort = Effort::new(options.quick);
    let job = Job::new(level, TILE_CELLS)?;
    let (mut ours, our_bytes) = Ours::new(&job)?;
    let mut theirs = TileCache::new(&job)?;
    theirs.build_all(&job)?;
    let places = places(&ours.mesh);
    let agreement = Agreement::of(&mut ours, &mut theirs, &places)?;
    let finish = |what: &str, per: f64, unit: &'static str, rounds: Rounds, note: String| {
        let row = Row {
            group: "dynamic",
            work: format!("{} {what}", level.name),
            peer: "recastnavigation",
            ours: rounds.of(0).median * per,
            theirs: rounds.of(1).median * per,
            unit,
            ratio: rounds.ratio(0, 1),
            agrees: Some(agreement.holds()),
            note: if agreement.holds() { note } else { agreement.to_string() },
            build_factor: level.build_factor,
            ..Row::default()
        };
        print_row(&row);
        row
    };

    let context = Context::default();
    let mut bake_ours = || seconds(|| black_box(LevelCheckpoints::bake(&job.mesh, &job.settings, &context).is_ok())).1;
    let mut bake_theirs = || seconds(|| black_box(TileCache::new(&job).is_ok())).1;
    let baking = in_turns(effort, &mut [&mut bake_ours, &mut bake_theirs]);
    let cells = f64::from(job.grid[0]) * f64::from(job.grid[1]);
    let (our_bytes, their_bytes) = (our_bytes as f64 / cells, theirs.bytes as f64 / theirs.cells as f64);
    let note = format!("{our_bytes:.3} bytes a cell of the level, the peer's {their_bytes:.3} a cell of its layers");
    let mut rows = vec![finish("checkpoints", 1e3, "ms", baking, note)];

    for (what, share) in [("tile rebuilt, median", 0.5), ("tile rebuilt, 99 of 100", 0.99)] {
        let mut run_ours = || one_by_one(&mut ours, &places).map_or(f64::NAN, |times| quantile(times, share));
        let mut run_theirs = || one_by_one_theirs(&mut theirs, &places).map_or(f64::NAN, |t| quantile(t, share));
        let rounds = in_turns(effort, &mut [&mut run_ours, &mut run_theirs]);
        rows.push(finish(what, 1e6, "us", rounds, "ours with detailed heights".into()));
    }

    let mut own = places.iter().map(|&at| ours.add(at)).collect::<Result<Vec<_>, _>>()?;
    ours.update()?;
    // The reference takes only so many requests at once.
    let mut peers = Vec::new();
    for &at in &places {
        peers.push(theirs.add(at.to_array(), RADIUS, HEIGHT)?);
        theirs.update()?;
    }
    let (mut frame, mut peer_frame) = (0u32, 0u32);
    let mut longest = Vec::new();
    let mut run_ours = || {
        frame += 1;
        let began = now();
        for (obstacle, at) in own.iter_mut().zip(&places) {
            if ours.obstacles.move_to(*obstacle, moved(*at, frame)).is_err() {
                return f64::NAN;
            }
        }
        let done = ours.update();
        let time = (now() - began).as_secs_f64();
        longest.push(time);
        done.map_or(f64::NAN, |_| time)
    };
    let mut run_theirs = || {
        peer_frame += 1;
        let to = |at: usize| moved(places[at], peer_frame).to_array();
        theirs.move_all(&mut peers, to, (RADIUS, HEIGHT)).unwrap_or(f64::NAN)
    };
    let moving = in_turns(effort, &mut [&mut run_ours, &mut run_theirs]);
    let note = format!("our longest frame {:.2} ms", 1e3 * spread(&longest).max);
    rows.push(finish("100 moving, a frame", 1e3, "ms", moving, note));
    Ok(rows)
}

/// Where an obstacle is in a frame: it goes to and fro, 5 cm a frame.
fn moved(at: Vec3, frame: u32) -> Vec3 {
    let phase = (frame % 40) as f32;
    at + Vec3::new(0.05 * phase.min(40.0 - phase), 0.0, 0.0)
}

fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(((values.len().saturating_sub(1)) as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

/// Whether both do the same: as much ground is left under all obstacles, and all of it comes back.
struct Agreement {
    /// Walkable area in plan under all obstacles, ours and theirs, as shares of what it is without.
    left: [f64; 2],
    is_restored: bool,
}

impl Agreement {
    fn of(ours: &mut Ours, theirs: &mut TileCache, places: &[Vec3]) -> Result<Self, String> {
        let before = ours.mesh.clone();
        let whole = [our_area(&ours.mesh), their_area(theirs.mesh())];
        let own = places.iter().map(|&at| ours.add(at)).collect::<Result<Vec<_>, _>>()?;
        ours.update()?;
        let mut peers = Vec::new();
        for &at in places {
            peers.push(theirs.add(at.to_array(), RADIUS, HEIGHT)?);
            theirs.update()?;
        }
        let left = [our_area(&ours.mesh) / whole[0], their_area(theirs.mesh()) / whole[1]];
        own.into_iter().try_for_each(|obstacle| ours.remove(obstacle))?;
        ours.update()?;
        for obstacle in peers {
            theirs.remove(obstacle)?;
            theirs.update()?;
        }
        let is_restored = ours.mesh.tiles().zip(before.tiles()).all(|(now, then)| now.data() == then.data());
        Ok(Self { left, is_restored })
    }

    fn holds(&self) -> bool {
        self.is_restored && (self.left[0] - self.left[1]).abs() <= SLACK
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [ours, theirs] = self.left.map(|share| 100.0 * share);
        write!(f, "{ours:.1} % of the ground is left under all obstacles, the peer's {theirs:.1} %")?;
        if self.is_restored { Ok(()) } else { f.write_str("; our tiles are not restored") }
    }
}

fn our_area(mesh: &NavMesh) -> f64 {
    PointSampler::on_mesh(mesh, &DefaultFilter::of(mesh)).area()
}

/// In plan, which is what ours is too.
fn their_area(mesh: &DetourMesh) -> f64 {
    let mut area = 0.0;
    for tile in mesh.tiles() {
        // SAFETY: all pointers lie in the tile, with the lengths that its header tells.
        unsafe {
            for p in 0..(*tile.header).polyCount as usize {
                let poly = &*tile.polys.add(p);
                let corners: Vec<[f32; 3]> = poly.verts[..usize::from(poly.vertCount)]
                    .iter()
                    .map(|&v| *tile.verts.add(usize::from(v) * 3).cast::<[f32; 3]>())
                    .collect();
                let cross =
                    |a: [f32; 3], b: [f32; 3]| f64::from(a[2]) * f64::from(b[0]) - f64::from(a[0]) * f64::from(b[2]);
                let twice: f64 = (0..corners.len()).map(|i| cross(corners[i], corners[(i + 1) % corners.len()])).sum();
                area += 0.5 * twice.abs();
            }
        }
    }
    area
}
