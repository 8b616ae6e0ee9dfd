//! One storey as a map of one-metre cells.

/// The kind of a cell of a storey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Rock, or outside of the building: floors end here with a wall.
    Solid,
    /// A floor.
    Floor,
    /// No floor: open to the storey below.
    Hole,
    /// The surrounding hills.
    Open,
}

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x: i32,
    pub(super) z: i32,
    pub(super) w: i32,
    pub(super) d: i32,
}

impl Rect {
    pub(super) const fn new(x: i32, z: i32, w: i32, d: i32) -> Self {
        Self { x, z, w, d }
    }

    pub(super) fn center(self) -> (i32, i32) {
        (self.x + self.w / 2, self.z + self.d / 2)
    }

    /// Smaller by `by` on every side; larger if negative.
    pub(super) const fn inset(self, by: i32) -> Self {
        Self::new(self.x + by, self.z + by, self.w - 2 * by, self.d - 2 * by)
    }

    pub(super) fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        (self.z..self.z + self.d).flat_map(move |z| (self.x..self.x + self.w).map(move |x| (x, z)))
    }
}

/// One storey, from −half to half along both axes.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    half: i32,
    cells: Vec<Cell>,
    /// Cells that must not be furnished.
    kept: Vec<bool>,
}

impl Plan {
    pub(super) fn new(half: i32) -> Self {
        let count = (4 * half * half) as usize;
        Self { half, cells: vec![Cell::Solid; count], kept: vec![false; count] }
    }

    fn index(&self, x: i32, z: i32) -> Option<usize> {
        let side = 2 * self.half;
        let (column, row) = (x + self.half, z + self.half);
        let inside = (0..side).contains(&column) && (0..side).contains(&row);
        inside.then(|| (row * side + column) as usize)
    }

    /// The cell at a position; rock outside the plan.
    pub(super) fn at(&self, x: i32, z: i32) -> Cell {
        self.index(x, z).map_or(Cell::Solid, |i| self.cells[i])
    }

    pub(super) fn set(&mut self, x: i32, z: i32, cell: Cell) {
        if let Some(i) = self.index(x, z) {
            self.cells[i] = cell;
        }
    }

    pub(super) fn fill(&mut self, rect: Rect, cell: Cell) {
        for (x, z) in rect.cells() {
            self.set(x, z, cell);
        }
    }

    /// Turns rock into floor; open cells and holes stay unchanged.
    pub(super) fn carve(&mut self, rect: Rect) {
        for (x, z) in rect.cells() {
            if self.at(x, z) == Cell::Solid {
                self.set(x, z, Cell::Floor);
            }
        }
    }

    /// Carves a corridor three cells wide: along x first, then along z.
    pub(super) fn corridor(&mut self, from: (i32, i32), to: (i32, i32)) {
        let span = |a: i32, b: i32| (a.min(b) - 1, (a - b).abs() + 3);
        let (x, w) = span(from.0, to.0);
        self.carve(Rect::new(x, from.1 - 1, w, 3));
        let (z, d) = span(from.1, to.1);
        self.carve(Rect::new(to.0 - 1, z, 3, d));
    }

    /// Forbids furnishing in a rectangle.
    pub(super) fn keep(&mut self, rect: Rect) {
        for (x, z) in rect.cells() {
            if let Some(i) = self.index(x, z) {
                self.kept[i] = true;
            }
        }
    }

    /// Allows furnishing again.
    pub(super) fn release(&mut self, rect: Rect) {
        for (x, z) in rect.cells() {
            if let Some(i) = self.index(x, z) {
                self.kept[i] = false;
            }
        }
    }

    /// Whether a rectangle consists of floor that may be furnished.
    pub(super) fn is_free(&self, rect: Rect) -> bool {
        rect.cells().all(|(x, z)| self.index(x, z).is_some_and(|i| self.cells[i] == Cell::Floor && !self.kept[i]))
    }

    /// All cells of a kind, merged into few rectangles: each grows along x, then along z.
    pub(super) fn rectangles(&self, cell: Cell) -> Vec<Rect> {
        let mut left: Vec<bool> = self.cells.iter().map(|&c| c == cell).collect();
        let side = 2 * self.half;
        let mut found = Vec::new();
        for start in 0..left.len() {
            if !left[start] {
                continue;
            }
            let (column, row) = (start as i32 % side, start as i32 / side);
            let index = |c: i32, r: i32| (r * side + c) as usize;
            let w = (column..side).take_while(|&c| left[index(c, row)]).count() as i32;
            let full = |r: i32| (column..column + w).all(|c| left[index(c, r)]);
            let d = (row..side).take_while(|&r| full(r)).count() as i32;
            for (c, r) in Rect::new(column, row, w, d).cells() {
                left[index(c, r)] = false;
            }
            found.push(Rect::new(column - self.half, row - self.half, w, d));
        }
        found
    }

    /// All borders from a cell of kind `from` to one of kind `to`, merged into straight runs: the two ends of each,
    /// with the `from` side on the left (x to the right, z up the page).
    pub(super) fn borders(&self, from: Cell, to: Cell) -> Vec<[(i32, i32); 2]> {
        let mut runs = Vec::new();
        let between = |x: i32, z: i32, (dx, dz): (i32, i32)| self.at(x, z) == from && self.at(x + dx, z + dz) == to;
        for line in -self.half..self.half {
            for (step, along_x) in [((0, 1), true), ((0, -1), true), ((1, 0), false), ((-1, 0), false)] {
                let cell = |i: i32| if along_x { (i, line) } else { (line, i) };
                let mut begin = None;
                for i in -self.half..=self.half {
                    let (x, z) = cell(i);
                    match (between(x, z, step), begin) {
                        (true, None) => begin = Some(i),
                        (false, Some(first)) => {
                            begin = None;
                            runs.push(edge(step, line, first, i));
                        }
                        _ => {}
                    }
                }
            }
        }
        runs
    }
}

/// The border of cells `first..end` of a row or column on the side given by `step`.
fn edge(step: (i32, i32), line: i32, first: i32, end: i32) -> [(i32, i32); 2] {
    match step {
        (0, 1) => [(end, line + 1), (first, line + 1)],
        (0, -1) => [(first, line), (end, line)],
        (1, 0) => [(line + 1, first), (line + 1, end)],
        _ => [(line, end), (line, first)],
    }
}
