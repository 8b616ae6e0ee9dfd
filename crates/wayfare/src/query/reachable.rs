//! Decides whether a goal can be reached, without a search if the components already answer.
//!
//! ```text
//!   filter's mask kept by the mesh?   yes: both in one component ─────────────────> yes
//!                                          in two that nothing joins ─────────────> no
//!                                          joined one way ──> component graph ────> yes or no
//!                                     no:  apart even unfiltered ─────────────────> no
//!                                          else a search within the limits ───────> yes, no, or not known
//! ```
//!
//! Cost: two look-ups if the components answer; over one-way connections, the components they lead to; otherwise a
//! search.
//!
//! Sources: none needed.

use super::flag_components::flag_components;
use super::search::{Search, SearchTask};
use super::{PathRequest, QueryFilter, SearchLimits, SearchScratch};
use crate::context::Budget;
use crate::graph::SearchObserver;
use crate::mesh::{NavMesh, PolyRef, StaleRef};

/// Whether a goal can be reached, and how that was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reachability {
    /// `None` if a limit was hit before it was decided.
    pub answer: Option<bool>,
    /// Whether it took a search, because the mesh keeps no components for the filter's mask, or the request has limits.
    pub searched: bool,
}

/// Whether a path leads from the start to the goal, within the limits. No search is needed for filters for whose
/// [mask](QueryFilter::mask) the mesh [keeps components](NavMesh::keep_components_for), unless the request has limits.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn reachable<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Reachability, StaleRef> {
    let start = request.start.poly;
    let goal = request.goal.poly;
    mesh.locate(start)?;
    mesh.locate(goal)?;
    let known = |answer| Ok(Reachability { answer: Some(answer), searched: false });
    if !(request.start.point.is_finite() && request.goal.point.is_finite()) {
        return known(false); // NaN or infinite points have no path.
    }
    let is_unlimited = request.limits == SearchLimits::default();
    // A cost may block the line within a polygon.
    let is_by_flags = filter.most_cost() < f32::INFINITY;
    if start == goal && is_unlimited && is_by_flags {
        return known(true);
    }
    if let Some((kept, component)) = flag_components(mesh, filter, start) {
        let answer = kept.may_lead(component, goal);
        if !answer || is_unlimited {
            return known(answer);
        }
    } else if !mesh.components().may_reach(start, goal) {
        return known(false);
    }
    let task = SearchTask::to_point(mesh, *request, filter, scratch)?;
    let mut search = Search::begin(mesh, task, filter, scratch)?;
    search.run(mesh, filter, scratch, &mut Budget::unlimited());
    let answer = if search.is_reached() { Some(true) } else { search.limit().is_none().then_some(false) };
    Ok(Reachability { answer, searched: true })
}

/// Like [`reachable`], without the details: `None` if a limit was hit before it was decided.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn is_reachable<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<Option<bool>, StaleRef> {
    reachable(mesh, request, filter, scratch).map(|found| found.answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, FlagMask, PathStatus, PolyFlags};
    use crate::math::Rng;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, PolyPoint, find_path};
    use glam::Vec3;

    const DOOR: PolyFlags = PolyFlags(2);

    #[test]
    fn as_a_search_says_and_without_one_where_components_are_kept() {
        let mut rng = Rng::new(8);
        let mut scratch = SearchScratch::new();
        let mut counts = [0; 4];
        let filter = DefaultFilter::new(PolyFlags::ALL, DOOR);
        let mask = FlagMask { include: PolyFlags::ALL, exclude: DOOR };
        for round in 0..300 {
            let mut mesh = random_map(&mut rng, 3, 5);
            let all: Vec<_> = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|p| t.reference(p))).collect();
            for &poly in all.iter().filter(|_| rng.below(8) == 0) {
                mesh.set_flags(poly, DOOR).unwrap();
            }
            let mut kept = mesh.clone();
            kept.keep_components_for(mask);
            let mut place = || at(&mesh, (rng.unit() * 15.0, rng.unit() * 15.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let request = PathRequest::new(start, goal);
            let searched = reachable(&mesh, &request, &filter, &mut scratch).unwrap();
            let known = reachable(&kept, &request, &filter, &mut scratch).unwrap();
            assert_eq!(known.answer, searched.answer, "round {round}");
            let is_open = |mesh: &NavMesh, poly| mask.passes(mesh.state(poly).unwrap().flags);
            assert!(!known.searched || !is_open(&mesh, start.poly), "round {round}");
            let paths = [&mesh, &kept].map(|mesh| find_path(mesh, &request, &filter, &mut scratch).unwrap());
            assert_eq!(paths[0].status == PathStatus::Complete, known.answer == Some(true), "round {round}");
            let gaps = [0, 1].map(|k| paths[k].end.distance(goal.point));
            assert_eq!((paths[0].status, gaps[0]), (paths[1].status, gaps[1]), "round {round}: as near");
            counts[usize::from(known.answer == Some(true)) + 2 * usize::from(searched.searched)] += 1;
        }
        assert!(counts[0] > 20 && counts[2] > 10 && counts[3] > 10, "{counts:?}");
    }

    #[test]
    fn nowhere_is_not_reached_and_limits_hold_within_a_polygon() {
        let mut mesh = mesh(&[((0, 0), "aa")]);
        let filter = DefaultFilter::default();
        mesh.keep_components_for(FlagMask { include: PolyFlags::ALL, exclude: PolyFlags::NONE });
        let [start, beside] = [(0.1, 0.5), (1.5, 0.5)].map(|place| at(&mesh, place).unwrap());
        let within = PolyPoint { point: Vec3::new(0.9, 0.0, 0.5), ..start };
        let ask = |goal, max_cost| {
            let limits = SearchLimits { max_cost, ..SearchLimits::default() };
            let request = PathRequest { limits, ..PathRequest::new(start, goal) };
            is_reachable(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap()
        };
        for goal in [within, beside] {
            assert_eq!(ask(goal, f32::INFINITY), Some(true));
            assert_eq!(ask(goal, 0.5), None, "the limit cut it");
            assert_eq!(ask(PolyPoint { point: Vec3::NAN, ..goal }, f32::INFINITY), Some(false));
        }
    }

    #[test]
    fn a_filter_that_closes_by_cost_has_no_mask() {
        let mut filter = DefaultFilter::default();
        assert_eq!(filter.mask(), Some(FlagMask { include: PolyFlags::ALL, exclude: PolyFlags::NONE }));
        filter.set_area_cost(AreaId::WALKABLE, f32::INFINITY).unwrap();
        assert_eq!(filter.mask(), None);
    }
}
