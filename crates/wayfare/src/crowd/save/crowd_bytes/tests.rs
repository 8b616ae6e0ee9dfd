//! A crowd that was stored and read goes on as the other does, to the bit, from any tick on.

use super::*;
use crate::area::{AreaId, PolyFlags};
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::{random_world, world};
use crate::crowd::tests::{DT, at, field, small};
use crate::crowd::{
    AgentId, AgentParams, CrowdReadError, CrowdSettings, Driver, FlowPlanner, Formation, Recovery, Style, Target,
    WhenUnreachable,
};
use crate::math::Rng;
use crate::mesh::{OffMeshConnection, PolyPoint, PolyRef, PolyState};
use crate::plan::{AStarPlanner, OptimalPlanner};
use crate::query::{Crossing, QueryFilter, find_nearest};
use glam::Vec3;
use xxhash_rust::xxh3::xxh3_64;

/// A game in which all that a crowd knows happens: doors, jumps, followers, filters, pauses, who comes and goes.
struct Game {
    mesh: NavMesh,
    filters: Vec<SharedFilter>,
    rng: Rng,
    ids: Vec<AgentId>,
}

const SIDE: u32 = 12;

/// Closed doors are ground as well.
struct AnyGround;

impl QueryFilter for AnyGround {
    fn passes(&self, _: PolyRef, _: PolyState) -> bool {
        true
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        crossing.length()
    }

    fn least_cost(&self) -> f32 {
        1.0
    }
}

impl Game {
    fn new(seed: u64) -> (Self, Crowd) {
        // A river, and two jumps over it.
        let mut mesh = world(&vec!["aaaaa..aaaaa"; SIDE as usize].join("\n"));
        for (from, to) in [((4.5, 2.5), (7.5, 2.5)), ((7.5, 9.5), (4.5, 9.5))] {
            let (start, end) = (at(from.0, from.1), at(to.0, to.1));
            let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
            let jump = OffMeshConnection { start, end, radius: 0.4, two_way: true, area, flags, user_id: 7 };
            mesh.add_connection(jump).unwrap();
        }
        let mut crowd = Crowd::new(CrowdSettings { path_nodes: 9, ..CrowdSettings::default() });
        let dear = DefaultFilter::of(&mesh).with_flags(PolyFlags(1), PolyFlags(0));
        crowd.add_filter(dear.clone());
        let filters: Vec<SharedFilter> = vec![Arc::new(dear)];
        (Self { mesh, filters, rng: Rng::new(seed), ids: Vec::new() }, crowd)
    }

    fn place(&mut self) -> Vec3 {
        at(self.rng.unit() * SIDE as f32, self.rng.unit() * SIDE as f32)
    }

    fn ground(&self, near: Vec3) -> PolyPoint {
        find_nearest(&self.mesh, near, Vec3::splat(3.0), &AnyGround).unwrap().place()
    }

    /// Something that a game does between two ticks.
    fn meddle(&mut self, crowd: &mut Crowd) {
        let one = self.ids.get(self.rng.below(self.ids.len().max(1) as u32) as usize).copied();
        let place = self.place();
        match (self.rng.below(14), one) {
            (0..=2, _) if self.ids.len() < 30 => {
                let params = self.params();
                let agent = crowd.add(&self.mesh, place, params).unwrap();
                let goal = self.place();
                crowd.go_to(&self.mesh, agent, goal).unwrap();
                self.ids.push(agent);
            }
            (3..=5, Some(agent)) => crowd.go_to(&self.mesh, agent, place).unwrap(),
            (6, Some(agent)) => {
                let other = self.ids[self.rng.below(self.ids.len() as u32) as usize];
                crowd.set_target(agent, Target::Agent(other)).unwrap();
            }
            (7, Some(agent)) => crowd.pause(agent, self.rng.below(2) == 0).unwrap(),
            (8, Some(agent)) => crowd.teleport(&self.mesh, agent, place).unwrap(),
            (9, Some(agent)) => crowd.set_position(agent, place).unwrap(),
            (10, Some(agent)) if self.ids.len() > 12 => {
                crowd.remove(agent).unwrap();
                self.ids.retain(|id| *id != agent);
            }
            (11, _) => {
                // A door opens or closes.
                let door = self.ground(place).poly;
                let flags = if self.rng.below(3) == 0 { PolyFlags(0) } else { PolyFlags::WALK };
                self.mesh.set_flags(door, flags).unwrap();
            }
            (12, Some(agent)) => {
                let params = self.params();
                crowd.set_params(agent, params).unwrap();
            }
            (13, Some(agent)) => {
                let ground = self.ground(place);
                let targets = [Target::Moving(ground), Target::Velocity(Vec3::X), Target::None];
                crowd.set_target(agent, targets[self.rng.below(3) as usize]).unwrap();
            }
            _ => {}
        }
    }

    fn params(&mut self) -> AgentParams {
        let name = Avoidance::NAMES[self.rng.below(6) as usize];
        AgentParams {
            avoidance: Avoidance::by_name(name).unwrap(),
            filter: self.rng.below(2),
            priority: [1.0, 9.0][self.rng.below(2) as usize],
            layer_mask: [u32::MAX, 2][self.rng.below(8) as usize / 7],
            driver: [Driver::Crowd, Driver::Game][self.rng.below(8) as usize / 7],
            style: [Style::Smooth, Style::Drunken { swing: 0.6, period: 2.0 }][self.rng.below(2) as usize],
            recovery: Recovery { give_up_after: self.rng.below(3) * 9, ..Recovery::default() },
            when_unreachable: [WhenUnreachable::Stay, WhenUnreachable::GoNear][self.rng.below(2) as usize],
            ..small()
        }
    }
}

/// All of a crowd but its search under way, which two planners are at in different ways.
fn bits(crowd: &Crowd, mesh: &NavMesh) -> Vec<u8> {
    crowd.to_bytes(mesh, &AStarPlanner::new())
}

fn step(crowd: &mut Crowd, mesh: &NavMesh, planner: &mut dyn Planner) {
    crowd.step(mesh, DT, planner, &Context::default());
}

#[test]
fn from_any_tick_on_the_ticks_are_the_same() {
    let (mut searching, mut jumping, mut pending) = (0, 0, 0);
    for seed in 0..6 {
        let (mut game, mut crowd) = Game::new(seed);
        let mut planner = AStarPlanner::new();
        // Stored once, read, and then gone on with beside the other; a new one now and then.
        let mut other: Option<(Crowd, AStarPlanner)> = None;
        for tick in 0..120 {
            let meddling = game.rng.clone();
            let ids = game.ids.clone();
            let mesh = game.mesh.clone();
            game.meddle(&mut crowd);
            if let Some((other, _)) = &mut other {
                // The same is done to the other.
                let mut again = Game { mesh, filters: game.filters.clone(), rng: meddling, ids };
                again.meddle(other);
                assert_eq!(again.ids, game.ids);
            }
            if tick % 7 == seed as usize % 7 {
                let bytes = crowd.to_bytes(&game.mesh, &planner);
                searching += u32::from(crowd.paths.stored(&planner).any(|stored| stored.outcome.is_some()));
                jumping += crowd.agents.iter().filter(|agent| agent.on_connection.is_some()).count();
                pending += u32::from(crowd.mesh.as_ref().is_some_and(|last| !last.is_same_as(&game.mesh)));
                let read = Crowd::from_bytes(&bytes, &game.mesh, &game.filters).unwrap();
                assert_eq!(read.to_bytes(&game.mesh, &AStarPlanner::new()), bytes, "read and stored again");
                other = Some((read, AStarPlanner::new()));
            }
            step(&mut crowd, &game.mesh, &mut planner);
            if let Some((other, own)) = &mut other {
                step(other, &game.mesh, own);
                assert_eq!(crowd.to_bytes(&game.mesh, &planner), other.to_bytes(&game.mesh, own), "{seed}, {tick}");
            }
        }
    }
    assert!(searching > 5 && jumping > 5 && pending > 1, "{searching} searches, {jumping} jumps, {pending} pending");
}

/// A crowd in the middle of something, its mesh and its bytes.
fn stored() -> (Game, Crowd, Vec<u8>) {
    let (mut game, mut crowd) = Game::new(3);
    let mut planner = AStarPlanner::new();
    for _ in 0..30 {
        game.meddle(&mut crowd);
        step(&mut crowd, &game.mesh, &mut planner);
    }
    let bytes = crowd.to_bytes(&game.mesh, &planner);
    (game, crowd, bytes)
}

#[test]
fn what_is_cut_or_altered_is_refused() {
    let (game, _, bytes) = stored();
    let read = |bytes: &[u8]| Crowd::from_bytes(bytes, &game.mesh, &game.filters).map(drop);
    assert_eq!(read(&bytes), Ok(()));
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "the first {end} bytes");
    }
    for at in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[at] ^= 0x41;
        assert!(read(&altered).is_err(), "byte {at}");
    }
    assert!(matches!(read(b"WAYCRWD"), Err(CrowdReadError::Length { .. })));
    assert!(matches!(read(b"WAYTILE3........"), Err(CrowdReadError::Magic { .. })));
    assert!(matches!(read(&[&b"WAYCRWD2"[..], &bytes[8..]].concat()), Err(CrowdReadError::Version { found: 2, .. })));
}

#[test]
fn another_mesh_and_other_filters_are_refused() {
    let (mut game, _, bytes) = stored();
    let refused = Crowd::from_bytes(&bytes, &game.mesh, &[]).map(drop);
    assert_eq!(refused, Err(CrowdReadError::Filters { stored: 1, given: 0 }));
    let door = game.mesh.tiles().next().unwrap().reference(3);
    game.mesh.set_flags(door, PolyFlags(0x30)).unwrap();
    let refused = Crowd::from_bytes(&bytes, &game.mesh, &game.filters).map(drop);
    assert!(matches!(refused, Err(CrowdReadError::OtherMesh { .. })), "{refused:?}");
}

/// With length and checksum made right, anything may come: it is refused, or makes a crowd that walks.
#[test]
fn bytes_that_were_made_up_do_no_harm() {
    let (game, _, bytes) = stored();
    let (mut rng, mut walked) = (Rng::new(9), 0);
    for _ in 0..600 {
        let mut made = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let at = 24 + rng.below(made.len() as u32 - 32) as usize;
            made[at] = [0, 1, 2, 255, 127, 128][rng.below(6) as usize];
        }
        if rng.below(4) == 0 {
            made.truncate(32 + rng.below(made.len() as u32 - 32) as usize);
        }
        let (length, end) = (made.len() as u64, made.len() - 8);
        made[8..16].copy_from_slice(&length.to_le_bytes());
        let checksum = xxh3_64(&made[..end]);
        made[end..].copy_from_slice(&checksum.to_le_bytes());
        let Ok(mut crowd) = Crowd::from_bytes(&made, &game.mesh, &game.filters) else { continue };
        let mut planner = AStarPlanner::new();
        (0..3).for_each(|_| step(&mut crowd, &game.mesh, &mut planner));
        assert!(crowd.ids().count() == crowd.len());
        let _ = bits(&crowd, &game.mesh);
        walked += 1;
    }
    assert!(walked > 100, "{walked}");
}

/// Every other search is over other ground, by the time that it ends.
#[test]
fn searches_under_way_go_on_over_the_mesh_that_they_were_begun_on() {
    go_on(AStarPlanner, 5);
    go_on(OptimalPlanner, 5);
    go_on(AStarPlanner, 600);
}

fn go_on(mut planner: impl Planner + Copy, path_nodes: u64) {
    let mut mesh = field(14);
    let mut crowd = Crowd::new(CrowdSettings { path_nodes, ..CrowdSettings::default() });
    for k in 0..40 {
        let at = |x: f32, z: f32| at(x + 0.3 * (k / 2) as f32, z);
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(7.5, 13.5)).unwrap();
    }
    for tick in 0..30 {
        let door = crate::corridor::test_ground::place(&mesh, (tick as f32 / 3.0, 5.5)).poly;
        mesh.set_flags(door, PolyFlags(0)).unwrap();
        step(&mut crowd, &mesh, &mut planner);
        let bytes = crowd.to_bytes(&mesh, &planner);
        let mut own = crowd.clone();
        let mut read = Crowd::from_bytes(&bytes, &mesh, &[]).unwrap();
        for _ in 0..12 {
            step(&mut own, &mesh, &mut planner);
            step(&mut read, &mesh, &mut planner);
            assert!(own.to_bytes(&mesh, &planner) == read.to_bytes(&mesh, &planner), "stored after tick {tick}");
        }
    }
}

#[test]
fn flow_fields_and_formations_go_on_too() {
    let mesh = field(14);
    let mut crowd = Crowd::new(CrowdSettings { path_nodes: 11, ..CrowdSettings::default() });
    let mut planner = FlowPlanner::new();
    let mut rng = Rng::new(4);
    let ids: Vec<_> = (0..24)
        .map(|_| crowd.add(&mesh, at(rng.unit() * 13.0 + 0.5, rng.unit() * 13.0 + 0.5), small()).unwrap())
        .collect();
    let mut formation = Formation::new(ids[0], Formation::wedge(5, 0.6), ids[1..6].to_vec());
    let goals = [at(1.5, 1.5), at(12.5, 1.5), at(12.5, 12.5)];
    ids.iter().zip(goals.iter().cycle()).for_each(|(id, goal)| crowd.go_to(&mesh, *id, *goal).unwrap());
    let tick = |crowd: &mut Crowd, planner: &mut FlowPlanner, formation: &mut Formation, number: usize| {
        if number.is_multiple_of(9) {
            crowd.go_to(&mesh, ids[6 + number % 18], goals[number % 3]).unwrap();
        }
        formation.lead(crowd, &mesh).unwrap();
        crowd.step(&mesh, DT, planner, &Context::default());
    };
    for number in 0..60 {
        tick(&mut crowd, &mut planner, &mut formation, number);
        if number % 5 > 0 {
            continue;
        }
        let mut read = Crowd::from_bytes(&crowd.to_bytes(&mesh, &planner), &mesh, &[]).unwrap();
        let mut other = FlowPlanner::from_bytes(&planner.to_bytes(&crowd), &read, &mesh).unwrap();
        let mut again = Formation::from_bytes(&formation.to_bytes()).unwrap();
        let (mut crowd, mut planner, mut formation) = (crowd.clone(), planner.clone(), formation.clone());
        for later in number + 1..number + 30 {
            tick(&mut crowd, &mut planner, &mut formation, later);
            tick(&mut read, &mut other, &mut again, later);
            assert_eq!(crowd.to_bytes(&mesh, &planner), read.to_bytes(&mesh, &other), "stored after {number}, {later}");
            assert_eq!(planner.to_bytes(&crowd), other.to_bytes(&read));
            assert_eq!(formation.to_bytes(), again.to_bytes());
        }
    }
    assert!(planner.field_count() > 1);
}

#[test]
fn between_two_levels_it_is_stored_and_goes_on_as_the_other() {
    for (seed, path_nodes) in (0..6).flat_map(|seed| [(seed, 3), (seed, 400)]) {
        let levels = [seed, seed + 100].map(|seed| random_world(&mut Rng::new(seed), 3, 7));
        let (mut rng, mut planner) = (Rng::new(seed), AStarPlanner::new());
        let mut crowd = Crowd::new(CrowdSettings { path_nodes, reach: Vec3::splat(30.0), ..CrowdSettings::default() });
        let mut spot = || at(rng.unit() * 21.0, rng.unit() * 21.0);
        for _ in 0..30 {
            let agent = crowd.add(&levels[0], spot(), small()).unwrap();
            crowd.go_to(&levels[0], agent, spot()).unwrap();
        }
        (0..6).for_each(|_| step(&mut crowd, &levels[0], &mut planner));
        let bytes = crowd.to_bytes(&levels[1], &planner);
        let mut read = Crowd::from_bytes(&bytes, &levels[1], &[]).unwrap();
        assert!(read.to_bytes(&levels[1], &planner) == bytes);
        for tick in 0..20 {
            step(&mut crowd, &levels[1], &mut planner);
            step(&mut read, &levels[1], &mut planner);
            let bits = [&crowd, &read].map(|crowd| crowd.to_bytes(&levels[1], &planner));
            assert!(bits[0] == bits[1], "seed {seed}, {path_nodes} nodes, tick {tick}");
        }
    }
}

#[test]
fn a_walker_that_waits_for_a_field_goes_on_too() {
    let mesh = field(14);
    let mut crowd = Crowd::new(CrowdSettings { path_nodes: 5, ..CrowdSettings::default() });
    let mut planner = FlowPlanner::new();
    let [first, walker] = [0.5, 1.5].map(|x| crowd.add(&mesh, at(x, 0.5), small()).unwrap());
    crowd.go_to(&mesh, first, at(12.5, 12.5)).unwrap();
    crowd.go_to(&mesh, walker, at(1.5, 12.5)).unwrap();
    (0..40).for_each(|_| step(&mut crowd, &mesh, &mut planner));
    crowd.go_to(&mesh, walker, at(12.5, 12.5)).unwrap();
    for tick in 0..20 {
        step(&mut crowd, &mesh, &mut planner);
        let mut read = Crowd::from_bytes(&crowd.to_bytes(&mesh, &planner), &mesh, &[]).unwrap();
        let mut other = FlowPlanner::from_bytes(&planner.to_bytes(&crowd), &read, &mesh).unwrap();
        let (mut crowd, mut planner) = (crowd.clone(), planner.clone());
        for later in tick..tick + 60 {
            step(&mut crowd, &mesh, &mut planner);
            step(&mut read, &mesh, &mut other);
            assert_eq!(crowd.events(), read.events(), "stored after {tick}, {later}");
            assert!(crowd.to_bytes(&mesh, &planner) == read.to_bytes(&mesh, &other), "stored after {tick}, {later}");
        }
    }
}

#[test]
fn goals_of_a_filter_that_was_replaced_keep_their_places() {
    let mesh = field(14);
    let (mut crowd, mut planner) = (Crowd::default(), FlowPlanner::new());
    let own = AgentParams { filter: crowd.add_filter(DefaultFilter::default()), ..small() };
    let [loner, walker] = [own, small()].map(|params| crowd.add(&mesh, at(0.5, 0.5), params).unwrap());
    let send = |crowd: &mut Crowd, planner: &mut FlowPlanner, id, k: u32| {
        crowd.go_to(&mesh, id, at(1.5 + (k % 12) as f32, 12.5 - (k / 12) as f32)).unwrap();
        step(crowd, &mesh, planner);
    };
    send(&mut crowd, &mut planner, loner, 40);
    (0..12).for_each(|k| send(&mut crowd, &mut planner, walker, k));
    crowd.set_costs(0, DefaultFilter::default()).unwrap();
    let filters: Vec<SharedFilter> = (0..2).map(|_| Arc::new(DefaultFilter::default()) as SharedFilter).collect();
    let mut read = Crowd::from_bytes(&crowd.to_bytes(&mesh, &planner), &mesh, &filters).unwrap();
    let mut other = FlowPlanner::from_bytes(&planner.to_bytes(&crowd), &read, &mesh).unwrap();
    for (id, k) in (12..16).map(|k| (walker, k)).chain([(loner, 41), (loner, 40), (walker, 15)]) {
        send(&mut crowd, &mut planner, id, k);
        send(&mut read, &mut other, id, k);
        assert_eq!(planner.to_bytes(&crowd), other.to_bytes(&read), "{k}");
        assert_eq!(crowd.to_bytes(&mesh, &planner), read.to_bytes(&mesh, &other), "{k}");
    }
}

#[test]
fn more_rounds_than_any_crowd_needs_come_to_an_end() {
    let mesh = field(4);
    let mut crowd = Crowd::new(CrowdSettings { resolve_rounds: u32::MAX, ..CrowdSettings::default() });
    // Two that are not moved leave the third no place.
    for x in [1.8, 2.0, 2.2] {
        let agent = crowd.add(&mesh, at(x, 2.0), small()).unwrap();
        crowd.pause(agent, x != 2.0).unwrap();
    }
    let bytes = bits(&crowd, &mesh);
    let mut read = Crowd::from_bytes(&bytes, &mesh, &[]).unwrap();
    assert_eq!(read.settings(), crowd.settings());
    step(&mut read, &mesh, &mut AStarPlanner::new());
}
