//! Off-mesh connections, and flags by area type.

use crate::border::{fill, list, put};
use crate::geometry::{WayfareVec3, poly_ref};
use crate::handle::Handle;
use crate::mesh::WayfareMesh;
use crate::settings::{area_id, poly_flags};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::mesh::{AddConnectionError, OffMeshConnection};

/// An off-mesh connection: a jump, a ladder, a teleporter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareConnection {
    /// Where it begins.
    pub start: WayfareVec3,
    /// Where it ends.
    pub end: WayfareVec3,
    /// How far from its ends the mesh may be; how near agents come.
    pub radius: f32,
    /// 1 if it can be used both ways.
    pub two_way: u32,
    /// Its area type, 63 for plain ground; 0 is no ground, and cannot be added.
    pub area: u32,
    /// Its flags; 1 is what walking passes. Filters pass nothing without any, so one without cannot be added.
    pub flags: u32,
    /// A number of the user.
    pub user_id: u32,
}

impl WayfareConnection {
    pub(crate) fn of(definition: &OffMeshConnection) -> Self {
        Self {
            start: definition.start.into(),
            end: definition.end.into(),
            radius: definition.radius,
            two_way: definition.two_way.into(),
            area: definition.area.get().into(),
            flags: definition.flags.0.into(),
            user_id: definition.user_id,
        }
    }

    pub(crate) fn get(&self) -> Outcome<OffMeshConnection> {
        Ok(OffMeshConnection {
            start: self.start.into(),
            end: self.end.into(),
            radius: self.radius,
            two_way: self.two_way != 0,
            area: area_id(self.area)?,
            flags: poly_flags(self.flags, "flags")?,
            user_id: self.user_id,
        })
    }
}

/// Adds an off-mesh connection; `reference` may be null, else it gets what names it, as polygons are named.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_add_connection(
    mesh: WayfareMesh,
    connection: *const WayfareConnection,
    reference: *mut u64,
) -> WayfareStatus {
    border(|| {
        let [given] = list!(connection, 1)? else { return Err(Failure::argument("`connection` is null")) };
        if given.flags == 0 || given.area == 0 {
            return Err(Failure::argument(format_args!(
                "the connection has area {} and flags {}, so that no path would use it: usual are area 63 and flags 1; to \
                 close it for a while, take its flags later (`wayfare_mesh_set_poly_flags`)",
                given.area, given.flags
            )));
        }
        let added = mesh.write()?.mesh.add_connection(given.get()?).map_err(|e| match e {
            AddConnectionError::Full | AddConnectionError::Crowded { .. } => Failure::limit(e),
            _ => Failure::argument(e),
        })?;
        if reference.is_null() { Ok(()) } else { put!(reference, added.to_bits()) }
    })
}

/// Removes an off-mesh connection.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_remove_connection(mesh: WayfareMesh, reference: u64) -> WayfareStatus {
    border(|| {
        let reference = poly_ref(reference, "reference")?;
        mesh.write()?.mesh.remove_connection(reference).map(drop).map_err(Failure::stale)
    })
}

/// The references of all off-mesh connections.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_connections(
    mesh: WayfareMesh,
    references: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let all: Vec<u64> = mesh.read()?.connections().map(|connection| connection.reference().to_bits()).collect();
        fill!(references, capacity, count, all.into_iter())
    })
}

/// An off-mesh connection, and whether its ends are on the mesh now: `linked` is 1 if both are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_connection(
    mesh: WayfareMesh,
    reference: u64,
    connection: *mut WayfareConnection,
    linked: *mut u32,
) -> WayfareStatus {
    border(|| {
        let mesh = mesh.read()?;
        let found = mesh.connection(poly_ref(reference, "reference")?).map_err(Failure::stale)?;
        put!(connection, WayfareConnection::of(found.definition()))?;
        if linked.is_null() { Ok(()) } else { put!(linked, found.ends().iter().all(Option::is_some).into()) }
    })
}

/// Gives all polygons of an area type these flags, now and in tiles to come.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_set_area_flags(mesh: WayfareMesh, area: u32, flags: u32) -> WayfareStatus {
    border(|| {
        let (area, flags) = (area_id(area)?, poly_flags(flags, "flags")?);
        mesh.write()?.mesh.set_area_flags(area, flags);
        Ok(())
    })
}

/// Takes that rule away: tiles to come keep their own flags.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_clear_area_flags(mesh: WayfareMesh, area: u32) -> WayfareStatus {
    border(|| {
        let area = area_id(area)?;
        mesh.write()?.mesh.clear_area_flags(area);
        Ok(())
    })
}
