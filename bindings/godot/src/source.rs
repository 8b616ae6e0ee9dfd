//! Level geometry of the scene, by Godot's own parser: whatever [NavigationRegion3D] sees is seen.

use crate::convert::to_nav;
use crate::core::{Footprint, VolumePart};
use crate::mesh::{ParsedGeometry, SourceMode, WayfareMesh};
use godot::classes::mesh::PrimitiveType;
use godot::classes::navigation_mesh::{ParsedGeometryType, SourceGeometryMode};
use godot::classes::{
    ArrayMesh, MeshInstance3D, NavigationMesh, NavigationMeshSourceGeometryData3D, NavigationServer3D, Node, Node3D,
};
use godot::prelude::*;
use wayfare::Vec2;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{TriMesh, Volume};
use wayfare::math::Aabb;

/// Triangles in the world, and what obstructs them.
pub struct Parsed {
    pub triangles: TriMesh,
    pub obstructions: Vec<Obstruction>,
    /// What of the nodes cannot be used, in sentences.
    pub problems: Vec<String>,
}

/// An obstacle of Godot's own that bakes obey.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstruction {
    /// Corners in the world, seen from above.
    pub outline: Vec<Vec2>,
    /// Its lowest and highest height.
    pub heights: [f32; 2],
    /// Whether exactly the surface inside goes, whatever the agent's radius.
    pub carves: bool,
}

impl Obstruction {
    /// As a part of one map.
    pub fn part(self, map: u64) -> VolumePart {
        let footprint = if self.carves { Footprint::Paint(AreaId::NULL, 1.0) } else { Footprint::Block };
        let volume = Some(Volume::Prism { outline: self.outline, heights: self.heights });
        let (map, layers) = (Some(map), u32::MAX);
        VolumePart { map, layers, volume, footprint, is_in_mesh: true, is_avoided: false, is_paused: false, seen: None }
    }

    /// Puts it into parsed data, in the world.
    pub fn add_to(&self, data: &mut Gd<NavigationMeshSourceGeometryData3D>) {
        let [low, high] = self.heights;
        let corners = self.outline.iter().map(|corner| Vector3::new(corner.x, low, corner.y));
        data.add_projected_obstruction(&corners.collect(), low, high - low, self.carves);
    }
}

/// Parses the nodes that a region is baked from.
///
/// # Errors
/// Nothing that can be baked is there.
pub fn parse(mesh: &Gd<WayfareMesh>, root: &Gd<Node>) -> Result<Parsed, String> {
    let mut data = NavigationMeshSourceGeometryData3D::new_gd();
    let settings = parser_settings(&mesh.bind());
    NavigationServer3D::singleton().parse_source_geometry_data(&settings, &data, root);
    let at = root.clone().try_cast::<Node3D>().map(|root| root.get_global_transform()).unwrap_or_default();
    let mut parsed = from_data(&mut data, at)?;
    if mesh.bind().geometry_parsed_geometry_type != ParsedGeometry::StaticColliders {
        parsed.problems.extend(parsed_nodes(&mesh.bind(), root).iter().filter_map(unusable_mesh));
    }
    Ok(parsed)
}

/// The nodes that are parsed.
fn parsed_nodes(mesh: &WayfareMesh, root: &Gd<Node>) -> Vec<Gd<Node>> {
    let mut open: Vec<Gd<Node>> = match mesh.geometry_source_geometry_mode {
        SourceMode::RootNodeChildren => vec![root.clone()],
        _ if !root.is_inside_tree() => Vec::new(),
        _ => root.get_tree().get_nodes_in_group(&mesh.geometry_source_group_name).iter_shared().collect(),
    };
    if mesh.geometry_source_geometry_mode == SourceMode::GroupsExplicit {
        return open;
    }
    let mut all = Vec::new();
    while let Some(node) = open.pop() {
        open.extend(node.get_children().iter_shared());
        all.push(node);
    }
    all
}

/// What is wrong with the mesh of a node, if surfaces of it give no triangles.
fn unusable_mesh(node: &Gd<Node>) -> Option<String> {
    let mesh = node.clone().try_cast::<MeshInstance3D>().ok()?.get_mesh()?.try_cast::<ArrayMesh>().ok()?;
    let mut kinds = (0..mesh.get_surface_count()).map(|surface| mesh.surface_get_primitive_type(surface));
    let path = node.get_path();
    let problem = || format!("{path}: surfaces of its mesh are not made of triangles, and are left out: give it such");
    kinds.any(|kind| kind != PrimitiveType::TRIANGLES).then(problem)
}

fn parser_settings(mesh: &WayfareMesh) -> Gd<NavigationMesh> {
    let mut settings = NavigationMesh::new_gd();
    settings.set_parsed_geometry_type(match mesh.geometry_parsed_geometry_type {
        ParsedGeometry::MeshInstances => ParsedGeometryType::MESH_INSTANCES,
        ParsedGeometry::StaticColliders => ParsedGeometryType::STATIC_COLLIDERS,
        ParsedGeometry::Both => ParsedGeometryType::BOTH,
    });
    settings.set_source_geometry_mode(match mesh.geometry_source_geometry_mode {
        SourceMode::RootNodeChildren => SourceGeometryMode::ROOT_NODE_CHILDREN,
        SourceMode::GroupsWithChildren => SourceGeometryMode::GROUPS_WITH_CHILDREN,
        SourceMode::GroupsExplicit => SourceGeometryMode::GROUPS_EXPLICIT,
    });
    settings.set_source_group_name(&mesh.geometry_source_group_name);
    settings.set_collision_mask(mesh.geometry_collision_mask);
    settings
}

/// Triangles and obstructions of parsed data, which lie around a node.
///
/// # Errors
/// There are no triangles, or none that can be used.
pub fn from_data(data: &mut Gd<NavigationMeshSourceGeometryData3D>, at: Transform3D) -> Result<Parsed, String> {
    let numbers = data.get_vertices();
    let corners = numbers.as_slice().as_chunks().0.iter().map(|&[x, y, z]| at * Vector3::new(x, y, z));
    let corners: Vec<Vec3> = corners.map(to_nav).collect();
    let indices = data.get_indices();
    let triangles = indices.as_slice().as_chunks().0.iter().map(|triangle| triangle.map(|i| i as u32));
    let triangles: Vec<[u32; 3]> = triangles.collect();
    if triangles.is_empty() {
        return Err("there is no geometry to bake from: give the region children with meshes or static colliders, or \
                    name a group in its mesh"
            .into());
    }
    let triangles = TriMesh::new(corners, triangles).map_err(|problem| problem.to_string())?;
    let lost = triangles.report().not_finite;
    let problem =
        format!("{lost} triangles have corners that are no numbers, and are left out: look at the transforms");
    let problems = Some(problem).filter(|_| lost > 0).into_iter().collect();
    let obstructions = data.get_projected_obstructions();
    let obstructions = obstructions.iter_shared().filter_map(|obstruction| {
        obstruction.try_to::<VarDictionary>().ok().and_then(|obstruction| prism(&obstruction, &at))
    });
    Ok(Parsed { obstructions: obstructions.collect(), triangles, problems })
}

fn prism(obstruction: &VarDictionary, at: &Transform3D) -> Option<Obstruction> {
    let number = |name: &str| obstruction.get(name)?.try_to_relaxed::<f32>().ok();
    let numbers = obstruction.get("vertices")?.try_to::<PackedFloat32Array>().ok()?;
    let corners = numbers.as_slice().as_chunks().0.iter().map(|&[x, y, z]| *at * Vector3::new(x, y, z));
    let outline: Vec<Vec2> = corners.map(|corner| Vec2::new(corner.x, corner.z)).collect();
    let low = number("elevation")? + at.origin.y;
    let heights = [low, low + number("height").unwrap_or(0.0)];
    let carves = obstruction.get("carve").is_some_and(|carve| carve.booleanize());
    (outline.len() >= 3).then_some(Obstruction { outline, heights, carves })
}

/// A box of the library as one of Godot.
pub fn to_godot_box(bounds: Aabb) -> godot::builtin::Aabb {
    let min = crate::convert::to_godot(bounds.min);
    let size = crate::convert::to_godot(bounds.max) - min;
    if bounds.min.cmple(bounds.max).all() { godot::builtin::Aabb::new(min, size) } else { Default::default() }
}
