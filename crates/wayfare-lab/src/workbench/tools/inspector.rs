//! Inspects a point: its polygon, and why it is walkable or not.

use super::path::fill;
use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::inspect::{Inspected, inspect};
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use wayfare::Vec3;

/// The tool.
#[derive(Debug, Default)]
pub struct InspectTool {
    at: Option<Vec3>,
    found: Option<(u64, Inspected)>,
}

impl InspectTool {
    fn look(&mut self, stage: &Stage) {
        let Some(at) = self.at else { return };
        if self.found.as_ref().is_none_or(|(version, _)| *version != stage.version()) {
            self.found = Some((stage.version(), inspect(stage, at)));
        }
    }
}

impl Tool for InspectTool {
    fn title(&self) -> &'static str {
        "Inspect"
    }

    fn help(&self) -> &'static str {
        "Click on any point of the level: on a polygon, to see what it is; beside the mesh, to learn why nobody can \
         stand there."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        self.look(stage);
        let Some((_, found)) = &self.found else {
            controls.note("Nothing chosen yet.");
            return;
        };
        controls.heading(if found.poly.is_some() { "Polygon" } else { "No polygon" });
        for (name, value) in &found.facts {
            controls.figure(name, value);
        }
        if !found.why.is_empty() {
            controls.heading("Explanation");
            controls.note(&found.why);
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        self.at = Some(click.at);
        self.found = None;
        self.look(stage);
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        let Some((_, found)) = &self.found else { return };
        if let (Some(mesh), Some(poly)) = (stage.mesh(), found.poly) {
            fill(mesh, poly, Ink::Current, canvas);
            if let Ok(view) = mesh.poly(poly) {
                let corners: Vec<Vec3> = view.points().collect();
                canvas.outline(&corners, Pen::of(Ink::Current).width(3.0));
                for (i, &corner) in corners.iter().enumerate() {
                    canvas.label(corner, i.to_string(), Ink::Text);
                }
                for portal in view.portals() {
                    canvas.line(portal.a, portal.b, Pen::of(Ink::Connection).width(4.0));
                }
            }
        }
        canvas.dot(found.at, 11.0, Ink::Current);
        if let Some(cause) = found.cause {
            canvas.dot(cause, 11.0, Ink::Warning);
            canvas.path(&[found.at, cause], Pen::of(Ink::Warning).width(2.0).dashed());
            canvas.label(cause, "the cause", Ink::Warning);
        }
    }

    fn points(&self) -> Vec<Vec3> {
        self.at.into_iter().collect()
    }

    fn set_points(&mut self, _: &mut Stage, points: &[Vec3]) {
        self.at = points.first().copied();
        self.found = None;
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
    fn a_click_shows_the_polygon() {
        let mut stage = baked_stage("flat");
        let at = stage.mesh().unwrap().bounds().center();
        let mut tool = InspectTool::default();
        tool.click(&mut stage, &Click::at(at));
        let mut script = Script::default();
        tool.panel(&mut stage, &mut script);
        assert!(script.figure("Corners").is_some());
        let mut canvas = Canvas::new();
        tool.draw(&stage, &mut canvas);
        assert!(!canvas.fills.is_empty());
    }
}
