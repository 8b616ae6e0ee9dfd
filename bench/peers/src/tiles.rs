//! Group `tiles`: what happens to tiles while a game runs. The reference's tiles, taken apart into the polygons that
//! its builder takes; the same polygons to both.
//!
//! - **build**: from polygons to a tile that is ready to enter a mesh, with its bounding tree; ours checked besides.
//! - **add**: all tiles into an empty mesh, linked to their neighbours. What the first query in a tile of ours derives
//!   stands beside it.
//! - **load**: from a file's bytes to a mesh: ours checked to the last index, theirs copied and linked.

use crate::Options;
use crate::measure::{Effort, in_turns, seconds};
use crate::our_queries::mesh_of;
use crate::query::{large_solo, meshes};
use crate::recast::{DetourMesh, ok};
use crate::table::{Row, print_row};
use recastnavigation_sys as sys;
use std::hint::black_box;
use wayfare::mesh::{NavMesh, PreparedTile};
use wayfare::tile::{SourcePoly, TileData, TileSource, build_tile};

pub fn rows(options: &Options) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, mesh, _) in meshes(options).iter().chain(&large_solo(options)) {
        match compare(options, mesh) {
            Ok(found) => rows.extend(found.into_iter().map(|(what, row)| finish(row, format!("{name} tiles {what}")))),
            Err(e) => eprintln!("skipped: {name}: {e}"),
        }
    }
    rows
}

fn finish(row: Row, work: String) -> Row {
    let row = Row { group: "tiles", work, peer: "recastnavigation", ..row };
    print_row(&row);
    row
}

/// One tile of polygons as the reference's builder takes them.
struct Polygons {
    params: sys::dtNavMeshCreateParams,
    verts: Vec<u16>,
    polys: Vec<u16>,
    areas: Vec<u8>,
    flags: Vec<u16>,
    detail_meshes: Vec<u32>,
    detail_verts: Vec<f32>,
    detail_tris: Vec<u8>,
}

const CORNERS: usize = sys::DT_VERTS_PER_POLYGON as usize;

impl Polygons {
    /// SAFETY: `tile` is a tile of a mesh.
    unsafe fn of(tile: &sys::dtMeshTile) -> Self {
        // SAFETY: all pointers lie in the tile, with the lengths that its header tells; a zeroed struct of numbers and
        // pointers is valid.
        unsafe {
            let h = &*tile.header;
            let mut params: sys::dtNavMeshCreateParams = std::mem::zeroed();
            (params.bmin, params.bmax) = (h.bmin, h.bmax);
            (params.walkableHeight, params.walkableRadius, params.walkableClimb) =
                (h.walkableHeight, h.walkableRadius, h.walkableClimb);
            (params.tileX, params.tileY, params.tileLayer) = (h.x, h.y, h.layer);
            // Heights in steps as small as sixteen bits allow.
            let ch = ((h.bmax[1] - h.bmin[1]) / 60_000.0).max(1e-4);
            (params.cs, params.ch, params.buildBvTree) = (1.0 / h.bvQuantFactor, ch, true);
            let steps = [params.cs, params.ch, params.cs];
            let vert = |v: usize| *tile.verts.add(v * 3).cast::<[f32; 3]>();
            let voxel = |p: [f32; 3], k: usize| ((p[k] - h.bmin[k]) / steps[k]).round() as u16;
            let verts = (0..h.vertCount as usize).flat_map(|v| (0..3).map(move |k| voxel(vert(v), k))).collect();
            let mut own = Self {
                params,
                verts,
                polys: Vec::new(),
                areas: Vec::new(),
                flags: Vec::new(),
                detail_meshes: Vec::new(),
                detail_verts: Vec::new(),
                detail_tris: std::slice::from_raw_parts(tile.detailTris, h.detailTriCount as usize * 4).to_vec(),
            };
            for p in 0..h.polyCount as usize {
                let (poly, detail) = (&*tile.polys.add(p), &*tile.detailMeshes.add(p));
                let count = usize::from(poly.vertCount);
                let pad = std::iter::repeat_n(0xffff, CORNERS - count);
                own.polys.extend(poly.verts[..count].iter().copied().chain(pad.clone()));
                let neighbours = poly.neis[..count].iter().map(|&n| match n {
                    0 => 0xffff,
                    n if n & 0x8000 == 0 => n - 1,
                    // Directions by the voxels' numbers.
                    n => 0x8000 | [2, 1, 0, 3][usize::from(n & 0xff) / 2],
                });
                own.polys.extend(neighbours.chain(pad));
                own.areas.push(poly.areaAndtype & 0x3f);
                own.flags.push(poly.flags);
                let first = own.detail_verts.len() / 3;
                own.detail_verts.extend(poly.verts[..count].iter().flat_map(|&v| vert(usize::from(v))));
                let extra = std::slice::from_raw_parts(
                    tile.detailVerts.add(detail.vertBase as usize * 3),
                    usize::from(detail.vertCount) * 3,
                );
                own.detail_verts.extend(extra);
                let verts = count + usize::from(detail.vertCount);
                own.detail_meshes.extend([first as u32, verts as u32, detail.triBase, u32::from(detail.triCount)]);
            }
            own
        }
    }

    /// The bytes of the tile, by the reference's builder.
    fn build(&self) -> Result<TileBytes, String> {
        let mut params = self.params;
        (params.verts, params.vertCount) = (self.verts.as_ptr(), (self.verts.len() / 3) as i32);
        (params.polys, params.polyCount) = (self.polys.as_ptr(), self.areas.len() as i32);
        (params.polyAreas, params.polyFlags, params.nvp) = (self.areas.as_ptr(), self.flags.as_ptr(), CORNERS as i32);
        (params.detailMeshes, params.detailVerts) = (self.detail_meshes.as_ptr(), self.detail_verts.as_ptr());
        (params.detailVertsCount, params.detailTris) =
            ((self.detail_verts.len() / 3) as i32, self.detail_tris.as_ptr());
        params.detailTriCount = (self.detail_tris.len() / 4) as i32;
        let mut bytes = TileBytes { ptr: std::ptr::null_mut(), size: 0 };
        // SAFETY: every pointer in `params` outlives the call and has the length that goes with it.
        match unsafe { sys::dtCreateNavMeshData(&mut params, &mut bytes.ptr, &mut bytes.size) } {
            true => Ok(bytes),
            false => Err("dtCreateNavMeshData refuses the polygons".into()),
        }
    }
}

/// A tile's bytes, allocated by the reference.
struct TileBytes {
    ptr: *mut u8,
    size: i32,
}

impl Drop for TileBytes {
    fn drop(&mut self) {
        // SAFETY: allocated by the reference, and not handed over.
        unsafe { sys::dtFree(self.ptr.cast()) };
    }
}

/// Seconds to put all tiles into an empty mesh with the settings of another, on average over some such meshes; only
/// adding is timed. A tile that is in one of them is as good for the next: they do not last.
fn add_all(like: &DetourMesh, tiles: &[TileBytes], meshes: usize) -> Result<f64, String> {
    let empty = || {
        let mesh = DetourMesh::empty();
        // SAFETY: both meshes are alive.
        ok(unsafe { (*mesh.as_ptr()).init(&*(*like.as_ptr()).getParams()) }, "dtNavMesh::init").map(|()| mesh)
    };
    let all = (0..meshes).map(|_| empty()).collect::<Result<Vec<_>, _>>()?;
    let add = |mesh: &DetourMesh, tile: &TileBytes| {
        // SAFETY: the tiles outlive the mesh.
        unsafe { (*mesh.as_ptr()).addTile(tile.ptr, tile.size, 0, 0, std::ptr::null_mut()) }
    };
    let fill = |mesh| tiles.iter().map(|tile| add(mesh, tile)).fold(u32::MAX, |all, status| all & status);
    let (status, time) = seconds(|| all.iter().map(fill).fold(u32::MAX, |all, status| all & status));
    ok(status, "adding tiles")?;
    Ok(time / meshes as f64)
}

/// How often to do what takes `once` seconds before the clock is looked at again: that alone may take a microsecond.
fn passes(once: f64) -> usize {
    ((1e-3 / once) as usize).clamp(1, 32)
}

/// A tile by our builder, with its tree, since the reference's data has one.
fn build(like: &TileData, polys: &[SourcePoly]) -> Option<PreparedTile> {
    let source = TileSource {
        coord: like.coord(),
        agent_height: like.baked_for().height,
        agent_radius: like.baked_for().radius,
        agent_climb: like.baked_for().climb,
        verts: like.verts(),
        corners: like.corners(),
        polys,
        neighbours: like.neighbours(),
        details: like.details(),
        detail_verts: like.detail_verts(),
        detail_tris: like.detail_tris(),
        ..TileSource::default()
    };
    let tile = PreparedTile::new(build_tile(&source).ok()?);
    let _ = tile.tree();
    Some(tile)
}

fn compare(options: &Options, theirs: &DetourMesh) -> Result<Vec<(&'static str, Row)>, String> {
    let effort = Effort::new(options.quick);
    let mesh = mesh_of(theirs)?;
    // SAFETY: tiles of a mesh that is alive.
    let polygons: Vec<Polygons> = theirs.tiles().map(|tile| unsafe { Polygons::of(tile) }).collect();
    let bytes = polygons.iter().map(Polygons::build).collect::<Result<Vec<_>, _>>()?;
    let tiles: Vec<&TileData> = mesh.tiles().map(|tile| tile.data()).collect();
    let sources: Vec<Vec<SourcePoly>> = tiles
        .iter()
        .map(|tile| tile.polys().iter().map(|p| SourcePoly { count: p.count, flags: p.flags, area: p.area }).collect())
        .collect();
    let count = tiles.len() as f64;
    let row = |rounds: &crate::measure::Rounds, per: f64, unit: &'static str| Row {
        ours: rounds.of(0).median * per,
        theirs: rounds.of(1).median * per,
        unit,
        ratio: rounds.ratio(0, 1),
        ..Row::default()
    };

    let built = tiles.iter().zip(&sources).filter(|(tile, polys)| build(tile, polys).is_some()).count();
    let mut build_all = || tiles.iter().zip(&sources).for_each(|(t, p)| _ = black_box(build(t, p)));
    let peer_builds_all = || polygons.iter().for_each(|p| _ = black_box(p.build().is_ok()));
    let often = passes(seconds(&mut build_all).1);
    let mut ours = || seconds(|| (0..often).for_each(|_| build_all())).1 / often as f64;
    let mut peer = || seconds(|| (0..often).for_each(|_| peer_builds_all())).1 / often as f64;
    let building = in_turns(effort, &mut [&mut ours, &mut peer]);
    let building = Row { agrees: Some(built == tiles.len()), ..row(&building, 1e6 / count, "us") };

    let prepare = || tiles.iter().map(|&tile| PreparedTile::new(tile.clone())).collect::<Vec<_>>();
    let fill = |mut filled: NavMesh, tiles: Vec<PreparedTile>| {
        let added = tiles.into_iter().map(|tile| filled.add_prepared(tile)).filter(Result::is_ok).count();
        (filled, added)
    };
    let often = passes(add_all(theirs, &bytes, 1)?);
    let mut ours = || {
        let prepared: Vec<_> = (0..often).map(|_| (NavMesh::new(mesh.layout()), prepare())).collect();
        let fill_all = || prepared.into_iter().map(|(empty, tiles)| fill(empty, tiles)).collect::<Vec<_>>();
        seconds(fill_all).1 / often as f64
    };
    let mut peer = || add_all(theirs, &bytes, often).unwrap_or(f64::NAN);
    let adding = in_turns(effort, &mut [&mut ours, &mut peer]);
    let same = fill(NavMesh::new(mesh.layout()), prepare()).0.to_bytes() == mesh.to_bytes();
    let derive = || {
        let tiles = prepare();
        seconds(|| tiles.iter().for_each(PreparedTile::warm)).1
    };
    let first = derive().min(derive()).min(derive()) * 1e6 / count;
    let note = format!("{first:.2} us more by the first query in a tile");
    let adding = Row { agrees: Some(same), note, ..row(&adding, 1e6 / count, "us") };

    let file = mesh.to_bytes();
    let same = NavMesh::from_bytes(&file).is_ok_and(|read| read.to_bytes() == file);
    let often = passes(seconds(|| NavMesh::from_bytes(&file).is_ok()).1);
    // Throwing away is not part of loading, on either side.
    let load = || (0..often).filter_map(|_| NavMesh::from_bytes(&file).ok()).collect::<Vec<_>>();
    let mut ours = || seconds(load).1 / often as f64;
    let mut peer = || {
        // SAFETY: as many bytes as were allocated.
        let copy = |b: &TileBytes| unsafe { std::slice::from_raw_parts(b.ptr, b.size as usize).to_vec() };
        let copies = || (0..often).flat_map(|_| bytes.iter().map(copy)).collect::<Vec<_>>();
        let copying = seconds(copies).1;
        copying / often as f64 + add_all(theirs, &bytes, often).unwrap_or(f64::NAN)
    };
    let loading = in_turns(effort, &mut [&mut ours, &mut peer]);
    let speed = file.len() as f64 / loading.of(0).median * 1e-9;
    let note = format!("{:.2} GB/s of our {} bytes", speed, file.len());
    let loading = Row { agrees: Some(same), note, ..row(&loading, 1e6, "us") };
    Ok(vec![("build", building), ("add", adding), ("load", loading)])
}
