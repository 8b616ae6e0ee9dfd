//! Off-mesh connections: jumps, ladders, teleporters.

use crate::fault::Answer;
use crate::mesh::RawMesh;
use crate::named::{area, flags};
use crate::options::{Given, Named, apply};
use crate::record::Record;
use crate::refs::poly;
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::area::PolyFlags;
use wayfare::mesh::OffMeshConnection;

struct Extras(OffMeshConnection);

impl Named for Extras {
    fn set(&mut self, name: &str, value: &Given<'_>) -> Answer<bool> {
        match name {
            "radius" => self.0.radius = value.float()?,
            "twoWay" => self.0.two_way = value.truth()?,
            "area" => self.0.area = area(value.count()?)?,
            "flags" => self.0.flags = flags(value.count()?)?,
            "userId" => self.0.user_id = value.count()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[wasm_bindgen(js_class = RawMesh)]
impl RawMesh {
    #[wasm_bindgen(js_name = addConnection)]
    pub fn add_connection(&mut self, ends: &[f32], options: &JsValue) -> Answer<u64> {
        let [x, y, z, to_x, to_y, to_z] = crate::volume::fixed("connection", ends)?;
        let mut extras = Extras(OffMeshConnection {
            start: Vec3::new(x, y, z),
            end: Vec3::new(to_x, to_y, to_z),
            radius: 0.6,
            two_way: true,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        });
        apply(options, &mut extras)?;
        Ok(self.file.mesh.add_connection(extras.0)?.to_bits())
    }

    #[wasm_bindgen(js_name = removeConnection)]
    pub fn remove_connection(&mut self, reference: u64) -> Answer<()> {
        self.file.mesh.remove_connection(poly(reference)?)?;
        Ok(())
    }

    pub fn connections(&self) -> Vec<u64> {
        self.mesh().connections().map(|connection| connection.reference().to_bits()).collect()
    }

    pub fn connection(&self, reference: u64) -> Answer<JsValue> {
        let connection = self.mesh().connection(poly(reference)?)?;
        let (definition, state) = (connection.definition(), connection.state());
        let [start, end] = connection.ends();
        Ok(Record::new()
            .with("ref", reference)
            .point("start", Some(definition.start))
            .point("end", Some(definition.end))
            .with("radius", definition.radius)
            .with("twoWay", definition.two_way)
            .with("area", state.area.get())
            .with("flags", state.flags.0)
            .with("userId", definition.user_id)
            .point("startOnMesh", start.map(|place| place.point))
            .point("endOnMesh", end.map(|place| place.point))
            .done())
    }
}
