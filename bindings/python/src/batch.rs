//! Many questions at once, as arrays, on all threads, with the interpreter's lock released.
//!
//! Each thread asks with a session of its own; answers stand in the order of the questions, and are the same for any number of threads.

use crate::arrays::{from_column, from_points, points, room, same_length};
use crate::errors;
use crate::held::Own;
use crate::long::{Callbacks, run};
use crate::path::{PathRow, PathRows, PyPaths};
use crate::query::{PyQuery, Search, Session, radius_of};
use crate::whole::whole;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::context::{Cancelled, Context};
use wayfare::math::Rng;
use wayfare::mesh::StaleRef;
use wayfare::query::PolyPoint;

/// Questions that a thread takes at a time.
const PART: usize = 128;

/// Asks part by part on all threads; `ask` gets a session and the numbers of its questions.
fn ask_all<T: Send>(
    py: Python<'_>,
    mut query: Own<'_, PyQuery>,
    count: usize,
    ask: impl Fn(&mut Session, std::ops::Range<usize>) -> Result<T, StaleRef> + Sync,
) -> PyResult<Vec<T>> {
    let mut session = query.fresh(py)?.clone();
    // From here on other calls may use the query, and raise what its filter's functions raise for them.
    drop(query);
    if session.filter().may_raise() {
        session.set_filter(session.filter().apart());
    }
    let session = session;
    let work = |context: &Context<'_>| -> Result<Vec<Result<T, StaleRef>>, Cancelled> {
        (0..count.div_ceil(PART))
            .into_par_iter()
            .map_init(
                || session.clone(),
                |session, part| {
                    context.check_cancelled()?;
                    Ok(ask(session, part * PART..((part + 1) * PART).min(count)))
                },
            )
            .collect()
    };
    let answers = if count <= PART {
        // Not worth a thread.
        py.detach(|| work(&Context::default()))
    } else {
        run(py, &Callbacks::default(), work)?
    };
    session.filter().raise()?;
    let answers = answers.map_err(|_| crate::Cancelled::new_err("the batch was cancelled"))?;
    answers.into_iter().collect::<Result<Vec<T>, StaleRef>>().map_err(errors::stale)
}

fn flat<T>(parts: Vec<Vec<T>>) -> Vec<T> {
    parts.into_iter().flatten().collect()
}

fn nan() -> Vec3 {
    Vec3::splat(f32::NAN)
}

#[pymethods]
impl PyQuery {
    /// Paths from each start to each goal, both of shape (n, 3), on all threads. `search` as for `find_path`.
    #[pyo3(signature = (starts, goals, search = Search::Optimal))]
    fn find_paths(
        slf: Own<'_, Self>,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        search: Search,
    ) -> PyResult<PyPaths> {
        let (starts, goals) = (points(starts, "starts")?, points(goals, "goals")?);
        let (starts, goals) = (starts.as_slice()?, goals.as_slice()?);
        same_length(("starts", starts.len()), ("goals", goals.len()))?;
        let parts = ask_all(py, slf, starts.len(), |session, numbers| {
            let mut rows = PathRows::default();
            rows.rows.reserve(numbers.len());
            for i in numbers {
                add_path(session, starts[i], goals[i], &search, &mut rows)?;
            }
            Ok(rows)
        })?;
        PyPaths::new(py, parts)
    }

    /// The lengths of such paths alone: infinite where the goal cannot be reached.
    #[pyo3(signature = (starts, goals, search = Search::Optimal))]
    fn path_lengths<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
        search: Search,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (starts, goals) = (points(starts, "starts")?, points(goals, "goals")?);
        let (starts, goals) = (starts.as_slice()?, goals.as_slice()?);
        same_length(("starts", starts.len()), ("goals", goals.len()))?;
        let parts = ask_all(py, slf, starts.len(), |session, numbers| {
            numbers.map(|i| length_of(session, starts[i], goals[i], &search)).collect::<Result<Vec<f32>, StaleRef>>()
        })?;
        Ok(from_column(py, flat(parts)))
    }

    /// The nearest place to each point: polygons (0 where none is within reach) and points (n, 3) (NaN there).
    #[allow(clippy::type_complexity)]
    fn nearest_many<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray2<f32>>)> {
        let list = crate::arrays::points(points, "points")?;
        let list = list.as_slice()?;
        let parts = ask_all(py, slf, list.len(), |session, numbers| {
            let one = |i| session.nearest(list[i]).map_or((0, nan()), |found| (found.poly.to_bits(), found.point));
            Ok(numbers.map(one).collect::<Vec<(u64, Vec3)>>())
        })?;
        let (polys, places): (Vec<u64>, Vec<Vec3>) = flat(parts).into_iter().unzip();
        Ok((from_column(py, polys), from_points(py, places)?))
    }

    /// Lines of sight from each start to each end: how much of each is free, 0 to 1, and where it ends, shape (n, 3).
    #[allow(clippy::type_complexity)]
    fn raycast_many<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray2<f32>>)> {
        let (starts, ends) = (points(starts, "starts")?, points(ends, "ends")?);
        let (starts, ends) = (starts.as_slice()?, ends.as_slice()?);
        same_length(("starts", starts.len()), ("ends", ends.len()))?;
        let parts = ask_all(py, slf, starts.len(), |session, numbers| {
            numbers
                .map(|i| session.ray(starts[i], ends[i]).map(|ray| (ray.t, ray.point)))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let (free, places): (Vec<f32>, Vec<Vec3>) = flat(parts).into_iter().unzip();
        Ok((from_column(py, free), from_points(py, places)?))
    }

    /// Moves along the surface, sliding along walls: polygons and points (n, 3); 0 and NaN where a start is not near the mesh.
    #[allow(clippy::type_complexity)]
    fn move_along_many<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray2<f32>>)> {
        let (starts, ends) = (points(starts, "starts")?, points(ends, "ends")?);
        let (starts, ends) = (starts.as_slice()?, ends.as_slice()?);
        same_length(("starts", starts.len()), ("ends", ends.len()))?;
        let parts = ask_all(py, slf, starts.len(), |session, numbers| {
            let place = |found: Option<wayfare::query::PolyPoint>| {
                found.map_or((0, nan()), |place| (place.poly.to_bits(), place.point))
            };
            numbers.map(|i| session.move_along(starts[i], ends[i]).map(place)).collect::<Result<Vec<_>, _>>()
        })?;
        let (polys, places): (Vec<u64>, Vec<Vec3>) = flat(parts).into_iter().unzip();
        Ok((from_column(py, polys), from_points(py, places)?))
    }

    /// Whether each goal can be reached from each start: 1, 0, or -1 where a limit was hit before that was known.
    fn reachable_many<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        goals: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let (starts, goals) = (points(starts, "starts")?, points(goals, "goals")?);
        let (starts, goals) = (starts.as_slice()?, goals.as_slice()?);
        same_length(("starts", starts.len()), ("goals", goals.len()))?;
        let parts = ask_all(py, slf, starts.len(), |session, numbers| {
            let code = |answer: Option<bool>| answer.map_or(-1, i8::from);
            numbers.map(|i| session.reachable(starts[i], goals[i]).map(code)).collect::<Result<Vec<i8>, _>>()
        })?;
        Ok(from_column(py, flat(parts)))
    }

    /// Metres from each point to the nearest wall, and the point of the wall; `max_radius` and NaN where there is none so near.
    #[allow(clippy::type_complexity)]
    fn nearest_wall_many<'py>(
        slf: Own<'_, Self>,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
        max_radius: f32,
    ) -> PyResult<(Bound<'py, PyArray1<f32>>, Bound<'py, PyArray2<f32>>)> {
        let max_radius = radius_of(max_radius)?;
        let list = crate::arrays::points(points, "points")?;
        let list = list.as_slice()?;
        let parts = ask_all(py, slf, list.len(), |session, numbers| {
            let row = |wall: Option<wayfare::query::NearestWall>| {
                wall.map_or((max_radius, nan()), |wall| (wall.distance, wall.point))
            };
            numbers.map(|i| session.nearest_wall(list[i], max_radius).map(row)).collect::<Result<Vec<_>, _>>()
        })?;
        let (distances, places): (Vec<f32>, Vec<Vec3>) = flat(parts).into_iter().unzip();
        Ok((from_column(py, distances), from_points(py, places)?))
    }

    /// So many random places, evenly by area: polygons and points (n, 3). Empty if nothing passes the filter. With `seed`, always the same.
    #[allow(clippy::type_complexity)]
    #[pyo3(signature = (count, seed = None))]
    fn random_places<'py>(
        mut slf: Own<'_, Self>,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] count: usize,
        #[pyo3(from_py_with = whole)] seed: Option<u64>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray2<f32>>)> {
        let seed = seed.unwrap_or_else(|| slf.take_seed());
        let mut places: Vec<PolyPoint> = room(count)?;
        let parts = ask_all(py, slf, count, |session, numbers| {
            // A seed for each part, so that threads do not matter.
            let mut rng = Rng::new(seed ^ (numbers.start as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            Ok(numbers.filter_map(|_| session.random(&mut rng)).collect::<Vec<_>>())
        })?;
        places.extend(parts.into_iter().flatten());
        let (polys, places): (Vec<u64>, Vec<Vec3>) =
            places.into_iter().map(|place| (place.poly.to_bits(), place.point)).unzip();
        Ok((from_column(py, polys), from_points(py, places)?))
    }
}

fn add_path(
    session: &mut Session,
    start: Vec3,
    goal: Vec3,
    search: &Search,
    out: &mut PathRows,
) -> Result<(), StaleRef> {
    let (path, straight) = match search {
        Search::Optimal => {
            let found = session.optimal_path(start, goal)?;
            (&found.path, &found.straight)
        }
        Search::Corridor => {
            let found = session.straight_path(start, goal)?;
            (found.path, found.straight)
        }
        Search::Bounded(bounds) => {
            let found = session.bounded_path(bounds, start, goal)?;
            (found.path, found.straight)
        }
    };
    let (status, cost, length) = (path.status, path.cost, straight.length);
    out.rows.push(PathRow { status, length, cost, points: straight.points.len() as u32 });
    out.points.extend(straight.points.iter().map(|corner| corner.point));
    Ok(())
}

fn length_of(session: &mut Session, start: Vec3, goal: Vec3, search: &Search) -> Result<f32, StaleRef> {
    let (status, length) = match search {
        Search::Optimal => {
            let found = session.optimal_path(start, goal)?;
            (found.path.status, found.straight.length)
        }
        Search::Corridor => {
            let found = session.straight_path(start, goal)?;
            (found.path.status, found.straight.length)
        }
        Search::Bounded(bounds) => {
            let found = session.bounded_path(bounds, start, goal)?;
            (found.path.status, found.straight.length)
        }
    };
    Ok(if status == PathStatus::Complete { length } else { f32::INFINITY })
}
