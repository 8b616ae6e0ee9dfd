//! Chooses the part of the world that a picture shows: the surfaces, and of what lies around them as much as leaves
//! them most of the page. Otherwise a goal a kilometre away would shrink the level to a dot.

use wayfare::Vec3;
use wayfare::debug::{Role, ShapeKind, ShapeList};
use wayfare::math::Aabb;

/// How far outside the surfaces things are still shown at their position, as a fraction of the longer side.
const AROUND: f32 = 0.2;

/// The bounds of the picture for some shapes.
pub(crate) fn of(shapes: &ShapeList) -> Aabb {
    let all = shapes.bounds();
    if all.is_empty() {
        return Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    }
    let ground = ground(shapes);
    if ground.is_empty() {
        return all;
    }
    let size = ground.size();
    let around = Vec3::splat(size.x.max(size.z) * AROUND);
    Aabb {
        min: all.min.max(ground.min - around).min(ground.min),
        max: all.max.min(ground.max + around).max(ground.max),
    }
}

/// The surfaces and what stands on them.
pub(crate) fn ground(shapes: &ShapeList) -> Aabb {
    let is_ground = |role| matches!(role, Role::Wall | Role::InnerEdge | Role::TileEdge | Role::TileOutline);
    let ground = shapes.shapes().iter().filter(|s| s.kind == ShapeKind::Polygon || is_ground(s.role));
    Aabb::around(ground.flat_map(|s| shapes.points(s).iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::area::AreaId;
    use wayfare::debug::DebugSink as _;

    #[test]
    fn what_lies_near_is_shown_and_what_lies_far_shrinks_nothing() {
        let mut shapes = ShapeList::new();
        let corners = [[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
        shapes.polygon(&corners, Role::Ground(AreaId::WALKABLE));
        shapes.point(Vec3::new(11.0, 0.0, 5.0), Role::Goal(0));
        let near = of(&shapes);
        assert_eq!((near.min, near.max), (Vec3::ZERO, Vec3::new(11.0, 0.0, 10.0)));
        shapes.point(Vec3::new(-900.0, 0.0, 5.0), Role::Goal(1));
        assert_eq!(of(&shapes).min, Vec3::new(-2.0, 0.0, 0.0));
        let mut alone = ShapeList::new();
        alone.point(Vec3::new(-900.0, 0.0, 5.0), Role::Mark);
        assert_eq!(of(&alone), alone.bounds());
    }
}
