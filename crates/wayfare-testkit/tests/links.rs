//! Automatic links on scenes whose answers are known.

use wayfare::Vec3;
use wayfare::bake::{AutoLink, BakedTiles, TilePlan, bake_tiles, find_links};
use wayfare::components::Components;
use wayfare::context::Context;
use wayfare::input::{BakeSettings, LinkKind, LinkRule, LinkSettings, Partition, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::query::{DefaultFilter, find_nearest};
use wayfare::voxel::{Grid, Heightfield, RasterInput, rasterize};
use wayfare_scenes::{Rng, Scene, scene};
use wayfare_testkit::levels::{GROUNDS, bake, boxes, connect, seeded};
use wayfare_testkit::property;

fn links_of(scene: &Scene, links: &LinkSettings, tile_size: u32) -> (NavMesh, Vec<AutoLink>) {
    let baked = bake(scene, Partition::Watershed, tile_size).0;
    let found = find(scene, &baked, links, tile_size);
    let mut mesh = connect(baked);
    mesh.add_connections(&found).unwrap();
    (mesh, found)
}

fn find(scene: &Scene, baked: &BakedTiles, links: &LinkSettings, tile_size: u32) -> Vec<AutoLink> {
    let settings = BakeSettings { tile_size, ..scene.settings };
    let level = scene.mesh().unwrap();
    let plan = TilePlan::new(&level, &settings).unwrap();
    let tiles: Vec<_> = baked.tiles.iter().collect();
    find_links(&level, &plan, &tiles, links, &Context::default()).unwrap()
}

fn only(kind: LinkKind, rule: LinkRule) -> LinkSettings {
    let mut links = LinkSettings::default();
    *match kind {
        LinkKind::Drop => &mut links.drop,
        LinkKind::JumpDown => &mut links.jump_down,
        LinkKind::JumpAcross => &mut links.jump_across,
        LinkKind::Climb => &mut links.climb,
    } = Some(rule);
    links
}

fn rule(max_height: f32, max_distance: f32) -> LinkRule {
    let rule = LinkSettings::for_agent(&BakeSettings::default().agent).jump_down.unwrap();
    LinkRule { max_height, max_distance, ..rule }
}

/// Which island of `platforms` reaches the next one, and which the one before.
fn steps(scene: &Scene, mesh: &NavMesh) -> Vec<[bool; 2]> {
    let components = Components::of(mesh);
    let at = |p: Vec3| find_nearest(mesh, p, Vec3::ONE, &DefaultFilter::default()).unwrap().poly;
    let reach = |a: Vec3, b: Vec3| components.may_reach(at(a), at(b));
    scene.errands.iter().map(|e| [reach(e.from, e.to), reach(e.to, e.from)]).collect()
}

/// The links of hand-made levels, with default settings.
fn links_in(level: &TriMesh, links: &LinkSettings, tile_size: u32) -> Vec<AutoLink> {
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    let (baked, _) = bake_tiles(level, &settings, &Context::default()).unwrap();
    let plan = TilePlan::new(level, &settings).unwrap();
    let tiles: Vec<_> = baked.tiles.iter().collect();
    find_links(level, &plan, &tiles, links, &Context::default()).unwrap()
}

#[test]
fn jumps_reach_the_islands_within_their_limits() {
    let scene = scene("platforms").unwrap();
    for tile_size in [0, 24, 32, 55] {
        // Gaps of 1.5, 1.9, 2.3, 2.9 and 3.7 m; up, up, down, up, up by 1.5 m.
        let ways = |kind, max_height, max_distance| {
            let (mesh, found) = links_of(&scene, &only(kind, rule(max_height, max_distance)), tile_size);
            assert!(mesh.connections().all(|c| c.ends().iter().all(Option::is_some)), "an end hangs in the air");
            assert_eq!(mesh.connection_count() as usize, found.len());
            steps(&scene, &mesh)
        };
        let (no, back, there, both) = ([false; 2], [false, true], [true, false], [true; 2]);
        assert_eq!(ways(LinkKind::JumpDown, 2.0, 3.3), [back, back, there, back, no], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::JumpDown, 2.0, 1.9), [back, back, no, no, no], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::JumpDown, 1.2, 9.0), [no; 5], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::JumpAcross, 2.0, 3.3), [both, both, both, both, no], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::JumpAcross, 2.0, 9.0), [both; 5], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::JumpAcross, 1.2, 9.0), [no; 5], "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::Drop, 9.0, 0.6), [no; 5], "tiles of {tile_size}");
    }
}

#[test]
fn drops_and_climbs_reach_the_blocks_within_their_limits() {
    // Blocks 1.2, 2.0, 2.8, 3.6, 4.4 and 5.2 m high.
    let scene = scene("ledges").unwrap();
    for tile_size in [0, 32, 64] {
        let ways = |kind, max_height| {
            let (mesh, _) = links_of(&scene, &only(kind, rule(max_height, 0.6)), tile_size);
            steps(&scene, &mesh)
        };
        let up_to =
            |count: usize, way: [bool; 2]| (0..6).map(|i| if i < count { way } else { [false; 2] }).collect::<Vec<_>>();
        assert_eq!(ways(LinkKind::Drop, 3.0), up_to(3, [false, true]), "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::Drop, 9.0), up_to(6, [false, true]), "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::Climb, 2.2), up_to(2, [true, false]), "tiles of {tile_size}");
        assert_eq!(ways(LinkKind::Climb, 2.0), up_to(2, [true, false]), "exactly as high as the limit");
        assert_eq!(ways(LinkKind::JumpDown, 9.0), up_to(0, [false; 2]), "tiles of {tile_size}");
    }
}

#[test]
fn what_is_in_the_way_is_in_the_way() {
    let (left, right) = ([[0., -1., 0.], [6., 0., 6.]], [[8., -1., 0.], [14., 0., 6.]]);
    let across = only(LinkKind::JumpAcross, rule(0.5, 3.0));
    let count = |between: &[[[f32; 3]; 2]]| {
        let mut all = vec![left, right];
        all.extend(between);
        links_in(&boxes(&all), &across, 0).len()
    };
    let free = count(&[]);
    assert!(free >= 2);
    // A wall in the gap, a lintel at the height of the head, a curtain that leaves no room for the width.
    assert_eq!(count(&[[[6.9, -1., 0.], [7.1, 3., 6.]]]), 0);
    assert_eq!(count(&[[[6.0, 1.0, 0.], [8.0, 1.2, 6.]]]), 0);
    assert_eq!(count(&[[[6.9, -1., 0.], [7.1, 3., 2.6]], [[6.9, -1., 3.2], [7.1, 3., 6.]]]), 0);
    // Under the jump, or far above it, nothing is in the way.
    assert_eq!(count(&[[[6.9, -1., 0.], [7.1, 0.2, 6.]]]), free);
    assert_eq!(count(&[[[6.0, 3.4, 0.], [8.0, 3.6, 6.]]]), free);
    // A gate wide enough for one lets some through, but not those who ask for more width.
    let gate = boxes(&[left, right, [[6.9, -1., 0.], [7.1, 3., 2.1]], [[6.9, -1., 3.9], [7.1, 3., 6.]]]);
    assert!(!links_in(&gate, &across, 0).is_empty());
    let wide = only(LinkKind::JumpAcross, LinkRule { width: 3.0, ..rule(0.5, 3.0) });
    assert!(links_in(&gate, &wide, 0).is_empty());
    assert!(!links_in(&boxes(&[left, right]), &wide, 0).is_empty());
}

#[test]
fn a_drop_needs_room_to_fall() {
    let (floor, block) = ([[0., -1., 0.], [20., 0., 12.]], [[0., 0., 0.], [8., 3., 12.]]);
    let drop = only(LinkKind::Drop, rule(4.0, 0.6));
    let count = |more: &[[[f32; 3]; 2]]| {
        let mut all = vec![floor, block];
        all.extend(more);
        links_in(&boxes(&all), &drop, 0).len()
    };
    assert!(count(&[]) >= 4);
    // A roof over the whole floor, level with the block; a railing on its edge.
    assert_eq!(count(&[[[8., 2.5, 0.], [20., 2.9, 12.]]]), 0);
    assert_eq!(count(&[[[7.7, 3., 0.], [8., 5., 12.]]]), 0);
}

#[test]
fn links_that_save_no_way_are_left_out() {
    // Two islands, joined by a bridge right beside the place to jump, or by none.
    let (left, right) = ([[0., -1., 0.], [6., 0., 6.]], [[8., -1., 0.], [14., 0., 6.]]);
    let bridge = [[5.5, -1., 0.], [8.5, 0., 6.]];
    let across = only(LinkKind::JumpAcross, rule(0.5, 3.0));
    assert!(!links_in(&boxes(&[left, right]), &across, 0).is_empty());
    assert!(links_in(&boxes(&[left, right, bridge]), &across, 0).is_empty());
}

#[test]
fn links_keep_their_spacing_and_two_way_ones_are_not_found_twice() {
    let islands = boxes(&[[[0., -1., 0.], [6., 0., 40.]], [[8., -1., 0.], [14., 0., 40.]]]);
    for spacing in [1.0, 2.0, 5.0] {
        let one_way = LinkRule { spacing, ..rule(0.5, 3.0) };
        for (rule, sides) in [(one_way, 2), (LinkRule { two_way: true, ..one_way }, 1)] {
            for tile_size in [0, 20, 32] {
                let found = links_in(&islands, &only(LinkKind::JumpAcross, rule), tile_size);
                let expected = (37.0 / spacing) as usize * sides;
                assert!(
                    found.len().abs_diff(expected) <= 2 + expected / 5,
                    "{spacing} {tile_size}: {} for {expected}",
                    found.len()
                );
                for (i, a) in found.iter().enumerate() {
                    let same_way = |b: &&AutoLink| (b.end.x > b.start.x) == (a.end.x > a.start.x);
                    for b in found[..i].iter().filter(same_way) {
                        assert!(a.start.distance(b.start) > 0.7 * spacing, "{a:?} {b:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn links_do_not_depend_on_threads_or_the_order_of_tiles_and_keep_their_ids() {
    for spec in ["ledges", "platforms?count=12", "dungeon?size=120"] {
        let scene = scene(spec).unwrap();
        let links = LinkSettings::for_agent(&scene.settings.agent);
        let mut baked = bake(&scene, Partition::Watershed, 32).0;
        let in_pool = |threads: usize, baked: &BakedTiles| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| find(&scene, baked, &links, 32))
        };
        let one = in_pool(1, &baked);
        assert!(!one.is_empty(), "{spec}");
        assert_eq!(in_pool(3, &baked), one, "{spec}");
        baked.tiles.reverse();
        assert_eq!(in_pool(2, &baked), one, "{spec}: the order of tiles");
        let mut ids: Vec<u32> = one.iter().map(|link| link.id).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|w| w[0] != w[1]) && ids[0] != 0, "{spec}: ids");
        // Without one tile, the links that take off elsewhere are still there, under their ids.
        let gone = baked.tiles.pop().unwrap();
        let rest = in_pool(2, &baked);
        let far = |link: &&AutoLink| !gone.bounds().overlaps(&Aabb { min: link.start - 8.0, max: link.start + 8.0 });
        assert!(one.iter().filter(far).all(|link| rest.contains(link)), "{spec}: ids after a change elsewhere");
    }
}

#[test]
fn links_lead_from_ground_to_ground() {
    for spec in ["dungeon", "city?blocks=1", "offices?rooms=3", "holes_and_pillars"] {
        let scene = scene(spec).unwrap();
        let links = LinkSettings::for_agent(&scene.settings.agent);
        for tile_size in [0, 48] {
            let (mesh, found) = links_of(&scene, &links, tile_size);
            let loose = mesh.connections().filter(|c| c.ends().iter().any(Option::is_none)).count();
            println!("{spec} {tile_size}: {} links, {loose} loose", found.len());
            assert!(loose * 50 <= found.len(), "{spec} {tile_size}: {loose} of {} hang in the air", found.len());
            for link in &found {
                let rule = links.rule(link.kind).unwrap();
                let up = (link.start.y - link.end.y).abs();
                assert!(up <= rule.max_height + 0.51 * scene.settings.cell_height, "{link:?}");
            }
        }
    }
}

#[test]
fn a_mesh_with_links_is_sound_and_survives_its_file() {
    let scene = scene("ledges").unwrap();
    let (mesh, found) = links_of(&scene, &LinkSettings::for_agent(&scene.settings.agent), 32);
    assert_eq!(mesh.check(), []);
    let again = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    assert_eq!(again.connection_count() as usize, found.len());
    assert!(again.connections().zip(&found).all(|(c, link)| c.definition().user_id == link.id));
}

#[test]
fn a_link_keeps_its_number_when_the_level_grows() {
    let (left, right) = ([[0., -1., 0.], [6., 0., 6.]], [[8., -1., 0.], [14., 0., 6.]]);
    let across = only(LinkKind::JumpAcross, rule(0.5, 3.0));
    // A box far from the gap moves the level's low corner by whole cells: west, north and down. Places to take off from
    // are counted from that corner, so it goes by whole spacings, which leaves them where they are.
    let size = BakeSettings::default();
    let spacing = (rule(0.5, 3.0).spacing / size.cell_size).round() * size.cell_size;
    let [x, y, z] = [9.0 * spacing, 20.0 * size.cell_height, 7.0 * spacing];
    let far = [[-x, -1.0 - y, -z], [-x + 3.0, -y, -z + 3.0]];
    let ids = |level: &TriMesh| {
        let mut all: Vec<_> = links_in(level, &across, 0).iter().map(|l| (l.start.round(), l.id)).collect();
        all.sort_by_key(|(at, id)| (at.to_array().map(|c| c as i32), *id));
        all
    };
    let small = ids(&boxes(&[left, right]));
    assert!(small.len() >= 2);
    assert_eq!(ids(&boxes(&[left, right, far])), small);
}

/// Ground with a profile: places (x, y) one after another, as wide along z as it takes for links of their own.
fn ground_along(profile: &[[f32; 2]]) -> TriMesh {
    let verts = profile.iter().flat_map(|&[x, y]| [Vec3::new(x, y, 0.0), Vec3::new(x, y, 6.0)]).collect();
    let tris = (0..profile.len() as u32 - 1).flat_map(|i| [[0, 1, 3], [0, 3, 2]].map(|tri| tri.map(|v| 2 * i + v)));
    TriMesh::new(verts, tris.collect()).unwrap()
}

#[test]
fn straight_links_begin_at_the_foot_of_their_edge() {
    // Rise over 10 m of a slope of 40 degrees.
    let up = 8.39;
    let wall =
        |ground: [[f32; 2]; 2], height: f32| ground_along(&[ground[0], ground[1], [10.0, height], [20.0, height]]);
    for kind in [LinkKind::Climb, LinkKind::Drop] {
        let heights = |level: &TriMesh, max_height: f32| -> Vec<f32> {
            let found = links_in(level, &only(kind, rule(max_height, 0.6)), 0);
            found.iter().map(|link| (link.end.y - link.start.y).abs()).collect()
        };
        // Ground that rises to a wall: what is won on the slope counts.
        let rising = wall([[0.0, -up], [10.0, 0.0]], 1.1);
        assert!(heights(&rising, 1.3).is_empty());
        for most in [1.5, 2.0, 2.5] {
            let found = heights(&rising, most);
            assert!(!found.is_empty() && found.iter().all(|&dy| dy < most + 0.11), "{most}: {found:?}");
        }
        // Ground that falls to the foot of a wall: the slope is no step towards it.
        let falling = wall([[0.0, up], [10.0, 0.0]], 3.0);
        assert!(heights(&falling, 1.5).is_empty());
        assert!(!heights(&falling, 3.0).is_empty());
        // A ditch before the wall, too deep or not; it may be no wider than a foot may be away.
        let ditch =
            |depth: f32| ground_along(&[[0., 0.], [9., 0.], [9.01, -depth], [10., -depth], [10.01, 1.3], [20., 1.3]]);
        assert!(heights(&ditch(6.0), 1.5).is_empty());
        assert!(!heights(&ditch(0.5), 1.5).is_empty());
    }
    // Over the deep one one jumps.
    let ditch = ground_along(&[[0., 0.], [9., 0.], [9.01, -6.], [10., -6.], [10.01, 1.3], [20., 1.3]]);
    assert!(!links_in(&ditch, &only(LinkKind::JumpDown, rule(1.5, 1.5)), 0).is_empty());
}

/// A level of walls, slopes, steps and ditches one after another.
fn random_ground(rng: &mut Rng) -> TriMesh {
    let mut within = |low: f32, high: f32| low + (high - low) * rng.unit();
    let mut profile = vec![[0.0, 0.0]];
    let mut at = [0.0_f32, 0.0];
    while at[0] < 40.0 {
        // Along a slope of up to 41 degrees, then up or down a wall, which may lean.
        let length = within(0.3, 6.0);
        at = [at[0] + length, at[1] + length * within(-0.87, 0.87)];
        profile.push(at);
        at = [at[0] + within(0.0, 1.0).max(0.5) - 0.49, at[1] + within(-3.0, 3.0)];
        profile.push(at);
    }
    ground_along(&profile)
}

/// The tops of all that is solid in a level, and who walks there.
struct Solid {
    level: Grid,
    field: Heightfield,
    climb: f32,
    radius: f32,
    inset: f32,
}

impl Solid {
    fn of(mesh: &TriMesh, settings: &BakeSettings) -> Self {
        let voxel = settings.to_voxel().unwrap();
        let level = Grid::of_level(mesh.bounds(), &voxel).unwrap();
        let field = rasterize(&RasterInput::whole(mesh, &level, &voxel));
        let [climb, radius] =
            [(voxel.agent_climb_vx, voxel.cell_height), (voxel.agent_radius_vx, 1.0)].map(|(n, size)| n as f32 * size);
        Self { level, field, climb, radius, inset: radius + 1.0 + voxel.edge_max_error.ceil() }
    }

    /// Whether something solid ends between two heights at a place.
    fn has_top(&self, at: Vec3, low: f32, high: f32) -> bool {
        let [x, z] =
            [at.x - self.level.origin.x, at.z - self.level.origin.z].map(|c| (c / self.level.cell_size) as u32);
        let column = self.field.column(self.field.grid.index(x, z));
        self.field.max[column].iter().any(|&top| {
            let y = self.level.world_y(i32::from(top));
            low - 1e-3 <= y && y <= high + 1e-3
        })
    }

    /// Holds a drop from `top` to `foot` against the rules.
    fn check(&self, [top, foot]: [Vec3; 2], max_distance: f32) {
        let (away, cell) = (Vec3::new(foot.x - top.x, 0.0, foot.z - top.z), self.level.cell_size);
        let length = away.length() / cell;
        let at = |cells: f32| Vec3::new(top.x, 0.0, top.z) + away.normalize() * cells * cell;
        let places: Vec<f32> = (0..).map(|k| k as f32 / 16.0).take_while(|d| *d < length).collect();
        for &d in &places {
            assert!(self.has_top(at(d), foot.y - self.climb, top.y + self.climb), "over a ditch {d} cells away");
        }
        let holds = |d: f32, y: f32| self.has_top(at(d), y - self.climb, y + self.climb);
        let edge = places.iter().copied().take_while(|&d| holds(d, top.y)).last().unwrap_or(0.0);
        let begins =
            places.iter().rev().copied().take_while(|&d| d > edge && holds(d, foot.y)).last().unwrap_or(length);
        // Samples of half a cell tell no more exactly.
        assert!(edge <= self.inset + 0.6, "the edge is {edge} cells away");
        assert!(length - begins <= self.radius + 3.1, "it lands {} cells from the foot", length - begins);
        assert!(begins - edge <= (max_distance / cell).max(1.0) + 1.1, "the foot is {} cells away", begins - edge);
    }
}

#[test]
fn links_keep_to_their_limits_on_random_ground() {
    let found = std::cell::Cell::new([0; LinkKind::ALL.len()]);
    property("links_keep_to_their_limits_on_random_ground", 60, |rng| {
        let (level, mut settings) = if rng.whole(0, 2) == 0 {
            let scene = scene(&seeded(&GROUNDS, rng)).unwrap();
            (scene.mesh().unwrap(), scene.settings)
        } else {
            (random_ground(rng), BakeSettings::default())
        };
        settings.cell_height = [0.1, 0.15, 0.2][rng.whole(0, 2) as usize];
        settings.agent.radius = [0.3, 0.6, 0.8][rng.whole(0, 2) as usize];
        let (max_height, max_distance) = (1.0 + 2.0 * rng.unit(), 1.5 * rng.unit());
        let plan = TilePlan::new(&level, &settings).unwrap();
        let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
        let tiles: Vec<_> = baked.tiles.iter().collect();
        let solid = Solid::of(&level, &settings);
        for kind in LinkKind::ALL {
            let links = only(kind, rule(max_height, max_distance));
            for link in find_links(&level, &plan, &tiles, &links, &Context::default()).unwrap() {
                let up = (link.end.y - link.start.y).abs();
                assert!(up <= max_height + settings.cell_height * 0.51, "{up} m up for {max_height}: {link:?}");
                match kind {
                    LinkKind::Drop => solid.check([link.start, link.end], max_distance),
                    LinkKind::Climb => solid.check([link.end, link.start], max_distance),
                    LinkKind::JumpDown | LinkKind::JumpAcross => {}
                }
                let mut counts = found.get();
                counts[kind as usize] += 1;
                found.set(counts);
            }
        }
    });
    println!("{:?}", found.get());
    assert!(found.get().iter().sum::<u32>() > 0, "nothing was found");
}

#[test]
fn no_link_leads_through_what_nothing_passes() {
    use wayfare::input::{Level, MarkedVolume, Volume};
    let level = boxes(&[[[0.0, -1.0, 0.0], [8.0, 0.0, 8.0]], [[9.5, -1.0, 0.0], [18.0, 0.0, 8.0]]]);
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let links = LinkSettings::for_agent(&settings.agent);
    // At the edge, over half of it, and as high as this.
    let found = |height: f32| {
        let wall = Aabb { min: Vec3::new(7.0, -1.0, -1.0), max: Vec3::new(8.5, height, 4.0) };
        let volumes = [MarkedVolume::block(Volume::Box(wall))];
        let level = Level { volumes: &volumes, ..Level::from(&level) };
        let (baked, _) = bake_tiles(level, &settings, &Context::default()).unwrap();
        let plan = TilePlan::new(level, &settings).unwrap();
        let tiles: Vec<_> = baked.tiles.iter().collect();
        let found = find_links(level, &plan, &tiles, &links, &Context::default()).unwrap();
        [found.iter().filter(|link| link.start.z < 4.0).count(), found.iter().filter(|link| link.start.z > 4.0).count()]
    };
    let [through, beside] = found(2.0);
    assert!(through == 0 && beside > 0, "{through} through it, {beside} beside it");
    // Water is jumped over.
    let [over, beside] = found(0.3);
    assert!(over > 0 && beside > 0, "{over} over it, {beside} beside it");
}
