//! `river`: surfaces of several area types: water, a road over a bridge, a door, mud; and a well that is an obstacle.
//!
//! ```text
//!      z ^   grass     ~ ~ ~    +---+
//!        |    mud      ~ ~ ~    |   |      water and road are triangles of their own; door and mud are volumes painted on the
//!        | ========= bridge ====| door     ground; the well is a volume that takes ground away
//!        |      well   ~ ~ ~    +---+
//!        +-----------------------> x
//! ```

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, Volume};
use wayfare::{Vec2, Vec3};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "river",
    summary: "several area types: water (1), road (2), a door (3), mud (4), grass (63)",
    params: &[
        Param::real("length", 40.0, [30.0, 400.0], "of the river in metres"),
        Param::real("width", 8.0, [4.0, 40.0], "of the river in metres"),
    ],
    build,
};

/// How far the bed of the river is below the banks: no more than the default climb.
const BED: f32 = -0.6;
const ROAD: [f32; 2] = [-1.5, 1.5];
const BANK: f32 = 20.0;
const WALL: f32 = 0.4;

fn build(params: &Params) -> Scene {
    let (end, half) = (params.real("length") / 2.0, params.real("width") / 2.0);
    let [water, road, door, mud] = [1, 2, 3, 4].map(AreaId::from_low_bits);
    let far = half + BANK;
    let mut kit = Kit::new();
    for bank in [[-far, -half], [half, far]] {
        kit.floor(bank, [-end, ROAD[0]], 0.0);
        kit.floor(bank, [ROAD[1], end], 0.0);
        kit.paint(road, |kit| kit.floor(bank, ROAD, 0.0));
    }
    kit.paint(water, |kit| kit.floor([-half, half], [-end, end], BED));
    kit.paint(road, |kit| kit.cuboid([-half, -0.3, ROAD[0]], [half, 0.0, ROAD[1]]));
    // A house across the road, open towards the river.
    let (house, doorway) = (far - 8.0, [ROAD[0], ROAD[1]]);
    kit.cuboid([house, 0.0, -6.0], [house + WALL, 3.0, doorway[0]]);
    kit.cuboid([house, 0.0, doorway[1]], [house + WALL, 3.0, 6.0]);
    kit.cuboid([house, 0.0, 6.0], [far, 3.0, 6.0 + WALL]);
    kit.cuboid([house, 0.0, -6.0 - WALL], [far, 3.0, -6.0]);
    let (side, well) = ((-far - half) / 2.0, Vec3::new(-half - 5.0, -0.5, -8.0));
    let puddle = [[-7.0, 4.0], [6.0, 5.5], [8.0, 9.0], [-1.0, 12.5], [-6.5, 10.0], [0.0, 8.0]];
    let puddle = puddle.map(|[x, z]| Vec2::new(side + x, z));
    let leaf = Vec3::new(house + WALL / 2.0, 1.0, 0.0);
    let volumes = vec![
        MarkedVolume::paint(Volume::convex_prism(&puddle, [-0.5, 0.5]), mud),
        MarkedVolume::paint(
            Volume::TurnedBox { center: leaf, half_extents: Vec3::new(0.9, 1.5, 1.6), angle: 0.2 },
            door,
        ),
        MarkedVolume::block(Volume::Cylinder { base: well, radius: 1.5, height: 1.0 }),
    ];
    let errands = vec![
        Errand::open("over the bridge", [-far + 2.0, 0.0, 0.0], [half + 3.0, 0.0, 0.0]),
        Errand::open("through the door", [half + 3.0, 0.0, 0.0], [far - 3.0, 0.0, 3.0]),
        Errand::open("through the water", [-half - 4.0, 0.0, 10.0], [half + 4.0, 0.0, 10.0]),
    ];
    Scene { volumes, ..scene(kit, errands) }
}
