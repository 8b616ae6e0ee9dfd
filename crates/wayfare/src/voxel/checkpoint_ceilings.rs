//! Decides how exactly each ceiling must be stored: only so that the result does not change.
//!
//! Later stages compare ceilings with neighbouring floors, to see whether these are hidden, and with floors plus the
//! agent's height, for links. So a ceiling may be moved anywhere between the next lower and the next higher of these
//! heights, and is put where it is predicted to be.
//!
//! ```text
//!     ____  next floor beside, not seen from a         the ceiling of a may be moved up to here,
//!     ....  ceiling of a
//!     ----  floor of a or beside + agent's height      and down to here
//!      a
//! ```
//!
//! Cost: the neighbours of each span. Sources: own work.

use super::{CompactHeightfield, DIRECTIONS};

/// The lowest and the highest allowed heights of all ceilings; `sky` if there is no upper limit.
pub(super) fn rooms_into(
    field: &CompactHeightfield,
    ceilings: &[i32],
    steps: [u32; 2],
    sky: i32,
    out: &mut Vec<[i32; 2]>,
) {
    out.clear();
    let [height, climb] = steps.map(u32::cast_signed);
    let width = field.grid.width as i32;
    let depth = field.grid.depth as i32;
    for cell in 0..field.grid.cell_count() {
        let x = cell as i32 % width;
        let z = cell as i32 / width;
        let beside = DIRECTIONS.map(|(dx, dz)| {
            let is_inside = (0..width).contains(&(x + dx)) && (0..depth).contains(&(z + dz));
            if is_inside { field.column((cell as i32 + dx + dz * width) as usize) } else { 0..0 }
        });
        let column = field.column(cell);
        for span in column.clone() {
            let y = i32::from(field.y[span]);
            let ceiling = ceilings[span];
            let above = (span + 1 < column.end).then(|| i32::from(field.y[span + 1]) - 1);
            let mut room = [ceiling.min(y + 1), above.unwrap_or(sky)];
            // The ceiling is at or above the mark, or below it.
            let mut mark = |at: i32| {
                if at <= ceiling {
                    room[0] = room[0].max(at);
                } else {
                    room[1] = room[1].min(at - 1);
                }
            };
            for other in beside.iter().cloned().flatten() {
                let floor = i32::from(field.y[other]);
                if floor >= y {
                    mark(floor + 1);
                }
                if floor.abs_diff(y) as i32 <= climb {
                    mark(floor.max(y) + height);
                }
            }
            out.push(room);
        }
    }
}
