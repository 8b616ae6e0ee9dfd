//! Computes the cost of a corridor by a filter, to compare filters, or one filter before and after its costs have
//! changed.
//!
//! Cost: a look-up and a question to the filter for each polygon.
//!
//! Sources: none needed.

use super::PathCorridor;
use crate::mesh::NavMesh;
use crate::query::{QueryFilter, crossings};

impl PathCorridor {
    /// The cost of the corridor by a filter, from the agent to the end over the middles of the portals, as a search
    /// measures it. Polygons that are no longer in the mesh cost nothing.
    #[must_use]
    pub fn cost<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> f32 {
        let crossings = crossings(mesh, (&self.polys, &self.portals), [self.start, self.end]);
        crossings.fold(0.0, |sum, crossing| sum + filter.cost(&crossing).max(0.0))
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
