//! Pictures in the scene: surfaces and edges of the mesh, outlines of obstacles, areas and links.

use crate::convert::to_godot;
use godot::classes::base_material_3d::{Flags, ShadingMode, Transparency};
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, Engine, RenderingServer, SceneTree, StandardMaterial3D, World3D};
use godot::prelude::*;
use wayfare::Vec3;
use wayfare::input::Volume;
use wayfare::mesh::NavMesh;

/// Above the surface, metres.
const LIFT: f32 = 0.05;

/// What is drawn, outside the scene's tree, so that no bake takes it for geometry.
#[derive(Default)]
pub struct Drawing {
    drawn: Option<(u32, Gd<ArrayMesh>, Rid)>,
}

impl Drawing {
    /// Draws a mesh, unless that is drawn already.
    pub fn show(&mut self, iteration: u32, mesh: &NavMesh, world: &Gd<World3D>) {
        if self.drawn.as_ref().is_some_and(|drawn| drawn.0 == iteration) {
            return;
        }
        self.clear();
        let (mut surface, mut edges) = (PackedVector3Array::new(), PackedVector3Array::new());
        let lifted = |p| to_godot(p) + Vector3::UP * LIFT;
        for tile in mesh.tiles() {
            for poly in 0..tile.poly_count() {
                for ([a, b, c], _) in tile.data().triangles_of(poly) {
                    // Clockwise, as Godot wants its front.
                    [a, c, b].into_iter().for_each(|p| surface.push(lifted(p)));
                }
                let corners: Vec<_> = tile.data().points_of(poly).collect();
                for (i, &corner) in corners.iter().enumerate() {
                    [corner, corners[(i + 1) % corners.len()]].into_iter().for_each(|p| edges.push(lifted(p)));
                }
            }
        }
        if surface.is_empty() {
            return;
        }
        let mut picture = ArrayMesh::new_gd();
        add(&mut picture, PrimitiveType::TRIANGLES, &surface, Color::from_rgba(0.1, 0.6, 0.7, 0.4));
        add(&mut picture, PrimitiveType::LINES, &edges, Color::from_rgba(0.05, 0.4, 0.5, 0.9));
        let instance = RenderingServer::singleton().instance_create2(picture.get_rid(), world.get_scenario());
        self.drawn = Some((iteration, picture, instance));
    }

    /// Draws nothing.
    pub fn clear(&mut self) {
        if let Some((_, _, instance)) = self.drawn.take() {
            RenderingServer::singleton().free_rid(instance);
        }
    }
}

/// The outline of an obstacle, an area or a link, where the mesh has it. Drawn in the editor, and in games whose
/// navigation is made visible.
#[derive(Default)]
pub struct Outline {
    drawn: Option<(Gd<ArrayMesh>, Rid)>,
}

impl Outline {
    /// Draws lines, from each first point to each second, in place of those before; none clear it.
    pub fn show(&mut self, lines: &[Vec3], color: Color, world: Option<Gd<World3D>>) {
        self.clear();
        let Some(world) = world.filter(|_| is_shown() && !lines.is_empty()) else { return };
        let corners = lines.iter().map(|&p| to_godot(p)).collect();
        let mut picture = ArrayMesh::new_gd();
        add(&mut picture, PrimitiveType::LINES, &corners, color);
        let instance = RenderingServer::singleton().instance_create2(picture.get_rid(), world.get_scenario());
        self.drawn = Some((picture, instance));
    }

    /// Draws nothing.
    pub fn clear(&mut self) {
        if let Some((_, instance)) = self.drawn.take() {
            RenderingServer::singleton().free_rid(instance);
        }
    }
}

/// Whether outlines are to be seen.
fn is_shown() -> bool {
    let engine = Engine::singleton();
    let tree = || engine.get_main_loop().and_then(|main| main.try_cast::<SceneTree>().ok());
    engine.is_editor_hint() || tree().is_some_and(|tree| tree.is_debugging_navigation_hint())
}

/// The edges of a volume.
pub fn edges(volume: &Volume) -> Vec<Vec3> {
    let bounds = volume.bounds();
    let (low, high) = (bounds.min, bounds.max);
    let ring: Vec<[f32; 2]> = match volume {
        Volume::Cylinder { base, radius, .. } => circle(*base, *radius),
        Volume::Prism { outline, .. } => outline.iter().map(|corner| [corner.x, corner.y]).collect(),
        Volume::TurnedBox { center, half_extents, angle } => {
            let (sin, cos) = (wayfare::math::ops::sin(*angle), wayfare::math::ops::cos(*angle));
            let corner = |[x, z]: [f32; 2]| {
                let (x, z) = (x * half_extents.x, z * half_extents.z);
                [center.x + cos * x - sin * z, center.z + sin * x + cos * z]
            };
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec()
        }
        _ => vec![[low.x, low.z], [high.x, low.z], [high.x, high.z], [low.x, high.z]],
    };
    let at = |[x, z]: [f32; 2], y: f32| Vec3::new(x, y, z);
    let next = |i: usize| ring[(i + 1) % ring.len()];
    let around = |i: usize| {
        let (here, next) = (ring[i], next(i));
        [at(here, low.y), at(next, low.y), at(here, high.y), at(next, high.y), at(here, low.y), at(here, high.y)]
    };
    (0..ring.len()).flat_map(around).collect()
}

/// A link: a line, and circles where the mesh may be.
pub fn link_edges(start: Vec3, end: Vec3, radius: f32) -> Vec<Vec3> {
    let rim = |middle: Vec3| -> Vec<Vec3> {
        let ring = circle(middle, radius);
        let at = |i: usize| Vec3::new(ring[i % ring.len()][0], middle.y, ring[i % ring.len()][1]);
        (0..ring.len()).flat_map(|i| [at(i), at(i + 1)]).collect()
    };
    [start, end].into_iter().chain(rim(start)).chain(rim(end)).collect()
}

fn circle(middle: Vec3, radius: f32) -> Vec<[f32; 2]> {
    let angle = |i: u8| core::f32::consts::TAU * f32::from(i) / 16.0;
    let at = |a: f32| [wayfare::math::ops::cos(a), wayfare::math::ops::sin(a)];
    (0..16).map(|i| at(angle(i))).map(|[x, z]| [middle.x + x * radius, middle.z + z * radius]).collect()
}

fn add(picture: &mut Gd<ArrayMesh>, kind: PrimitiveType, corners: &PackedVector3Array, color: Color) {
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &corners.to_variant());
    picture.add_surface_from_arrays(kind, &arrays);
    let mut material = StandardMaterial3D::new_gd();
    material.set_albedo(color);
    material.set_shading_mode(ShadingMode::UNSHADED);
    material.set_transparency(Transparency::ALPHA);
    material.set_flag(Flags::DISABLE_FOG, true);
    let last = picture.get_surface_count() - 1;
    picture.surface_set_material(last, &material);
}
