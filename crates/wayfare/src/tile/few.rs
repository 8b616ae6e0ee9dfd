//! Looking at a few things without a loop that ends where nobody can foresee.
//!
//! Polygons have three to six corners, one as many as the next for no reason: at the end of every loop over them the
//! processor guesses wrong, which costs it as much as looking at ten corners. So six are looked at, whatever there are:
//! the last one again and again. That is for questions to which it makes no difference. Sorting is guessing, too.
//!
//! Sources: own.

/// Calls `visit` with each of a few things, in order, and perhaps with the last of them several times.
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

/// Calls `put` with each of several different numbers and the place that it has in their order. Where there are a few,
/// it is told by how many are less: nothing is guessed, unlike by sorting, which the others are.
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
