//! Group `baked`: the shortest paths in any direction on baked levels, beside our own search over polygons with its
//! string pulled.
//!
//! The better answer may cost more: a ratio above a third is what is asked for.

use crate::Options;
use crate::job::Job;
use crate::levels::{self, Level};
use crate::measure::{Effort, in_turns, seconds};
use crate::ours::bake;
use crate::table::{Row, print_row};
use std::hint::black_box;
use wayfare::area::PathStatus;
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    DefaultFilter, OptimalPath, PathRequest, PolyPath, PolyPoint, SearchScratch, StraightPath, find_optimal_path_into,
    find_path_into, string_pull_into,
};

/// Questions of one work.
const QUESTIONS: usize = 400;

pub fn rows(options: &Options) -> Vec<Row> {
    let wanted = |name: &str| match &options.only {
        Some(_) => options.wants(name),
        None => !options.quick || name == "nav_test",
    };
    let mut works: Vec<(Level, u32)> = levels::files(|name| ["nav_test", "dungeon"].contains(&name) && wanted(name))
        .into_iter()
        .flat_map(|level| [(level.clone(), 0), (level, 32)])
        .collect();
    let scenes = [("terrain?size=224", 32), ("city", 32), ("dungeon", 32)].into_iter();
    works.extend(scenes.filter(|(spec, _)| wanted(spec)).filter_map(|(spec, size)| Some((levels::scene(spec)?, size))));
    works.iter().filter_map(|(level, tile_size)| row(options, level, *tile_size)).collect()
}

fn row(options: &Options, level: &Level, tile_size: u32) -> Option<Row> {
    let baked = Job::new(level, tile_size).and_then(|job| Ok((bake(&job, false)?.mesh, job.name)));
    let (nav, name) = match baked {
        Ok(baked) => baked,
        Err(e) => {
            eprintln!("skipped: {}: {e}", level.name);
            return None;
        }
    };
    let asked = questions(&nav);
    let (mut optimal, mut corridor) = (Ours::default(), Ours::default());
    let polys = nav.tiles().map(|tile| u64::from(tile.poly_count())).sum::<u64>();
    let pairs: Vec<[(PathStatus, f32); 2]> =
        asked.iter().map(|q| [optimal.any_angle(&nav, q), corridor.corridor(&nav, q)]).collect();
    // A path is complete by both searches or by neither, and in any direction no longer.
    let good = pairs.iter().filter(|[a, b]| a.0 == b.0 && (a.0 != PathStatus::Complete || a.1 <= b.1 * 1.0002)).count();
    let complete = || pairs.iter().filter(|[a, _]| a.0 == PathStatus::Complete);
    let sum = |k: usize| complete().map(|pair| f64::from(pair[k].1)).sum::<f64>();
    let mut run_optimal = || seconds(|| asked.iter().for_each(|q| _ = black_box(optimal.any_angle(&nav, q)))).1;
    let mut run_corridor = || seconds(|| asked.iter().for_each(|q| _ = black_box(corridor.corridor(&nav, q)))).1;
    let rounds = in_turns(Effort::new(options.quick), &mut [&mut run_optimal, &mut run_corridor]);
    let per = 1e6 / asked.len().max(1) as f64;
    let row = Row {
        group: "baked",
        work: name,
        peer: "corridor search",
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        unit: "µs",
        ratio: rounds.ratio(0, 1),
        agrees: Some(good == asked.len()),
        note: format!("{polys} polygons, {} complete, {:.4} of the length", complete().count(), sum(0) / sum(1)),
        ..Row::default()
    };
    print_row(&row);
    Some(row)
}

/// Ways between random polygons of one component.
fn questions(nav: &NavMesh) -> Vec<PathRequest> {
    let places: Vec<PolyPoint> = nav
        .tiles()
        .flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)))
        .filter_map(|poly| Some(PolyPoint { poly, point: nav.poly(poly).ok()?.center() }))
        .collect();
    let components = nav.components();
    let (mut rng, mut asked) = (Rng::new(5), Vec::new());
    for _ in 0..100 * QUESTIONS {
        let mut place = || places[rng.below(places.len() as u32) as usize];
        let (start, goal) = (place(), place());
        if asked.len() < QUESTIONS && components.may_reach(start.poly, goal.poly) {
            asked.push(PathRequest::new(start, goal));
        }
    }
    asked
}

/// One searcher with its memory.
#[derive(Default)]
struct Ours {
    filter: DefaultFilter,
    scratch: SearchScratch,
    any_angle: OptimalPath,
    path: PolyPath,
    straight: StraightPath,
}

impl Ours {
    fn any_angle(&mut self, nav: &NavMesh, request: &PathRequest) -> (PathStatus, f32) {
        let found = find_optimal_path_into(nav, request, &self.filter, &mut self.scratch, &mut self.any_angle);
        (found.map_or(PathStatus::None, |()| self.any_angle.path.status), self.any_angle.straight.length)
    }

    fn corridor(&mut self, nav: &NavMesh, request: &PathRequest) -> (PathStatus, f32) {
        let found = find_path_into(nav, request, &self.filter, &mut self.scratch, &mut self.path);
        string_pull_into(&self.path, &mut self.scratch, &mut self.straight);
        (found.map_or(PathStatus::None, |()| self.path.status), self.straight.length)
    }
}
