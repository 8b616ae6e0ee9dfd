//! A mesh with what is kept beside it: loading, saving, and what holds for it as a whole.

use crate::fault::{Answer, Fault};
use crate::record::{Record, to_list};
use crate::refs::{poly, tile};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::area::{FlagMask, PolyFlags};
use wayfare::format::WayFile;
use wayfare::mesh::{Change, MeshVersion, NavMesh, Outdated};
use wayfare::tile::{TileKeys, TileLayout};

#[wasm_bindgen(js_name = RawMesh)]
pub struct RawMesh {
    pub(crate) file: WayFile,
}

impl RawMesh {
    pub(crate) fn new(mesh: NavMesh, keys: TileKeys) -> Self {
        Self { file: WayFile::new(mesh, keys) }
    }

    pub(crate) fn mesh(&self) -> &NavMesh {
        &self.file.mesh
    }
}

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    /// A mesh without tiles.
    pub fn empty(origin: &[f32], tile_width: f32, tile_depth: f32) -> Answer<RawMesh> {
        let [x, y, z] = crate::volume::fixed("point", origin)?;
        let layout = TileLayout { origin: Vec3::new(x, y, z), tile_width, tile_depth };
        Ok(Self::new(NavMesh::new(layout), TileKeys::EMPTY))
    }

    /// Reads a `.way` file or, in the full build, a file of Detour's sample.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: &[u8]) -> Answer<RawMesh> {
        #[cfg(feature = "extra")]
        if wayfare::format::is_detour_file(bytes) {
            return Ok(Self::new(NavMesh::from_detour(bytes)?, TileKeys::EMPTY));
        }
        #[cfg(not(feature = "extra"))]
        if wayfare::format::is_detour_file(bytes) {
            return Err(crate::fault::not_here("reading Detour's files"));
        }
        Ok(Self { file: WayFile::from_bytes(bytes)? })
    }

    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.file.to_bytes()
    }

    pub fn digest(&self) -> String {
        self.mesh().digest()
    }

    /// A copy: a few pointers, until one of the two is changed.
    pub fn copy(&self) -> RawMesh {
        Self { file: self.file.clone() }
    }

    /// Takes over an edited copy, unless something has changed since it was made. Sections stay.
    pub fn publish(&mut self, newer: &RawMesh) -> Answer<()> {
        self.file.mesh.take_over(newer.mesh().clone()).map_err(|Outdated| {
            Fault::new(
                "outdated",
                "the mesh has changed since this copy of it was made, or this is no copy of it: make the same changes in a \
                 new clone() and publish that, or give up what has changed by replace()",
            )
        })
    }

    /// Takes over another mesh, whatever it was made from.
    pub fn replace(&mut self, other: &RawMesh) {
        self.file = other.file.clone();
    }

    pub fn equals(&self, other: &RawMesh) -> bool {
        self.mesh().digest() == other.mesh().digest()
    }

    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.mesh().bounds();
        [bounds.min.to_array(), bounds.max.to_array()].concat()
    }

    /// Origin, width and depth of the tiles.
    pub fn layout(&self) -> Vec<f32> {
        let TileLayout { origin, tile_width, tile_depth } = self.mesh().layout();
        vec![origin.x, origin.y, origin.z, tile_width, tile_depth]
    }

    /// Memory of tiles, and of what is derived from them.
    #[wasm_bindgen(js_name = memory)]
    pub fn memory(&self) -> Vec<f64> {
        let bytes = self.mesh().bytes();
        vec![bytes.data as f64, bytes.index as f64]
    }

    #[wasm_bindgen(js_name = userId)]
    pub fn user_id(&self) -> u64 {
        self.mesh().user_id()
    }

    #[wasm_bindgen(js_name = setUserId)]
    pub fn set_user_id(&mut self, id: u64) {
        self.file.mesh.set_user_id(id);
    }
}

/// What is kept beside the mesh in its file.
#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    #[wasm_bindgen(js_name = sectionNames)]
    pub fn section_names(&self) -> Vec<String> {
        self.file.sections.iter().map(|(name, _)| name.to_owned()).collect()
    }

    pub fn section(&self, name: &str) -> Option<Vec<u8>> {
        self.file.sections.get(name).map(|section| section.bytes.clone())
    }

    #[wasm_bindgen(js_name = sectionVersion)]
    pub fn section_version(&self, name: &str) -> Option<u32> {
        self.file.sections.get(name).map(|section| section.version)
    }

    #[wasm_bindgen(js_name = setSection)]
    pub fn set_section(&mut self, name: &str, version: u32, bytes: Vec<u8>) {
        self.file.sections.set(name, version, bytes);
    }

    #[wasm_bindgen(js_name = removeSection)]
    pub fn remove_section(&mut self, name: &str) -> bool {
        self.file.sections.remove(name).is_some()
    }
}

/// States of polygons as bytes.
#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    #[wasm_bindgen(js_name = storeDelta)]
    pub fn store_delta(&self) -> Vec<u8> {
        self.mesh().store_delta()
    }

    #[wasm_bindgen(js_name = restoreDelta)]
    pub fn restore_delta(&mut self, bytes: &[u8]) -> Answer<()> {
        Ok(self.file.mesh.restore_delta(bytes)?)
    }

    #[wasm_bindgen(js_name = storeTileState)]
    pub fn store_tile_state(&self, reference: u64) -> Answer<Vec<u8>> {
        Ok(self.mesh().store_tile_state(tile(reference)?)?)
    }

    #[wasm_bindgen(js_name = restoreTileState)]
    pub fn restore_tile_state(&mut self, reference: u64, bytes: &[u8]) -> Answer<()> {
        Ok(self.file.mesh.restore_tile_state(tile(reference)?, bytes)?)
    }
}

/// A moment in the life of a mesh.
#[wasm_bindgen(js_name = RawVersion)]
pub struct RawVersion(pub(crate) MeshVersion);

/// What has changed.
#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    pub fn version(&self) -> RawVersion {
        RawVersion(self.mesh().version().clone())
    }

    /// The changes since a version, oldest first; `undefined` if that is too long ago.
    #[wasm_bindgen(js_name = changesSince)]
    pub fn changes_since(&self, seen: &RawVersion) -> JsValue {
        match self.mesh().changes_since(&seen.0) {
            Ok(changes) => to_list(changes.map(change)),
            Err(_) => JsValue::UNDEFINED,
        }
    }

    /// Says that tiles are about to be replaced, or that they are not after all.
    pub fn announce(&mut self, tiles: &[u64], is_withdrawn: bool) -> Answer<()> {
        let tiles = tiles.iter().map(|bits| tile(*bits)).collect::<Answer<Vec<_>>>()?;
        if is_withdrawn {
            self.file.mesh.withdraw(&tiles)
        } else {
            self.file.mesh.announce(&tiles)
        }
        Ok(())
    }

    #[wasm_bindgen(js_name = isAnnounced)]
    pub fn is_announced(&self, reference: u64) -> Answer<bool> {
        Ok(self.mesh().is_announced(tile(reference)?))
    }
}

fn change(change: Change) -> JsValue {
    let kind = match change {
        Change::TileAnnounced(_) => "tile-announced",
        Change::TileRemoved(_) => "tile-removed",
        Change::TileAdded(_) => "tile-added",
        Change::TileLinks(_) => "tile-links",
        Change::TileState(_) => "tile-state",
        Change::ConnectionAdded(_) => "connection-added",
        Change::ConnectionRemoved(_) => "connection-removed",
        Change::ConnectionEnds(_) => "connection-ends",
        Change::ConnectionState(_) => "connection-state",
        _ => "other",
    };
    let bits = change.tile().map(|tile| tile.to_bits()).or(change.connection().map(|of| of.to_bits()));
    Record::new().with("kind", kind).with("ref", bits.unwrap_or(0)).done()
}

/// What connects with what.
#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    /// Keeps the components of what a mask leaves open, for searches to know at once what they cannot reach.
    #[wasm_bindgen(js_name = keepComponentsFor)]
    pub fn keep_components_for(&mut self, include: u16, exclude: u16) {
        let mask = FlagMask { include: PolyFlags(include), exclude: PolyFlags(exclude) };
        self.file.mesh.keep_components_for(mask);
    }

    #[wasm_bindgen(js_name = componentCount)]
    pub fn component_count(&self) -> u32 {
        self.mesh().components().count()
    }

    /// The component of a polygon.
    pub fn component(&self, reference: u64) -> Answer<Option<u32>> {
        let reference = poly(reference)?;
        self.mesh().state(reference)?;
        Ok(self.mesh().components().component(reference))
    }

    #[wasm_bindgen(js_name = mayReach)]
    pub fn may_reach(&self, from: u64, to: u64) -> Answer<bool> {
        Ok(self.mesh().components().may_reach(poly(from)?, poly(to)?))
    }
}
