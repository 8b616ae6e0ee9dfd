//! What happened in the last tick.

use crate::crowd::{RawCrowd, number_of};
use crate::path::broken;
use crate::record::{Record, to_list};
use wasm_bindgen::prelude::*;
use wayfare::crowd::{CrowdEvent, EventKind};

#[wasm_bindgen(js_class = RawCrowd)]
impl RawCrowd {
    pub fn events(&self) -> JsValue {
        to_list(self.crowd.events().iter().map(|event| self.event(event)))
    }

    fn event(&self, event: &CrowdEvent) -> JsValue {
        let record = Record::new().with("agent", number_of(event.agent));
        match event.kind {
            EventKind::PathFound { complete } => record.with("kind", "path-found").with("complete", complete),
            EventKind::Unreachable => record.with("kind", "unreachable"),
            EventKind::PathLost(why) => record.with("kind", "path-lost").with("broken", broken(Some(why))),
            EventKind::PathBreaksSoon(why) => record.with("kind", "path-breaks-soon").with("broken", broken(Some(why))),
            EventKind::Displaced { from, to } => {
                record.with("kind", "displaced").point("from", Some(from)).point("to", Some(to))
            }
            EventKind::SurfaceLost => record.with("kind", "surface-lost"),
            EventKind::Arrived => record.with("kind", "arrived"),
            EventKind::Blocked { spells } => record.with("kind", "blocked").with("spells", spells),
            EventKind::GaveUp => record.with("kind", "gave-up"),
            EventKind::ConnectionEntered(crossing) => record
                .with("kind", "connection-entered")
                .with("connection", crossing.connection.to_bits())
                .point("from", Some(crossing.from))
                .point("to", Some(crossing.to)),
            EventKind::ConnectionLeft(crossing) => record
                .with("kind", "connection-left")
                .with("connection", crossing.connection.to_bits())
                .point("from", Some(crossing.from))
                .point("to", Some(crossing.to)),
            EventKind::Obstructed { by } => record.with("kind", "obstructed").with("by", by),
            _ => record.with("kind", "other"),
        }
        .done()
    }
}
