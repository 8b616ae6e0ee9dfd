//! One level: its triangles, volumes and links, and the mesh that follows them tile by tile.
//!
//! The first bake is nothing special: all tiles are invalid, and baked from the triangles. When the level is parsed
//! again, only tiles under triangles that came or went are. Works on any thread.

use super::threads::on_pool;
use std::collections::{BTreeMap, BTreeSet};
use wayfare::Vec3;
use wayfare::area::{AreaId, AreaTable};
use wayfare::bake::EmptyBake;
use wayfare::context::{Budget, Context, Progress};
use wayfare::dynamic::{AutoLinks, LevelCheckpoints, ObjectLevel, ObstacleRef, Obstacles, RebuildError};
use wayfare::format::WayFile;
use wayfare::input::{BakeSettings, LinkSettings, MarkedVolume, Marking, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection, PolyRef};

/// Below the lowest corner of the geometry, metres: a floor has a cell below it.
const BELOW: f32 = 1.0;

/// A triangle by the bits of its corners.
type Key = [[u32; 3]; 3];

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

/// The parts of a level, and its mesh.
pub struct Level {
    /// The mesh, as far as it has followed.
    pub mesh: NavMesh,
    /// What tiles are rebuilt from; `None` for a mesh that was stored without.
    obstacles: Option<Obstacles>,
    /// `None` for a stored mesh, whose tiles are rebuilt from their checkpoints.
    triangles: Option<(ObjectLevel, BTreeSet<Key>)>,
    settings: BakeSettings,
    /// Those that are found by themselves, and what is looked for.
    auto_links: Option<AutoLinks>,
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
        let Settings { bake: mut settings, links } = *settings;
        if settings.bounds.is_none() {
            settings.bounds = Some(Aabb { min: bounds.min - Vec3::Y * BELOW, ..bounds });
        }
        let checkpoints = LevelCheckpoints::empty(&settings).map_err(|e| e.to_string())?;
        let mesh = NavMesh::new(checkpoints.plan().layout());
        let auto_links = AutoLinks::new(checkpoints.plan(), &links).map_err(|e| e.to_string())?;
        let auto_links = Some(auto_links).filter(|_| !links.is_empty());
        Ok(Self { auto_links, links, ..Self::with(mesh, Some(Obstacles::new(checkpoints)), settings) })
    }

    fn with(mesh: NavMesh, obstacles: Option<Obstacles>, settings: BakeSettings) -> Self {
        let (volume_of, link_of, problems) = Default::default();
        let (auto_links, links) = (None, LinkSettings::default());
        Self { mesh, obstacles, triangles: None, settings, auto_links, links, volume_of, link_of, problems }
    }

    /// Reads what [`to_way`](Self::to_way) or `wayfare bake --layers` wrote.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_way(bytes: &[u8]) -> Result<Self, String> {
        let file = WayFile::from_bytes(bytes).map_err(|e| e.to_string())?;
        let Some(layers) = file.sections.get(LevelCheckpoints::SECTION) else {
            return Ok(Self::with(file.mesh, None, BakeSettings::default()));
        };
        let layers = LevelCheckpoints::from_bytes(&layers.bytes).map_err(|e| e.to_string())?;
        if layers.plan().layout() != file.mesh.layout() {
            return Err(RebuildError::OtherMesh.to_string());
        }
        let settings = *layers.settings();
        let obstacles = match file.sections.get(Obstacles::SECTION) {
            Some(stored) => Obstacles::from_bytes(layers, &stored.bytes).map_err(|e| e.to_string())?,
            None => Obstacles::new(layers),
        };
        let mut level = Self::with(file.mesh, Some(obstacles), settings);
        level.forget_stored_volumes();
        Ok(level)
    }

    /// Those of the scene take their place.
    fn forget_stored_volumes(&mut self) {
        let Some(obstacles) = &mut self.obstacles else { return };
        let stored: Vec<ObstacleRef> = obstacles.iter().map(|(obstacle, _)| obstacle).collect();
        for obstacle in stored {
            // It is there: it was just listed.
            let _ = obstacles.remove(obstacle);
        }
    }

    /// The mesh as a `.way` file, with all that obstacles need to change it later. Links belong to the scene.
    #[must_use]
    pub fn to_way(&self) -> Vec<u8> {
        let mut mesh = self.mesh.clone();
        for &link in self.link_of.values() {
            let _ = mesh.remove_connection(link);
        }
        let mut file = WayFile::from(mesh);
        if let Some(obstacles) = &self.obstacles {
            let layers = obstacles.checkpoints().to_bytes();
            file.sections.set(LevelCheckpoints::SECTION, LevelCheckpoints::SECTION_VERSION, layers);
            file.sections.set(Obstacles::SECTION, Obstacles::SECTION_VERSION, obstacles.to_bytes());
        }
        file.to_bytes()
    }

    /// Whether triangles in these bounds can take the place of those that are there, baked with these settings.
    #[must_use]
    pub fn suits(&self, settings: &Settings, bounds: &Aabb) -> bool {
        let Settings { bake: settings, links } = settings;
        let Some(own) = self.settings.bounds.filter(|_| self.triangles.is_some()) else { return false };
        // Upwards there is room enough.
        let is_inside = own.min.cmple(bounds.min).all() && own.max.x >= bounds.max.x && own.max.z >= bounds.max.z;
        let same = BakeSettings { bounds: settings.bounds.or(self.settings.bounds), ..*settings };
        same == self.settings && *links == self.links && (settings.bounds.is_some() || is_inside)
    }

    /// Takes changes in. The mesh follows with [`step`](Self::step).
    pub fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            if let Err(problem) = self.apply_one(change) {
                self.problems.push(problem.to_string());
            }
        }
        if let Some(obstacles) = &self.obstacles {
            obstacles.announce(&mut self.mesh);
        }
    }

    fn apply_one(&mut self, change: Change) -> Result<(), Box<dyn core::error::Error>> {
        match change {
            Change::Triangles(triangles) => self.replace_triangles(triangles),
            Change::Costs(costs) => self.mesh.set_areas(costs),
            Change::Volume(owner, marked) => {
                let Some(obstacles) = &mut self.obstacles else {
                    let why = "the navigation mesh was stored without layers, so obstacles and areas cannot change \
                               it: bake it again here, or with `wayfare bake --layers`";
                    return if marked.is_some() { Err(why.into()) } else { Ok(()) };
                };
                let marked = marked.map(|marked| down_to_heads(marked, &self.settings));
                if let Some(links) = &mut self.auto_links {
                    let old = self.volume_of.get(&owner).and_then(|&old| obstacles.get(old).ok());
                    old.into_iter().chain(&marked).for_each(|marked| links.invalidate(&marked.volume.bounds()));
                }
                match (marked, self.volume_of.get(&owner)) {
                    (Some(marked), Some(&old)) => drop(obstacles.replace(old, marked)?),
                    (Some(marked), None) => drop(self.volume_of.insert(owner, obstacles.add(marked)?.0)),
                    (None, Some(&old)) => {
                        self.volume_of.remove(&owner);
                        obstacles.remove(old)?;
                    }
                    (None, None) => {}
                }
            }
            Change::Link(owner, link) => {
                if let Some(old) = self.link_of.remove(&owner) {
                    self.mesh.remove_connection(old)?;
                }
                if let Some(link) = link {
                    self.link_of.insert(owner, self.mesh.add_connection(link)?);
                }
            }
        }
        Ok(())
    }

    fn replace_triangles(&mut self, triangles: TriMesh) {
        let Some(obstacles) = &mut self.obstacles else { return };
        let keys: BTreeSet<Key> = (0..triangles.tris().len()).map(|i| key(triangles.corners(i))).collect();
        let changed: Vec<Aabb> = match &self.triangles {
            Some((_, before)) => keys.symmetric_difference(before).map(bounds).collect(),
            None => vec![triangles.bounds()],
        };
        for bounds in &changed {
            obstacles.invalidate(bounds);
            self.auto_links.iter_mut().for_each(|links| links.invalidate(bounds));
        }
        if triangles.tris().is_empty() {
            self.problems.push("nothing can be walked on: there is no geometry".into());
        }
        let level = ObjectLevel::new(triangles, obstacles.checkpoints().plan());
        self.triangles = Some((level, keys));
    }

    /// Rebuilds tiles as far as the budget reaches; when all are there, searches links.
    pub fn step(&mut self, budget: Budget) -> Stepped {
        let Some(obstacles) = &mut self.obstacles else { return Stepped::DONE };
        let (mesh, triangles) = (&mut self.mesh, &self.triangles);
        let open = self.auto_links.as_mut().filter(|links| !links.progress().is_finished()).zip(triangles.as_ref());
        let mut budget = budget;
        if open.is_some() && budget != Budget::unlimited() && !obstacles.progress().is_finished() {
            // The other half is for links, which would wait for ever where something moves all the time.
            budget = Budget::new((budget.left() / 2).max(1));
        }
        let stepped = on_pool(|| match triangles {
            Some((triangles, _)) => obstacles.step_from(mesh, triangles, budget, &Context::default()),
            None => obstacles.step(mesh, budget, &Context::default()),
        });
        let progress = stepped.unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            obstacles.progress()
        });
        let Some((links, (triangles, _))) = open.filter(|_| progress.is_finished()) else {
            return Stepped::of(progress);
        };
        let volumes: Vec<MarkedVolume> = obstacles.iter().map(|(_, marked)| marked.clone()).collect();
        let found = on_pool(|| links.step(mesh, triangles, &volumes, budget)).unwrap_or_else(|problem| {
            self.problems.push(problem.to_string());
            links.progress()
        });
        Stepped::of(found)
    }

    /// What could not be done since this was last asked; why nothing can be walked on, if that is so.
    pub fn take_problems(&mut self) -> Vec<String> {
        let is_empty = self.mesh.tiles().all(|tile| tile.poly_count() == 0);
        if let Some((triangles, _)) = self.triangles.as_ref().filter(|_| is_empty && self.problems.is_empty()) {
            let level = triangles.triangles();
            self.problems.push(format!("nothing can be walked on: {}", EmptyBake::of(&level, &self.settings)));
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

/// How far a level is.
#[derive(Clone, Copy, Debug)]
pub struct Stepped {
    /// Whether all is done.
    pub is_done: bool,
    /// How much of the tiles, or of the links after them, is done, 0…1.
    pub share: f32,
}

impl Stepped {
    const DONE: Self = Self { is_done: true, share: 1.0 };

    fn of(progress: Progress) -> Self {
        Self { is_done: progress.is_finished(), share: progress.share() }
    }
}

/// What is in the way counts wherever somebody would touch it: just above the floor, or as high as heads.
fn down_to_heads(marked: MarkedVolume, settings: &BakeSettings) -> MarkedVolume {
    if marked.area != AreaId::NULL || marked.when != Marking::BeforeErosion {
        return marked;
    }
    let reach = (settings.agent.height - settings.cell_height).max(0.0);
    MarkedVolume { volume: marked.volume.reaching_down(reach), ..marked }
}

fn key(corners: [Vec3; 3]) -> Key {
    corners.map(|corner| corner.to_array().map(f32::to_bits))
}

fn bounds(key: &Key) -> Aabb {
    let [a, b, c] = key.map(|corner| Vec3::from_array(corner.map(f32::from_bits)));
    Aabb { min: a.min(b).min(c), max: a.max(b).max(c) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::input::{AgentSettings, Volume};
    use wayfare::mesh::TileRef;

    fn floor(size: f32, height: f32) -> TriMesh {
        let corners = [[0., 0.], [0., size], [size, size], [size, 0.]].map(|[x, z]| Vec3::new(x, height, z));
        TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).expect("two triangles").0
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
        while !level.step(Budget::unlimited()).is_done {}
        level
    }

    fn crate_at(x: f32) -> MarkedVolume {
        MarkedVolume::block(Volume::Cylinder { base: Vec3::new(x, 0.0, 10.0), radius: 2.0, height: 2.0 })
    }

    #[test]
    fn a_stored_level_is_changed_by_obstacles_as_the_first_was() {
        let mut level = baked();
        let open = level.mesh.digest();
        level.apply(vec![Change::Volume(1, Some(crate_at(10.0)))]);
        level.step(Budget::unlimited());
        let blocked = level.mesh.clone();
        assert_ne!(blocked.digest(), open);

        let mut again = Level::from_way(&level.to_way()).expect("what was just written");
        let tiles = |mesh: &NavMesh| mesh.tiles().map(|tile| tile.data().clone()).collect::<Vec<_>>();
        again.apply(vec![Change::Volume(1, Some(crate_at(10.0)))]);
        again.step(Budget::unlimited());
        assert_eq!(tiles(&again.mesh), tiles(&blocked));
        again.apply(vec![Change::Volume(1, None)]);
        again.step(Budget::unlimited());
        assert_eq!(tiles(&again.mesh), tiles(&baked().mesh));
        assert!(again.take_problems().is_empty());
    }

    #[test]
    fn what_hangs_at_the_height_of_heads_is_in_the_way() {
        let mut level = baked();
        let tiles = |level: &Level| level.mesh.tiles().map(|tile| tile.data().clone()).collect::<Vec<_>>();
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
        let before: Vec<TileRef> = level.mesh.tiles().map(|tile| tile.tile_ref()).collect();
        let (mut corners, mut triangles) = (floor(20.0, 0.0).verts().to_vec(), floor(20.0, 0.0).tris().to_vec());
        corners.extend([[2., 2., 2.], [2., 2., 4.], [4., 2., 4.]].map(Vec3::from_array));
        triangles.push([4, 5, 6]);
        let level_with_table = TriMesh::new(corners, triangles).expect("three triangles").0;
        assert!(level.suits(&settings(), &level_with_table.bounds()));
        level.apply(vec![Change::Triangles(level_with_table)]);
        level.step(Budget::unlimited());
        let kept = level.mesh.tiles().filter(|tile| before.contains(&tile.tile_ref())).count();
        assert!(kept > 0 && kept < before.len(), "{kept} of {}", before.len());
        assert!(!level.suits(&settings(), &floor(30.0, 0.0).bounds()));
    }

    #[test]
    fn a_level_without_floor_says_why() {
        let corners = [[0., 0., 0.], [9., 0., 0.], [0., 0., 9.]].map(Vec3::from_array);
        let (ceiling, _) = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a triangle");
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
