//! A world that is built and torn down while it is walked in: a worker bakes what has changed and publishes it.
//!
//! A wall is built across a floor, with a gate left open, then closed, then torn down. Orders go to a worker on a
//! thread of its own: it changes the objects of the level, lets the mesh follow, which bakes the tiles that they touch
//! again, and publishes it, while readers go on with the version that they have.
//! Run it with `cargo run -p wayfare --example built_walls`.

use std::error::Error;
use std::sync::{Arc, mpsc};
use std::thread;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LiveLevel, ObjectRef};
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, SharedMesh};
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};

/// What a game asks the worker for.
enum Order {
    /// A wall.
    Build(TriMesh),
    /// All walls go.
    TearDown,
}

/// What can go wrong on the worker's thread.
type Failed = Box<dyn Error + Send + Sync>;

/// The four sides and the top of a wall along x = 15 from one z to another.
fn wall([from, to]: [f32; 2]) -> Result<TriMesh, Box<dyn Error>> {
    let corner = |i: u32| {
        let pick = |bit: u32, low: f32, high: f32| if i & bit == 0 { low } else { high };
        Vec3::new(pick(1, 14.8, 15.4), pick(2, 0.0, 3.0), pick(4, from, to))
    };
    let quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 2, 6, 4], [1, 5, 7, 3], [2, 3, 7, 6]];
    let tris = quads.iter().flat_map(|&[a, b, c, d]| [[a, c, b], [a, d, c]]).collect();
    Ok(TriMesh::new((0..8).map(corner).collect(), tris)?)
}

/// Carries out orders until there are no more.
fn work(orders: &mpsc::Receiver<Order>, shared: &SharedMesh, mut level: LiveLevel) -> Result<(), Failed> {
    let mut walls: Vec<ObjectRef> = Vec::new();
    for order in orders {
        match order {
            Order::Build(wall) => walls.push(level.add_object(Arc::new(wall), Vec3::ZERO)?),
            Order::TearDown => walls.drain(..).try_for_each(|wall| level.remove_object(wall))?,
        }
        level.step(Budget::unlimited(), &Context::default())?;
        println!("{} tiles were baked again", level.rebuilt().len());
        shared.publish(level.mesh().clone())?;
    }
    Ok(())
}

fn status(mesh: &NavMesh) -> Result<PathStatus, Box<dyn Error>> {
    let filter = DefaultFilter::of(mesh);
    let place = |x| find_nearest(mesh, Vec3::new(x, 0.0, 15.0), Vec3::ONE, &filter).map(|nearest| nearest.place());
    let request = PathRequest::new(place(3.0).ok_or("no start")?, place(27.0).ok_or("no goal")?);
    Ok(find_path(mesh, &request, &filter, &mut SearchScratch::new())?.status)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    // The bounds are those of all that may be built.
    let bounds = Aabb { min: Vec3::new(0.0, -1.0, 0.0), max: Vec3::new(30.0, 5.0, 30.0) };
    let settings = BakeSettings { tile_size: 32, bounds: Some(bounds), ..BakeSettings::default() };
    // All its tiles are out of date at first, so the first step bakes them.
    let mut level = LiveLevel::new(&floor, &settings)?;
    level.step(Budget::unlimited(), &Context::default())?;
    let shared = SharedMesh::new(level.mesh().clone());

    let build = |from, to| wall([from, to]).map(Order::Build);
    let walls = [build(-1.0, 13.0)?, build(17.0, 31.0)?, build(12.0, 18.0)?, Order::TearDown];
    let expected = [PathStatus::Complete, PathStatus::Complete, PathStatus::Partial, PathStatus::Complete];
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let (orders, to_do) = mpsc::channel();
        let worker = scope.spawn(|| {
            let to_do = to_do;
            work(&to_do, &shared, level)
        });
        let mut reader = shared.reader();
        for (order, expected) in walls.into_iter().zip(expected) {
            let before = reader.latest().clone();
            orders.send(order)?;
            // A game goes on with its frames here; this one waits for the version that has the wall.
            while reader.latest().is_same_as(&before) {
                if worker.is_finished() {
                    return Err("the worker has stopped".into());
                }
                thread::yield_now();
            }
            assert_eq!(status(reader.latest())?, expected);
        }
        drop(orders);
        worker.join().map_err(|_| "the worker has failed")?.map_err(|why| why as Box<dyn Error>)
    })
}
