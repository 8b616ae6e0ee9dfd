//! Any finished mesh as bare polygons with the connected component of each, so that meshes of different makers can be
//! compared: area, and whether the same places are on them and reach one another.

use crate::job::Job;
use crate::recast::DetourMesh;
use wayfare::bake::BakeStats;

/// Polygons in the world, with their components.
#[derive(Default)]
pub struct Flat {
    /// Corners of all polygons, one after the other.
    corners: Vec<[f32; 3]>,
    /// First corner of each polygon, and the end.
    starts: Vec<usize>,
    /// The surfaces of all polygons as triangles, with the detail that the maker kept, one after the other.
    tris: Vec<Tri>,
    /// First triangle of each polygon, and the end.
    tri_starts: Vec<usize>,
    parent: Vec<u32>,
    buckets: Buckets,
}

#[derive(Default)]
struct Buckets {
    min: [f32; 2],
    side: f32,
    columns: usize,
    rows: usize,
    polys: Vec<Vec<u32>>,
}

impl Flat {
    /// Adds a polygon and the triangles of its surface; without any, it is a fan. Returns its number.
    pub fn push(&mut self, corners: impl IntoIterator<Item = [f32; 3]>, surface: impl IntoIterator<Item = Tri>) -> u32 {
        if self.starts.is_empty() {
            self.starts.push(0);
            self.tri_starts.push(0);
        }
        self.corners.extend(corners);
        self.tris.extend(surface);
        if self.tris.len() == self.tri_starts[self.polys()] {
            self.tris.extend(fan(&self.corners[self.starts[self.polys()]..]));
        }
        self.starts.push(self.corners.len());
        self.tri_starts.push(self.tris.len());
        self.parent.push(self.parent.len() as u32);
        self.parent.len() as u32 - 1
    }

    fn root(&self, mut poly: u32) -> u32 {
        while self.parent[poly as usize] != poly {
            poly = self.parent[poly as usize];
        }
        poly
    }

    /// One can walk between `a` and `b`.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high as usize] = low;
    }

    pub fn polys(&self) -> usize {
        self.parent.len()
    }

    fn poly(&self, i: usize) -> &[[f32; 3]] {
        &self.corners[self.starts[i]..self.starts[i + 1]]
    }

    fn surface(&self, i: usize) -> &[Tri] {
        &self.tris[self.tri_starts[i]..self.tri_starts[i + 1]]
    }

    /// To be called when all polygons and links are there.
    pub fn finish(mut self) -> Self {
        for i in 0..self.parent.len() as u32 {
            self.parent[i as usize] = self.root(i);
        }
        let (mut min, mut max) = ([f32::MAX; 2], [f32::MIN; 2]);
        for c in &self.corners {
            min = [min[0].min(c[0]), min[1].min(c[2])];
            max = [max[0].max(c[0]), max[1].max(c[2])];
        }
        if self.polys() == 0 {
            return self;
        }
        let side = ((max[0] - min[0]) * (max[1] - min[1]) / self.polys() as f32).sqrt().max(1e-3);
        let count = |axis: usize| ((max[axis] - min[axis]) / side) as usize + 1;
        let (columns, rows) = (count(0), count(1));
        let mut buckets = Buckets { min, side, columns, rows, polys: vec![Vec::new(); columns * rows] };
        for i in 0..self.polys() {
            let span = |axis: usize, from: usize| {
                let at = self.poly(i).iter().map(|c| c[axis]);
                let low = at.clone().fold(f32::MAX, f32::min);
                let high = at.fold(f32::MIN, f32::max);
                ((low - min[from]) / side) as usize..=((high - min[from]) / side) as usize
            };
            for row in span(2, 1) {
                for column in span(0, 0) {
                    buckets.polys[row * columns + column].push(i as u32);
                }
            }
        }
        self.buckets = buckets;
        self
    }

    /// Area in plan.
    pub fn area(&self) -> f64 {
        (0..self.polys()).map(|i| fan(self.poly(i)).map(tri_area).sum::<f64>()).sum()
    }

    /// The surface above or below which `p` lies, the nearest in height within `reach`: its height there, and the
    /// component of its polygon.
    fn surface_at(&self, p: [f32; 3], reach: f32) -> Option<(f32, u32)> {
        let b = &self.buckets;
        let (column, row) = (((p[0] - b.min[0]) / b.side) as usize, ((p[2] - b.min[1]) / b.side) as usize);
        if b.polys.is_empty() || p[0] < b.min[0] || p[2] < b.min[1] || column >= b.columns || row >= b.rows {
            return None;
        }
        let mut best = (reach, None);
        for &i in &b.polys[row * b.columns + column] {
            for &tri in self.surface(i as usize) {
                if let Some(y) = height_in(tri, p)
                    && (y - p[1]).abs() <= best.0
                {
                    best = ((y - p[1]).abs(), Some((y, self.parent[i as usize])));
                }
            }
        }
        best.1
    }

    /// The same for what lies up to `reach.aside` beside `p`: walls are simplified.
    fn component_near(&self, p: [f32; 3], reach: Reach) -> Option<u32> {
        let component_at = |p| self.surface_at(p, reach.height).map(|(_, component)| component);
        component_at(p).or_else(|| {
            (1..=12).find_map(|ring| {
                let r = reach.aside * ring as f32 / 12.0;
                let d = r * std::f32::consts::FRAC_1_SQRT_2;
                let steps = [(r, 0.0), (-r, 0.0), (0.0, r), (0.0, -r), (d, d), (-d, d), (d, -d), (-d, -d)];
                steps.into_iter().find_map(|(x, z)| component_at([p[0] + x, p[1], p[2] + z]))
            })
        })
    }

    /// Points spread evenly over the mesh, the same for the same seed.
    pub fn samples(&self, count: usize, seed: u64) -> Vec<([f32; 3], u32)> {
        let mut running = 0.0;
        let mut tris = Vec::new();
        for i in 0..self.polys() {
            for &tri in self.surface(i) {
                running += tri_area(tri);
                tris.push((running, tri, self.parent[i]));
            }
        }
        let mut random = Random(seed);
        let pick = |_| {
            let at = random.unit() * running;
            let (_, [a, b, c], component) = tris[tris.partition_point(|t| t.0 < at).min(tris.len() - 1)];
            let (mut u, mut v) = (random.unit() as f32, random.unit() as f32);
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            (std::array::from_fn(|k| a[k] + (b[k] - a[k]) * u + (c[k] - a[k]) * v), component)
        };
        if tris.is_empty() { Vec::new() } else { (0..count).map(pick).collect() }
    }

    /// Whether the surface at `p`, or the nearest in height, has nothing of the level within `reach`. A mesh whose
    /// detail leaves the ground is wrong there, whatever the other says.
    fn is_off(&self, level: &Self, p: [f32; 3], reach: Reach) -> bool {
        self.surface_at(p, f32::INFINITY).is_some_and(|(y, _)| level.component_near([p[0], y, p[2]], reach).is_none())
    }

    /// A level's triangles as they are.
    pub fn of_level(verts: &[[f32; 3]], tris: &[[u32; 3]]) -> Self {
        let mut flat = Self::default();
        for tri in tris {
            flat.push(tri.map(|v| verts[v as usize]), None);
        }
        flat.finish()
    }

    /// The mesh of the C++ reference, or anything turned into one.
    pub fn of_detour(mesh: &DetourMesh) -> Self {
        let mut flat = Self::default();
        // SAFETY: all pointers lie in the mesh's tiles, with the lengths that their headers tell.
        unsafe {
            let nav = &*mesh.as_ptr();
            let mut first_of = std::collections::HashMap::new();
            for tile in mesh.tiles() {
                first_of.insert(nav.getPolyRefBase(tile), flat.polys() as u32);
                for p in 0..(*tile.header).polyCount as usize {
                    let poly = &*tile.polys.add(p);
                    let vert = |v: u16| *tile.verts.add(usize::from(v) * 3).cast::<[f32; 3]>();
                    let detail = &*tile.detailMeshes.add(p);
                    let corner = |t: u32, k: usize| match usize::from(
                        *tile.detailTris.add((detail.triBase + t) as usize * 4 + k),
                    ) {
                        v if v < usize::from(poly.vertCount) => vert(poly.verts[v]),
                        v => {
                            let at = detail.vertBase as usize + v - usize::from(poly.vertCount);
                            *tile.detailVerts.add(at * 3).cast::<[f32; 3]>()
                        }
                    };
                    flat.push(
                        poly.verts[..usize::from(poly.vertCount)].iter().map(|&v| vert(v)),
                        (0..u32::from(detail.triCount)).map(|t| [0, 1, 2].map(|k| corner(t, k))),
                    );
                }
            }
            let poly_mask = (1u32 << nav.m_polyBits) - 1;
            for tile in mesh.tiles() {
                let first = first_of[&nav.getPolyRefBase(tile)];
                for p in 0..(*tile.header).polyCount as u32 {
                    let mut link = (*tile.polys.add(p as usize)).firstLink;
                    while link != u32::MAX {
                        let l = &*tile.links.add(link as usize);
                        flat.join(first + p, first_of[&(l.ref_ & !poly_mask)] + (l.ref_ & poly_mask));
                        link = l.next;
                    }
                }
            }
        }
        flat.finish()
    }
}

/// Three corners.
pub type Tri = [[f32; 3]; 3];

fn fan(poly: &[[f32; 3]]) -> impl Iterator<Item = Tri> + '_ {
    (2..poly.len()).map(|i| [poly[0], poly[i - 1], poly[i]])
}

fn cross(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> f64 {
    let d = |p: [f32; 3], k: usize| f64::from(p[k]) - f64::from(a[k]);
    d(b, 0) * d(c, 2) - d(b, 2) * d(c, 0)
}

fn tri_area([a, b, c]: Tri) -> f64 {
    cross(a, b, c).abs() / 2.0
}

/// Height of the triangle at `p`, if `p` is above or below it.
fn height_in([a, b, c]: Tri, p: [f32; 3]) -> Option<f32> {
    let whole = cross(a, b, c);
    if whole == 0.0 {
        return None;
    }
    let (u, v) = (cross(a, p, c) / whole, cross(a, b, p) / whole);
    let inside = u >= -1e-6 && v >= -1e-6 && u + v <= 1.0 + 1e-6;
    inside.then(|| a[1] + (b[1] - a[1]) * u as f32 + (c[1] - a[1]) * v as f32)
}

/// A small generator (splitmix64): the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How far from a place the other mesh may be: up and down, and aside.
#[derive(Clone, Copy)]
pub struct Reach {
    pub height: f32,
    pub aside: f32,
}

/// Share of places of `a` that are not on `b` where `is_fault` of the place, and share of pairs of places that are
/// connected on one and not on the other.
fn parting(a: &Flat, b: &Flat, reach: Reach, mut is_fault: impl FnMut([f32; 3]) -> bool) -> (f64, f64) {
    let samples = a.samples(800, 7);
    let (mut found, mut lost) = (Vec::new(), 0usize);
    for &(p, here) in &samples {
        match b.component_near(p, reach) {
            Some(there) => found.push((here, there)),
            None if is_fault(p) => lost += 1,
            None => {}
        }
    }
    let mut differ = 0usize;
    for (i, x) in found.iter().enumerate() {
        differ += found[..i].iter().filter(|y| (x.0 == y.0) != (x.1 == y.1)).count();
    }
    let pairs = found.len() * found.len().saturating_sub(1) / 2;
    (lost as f64 / samples.len().max(1) as f64, differ as f64 / pairs.max(1) as f64)
}

/// One side of a comparison.
pub struct Side<'a> {
    pub stats: &'a BakeStats,
    pub flat: &'a Flat,
}

/// Where two bakes part further than two correct bakes may: the voxels' counts almost equal (solo: tiles are counted
/// with borders), area within 0.5 % or nearer to the ground's, no more than 5 % more polygons than theirs, and the same
/// places, connected in the same way. Places where their mesh leaves the level's surface are no fault of ours.
///
/// `ground` is the area that the eroded voxels cover, if known: meshes simplify its outline, and the reference's tiles
/// go beyond it at their corners.
pub fn differences(ours: &Side<'_>, theirs: &Side<'_>, job: &Job, ground: Option<f64>) -> Vec<String> {
    let reach = job.reach();
    let mut differ = Vec::new();
    let mut within = |what: &str, a: f64, b: f64, share: f64, slack: f64| {
        if (a - b).abs() > (share * b).max(slack) {
            differ.push(format!("{what} {a} / {b}"));
        }
    };
    let (o, t) = (ours.stats, theirs.stats);
    if !job.tiled() {
        within("spans", o.spans as f64, t.spans as f64, 0.001, 2.0);
        within("walkable spans", o.walkable_spans as f64, t.walkable_spans as f64, 0.01, 2.0);
        within("eroded spans", o.eroded_spans as f64, t.eroded_spans as f64, 0.005, 2.0);
    }
    let (area, their_area) = (ours.flat.area(), theirs.flat.area());
    if !ground.is_some_and(|ground| (area - ground).abs() <= (their_area - ground).abs()) {
        within("area", (area * 10.0).round() / 10.0, (their_area * 10.0).round() / 10.0, 0.005, 0.1);
    }
    if ours.flat.polys() as f64 > theirs.flat.polys() as f64 * 1.05 + 2.0 {
        differ.push(format!("polygons {} / {}", ours.flat.polys(), theirs.flat.polys()));
    }
    let off_ground = |flat: &Flat, p| flat.is_off(job.surface(), p, Reach { height: reach.height / 2.0, ..reach });
    let explain = std::env::var_os("PEERS_EXPLAIN").is_some();
    for (what, a, b) in [("our", ours.flat, theirs.flat), ("their", theirs.flat, ours.flat)] {
        let is_fault = |p: [f32; 3]| {
            let is_fault = !off_ground(theirs.flat, p);
            if explain {
                eprintln!(
                    "not on the other mesh: {what} {p:?}{}",
                    if is_fault { "" } else { ", theirs is off the ground" }
                );
            }
            is_fault
        };
        let (lost, parted) = parting(a, b, reach, is_fault);
        if lost > 0.005 {
            differ.push(format!("{:.1} % of {what} places are not on the other mesh", lost * 100.0));
        }
        if parted > 0.02 {
            differ.push(format!("{:.1} % of pairs of {what} places are connected on one mesh only", parted * 100.0));
        }
    }
    let samples = ours.flat.samples(800, 7);
    let off = samples.iter().filter(|s| off_ground(ours.flat, s.0)).count() as f64 / samples.len().max(1) as f64;
    if off > 0.005 {
        differ.push(format!("{:.1} % of the places are off the level's triangles", off * 100.0));
    }
    differ
}
