//! Reading.

use super::read_error::{ReadError, Unsound};
use super::sections::Counts;
use super::{CHECKSUM_BYTES, MAGIC, MARK, TAIL_BYTES, VERSION, tile_bytes::read_tile};
use crate::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use crate::math::bytes::{Reader, Truncated};
use crate::mesh::{
    AddConnectionError, AddTileError, NavMesh, OffMeshConnection, PolyState, PreparedTile, SlotGap, connection_limit,
    slot_limit,
};
use crate::tile::{Effort, TileCoord, TileKeys, TileLayout};
use xxhash_rust::xxh3::xxh3_64;

fn short(section: &'static str) -> impl Fn(Truncated) -> ReadError {
    move |Truncated| ReadError::Section { section }
}

impl NavMesh {
    /// Reads a `.way` file. Takes no more memory than a small multiple of its size: slots beyond the
    /// [limit](Self::slot_limit) for so many as have or had a tile are refused. (Some 4 MB more are taken at most, by
    /// the mesh and the first search on it, if a small file uses slots up to that limit, and as much for
    /// [connections](Self::connection_limit).)
    ///
    /// What a file keeps beside the mesh is checked and left out: a [`WayFile`](super::WayFile) has it.
    ///
    /// # Errors
    /// [`ReadError`] for anything but exactly what [`to_bytes`](Self::to_bytes) or a [`WayFile`](super::WayFile) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        read_file(bytes).map(|(mesh, _)| mesh)
    }
}

/// A mesh, and the keys of its tiles.
pub(super) fn read_file(bytes: &[u8]) -> Result<(NavMesh, TileKeys), ReadError> {
    let (body, counts) = checked(bytes)?;
    let mut reader = Reader::new(body);
    let mut effort = Effort::for_bytes(bytes.len());
    let mut mesh = read_head(&mut reader, counts).map_err(|e| e.within("head"))?;
    let used = counts.tiles as usize + counts.slot_gaps as usize;
    // The file may promise more than it holds.
    let limit = slot_limit(used.min(body.len() / GAP_BYTES));
    let mut tiles = Ascending::new("tile slot");
    for _ in 0..counts.tiles {
        tiles.next(read_slot(&mut mesh, limit, &mut reader)?)?;
    }
    let mut gaps = Ascending::new("empty slot");
    for _ in 0..counts.slot_gaps {
        let (slot, salt, retired) = read_gap(&mut reader).map_err(|e| e.within("list of empty slots"))?;
        mesh.check_slot(slot, salt, limit).map_err(|error| ReadError::Tile { slot, error })?;
        gaps.next(slot)?;
        mesh.leave_slot_gap(slot, SlotGap { salt, retired });
    }
    mesh.link_all(&mut effort).map_err(|(slot, error)| ReadError::Tile { slot, error })?;
    let used = counts.connections as usize + counts.connection_gaps as usize;
    let limit = connection_limit(used.min(body.len() / GAP_BYTES));
    let mut gaps = Ascending::new("empty connection");
    for _ in 0..counts.connection_gaps {
        let (index, salt, retired) = read_gap(&mut reader).map_err(|e| e.within("list of empty connections"))?;
        check_index(index, limit)?;
        gaps.next(index)?;
        mesh.leave_connection_gap(index, SlotGap { salt, retired });
    }
    let mut connections = Ascending::new("connection");
    for _ in 0..counts.connections {
        connections.next(read_connection(&mut mesh, limit, &mut reader)?)?;
    }
    mesh.link_connections(&mut effort).map_err(|(index, error)| ReadError::Connection { index, error })?;
    mesh.set_areas(read_areas(&mut reader, counts.areas)?);
    let keys = read_keys(&mut reader, counts.keys).map_err(short("list of keys"))?;
    if reader.is_empty() { Ok((mesh, keys)) } else { Err(ReadError::Section { section: "end" }) }
}

/// What lies between the version and the tail, and the counts of the tail, once magic, version, mark, length and
/// checksum are right.
fn checked(bytes: &[u8]) -> Result<(&[u8], Counts), ReadError> {
    let have = bytes.len() as u64;
    let mut head = Reader::new(bytes);
    if head.take(MAGIC.len()).ok() != Some(&MAGIC[..]) {
        return Err(ReadError::Magic);
    }
    let version = head.u32().map_err(|Truncated| ReadError::End { have })?;
    if version == 0 || version > VERSION {
        return Err(ReadError::Version { version });
    }
    let body = head.left().checked_sub(TAIL_BYTES).ok_or(ReadError::End { have })?;
    let body = head.take(body).map_err(short("head"))?;
    let (counts, want) =
        read_tail(&mut head).map_err(|Truncated| ReadError::End { have })?.ok_or(ReadError::End { have })?;
    if want != have {
        return Err(ReadError::Length { have, want });
    }
    let (before, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(ReadError::End { have })?;
    let (have, want) = (xxh3_64(before), u64::from_le_bytes(*checksum));
    if have != want {
        return Err(ReadError::Checksum { have, want });
    }
    Ok((body, counts))
}

/// Counts and length; `None` if the mark is not there.
fn read_tail(tail: &mut Reader<'_>) -> Result<Option<(Counts, u64)>, Truncated> {
    let counts = Counts {
        tiles: tail.u32()?,
        slot_gaps: tail.u32()?,
        connection_gaps: tail.u32()?,
        connections: tail.u32()?,
        areas: tail.u32()?,
        keys: tail.u32()?,
    };
    let length = tail.u64()?;
    Ok((tail.take(MARK.len())? == MARK).then_some((counts, length)))
}

/// Numbers that must go up, since they were written so: another order would come back as other bytes.
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

/// Bytes for nothing yet: zeros.
fn reserved<const N: usize>(reader: &mut Reader<'_>) -> Result<(), Unsound> {
    match reader.take(N)?.iter().find(|&&byte| byte != 0) {
        Some(&byte) => Err(Unsound::Value { what: "reserved byte", value: u32::from(byte) }),
        None => Ok(()),
    }
}

fn read_head(reader: &mut Reader<'_>, counts: Counts) -> Result<NavMesh, Unsound> {
    let user_id = reader.u64()?;
    let layout = TileLayout { origin: reader.vec3()?, tile_width: reader.f32()?, tile_depth: reader.f32()? };
    if let Some((what, value)) = layout.senseless() {
        return Err(Unsound::Layout { what, value });
    }
    // A tile takes at least its head: more cannot follow.
    let mut mesh = NavMesh::with_room(layout, (counts.tiles as usize).min(reader.left() / 92));
    mesh.set_user_id(user_id);
    Ok(mesh)
}

fn read_areas(reader: &mut Reader<'_>, count: u32) -> Result<AreaTable, ReadError> {
    let unsound = ReadError::Section { section: "list of area types" };
    let mut one = || -> Result<AreaInfo, Unsound> {
        let (area, length) = (area_from(reader.u8()?)?, reader.u8()?);
        let cost = reader.f32()?;
        let name = core::str::from_utf8(reader.take(usize::from(length))?).map_err(|_| Unsound::Short)?;
        Ok(AreaInfo { area, name: name.to_owned(), cost })
    };
    let mut list: Vec<AreaInfo> = Vec::new();
    for _ in 0..count {
        let info = one().map_err(|e| e.within("list of area types"))?;
        // Written in order; another order would come back as other bytes.
        if list.last().is_some_and(|last| last.area >= info.area) {
            return Err(unsound);
        }
        list.push(info);
    }
    AreaTable::new(list).map_err(|_| unsound)
}

fn read_keys(reader: &mut Reader<'_>, count: u32) -> Result<TileKeys, Truncated> {
    // Every key is there before the list is made.
    let mut records = Reader::new(reader.take((count as usize).checked_mul(KEY_BYTES).ok_or(Truncated)?)?);
    let mut list = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let coord = TileCoord { x: records.i32()?, z: records.i32()?, layer: records.u32()? };
        list.push((coord, records.u64()?));
    }
    let keys: TileKeys = list.iter().copied().collect();
    // Written in order and each once.
    if keys.iter().eq(list) { Ok(keys) } else { Err(Truncated) }
}

const KEY_BYTES: usize = 20;
const GAP_BYTES: usize = 8;

fn read_gap(reader: &mut Reader<'_>) -> Result<(u32, u16, bool), Unsound> {
    let (index, salt, retired) = (reader.u32()?, reader.u16()?, reader.u16()?);
    match retired {
        // An empty place with its first salt was never used and is not written.
        0 | 1 if salt > 1 || (salt == 1 && retired == 1) => Ok((index, salt, retired == 1)),
        value => Err(Unsound::Value { what: "salt or mark of an empty place", value: u32::from(value) }),
    }
}

fn read_slot(mesh: &mut NavMesh, limit: u32, reader: &mut Reader<'_>) -> Result<u32, ReadError> {
    let head = short("list of tiles");
    let (slot, salt) = (reader.u32().map_err(&head)?, reader.u16().map_err(&head)?);
    reserved::<2>(reader).map_err(|e| e.within("list of tiles"))?;
    let add = |error| ReadError::Tile { slot, error };
    let (data, state) = read_tile(reader).map_err(|e| e.within("tile"))?;
    mesh.check_slot(slot, salt, limit).map_err(add)?;
    mesh.check_layout().map_err(add)?;
    let tile = PreparedTile::with_state(data, state).map_err(|error| add(AddTileError::Tile(error)))?;
    mesh.place(slot, salt, tile);
    Ok(slot)
}

fn read_connection(mesh: &mut NavMesh, limit: u32, reader: &mut Reader<'_>) -> Result<u32, ReadError> {
    let mut fields = || -> Result<_, Unsound> {
        let (index, salt, two_way, area) = (reader.u32()?, reader.u16()?, reader.u8()?, reader.u8()?);
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
    // An index that was named as empty cannot have a connection as well.
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
