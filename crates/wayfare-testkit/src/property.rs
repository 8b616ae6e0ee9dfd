//! Checks over random input that can be replayed.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use wayfare_scenes::Rng;

/// Runs `check` with one random stream after another; `name` is the name of the test that calls this.
///
/// The streams come from the seed 1 and `iterations` of them are tried, unless `WAYFARE_SEED` and `WAYFARE_ITERATIONS`
/// say otherwise. When one fails, the line that replays just this one is printed.
///
/// # Panics
/// When `check` does.
pub fn property(name: &str, iterations: u64, check: impl Fn(&mut Rng)) {
    let (first, count) = (number("WAYFARE_SEED").unwrap_or(1), number("WAYFARE_ITERATIONS").unwrap_or(iterations));
    for seed in (0..count).map(|i| first.wrapping_add(i)) {
        let tried = catch_unwind(AssertUnwindSafe(|| check(&mut Rng::new(seed))));
        if let Err(panic) = tried {
            eprintln!("replay: WAYFARE_SEED={seed} WAYFARE_ITERATIONS=1 cargo test {name}");
            resume_unwind(panic);
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn streams_differ_and_a_failure_comes_through() {
        let (runs, last) = (Cell::new(0), Cell::new(0));
        property("streams_differ_and_a_failure_comes_through", 5, |rng| {
            let bits = rng.bits();
            assert_ne!(bits, last.replace(bits));
            runs.set(runs.get() + 1);
        });
        assert!(runs.get() > 0);
        let failed = catch_unwind(|| property("this_one_is_meant_to_fail", 3, |_| panic!("as meant")));
        assert!(failed.is_err());
    }
}
