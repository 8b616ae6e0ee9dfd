//! The C++ reference's queries, and its meshes as the demo's `MSET` files, so that both sides load the same bytes.

use crate::query::{Engine, Errand, NODES};
use crate::recast::{DetourMesh, ok};
use recastnavigation_sys as sys;

const MAGIC: u32 = u32::from_be_bytes(*b"MSET");

impl DetourMesh {
    /// The demo's file of a whole mesh: a header, then every tile with its reference and length.
    pub fn to_set(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let word = |bytes: &mut Vec<u8>, w: u32| bytes.extend_from_slice(&w.to_le_bytes());
        // SAFETY: the parameters and the tiles' bytes live as long as the mesh.
        unsafe {
            let nav = &*self.as_ptr();
            let params = &*nav.getParams();
            let tiles = self.tiles().count() as u32;
            [MAGIC, 1, tiles].into_iter().for_each(|w| word(&mut bytes, w));
            params.orig.iter().for_each(|f| word(&mut bytes, f.to_bits()));
            let rest = [
                params.tileWidth.to_bits(),
                params.tileHeight.to_bits(),
                params.maxTiles as u32,
                params.maxPolys as u32,
            ];
            rest.into_iter().for_each(|w| word(&mut bytes, w));
            for tile in self.tiles() {
                word(&mut bytes, nav.getTileRef(tile));
                word(&mut bytes, tile.dataSize as u32);
                bytes.extend_from_slice(std::slice::from_raw_parts(tile.data, tile.dataSize as usize));
            }
        }
        bytes
    }

    /// Reads such a file.
    pub fn from_set(bytes: &[u8]) -> Result<Self, String> {
        let word = |at: usize| -> Result<u32, String> {
            let four = bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).ok_or("the file ends too early")?;
            Ok(u32::from_le_bytes(four))
        };
        if word(0)? != MAGIC {
            return Err("no MSET file".into());
        }
        let float = |at| word(at).map(f32::from_bits);
        let params = sys::dtNavMeshParams {
            orig: [float(12)?, float(16)?, float(20)?],
            tileWidth: float(24)?,
            tileHeight: float(28)?,
            maxTiles: word(32)? as i32,
            maxPolys: word(36)? as i32,
        };
        let mesh = Self::empty();
        // SAFETY: a fresh mesh; `addTile` takes over a block that its own allocator made.
        unsafe {
            ok((*mesh.as_ptr()).init(&params), "dtNavMesh::init")?;
            let mut at = 40;
            for _ in 0..word(8)? {
                let (tile_ref, size) = (word(at)?, word(at + 4)? as usize);
                let data = bytes.get(at + 8..at + 8 + size).ok_or("the file ends too early")?;
                let copy = sys::dtAlloc(size, sys::dtAllocHint_DT_ALLOC_PERM).cast::<u8>();
                copy.copy_from_nonoverlapping(data.as_ptr(), size);
                let flags = sys::dtTileFlags_DT_TILE_FREE_DATA as i32;
                ok((*mesh.as_ptr()).addTile(copy, size as i32, flags, tile_ref, std::ptr::null_mut()), "addTile")?;
                at += 8 + size;
            }
        }
        Ok(mesh)
    }
}

/// Queries to a Detour mesh. Buffers are made once.
pub struct Detour<'a> {
    mesh: &'a DetourMesh,
    query: *mut sys::dtNavMeshQuery,
    filter: sys::dtQueryFilter,
    half_extents: [f32; 3],
    refs: Vec<u32>,
    count: i32,
    parents: Vec<u32>,
    costs: Vec<f32>,
    points: Vec<[f32; 3]>,
    point_count: i32,
}

/// Polygons that a path may have.
const MOST: usize = 4096;

impl<'a> Detour<'a> {
    pub fn new(mesh: &'a DetourMesh, half_extents: [f32; 3]) -> Result<Self, String> {
        let polys: i32 = mesh.tiles().map(|t| unsafe { (*t.header).polyCount }).sum();
        let nodes = ((polys as u32 + 1).next_power_of_two() as i32).clamp(NODES.0, NODES.1);
        // SAFETY: the query is freed before the mesh, which is borrowed.
        let query = unsafe {
            let query = sys::dtAllocNavMeshQuery();
            ok((*query).init(mesh.as_ptr(), nodes), "dtNavMeshQuery::init")?;
            query
        };
        let filter = sys::dtQueryFilter { m_areaCost: [1.0; 64], m_includeFlags: 0xffff, m_excludeFlags: 0 };
        Ok(Self {
            mesh,
            query,
            filter,
            half_extents,
            refs: vec![0; MOST],
            count: 0,
            parents: vec![0; MOST],
            costs: vec![0.0; MOST],
            points: vec![[0.0; 3]; MOST],
            point_count: 0,
        })
    }

    /// Tile (column, row, layer) and number of a polygon.
    pub fn place(&self, poly: u32) -> ([i32; 3], u32) {
        // SAFETY: `poly` comes from this mesh.
        unsafe {
            let nav = &*self.mesh.as_ptr();
            let (mut tile, mut p) = (std::ptr::null(), std::ptr::null());
            nav.getTileAndPolyByRefUnsafe(poly, &mut tile, &mut p);
            let header = &*(*tile).header;
            ([header.x, header.y, header.layer], p.offset_from((*tile).polys) as u32)
        }
    }
}

impl Drop for Detour<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `new`.
        unsafe { sys::dtFreeNavMeshQuery(self.query) };
    }
}

// SAFETY (all blocks below): the query and its mesh are alive, points are three floats, and buffers have the lengths that are
// passed with them.
impl Engine for Detour<'_> {
    type Ref = u32;

    fn nearest(&mut self, point: [f32; 3]) -> Option<(u32, [f32; 3])> {
        let (mut poly, mut at) = (0, [0.0; 3]);
        unsafe {
            (*self.query).findNearestPoly(
                point.as_ptr(),
                self.half_extents.as_ptr(),
                &self.filter,
                &mut poly,
                at.as_mut_ptr(),
            );
        }
        (poly != 0).then_some((poly, at))
    }

    fn path(&mut self, errand: &Errand<u32>) -> bool {
        let status = unsafe {
            (*self.query).findPath(
                errand.start.0,
                errand.end.0,
                errand.start.1.as_ptr(),
                errand.end.1.as_ptr(),
                &self.filter,
                self.refs.as_mut_ptr(),
                &mut self.count,
                MOST as i32,
            )
        };
        status & sys::DT_PARTIAL_RESULT == 0
    }

    fn polys(&self) -> &[u32] {
        &self.refs[..self.count as usize]
    }

    fn string_pull(&mut self, start: [f32; 3], end: [f32; 3], corridor: &[u32]) {
        unsafe {
            (*self.query).findStraightPath(
                start.as_ptr(),
                end.as_ptr(),
                corridor.as_ptr(),
                corridor.len() as i32,
                self.points.as_mut_ptr().cast(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &mut self.point_count,
                MOST as i32,
                0,
            );
        }
    }

    fn points(&self) -> &[[f32; 3]] {
        &self.points[..self.point_count as usize]
    }

    fn raycast(&mut self, start: (u32, [f32; 3]), end: [f32; 3]) -> f32 {
        let (mut t, mut normal) = (0.0, [0.0f32; 3]);
        unsafe {
            (*self.query).raycast(
                start.0,
                start.1.as_ptr(),
                end.as_ptr(),
                &self.filter,
                &mut t,
                normal.as_mut_ptr(),
                self.refs.as_mut_ptr(),
                &mut self.count,
                MOST as i32,
            );
        }
        t.min(1.0)
    }

    fn move_along(&mut self, start: (u32, [f32; 3]), end: [f32; 3]) -> [f32; 3] {
        let mut at = [0.0; 3];
        unsafe {
            (*self.query).moveAlongSurface(
                start.0,
                start.1.as_ptr(),
                end.as_ptr(),
                &self.filter,
                at.as_mut_ptr(),
                self.refs.as_mut_ptr(),
                &mut self.count,
                MOST as i32,
            );
        }
        at
    }

    fn wall(&mut self, at: (u32, [f32; 3]), radius: f32) -> f32 {
        let (mut distance, mut point, mut normal) = (0.0, [0.0f32; 3], [0.0f32; 3]);
        unsafe {
            (*self.query).findDistanceToWall(
                at.0,
                at.1.as_ptr(),
                radius,
                &self.filter,
                &mut distance,
                point.as_mut_ptr(),
                normal.as_mut_ptr(),
            );
        }
        distance
    }

    fn around(&mut self, at: (u32, [f32; 3]), radius: f32) -> usize {
        unsafe {
            (*self.query).findPolysAroundCircle(
                at.0,
                at.1.as_ptr(),
                radius,
                &self.filter,
                self.refs.as_mut_ptr(),
                self.parents.as_mut_ptr(),
                self.costs.as_mut_ptr(),
                &mut self.count,
                MOST as i32,
            );
        }
        self.count as usize
    }
}
