//! Thin walls: makes an edge that two polygons share impassable.
//!
//! ```text
//!   .-------.-------.
//!   |   0   |   1   |      neighbours by their shared vertices, until the edge between them is made a wall
//!   '-------'-------'
//! ```
//!
//! [`build_tile`](super::build_tile) pairs any two polygons that share an edge. To represent fences without thickness,
//! those edges are closed afterwards.
//!
//! Cost: the corners of both polygons.
//!
//! Sources: none needed.

use super::{EdgeNeighbour, TileBuilder};

impl TileBuilder {
    /// Makes the edge between two vertices a wall, on both of its sides, in whichever direction a polygon has it.
    /// `poly` is one of its polygons. Returns whether it led to a polygon of this tile; edges that lead into other
    /// tiles stay unchanged.
    pub fn close_edge(&mut self, poly: u32, ends: [u32; 2]) -> bool {
        let Some(edge) = self.find_edge(poly, ends) else { return false };
        let Some(beyond) = self.neighbours[edge].as_poly() else { return false };
        self.neighbours[edge] = EdgeNeighbour::WALL;
        let back = self.find_edge(beyond, ends).filter(|&back| self.neighbours[back].as_poly() == Some(poly));
        if let Some(back) = back {
            self.neighbours[back] = EdgeNeighbour::WALL;
        }
        true
    }

    /// The edge of a polygon between two vertices, as an index into [`corners`](Self::corners).
    fn find_edge(&self, poly: u32, [a, b]: [u32; 2]) -> Option<usize> {
        let poly = self.polys.get(poly as usize)?;
        let corners = self.corners.get(poly.range())?;
        let ends = |k: usize| [corners[k], corners[if k + 1 == corners.len() { 0 } else { k + 1 }]];
        let found = (0..corners.len()).find(|&k| ends(k) == [a, b] || ends(k) == [b, a])?;
        Some(poly.first as usize + found)
    }
}

#[cfg(test)]
mod tests {
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn an_edge_is_closed_on_both_sides() {
        let sound = sketch(TileCoord::default(), "aa");
        let mut tile = sound.to_builder();
        let leads = |tile: &super::TileBuilder| tile.neighbours.iter().filter(|n| n.as_poly().is_some()).count();
        let edge = sound.neighbours_of(0).iter().position(|n| n.as_poly() == Some(1)).unwrap();
        let ends = [sound.corners_of(0)[edge], sound.corners_of(0)[(edge + 1) % 4]];
        assert_eq!(leads(&tile), 2);
        assert!(!tile.close_edge(0, [0, 99]) && !tile.close_edge(7, ends));
        assert!(tile.close_edge(0, ends));
        assert_eq!(leads(&tile), 0);
        assert!(!tile.close_edge(1, ends), "it is closed already");
        let edge = sound.neighbours_of(0).iter().position(|n| n.as_border().is_some()).unwrap();
        let ends = [sound.corners_of(0)[edge], sound.corners_of(0)[(edge + 1) % 4]];
        let before = tile.clone();
        assert!(!tile.close_edge(0, ends), "it leads into another tile");
        assert_eq!(tile, before);
    }
}
