//! Reads a 16-bit greyscale PNG as terrain: one vertex per pixel, x along its rows, z down its columns.
//!
//! By default one metre between pixels and one centimetre of height per step, so that 65535 is 655.35 m; [`PixelSize`]
//! sets other values. Heights are along y.
//!
//! A picture is read row by row, and if it is larger than what is baked only that part is kept: a few bytes can be a
//! very large picture of uniform grey.

use crate::ReadError;
use crate::allowance::Allowance;
use crate::work;
use crate::{Tags, TriangleSoup};
use core::ops::Range;
use wayfare::Vec3;
use wayfare::input::{HeightMap, HeightPart, HeightScale};
use wayfare::math::Aabb;

/// The size of a pixel of a height map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PixelSize {
    /// Metres between pixels. Default 1.
    pub size: f64,
    /// Metres of height per grey step. Default 0.01, so that 65535 is 655.35 m.
    pub height: f64,
}

impl Default for PixelSize {
    fn default() -> Self {
        Self { size: 1.0, height: 0.01 }
    }
}

/// Pixels that are kept of any picture, two bytes each, plus this many more for each byte of its file.
const PIXELS: [u64; 2] = [1 << 25, 32];

/// Why a picture cannot be read.
fn broken(e: &png::DecodingError) -> String {
    format!("is no PNG file, or a damaged one: {e}")
}

/// Reads a height map, or the part that a bake within some bounds needs.
pub(crate) fn read(bytes: &[u8], pixel: PixelSize, bounds: Option<&Aabb>) -> Result<HeightMap, ReadError> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().map_err(|e| broken(&e))?;
    let info = reader.info();
    let size @ [width, depth] = [info.width, info.height];
    if (info.color_type, info.bit_depth) != (png::ColorType::Grayscale, png::BitDepth::Sixteen) {
        return Err("is not a 16-bit greyscale PNG: a height map has one channel of 16 bits".into());
    }
    if width < 2 || depth < 2 {
        return Err(format!("is {width} x {depth} pixels: a height map has at least 2 x 2").into());
    }
    let scale = HeightScale { origin: Vec3::ZERO, spacing: pixel.size, step: pixel.height };
    let whole = [0..width, 0..depth];
    // The rows of an interlaced picture do not come one after the other.
    let is_interlaced = info.interlaced;
    let [columns, rows] = match bounds {
        Some(bounds) if !is_interlaced => scale.needed(size, bounds),
        _ => whole,
    };
    let kept = columns.len() as u64 * rows.len() as u64;
    if !Allowance::new(PIXELS[0], PIXELS[1], bytes.len() as u64).take(kept) {
        return Err(format!(
            "is {width} x {depth} pixels, more than a file of its size may have: bake a part of it, within bounds{}",
            if is_interlaced { ", and save it without interlacing" } else { "" }
        )
        .into());
    }
    let mut part = HeightPart { columns, rows, samples: Vec::with_capacity(kept as usize), range: [u16::MAX, 0] };
    if is_interlaced {
        let mut bytes = vec![0; kept as usize * 2];
        reader.next_frame(&mut bytes).map_err(|e| broken(&e))?;
        bytes.chunks_exact(2 * width as usize).zip(0..).for_each(|(row, z)| add_row(&mut part, z, row));
    } else {
        for z in 0..depth {
            let row = reader.next_row().map_err(|e| broken(&e))?.ok_or("is a damaged PNG file: rows are missing")?;
            add_row(&mut part, z, row.data());
        }
    }
    HeightMap::of_part(size, part, scale).map_err(|e| e.to_string().into())
}

/// Copies the pixels of a part from a row of the picture.
fn add_row(part: &mut HeightPart, z: u32, row: &[u8]) {
    let sample = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
    let of = |row: &[u8], least: u16, most: u16| {
        row.chunks_exact(2).map(sample).fold([least, most], |[low, high], s| [low.min(s), high.max(s)])
    };
    work::count(row.len());
    part.range = of(row, part.range[0], part.range[1]);
    if part.rows.contains(&z) {
        let Range { start, end } = part.columns;
        let kept = row.get(2 * start as usize..2 * end as usize).unwrap_or_default();
        part.samples.extend(kept.chunks_exact(2).map(sample));
    }
}

/// Adds the triangles of a height map to `soup`.
pub(crate) fn triangulate(map: &HeightMap, soup: &mut TriangleSoup) -> Result<(), ReadError> {
    let base = soup.base();
    soup.tag(Tags::default());
    let [columns, rows] = [map.held_columns(), map.held_rows()];
    let [width, depth] = [columns.len() as u32, rows.len() as u32];
    for z in rows {
        soup.verts.extend(columns.clone().map(|x| map.point(x, z)));
    }
    soup.check_size()?;
    for z in 0..depth - 1 {
        for x in 0..width - 1 {
            let a = base + z * width + x;
            let (b, c, d) = (a + 1, a + width, a + width + 1);
            soup.tris.extend([[a, c, b], [b, c, d]]);
        }
    }
    soup.check_size()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32, depth: png::BitDepth, samples: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(samples).unwrap();
        bytes
    }

    const PIXEL: PixelSize = PixelSize { size: 2.0, height: 0.5 };

    #[test]
    fn pixels_become_ground_that_faces_up() {
        let bytes = png(2, 3, png::BitDepth::Sixteen, &[0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0]);
        let (mut soup, map) = (TriangleSoup::new(), read(&bytes, PIXEL, None).unwrap());
        triangulate(&map, &mut soup).unwrap();
        assert_eq!(soup.verts[3], Vec3::new(2.0, 128.0, 2.0));
        assert_eq!(soup.tris.len(), 4);
        for tri in &soup.tris {
            let [a, b, c] = tri.map(|v| soup.verts[v as usize]);
            assert!((b - a).cross(c - a).y > 0.0);
        }
    }

    #[test]
    fn a_large_picture_of_few_bytes_is_read_where_it_is_baked() {
        let bytes = png(8192, 8192, png::BitDepth::Sixteen, &vec![0; 2 * 8192 * 8192]);
        assert!(read(&bytes, PIXEL, None).unwrap_err().to_string().contains("bake a part of it"));
        let corner = Aabb { min: Vec3::ZERO, max: Vec3::new(20.0, 1.0, 40.0) };
        let map = read(&bytes, PIXEL, Some(&corner)).unwrap();
        assert_eq!((map.columns(), map.rows(), map.samples().len()), (8192, 8192, 15 * 25));
    }

    #[test]
    fn other_pictures_and_broken_ones_are_refused() {
        let refused = |bytes: &[u8]| read(bytes, PIXEL, None).unwrap_err().to_string();
        assert!(refused(&png(2, 2, png::BitDepth::Eight, &[0; 4])).contains("not a 16-bit greyscale"));
        assert!(refused(&png(1, 2, png::BitDepth::Sixteen, &[0; 4])).contains("at least 2 x 2"));
        let whole = png(9, 9, png::BitDepth::Sixteen, &[7; 162]);
        for end in [0, 8, 30, whole.len() / 2] {
            assert!(refused(&whole[..end]).starts_with("is no PNG file"));
        }
    }
}
