//! Automatic links of a bake: finds them with several threads, adds them to the mesh, and counts them.

use crate::baking;
use crate::failure::{Failure, Result};
use crate::terminal::Terminal;
use crate::threads;
use serde_json::{Value, json};
use std::time::Instant;
use wayfare::bake::{AutoLink, find_links};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, Level, LinkKind, LinkSettings};
use wayfare::mesh::NavMesh;

/// The links that were found, by kind, and how long it took.
#[derive(Debug, Default)]
pub(crate) struct Linked {
    counts: [u32; LinkKind::ALL.len()],
    ms: f64,
}

impl Linked {
    /// For the report of a bake: the number of links of each kind.
    pub(crate) fn json(&self) -> Value {
        let mut json = json!({ "ms": self.ms });
        for (kind, count) in LinkKind::ALL.into_iter().zip(self.counts) {
            json[kind.name().replace('-', "_")] = count.into();
        }
        json
    }

    /// A summary as text; `None` if none was found.
    pub(crate) fn told(&self) -> Option<String> {
        let some = LinkKind::ALL.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        let parts: Vec<String> = some.map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        (!parts.is_empty()).then(|| format!("links: {}", parts.join(", ")))
    }
}

/// Finds the links of a mesh that was just baked from a level and adds them.
pub(crate) fn add_links(
    level: Level<'_>,
    settings: &BakeSettings,
    links: &LinkSettings,
    (threads, terminal): (usize, Terminal),
    mesh: &mut NavMesh,
) -> Result<Linked> {
    if links.is_empty() {
        return Ok(Linked::default());
    }
    let (began, _bar) = (Instant::now(), terminal.bar("finding links", 0));
    let plan = baking::plan(level, settings)?;
    let pool = threads::pool(threads)?;
    let found: Vec<AutoLink> = {
        let tiles: Vec<_> = mesh.tiles().map(|tile| tile.data()).collect();
        pool.install(|| find_links(level, &plan, &tiles, links, &Context::default())).map_err(Failure::new)?
    };
    mesh.add_connections(&found).map_err(Failure::new)?;
    let mut linked = Linked { ms: began.elapsed().as_secs_f64() * 1e3, ..Linked::default() };
    found.iter().for_each(|link| linked.counts[link.kind as usize] += 1);
    Ok(linked)
}
