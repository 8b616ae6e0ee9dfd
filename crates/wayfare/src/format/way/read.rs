//! Reads `.way` files.

use super::MAGIC;
use super::directory::{TileEntry, WayDirectory};
use super::file_part::FilePart;
use super::mesh_part::Counts;
use super::read_error::{ReadError, Unsound};
use crate::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use crate::math::bytes::{Reader, Truncated};
use crate::mesh::{AddConnectionError, NavMesh, OffMeshConnection, PolyState, SlotGap, connection_limit, slot_limit};
use crate::tile::Effort;

fn short(section: &'static str) -> impl Fn(Truncated) -> ReadError {
    move |Truncated| ReadError::Section { section }
}

impl NavMesh {
    /// Reads a `.way` file. The memory used is a small multiple of its size: slots beyond the [limit](Self::slot_limit)
    /// for the number of slots ever used are refused. (At most about 4 MB more are used by the mesh and the first
    /// search on it, if a small file uses slots up to that limit, and the same for
    /// [connections](Self::connection_limit).)
    ///
    /// Data that the file keeps beside the mesh is checked and ignored: use [`WayFile`](super::WayFile) to get it.
    ///
    /// # Errors
    /// [`ReadError`] for anything but exactly what [`to_bytes`](Self::to_bytes) or a [`WayFile`](super::WayFile) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        read_file(bytes).map(|(mesh, _)| mesh)
    }
}

/// A mesh, and the directory; all parts have been checked.
pub(super) fn read_file(bytes: &[u8]) -> Result<(NavMesh, WayDirectory), ReadError> {
    let directory = read_directory(bytes)?;
    let part = directory.mesh_part();
    part.check(part.of(bytes), || FilePart::Mesh)?;
    for section in directory.all_sections() {
        section.check(section.range.of(bytes))?;
    }
    let mut reader = Reader::new(part.of(bytes));
    let counts = Counts::read(&mut reader).map_err(short("list of counts"))?;
    let mut effort = Effort::for_bytes(bytes.len());
    let mut mesh = NavMesh::with_room(directory.layout(), directory.tiles().len());
    mesh.set_user_id(directory.user_id());
    let limit = limit_of(directory.tiles().len(), counts, &reader);
    for entry in directory.tiles() {
        read_slot(&mut mesh, limit, &directory, (entry, entry.range.of(bytes)))?;
    }
    read_slot_gaps(&mut mesh, limit, counts.slot_gaps, &mut reader)?;
    mesh.link_all(&mut effort).map_err(|(slot, error)| ReadError::Tile { slot, error })?;
    read_beside(&mut mesh, counts, &mut effort, &mut reader)?;
    Ok((mesh, directory))
}

/// The slots that a mesh with this many tiles may use. The file may declare more than it holds.
fn limit_of(tiles: usize, counts: Counts, reader: &Reader<'_>) -> u32 {
    slot_limit(tiles + (counts.slot_gaps as usize).min(reader.left() / GAP_BYTES))
}

/// Reads the parts of a mesh other than tiles into a linked mesh that has its tiles already.
pub(super) fn read_mesh_part(mesh: &mut NavMesh, tiles: usize, reader: &mut Reader<'_>) -> Result<(), ReadError> {
    let counts = Counts::read(reader).map_err(short("list of counts"))?;
    let mut effort = Effort::for_bytes(reader.left());
    read_slot_gaps(mesh, limit_of(tiles, counts, reader), counts.slot_gaps, reader)?;
    read_beside(mesh, counts, &mut effort, reader)
}

/// Connections and area types, and nothing after them.
fn read_beside(
    mesh: &mut NavMesh,
    counts: Counts,
    effort: &mut Effort,
    reader: &mut Reader<'_>,
) -> Result<(), ReadError> {
    read_connections(mesh, counts, reader)?;
    mesh.link_connections(effort).map_err(|(index, error)| ReadError::Connection { index, error })?;
    mesh.set_areas(read_areas(reader, counts.areas)?);
    if reader.is_empty() { Ok(()) } else { Err(ReadError::Section { section: "end" }) }
}

/// The directory of a file, once magic, version and length are valid.
fn read_directory(bytes: &[u8]) -> Result<WayDirectory, ReadError> {
    let have = bytes.len() as u64;
    let mut head = Reader::new(bytes);
    if head.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
        return Err(ReadError::Magic);
    }
    ReadError::check_version(head.u32().map_err(|Truncated| ReadError::End { have })?)?;
    let range = WayDirectory::range(bytes)?;
    if range.end != have {
        return Err(ReadError::Length { have, want: range.end });
    }
    let start = usize::try_from(range.start).ok();
    WayDirectory::parse(start.and_then(|start| bytes.get(start..)).ok_or(ReadError::End { have })?)
}

fn read_slot_gaps(mesh: &mut NavMesh, limit: u32, count: u32, reader: &mut Reader<'_>) -> Result<(), ReadError> {
    let mut gaps = Ascending::new("empty slot");
    for _ in 0..count {
        let (slot, salt, retired) = read_gap(reader).map_err(|e| e.within("list of empty slots"))?;
        mesh.check_slot(slot, salt, limit).map_err(|error| ReadError::Tile { slot, error })?;
        gaps.next(slot)?;
        mesh.leave_slot_gap(slot, SlotGap { salt, retired });
    }
    Ok(())
}

/// Empty connections, then the connections.
fn read_connections(mesh: &mut NavMesh, counts: Counts, reader: &mut Reader<'_>) -> Result<(), ReadError> {
    let used = counts.connections as usize + counts.connection_gaps as usize;
    let limit = connection_limit(used.min(reader.left() / GAP_BYTES));
    let mut gaps = Ascending::new("empty connection");
    for _ in 0..counts.connection_gaps {
        let (index, salt, retired) = read_gap(reader).map_err(|e| e.within("list of empty connections"))?;
        check_index(index, limit)?;
        gaps.next(index)?;
        mesh.leave_connection_gap(index, SlotGap { salt, retired });
    }
    let mut connections = Ascending::new("connection");
    for _ in 0..counts.connections {
        connections.next(read_connection(mesh, limit, reader)?)?;
    }
    Ok(())
}

/// Numbers that must increase, since they were written so: another order would be written back as other bytes.
struct Ascending {
    what: &'static str,
    last: Option<u32>,
}

impl Ascending {
    fn new(what: &'static str) -> Self {
        Self { what, last: None }
    }

    fn next(&mut self, value: u32) -> Result<(), ReadError> {
        match self.last.replace(value) {
            Some(before) if before >= value => Err(ReadError::Order { what: self.what, value, before }),
            _ => Ok(()),
        }
    }
}

/// Padding bytes: zeros.
fn reserved<const N: usize>(reader: &mut Reader<'_>) -> Result<(), Unsound> {
    match reader.take(N)?.iter().find(|&&byte| byte != 0) {
        Some(&byte) => Err(Unsound::Value { what: "reserved byte", value: u32::from(byte) }),
        None => Ok(()),
    }
}

fn read_areas(reader: &mut Reader<'_>, count: u32) -> Result<AreaTable, ReadError> {
    let unsound = || ReadError::Section { section: "list of area types" };
    let mut one = || -> Result<AreaInfo, Unsound> {
        let area = area_from(reader.u8()?)?;
        let length = reader.u8()?;
        let cost = reader.f32()?;
        let name = core::str::from_utf8(reader.take(usize::from(length))?).map_err(|_| Unsound::Short)?;
        Ok(AreaInfo { area, name: name.to_owned(), cost })
    };
    let mut list: Vec<AreaInfo> = Vec::new();
    for _ in 0..count {
        let info = one().map_err(|e| e.within("list of area types"))?;
        // Written in order; another order would be written back as other bytes.
        if list.last().is_some_and(|last| last.area >= info.area) {
            return Err(unsound());
        }
        list.push(info);
    }
    AreaTable::new(list).map_err(|_| unsound())
}

const GAP_BYTES: usize = 8;

fn read_gap(reader: &mut Reader<'_>) -> Result<(u32, u16, bool), Unsound> {
    let index = reader.u32()?;
    let salt = reader.u16()?;
    let retired = reader.u16()?;
    match retired {
        // An empty slot with its first salt was never used and is not written.
        0 | 1 if salt > 1 || (salt == 1 && retired == 1) => Ok((index, salt, retired == 1)),
        value => Err(Unsound::Value { what: "salt or mark of an empty place", value: u32::from(value) }),
    }
}

fn read_slot(
    mesh: &mut NavMesh,
    limit: u32,
    directory: &WayDirectory,
    (entry, bytes): (&TileEntry, &[u8]),
) -> Result<(), ReadError> {
    let slot = entry.tile.slot().get();
    let salt = entry.tile.salt();
    let add = |error| ReadError::Tile { slot, error };
    mesh.check_slot(slot, salt, limit).map_err(add)?;
    mesh.check_layout().map_err(add)?;
    mesh.place(slot, salt, directory.read_tile(entry, bytes)?);
    Ok(())
}

fn read_connection(mesh: &mut NavMesh, limit: u32, reader: &mut Reader<'_>) -> Result<u32, ReadError> {
    let mut fields = || -> Result<_, Unsound> {
        let index = reader.u32()?;
        let salt = reader.u16()?;
        let two_way = reader.u8()?;
        let area = reader.u8()?;
        if two_way > 1 {
            return Err(Unsound::Value { what: "mark of a two-way connection", value: u32::from(two_way) });
        }
        let definition = OffMeshConnection {
            start: reader.vec3()?,
            end: reader.vec3()?,
            radius: reader.f32()?,
            two_way: two_way != 0,
            area: area_from(area)?,
            user_id: reader.u32()?,
            flags: PolyFlags(reader.u16()?),
        };
        let flags = PolyFlags(reader.u16()?);
        let state = PolyState { flags, area: area_from(reader.u8()?)? };
        reserved::<3>(reader)?;
        Ok((index, salt, definition, state))
    };
    let (index, salt, definition, state) = fields().map_err(|e| e.within("list of connections"))?;
    // An index listed as empty cannot have a connection as well.
    if mesh.has_connection_gap(index) {
        return Err(ReadError::Value { what: "index of a connection", value: index });
    }
    check_index(index, limit)?;
    let entered = mesh.enter_connection(index, salt, definition);
    let reference = entered.map_err(|error| ReadError::Connection { index, error })?;
    let _ = mesh.edit_state(reference, |now| *now = state);
    Ok(index)
}

fn check_index(index: u32, limit: u32) -> Result<(), ReadError> {
    let error = AddConnectionError::IndexFar { index, limit };
    if index < limit { Ok(()) } else { Err(ReadError::Connection { index, error }) }
}

fn area_from(number: u8) -> Result<AreaId, Unsound> {
    AreaId::new(number).map_err(|_| Unsound::Value { what: "area type", value: u32::from(number) })
}
