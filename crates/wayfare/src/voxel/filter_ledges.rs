//! Removes ledges: spans beside a drop deeper than the climb, and spans whose neighbours differ too much in height.
//!
//! ```text
//!     ____x           x: its neighbour to the right is free down to the ground, farther than the climb
//!    |    |
//!    |    |_______
//! ```
//!
//! An agent that may drop but not climb (`agent_drop_vx` above `agent_climb_vx`) keeps the surface beside drops that it
//! may take. Nothing links the surfaces above and below such a drop: polygons are linked in both directions, so a path
//! that only leads down is an off-mesh connection.
//!
//! A span examines the free spaces of its four neighbour columns that an agent could move to (they overlap its own free
//! space by at least the agent's height). It is a ledge if one of them is deeper than the climb, or if those within the
//! climb differ by more than the climb from each other. The edge of the level is a drop; the edge of a tile's rectangle
//! counts as one too, but the border around the tile keeps that away from the tile itself.
//!
//! The free spaces of a column are sorted, so those that a neighbour's spans can reach are found by walking both
//! columns upwards together.
//!
//! Cost: linear in spans. Sources: Mikko Mononen, Recast (`rcFilterLedgeSpans`), 2009.

use super::{DIRECTIONS, Grid, Heightfield};
use crate::area::AreaId;
use crate::input::VoxelSettings;

/// Above everything: the ceiling of the topmost free space. Heights are 16 bits.
const SKY: i32 = 1 << 20;

/// Removes the area type of spans beside drops deeper than `agent_drop_vx`, or too steep for `agent_climb_vx`. `level`
/// is the grid of the whole level. Only area types change.
pub fn filter_ledges(field: &mut Heightfield, level: &Grid, settings: &VoxelSettings) {
    for z in 0..field.grid.depth {
        filter_ledges_of_row(field, level, z, settings);
    }
}

/// Like [`filter_ledges`], for one row.
pub(super) fn filter_ledges_of_row(field: &mut Heightfield, level: &Grid, z: u32, settings: &VoxelSettings) {
    let [height, climb, drop] = [settings.agent_height_vx, settings.agent_climb_vx, settings.agent_drop_vx];
    let steps = Steps { height: height as i32, climb: climb as i32, drop: drop.max(climb) as i32 };
    let grid = field.grid;
    for x in 0..grid.width {
        let column = field.column(grid.index(x, z));
        let mut neighbours = DIRECTIONS.map(|(dx, dz)| neighbour_column(field, level, (x, z), (dx, dz)));
        for i in column.clone() {
            if field.area[i].is_null() {
                continue;
            }
            let floor = i32::from(field.max[i]);
            let ceiling = if i + 1 < column.end { i32::from(field.min[i + 1]) } else { SKY };
            if is_ledge(field, [floor, ceiling], &mut neighbours, &steps) {
                field.area[i] = AreaId::NULL;
            }
        }
    }
}

/// The rows and columns of the rectangle at its own edge or at the level's, whose spans are all ledges.
pub(super) fn edge_rows_and_columns(field: &Heightfield, level: &Grid) -> ([u32; 4], [u32; 4]) {
    let edges = |first: i32, count: u32, level_first: i32, level_count: u32| {
        let inside = |cell: i64| cell.clamp(0, i64::from(count) - 1).max(0) as u32;
        let level_first = i64::from(level_first) - i64::from(first);
        [0, i64::from(count) - 1, level_first, level_first + i64::from(level_count) - 1].map(inside)
    };
    let grid = &field.grid;
    (edges(grid.z, grid.depth, level.z, level.depth), edges(grid.x, grid.width, level.x, level.width))
}

/// What an agent can do, in cell heights: 16 bits each.
struct Steps {
    height: i32,
    climb: i32,
    drop: i32,
}

/// A neighbour cell's column, during the walk upwards.
struct NeighbourColumn {
    /// Bottom of its lowest span.
    first: i32,
    /// Its spans that have not been passed yet.
    spans: core::ops::Range<usize>,
}

/// The column of a neighbour cell; `None` outside the level or the rectangle.
fn neighbour_column(
    field: &Heightfield,
    level: &Grid,
    (x, z): (u32, u32),
    (dx, dz): (i32, i32),
) -> Option<NeighbourColumn> {
    let grid = &field.grid;
    let nx = x.checked_add_signed(dx)?;
    let nz = z.checked_add_signed(dz)?;
    if nx >= grid.width || nz >= grid.depth {
        return None;
    }
    let inside = |cell: i64, first: i32, count: u32| (0..i64::from(count)).contains(&(cell - i64::from(first)));
    let in_level = inside(i64::from(grid.x) + i64::from(nx), level.x, level.width)
        && inside(i64::from(grid.z) + i64::from(nz), level.z, level.depth);
    in_level.then(|| {
        let spans = field.column(grid.index(nx, nz));
        // The space below the lowest span has no floor.
        let first = field.min[spans.clone()].first().map_or(SKY, |&m| i32::from(m));
        NeighbourColumn { first, spans }
    })
}

/// Whether a surface at `floor` under `ceiling` is a ledge. Floors of one column must be given from low to high.
fn is_ledge(
    field: &Heightfield,
    [floor, ceiling]: [i32; 2],
    neighbours: &mut [Option<NeighbourColumn>; 4],
    &Steps { height, climb, drop }: &Steps,
) -> bool {
    let mut lowest = floor;
    let mut highest = floor;
    for neighbour in neighbours {
        let Some(NeighbourColumn { first, spans }) = neighbour else { return true };
        if ceiling.min(*first) - floor >= height {
            return true;
        }
        let end = spans.end;
        let ceiling_over = |n: usize| if n + 1 < end { i32::from(field.min[n + 1]) } else { SKY };
        // Spaces too low to be entered from here are too low for every higher floor.
        while spans.start < end && ceiling_over(spans.start) - floor < height {
            spans.start += 1;
        }
        for n in spans.clone() {
            let other_floor = i32::from(field.max[n]);
            if ceiling - other_floor < height {
                break;
            }
            if ceiling.min(ceiling_over(n)) - floor.max(other_floor) < height {
                continue;
            }
            if other_floor - floor < -drop {
                return true;
            }
            if (other_floor - floor).abs() <= climb {
                lowest = lowest.min(other_floor);
                highest = highest.max(other_floor);
            }
        }
    }
    highest - lowest > climb
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{AgentSettings, BakeSettings};
    use crate::voxel::filter;
    use crate::voxel::test_columns::field_of_columns;

    /// Which floors of a row of cells are kept; `#` is the level's edge, and taken.
    ///
    /// Three rows of the same floors, so that the middle one has neighbours; cells of 1 m, heights in metres.
    fn kept(floors: &[u16], max_climb: f32, max_drop: f32) -> String {
        let agent = AgentSettings { height: 2.0, max_climb, max_drop, ..AgentSettings::default() };
        let settings = BakeSettings { agent, cell_size: 1.0, cell_height: 1.0, ..BakeSettings::default() };
        let vx = settings.to_voxel().unwrap();
        let spans: Vec<[(u16, u16, AreaId); 1]> = floors.iter().map(|&y| [(0, y, AreaId::WALKABLE)]).collect();
        let row = || spans.iter().map(<[_; 1]>::as_slice);
        let columns: Vec<&[(u16, u16, AreaId)]> = row().chain(row()).chain(row()).collect();
        let width = floors.len() as u32;
        let mut alone = field_of_columns(width, &columns);
        let mut all = field_of_columns(width, &columns);
        let level = alone.grid;
        filter_ledges(&mut alone, &level, &vx);
        filter(&mut all, &level, &vx);
        assert_eq!(alone.area, all.area);
        let middle = &alone.area[floors.len()..2 * floors.len()];
        middle.iter().map(|area| if area.is_null() { '#' } else { '.' }).collect()
    }

    #[test]
    fn ground_beside_a_drop_is_kept_by_who_may_drop() {
        //           the drop of 4 is between the two fives and the one
        let floors = [5, 5, 5, 1, 1, 1];
        assert_eq!(kept(&floors, 1.0, 0.0), "#.#..#");
        assert_eq!(kept(&floors, 1.0, 3.0), "#.#..#");
        assert_eq!(kept(&floors, 1.0, 4.0), "#....#");
        // What can be climbed is no drop to begin with; a drop below the climb changes nothing.
        assert_eq!(kept(&floors, 2.0, 1.0), "#.#..#");
        assert_eq!(kept(&[2, 2, 2, 1, 1, 1], 1.0, 0.0), "#....#");
    }

    #[test]
    fn slopes_too_steep_to_climb_are_taken_even_from_who_may_drop() {
        // From one side to the other of the third cell it is two up: more than the climb of one.
        assert_eq!(kept(&[1, 1, 2, 3, 3, 3], 1.0, 9.0), "#.#..#");
    }
}
