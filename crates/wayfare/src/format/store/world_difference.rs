//! Why tiles of two stores do not belong into one.

use super::StoreHead;
use crate::tile::BakedFor;
use glam::Vec3;

/// What differs between the heads of two stores, so that their tiles do not make one world. Of two numbers, the first
/// is that of the store that was asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldDifference {
    /// The tiles have different sizes.
    #[error("their tiles are {} m and {} m wide", sides[0], sides[1])]
    TileSize {
        /// Width, or depth where only that differs, metres.
        sides: [f32; 2],
    },
    /// The tiles are counted from different corners.
    #[error("their tiles are counted from different corners, {} and {}, which are those of the bounds", origins[0], origins[1])]
    Origin {
        /// The corners.
        origins: [Vec3; 2],
    },
    /// The tiles are baked for different agents, or with cells of different sizes.
    #[error("their tiles are baked for different values of {what}, {} m and {} m", values[0], values[1])]
    BakedFor {
        /// What differs.
        what: &'static str,
        /// Its values, metres.
        values: [f32; 2],
    },
    /// Off-mesh connections, area types or sections of the whole mesh differ.
    #[error("their off-mesh connections or the names and costs of their area types differ")]
    Rest,
}

impl WorldDifference {
    /// The first difference between two heads, apart from what is derived from the tiles.
    pub(super) fn between(a: &StoreHead, b: &StoreHead) -> Option<Self> {
        if a == b {
            return None;
        }
        let layouts = [a.layout(), b.layout()];
        for sides in [layouts.map(|layout| layout.tile_width), layouts.map(|layout| layout.tile_depth)] {
            if sides[0] != sides[1] {
                return Some(Self::TileSize { sides });
            }
        }
        let origins = layouts.map(|layout| layout.origin);
        if origins[0] != origins[1] {
            return Some(Self::Origin { origins });
        }
        if let (Some(a), Some(b)) = (a.baked_for(), b.baked_for()) {
            let differs = named(a).into_iter().zip(named(b)).find(|((_, a), (_, b))| a != b);
            if let Some(((what, a), (_, b))) = differs {
                return Some(Self::BakedFor { what, values: [a, b] });
            }
        }
        let plain = |head: &StoreHead| head.with_section(StoreHead::LEVELS_SECTION, None);
        let is_same = plain(a).is_ok_and(|a| plain(b).as_ref() == Ok(&a));
        (!is_same).then_some(Self::Rest)
    }
}

/// What a tile is baked for, by name.
fn named(BakedFor { radius, height, climb, cell_size, cell_height }: BakedFor) -> [(&'static str, f32); 5] {
    [
        ("the agent's radius", radius),
        ("the agent's height", height),
        ("the agent's climb", climb),
        ("the cell size", cell_size),
        ("the cell height", cell_height),
    ]
}
