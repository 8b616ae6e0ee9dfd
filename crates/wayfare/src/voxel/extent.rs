//! The extent of three corners along one axis.

/// The minimum and the maximum of three numbers, by plain comparisons, one instruction each: none of them is NaN.
#[inline]
pub(super) fn extent_of([a, b, c]: [f32; 3]) -> [f32; 2] {
    let less = |a: f32, b: f32| if b < a { b } else { a };
    let more = |a: f32, b: f32| if b > a { b } else { a };
    [less(less(a, b), c), more(more(a, b), c)]
}
