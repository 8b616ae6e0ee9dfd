//! Area types: their names, costs, and the flags that go with them.

use crate::fault::{Answer, Fault};
use crate::mesh::RawMesh;
use crate::named::{area, flags};
use crate::record::{Record, to_list};
use wasm_bindgen::prelude::*;
use wayfare::area::{AreaId, AreaInfo, AreaTable};

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    pub fn areas(&self) -> JsValue {
        to_list(self.mesh().areas().iter().map(|info| {
            Record::new().with("area", info.area.get()).with("name", info.name.as_str()).with("cost", info.cost).done()
        }))
    }

    #[wasm_bindgen(js_name = setAreas)]
    pub fn set_areas(&mut self, ids: &[u32], names: Vec<String>, costs: &[f32]) -> Answer<()> {
        if ids.len() != names.len() || ids.len() != costs.len() {
            return Err(Fault::argument("each area takes a number, a name and a cost"));
        }
        let infos = ids.iter().zip(names).zip(costs);
        let infos = infos.map(|((id, name), cost)| Ok(AreaInfo { area: area(*id)?, name, cost: *cost }));
        let table = AreaTable::new(infos.collect::<Answer<Vec<_>>>()?)?;
        self.file.mesh.set_areas(table);
        Ok(())
    }

    /// The flags that all polygons of an area type have, whichever tile they come in; `undefined` where none are set.
    #[wasm_bindgen(js_name = areaFlags)]
    pub fn area_flags(&self, id: u32) -> Answer<Option<u16>> {
        Ok(self.mesh().area_rules().flags(area(id)?).map(|flags| flags.0))
    }

    #[wasm_bindgen(js_name = setAreaFlags)]
    pub fn set_area_flags(&mut self, id: u32, bits: Option<u32>) -> Answer<()> {
        let area: AreaId = area(id)?;
        match bits {
            Some(bits) => self.file.mesh.set_area_flags(area, flags(bits)?),
            None => self.file.mesh.clear_area_flags(area),
        }
        Ok(())
    }
}
