//! One level: its triangles, volumes and links, and the mesh that follows them tile by tile.
//!
//! The first bake is nothing special: all tiles are invalid, and baked from the triangles. When the level is parsed
//! again, only tiles under triangles that came or went are. Works on any thread.

use super::threads::on_pool;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::area::AreaTable;
use wayfare::bake::EmptyBake;
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{LiveLevel, LiveLevelError, LiveProgress, ObstacleRef, Obstacles};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, LinkSettings, MarkedVolume, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection, PolyRef};

/// Below the lowest corner of the geometry, metres: a floor has a cell below it.
const BELOW: f32 = 1.0;

/// What changes about a level.
pub enum Change {
    /// All triangles of the level.
    Triangles(TriMesh),
    /// An obstacle or an area, by the number of its owner.
    Volume(u64, Option<MarkedVolume>),
    /// A link, by the number of its owner.
    Link(u64, Option<OffMeshConnection>),
    /// What areas cost.
    Costs(AreaTable),
}

/// The parts of a level by the numbers of their owners, and its mesh.
pub struct Level {
    live: LiveLevel,
    /// The links that are looked for.
    links: LinkSettings,
    volume_of: BTreeMap<u64, ObstacleRef>,
    link_of: BTreeMap<u64, PolyRef>,
    /// What could not be done, in sentences.
    problems: Vec<String>,
}

impl Level {
    /// An empty one for triangles in these bounds.
    ///
    /// # Errors
    /// Which setting is out of its range.
    pub fn new(settings: &Settings, bounds: Aabb) -> Result<Self, String> {
        let Settings { mut bake, links } = *settings;
        if bake.bounds.is_none() {
            bake.bounds = Some(Aabb { min: bounds.min - Vec3::Y * BELOW, ..bounds });
        }
        let live = LiveLevel::new(&TriMesh::EMPTY, &bake).and_then(|live| live.with_links(&links));
        Ok(Self::of(live.map_err(|e| e.to_string())?, links))
    }

    fn of(live: LiveLevel, links: LinkSettings) -> Self {
        Self { live, links, volume_of: BTreeMap::new(), link_of: BTreeMap::new(), problems: Vec::new() }
    }

    /// Reads what [`to_way`](Self::to_way) or `wayfare bake --layers` wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_way(bytes: &[u8]) -> Result<Self, String> {
        let file = WayFile::from_bytes(bytes).map_err(|e| e.to_string())?;
        let mut obstacles = Obstacles::from_file(&file).map_err(|e| e.to_string())?;
        // Those of the scene take their place.
        obstacles.iter_mut().for_each(|obstacles| _ = obstacles.clear());
        let live = LiveLevel::stored(file.mesh, obstacles).map_err(|e| e.to_string())?;
        Ok(Self::of(live, LinkSettings::default()))
    }

    /// The mesh as a `.way` file, with all that obstacles need to change it later. Links belong to the scene.
    #[must_use]
    pub fn to_way(&self) -> Vec<u8> {
        let mut mesh = self.mesh().clone();
        for &link in self.link_of.values() {
            let _ = mesh.remove_connection(link);
        }
        let mut file = WayFile::from(mesh);
        if let Some(obstacles) = self.live.obstacles() {
            obstacles.write_to(&mut file);
        }
        file.to_bytes()
    }

    /// The mesh, as far as it has followed.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        self.live.mesh()
    }

    /// What its triangles are baked with; `None` for a stored mesh, whose triangles are not known.
    fn bake(&self) -> Option<&BakeSettings> {
        self.live.objects()?;
        Some(self.live.obstacles()?.checkpoints().settings())
    }

    /// Whether triangles in these bounds can take the place of those that are there, baked with these settings.
    #[must_use]
    pub fn suits(&self, settings: &Settings, bounds: &Aabb) -> bool {
        let Some((own_bake, own)) = self.bake().and_then(|bake| Some((bake, bake.bounds?))) else { return false };
        // Upwards there is room enough.
        let is_inside = own.min.cmple(bounds.min).all() && own.max.x >= bounds.max.x && own.max.z >= bounds.max.z;
        let bake = BakeSettings { bounds: settings.bake.bounds.or(own_bake.bounds), ..settings.bake };
        bake == *own_bake && settings.links == self.links && (settings.bake.bounds.is_some() || is_inside)
    }

    /// Takes changes in. The mesh follows with [`step`](Self::step).
    pub fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            if let Err(problem) = self.apply_one(change) {
                self.problems.push(problem.to_string());
            }
        }
        self.live.announce();
    }

    fn apply_one(&mut self, change: Change) -> Result<(), Box<dyn core::error::Error>> {
        let live = &mut self.live;
        match change {
            Change::Triangles(triangles) => {
                if triangles.tris().is_empty() {
                    self.problems.push("nothing can be walked on: there is no geometry".into());
                }
                live.replace_triangles(triangles)?;
            }
            Change::Costs(costs) => live.mesh_mut().set_areas(costs),
            Change::Volume(owner, Some(marked)) => {
                let settings = live.obstacles().ok_or(LiveLevelError::NoCheckpoints)?.checkpoints().settings();
                let marked = marked.touching_heads(settings);
                match self.volume_of.get(&owner) {
                    Some(&old) => live.replace_obstacle(old, marked)?,
                    None => drop(self.volume_of.insert(owner, live.add_obstacle(marked)?)),
                }
            }
            Change::Volume(owner, None) => {
                if let Some(old) = self.volume_of.remove(&owner) {
                    live.remove_obstacle(old)?;
                }
            }
            Change::Link(owner, link) => {
                if let Some(old) = self.link_of.remove(&owner) {
                    live.mesh_mut().remove_connection(old)?;
                }
                if let Some(link) = link {
                    self.link_of.insert(owner, live.mesh_mut().add_connection(link)?);
                }
            }
        }
        Ok(())
    }

    /// Rebuilds tiles as far as the budget reaches; when all are there, searches links.
    pub fn step(&mut self, budget: Budget) -> LiveProgress {
        let live = &mut self.live;
        on_pool(|| live.step(budget, &Context::default())).unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            self.live.progress()
        })
    }

    /// What could not be done since this was last asked; why nothing can be walked on, if that is so.
    pub fn take_problems(&mut self) -> Vec<String> {
        let is_empty = self.mesh().tiles().all(|tile| tile.poly_count() == 0);
        if let (Some(objects), Some(bake), true, true) =
            (self.live.objects(), self.bake(), is_empty, self.problems.is_empty())
        {
            let why = EmptyBake::of(&objects.triangles(), bake);
            self.problems.push(format!("nothing can be walked on: {why}"));
        }
        core::mem::take(&mut self.problems)
    }
}

/// What a level is baked with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Its tiles.
    pub bake: BakeSettings,
    /// The links that are found by themselves.
    pub links: LinkSettings,
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::input::{AgentSettings, Volume};
    use wayfare::mesh::TileRef;

    fn floor(size: f32, height: f32) -> TriMesh {
        let corners = [[0., 0.], [0., size], [size, size], [size, 0.]].map(|[x, z]| Vec3::new(x, height, z));
        TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("two triangles")
    }

    fn settings() -> Settings {
        let agent = AgentSettings { radius: 0.5, ..AgentSettings::default() };
        let bake = BakeSettings { tile_size: 32, ..BakeSettings::for_agent(agent) };
        Settings { bake, links: LinkSettings::default() }
    }

    fn baked() -> Level {
        let triangles = floor(20.0, 0.0);
        let mut level = Level::new(&settings(), triangles.bounds()).expect("settings in their ranges");
        level.apply(vec![Change::Triangles(triangles)]);
        while !level.step(Budget::unlimited()).is_finished() {}
        level
    }

    fn crate_at(x: f32) -> MarkedVolume {
        MarkedVolume::block(Volume::Cylinder { base: Vec3::new(x, 0.0, 10.0), radius: 2.0, height: 2.0 })
    }

    #[test]
    fn a_stored_level_is_changed_by_obstacles_as_the_first_was() {
        let mut level = baked();
        let open = level.mesh().digest();
        level.apply(vec![Change::Volume(1, Some(crate_at(10.0)))]);
        level.step(Budget::unlimited());
        let blocked = level.mesh().clone();
        assert_ne!(blocked.digest(), open);

        let mut again = Level::from_way(&level.to_way()).expect("what was just written");
        let tiles = |mesh: &NavMesh| mesh.tiles().map(|tile| tile.data().clone()).collect::<Vec<_>>();
        again.apply(vec![Change::Volume(1, Some(crate_at(10.0)))]);
        again.step(Budget::unlimited());
        assert_eq!(tiles(again.mesh()), tiles(&blocked));
        again.apply(vec![Change::Volume(1, None)]);
        again.step(Budget::unlimited());
        assert_eq!(tiles(again.mesh()), tiles(baked().mesh()));
        assert!(again.take_problems().is_empty());
    }

    #[test]
    fn what_hangs_at_the_height_of_heads_is_in_the_way() {
        let mut level = baked();
        let tiles = |level: &Level| level.mesh().tiles().map(|tile| tile.data().clone()).collect::<Vec<_>>();
        let open = tiles(&level);
        let hanging = |height: f32| {
            let base = Vec3::new(10.0, height, 10.0);
            Some(MarkedVolume::block(Volume::Cylinder { base, radius: 2.0, height: 0.5 }))
        };
        let heights = [0.3, 1.5, 2.5].map(|height| {
            level.apply(vec![Change::Volume(1, hanging(height))]);
            level.step(Budget::unlimited());
            tiles(&level) != open
        });
        assert_eq!(heights, [true, true, false]);
    }

    #[test]
    fn only_tiles_under_changed_triangles_are_baked_again() {
        let mut level = baked();
        let before: Vec<TileRef> = level.mesh().tiles().map(|tile| tile.tile_ref()).collect();
        let (mut corners, mut triangles) = (floor(20.0, 0.0).verts().to_vec(), floor(20.0, 0.0).tris().to_vec());
        corners.extend([[2., 2., 2.], [2., 2., 4.], [4., 2., 4.]].map(Vec3::from_array));
        triangles.push([4, 5, 6]);
        let level_with_table = TriMesh::new(corners, triangles).expect("three triangles");
        assert!(level.suits(&settings(), &level_with_table.bounds()));
        level.apply(vec![Change::Triangles(level_with_table)]);
        level.step(Budget::unlimited());
        let kept = level.mesh().tiles().filter(|tile| before.contains(&tile.tile_ref())).count();
        assert!(kept > 0 && kept < before.len(), "{kept} of {}", before.len());
        assert!(!level.suits(&settings(), &floor(30.0, 0.0).bounds()));
    }

    #[test]
    fn a_level_without_floor_says_why() {
        let corners = [[0., 0., 0.], [9., 0., 0.], [0., 0., 9.]].map(Vec3::from_array);
        let ceiling = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a triangle");
        let mut level = Level::new(&settings(), ceiling.bounds()).expect("settings in their ranges");
        level.apply(vec![Change::Triangles(ceiling)]);
        level.step(Budget::unlimited());
        let problems = level.take_problems();
        assert!(problems[0].starts_with("nothing can be walked on: no triangle faces up"), "{problems:?}");
    }

    #[test]
    fn bytes_that_are_no_mesh_are_an_error() {
        assert!(Level::from_way(b"").is_err());
        let bytes = baked().to_way();
        assert!(Level::from_way(&bytes[..bytes.len() / 2]).is_err());
    }
}
