//! Draws the trails of the agents of a crowd.

use super::{Figures, Watch};
use crate::failure::Result;
use crate::output::draw_picture;
use crate::output::numbers::count;
use std::path::Path;
use wayfare::debug::{ShapeList, draw_mesh, draw_stranded, draw_trail};
use wayfare::mesh::NavMesh;
use wayfare_draw::Caption;

/// More trails would make the picture too cluttered: then this many are drawn, evenly by number.
const MOST_TRAILS: usize = 400;

/// Draws a mesh, the trails over it, and the agents that have not arrived.
pub(in crate::commands) fn draw_trails(
    mesh: &NavMesh,
    (watch, figures): (&Watch, &Figures),
    title: String,
    size: u32,
    target: &Path,
) -> Result<()> {
    let mut shapes = ShapeList::new();
    draw_mesh(mesh, &mut shapes);
    let (all, drawn) = (watch.trails.len(), watch.trails.len().min(MOST_TRAILS));
    for number in (0..drawn).map(|k| k * all / drawn) {
        draw_trail(&watch.trails[number], number as u32, &mut shapes);
    }
    let title = if drawn < all { format!("{title} ({drawn} of {} trails)", count(all as u64)) } else { title };
    // Draws all of these, however many trails there are.
    for (agent, trail) in watch.trails.iter().enumerate() {
        if let Some(&now) = trail.last().filter(|_| !figures.walk.has_arrived(agent)) {
            draw_stranded(now, agent as u32, &mut shapes);
        }
    }
    draw_picture(&shapes, &Caption { title, ..Caption::default() }, size, target)
}
