//! The mesh as triangles and lines, for drawing.

use crate::mesh::RawMesh;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::mesh::Tile;

/// Triangles with the area type and the polygon of each.
#[wasm_bindgen(js_name = RawGeometry)]
pub struct RawGeometry {
    positions: Vec<f32>,
    areas: Vec<u8>,
    polys: Vec<u64>,
    lines: [Vec<f32>; 3],
}

#[wasm_bindgen(js_class = RawGeometry)]
impl RawGeometry {
    /// The corners of triangles, three to each, not shared.
    pub fn positions(&mut self) -> Vec<f32> {
        core::mem::take(&mut self.positions)
    }

    pub fn areas(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.areas)
    }

    pub fn polys(&mut self) -> Vec<u64> {
        core::mem::take(&mut self.polys)
    }

    /// Edges, two points each: 0 along walls, 1 between polygons of a tile, 2 between tiles.
    pub fn lines(&mut self, kind: usize) -> Vec<f32> {
        self.lines.get_mut(kind).map(core::mem::take).unwrap_or_default()
    }
}

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    pub fn geometry(&self) -> RawGeometry {
        let mut geometry =
            RawGeometry { positions: Vec::new(), areas: Vec::new(), polys: Vec::new(), lines: Default::default() };
        self.mesh().tiles().for_each(|tile| geometry.add(tile));
        geometry
    }
}

impl RawGeometry {
    fn add(&mut self, tile: &Tile) {
        for poly in 0..tile.poly_count() {
            for (corners, _) in tile.data().triangles_of(poly) {
                self.positions.extend(corners.iter().flat_map(Vec3::to_array));
                self.areas.push(tile.state(poly).area.get());
                self.polys.push(tile.reference(poly).to_bits());
            }
            self.add_edges(tile, poly);
        }
    }

    fn add_edges(&mut self, tile: &Tile, poly: u32) {
        let data = tile.data();
        let first = data.corner_range(poly).start;
        for (corner, neighbour) in data.neighbours_of(poly).iter().enumerate() {
            let kind = match neighbour.as_poly() {
                // An inner edge has two sides; one is drawn.
                Some(other) if other < poly => continue,
                Some(_) => 1,
                None => {
                    if tile.links().of_edge((first + corner) as u32).is_empty() {
                        0
                    } else {
                        2
                    }
                }
            };
            self.lines[kind].extend(data.edge(poly, (first + corner) as u32).iter().flat_map(Vec3::to_array));
        }
    }
}
