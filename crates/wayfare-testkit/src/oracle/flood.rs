//! What is connected with what: floods over the spans of a compact heightfield.

use wayfare::Vec3;
use wayfare::math::index::NONE;
use wayfare::voxel::CompactHeightfield;

/// The components of the ground that is left after erosion.
#[derive(Debug)]
pub struct Flood<'a> {
    field: &'a CompactHeightfield,
    component: Vec<u32>,
    sizes: Vec<u32>,
}

impl<'a> Flood<'a> {
    /// Floods `field` from every span that was not reached yet.
    #[must_use]
    pub fn new(field: &'a CompactHeightfield) -> Self {
        let mut flood = Self { field, component: vec![NONE; field.span_count()], sizes: Vec::new() };
        for start in 0..field.span_count() {
            if field.area[start].is_null() || flood.component[start] != NONE {
                continue;
            }
            let number = flood.sizes.len() as u32;
            let size = flood.fill(start, number);
            flood.sizes.push(size);
        }
        flood
    }

    fn fill(&mut self, start: usize, number: u32) -> u32 {
        let (mut open, mut size) = (vec![start], 0);
        self.component[start] = number;
        while let Some(span) = open.pop() {
            size += 1;
            for next in self.field.neighbours[span].into_iter().filter(|&n| n != NONE).map(|n| n as usize) {
                if !self.field.area[next].is_null() && self.component[next] == NONE {
                    self.component[next] = number;
                    open.push(next);
                }
            }
        }
        size
    }

    /// Spans of each component.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The component of the ground nearest in height to `p` in its cell, if it is within `reach` cell heights.
    #[must_use]
    pub fn component_at(&self, p: Vec3, reach: f32) -> Option<u32> {
        let grid = &self.field.grid;
        let cell = |at: f32, origin: f32, first: i32| ((at - origin) / grid.cell_size).floor() as i32 - first;
        let (x, z) = (cell(p.x, grid.origin.x, grid.x), cell(p.z, grid.origin.z, grid.z));
        if !(0..grid.width as i32).contains(&x) || !(0..grid.depth as i32).contains(&z) {
            return None;
        }
        let y = (p.y - grid.origin.y) / grid.cell_height;
        let away = |span: usize| (f32::from(self.field.y[span]) - y).abs();
        let spans = self.field.column(grid.index(x as u32, z as u32));
        let nearest = spans.filter(|&s| self.component[s] != NONE).min_by(|&a, &b| away(a).total_cmp(&away(b)))?;
        (away(nearest) <= reach).then(|| self.component[nearest])
    }

    /// The middle of every walkable span from which `depth` steps lead on in all four directions, one after the other
    /// and to the sides, with its component: ground that no outline leaves out, however it is simplified.
    pub fn inner_spans(&self, depth: u32) -> impl Iterator<Item = (Vec3, u32)> + '_ {
        let mut inner: Vec<bool> = self.component.iter().map(|&c| c != NONE).collect();
        for _ in 0..depth {
            let goes_on = |n: u32| n != NONE && inner[n as usize];
            inner = (0..inner.len()).map(|s| inner[s] && self.field.neighbours[s].into_iter().all(goes_on)).collect();
        }
        let ids = (0..self.component.len()).filter(|&s| self.component[s] != NONE);
        self.spans().zip(ids).filter(move |(_, span)| inner[*span]).map(|(found, _)| found)
    }

    /// The middle of every walkable span, with its component.
    pub fn spans(&self) -> impl Iterator<Item = (Vec3, u32)> + '_ {
        let grid = &self.field.grid;
        (0..grid.cell_count()).flat_map(move |cell| {
            let (x, z) = (cell as u32 % grid.width, cell as u32 / grid.width);
            let middle = Vec3::new(grid.cell_size / 2.0, 0.0, grid.cell_size / 2.0);
            self.field.column(cell).filter(|&s| self.component[s] != NONE).map(move |s| {
                let corner = grid.world(x as i32, i32::from(self.field.y[s]), z as i32);
                (corner + middle, self.component[s])
            })
        })
    }
}
