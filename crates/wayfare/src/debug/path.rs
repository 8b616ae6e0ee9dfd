//! Draws paths, trails and off-mesh connections.

use super::{DebugSink, Role};
use glam::Vec3;

/// Draws path `number`: its line, its corners, its start, and its goal.
pub fn draw_path(points: &[Vec3], goal: Vec3, number: u32, sink: &mut impl DebugSink) {
    draw(points, goal, number, Role::Path(number), sink);
}

/// Draws path `number`, which does not reach its goal: the line as far as it leads, and the goal apart from it.
pub fn draw_partial_path(points: &[Vec3], goal: Vec3, number: u32, sink: &mut impl DebugSink) {
    draw(points, goal, number, Role::PartialPath(number), sink);
}

fn draw(points: &[Vec3], goal: Vec3, number: u32, role: Role, sink: &mut impl DebugSink) {
    if let [_, corners @ .., _] = points {
        sink.line(points, role);
        corners.iter().for_each(|&p| sink.point(p, Role::Corner(number)));
    }
    if let Some(&start) = points.first() {
        sink.point(start, Role::Start(number));
    }
    sink.point(goal, Role::Goal(number));
}

/// Draws where agent `number` has walked: a line through its positions, and a dot at the last one.
pub fn draw_trail(places: &[Vec3], number: u32, sink: &mut impl DebugSink) {
    if places.len() > 1 {
        sink.line(places, Role::Trail(number));
    }
    if let Some(&now) = places.last() {
        sink.point(now, Role::Trail(number));
    }
}

/// Marks the position of agent `number`, which has not reached its goal. Drawn over the end of its trail.
pub fn draw_stranded(at: Vec3, number: u32, sink: &mut impl DebugSink) {
    sink.point(at, Role::Stranded(number));
}

/// Draws a two-way off-mesh connection as an arc that rises above the straight line by a quarter of its length.
pub fn draw_connection(from: Vec3, to: Vec3, sink: &mut impl DebugSink) {
    draw_arc(from, to, Role::Connection, sink);
}

/// Draws a one-way off-mesh connection, with an arc like that of [`draw_connection`].
pub fn draw_one_way_connection(from: Vec3, to: Vec3, sink: &mut impl DebugSink) {
    draw_arc(from, to, Role::OneWayConnection, sink);
}

fn draw_arc(from: Vec3, to: Vec3, role: Role, sink: &mut impl DebugSink) {
    const PIECES: u16 = 16;
    let rise = from.distance(to) * 0.25;
    let arc: Vec<Vec3> = (0..=PIECES)
        .map(|i| {
            let t = f32::from(i) / f32::from(PIECES);
            from.lerp(to, t) + Vec3::Y * (rise * 4.0 * t * (1.0 - t))
        })
        .collect();
    sink.line(&arc, role);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{ShapeKind, ShapeList};

    #[test]
    fn a_path_shows_its_corners_and_the_goal_it_missed() {
        let mut list = ShapeList::new();
        draw_partial_path(&[Vec3::ZERO, Vec3::X, Vec3::ONE], Vec3::splat(9.0), 3, &mut list);
        let roles: Vec<Role> = list.shapes().iter().map(|s| s.role).collect();
        assert_eq!(roles, [Role::PartialPath(3), Role::Corner(3), Role::Start(3), Role::Goal(3)]);
        assert_eq!(list.points(&list.shapes()[3]), [Vec3::splat(9.0)]);
    }

    #[test]
    fn paths_of_one_point_or_none_have_no_line() {
        for points in [&[][..], &[Vec3::ZERO]] {
            let mut list = ShapeList::new();
            draw_path(points, Vec3::ONE, 0, &mut list);
            assert!(list.shapes().iter().all(|s| s.kind == ShapeKind::Point));
            assert_eq!(list.shapes().len(), points.len() + 1);
        }
    }

    #[test]
    fn a_trail_ends_where_the_agent_is() {
        let mut list = ShapeList::new();
        draw_trail(&[], 0, &mut list);
        draw_trail(&[Vec3::ONE], 1, &mut list);
        draw_trail(&[Vec3::ZERO, Vec3::X], 2, &mut list);
        draw_stranded(Vec3::X, 2, &mut list);
        let seen: Vec<_> = list.shapes().iter().map(|s| (s.kind, s.role)).collect();
        let (dot, line) = (ShapeKind::Point, ShapeKind::Line);
        let trail = [(dot, Role::Trail(1)), (line, Role::Trail(2)), (dot, Role::Trail(2)), (dot, Role::Stranded(2))];
        assert_eq!(seen, trail);
        assert_eq!([2, 3].map(|i| list.points(&list.shapes()[i])), [[Vec3::X]; 2]);
    }

    #[test]
    fn an_arc_begins_and_ends_where_the_connection_does() {
        let mut list = ShapeList::new();
        draw_connection(Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), &mut list);
        let arc = list.points(&list.shapes()[0]);
        assert_eq!((arc[0], arc[arc.len() - 1]), (Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0)));
        assert_eq!(list.bounds().max.y, 1.0);
    }
}
