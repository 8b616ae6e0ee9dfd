//! Filters: which polygons may be crossed, and at what cost.
//!
//! A filter is asked about every polygon that a search meets. It is a type parameter of the queries, so the default
//! filter is compiled into their loops; `&dyn QueryFilter` works where the choice is made at run time.
//!
//! Sources: Mikko Mononen, "Custom Detour Query Filters", Digesting Duck, August 2010; areas and flags are Detour's.

use super::Crossing;
use crate::area::{AREA_COUNT, AreaId, FlagMask, PolyFlags};
use crate::mesh::{NavMesh, PolyRef, PolyState};
use std::sync::Arc;

/// Decides which polygons may be crossed, and at what cost.
///
/// Its answers must not change during a search.
///
/// # Costs that depend on neighbours
///
/// A cost may depend on the previous polygon, this one and the next ([`Crossing`]): a toll at a border, a slow turn, a
/// slope that can only be walked down. This is what it means for the answers:
///
/// - **The reported cost is always right**: it is the sum of what the filter charges for the steps of that path.
/// - **Costs by this polygon and the next** keep A\* exact: each step out of a polygon has one price.
/// - **Costs by the previous polygon** may make it miss the cheapest path. A search keeps only the cheapest path to
///   each polygon (on meshes of several tiles, one for each side of the tile by which it is entered); a more expensive
///   one that would continue more cheaply is discarded. It still finds a path if one remains among those it keeps.
///   Where the previous polygon blocks the next step altogether, none may remain.
/// - **The estimate of the remaining cost** is a length times [`least_cost`](QueryFilter::least_cost), which must be a
///   lower bound of the cost of a metre, without tolls: a toll adds, so it never makes the estimate too high. Discounts
///   do: a filter that makes some steps cheaper must lower `least_cost` to their price for a metre.
/// - **The optimal search** finds the shortest path by length and takes A\*'s instead where that is cheaper. With such
///   costs its `bound` still holds, since it relies on `least_cost` alone.
/// - **An infinite cost blocks a crossing** for everything that uses costs: A\*, sliced searches, searches to the
///   nearest goal or to a box, cost maps, floods by cost, the cost of a ray. Queries that use only
///   [`passes`](QueryFilter::passes) do not see it: nearest polygons, walls, moves along the surface, how far a ray
///   gets.
pub trait QueryFilter {
    /// Whether the polygon may be entered.
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool;

    /// The cost of a straight line over one polygon, on the path from the previous polygon into the next; not negative,
    /// and infinite if that crossing is impossible. Normally the [length](Crossing::length) times a factor of at least
    /// [`least_cost`](Self::least_cost). The [trait's documentation](QueryFilter#costs-that-depend-on-neighbours) says
    /// what costs that depend on neighbours mean for a search.
    fn cost(&self, crossing: &Crossing<'_>) -> f32;

    /// A lower bound of the cost of a metre anywhere. The closer it is, the fewer polygons a search opens; if it is too
    /// high, paths may not be the cheapest. Default 1.
    fn least_cost(&self) -> f32 {
        1.0
    }

    /// An upper bound of the cost of a metre anywhere, infinite if a cost may block a crossing. If it equals
    /// [`least_cost`](Self::least_cost), cost is proportional to length, and searches need not compute it polygon by
    /// polygon. Default infinite.
    fn most_cost(&self) -> f32 {
        f32::INFINITY
    }

    /// The flag mask that fully describes what may be entered, if flags alone decide that and no cost is infinite. If
    /// the mesh [keeps components](NavMesh::keep_components_for) for this mask, searches know immediately what cannot
    /// be reached. Default `None`.
    fn mask(&self) -> Option<FlagMask> {
        None
    }

    /// Whether area type and flags alone decide what passes and what a metre costs, for all polygons. A
    /// [hierarchical search](crate::hierarchy) then knows what is open without looking at polygons. Default `false`.
    fn is_by_state(&self) -> bool {
        false
    }
}

/// The usual filter: a polygon passes if it has any of the included flags and none of the excluded ones; crossing it
/// costs its length times the factor of its area type.
#[derive(Clone, Debug, PartialEq)]
pub struct DefaultFilter {
    costs: [f32; AREA_COUNT],
    least: f32,
    most: f32,
    mask: FlagMask,
}

impl Default for DefaultFilter {
    /// Everything with any flag passes, at cost 1 per metre.
    fn default() -> Self {
        let mask = FlagMask { include: PolyFlags::ALL, exclude: PolyFlags::NONE };
        Self { costs: [1.0; AREA_COUNT], least: 1.0, most: 1.0, mask }
    }
}

impl DefaultFilter {
    /// A filter with these included and excluded flags, and cost 1 everywhere.
    #[must_use]
    pub fn new(include: PolyFlags, exclude: PolyFlags) -> Self {
        Self::default().with_flags(include, exclude)
    }

    /// A filter that passes everything with any flag, with the costs of the mesh's [table of area
    /// types](NavMesh::areas).
    #[must_use]
    pub fn of(mesh: &NavMesh) -> Self {
        let mut filter = Self::default();
        for info in mesh.areas().iter() {
            filter.costs[info.area.index()] = info.cost;
            filter.least = filter.least.min(info.cost);
            filter.most = filter.most.max(info.cost);
        }
        filter
    }

    /// The same filter with other included and excluded flags.
    #[must_use]
    pub fn with_flags(self, include: PolyFlags, exclude: PolyFlags) -> Self {
        Self { mask: FlagMask { include, exclude }, ..self }
    }

    /// Sets the cost of a metre over an area type. Costs are added up as `f32`: if a path would cost more than `f32`
    /// can hold (3.4e38), there is none, as with an infinite cost.
    ///
    /// # Errors
    /// [`AreaCostError`] if the cost is negative or NaN. Infinity is allowed and blocks the area.
    pub fn set_area_cost(&mut self, area: AreaId, cost: f32) -> Result<(), AreaCostError> {
        if cost.is_nan() || cost < 0.0 {
            return Err(AreaCostError { area, cost });
        }
        self.costs[area.index()] = cost;
        // Heuristics use the least cost for every metre. An area that no polygon has must not make it useless, so it is
        // at most 1, and as low as the cheapest area.
        self.least = self.costs.iter().copied().fold(1.0, f32::min);
        self.most = self.costs.iter().copied().fold(1.0, f32::max);
        Ok(())
    }

    /// The cost of a metre over an area type.
    #[must_use]
    pub fn area_cost(&self, area: AreaId) -> f32 {
        self.costs[area.index()]
    }

    /// Flags of which a polygon must have at least one.
    #[must_use]
    pub fn include(&self) -> PolyFlags {
        self.mask.include
    }

    /// Flags of which a polygon must have none.
    #[must_use]
    pub fn exclude(&self) -> PolyFlags {
        self.mask.exclude
    }
}

impl QueryFilter for DefaultFilter {
    #[inline]
    fn passes(&self, _: PolyRef, state: PolyState) -> bool {
        self.mask.passes(state.flags)
    }

    #[inline]
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        crossing.length() * self.costs[crossing.state.area.index()]
    }

    #[inline]
    fn least_cost(&self) -> f32 {
        self.least
    }

    #[inline]
    fn most_cost(&self) -> f32 {
        self.most
    }

    #[inline]
    fn mask(&self) -> Option<FlagMask> {
        (self.most < f32::INFINITY).then_some(self.mask)
    }

    fn is_by_state(&self) -> bool {
        true
    }
}

/// Pointers to filters are filters.
macro_rules! as_what_it_points_to {
    ($($pointer:ty),*) => {$(
        impl<F: QueryFilter + ?Sized> QueryFilter for $pointer {
            #[inline]
            fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
                (**self).passes(poly, state)
            }

            #[inline]
            fn cost(&self, crossing: &Crossing<'_>) -> f32 {
                (**self).cost(crossing)
            }

            #[inline]
            fn least_cost(&self) -> f32 {
                (**self).least_cost()
            }

            #[inline]
            fn most_cost(&self) -> f32 {
                (**self).most_cost()
            }

            #[inline]
            fn mask(&self) -> Option<FlagMask> {
                (**self).mask()
            }

            fn is_by_state(&self) -> bool {
                (**self).is_by_state()
            }
        }
    )*};
}

as_what_it_points_to!(&F, Box<F>, Arc<F>);

/// An invalid cost for an area type.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the cost of area {area} is {cost}: use zero or above")]
pub struct AreaCostError {
    /// The area type.
    pub area: AreaId,
    /// The cost that was given.
    pub cost: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::test_maps::mesh;
    use glam::Vec3;

    fn state(flags: u16, area: u8) -> PolyState {
        PolyState { flags: PolyFlags(flags), area: AreaId::new(area).unwrap() }
    }

    #[test]
    fn flags_include_and_exclude() {
        let poly = PolyRef::new(1, 0, 0).unwrap();
        let filter = DefaultFilter::new(PolyFlags(0b011), PolyFlags(0b100));
        assert!(filter.passes(poly, state(0b001, 0)) && filter.passes(poly, state(0b010, 0)));
        assert!(!filter.passes(poly, state(0b101, 0)) && !filter.passes(poly, state(0b1000, 0)));
        assert!(!DefaultFilter::default().passes(poly, state(0, 0)), "a polygon without flags passes nothing");
    }

    #[test]
    fn areas_cost_what_was_set() {
        let poly = PolyRef::new(1, 0, 0).unwrap();
        let (mut filter, area) = (DefaultFilter::default(), AreaId::new(5).unwrap());
        assert_eq!(filter.set_area_cost(area, -1.0), Err(AreaCostError { area, cost: -1.0 }));
        assert!(filter.set_area_cost(area, f32::NAN).is_err());
        filter.set_area_cost(area, 3.0).unwrap();
        assert_eq!((filter.least_cost(), filter.most_cost(), filter.area_cost(area)), (1.0, 3.0, 3.0));
        filter.set_area_cost(area, 0.5).unwrap();
        assert_eq!(filter.least_cost(), 0.5);
        let by_reference: &dyn QueryFilter = &filter;
        let mesh = mesh(&[((0, 0), "a")]);
        let crossing = Crossing::over(&mesh, poly, state(1, 5), [Vec3::ZERO, Vec3::X * 4.0]);
        assert_eq!(by_reference.cost(&crossing), 2.0);
    }
}
