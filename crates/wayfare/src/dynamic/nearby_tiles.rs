//! Keeps the tiles around moving centres baked, and no others: for worlds that are too large to bake, or that are
//! generated where the players go.
//!
//! ```text
//!   . . . . .      ●  a centre
//!   . # # # +      #  within reach: baked
//!   . # ● # +      +  beyond, within slack: kept if it is there, else not baked
//!   . # # # +      .  farther away: removed
//! ```
//!
//! Between reach and slack nothing happens, so a player who walks to and fro over the border of a tile has nothing
//! baked twice.
//!
//! Cost: the tiles in reach of each centre, and those that are kept.
//!
//! Sources: none needed.

use super::{Obstacles, Request};
use crate::math::Aabb;
use crate::mesh::NavMesh;
use glam::Vec3;
use std::collections::BTreeSet;

/// The tiles around moving centres: baked when a centre comes near, removed when all are far away. It need not be saved
/// with a game.
///
/// ```
/// use wayfare::context::{Budget, Context};
/// use wayfare::dynamic::{LevelCheckpoints, ObjectLevel, Obstacles, NearbyTiles};
/// use wayfare::input::{BakeSettings, TriMesh};
/// use wayfare::math::Aabb;
/// use wayfare::mesh::NavMesh;
/// use wayfare::Vec3;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 900.0], [900.0, 0.0, 900.0], [900.0, 0.0, 0.0]].map(Vec3::from);
/// let world = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let bounds = Some(Aabb { min: corners[0], max: corners[2] + Vec3::Y * 20.0 });
/// let settings = BakeSettings { tile_size: 48, bounds, ..BakeSettings::default() };
/// let nothing = LevelCheckpoints::empty(&world, &settings)?;
/// let world = ObjectLevel::new(&world, nothing.plan());
/// let mut mesh = NavMesh::new(nothing.plan().layout());
/// let mut obstacles = Obstacles::new(nothing);
/// let mut nearby = NearbyTiles::new(30.0, 10.0);
///
/// for x in [100.0, 120.0, 140.0] {
///     // Now and then: where the players are.
///     let player = Vec3::new(x, 0.0, 450.0);
///     nearby.follow(&[player], &mut mesh, &mut obstacles);
///     // Each frame, as much as there is time for; here, all.
///     obstacles.step_from(&mut mesh, &world, Budget::unlimited(), &Context::default())?;
///     assert!(mesh.tile_count() >= 16 && mesh.tile_count() <= 64);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NearbyTiles {
    reach: f32,
    slack: f32,
    kept: BTreeSet<u64>,
}

impl NearbyTiles {
    /// No tiles yet. A tile is baked when it touches the square whose sides lie `reach` metres from a centre, and
    /// removed when it does not touch the square that is `slack` metres larger on each side. Values below zero and NaN
    /// count as zero; with infinite reach the whole level is baked.
    #[must_use]
    pub fn new(reach: f32, slack: f32) -> Self {
        // NaN is not above zero.
        let [reach, slack] = [reach, slack].map(|metres| if metres > 0.0 { metres } else { 0.0 });
        Self { reach, slack, kept: BTreeSet::new() }
    }

    /// Tells where the centres are now. Tiles that have come into reach are baked by the [steps](Obstacles::step_from)
    /// that follow; the request is for them. Tiles that are far from all centres are removed from the mesh at once,
    /// with their checkpoints; those that are being rebuilt are removed by a later call. Obstacles stay, and are
    /// marked again when their tiles come back. Centres that are not finite are ignored.
    ///
    /// The mesh and the obstacles must be the same in all calls, or those of a saved game that goes on. All tiles of
    /// the obstacles that have [checkpoints](Obstacles::checkpoints) are kept or removed, whoever had them baked. So
    /// after loading, begin with [`new`](Self::new): only tiles without walkable surface are then baked once more.
    pub fn follow(&mut self, centres: &[Vec3], mesh: &mut NavMesh, obstacles: &mut Obstacles) -> Request {
        let plan = *obstacles.checkpoints().plan();
        let around = |reach: f32| -> BTreeSet<u64> {
            let side = Vec3::new(reach, f32::MAX, reach);
            let boxes = centres
                .iter()
                .filter(|centre| centre.is_finite())
                .map(|&centre| Aabb { min: (centre - side).max(Vec3::MIN), max: (centre + side).min(Vec3::MAX) });
            boxes.flat_map(|bounds| plan.tiles_touched(&bounds)).collect()
        };
        self.kept.extend(obstacles.ground.tiles.keys());
        let wanted = around(self.reach);
        let held = around(self.reach + self.slack);
        let is_left = |tile: &&u64| !held.contains(tile) && !obstacles.is_under_way(**tile);
        let left: Vec<u64> = self.kept.iter().filter(is_left).copied().collect();
        for tile in left {
            self.kept.remove(&tile);
            obstacles.let_go(mesh, tile);
        }
        let come: Vec<u64> = wanted.difference(&self.kept).copied().collect();
        self.kept.extend(&come);
        obstacles.bake_again(come)
    }

    /// How many tiles are kept, whether anything in them can be walked on or not.
    #[must_use]
    pub fn tile_count(&self) -> usize {
        self.kept.len()
    }
}
