//! Chooses the portals on the border of two clusters that searches use: the entrances.
//!
//! ```text
//!   A   a1  a2  a3 | a4  a5       a1, a2 and a3 are connected within A, and b1, b2 and b3 within B, so one pair would
//!  ----------------+--------      be enough; a few are chosen, spread along the border. a4 and a5 are beyond a wall
//!   B   b1  b2  b3 | b4  b5       and form a group of their own.
//! ```
//!
//! Cost: a sort of the portals on the border.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004 (one
//! entrance in the middle of a short border, several on a long one).

use super::cluster::ClusterBorder;

/// How many are chosen on a border as long as a cluster's side.
const ALONG_A_SIDE: f32 = 2.0;

/// Chooses pairs of portals, one of each cluster, on the border between two clusters. `is_there` says whether a slot
/// belongs to the second cluster; `side` is the length of a cluster's side, metres.
pub(super) fn chosen_between(
    a: &ClusterBorder,
    b: &ClusterBorder,
    is_there: impl Fn(u32) -> bool,
    side: f32,
) -> Vec<[u32; 2]> {
    let mut pairs: Vec<((u32, u32), f32, [u32; 2])> = Vec::new();
    for exit in a.exits.iter().filter(|exit| exit.is_plain() && is_there(exit.to.slot)) {
        let Some(there) = b.find(exit.to) else { continue };
        let here = &a.portals[exit.from as usize];
        let components = (here.component, b.portals[there as usize].component);
        // A border lies along one axis, so the sum of the coordinates increases along it.
        pairs.push((components, here.at.x + here.at.z, [exit.from, there]));
    }
    pairs.sort_unstable_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)).then(x.2.cmp(&y.2)));
    let mut chosen = Vec::new();
    for group in pairs.chunk_by(|x, y| x.0 == y.0) {
        let first = group[0].1;
        let span = group[group.len() - 1].1 - first;
        let count = 1 + (span / side * ALONG_A_SIDE).clamp(0.0, 64.0) as usize;
        for number in 0..count {
            let wanted = first + span * (number as f32 + 0.5) / count as f32;
            let nearest = group.iter().min_by(|x, y| (x.1 - wanted).abs().total_cmp(&(y.1 - wanted).abs()));
            chosen.extend(nearest.map(|pair| pair.2));
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
