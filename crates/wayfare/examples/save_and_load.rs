//! Saves a game in the middle of things and loads it: the mesh, what changed on it, and a crowd that is walking.
//!
//! After loading, both games continue with the same positions, to the bit. The bytes are kept in memory here; a game
//! writes them to its own files. Run it with `cargo run -p wayfare --example save_and_load`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::input::{AgentSettings, TriMesh};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, find_nearest};

/// A flag of the game's own: the surface is on fire.
const BURNING: PolyFlags = PolyFlags(1 << 4);

/// What a saved game consists of. The mesh that the game ships with is not part of it.
struct Save {
    /// The polygons whose flags or area types differ from the shipped ones.
    changes: Vec<u8>,
    /// Agents with their paths, targets and searches in progress.
    crowd: Vec<u8>,
    /// A polygon that the game remembers, as a number.
    fire: u64,
}

fn ship() -> Result<Vec<u8>, Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    Ok(NavMesh::bake(&floor, &AgentSettings::default())?.to_bytes())
}

fn walk(crowd: &mut Crowd, mesh: &NavMesh, planner: &mut AStarPlanner, ticks: u32) {
    for _ in 0..ticks {
        crowd.step(mesh, 0.05, planner, &Context::default());
    }
}

fn load(shipped: &[u8], save: &Save) -> Result<(NavMesh, Crowd, PolyRef), Box<dyn Error>> {
    // The mesh first: the crowd names the digest of the mesh it walks on, and refuses another.
    let mut mesh = NavMesh::from_bytes(shipped)?;
    mesh.restore_delta(&save.changes)?;
    let crowd = Crowd::from_bytes(&save.crowd, &mesh, &[])?;
    let fire = PolyRef::from_bits(save.fire).ok_or("no polygon was saved")?;
    Ok((mesh, crowd, fire))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let shipped = ship()?;
    let mut mesh = NavMesh::from_bytes(&shipped)?;
    let corner = Vec3::new(10.0, 0.0, 10.0);
    let fire = find_nearest(&mesh, corner, Vec3::ONE, &DefaultFilter::default()).ok_or("nothing there")?.poly;
    mesh.set_flags(fire, PolyFlags::WALK | BURNING)?;

    // Ten agents, four seconds after they set out.
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    for row in 0..10 {
        let z = 1.5 + row as f32 * 1.8;
        let agent = crowd.add(&mesh, Vec3::new(2.0, 0.0, z), AgentParams::default())?;
        crowd.go_to(&mesh, agent, Vec3::new(18.0, 0.0, 19.0 - z))?;
    }
    walk(&mut crowd, &mesh, &mut planner, 40);

    let save = Save { changes: mesh.store_delta(), crowd: crowd.to_bytes(&mesh, &planner), fire: fire.to_bits() };
    println!("shipped mesh {} bytes, changes {}, crowd {}", shipped.len(), save.changes.len(), save.crowd.len());

    let (loaded_mesh, mut loaded_crowd, loaded_fire) = load(&shipped, &save)?;
    assert!(loaded_mesh.state(loaded_fire)?.flags.intersects(BURNING));
    assert_eq!(loaded_mesh.digest(), mesh.digest());

    // Both go on. A planner is not saved: what it was searching for is asked again.
    walk(&mut crowd, &mesh, &mut planner, 100);
    walk(&mut loaded_crowd, &loaded_mesh, &mut AStarPlanner::new(), 100);
    assert_eq!(crowd.positions(), loaded_crowd.positions(), "the same places, to the bit");
    println!("after 100 more ticks all {} agents of both games are at the same places", crowd.len());

    // Bytes that were damaged are refused, and say what is wrong.
    let mut damaged = save.changes.clone();
    damaged[10] ^= 1;
    let error = NavMesh::from_bytes(&shipped)?.restore_delta(&damaged).expect_err("damaged bytes are refused");
    println!("a damaged save is refused: {error}");
    Ok(())
}
