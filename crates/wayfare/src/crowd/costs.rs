//! Costs that change while agents are on their paths: danger that spreads, fear that fades.
//!
//! A filter with other costs replaces the previous one. Each path by it is evaluated with both; the differences add up,
//! and an agent for which they exceed a fraction of its path's cost requests a new path. Small changes, one per tick,
//! cause no search.
//!
//! ```text
//!   path by the last costs: 20      by the new: 21, 22.5, 24 …      drift 1, 2.5, 4: more than a fifth of 20, asked anew
//! ```
//!
//! Cost: two filter calls for each polygon of the paths of agents that use the filter.
//!
//! Sources: none needed.

use super::parallel::for_each;
use super::{Crowd, CrowdError, TargetStatus};
use crate::query::QueryFilter;
use std::sync::Arc;

impl Crowd {
    /// Replaces a filter by one that passes the same polygons at other costs: for example an
    /// [`Overlaid`](crate::query::Overlaid) whose overlay has changed. Agents keep their paths; those whose path cost
    /// has changed by more than [`cost_change`](super::CrowdSettings::cost_change) since it was found request another
    /// in the next tick. So do agents that found no path to their target, if the old costs may have blocked it: if
    /// their [upper bound](QueryFilter::most_cost) is infinite. A search in progress continues with the old costs; its
    /// path is followed, and requested once more. In place of filter 0 it applies to all agents without a filter of
    /// their own, and the mesh's own costs no longer count.
    ///
    /// A few times a second is enough for most games. Use [`set_filter`](Self::set_filter) for filters that pass other
    /// polygons.
    ///
    /// # Errors
    /// [`CrowdError::NoFilter`].
    pub fn set_costs(
        &mut self,
        number: u32,
        filter: impl QueryFilter + Send + Sync + 'static,
    ) -> Result<(), CrowdError> {
        let count = self.filters.len() as u32;
        let place = self.filters.get_mut(number as usize).ok_or(CrowdError::NoFilter { filter: number, count })?;
        let before = core::mem::replace(place, Arc::new(filter));
        self.has_mesh_filter &= number != 0;
        let Self { agents, filters, mesh, pool, paths, settings, .. } = self;
        let now = filters[number as usize].as_ref();
        // Only infinite costs keep anyone from a target.
        let may_open = before.most_cost() == f32::INFINITY;
        // Before the first tick no agent has a path.
        let Some(mesh) = mesh else { return Ok(()) };
        for_each(agents, pool, |i, agent, _| {
            if agent.params.filter != number {
                return;
            }
            agent.asks_again |= paths.is_searching(i);
            if may_open && matches!(agent.target_status, TargetStatus::Unreachable | TargetStatus::Partial) {
                (agent.target_status, agent.cost_drift) = (TargetStatus::Waiting, 0.0);
            }
            if !matches!(agent.target_status, TargetStatus::Complete | TargetStatus::Partial) {
                return;
            }
            let cost = agent.corridor.cost(mesh, now);
            agent.cost_drift += cost - agent.corridor.cost(mesh, before.as_ref());
            let was = cost - agent.cost_drift;
            // Also if a cost is infinite or NaN.
            let is_small = agent.cost_drift.abs() <= settings.cost_change * cost.min(was);
            if !is_small {
                (agent.target_status, agent.cost_drift) = (TargetStatus::Waiting, 0.0);
            }
        });
        for (i, agent) in agents.iter().enumerate() {
            // No search yet, but the planner may be at work on it.
            if agent.params.filter == number && !paths.is_searching(i) {
                paths.restart(i);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::context::Context;
    use crate::corridor::test_ground::{place, world};
    use crate::crowd::tests::{DT, at, small, walk};
    use crate::crowd::{AgentId, AgentParams, CrowdSettings, EventKind, FlowPlanner, WhenUnreachable};
    use crate::plan::{AStarPlanner, SharedFilter};
    use crate::query::{CostOverlay, DefaultFilter, Overlaid, OverlaySettings, OverlayShape};
    use glam::Vec3;

    const RING: &str = "aaaaaaaaaaaaaaaa\na..............a\na..............a\naaaaaaaaaaaaaaaa";

    fn disc(x: f32, z: f32) -> OverlayShape<'static> {
        OverlayShape::Disc { center: Vec3::new(x, 0.0, z), radius: 1.0, reach: 0.5 }
    }

    fn by(overlay: &CostOverlay) -> Overlaid<DefaultFilter> {
        Overlaid::new(DefaultFilter::default()).with(overlay, 1.0).unwrap()
    }

    fn found(crowd: &Crowd, agent: AgentId) -> bool {
        crowd.events().iter().any(|e| e.agent == agent && matches!(e.kind, EventKind::PathFound { .. }))
    }

    #[test]
    fn who_walks_into_danger_turns_round_and_others_walk_on() {
        let mesh = world(RING);
        let mut crowd = Crowd::default();
        let [upper, lower] = [0.5, 3.5].map(|z| {
            let agent = crowd.add(&mesh, at(0.5, z), small()).unwrap();
            crowd.go_to(&mesh, agent, at(15.5, z)).unwrap();
            agent
        });
        walk(&mut crowd, &mesh, 5, |_| false);
        let settings = OverlaySettings { half_life: 20, ..OverlaySettings::default() };
        let mut danger = CostOverlay::new(settings).unwrap();
        // A little of it changes nobody's mind, once.
        danger.paint(&disc(9.0, 0.5), 0.4).unwrap();
        crowd.set_costs(0, by(&danger)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        assert!(!found(&crowd, upper) && !found(&crowd, lower));
        danger.paint(&disc(9.0, 0.5), 30.0).unwrap();
        crowd.set_costs(0, by(&danger)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        assert!(found(&crowd, upper) && !found(&crowd, lower));
        assert!(crowd.remaining_distance(upper).unwrap().unwrap() > 17.0, "round by the other side");
        // It decays; the path that is followed does not get cheaper by it.
        danger.advance(400);
        crowd.set_costs(0, by(&danger)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        assert!(!found(&crowd, upper) && !found(&crowd, lower));
        assert!(crowd.set_costs(3, by(&danger)).is_err());
    }

    #[test]
    fn many_small_changes_are_one_large_one() {
        let mesh = world(RING);
        let mut crowd = Crowd::default();
        crowd.settings_mut().topology_searches = 0;
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(15.5, 0.5)).unwrap();
        walk(&mut crowd, &mesh, 2, |_| false);
        let mut danger = CostOverlay::new(OverlaySettings::default()).unwrap();
        let mut asked = 0;
        for _ in 0..40 {
            danger.paint(&disc(12.0, 0.5), 0.25).unwrap();
            crowd.set_costs(0, by(&danger)).unwrap();
            walk(&mut crowd, &mesh, 1, |_| false);
            asked += u32::from(found(&crowd, agent));
        }
        assert!((1..=4).contains(&asked), "{asked}");
    }

    #[test]
    fn a_path_that_was_searched_by_the_last_costs_is_asked_for_once_more() {
        let mesh = world(RING);
        let mut crowd = Crowd::default();
        crowd.settings_mut().path_nodes = 10;
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(15.5, 0.5)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        assert!(!found(&crowd, agent), "the search is under way");
        let mut danger = CostOverlay::new(OverlaySettings::default()).unwrap();
        danger.paint(&disc(9.0, 0.5), 30.0).unwrap();
        crowd.set_costs(0, by(&danger)).unwrap();
        let mut paths = 0;
        walk(&mut crowd, &mesh, 30, |crowd| {
            paths += u32::from(found(crowd, agent));
            false
        });
        assert_eq!(paths, 2);
        let length = crowd.remaining_distance(agent).unwrap().unwrap();
        assert!(length > 17.0, "{length}: round by the other side");
    }

    #[test]
    fn stored_and_read_it_goes_on_with_its_overlays() {
        let mesh = world(RING);
        let mut crowd = Crowd::default();
        crowd.settings_mut().path_nodes = 10;
        for z in [0.3, 0.7, 3.5] {
            let agent = crowd.add(&mesh, at(0.5, z), small()).unwrap();
            crowd.go_to(&mesh, agent, at(15.5, z)).unwrap();
        }
        let settings = OverlaySettings { half_life: 30, ..OverlaySettings::default() };
        let mut danger = CostOverlay::new(settings).unwrap();
        let mut planner = AStarPlanner::new();
        let tick = |crowd: &mut Crowd, danger: &mut CostOverlay, tick: u32, planner: &mut AStarPlanner| {
            if tick.is_multiple_of(4) {
                danger.paint(&disc(3.0 + (tick % 10) as f32, 0.5), 1.5).unwrap();
                crowd.set_costs(0, by(danger)).unwrap();
            }
            danger.advance(1);
            crowd.step(&mesh, DT, planner, &Context::default());
        };
        for now in 0..60 {
            if now % 3 == 1 {
                let filter: SharedFilter = Arc::new(by(&danger));
                let filters = if crowd.has_mesh_filter { vec![] } else { vec![filter] };
                let mut read = Crowd::from_bytes(&crowd.to_bytes(&mesh, &planner), &mesh, &filters).unwrap();
                let mut again = CostOverlay::from_bytes(&danger.to_bytes()).unwrap();
                let mut other = crowd.clone();
                let mut other_danger = danger.clone();
                for later in now..now + 12 {
                    tick(&mut read, &mut again, later, &mut AStarPlanner::new());
                    tick(&mut other, &mut other_danger, later, &mut AStarPlanner::new());
                    assert_eq!(read.positions(), other.positions(), "stored in tick {now}, tick {later}");
                    assert_eq!(read.events(), other.events(), "stored in tick {now}, tick {later}");
                }
            }
            tick(&mut crowd, &mut danger, now, &mut planner);
        }
    }

    #[test]
    fn who_could_not_reach_its_goal_goes_when_the_costs_open_the_way() {
        let mut mesh = world("aaaaaaaaa");
        let dear = AreaId::from_low_bits(5);
        mesh.set_area(place(&mesh, (4.5, 0.5)).poly, dear).unwrap();
        let at_cost = |cost| {
            let mut filter = DefaultFilter::default();
            filter.set_area_cost(dear, cost).unwrap();
            filter
        };
        // Refused before the costs change, or searching while they do.
        for (path_nodes, ticks) in [(1000, 3), (2, 1)] {
            for when_unreachable in [WhenUnreachable::Stay, WhenUnreachable::GoNear] {
                let mut crowd = Crowd::new(CrowdSettings { path_nodes, ..CrowdSettings::default() });
                crowd.set_filter(0, at_cost(f32::INFINITY)).unwrap();
                let params = AgentParams { when_unreachable, ..small() };
                let agent = crowd.add(&mesh, at(0.5, 0.5), params).unwrap();
                crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
                walk(&mut crowd, &mesh, ticks, |_| false);
                assert_ne!(crowd.target_status(agent), Ok(TargetStatus::Complete));
                crowd.set_costs(0, at_cost(2.0)).unwrap();
                walk(&mut crowd, &mesh, 200, |_| false);
                assert_eq!(crowd.target_status(agent), Ok(TargetStatus::Arrived), "{path_nodes} {when_unreachable:?}");
            }
        }
    }

    #[test]
    fn a_field_that_was_begun_with_the_last_costs_is_not_used() {
        let mesh = world(RING);
        let (mut crowd, mut planner) = (Crowd::default(), FlowPlanner::new());
        (crowd.settings_mut().path_nodes, crowd.settings_mut().topology_searches) = (4, 0);
        let [_, second] = [0.3, 0.7].map(|z| {
            let agent = crowd.add(&mesh, at(0.5, z), small()).unwrap();
            crowd.go_to(&mesh, agent, at(15.5, 0.5)).unwrap();
            agent
        });
        let mut walk_until = |crowd: &mut Crowd, is_there: &dyn Fn(&Crowd, &FlowPlanner) -> bool| {
            (0..100).any(|_| {
                crowd.step(&mesh, DT, &mut planner, &Context::default());
                is_there(crowd, &planner)
            })
        };
        assert!(walk_until(&mut crowd, &|_, planner| planner.field_count() == 1));
        assert_eq!(crowd.target_status(second), Ok(TargetStatus::Waiting));
        let mut danger = CostOverlay::new(OverlaySettings::default()).unwrap();
        danger.paint(&disc(9.0, 0.5), 30.0).unwrap();
        crowd.set_costs(0, by(&danger)).unwrap();
        assert!(walk_until(&mut crowd, &|crowd, _| found(crowd, second)));
        assert!(crowd.remaining_distance(second).unwrap().unwrap() > 17.0, "round by the other side");
    }
}
