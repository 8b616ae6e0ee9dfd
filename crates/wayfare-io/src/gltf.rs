//! glTF 2.0, as `.gltf` with its buffers or as one `.glb`: the triangles of a scene, placed by its nodes.
//!
//! The document is parsed here, because the published `gltf` crate refuses files for required *texture* extensions that
//! do not matter to a level, and panics on accessors that reach beyond their buffers once validation is skipped. Only
//! what a bake needs is read, and every index and range is checked before it is used.
//!
//! ```text
//!   scene ─► node ─► node ─► mesh ─► primitive ─► accessor ─► view ─► buffer (.bin, data: URI, or the .glb's own)
//!            └─ transforms, multiplied in f64 ─┘  (positions, indices)
//! ```
//!
//! A node that mirrors (negative determinant) reverses the winding, so that floors keep facing up. From a document
//! without scenes the root nodes are read, from one without nodes the meshes. A node may place its mesh many times
//! (`EXT_mesh_gpu_instancing`). Sheets that are visible from both sides (a double-sided material) are marked as such:
//! those that face down may have been modelled to be seen from above.
//!
//! Sources: Khronos Group, "glTF 2.0 Specification", 2021; "EXT_mesh_gpu_instancing", 2019.

use crate::allowance::Allowance;
use crate::gltf_accessor::Accessors;
use crate::gltf_buffers::{Buffers, split_glb};
use crate::gltf_document::{Document, Instances, Mesh, Node, Primitive};
use crate::plain_words::plainly;
use crate::{Files, ReadError};
use crate::{Tags, TriangleSoup};
use std::collections::BTreeMap;
use wayfare::Vec3;

/// A scene may place one mesh many times, and primitives may share their vertices and indices: this many vertices and
/// primitives, plus triangles counted twice, may be placed by any document, and this many more for each byte of the
/// document and its buffers.
const PLACED: [u64; 2] = [1 << 21, 1];

/// Names are looked up each time that they are placed: so many of their bytes count as a vertex.
const NAME_BYTES: u64 = 64;

/// Compressed geometry, which is not supported. Where it is optional, the document has the same uncompressed.
const COMPRESSED: [&str; 2] = [DRACO, "EXT_meshopt_compression"];
const DRACO: &str = "KHR_draco_mesh_compression";

/// A 3 × 4 matrix, column by column: three axes and a translation.
type Affine = [[f64; 3]; 4];

const IDENTITY: Affine = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];

/// The approximate memory of a vertex and of a triangle until they are baked: a triangle's corners, and the
/// rasteriser's data for it.
const BYTES_A_UNIT: u64 = 64;

/// Adds the triangles of a document to `soup`.
pub(crate) fn read(bytes: &[u8], files: &mut dyn Files, soup: &mut TriangleSoup) -> Result<(), ReadError> {
    let (json, blob) = if bytes.starts_with(b"glTF") { split_glb(bytes)? } else { (bytes, None) };
    let document: Document =
        serde_json::from_slice(json).map_err(|e| format!("is no glTF document: {}", plainly(&e.to_string())))?;
    if !document.asset.version.starts_with("2.") {
        return Err(format!("is glTF {}, but only version 2 is read", document.asset.version).into());
    }
    if let Some(name) = document.extensions_required.iter().find(|name| COMPRESSED.contains(&name.as_str())) {
        return Err(is_compressed(name));
    }
    let buffers = Buffers::load(&document, files, blob)?;
    let usual = || Allowance::new(PLACED[0], PLACED[1], bytes.len() as u64 + buffers.bytes());
    let allowance = soup.instances.map_or_else(usual, |memory| Allowance::new(memory / BYTES_A_UNIT, 0, 0));
    let mut reader = Reader {
        document: &document,
        accessors: Accessors { document: &document, buffers },
        soup,
        visited: vec![false; document.nodes.len()],
        allowance,
        skipped: 0,
    };
    reader.scene()?;
    let skipped = reader.skipped;
    if skipped > 0 {
        soup.remarks.push(format!("{skipped} primitives that are points or lines were left out"));
    }
    Ok(())
}

fn is_compressed(name: &str) -> ReadError {
    format!("has geometry compressed with {name}, which is not read: export it without compression").into()
}

struct Reader<'a> {
    document: &'a Document,
    accessors: Accessors<'a>,
    soup: &'a mut TriangleSoup,
    visited: Vec<bool>,
    /// Vertices, primitives and triangles that may still be placed.
    allowance: Allowance,
    skipped: u32,
}

/// A mesh being placed: where its vertices go, and those already present, with the first and the number for each
/// accessor, since primitives may share them.
struct Placed<'a> {
    transform: &'a Affine,
    vertices: BTreeMap<usize, (u32, u32)>,
}

impl Reader<'_> {
    fn scene(&mut self) -> Result<(), ReadError> {
        let document = self.document;
        if document.nodes.is_empty() {
            return document.meshes.iter().try_for_each(|mesh| self.mesh(mesh, "", &IDENTITY));
        }
        let roots: Vec<usize> = match document.scenes.get(document.scene.unwrap_or(0)) {
            Some(scene) => scene.nodes.clone(),
            None if document.scene.is_some() => return Err("its default scene does not exist".into()),
            None => {
                let mut is_child = vec![false; document.nodes.len()];
                for &child in document.nodes.iter().flat_map(|n| &n.children) {
                    if let Some(known) = is_child.get_mut(child) {
                        *known = true;
                    }
                }
                (0..is_child.len()).filter(|&i| !is_child[i]).collect()
            }
        };
        // A list instead of recursion: documents may be deeper than the stack.
        let mut open: Vec<(usize, Affine)> = roots.into_iter().rev().map(|node| (node, IDENTITY)).collect();
        while let Some((index, parent)) = open.pop() {
            let node = document.nodes.get(index).ok_or_else(|| format!("node {index} does not exist"))?;
            if std::mem::replace(&mut self.visited[index], true) {
                return Err(format!("node {index} hangs in the scene more than once").into());
            }
            let transform = product(&parent, &local(node));
            if let Some(mesh) = node.mesh {
                let mesh = document.meshes.get(mesh).ok_or_else(|| format!("mesh {mesh} does not exist"))?;
                let name = node.name.as_deref().unwrap_or("");
                match &node.extensions.instances {
                    Some(instances) => {
                        for place in self.instances(instances)? {
                            self.mesh(mesh, name, &product(&transform, &place))?;
                        }
                    }
                    None => self.mesh(mesh, name, &transform)?,
                }
            }
            open.extend(node.children.iter().rev().map(|&child| (child, transform)));
        }
        Ok(())
    }

    /// Where the mesh of a node is placed, relative to the node.
    fn instances(&mut self, Instances { attributes }: &Instances) -> Result<Vec<Affine>, ReadError> {
        let mut count = None;
        for (name, &accessor) in attributes {
            let number = self.accessors.count(accessor)?;
            if count.is_some_and(|count| count != number) {
                return Err(
                    format!("the instances of a mesh have {number} of {name}, but more or fewer of others").into()
                );
            }
            count = Some(number);
        }
        let count = count.unwrap_or(0);
        self.spend(count)?;
        for &accessor in attributes.values() {
            self.spend(self.accessors.work(accessor)?)?;
        }
        let (mut moved, mut scaled, mut turned) = (Vec::new(), Vec::new(), Vec::new());
        let vectors = |what: &str, into: &mut Vec<[f64; 3]>| match attributes.get(what) {
            Some(&accessor) => self.accessors.vectors_into((accessor, what), |v: [f64; 3]| v, into),
            None => Ok(()),
        };
        vectors("TRANSLATION", &mut moved)?;
        vectors("SCALE", &mut scaled)?;
        if let Some(&accessor) = attributes.get("ROTATION") {
            self.accessors.vectors_into((accessor, "ROTATION"), |v: [f64; 4]| v, &mut turned)?;
        }
        let place = |i: usize| affine(moved.get(i).copied(), turned.get(i).copied(), scaled.get(i).copied());
        Ok((0..count as usize).map(place).collect())
    }

    /// Adds a mesh. The node's name is the object, the mesh's name the group.
    fn mesh(&mut self, mesh: &Mesh, object: &str, transform: &Affine) -> Result<(), ReadError> {
        let group = mesh.name.as_deref().unwrap_or("");
        self.spend((object.len() + group.len()) as u64 / NAME_BYTES)?;
        let object = self.soup.name_id(object);
        let group = self.soup.name_id(group);
        let mut placed = Placed { transform, vertices: BTreeMap::new() };
        for primitive in &mesh.primitives {
            let material = primitive.material.and_then(|m| self.document.materials.get(m));
            let name = material.and_then(|m| m.name.as_deref()).unwrap_or("");
            // Placing takes time even where there are no triangles.
            self.spend(1 + name.len() as u64 / NAME_BYTES)?;
            let material_name = self.soup.name_id(name);
            self.soup.tag(Tags { material: material_name, object, group, area: None });
            let first = self.soup.tris.len() as u32;
            self.primitive(primitive, &mut placed)?;
            let end = self.soup.tris.len() as u32;
            if material.is_some_and(|m| m.double_sided) && end > first {
                self.soup.sheets.push(first..end);
            }
        }
        Ok(())
    }

    fn primitive(&mut self, primitive: &Primitive, placed: &mut Placed<'_>) -> Result<(), ReadError> {
        let mode = primitive.mode.unwrap_or(4);
        if !(4..=6).contains(&mode) {
            self.skipped = self.skipped.saturating_add(1);
            return Ok(());
        }
        let Some(&positions) = primitive.attributes.get("POSITION") else {
            self.skipped = self.skipped.saturating_add(1);
            return Ok(());
        };
        let mut needed = [positions].into_iter().chain(primitive.indices);
        if primitive.extensions.contains_key(DRACO) && !needed.all(|accessor| self.accessors.is_stored(accessor)) {
            return Err(is_compressed(DRACO));
        }
        let (base, count) = self.vertices(positions, placed)?;
        let corners = primitive.indices.map_or(Ok(u64::from(count)), |index| self.accessors.work(index))?;
        self.spend((corners / if mode == 4 { 3 } else { 1 }).saturating_mul(2))?;
        let indices = match primitive.indices {
            Some(accessor) => self.accessors.indices(accessor)?,
            None => (0..count).collect(),
        };
        if let Some(&index) = indices.iter().find(|&&i| i >= count) {
            return Err(format!("an index is {index}, but its primitive has {count} vertices").into());
        }
        self.triangles(mode, &indices, base, placed.transform);
        self.soup.check_size()
    }

    /// The first vertex of an accessor in the soup, and their number; they are added unless they are present.
    fn vertices(&mut self, accessor: usize, placed: &mut Placed<'_>) -> Result<(u32, u32), ReadError> {
        if let Some(&known) = placed.vertices.get(&accessor) {
            return Ok(known);
        }
        self.spend(self.accessors.work(accessor)?)?;
        let base = self.soup.base();
        let place = |p: [f64; 3]| apply(placed.transform, p);
        self.accessors.vectors_into((accessor, "positions"), place, &mut self.soup.verts)?;
        self.soup.check_size()?;
        let added = (base, self.soup.base() - base);
        placed.vertices.insert(accessor, added);
        Ok(added)
    }

    fn spend(&mut self, count: u64) -> Result<(), ReadError> {
        let more = "places more vertices and triangles than a document of its size may: place its meshes fewer times, or \
                    allow more memory";
        if self.allowance.take(count) { Ok(()) } else { Err(ReadError::too_large(more)) }
    }

    /// Adds the triangles of some indices, which count from the vertex `base`.
    fn triangles(&mut self, mode: u32, indices: &[u32], base: u32, transform: &Affine) {
        let mirrored = determinant(transform) < 0.0;
        let mut push = |[a, b, c]: [u32; 3]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            self.soup.tris.push([base + a, base + b, base + c]);
        };
        match mode {
            4 => indices.chunks_exact(3).for_each(|t| push([t[0], t[1], t[2]])),
            // Every second triangle of a strip has the opposite winding.
            5 => (0..).zip(indices.windows(3)).for_each(|(i, t)| {
                push(if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[1], t[0], t[2]] });
            }),
            _ => indices.windows(2).skip(1).for_each(|t| push([indices[0], t[0], t[1]])),
        }
    }
}

/// A node's own transform.
fn local(node: &Node) -> Affine {
    if let Some(m) = &node.matrix {
        return core::array::from_fn(|column| core::array::from_fn(|row| m[column * 4 + row]));
    }
    affine(node.translation, node.rotation, node.scale)
}

/// Scaled, turned, then moved.
fn affine(translation: Option<[f64; 3]>, rotation: Option<[f64; 4]>, scale: Option<[f64; 3]>) -> Affine {
    let [x, y, z, w] = unit(rotation.unwrap_or(NO_TURN));
    let [sx, sy, sz] = scale.unwrap_or([1.0; 3]);
    let scaled = |axis: [f64; 3], s: f64| axis.map(|c| c * s);
    [
        scaled([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)], sx),
        scaled([2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)], sy),
        scaled([2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)], sz),
        translation.unwrap_or([0.0; 3]),
    ]
}

const NO_TURN: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// A unit rotation, as glTF requires: a longer one, rounded or written by hand, would scale the level.
fn unit(rotation: [f64; 4]) -> [f64; 4] {
    let length = rotation.iter().map(|c| c * c).sum::<f64>().sqrt();
    if length > 0.0 { rotation.map(|c| c / length) } else { NO_TURN }
}

fn linear(m: &Affine, v: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|row| m[0][row] * v[0] + m[1][row] * v[1] + m[2][row] * v[2])
}

fn product(a: &Affine, b: &Affine) -> Affine {
    let shift = linear(a, b[3]);
    [linear(a, b[0]), linear(a, b[1]), linear(a, b[2]), core::array::from_fn(|row| shift[row] + a[3][row])]
}

fn apply(m: &Affine, p: [f64; 3]) -> Vec3 {
    let v = linear(m, p);
    Vec3::from_array(core::array::from_fn(|row| (v[row] + m[3][row]) as f32))
}

fn determinant([a, b, c, _]: &Affine) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folder, NoFiles, facing};
    use base64::Engine as _;
    use base64::engine::general_purpose;
    use serde_json::{Value, json};

    /// One triangle in the xz-plane, normal up, as a data: URI.
    fn document(nodes: &Value) -> Value {
        let bytes: Vec<u8> =
            [0.0f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0].iter().flat_map(|f| f.to_le_bytes()).collect();
        let uri = format!("data:application/octet-stream;base64,{}", general_purpose::STANDARD.encode(bytes));
        json!({
            "asset": {"version": "2.0"},
            "buffers": [{"byteLength": 36, "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "materials": [{"name": "grass"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "nodes": nodes,
        })
    }

    fn parse(document: &Value) -> Result<TriangleSoup, ReadError> {
        let mut soup = TriangleSoup::new();
        read(document.to_string().as_bytes(), &mut Folder::new("."), &mut soup)?;
        facing::turn_sheets(&mut soup);
        Ok(soup)
    }

    fn normal(soup: &TriangleSoup) -> Vec3 {
        let [a, b, c] = soup.tris[0].map(|v| soup.verts[v as usize]);
        (b - a).cross(c - a)
    }

    #[test]
    fn nested_transforms_are_applied_from_the_inside() {
        let nodes = json!([
            {"children": [1], "translation": [10, 0, 0]},
            {"mesh": 0, "name": "tile", "scale": [2, 2, 2], "translation": [0, 1, 0]}
        ]);
        let soup = parse(&document(&nodes)).unwrap();
        assert_eq!(soup.verts[2], Vec3::new(12.0, 1.0, 0.0));
        let tags = soup.runs[0].tags;
        assert_eq!([tags.object, tags.material].map(|id| soup.name(id)), ["tile", "grass"]);
    }

    #[test]
    fn mirrors_and_quarter_turns_keep_floors_up() {
        let half = 0.5f64.sqrt();
        for node in [
            json!({"mesh": 0}),
            json!({"mesh": 0, "scale": [-1, 1, 1]}),
            json!({"mesh": 0, "rotation": [0, half, 0, half]}),
            json!({"mesh": 0, "rotation": [0, 0, 0, 0]}),
        ] {
            let soup = parse(&document(&json!([node]))).unwrap();
            assert!(normal(&soup).y > 0.9, "{node}");
        }
        let turned = |by: f64| parse(&document(&json!([{"mesh": 0, "rotation": [0, by, 0, by]}]))).unwrap().verts;
        assert_eq!(turned(half), turned(3.0), "a rotation does not scale");
        let soup = parse(&document(&json!([{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,5,1]}]))).unwrap();
        assert!(normal(&soup).y > 0.9);
        assert_eq!(soup.verts[1], Vec3::new(0.0, 0.0, 4.0));
    }

    #[test]
    fn sheets_that_face_down_are_turned_up_if_they_are_shown_from_both_sides() {
        let half_turn = json!([{"mesh": 0, "rotation": [1, 0, 0, 0]}]);
        let mut doc = document(&half_turn);
        assert!(normal(&parse(&doc).unwrap()).y < -0.9);
        doc["materials"][0]["doubleSided"] = json!(true);
        assert!(normal(&parse(&doc).unwrap()).y > 0.9);
        // The same as a ceiling over a floor.
        doc["nodes"] = json!([{"mesh": 0, "rotation": [1, 0, 0, 0], "translation": [0, 3, 0.6]}, {"mesh": 0}]);
        let [ceiling, floor] = [0, 1].map(|tri| {
            let soup = parse(&doc).unwrap();
            let [a, b, c] = soup.tris[tri].map(|v| soup.verts[v as usize]);
            (b - a).cross(c - a).y
        });
        assert!(ceiling < -0.9 && floor > 0.9);
    }

    #[test]
    fn a_node_may_place_its_mesh_many_times() {
        let half = 0.5f32.sqrt();
        let numbers = [[4.0, 0.0, 0.0], [8.0, 1.0, 0.0], [1.0; 3], [2.0; 3]].concat();
        let turns = [[0.0, 0.0, 0.0, 1.0], [0.0, half, 0.0, half]].concat();
        let bytes: Vec<u8> = numbers.iter().chain(&turns).flat_map(|f: &f32| f.to_le_bytes()).collect();
        let uri = format!("data:application/octet-stream;base64,{}", general_purpose::STANDARD.encode(&bytes));
        let attributes = json!({"TRANSLATION": 1, "SCALE": 2, "ROTATION": 3, "_COLOR": 3});
        let node = json!({"mesh": 0, "translation": [0, 5, 0], "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}});
        let mut doc = document(&json!([node]));
        doc["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
        let add = |doc: &mut Value, list: &str, what: Value| doc[list].as_array_mut().unwrap().push(what);
        add(&mut doc, "buffers", json!({"byteLength": bytes.len(), "uri": uri}));
        add(&mut doc, "bufferViews", json!({"buffer": 1, "byteLength": bytes.len()}));
        for (at, kind) in [(0, "VEC3"), (24, "VEC3"), (48, "VEC4")] {
            let part = json!({"bufferView": 1, "byteOffset": at, "componentType": 5126, "count": 2, "type": kind});
            add(&mut doc, "accessors", part);
        }
        let soup = parse(&doc).unwrap();
        assert_eq!((soup.tris.len(), soup.verts[2]), (2, Vec3::new(5.0, 5.0, 0.0)));
        assert!((soup.verts[5] - Vec3::new(8.0, 6.0, -2.0)).length() < 1e-5, "{}", soup.verts[5]);
        doc["accessors"][2]["count"] = json!(1);
        assert!(parse(&doc).unwrap_err().to_string().contains("more or fewer of others"));
        doc["accessors"][2] = json!({"componentType": 5126, "count": 2, "type": "VEC4"});
        assert!(parse(&doc).unwrap_err().to_string().starts_with("SCALE are VEC3"));
        for number in 1..4 {
            let sparse =
                json!({"count": 0, "indices": {"bufferView": 1, "componentType": 5125}, "values": {"bufferView": 1}});
            doc["accessors"][number] =
                json!({"componentType": 5126, "count": 1u64 << 40, "type": "VEC3", "sparse": sparse});
        }
        assert!(parse(&doc).unwrap_err().to_string().contains("places more"), "no memory is taken for empty promises");
    }

    #[test]
    fn placing_nothing_is_limited_too() {
        let nodes = json!(vec![json!({"mesh": 0}); 3000]);
        let mut doc = document(&nodes);
        let nothing = [json!({"attributes": {}}), json!({"attributes": {"POSITION": 0}, "mode": 0})];
        for primitive in nothing {
            doc["meshes"] = json!([{"primitives": vec![primitive; 1000]}]);
            assert!(parse(&doc).unwrap_err().to_string().contains("places more"));
        }
        doc["nodes"] = json!([{"mesh": 0}]);
        let soup = parse(&doc).unwrap();
        assert_eq!(soup.remarks, ["1000 primitives that are points or lines were left out"]);
    }

    #[test]
    fn elements_that_are_replaced_count_and_are_no_more_than_there_are() {
        let count = 1000u16;
        let bytes: Vec<u8> = (0..count).flat_map(u16::to_le_bytes).chain(vec![0; 12 * usize::from(count)]).collect();
        let uri = format!("data:application/octet-stream;base64,{}", general_purpose::STANDARD.encode(&bytes));
        let mut doc = document(&json!([{"mesh": 0}]));
        doc["buffers"][0] = json!({"byteLength": bytes.len(), "uri": uri});
        doc["bufferViews"][0]["byteLength"] = json!(bytes.len());
        let sparse = json!({
            "count": count,
            "indices": {"bufferView": 0, "componentType": 5123},
            "values": {"bufferView": 0, "byteOffset": 2 * count},
        });
        doc["accessors"] = json!([
            {"componentType": 5126, "count": count, "type": "VEC3", "sparse": sparse},
            {"bufferView": 0, "componentType": 5123, "count": 0, "type": "SCALAR"},
        ]);
        doc["meshes"][0]["primitives"][0]["indices"] = json!(1);
        assert_eq!(parse(&doc).unwrap().verts.len(), usize::from(count));
        doc["nodes"] = json!(vec![json!({"mesh": 0}); 1500]);
        assert!(parse(&doc).unwrap_err().to_string().contains("places more"));
        doc["nodes"] = json!([{"mesh": 0}]);
        doc["accessors"][0]["count"] = json!(count - 1);
        assert_eq!(
            parse(&doc).unwrap_err().to_string(),
            "accessor 0 replaces 1000 elements, more than the 999 that it has"
        );
    }

    #[test]
    fn indices_may_be_replaced_too() {
        let numbers: Vec<u8> = [0u16, 1, 2, 2, 1, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let uri = format!("data:application/octet-stream;base64,{}", general_purpose::STANDARD.encode(&numbers));
        let mut doc = document(&json!([{"mesh": 0}]));
        let add = |doc: &mut Value, list: &str, what: Value| doc[list].as_array_mut().unwrap().push(what);
        add(&mut doc, "buffers", json!({"byteLength": numbers.len(), "uri": uri}));
        add(&mut doc, "bufferViews", json!({"buffer": 1, "byteLength": numbers.len()}));
        // The first three numbers say which are replaced, the last three by what.
        let sparse = json!({
            "count": 3,
            "indices": {"bufferView": 1, "componentType": 5123},
            "values": {"bufferView": 1, "byteOffset": 6},
        });
        add(&mut doc, "accessors", json!({"componentType": 5123, "count": 3, "type": "SCALAR", "sparse": sparse}));
        doc["meshes"][0]["primitives"][0]["indices"] = json!(1);
        assert_eq!(parse(&doc).unwrap().tris, [[2, 1, 0]]);
        doc["accessors"][1]["bufferView"] = json!(1);
        assert_eq!(parse(&doc).unwrap().tris, [[2, 1, 0]]);
    }

    #[test]
    fn compression_that_is_optional_does_not_matter() {
        let mut doc = document(&json!([{"mesh": 0}]));
        doc["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
        doc["meshes"][0]["primitives"][0]["extensions"] = json!({"KHR_draco_mesh_compression": {"bufferView": 0}});
        assert_eq!(parse(&doc).unwrap().tris.len(), 1);
        doc["accessors"][0]["bufferView"].take();
        assert!(parse(&doc).unwrap_err().to_string().contains("compressed with KHR_draco"));
    }

    #[test]
    fn broken_documents_are_refused_in_a_sentence() {
        let refused = |change: &dyn Fn(&mut Value)| {
            let mut doc = document(&json!([{"mesh": 0}]));
            change(&mut doc);
            parse(&doc).unwrap_err().to_string()
        };
        assert_eq!(refused(&|d| d["nodes"][0]["mesh"] = json!(7)), "mesh 7 does not exist");
        let circle = json!([{"children": [1]}, {"children": [0]}]);
        assert_eq!(
            refused(&|d| (d["nodes"], d["scenes"]) = (circle.clone(), json!([{"nodes": [0]}]))),
            "node 0 hangs in the scene more than once"
        );
        assert_eq!(refused(&|d| d["scenes"] = json!([{"nodes": [0, 0]}])), "node 0 hangs in the scene more than once");
        assert_eq!(refused(&|d| d["accessors"][0]["count"] = json!(4)), "accessor 0 reaches beyond its buffer view");
        assert_eq!(
            refused(&|d| d["accessors"][0]["count"] = json!(u64::MAX / 2)),
            "accessor 0 reaches beyond its buffer view"
        );
        assert_eq!(
            refused(&|d| d["bufferViews"][0]["byteOffset"] = json!(8)),
            "buffer view 0 reaches beyond its buffer"
        );
        assert_eq!(
            refused(&|d| d["buffers"][0]["byteLength"] = json!(99)),
            "buffer 0 has 36 bytes, but should have 99: the file is truncated"
        );
        assert_eq!(
            refused(&|d| d["buffers"][0]["uri"] = json!("gone.bin")),
            "the buffer \"gone.bin\" is missing: it must lie beside the file that names it"
        );
        for elsewhere in ["/etc/hostname", "../../etc/hostname", "a/../../b.bin", "%2E%2E/b.bin", "https://x.y/b.bin"] {
            let told = refused(&|d| d["buffers"][0]["uri"] = json!(elsewhere));
            assert!(told.contains("nothing else is opened"), "{told}");
        }
        assert!(refused(&|d| d["buffers"][0]["uri"] = json!("./more/b.bin")).contains("is missing"));
        let wrong = refused(&|d| d["nodes"][0]["mesh"] = json!(-1));
        assert!(wrong.contains("expected a whole number, 0 or above"), "{wrong}");
        assert!(refused(&|d| d["asset"]["version"] = json!("1.0")).contains("only version 2"));
        assert!(refused(&|d| d["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])).contains("compressed"));
        assert!(
            read(b"glTF\x02\0\0\0\xff\0\0\0JSON", &mut NoFiles, &mut TriangleSoup::new())
                .unwrap_err()
                .to_string()
                .contains("truncated")
        );
    }

    #[test]
    fn a_binary_file_carries_its_buffer() {
        let mut doc = document(&json!([{"mesh": 0}]));
        doc["buffers"][0] = json!({"byteLength": 36});
        let mut json = doc.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let blob: Vec<u8> =
            [0.0f32, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0].iter().flat_map(|f| f.to_le_bytes()).collect();
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        glb.extend((28 + json.len() as u32 + 36).to_le_bytes());
        for (kind, data) in [(b"JSON", &json), (b"BIN\0", &blob)] {
            glb.extend((data.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(data);
        }
        let mut soup = TriangleSoup::new();
        read(&glb, &mut NoFiles, &mut soup).unwrap();
        assert_eq!(soup.tris, [[0, 1, 2]]);
        for end in 0..glb.len() {
            assert!(read(&glb[..end], &mut NoFiles, &mut TriangleSoup::new()).is_err(), "{end} bytes");
        }
    }
}
