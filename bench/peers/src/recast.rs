//! The C++ reference through `recastnavigation-sys`: the bake that the Recast demo does, solo and tiled, and a handle
//! of the finished Detour mesh.

use crate::job::{Bins, Job, Laps};
use recastnavigation_sys as sys;
use wayfare::bake::{BakeStats, Stage, StageTimes};

/// Something that the reference allocated, freed by its own function.
pub struct Owned<T> {
    pub ptr: *mut T,
    pub free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    pub fn new(alloc: unsafe extern "C" fn() -> *mut T, free: unsafe extern "C" fn(*mut T)) -> Self {
        // SAFETY: the reference's allocation functions have no preconditions.
        Self { ptr: unsafe { alloc() }, free }
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `ptr` came from the matching allocation function and is freed once.
        unsafe { (self.free)(self.ptr) };
    }
}

/// A context that neither logs nor takes times.
pub struct Silent(pub *mut sys::rcContext);

impl Silent {
    pub fn new() -> Self {
        // SAFETY: no preconditions.
        Self(unsafe { sys::CreateContext(false) })
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        // SAFETY: made by `CreateContext`.
        unsafe { sys::DeleteContext(self.0) };
    }
}

/// A Detour mesh with its tiles.
pub struct DetourMesh(Owned<sys::dtNavMesh>);

/// What is added to a Detour mesh: one tile of polygons and detail, as Recast makes them.
pub struct TileInput<'a> {
    pub coord: [i32; 2],
    pub min: [f32; 3],
    pub max: [f32; 3],
    pub verts: &'a [u16],
    pub polys: &'a [u16],
    pub areas: &'a [u8],
    pub detail_meshes: &'a [u32],
    pub detail_verts: &'a [f32],
    pub detail_tris: &'a [u8],
}

impl DetourMesh {
    /// A mesh that is not set up.
    pub fn empty() -> Self {
        Self(Owned::new(sys::dtAllocNavMesh, sys::dtFreeNavMesh))
    }

    /// An empty mesh for the tiles of `job`.
    pub fn for_job(job: &Job) -> Result<Self, String> {
        if job.tiled() {
            let [columns, rows] = job.tiles();
            return Self::for_tiles(job, (columns * rows) as u32);
        }
        Ok(Self::empty())
    }

    /// An empty mesh for so many tiles.
    pub fn for_tiles(job: &Job, most: u32) -> Result<Self, String> {
        let mesh = Self::empty();
        let tile_bits = most.next_power_of_two().trailing_zeros().min(14);
        let side = job.vx.tile_size_vx as f32 * job.vx.cell_size;
        let params = sys::dtNavMeshParams {
            orig: job.min,
            tileWidth: side,
            tileHeight: side,
            maxTiles: 1 << tile_bits,
            maxPolys: 1 << (22 - tile_bits),
        };
        // SAFETY: a fresh mesh.
        ok(unsafe { (*mesh.0.ptr).init(&params) }, "dtNavMesh::init").map(|()| mesh)
    }

    /// Makes the bytes of a tile and adds them.
    pub fn add(&mut self, job: &Job, tile: &TileInput<'_>) -> Result<(), String> {
        let flags = vec![1u16; tile.areas.len()];
        let mut params: sys::dtNavMeshCreateParams = unsafe { std::mem::zeroed() };
        params.verts = tile.verts.as_ptr();
        params.vertCount = (tile.verts.len() / 3) as i32;
        params.polys = tile.polys.as_ptr();
        params.polyAreas = tile.areas.as_ptr();
        params.polyFlags = flags.as_ptr();
        params.polyCount = tile.areas.len() as i32;
        params.nvp = job.vx.verts_per_poly as i32;
        params.detailMeshes = tile.detail_meshes.as_ptr();
        params.detailVerts = tile.detail_verts.as_ptr();
        params.detailVertsCount = (tile.detail_verts.len() / 3) as i32;
        params.detailTris = tile.detail_tris.as_ptr();
        params.detailTriCount = (tile.detail_tris.len() / 4) as i32;
        params.walkableHeight = job.settings.agent.height;
        params.walkableRadius = job.settings.agent.radius;
        params.walkableClimb = job.settings.agent.max_climb;
        [params.tileX, params.tileY] = tile.coord;
        params.bmin = tile.min;
        params.bmax = tile.max;
        params.cs = job.vx.cell_size;
        params.ch = job.vx.cell_height;
        params.buildBvTree = true;
        let (mut data, mut size) = (std::ptr::null_mut(), 0);
        // SAFETY: every pointer in `params` outlives the call and has the length that goes with it.
        if !unsafe { sys::dtCreateNavMeshData(&mut params, &mut data, &mut size) } {
            return Err("dtCreateNavMeshData refuses the polygons (too many vertices?)".into());
        }
        let flags = sys::dtTileFlags_DT_TILE_FREE_DATA as i32;
        // SAFETY: the mesh takes over `data`.
        let status = unsafe {
            match job.tiled() {
                true => (*self.0.ptr).addTile(data, size, flags, 0, std::ptr::null_mut()),
                false => (*self.0.ptr).init1(data, size, flags),
            }
        };
        ok(status, "adding a tile")
    }

    pub fn as_ptr(&self) -> *mut sys::dtNavMesh {
        self.0.ptr
    }

    /// The tiles that hold something.
    pub fn tiles(&self) -> impl Iterator<Item = &sys::dtMeshTile> {
        // SAFETY: `getTile` gives pointers into the mesh, which lives as long as `self`.
        let mesh = unsafe { &*self.0.ptr };
        (0..unsafe { mesh.getMaxTiles() }).filter_map(move |i| {
            let tile = unsafe { &*mesh.getTile(i) };
            (!tile.header.is_null()).then_some(tile)
        })
    }
}

pub fn ok(status: u32, what: &str) -> Result<(), String> {
    if status & (1 << 30) != 0 { Ok(()) } else { Err(format!("{what}: status {status:#x}")) }
}

fn done(result: bool, what: &str) -> Result<(), String> {
    if result { Ok(()) } else { Err(format!("{what} failed")) }
}

/// The whole bake, from the triangles to the finished Detour mesh. With `stats`, products are counted on the way
/// (slower).
pub fn bake(
    job: &Job,
    times: Option<&mut StageTimes>,
    mut stats: Option<&mut BakeStats>,
) -> Result<DetourMesh, String> {
    let ctx = Silent::new();
    let mut laps = Laps::new(times);
    let areas = mark_walkable(job);
    let mut mesh = DetourMesh::for_job(job)?;
    if !job.tiled() {
        let part = Part { coord: [0, 0], size: job.grid, border: 0, min: job.min, max: job.max };
        bake_part(&ctx, job, &part, &job.tris, &areas, &mut laps, &mut stats, &mut mesh)?;
        return Ok(mesh);
    }
    let bins = Bins::new(job);
    laps.end(Stage::Rasterize);
    for_each_tile(job, &bins, &areas, |part, (tris, areas)| {
        bake_part(&ctx, job, part, tris, areas, &mut laps, &mut stats, &mut mesh)
    })?;
    Ok(mesh)
}

/// Calls `visit` with each tile under which there are triangles, row by row: what it covers, its triangles, their
/// areas.
pub fn for_each_tile(
    job: &Job,
    bins: &Bins,
    areas: &[u8],
    mut visit: impl FnMut(&Part, (&[i32], &[u8])) -> Result<(), String>,
) -> Result<(), String> {
    let [columns, rows] = job.tiles();
    let (mut tris, mut tri_areas) = (Vec::new(), Vec::new());
    for (z, x) in (0..rows).flat_map(|z| (0..columns).map(move |x| (z, x))) {
        tris.clear();
        tri_areas.clear();
        for &t in bins.of((z * columns + x) as usize) {
            tris.extend_from_slice(&job.tris[t as usize * 3..t as usize * 3 + 3]);
            tri_areas.push(areas[t as usize]);
        }
        if !tri_areas.is_empty() {
            visit(&tile_part(job, x, z), (&tris, &tri_areas))?;
        }
    }
    Ok(())
}

/// The area of each triangle, by its slope.
pub fn mark_walkable(job: &Job) -> Vec<u8> {
    let ctx = Silent::new();
    let mut areas = vec![0u8; job.tris.len() / 3];
    // SAFETY: lengths are those of the vectors.
    unsafe {
        sys::rcMarkWalkableTriangles(
            ctx.0,
            job.settings.agent.max_slope.to_degrees(),
            job.verts.as_ptr(),
            (job.verts.len() / 3) as i32,
            job.tris.as_ptr(),
            areas.len() as i32,
            areas.as_mut_ptr(),
        );
    }
    areas
}

/// What one heightfield covers: border included.
pub struct Part {
    pub coord: [i32; 2],
    pub size: [i32; 2],
    pub border: i32,
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A tile with its border, placed as the demo places it.
pub fn tile_part(job: &Job, x: i32, z: i32) -> Part {
    let (size, border, cs) = (job.vx.tile_size_vx as i32, job.vx.border_vx as i32, job.vx.cell_size);
    let side = size as f32 * cs;
    let low = |origin: f32, at: i32| origin + at as f32 * side - border as f32 * cs;
    let high = |origin: f32, at: i32| origin + (at + 1) as f32 * side + border as f32 * cs;
    Part {
        coord: [x, z],
        size: [size + 2 * border; 2],
        border,
        min: [low(job.min[0], x), job.min[1], low(job.min[2], z)],
        max: [high(job.min[0], x), job.max[1], high(job.min[2], z)],
    }
}

/// The open ground of a part, eroded.
pub type OpenField = Owned<sys::rcCompactHeightfield>;

/// From triangles and their areas to eroded open ground.
pub fn open_field(ctx: &Silent, job: &Job, part: &Part, tris: (&[i32], &[u8])) -> Result<OpenField, String> {
    open_field_counted(ctx, job, part, tris, (&mut Laps::new(None), &mut None))
}

fn open_field_counted(
    ctx: &Silent,
    job: &Job,
    part: &Part,
    (tris, areas): (&[i32], &[u8]),
    (laps, stats): (&mut Laps<'_>, &mut Option<&mut BakeStats>),
) -> Result<OpenField, String> {
    let (vx, ctx) = (&job.vx, ctx.0);
    let (height, climb) = (vx.agent_height_vx as i32, vx.agent_climb_vx as i32);
    // SAFETY (all blocks below): objects are allocated by the reference, alive until the end of this function, and
    // passed as the reference's documentation asks; slices have the lengths that are passed with them.
    let solid = Owned::new(sys::rcAllocHeightfield, sys::rcFreeHeightField);
    unsafe {
        done(
            sys::rcCreateHeightfield(
                ctx,
                solid.ptr,
                part.size[0],
                part.size[1],
                part.min.as_ptr(),
                part.max.as_ptr(),
                vx.cell_size,
                vx.cell_height,
            ),
            "rcCreateHeightfield",
        )?;
        done(
            sys::rcRasterizeTriangles(
                ctx,
                job.verts.as_ptr(),
                (job.verts.len() / 3) as i32,
                tris.as_ptr(),
                areas.as_ptr(),
                areas.len() as i32,
                solid.ptr,
                climb,
            ),
            "rcRasterizeTriangles",
        )?;
        laps.end(Stage::Rasterize);
        sys::rcFilterLowHangingWalkableObstacles(ctx, climb, solid.ptr);
        sys::rcFilterLedgeSpans(ctx, height, climb, solid.ptr);
        sys::rcFilterWalkableLowHeightSpans(ctx, height, solid.ptr);
        laps.end(Stage::Filter);
    }
    if let Some(stats) = stats {
        count_solid(unsafe { &*solid.ptr }, stats);
    }
    let open = Owned::new(sys::rcAllocCompactHeightfield, sys::rcFreeCompactHeightfield);
    unsafe {
        done(sys::rcBuildCompactHeightfield(ctx, height, climb, solid.ptr, open.ptr), "rcBuildCompactHeightfield")?;
        drop(solid);
        laps.end(Stage::Compact);
        done(sys::rcErodeWalkableArea(ctx, vx.agent_radius_vx as i32, open.ptr), "rcErodeWalkableArea")?;
        laps.end(Stage::Erode);
    }
    Ok(open)
}

#[allow(clippy::too_many_arguments)]
fn bake_part(
    ctx: &Silent,
    job: &Job,
    part: &Part,
    tris: &[i32],
    areas: &[u8],
    laps: &mut Laps<'_>,
    stats: &mut Option<&mut BakeStats>,
    mesh: &mut DetourMesh,
) -> Result<(), String> {
    let open = open_field_counted(ctx, job, part, (tris, areas), (laps, stats))?;
    let (vx, ctx) = (&job.vx, ctx.0);
    // SAFETY (all blocks below): as above.
    unsafe {
        done(sys::rcBuildDistanceField(ctx, open.ptr), "rcBuildDistanceField")?;
        laps.end(Stage::Distance);
        done(
            sys::rcBuildRegions(ctx, open.ptr, part.border, vx.min_region_cells as i32, vx.merge_region_cells as i32),
            "rcBuildRegions",
        )?;
        laps.end(Stage::Regions);
    }
    if let Some(stats) = stats {
        count_open(unsafe { &*open.ptr }, stats);
    }
    let contours = Owned::new(sys::rcAllocContourSet, sys::rcFreeContourSet);
    let polys = Owned::new(sys::rcAllocPolyMesh, sys::rcFreePolyMesh);
    let detail = Owned::new(sys::rcAllocPolyMeshDetail, sys::rcFreePolyMeshDetail);
    unsafe {
        let tessellate = sys::rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES as i32;
        let edge_len = vx.edge_max_len_vx as i32;
        done(
            sys::rcBuildContours(ctx, open.ptr, vx.edge_max_error, edge_len, contours.ptr, tessellate),
            "rcBuildContours",
        )?;
        laps.end(Stage::Contours);
        if let Some(stats) = stats {
            stats.contours += (*contours.ptr).nconts as u64;
        }
        if (*contours.ptr).nconts == 0 {
            return Ok(());
        }
        done(sys::rcBuildPolyMesh(ctx, contours.ptr, vx.verts_per_poly as i32, polys.ptr), "rcBuildPolyMesh")?;
        laps.end(Stage::Polygons);
        done(
            sys::rcBuildPolyMeshDetail(
                ctx,
                polys.ptr,
                open.ptr,
                vx.detail_sample_dist,
                vx.detail_sample_max_error,
                detail.ptr,
            ),
            "rcBuildPolyMeshDetail",
        )?;
        drop((open, contours));
        laps.end(Stage::Detail);
        let (p, d) = (&*polys.ptr, &*detail.ptr);
        if let Some(stats) = stats {
            stats.poly_verts += p.nverts as u64;
            stats.polys += p.npolys as u64;
            stats.detail_verts += d.nverts as u64;
            stats.detail_tris += d.ntris as u64;
        }
        if p.npolys > 0 {
            let tile = TileInput {
                coord: part.coord,
                min: p.bmin,
                max: p.bmax,
                verts: slice(p.verts, p.nverts as usize * 3),
                polys: slice(p.polys, (p.npolys * p.nvp * 2) as usize),
                areas: slice(p.areas, p.npolys as usize),
                detail_meshes: slice(d.meshes, d.nmeshes as usize * 4),
                detail_verts: slice(d.verts, d.nverts as usize * 3),
                detail_tris: slice(d.tris, d.ntris as usize * 4),
            };
            mesh.add(job, &tile)?;
        }
    }
    drop((polys, detail));
    laps.end(Stage::Tile);
    Ok(())
}

/// SAFETY: `ptr` points to `len` values that live as long as the result is used; it may be null if `len` is 0.
unsafe fn slice<'a, T>(ptr: *const T, len: usize) -> &'a [T] {
    if len == 0 { &[] } else { unsafe { std::slice::from_raw_parts(ptr, len) } }
}

fn count_solid(field: &sys::rcHeightfield, stats: &mut BakeStats) {
    for column in 0..(field.width * field.height) as usize {
        // SAFETY: there is a list of spans for every column, and it ends with a null pointer.
        let mut span = unsafe { *field.spans.add(column) };
        while !span.is_null() {
            let s = unsafe { &*span };
            stats.spans += 1;
            stats.walkable_spans += u64::from(s.area() != 0);
            span = s.next;
        }
    }
}

fn count_open(field: &sys::rcCompactHeightfield, stats: &mut BakeStats) {
    // SAFETY: there is an area for each span.
    let areas = unsafe { slice(field.areas, field.spanCount as usize) };
    stats.eroded_spans += areas.iter().filter(|&&a| a != 0).count() as u64;
    stats.max_distance = stats.max_distance.max(field.maxDistance);
    stats.regions += u64::from(field.maxRegions);
}
