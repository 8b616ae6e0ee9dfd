//! Phase 3: which agents are near one another.
//!
//! All agents are sorted into a grid; each then takes the nearest, as many as it wants to see. In a crowd those stand
//! close, so it first looks a little farther than was needed last time, and over its whole range only where that does
//! not give enough.
//!
//! Cost: linear in the agents and those they see, times the crowd's density around them.

use super::Crowd;
use super::parallel::for_runs;
use crate::avoid::Near;
use glam::Vec2;

/// Lists of neighbours, one an agent, each in a place of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    lists: Vec<List>,
}

#[derive(Clone, Debug, Default)]
struct List {
    ids: Vec<u32>,
    /// How far the last of a full list was away.
    reach: f32,
}

impl Lists {
    /// Indices, nearest first.
    pub(super) fn of(&self, agent: usize) -> &[u32] {
        self.lists.get(agent).map_or(&[], |list| list.ids.as_slice())
    }

    pub(super) fn clear_of(&mut self, agent: usize) {
        if let Some(list) = self.lists.get_mut(agent) {
            list.ids.clear();
        }
    }
}

/// How much farther than last time is looked first.
const MARGIN: f32 = 1.12;
/// Cells in a range of sight.
const CELLS: f32 = 5.0;

impl Crowd {
    /// Finds each agent's neighbours.
    pub fn neighbours(&mut self) {
        let hot = &self.hot;
        self.places.clear();
        let places = hot.present.iter().zip(&hot.position);
        // An agent that is not here stands nowhere, where nobody is found.
        self.places.extend(places.map(|(&here, p)| if here { Vec2::new(p.x, p.z) } else { Vec2::NAN }));
        let present = hot.present.iter().zip(&self.agents).filter(|(present, _)| **present);
        let (sum, count) = present.fold((0.0, 0.0_f32), |(s, n), (_, a)| (s + a.params.neighbour_range, n + 1.0));
        self.grid.rebuild(&self.places, (sum / count.max(1.0) / CELLS).max(0.01));
        self.neighbours.lists.resize_with(hot.len(), List::default);
        let (agents, grid, places) = (&self.agents, &self.grid, &self.places);
        for_runs(&mut self.neighbours.lists, &self.pool, |first, lists, scratch| {
            for (k, list) in lists.iter_mut().enumerate() {
                let i = first + k;
                list.ids.clear();
                let params = &agents[i].params;
                let (count, range) = (params.max_neighbours as usize, params.neighbour_range);
                if !hot.present[i] || count == 0 {
                    continue;
                }
                let (y, height, near) = (hot.position[i].y, hot.height[i], &mut scratch.near_agents);
                let same_floor = |other: u32| {
                    let reach = height.max(hot.height[other as usize]);
                    other as usize != i && (hot.position[other as usize].y - y).abs() < reach
                };
                // An agent that rests is only concerned with those about to run into it.
                let range = if agents[i].rests() { range / 3.0 } else { range };
                let first = if list.reach > 0.0 { list.reach * MARGIN } else { range / 3.0 };
                grid.nearest(places[i], first.min(range), count, same_floor, near);
                if near.len() < count && first < range {
                    grid.nearest(places[i], range, count, same_floor, near);
                }
                list.reach = near.get(count - 1).map_or(range, |last| last.distance_squared.sqrt());
                list.ids.extend(near.iter().map(|Near { id, .. }| *id));
            }
        });
    }
}
