//! Phase 3: finds which agents are near each other.
//!
//! All agents are sorted into a grid; each then takes the nearest, as many as it wants to see. In a crowd those are
//! close, so it first searches slightly farther than was needed last time, and twice as far whenever that does not give
//! enough, up to its full range. Eight adjacent agents search at once. In very dense crowds the cells are smaller:
//! otherwise thousands in one place would all look at all others. Agents in layers that an agent ignores are skipped,
//! so that they do not take places among the nearest; one that ignores all layers there are does not look.
//!
//! Cost: linear in the agents and those they see, times the density of the crowd around them.

use super::Crowd;
use super::agent::Agent;
use super::parallel::for_runs;
use crate::avoid::{Company, Layers, Near};
use crate::math::index::NONE;
use glam::Vec2;

/// Lists of neighbours, one per agent, in the order in which agents are stored in the grid's cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) lists: Vec<List>,
    pub(super) agents: Vec<Found>,
    /// Of all agents; empty if no agent ignores any other.
    pub(super) layers: Vec<Layers>,
    /// The same in the order of the grid.
    pub(super) slot_layers: Vec<Layers>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct List {
    pub(super) ids: Vec<u32>,
    /// The distance of the last entry if the list is full, otherwise the search distance; 0 if the agent looks for
    /// none.
    pub(super) reach: f32,
}

/// What is kept of an agent from tick to tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Which list is its own, or [`NONE`].
    pub(super) list: u32,
    /// The distance of the last entry of a full list; 0 if it has had none.
    pub(super) reach: f32,
}

impl Lists {
    /// Indices, nearest first.
    pub(super) fn of(&self, agent: usize) -> &[u32] {
        let list = self.agents.get(agent).and_then(|found| self.lists.get(found.list as usize));
        list.map_or(&[], |list| list.ids.as_slice())
    }

    /// Whether one agent heeds another: if not, it neither avoids it nor is pushed by it.
    #[inline]
    pub(super) fn heeds(&self, agent: usize, other: usize) -> bool {
        self.layers.get(agent).zip(self.layers.get(other)).is_none_or(|(own, other)| own.heeds(*other))
    }

    /// The average distance of the last neighbour in the last tick, over agents that saw as many as they wanted.
    /// Infinite if there were none.
    fn mean_reach(&self) -> f32 {
        let known = self.agents.iter().filter(|found| found.reach > 0.0);
        let (sum, count) = known.fold((0.0, 0.0_f32), |(sum, count), found| (sum + found.reach, count + 1.0));
        if count > 0.0 { sum / count } else { f32::INFINITY }
    }

    /// All neighbours of all agents.
    pub(super) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.agents.len()).flat_map(|agent| self.of(agent).iter().copied())
    }

    pub(super) fn clear_of(&mut self, agent: usize) {
        if let Some(found) = self.agents.get_mut(agent) {
            found.list = NONE;
        }
    }
}

/// How much farther than last time the first search goes.
const MARGIN: f32 = 1.12;
/// Cells per range of sight.
const CELLS: f32 = 3.0;
/// A crowd is very dense if the last neighbour that each agent sees is nearer than this fraction of a cell.
const CRAMMED: f32 = 0.25;

/// What the agents that are present look for, taken together.
struct Sought {
    /// The mean of their ranges.
    range: f32,
    /// The layers that any of them is in.
    layers: u32,
    /// Whether any of them may ignore another. Usually nobody does; an agent without a layer is ignored by all.
    is_choosy: bool,
}

impl Crowd {
    /// Finds each agent's neighbours.
    pub fn neighbours(&mut self) {
        let sought = self.sought();
        self.sort_into_grid(sought.range / CELLS);
        self.sort_layers(sought.is_choosy);
        self.search_neighbours(sought.layers);
    }

    fn sought(&self) -> Sought {
        let present = self.hot.present.iter().zip(&self.agents).filter(|(present, _)| **present);
        let mut sum = 0.0;
        let mut count = 0.0_f32;
        let mut layers = 0;
        let mut masks = u32::MAX;
        let mut has_none = false;
        for (_, agent) in present {
            sum += agent.params.neighbour_range;
            count += 1.0;
            layers |= agent.params.layers;
            masks &= agent.params.layer_mask;
            has_none |= agent.params.layers == 0;
        }
        Sought { range: sum / count.max(1.0), layers, is_choosy: layers & !masks != 0 || has_none }
    }

    /// Sorts the agents by their positions into cells of the usual size, or smaller ones where the crowd is very dense.
    fn sort_into_grid(&mut self, usual: f32) {
        let hot = &self.hot;
        self.places.clear();
        let places = hot.present.iter().zip(&hot.position);
        // An agent that is not present gets a position where nobody finds it.
        self.places.extend(places.map(|(&here, p)| if here { Vec2::new(p.x, p.z) } else { Vec2::NAN }));
        let reach = self.neighbours.mean_reach();
        let cell = if reach < usual * CRAMMED { reach } else { usual };
        self.grid.rebuild(&self.places, cell.max(0.01));
        self.standing.clear();
        self.standing.extend(self.grid.order().iter().map(|&i| hot.standing(i)));
    }

    /// Lists the layers of all agents, if any of them ignores another.
    fn sort_layers(&mut self, is_choosy: bool) {
        let Lists { layers, slot_layers, .. } = &mut self.neighbours;
        layers.clear();
        slot_layers.clear();
        if is_choosy {
            let of = |a: &Agent| Layers { own: a.params.layers, mask: a.params.layer_mask };
            layers.extend(self.agents.iter().map(of));
            slot_layers.extend(self.grid.order().iter().map(|&i| layers[i as usize]));
        }
    }

    /// Finds the neighbours of all agents in the grid. `layers` are those that any agent is in.
    fn search_neighbours(&mut self, layers: u32) {
        let hot = &self.hot;
        let agents = &self.agents;
        let grid = &self.grid;
        let places = &self.places;
        let standing = &self.standing[..];
        let Lists { lists, agents: kept, layers: all_layers, slot_layers } = &mut self.neighbours;
        let company = Company { floors: standing, layers: slot_layers };
        kept.resize(hot.len(), Found { list: NONE, reach: 0.0 });
        kept.iter_mut().for_each(|found| found.list = NONE);
        lists.resize_with(grid.order().len(), List::default);
        let widest = |i: usize| {
            let params = &agents[i].params;
            // An agent that rests is only affected by those about to run into it.
            let range = params.neighbour_range / if agents[i].rests() { 3.0 } else { 1.0 };
            let heeds_any = params.layer_mask & layers != 0;
            (range, if heeds_any { (params.max_neighbours as usize).min(grid.order().len()) } else { 0 })
        };
        let first = |i: usize| {
            let (range, count) = widest(i);
            let reach = kept[i].reach;
            ((if reach > 0.0 { reach * MARGIN } else { range / 3.0 }).min(range), count)
        };
        for_runs(lists, &self.pool, |begin, lists, scratch| {
            let slots = begin..begin + lists.len();
            let near = &mut scratch.near_agents;
            let wanted = |slot: usize| first(grid.order()[slot] as usize);
            grid.nearest_of_each(slots, (wanted, company), &mut scratch.nearest, |slot, found| {
                let i = grid.order()[slot] as usize;
                let (range, count) = widest(i);
                let mut found = found;
                let mut reach = first(i).0;
                let heeds = |other: usize| all_layers.is_empty() || all_layers[i].heeds(all_layers[other]);
                let accept = |other: u32| {
                    other as usize != i && standing[slot].shares_floor(hot.standing(other)) && heeds(other as usize)
                };
                while found.len() < count && reach < range {
                    // Avoids getting stuck at zero if the range is hardly larger than that.
                    reach = (reach * 2.0).max(f32::MIN_POSITIVE).min(range);
                    grid.nearest(places[i], reach, count, accept, near);
                    found = near;
                }
                let list = &mut lists[slot - begin];
                list.reach = match count.checked_sub(1) {
                    Some(last) => found.get(last).map_or(range, Near::distance),
                    None => 0.0,
                };
                list.ids.clear();
                list.ids.extend(found.iter().map(|near| near.id));
            });
        });
        for (k, &agent) in (0..).zip(grid.order()) {
            kept[agent as usize] = Found { list: k, reach: lists[k as usize].reach };
        }
    }
}
