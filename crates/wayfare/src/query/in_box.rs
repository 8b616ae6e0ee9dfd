//! Finds the polygons in a box.
//!
//! Cost: logarithmic in the polygons of the tiles under the box, plus the result, which is sorted.
//!
//! Sources: see the bounding trees.

use super::QueryFilter;
use crate::math::Aabb;
use crate::mesh::{NavMesh, PolyRef};

/// The polygons that pass the filter and whose bounding boxes overlap or touch `bounds`, by slot and index.
#[must_use]
pub fn polys_in_box<F: QueryFilter + ?Sized>(mesh: &NavMesh, bounds: &Aabb, filter: &F) -> Vec<PolyRef> {
    let mut found = Vec::new();
    polys_in_box_into(mesh, bounds, filter, &mut found);
    found
}

/// Like [`polys_in_box`], but fills an existing list.
pub fn polys_in_box_into<F: QueryFilter + ?Sized>(mesh: &NavMesh, bounds: &Aabb, filter: &F, found: &mut Vec<PolyRef>) {
    found.clear();
    mesh.tiles_in_box(bounds, |tile| {
        tile.tree().polys_in_box(bounds, |poly, _| {
            let reference = tile.reference(poly);
            if filter.passes(reference, tile.state(poly)) {
                found.push(reference);
            }
        });
    });
    found.sort_unstable_by_key(|r| (r.slot(), r.poly()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::mesh;

    #[test]
    fn touching_counts_and_nothing_is_nothing() {
        let mesh = mesh(&[((0, 0), "aaa\naaa"), ((1, 0), "aaa\naaa")]);
        let ask = |min: [f32; 3], max: [f32; 3]| {
            polys_in_box(&mesh, &Aabb { min: min.into(), max: max.into() }, &DefaultFilter::default()).len()
        };
        assert_eq!(ask([2.5, -1.0, 0.5], [3.5, 1.0, 0.75]), 2);
        assert_eq!(ask([3.0, 0.0, 1.0], [3.0, 0.0, 1.0]), 4);
        assert_eq!(ask([2.5, 1.0, 0.5], [3.5, 2.0, 0.75]), 0);
        assert_eq!(ask([-9.0; 3], [9.0; 3]), 12);
        assert_eq!(ask([9.0; 3], [-9.0; 3]), 0);
    }
}
