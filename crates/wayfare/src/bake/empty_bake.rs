//! Finds out why a level bakes to nothing: the usual faults of levels that look right in a modelling tool.
//!
//! The first matching reason is reported: no triangles, or triangles that all face down, cells or an agent too large
//! for the level; if none matches, the walkable pieces are too small.
//!
//! Cost: one look at every triangle, and only if nothing was baked. Sources: own.

use crate::area::AreaId;
use crate::input::{BakeSettings, Level};
use crate::math::{Aabb, ops};
use crate::voxel::slope_area;
use glam::Vec3;

/// Why there is nowhere on a level that an agent can stand.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EmptyBake {
    /// There is nothing at all.
    #[error("the level has no triangle and no height map")]
    Nothing,
    /// The level is upside down, or its triangles have the wrong winding.
    #[error(
        "no triangle faces up within the slope, but {triangles} face down: their corners are wound the other way \
         round, or another axis points up"
    )]
    FacesDown {
        /// Number of triangles that would be walkable if they were turned over.
        triangles: usize,
    },
    /// The level is all walls.
    #[error("no triangle faces up within the slope: another axis points up, or the slope is set too low")]
    NothingFacesUp,
    /// The only surface is a height map, and its heights differ too much for the distance of its points.
    #[error(
        "the height map is steeper than the slope everywhere: its points lie {spacing} m apart, and one step of its \
         heights is {step} m"
    )]
    HeightsTooSteep {
        /// Distance between points, metres.
        spacing: f64,
        /// One step of the heights, metres.
        step: f64,
    },
    /// No triangle and no height map is near the [bounds](BakeSettings::bounds).
    #[error("no ground lies within the bounds, {} to {}", bounds.min, bounds.max)]
    OutOfBounds {
        /// The bounds.
        bounds: Aabb,
    },
    /// The level is smaller than one cell.
    #[error("a cell of {cell_size} m is larger than the level, {} x {} x {} m", size.x, size.y, size.z)]
    CellTooLarge {
        /// Side of a cell, metres.
        cell_size: f32,
        /// Size of the level, metres.
        size: Vec3,
    },
    /// The level is narrower than the agent.
    #[error(
        "the level is {} x {} x {} m, no wider than an agent of {radius} m radius: its sizes are not in metres, or the \
         agent is too large", size.x, size.y, size.z
    )]
    AgentTooWide {
        /// The agent's radius, metres.
        radius: f32,
        /// Size of the level, metres.
        size: Vec3,
    },
    /// There are walkable surfaces, but none where the agent fits that is as large as the smallest island to be kept.
    #[error(
        "the ground is too narrow, too low or too small for the agent: sizes must be metres, and the agent must fit"
    )]
    NoRoom,
}

impl EmptyBake {
    /// Explains a level that baked to nothing.
    #[must_use]
    pub fn of<'a>(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Self {
        let level = level.into();
        let [up, down] = facing(&level, settings.agent.max_slope);
        let bounds = settings.bounds_of(level);
        let size = bounds.size();
        let agent = &settings.agent;
        let across = size.x.max(size.z);
        if level.mesh.tris().is_empty() && level.terrain.is_none() {
            Self::Nothing
        } else if !reaches(&level, &bounds) {
            Self::OutOfBounds { bounds }
        } else if up == 0 && down > 0 {
            Self::FacesDown { triangles: down }
        } else if let (0, true, Some(map)) = (up, level.mesh.tris().is_empty(), level.terrain) {
            Self::HeightsTooSteep { spacing: map.scale().spacing, step: map.scale().step }
        } else if up == 0 {
            Self::NothingFacesUp
        } else if settings.cell_size > across {
            Self::CellTooLarge { cell_size: settings.cell_size, size }
        } else if across <= 2.0 * agent.radius + settings.cell_size {
            Self::AgentTooWide { radius: agent.radius, size }
        } else {
            Self::NoRoom
        }
    }
}

/// Whether any surface lies over a box's floor or above it.
fn reaches(level: &Level<'_>, bounds: &Aabb) -> bool {
    let bounds = Aabb { max: bounds.max.with_y(f32::INFINITY), ..*bounds };
    let mut triangles = (0..level.mesh.tris().len()).map(|tri| Aabb::around(level.mesh.corners(tri)));
    level.terrain.is_some_and(|map| map.bounds().overlaps(&bounds)) || triangles.any(|tri| tri.overlaps(&bounds))
}

/// How many triangles face up and how many down by the bake's criterion: no steeper than the slope.
fn facing(level: &Level<'_>, max_slope: f32) -> [usize; 2] {
    let flat = ops::cos(max_slope);
    let ground = AreaId::WALKABLE;
    let is_terrain =
        level.terrain.is_some_and(|map| map.all_triangles().any(|corners| slope_area(corners, ground, flat) == ground));
    let corners = (0..level.mesh.tris().len()).map(|i| level.mesh.corners(i));
    let count = |[up, down]: [usize; 2], [a, b, c]: [Vec3; 3]| {
        let is_ground = |corners| usize::from(slope_area(corners, ground, flat) == ground);
        [up + is_ground([a, b, c]), down + is_ground([a, c, b])]
    };
    corners.fold([usize::from(is_terrain), 0], count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{HeightMap, HeightScale, TriMesh};

    #[test]
    fn every_reason_is_told_apart() {
        let square = |side: f32, tri: [u32; 3]| {
            let verts = [Vec3::ZERO, Vec3::Z, Vec3::X, Vec3::Y].map(|v| v * side);
            EmptyBake::of(&TriMesh::new(verts.to_vec(), vec![tri]).unwrap(), &BakeSettings::default())
        };
        assert_eq!(square(9.0, [0, 2, 1]), EmptyBake::FacesDown { triangles: 1 });
        assert_eq!(square(9.0, [0, 1, 3]), EmptyBake::NothingFacesUp);
        assert!(matches!(square(0.2, [0, 1, 2]), EmptyBake::CellTooLarge { .. }));
        let wide = square(1.0, [0, 1, 2]);
        assert!(
            wide.to_string().starts_with("the level is 1 x 0 x 1 m, no wider than an agent of 0.6 m radius"),
            "{wide}"
        );
        assert_eq!(square(2.0, [0, 1, 2]), EmptyBake::NoRoom);
        let heights = |step| {
            let scale = HeightScale { origin: Vec3::ZERO, spacing: 1.0, step };
            let map = HeightMap::new(3, 2, vec![0, 4, 0, 4, 0, 4], scale).unwrap();
            let level = Level { mesh: &TriMesh::EMPTY, terrain: Some(&map), volumes: &[] };
            EmptyBake::of(level, &BakeSettings::default())
        };
        assert_eq!(heights(1.0), EmptyBake::HeightsTooSteep { spacing: 1.0, step: 1.0 });
        assert_eq!(heights(0.01), EmptyBake::NoRoom);
    }
}
