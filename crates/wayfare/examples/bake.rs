//! Bakes a level into a navigation mesh and finds a path over it.
//!
//! The level is a floor with a platform on it and a ramp that leads up. What a game would read from its own files is
//! written here as rectangles. Run it with `cargo run -p wayfare --example bake`.

use std::error::Error;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, TriMesh};
use wayfare::mesh::NavMesh;

/// Rectangles by their corners, in metres, y up. Seen from the side that agents walk on, the corners go round
/// anticlockwise: a triangle faces where its normal `(b - a) × (c - a)` points.
const RECTANGLES: [[[f32; 3]; 4]; 7] = [
    // The floor.
    [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]],
    // The platform: its top and its four sides.
    [[12.0, 1.5, 10.0], [12.0, 1.5, 18.0], [18.0, 1.5, 18.0], [18.0, 1.5, 10.0]],
    [[12.0, 0.0, 10.0], [12.0, 0.0, 18.0], [12.0, 1.5, 18.0], [12.0, 1.5, 10.0]],
    [[18.0, 0.0, 18.0], [18.0, 0.0, 10.0], [18.0, 1.5, 10.0], [18.0, 1.5, 18.0]],
    [[12.0, 0.0, 18.0], [18.0, 0.0, 18.0], [18.0, 1.5, 18.0], [12.0, 1.5, 18.0]],
    [[18.0, 0.0, 10.0], [12.0, 0.0, 10.0], [12.0, 1.5, 10.0], [18.0, 1.5, 10.0]],
    // The ramp.
    [[6.0, 0.0, 12.0], [6.0, 0.0, 16.0], [12.0, 1.5, 16.0], [12.0, 1.5, 12.0]],
];

/// Two triangles for each rectangle.
fn triangles() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let verts = RECTANGLES.iter().flatten().map(|&corner| Vec3::from(corner)).collect();
    let first_corners = (0..RECTANGLES.len() as u32).map(|rectangle| rectangle * 4);
    let tris = first_corners.flat_map(|i| [[i, i + 1, i + 2], [i, i + 2, i + 3]]).collect();
    (verts, tris)
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (verts, tris) = triangles();
    let level = TriMesh::new(verts, tris)?;
    // Triangles that cannot be used, such as those without an area, are left out and counted.
    assert_eq!(level.report().degenerate, 0);

    // Whoever walks here is 1.8 m high and 0.8 m wide, and steps up by 0.4 m at most.
    let agent = AgentSettings { height: 1.8, radius: 0.4, max_climb: 0.4, ..AgentSettings::default() };
    let settings = BakeSettings::for_agent(agent);
    let (baked, report) = bake_tiles(&level, &settings, &Context::default())?;
    for warning in &report.warnings {
        println!("warning: {} ({})", warning.kind.name(), warning.count);
    }
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles)?;
    println!(
        "{} triangles became {} polygons of {:.0} m²",
        level.tris().len(),
        report.stats.polys,
        report.stats.poly_area
    );
    assert!(mesh.check().is_empty(), "the mesh is sound");

    // From the floor beside the platform onto it: the only path is the ramp.
    let route = mesh.find_path([16.0, 0.0, 5.0], [16.0, 1.5, 14.0]);
    println!("up to the platform, {:.1} m:", route.length);
    for point in &route.points {
        println!("  {:.1} {:.1} {:.1}", point.x, point.y, point.z);
    }
    assert!(route.is_complete());
    assert!(route.points.iter().any(|point| point.x < 8.0), "the path goes round by the foot of the ramp");

    // The bytes to ship. The same level and settings give the same bytes on every platform.
    let bytes = mesh.to_bytes();
    println!("{} bytes, digest {}", bytes.len(), mesh.digest());
    assert_eq!(NavMesh::from_bytes(&bytes)?.digest(), mesh.digest());
    Ok(())
}
