//! The C++ reference's queries, and its meshes as the demo's `MSET` files, so that both sides load the same bytes.

use crate::query::{Engine, Errand, NODES};
use crate::recast::{DetourMesh, ok};
use recastnavigation_sys as sys;

const MAGIC: u32 = u32::from_be_bytes(*b"MSET");

impl DetourMesh {
    /// Reads the demo's file of a whole mesh: a header, then every tile with its reference and length.
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
    corridors: Vec<([f32; 3], [f32; 3], Vec<u32>)>,
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
            corridors: Vec::new(),
        })
    }

    /// The end and the polygons of a corridor that was kept.
    pub fn corridor(&self, i: usize) -> ([f32; 3], &[u32]) {
        (self.corridors[i].1, &self.corridors[i].2)
    }

    /// The caller's number of an off-mesh connection; `None` for a polygon on the ground.
    pub fn connection(&self, poly: u32) -> Option<u32> {
        // SAFETY: the mesh is alive; what it gives out lies in it.
        unsafe { (*self.mesh.as_ptr()).getOffMeshConnectionByRef(poly).as_ref().map(|connection| connection.userId) }
    }

    /// Corners of a polygon on the plane, and which of its edges are walls.
    fn outline(&self, poly: u32) -> Vec<([f32; 2], bool)> {
        // SAFETY: `poly` comes from this mesh.
        unsafe {
            let (mut tile, mut p) = (std::ptr::null(), std::ptr::null());
            (*self.mesh.as_ptr()).getTileAndPolyByRefUnsafe(poly, &mut tile, &mut p);
            let corner = |v: u16| (*tile).verts.add(usize::from(v) * 3);
            let corners = (*p).verts.iter().zip(&(*p).neis).take(usize::from((*p).vertCount));
            corners.map(|(&v, &neighbour)| ([*corner(v), *corner(v).add(2)], neighbour == 0)).collect()
        }
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

fn pull(
    query: *const sys::dtNavMeshQuery,
    start: [f32; 3],
    end: [f32; 3],
    polys: &[u32],
    points: &mut [[f32; 3]],
) -> i32 {
    let mut count = 0;
    // SAFETY: the query is alive, and buffers have the lengths that are passed with them.
    unsafe {
        (*query).findStraightPath(
            start.as_ptr(),
            end.as_ptr(),
            polys.as_ptr(),
            polys.len() as i32,
            points.as_mut_ptr().cast(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &mut count,
            points.len() as i32,
            0,
        );
    }
    count
}

// SAFETY (all blocks below): the query and its mesh are alive, points are three floats, and buffers have the lengths
// that are passed with them.
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

    fn keep(&mut self, errand: &Errand<u32>, polys: &[u32]) {
        self.corridors.push((errand.start.1, errand.end.1, polys.to_vec()));
    }

    fn string_pull(&mut self, corridor: usize) {
        let (start, end, polys) = &self.corridors[corridor];
        self.point_count = pull(self.query, *start, *end, polys, &mut self.points);
    }

    fn string_pull_last(&mut self, errand: &Errand<u32>) {
        let polys = &self.refs[..self.count as usize];
        self.point_count = pull(self.query, errand.start.1, errand.end.1, polys, &mut self.points);
        // A partial path ends at the height of the goal, in the air: only the ground below can be compared.
        if let (Some(&last), Some(end)) = (polys.last(), self.points.get_mut(self.point_count as usize - 1)) {
            // SAFETY: the polygon is of this mesh.
            unsafe { (*self.query).getPolyHeight(last, end.as_ptr(), &mut end[1]) };
        }
    }

    fn points(&self) -> Vec<[f32; 3]> {
        self.points[..self.point_count as usize].to_vec()
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

    fn is_ray_in_doubt(&self, start: [f32; 3], end: [f32; 3]) -> bool {
        let side =
            |[p, q]: [[f32; 2]; 2], at: [f32; 2]| (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]);
        let ray = [[start[0], start[2]], [end[0], end[2]]];
        self.refs[..self.count as usize].iter().any(|&poly| {
            let outline = self.outline(poly);
            (0..outline.len()).any(|i| {
                let [(a, wall), (b, next_wall), (c, _)] = [0, 1, 2].map(|k| outline[(i + k) % outline.len()]);
                let in_line = side([a, c], b).abs() <= 1e-3 * (c[0] - a[0]).hypot(c[1] - a[1]);
                in_line && wall != next_wall && side(ray, a) * side(ray, c) <= 0.0
            })
        })
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
