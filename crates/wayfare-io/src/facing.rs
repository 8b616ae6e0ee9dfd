//! Finds objects of a level with inverted winding: their floors face down and are not walkable, which is only noticed
//! by what is missing from the mesh. Sheets that are visible from both sides are turned up, the others reported.
//!
//! An object that faces down may well be a ceiling, or the underside of a slab. It is reported only if nothing lies
//! beneath its largest triangle, as there would beneath a ceiling, and nothing faces up right above it, as there would
//! above an underside.
//!
//! ```text
//!      ───────  nothing above within 2 m
//!      ▼ ▼ ▼ ▼  faces down
//!      (nothing below)
//! ```
//!
//! Cost: the triangles, and once more for each suspicious object, of which few are examined; for the sheets, a sort
//! along x and, for each triangle, the sheets whose middle lies in its range of x, up to a limit.

use crate::TriangleSoup;
use std::collections::BTreeMap;
use std::ops::Range;
use wayfare::Vec3;
use wayfare::math::plane::height_on_triangle;

/// Triangles steeper than 45° are walls: the minimum upward part of a normal.
const LEAST_UP: f32 = 0.7;

/// A surface facing up that is higher above a triangle than this is not the other side of its slab, metres.
const SLAB: f32 = 2.0;

/// For this many objects, what lies beneath and above is examined.
const MOST_LOOKED_AT: usize = 32;

/// How many pairs of a sheet and a triangle are examined: with more, no sheet is turned, which is remarked on.
const MOST_PAIRS: u64 = 1 << 26;

/// Turns up the sheets that are visible from both sides, face down entirely and [stand alone](stands_alone): they were
/// modelled to be seen from above, while a ceiling has a floor beneath. (A closed surface has as much area facing up as
/// down, so it stays as it is.)
pub(crate) fn turn_sheets(soup: &mut TriangleSoup) {
    turn_sheets_within(MOST_PAIRS, soup);
}

fn turn_sheets_within(most_pairs: u64, soup: &mut TriangleSoup) {
    let sheets = std::mem::take(&mut soup.sheets);
    let mut down: Vec<(Vec3, Range<u32>)> =
        sheets.into_iter().filter_map(|sheet| Some((middle(soup, lowest_facing(soup, &sheet)?), sheet))).collect();
    down.sort_by(|(a, _), (b, _)| a.x.total_cmp(&b.x));
    let Some(alone) = alone(soup, &down, most_pairs) else {
        soup.remarks.push(format!(
            "{} surfaces that are shown from both sides face down, too many to find out which are floors: none of them \
             can be walked on",
            down.len()
        ));
        return;
    };
    for ((_, sheet), _) in down.into_iter().zip(alone).filter(|(_, alone)| *alone) {
        soup.tris[sheet.start as usize..sheet.end as usize].iter_mut().for_each(|tri| tri.swap(1, 2));
    }
}

/// The triangle of a sheet that has the most area facing down; `None` if none has, or one faces up.
fn lowest_facing(soup: &TriangleSoup, sheet: &Range<u32>) -> Option<u32> {
    let mut lowest = (0.0, None);
    for tri in sheet.clone() {
        let [a, b, c] = corners(soup, tri).map(Vec3::as_dvec3);
        let rise = (b - a).cross(c - a).y;
        if rise.is_nan() || rise > 0.0 {
            return None;
        }
        if rise < lowest.0 {
            lowest = (rise, Some(tri));
        }
    }
    lowest.1
}

/// Which of these points, sorted by x, stand alone; `None` if there is too much to examine.
fn alone(soup: &TriangleSoup, points: &[(Vec3, Range<u32>)], most_pairs: u64) -> Option<Vec<bool>> {
    let mut alone = vec![true; points.len()];
    let mut pairs = 0;
    let triangles = if points.is_empty() { 0 } else { soup.tris.len() as u32 };
    for tri in 0..triangles {
        let [a, b, c] = corners(soup, tri).map(|corner| corner.x);
        let first = points.partition_point(|(at, _)| at.x < a.min(b).min(c));
        for ((at, _), alone) in points[first..].iter().zip(&mut alone[first..]) {
            if at.x > a.max(b).max(c) {
                break;
            }
            pairs += 1;
            *alone &= !is_beneath_or_above(soup, tri, *at);
        }
        if pairs > most_pairs {
            return None;
        }
    }
    Some(alone)
}

/// The upward and downward areas of one object.
#[derive(Default)]
struct Facing {
    /// Square metres in plan.
    up: f64,
    down: f64,
    /// The largest triangle that faces down, and its size.
    largest: Option<(u32, f64)>,
}

/// The remarks about objects that probably have inverted winding. If the whole level faces down, its bake reports that.
pub(crate) fn remark(soup: &TriangleSoup) -> Option<String> {
    let objects = facings(soup);
    if objects.values().all(|facing| facing.up == 0.0) {
        return None;
    }
    let suspects = objects.iter().filter(|(_, facing)| facing.down > 0.0 && facing.up <= 0.01 * facing.down);
    let mut wrong = suspects.take(MOST_LOOKED_AT).filter_map(|((group, object), facing)| {
        let middle = middle(soup, facing.largest?.0);
        stands_alone(soup, middle).then_some((if group.is_empty() { *object } else { *group }, facing, middle))
    });
    let (name, facing, at) = wrong.next()?;
    let more = match wrong.count() {
        0 => String::new(),
        1 => " (and 1 object like it)".to_owned(),
        more => format!(" (and {more} objects like it)"),
    };
    let name = if name.is_empty() { "what has no name".into() } else { format!("\"{name}\"") };
    Some(format!(
        "{name} faces down, {:.1} m² of it around {:.2},{:.2},{:.2}, and nothing lies beneath: its faces are probably wound the \
         wrong way round, and cannot be walked on{more}",
        facing.down, at.x, at.y, at.z
    ))
}

/// By group and object.
fn facings(soup: &TriangleSoup) -> BTreeMap<(&str, &str), Facing> {
    let mut objects: BTreeMap<(&str, &str), Facing> = BTreeMap::new();
    for (tags, tris) in soup.tagged() {
        let facing = objects.entry((soup.name(tags.group), soup.name(tags.object))).or_default();
        for tri in tris {
            let normal = normal(soup, tri);
            let size = f64::from(normal.y.abs()) * 0.5;
            if !normal.is_finite() || normal.y.abs() < LEAST_UP * normal.length() || size == 0.0 {
                continue;
            }
            if normal.y > 0.0 {
                facing.up += size;
                continue;
            }
            facing.down += size;
            if facing.largest.is_none_or(|(_, largest)| size > largest) {
                facing.largest = Some((tri, size));
            }
        }
    }
    objects
}

/// Whether nothing lies beneath a point of a triangle that faces down, and nothing faces up at it or right above.
fn stands_alone(soup: &TriangleSoup, at: Vec3) -> bool {
    !(0..soup.tris.len() as u32).any(|tri| is_beneath_or_above(soup, tri, at))
}

/// Whether a triangle lies beneath a point, or faces up at it or right above.
fn is_beneath_or_above(soup: &TriangleSoup, tri: u32, at: Vec3) -> bool {
    const SAME: f32 = 0.01;
    let Some(height) = height_on_triangle(corners(soup, tri), at.x, at.z) else { return false };
    let faces_up = normal(soup, tri).y > 0.0;
    height < at.y - SAME || (faces_up && height <= at.y + SLAB)
}

fn corners(soup: &TriangleSoup, tri: u32) -> [Vec3; 3] {
    let corner = |v: u32| soup.verts.get(v as usize).copied().unwrap_or(Vec3::NAN);
    soup.tris[tri as usize].map(corner)
}

fn normal(soup: &TriangleSoup, tri: u32) -> Vec3 {
    let [a, b, c] = corners(soup, tri);
    (b - a).cross(c - a)
}

fn middle(soup: &TriangleSoup, tri: u32) -> Vec3 {
    let [a, b, c] = corners(soup, tri);
    (a + b + c) / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tags;

    /// A square of ten metres as an object of its own, facing up or down.
    fn add(soup: &mut TriangleSoup, name: &str, x: f32, y: f32, up: bool) {
        let (base, object) = (soup.base(), soup.name_id(name));
        soup.tag(Tags { object, ..Tags::default() });
        let corners = [[0.0, 0.0], [0.0, 10.0], [10.0, 10.0], [10.0, 0.0]];
        soup.verts.extend(corners.map(|[dx, dz]| Vec3::new(x + dx, y, dz)));
        let order = if up { [0, 1, 2, 3] } else { [0, 3, 2, 1] };
        soup.push_face(&order.map(|k| base + k));
    }

    #[test]
    fn a_floor_that_faces_down_is_told_and_a_ceiling_is_not() {
        let mut soup = TriangleSoup::new();
        add(&mut soup, "hall", 0.0, 0.0, true);
        add(&mut soup, "ceiling", 0.0, 3.0, false);
        add(&mut soup, "slab", 40.0, 0.0, false);
        add(&mut soup, "slab's top", 40.0, 0.3, true);
        assert_eq!(remark(&soup), None);
        add(&mut soup, "yard", 20.0, 0.0, false);
        let told = remark(&soup).unwrap();
        assert!(told.starts_with("\"yard\" faces down, 100.0 m² of it around 2"), "{told}");
        assert!(!told.contains("like it"), "{told}");
        add(&mut soup, "court", 60.0, 0.0, false);
        assert!(remark(&soup).unwrap().ends_with(" (and 1 object like it)"));
    }

    #[test]
    fn sheets_are_turned_up_but_ceilings_are_not() {
        let mut soup = TriangleSoup::new();
        let sheets = [("yard", 40.0, 0.0), ("ceiling", 0.0, 3.0), ("court", 20.0, 1.0)];
        for (name, x, y) in sheets {
            let first = soup.tris.len() as u32;
            add(&mut soup, name, x, y, false);
            soup.sheets.push(first..soup.tris.len() as u32);
        }
        // The floor comes after its ceiling.
        add(&mut soup, "floor", 0.0, 0.0, true);
        turn_sheets(&mut soup);
        let up = |tri| normal(&soup, tri).y > 0.0;
        assert_eq!([up(0), up(1), up(2), up(3), up(4), up(5)], [true, true, false, false, true, true]);
        assert!(soup.sheets.is_empty());
    }

    #[test]
    fn sheets_that_are_too_many_to_examine_are_remarked_on() {
        let mut soup = TriangleSoup::new();
        for i in 0..40 {
            add(&mut soup, "leaf", 0.01 * i as f32, i as f32, false);
            let first = soup.tris.len() as u32;
            soup.sheets.push(first - 2..first);
        }
        turn_sheets_within(1000, &mut soup);
        assert!((0..80).all(|tri| normal(&soup, tri).y < 0.0));
        assert!(soup.remarks[0].starts_with("40 surfaces that are shown from both sides face down"));
    }

    #[test]
    fn what_is_closed_or_faces_up_in_part_is_no_sheet() {
        let mut soup = TriangleSoup::new();
        soup.verts = vec![Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::Y];
        let closed = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        soup.tris.clone_from(&closed);
        soup.sheets.push(0..4);
        turn_sheets(&mut soup);
        assert_eq!(soup.tris, closed);
    }

    #[test]
    fn a_level_that_faces_down_as_a_whole_is_left_to_its_bake() {
        let mut soup = TriangleSoup::new();
        add(&mut soup, "yard", 0.0, 0.0, false);
        assert_eq!(remark(&soup), None);
    }
}
