//! What there is at a point: the polygon, the column of spans, and why it is not walkable.

use super::stage::Stage;
use wayfare::Vec3;
use wayfare::bake::explain_around;
use wayfare::context::Context;
use wayfare::mesh::PolyRef;

/// What was found at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Inspected {
    /// The point, metres.
    pub at: Vec3,
    /// The polygon there.
    pub poly: Option<PolyRef>,
    /// What there is to say, by name.
    pub facts: Vec<(&'static str, String)>,
    /// Why it can be walked on, or not.
    pub why: String,
    /// Where the cause is, if it is elsewhere.
    pub cause: Option<Vec3>,
}

/// Looks at a point of the level.
#[must_use]
pub(crate) fn inspect(stage: &Stage, at: Vec3) -> Inspected {
    let mut found = Inspected { at, ..Inspected::default() };
    found.facts.push(("Point", format!("{:.2}, {:.2}, {:.2}", at.x, at.y, at.z)));
    look_at_polygon(stage, at, &mut found);
    explain(stage, at, &mut found);
    found
}

fn look_at_polygon(stage: &Stage, at: Vec3, found: &mut Inspected) {
    let (Some(mesh), Some(place)) = (stage.mesh(), stage.on_mesh(at)) else { return };
    let flat = (place.point - at) * Vec3::new(1.0, 0.0, 1.0);
    if flat.length() > 0.05 {
        found.facts.push(("Nearest polygon", format!("{} ({:.2} m)", place.poly, flat.length())));
        return;
    }
    let Ok(poly) = mesh.poly(place.poly) else { return };
    found.poly = Some(place.poly);
    found.facts.push(("Polygon", place.poly.to_string()));
    found.facts.push(("Area type", poly.area().get().to_string()));
    found.facts.push(("Flags", format!("{:#06b}", poly.flags().0)));
    found.facts.push(("Corners", poly.points().count().to_string()));
    found.facts.push(("Ways out", poly.portals().count().to_string()));
    found.facts.push(("Height", format!("{:.3} m", place.point.y)));
    let coord = poly.tile().coord();
    found.facts.push(("Tile", format!("{}, {} (layer {})", coord.x, coord.z, coord.layer)));
}

fn explain(stage: &Stage, at: Vec3, found: &mut Inspected) {
    let (Some(level), Some(world)) = (&stage.level, &stage.world) else { return };
    let Some(plan) = &world.plan else { return };
    let input = level.input(&stage.volumes);
    match explain_around(input.level(), plan, at, &Context::default()) {
        Ok(map) => {
            if let Some(explanation) = map.at(at) {
                found.why = explanation.to_string();
                found.cause = explanation.cause.map(|(_, place)| place);
                if let Some(cells) = explanation.cells {
                    found.facts.push(("Cells to an edge", cells.to_string()));
                }
            } else {
                found.why = "There is nothing to stand on.".to_owned();
            }
        }
        Err(error) => found.why = error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn a_polygon_has_facts_and_a_wall_has_a_reason() {
        let stage = baked_stage("flat");
        let bounds = stage.mesh().unwrap().bounds();
        let inside = inspect(&stage, bounds.center());
        assert!(inside.poly.is_some() && inside.facts.len() > 5, "{inside:?}");
        let edge = stage.level.as_ref().unwrap().bounds().min + Vec3::splat(0.05) * Vec3::new(1.0, 0.0, 1.0);
        let outside = inspect(&stage, edge);
        assert!(outside.poly.is_none() && !outside.why.is_empty(), "{outside:?}");
    }
}
