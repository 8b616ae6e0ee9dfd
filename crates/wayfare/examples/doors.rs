//! Doors that open and close without baking anything: the flags of a few polygons change, and so do the paths.
//!
//! Two halls share a wall with a door in its middle and a gate at its far end. With the door closed the path leads
//! through the gate; with both closed there is no path, and the mesh reports that at once, without a search.
//! Run it with `cargo run -p wayfare --example doors`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::area::{AreaId, FlagMask, PolyFlags};
use wayfare::input::{AgentSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    DefaultFilter, PathRequest, SearchScratch, StraightPath, find_nearest, find_path, reachable, string_pull,
};

/// Area types are the game's own: a number from 1 to 62 for each kind of surface.
const DOOR: AreaId = AreaId::from_low_bits(1);
const GATE: AreaId = AreaId::from_low_bits(2);
/// So are flags, except that everything begins with `PolyFlags::WALK`, and that jumps and drops found by the bake have
/// 8.
const CLOSED: PolyFlags = PolyFlags(1 << 4);

/// A box from the floor up to 3 m, by its corners on the plane (x, z).
fn volume(min: [f32; 2], max: [f32; 2]) -> Volume {
    Volume::Box(Aabb { min: Vec3::new(min[0], -1.0, min[1]), max: Vec3::new(max[0], 3.0, max[1]) })
}

fn bake() -> Result<NavMesh, Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 30.0], [20.0, 0.0, 30.0], [20.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    let volumes = [
        // The wall, which leaves two openings; agents keep their radius from it.
        MarkedVolume::block(volume([9.8, 0.0], [10.2, 4.0])),
        MarkedVolume::block(volume([9.8, 7.0], [10.2, 26.0])),
        // What lies in the openings becomes polygons of its own.
        MarkedVolume::paint(volume([9.5, 4.0], [10.5, 7.0]), DOOR),
        MarkedVolume::paint(volume([9.5, 26.0], [10.5, 30.0]), GATE),
    ];
    let level = Level { mesh: &floor, terrain: None, volumes: &volumes };
    Ok(NavMesh::bake(level, &AgentSettings::default())?)
}

/// Gives all polygons of an area type these flags.
fn set_flags(mesh: &mut NavMesh, area: AreaId, flags: PolyFlags) -> Result<(), Box<dyn Error>> {
    let polys = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
    let doors: Vec<PolyRef> = polys.filter(|&poly| mesh.state(poly).is_ok_and(|state| state.area == area)).collect();
    assert!(!doors.is_empty());
    for poly in doors {
        mesh.set_flags(poly, flags)?;
    }
    Ok(())
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut mesh = bake()?;
    let open_doors = FlagMask { include: PolyFlags::ALL, exclude: CLOSED };
    let filter = DefaultFilter::of(&mesh).with_flags(open_doors.include, open_doors.exclude);
    // The mesh keeps track of what is connected for agents that cannot pass closed doors.
    mesh.keep_components_for(open_doors);

    let place = |x, z| find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::ONE, &filter).map(|nearest| nearest.place());
    let (start, goal) = (place(3.0, 5.5).ok_or("no start")?, place(17.0, 5.5).ok_or("no goal")?);
    // References stay valid when flags change; only a tile that is replaced makes them stale.
    let question = PathRequest::new(start, goal);
    let mut scratch = SearchScratch::new();
    let mut ask = |mesh: &NavMesh| -> Result<(StraightPath, bool), Box<dyn Error>> {
        let path = find_path(mesh, &question, &filter, &mut scratch)?;
        let answer = reachable(mesh, &question, &filter, &mut scratch)?;
        assert!(!answer.searched, "the kept components tell");
        Ok((string_pull(&path, &mut scratch), answer.answer == Some(true)))
    };

    let (path, is_reachable) = ask(&mesh)?;
    println!("door open:   {:.1} m", path.length);
    assert!(is_reachable && path.length < 15.0);

    set_flags(&mut mesh, DOOR, CLOSED)?;
    let (path, is_reachable) = ask(&mesh)?;
    println!("door closed: {:.1} m, by the gate", path.length);
    assert!(is_reachable && path.length > 40.0);

    set_flags(&mut mesh, GATE, CLOSED)?;
    let (path, is_reachable) = ask(&mesh)?;
    println!("both closed: not reachable; {:.1} m as near as one can get", path.length);
    assert!(!is_reachable && path.points.iter().all(|corner| corner.point.x < 10.0));

    set_flags(&mut mesh, DOOR, PolyFlags::WALK)?;
    let (path, is_reachable) = ask(&mesh)?;
    println!("door opened: {:.1} m", path.length);
    assert!(is_reachable && path.length < 15.0);
    Ok(())
}
