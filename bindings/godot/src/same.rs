//! Compares properties with their previous values: NaN counts as equal to itself, so it does not change each tick.

use core::fmt::Debug;

/// Whether two values are equal, where numbers that are none are equal to each other.
pub fn is_same<T: PartialEq + Debug>(a: &T, b: &T) -> bool {
    // Nearly always that settles it; text tells NaN from numbers.
    a == b || format!("{a:?}") == format!("{b:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_stays_the_same() {
        assert!(is_same(&(f32::NAN, 1.0), &(f32::NAN, 1.0)) && is_same(&0.5, &0.5));
        assert!(!is_same(&(f32::NAN, 1.0), &(f32::NAN, 2.0)) && !is_same(&f32::NAN, &0.0));
    }
}
