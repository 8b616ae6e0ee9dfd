//! Regions: which mesh is baked, for whom, and its status.

use crate::NavCrowd;
use crate::bake_settings::{NavAutoLinks, NavBake};
use crate::convert::to_nav;
use crate::region_update::RegionWork;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::prelude::*;
use core::cmp::Ordering;
use core::f32::consts::FRAC_PI_2;
use wayfare::dynamic::LiveStage;
use wayfare::input::{AgentSettings, BakeSettings};
use wayfare::math::Aabb;
use wayfare::mesh::{MeshReader, NavMesh, SharedMesh};
use wayfare::tile::TileLayout;

/// A navigation mesh of the scene for one size of agent. For agents of several sizes, spawn one for each.
///
/// It is baked from all [geometry](crate::NavGeometry) whose layers it shares, and follows what moves: only the tiles
/// that a change touches are baked again. Until they are done, the mesh answers as before.
#[derive(Component, Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Component, Clone, Default)]
#[require(NavMap, NavStatus, NavCrowd, RegionWork)]
pub struct NavRegion {
    /// Radius of the agent, metres: the mesh keeps this distance from walls. Default 0.5.
    pub agent_radius: f32,
    /// Height of the agent, metres. Default 2.
    pub agent_height: f32,
    /// The highest step that it climbs, metres. Default 0.5.
    pub max_climb: f32,
    /// The steepest slope that it walks, radians. Default 45 degrees.
    pub max_slope: f32,
    /// Side of a cell, metres: smaller follows walls more closely and takes longer to bake. Default: half the radius.
    pub cell_size: Option<f32>,
    /// Side of a tile in cells. Smaller tiles make changes cheaper, larger ones paths. Default 64.
    pub tile_size: u32,
    /// The box that is baked, by its corners. Default: the box around all geometry that is there; a part that later
    /// reaches beyond it has everything baked anew.
    pub bounds: Option<[Vec3; 2]>,
    /// The geometry, obstacles, areas and links that it sees: those with a bit in common. Default all.
    pub layers: u32,
    /// When the mesh follows changes. Default in the background.
    pub update: NavUpdate,
    /// Drops, jumps and climbs that are found by themselves, and kept up to date as the scene changes. Default none.
    /// They are links without an entity. Not for meshes from files and stores: `wayfare bake --links` finds them for
    /// those.
    pub links: Option<NavAutoLinks>,
    /// All else that decides how its tiles are baked.
    pub bake: NavBake,
    /// How many nodes the path searches of all its agents together open in a run of the schedule; the rest goes on in
    /// the next. More finds paths sooner and takes longer: a thousand take about a tenth of a millisecond. Default
    /// 4096.
    pub path_nodes: u64,
}

impl Default for NavRegion {
    fn default() -> Self {
        Self {
            agent_radius: 0.5,
            agent_height: 2.0,
            max_climb: 0.5,
            max_slope: core::f32::consts::FRAC_PI_4,
            cell_size: None,
            tile_size: 64,
            bounds: None,
            layers: u32::MAX,
            links: None,
            bake: NavBake::default(),
            update: NavUpdate::Background,
            path_nodes: 4096,
        }
    }
}

impl NavRegion {
    /// For agents of this radius and height, with all else by default.
    #[must_use]
    pub fn for_agent(radius: f32, height: f32) -> Self {
        Self { agent_radius: radius, agent_height: height, ..Self::default() }
    }

    /// The settings of its bakes, for a level in these bounds.
    pub(crate) fn settings(&self, bounds: Aabb) -> BakeSettings {
        let agent = AgentSettings {
            radius: self.agent_radius,
            height: self.agent_height,
            max_climb: self.max_climb,
            max_slope: self.max_slope.clamp(0.0, FRAC_PI_2),
            max_drop: self.bake.max_drop,
        };
        let mut settings = BakeSettings::for_agent(agent);
        if let Some(size) = self.cell_size {
            settings.cell_size = size;
        }
        settings.tile_size = self.tile_size.max(1);
        settings.bounds = Some(bounds);
        self.bake.write_to(&mut settings);
        settings
    }

    pub(crate) fn fixed_bounds(&self) -> Option<Aabb> {
        self.bounds.map(|[a, b]| Aabb { min: to_nav(a.min(b)), max: to_nav(a.max(b)) })
    }

    /// The order of regions by the size of their agents, the smallest first.
    pub(crate) fn by_size(a: &(Entity, f32), b: &(Entity, f32)) -> Ordering {
        a.1.total_cmp(&b.1).then(a.0.cmp(&b.0))
    }

    /// What of it decides how tiles are baked.
    pub(crate) fn bakes_like(&self, other: &Self) -> bool {
        let baked = |region: &Self| Self { update: NavUpdate::Manual, path_nodes: 0, ..*region };
        baked(self) == baked(other)
    }
}

/// When a region follows changes of the scene.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavUpdate {
    /// As soon as a thread of the pool for long computations has done it. Takes nothing from frames; when exactly the
    /// mesh follows depends on the machine.
    #[default]
    Background,
    /// A part of the work in each run of the schedule, on its thread: a simulation then is the same everywhere.
    InStep {
        /// Cells of work a run; 100,000 take about a millisecond.
        cells: u64,
    },
    /// Only when [`NavMap::update_now`] is called; then in the background.
    Manual,
}

/// What has become of a region's mesh.
#[derive(Component, Reflect, Clone, Debug, Default, PartialEq)]
#[reflect(Component, Clone, Default)]
pub enum NavStatus {
    /// There is no geometry yet.
    #[default]
    Empty,
    /// Tiles are baked; those that were there answer as before.
    Baking {
        /// What is being done.
        stage: NavBakeStage,
        /// How much of that is done, 0…1.
        done: f32,
    },
    /// The mesh shows the scene.
    Ready,
    /// Nothing, or not everything, could be baked.
    Failed(
        /// Why, in a sentence.
        String,
    ),
}

/// What a region is doing while its mesh does not show the scene yet.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavBakeStage {
    /// Its tiles are baked.
    #[default]
    Tiles,
    /// Its tiles are baked, and its [automatic links](NavRegion::links) are searched.
    Links,
    /// Tiles are read from the store of its [`NavStream`](crate::NavStream).
    Reading,
}

impl From<LiveStage> for NavBakeStage {
    fn from(stage: LiveStage) -> Self {
        match stage {
            LiveStage::Tiles => Self::Tiles,
            LiveStage::Links => Self::Links,
        }
    }
}

/// The mesh of a region. A snapshot: it does not change while a system looks at it.
#[derive(Component, Reflect)]
#[reflect(Component, from_reflect = false)]
pub struct NavMap {
    #[reflect(ignore)]
    pub(crate) shared: SharedMesh,
    #[reflect(ignore)]
    pub(crate) reader: MeshReader,
    #[reflect(ignore)]
    pub(crate) edits: Vec<Edit>,
    pub(crate) is_wanted: bool,
    /// Whether edits were made of this mesh since it was made anew.
    pub(crate) is_edited: bool,
    revision: u64,
    /// Goes up when another mesh takes its place, whose references mean other polygons.
    pub(crate) generation: u64,
}

/// A change of a mesh by the game.
pub(crate) type Edit = Box<dyn FnOnce(&mut NavMesh) + Send + Sync>;

impl Default for NavMap {
    fn default() -> Self {
        let layout = TileLayout { origin: wayfare::Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        let shared = SharedMesh::new(NavMesh::new(layout));
        let reader = shared.reader();
        Self { shared, reader, edits: Vec::new(), is_wanted: false, is_edited: false, revision: 0, generation: 0 }
    }
}

impl NavMap {
    /// The mesh, with all queries of the library: [`wayfare::query`]. Without tiles until the first bake is done.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        self.reader.held()
    }

    /// A number that goes up when the mesh changes.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Changes the mesh: flags of polygons, area rules, costs. It is done before the next update; while tiles are baked
    /// in the background, after those. Not for meshes of a [`NavStream`](crate::NavStream).
    ///
    /// When the mesh is made anew, since [`NavRegion`] or the bounds of the level have changed or another file takes
    /// its place, [`NavEditsLost`](crate::NavEditsLost) says that edits are gone. Flags of polygons also go when their
    /// tile is rebuilt; those of area types ([`NavMesh::set_area_flags`]) stay, as do names and costs.
    pub fn edit(&mut self, edit: impl FnOnce(&mut NavMesh) + Send + Sync + 'static) {
        self.edits.push(Box::new(edit));
    }

    /// Lets a region with [`NavUpdate::Manual`] follow the scene, once.
    pub fn update_now(&mut self) {
        self.is_wanted = true;
    }

    /// Takes up the newest mesh.
    pub(crate) fn refresh(&mut self) {
        let before = self.reader.held().version().clone();
        if *self.reader.latest().version() != before {
            self.revision += 1;
        }
    }

    /// Takes a mesh in that is no change of the one before. Whether edits of that are lost.
    pub(crate) fn replace(&mut self, mesh: NavMesh) -> bool {
        self.shared.replace(mesh);
        self.generation += 1;
        self.refresh();
        core::mem::take(&mut self.is_edited)
    }
}
