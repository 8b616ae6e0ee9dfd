//! A 16-bit greyscale PNG as terrain: a vertex a pixel, x along its rows, z down its columns.
//!
//! One metre from pixel to pixel and one centimetre of height a step, so that 65535 is 655.35 m; `--pixel-size` and
//! `--pixel-height` set others. Heights stand along y whatever `--up` says; `--scale` applies.

use super::soup::{Soup, Tags};
use wayfare::Vec3;
use wayfare::input::{HeightMap, HeightScale};

/// What a pixel measures, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pixel {
    pub(crate) size: f64,
    pub(crate) height: f64,
}

/// Larger pictures take more than a gigabyte while they are read.
const MAX_PIXELS: u64 = 1 << 28;

/// Reads a height map.
pub(crate) fn read(bytes: &[u8], pixel: Pixel) -> Result<HeightMap, String> {
    let broken = |e: png::DecodingError| format!("is no PNG file, or a damaged one: {e}");
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().map_err(broken)?;
    let (width, depth) = (reader.info().width, reader.info().height);
    if (reader.info().color_type, reader.info().bit_depth) != (png::ColorType::Grayscale, png::BitDepth::Sixteen) {
        return Err("is not a 16-bit greyscale PNG: a height map has one channel of 16 bits".into());
    }
    if width < 2 || depth < 2 || u64::from(width) * u64::from(depth) > MAX_PIXELS {
        return Err(format!("is {width} x {depth} pixels: a height map has at least 2 x 2 and at most {MAX_PIXELS}"));
    }
    let mut bytes = vec![0; width as usize * depth as usize * 2];
    reader.next_frame(&mut bytes).map_err(broken)?;
    let samples = bytes.chunks_exact(2).map(|sample| u16::from_be_bytes([sample[0], sample[1]])).collect();
    let scale = HeightScale { origin: Vec3::ZERO, spacing: pixel.size, step: pixel.height };
    HeightMap::new(width, depth, samples, scale).map_err(|e| e.to_string())
}

/// Adds the triangles of a height map to `soup`.
pub(crate) fn triangulate(map: &HeightMap, soup: &mut Soup) -> Result<(), String> {
    let base = soup.base();
    soup.tag(Tags::default());
    let (width, depth) = (map.columns(), map.rows());
    for z in 0..depth {
        soup.verts.extend((0..width).map(|x| map.point(x, z)));
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

    const PIXEL: Pixel = Pixel { size: 2.0, height: 0.5 };

    #[test]
    fn pixels_become_ground_that_faces_up() {
        let bytes = png(2, 3, png::BitDepth::Sixteen, &[0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0]);
        let (mut soup, map) = (Soup::new(), read(&bytes, PIXEL).unwrap());
        triangulate(&map, &mut soup).unwrap();
        assert_eq!(soup.verts[3], Vec3::new(2.0, 128.0, 2.0));
        assert_eq!(soup.tris.len(), 4);
        for tri in &soup.tris {
            let [a, b, c] = tri.map(|v| soup.verts[v as usize]);
            assert!((b - a).cross(c - a).y > 0.0);
        }
    }

    #[test]
    fn other_pictures_and_broken_ones_are_refused() {
        let refused = |bytes: &[u8]| read(bytes, PIXEL).unwrap_err();
        assert!(refused(&png(2, 2, png::BitDepth::Eight, &[0; 4])).contains("not a 16-bit greyscale"));
        assert!(refused(&png(1, 2, png::BitDepth::Sixteen, &[0; 4])).contains("at least 2 x 2"));
        let whole = png(9, 9, png::BitDepth::Sixteen, &[7; 162]);
        for end in [0, 8, 30, whole.len() / 2] {
            assert!(refused(&whole[..end]).starts_with("is no PNG file"));
        }
    }
}
