//! Automatic links of a level that changes are those of a search in the level as it is.

use super::post;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::bake::{AutoLink, find_links};
use wayfare::context::{Budget, Context};
use wayfare::dynamic::{AutoLinks, LevelCheckpoints, ObjectLevel, Obstacles};
use wayfare::input::{BakeSettings, Level, LinkSettings, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare_testkit::levels::boxes;
use wayfare_testkit::property;

struct Site {
    level: ObjectLevel,
    obstacles: Obstacles,
    mesh: NavMesh,
    links: AutoLinks,
    rules: LinkSettings,
}

impl Site {
    fn new() -> Self {
        let bounds = Aabb { min: Vec3::new(0.0, -2.0, 0.0), max: Vec3::new(30.0, 8.0, 30.0) };
        let settings = BakeSettings { tile_size: 24, bounds: Some(bounds), ..BakeSettings::default() };
        let ground = LevelCheckpoints::empty(&settings).unwrap();
        let rules = LinkSettings::for_agent(&settings.agent);
        let links = AutoLinks::new(ground.plan(), &rules).unwrap();
        let level = ObjectLevel::new(TriMesh::EMPTY, ground.plan());
        let mesh = NavMesh::new(ground.plan().layout());
        Self { level, obstacles: Obstacles::new(ground), mesh, links, rules }
    }

    fn changed(&mut self, bounds: &Aabb) {
        self.obstacles.invalidate(bounds);
        self.links.invalidate(bounds);
    }

    /// Brings mesh and links up to date, and returns how many tiles were searched.
    fn settle(&mut self, cells: u64) -> u64 {
        while !self.obstacles.progress().is_finished() {
            self.obstacles.step_from(&mut self.mesh, &self.level, Budget::new(cells), &Context::default()).unwrap();
        }
        let searched = self.links.progress().total;
        let volumes: Vec<_> = self.obstacles.iter().map(|(_, marked)| marked.clone()).collect();
        while !self.links.progress().is_finished() {
            self.links.step(&mut self.mesh, &self.level, &volumes, Budget::new(cells)).unwrap();
        }
        searched
    }

    fn check(&self) -> usize {
        let triangles = self.level.triangles();
        let volumes: Vec<_> = self.obstacles.iter().map(|(_, marked)| marked.clone()).collect();
        let level = Level { volumes: &volumes, ..Level::from(&triangles) };
        let tiles: Vec<_> = self.mesh.tiles().map(|tile| tile.data()).collect();
        let plan = self.obstacles.checkpoints().plan();
        let mut expected = find_links(level, plan, &tiles, &self.rules, &Context::default()).unwrap();
        expected.sort_by_key(|link| link.id);
        let kept: Vec<AutoLink> = self.links.iter().copied().collect();
        assert_eq!(kept, expected);
        let mut placed: Vec<OffMeshConnection> = self.mesh.connections().map(|it| *it.definition()).collect();
        placed.sort_by_key(|connection| connection.user_id);
        assert_eq!(placed, expected.iter().map(OffMeshConnection::from).collect::<Vec<_>>());
        kept.len()
    }
}

#[test]
fn links_of_a_changing_level_are_those_of_a_whole_search() {
    property("changing links", 6, |rng| {
        let mut site = Site::new();
        let floor = Arc::new(boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]]]));
        let (_, bounds) = site.level.add(floor, Vec3::ZERO).unwrap();
        site.changed(&bounds);
        let mut blocks = Vec::new();
        let mut posts = Vec::new();
        let mut most = 0;
        for _ in 0..10 {
            let at = Vec3::new(rng.whole(20, 240) as f32 * 0.1, 0.0, rng.whole(20, 240) as f32 * 0.1);
            match rng.whole(0, 5) {
                0..=2 => {
                    let height = rng.whole(6, 30) as f32 * 0.1;
                    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [5.0, height, 5.0]]]));
                    let (block, bounds) = site.level.add(block, at).unwrap();
                    blocks.push(block);
                    site.changed(&bounds);
                }
                3 => {
                    let marked = post(at.x, at.z);
                    let bounds = marked.volume.bounds();
                    posts.push((site.obstacles.add(marked).unwrap().0, bounds));
                    site.links.invalidate(&bounds);
                }
                4 if !posts.is_empty() => {
                    let (post, bounds) = posts.remove(0);
                    site.obstacles.remove(post).unwrap();
                    site.links.invalidate(&bounds);
                }
                _ if !blocks.is_empty() => {
                    let [before, after] = site.level.move_to(blocks[0], at).unwrap();
                    site.changed(&before);
                    site.changed(&after);
                }
                _ => {}
            }
            site.settle([1, 5000, u64::MAX][rng.whole(0, 2) as usize]);
            most = most.max(site.check());
        }
        assert!(most > 10, "{most} links");
    });
}

#[test]
fn only_tiles_within_reach_of_a_change_are_searched() {
    let mut site = Site::new();
    let floor = Arc::new(boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]]]));
    let (_, bounds) = site.level.add(floor, Vec3::ZERO).unwrap();
    site.changed(&bounds);
    assert_eq!(site.settle(u64::MAX), 25);
    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [4.0, 1.5, 4.0]]]));
    let (block, bounds) = site.level.add(block, Vec3::new(1.0, 0.0, 1.0)).unwrap();
    site.changed(&bounds);
    let searched = site.settle(u64::MAX);
    assert!((4..=9).contains(&searched), "{searched} of 25 tiles");
    assert!(site.check() > 0);
    // What was removed by hand is not missed.
    let by_hand: Vec<_> = site.mesh.connections().map(|it| it.reference()).collect();
    site.mesh.remove_connection(by_hand[0]).unwrap();
    let bounds = site.level.remove(block).unwrap();
    site.changed(&bounds);
    site.settle(u64::MAX);
    assert_eq!(site.check(), 0);
}

#[test]
fn links_come_though_something_changes_all_the_time() {
    let mut site = Site::new();
    let floor = Arc::new(boxes(&[[[0.0, -1.0, 0.0], [30.0, 0.0, 30.0]]]));
    let block = Arc::new(boxes(&[[[0.0, 0.0, 0.0], [4.0, 1.5, 4.0]]]));
    for (surface, at) in [(floor, Vec3::ZERO), (block, Vec3::new(20.0, 0.0, 20.0))] {
        let (_, bounds) = site.level.add(surface, at).unwrap();
        site.changed(&bounds);
    }
    while !site.obstacles.progress().is_finished() {
        site.obstacles.step_from(&mut site.mesh, &site.level, Budget::unlimited(), &Context::default()).unwrap();
    }
    let moving = Aabb { min: Vec3::new(6.0, 0.0, 6.0), max: Vec3::new(8.0, 1.0, 8.0) };
    for _ in 0..100 {
        site.links.invalidate(&moving);
        site.links.step(&mut site.mesh, &site.level, &[], Budget::new(1)).unwrap();
    }
    assert!(!site.links.progress().is_finished() && site.mesh.connection_count() > 0);
}
