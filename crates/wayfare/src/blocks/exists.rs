//! Is there a path? Two floods over patches, one from each end, each heading for the other end.
//!
//! There are no lengths, no corners and no straight path: a patch is seen or not. The floods alternate, so a small
//! closed room at either end is detected in the time it takes to fill it twice.
//!
//! Cost: O(n log n) in the patches seen, usually far fewer than a path search visits. In an unbounded world two floods
//! may never finish; a limit ends them without a result.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 ("simply querying if a path exists is much
//! faster").

use super::costs::BlockCosts;
use super::distance::distance;
use super::marks::Marks;
use super::node::{BACK, FORTH, Gate};
use super::world_view::WorldView;
use super::{BlockSource, Cell};
use crate::area::LimitHit;
use crate::math::OpenList;
use crate::math::index::NONE;

/// Both floods and their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Meeting {
    open: [OpenList; 2],
    /// 0: seen from the start; 1: seen from the goal.
    seen: Marks,
}

impl Meeting {
    pub(super) fn exists<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        costs: &BlockCosts,
        [start, goal]: [Cell; 2],
        max_nodes: u32,
    ) -> Result<bool, LimitHit> {
        let ends = [view.node_at(start), view.node_at(goal)];
        if ends.contains(&NONE) {
            return Ok(false);
        }
        let [from, to] = ends.map(|node| view.store.nodes[node as usize]);
        if from.patch == to.patch {
            return Ok(true);
        }
        if costs.of(to.area).is_none() && to.area != from.area {
            return Ok(false);
        }
        self.seen.clear();
        for (who, patch) in [(0, from.patch), (1, to.patch)] {
            self.open[who].clear();
            self.open[who].push(0.0, patch);
            self.seen.set(patch, who as u32);
        }
        let mut left = max_nodes;
        loop {
            for (who, towards) in [(0, goal), (1, start)] {
                let Some((_, patch)) = self.open[who].pop() else { return Ok(false) };
                left = left.checked_sub(1).ok_or(LimitHit::Nodes)?;
                view.connect_patch(patch);
                for &Gate { to, entry, areas: [here, there], ways } in &view.store.patches[patch as usize].gates {
                    if ways & [FORTH, BACK][who] == 0 {
                        continue;
                    }
                    let leads = match who {
                        0 => costs.across(here, there).is_some(),
                        _ => costs.leads_back(here, there, from.area),
                    };
                    match self.seen.get(to) {
                        Some(other) if leads && other as usize != who => return Ok(true),
                        None if leads => {
                            self.seen.set(to, who as u32);
                            self.open[who].push(distance(entry, towards), to);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}
