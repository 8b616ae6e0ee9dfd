//! What of a mesh is shown: polygons, detail, tiles, links, trees, components, and more.

use crate::canvas::{Canvas, Ink, Pen};
use wayfare::Vec3;
use wayfare::components::Components;
use wayfare::debug::{DebugSink, Role, draw_mesh, draw_tile_detail};
use wayfare::hierarchy::AbstractGraph;
use wayfare::input::MarkedVolume;
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;

/// Something that can be shown or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The level's own triangles.
    Level,
    /// Polygons, walls and connections of the mesh.
    Mesh,
    /// Detail triangles.
    Detail,
    /// Outlines of tiles, with their coordinates.
    Tiles,
    /// Links between polygons of different tiles.
    Links,
    /// Boxes around polygons, as the tree over them holds.
    Tree,
    /// Polygons in the colours of what connects with what.
    Components,
    /// The abstract graph.
    Graph,
    /// Volumes of the level.
    Volumes,
}

impl Layer {
    /// All, in the order of the list.
    pub const ALL: [Self; 9] = [
        Self::Level,
        Self::Mesh,
        Self::Detail,
        Self::Tiles,
        Self::Links,
        Self::Tree,
        Self::Components,
        Self::Graph,
        Self::Volumes,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Level => "Level",
            Self::Mesh => "Navigation mesh",
            Self::Detail => "Detail triangles",
            Self::Tiles => "Tiles",
            Self::Links => "Links between tiles",
            Self::Tree => "Bounding tree",
            Self::Components => "Connected components",
            Self::Graph => "Abstract graph",
            Self::Volumes => "Volumes of the level",
        }
    }
}

/// Which layers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers(u16);

impl Default for Layers {
    fn default() -> Self {
        Self(0).with(Layer::Level, true).with(Layer::Mesh, true)
    }
}

impl Layers {
    /// Whether a layer is shown.
    #[must_use]
    pub const fn has(self, layer: Layer) -> bool {
        self.0 & (1 << layer as u16) != 0
    }

    /// The same, with a layer shown or not.
    #[must_use]
    pub const fn with(self, layer: Layer, shown: bool) -> Self {
        let bit = 1 << layer as u16;
        Self(if shown { self.0 | bit } else { self.0 & !bit })
    }

    /// As a number, for addresses.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// From a number.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

/// Draws the layers of a mesh that are shown; the level itself is not among them.
pub(crate) fn draw_layers(mesh: &NavMesh, layers: Layers, volumes: &[MarkedVolume], canvas: &mut Canvas) {
    if layers.has(Layer::Components) {
        draw_components(mesh, canvas);
    } else if layers.has(Layer::Mesh) {
        draw_ground(mesh, canvas);
        draw_mesh(mesh, &mut EdgesOnly(canvas));
    }
    if layers.has(Layer::Detail) {
        mesh.tiles().for_each(|tile| draw_tile_detail(tile.data(), canvas));
    }
    if layers.has(Layer::Tiles) {
        draw_tiles(mesh, canvas);
    }
    if layers.has(Layer::Links) {
        draw_links(mesh, canvas);
    }
    if layers.has(Layer::Tree) {
        draw_tree(mesh, canvas);
    }
    if layers.has(Layer::Graph) {
        wayfare::debug::draw_abstract_graph(&AbstractGraph::new(mesh), canvas);
    }
    if layers.has(Layer::Volumes) {
        for marked in volumes {
            let ink = if marked.area.is_null() { Ink::Forbidden } else { Ink::Ground(marked.area) };
            super::tools::draw_volume(&marked.volume, ink, canvas);
        }
    }
}

/// Fills the polygons by their detail triangles, which follow the level where a polygon would go through it.
fn draw_ground(mesh: &NavMesh, canvas: &mut Canvas) {
    for tile in mesh.tiles() {
        let data = tile.data();
        for poly in 0..tile.poly_count() {
            let detail = data.detail_of(poly);
            let corners = data.corners_of(poly);
            let vert = |v: u16| match usize::from(v).checked_sub(corners.len()) {
                None => data.verts()[corners[usize::from(v)] as usize],
                Some(extra) => data.detail_verts()[detail.first_vert as usize + extra],
            };
            let first = detail.first_tri as usize;
            let ink = Ink::Ground(tile.state(poly).area);
            if detail.tri_count == 0 {
                canvas.fill(&data.points_of(poly).collect::<Vec<_>>(), ink, 1.0);
            }
            for triangle in &data.detail_tris()[first..first + usize::from(detail.tri_count)] {
                canvas.triangles(&triangle.verts.map(vert), ink, 1.0);
            }
        }
    }
}

/// Passes on what is not a surface: walls clearly, edges between polygons faintly. Tiles have a layer of their own.
struct EdgesOnly<'a>(&'a mut Canvas);

impl DebugSink for EdgesOnly<'_> {
    fn polygon(&mut self, _: &[Vec3], _: Role) {}

    fn line(&mut self, points: &[Vec3], role: Role) {
        match role {
            Role::TileOutline => {}
            Role::InnerEdge => self.0.path(points, Pen::of(role.into()).width(1.0).alpha(0.45)),
            Role::TileEdge => self.0.path(points, Pen::of(role.into()).width(1.2).alpha(0.6)),
            Role::Wall => self.0.path(points, Pen::of(role.into()).width(1.6).alpha(0.85)),
            _ => DebugSink::line(self.0, points, role),
        }
    }

    fn point(&mut self, at: Vec3, role: Role) {
        self.0.point(at, role);
    }
}

fn draw_components(mesh: &NavMesh, canvas: &mut Canvas) {
    let components = Components::of(mesh);
    for tile in mesh.tiles() {
        for poly in 0..tile.poly_count() {
            let corners: Vec<Vec3> = tile.data().points_of(poly).collect();
            let ink = components.component(tile.reference(poly)).map_or(Ink::Warning, Ink::Region);
            canvas.fill(&corners, ink, 1.0);
            canvas.outline(&corners, Pen::of(Ink::InnerEdge).width(1.0));
        }
    }
}

fn draw_tiles(mesh: &NavMesh, canvas: &mut Canvas) {
    for tile in mesh.tiles() {
        let bounds = tile.bounds();
        box_edges(&bounds, Pen::of(Ink::Outline).width(1.0), canvas);
        let coord = tile.coord();
        let at = Vec3::new(bounds.center().x, bounds.max.y + 0.2, bounds.center().z);
        canvas.label(at, format!("{}, {}", coord.x, coord.z), Ink::Text);
    }
}

fn draw_links(mesh: &NavMesh, canvas: &mut Canvas) {
    for tile in mesh.tiles() {
        for link in tile.links().all() {
            canvas.line(link.a, link.b, Pen::of(Ink::Connection).width(3.0));
            if let Ok(to) = mesh.poly(link.to) {
                let middle = (link.a + link.b) * 0.5;
                canvas.line(middle, middle.lerp(to.center(), 0.4), Pen::of(Ink::Connection).width(1.0).arrow());
            }
        }
    }
}

fn draw_tree(mesh: &NavMesh, canvas: &mut Canvas) {
    for tile in mesh.tiles() {
        let tree = tile.tree();
        box_edges(&tree.bounds(), Pen::of(Ink::Outline).width(2.0), canvas);
        tree.polys_in_box(&tree.bounds(), |poly, bounds| {
            box_edges(bounds, Pen::of(Ink::Region(poly)).width(1.0), canvas);
        });
    }
}

/// The edges of a box.
pub(crate) fn box_edges(bounds: &Aabb, pen: Pen, canvas: &mut Canvas) {
    let level = |y: f32| {
        let (low, high) = (bounds.min, bounds.max);
        [(low.x, low.z), (low.x, high.z), (high.x, high.z), (high.x, low.z)].map(|(x, z)| Vec3::new(x, y, z))
    };
    let (low, high) = (level(bounds.min.y), level(bounds.max.y));
    canvas.outline(&low, pen);
    canvas.outline(&high, pen);
    low.iter().zip(high).for_each(|(&low, high)| canvas.line(low, high, pen));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn every_layer_draws_something_of_its_own() {
        let stage = baked_stage("dungeon");
        let mesh = stage.mesh().unwrap();
        let volume = wayfare::input::Volume::Box(mesh.bounds());
        let volumes = [MarkedVolume::block(volume)];
        for layer in Layer::ALL.into_iter().filter(|&layer| layer != Layer::Level) {
            let mut canvas = Canvas::new();
            draw_layers(mesh, Layers::from_bits(0).with(layer, true), &volumes, &mut canvas);
            assert_ne!(canvas, Canvas::new(), "{}", layer.name());
        }
    }
}
