//! The picture: free and blocked cells, the obstacles, the paths.

use super::play::Stage;
use crate::failure::Result;
use crate::output::draw_picture;
use std::path::Path;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::area::PathStatus;
use wayfare::debug::{DebugSink, Role, ShapeList, draw_partial_path, draw_path};
use wayfare::grid::Shape;
use wayfare::math::ops;
use wayfare_draw::Caption;

/// How things are drawn.
const SAMPLES: [(Role, &str); 5] = [
    (Role::Ground(AreaId::WALKABLE), "free"),
    (Role::Solid, "blocked for the agent's center"),
    (Role::Wall, "obstacle"),
    (Role::Start(0), "start"),
    (Role::Goal(0), "goal"),
];

pub(super) fn draw(file: &Path, stage: &Stage, size: u32, target: &Path) -> Result<()> {
    let mut shapes = ShapeList::new();
    let grid = &stage.grid;
    let corner = |x: u32, z: u32| {
        let p = grid.origin() + wayfare::Vec2::new(x as f32, z as f32) * grid.cell_size();
        Vec3::new(p.x, 0.0, p.y)
    };
    for z in 0..grid.size() {
        let mut x = 0;
        while x < grid.size() {
            let blocked = grid.is_blocked(x, z);
            let end = (x..grid.size()).find(|&i| grid.is_blocked(i, z) != blocked).unwrap_or(grid.size());
            let run = [corner(x, z), corner(x, z + 1), corner(end, z + 1), corner(end, z)];
            shapes.polygon(&run, if blocked { Role::Solid } else { Role::Ground(AreaId::WALKABLE) });
            if !blocked {
                shapes.line(&[run[0], run[1], run[2], run[3], run[0]], Role::InnerEdge);
            }
            x = end;
        }
    }
    for obstacle in &stage.obstacles {
        shapes.line(&outline(&obstacle.shape), Role::Wall);
    }
    let mut key = Vec::new();
    for (number, a) in (0u32..).zip(&stage.answers) {
        match a.status {
            PathStatus::Complete => draw_path(&a.points, a.to, number, &mut shapes),
            _ => draw_partial_path(&a.points, a.to, number, &mut shapes),
        }
        let end = |p: Vec3| format!("{},{}", p.x, p.z);
        key.push(format!("{} to {}: {}, {:.1} m", end(a.from), end(a.to), a.status, a.length()));
    }
    let name = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let title = format!("{name}: {} x {} cells, one run of free cells a node", grid.size(), grid.size());
    draw_picture(&shapes, &Caption { title, paths: key, samples: &SAMPLES, ..Caption::default() }, size, target)
}

fn outline(shape: &Shape) -> Vec<Vec3> {
    match *shape {
        Shape::Segment { a, b } => vec![a, b],
        Shape::Disc { center, radius } => (0..=24)
            .map(|i| {
                let angle = i as f32 * core::f32::consts::TAU / 24.0;
                center + Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)) * radius
            })
            .collect(),
        Shape::Box { center, half: [u, v], yaw } => {
            let (sin, cos) = yaw.sin_cos();
            let corner = |u: f32, v: f32| center + Vec3::new(u * cos - v * sin, 0.0, u * sin + v * cos);
            vec![corner(-u, -v), corner(u, -v), corner(u, v), corner(-u, v), corner(-u, -v)]
        }
    }
}
