//! What tools work on: a level, its mesh, and painted areas; with an undo history of the edits.

use super::baking::Baked;
use super::level::LoadedLevel;
use super::log::Log;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, TilePlan};
use wayfare::input::{BakeSettings, MarkedVolume};
use wayfare::mesh::{NavMesh, PolyPoint};
use wayfare::query::NavQuery;

/// A level and its mesh.
#[derive(Debug)]
pub struct Stage {
    /// The level, unless a mesh was opened by itself.
    pub level: Option<Arc<LoadedLevel>>,
    /// What the next bake is made with.
    pub settings: BakeSettings,
    /// Volumes that were painted, in their order.
    pub volumes: Vec<MarkedVolume>,
    /// The mesh, once there is one.
    pub world: Option<World>,
    /// What has happened.
    pub log: Log,
    /// Set by tools that want the level baked again.
    pub wants_bake: bool,
    /// A file to be saved: its name and bytes. The app hands it to the person.
    pub saved: Option<(String, Vec<u8>)>,
    undo: Vec<(String, Before)>,
    /// The greatest version of the meshes that were closed: no two have the same.
    last_version: u64,
}

/// A mesh and what is known of its making.
#[derive(Clone, Debug)]
pub struct World {
    /// The mesh.
    pub mesh: NavMesh,
    /// How the level is cut into tiles, if it was baked here.
    pub plan: Option<TilePlan>,
    /// What it was baked with.
    pub settings: BakeSettings,
    /// Counts, times and warnings of the bake.
    pub report: BakeReport,
    /// Another number after each bake.
    pub bake: u64,
    /// Another number after each change: what was derived from the mesh is then made anew.
    pub version: u64,
}

#[derive(Clone, Debug)]
struct Before {
    mesh: Option<NavMesh>,
    volumes: Vec<MarkedVolume>,
    settings: BakeSettings,
}

/// So many edits can be taken back.
const MOST_UNDO: usize = 64;

impl Default for Stage {
    fn default() -> Self {
        Self {
            level: None,
            settings: BakeSettings { tile_size: super::bench::DEFAULT_TILE_SIZE, ..BakeSettings::default() },
            volumes: Vec::new(),
            world: None,
            log: Log::default(),
            wants_bake: false,
            saved: None,
            undo: Vec::new(),
            last_version: 0,
        }
    }
}

impl Stage {
    /// The mesh, if there is one.
    #[must_use]
    pub fn mesh(&self) -> Option<&NavMesh> {
        self.world.as_ref().map(|world| &world.mesh)
    }

    /// A number that changes with the mesh; 0 without one.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.world.as_ref().map_or(0, |world| world.version)
    }

    /// The height and radius of those who walk here, metres.
    #[must_use]
    pub fn agent_size(&self) -> (f32, f32) {
        let agent = self.world.as_ref().map_or(self.settings.agent, |world| world.settings.agent);
        (agent.radius.max(0.05), agent.height.max(0.1))
    }

    /// Lets the mesh go.
    pub fn close(&mut self) {
        self.last_version = self.last_version.max(self.version());
        self.world = None;
    }

    fn next_version(&self) -> u64 {
        self.last_version.max(self.version()) + 1
    }

    /// Takes a baked mesh in.
    pub fn take(&mut self, baked: Baked) {
        let Baked { mut mesh, plan, settings, report } = baked;
        if let Some(level) = &self.level {
            for connection in &level.connections {
                if let Err(error) = mesh.add_connection(*connection) {
                    self.log.warn(format!("A connection of the level was left out: {error}."), Some(connection.start));
                }
            }
        }
        let version = self.next_version();
        self.world = Some(World { mesh, plan: Some(plan), settings, report, bake: version, version });
    }

    /// Takes in a mesh that was not baked here.
    pub fn take_mesh(&mut self, mesh: NavMesh) {
        let version = self.next_version();
        let report = BakeReport::new(mesh.bounds());
        self.world = Some(World { mesh, plan: None, settings: self.settings, report, bake: version, version });
    }

    /// Changes the mesh, to be taken back under the name of the edit.
    pub fn edit<R>(&mut self, what: &str, change: impl FnOnce(&mut NavMesh) -> R) -> Option<R> {
        self.world.as_ref()?;
        self.remember(what);
        let world = self.world.as_mut()?;
        world.version += 1;
        Some(change(&mut world.mesh))
    }

    /// Keeps what there is now, before an edit.
    pub fn remember(&mut self, what: &str) {
        if self.undo.len() == MOST_UNDO {
            self.undo.remove(0);
        }
        let mesh = self.mesh().cloned();
        let before = Before { mesh, volumes: self.volumes.clone(), settings: self.settings };
        self.undo.push((what.to_owned(), before));
    }

    /// Keeps what there is now, with the settings as they were before a change of them. Of several changes in a row, as
    /// a slider makes them, the first counts.
    pub fn remember_settings(&mut self, before: BakeSettings) {
        const WHAT: &str = "change the bake settings";
        if self.can_undo() != Some(WHAT) {
            self.remember(WHAT);
            if let Some((_, kept)) = self.undo.last_mut() {
                kept.settings = before;
                // Obstacles and tiles would step a mesh of other settings: the next bake makes it.
                kept.mesh = None;
            }
        }
    }

    /// The name of the edit that would be taken back.
    #[must_use]
    pub fn can_undo(&self) -> Option<&str> {
        self.undo.last().map(|(what, _)| what.as_str())
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) -> bool {
        let Some((what, before)) = self.undo.pop() else { return false };
        self.wants_bake |= self.volumes != before.volumes || self.settings != before.settings;
        self.volumes = before.volumes;
        self.settings = before.settings;
        if let (Some(world), Some(mesh)) = (&mut self.world, before.mesh) {
            world.mesh = mesh;
            world.version += 1;
        }
        self.log.note(format!("Undone: {what}."));
        true
    }

    /// Forgets all edits: there is another level.
    pub fn forget_edits(&mut self) {
        self.undo.clear();
    }

    /// The nearest point of the mesh to a point that was clicked.
    #[must_use]
    pub fn on_mesh(&self, at: Vec3) -> Option<PolyPoint> {
        let (radius, height) = self.agent_size();
        let reach = Vec3::new(radius * 4.0, height * 1.5, radius * 4.0);
        NavQuery::of(self.mesh()?).with_reach(reach).nearest(at).map(|nearest| nearest.place())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;
    use wayfare::area::AreaId;

    #[test]
    fn edits_are_taken_back_one_by_one() {
        let mut stage = baked_stage("stairs");
        let first = stage.mesh().unwrap().tiles().next().unwrap().tile_ref();
        let count = stage.mesh().unwrap().tile_count();
        let before = stage.version();
        stage.edit("remove a tile", |mesh| mesh.remove_tile(first)).unwrap().unwrap();
        assert_eq!(stage.mesh().unwrap().tile_count(), count - 1);
        assert_eq!(stage.can_undo(), Some("remove a tile"));
        assert!(stage.undo() && !stage.undo());
        assert_eq!(stage.mesh().unwrap().tile_count(), count);
        assert!(stage.version() > before);
    }

    #[test]
    fn volumes_that_come_back_want_a_bake() {
        let mut stage = baked_stage("flat");
        stage.remember("paint");
        let volume = wayfare::input::Volume::Box(wayfare::math::Aabb { min: Vec3::ZERO, max: Vec3::ONE });
        stage.volumes.push(MarkedVolume::paint(volume, AreaId::from_low_bits(1)));
        assert!(stage.undo());
        assert!(stage.volumes.is_empty() && stage.wants_bake);
    }
}
