//! An agent's path, kept up while both ends move.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::mesh::{RawMesh, RawVersion};
use crate::path::{broken, change, unpack};
use crate::query::{RawQuery, on_mesh};
use crate::record::{Record, to_point};
use crate::refs::bits;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::corridor::{CornerAt, CorridorCorner, CorridorScratch, PathCorridor, Repair};
use wayfare::mesh::{ChangeSet, PolyPoint};

#[wasm_bindgen(js_name = RawCorridor)]
pub struct RawCorridor {
    corridor: PathCorridor,
    scratch: CorridorScratch,
    corners: Vec<CorridorCorner>,
}

pub(crate) fn place_object(place: Option<PolyPoint>) -> JsValue {
    place.map_or(JsValue::NULL, |place| {
        Record::new().with("poly", place.poly.to_bits()).with("point", to_point(place.point)).done()
    })
}

/// Corners as numbers: x, y, z, what is there, and the step.
pub(crate) fn corner_numbers(corners: &[CorridorCorner]) -> Vec<f32> {
    let at = |corner: &CorridorCorner| match corner.at {
        CornerAt::Left => 0.0,
        CornerAt::Right => 1.0,
        CornerAt::Connection => 2.0,
        CornerAt::End => 3.0,
    };
    corners
        .iter()
        .flat_map(|corner| {
            let [x, y, z] = corner.point.to_array();
            [x, y, z, at(corner), corner.step as f32]
        })
        .collect()
}

impl RawCorridor {
    /// Changes the corridor by a query's filter. Where a function of the page throws, it stays as it was.
    fn change_by<T, E: Into<Fault>>(
        &mut self,
        query: &RawQuery,
        change: impl FnOnce(&mut PathCorridor, &mut CorridorScratch) -> Result<T, E>,
    ) -> Answer<T> {
        let before = query.filter.asks_page().then(|| self.corridor.clone());
        let answer = change(&mut self.corridor, &mut self.scratch);
        let thrown = rethrow();
        if thrown.is_err()
            && let Some(before) = before
        {
            self.corridor = before;
        }
        thrown.and_then(|()| answer.map_err(Into::into))
    }
}

fn vec3(point: Vec3) -> Vec<f32> {
    point.to_array().to_vec()
}

#[wasm_bindgen(js_class = RawCorridor)]
impl RawCorridor {
    /// A corridor that begins and ends at a place.
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &RawMesh, reference: u64, at: &[f32]) -> Answer<RawCorridor> {
        let corridor = PathCorridor::new(on_mesh(mesh.mesh(), reference, at)?);
        Ok(Self { corridor, scratch: CorridorScratch::new(), corners: Vec::new() })
    }

    pub fn reset(&mut self, mesh: &RawMesh, reference: u64, at: &[f32]) -> Answer<()> {
        self.corridor.reset(on_mesh(mesh.mesh(), reference, at)?);
        Ok(())
    }

    /// Takes a path that begins where the corridor does.
    pub fn follow(&mut self, mesh: &RawMesh, polys: &[u64], ends: &[f32]) -> Answer<()> {
        let path = unpack(mesh.mesh(), polys, ends)?;
        Ok(self.corridor.follow(&path)?)
    }

    pub fn polys(&self) -> Vec<u64> {
        bits(self.corridor.polys())
    }

    pub fn start(&self) -> JsValue {
        place_object(self.corridor.start())
    }

    pub fn end(&self) -> JsValue {
        place_object(self.corridor.end())
    }

    #[wasm_bindgen(js_name = moveStart)]
    pub fn move_start(&mut self, mesh: &RawMesh, query: &RawQuery, x: f32, y: f32, z: f32) -> Answer<Vec<f32>> {
        let to = Vec3::new(x, y, z);
        self.change_by(query, |corridor, scratch| corridor.move_start(mesh.mesh(), to, query.filter(), scratch))
            .map(vec3)
    }

    #[wasm_bindgen(js_name = moveEnd)]
    pub fn move_end(&mut self, mesh: &RawMesh, query: &RawQuery, x: f32, y: f32, z: f32) -> Answer<Vec<f32>> {
        let to = Vec3::new(x, y, z);
        self.change_by(query, |corridor, scratch| corridor.move_end(mesh.mesh(), to, query.filter(), scratch)).map(vec3)
    }

    pub fn corners(&mut self, limit: usize) -> Vec<f32> {
        self.corridor.corners_into(limit, &mut self.scratch, &mut self.corners);
        corner_numbers(&self.corners)
    }

    #[wasm_bindgen(js_name = cornerPolys)]
    pub fn corner_polys(&self) -> Vec<u64> {
        self.corners.iter().map(|corner| corner.poly.to_bits()).collect()
    }

    pub fn length(&mut self) -> f32 {
        self.corridor.length(&mut self.scratch)
    }

    pub fn cost(&self, mesh: &RawMesh, query: &RawQuery) -> Answer<f32> {
        let cost = self.corridor.cost(mesh.mesh(), query.filter());
        rethrow()?;
        Ok(cost)
    }

    /// Enters the connection at a corner that was told last: from where to where; empty if it is none.
    #[wasm_bindgen(js_name = enterConnection)]
    pub fn enter_connection(&mut self, mesh: &RawMesh, corner: usize) -> Vec<f32> {
        let Some(corner) = self.corners.get(corner) else { return Vec::new() };
        let crossing = self.corridor.enter_connection(mesh.mesh(), corner);
        crossing.map_or_else(Vec::new, |crossing| crate::record::flat([crossing.from, crossing.to]))
    }

    #[wasm_bindgen(js_name = optimiseVisibility)]
    pub fn optimise_visibility(&mut self, mesh: &RawMesh, query: &RawQuery, next: &[f32], range: f32) -> Answer<bool> {
        let [x, y, z] = crate::volume::fixed("point", next)?;
        let next = Vec3::new(x, y, z);
        self.change_by(query, |corridor, scratch| {
            corridor.optimise_visibility(mesh.mesh(), next, range, query.filter(), scratch)
        })
    }

    #[wasm_bindgen(js_name = optimiseTopology)]
    pub fn optimise_topology(&mut self, mesh: &RawMesh, query: &RawQuery, nodes: u32) -> Answer<bool> {
        self.change_by(query, |corridor, scratch| {
            corridor.optimise_topology(mesh.mesh(), nodes, query.filter(), scratch)
        })
    }

    /// The first thing that is wrong within some polygons ahead, or null.
    pub fn check(&self, mesh: &RawMesh, query: &RawQuery, look_ahead: u32) -> Answer<JsValue> {
        let found = self.corridor.check(mesh.mesh(), look_ahead, query.filter());
        rethrow()?;
        Ok(broken(found))
    }

    pub fn change(&self, mesh: &RawMesh, query: &RawQuery, seen: &RawVersion) -> Answer<JsValue> {
        let changes = ChangeSet::since(mesh.mesh(), &seen.0);
        let found = self.corridor.change(mesh.mesh(), &changes, query.filter());
        rethrow()?;
        Ok(change(&found))
    }

    pub fn repair(&mut self, mesh: &RawMesh, query: &RawQuery, look_ahead: u32) -> Answer<JsValue> {
        let repair = self.change_by(query, |corridor, _| {
            Ok::<_, Fault>(corridor.repair(mesh.mesh(), look_ahead, query.reach, query.filter()))
        })?;
        let (outcome, why) = match repair {
            Repair::Whole => ("whole", None),
            Repair::Cut(why) => ("cut", Some(why)),
            Repair::Moved(why) => ("moved", Some(why)),
            Repair::Lost(why) => ("lost", Some(why)),
        };
        Ok(Record::new().with("outcome", outcome).with("broken", broken(why)).done())
    }

    /// Ends where it begins.
    pub fn stop(&mut self) {
        self.corridor.stop();
    }
}
