//! Surfaces that may only be walked down: slides, scree, banks of sand.
//!
//! ```text
//!        ___                 down: from ──> to, a rise below zero       passes
//!       /   '-._             up:   to <── from, a rise above the limit  costs infinitely much
//!    __/  1     '-._ 2 __
//! ```
//!
//! A filter that wraps another. It looks at each crossing by itself: how much higher the path leaves a polygon than it
//! entered it. Heights are those of the nodes, on the edges between polygons.
//!
//! Cost: a comparison for each step.
//!
//! Sources: own.

use super::{Crossing, QueryFilter};
use crate::area::PolyFlags;
use crate::mesh::{PolyRef, PolyState};

/// A filter that allows crossing polygons downwards and on the level, but not upwards. It blocks by an infinite
/// [cost](QueryFilter::cost): searches, cost maps and the cost of a ray respect that; walls and moves along the surface
/// do not see it.
///
/// The rule looks at one polygon at a time: the limit is what each polygon may rise, so on a slope of many small
/// polygons it must be small. Blocking depends on the polygon alone, so searches stay as exact as with the inner
/// filter.
#[derive(Clone, Debug, PartialEq)]
pub struct DownhillOnly<F> {
    filter: F,
    max_rise: f32,
    flags: PolyFlags,
}

impl<F: QueryFilter> DownhillOnly<F> {
    /// Blocks crossings that rise more than `max_rise` metres; everything else is up to `filter`. At 0 the slightest
    /// rise blocks; baked surfaces are uneven by up to a cell's height, so allow for that. With a negative value,
    /// crossings must fall by that much. NaN blocks nothing.
    #[must_use]
    pub fn new(filter: F, max_rise: f32) -> Self {
        Self { filter, max_rise, flags: PolyFlags::NONE }
    }

    /// Applies the rule only to polygons that have one of these flags: the others may be walked up as well. Default:
    /// all polygons.
    #[must_use]
    pub fn on(self, flags: PolyFlags) -> Self {
        Self { flags, ..self }
    }

    /// The filter that it wraps.
    #[must_use]
    pub fn inner(&self) -> &F {
        &self.filter
    }

    fn concerns(&self, state: PolyState) -> bool {
        self.flags == PolyFlags::NONE || self.flags.intersects(state.flags)
    }
}

impl<F: QueryFilter> QueryFilter for DownhillOnly<F> {
    #[inline]
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        self.filter.passes(poly, state)
    }

    #[inline]
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        if crossing.rise() > self.max_rise && self.concerns(crossing.state) {
            return f32::INFINITY;
        }
        self.filter.cost(crossing)
    }

    #[inline]
    fn least_cost(&self) -> f32 {
        self.filter.least_cost()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PathStatus;
    use crate::mesh::NavMesh;
    use crate::query::test_maps::at;
    use crate::query::{
        DefaultFilter, PathRequest, SearchScratch, find_optimal_path, find_path, is_reachable, raycast_with_cost,
    };
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    /// A strip of six squares that falls by a metre for each metre from x = 2 to x = 4.
    fn bank() -> NavMesh {
        let tile = sketch(TileCoord::default(), "aaaaaa").edited(|tile| {
            tile.verts.iter_mut().for_each(|vert| vert.y = 4.0 - vert.x.clamp(2.0, 4.0));
            tile.fit_bounds();
        });
        let layout = TileLayout { origin: glam::Vec3::ZERO, tile_width: 6.0, tile_depth: 1.0 };
        NavMesh::from_tiles(layout, vec![tile]).unwrap()
    }

    #[test]
    fn a_bank_is_walked_down_and_not_up() {
        let mut mesh = bank();
        let mut scratch = SearchScratch::new();
        let top = at(&mesh, (0.5, 0.5)).unwrap();
        let foot = at(&mesh, (5.5, 0.5)).unwrap();
        let down = PathRequest::new(top, foot);
        let up = PathRequest::new(foot, top);
        let filter = DownhillOnly::new(DefaultFilter::default(), 0.2);
        let mut ask = |mesh: &NavMesh, request: &PathRequest, filter: &DownhillOnly<DefaultFilter>| {
            let path = find_path(mesh, request, filter, &mut scratch).unwrap();
            let optimal = find_optimal_path(mesh, request, filter, &mut scratch).unwrap();
            assert_eq!(optimal.path.status, path.status);
            let ray = raycast_with_cost(mesh, request.start, request.goal.point, filter, &mut scratch).unwrap();
            assert_eq!(ray.cost.is_finite(), path.status == PathStatus::Complete);
            let reachable = is_reachable(mesh, request, filter, &mut scratch).unwrap();
            assert_eq!(reachable, Some(path.status == PathStatus::Complete));
            (path.status, path.end.x)
        };
        assert_eq!(ask(&mesh, &down, &filter), (PathStatus::Complete, 5.5));
        assert_eq!(ask(&mesh, &up, &filter), (PathStatus::Partial, 3.0));
        // Who climbs well enough goes up as well.
        let climber = DownhillOnly::new(DefaultFilter::default(), 1.0);
        assert_eq!(ask(&mesh, &up, &climber), (PathStatus::Complete, 0.5));
        // Where only sand slips, and the bank is none.
        let on_sand = filter.on(PolyFlags(0x40));
        assert_eq!(ask(&mesh, &up, &on_sand), (PathStatus::Complete, 0.5));
        for x in [2.5, 3.5] {
            let poly = at(&mesh, (x, 0.5)).unwrap().poly;
            mesh.set_flags(poly, PolyFlags(0x41)).unwrap();
        }
        assert_eq!(ask(&mesh, &up, &on_sand).0, PathStatus::Partial);
        assert_eq!(ask(&mesh, &down, &on_sand).0, PathStatus::Complete);
    }

    /// Within one polygon, too.
    #[test]
    fn start_and_goal_on_one_slope() {
        let mesh = bank();
        let mut scratch = SearchScratch::new();
        let high = at(&mesh, (2.1, 0.5)).unwrap();
        let low = at(&mesh, (2.9, 0.5)).unwrap();
        let filter = DownhillOnly::new(DefaultFilter::default(), 0.2);
        let mut ask = |start, goal| {
            let request = PathRequest::new(start, goal);
            let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            (path.status, is_reachable(&mesh, &request, &filter, &mut scratch).unwrap())
        };
        assert_eq!(ask(high, low), (PathStatus::Complete, Some(true)));
        assert_eq!(ask(low, high), (PathStatus::Partial, Some(false)));
    }
}
