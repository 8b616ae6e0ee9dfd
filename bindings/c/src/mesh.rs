//! Meshes: saved, loaded, copied, measured, checked.

use crate::bake_extras::WayfareLink;
use crate::border::{fill, fill_text, list, put, text};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::geometry::{WayfareBox, WayfareVec2, WayfareVec3, flat_points};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::settings::area_id;
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_char;
use core::ops::Deref;
use std::sync::Arc;
use wayfare_nav::area::{AreaInfo, AreaTable};
use wayfare_nav::format::{RefBits, WayFile};
use wayfare_nav::mesh::{BakeCache, NavMesh};
use wayfare_nav::tile::build_outline_tile;

/// A navigation mesh.
///
/// Calls that read it may run on any number of threads at once. Those that change it need it alone: else they give BUSY.
/// A copy costs a few pointers and shares everything that does not change: to edit a mesh while others read, edit a
/// copy and hand it on, by hand or by a `WayfareShared`. Queries, crowds and others hold copies of their own.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareMesh {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareMesh, MeshObject, "mesh");

/// A mesh, and what its tiles were baked from if somebody remembered.
#[derive(Clone)]
pub(crate) struct MeshObject {
    pub(crate) mesh: NavMesh,
    pub(crate) cache: Option<Arc<BakeCache>>,
    /// The links that were found last.
    pub(crate) links: Arc<[WayfareLink]>,
}

impl MeshObject {
    pub(crate) fn new(mesh: NavMesh) -> Self {
        Self { mesh, cache: None, links: Arc::default() }
    }

    /// The mesh of a file, with what the file remembers.
    pub(crate) fn of_file(file: WayFile) -> Self {
        let cache = (!file.cache.keys().is_empty()).then(|| Arc::new(file.cache));
        Self { cache, ..Self::new(file.mesh) }
    }
}

impl Deref for MeshObject {
    type Target = NavMesh;
    fn deref(&self) -> &NavMesh {
        &self.mesh
    }
}

pub(crate) fn put_mesh(out: *mut WayfareMesh, mesh: NavMesh) -> Outcome {
    put!(out, WayfareMesh::keep(MeshObject::new(mesh))?)
}

/// A copy, which shares all that does not change.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_copy(mesh: WayfareMesh, copy: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let object = mesh.read()?.clone();
        put!(copy, WayfareMesh::keep(object)?)
    })
}

/// Frees a mesh. Queries, crowds and copies go on with theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_free(mesh: WayfareMesh) -> WayfareStatus {
    border(|| mesh.free())
}

/// Saves a mesh in this library's format.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_save(mesh: WayfareMesh, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| {
        let object = mesh.read()?;
        let saved = match &object.cache {
            None => object.mesh.to_bytes(),
            Some(cache) => WayFile::new(object.mesh.clone(), cache.keys_of(&object.mesh)).to_bytes(),
        };
        put_bytes(bytes, saved)
    })
}

/// Loads a mesh that was saved. Any bytes may be given: what is damaged is BAD_DATA.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_load(bytes: *const u8, count: usize, mesh: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let file = WayFile::from_bytes(list!(bytes, count)?).map_err(Failure::data)?;
        put!(mesh, WayfareMesh::keep(MeshObject::of_file(file))?)
    })
}

/// Loads a mesh from a file of any kind that is known: this library's, Detour's, Polyanya's (`.mesh`), MovingAI's
/// (`.map`). Its bytes say which it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_from_file(
    bytes: *const u8,
    count: usize,
    mesh: *mut WayfareMesh,
) -> WayfareStatus {
    border(|| {
        let file = wayfare_io::read_mesh_file(list!(bytes, count)?).map_err(Failure::data)?;
        put!(mesh, WayfareMesh::keep(MeshObject::of_file(file))?)
    })
}

/// Loads a mesh of Detour: the file that its demo writes, with references of 32 or 64 bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_from_detour(
    bytes: *const u8,
    count: usize,
    mesh: *mut WayfareMesh,
) -> WayfareStatus {
    border(|| put_mesh(mesh, NavMesh::from_detour(list!(bytes, count)?).map_err(Failure::data)?))
}

/// Saves a mesh as Detour reads it, with references of 32 or 64 `bits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_to_detour(
    mesh: WayfareMesh,
    bits: u32,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| {
        let bits = match bits {
            32 => RefBits::Bits32,
            64 => RefBits::Bits64,
            other => return Err(Failure::argument(format_args!("`bits` is {other}, but must be 32 or 64"))),
        };
        put_bytes(bytes, mesh.read()?.to_detour(bits).map_err(Failure::limit)?)
    })
}

/// The surface as an OBJ file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_to_obj(mesh: WayfareMesh, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| put_bytes(bytes, wayfare_io::mesh_to_obj(&mesh.read()?.mesh)))
}

/// A text that names the content: meshes of the same content have the same digest, on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_digest(
    mesh: WayfareMesh,
    out: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| fill_text!(out, capacity, length, mesh.read()?.digest()))
}

/// What a mesh measures.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareMeshSize {
    /// The box around all tiles.
    pub bounds: WayfareBox,
    /// The low corner of the tile (0, 0).
    pub origin: WayfareVec3,
    /// Width of a tile.
    pub tile_width: f32,
    /// Depth of a tile.
    pub tile_depth: f32,
    /// Tiles.
    pub tiles: u32,
    /// Off-mesh connections.
    pub connections: u32,
    /// Polygons of all tiles.
    pub polys: u64,
    /// Bytes of the tiles' data.
    pub data_bytes: u64,
    /// Bytes of what is derived from it for speed.
    pub index_bytes: u64,
    /// The number that a user gave it.
    pub user_id: u64,
}

/// Counts, bounds and memory of a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_size(mesh: WayfareMesh, size: *mut WayfareMeshSize) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let (layout, bytes) = (mesh.layout(), mesh.bytes());
        let measured = WayfareMeshSize {
            bounds: mesh.bounds().into(),
            origin: layout.origin.into(),
            tile_width: layout.tile_width,
            tile_depth: layout.tile_depth,
            tiles: mesh.tile_count(),
            connections: mesh.connection_count(),
            polys: mesh.tiles().map(|tile| u64::from(tile.poly_count())).sum(),
            data_bytes: bytes.data as u64,
            index_bytes: bytes.index as u64,
            user_id: mesh.user_id(),
        };
        put!(size, measured)
    })
}

/// Gives a mesh a number of the user, which is saved with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_set_user_id(mesh: WayfareMesh, user_id: u64) -> WayfareStatus {
    border(|| {
        mesh.write()?.mesh.set_user_id(user_id);
        Ok(())
    })
}

/// A fault that a check found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareViolation {
    /// The polygon.
    pub poly: u64,
    /// Where.
    pub position: WayfareVec3,
}

/// Checks a whole mesh. `violations` is what it found, none for a sound one; `wayfare_mesh_check_text` says it in words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_check(
    mesh: WayfareMesh,
    violations: *mut WayfareViolation,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let found = mesh.read()?.check();
        fill!(
            violations,
            capacity,
            count,
            found.iter().map(|v| WayfareViolation { poly: v.poly.to_bits(), position: v.position.into() })
        )
    })
}

/// What a check found in words, a line for each fault.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_check_text(
    mesh: WayfareMesh,
    out: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let lines: String = mesh.read()?.check().iter().map(|violation| format!("{violation}\n")).collect();
        fill_text!(out, capacity, length, lines)
    })
}

/// Names an area type and says what a metre of it costs: the filters of queries that come without one use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_set_area(
    mesh: WayfareMesh,
    area: u32,
    name: *const c_char,
    cost: f32,
) -> WayfareStatus {
    border(|| {
        let (area, name) = (area_id(area)?, text!(name)?.to_owned());
        let mut object = mesh.write()?;
        let others = object.mesh.areas().iter().filter(|info| info.area != area).cloned();
        let mut list: Vec<AreaInfo> = others.collect();
        list.push(AreaInfo { area, name, cost });
        list.sort_by_key(|info| info.area);
        object.mesh.set_areas(AreaTable::new(list).map_err(Failure::argument)?);
        Ok(())
    })
}

/// The name and cost of an area type: an empty name and 1 where nobody said.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_area(
    mesh: WayfareMesh,
    area: u32,
    cost: *mut f32,
    name: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let (area, mesh) = (area_id(area)?, mesh.read()?);
        let info = mesh.areas().get(area);
        put!(cost, info.map_or(1.0, |info| info.cost))?;
        fill_text!(name, capacity, length, info.map_or(String::new(), |info| info.name.clone()))
    })
}

/// Surfaces of a mesh that lie inside closed bodies of the level it was baked from, one place for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_hollow_surfaces(
    mesh: WayfareMesh,
    level: WayfareLevel,
    agent_height: f32,
    places: *mut crate::geometry::WayfarePlace,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let (mesh, parts) = (mesh.read()?, level.read()?);
        let height = crate::geometry::length(agent_height, "agent_height")?;
        let found = mesh.hollow_surfaces(parts.level()?, height);
        let places_of = |hollow: &wayfare_nav::simple::HollowSurface| crate::geometry::WayfarePlace {
            poly: hollow.poly.to_bits(),
            point: hollow.at.into(),
        };
        fill!(places, capacity, count, found.iter().map(places_of))
    })
}

/// A mesh from outlines on a plane at height `y`: the inside of an odd number of them can be walked on, so that an outline
/// in another is a hole. `points` are the corners of all, `counts` how many each has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_from_outlines(
    points: *const WayfareVec2,
    point_count: usize,
    counts: *const u32,
    outline_count: usize,
    y: f32,
    mesh: *mut WayfareMesh,
) -> WayfareStatus {
    border(|| {
        let points = flat_points(list!(points, point_count)?, "points")?;
        let counts = list!(counts, outline_count)?;
        let sum: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if sum != points.len() as u64 {
            return Err(Failure::argument(format_args!(
                "`counts` add up to {sum}, but there are {point_count} points"
            )));
        }
        let mut rest = points.as_slice();
        let outlines = counts.iter().map(|count| {
            let (outline, after) = rest.split_at(*count as usize);
            rest = after;
            outline.to_vec()
        });
        let outlines: Vec<_> = outlines.collect();
        let tile = build_outline_tile(&outlines, crate::geometry::finite(y, "y")?).map_err(Failure::argument)?;
        put_mesh(mesh, NavMesh::from_tile(tile).map_err(Failure::argument)?)
    })
}
