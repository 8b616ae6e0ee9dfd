//! Lists the edges of a region's outlines by the rows that they cover.
//!
//! ```text
//!   ----+---------------     The edges that cross a ray from a place give how often outlines go around it, and
//!      /   o - - - - -\->    only those as high as the place do: the lists of a row hold all of them.
//!   --+---------------+-
//! ```
//!
//! Rows are as high as an average of two entries per edge allows.
//!
//! Cost: linear in the edges to sort, in the edges of a row to query: with many holes in an open area, about the square
//! root. Sources: own.

use super::crossings::OutlineEdge;
use crate::math::steps;

/// Lists of edges by row.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeRows {
    low: i32,
    height: i64,
    /// Where each row's edges begin, and where the last one's end.
    first: Vec<u32>,
    edges: Vec<u32>,
}

impl EdgeRows {
    /// Sorts edges into rows.
    pub(super) fn index(&mut self, edges: &[OutlineEdge]) {
        let span = |e: &OutlineEdge| [e.a[1].min(e.b[1]), e.a[1].max(e.b[1])];
        let mut low = i32::MAX;
        let mut high = i32::MIN;
        let mut total = 0;
        for [from, to] in edges.iter().map(span) {
            (low, high, total) = (low.min(from), high.max(to), total + i64::from(to) - i64::from(from));
        }
        self.low = low;
        self.height = (total / edges.len().max(1) as i64).max(1);
        self.first.clear();
        self.edges.clear();
        if edges.is_empty() {
            return;
        }
        let rows = ((i64::from(high) - i64::from(low)) / self.height + 1) as usize;
        self.first.resize(rows + 2, 0);
        let rows_of = |e: &OutlineEdge| span(e).map(|z| ((i64::from(z) - i64::from(low)) / self.height) as usize);
        for [from, to] in edges.iter().map(rows_of) {
            self.first[from + 2..=to + 2].iter_mut().for_each(|count| *count += 1);
        }
        for row in 1..self.first.len() {
            self.first[row] += self.first[row - 1];
        }
        self.edges.resize(self.first[rows + 1] as usize, 0);
        for (edge, [from, to]) in (0..).zip(edges.iter().map(rows_of)) {
            for place in &mut self.first[from + 1..=to + 1] {
                self.edges[*place as usize] = edge;
                *place += 1;
            }
        }
    }

    /// The edges of the row that contains `z`: all that reach this height, and a few that do not.
    pub(super) fn at(&self, z: i32) -> impl Iterator<Item = u32> {
        let row = (i64::from(z) - i64::from(self.low)).checked_div(self.height).map(usize::try_from);
        let bounds = row.and_then(Result::ok).and_then(|row| self.first.get(row..row + 2));
        let list = bounds.map_or(&[][..], |b| &self.edges[b[0] as usize..b[1] as usize]);
        list.iter().copied().inspect(|_| steps::count(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn a_row_has_every_edge_as_high_as_it() {
        let mut rng = Rng::new(11);
        let mut random = |below: u32| rng.below(below) as i32 - 20;
        let mut rows = EdgeRows::default();
        for (count, reach) in [(0, 1), (1, 1), (40, 3), (40, 500), (300, 50)] {
            let edges: Vec<OutlineEdge> = (0..count)
                .map(|place| {
                    let a = [random(100), random(100)];
                    OutlineEdge { a, b: [random(100), a[1] + random(reach)], before: a, ring: 0, place }
                })
                .collect();
            rows.index(&edges);
            for z in -600..600 {
                let expected = (0..count).filter(|&k| {
                    let e = edges[k as usize];
                    (e.a[1].min(e.b[1])..=e.a[1].max(e.b[1])).contains(&z)
                });
                let found: Vec<u32> = rows.at(z).collect();
                assert!(expected.clone().all(|k| found.contains(&k)), "{count} edges at {z}");
                assert!(found.is_sorted_by(|a, b| a < b), "each once");
            }
            let entries: usize = rows.edges.len();
            assert!(entries <= 3 * count as usize, "{entries} entries of {count} edges");
        }
    }
}
