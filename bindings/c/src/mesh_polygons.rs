//! Polygons: looked at, changed, drawn.

use crate::border::{fill, put};
use crate::geometry::{WayfareVec3, point, poly_ref, tile_ref};
use crate::handle::Handle;
use crate::mesh::WayfareMesh;
use crate::settings::{area_id, poly_flags};
use crate::status::{Failure, WayfareStatus, border};
use wayfare_nav::mesh::Tile;
use wayfare_nav::query::{closest_point_on_boundary, closest_point_on_poly, poly_height, portal_between};

/// What a polygon is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfarePolygon {
    /// Its corners' number.
    pub corner_count: u32,
    /// Its area type.
    pub area: u32,
    /// Its flags.
    pub flags: u32,
    /// 1 for an off-mesh connection.
    pub off_mesh: u32,
    /// The tile it is of; 0 for a connection.
    pub tile: u64,
    /// Its middle.
    pub center: WayfareVec3,
}

/// A polygon's area, flags and middle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_polygon(
    mesh: WayfareMesh,
    poly: u64,
    polygon: *mut WayfarePolygon,
) -> WayfareStatus {
    border(|| {
        let (mesh, poly) = (mesh.read()?, poly_ref(poly, "poly")?);
        let state = mesh.state(poly).map_err(Failure::stale)?;
        let (area, flags) = (state.area.get().into(), state.flags.0.into());
        if poly.is_off_mesh() {
            let [start, end] = mesh.connection(poly).map_err(Failure::stale)?.points();
            let center = ((start + end) / 2.0).into();
            return put!(polygon, WayfarePolygon { corner_count: 2, area, flags, off_mesh: 1, tile: 0, center });
        }
        let view = mesh.poly(poly).map_err(Failure::stale)?;
        let tile = view.tile().tile_ref().to_bits();
        let (corner_count, center) = (view.points().len() as u32, view.center().into());
        put!(polygon, WayfarePolygon { corner_count, area, flags, off_mesh: 0, tile, center })
    })
}

/// Whether a polygon is still there: not if `poly` is 0 or no reference at all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_is_valid(mesh: WayfareMesh, poly: u64, valid: *mut u32) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        put!(valid, poly_ref(poly, "poly").is_ok_and(|poly| mesh.is_valid(poly)).into())
    })
}

/// The corners of a polygon.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_polygon_corners(
    mesh: WayfareMesh,
    poly: u64,
    corners: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let view = mesh.poly(poly_ref(poly, "poly")?).map_err(Failure::stale)?;
        fill!(corners, capacity, count, view.points().map(WayfareVec3::from))
    })
}

/// A border between two polygons.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfarePortal {
    /// The polygon behind it.
    pub to: u64,
    /// Its end on the left, seen on the way over.
    pub a: WayfareVec3,
    /// Its end on the right.
    pub b: WayfareVec3,
    /// The number of the polygon's edge; `UINT32_MAX` where it was asked for by its two polygons.
    pub edge: u32,
}

/// The portals of a polygon: its neighbours, and where they touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_polygon_portals(
    mesh: WayfareMesh,
    poly: u64,
    portals: *mut WayfarePortal,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let view = mesh.poly(poly_ref(poly, "poly")?).map_err(Failure::stale)?;
        let all =
            view.portals().map(|p| WayfarePortal { to: p.to.to_bits(), a: p.a.into(), b: p.b.into(), edge: p.edge });
        fill!(portals, capacity, count, all.collect::<Vec<_>>().into_iter())
    })
}

/// The portal between two polygons; `found` is 0 if they do not touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_portal_between(
    mesh: WayfareMesh,
    from: u64,
    to: u64,
    found: *mut u32,
    portal: *mut WayfarePortal,
) -> WayfareStatus {
    border(|| {
        let (mesh, from, to) = (mesh.read()?, poly_ref(from, "from")?, poly_ref(to, "to")?);
        let between = portal_between(&mesh, from, to).map_err(Failure::stale)?;
        put!(found, between.is_some().into())?;
        let Some(p) = between else { return Ok(()) };
        put!(portal, WayfarePortal { to: to.to_bits(), a: p.left.into(), b: p.right.into(), edge: u32::MAX })
    })
}

/// Changes the flags of a polygon or connection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_set_poly_flags(mesh: WayfareMesh, poly: u64, flags: u32) -> WayfareStatus {
    border(|| {
        let (poly, flags) = (poly_ref(poly, "poly")?, poly_flags(flags, "flags")?);
        mesh.write()?.mesh.set_flags(poly, flags).map_err(Failure::stale)
    })
}

/// Changes the area type of a polygon or connection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_set_poly_area(mesh: WayfareMesh, poly: u64, area: u32) -> WayfareStatus {
    border(|| {
        let (poly, area) = (poly_ref(poly, "poly")?, area_id(area)?);
        mesh.write()?.mesh.set_area(poly, area).map_err(Failure::stale)
    })
}

/// The closest point on a polygon's surface; `over` is 1 if `at` lies over it. May be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_closest_point(
    mesh: WayfareMesh,
    poly: u64,
    at: WayfareVec3,
    closest: *mut WayfareVec3,
    over: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (mesh, poly) = (mesh.read()?, poly_ref(poly, "poly")?);
        let found = closest_point_on_poly(&mesh, poly, point(at, "at")?).map_err(Failure::stale)?;
        put!(closest, found.point.into())?;
        if over.is_null() { Ok(()) } else { put!(over, found.over.into()) }
    })
}

/// The closest point on a polygon's boundary.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_closest_on_boundary(
    mesh: WayfareMesh,
    poly: u64,
    at: WayfareVec3,
    closest: *mut WayfareVec3,
) -> WayfareStatus {
    border(|| {
        let (mesh, poly) = (mesh.read()?, poly_ref(poly, "poly")?);
        put!(closest, closest_point_on_boundary(&mesh, poly, point(at, "at")?).map_err(Failure::stale)?.into())
    })
}

/// The height of a polygon at a point; `found` is 0 if the point is not over it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_height(
    mesh: WayfareMesh,
    poly: u64,
    at: WayfareVec3,
    found: *mut u32,
    height: *mut f32,
) -> WayfareStatus {
    border(|| {
        let (mesh, poly) = (mesh.read()?, poly_ref(poly, "poly")?);
        let y = poly_height(&mesh, poly, point(at, "at")?).map_err(Failure::stale)?;
        put!(found, y.is_some().into())?;
        put!(height, y.unwrap_or_default())
    })
}

/// The references of a tile's polygons.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_tile_polygons(
    mesh: WayfareMesh,
    tile: u64,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let tile = mesh.tile(tile_ref(tile, "tile")?).map_err(Failure::stale)?;
        fill!(polys, capacity, count, (0..tile.poly_count()).map(|poly| tile.reference(poly).to_bits()))
    })
}

/// The surface as triangles, three points for each: of one tile, or of all with `tile` 0. `polys` may be null; else it
/// has room for a third of `capacity` and gets the polygon of each triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_triangles(
    mesh: WayfareMesh,
    tile: u64,
    points: *mut WayfareVec3,
    polys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let (mut corners, mut owners) = (Vec::new(), Vec::new());
        let mut add = |tile: &Tile| {
            for poly in 0..tile.poly_count() {
                for (triangle, _) in tile.data().triangles_of(poly) {
                    corners.extend(triangle.map(WayfareVec3::from));
                    owners.push(tile.reference(poly).to_bits());
                }
            }
        };
        if tile == 0 {
            mesh.tiles().for_each(add);
        } else {
            add(mesh.tile(tile_ref(tile, "tile")?).map_err(Failure::stale)?);
        }
        fill!(points, capacity, count, corners.into_iter())?;
        let mut written = 0;
        if polys.is_null() { Ok(()) } else { fill!(polys, capacity / 3, &raw mut written, owners.into_iter()) }
    })
}
