//! The components stored with a mesh: of all polygons, and of the polygons that some flag masks pass.
//!
//! A game with doors registers the masks of its agents' filters, and then learns immediately whether a path exists with
//! the doors as they are. A change of the mesh computes nothing. The first query after it updates the previous
//! components: the squares around the changes reported by the feed are recomputed, all others are reused.
//!
//! ```text
//!   door closes ──> the mesh notes its tile ┄┄ question ──> that tile's square ──> parts of all squares ──> components
//! ```
//!
//! Masks belong to the mesh and its clones, and are not saved. A clone shares computed components until either of them
//! changes.
//!
//! Cost: none for registering; the first query after a change as described [above](super::connected_components); any
//! other a few loads. Four bytes per polygon and mask.
//!
//! Sources: none needed.

use super::Components;
use crate::area::FlagMask;
use crate::mesh::{ChangeFeed, KeptBeside, NavMesh, once};
use std::sync::{Arc, OnceLock};

/// The components of one version, once computed, and those of an earlier one.
#[derive(Clone, Debug, Default)]
struct KeptComponents {
    now: Arc<OnceLock<Components>>,
    /// The last components that were computed before.
    before: Option<Arc<OnceLock<Components>>>,
}

impl KeptComponents {
    #[inline]
    fn get(&self, mesh: &NavMesh, mask: Option<FlagMask>) -> &Components {
        once(&self.now, || match self.before.as_ref().and_then(|before| before.get()) {
            Some(before) => before.updated(mesh),
            None => Components::compute(mesh, mask),
        })
    }

    fn next(&self, feed: &ChangeFeed) -> Self {
        let last = if self.now.get().is_some() { Some(&self.now) } else { self.before.as_ref() };
        // Components that must be recomputed from scratch need not keep old tiles alive.
        let is_of_use = |last: &&Arc<OnceLock<Components>>| last.get().is_some_and(|last| feed.knows(last.version()));
        Self { now: Arc::default(), before: last.filter(is_of_use).cloned() }
    }
}

/// All components stored with a mesh.
#[derive(Clone, Debug, Default)]
struct MeshComponents {
    ground: KeptComponents,
    /// In the order of registration.
    masked: Vec<(FlagMask, KeptComponents)>,
}

impl KeptBeside for MeshComponents {
    fn next(&self, feed: &ChangeFeed) -> Arc<dyn KeptBeside> {
        let masked = self.masked.iter().map(|(mask, kept)| (*mask, kept.next(feed))).collect();
        Arc::new(Self { ground: self.ground.next(feed), masked })
    }
}

impl NavMesh {
    /// The connected components of the current mesh. Computed at the first call after tiles or connections were added
    /// or removed (changed flags and areas make no difference), and shared by all clones made since.
    #[must_use]
    #[inline]
    pub fn components(&self) -> &Components {
        self.beside::<MeshComponents>().ground.get(self, None)
    }

    /// From now on keeps the components of the polygons that a mask passes, so that
    /// [`components_for`](Self::components_for) returns them and searches by filters with this mask know immediately
    /// which goals are unreachable. Meant for the few masks that most agents use: each takes memory and, after a change
    /// of tiles, connections or flags, time. Not saved with the mesh: register again after loading.
    pub fn keep_components_for(&mut self, mask: FlagMask) {
        if self.kept_masks().all(|kept| kept != mask) {
            let mut kept = self.beside::<MeshComponents>().clone();
            kept.masked.push((mask, KeptComponents::default()));
            self.set_beside(kept);
        }
    }

    /// The masks for which components are kept, in the order of registration.
    pub fn kept_masks(&self) -> impl Iterator<Item = FlagMask> + '_ {
        self.beside::<MeshComponents>().masked.iter().map(|(mask, _)| *mask)
    }

    /// The components of the polygons that a mask currently passes; `None` if they are not
    /// [kept](Self::keep_components_for). A closed polygon is in no component.
    #[must_use]
    pub fn components_for(&self, mask: FlagMask) -> Option<&Components> {
        let (_, kept) = self.beside::<MeshComponents>().masked.iter().find(|(kept, _)| *kept == mask)?;
        Some(kept.get(self, Some(mask)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::math::Rng;
    use crate::mesh::{OffMeshConnection, PolyRef, Tile, TileRef};
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileData, TileLayout, distance_to_box};
    use glam::Vec3;

    const SIZE: u32 = 4;
    /// The first of nine places: where four squares of tiles meet.
    const FIRST: (i32, i32) = (14, -2);
    const MASKS: [FlagMask; 2] = [
        FlagMask { include: PolyFlags::ALL, exclude: PolyFlags(2) },
        FlagMask { include: PolyFlags(4), exclude: PolyFlags::NONE },
    ];

    fn random_tile(rng: &mut Rng, place: u32) -> TileData {
        let row = |rng: &mut Rng| (0..SIZE).map(|_| if rng.below(4) == 0 { '.' } else { 'a' }).collect::<String>();
        let map = (0..SIZE).map(|_| row(rng)).collect::<Vec<_>>().join("\n");
        sketch(TileCoord { x: FIRST.0 + (place % 3) as i32, z: FIRST.1 + (place / 3) as i32, layer: 0 }, &map)
    }

    fn random_flags(rng: &mut Rng) -> PolyFlags {
        PolyFlags([1, 5, 7, 4][rng.below(4) as usize])
    }

    fn anywhere(rng: &mut Rng) -> Vec3 {
        let size = SIZE as f32;
        Vec3::new(FIRST.0 as f32 + 3.0 * rng.unit(), 0.0, FIRST.1 as f32 + 3.0 * rng.unit()) * size
    }

    fn random_connection(rng: &mut Rng) -> OffMeshConnection {
        let mut at = || anywhere(rng);
        let start = at();
        let end = at();
        let two_way = rng.below(2) == 0;
        let flags = random_flags(rng);
        OffMeshConnection { start, end, radius: 0.4, two_way, area: AreaId::WALKABLE, flags, user_id: 0 }
    }

    /// One change of a mesh of nine places.
    fn edit(mesh: &mut NavMesh, rng: &mut Rng) {
        let tiles: Vec<TileRef> = mesh.tiles().map(Tile::tile_ref).collect();
        let tile = tiles.get(rng.below(tiles.len().max(1) as u32) as usize).copied();
        let connections: Vec<PolyRef> = mesh.connections().map(|c| c.reference()).collect();
        let connection = connections.get(rng.below(connections.len().max(1) as u32) as usize).copied();
        match (rng.below(16), tile, connection) {
            (0, Some(tile), _) => drop(mesh.remove_tile(tile)),
            (1 | 2, ..) => {
                let place = rng.below(9);
                let _ = mesh.add_tile(random_tile(rng, place));
            }
            (3, Some(tile), _) => {
                let coord = mesh.tile(tile).unwrap().coord();
                let place = (coord.x - FIRST.0) + 3 * (coord.z - FIRST.1);
                mesh.replace_tile(tile, random_tile(rng, place as u32)).unwrap();
            }
            (4, ..) if connections.len() < 6 => drop(mesh.add_connection(random_connection(rng))),
            (5, _, Some(connection)) => drop(mesh.remove_connection(connection)),
            (6, _, Some(connection)) => mesh.set_flags(connection, random_flags(rng)).unwrap(),
            (_, Some(tile), _) if mesh.tile(tile).unwrap().poly_count() > 0 => {
                let tile = mesh.tile(tile).unwrap();
                let poly = tile.reference(rng.below(tile.poly_count()));
                mesh.set_flags(poly, random_flags(rng)).unwrap();
            }
            _ => {}
        }
    }

    /// All polygons that can be reached from one, by a walk over portals and connections.
    fn flood(mesh: &NavMesh, mask: FlagMask, from: PolyRef) -> Vec<PolyRef> {
        let mut found = vec![from];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            next += 1;
            let over_edges = mesh.poly(at).unwrap().portals().map(|portal| portal.to).collect::<Vec<_>>();
            let open = mesh.connections().filter(|c| mask.passes(c.state().flags));
            let passages = open.flat_map(|c| [c.passage(0), c.passage(1)]).flatten();
            let jumps = passages.filter(|[entered, _]| entered.poly == at).map(|[_, left]| left.poly);
            for to in over_edges.into_iter().chain(jumps) {
                if mask.passes(mesh.state(to).unwrap().flags) && !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        found
    }

    /// How far the nearest tile of a component is from a random place; against a look at all.
    fn nearest(components: &Components, mesh: &NavMesh, component: u32, seed: u64) -> f32 {
        let to = anywhere(&mut Rng::new(seed)) * 2.0;
        let mut found = f32::INFINITY;
        let far = |tile: &Tile| distance_to_box(to, &tile.bounds(), 0.0);
        components.visit_near(mesh, component, to, f32::INFINITY, &mut |tile, within| {
            found = within.min(far(tile));
            found
        });
        let own = mesh.tiles().filter(|tile| components.of_islands(tile.tile_ref()).any(|c| c == component));
        assert_eq!(found, own.map(far).fold(f32::INFINITY, f32::min));
        found
    }

    #[test]
    fn kept_up_over_thousands_of_edits_as_computed_afresh_and_as_a_flood_finds() {
        let mut rng = Rng::new(77);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: SIZE as f32, tile_depth: SIZE as f32 };
        let mut mesh = NavMesh::new(layout);
        MASKS.into_iter().for_each(|mask| mesh.keep_components_for(mask));
        let mut snapshot = mesh.clone();
        let mut own = Components::of_open(&mesh, MASKS[0]);
        let mut yes = 0;
        let mut no = 0;
        for round in 0..4000 {
            edit(&mut mesh, &mut rng);
            if round % 50 == 0 {
                snapshot = mesh.clone();
            }
            let mask = MASKS[round % 2];
            let kept = mesh.components_for(mask).unwrap();
            let fresh = Components::compute(&mesh, Some(mask));
            assert_eq!(kept.numbers(&mesh), fresh.numbers(&mesh), "round {round}");
            let then = Components::compute(&snapshot, Some(mask));
            let kept_then = snapshot.components_for(mask).unwrap();
            assert_eq!(kept_then.numbers(&snapshot), then.numbers(&snapshot), "round {round}");
            if round % 3 == 0 {
                // Not asked for in between: several edits are made up for at once.
                let afresh = Components::of(&mesh);
                assert_eq!(mesh.components().numbers(&mesh), afresh.numbers(&mesh), "round {round}");
            }
            let all: Vec<PolyRef> =
                mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|poly| t.reference(poly))).collect();
            if round % 7 == 0 {
                // Held by somebody else, and taken to later versions and back to earlier ones.
                for mesh in [&mesh, &snapshot] {
                    own.update(mesh);
                    let fresh = Components::of_open(mesh, MASKS[0]);
                    assert_eq!(own.numbers(mesh), fresh.numbers(mesh), "round {round}");
                }
            }
            if all.is_empty() || round % 4 > 1 {
                continue;
            }
            let from = all[rng.below(all.len() as u32) as usize];
            let is_open = |poly: PolyRef| mask.passes(mesh.state(poly).unwrap().flags);
            if !is_open(from) {
                assert_eq!(kept.component(from), None);
                continue;
            }
            let here = kept.component(from).unwrap();
            assert_eq!(nearest(kept, &mesh, here, round as u64), nearest(&fresh, &mesh, here, round as u64));
            let reached = flood(&mesh, mask, from);
            for &to in &all {
                let expected = reached.contains(&to);
                assert_eq!(kept.may_reach(from, to), expected, "round {round}: {from} to {to}");
                yes += u32::from(expected);
                no += u32::from(!expected && is_open(to));
            }
        }
        assert!(yes > 10_000 && no > 10_000, "{yes} {no}");
        assert_eq!(mesh.kept_masks().count(), 2);
        assert!(mesh.components_for(FlagMask { include: PolyFlags(8), exclude: PolyFlags::NONE }).is_none());
    }

    #[test]
    fn what_nobody_asks_for_any_more_holds_no_tiles_of_long_ago() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: SIZE as f32, tile_depth: SIZE as f32 };
        let tile = || sketch(TileCoord::default(), "aaaa");
        let mut mesh = NavMesh::from_tiles(layout, vec![tile()]).unwrap();
        assert_eq!(mesh.components().count(), 1);
        let old = Arc::downgrade(&mesh.tiles().next().unwrap().geometry);
        for _ in 0..1000 {
            let last = mesh.tiles().next().unwrap().tile_ref();
            mesh.replace_tile(last, tile()).unwrap();
        }
        assert!(old.upgrade().is_none());
        assert_eq!(mesh.components().count(), 1);
    }
}
