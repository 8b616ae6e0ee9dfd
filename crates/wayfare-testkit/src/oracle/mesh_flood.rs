//! What is connected with what in a mesh: floods over all portals, and the polygon under a point by looking at every
//! one.

use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::math::plane::cross;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::tile::TileData;

/// The components of a mesh, of polygons that can be walked to and fro.
#[derive(Debug)]
pub struct MeshFlood<'a> {
    mesh: &'a NavMesh,
    component: BTreeMap<PolyRef, u32>,
}

impl<'a> MeshFlood<'a> {
    /// Floods `mesh` from every polygon that was not reached yet.
    #[must_use]
    pub fn new(mesh: &'a NavMesh) -> Self {
        let mut component = BTreeMap::new();
        let mut count = 0;
        for tile in mesh.tiles() {
            for start in (0..tile.poly_count()).map(|poly| tile.reference(poly)) {
                if component.contains_key(&start) {
                    continue;
                }
                let mut open = vec![start];
                component.insert(start, count);
                while let Some(here) = open.pop() {
                    let Ok(view) = mesh.poly(here) else { continue };
                    for portal in view.portals() {
                        if component.insert(portal.to, count).is_none() {
                            open.push(portal.to);
                        }
                    }
                }
                count += 1;
            }
        }
        Self { mesh, component }
    }

    /// The component of a polygon.
    #[must_use]
    pub fn component(&self, poly: PolyRef) -> Option<u32> {
        self.component.get(&poly).copied()
    }

    /// The component of the polygon over or under `p`, at most `reach` metres away: that nearest in height.
    #[must_use]
    pub fn component_at(&self, p: Vec3, reach: f32) -> Option<u32> {
        let mut best = (reach, None);
        for tile in self.mesh.tiles() {
            let bounds = tile.bounds();
            if p.x < bounds.min.x || p.x > bounds.max.x || p.z < bounds.min.z || p.z > bounds.max.z {
                continue;
            }
            for poly in 0..tile.poly_count() {
                let reference = tile.reference(poly);
                let heights = ground(tile.data(), poly).into_iter().filter_map(|t| height_over(t, p));
                let away = heights.map(|y| (y - p.y).abs()).fold(f32::INFINITY, f32::min);
                if away <= best.0 {
                    best = (away, self.component(reference));
                }
            }
        }
        best.1
    }
}

/// The triangles of a polygon's ground: those of its detail, or its fan.
fn ground(tile: &TileData, poly: u32) -> Vec<[Vec3; 3]> {
    let corners = tile.corners_of(poly);
    let corner = |i: usize| tile.verts()[corners[i] as usize];
    let detail = tile.detail_of(poly);
    if detail.tri_count == 0 {
        return (1..corners.len() - 1).map(|i| [corner(0), corner(i), corner(i + 1)]).collect();
    }
    let vert = |i: u16| match usize::from(i) {
        i if i < corners.len() => corner(i),
        i => tile.detail_verts()[detail.first_vert as usize + i - corners.len()],
    };
    let tris = &tile.detail_tris()[detail.first_tri as usize..][..usize::from(detail.tri_count)];
    tris.iter().map(|t| t.verts.map(vert)).collect()
}

/// The height of a triangle at the place of `p`, if it lies there.
fn height_over([a, b, c]: [Vec3; 3], p: Vec3) -> Option<f32> {
    let (u, v, w) = (cross(b, c, p), cross(c, a, p), cross(a, b, p));
    let sum = u + v + w;
    (u <= 0.0 && v <= 0.0 && w <= 0.0 && sum < 0.0).then(|| (a.y * u + b.y * v + c.y * w) / sum)
}
