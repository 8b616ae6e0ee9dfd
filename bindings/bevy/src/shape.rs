//! Simple shapes, for level geometry, obstacles and areas.

use crate::convert::to_nav;
use bevy_ecs::prelude::*;
use bevy_math::{EulerRot, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use wayfare::grid::Shape as Outline;
use wayfare::input::Volume;

/// Sides of the prism that a cylinder becomes where triangles are wanted.
const SIDES: u32 = 16;

/// A shape around its entity's origin, scaled and rotated with it.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(Transform)]
pub enum NavShape {
    /// A box.
    Box {
        /// Half its size along each axis.
        half_extents: Vec3,
    },
    /// A cylinder whose axis is y.
    Cylinder {
        /// Its radius.
        radius: f32,
        /// Its height; the origin is in the middle.
        height: f32,
    },
    /// A capsule whose axis is y; as level geometry, the cylinder around it.
    Capsule {
        /// Its radius.
        radius: f32,
        /// Its height, ends included; the origin is in the middle.
        height: f32,
    },
    /// The convex hull of some points; as level geometry, the box around them.
    Hull(Vec<Vec3>),
}

impl Default for NavShape {
    /// A box of one metre.
    fn default() -> Self {
        Self::Box { half_extents: Vec3::splat(0.5) }
    }
}

impl NavShape {
    /// A box of this size.
    #[must_use]
    pub fn cuboid(x: f32, y: f32, z: f32) -> Self {
        Self::Box { half_extents: Vec3::new(x, y, z) / 2.0 }
    }

    /// A floor of this size whose top is at the origin: a flat box.
    #[must_use]
    pub fn floor(x: f32, z: f32) -> Self {
        Self::Box { half_extents: Vec3::new(x / 2.0, 0.0, z / 2.0) }
    }

    /// A cylinder.
    #[must_use]
    pub fn cylinder(radius: f32, height: f32) -> Self {
        Self::Cylinder { radius, height }
    }

    /// The shape in the world, as an obstacle or an area; `None` where nothing is left of it, scaled to nothing.
    pub(crate) fn volume(&self, transform: &GlobalTransform) -> Option<Volume> {
        let volume = self.volume_of_any_size(transform);
        let bounds = volume.bounds();
        // What is no number is said when the mesh is baked.
        let is_flat = bounds.min.cmpge(bounds.max).any();
        (!is_flat).then_some(volume)
    }

    fn volume_of_any_size(&self, transform: &GlobalTransform) -> Volume {
        let parts = transform.compute_transform();
        let scale = parts.scale.abs();
        // Turned under a parent that is scaled unevenly, a box is none any more either.
        let as_parts = GlobalTransform::from(parts).affine().matrix3;
        let is_sheared = !as_parts.abs_diff_eq(transform.affine().matrix3, 1e-3 * scale.max_element());
        // Scaled unevenly, a circle is none any more.
        let is_round = (scale.x - scale.z).abs() <= 1e-3 * scale.x;
        match *self {
            _ if is_sheared => self.hull(transform),
            Self::Cylinder { radius, height } if is_upright(&parts) && is_round => {
                let height = height * scale.y;
                let base = to_nav(parts.translation - Vec3::Y * (height / 2.0));
                Volume::Cylinder { base, radius: radius * scale.x, height }
            }
            Self::Capsule { radius, height } if is_upright(&parts) && is_round => {
                let height = height * scale.y;
                let base = to_nav(parts.translation - Vec3::Y * (height / 2.0));
                Volume::Capsule { base, radius: radius * scale.x, height }
            }
            Self::Box { half_extents } if is_upright(&parts) => {
                let (yaw, ..) = parts.rotation.to_euler(EulerRot::YXZ);
                let center = to_nav(parts.translation);
                // Bevy's yaw turns z towards x.
                Volume::TurnedBox { center, half_extents: to_nav(half_extents * scale), angle: -yaw }
            }
            _ => self.hull(transform),
        }
    }

    fn hull(&self, transform: &GlobalTransform) -> Volume {
        Volume::Hull(self.corners().into_iter().map(|p| to_nav(transform.transform_point(p))).collect())
    }

    /// The shape in the world, seen from above, as high as its lowest point.
    pub(crate) fn outline(&self, transform: &GlobalTransform) -> Option<Outline> {
        let volume = self.volume(transform)?;
        let bounds = volume.bounds();
        let center = ((bounds.min + bounds.max) / 2.0).with_y(bounds.min.y);
        Some(match volume {
            Volume::Cylinder { radius, .. } | Volume::Capsule { radius, .. } => Outline::Disc { center, radius },
            Volume::TurnedBox { half_extents, angle, .. } => {
                Outline::Box { center, half: [half_extents.x, half_extents.z], yaw: angle }
            }
            _ => {
                let half = (bounds.max - bounds.min) / 2.0;
                Outline::Box { center, half: [half.x, half.z], yaw: 0.0 }
            }
        })
    }

    /// Points whose convex hull is the shape.
    fn corners(&self) -> Vec<Vec3> {
        match self {
            Self::Box { half_extents } => box_corners(-*half_extents, *half_extents).to_vec(),
            Self::Cylinder { radius, height } | Self::Capsule { radius, height } => {
                let rim = |y: f32| ring().map(move |[x, z]| Vec3::new(x * radius, y, z * radius));
                rim(-height / 2.0).chain(rim(height / 2.0)).collect()
            }
            Self::Hull(points) => points.clone(),
        }
    }

    /// Triangles of its surface, wound counter-clockwise as seen from outside.
    pub(crate) fn triangles(&self) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        match self {
            Self::Box { half_extents } => cuboid(-*half_extents, *half_extents),
            Self::Hull(points) => {
                let low = points.iter().copied().reduce(Vec3::min).unwrap_or_default();
                let high = points.iter().copied().reduce(Vec3::max).unwrap_or_default();
                cuboid(low, high)
            }
            Self::Cylinder { .. } | Self::Capsule { .. } => {
                let corners = self.corners();
                let mut triangles = Vec::new();
                for i in 0..SIDES {
                    let next = (i + 1) % SIDES;
                    triangles.extend([[i, SIDES + i, SIDES + next], [i, SIDES + next, next]]);
                }
                for i in 1..SIDES - 1 {
                    triangles.extend([[0, i, i + 1], [SIDES, SIDES + i + 1, SIDES + i]]);
                }
                (corners, triangles)
            }
        }
    }
}

fn is_upright(transform: &Transform) -> bool {
    (transform.rotation * Vec3::Y).dot(Vec3::Y) > 0.9999
}

/// A circle from x towards z.
fn ring() -> impl Iterator<Item = [f32; 2]> {
    (0..SIDES).map(|i| {
        let angle = core::f32::consts::TAU * i as f32 / SIDES as f32;
        [wayfare::math::ops::cos(angle), wayfare::math::ops::sin(angle)]
    })
}

fn box_corners(low: Vec3, high: Vec3) -> [Vec3; 8] {
    core::array::from_fn(|i| {
        let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
        Vec3::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z))
    })
}

fn cuboid(low: Vec3, high: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const FACES: [[u32; 4]; 6] = [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [4, 5, 7, 6], [0, 2, 3, 1]];
    let triangles = FACES.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (box_corners(low, high).to_vec(), triangles)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every surface faces away from the middle.
    #[test]
    fn shapes_are_wound_outwards() {
        for shape in [NavShape::cuboid(1.0, 2.0, 3.0), NavShape::cylinder(1.0, 2.0)] {
            let (corners, triangles) = shape.triangles();
            for tri in triangles {
                let [a, b, c] = tri.map(|i| corners[i as usize]);
                assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "{shape:?}: {tri:?}");
            }
        }
    }

    #[test]
    fn a_turned_box_turns_as_bevy_does() {
        let turned = Transform::from_rotation(bevy_math::Quat::from_rotation_y(0.3));
        let shape = NavShape::cuboid(4.0, 1.0, 1.0);
        let Some(Volume::TurnedBox { angle, .. }) = shape.volume(&GlobalTransform::from(turned)) else {
            panic!("a box")
        };
        // The long axis, as the library turns it and as Bevy does.
        let axis = turned.transform_point(Vec3::X);
        let turned = [wayfare::math::ops::cos(angle), wayfare::math::ops::sin(angle)];
        assert!((turned[0] - axis.x).abs() < 1e-5 && (turned[1] - axis.z).abs() < 1e-5);
    }

    #[test]
    fn what_is_sheared_or_scaled_to_nothing_is_no_box() {
        let stretched = Transform::from_scale(Vec3::new(3.0, 1.0, 1.0));
        let turned = Transform::from_rotation(bevy_math::Quat::from_rotation_y(0.8));
        let sheared = GlobalTransform::from(stretched) * turned;
        let shape = NavShape::cuboid(2.0, 1.0, 2.0);
        let Some(Volume::Hull(corners)) = shape.volume(&sheared) else { panic!("a hull") };
        let corner = sheared.transform_point(Vec3::new(1.0, 0.5, 1.0));
        assert!(corners.iter().any(|p| p.distance(to_nav(corner)) < 1e-5));
        assert_eq!(shape.volume(&GlobalTransform::from(Transform::from_scale(Vec3::ZERO))), None);
        assert!(NavShape::cylinder(1.0, 0.0).volume(&GlobalTransform::IDENTITY).is_none());
    }
}
