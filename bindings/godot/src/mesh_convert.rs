//! Meshes of Wayfare and those of Godot's own navigation, each from the other.

use crate::convert::{points, to_nav};
use crate::core::Level;
use crate::mesh::WayfareMesh;
use godot::classes::NavigationMesh;
use godot::prelude::*;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::{NavMesh, PolyRef, Tile};
use wayfare::tile::{SourcePoly, TileSource, build_tile};

/// Vertices nearer than this along each axis, as parts of a metre, are one.
const WELD: f32 = 1024.0;

#[godot_api(secondary)]
impl WayfareMesh {
    /// The corners of all polygons, in the world.
    #[func]
    pub fn get_vertices(&self) -> PackedVector3Array {
        self.polygons().map(|polygons| points(polygons.corners)).unwrap_or_default()
    }

    /// How many polygons there are.
    #[func]
    pub fn get_polygon_count(&self) -> i64 {
        self.polygons().map_or(0, |polygons| polygons.polygons.len() as i64)
    }

    /// A polygon, as indices of [method get_vertices]; clockwise as seen from above, as Godot's. For all of them,
    /// convert the mesh once with [method to_navigation_mesh].
    #[func]
    pub fn get_polygon(&self, index: i64) -> PackedInt32Array {
        let polygons = self.polygons().map(|polygons| polygons.polygons).unwrap_or_default();
        match usize::try_from(index).ok().and_then(|index| polygons.get(index)) {
            Some(polygon) => polygon.iter().copied().collect(),
            None => {
                godot_error!("WayfareMesh.get_polygon: {index} is none of the {} polygons", polygons.len());
                PackedInt32Array::new()
            }
        }
    }

    /// The same mesh for Godot's own navigation, with the settings of the bake. Area types are lost: polygons that cost
    /// more are like others, those that cannot be walked on are left out.
    #[func]
    pub fn to_navigation_mesh(&self) -> Gd<NavigationMesh> {
        let mut mesh = NavigationMesh::new_gd();
        mesh.set_cell_size(self.cell_size);
        mesh.set_cell_height(self.cell_height);
        mesh.set_agent_radius(self.agent_radius);
        mesh.set_agent_height(self.agent_height);
        mesh.set_agent_max_climb(self.agent_max_climb);
        mesh.set_agent_max_slope(self.agent_max_slope);
        mesh.set_source_group_name(&self.geometry_source_group_name);
        mesh.set_collision_mask(self.geometry_collision_mask);
        if let Some(polygons) = self.polygons() {
            mesh.set_vertices(&points(polygons.corners));
            for polygon in polygons.polygons {
                mesh.add_polygon(&polygon.into_iter().collect());
            }
        }
        mesh
    }

    /// Takes over a mesh that Godot's own navigation has baked, and its settings. Obstacles and areas cannot change it.
    /// `false` if it cannot be used.
    #[func]
    pub fn from_navigation_mesh(&mut self, navigation_mesh: Gd<NavigationMesh>) -> bool {
        match read(&navigation_mesh) {
            Ok(mesh) => {
                self.cell_size = navigation_mesh.get_cell_size();
                self.cell_height = navigation_mesh.get_cell_height();
                self.agent_radius = navigation_mesh.get_agent_radius();
                self.agent_height = navigation_mesh.get_agent_height();
                self.agent_max_climb = navigation_mesh.get_agent_max_climb();
                self.agent_max_slope = navigation_mesh.get_agent_max_slope();
                self.geometry_source_group_name = navigation_mesh.get_source_group_name();
                self.geometry_collision_mask = navigation_mesh.get_collision_mask();
                self.set_data(PackedByteArray::from(mesh.to_bytes().as_slice()));
                true
            }
            Err(problem) => {
                godot_error!("WayfareMesh.from_navigation_mesh: {problem}");
                false
            }
        }
    }
}

/// Polygons over shared corners.
struct Polygons {
    corners: Vec<Vec3>,
    polygons: Vec<Vec<i32>>,
}

impl WayfareMesh {
    fn polygons(&self) -> Option<Polygons> {
        if self.data.is_empty() {
            return None;
        }
        let level =
            Level::from_way(self.data.as_slice()).map_err(|problem| godot_error!("WayfareMesh: {problem}")).ok()?;
        Some(polygons(level.mesh()))
    }
}

/// All polygons, with the corners of their neighbours in other tiles on their edges: Godot joins whole edges only.
fn polygons(mesh: &NavMesh) -> Polygons {
    let mut corners = Vec::new();
    let mut number_of = BTreeMap::new();
    let mut number = |at: Vec3| {
        let key = (at * WELD).round().to_array().map(|axis| axis as i64);
        *number_of.entry(key).or_insert_with(|| {
            corners.push(at);
            corners.len() as i32 - 1
        })
    };
    let mut polygons = Vec::new();
    for tile in mesh.tiles() {
        for poly in (0..tile.poly_count()).filter(|&poly| tile.state(poly).area != AreaId::NULL) {
            let mut polygon: Vec<i32> = outline(mesh, tile, poly).into_iter().map(&mut number).collect();
            polygon.dedup();
            // Ours is counter-clockwise as seen from above.
            polygon.reverse();
            if polygon.len() >= 3 {
                polygons.push(polygon);
            }
        }
    }
    Polygons { corners, polygons }
}

fn outline(mesh: &NavMesh, tile: &Tile, poly: u32) -> Vec<Vec3> {
    let reference: PolyRef = tile.reference(poly);
    let portals: Vec<_> = mesh.poly(reference).map(|view| view.portals().collect()).unwrap_or_default();
    let data = tile.data();
    let mut outline = Vec::new();
    for corner in data.corner_range(poly) {
        let corner = corner as u32;
        let [a, b] = data.edge(poly, corner);
        let along = b - a;
        outline.push(a);
        let ends = portals.iter().filter(|p| p.edge == corner && !p.to.is_off_mesh()).flat_map(|p| [p.a, p.b]);
        let mut inner: Vec<(f32, Vec3)> = ends
            .map(|p| ((p - a).dot(along) / along.length_squared(), p))
            .filter(|p| p.0 > 1e-3 && p.0 < 0.999)
            .collect();
        inner.sort_by(|x, y| x.0.total_cmp(&y.0));
        outline.extend(inner.into_iter().map(|p| a + along * p.0));
    }
    outline
}

fn read(mesh: &Gd<NavigationMesh>) -> Result<NavMesh, String> {
    let verts: Vec<Vec3> = mesh.get_vertices().as_slice().iter().copied().map(to_nav).collect();
    let (mut corners, mut polys) = (Vec::new(), Vec::new());
    for index in 0..mesh.get_polygon_count() {
        let polygon = mesh.get_polygon(index);
        let numbers = polygon.as_slice().iter().map(|&i| u32::try_from(i).ok().filter(|&i| (i as usize) < verts.len()));
        let Some(mut polygon) = numbers.collect::<Option<Vec<u32>>>() else {
            return Err(format!("polygon {index} has a corner that is none of the {} vertices", verts.len()));
        };
        if area(&polygon, &verts) < 0.0 {
            polygon.reverse();
        }
        let count = u16::try_from(polygon.len()).map_err(|_| format!("polygon {index} has too many corners"))?;
        polys.push(SourcePoly { count, flags: PolyFlags::WALK, area: AreaId::WALKABLE });
        corners.extend(polygon);
    }
    if polys.is_empty() {
        return Err("it has no polygons: bake it first".into());
    }
    let source = TileSource {
        agent_height: mesh.get_agent_height(),
        agent_radius: mesh.get_agent_radius(),
        agent_climb: mesh.get_agent_max_climb(),
        verts: &verts,
        corners: &corners,
        polys: &polys,
        ..TileSource::default()
    };
    let tile = build_tile(&source).map_err(|problem| problem.to_string())?;
    NavMesh::from_tile(tile).map_err(|problem| problem.to_string())
}

/// Twice the area of a polygon as seen from above, more than 0 where it is wound as the library wants.
fn area(polygon: &[u32], verts: &[Vec3]) -> f32 {
    let corner = |i: usize| verts[polygon[i % polygon.len()] as usize];
    (0..polygon.len()).map(|i| (corner(i + 1).x * corner(i).z) - (corner(i).x * corner(i + 1).z)).sum()
}
