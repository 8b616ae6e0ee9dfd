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

use super::{Change, NavMesh, PolyState, PreparedTile, Tile, TileRef};
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
        if changes(&tile.state, flags_of) {
            give_flags(&mut tile.state, flags_of);
        }
    }
}

/// Whether any polygon has other flags than its area type is to have.
fn changes(states: &[PolyState], flags_of: impl Fn(AreaId) -> Option<PolyFlags>) -> bool {
    states.iter().any(|state| flags_of(state.area).is_some_and(|flags| flags != state.flags))
}

fn give_flags(states: &mut Arc<[PolyState]>, flags_of: impl Fn(AreaId) -> Option<PolyFlags>) {
    for state in Arc::make_mut(states).iter_mut() {
        state.flags = flags_of(state.area).unwrap_or(state.flags);
    }
}
