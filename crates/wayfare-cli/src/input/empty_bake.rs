//! Why a level bakes to nothing: the three faults of levels that look right in a modelling tool.

use super::Level;
use wayfare::input::BakeSettings;
use wayfare::math::ops;

/// In words, with what to change.
pub(crate) fn reason(level: &Level, settings: &BakeSettings) -> String {
    let facing = Facing::of(level, settings.agent.max_slope);
    let [width, height, depth] = (level.input().bounds().max - level.input().bounds().min).to_array();
    let (agent, across) = (&settings.agent, width.max(depth));
    let why = if facing.up == 0 && facing.down > 0 {
        format!(
            "no triangle faces up within the slope, but {} face down: their corners are wound the other way round, or \
             another axis points up (--up)",
            facing.down
        )
    } else if facing.up == 0 {
        "no triangle faces up within the slope: another axis points up (--up), or the slope is set too low \
         (--agent-max-slope)"
            .into()
    } else if settings.cell_size > across {
        format!(
            "a cell of {} m is larger than the level, {width} x {height} x {depth} m (--cell-size)",
            settings.cell_size
        )
    } else if across <= 2.0 * agent.radius + settings.cell_size {
        format!(
            "the level is {width} x {height} x {depth} m, no wider than an agent of {} m radius: its sizes are not in \
             metres (--scale), or the agent is too large (--agent-radius)",
            agent.radius
        )
    } else {
        "the ground is too narrow, too low or too small for the agent: sizes must be metres (--scale), and the agent must \
         fit (--agent-radius, --agent-height, --region-min-size)"
            .into()
    };
    format!("nothing can be walked on: {why}")
}

/// How many triangles face up and down, no steeper than the slope.
#[derive(Debug, PartialEq)]
struct Facing {
    up: usize,
    down: usize,
}

impl Facing {
    fn of(level: &Level, max_slope: f32) -> Self {
        let flat = ops::cos(max_slope);
        let ups = (0..level.mesh.tris().len()).map(|i| {
            let [a, b, c] = level.mesh.corners(i);
            (b - a).cross(c - a).normalize_or_zero().y
        });
        let (up, down) = ups.fold((0, 0), |(up, down), y| (up + usize::from(y > flat), down + usize::from(y < -flat)));
        Self { up: up + usize::from(level.terrain.is_some()), down }
    }
}
