//! Writes a mesh as triangles that other programs can show: OBJ and GLB. Uses detail triangles if a polygon has them.

use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, Tile};

/// Why a mesh cannot be written in another format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// glTF has no empty meshes.
    #[error("the mesh has no polygons, and glTF has no empty meshes")]
    NoPolygons,
    /// Lengths in a `.glb` have 32 bits.
    #[error("the mesh needs more than the 4 GiB that a .glb can hold")]
    TooLarge,
}

/// The triangles of a mesh by area type, with their own vertices.
#[derive(Default)]
struct Ground {
    verts: Vec<Vec3>,
    tris: BTreeMap<u8, Vec<[u32; 3]>>,
}

impl Ground {
    fn of(mesh: &NavMesh) -> Self {
        let mut ground = Self::default();
        for tile in mesh.tiles() {
            let base = ground.verts.len() as u32;
            ground.verts.extend_from_slice(tile.data().verts());
            let detail_base = ground.verts.len() as u32;
            ground.verts.extend_from_slice(tile.data().detail_verts());
            for poly in 0..tile.poly_count() {
                ground.poly(tile, poly, base, detail_base);
            }
        }
        ground
    }

    fn poly(&mut self, tile: &Tile, poly: u32, base: u32, detail_base: u32) {
        let data = tile.data();
        let corners = data.corners_of(poly);
        let out = self.tris.entry(tile.state(poly).area.get()).or_default();
        let detail = data.detail_of(poly);
        if detail.tri_count == 0 {
            return out.extend((1..corners.len() - 1).map(|i| [0, i, i + 1].map(|c| base + corners[c])));
        }
        let vert = |v: u16| match usize::from(v).checked_sub(corners.len()) {
            None => base + corners[usize::from(v)],
            Some(extra) => detail_base + detail.first_vert + extra as u32,
        };
        let tris = &data.detail_tris()[detail.first_tri as usize..][..usize::from(detail.tri_count)];
        out.extend(tris.iter().map(|t| t.verts.map(vert)));
    }
}

/// The mesh as the text of an OBJ file, with one group per area type.
#[must_use]
pub fn mesh_to_obj(mesh: &NavMesh) -> Vec<u8> {
    let ground = Ground::of(mesh);
    let mut text = String::from("# a navigation mesh, written by wayfare\n");
    // Writing to a string cannot fail.
    for v in &ground.verts {
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    for (area, tris) in &ground.tris {
        let _ = writeln!(text, "g area_{area}");
        for tri in tris {
            let [a, b, c] = tri.map(|v| u64::from(v) + 1);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
    }
    text.into_bytes()
}

/// The mesh as a binary glTF file, with one primitive per area type.
///
/// # Errors
/// [`WriteError`].
pub fn mesh_to_glb(mesh: &NavMesh) -> Result<Vec<u8>, WriteError> {
    let ground = Ground::of(mesh);
    let mut blob: Vec<u8> = ground.verts.iter().flat_map(|v| v.to_array()).flat_map(f32::to_le_bytes).collect();
    let bounds = wayfare::math::Aabb::around(ground.verts.iter().copied());
    let (count, positions) = (ground.verts.len(), blob.len());
    let mut views = vec![json!({"buffer": 0, "byteLength": positions, "target": 34962})];
    let (min, max) =
        if bounds.is_empty() { ([0.0; 3], [0.0; 3]) } else { (bounds.min.to_array(), bounds.max.to_array()) };
    let mut accessors =
        vec![json!({"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3", "min": min, "max": max})];
    let (mut primitives, mut materials) = (Vec::new(), Vec::new());
    for (area, tris) in &ground.tris {
        let (offset, count) = (blob.len(), tris.len() * 3);
        blob.extend(tris.iter().flatten().flat_map(|i| i.to_le_bytes()));
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": count * 4, "target": 34963}));
        accessors.push(json!({"bufferView": views.len() - 1, "componentType": 5125, "count": count, "type": "SCALAR"}));
        primitives.push(json!({
            "attributes": {"POSITION": 0}, "indices": accessors.len() - 1, "material": materials.len(),
        }));
        materials.push(json!({"name": format!("area_{area}"), "doubleSided": true}));
    }
    let document = json!({
        "asset": {"version": "2.0", "generator": concat!("wayfare ", env!("CARGO_PKG_VERSION"))},
        "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "navigation mesh"}],
        "meshes": [{"primitives": primitives}], "materials": materials,
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": blob.len()}],
    });
    if primitives.is_empty() {
        return Err(WriteError::NoPolygons);
    }
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let total = 28 + text.len() as u64 + blob.len() as u64;
    let total = u32::try_from(total).map_err(|_| WriteError::TooLarge)?;
    let mut out = Vec::with_capacity(total as usize);
    out.extend(b"glTF\x02\0\0\0");
    out.extend(total.to_le_bytes());
    for (kind, data) in [(b"JSON", &text), (b"BIN\0", &blob)] {
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(data);
    }
    Ok(out)
}
