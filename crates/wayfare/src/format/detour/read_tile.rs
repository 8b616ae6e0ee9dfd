//! Reads the data of one tile.

use super::{EXTERNAL, HEAD_BYTES, MAX_CORNERS, RefBits, TILE_MAGIC, TILE_VERSION};
use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Truncated, vec3_from};
use crate::mesh::OffMeshConnection;
use crate::tile::{BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, Side, TileBuilder, TileCoord, TileError};

/// The data of a Detour tile that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DetourTileError {
    /// The data ends too early.
    #[error("its data ends too early: {have} bytes, but its head promises {want}")]
    Truncated {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes needed.
        want: u64,
    },
    /// There are bytes after the end of the data.
    #[error("it has {have} bytes, but its head promises only {want}: something was appended, or a count altered")]
    Surplus {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes expected.
        want: u64,
    },
    /// A single tile has neither of the sizes that it could have.
    #[error(
        "it has {have} bytes, but its head promises {bits32} with 32-bit references, or {bits64} with 64-bit ones: it was cut short, or something was appended"
    )]
    Size {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes expected with 32-bit references.
        bits32: u64,
        /// Number of bytes expected with 64-bit references.
        bits64: u64,
    },
    /// Not a tile.
    #[error("it begins with {magic:#010x} instead of DNAV")]
    Magic {
        /// The first four bytes.
        magic: u32,
    },
    /// An unsupported version of the format.
    #[error("it has version {version} of the format, but only {TILE_VERSION} is known")]
    Version {
        /// The version found.
        version: u32,
    },
    /// A count or index in its header is negative or inconsistent.
    #[error("its {name} is {value}, which makes no sense")]
    Count {
        /// The count.
        name: &'static str,
        /// Its value.
        value: i64,
    },
    /// A polygon has too many corners for its record.
    #[error("polygon {poly} has {count} corners, but its record holds {MAX_CORNERS}")]
    Corners {
        /// The polygon.
        poly: u32,
        /// Its corners.
        count: u8,
    },
    /// A polygon of the wrong kind for its position.
    #[error("polygon {poly} has kind {kind} in the place of the other kind")]
    Kind {
        /// The polygon.
        poly: u32,
        /// 0: surface, 1: off-mesh connection.
        kind: u8,
    },
    /// An invalid neighbour.
    #[error("edge {edge} of polygon {poly} has {bits:#06x} as neighbour, which refers to no edge")]
    Neighbour {
        /// The polygon.
        poly: u32,
        /// The edge.
        edge: u32,
        /// The value found.
        bits: u16,
    },
    /// An off-mesh connection refers to a polygon that is not one.
    #[error("off-mesh connection {index} belongs to polygon {poly}, which is none")]
    Connection {
        /// The connection.
        index: u32,
        /// The polygon.
        poly: u16,
    },
    /// The arrays are inconsistent.
    #[error(transparent)]
    Unsound(#[from] TileError),
}

/// A tile, and the connections that were stored as polygons of it.
pub(super) struct DetourTile {
    pub(super) data: TileBuilder,
    pub(super) connections: Vec<OffMeshConnection>,
}

/// The counts of a tile's header, all checked to be valid and covered by the data.
struct DetourHead {
    coord: TileCoord,
    user_id: u32,
    polys: usize,
    /// The first polygon that is an off-mesh connection.
    ground: usize,
    verts: usize,
    links: usize,
    details: usize,
    detail_verts: usize,
    detail_tris: usize,
    tree: usize,
    connections: usize,
    height: f32,
    radius: f32,
    climb: f32,
    bounds: Aabb,
}

/// A decoded polygon record.
struct Record {
    verts: [u16; MAX_CORNERS],
    neighbours: [u16; MAX_CORNERS],
    flags: PolyFlags,
    count: u8,
    area: AreaId,
    kind: u8,
}

/// The reference size of a single tile, in bits, and its number of polygons. The tile does not declare the size, but
/// its length does.
pub(super) fn bits_of_bare(bytes: &[u8]) -> Result<(RefBits, u32), DetourTileError> {
    let have = bytes.len() as u64;
    let head = read_head(&mut Reader::new(bytes), have)?;
    let [bits32, bits64] = [RefBits::Bits32, RefBits::Bits64].map(|bits| head.size(bits));
    let bits = match have {
        _ if have == bits32 => RefBits::Bits32,
        _ if have == bits64 => RefBits::Bits64,
        _ => return Err(DetourTileError::Size { have, bits32, bits64 }),
    };
    Ok((bits, head.polys as u32))
}

pub(super) fn read_tile(bytes: &[u8], bits: RefBits) -> Result<DetourTile, DetourTileError> {
    let mut reader = Reader::new(bytes);
    let have = bytes.len() as u64;
    let head = read_head(&mut reader, have)?;
    let want = head.size(bits);
    if have < want {
        return Err(DetourTileError::Truncated { have, want });
    }
    if have > want {
        return Err(DetourTileError::Surplus { have, want });
    }
    // From here on every section is known to be present.
    let short = |Truncated| DetourTileError::Truncated { have, want };
    let verts = reader.records::<12>(head.verts).map_err(short)?;
    let polys = reader.records::<32>(head.polys).map_err(short)?;
    reader.take(head.links * bits.link_bytes() as usize).map_err(short)?;
    let details = reader.records::<12>(head.details).map_err(short)?;
    let detail_verts = reader.records::<12>(head.detail_verts).map_err(short)?;
    let detail_tris = reader.records::<4>(head.detail_tris).map_err(short)?;
    reader.take(head.tree * 16).map_err(short)?;
    let connections = reader.records::<36>(head.connections).map_err(short)?;

    let (radius, height, climb) = (head.radius, head.height, head.climb);
    let mut data = TileBuilder::new(head.coord);
    (data.user_id, data.bounds) = (head.user_id, head.bounds);
    data.baked_for = BakedFor { radius, height, climb, ..BakedFor::NOTHING };
    data.verts.extend(verts.iter().map(|&v| vec3_from(v)));
    data.detail_verts.extend(detail_verts.iter().map(|&v| vec3_from(v)));
    let records: Vec<Record> = polys.iter().map(record).collect();
    read_polys(&mut data, &records[..head.ground])?;
    if let Some(poly) = records[head.ground..].iter().position(|r| r.kind == 0) {
        return Err(DetourTileError::Kind { poly: (head.ground + poly) as u32, kind: 0 });
    }
    if !details.is_empty() {
        data.details = details.iter().take(head.ground).map(detail_range).collect();
        data.detail_tris = detail_tris.iter().map(detail_tri).collect();
    } else {
        data.detail_verts.clear();
    }
    drop_connection_verts(&mut data, head.connections);
    let connections = read_connections(connections, &records, head.ground)?;
    Ok(DetourTile { data, connections })
}

impl DetourHead {
    /// Bytes of the whole tile. Every section is a multiple of four bytes, so there is no padding.
    fn size(&self, bits: RefBits) -> u64 {
        let sections = [
            (self.verts, 12),
            (self.polys, 32),
            (self.links, bits.link_bytes()),
            (self.details, 12),
            (self.detail_verts, 12),
            (self.detail_tris, 4),
            (self.tree, 16),
            (self.connections, 36),
        ];
        sections.iter().fold(HEAD_BYTES, |sum, &(count, bytes)| sum + count as u64 * bytes)
    }
}

fn read_head(reader: &mut Reader<'_>, have: u64) -> Result<DetourHead, DetourTileError> {
    let short = |Truncated| DetourTileError::Truncated { have, want: HEAD_BYTES };
    let magic = reader.u32().map_err(short)?;
    if magic != TILE_MAGIC {
        return Err(DetourTileError::Magic { magic });
    }
    let version = reader.u32().map_err(short)?;
    if version != TILE_VERSION {
        return Err(DetourTileError::Version { version });
    }
    let mut numbers = || {
        let mut ints = [0; 13];
        for int in &mut ints {
            *int = reader.i32()?;
        }
        let sizes = [reader.f32()?, reader.f32()?, reader.f32()?];
        let bounds = Aabb { min: reader.vec3()?, max: reader.vec3()? };
        let _quantisation = reader.f32()?;
        Ok((ints, sizes, bounds))
    };
    let (ints, [height, radius, climb], bounds) = numbers().map_err(short)?;
    let count =
        |name, value: i32| u32::try_from(value).map_err(|_| DetourTileError::Count { name, value: i64::from(value) });
    let [x, z, layer, user_id, polys, verts, links, details, detail_verts, detail_tris, tree, connections, ground] =
        ints;
    let head = DetourHead {
        coord: TileCoord { x, z, layer: count("layer", layer)? },
        user_id: user_id as u32,
        polys: count("number of polygons", polys)? as usize,
        ground: count("first off-mesh polygon", ground)? as usize,
        verts: count("number of vertices", verts)? as usize,
        links: count("number of links", links)? as usize,
        details: count("number of detail meshes", details)? as usize,
        detail_verts: count("number of detail vertices", detail_verts)? as usize,
        detail_tris: count("number of detail triangles", detail_tris)? as usize,
        tree: count("number of tree nodes", tree)? as usize,
        connections: count("number of off-mesh connections", connections)? as usize,
        height,
        radius,
        climb,
        bounds,
    };
    // Files without connections do not always declare where they would begin.
    let ground_count = if head.connections == 0 && head.ground == 0 { head.polys } else { head.ground };
    if ground_count > head.polys {
        return Err(DetourTileError::Count { name: "first off-mesh polygon", value: head.ground as i64 });
    }
    Ok(DetourHead { ground: ground_count, ..head })
}

fn record(bytes: &[u8; 32]) -> Record {
    let pair = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    Record {
        verts: core::array::from_fn(|k| pair(4 + 2 * k)),
        neighbours: core::array::from_fn(|k| pair(16 + 2 * k)),
        flags: PolyFlags(pair(28)),
        count: bytes[30],
        area: AreaId::from_low_bits(bytes[31]),
        kind: bytes[31] >> 6,
    }
}

fn read_polys(data: &mut TileBuilder, records: &[Record]) -> Result<(), DetourTileError> {
    data.polys.reserve_exact(records.len());
    for (poly, record) in (0u32..).zip(records) {
        if record.kind != 0 {
            return Err(DetourTileError::Kind { poly, kind: record.kind });
        }
        let count = record.count as usize;
        if count > MAX_CORNERS {
            return Err(DetourTileError::Corners { poly, count: record.count });
        }
        let first = data.corners.len() as u32;
        data.polys.push(Poly::new(first, u16::from(record.count), record.flags, record.area));
        data.corners.extend(record.verts[..count].iter().map(|&v| u32::from(v)));
        for (edge, &bits) in (0u32..).zip(&record.neighbours[..count]) {
            let neighbour = neighbour(bits).ok_or(DetourTileError::Neighbour { poly, edge, bits })?;
            data.neighbours.push(neighbour);
        }
    }
    Ok(())
}

fn neighbour(bits: u16) -> Option<EdgeNeighbour> {
    match bits {
        0 => Some(EdgeNeighbour::WALL),
        index if index & EXTERNAL == 0 => Some(EdgeNeighbour::poly(u32::from(index) - 1)),
        side => match side & !EXTERNAL {
            0 => Some(EdgeNeighbour::border(Side::XMax)),
            2 => Some(EdgeNeighbour::border(Side::ZMax)),
            4 => Some(EdgeNeighbour::border(Side::XMin)),
            6 => Some(EdgeNeighbour::border(Side::ZMin)),
            // Edges on the border of the whole level.
            0xf => Some(EdgeNeighbour::WALL),
            _ => None,
        },
    }
}

fn detail_range(bytes: &[u8; 12]) -> DetailRange {
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    DetailRange {
        first_vert: word(0),
        first_tri: word(4),
        vert_count: u16::from(bytes[8]),
        tri_count: u16::from(bytes[9]),
    }
}

fn detail_tri(&[a, b, c, flags]: &[u8; 4]) -> DetailTri {
    let outline = (0..3).fold(0, |bits, k| bits | u16::from(flags >> (2 * k) & 1) << k);
    DetailTri { verts: [a, b, c].map(u16::from), outline }
}

/// Detour stores the ends of connections as the last vertices. They are removed with the connections unless the surface
/// uses them.
fn drop_connection_verts(data: &mut TileBuilder, connections: usize) {
    let keep = data.verts.len().saturating_sub(2 * connections);
    if data.corners.iter().all(|&v| (v as usize) < keep) {
        data.verts.truncate(keep);
    }
}

fn read_connections(
    records: &[[u8; 36]],
    polys: &[Record],
    ground: usize,
) -> Result<Vec<OffMeshConnection>, DetourTileError> {
    let mut found = Vec::with_capacity(records.len());
    for (index, bytes) in (0u32..).zip(records) {
        let mut reader = Reader::new(bytes);
        let mut fields = || {
            let start = reader.vec3()?;
            let end = reader.vec3()?;
            let radius = reader.f32()?;
            Ok((start, end, radius, reader.u16()?, reader.u8()?, reader.u8()?, reader.u32()?))
        };
        let short = |Truncated| DetourTileError::Truncated { have: 0, want: 36 };
        let (start, end, radius, poly, flags, _side, user_id) = fields().map_err(short)?;
        let record = polys.get(poly as usize).filter(|r| poly as usize >= ground && r.kind == 1);
        let record = record.ok_or(DetourTileError::Connection { index, poly })?;
        let two_way = flags & 1 != 0;
        found.push(OffMeshConnection { start, end, radius, two_way, area: record.area, flags: record.flags, user_id });
    }
    Ok(found)
}
