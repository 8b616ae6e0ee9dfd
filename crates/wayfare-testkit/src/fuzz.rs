//! What the fuzz targets under `fuzz/` check, as ordinary functions: inputs that they found run through these in tests.

mod blocks;
mod checkpoint;
mod crowd;
mod detour;
mod grid;
mod hulls;
mod obstacles;
mod operations;
mod states;

pub use blocks::blocks;
pub use checkpoint::checkpoint;
pub use crowd::crowd;
pub use detour::detour;
pub use grid::grid;
pub use hulls::hulls;
pub use obstacles::{obstacles, play};
pub use operations::operations;
pub use states::{states, stored_states};

use crate::seal::seal;
use wayfare::Vec3;
use wayfare::bake::{ExplainMap, TilePlan, bake_tiles, explain_level, find_links};
use wayfare::context::Context;
use wayfare::format::WayFile;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, Filters, LinkSettings, Partition, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;

/// Largest level that is tried, in cells per side: larger ones only take longer.
const MOST_CELLS: f32 = 300.0;

/// Bakes triangles and settings made from `data`.
///
/// # Panics
/// If the mesh that comes out has a violation or cannot be read back.
pub fn bake(data: &[u8]) {
    let Some((mesh, settings)) = level(data) else { return };
    let Ok((baked, _)) = bake_tiles(&mesh, &settings, &Context::default()) else { return };
    let nav = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap_or_else(|e| panic!("a baked tile is refused: {e}"));
    let violations = nav.check();
    assert!(violations.is_empty(), "{} violations, first {:?}, with {settings:?}", violations.len(), violations[0]);
    let whole = nav.to_bytes();
    let again = NavMesh::from_bytes(&whole).unwrap_or_else(|e| panic!("our own bytes are refused: {e}"));
    assert!(again.to_bytes() == whole, "read and written again, the bytes differ");
}

/// Reads `data` as a record of reasons; then makes a level of it as [`bake`] does, records its reasons, and finds its
/// links.
///
/// # Panics
/// If what is recorded cannot be read back, or a link is none.
pub fn explain(data: &[u8]) {
    if let Ok((map, mark)) = ExplainMap::from_bytes(data) {
        assert!(ExplainMap::from_bytes(&map.to_bytes(mark)) == Ok((map, mark)), "read and written again, it differs");
    }
    let Some((mesh, settings)) = level(data) else { return };
    let Ok(plan) = TilePlan::new(&mesh, &settings) else { return };
    let Ok(map) = explain_level(&mesh, &plan, &Context::default()) else { return };
    for &p in mesh.verts().iter().filter(|p| p.is_finite()) {
        let told = map.at(p);
        assert!(told.is_some_and(|told| !told.to_string().is_empty()), "nothing is said of {p}");
    }
    assert!(ExplainMap::from_bytes(&map.to_bytes(7)) == Ok((map, 7)), "the record differs after reading");
    let Ok((baked, _)) = bake_tiles(&mesh, &settings, &Context::default()) else { return };
    let tiles: Vec<_> = baked.tiles.iter().collect();
    // Links of a small agent's reach: those of a giant only take longer.
    let small = AgentSettings { height: settings.agent.height.min(1.0), radius: 0.3, ..settings.agent };
    let links = find_links(&mesh, &plan, &tiles, &LinkSettings::for_agent(&small), &Context::default());
    let links = links.unwrap_or_else(|e| panic!("links of a level that bakes: {e}"));
    for link in &links {
        assert!(link.id > 0 && link.start.is_finite() && link.end.is_finite(), "{link:?}");
    }
}

/// Triangles and settings made from `data`; `None` if there is no ground or too much of it.
fn level(data: &[u8]) -> Option<(TriMesh, BakeSettings)> {
    let mut bytes = Bytes(data);
    let (mut settings, picked) = (settings(&mut bytes), bytes.next());
    settings.bounds = (picked >= 240).then(|| Aabb::from_center(Vec3::ONE, Vec3::new(7.0, 3.0, 9.0)));
    let scale = [0.01, 0.5, 1.0, 30.0][usize::from(picked % 4)];
    let offset = [0.0, 0.0, -3.3, 1e5][usize::from(bytes.next() % 4)];
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    while bytes.left() >= 6 && verts.len() < 3000 {
        let corner = Vec3::new(bytes.coordinate(), bytes.coordinate(), bytes.coordinate()) * scale;
        verts.push(corner + Vec3::new(offset, 0.0, offset));
        let n = verts.len() as u32;
        if n >= 3 {
            // Mostly strips, so that surfaces hold together; sometimes a reach far back.
            let back = if bytes.0.first().is_some_and(|b| b & 7 == 0) { n / 2 } else { n - 3 };
            tris.push(if n & 1 == 0 { [back, n - 2, n - 1] } else { [back, n - 1, n - 2] });
        }
    }
    let mesh = TriMesh::new(verts, tris).ok()?;
    let size = mesh.bounds().size() / settings.cell_size;
    (size.x <= MOST_CELLS && size.z <= MOST_CELLS).then_some((mesh, settings))
}

fn settings(bytes: &mut Bytes<'_>) -> BakeSettings {
    let pick = |bytes: &mut Bytes<'_>, from: [f32; 4]| from[usize::from(bytes.next() % 4)];
    let flags = bytes.next();
    BakeSettings {
        agent: AgentSettings {
            height: pick(bytes, [2.0, 0.1, 1.0, 50.0]),
            radius: pick(bytes, [0.6, 0.0, 0.3, 4.0]),
            max_climb: pick(bytes, [0.9, 0.0, 0.1, 0.5]),
            max_slope: pick(bytes, [0.785, 0.0, 1.5, 1.0]),
            max_drop: if flags & 16 == 0 { 0.0 } else { 2.0 },
        },
        cell_size: pick(bytes, [0.3, 0.1, 1.0, 2.5]),
        cell_height: pick(bytes, [0.2, 0.05, 0.5, 1.0]),
        filters: Filters { low_hanging_obstacles: flags & 1 == 0, ledges: flags & 2 == 0, low_height: flags & 4 == 0 },
        erosion: if flags & 32 == 0 { Erosion::Chamfer } else { Erosion::Euclidean },
        partition: [Partition::Watershed, Partition::Monotone, Partition::Layers][usize::from(flags >> 3) % 3],
        region_min_size: u32::from(bytes.next() % 10),
        region_merge_size: u32::from(bytes.next() % 30),
        edge_max_len: pick(bytes, [12.0, 0.0, 1.0, 3.0]),
        edge_max_error: pick(bytes, [1.3, 0.0, 0.5, 3.0]),
        verts_per_poly: 3 + u32::from(bytes.next() % 10),
        detail_sample_dist: pick(bytes, [6.0, 0.0, 1.0, 2.0]),
        detail_sample_max_error: pick(bytes, [1.0, 0.0, 0.1, 4.0]),
        tile_size: [0, 0, 16, 33][usize::from(flags >> 6)],
        bounds: None,
    }
}

/// Reads `data` as a `.way` file; then once more with length, mark and checksums made right, so that what lies behind
/// them is looked at. How often it is read.
///
/// # Panics
/// If it is read, but the mesh writes other bytes; or, of bytes as they came, has a violation.
pub fn way(data: &[u8]) -> u32 {
    let mut sealed = data.to_vec();
    seal(&mut sealed);
    let as_it_came = read_way(data);
    if let Some(nav) = &as_it_came {
        let violations = nav.check();
        assert!(violations.is_empty(), "read, yet {} violations, first {:?}", violations.len(), violations[0]);
    }
    // Whoever can compute the checksum can write geometry that only `check` finds fault with.
    let sealed = read_way(&sealed);
    if let Some(nav) = &sealed {
        let _ = nav.check();
    }
    u32::from(as_it_came.is_some()) + u32::from(sealed.is_some())
}

fn read_way(data: &[u8]) -> Option<NavMesh> {
    let file = WayFile::from_bytes(data).ok()?;
    assert!(file.to_bytes() == data, "read and written again, the bytes differ");
    Some(file.mesh)
}

/// Bytes that become numbers; zeros when there are no more.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn left(&self) -> usize {
        self.0.len()
    }

    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    /// From 16 bits: −32…32 in steps of a thousandth, and a few that are NaN or infinite.
    fn coordinate(&mut self) -> f32 {
        match i16::from_le_bytes([self.next(), self.next()]) {
            i16::MIN => f32::NAN,
            i16::MAX => f32::INFINITY,
            whole => f32::from(whole) / 1000.0,
        }
    }
}
