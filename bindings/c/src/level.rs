//! Levels: triangles, height maps, volumes, and files of other tools.

use crate::border::{fill, list, put, text};
use crate::geometry::{WayfareBox, WayfareFrame, WayfareVec3};
use crate::handle::{Handle, handle};
use crate::mesh_connections::WayfareConnection;
use crate::settings::area_id;
use crate::status::{Failure, Outcome, WayfareStatus, border};
use crate::volume::{WayfareVolume, marked_volume};
use core::ffi::c_char;
use std::path::Path;
use wayfare_io::{Folder, NoFiles, read_level};
use wayfare_nav::Vec3;
use wayfare_nav::area::AreaId;
use wayfare_nav::input::{HeightMap, HeightScale, InputReport, Level, MarkedVolume, TriMesh};
use wayfare_nav::math::Frame;
use wayfare_nav::mesh::OffMeshConnection;

/// A level: all geometry that a bake is made from. Filled part by part, then baked as often as wanted.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareLevel {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareLevel, LevelParts, "level");

/// What a level is filled with.
#[derive(Default)]
pub(crate) struct LevelParts {
    verts: Vec<Vec3>,
    tris: Vec<[u32; 3]>,
    areas: Vec<AreaId>,
    pub(crate) terrain: Option<HeightMap>,
    pub(crate) volumes: Vec<MarkedVolume>,
    connections: Vec<OffMeshConnection>,
    /// The triangles, checked; made anew after a change.
    checked: std::sync::OnceLock<Result<TriMesh, String>>,
}

impl LevelParts {
    fn checked(&self) -> Outcome<&TriMesh> {
        let checked = self.checked.get_or_init(|| {
            if self.tris.is_empty() {
                return Ok(TriMesh::EMPTY);
            }
            let (verts, tris, areas) = (self.verts.clone(), self.tris.clone(), self.areas.clone());
            TriMesh::with_areas(verts, tris, areas).map_err(|e| e.to_string())
        });
        checked.as_ref().map_err(|sentence| Failure::new(WayfareStatus::BakeFailed, sentence))
    }

    /// The triangles by themselves.
    pub(crate) fn triangles(&self) -> Outcome<TriMesh> {
        Ok(self.checked()?.clone())
    }

    /// The triangles of a level from which nothing else is taken.
    pub(crate) fn only_triangles(&self) -> Outcome<TriMesh> {
        if self.terrain.is_some() || !self.volumes.is_empty() {
            return Err(Failure::argument(
                "only triangles are taken here, but the level has volumes or a height map: give one without; volumes \
                 can be added as obstacles, and `wayfare_live_level_replace_terrain` takes a height map",
            ));
        }
        self.triangles()
    }

    pub(crate) fn level(&self) -> Outcome<Level<'_>> {
        Ok(Level { mesh: self.checked()?, terrain: self.terrain.as_ref(), volumes: &self.volumes })
    }

    fn changed(&mut self) {
        self.checked = std::sync::OnceLock::new();
    }
}

/// Makes an empty level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_new(level: *mut WayfareLevel) -> WayfareStatus {
    border(|| put!(level, WayfareLevel::keep(LevelParts::default())?))
}

/// Frees a level. What was baked from it stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_free(level: WayfareLevel) -> WayfareStatus {
    border(|| level.free())
}

/// Triangles, as they are added to a level.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfareTriangles {
    /// The corners.
    pub verts: *const WayfareVec3,
    /// How many.
    pub vert_count: usize,
    /// Three indices for each triangle, counter-clockwise seen from above.
    pub indices: *const u32,
    /// How many indices: three times the triangles.
    pub index_count: usize,
    /// An area type for each triangle, 0 to 63; null for 63, plain ground.
    pub areas: *const u8,
    /// How many: as many as triangles, or 0.
    pub area_count: usize,
}

/// Adds triangles. Those that are degenerate or have corners that are not finite are left out, and counted: see
/// `wayfare_level_report`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_add_triangles(
    level: WayfareLevel,
    triangles: *const WayfareTriangles,
) -> WayfareStatus {
    border(|| add_triangles(level, triangles, None))
}

/// Adds triangles that are given in another engine's axes and unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_add_triangles_in(
    level: WayfareLevel,
    frame: WayfareFrame,
    triangles: *const WayfareTriangles,
) -> WayfareStatus {
    border(|| add_triangles(level, triangles, Some(frame.get()?)))
}

fn add_triangles(level: WayfareLevel, triangles: *const WayfareTriangles, frame: Option<Frame>) -> Outcome {
    let [given] = list!(triangles, 1)? else { return Err(Failure::argument("`triangles` is null")) };
    let WayfareTriangles { verts, vert_count, indices, index_count, areas, area_count } = *given;
    let (verts, indices) = (list!(verts, vert_count)?, list!(indices, index_count)?);
    let areas = list!(areas, area_count)?;
    if indices.len() % 3 != 0 {
        return Err(Failure::argument(format_args!("`index_count` is {index_count}, which is no multiple of 3")));
    }
    if let Some(index) = indices.iter().find(|index| **index as usize >= verts.len()) {
        return Err(Failure::argument(format_args!("`indices` has {index}, but there are {vert_count} vertices")));
    }
    let count = indices.len() / 3;
    if !areas.is_empty() && areas.len() != count {
        return Err(Failure::argument(format_args!("`area_count` is {area_count}, but there are {count} triangles")));
    }
    let areas: Vec<AreaId> = areas.iter().map(|area| area_id(u32::from(*area))).collect::<Outcome<_>>()?;
    let mut parts = level.write()?;
    let base = u32::try_from(parts.verts.len() + verts.len())
        .map_err(|_| Failure::limit("a level holds 2^32 vertices at most"))?;
    let base = base - verts.len() as u32;
    let (old_verts, old_tris) = (parts.verts.len(), parts.tris.len());
    parts.verts.extend(verts.iter().map(|vert| Vec3::from(*vert)));
    parts.tris.extend(indices.chunks_exact(3).map(|t| [t[0] + base, t[1] + base, t[2] + base]));
    if let Some(frame) = frame {
        frame.points_in(&mut parts.verts[old_verts..]);
        frame.wind(&mut parts.tris[old_tris..]);
    }
    parts.areas.extend(areas);
    let all = parts.tris.len();
    parts.areas.resize(all, AreaId::WALKABLE);
    parts.changed();
    Ok(())
}

/// Turns all triangles that were added so far, such as those of a file, from another engine's axes and unit. Only triangles
/// can be turned: a level that has volumes, a height map, or connections of its file is refused, since those would stay
/// where they are. Triangles that one has are turned as they are added: `wayfare_level_add_triangles_in`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_in_frame(level: WayfareLevel, frame: WayfareFrame) -> WayfareStatus {
    border(|| {
        let frame = frame.get()?;
        let mut parts = level.write()?;
        let others = [
            (!parts.volumes.is_empty(), "volumes: turn it before they are added"),
            (parts.terrain.is_some(), "a height map, which cannot be turned"),
            (!parts.connections.is_empty(), "connections of its file, which would stay where they are"),
        ];
        if let Some((_, what)) = others.iter().find(|(has, _)| *has) {
            return Err(Failure::argument(format_args!("only triangles are turned, but the level has {what}")));
        }
        frame.points_in(&mut parts.verts);
        frame.wind(&mut parts.tris);
        parts.changed();
        Ok(())
    })
}

/// A height map: samples row by row, x first.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfareHeights {
    /// Samples in a row, 2 or more.
    pub columns: u32,
    /// Rows, 2 or more.
    pub rows: u32,
    /// `columns * rows` samples.
    pub samples: *const u16,
    /// How many.
    pub sample_count: usize,
    /// Where the first sample stands, at height 0 of the samples.
    pub origin: WayfareVec3,
    /// The area type of the terrain, 63 for plain ground.
    pub area: u32,
    /// Metres between samples.
    pub spacing: f64,
    /// Metres a sample of 1 is high.
    pub step: f64,
}

/// Gives the level terrain from a height map; it replaces the one before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_set_heights(
    level: WayfareLevel,
    heights: *const WayfareHeights,
) -> WayfareStatus {
    border(|| {
        let [given] = list!(heights, 1)? else { return Err(Failure::argument("`heights` is null")) };
        let (samples, sample_count) = (given.samples, given.sample_count);
        let scale = HeightScale { origin: given.origin.into(), spacing: given.spacing, step: given.step };
        let map = HeightMap::new(given.columns, given.rows, list!(samples, sample_count)?.to_vec(), scale);
        let map = map.map_err(Failure::argument)?.with_area(area_id(given.area)?);
        level.write()?.terrain = Some(map);
        Ok(())
    })
}

/// Adds a volume. Volumes are marked in the order in which they are added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_add_volume(level: WayfareLevel, volume: *const WayfareVolume) -> WayfareStatus {
    border(|| {
        let marked = marked_volume(volume)?;
        level.write()?.volumes.push(marked);
        Ok(())
    })
}

/// Takes all volumes away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_clear_volumes(level: WayfareLevel) -> WayfareStatus {
    border(|| {
        level.write()?.volumes.clear();
        Ok(())
    })
}

/// What was left out of a level's triangles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareLevelReport {
    /// Triangles that stay.
    pub triangles: u64,
    /// Triangles with a corner that is not finite, left out.
    pub not_finite: u32,
    /// Triangles without area, left out.
    pub degenerate: u32,
    /// The box around all that stays.
    pub bounds: WayfareBox,
}

/// What the level holds, and what was left out of it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_report(level: WayfareLevel, report: *mut WayfareLevelReport) -> WayfareStatus {
    border(|| {
        let parts = level.read()?;
        let mesh = parts.checked()?;
        let bounds = parts.level()?.bounds();
        let InputReport { not_finite, degenerate, .. } = *mesh.report();
        put!(
            report,
            WayfareLevelReport { triangles: mesh.tris().len() as u64, not_finite, degenerate, bounds: bounds.into() }
        )
    })
}

/// Reads a level of another tool from the bytes of its file. `name` says by its ending what it is: `.obj`, `.gltf`,
/// `.glb`, `.stl`, `.ply`, `.png` (heights), `.gset`. Files that it names (buffers, heights) are looked for in `folder`,
/// which may be null: then there are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_from_file(
    name: *const c_char,
    bytes: *const u8,
    byte_count: usize,
    folder: *const c_char,
    level: *mut WayfareLevel,
) -> WayfareStatus {
    border(|| {
        let (name, bytes) = (text!(name)?, list!(bytes, byte_count)?);
        let read = if folder.is_null() {
            read_level(name, bytes, &mut NoFiles)
        } else {
            read_level(name, bytes, &mut Folder::new(Path::new(text!(folder)?)))
        };
        let read = read.map_err(Failure::data)?;
        let parts = LevelParts {
            verts: read.mesh.verts().to_vec(),
            tris: read.mesh.tris().to_vec(),
            areas: read.mesh.areas().to_vec(),
            terrain: read.terrain,
            volumes: read.volumes,
            connections: read.connections,
            checked: std::sync::OnceLock::from(Ok(read.mesh)),
        };
        put!(level, WayfareLevel::keep(parts)?)
    })
}

/// The off-mesh connections that a file of a level holds: to be added to the mesh by `wayfare_mesh_add_connection`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_connections(
    level: WayfareLevel,
    connections: *mut WayfareConnection,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(connections, capacity, count, level.read()?.connections.iter().map(WayfareConnection::of)))
}
