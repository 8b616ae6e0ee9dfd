//! `harbour`: a quay with crates and a warehouse, and a ship that docks at it.
//!
//! ```text
//!    quay                      ship             the ship is `away` metres from where it docks;
//!   +----------+            +--------+          at 0 its gangway rests on the quay
//!   | # #      |            | cabin  |
//!   |          |       ==== |        |
//!   | warehouse|   <- away  +--------+
//!   +----------+
//! ```
//!
//! Between them is water, which nobody walks on. The ship is a piece of its own ([`Harbour::ship`]), so that a game, a
//! test or a picture can let it come and go.

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;
use wayfare::input::{TriMesh, TriMeshError};
use wayfare::math::Aabb;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "harbour",
    summary: "a quay, and a ship that docks at it with a gangway",
    params: &[Param::real("away", 0.0, [0.0, 24.0], "how far the ship is from where it docks, in metres")],
    build,
};

/// Height of the deck above the quay.
const DECK: f32 = 1.0;
/// The gangway reaches this far over the quay.
const OVERLAP: f32 = 1.5;

/// The pieces of the scene `harbour`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Harbour;

impl Harbour {
    /// A box around the quay and everywhere the ship can be.
    pub const BOUNDS: Aabb = Aabb { min: Vec3::new(-24.0, -3.0, -20.0), max: Vec3::new(36.0, 6.0, 20.0) };
    /// A place on the quay, and one on the deck of the ship where it docks.
    pub const PLACES: [Vec3; 2] = [Vec3::new(-8.0, 0.0, -3.0), Vec3::new(5.0, DECK, -3.0)];

    /// The quay, which stays.
    ///
    /// # Errors
    /// Never; the type is that of [`TriMesh::new`].
    pub fn quay() -> Result<TriMesh, TriMeshError> {
        let mut kit = Kit::new();
        build_quay(&mut kit);
        TriMesh::new(kit.verts, kit.tris)
    }

    /// The ship with its gangway, where it docks.
    ///
    /// # Errors
    /// Never; the type is that of [`TriMesh::new`].
    pub fn ship() -> Result<TriMesh, TriMeshError> {
        let mut kit = Kit::new();
        build_ship(&mut kit);
        TriMesh::new(kit.verts, kit.tris)
    }
}

fn build_quay(kit: &mut Kit) {
    kit.cuboid([-24.0, -3.0, -20.0], [0.0, 0.0, 20.0]);
    kit.cuboid([-22.0, 0.0, 4.0], [-14.0, 4.0, 17.0]);
    for [x, z] in [[-14.0, -15.0], [-10.0, -15.0], [-14.0, -11.0], [-5.0, 8.0], [-5.0, 13.0]] {
        kit.cuboid([x, 0.0, z], [x + 2.4, 2.2, z + 2.4]);
    }
}

fn build_ship(kit: &mut Kit) {
    kit.cuboid([1.5, -2.0, -10.0], [9.5, DECK, 10.0]);
    kit.cuboid([3.5, DECK, 4.0], [7.5, DECK + 2.6, 8.0]);
    let from = Vec3::new(-OVERLAP, 0.0, -3.0);
    kit.ramp(&Climb { from, to: Vec3::new(1.5, DECK, -3.0), width: 3.6 });
}

fn build(params: &Params) -> Scene {
    let away = params.real("away");
    let mut kit = Kit::new();
    build_ship(&mut kit);
    kit.verts.iter_mut().for_each(|corner| corner.x += away);
    build_quay(&mut kit);
    let [quay, deck] = Harbour::PLACES.map(|place| place.to_array());
    let deck = [deck[0] + away, deck[1], deck[2]];
    let mut errands = vec![Errand::open("past the warehouse", [-12.0, 0.0, 18.5], quay)];
    if away == 0.0 {
        errands.push(Errand::open("up the gangway", quay, deck));
        errands.push(Errand::open("down the gangway", deck, quay));
    } else if away > 2.0 * OVERLAP {
        errands.push(Errand::shut("over the water", quay, deck));
    }
    scene(kit, errands)
}
