//! `waymark`, a Rust port of Detour, on the same bytes as the others: the nearest polygon only. It loses the links of
//! the meshes that it reads, so what walks along them panics (paths) or ends in the first polygon; and it reads meshes
//! of one tile only.

use crate::recast::DetourMesh;
use waymark::{NavMesh, NavMeshParams, NavMeshQuery, QueryFilter};

/// Reads the one tile of a mesh.
pub fn load(mesh: &DetourMesh) -> Result<NavMesh, String> {
    let tiles: Vec<_> = mesh.tiles().collect();
    let [tile] = tiles[..] else { return Err("more than one tile".into()) };
    // SAFETY: the tile's bytes live as long as the mesh.
    let mut bytes = unsafe { std::slice::from_raw_parts(tile.data, tile.dataSize as usize) }.to_vec();
    // It takes Detour's magic number for the other byte order; nothing else is.
    bytes[..4].reverse();
    // SAFETY: the header lives in the tile.
    let header = unsafe { &*tile.header };
    let mut params = NavMeshParams::default();
    params.origin = header.bmin;
    (params.tile_width, params.tile_height) = (header.bmax[0] - header.bmin[0], header.bmax[2] - header.bmin[2]);
    (params.max_tiles, params.max_polys_per_tile) = (1, header.polyCount);
    let mut mesh = NavMesh::new(params).map_err(|e| e.to_string())?;
    mesh.add_tile(&bytes, 0, None).map_err(|e| e.to_string())?;
    Ok(mesh)
}

/// The nearest point of the mesh, by a query that is made once.
pub fn nearest(mesh: &NavMesh, half_extents: [f32; 3]) -> impl Fn([f32; 3]) -> Option<[f32; 3]> + '_ {
    let (query, filter) = (NavMeshQuery::new(mesh), QueryFilter::default());
    move |point| {
        let found = query.find_nearest_poly(point.into(), half_extents.into(), &filter).ok()?;
        (found.0.id() != 0).then(|| found.1.to_array())
    }
}
