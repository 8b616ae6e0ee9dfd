//! Compact heightfields drawn with letters, for the tests of the region and contour stages.
//!
//! Each layer is a map of the same size, row z = 0 first. `.` is a hole, a digit is default surface at that height, a
//! small letter is surface of area type 1 (`a`), 2 (`b`) … at height 0, `#` is surface that was eroded away. Layer n
//! lies 20 × n higher. Neighbours connect where their heights differ by at most `climb`.

use crate::area::AreaId;
use crate::math::Rng;
use crate::math::index::NONE;
use crate::voxel::{CompactHeightfield, DIRECTIONS, Grid};
use glam::Vec3;

/// A field of several layers over each other.
pub(in crate::bake) fn layered_field(layers: &[&str], climb: u16) -> CompactHeightfield {
    let maps: Vec<Vec<&[u8]>> =
        layers.iter().map(|map| map.lines().map(|l| l.trim().as_bytes()).filter(|l| !l.is_empty()).collect()).collect();
    let (width, depth) = (maps[0][0].len(), maps[0].len());
    let grid = Grid {
        origin: Vec3::ZERO,
        cell_size: 1.0,
        cell_height: 1.0,
        x: 0,
        z: 0,
        width: width as u32,
        depth: depth as u32,
    };
    let mut field = CompactHeightfield::empty(grid);
    for z in 0..depth {
        for x in 0..width {
            for (level, map) in maps.iter().enumerate() {
                let (height, area) = match map[z][x] {
                    b'.' => continue,
                    c @ b'0'..=b'9' => (c - b'0', AreaId::WALKABLE),
                    c @ b'a'..=b'z' => (0, AreaId::from_low_bits(c - b'a' + 1)),
                    _ => (0, AreaId::NULL),
                };
                field.y.push(u16::from(height) + 20 * level as u16);
                field.clearance.push(u16::MAX);
                field.area.push(area);
            }
            field.columns[z * width + x + 1] = field.y.len() as u32;
        }
    }
    connect(&mut field, climb);
    field
}

/// A field of one layer.
pub(in crate::bake) fn field(map: &str) -> CompactHeightfield {
    layered_field(&[map], 1)
}

fn connect(field: &mut CompactHeightfield, climb: u16) {
    let (width, depth) = (field.grid.width as i32, field.grid.depth as i32);
    field.neighbours = vec![[NONE; 4]; field.y.len()];
    for cell in 0..width * depth {
        for span in field.column(cell as usize) {
            for (dir, (dx, dz)) in DIRECTIONS.into_iter().enumerate() {
                let (x, z) = (cell % width + dx, cell / width + dz);
                if x < 0 || z < 0 || x >= width || z >= depth {
                    continue;
                }
                // Each steps to the nearest height, if that steps back: links are symmetric.
                let cells = [cell as usize, (z * width + x) as usize];
                let nearest = |to: usize, from: usize| {
                    let step = |o: &usize| field.y[*o].abs_diff(field.y[from]);
                    field.column(to).min_by_key(step).filter(|o| step(o) <= climb)
                };
                let other = nearest(cells[1], span).filter(|&o| nearest(cells[0], o) == Some(span));
                field.neighbours[span][dir] = other.map_or(NONE, |o| o as u32);
            }
        }
    }
}

/// A seeded random map: surfaces with rooms, walls and slopes, `width` × `depth`.
pub(in crate::bake) fn random_map(width: usize, depth: usize, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut next = |below: usize| rng.below(below as u32) as usize;
    let mut cells = vec![b'.'; width * depth];
    let mut paint = |x: usize, z: usize, w: usize, d: usize, c: u8| {
        for row in cells.chunks_exact_mut(width).skip(z).take(d) {
            for cell in row.iter_mut().skip(x).take(w) {
                *cell = c;
            }
        }
    };
    for _ in 0..(width * depth / 40).max(3) {
        let (w, d) = (1 + next(width / 3), 1 + next(depth / 3));
        let (x, z) = (next(width), next(depth));
        let c = [b'0', b'0', b'0', b'0', b'1', b'2', b'a', b'.', b'.', b'#'][next(10)];
        paint(x, z, w, d, c);
    }
    for _ in 0..width * depth / 60 {
        let (x, z) = (next(width), next(depth));
        paint(x, z, 1, 1, [b'.', b'0', b'#'][next(3)]);
    }
    cells.chunks_exact(width).map(|row| String::from_utf8_lossy(row).into_owned() + "\n").collect()
}
