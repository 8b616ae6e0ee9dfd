//! A continent of any size, generated on demand: towns, hills with caves, rivers, bridges, woods.
//!
//! ```text
//!     ^^^            ~~                 every 250 m lies a node: a town, a hill with a cave, or a crossroads
//!    ^cave^ ------- =~~= ---- [town]    roads lead from node to node; where they meet a river there is a bridge
//!     ^^^   road    ~~  bridge
//! ```
//!
//! Everything is a function of the seed and the position, so a piece is the same whichever box it is requested for, and
//! nothing needs to be stored.
//!
//! Cost: some noise for every sixteen square metres requested. Sources: own work; random features on a lattice are
//! those of cellular textures (Steven Worley, 1996).

use super::land::{self, Land};
use super::nodes::Nodes;
use super::{bridges, hills, towns, woods};
use crate::kit::Kit;
use crate::parse::Params;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::math::Aabb;
use wayfare::world::{SourceError, WorldPiece, WorldSource};

/// A square world with a side of this many kilometres.
#[derive(Clone, Copy, Debug)]
pub struct Continent {
    land: Land,
    /// Squares of the terrain along each side.
    squares: u32,
}

/// The area type of bridges.
const ROAD: AreaId = AreaId::from_low_bits(2);
/// Side of a terrain square, metres.
const SQUARE: f32 = 4.0;
/// All surfaces lie between these heights.
const HEIGHTS: [f32; 2] = [-50.0, 70.0];
/// No geometry that belongs to a square extends farther than this, metres: the longest are bridges.
const REACH: f32 = 80.0;

impl Continent {
    pub(crate) fn of(params: &Params) -> Self {
        Self::new(params.real("km"), params.seed())
    }

    /// A continent of `km` × `km` kilometres, rounded to whole terrain squares of four metres.
    pub(crate) fn new(km: f32, seed: u64) -> Self {
        let squares = (km * 1000.0 / SQUARE).round().max(1.0) as u32;
        Self { land: Land::new(seed, squares as f32 * SQUARE), squares }
    }

    /// All triangles that touch a box, and some around it.
    fn kit(&self, bounds: &Aabb) -> Kit {
        let mut kit = Kit::new();
        let [low, high] = [bounds.min, bounds.max].map(|corner| [corner.x, corner.z]);
        let nodes = Nodes::around(&self.land, low, high);
        self.ground(&nodes, low, high, &mut kit);
        for node in nodes.within(low, high, REACH) {
            towns::build(&self.land, node, &mut kit);
            hills::build(node, &mut kit);
        }
        kit.paint(ROAD, |kit| bridges::build(&self.land, &nodes, [low, high], kit));
        woods::build(&self.land, &nodes, [low, high], &mut kit);
        kit.areas.resize(kit.tris.len(), AreaId::WALKABLE);
        kit
    }

    /// The terrain, square by square. Deep water is not walkable.
    fn ground(&self, nodes: &Nodes, low: [f32; 2], high: [f32; 2], kit: &mut Kit) {
        let range = |axis: usize| {
            let square = |at: f32, more: f32| ((at / SQUARE).floor() + more).clamp(0.0, self.squares as f32) as u32;
            square(low[axis], -1.0)..square(high[axis], 2.0)
        };
        let [columns, rows] = [0, 1].map(range);
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let width = columns.len() + 1;
        let points: Vec<(Vec3, f32)> = (rows.start..=rows.end)
            .flat_map(|row| (columns.start..=columns.end).map(move |column| [column, row]))
            .map(|corner| {
                let [x, z] = corner.map(|k| k as f32 * SQUARE);
                let depth = self.land.water(x, z);
                (Vec3::new(x, nodes.level(&self.land, x, z) - depth, z), depth)
            })
            .collect();
        for row in 0..rows.len() {
            for column in 0..columns.len() {
                let at = row * width + column;
                let corners = [at, at + width, at + width + 1, at + 1].map(|k| points[k]);
                let depth = corners.iter().map(|(_, depth)| depth).sum::<f32>() / 4.0;
                let area = if depth > land::DEEP { AreaId::NULL } else { AreaId::WALKABLE };
                kit.paint(area, |kit| kit.quad(corners.map(|(point, _)| point)));
            }
        }
    }
}

impl WorldSource for Continent {
    fn bounds(&self) -> Aabb {
        let side = self.squares as f32 * SQUARE;
        Aabb { min: Vec3::new(0.0, HEIGHTS[0], 0.0), max: Vec3::new(side, HEIGHTS[1], side) }
    }

    fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError> {
        let world = self.bounds();
        let asked = Aabb { min: bounds.min.max(world.min), max: bounds.max.min(world.max) };
        if asked.is_empty() {
            return Ok(WorldPiece::EMPTY);
        }
        let Kit { verts, tris, areas } = self.kit(&asked);
        let corners = tris.into_iter().map(|tri| tri.map(|v| verts[v as usize]));
        Ok(WorldPiece::of_triangles(corners.zip(areas), bounds))
    }
}

#[cfg(test)]
mod tests {
    use super::super::nodes;
    use super::*;

    fn triangles(world: &Continent, low: [f32; 2], high: [f32; 2]) -> Vec<([Vec3; 3], AreaId)> {
        let bounds = Aabb { min: Vec3::new(low[0], -1e9, low[1]), max: Vec3::new(high[0], 1e9, high[1]) };
        let mesh = world.piece(&bounds).unwrap().mesh;
        (0..mesh.tris().len()).map(|i| (mesh.corners(i), mesh.areas()[i])).collect()
    }

    #[test]
    fn a_place_is_the_same_whichever_box_asks() {
        let world = Continent::new(1.0, 7);
        let all = triangles(&world, [0.0; 2], [1000.0; 2]);
        for [x, z, side] in [[0.0, 0.0, 40.0], [333.0, 120.0, 77.0], [610.0, 700.0, 250.0], [960.0, 960.0, 90.0]] {
            let [low, high] = [[x, z], [x + side, z + side]];
            let touches = |(t, _): &&([Vec3; 3], AreaId)| {
                let b = Aabb::around(*t);
                b.min.x <= high[0] && b.max.x >= low[0] && b.min.z <= high[1] && b.max.z >= low[1]
            };
            let expected: Vec<_> = all.iter().filter(touches).copied().collect();
            assert_eq!(triangles(&world, low, high), expected, "at {x}, {z}");
        }
    }

    #[test]
    fn everything_lies_within_the_bounds_and_each_kind_occurs() {
        let world = Continent::new(1.0, 1);
        let [low, high] = HEIGHTS;
        let all = triangles(&world, [0.0; 2], [1000.0; 2]);
        assert!(all.iter().flat_map(|(corners, _)| corners).all(|c| (low..high).contains(&c.y)));
        assert!(all.iter().any(|(_, area)| *area == AreaId::NULL), "a river");
        assert!(all.iter().any(|(_, area)| *area == ROAD), "a bridge");
        let nodes = Nodes::around(&world.land, [0.0; 2], [1000.0; 2]);
        for kind in [nodes::Kind::Town, nodes::Kind::Hill] {
            assert!(nodes.all().any(|node| node.kind == kind), "{kind:?}");
        }
    }
}
