//! The checkpoints of a whole level, from which tiles are rebuilt without the level's triangles.
//!
//! Cost: the bake of the level up to the compact heightfield, and some nanoseconds a span to compress it.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles", Digesting Duck, 2010.

use crate::area::AreaRules;
use crate::bake::{BakeError, BakeReport, Door, TileBaker, TileInput, TileInputs, TilePlan};
use crate::context::{Context, SharedCount};
use crate::input::{BakeSettings, Level, MarkedVolume};
use crate::math::Aabb;
use crate::tile::TileCoord;
use crate::voxel::{Checkpoints, CompactHeightfield};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Everything that the tiles of a level are rebuilt from: the compact heightfield of each tile, compressed, the
/// settings of the bake, and the volumes of the level.
///
/// It can be saved beside the mesh ([`to_bytes`](Self::to_bytes)).
#[derive(Clone, Debug, PartialEq)]
pub struct LevelCheckpoints {
    pub(super) settings: BakeSettings,
    pub(super) plan: TilePlan,
    pub(super) volumes: Vec<MarkedVolume>,
    /// Flags of the polygons of rebuilt tiles, for area types whose flags are not the default ones of a bake.
    pub flags: AreaRules,
    /// By the tile's number in the plan; tiles without walkable surface have none.
    pub(super) tiles: BTreeMap<u64, TileCheckpoint>,
}

/// The checkpoint of a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileCheckpoint {
    /// Clones share them.
    pub(super) bytes: Arc<[u8]>,
    /// Open spans inside the tile, its border not counted.
    pub(super) spans: u32,
}

impl TileCheckpoint {
    /// That of a tile's open ground.
    pub(super) fn of(field: &CompactHeightfield, checkpoints: &mut Checkpoints) -> Self {
        let mut bytes = Vec::new();
        checkpoints.write(field, &mut bytes);
        Self { bytes: bytes.into(), spans: spans_inside(field) }
    }
}

impl LevelCheckpoints {
    /// The name of their section of a `.way` file: [`WayFile::sections`](crate::format::WayFile::sections).
    pub const SECTION: &str = "layers";

    /// Makes the checkpoints of a level, tile by tile. With feature `rayon`, on the threads of the pool that the call
    /// runs in. `context.progress` counts tiles.
    ///
    /// # Errors
    /// As [`bake_tiles`](crate::bake::bake_tiles).
    pub fn bake<'a>(
        level: impl Into<Level<'a>>,
        settings: &BakeSettings,
        context: &Context<'_>,
    ) -> Result<Self, BakeError> {
        let level = level.into();
        let plan = TilePlan::new(level, settings)?;
        let done = SharedCount::default();
        let memory = || (TileBaker::new(plan.level, plan.settings), Checkpoints::new(&plan.settings));
        let one = |(baker, checkpoints): &mut (TileBaker, Checkpoints), index, source: TileInput<'_>| {
            baker.run(&source, [Door::Triangles, Door::Open], &mut (), context, &mut BakeReport::default())?;
            done.add(1, |done| context.progress(done, plan.tile_count()));
            let field = &baker.products().compact;
            if field.walkable_count() == 0 {
                return Ok(None);
            }
            Ok(Some((index, TileCheckpoint::of(field, checkpoints))))
        };
        let made = TileInputs::new(level, &plan).map(memory, one);
        let tiles = made.into_iter().filter_map(Result::transpose).collect::<Result<_, BakeError>>()?;
        let settings = BakeSettings { bounds: Some(settings.bounds_of(level)), ..*settings };
        Ok(Self { settings, plan, volumes: level.volumes.to_vec(), flags: AreaRules::default(), tiles })
    }

    /// The checkpoints of a level of which nothing is baked yet: its bounds and its volumes. Its tiles are baked when
    /// they are [invalidated](super::Obstacles::invalidate), for example around the players. A level whose surfaces are
    /// not known yet, such as [`TriMesh::EMPTY`](crate::input::TriMesh::EMPTY), needs settings with
    /// [bounds](BakeSettings::bounds).
    ///
    /// # Errors
    /// [`BakeError::NoBounds`] if neither has bounds; [`BakeError`] for settings out of range, or bounds that do
    /// not fit a grid.
    pub fn empty<'a>(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Result<Self, BakeError> {
        let level = level.into();
        let own = Some(level.bounds()).filter(|bounds| !bounds.is_empty());
        let bounds = settings.bounds.or(own).ok_or(BakeError::NoBounds)?;
        let settings = BakeSettings { bounds: Some(bounds), ..*settings };
        let plan = TilePlan::new(level, &settings)?;
        let (volumes, flags) = (level.volumes.to_vec(), AreaRules::default());
        Ok(Self { settings, plan, volumes, flags, tiles: BTreeMap::new() })
    }

    /// The settings, with the bounds of the level.
    #[must_use]
    pub fn settings(&self) -> &BakeSettings {
        &self.settings
    }

    /// How the level is cut into tiles.
    #[must_use]
    pub fn plan(&self) -> &TilePlan {
        &self.plan
    }

    /// The volumes of the level, which are marked before those of obstacles.
    #[must_use]
    pub fn volumes(&self) -> &[MarkedVolume] {
        &self.volumes
    }

    /// How many tiles have a checkpoint; those without walkable surface have none.
    #[must_use]
    pub fn tile_count(&self) -> usize {
        self.tiles.len()
    }

    /// Columns by rows of these tiles. The borders around them, which their checkpoints hold as well, are not counted.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.tiles.keys().map(|&index| self.plan.tile(index).grid.cell_count() as u64).sum()
    }

    /// Open spans inside these tiles, borders not counted.
    #[must_use]
    pub fn spans(&self) -> u64 {
        self.tiles.values().map(|tile| u64::from(tile.spans)).sum()
    }

    /// Bytes of all checkpoints.
    #[must_use]
    pub fn compressed_bytes(&self) -> u64 {
        self.tiles.values().map(|tile| tile.bytes.len() as u64).sum()
    }

    /// Where a tile lies.
    pub(super) fn coord(&self, index: u64) -> TileCoord {
        self.plan.tile(index).coord
    }

    /// The box around a tile with its border, without end up and down.
    pub(super) fn bounds_of(&self, index: u64) -> Aabb {
        self.plan.tile(index).bounds_with_border()
    }
}

fn spans_inside(field: &CompactHeightfield) -> u32 {
    let border = field.border;
    let columns = border..field.grid.width.saturating_sub(border);
    let cells = (border..field.grid.depth.saturating_sub(border)).flat_map(|z| columns.clone().map(move |x| (x, z)));
    cells.map(|(x, z)| field.column(field.grid.index(x, z)).len() as u32).sum()
}
