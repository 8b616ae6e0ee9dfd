//! Reads a set of tiles, or a single tile.

use super::read_tile::{DetourTile, DetourTileError, bits_of_bare, read_tile};
use super::{DetourRefs, RefBits, SET_MAGIC, SET_VERSION, TILE_MAGIC};
use crate::math::bytes::{Reader, Truncated};
use crate::mesh::{AddConnectionError, AddTileError, NavMesh, PolyRef, PreparedTile, slot_limit};
use crate::tile::{Effort, TileLayout};

/// A Detour file that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DetourReadError {
    /// The file ends too early.
    #[error("the file ends in the middle of {what}: it has {have} bytes, but {want} are needed: it was cut short")]
    Truncated {
        /// What was being read.
        what: &'static str,
        /// Number of bytes present.
        have: u64,
        /// Number of bytes needed.
        want: u64,
    },
    /// The file ends in the middle of a tile.
    #[error(
        "the file ends in the middle of tile {index} of {count}: it has {have} bytes, but the tile reaches to {want}: it was cut short"
    )]
    TruncatedTile {
        /// The tile, by its number in the file.
        index: u32,
        /// Number of tiles declared.
        count: u32,
        /// Number of bytes present.
        have: u64,
        /// Number of bytes needed, at least for this tile.
        want: u64,
    },
    /// Neither a set nor a tile.
    #[error("not a Detour file: it begins with {magic:#010x}, neither MSET nor DNAV")]
    Magic {
        /// The first four bytes.
        magic: u32,
    },
    /// Written on a machine with the other byte order.
    #[error("the file has big-endian numbers: swap them with dtNavMeshHeaderSwapEndian first")]
    BigEndian,
    /// An unsupported version of the set.
    #[error("version {version} of the set is unknown: only {SET_VERSION} is")]
    Version {
        /// The version found.
        version: u32,
    },
    /// An invalid parameter of the mesh.
    #[error("the mesh's {name} is {value}, which makes no sense")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Neither 32-bit nor 64-bit references lead to a tile at every place.
    #[error("tile {index} of {count} is not where the file says, with neither 32-bit nor 64-bit references")]
    NoTile {
        /// The first tile missing, with the reference size that got farther.
        index: u32,
        /// Number of tiles declared.
        count: u32,
    },
    /// There are bytes after the last tile.
    #[error(
        "{bytes} bytes follow the last of {count} tiles: the number of tiles was altered, or something was appended"
    )]
    Surplus {
        /// Number of surplus bytes.
        bytes: u64,
        /// Number of tiles declared.
        count: u32,
    },
    /// A tile's reference has a salt or a slot that cannot be kept.
    #[error(
        "the reference {reference:#x} of tile {index} has salt {salt}, slot {slot}: salts are 1 to 65535, slots below the mesh's capacity"
    )]
    Reference {
        /// The tile, by its number in the file.
        index: u32,
        /// The reference.
        reference: u64,
        /// Its salt.
        salt: u64,
        /// Its slot.
        slot: u64,
    },
    /// A tile's data is unsound.
    #[error("tile {index}: {error}")]
    Tile {
        /// The tile, by its number in the file.
        index: u32,
        /// What is wrong.
        error: DetourTileError,
    },
    /// A tile does not fit with the others.
    #[error("tile {index}: {error}")]
    Add {
        /// The tile, by its number in the file.
        index: u32,
        /// What is wrong.
        error: AddTileError,
    },
    /// An off-mesh connection is unsound.
    #[error("off-mesh connection of tile {index}: {error}")]
    Connection {
        /// The tile, by its number in the file.
        index: u32,
        /// What is wrong.
        error: AddConnectionError,
    },
}

fn truncated(what: &'static str, have: usize, want: usize) -> impl Fn(Truncated) -> DetourReadError {
    let have = have as u64;
    let want = want as u64;
    move |Truncated| DetourReadError::Truncated { what, have, want }
}

impl NavMesh {
    /// Reads a Detour file: a set of tiles with 32- or 64-bit references, or the data of one tile. The memory used is a
    /// small multiple of the file's size: slots beyond the [limit](Self::slot_limit) for this number of tiles are
    /// refused. (At most about 4 MB more are used by the mesh and the first search on it, if there are few tiles in
    /// slots up to that limit.)
    ///
    /// # Errors
    /// [`DetourReadError`], with the number of the tile and what is wrong with it.
    pub fn from_detour(bytes: &[u8]) -> Result<Self, DetourReadError> {
        match magic_of(bytes)? {
            SET_MAGIC => read_set(bytes),
            _ => read_bare_tile(bytes),
        }
    }
}

/// The first four bytes, of a set or a tile.
fn magic_of(bytes: &[u8]) -> Result<u32, DetourReadError> {
    let magic = Reader::new(bytes).u32().map_err(truncated("the magic number", bytes.len(), 4))?;
    match magic {
        SET_MAGIC | TILE_MAGIC => Ok(magic),
        _ if [SET_MAGIC, TILE_MAGIC].contains(&magic.swap_bytes()) => Err(DetourReadError::BigEndian),
        _ => Err(DetourReadError::Magic { magic }),
    }
}

/// The header of a set.
struct SetHead {
    tiles: u32,
    layout: TileLayout,
    max_tiles: u32,
    max_polys: u32,
}

impl DetourRefs {
    /// The reference layout of a Detour file, which may be a set or a bare tile (a complete mesh by itself): used to
    /// decode references stored outside that file. Reads no tile.
    ///
    /// ```
    /// # use wayfare::format::{DetourRefs, RefBits};
    /// # use wayfare::mesh::NavMesh;
    /// # fn restore(file: &[u8], stored: u64) -> Result<(), Box<dyn std::error::Error>> {
    /// let (mesh, refs) = (NavMesh::from_detour(file)?, DetourRefs::of_file(file)?);
    /// let door = refs.decode(stored).ok_or("no polygon")?;
    /// let state = mesh.state(door)?;
    /// assert_eq!(refs.encode(door), Some(stored));
    /// // Written with the same references, they mean the same there.
    /// let again = mesh.to_detour_with(refs)?;
    /// # let _ = (state, again);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`DetourReadError`], if the file's frame is damaged.
    pub fn of_file(bytes: &[u8]) -> Result<Self, DetourReadError> {
        match magic_of(bytes)? {
            SET_MAGIC => open_set(bytes).map(|set| set.refs),
            _ => bits_of_bare(bytes)
                .map(|(bits, polys)| Self::new(bits, 1, polys))
                .map_err(|error| DetourReadError::Tile { index: 0, error }),
        }
    }
}

const SET_HEAD_BYTES: usize = 40;

fn read_head(reader: &mut Reader<'_>) -> Result<SetHead, DetourReadError> {
    let have = reader.left();
    let mut numbers = || {
        let _magic = reader.u32()?;
        let version = reader.u32()?;
        let tiles = reader.i32()?;
        let layout = TileLayout { origin: reader.vec3()?, tile_width: reader.f32()?, tile_depth: reader.f32()? };
        Ok((version, tiles, layout, reader.i32()?, reader.i32()?))
    };
    let (version, tiles, layout, max_tiles, max_polys) =
        numbers().map_err(truncated("the head of the set", have, SET_HEAD_BYTES))?;
    if version != SET_VERSION {
        return Err(DetourReadError::Version { version });
    }
    let check = |ok: bool, name, value: f64| if ok { Ok(()) } else { Err(DetourReadError::Parameter { name, value }) };
    let slots = PolyRef::TILE_SLOTS as i32;
    check((0..=slots).contains(&tiles), "number of tiles", f64::from(tiles))?;
    // Capacities that `to_detour` writes are powers of two; what exceeds our number of slots holds no tile.
    check((1..=slots + 1).contains(&max_tiles), "capacity of tiles", f64::from(max_tiles))?;
    check(max_polys >= 1, "capacity of polygons", f64::from(max_polys))?;
    check_layout(&layout)?;
    Ok(SetHead { tiles: tiles as u32, layout, max_tiles: max_tiles as u32, max_polys: max_polys as u32 })
}

/// Whether this is a valid layout: from the parameters of a set, or from the bounds of a single tile.
fn check_layout(layout: &TileLayout) -> Result<(), DetourReadError> {
    let TileLayout { origin, tile_width, tile_depth } = *layout;
    let check = |ok: bool, name, value: f32| {
        if ok { Ok(()) } else { Err(DetourReadError::Parameter { name, value: f64::from(value) }) }
    };
    for (name, value) in [("origin x", origin.x), ("origin y", origin.y), ("origin z", origin.z)] {
        check(value.is_finite(), name, value)?;
    }
    for (name, value) in [("tile width", tile_width), ("tile depth", tile_depth)] {
        check(value.is_finite() && value >= 0.0, name, value)?;
    }
    Ok(())
}

/// A set whose tiles have been located but not yet read.
struct OpenSet<'a> {
    layout: TileLayout,
    refs: DetourRefs,
    tiles: Vec<Stored<'a>>,
}

fn open_set(bytes: &[u8]) -> Result<OpenSet<'_>, DetourReadError> {
    let mut reader = Reader::new(bytes);
    let head = read_head(&mut reader)?;
    let (bits, (tiles, left)) = match find_tiles(reader, head.tiles, RefBits::Bits32) {
        Ok(found) => (RefBits::Bits32, found),
        Err(reached) => match find_tiles(reader, head.tiles, RefBits::Bits64) {
            Ok(found) => (RefBits::Bits64, found),
            Err(also) => return Err(reached.max(also).to_error(bytes.len(), head.tiles)),
        },
    };
    if left > 0 {
        return Err(DetourReadError::Surplus { bytes: left as u64, count: head.tiles });
    }
    Ok(OpenSet { layout: head.layout, refs: DetourRefs::new(bits, head.max_tiles, head.max_polys), tiles })
}

fn read_set(bytes: &[u8]) -> Result<NavMesh, DetourReadError> {
    let OpenSet { layout, refs, tiles } = open_set(bytes)?;
    let mut read = Vec::with_capacity(tiles.len());
    let mut connections = Vec::new();
    for (index, (reference, data)) in (0u32..).zip(tiles) {
        let tile = read_tile(data, refs.bits()).map_err(|error| DetourReadError::Tile { index, error })?;
        let (salt, slot, _) = refs.fields(reference);
        let unusable = DetourReadError::Reference { index, reference, salt, slot };
        let salt = u16::try_from(salt).ok().filter(|&salt| salt > 0).ok_or(unusable)?;
        let slot = u32::try_from(slot).ok().filter(|&slot| slot < refs.max_tiles()).ok_or(unusable)?;
        let prepared = prepare(index, tile, &mut connections)?;
        read.push((slot, salt, index, prepared));
    }
    let mut mesh = NavMesh::with_room(layout, read.len());
    let limit = slot_limit(read.len());
    // By slot, the order in which tiles at the same place are kept.
    read.sort_by_key(|&(slot, ..)| slot);
    let index_of: Vec<(u32, u32)> = read.iter().map(|&(slot, _, index, _)| (slot, index)).collect();
    for (slot, salt, index, tile) in read {
        let add = |error| DetourReadError::Add { index, error };
        mesh.check_slot(slot, salt, limit).map_err(add)?;
        mesh.check_layout().map_err(add)?;
        mesh.place(slot, salt, tile);
    }
    mesh.finish(bytes.len(), &index_of, &connections)
}

fn read_bare_tile(bytes: &[u8]) -> Result<NavMesh, DetourReadError> {
    let tile = bits_of_bare(bytes).and_then(|(bits, _)| read_tile(bytes, bits));
    let tile = tile.map_err(|error| DetourReadError::Tile { index: 0, error })?;
    let bounds = tile.data.bounds;
    let coord = tile.data.coord;
    let size = bounds.size();
    // As Detour lays out a mesh of one tile, but with the tile at its own column and row.
    let step = glam::Vec3::new(coord.x as f32 * size.x, 0.0, coord.z as f32 * size.z);
    let layout = TileLayout { origin: bounds.min - step, tile_width: size.x, tile_depth: size.z };
    check_layout(&layout)?;
    let mut mesh = NavMesh::new(layout);
    let mut connections = Vec::new();
    let tile = prepare(0, tile, &mut connections)?;
    mesh.check_layout().map_err(|error| DetourReadError::Add { index: 0, error })?;
    mesh.place(0, 1, tile);
    mesh.finish(bytes.len(), &[], &connections)
}

/// Why reading a set failed. The attempt that got farther is the likelier one; at equal distance, the one explained by
/// a truncated file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ReadStop {
    /// The tile at which it failed.
    index: u32,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// There is something else instead.
    NoTile,
    /// The file ends this many bytes too early.
    Missing(usize),
    /// The same, and what is there begins like a tile.
    MissingOfTile(usize),
}

impl ReadStop {
    fn to_error(self, have: usize, count: u32) -> DetourReadError {
        let Self { index, why } = self;
        match why {
            Why::NoTile => DetourReadError::NoTile { index, count },
            Why::Missing(bytes) | Why::MissingOfTile(bytes) => {
                let have = have as u64;
                DetourReadError::TruncatedTile { index, count, have, want: have.saturating_add(bytes as u64) }
            }
        }
    }
}

/// A tile's reference, and its data.
type Stored<'a> = (u64, &'a [u8]);

/// Every tile, and the number of bytes after the last, assuming references of this many bits; otherwise where that
/// assumption failed.
fn find_tiles(mut reader: Reader<'_>, count: u32, bits: RefBits) -> Result<(Vec<Stored<'_>>, usize), ReadStop> {
    let mut found = Vec::new();
    for index in 0..count {
        found.push(next_tile(&mut reader, bits).map_err(|why| ReadStop { index, why })?);
    }
    Ok((found, reader.left()))
}

fn next_tile<'a>(reader: &mut Reader<'a>, bits: RefBits) -> Result<Stored<'a>, Why> {
    let left = reader.left();
    let mut head = || match bits {
        RefBits::Bits32 => Ok((u64::from(reader.u32()?), reader.u32()?)),
        RefBits::Bits64 => {
            let reference = reader.u64()?;
            let size = reader.u32()?;
            let _padding = reader.u32()?;
            Ok((reference, size))
        }
    };
    let head_bytes = if bits == RefBits::Bits32 { 8 } else { 16 };
    let (reference, size) = head().map_err(|Truncated| Why::Missing(head_bytes - left.min(head_bytes)))?;
    let size = size as usize;
    let left = reader.left();
    let is_tile = Reader::new(reader.peek()).u32().map(|magic| magic == TILE_MAGIC);
    match reader.take(size) {
        Ok(data) if is_tile == Ok(true) && size >= 4 => Ok((reference, data)),
        Err(Truncated) if is_tile == Ok(true) => Err(Why::MissingOfTile(size - left)),
        Err(Truncated) if is_tile.is_err() => Err(Why::Missing(size - left)),
        _ => Err(Why::NoTile),
    }
}

type Found = (u32, crate::mesh::OffMeshConnection);

/// A tile that was checked, and the connections that were stored as polygons of it.
fn prepare(index: u32, mut tile: DetourTile, connections: &mut Vec<Found>) -> Result<PreparedTile, DetourReadError> {
    connections.extend(tile.connections.into_iter().map(|connection| (index, connection)));
    let data = tile.data.build();
    data.map(PreparedTile::new).map_err(|error| DetourReadError::Tile { index, error: DetourTileError::Unsound(error) })
}

impl NavMesh {
    /// Links the tiles of a file; their numbers in the file are given by slot.
    fn finish(mut self, bytes: usize, index_of: &[(u32, u32)], connections: &[Found]) -> Result<Self, DetourReadError> {
        let mut effort = Effort::for_bytes(bytes);
        let index = |slot: u32| index_of.iter().find(|(there, _)| *there == slot).map_or(0, |&(_, index)| index);
        self.link_all(&mut effort).map_err(|(slot, error)| DetourReadError::Add { index: index(slot), error })?;
        for (number, &(index, connection)) in (0u32..).zip(connections) {
            let in_tile = |error| DetourReadError::Connection { index, error };
            self.enter_connection(number, 1, connection).map_err(in_tile)?;
        }
        let in_tile = |(number, error): (u32, _)| {
            let index = connections.get(number as usize).map_or(0, |&(index, _)| index);
            DetourReadError::Connection { index, error }
        };
        self.link_connections(&mut effort).map_err(in_tile)?;
        Ok(self)
    }
}
