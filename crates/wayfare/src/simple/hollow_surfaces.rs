//! Surfaces of a mesh that lie inside hollow bodies: nobody gets there, but a search for the nearest polygon may end
//! there, and a random point may lie there.
//!
//! A body that is modelled as a shell, such as a crate or a building, leaves ground inside where there is room for the
//! agent. Each connected component of the mesh is taken by itself: if nothing leads into it, and its outermost and
//! highest polygons all lie [inside bodies](crate::bake::inside_bodies), so does all of it. A cave or a room with a way
//! in is one component with what is outside, and that reaches farther out than any wall.
//!
//! Cost: one look at every polygon and, for each component, one point held against the triangles; up to five where that
//! one lies inside a body. Sources: own.

use crate::bake::inside_bodies;
use crate::input::Level;
use crate::mesh::{NavMesh, PolyRef, PolyView};
use glam::Vec3;

/// A surface inside a hollow body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HollowSurface {
    /// One of its polygons, the highest. [`NavMesh::components`] tells which belong with it.
    pub poly: PolyRef,
    /// The middle of that polygon, on its ground.
    pub at: Vec3,
}

/// Up, and to the four sides: the highest polygon comes first.
const OUTERMOST: [Vec3; 5] = [Vec3::Y, Vec3::NEG_X, Vec3::X, Vec3::NEG_Z, Vec3::Z];

impl NavMesh {
    /// The surfaces that lie inside hollow bodies of the level that this mesh was baked from, such as crates or
    /// buildings that are modelled as shells: connected components that nothing leads into, no one-way connection
    /// either, whose polygons have walls around and a roof above, seen from behind. In the order of the components'
    /// numbers. `agent_height`: metres, as baked for; points half as high above the ground are looked at.
    ///
    /// Add them to a report with [`BakeReport::warn`](crate::bake::BakeReport::warn), as
    /// [`WarningKind::InsideHollowBody`](crate::bake::WarningKind::InsideHollowBody). Bodies of triangles are looked
    /// at, height maps are not.
    #[must_use]
    pub fn hollow_surfaces<'a>(&self, level: impl Into<Level<'a>>, agent_height: f32) -> Vec<HollowSurface> {
        let level = level.into();
        if level.mesh.tris().is_empty() {
            return Vec::new();
        }
        let body = Vec3::Y * (agent_height * 0.5);
        let mut enclosed = self.outermost_polys();
        let highest: Vec<Vec3> = enclosed.iter().map(|polys| on_ground(polys[0]) + body).collect();
        let mut inside = inside_bodies(level.mesh, &highest).into_iter();
        enclosed.retain(|_| inside.next() == Some(true));
        // Of a small surface one polygon is the outermost in several directions; the highest was looked at.
        let is_first = |polys: &[PolyView<'_>], k: usize| {
            polys[..k].iter().all(|before| before.reference() != polys[k].reference())
        };
        let others: Vec<(usize, Vec3)> = (0..)
            .zip(&enclosed)
            .flat_map(|(surface, polys)| {
                let others = (1..polys.len()).filter(move |&k| is_first(polys, k));
                others.map(move |k| (surface, on_ground(polys[k]) + body))
            })
            .collect();
        let points: Vec<Vec3> = others.iter().map(|(_, point)| *point).collect();
        let mut is_hollow = vec![true; enclosed.len()];
        for ((surface, _), inside) in others.iter().zip(inside_bodies(level.mesh, &points)) {
            is_hollow[*surface] &= inside;
        }
        let found = enclosed.iter().zip(is_hollow).filter(|(_, is_hollow)| *is_hollow);
        found.map(|(polys, _)| HollowSurface { poly: polys[0].reference(), at: on_ground(polys[0]) }).collect()
    }

    /// The polygons whose middles lie farthest out, of each component that no one-way connection leads into.
    fn outermost_polys(&self) -> Vec<[PolyView<'_>; OUTERMOST.len()]> {
        let components = self.components();
        let mut outermost: Vec<Option<[(f32, PolyView<'_>); OUTERMOST.len()]>> =
            vec![None; components.count() as usize];
        let polys = self.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
        for poly in polys.filter_map(|reference| self.poly(reference).ok()) {
            let Some(component) = components.component(poly.reference()) else { continue };
            let center = poly.center();
            let far = OUTERMOST.map(|direction| (direction.dot(center), poly));
            let most = outermost[component as usize].get_or_insert(far);
            for (most, far) in most.iter_mut().zip(far) {
                if far.0 > most.0 {
                    *most = far;
                }
            }
        }
        components.one_way().iter().for_each(|&(_, into)| outermost[into as usize] = None);
        outermost.into_iter().flatten().map(|most| most.map(|(_, poly)| poly)).collect()
    }
}

/// The middle of a polygon, on its ground.
fn on_ground(poly: PolyView<'_>) -> Vec3 {
    let center = poly.center();
    poly.tile().data().height_at(poly.index(), center).map_or(center, |y| center.with_y(y))
}
