//! Why a level bakes to nothing: the usual faults of levels that look right in a modelling tool.

use super::Level;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::BakeSettings;
use wayfare::math::ops;
use wayfare::voxel::slope_area;

/// In words, with what to change.
pub(crate) fn reason(level: &Level, settings: &BakeSettings) -> String {
    let [up, down] = facing(level, settings.agent.max_slope);
    let [width, height, depth] = level.input().bounds().size().to_array();
    let (agent, across) = (&settings.agent, width.max(depth));
    let why = if up == 0 && down > 0 {
        format!(
            "no triangle faces up within the slope, but {down} face down: their corners are wound the other way round, \
             or another axis points up (--up)"
        )
    } else if up == 0 {
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

/// How many triangles face up and how many down, as the bake judges them: no steeper than the slope.
fn facing(level: &Level, max_slope: f32) -> [usize; 2] {
    let (flat, ground) = (ops::cos(max_slope), AreaId::WALKABLE);
    let corners = (0..level.mesh.tris().len()).map(|i| level.mesh.corners(i));
    let count = |[up, down]: [usize; 2], [a, b, c]: [Vec3; 3]| {
        let is_ground = |corners| usize::from(slope_area(corners, ground, flat) == ground);
        [up + is_ground([a, b, c]), down + is_ground([a, c, b])]
    };
    corners.fold([usize::from(level.terrain.is_some()), 0], count)
}
