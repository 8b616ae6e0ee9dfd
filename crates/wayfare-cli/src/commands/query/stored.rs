//! Hierarchical paths over a store with only some of its tiles in memory.

use super::command::parse;
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

/// A store that is asked for paths.
pub(super) struct Stored {
    world: StoredWorld,
    search: Hierarchical,
}

/// Whether a batch contains only lines that can be answered without loading all tiles.
pub(super) fn can_answer(batch: &[u8]) -> bool {
    json_lines::numbered(batch).all(|(_, text)| parse(text).2.is_ok_and(|line| is_ours(&line)))
}

/// Whether a line asks for a hierarchical path of the mesh's own agents.
fn is_ours(line: &Line) -> bool {
    line.op == "path" && line.search.as_deref() == Some("hierarchical") && !line.has_radius()
}

impl Stored {
    pub(super) fn open(path: &Path, residency: Residency) -> Result<Self> {
        Ok(Self { world: StoredWorld::open(path, residency)?, search: Hierarchical::default() })
    }

    /// The answer to a line by its number and its text, one line of JSON, and whether it could be understood.
    pub(super) fn answer(&mut self, (number, text): (u64, &[u8])) -> (String, bool) {
        let (id, _, line) = parse(text);
        let answer = line.and_then(|line| match is_ours(&line) {
            true => answer(&line, &mut self.world, &mut self.search),
            false => Err("needs every tile in memory: with --resident-tiles ask for a \"path\" with \"search\": \
                          \"hierarchical\" and no \"radius\", or leave out --resident-tiles"
                .into()),
        });
        let is_understood = answer.is_ok();
        let wrong = |message| Map::from_iter([("error".to_owned(), json!(format!("line {number}: {message}")))]);
        let mut answer = answer.unwrap_or_else(wrong);
        answer.insert("id".into(), id);
        (format!("{}\n", Value::Object(answer)), is_understood)
    }
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
