//! Links that a bake finds by itself: drops, jumps, climbs.

use crate::callback::with_progress;
use crate::fault::Answer;
use crate::level::RawLevel;
use crate::mesh::RawMesh;
use crate::named::bake_settings;
use crate::options::apply;
use crate::record::{Record, to_list};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wayfare::bake::{AutoLink, TilePlan, find_links};
use wayfare::input::{AgentSettings, LinkSettings};
use wayfare::tile::TileData;

/// What is usual for an agent, changed by rules.
pub(crate) fn link_settings(rules: &JsValue, agent: &AgentSettings) -> Answer<LinkSettings> {
    let mut links = LinkSettings::for_agent(agent);
    apply(rules, &mut links)?;
    links.check()?;
    Ok(links)
}

pub(crate) fn list<'a>(links: impl Iterator<Item = &'a AutoLink>) -> JsValue {
    to_list(links.map(|link| {
        Record::new()
            .with("kind", link.kind.name())
            .with("userId", link.id)
            .point("start", Some(link.start))
            .point("end", Some(link.end))
            .with("radius", link.radius)
            .with("twoWay", link.two_way)
            .with("area", link.area.get())
            .with("flags", link.flags.0)
            .done()
    }))
}

#[wasm_bindgen(js_name = RawLinks)]
pub struct RawLinks(Vec<AutoLink>);

#[wasm_bindgen(js_class = RawLinks)]
impl RawLinks {
    /// Looks for links on a mesh, with the settings by which it was baked.
    pub fn find(
        level: &RawLevel,
        options: &JsValue,
        mesh: &RawMesh,
        rules: &JsValue,
        progress: Option<Function>,
    ) -> Answer<RawLinks> {
        let settings = bake_settings(options)?;
        let links = link_settings(rules, &settings.agent)?;
        let level = level.parts.level();
        let plan = TilePlan::new(level, &settings)?;
        let tiles: Vec<&TileData> = mesh.mesh().tiles().map(|tile| tile.data()).collect();
        Ok(Self(with_progress(progress, |context| find_links(level, &plan, &tiles, &links, context))?))
    }

    pub fn list(&self) -> JsValue {
        list(self.0.iter())
    }

    /// Adds all of them to a mesh, and returns their references.
    #[wasm_bindgen(js_name = addTo)]
    pub fn add_to(&self, mesh: &mut RawMesh) -> Answer<Vec<u64>> {
        Ok(crate::refs::bits(&mesh.file.mesh.add_connections(&self.0)?))
    }
}
