//! `.mesh` files of Polyanya: convex polygons on a plane, as text, versions 2 and 3.
//!
//! ```text
//!   mesh
//!   2                     3                   the version
//!   VERTICES POLYGONS     VERTICES POLYGONS
//!   x y k p1 … pk         x y                 a vertex (and in version 2 the polygons around it)
//!   n v1 … vn p1 … pn     t n v1 … vn p1 … pn a polygon (in version 3 after 1 or 0: may it be crossed)
//! ```
//!
//! `pi` is on the other side of the edge from `v(i-1)` to `vi`. In version 2 polygons count from 0 and −1 is a wall; in
//! version 3 they count from 1, 0 is nothing and a negative number is an existing polygon that may not be entered.
//!
//! (x, y) becomes (x, 0, y). Neighbours are determined by shared vertices: the file must agree, except that an edge it
//! declares as a wall becomes one.
//!
//! Sources: Michael Cui, Daniel Harabor, Alban Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017
//! (version 2); version 3 is that of their merged constrained Delaunay triangulations.

use crate::ReadError;
use crate::work;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::NavMesh;
use wayfare::tile::{SourcePoly, TileBuilder, TileSource};

/// Whether the bytes begin like a `.mesh` file of Polyanya.
#[must_use]
pub fn is_polyanya_mesh(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"mesh").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}

/// Reads a `.mesh` file of Polyanya as a flat mesh.
///
/// # Errors
/// [`ReadError`].
pub fn read_polyanya_mesh(bytes: &[u8]) -> Result<NavMesh, ReadError> {
    let mut words = Words::new(bytes)?;
    words.next("the word \"mesh\"")?;
    let version: u32 = words.number("the version")?;
    if ![2, 3].contains(&version) {
        return Err(format!("is a Polyanya mesh of version {version}; versions 2 and 3 are read").into());
    }
    let (vert_count, poly_count): (u32, u32) = (words.number("the vertices")?, words.number("the polygons")?);
    let mut verts = Vec::new();
    for _ in 0..vert_count {
        let [x, y]: [f64; 2] = [words.number("x of a vertex")?, words.number("y of a vertex")?];
        verts.push(Vec3::new(x as f32, 0.0, y as f32));
        if version == 2 {
            words.skip("the polygons around a vertex")?;
        }
    }
    let mut polygons = Polygons::default();
    for number in 0..poly_count {
        polygons.read(version, number, vert_count, &mut words)?;
    }
    polygons.check_neighbours(version)?;
    polygons.into_mesh(&verts)
}

/// The polygons that may be crossed.
#[derive(Default)]
struct Polygons {
    polys: Vec<SourcePoly>,
    corners: Vec<u32>,
    /// Polygon and ends of the edges that the file declares as walls.
    walls: Vec<(u32, [u32; 2])>,
    /// All other edges.
    shared: Vec<SharedEdge>,
}

/// An edge with a neighbour, as declared by one of its two polygons. Polygons are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SharedEdge {
    /// The lower vertex first.
    ends: [u32; 2],
    poly: u32,
    beyond: u32,
    /// The line of the declaration.
    line: u64,
}

impl Polygons {
    fn read(&mut self, version: u32, number: u32, verts: u32, words: &mut Words<'_>) -> Result<(), ReadError> {
        let crossed = version == 2 || words.number::<u8>("whether a polygon may be crossed")? != 0;
        let count: u16 = words.number("how many corners a polygon has")?;
        let (poly, first) = (self.polys.len() as u32, self.corners.len());
        let base = if version == 2 { 0 } else { 1 };
        for _ in 0..count {
            let index: u32 = words.number("a corner of a polygon")?;
            let corner = index.checked_sub(base).filter(|corner| *corner < verts);
            self.corners.push(corner.ok_or_else(|| words.wrong("a corner of a polygon", &index.to_string()))?);
        }
        for k in 0..usize::from(count) {
            let beyond: i64 = words.number("a neighbour of a polygon")?;
            let before = if k == 0 { usize::from(count) - 1 } else { k - 1 };
            let ends = [self.corners[first + before], self.corners[first + k]];
            if beyond < i64::from(base) && crossed {
                self.walls.push((poly, ends));
            } else if crossed {
                let beyond = u32::try_from(beyond - i64::from(base));
                let beyond = beyond.map_err(|_| words.wrong("a neighbour of a polygon", "so great a number"))?;
                let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                self.shared.push(SharedEdge { ends, poly: number, beyond, line: words.line });
            }
        }
        if crossed {
            self.polys.push(SourcePoly { count, flags: PolyFlags::WALK, area: AreaId::WALKABLE });
        } else {
            self.corners.truncate(first);
        }
        Ok(())
    }

    /// Fails unless both polygons of each shared edge declare it.
    fn check_neighbours(&mut self, version: u32) -> Result<(), ReadError> {
        self.shared.sort_unstable();
        for around in self.shared.chunk_by(|a, b| a.ends == b.ends) {
            // Sorted by polygon, then by the polygon on the other side.
            let lonely = |edge: &&SharedEdge| {
                work::count(around.len().ilog2() as usize + 1);
                let back = (edge.beyond, edge.poly);
                around.binary_search_by_key(&back, |other| (other.poly, other.beyond)).is_err()
            };
            if let Some(SharedEdge { ends: [a, b], poly, beyond, line }) = around.iter().find(lonely) {
                let base = if version == 2 { 0 } else { 1 };
                let message = format!(
                    "polygon {} has polygon {} beyond the edge of vertices {} and {}, but not the other way \
                     round",
                    poly + base,
                    beyond + base,
                    a + base,
                    b + base,
                );
                return Err(ReadError::in_line(*line, message));
            }
        }
        Ok(())
    }

    fn into_mesh(self, verts: &[Vec3]) -> Result<NavMesh, ReadError> {
        let source = TileSource { verts, corners: &self.corners, polys: &self.polys, ..TileSource::default() };
        let mut tile = TileBuilder::default();
        tile.build_source(&source).map_err(|e| e.to_string())?;
        for (poly, ends) in self.walls {
            tile.close_edge(poly, ends);
        }
        NavMesh::from_tile(tile.build().map_err(|e| e.to_string())?).map_err(|e| e.to_string().into())
    }
}

/// The words of the file, with their lines for messages.
struct Words<'a> {
    rest: &'a str,
    line: u64,
}

impl<'a> Words<'a> {
    fn new(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let rest = std::str::from_utf8(bytes).map_err(|_| "is no text after its first line".to_owned())?;
        Ok(Self { rest, line: 1 })
    }

    fn next(&mut self, what: &str) -> Result<&'a str, ReadError> {
        let begin = self.rest.find(|c: char| !c.is_ascii_whitespace()).unwrap_or(self.rest.len());
        self.line += self.rest[..begin].bytes().filter(|&b| b == b'\n').count() as u64;
        let word = &self.rest[begin..];
        let (word, rest) = word.split_at(word.find(|c: char| c.is_ascii_whitespace()).unwrap_or(word.len()));
        self.rest = rest;
        if word.is_empty() {
            return Err(ReadError::in_line(self.line, format!("the file ends where {what} should be")));
        }
        Ok(word)
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, ReadError> {
        let word = self.next(what)?;
        word.parse().map_err(|_| self.wrong(what, word))
    }

    fn wrong(&self, what: &str, word: &str) -> ReadError {
        ReadError::in_line(self.line, format!("{what} cannot be \"{word}\""))
    }

    /// Skips a count and as many words.
    fn skip(&mut self, what: &str) -> Result<(), ReadError> {
        for _ in 0..self.number::<u32>(what)? {
            self.next(what)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::components::Components;

    /// Two squares with a wall between them, and a third polygon beside the second.
    const TWO: &str = "mesh\n2\n7 3\n0 0 1 0\n1 0 2 0 1\n1 1 2 0 1\n0 1 1 0\n2 0 2 1 2\n2 1 2 1 2\n3 0 1 2\n\
        4 0 1 2 3 -1 -1 -1 -1\n4 1 4 5 2 -1 -1 2 -1\n3 4 6 5 1 -1 -1\n";

    #[test]
    fn version_2_with_a_wall_between_neighbours() {
        let mesh = read_polyanya_mesh(TWO.as_bytes()).unwrap();
        assert!(is_polyanya_mesh(TWO.as_bytes()) && !is_polyanya_mesh(b"meshes"));
        let tile = mesh.tiles().next().unwrap();
        assert_eq!(tile.poly_count(), 3);
        assert_eq!((mesh.check().len(), Components::of(&mesh).count()), (0, 2));
        assert_eq!(tile.portals(1).count(), 1);
    }

    #[test]
    fn version_3_leaves_out_what_may_not_be_crossed() {
        let text = "mesh\n3\n5 4\n0 0\n0 10\n10 10\n10 0\n5 5\n0 3 4 1 5 -4 0 -2\n1 3 1 2 5 -1 0 3\n1 3 2 3 5 2 0 4\n1 3 3 4 5 3 0 -1\n";
        let mesh = read_polyanya_mesh(text.as_bytes()).unwrap();
        let tile = mesh.tiles().next().unwrap();
        assert_eq!((tile.poly_count(), mesh.check().len(), Components::of(&mesh).count()), (3, 0, 1));
        assert_eq!(tile.portals(1).count(), 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let refused = |text: &str| read_polyanya_mesh(text.as_bytes()).unwrap_err().to_string();
        assert!(refused("mesh\n7\n").contains("version 7"));
        assert_eq!(refused("mesh\n2\n1 0\n0 zero 0\n"), "line 4: y of a vertex cannot be \"zero\"");
        assert!(refused("mesh\n2\n1 1\n0 0 0\n3 0 0").starts_with("line 5: the file ends"));
        assert_eq!(refused(&TWO.replace("3 4 6 5", "3 4 6 9")), "line 13: a corner of a polygon cannot be \"9\"");
        assert!(refused("mesh\n2\n4294967295 1\n").contains("the file ends where"));
        // The edge that the last two share has the first beyond it, then nothing, then a polygon that is not there.
        let wrong = "beyond the edge of vertices 4 and 5, but not the other way round";
        for last in ["3 4 6 5 0 -1 -1", "3 4 6 5 -1 -1 -1", "3 4 6 5 7 -1 -1"] {
            assert!(refused(&TWO.replace("3 4 6 5 1 -1 -1", last)).ends_with(wrong), "{last}");
        }
        assert!(refused(&TWO.replace("-1 -1 2 -1", "-1 -1 4294967296 -1")).contains("cannot be"));
    }
}
