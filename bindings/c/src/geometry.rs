//! Points, boxes, places; the text of references; frames of other engines; hulls.

use crate::border::{fill, fill_text, list, put, text};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_char;
use wayfare_nav::math::{Aabb, Frame, Handedness, Hull3, Rng, UpAxis, convex_hull, convex_hull3};
use wayfare_nav::mesh::{NavMesh, PolyPoint, PolyRef, TileRef};
use wayfare_nav::query::QueryPoint;
use wayfare_nav::tile::TileCoord;
use wayfare_nav::{Vec2, Vec3};

/// A point or direction: metres, right-handed, y up.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WayfareVec3 {
    /// To the right.
    pub x: f32,
    /// Up.
    pub y: f32,
    /// Towards the viewer.
    pub z: f32,
}

/// A point on the xz-plane.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WayfareVec2 {
    /// Along x.
    pub x: f32,
    /// Along z.
    pub z: f32,
}

/// A box along the axes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WayfareBox {
    /// Its low corner.
    pub min: WayfareVec3,
    /// Its high corner.
    pub max: WayfareVec3,
}

/// A place on a mesh: a polygon and a point. As an argument with `poly` 0 it is a point that is looked up; with the
/// polygon of an earlier answer it is taken as it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WayfarePlace {
    /// The reference of the polygon, 0 for none.
    pub poly: u64,
    /// The point.
    pub point: WayfareVec3,
}

/// Where a tile is: column, row and layer.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WayfareTileCoord {
    /// The column, along x.
    pub x: i32,
    /// The row, along z.
    pub z: i32,
    /// The layer; 0 but where several tiles lie over each other.
    pub layer: u32,
}

impl From<Vec3> for WayfareVec3 {
    fn from(Vec3 { x, y, z }: Vec3) -> Self {
        Self { x, y, z }
    }
}

impl From<WayfareVec3> for Vec3 {
    fn from(WayfareVec3 { x, y, z }: WayfareVec3) -> Self {
        Self { x, y, z }
    }
}

impl From<Vec2> for WayfareVec2 {
    fn from(point: Vec2) -> Self {
        Self { x: point.x, z: point.y }
    }
}

impl From<WayfareVec2> for Vec2 {
    fn from(WayfareVec2 { x, z }: WayfareVec2) -> Self {
        Self::new(x, z)
    }
}

impl From<Aabb> for WayfareBox {
    fn from(bounds: Aabb) -> Self {
        Self { min: bounds.min.into(), max: bounds.max.into() }
    }
}

impl From<WayfareBox> for Aabb {
    fn from(bounds: WayfareBox) -> Self {
        Self { min: bounds.min.into(), max: bounds.max.into() }
    }
}

impl From<PolyPoint> for WayfarePlace {
    fn from(place: PolyPoint) -> Self {
        Self { poly: place.poly.to_bits(), point: place.point.into() }
    }
}

impl From<TileCoord> for WayfareTileCoord {
    fn from(TileCoord { x, z, layer }: TileCoord) -> Self {
        Self { x, z, layer }
    }
}

impl From<WayfareTileCoord> for TileCoord {
    fn from(WayfareTileCoord { x, z, layer }: WayfareTileCoord) -> Self {
        Self { x, z, layer }
    }
}

/// A number that must be one.
pub(crate) fn finite(value: f32, name: &str) -> Outcome<f32> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Failure::argument(format_args!("`{name}` is {value}, but must be finite")))
    }
}

/// A length that must be finite and not below 0.
pub(crate) fn length(value: f32, name: &str) -> Outcome<f32> {
    let is_fine = value.is_finite() && value >= 0.0;
    if is_fine {
        Ok(value)
    } else {
        Err(Failure::argument(format_args!("`{name}` is {value}, but must be 0 or above")))
    }
}

/// A point that must be one.
pub(crate) fn point(point: WayfareVec3, name: &str) -> Outcome<Vec3> {
    let point = Vec3::from(point);
    if point.is_finite() {
        Ok(point)
    } else {
        Err(Failure::argument(format_args!("`{name}` is {point}, but must be finite")))
    }
}

pub(crate) fn bounds(given: WayfareBox, name: &str) -> Outcome<Aabb> {
    let (min, max) = (point(given.min, name)?, point(given.max, name)?);
    let is_box = min.cmple(max).all();
    if is_box {
        Ok(Aabb { min, max })
    } else {
        Err(Failure::argument(format_args!("`{name}` has a corner min above max")))
    }
}

pub(crate) fn poly_ref(bits: u64, name: &str) -> Outcome<PolyRef> {
    PolyRef::from_bits(bits)
        .ok_or_else(|| Failure::argument(format_args!("`{name}` is {bits:#x}, which is no polygon")))
}

pub(crate) fn tile_ref(bits: u64, name: &str) -> Outcome<TileRef> {
    TileRef::from_bits(bits).ok_or_else(|| Failure::argument(format_args!("`{name}` is {bits:#x}, which is no tile")))
}

/// A place of which the polygon must be in the mesh.
pub(crate) fn place_on(mesh: &NavMesh, place: WayfarePlace, name: &str) -> Outcome<PolyPoint> {
    let poly = poly_ref(place.poly, name)?;
    mesh.locate(poly)
        .map(drop)
        .or_else(|stale| mesh.connection(poly).map(drop).map_err(|_| stale))
        .map_err(Failure::stale)?;
    Ok(PolyPoint { poly, point: point(place.point, name)? })
}

/// A place of which the polygon must be in the mesh, or else a point that `nearest` looks up.
pub(crate) fn place_near(
    mesh: &NavMesh,
    place: WayfarePlace,
    name: &str,
    nearest: impl FnOnce(Vec3) -> Option<PolyPoint>,
) -> Outcome<PolyPoint> {
    if place.poly != 0 {
        return place_on(mesh, place, name);
    }
    let far = || Failure::argument(format_args!("`{name}` is a point that is not near the mesh"));
    nearest(point(place.point, name)?).ok_or_else(far)
}

/// A place as a question takes it.
pub(crate) fn query_point(place: WayfarePlace, name: &str) -> Outcome<QueryPoint> {
    let at = point(place.point, name)?;
    if place.poly == 0 { Ok(at.into()) } else { Ok(PolyPoint { poly: poly_ref(place.poly, name)?, point: at }.into()) }
}

pub(crate) fn points(list: &[WayfareVec3], name: &str) -> Outcome<Vec<Vec3>> {
    list.iter().map(|at| point(*at, name)).collect()
}

pub(crate) fn flat_points(list: &[WayfareVec2], name: &str) -> Outcome<Vec<Vec2>> {
    let points = list.iter().map(|at| {
        let at = Vec2::from(*at);
        if at.is_finite() { Ok(at) } else { Err(Failure::argument(format_args!("`{name}` has a point that is {at}"))) }
    });
    points.collect()
}

/// The generator of a caller's seed, which goes on from call to call.
pub(crate) fn with_rng<T>(state: *mut u64, body: impl FnOnce(&mut Rng) -> Outcome<T>) -> Outcome<T> {
    let [seed] = list!(state.cast_const(), 1)? else { return Err(Failure::argument("`random` is null")) };
    let mut rng = Rng::new(*seed);
    let done = body(&mut rng)?;
    // The state is private: what it draws next seeds the next call.
    put!(state, rng.next_u64())?;
    Ok(done)
}

/// The reference of a polygon as text, such as `s1:t0:p5`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_poly_to_text(
    poly: u64,
    out: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> WayfareStatus {
    border(|| fill_text!(out, capacity, size, poly_ref(poly, "poly")?.to_string()))
}

/// The reference of a polygon from its text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_poly_from_text(from: *const c_char, poly: *mut u64) -> WayfareStatus {
    border(|| put!(poly, text!(from)?.parse::<PolyRef>().map_err(Failure::data)?.to_bits()))
}

/// The reference of a tile as text, such as `s1:t0`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_tile_to_text(
    tile: u64,
    out: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> WayfareStatus {
    border(|| fill_text!(out, capacity, size, tile_ref(tile, "tile")?.to_string()))
}

/// The reference of a tile from its text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_tile_from_text(from: *const c_char, tile: *mut u64) -> WayfareStatus {
    border(|| put!(tile, text!(from)?.parse::<TileRef>().map_err(Failure::data)?.to_bits()))
}

/// Axes and unit of another engine.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareFrame {
    /// 1 if z points up, 0 if y does.
    pub z_up: u8,
    /// 1 if it is left-handed.
    pub left_handed: u8,
    /// Metres in one of its units: 0.01 for centimetres.
    pub unit: f64,
}

impl WayfareFrame {
    pub(crate) fn get(self) -> Outcome<Frame> {
        let up = if self.z_up == 0 { UpAxis::Y } else { UpAxis::Z };
        let hand = if self.left_handed == 0 { Handedness::Right } else { Handedness::Left };
        Frame::new(up, hand, self.unit).map_err(Failure::argument)
    }
}

/// Turns points of another engine into this library's, in their place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_frame_points_in(
    frame: WayfareFrame,
    points: *mut WayfareVec3,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let frame = frame.get()?;
        let turned: Vec<_> =
            list!(points.cast_const(), count)?.iter().map(|p| frame.point_in(Vec3::from(*p)).into()).collect();
        let mut written = 0;
        fill!(points, count, &raw mut written, turned.into_iter())
    })
}

/// Turns points of this library into another engine's, in their place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_frame_points_out(
    frame: WayfareFrame,
    points: *mut WayfareVec3,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let frame = frame.get()?;
        let turned: Vec<_> =
            list!(points.cast_const(), count)?.iter().map(|p| frame.point_out((*p).into()).into()).collect();
        let mut written = 0;
        fill!(points, count, &raw mut written, turned.into_iter())
    })
}

/// The corners of the convex hull of points on the plane, as indices, counter-clockwise seen from above with z down.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_convex_hull(
    points: *const WayfareVec2,
    count: usize,
    corners: *mut u32,
    capacity: usize,
    corner_count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let points = flat_points(list!(points, count)?, "points")?;
        fill!(corners, capacity, corner_count, convex_hull(&points).into_iter())
    })
}

/// The triangles of the convex hull of points in space, as indices, three for each. Points that all lie in a plane give
/// the outline's fan; fewer than three corners give nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_convex_hull3(
    points: *const WayfareVec3,
    count: usize,
    indices: *mut u32,
    capacity: usize,
    index_count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let points = self::points(list!(points, count)?, "points")?;
        let triangles: Vec<u32> = match convex_hull3(&points) {
            Hull3::Solid(hull) => hull.triangles.concat(),
            Hull3::Flat(outline) => {
                outline.windows(2).skip(1).flat_map(|pair| [outline[0], pair[0], pair[1]]).collect()
            }
            Hull3::Empty | Hull3::Point(_) | Hull3::Line(_) => Vec::new(),
        };
        fill!(indices, capacity, index_count, triangles.into_iter())
    })
}
