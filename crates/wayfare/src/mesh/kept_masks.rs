//! Components of the ground that some flags leave open, kept up while tiles, connections and flags change.
//!
//! Whoever has doors registers the masks that its agents ask by, and learns at once whether a way exists with the doors
//! as they are. After a change nothing is done until somebody asks. Then the islands of the tiles that changed are
//! found anew, those of all others are taken over, and one pass over islands and links joins them.
//!
//! ```text
//!   door closes ──> islands of its tile ──> islands of all tiles and their links ──> components
//!                   (polygons of one tile)  (union-find, no polygons)
//! ```
//!
//! Masks belong to the mesh and its clones, and are not saved. A clone shares what is computed until one of both
//! changes.
//!
//! Cost: registering nothing; the first question after a change as above; any other a load. Four bytes a polygon and
//! mask.
//!
//! Sources: Robert Tarjan, "Efficiency of a Good But Not Linear Set Union Algorithm", 1975.

use super::{Components, NavMesh, once::once};
use crate::area::FlagMask;
use std::sync::{Arc, OnceLock};

/// A mask, and the components of what it leaves open.
#[derive(Clone, Debug)]
pub(super) struct KeptMask {
    mask: FlagMask,
    /// Once somebody has asked; shared by clones among which nothing has changed.
    now: Arc<OnceLock<Arc<Components>>>,
    /// As they were before the last change.
    before: Option<Arc<Components>>,
}

impl KeptMask {
    fn new(mask: FlagMask) -> Self {
        Self { mask, now: Arc::default(), before: None }
    }

    fn forget(&mut self) {
        if let Some(now) = self.now.get() {
            self.before = Some(Arc::clone(now));
        }
        match Arc::get_mut(&mut self.now) {
            Some(own) => drop(own.take()),
            // Clones keep theirs.
            None => self.now = Arc::default(),
        }
    }

    fn components(&self, mesh: &NavMesh) -> &Components {
        once::<Arc<_>>(&self.now, || Arc::new(Components::compute(mesh, Some(self.mask), self.before.as_deref())))
    }
}

impl NavMesh {
    /// Keeps the components of the ground that a mask leaves open from now on, so that
    /// [`components_for`](Self::components_for) has them and searches by filters of this mask know at once which goals
    /// they cannot reach. For the few masks by which most agents ask: each takes memory and, after a change of tiles,
    /// connections or flags, time.
    pub fn keep_components_for(&mut self, mask: FlagMask) {
        if self.kept_masks().all(|kept| kept != mask) {
            Arc::make_mut(&mut self.masked).push(KeptMask::new(mask));
        }
    }

    /// The masks for which components are kept, in the order of their coming.
    pub fn kept_masks(&self) -> impl Iterator<Item = FlagMask> + '_ {
        self.masked.iter().map(|kept| kept.mask)
    }

    /// The components of the ground that a mask leaves open, as the mesh is now; `None` if they are not
    /// [kept](Self::keep_components_for). A polygon that is closed is in none.
    #[must_use]
    pub fn components_for(&self, mask: FlagMask) -> Option<&Components> {
        Some(self.masked.iter().find(|kept| kept.mask == mask)?.components(self))
    }

    /// Forgets the components of all masks, since what is open may have changed.
    pub(super) fn forget_masked(&mut self) {
        if !self.masked.is_empty() {
            Arc::make_mut(&mut self.masked).iter_mut().for_each(KeptMask::forget);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::math::Rng;
    use crate::math::index::TileSlot;
    use crate::mesh::{OffMeshConnection, PolyRef, Tile};
    use crate::tile::test_sketch::sketch;
    use crate::tile::{TileCoord, TileData, TileLayout};
    use glam::Vec3;

    const SIZE: u32 = 4;
    const MASKS: [FlagMask; 2] = [
        FlagMask { include: PolyFlags::ALL, exclude: PolyFlags(2) },
        FlagMask { include: PolyFlags(4), exclude: PolyFlags::NONE },
    ];

    fn random_tile(rng: &mut Rng, place: u32) -> TileData {
        let row = |rng: &mut Rng| (0..SIZE).map(|_| if rng.below(4) == 0 { '.' } else { 'a' }).collect::<String>();
        let map = (0..SIZE).map(|_| row(rng)).collect::<Vec<_>>().join("\n");
        sketch(TileCoord { x: (place % 3) as i32, z: (place / 3) as i32, layer: 0 }, &map)
    }

    fn random_flags(rng: &mut Rng) -> PolyFlags {
        PolyFlags([1, 5, 7, 4][rng.below(4) as usize])
    }

    fn random_connection(rng: &mut Rng) -> OffMeshConnection {
        let mut at = || Vec3::new(rng.unit() * 12.0, 0.0, rng.unit() * 12.0);
        let (start, end) = (at(), at());
        let (two_way, flags) = (rng.below(2) == 0, random_flags(rng));
        OffMeshConnection { start, end, radius: 0.4, two_way, area: AreaId::WALKABLE, flags, user_id: 0 }
    }

    /// One change of a mesh of nine places.
    fn edit(mesh: &mut NavMesh, rng: &mut Rng) {
        let slots: Vec<TileSlot> = mesh.tiles().map(Tile::slot).collect();
        let slot = slots.get(rng.below(slots.len().max(1) as u32) as usize).copied();
        let connections: Vec<PolyRef> = mesh.connections().map(|c| c.reference()).collect();
        let connection = connections.get(rng.below(connections.len().max(1) as u32) as usize).copied();
        match (rng.below(16), slot, connection) {
            (0, Some(slot), _) => drop(mesh.remove_tile(slot)),
            (1 | 2, ..) => {
                let place = rng.below(9);
                let _ = mesh.add_tile(random_tile(rng, place));
            }
            (3, Some(slot), _) => {
                let coord = mesh.tile(slot).unwrap().coord();
                mesh.replace_tile(slot, random_tile(rng, coord.x as u32 + 3 * coord.z as u32)).unwrap();
            }
            (4, ..) if connections.len() < 6 => drop(mesh.add_connection(random_connection(rng))),
            (5, _, Some(connection)) => drop(mesh.remove_connection(connection)),
            (6, _, Some(connection)) => mesh.set_flags(connection, random_flags(rng)).unwrap(),
            (_, Some(slot), _) if mesh.tile(slot).unwrap().poly_count() > 0 => {
                let tile = mesh.tile(slot).unwrap();
                let poly = tile.reference(rng.below(tile.poly_count()));
                mesh.set_flags(poly, random_flags(rng)).unwrap();
            }
            _ => {}
        }
    }

    /// All polygons that can be reached from one, by a walk over portals and connections.
    fn flood(mesh: &NavMesh, mask: FlagMask, from: PolyRef) -> Vec<PolyRef> {
        let (mut found, mut next) = (vec![from], 0);
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

    #[test]
    fn kept_up_over_thousands_of_edits_as_computed_afresh_and_as_a_flood_finds() {
        let mut rng = Rng::new(77);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: SIZE as f32, tile_depth: SIZE as f32 };
        let mut mesh = NavMesh::new(layout);
        MASKS.into_iter().for_each(|mask| mesh.keep_components_for(mask));
        let mut snapshot = mesh.clone();
        let (mut yes, mut no) = (0, 0);
        for round in 0..4000 {
            edit(&mut mesh, &mut rng);
            if round % 50 == 0 {
                snapshot = mesh.clone();
            }
            let mask = MASKS[round % 2];
            let (kept, fresh) = (mesh.components_for(mask).unwrap(), Components::compute(&mesh, Some(mask), None));
            assert_eq!(kept.numbers(), fresh.numbers(), "round {round}");
            let then = Components::compute(&snapshot, Some(mask), None);
            assert_eq!(snapshot.components_for(mask).unwrap().numbers(), then.numbers(), "round {round}");
            let all: Vec<PolyRef> =
                mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|poly| t.reference(poly))).collect();
            if all.is_empty() || round % 4 > 1 {
                continue;
            }
            let from = all[rng.below(all.len() as u32) as usize];
            let is_open = |poly: PolyRef| mask.passes(mesh.state(poly).unwrap().flags);
            if !is_open(from) {
                assert_eq!(kept.component(from), None);
                continue;
            }
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
}
