//! The triangles that cross the band of rows being swept, from the lowest up.
//!
//! Their order does not matter to the result. But ranges that come from low to high mostly touch the span below or lie
//! above all others, which is what merging them does best.
//!
//! Cost: linear in the triangles of a band, and n log n in those that join. Sources: own work.

use super::triangle_rows::RowTriangle;

/// The active list of the sweep.
#[derive(Debug, Default)]
pub(super) struct ActiveTriangles {
    /// In no order; slots of those who left are used again.
    triangles: Vec<RowTriangle>,
    free: Vec<u32>,
    /// Height and slot of each active triangle, ascending.
    order: Vec<u64>,
    joining: Vec<u64>,
}

impl ActiveTriangles {
    pub(super) fn clear(&mut self) {
        self.triangles.clear();
        self.free.clear();
        self.order.clear();
    }

    /// Takes in triangles.
    pub(super) fn join(&mut self, triangles: impl Iterator<Item = RowTriangle>) {
        self.joining.clear();
        for triangle in triangles {
            // Bits of numbers that are not negative are ordered like the numbers.
            let height = triangle.heights[0].max(0.0).to_bits();
            let slot = self.free.pop().unwrap_or_else(|| {
                self.triangles.push(triangle);
                self.triangles.len() as u32 - 1
            });
            self.triangles[slot as usize] = triangle;
            self.joining.push(u64::from(height) << 32 | u64::from(slot));
        }
        self.joining.sort_unstable();
        merge_sorted(&mut self.order, &self.joining);
    }

    /// Each, from the lowest up.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = &RowTriangle> {
        self.order.iter().map(|&entry| &self.triangles[entry as u32 as usize])
    }

    /// Lets those leave for which `f` says so.
    pub(super) fn leave(&mut self, f: impl Fn(&RowTriangle) -> bool) {
        self.order.retain(|&entry| {
            let leaves = f(&self.triangles[entry as u32 as usize]);
            if leaves {
                self.free.push(entry as u32);
            }
            !leaves
        });
    }
}

/// Merges `more` into `list`, both ascending, from the end down.
fn merge_sorted(list: &mut Vec<u64>, more: &[u64]) {
    let (mut old, mut new) = (list.len(), more.len());
    list.resize(old + new, 0);
    while new > 0 {
        let place = old + new - 1;
        if old > 0 && list[old - 1] > more[new - 1] {
            old -= 1;
            list[place] = list[old];
        } else {
            new -= 1;
            list[place] = more[new];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_merge_in_order() {
        for (a, b) in
            [(vec![], vec![1, 2]), (vec![1, 2], vec![]), (vec![1, 4, 6], vec![0, 4, 5, 9]), (vec![7, 8], vec![1])]
        {
            let mut merged = a.clone();
            merge_sorted(&mut merged, &b);
            let mut all = [a, b].concat();
            all.sort_unstable();
            assert_eq!(merged, all);
        }
    }
}
