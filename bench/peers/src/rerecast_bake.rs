//! The bake of `rerecast`, the Rust port of Recast, step by step; up to its detail mesh: what comes after is not part
//! of it.

use crate::job::{Bins, Job, Laps};
use crate::recast::{DetourMesh, Part, TileInput, tile_part};
use rerecast::{Aabb3d, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, PolygonNavmesh, TriMesh};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wayfare::bake::{BakeStats, Stage, StageTimes};

/// The polygons and their detail, by tile.
#[derive(Default)]
pub struct Baked {
    tiles: Vec<([i32; 2], PolygonNavmesh, DetailNavmesh)>,
    /// Tiles that it gave up, and why the last one: they are left out, the others go on.
    pub given_up: (usize, String),
}

/// The input in its own form.
pub fn input(mesh: &wayfare::input::TriMesh) -> TriMesh {
    TriMesh {
        vertices: mesh.verts().iter().map(|v| v.to_array().into()).collect(),
        indices: mesh.tris().iter().map(|&t| t.into()).collect(),
        area_types: vec![rerecast::AreaType::NOT_WALKABLE; mesh.tris().len()],
    }
}

/// The whole bake. `input` is a copy of the job's, which the bake may mark.
pub fn bake(
    job: &Job,
    input: &mut TriMesh,
    times: Option<&mut StageTimes>,
    mut stats: Option<&mut BakeStats>,
) -> Result<Baked, String> {
    let mut laps = Laps::new(times);
    input.mark_walkable_triangles(job.settings.agent.max_slope);
    let mut baked = Baked::default();
    if !job.tiled() {
        let part = Part { coord: [0, 0], size: job.grid, border: 0, min: job.min, max: job.max };
        bake_part(job, &part, (input, None), &mut laps, &mut stats, &mut baked)?;
        return Ok(baked);
    }
    let bins = Bins::new(job);
    laps.end(Stage::Rasterize);
    let [columns, rows] = job.tiles();
    for z in 0..rows {
        for x in 0..columns {
            let tris = bins.of((z * columns + x) as usize);
            if !tris.is_empty() {
                let part = tile_part(job, x, z);
                // It panics on some tiles; they are given up like those for which it says why.
                let bake = || bake_part(job, &part, (input, Some(tris)), &mut laps, &mut stats, &mut baked);
                let done = catch_unwind(AssertUnwindSafe(bake)).unwrap_or_else(|_| Err("it panics".into()));
                if let Err(e) = done {
                    baked.given_up = (baked.given_up.0 + 1, e);
                }
            }
        }
    }
    Ok(baked)
}

fn bake_part(
    job: &Job,
    part: &Part,
    (input, tris): (&TriMesh, Option<&[u32]>),
    laps: &mut Laps<'_>,
    stats: &mut Option<&mut BakeStats>,
    baked: &mut Baked,
) -> Result<(), String> {
    fn text(error: impl std::fmt::Display) -> String {
        error.to_string()
    }
    let vx = &job.vx;
    let small = |value: u32| u16::try_from(value).map_err(|_| format!("{value} does not fit its 16 bits"));
    let (height, climb) = (small(vx.agent_height_vx)?, small(vx.agent_climb_vx)?);
    let mut solid = HeightfieldBuilder {
        aabb: Aabb3d { min: part.min.into(), max: part.max.into() },
        cell_size: vx.cell_size,
        cell_height: vx.cell_height,
    }
    .build()
    .map_err(text)?;
    match tris {
        None => solid.rasterize_triangles(input, climb).map_err(text)?,
        Some(tris) => {
            for &t in tris {
                let [a, b, c] = input.indices[t as usize].to_array().map(|v| input.vertices[v as usize]);
                solid.rasterize_triangle([a, b, c], input.area_types[t as usize], climb).map_err(text)?;
            }
        }
    }
    laps.end(Stage::Rasterize);
    solid.filter_low_hanging_walkable_obstacles(climb);
    solid.filter_ledge_spans(height, climb);
    solid.filter_walkable_low_height_spans(height);
    laps.end(Stage::Filter);
    if let Some(stats) = stats {
        stats.spans += solid.allocated_spans.len() as u64;
        stats.walkable_spans += solid.allocated_spans.values().filter(|s| s.area.is_walkable()).count() as u64;
    }
    let mut open = solid.into_compact(height, climb).map_err(text)?;
    laps.end(Stage::Compact);
    open.erode_walkable_area(small(vx.agent_radius_vx)?);
    laps.end(Stage::Erode);
    open.build_distance_field();
    laps.end(Stage::Distance);
    open.build_regions(part.border as u16, small(vx.min_region_cells)?, small(vx.merge_region_cells)?).map_err(text)?;
    laps.end(Stage::Regions);
    if let Some(stats) = stats {
        stats.eroded_spans += open.areas.iter().filter(|a| a.is_walkable()).count() as u64;
        stats.max_distance = stats.max_distance.max(open.max_distance);
    }
    let contours = open.build_contours(
        vx.edge_max_error,
        small(vx.edge_max_len_vx)?,
        BuildContoursFlags::TESSELLATE_SOLID_WALL_EDGES,
    );
    laps.end(Stage::Contours);
    if let Some(stats) = stats {
        stats.contours += contours.contours.len() as u64;
    }
    if contours.contours.is_empty() {
        return Ok(());
    }
    let polys = contours.into_polygon_mesh(small(vx.verts_per_poly)?).map_err(text)?;
    laps.end(Stage::Polygons);
    let detail = DetailNavmesh::new(&polys, &open, vx.detail_sample_dist, vx.detail_sample_max_error).map_err(text)?;
    drop(open);
    laps.end(Stage::Detail);
    if let Some(stats) = stats {
        stats.poly_verts += polys.vertices.len() as u64;
        stats.polys += polys.polygon_count() as u64;
        stats.detail_verts += detail.vertices.len() as u64;
        stats.detail_tris += detail.triangles.len() as u64;
    }
    baked.tiles.push((part.coord, polys, detail));
    Ok(())
}

impl Baked {
    /// The same polygons as a Detour mesh, so that they can be compared; not measured.
    pub fn to_detour(&self, job: &Job) -> Result<DetourMesh, String> {
        let mut mesh = DetourMesh::for_job(job)?;
        for (coord, polys, detail) in &self.tiles {
            let nvp = usize::from(polys.max_vertices_per_polygon);
            let verts: Vec<u16> = polys.vertices.iter().flat_map(|v| v.to_array()).collect();
            let both = polys.polygons.chunks_exact(nvp).zip(polys.polygon_neighbors.chunks_exact(nvp));
            let corners: Vec<u16> = both.flat_map(|(p, n)| p.iter().chain(n).copied()).collect();
            let meshes: Vec<u32> = detail
                .meshes
                .iter()
                .flat_map(|m| [m.base_vertex_index, m.vertex_count, m.base_triangle_index, m.triangle_count])
                .collect();
            let detail_verts: Vec<f32> = detail.vertices.iter().flat_map(|v| v.to_array()).collect();
            let with_flags = detail.triangles.iter().zip(&detail.triangle_flags);
            let tris: Vec<u8> = with_flags.flat_map(|(t, &f)| [t[0], t[1], t[2], f]).collect();
            if polys.polygon_count() == 0 {
                continue;
            }
            mesh.add(
                job,
                &TileInput {
                    coord: *coord,
                    min: polys.aabb.min.into(),
                    max: polys.aabb.max.into(),
                    verts: &verts,
                    polys: &corners,
                    areas: &vec![1; polys.polygon_count()],
                    detail_meshes: &meshes,
                    detail_verts: &detail_verts,
                    detail_tris: &tris,
                },
            )?;
        }
        Ok(mesh)
    }
}
