//! Closes what cannot be reached from a point: islands on roofs and in rocks.

use super::path::fill;
use crate::canvas::{Canvas, Ink};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;
use wayfare::area::PolyFlags;
use wayfare::components::Components;
use wayfare::mesh::{NavMesh, PolyRef};

/// The tool.
#[derive(Debug, Default)]
pub struct PruneTool {
    from: Option<Vec3>,
    lost: Option<(u64, Vec<PolyRef>)>,
}

/// The open polygons that nobody reaches from `from`.
fn unreachable(mesh: &NavMesh, from: PolyRef) -> Vec<PolyRef> {
    let components = Components::of(mesh);
    let all = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| (tile.reference(poly), tile.state(poly))));
    all.filter(|(poly, state)| state.flags != PolyFlags::NONE && !components.may_reach(from, *poly))
        .map(|(poly, _)| poly)
        .collect()
}

impl PruneTool {
    fn look(&mut self, stage: &Stage) {
        if self.lost.as_ref().is_some_and(|(version, _)| *version == stage.version()) {
            return;
        }
        let found = self.from.and_then(|from| Some(unreachable(stage.mesh()?, stage.on_mesh(from)?.poly)));
        self.lost = found.map(|lost| (stage.version(), lost));
    }
}

impl Tool for PruneTool {
    fn title(&self) -> &'static str {
        "Prune"
    }

    fn help(&self) -> &'static str {
        "Click where agents begin. What they can never reach is shown, and can be closed, so that nothing is placed or \
         searched for there."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        self.look(stage);
        let Some((_, lost)) = &self.lost else {
            controls.note("Click on the mesh first.");
            return;
        };
        controls.figure("Out of reach", &format!("{} polygons", lost.len()));
        if !lost.is_empty() && controls.button("Close them") {
            let lost = lost.clone();
            stage.edit("close what is out of reach", |mesh| {
                lost.iter().filter(|&&poly| mesh.set_flags(poly, PolyFlags::NONE).is_ok()).count()
            });
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        self.from = Some(click.at);
        self.lost = None;
        self.look(stage);
    }

    fn update(&mut self, stage: &mut Stage, _: f32) -> bool {
        self.look(stage);
        false
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        if let (Some(mesh), Some((_, lost))) = (stage.mesh(), &self.lost) {
            lost.iter().for_each(|&poly| fill(mesh, poly, Ink::Forbidden, canvas));
        }
        if let Some(from) = self.from {
            canvas.dot(from, 13.0, Ink::Start);
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn islands_are_found_and_closed() {
        let mut stage = baked_stage("city");
        let from = stage.level.as_ref().unwrap().errand.unwrap()[0];
        let mut tool = PruneTool::default();
        tool.click(&mut stage, &Click::at(from));
        let lost = tool.lost.as_ref().unwrap().1.len();
        assert!(lost > 0, "roofs of a city are islands");
        tool.panel(&mut stage, &mut Script::press("Close them"));
        tool.update(&mut stage, 0.0);
        assert_eq!(tool.lost.as_ref().unwrap().1.len(), 0);
        assert!(stage.undo());
    }
}
