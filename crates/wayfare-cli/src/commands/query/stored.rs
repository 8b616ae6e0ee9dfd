//! A batch of hierarchical paths over a store with only some of its tiles in memory.

use super::line::Line;
use crate::commands::footing::Footing;
use crate::commands::hierarchical::{Hierarchical, StoredWorld};
use crate::commands::path::{ENDS, points_of, poly_json};
use crate::failure::Result;
use crate::options::{Residency, json_lines};
use crate::output::numbers::{number, point};
use serde_json::{Map, Value, json};
use std::path::Path;
use wayfare::query::{DefaultFilter, PathRequest, string_pull};

/// The answers to a batch, if it contains only hierarchical paths of the mesh's own agents.
pub(super) fn answers(path: &Path, batch: &[u8], residency: Residency) -> Result<Option<String>> {
    let understood = |(_, text): (u64, &[u8])| {
        let value: Value = serde_json::from_slice(text).ok()?;
        let line = Line::read(text).ok()?;
        let is_ours = line.op == "path" && line.search.as_deref() == Some("hierarchical") && !line.has_radius();
        // Invalid lines are reported where all lines are parsed.
        let is_sound = line.start().and(line.end()).and(line.half_extents()).is_ok();
        let has_filter = line.filter(DefaultFilter::default()).is_ok();
        (is_ours && is_sound && has_filter).then(|| (value.get("id").cloned().unwrap_or(Value::Null), line))
    };
    let Some(lines) = json_lines::numbered(batch).map(understood).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let mut world = StoredWorld::open(path, residency)?;
    let mut search = Hierarchical::default();
    let mut answers = String::new();
    for (id, line) in lines {
        let mut answer = answer(&line, &mut world, &mut search).unwrap_or_default();
        answer.insert("id".into(), id);
        answers.push_str(&format!("{}\n", Value::Object(answer)));
    }
    Ok(Some(answers))
}

fn answer(
    line: &Line,
    world: &mut StoredWorld,
    search: &mut Hierarchical,
) -> std::result::Result<Map<String, Value>, String> {
    let half_extents = line.half_extents()?;
    let mut filter = DefaultFilter::default();
    let mut answer = Map::new();
    let mut places = Vec::new();
    for (asked, end) in [line.start()?, line.end()?].into_iter().zip(ENDS) {
        filter = line.filter(world.default_filter())?;
        let Some(place) = world.nearest(asked, half_extents, &filter) else {
            answer.insert("poly".into(), Value::Null);
            answer.entry("reason").or_insert_with(|| json!(format!("{end}-off-mesh")));
            continue;
        };
        let footing = Footing::new(world.mesh(), asked, place, 0.0);
        if let Some(gap) = footing.gap {
            answer.insert(format!("{end}_gap"), number(gap));
        }
        places.push(place);
    }
    let mut path = wayfare::query::PolyPath::default();
    if let [start, goal] = places[..]
        && let Ok(found) = search.search_stored(world, &PathRequest::new(start, goal), &filter)
    {
        path = found.clone();
        answer.extend(search.fields());
    }
    if let Some(event) = world.event() {
        answer.entry("event").or_insert_with(|| json!(event));
    }
    let straight = string_pull(&path, search.scratch());
    answer.insert("status".into(), json!(path.status.to_string()));
    answer.insert("polys".into(), path.polys.iter().map(|&poly| json!(poly_json(poly))).collect());
    answer.insert("cost".into(), number(path.cost));
    answer.insert("points".into(), points_of(&straight).into_iter().map(point).collect());
    answer.insert("length".into(), number(straight.length));
    answer.insert("nodes".into(), json!(path.nodes));
    if let Some(limit) = path.limit {
        answer.insert("limit".into(), json!(limit.to_string()));
    }
    Ok(answer)
}
