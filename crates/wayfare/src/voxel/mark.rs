//! Marking volumes: the ground inside a volume gets its area type.
//!
//! A span is inside if the middle of its cell lies inside the volume's outline, seen from above, and its floor between the
//! volume's bottom and top. Ground that is not walkable stays so: a volume changes what ground is, it makes none.
//!
//! Mark before eroding to keep agents away from the volume by their radius (an obstacle: [`AreaId::NULL`]), after eroding to
//! paint ground exactly (a road, mud).
//!
//! Cost: linear in the cells of the volume's box that lie in the rectangle, times the outline's corners for prisms.
//!
//! Sources: Mikko Mononen, Recast (`rcMarkConvexPolyArea`, `rcMarkBoxArea`, `rcMarkCylinderArea`), 2009; whether a point lies
//! in a polygon is told by counting crossings (Shimrat, "Algorithm 112", 1962).

use super::CompactHeightfield;
use crate::area::AreaId;
use crate::math::{Aabb, ops};
use glam::{Vec2, Vec3};

/// A volume in the world. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Volume<'a> {
    /// An upright prism over any simple polygon.
    Prism {
        /// Corners on the xz-plane, in either direction around. Fewer than three hold nothing.
        outline: &'a [Vec2],
        /// Lowest and highest floor inside.
        heights: [f32; 2],
    },
    /// A box along the axes.
    Box(Aabb),
    /// A box turned about the vertical axis.
    TurnedBox {
        /// Its middle.
        center: Vec3,
        /// Half its size along its own axes.
        half_extents: Vec3,
        /// How far it is turned from x towards z, in radians.
        angle: f32,
    },
    /// An upright cylinder.
    Cylinder {
        /// The middle of its bottom.
        base: Vec3,
        /// Radius.
        radius: f32,
        /// Height above the base.
        height: f32,
    },
}

impl Volume<'_> {
    /// The box around it; an empty one if it holds nothing or is not made of numbers.
    fn bounds(&self) -> Aabb {
        match *self {
            Self::Prism { outline, heights: [low, high] } => {
                let corners = outline.iter().flat_map(|p| [Vec3::new(p.x, low, p.y), Vec3::new(p.x, high, p.y)]);
                if outline.len() < 3 || high < low { Aabb::EMPTY } else { Aabb::around(corners) }
            }
            Self::Box(aabb) => aabb,
            Self::TurnedBox { center, half_extents, .. } => {
                let reach = Vec2::new(half_extents.x, half_extents.z).length();
                Aabb::from_center(center, Vec3::new(reach, half_extents.y, reach))
            }
            Self::Cylinder { base, radius, height } => {
                Aabb { min: base - Vec3::new(radius, 0.0, radius), max: base + Vec3::new(radius, height, radius) }
            }
        }
    }

    /// A test for points on the xz-plane.
    fn outline(&self) -> impl Fn(Vec2) -> bool {
        let turn =
            if let Self::TurnedBox { angle, .. } = *self { [ops::cos(angle), ops::sin(angle)] } else { [1.0, 0.0] };
        move |p| match *self {
            Self::Prism { outline, .. } => is_inside(outline, p),
            Self::Box(aabb) => (aabb.min.x..=aabb.max.x).contains(&p.x) && (aabb.min.z..=aabb.max.z).contains(&p.y),
            Self::TurnedBox { center, half_extents, .. } => {
                let [cos, sin] = turn;
                let d = p - Vec2::new(center.x, center.z);
                (d.x * cos + d.y * sin).abs() <= half_extents.x && (d.y * cos - d.x * sin).abs() <= half_extents.z
            }
            Self::Cylinder { base, radius, .. } => (p - Vec2::new(base.x, base.z)).length_squared() <= radius * radius,
        }
    }
}

/// Gives the walkable spans inside a volume an area type; [`AreaId::NULL`] makes them unwalkable. Volumes marked later win.
/// Returns how many spans were inside.
pub fn mark_volume(field: &mut CompactHeightfield, volume: &Volume<'_>, area: AreaId) -> usize {
    let bounds = volume.bounds();
    if bounds.is_empty() {
        return 0;
    }
    let grid = field.grid;
    // Cells of the rectangle whose middles can lie between two coordinates.
    let cells = |low: f32, high: f32, origin: f32, first: i32, count: u32| {
        let cell = |v: f32| f64::from((v - origin) / grid.cell_size).floor() - f64::from(first);
        let last = (cell(high) + 1.0).min(f64::from(count));
        // Casts saturate: nothing is left of a stretch that ends below 0.
        (cell(low).max(0.0) as u32)..(last as u32)
    };
    let columns = cells(bounds.min.x, bounds.max.x, grid.origin.x, grid.x, grid.width);
    let rows = cells(bounds.min.z, bounds.max.z, grid.origin.z, grid.z, grid.depth);
    let inside = volume.outline();
    let mut marked = 0;
    for z in rows {
        for x in columns.clone() {
            let middle = Vec2::new(grid.world_x(x as i32), grid.world_z(z as i32)) + Vec2::splat(grid.cell_size * 0.5);
            let column = field.column(grid.index(x, z));
            if column.is_empty() || !inside(middle) {
                continue;
            }
            for i in column {
                let floor = grid.world_y(i32::from(field.y[i]));
                if !field.area[i].is_null() && (bounds.min.y..=bounds.max.y).contains(&floor) {
                    field.area[i] = area;
                    marked += 1;
                }
            }
        }
    }
    marked
}

/// Whether a ray from `p` crosses the outline an odd number of times.
fn is_inside(outline: &[Vec2], p: Vec2) -> bool {
    let Some(&last) = outline.last() else { return false };
    let mut before = last;
    let mut inside = false;
    for &corner in outline {
        let crosses = (corner.y > p.y) != (before.y > p.y);
        if crosses && p.x < (before.x - corner.x) * ((p.y - corner.y) / (before.y - corner.y)) + corner.x {
            inside = !inside;
        }
        before = corner;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::BakeSettings;
    use crate::voxel::column_tests::field_of_columns;
    use crate::voxel::compact;

    /// The map of a floor of 8 x 5 cells of 1 m at height 1 after marking a volume with area 7.
    fn marked(volume: &Volume<'_>) -> Vec<String> {
        let floor = [(0, 1, AreaId::WALKABLE)];
        let columns: Vec<&[(u16, u16, AreaId)]> = vec![&floor; 40];
        let settings = BakeSettings::default().to_voxel().unwrap();
        let mut field = compact(&field_of_columns(8, &columns), 0, &settings);
        field.area[0] = AreaId::NULL;
        let area = AreaId::from_low_bits(7);
        let count = mark_volume(&mut field, volume, area);
        assert_eq!(count, field.area.iter().filter(|&&a| a == area).count());
        let letter = |a: &AreaId| {
            if a.is_null() {
                ' '
            } else if *a == area {
                '7'
            } else {
                '.'
            }
        };
        field.area.chunks(8).map(|row| row.iter().map(letter).collect()).collect()
    }

    #[test]
    fn volumes_mark_the_cells_whose_middles_they_hold() {
        let aabb = Aabb { min: Vec3::new(-9.0, 0.5, -9.0), max: Vec3::new(2.4, 1.5, 1.6) };
        assert_eq!(marked(&Volume::Box(aabb)), [" 7......", "77......", "........", "........", "........"]);
        let outline = [Vec2::new(1.0, 1.0), Vec2::new(7.0, 1.0), Vec2::new(1.0, 5.0)];
        let prism = Volume::Prism { outline: &outline, heights: [0.0, 2.0] };
        assert_eq!(marked(&prism), [" .......", ".77777..", ".7777...", ".77.....", ".7......"]);
        let cylinder = Volume::Cylinder { base: Vec3::new(4.5, 0.0, 2.5), radius: 1.2, height: 2.0 };
        assert_eq!(marked(&cylinder), [" .......", "....7...", "...777..", "....7...", "........"]);
        let angle = core::f32::consts::FRAC_PI_4;
        let turned =
            Volume::TurnedBox { center: Vec3::new(4.5, 1.0, 2.5), half_extents: Vec3::new(2.9, 1.0, 0.3), angle };
        assert_eq!(marked(&turned), [" .7.....", "...7....", "....7...", ".....7..", "......7."]);
    }

    #[test]
    fn volumes_above_the_ground_or_of_no_size_mark_nothing() {
        let above = Aabb { min: Vec3::new(0.0, 1.5, 0.0), max: Vec3::splat(9.0) };
        let nothing = [
            Volume::Box(above),
            Volume::Box(Aabb::EMPTY),
            Volume::Prism { outline: &[], heights: [0.0, 9.0] },
            Volume::Prism { outline: &[Vec2::NAN; 3], heights: [0.0, 9.0] },
            Volume::Cylinder { base: Vec3::NAN, radius: 1.0, height: 1.0 },
            Volume::Cylinder { base: Vec3::splat(-1e30), radius: 3.0, height: 1.0 },
        ];
        for volume in nothing {
            assert!(!marked(&volume).concat().contains('7'), "{volume:?}");
        }
    }
}
