//! Visits a few elements without a loop of unpredictable length.
//!
//! Polygons have three to six corners, with no pattern: at the end of every loop over them the processor mispredicts,
//! which costs as much as visiting ten corners. So six are always visited, the last one repeatedly if there are fewer.
//! This is for operations where repetition makes no difference. Sorting mispredicts as well.
//!
//! Sources: own.

/// Calls `visit` with each of a few elements, in order, and possibly with the last of them several times.
#[inline(always)]
pub(super) fn each_of_few<T: Copy>(things: &[T], mut visit: impl FnMut(T)) {
    const FEW: usize = 6;
    let Some(last) = things.len().checked_sub(1) else { return };
    for k in 0..FEW {
        visit(things[k.min(last)]);
    }
    for &thing in things.get(FEW..).unwrap_or_default() {
        visit(thing);
    }
}

/// Calls `put` with each of several different numbers and its rank. For a few, the rank is computed by counting smaller
/// ones, without mispredictions; more are sorted.
pub(super) fn each_in_order(numbers: &mut [u64], mut put: impl FnMut(usize, u64)) {
    if numbers.len() <= 16 {
        for &number in &*numbers {
            put(numbers.iter().map(|&other| usize::from(other < number)).sum(), number);
        }
    } else {
        numbers.sort_unstable();
        numbers.iter().enumerate().for_each(|(place, &number)| put(place, number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_visited_and_the_last_at_the_end() {
        for count in 0..10 {
            let things: Vec<usize> = (0..count).collect();
            let mut visited = Vec::new();
            each_of_few(&things, |thing| visited.push(thing));
            assert!(visited.is_sorted());
            visited.dedup();
            assert_eq!(visited, things);
        }
    }

    #[test]
    fn few_and_many_are_put_in_order() {
        for count in 0..20 {
            let number = |k: u64| (k + 1) * 7 % 23;
            let mut sorted = vec![0; count as usize];
            each_in_order(&mut (0..count).map(number).collect::<Vec<_>>(), |place, number| sorted[place] = number);
            assert!(sorted.is_sorted());
            assert_eq!(sorted.iter().sum::<u64>(), (0..count).map(number).sum());
        }
    }
}
