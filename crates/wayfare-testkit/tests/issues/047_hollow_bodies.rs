//! Crates and buildings that were modelled as shells had ground inside, to which nothing leads, and the bake did not
//! say so: random points lay there, and so did the ends of paths.

use super::bake;
use wayfare::Vec3;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::OffMeshConnection;

/// Four corners; seen from the side that it faces they go around to the left.
type Quad = [[f32; 3]; 4];

/// A shell that faces outwards: below, above, and towards -x, +x, -z, +z.
fn shell([x0, y0, z0]: [f32; 3], [x1, y1, z1]: [f32; 3]) -> [Quad; 6] {
    [
        [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
        [[x0, y1, z0], [x0, y1, z1], [x1, y1, z1], [x1, y1, z0]],
        [[x0, y0, z0], [x0, y0, z1], [x0, y1, z1], [x0, y1, z0]],
        [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]],
        [[x0, y0, z0], [x0, y1, z0], [x1, y1, z0], [x1, y0, z0]],
        [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]],
    ]
}

/// The same seen from inside.
fn room(low: [f32; 3], high: [f32; 3]) -> [Quad; 6] {
    shell(low, high).map(|[a, b, c, d]| [a, d, c, b])
}

fn floor([x0, x1]: [f32; 2], [z0, z1]: [f32; 2], y: f32) -> Quad {
    [[x0, y, z0], [x0, y, z1], [x1, y, z1], [x1, y, z0]]
}

/// A wall that faces +x, with a doorway two metres wide.
fn wall_with_door(x: f32, [z0, z1]: [f32; 2], height: f32) -> [Quad; 3] {
    let wall = |[z0, z1]: [f32; 2], [y0, y1]: [f32; 2]| [[x, y0, z0], [x, y1, z0], [x, y1, z1], [x, y0, z1]];
    let middle = 0.5 * (z0 + z1);
    let door = [middle - 1.0, middle + 1.0];
    [wall([z0, door[0]], [0.0, height]), wall([door[1], z1], [0.0, height]), wall(door, [2.6, height])]
}

fn level(quads: &[&[Quad]]) -> TriMesh {
    let verts: Vec<Vec3> = quads.concat().into_iter().flatten().map(Vec3::from).collect();
    let tris = (0..verts.len() as u32).step_by(4).flat_map(|i| [[i, i + 1, i + 2], [i, i + 2, i + 3]]);
    let tris = tris.collect();
    TriMesh::new(verts, tris).unwrap()
}

/// Where surfaces inside hollow bodies are, as one tile and in tiles, where there are as many.
fn hollow(quads: &[&[Quad]]) -> Vec<Vec3> {
    let level = level(quads);
    let [solo, tiled] = [0, 20].map(|tile_size| {
        let settings = BakeSettings { tile_size, ..BakeSettings::default() };
        let (mesh, _) = bake(&level, &settings);
        mesh.hollow_surfaces(&level, settings.agent.height).into_iter().map(|surface| surface.at).collect::<Vec<_>>()
    });
    assert_eq!(solo.len(), tiled.len(), "{solo:?} {tiled:?}");
    solo
}

const GROUND: [f32; 2] = [-15.0, 15.0];

/// A crate from -3 to 3 metres, and a floor around it.
fn crate_on_floor() -> (Quad, [Quad; 6]) {
    (floor(GROUND, GROUND, 0.0), shell([-3.0, 0.0, -3.0], [3.0, 4.0, 3.0]))
}

#[test]
fn a_crate_with_or_without_a_bottom_is_told() {
    let (floor, faces) = crate_on_floor();
    for faces in [&faces[..], &faces[1..]] {
        let found = hollow(&[&[floor], faces]);
        assert_eq!(found.len(), 1);
        assert!(found[0].abs().max_element() < 3.0 && found[0].y < 0.5, "{found:?}");
    }
    // Neither a floor alone nor a crate alone, whose bottom faces down.
    assert_eq!(hollow(&[&[floor]]), []);
    assert_eq!(hollow(&[&faces]), []);
}

#[test]
fn one_box_in_another_is_told_twice() {
    let floor = floor(GROUND, GROUND, 0.0);
    let (outer, inner) = (shell([-9.0, 0.0, -9.0], [9.0, 8.0, 9.0]), shell([-3.0, 0.0, -3.0], [3.0, 4.0, 3.0]));
    // Within the outer one: around the inner one, in it, and on top of it.
    assert_eq!(hollow(&[&[floor], &outer, &inner]).len(), 3);
}

#[test]
fn a_house_with_a_door_is_no_hollow_body() {
    let ground = floor(GROUND, GROUND, 0.0);
    let [_, roof, west, east, north, south] = shell([-9.0, 0.0, -9.0], [9.0, 4.0, 9.0]);
    let house = [roof, west, north, south];
    let door = wall_with_door(9.0, [-9.0, 9.0], 4.0);
    assert_eq!(hollow(&[&[ground], &house, &door]), []);
    assert_eq!(hollow(&[&[ground], &house, &[east]]).len(), 1);
    // A locked room with walls of some thickness is none either: nothing in it is seen from behind.
    let walls = room([-8.0, 0.0, -8.0], [8.0, 3.7, 8.0]);
    assert_eq!(hollow(&[&[ground], &house, &[east], &walls[1..]]), []);
}

#[test]
fn a_cellar_with_stairs_is_no_hollow_body() {
    // A house of one sheet with a door; in its floor a hole of 4 × 9 metres, and stairs down to a cellar.
    let [_, roof, west, _, north, south] = shell([-12.0, 0.0, -9.0], [9.0, 4.0, 9.0]);
    let door = wall_with_door(9.0, [-9.0, 9.0], 4.0);
    let around = [
        floor(GROUND, [-15.0, -2.0], 0.0),
        floor(GROUND, [2.0, 15.0], 0.0),
        floor([-15.0, -5.0], [-2.0, 2.0], 0.0),
        floor([4.0, 15.0], [-2.0, 2.0], 0.0),
    ];
    let step = |i: u16| floor([4.0 - 0.5 * f32::from(i), 4.5 - 0.5 * f32::from(i)], [-2.0, 2.0], -0.25 * f32::from(i));
    let stairs: Vec<Quad> = (1..=16).map(step).collect();
    let [ground, _, walls @ ..] = room([-11.0, -4.0, -8.0], [8.0, -0.2, 8.0]);
    let cellar = [&[ground][..], &walls].concat();
    assert_eq!(hollow(&[&around, &[roof, west, north, south], &door, &stairs, &cellar]), []);
}

#[test]
fn a_cave_that_a_ramp_leads_into_is_no_hollow_body() {
    let hill = [floor([-15.0, 8.0], GROUND, 6.0), floor([8.0, 25.0], [-15.0, -4.0], 6.0)];
    let open = [floor([8.0, 25.0], [4.0, 15.0], 6.0), floor([20.0, 25.0], [-4.0, 4.0], 6.0)];
    let ramp = [[8.0, 0.0, -4.0], [8.0, 0.0, 4.0], [20.0, 6.0, 4.0], [20.0, 6.0, -4.0]];
    let [ground, _, west, _, north, south] = room([-9.0, 0.0, -4.0], [8.0, 4.0, 4.0]);
    assert_eq!(hollow(&[&hill, &open, &[ramp, ground, west, north, south]]), []);
    // Nor is one that faces inwards and that nothing leads into: what is around it is solid.
    assert_eq!(hollow(&[&hill, &open, &[ground, west, north, south]]), []);
}

#[test]
fn what_a_connection_leads_into_is_no_hollow_body() {
    let (floor, faces) = crate_on_floor();
    let level = level(&[&[floor], &faces]);
    for two_way in [true, false] {
        let (mut mesh, _) = bake(&level, &BakeSettings::default());
        let inside = mesh.hollow_surfaces(&level, 2.0)[0];
        assert!(mesh.is_valid(inside.poly));
        let start = Vec3::new(9.0, 0.0, 0.0);
        let (area, flags) = (wayfare::area::AreaId::WALKABLE, wayfare::area::PolyFlags::WALK);
        let hatch = OffMeshConnection { start, end: inside.at, radius: 0.6, two_way, area, flags, user_id: 0 };
        mesh.add_connection(hatch).unwrap();
        assert_eq!(mesh.hollow_surfaces(&level, 2.0), []);
    }
}
