//! Points on the plane and in space, many of them equal, level with others, or no numbers.

use super::Bytes;
use crate::oracle::{check_hull2, check_hull3};
use wayfare::math::{Hull3, convex_hull, convex_hull3, hull_chain};
use wayfare::{Vec2, Vec3};

/// Points beyond this many only take longer.
const MOST: usize = 80;

/// Makes points of `data`, and their hulls on the plane and in space. How many faces the latter has.
///
/// # Panics
/// If one of them is no hull, or the two ways to a hull on the plane differ.
pub fn hulls(data: &[u8]) -> usize {
    let mut bytes = Bytes(data);
    let (spread, scale) = (bytes.next() % 4, bytes.next());
    // Whole numbers of a power of two: as floats, they are what they are in whole numbers. From the least that f32 has.
    let unit = f32::from_bits([127, 127, 119, 167, 207, 0][usize::from(scale % 6)] << 23).max(f32::from_bits(1));
    let (mut points, mut floats) = (Vec::new(), Vec::new());
    while bytes.left() > 0 && points.len() < MOST {
        let tag = bytes.next();
        let place = match tag {
            255 => None,
            254 if !points.is_empty() => points[usize::from(bytes.next()) % points.len()],
            _ => Some([(); 3].map(|()| coordinate(&mut bytes, spread))),
        };
        let zero = if tag & 1 == 0 { 0.0 } else { -0.0 };
        let no_number = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][points.len() % 3];
        let float = |v: i64| if v == 0 { zero } else { v as f32 * unit };
        floats.push(place.map_or(Vec3::new(no_number, 0.0, 1.0), |place| Vec3::from(place.map(float))));
        points.push(place);
    }
    let plan: Vec<Vec2> = floats.iter().map(|p| p.truncate()).collect();
    let flat: Vec<Option<[i64; 2]>> = points.iter().map(|p| p.map(|[x, y, _]| [x, y])).collect();
    let (wrapped, chained) = (convex_hull(&plan), hull_chain(&plan));
    check_hull2(&flat, &wrapped);
    let places = |hull: &[u32]| hull.iter().map(|i| flat[*i as usize]).collect::<Vec<_>>();
    assert_eq!(places(&wrapped), places(&chained), "two ways to a hull");
    let hull = convex_hull3(&floats);
    check_hull3(&points, &hull);
    if let Hull3::Solid(solid) = hull { solid.faces.len() } else { 0 }
}

/// Of few values, so that most points are level with others; of more; of many; or of all sizes at once.
fn coordinate(bytes: &mut Bytes<'_>, spread: u8) -> i64 {
    let small = bytes.next();
    let wide = |bytes: &mut Bytes<'_>| i64::from(i16::from_le_bytes([small, bytes.next()]));
    match spread {
        0 => i64::from(small % 4),
        1 => (1 << 22) + i64::from(small),
        2 => wide(bytes),
        _ => wide(bytes) << (bytes.next() % 25),
    }
}
