//! A custom filter: it decides who may walk where, and at what cost.
//!
//! A thief avoids being seen. For her each metre within sight of a guard costs ten, so she takes the longer path round
//! the house, whereas a visitor takes the shorter. Run it with `cargo run -p wayfare --example custom_filter`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::input::{AgentSettings, Level, LinkSettings, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, PolyRef, PolyState};
use wayfare::query::{
    Crossing, DefaultFilter, PathRequest, QueryFilter, SearchScratch, StraightPath, find_nearest, find_path,
    string_pull,
};

/// The filter of agents that do not want to be seen.
struct Hidden {
    guard: Vec3,
    /// How far the guard sees, metres.
    sight: f32,
}

impl Hidden {
    /// How near the straight line between two points comes to the guard, metres.
    fn distance_to_guard(&self, from: Vec3, to: Vec3) -> f32 {
        let along = to - from;
        let part = (self.guard - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE);
        (from + along * part.clamp(0.0, 1.0)).distance(self.guard)
    }
}

impl QueryFilter for Hidden {
    /// Polygons by their flags: everything that can be walked on, and jumps that the bake has found.
    fn passes(&self, _: PolyRef, state: PolyState) -> bool {
        state.flags.intersects(PolyFlags::WALK | LinkSettings::FLAGS)
    }

    /// The cost of a straight line over one polygon: its length, times ten within sight.
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let is_seen = self.distance_to_guard(crossing.from, crossing.to) < self.sight;
        crossing.length() * if is_seen { 10.0 } else { 1.0 }
    }

    /// No metre costs less than this. A search relies on it: a bound that is too high may miss the cheapest path.
    fn least_cost(&self) -> f32 {
        1.0
    }
}

/// A yard of 30 by 30 metres around a house that is somewhat to the left.
fn yard() -> Result<NavMesh, Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [30.0, 0.0, 30.0], [30.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    let house = Volume::Box(Aabb { min: Vec3::new(6.0, -1.0, 6.0), max: Vec3::new(20.0, 4.0, 24.0) });
    let level = Level { mesh: &floor, terrain: None, volumes: &[MarkedVolume::block(house)] };
    Ok(NavMesh::bake(level, &AgentSettings::default())?)
}

/// Any filter will do: functions that ask take it as a parameter.
fn ask(mesh: &NavMesh, filter: &impl QueryFilter) -> Result<StraightPath, Box<dyn Error>> {
    let place = |x, z| find_nearest(mesh, Vec3::new(x, 0.0, z), Vec3::ONE, filter).map(|nearest| nearest.place());
    let (start, goal) = (place(11.0, 2.0).ok_or("no start")?, place(11.0, 28.0).ok_or("no goal")?);
    let mut scratch = SearchScratch::new();
    let path = find_path(mesh, &PathRequest::new(start, goal), filter, &mut scratch)?;
    Ok(string_pull(&path, &mut scratch))
}

/// Whether the path passes the house on its left, where x is small.
fn is_left(path: &StraightPath) -> bool {
    path.points.iter().any(|corner| corner.point.x < 6.0)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = yard()?;
    let visitor = ask(&mesh, &DefaultFilter::of(&mesh))?;
    let thief = ask(&mesh, &Hidden { guard: Vec3::new(3.0, 0.0, 15.0), sight: 6.0 })?;
    for (name, path) in [("visitor", &visitor), ("thief", &thief)] {
        println!("{name}: {:.1} m, {} of the house", path.length, if is_left(path) { "left" } else { "right" });
    }
    assert!(is_left(&visitor), "the shorter way is on the left");
    assert!(!is_left(&thief) && thief.length > visitor.length, "the hidden one is on the right");

    // Once the guard has gone, the thief walks like everybody else.
    let alone = ask(&mesh, &Hidden { guard: Vec3::new(500.0, 0.0, 500.0), sight: 6.0 })?;
    assert_eq!(alone.points, visitor.points);
    Ok(())
}
