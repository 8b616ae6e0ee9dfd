//! An agent crosses the lively yard by its local grid alone: around crates, people and a cart, and into a shed whose
//! door is shut for a while.

use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape, blockers};
use wayfare::math::ops;
use wayfare_scenes::LivelyYard;

const CELL: f32 = 0.25;
/// Metres a tick.
const STEP: f32 = 0.14;

/// The distance on the plane from a point to what an obstacle covers.
fn distance(p: Vec3, shape: &Shape) -> f32 {
    let to_segment = |p: Vec3, a: Vec3, b: Vec3| {
        let t = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a + (b - a) * t)
    };
    match *shape {
        Shape::Segment { a, b } => to_segment(p, a, b),
        Shape::Disc { center, radius } => (p.distance(center) - radius).max(0.0),
        Shape::Box { center, half, yaw } => {
            let (sin, cos) = (ops::sin(yaw), ops::cos(yaw));
            let d = p - center;
            let (u, v) = (d.x * cos + d.z * sin, d.z * cos - d.x * sin);
            let (u, v) = ((u.abs() - half[0]).max(0.0), (v.abs() - half[1]).max(0.0));
            (u * u + v * v).sqrt()
        }
    }
}

/// A point so far along a way.
fn along(points: &[Vec3], mut left: f32) -> Vec3 {
    for pair in points.windows(2) {
        let length = pair[0].distance(pair[1]);
        if left < length {
            return pair[0] + (pair[1] - pair[0]) * (left / length);
        }
        left -= length;
    }
    points.last().copied().unwrap_or_default()
}

#[test]
fn an_agent_gets_into_the_shed_once_its_door_is_open() {
    for seed in 1..=30 {
        let yard = LivelyYard::new(seed);
        let mut grid = LocalGrid::new(LocalGrid::MAX_SIZE, CELL).unwrap();
        let mut search = GridSearch::default();
        let mut at = LivelyYard::START;
        let (mut waited, mut arrived) = (false, None);
        for tick in 0..600 {
            let mut obstacles: Vec<Obstacle> = LivelyYard::still();
            let still = obstacles.len();
            obstacles.extend(yard.moving(tick));
            // The yard fits the grid, so the grid stays about its middle.
            grid.recenter(Vec3::ZERO);
            obstacles.iter().for_each(|o| grid.block(o, LivelyYard::RADIUS));
            let path = search.find_path(&grid, at, LivelyYard::SHED);
            assert_ne!(path.status, PathStatus::None, "seed {seed}, tick {tick}");
            let points = path.points.to_vec();
            if LivelyYard::SHUT.contains(&tick) && at.x < 1.0 {
                assert_eq!(path.status, PathStatus::Partial, "seed {seed}, tick {tick}: the door is shut");
                let end = Vec3::new(1.0, 0.0, 0.0);
                let blamed = blockers(&obstacles, end, LivelyYard::SHED, LivelyYard::RADIUS);
                assert!(blamed.contains(&LivelyYard::DOOR), "seed {seed}, tick {tick}: {blamed:?}");
                waited = true;
            }
            // Cells are blocked by their middles, so a way comes nearer than the radius by half a cell's diagonal at
            // most.
            let least = LivelyYard::RADIUS - 0.5 * core::f32::consts::SQRT_2 * CELL - 1e-3;
            let length: f32 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
            for i in 0..=(length / 0.1) as usize {
                let p = along(&points, i as f32 * 0.1);
                for o in &obstacles[..still] {
                    let apart = distance(p, &o.shape);
                    assert!(apart >= least, "seed {seed}, tick {tick}: {p} is {apart} from {o:?}");
                }
            }
            at = along(&points, STEP);
            if at.distance(LivelyYard::SHED) < 0.01 {
                arrived = Some(tick);
                break;
            }
        }
        assert!(waited, "seed {seed}: the door was never in the way");
        assert!(arrived.is_some_and(|tick| tick >= LivelyYard::SHUT.end), "seed {seed}: {arrived:?}");
    }
}
