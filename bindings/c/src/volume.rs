//! Volumes: in a level, and as obstacles.

use crate::border::list;
use crate::choices::{Choice, choice};
use crate::geometry::{WayfareVec2, WayfareVec3, finite, flat_points, length, point, points};
use crate::handle::Handle;
use crate::level::WayfareLevel;
use crate::settings::area_id;
use crate::status::{Failure, Outcome};
use std::sync::Arc;
use wayfare_nav::Vec3;
use wayfare_nav::input::{MarkedVolume, Marking, Volume};
use wayfare_nav::math::{Aabb, Hull3, convex_hull, convex_hull3};

/// The shapes of volumes, for `WayfareVolume.shape`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareShape {
    /// An outline on the plane (`outline`, from `low` to `high`).
    Prism = 0,
    /// A box: `center`, `half_extents`.
    Box = 1,
    /// A box turned around the vertical by `angle` radians.
    TurnedBox = 2,
    /// A cylinder that stands on `center`: `radius`, `height`.
    Cylinder = 3,
    /// A capsule that stands on `center`: `radius`, `height`.
    Capsule = 4,
    /// The convex hull of `points`.
    Hull = 5,
    /// The inside of a closed mesh, the triangles of `mesh`, moved by `center`.
    Mesh = 6,
}

choice!(WayfareShape: Prism, Box, TurnedBox, Cylinder, Capsule, Hull, Mesh);

/// A volume, and what it does to the surface inside it. Fields that a shape does not name are not read: begin with
/// `WayfareVolume volume = {0};`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfareVolume {
    /// A `WayfareShape`.
    pub shape: u32,
    /// The area type that the surface inside gets. 0 blocks it.
    pub area: u32,
    /// 1 to mark after erosion: exactly the surface inside changes, as pools and roads do. 0 to mark before: with area
    /// 0, agents keep the distance of their radius, as from walls.
    pub after_erosion: u32,
    /// Turned box: radians around the vertical.
    pub angle: f32,
    /// Boxes: the middle. Cylinder, capsule: the foot. Mesh: by how much it is moved.
    pub center: WayfareVec3,
    /// Boxes: from the middle to the sides.
    pub half_extents: WayfareVec3,
    /// Cylinder, capsule.
    pub radius: f32,
    /// Cylinder, capsule: from foot to top.
    pub height: f32,
    /// Prism: from this height.
    pub low: f32,
    /// Prism: to this height.
    pub high: f32,
    /// Prism: the corners of the outline.
    pub outline: *const WayfareVec2,
    /// Prism: how many.
    pub outline_count: usize,
    /// Hull: the points.
    pub points: *const WayfareVec3,
    /// Hull: how many.
    pub point_count: usize,
    /// Mesh: a level of which the triangles are taken.
    pub mesh: WayfareLevel,
}

/// The volume at a pointer that must not be null.
pub(crate) fn marked_volume(volume: *const WayfareVolume) -> Outcome<MarkedVolume> {
    let [given] = list!(volume, 1)? else { return Err(Failure::argument("`volume` is null")) };
    given.get()
}

/// A volume that would do nothing, and nobody would know why.
fn nothing(rule: &str) -> Failure {
    Failure::argument(format_args!("the volume holds nothing: {rule}"))
}

impl WayfareVolume {
    fn shape(&self) -> Outcome<Volume> {
        let center = || point(self.center, "center");
        let half_extents = || -> Outcome<Vec3> {
            let half = self.half_extents;
            [half.x, half.y, half.z].into_iter().try_for_each(|half| length(half, "half_extents").map(drop))?;
            Ok(Vec3::from(half))
        };
        let (radius, height) = (|| length(self.radius, "radius"), || length(self.height, "height"));
        Ok(match WayfareShape::of(self.shape, "shape")? {
            WayfareShape::Prism => {
                let (outline, outline_count) = (self.outline, self.outline_count);
                let heights = [finite(self.low, "low")?, finite(self.high, "high")?];
                let outline = flat_points(list!(outline, outline_count)?, "outline")?;
                if heights[0] > heights[1] {
                    return Err(Failure::argument(format_args!("`low` is {}, above `high`, {}", self.low, self.high)));
                }
                if convex_hull(&outline).len() < 3 {
                    return Err(nothing("`outline` must have three corners that do not lie on one line"));
                }
                Volume::Prism { outline, heights }
            }
            WayfareShape::Box => Volume::Box(Aabb::from_center(center()?, half_extents()?)),
            WayfareShape::TurnedBox => Volume::TurnedBox {
                center: center()?,
                half_extents: half_extents()?,
                angle: finite(self.angle, "angle")?,
            },
            WayfareShape::Cylinder => Volume::Cylinder { base: center()?, radius: radius()?, height: height()? },
            WayfareShape::Capsule => Volume::Capsule { base: center()?, radius: radius()?, height: height()? },
            WayfareShape::Hull => {
                let (list, point_count) = (self.points, self.point_count);
                let points = points(list!(list, point_count)?, "points")?;
                if !matches!(convex_hull3(&points), Hull3::Solid(_) | Hull3::Flat(_)) {
                    return Err(nothing("`points` must have three that do not lie on one line"));
                }
                Volume::Hull(points)
            }
            WayfareShape::Mesh => {
                let surface = self.mesh.read()?.triangles()?;
                if surface.tris().is_empty() {
                    return Err(nothing("`mesh` must have triangles"));
                }
                Volume::Mesh { surface: Arc::new(surface), offset: center()? }
            }
        })
    }

    pub(crate) fn get(&self) -> Outcome<MarkedVolume> {
        let when = if self.after_erosion == 0 { Marking::BeforeErosion } else { Marking::AfterErosion };
        Ok(MarkedVolume { volume: self.shape()?, area: area_id(self.area)?, when })
    }
}
