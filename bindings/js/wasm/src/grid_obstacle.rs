//! Obstacles that a mesh does not contain, as numbers: a kind and six more, see `grid-obstacle.ts`.

use crate::fault::{Answer, Fault};
use wayfare::Vec3;
use wayfare::grid::{Obstacle, Shape};

/// The obstacles of a list, seven numbers each, with their ids.
pub(crate) fn obstacles(numbers: &[f32], ids: &[u32]) -> Answer<Vec<Obstacle>> {
    let (each, rest) = numbers.as_chunks::<7>();
    if each.len() != ids.len() || !rest.is_empty() {
        return Err(Fault::argument(format_args!("{} numbers do not make {} obstacles", numbers.len(), ids.len())));
    }
    each.iter().zip(ids).map(|(numbers, &id)| Ok(Obstacle { shape: shape(numbers)?, id })).collect()
}

fn shape(&[kind, x, y, z, a, b, c]: &[f32; 7]) -> Answer<Shape> {
    let at = Vec3::new(x, y, z);
    Ok(match kind as u8 {
        0 => Shape::Segment { a: at, b: Vec3::new(a, b, c) },
        1 => Shape::Disc { center: at, radius: a },
        2 => Shape::Box { center: at, half: [a, b], yaw: c },
        _ => return Err(Fault::argument(format_args!("there is no obstacle of kind {kind}"))),
    })
}
