//! Flags that a game sets by area type, and that outlive tiles: a closed door stays closed when its tile is rebuilt.
//!
//! ```text
//!   set_area_flags(DOOR, NONE) ──> all polygons of the type now
//!                              ──> those of every tile that comes: added, replaced, streamed in
//! ```
//!
//! A tile that is baked anew knows what was baked, not what the game has done since; references into the old tile are
//! stale, so the game could not repeat it either. What does stay is the area type. So a door that may close has a type
//! of its own, or shares one with all that open and close with it. Costs by area type need no rule: filters take them
//! from the [area table](NavMesh::areas), which no tile has a part in. Off-mesh connections do not go with their tiles,
//! and keep their states by themselves.
//!
//! Cost: setting a rule reads the states of all polygons, and copies those of tiles with polygons of the type; a tile
//! that comes costs a pass over its polygons, if there is any rule.
//!
//! Sources: none needed.

use super::{NavMesh, PolyRef, PreparedTile};
use crate::area::{AreaId, AreaRules, PolyFlags};
use std::sync::Arc;

impl NavMesh {
    /// The flags that are set by area type.
    #[must_use]
    pub fn area_rules(&self) -> &AreaRules {
        &self.area_rules
    }

    /// Gives all polygons of an area type these flags, now and whenever a tile comes into the mesh. Single polygons can
    /// still be [changed](Self::set_flags), until their tile is replaced; so can a
    /// [stored state](Self::restore_tile_state). Rules belong to the mesh and its snapshots and are not saved with it:
    /// set them again after loading.
    pub fn set_area_flags(&mut self, area: AreaId, flags: PolyFlags) {
        Arc::make_mut(&mut self.area_rules).set(area, Some(flags));
        let changes = |poly: &PolyRef| self.state(*poly).is_ok_and(|state| state.area == area && state.flags != flags);
        let polys = self.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
        let changed: Vec<PolyRef> = polys.filter(changes).collect();
        for poly in changed {
            // Each was found just now.
            let _ = self.set_flags(poly, flags);
        }
    }

    /// Forgets the rule of an area type. Polygons keep the flags that they have; tiles that come have those that they
    /// were baked with.
    pub fn clear_area_flags(&mut self, area: AreaId) {
        Arc::make_mut(&mut self.area_rules).set(area, None);
    }

    /// Gives a tile that comes into the mesh the flags that the rules say.
    pub(super) fn apply_area_rules(&self, tile: &mut PreparedTile) {
        if self.area_rules.is_empty() {
            return;
        }
        let flags_of = |area| self.area_rules.flags(area);
        if !tile.state.iter().any(|state| flags_of(state.area).is_some_and(|flags| flags != state.flags)) {
            return;
        }
        for state in Arc::make_mut(&mut tile.state).iter_mut() {
            state.flags = flags_of(state.area).unwrap_or(state.flags);
        }
    }
}
