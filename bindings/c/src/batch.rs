//! Many questions in one call, on as many threads as wanted. The answers are the same for any number of them.

use crate::border::{fill, list, put};
use crate::context::on_threads;
use crate::cost_bounds::WayfareCostBounds;
use crate::geometry::{WayfarePlace, WayfareVec3};
use crate::handle::{Handle, handle};
use crate::paths::{WayfarePath, reach, search_bounded, search_optimal, search_straight};
use crate::query::{Session, WayfareNearest, WayfareQuery};
use crate::query_around::{WayfareNearestWall, WayfareRay, cast, slide, wall_near};
use crate::status::{Outcome, WayfareStatus, border};
use rayon::prelude::*;
use wayfare_nav::query::CostBounds;

/// From where to where.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfarePair {
    /// From here.
    pub from: WayfarePlace,
    /// To there.
    pub to: WayfarePlace,
}

/// The paths of a batch, with all their points.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfarePathBatch {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfarePathBatch, Batch, "path batch");

/// Paths, one after the other, and their points.
#[derive(Default)]
pub(crate) struct Batch {
    paths: Vec<WayfarePath>,
    points: Vec<WayfareVec3>,
}

/// Questions that one thread answers at a time.
const CHUNK: usize = 256;

/// Asks each question of a session, on so many threads; each has a session of its own, and the answers stand in the
/// order of the questions. Of the questions that fail, the first is told.
fn ask<Q: Sync, A: Send>(
    query: WayfareQuery,
    threads: u32,
    questions: &[Q],
    answer: impl Fn(&mut Session, &Q) -> Outcome<A> + Sync,
) -> Outcome<Vec<A>> {
    let add = |session: &mut Session, question: &Q, answers: &mut Vec<A>| {
        answers.push(answer(session, question)?);
        Ok(())
    };
    Ok(ask_into(query, threads, questions, add)?.into_iter().flatten().collect())
}

/// The same where the answers of a chunk are put together as they come: so many of these, in order.
fn ask_into<Q: Sync, T: Default + Send>(
    query: WayfareQuery,
    threads: u32,
    questions: &[Q],
    add: impl Fn(&mut Session, &Q, &mut T) -> Outcome + Sync,
) -> Outcome<Vec<T>> {
    let mut session = query.write()?;
    let ask_from = |session: &mut Session, first: usize, questions: &[Q]| {
        let mut answers = T::default();
        for (i, question) in questions.iter().enumerate() {
            add(session, question, &mut answers).map_err(|failure| failure.at(first + i))?;
        }
        Ok(answers)
    };
    if threads == 1 || questions.len() <= CHUNK {
        return Ok(vec![ask_from(&mut session, 0, questions)?]);
    }
    let (first, calls_back) = (&*session, session.filter.calls_back());
    let all = || {
        let chunks = questions.par_chunks(CHUNK).enumerate();
        let answered = chunks.map_init(|| first.another(), |own, (i, chunk)| ask_from(own, i * CHUNK, chunk));
        Ok(answered.collect::<Vec<Outcome<T>>>())
    };
    on_threads(threads, calls_back, all)?.into_iter().collect()
}

impl Session {
    /// A session that asks the same way, with memory of its own.
    fn another(&self) -> Self {
        let mut other = Self::new(self.mesh.clone(), self.filter.clone());
        (other.reach, other.limits, other.placement) = (self.reach, self.limits, self.placement);
        other
    }
}

fn path_batch(
    query: WayfareQuery,
    threads: u32,
    pairs: &[WayfarePair],
    find: impl Fn(&mut Session, WayfarePlace, WayfarePlace) -> Outcome + Sync,
) -> Outcome<Batch> {
    let add = |session: &mut Session, pair: &WayfarePair, batch: &mut Batch| {
        find(session, pair.from, pair.to)?;
        batch.points.extend(session.straight.points.iter().map(|corner| WayfareVec3::from(corner.point)));
        batch.paths.push(WayfarePath::of(&session.path, Some(&session.straight)));
        Ok(())
    };
    let mut chunks = ask_into(query, threads, pairs, add)?.into_iter();
    let mut batch = chunks.next().unwrap_or_default();
    for chunk in chunks {
        batch.paths.extend(chunk.paths);
        batch.points.extend(chunk.points);
    }
    Ok(batch)
}

/// Finds many paths over polygons and the lines through them, on `threads` threads: 0 for all cores.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_straight_paths(
    query: WayfareQuery,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    batch: *mut WayfarePathBatch,
) -> WayfareStatus {
    border(|| {
        let found = path_batch(query, threads, list!(pairs, count)?, search_straight)?;
        put!(batch, WayfarePathBatch::keep(found)?)
    })
}

/// Finds many shortest paths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_optimal_paths(
    query: WayfareQuery,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    batch: *mut WayfarePathBatch,
) -> WayfareStatus {
    border(|| {
        let found = path_batch(query, threads, list!(pairs, count)?, search_optimal)?;
        put!(batch, WayfarePathBatch::keep(found)?)
    })
}

/// Finds many paths that are guided by bounds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_bounded_paths(
    query: WayfareQuery,
    bounds: WayfareCostBounds,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    batch: *mut WayfarePathBatch,
) -> WayfareStatus {
    border(|| {
        let bounds: &CostBounds = &*bounds.read()?;
        let find = |session: &mut Session, from, to| search_bounded(session, bounds, from, to);
        let found = path_batch(query, threads, list!(pairs, count)?, find)?;
        put!(batch, WayfarePathBatch::keep(found)?)
    })
}

/// The paths of a batch, one for each pair. The points of path i follow those of the paths before it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_batch_paths(
    batch: WayfarePathBatch,
    paths: *mut WayfarePath,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(paths, capacity, count, batch.read()?.paths.iter().copied()))
}

/// The points of all paths of a batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_batch_points(
    batch: WayfarePathBatch,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(points, capacity, count, batch.read()?.points.iter().copied()))
}

/// Frees a batch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_batch_free(batch: WayfarePathBatch) -> WayfareStatus {
    border(|| batch.free())
}

fn give<T>(out: *mut T, answers: Vec<T>) -> Outcome {
    let (mut written, count) = (0, answers.len());
    fill!(out, count, &raw mut written, answers.into_iter())
}

/// The nearest places of many points; `nearest` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_nearest_many(
    query: WayfareQuery,
    points: *const WayfareVec3,
    count: usize,
    threads: u32,
    nearest: *mut WayfareNearest,
) -> WayfareStatus {
    border(|| {
        let answers = ask(query, threads, list!(points, count)?, |session, at| {
            let place = session.nearest(*at)?;
            Ok(place)
        })?;
        give(nearest, answers)
    })
}

impl Session {
    fn nearest(&self, at: WayfareVec3) -> Outcome<WayfareNearest> {
        let at = crate::geometry::point(at, "points")?;
        let found = crate::filter::by_filter!(&self.filter, |filter| {
            wayfare_nav::query::find_nearest(&self.mesh, at, self.reach, filter)
        });
        Ok(found.map_or(WayfareNearest::default(), |found| WayfareNearest {
            found: 1,
            over: found.over.into(),
            place: found.place().into(),
        }))
    }
}

/// Many rays; `rays` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_rays(
    query: WayfareQuery,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    rays: *mut WayfareRay,
) -> WayfareStatus {
    border(|| {
        let pairs = list!(pairs, count)?;
        give(rays, ask(query, threads, pairs, |session, pair| cast(session, pair.from, pair.to.point, false))?)
    })
}

/// Many moves; `ends` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_moves(
    query: WayfareQuery,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    ends: *mut WayfarePlace,
) -> WayfareStatus {
    border(|| {
        let pairs = list!(pairs, count)?;
        give(ends, ask(query, threads, pairs, |session, pair| slide(session, pair.from, pair.to.point))?)
    })
}

/// Many questions of reach; `answers` has room for `count`, each 1, 0 or −1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_reachable_many(
    query: WayfareQuery,
    pairs: *const WayfarePair,
    count: usize,
    threads: u32,
    answers: *mut i32,
) -> WayfareStatus {
    border(|| {
        let pairs = list!(pairs, count)?;
        give(answers, ask(query, threads, pairs, |session, pair| reach(session, pair.from, pair.to))?)
    })
}

/// The nearest walls of many places; `walls` has room for `count`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_query_nearest_walls(
    query: WayfareQuery,
    places: *const WayfarePlace,
    count: usize,
    radius: f32,
    threads: u32,
    walls: *mut WayfareNearestWall,
) -> WayfareStatus {
    border(|| {
        let places = list!(places, count)?;
        give(walls, ask(query, threads, places, |session, at| wall_near(session, *at, radius))?)
    })
}
