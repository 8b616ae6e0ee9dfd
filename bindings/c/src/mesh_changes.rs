//! What has changed in a mesh, what is connected in it, and meshes that one thread edits while others read.

use crate::border::{fill, list, put};
use crate::geometry::{poly_ref, tile_ref};
use crate::handle::{Handle, handle};
use crate::mesh::{MeshObject, WayfareMesh};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use std::sync::{Mutex, MutexGuard, PoisonError};
use wayfare_nav::area::FlagMask;
use wayfare_nav::mesh::{Change, MeshVersion, Outdated, TileRef};

/// A moment in the life of a mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareVersion {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareVersion, MeshVersion, "version");

/// A mesh that is edited by one thread while others read: each reader takes the newest.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareShared {
    /// 0 for none.
    pub id: u64,
}

// The lock is held for a few pointers' time.
handle!(WayfareShared, Mutex<MeshObject>, "shared mesh");

fn newest_of(shared: &Mutex<MeshObject>) -> MutexGuard<'_, MeshObject> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The present moment of a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_version(mesh: WayfareMesh, version: *mut WayfareVersion) -> WayfareStatus {
    border(|| {
        let now = mesh.read()?.version().clone();
        put!(version, WayfareVersion::keep(now)?)
    })
}

/// Frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_version_free(version: WayfareVersion) -> WayfareStatus {
    border(|| version.free())
}

/// What can change in a mesh, for `WayfareChange.kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareChangeKind {
    /// A tile will be replaced or removed soon.
    TileAnnounced = 0,
    /// A tile was removed.
    TileRemoved = 1,
    /// A tile was added.
    TileAdded = 2,
    /// A tile has other links.
    TileLinks = 3,
    /// Polygons of a tile have other flags or areas.
    TileState = 4,
    /// A connection was added.
    ConnectionAdded = 5,
    /// A connection was removed.
    ConnectionRemoved = 6,
    /// A connection ends elsewhere.
    ConnectionEnds = 7,
    /// A connection has other flags or another area.
    ConnectionState = 8,
}

/// A change.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareChange {
    /// A `WayfareChangeKind`.
    pub kind: u32,
    /// Nothing; 0.
    pub reserved: u32,
    /// The reference of the tile or connection.
    pub reference: u64,
}

impl WayfareChange {
    fn of(change: Change) -> Self {
        let (kind, reference) = match change {
            Change::TileAnnounced(tile) => (0, tile.to_bits()),
            Change::TileRemoved(tile) => (1, tile.to_bits()),
            Change::TileAdded(tile) => (2, tile.to_bits()),
            Change::TileLinks(tile) => (3, tile.to_bits()),
            Change::TileState(tile) => (4, tile.to_bits()),
            Change::ConnectionAdded(poly) => (5, poly.to_bits()),
            Change::ConnectionRemoved(poly) => (6, poly.to_bits()),
            Change::ConnectionEnds(poly) => (7, poly.to_bits()),
            Change::ConnectionState(poly) => (8, poly.to_bits()),
            other => (u32::MAX, other.tile().map_or(0, |tile| tile.to_bits())),
        };
        Self { kind, reserved: 0, reference }
    }
}

/// What has changed in a mesh since a moment. `known` is 0 if that is too long ago to say: then anything may have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_changes_since(
    mesh: WayfareMesh,
    version: WayfareVersion,
    known: *mut u32,
    changes: *mut WayfareChange,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let (mesh, seen) = (mesh.read()?, version.read()?);
        let since = mesh.changes_since(&seen).map(|changes| changes.map(WayfareChange::of).collect::<Vec<_>>());
        put!(known, since.is_ok().into())?;
        fill!(changes, capacity, count, since.unwrap_or_default().into_iter())
    })
}

fn tile_list(tiles: &[u64]) -> Outcome<Vec<TileRef>> {
    tiles.iter().map(|tile| tile_ref(*tile, "tiles")).collect()
}

/// Says that tiles will be replaced soon: paths over them are told so.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_announce(mesh: WayfareMesh, tiles: *const u64, count: usize) -> WayfareStatus {
    border(|| {
        let tiles = tile_list(list!(tiles, count)?)?;
        mesh.write()?.mesh.announce(&tiles);
        Ok(())
    })
}

/// Takes that back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_withdraw(mesh: WayfareMesh, tiles: *const u64, count: usize) -> WayfareStatus {
    border(|| {
        let tiles = tile_list(list!(tiles, count)?)?;
        mesh.write()?.mesh.withdraw(&tiles);
        Ok(())
    })
}

/// Keeps up what is connected for filters with these flags, so that questions of reach are answered without a search.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_keep_components(mesh: WayfareMesh, include: u32, exclude: u32) -> WayfareStatus {
    border(|| {
        let [include, exclude] =
            [(include, "include"), (exclude, "exclude")].map(|(f, n)| crate::settings::poly_flags(f, n));
        let mask: FlagMask = FlagMask { include: include?, exclude: exclude? };
        mesh.write()?.mesh.keep_components_for(mask);
        Ok(())
    })
}

/// The number of a polygon's component: polygons of the same one are connected, if one-way connections are walked both
/// ways. `components` is how many there are, and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_component(
    mesh: WayfareMesh,
    poly: u64,
    component: *mut u32,
    components: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (mesh, poly) = (mesh.read()?, poly_ref(poly, "poly")?);
        let all = mesh.components();
        let number = all.component(poly).ok_or_else(|| Failure::stale(format_args!("{poly} is not in the mesh")))?;
        put!(component, number)?;
        if components.is_null() { Ok(()) } else { put!(components, all.count()) }
    })
}

/// Shares a mesh: the mesh itself stays the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shared_new(mesh: WayfareMesh, shared: *mut WayfareShared) -> WayfareStatus {
    border(|| {
        let object = mesh.read()?.clone();
        put!(shared, WayfareShared::keep(Mutex::new(object))?)
    })
}

/// The sentence for those who cannot edit within the shared mesh.
pub(crate) fn outdated(_: Outdated) -> Failure {
    let sentence = "the mesh was not made from the newest version, which somebody else has changed since, or it is another \
        mesh: take the newest, make the same changes in it, and give that one";
    Failure::new(WayfareStatus::Outdated, sentence)
}

/// Publishes a mesh as the newest: a few pointers are copied. From any thread.
///
/// It must continue the newest version: be that mesh, or a copy of it (`wayfare_shared_newest`, `wayfare_mesh_copy`), edited
/// since. One that is not, because somebody else has published meanwhile, is OUTDATED: what they changed would be lost.
/// Nothing is published then, and both stay as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shared_publish(shared: WayfareShared, mesh: WayfareMesh) -> WayfareStatus {
    border(|| {
        let (object, shared) = (mesh.read()?.clone(), shared.read()?);
        let mut newest = newest_of(&shared);
        newest.mesh.take_over(object.mesh.clone()).map_err(outdated)?;
        *newest = object;
        Ok(())
    })
}

/// Replaces the newest mesh by another, whatever it is; what others have changed in it is lost. References into the old
/// one may match other polygons of one that was baked anew. From any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shared_replace(shared: WayfareShared, mesh: WayfareMesh) -> WayfareStatus {
    border(|| {
        let (object, shared) = (mesh.read()?.clone(), shared.read()?);
        *newest_of(&shared) = object;
        Ok(())
    })
}

/// A copy of the newest mesh, to be read, or edited and published. From any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shared_newest(shared: WayfareShared, mesh: *mut WayfareMesh) -> WayfareStatus {
    border(|| {
        let newest = newest_of(&*shared.read()?).clone();
        put!(mesh, WayfareMesh::keep(newest)?)
    })
}

/// Frees a shared mesh; copies stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shared_free(shared: WayfareShared) -> WayfareStatus {
    border(|| shared.free())
}
