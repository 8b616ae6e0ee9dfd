//! Leaves out edges between the portals of an area that save hardly anything.
//!
//! Every pair of portals of an area has an edge. Most of these pass close to another portal:
//!
//! ```text
//!   p ---- q ---- r        p to r by way of q is hardly longer, so the edge from p to r is left out
//! ```
//!
//! An edge is left out if two shorter ones replace it, so everything that was connected stays connected. Areas with few
//! portals keep all edges.
//!
//! Cost: cubic in the portals of an area.
//!
//! Sources: Ingo Althöfer and others, "On sparse spanners of weighted graphs", 1993.

/// How many times as long the two shorter edges may be in sum.
const STRETCH: f32 = 1.01;
/// Areas with this many portals or fewer keep all edges.
const FEW: usize = 6;

/// Removes edges that are not worth keeping, among those from index `from` on, which all belong to one area: area, both
/// portals (the lower one first), length. Their order does not change.
pub(super) fn worth_keeping(edges: &mut Vec<(u32, u32, u32, f32)>, from: usize) {
    let of_area = &edges[from..];
    let mut portals: Vec<u32> = of_area.iter().flat_map(|&(_, a, b, _)| [a, b]).collect();
    portals.sort_unstable();
    portals.dedup();
    if portals.len() <= FEW {
        return;
    }
    let count = portals.len();
    let at = |portal: u32| portals.binary_search(&portal).unwrap_or_default();
    let mut lengths = vec![f32::INFINITY; count * count];
    for &(_, a, b, length) in of_area {
        lengths[at(a) * count + at(b)] = length;
        lengths[at(b) * count + at(a)] = length;
    }
    let mut keep = vec![true; of_area.len()];
    for (keep, &(_, a, b, length)) in keep.iter_mut().zip(of_area) {
        let rows = [at(a), at(b)].map(|portal| &lengths[portal * count..(portal + 1) * count]);
        let is_made_up_for = |(x, y): (&f32, &f32)| *x < length && *y < length && x + y <= length * STRETCH;
        *keep = !rows[0].iter().zip(rows[1]).any(is_made_up_for);
    }
    let mut keep = keep.into_iter();
    let mut seen = 0;
    edges.retain(|_| {
        seen += 1;
        seen <= from || keep.next().unwrap_or(true)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn what_is_left_out_is_hardly_longer_by_way_of_others() {
        let mut rng = Rng::new(4);
        for _ in 0..50 {
            let places: Vec<[f32; 2]> = (0..20).map(|_| [rng.unit() * 9.0, rng.unit() * 9.0]).collect();
            let mut edges = vec![(9, 0, 1, 1.0)];
            for a in 0..20_u32 {
                for b in a + 1..20 {
                    let [p, q] = [places[a as usize], places[b as usize]];
                    edges.push((0, a, b, ((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt()));
                }
            }
            let all = edges.clone();
            worth_keeping(&mut edges, 1);
            assert!(edges.len() < all.len() && edges[0].0 == 9);
            let mut best = vec![vec![f32::INFINITY; 20]; 20];
            for &(_, a, b, length) in &edges[1..] {
                best[a as usize][b as usize] = length;
                best[b as usize][a as usize] = length;
            }
            for k in 0..20 {
                for i in 0..20 {
                    for j in 0..20 {
                        best[i][j] = best[i][j].min(best[i][k] + best[k][j]);
                    }
                }
            }
            for &(_, a, b, length) in &all[1..] {
                assert!(best[a as usize][b as usize] <= length * 1.04, "{} {length}", best[a as usize][b as usize]);
            }
        }
    }
}
