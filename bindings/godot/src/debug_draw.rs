//! The mesh as a picture in the scene: surfaces and edges.

use crate::convert::to_godot;
use godot::classes::base_material_3d::{Flags, ShadingMode, Transparency};
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, RenderingServer, StandardMaterial3D, World3D};
use godot::prelude::*;
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
