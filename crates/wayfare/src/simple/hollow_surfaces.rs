//! Finds surfaces of a mesh inside hollow bodies. No agent can get there, but a search for the nearest polygon may end
//! there, and a random point may lie there.
//!
//! A body modelled as a shell, such as a crate or a building, leaves a walkable surface inside if there is room for the
//! agent. Each connected component of the mesh is examined separately: if no connection leads into it, and its
//! outermost and highest polygons all lie [inside bodies](crate::bake::inside_bodies), so does all of it. A cave or a
//! room with an entrance belongs to the component outside, which extends beyond its walls.
//!
//! Cost: one look at every polygon and, for each component, one point tested against the triangles; up to five if that
//! point lies inside a body. Sources: own.

use crate::bake::inside_bodies;
use crate::input::Level;
use crate::mesh::{NavMesh, PolyRef, PolyView};
use glam::Vec3;

/// A surface inside a hollow body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HollowSurface {
    /// Its highest polygon. [`NavMesh::components`] gives the others.
    pub poly: PolyRef,
    /// The middle of that polygon, on the surface.
    pub at: Vec3,
}

/// Up, then the four sides: the highest polygon comes first.
const OUTERMOST: [Vec3; 5] = [Vec3::Y, Vec3::NEG_X, Vec3::X, Vec3::NEG_Z, Vec3::Z];

impl NavMesh {
    /// The surfaces inside hollow bodies of the level that this mesh was baked from, such as crates or buildings
    /// modelled as shells: connected components that nothing leads into, not even a one-way connection, and whose
    /// polygons have walls around them and a roof above, all facing away. Ordered by component number. `agent_height`:
    /// metres, as in the bake; points at half that height above the surface are tested.
    ///
    /// To add them to a report, call [`BakeReport::warn`](crate::bake::BakeReport::warn) with
    /// [`WarningKind::InsideHollowBody`](crate::bake::WarningKind::InsideHollowBody). Bodies made of triangles are
    /// considered, height maps are not.
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
        // In a small surface the same polygon is outermost in several directions; the highest was tested already.
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

    /// The polygons whose centres lie farthest out, of each component that no one-way connection leads into.
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

/// The centre of a polygon, on the surface.
fn on_ground(poly: PolyView<'_>) -> Vec3 {
    let center = poly.center();
    poly.tile().data().height_at(poly.index(), center).map_or(center, |y| center.with_y(y))
}
