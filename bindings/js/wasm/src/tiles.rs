//! The tiles and polygons of a mesh.

use crate::fault::Answer;
use crate::mesh::RawMesh;
use crate::named::{area, flags};
use crate::record::{Record, flat, to_list, to_point};
use crate::refs::{bits, poly, tile};
use js_sys::{BigUint64Array, Float32Array};
use wasm_bindgen::prelude::*;
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, PolyRef, Tile};
use wayfare::query::portal_between;
use wayfare::tile::{TileCoord, TileData, TileKeys};

fn tile_object(tile: &Tile) -> JsValue {
    let (coord, bounds) = (tile.coord(), tile.bounds());
    let memory = tile.bytes();
    Record::new()
        .with("ref", tile.tile_ref().to_bits())
        .with("x", coord.x)
        .with("z", coord.z)
        .with("layer", coord.layer)
        .with("polyCount", tile.poly_count())
        .with("userId", tile.data().user_id())
        .with("bounds", to_list([to_point(bounds.min), to_point(bounds.max)]))
        .with("memory", (memory.data + memory.index) as f64)
        .done()
}

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    #[wasm_bindgen(js_name = tileCount)]
    pub fn tile_count(&self) -> u32 {
        self.mesh().tile_count()
    }

    pub fn tiles(&self) -> Vec<u64> {
        self.mesh().tiles().map(|tile| tile.tile_ref().to_bits()).collect()
    }

    pub fn tile(&self, reference: u64) -> Answer<JsValue> {
        Ok(tile_object(self.mesh().tile(tile(reference)?)?))
    }

    #[wasm_bindgen(js_name = tileAt)]
    pub fn tile_at(&self, x: i32, z: i32, layer: u32) -> JsValue {
        self.mesh().tile_at(TileCoord { x, z, layer }).map_or(JsValue::NULL, tile_object)
    }

    #[wasm_bindgen(js_name = tilesInBox)]
    pub fn tiles_in_box(&self, bounds: &[f32]) -> Answer<Vec<u64>> {
        let bounds: Aabb = crate::volume::bounds(bounds)?;
        let mut found = Vec::new();
        self.mesh().tiles_in_box(&bounds, |tile| found.push(tile.tile_ref().to_bits()));
        Ok(found)
    }

    /// One tile as a block of bytes.
    #[wasm_bindgen(js_name = tileBytes)]
    pub fn tile_bytes(&self, reference: u64) -> Answer<Vec<u8>> {
        Ok(self.mesh().tile(tile(reference)?)?.data().block().into_owned())
    }

    #[wasm_bindgen(js_name = addTile)]
    pub fn add_tile(&mut self, bytes: &[u8]) -> Answer<u64> {
        Ok(self.file.mesh.add_tile(TileData::from_block(bytes)?)?.to_bits())
    }

    #[wasm_bindgen(js_name = replaceTile)]
    pub fn replace_tile(&mut self, reference: u64, bytes: &[u8]) -> Answer<u64> {
        let data = TileData::from_block(bytes)?;
        Ok(self.file.mesh.replace_tile(tile(reference)?, data)?.0.to_bits())
    }

    #[wasm_bindgen(js_name = removeTile)]
    pub fn remove_tile(&mut self, reference: u64) -> Answer<Vec<u8>> {
        Ok(self.file.mesh.remove_tile(tile(reference)?)?.block().into_owned())
    }

    /// A mesh of the one tile in a block.
    #[wasm_bindgen(js_name = fromTile)]
    pub fn from_tile(bytes: &[u8]) -> Answer<RawMesh> {
        Ok(Self::new(NavMesh::from_tile(TileData::from_block(bytes)?)?, TileKeys::EMPTY))
    }
}

/// One polygon or more.
#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    /// The polygons of a tile, or of all.
    pub fn polys(&self, tile_ref: Option<u64>) -> Answer<Vec<u64>> {
        let of = |tile: &Tile| (0..tile.poly_count()).map(|i| tile.reference(i).to_bits()).collect::<Vec<_>>();
        Ok(match tile_ref {
            Some(reference) => of(self.mesh().tile(tile(reference)?)?),
            None => self.mesh().tiles().flat_map(of).collect(),
        })
    }

    #[wasm_bindgen(js_name = isValid)]
    pub fn is_valid(&self, reference: u64) -> bool {
        PolyRef::from_bits(reference).is_some_and(|reference| self.mesh().is_valid(reference))
    }

    pub fn poly(&self, reference: u64) -> Answer<JsValue> {
        let view = self.mesh().poly(poly(reference)?)?;
        let neighbours: Vec<PolyRef> = view.portals().map(|portal| portal.to).collect();
        Ok(Record::new()
            .with("ref", reference)
            .with("tile", view.tile().tile_ref().to_bits())
            .with("points", Float32Array::from(&flat(view.points())[..]))
            .point("center", Some(view.center()))
            .with("area", view.area().get())
            .with("flags", view.flags().0)
            .with("neighbours", BigUint64Array::from(&bits(&neighbours)[..]))
            .done())
    }

    /// Flags and area of a polygon or a connection.
    pub fn state(&self, reference: u64) -> Answer<Vec<u16>> {
        let state = self.mesh().state(poly(reference)?)?;
        Ok(vec![state.flags.0, u16::from(state.area.get())])
    }

    #[wasm_bindgen(js_name = setFlags)]
    pub fn set_flags(&mut self, reference: u64, bits: u32) -> Answer<()> {
        Ok(self.file.mesh.set_flags(poly(reference)?, flags(bits)?)?)
    }

    #[wasm_bindgen(js_name = setArea)]
    pub fn set_area(&mut self, reference: u64, id: u32) -> Answer<()> {
        Ok(self.file.mesh.set_area(poly(reference)?, area(id)?)?)
    }

    /// The two ends of the border over which one polygon leads into another.
    #[wasm_bindgen(js_name = portalBetween)]
    pub fn portal_between(&self, from: u64, to: u64) -> Answer<Option<Vec<f32>>> {
        let portal = portal_between(self.mesh(), poly(from)?, poly(to)?)?;
        Ok(portal.map(|portal| flat([portal.left, portal.right])))
    }
}
