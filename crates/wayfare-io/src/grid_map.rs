//! `.map` files of the MovingAI benchmarks: a grid of cells, as text.
//!
//! ```text
//!   type octile          `.` and `G` are ground, `S` (swamp) may be crossed as well;
//!   height 3             `@`, `O` (out of bounds), `T` (trees) and `W` (water) may not
//!   width 5
//!   map
//!   ..@..                cell (x, y) is the square from (x, y) to (x + 1, y + 1)
//! ```
//!
//! The agent is a point, as in the any-angle benchmarks: it may walk along walls and bend around their corners, but not
//! slip between two cells that only touch. So the borders of the free cells are the outlines; each is traced with the
//! free cells on its left, and where two outlines touch in a point, each turns back to its own side.
//!
//! Sources: Nathan Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012.

use crate::ReadError;
use crate::work;
use wayfare::Vec2;
use wayfare::mesh::NavMesh;
use wayfare::tile::build_outline_tile;

/// Whether the bytes begin like a `.map` file of the MovingAI benchmarks.
#[must_use]
pub fn is_grid_map(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"type").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// Reads a `.map` file of the MovingAI benchmarks as a flat mesh, with one metre per cell.
///
/// # Errors
/// [`ReadError`].
pub fn read_grid_map(bytes: &[u8]) -> Result<NavMesh, ReadError> {
    let tile = build_outline_tile(&Grid::read(bytes)?.outlines(), 0.0).map_err(|e| e.to_string())?;
    NavMesh::from_tile(tile).map_err(|e| e.to_string().into())
}

/// Most cells of a map: a side of 16,384.
const MOST_CELLS: usize = 1 << 28;

struct Grid {
    width: usize,
    height: usize,
    free: Vec<bool>,
}

/// Steps along an outline: east, north (greater y), west, south.
const STEPS: [(i64, i64); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

impl Grid {
    fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let text = std::str::from_utf8(bytes).map_err(|_| "is no text after its first line".to_owned())?;
        let mut lines = text.lines().map(str::trim_end);
        let mut size = [None; 2];
        for (number, line) in lines.by_ref().enumerate() {
            let wrong = |what: &str| ReadError::in_line(number as u64 + 1, format!("\"{line:.60}\" is {what}"));
            let count = |value: &str| value.parse().map_err(|_| wrong("no whole number of cells, 1 or more"));
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["map"] => break,
                ["type", _] | [] => {}
                ["height", value] => size[1] = Some(count(value)?),
                ["width", value] => size[0] = Some(count(value)?),
                _ => return Err(wrong("neither type, height, width nor map")),
            }
        }
        let [Some(width), Some(height)]: [Option<usize>; 2] = size else {
            return Err("has no width or no height before its map".into());
        };
        if width == 0 || height == 0 {
            return Err(format!("has {width} × {height} cells: a map has at least one").into());
        }
        if width.checked_mul(height).is_none_or(|cells| cells > MOST_CELLS) {
            return Err(format!("has {width} × {height} cells, more than {MOST_CELLS}").into());
        }
        let mut free = Vec::new();
        for row in 0..height {
            let line = lines.next().ok_or_else(|| format!("ends after {row} of {height} rows"))?;
            if line.len() != width {
                return Err(format!("row {} of the map has {} cells, not {width}", row + 1, line.len()).into());
            }
            for cell in line.bytes() {
                free.push(match cell {
                    b'.' | b'G' | b'S' => true,
                    b'@' | b'O' | b'T' | b'W' => false,
                    other => {
                        let cell = other.escape_ascii();
                        return Err(format!(
                            "row {} of the map has a cell \"{cell}\": cells are . G S @ O T W",
                            row + 1
                        )
                        .into());
                    }
                });
            }
        }
        Ok(Self { width, height, free })
    }

    fn is_free(&self, x: i64, y: i64) -> bool {
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        inside && self.free[y as usize * self.width + x as usize]
    }

    /// The closed outlines of the free cells, with these on their left.
    fn outlines(&self) -> Vec<Vec<Vec2>> {
        // Every outline has edges that run east, with free ground above and none below.
        let mut traced = vec![false; self.free.len()];
        let mut outlines = Vec::new();
        for y in 0..self.height as i64 {
            for x in 0..self.width as i64 {
                let cell = y as usize * self.width + x as usize;
                if self.is_free(x, y) && !self.is_free(x, y - 1) && !traced[cell] {
                    outlines.push(self.trace((x, y), &mut traced));
                }
            }
        }
        outlines
    }

    fn trace(&self, start: (i64, i64), traced: &mut [bool]) -> Vec<Vec2> {
        let mut outline = Vec::new();
        work::count(1);
        let ((mut x, mut y), mut heading) = (start, 0);
        loop {
            if heading == 0 {
                traced[y as usize * self.width + x as usize] = true;
            }
            work::count(1);
            (x, y) = (x + STEPS[heading].0, y + STEPS[heading].1);
            // The cells ahead: of those around the corner, on the left and on the right of the direction.
            let (left, right) = match heading {
                0 => ((x, y), (x, y - 1)),
                1 => ((x - 1, y), (x, y)),
                2 => ((x - 1, y - 1), (x - 1, y)),
                _ => ((x, y - 1), (x - 1, y - 1)),
            };
            let turn = match (self.is_free(left.0, left.1), self.is_free(right.0, right.1)) {
                (false, _) => 1,
                (true, false) => 0,
                (true, true) => 3,
            };
            if turn != 0 {
                outline.push(Vec2::new(x as f32, y as f32));
            }
            heading = (heading + turn) % 4;
            if (x, y) == start && heading == 0 {
                return outline;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::components::Components;
    use wayfare::math::polygon;

    fn map(rows: &[&str]) -> String {
        format!("type octile\nheight {}\nwidth {}\nmap\n{}\n", rows.len(), rows[0].len(), rows.join("\n"))
    }

    fn area(mesh: &NavMesh) -> f32 {
        let tile = mesh.tiles().next().unwrap();
        let polygon = |poly| polygon::area(&tile.data().points_of(poly).collect::<Vec<_>>());
        (0..tile.poly_count()).map(polygon).sum()
    }

    #[test]
    fn free_cells_become_few_polygons_and_holes_stay_open() {
        let mesh = read_grid_map(map(&["......", ".@@.G.", ".@..S.", "..TW..", "......"]).as_bytes()).unwrap();
        assert_eq!((mesh.check().len(), Components::of(&mesh).count()), (0, 1));
        assert_eq!(area(&mesh), 25.0);
        assert!(mesh.tiles().next().unwrap().poly_count() < 12);
    }

    #[test]
    fn cells_that_only_touch_are_apart() {
        let mesh = read_grid_map(map(&[".@.@", "@.@."]).as_bytes()).unwrap();
        assert_eq!((mesh.check().len(), Components::of(&mesh).count(), area(&mesh)), (0, 4, 4.0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let refused = |text: &str| read_grid_map(text.as_bytes()).unwrap_err().to_string();
        assert!(is_grid_map(b"type octile\n") && !is_grid_map(b"typewriter"));
        assert_eq!(refused("type octile\nwidth 3\nmap\n"), "has no width or no height before its map");
        assert_eq!(refused("type octile\nheight 2\nwidth 2\nmap\n..\n"), "ends after 1 of 2 rows");
        assert_eq!(
            refused("type octile\nheight 1\nwidth 2\nmap\n.x\n"),
            "row 1 of the map has a cell \"x\": cells are . G S @ O T W"
        );
        assert_eq!(refused("type octile\nheight -2\n"), "line 2: \"height -2\" is no whole number of cells, 1 or more");
        assert!(refused("type octile\nheight 0\nwidth 2\nmap\n").contains("at least one"));
        assert!(refused("type octile\nheight 1\nwidth 2\nmap\n.\n").contains("1 cells, not 2"));
        assert!(refused("type octile\nheight 99999999\nwidth 99999999\nmap\n.\n").contains("more than"));
        assert!(refused("type octile\nheight two\n").contains("line 2"));
    }

    #[test]
    fn lines_may_end_as_on_windows() {
        let text = map(&["..", "@."]).replace('\n', "\r\n");
        assert_eq!(area(&read_grid_map(text.as_bytes()).unwrap()), 3.0);
    }
}
