//! The parts of a glTF document that a bake needs. Everything else is ignored.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document {
    pub(crate) asset: Asset,
    pub(crate) scene: Option<usize>,
    #[serde(default)]
    pub(crate) scenes: Vec<Scene>,
    #[serde(default)]
    pub(crate) nodes: Vec<Node>,
    #[serde(default)]
    pub(crate) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(crate) materials: Vec<Material>,
    #[serde(default)]
    pub(crate) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(crate) buffer_views: Vec<View>,
    #[serde(default)]
    pub(crate) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(crate) extensions_required: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Asset {
    pub(crate) version: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Scene {
    #[serde(default)]
    pub(crate) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) name: Option<String>,
    pub(crate) mesh: Option<usize>,
    #[serde(default)]
    pub(crate) children: Vec<usize>,
    /// Separate from the node: few have one, and documents have many nodes.
    pub(crate) matrix: Option<Box<[f64; 16]>>,
    pub(crate) translation: Option<[f64; 3]>,
    pub(crate) rotation: Option<[f64; 4]>,
    pub(crate) scale: Option<[f64; 3]>,
    #[serde(default)]
    pub(crate) extensions: NodeExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(crate) instances: Option<Box<Instances>>,
}

/// Where a node's mesh is placed, if more than once: accessors by the name of the attribute.
#[derive(Debug, Deserialize)]
pub(crate) struct Instances {
    pub(crate) attributes: BTreeMap<String, usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Mesh {
    pub(crate) name: Option<String>,
    pub(crate) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Primitive {
    pub(crate) attributes: BTreeMap<String, usize>,
    pub(crate) indices: Option<usize>,
    pub(crate) material: Option<usize>,
    pub(crate) mode: Option<u32>,
    #[serde(default)]
    pub(crate) extensions: BTreeMap<String, serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Material {
    pub(crate) name: Option<String>,
    #[serde(default)]
    pub(crate) double_sided: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accessor {
    pub(crate) buffer_view: Option<usize>,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) component_type: u32,
    #[serde(default)]
    pub(crate) normalized: bool,
    pub(crate) count: u64,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) sparse: Option<Sparse>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Sparse {
    pub(crate) count: u64,
    pub(crate) indices: SparsePart,
    pub(crate) values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SparsePart {
    pub(crate) buffer_view: usize,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    #[serde(default)]
    pub(crate) component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct View {
    pub(crate) buffer: usize,
    #[serde(default)]
    pub(crate) byte_offset: u64,
    pub(crate) byte_length: u64,
    pub(crate) byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Buffer {
    pub(crate) uri: Option<String>,
    pub(crate) byte_length: u64,
}
