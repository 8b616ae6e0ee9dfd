//! Flags that a game sets by area type, and that outlive tiles: a closed door stays closed when its tile is rebuilt.
//!
//! ```text
//!   set_area_flags(DOOR, NONE) ──> all polygons of the type now
//!                              ──> those of every tile that comes: added, replaced, streamed in
//! ```
//!
//! A rebuilt tile has the flags it was baked with, not those the game has set since, and references into the old tile
//! are stale, so the game cannot set them again by reference. The area type does survive. So give a door that can close
//! an area type of its own, or one shared by all doors that open and close together. Costs by area type need no rule:
//! filters take them from the [area table](NavMesh::areas), which does not belong to tiles. Off-mesh connections keep
//! their own state and do not depend on tiles.
//!
//! Cost: setting a rule reads the state of every polygon and copies the states of tiles that have polygons of the type.
//! If there are any rules, adding a tile costs one pass over its polygons.
//!
//! Sources: none needed.

use super::{Change, NavMesh, PolyState, PreparedTile, Tile, TileRef};
use crate::area::{AreaId, AreaRules, PolyFlags};
use std::sync::Arc;

impl NavMesh {
    /// The flags set by area type.
    #[must_use]
    pub fn area_rules(&self) -> &AreaRules {
        &self.area_rules
    }

    /// Sets the flags of all polygons of an area type, now and in every tile added later. The flags of single polygons
    /// can still be [changed](Self::set_flags) or restored from a [stored state](Self::restore_tile_state), until their
    /// tile is replaced. Rules belong to the mesh and its snapshots and are not saved with it: set them again after
    /// loading.
    pub fn set_area_flags(&mut self, area: AreaId, flags: PolyFlags) {
        self.note_unlisted();
        Arc::make_mut(&mut self.area_rules).set(area, Some(flags));
        let flags_of = |of| (of == area).then_some(flags);
        let changed: Vec<TileRef> =
            self.tiles().filter(|tile| changes(tile.states(), flags_of)).map(Tile::tile_ref).collect();
        for tile in changed {
            self.note(Change::TileState(tile));
            if let Some(tile) = self.tiles.slots.get_mut(tile.slot().get()) {
                give_flags(&mut tile.state, flags_of);
            }
        }
    }

    /// Removes the rule of an area type. Polygons keep their current flags; tiles added later keep the flags they were
    /// baked with.
    pub fn clear_area_flags(&mut self, area: AreaId) {
        self.note_unlisted();
        Arc::make_mut(&mut self.area_rules).set(area, None);
    }

    /// Applies the rules to a tile that is being added.
    pub(super) fn apply_area_rules(&self, tile: &mut PreparedTile) {
        if self.area_rules.is_empty() {
            return;
        }
        let flags_of = |area| self.area_rules.flags(area);
        if changes(&tile.state, flags_of) {
            give_flags(&mut tile.state, flags_of);
        }
    }
}

/// Whether the rules change the flags of any polygon.
fn changes(states: &[PolyState], flags_of: impl Fn(AreaId) -> Option<PolyFlags>) -> bool {
    states.iter().any(|state| flags_of(state.area).is_some_and(|flags| flags != state.flags))
}

fn give_flags(states: &mut Arc<[PolyState]>, flags_of: impl Fn(AreaId) -> Option<PolyFlags>) {
    for state in Arc::make_mut(states).iter_mut() {
        state.flags = flags_of(state.area).unwrap_or(state.flags);
    }
}
