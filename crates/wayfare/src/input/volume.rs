//! Volumes that change the surfaces inside them: to water, a road, a door, or to nothing walkable.
//!
//! ```text
//!    +--------------------+        the outline seen from above decides which cells are inside (by their middles), and the
//!    |  .  .  x  x  .  .  |        heights which floors; what is not walkable stays so
//!    |  .  x  x  x  x  .  |
//!    +--------------------+
//! ```
//!
//! Whether a point lies in a prism's outline is decided by counting how often a ray from it crosses the outline. The
//! solids whose height differs from place to place are cut column by column: `solid.rs`.
//!
//! Cost: linear in the corners of the outline, for each point tested.
//!
//! Sources: Mikko Mononen, "Area Progress pt. 5" and "Area Complete", Digesting Duck, February 2010, for the volumes;
//! M. Shimrat, "Algorithm 112: position of point relative to polygon", 1962.

use super::{BakeSettings, TriMesh};
use crate::area::AreaId;
use crate::math::{Aabb, convex_hull, ops, polygon};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// A volume that changes the area type of the surfaces inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedVolume {
    /// The volume.
    pub volume: Volume,
    /// Area type of the surfaces inside; [`AreaId::NULL`] makes them not walkable.
    pub area: AreaId,
    /// Whether it is marked before or after erosion by the agent's radius.
    pub when: Marking,
}

impl MarkedVolume {
    /// Sets the area type of exactly the surface inside: a road, mud, a door. Marked [after
    /// erosion](Marking::AfterErosion).
    #[must_use]
    pub fn paint(volume: Volume, area: AreaId) -> Self {
        Self { volume, area, when: Marking::AfterErosion }
    }

    /// Removes the surface inside and keeps agents at the distance of their radius from it: an obstacle. Marked [before
    /// erosion](Marking::BeforeErosion).
    #[must_use]
    pub fn block(volume: Volume) -> Self {
        Self { volume, area: AreaId::NULL, when: Marking::BeforeErosion }
    }

    /// If it [blocks](Self::block), the same with its volume [reaching down](Volume::reaching_down) by an agent's height,
    /// so that it is in the way wherever somebody would touch it: just above the floor, or as high as heads.
    #[must_use]
    pub fn touching_heads(self, settings: &BakeSettings) -> Self {
        if self.area != AreaId::NULL || self.when != Marking::BeforeErosion {
            return self;
        }
        let reach = (settings.agent.height - settings.cell_height).max(0.0);
        Self { volume: self.volume.reaching_down(reach), ..self }
    }
}

/// When a volume is marked. If several are marked at the same time, later ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Marking {
    /// Surfaces that become [`AreaId::NULL`] keep agents at the distance of their radius, as walls do.
    BeforeErosion,
    /// Exactly the surface inside changes, as with the convex volumes of the Recast demo.
    AfterErosion,
}

/// The shape of a volume in the world. Metres.
///
/// Seen from above, a cell is inside if its middle is: what is narrower than a cell may fall between the middles. A
/// surface in such a cell is inside a prism, a box or a cylinder if its height lies between bottom and top. It is
/// inside a capsule, a hull or a mesh if an agent that stands there would touch the solid: if the solid, above or below
/// the middle of the cell, reaches up to the surface or higher and comes down below the agent's head.
///
/// The height of a surface is here that of its voxels, up to two cell heights above the surface itself: with the
/// default cell height a floor at 0 counts as one at 0.2. So let a volume reach at least two cell heights above the
/// surfaces that are to be inside.
#[derive(Clone, Debug, PartialEq)]
pub enum Volume {
    /// An upright prism over any simple polygon.
    Prism {
        /// Corners in the xz-plane, in either winding. With fewer than three the prism is empty.
        outline: Vec<Vec2>,
        /// Lowest and highest surface that counts as inside.
        heights: [f32; 2],
    },
    /// A box along the axes.
    Box(Aabb),
    /// A box rotated about the vertical axis.
    TurnedBox {
        /// Its centre.
        center: Vec3,
        /// Half its size along its own axes.
        half_extents: Vec3,
        /// Rotation from x towards z, in radians.
        angle: f32,
    },
    /// An upright cylinder.
    Cylinder {
        /// The centre of its bottom.
        base: Vec3,
        /// Radius.
        radius: f32,
        /// Height above the base.
        height: f32,
    },
    /// An upright capsule: a cylinder with a half ball at each end.
    Capsule {
        /// Its lowest point.
        base: Vec3,
        /// Radius.
        radius: f32,
        /// Height above the base, ends included. Less than two radii counts as two radii: a ball.
        height: f32,
    },
    /// The convex hull of some points, in any order. Points that are not finite make it empty.
    Hull(Vec<Vec3>),
    /// A solid body given by its surface. Where the surface is not closed, only the surface itself is solid.
    Mesh {
        /// The surface; area types and which side is up do not matter.
        surface: Arc<TriMesh>,
        /// How far the body is moved from where its surface lies.
        offset: Vec3,
    },
}

impl Volume {
    /// The prism over the convex hull of some points; they may come in any order.
    #[must_use]
    pub fn convex_prism(points: &[Vec2], heights: [f32; 2]) -> Self {
        let outline = convex_hull(points).into_iter().map(|i| points[i as usize]).collect();
        Self::Prism { outline, heights }
    }

    /// Whether all its numbers are finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            Self::Prism { outline, heights } => {
                outline.iter().all(|p| p.is_finite()) && heights.iter().all(|y| y.is_finite())
            }
            Self::Box(Aabb { min, max }) => min.is_finite() && max.is_finite(),
            Self::TurnedBox { center, half_extents, angle } => {
                center.is_finite() && half_extents.is_finite() && angle.is_finite()
            }
            Self::Cylinder { base, radius, height } | Self::Capsule { base, radius, height } => {
                base.is_finite() && radius.is_finite() && height.is_finite()
            }
            Self::Hull(points) => points.iter().all(|p| p.is_finite()),
            // Those of a surface are.
            Self::Mesh { offset, .. } => offset.is_finite(),
        }
    }

    /// The box around the volume; empty if the volume is empty or has a number that is not finite.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        if !self.is_finite() {
            return Aabb::EMPTY;
        }
        match *self {
            Self::Prism { ref outline, heights: [low, high] } => {
                let corners = outline.iter().flat_map(|p| [Vec3::new(p.x, low, p.y), Vec3::new(p.x, high, p.y)]);
                if outline.len() < 3 || high < low { Aabb::EMPTY } else { Aabb::around(corners) }
            }
            Self::Box(aabb) => aabb,
            Self::TurnedBox { center, half_extents, .. } => {
                let reach = Vec2::new(half_extents.x, half_extents.z).length();
                Aabb::from_center(center, Vec3::new(reach, half_extents.y, reach))
            }
            Self::Cylinder { base, radius, height } => {
                Aabb { min: base - Vec3::new(radius, 0.0, radius), max: base + Vec3::new(radius, height, radius) }
            }
            Self::Capsule { base, radius, height } => {
                let height = height.max(2.0 * radius);
                Aabb { min: base - Vec3::new(radius, 0.0, radius), max: base + Vec3::new(radius, height, radius) }
            }
            Self::Hull(ref points) => Aabb::around(points.iter().copied()),
            Self::Mesh { ref surface, .. } if surface.bounds().is_empty() => Aabb::EMPTY,
            Self::Mesh { ref surface, offset } => {
                let Aabb { min, max } = surface.bounds();
                Aabb { min: min + offset, max: max + offset }
            }
        }
    }

    /// Moves it.
    pub fn move_by(&mut self, by: Vec3) {
        match self {
            Self::Prism { outline, heights } => {
                outline.iter_mut().for_each(|p| *p += Vec2::new(by.x, by.z));
                heights.iter_mut().for_each(|y| *y += by.y);
            }
            Self::Box(Aabb { min, max }) => [min, max].into_iter().for_each(|p| *p += by),
            Self::TurnedBox { center: place, .. }
            | Self::Cylinder { base: place, .. }
            | Self::Capsule { base: place, .. }
            | Self::Mesh { offset: place, .. } => *place += by,
            Self::Hull(points) => points.iter_mut().for_each(|p| *p += by),
        }
    }

    /// The same volume with its bottom lower by so many metres, 0 or more. A prism, a box or a cylinder that keeps
    /// agents away then also counts for surfaces under it, on which an agent of this height would touch it: a crate
    /// that hangs on a rope, or lies a finger's breadth above the floor. Capsules, hulls and meshes do so by
    /// themselves, and stay as they are.
    #[must_use]
    pub fn reaching_down(mut self, by: f32) -> Self {
        match &mut self {
            Self::Prism { heights: [low, _], .. } => *low -= by,
            Self::Box(Aabb { min, .. }) => min.y -= by,
            Self::TurnedBox { center, half_extents, .. } => {
                center.y -= by / 2.0;
                half_extents.y += by / 2.0;
            }
            Self::Cylinder { base, height, .. } => {
                base.y -= by;
                *height += by;
            }
            Self::Capsule { .. } | Self::Hull(_) | Self::Mesh { .. } => {}
        }
        self
    }

    /// Returns a test of whether points in the xz-plane lie inside the outline. That of a capsule is a circle; those of
    /// a hull and a mesh are the box around them.
    pub fn outline(&self) -> impl Fn(Vec2) -> bool {
        let turn =
            if let Self::TurnedBox { angle, .. } = *self { [ops::cos(angle), ops::sin(angle)] } else { [1.0, 0.0] };
        move |p| match *self {
            Self::Prism { ref outline, .. } => polygon::is_inside_outline(outline, p),
            Self::Box(aabb) => is_over(&aabb, p),
            Self::TurnedBox { center, half_extents, .. } => {
                let [cos, sin] = turn;
                let d = p - Vec2::new(center.x, center.z);
                (d.x * cos + d.y * sin).abs() <= half_extents.x && (d.y * cos - d.x * sin).abs() <= half_extents.z
            }
            Self::Cylinder { base, radius, .. } | Self::Capsule { base, radius, .. } => {
                (p - Vec2::new(base.x, base.z)).length_squared() <= radius * radius
            }
            Self::Hull(_) | Self::Mesh { .. } => is_over(&self.bounds(), p),
        }
    }
}

fn is_over(aabb: &Aabb, p: Vec2) -> bool {
    (aabb.min.x..=aabb.max.x).contains(&p.x) && (aabb.min.z..=aabb.max.z).contains(&p.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convex_prism_is_the_hull_of_its_points() {
        let points = [[0.0, 0.0], [4.0, 4.0], [2.0, 1.0], [4.0, 0.0], [0.0, 4.0]].map(Vec2::from);
        let prism = Volume::convex_prism(&points, [1.0, 2.0]);
        let Volume::Prism { outline, .. } = &prism else { panic!() };
        assert_eq!(outline.len(), 4);
        assert_eq!(prism.bounds(), Aabb { min: Vec3::new(0.0, 1.0, 0.0), max: Vec3::new(4.0, 2.0, 4.0) });
        let inside = prism.outline();
        assert!(inside(Vec2::new(1.0, 3.9)) && !inside(Vec2::new(4.1, 1.0)));
    }

    #[test]
    fn only_the_bottom_of_a_volume_reaches_down() {
        let base = Vec3::new(1.0, 5.0, 2.0);
        let outline = vec![Vec2::ZERO, Vec2::X, Vec2::ONE];
        for volume in [
            Volume::Prism { outline, heights: [5.0, 6.0] },
            Volume::Box(Aabb::from_center(base, Vec3::ONE)),
            Volume::TurnedBox { center: base, half_extents: Vec3::ONE, angle: 0.5 },
            Volume::Cylinder { base, radius: 1.0, height: 3.0 },
        ] {
            let Aabb { min, max } = volume.bounds();
            assert_eq!(volume.reaching_down(2.0).bounds(), Aabb { min: min - 2.0 * Vec3::Y, max });
        }
        let hull = Volume::Hull(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(hull.clone().reaching_down(2.0), hull);
    }

    #[test]
    fn volumes_with_a_number_that_is_not_finite_hold_nothing() {
        let base = Vec3::ZERO;
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let place = Vec3::new(bad, 0.0, 0.0);
            let outline = |x| vec![Vec2::new(x, 0.0), Vec2::X, Vec2::ONE];
            for volume in [
                Volume::Prism { outline: outline(bad), heights: [0.0, 1.0] },
                Volume::Prism { outline: outline(0.0), heights: [0.0, bad.abs()] },
                Volume::Box(Aabb { min: base, max: Vec3::splat(bad.abs()) }),
                Volume::TurnedBox { center: base, half_extents: Vec3::ONE, angle: bad },
                Volume::TurnedBox { center: base, half_extents: place.abs(), angle: 0.0 },
                Volume::Cylinder { base, radius: bad.abs(), height: 1.0 },
                Volume::Capsule { base, radius: 1.0, height: bad },
                Volume::Hull(vec![Vec3::X, Vec3::Y, Vec3::Z, place]),
                Volume::Mesh { surface: Arc::new(TriMesh::EMPTY), offset: place },
            ] {
                assert!(volume.bounds().is_empty(), "{volume:?}");
            }
        }
        let turned = Volume::TurnedBox { center: base, half_extents: Vec3::ONE, angle: 0.3 };
        assert!(!turned.bounds().is_empty());
    }
}
