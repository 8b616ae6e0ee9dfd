//! What a corridor costs by a filter: to compare filters, or one filter before and after its costs have changed.
//!
//! Cost: a look-up and a question to the filter for each polygon.
//!
//! Sources: none needed.

use super::PathCorridor;
use crate::mesh::NavMesh;
use crate::query::{Crossing, QueryFilter};

impl PathCorridor {
    /// What the corridor costs by a filter, from where the agent is to its end over the middles of the portals, as a
    /// search counts. Polygons that are no longer in the mesh cost nothing.
    #[must_use]
    pub fn cost<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> f32 {
        let mut from = self.start;
        let mut sum = 0.0;
        for (step, &poly) in self.polys.iter().enumerate() {
            let to = self.portals.get(step).map_or(self.end, |portal| portal.middle());
            if let Ok(state) = mesh.state(poly) {
                let before = step.checked_sub(1).map(|before| self.polys[before]);
                let next = self.polys.get(step + 1).copied();
                let crossing = Crossing::over(mesh, poly, state, [from, to]).between(before, next);
                sum += filter.cost(&crossing).max(0.0);
            }
            from = to;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corridor::test_ground::{find, place, world};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path};

    #[test]
    fn it_is_what_the_search_says() {
        let mesh = world("aaaaa\na...a\naaaaa");
        let filter = DefaultFilter::default();
        let corridor = find(&mesh, (0.5, 0.5), (4.5, 2.5));
        let ask = PathRequest::new(place(&mesh, (0.5, 0.5)), place(&mesh, (4.5, 2.5)));
        let path = find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap();
        assert!((corridor.cost(&mesh, &filter) - path.cost).abs() < 1e-5);
        assert_eq!(PathCorridor::default().cost(&mesh, &filter), 0.0);
    }
}
