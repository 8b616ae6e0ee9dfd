//! The abstract graph: its contents, and a path over it, tile by tile.

use crate::canvas::{Canvas, Ink, Pen};
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::{Click, Tool};
use std::time::Duration;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::context::Clock;
use wayfare::debug::{draw_abstract_graph, draw_path};
use wayfare::hierarchy::{AbstractGraph, HierarchyScratch, InMemory, Refinement, find_hierarchical_path};
use wayfare::mesh::{NavMesh, PolyPoint, StaleRef};
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, string_pull};

type Found = (Vec<Vec3>, Vec<(&'static str, String)>);

/// A path over the abstract graph of a mesh, and its figures.
pub(super) fn abstract_path(mesh: &NavMesh, from: PolyPoint, to: PolyPoint) -> Result<Found, StaleRef> {
    refined_path(mesh, &AbstractGraph::new(mesh), [from, to], Refinement::Workspace(3))
}

fn refined_path(
    mesh: &NavMesh,
    graph: &AbstractGraph,
    [from, to]: [PolyPoint; 2],
    refinement: Refinement,
) -> Result<Found, StaleRef> {
    let mut world = InMemory::new(mesh, graph);
    let filter = DefaultFilter::of(mesh);
    let request = PathRequest::new(from, to);
    let answer = find_hierarchical_path(&mut world, &request, refinement, &filter, &mut HierarchyScratch::new())?;
    let straight = string_pull(&answer.path, &mut SearchScratch::new());
    let points = match answer.path.status {
        PathStatus::None => Vec::new(),
        _ => straight.points.iter().map(|point| point.point).collect(),
    };
    let figures = vec![
        ("Length", format!("{:.2} m", straight.length)),
        ("Corridors", answer.corridors.to_string()),
        ("Abstract nodes", answer.abstract_nodes.to_string()),
        ("Nodes over polygons", answer.path.nodes.to_string()),
    ];
    Ok((points, figures))
}

const REFINEMENTS: [&str; 4] =
    ["Whole path at once", "Nearest exit of a tile", "Pulled exit of a tile", "Window of tiles"];

/// The tool.
#[derive(Debug, Default)]
pub struct HierarchyTool {
    graph: Option<(u64, AbstractGraph, Duration)>,
    refinement: usize,
    ends: [Option<Vec3>; 2],
    answer: Option<Found>,
    hides_graph: bool,
}

impl HierarchyTool {
    fn bring_up_to_date(&mut self, stage: &Stage) {
        let Some(mesh) = stage.mesh() else { return };
        if self.graph.as_ref().is_some_and(|(version, ..)| *version == stage.version()) {
            return;
        }
        let before = crate::workbench::task::LabClock.now();
        let graph = match self.graph.take() {
            Some((_, mut graph, _)) => {
                graph.update(mesh);
                graph
            }
            None => AbstractGraph::new(mesh),
        };
        let took = crate::workbench::task::LabClock.now().saturating_sub(before);
        self.graph = Some((stage.version(), graph, took));
        self.ask(stage);
    }

    fn ask(&mut self, stage: &Stage) {
        self.answer = None;
        let (Some(mesh), Some((_, graph, _)), [Some(from), Some(to)]) = (stage.mesh(), &self.graph, self.ends) else {
            return;
        };
        let (Some(from), Some(to)) = (stage.on_mesh(from), stage.on_mesh(to)) else { return };
        let refinement = match self.refinement {
            0 => Refinement::Whole,
            1 => Refinement::NearestExit,
            2 => Refinement::PulledExit,
            _ => Refinement::Workspace(3),
        };
        self.answer = refined_path(mesh, graph, [from, to], refinement).ok();
    }
}

impl Tool for HierarchyTool {
    fn title(&self) -> &'static str {
        "Hierarchy"
    }

    fn help(&self) -> &'static str {
        "The graph of crossings between tiles, over which long paths are found first. Shift-click sets the start, a \
         click the goal. Rebuild a tile with another tool, and only its part of the graph is made anew."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        self.bring_up_to_date(stage);
        let mut shown = !self.hides_graph;
        controls.toggle("Show the graph", &mut shown);
        self.hides_graph = !shown;
        controls.hint("How the path over the graph becomes one over polygons");
        if controls.choice("Refinement", &mut self.refinement, &REFINEMENTS) {
            self.ask(stage);
        }
        if let Some((_, graph, took)) = &self.graph {
            let size = graph.size();
            controls.heading("Graph");
            controls.figure("Tiles", &size.tiles.to_string());
            controls.figure("Areas", &size.areas.to_string());
            controls.figure("Nodes", &size.nodes.to_string());
            controls.figure("Edges", &size.edges.to_string());
            controls.figure("Memory", &format!("{:.1} kB", size.bytes as f64 / 1024.0));
            controls.figure("Last update", &format!("{:.2} ms", took.as_secs_f64() * 1e3));
        }
        if let Some((points, figures)) = &self.answer {
            controls.heading("Path");
            controls.figure("Status", if points.is_empty() { "none" } else { "found" });
            for (name, value) in figures {
                controls.figure(name, value);
            }
        }
    }

    fn click(&mut self, stage: &mut Stage, click: &Click) {
        let end = usize::from(!click.shift && self.ends[0].is_some());
        self.ends[end] = Some(click.at);
        self.bring_up_to_date(stage);
        self.ask(stage);
    }

    fn draw(&self, stage: &Stage, canvas: &mut Canvas) {
        if let (false, Some((_, graph, _))) = (self.hides_graph, &self.graph) {
            draw_abstract_graph(graph, canvas);
        }
        if let Some((points, _)) = &self.answer
            && let Some(&end) = points.last()
        {
            draw_path(points, end, 0, canvas);
        }
        for (end, ink) in self.ends.iter().zip([Ink::Start, Ink::Goal]) {
            if let Some(at) = *end {
                let at = stage.on_mesh(at).map_or(at, |place| place.point);
                canvas.circle(at, stage.agent_size().0, Pen::of(ink).width(3.0));
            }
        }
    }

    fn points(&self) -> Vec<Vec3> {
        self.ends.into_iter().flatten().collect()
    }

    fn set_points(&mut self, stage: &mut Stage, points: &[Vec3]) {
        self.ends = [points.first().copied(), points.get(1).copied()];
        self.bring_up_to_date(stage);
        self.ask(stage);
    }

    fn reset(&mut self) {
        *self = Self { refinement: self.refinement, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn a_path_is_found_over_the_graph() {
        let mut stage = baked_stage("dungeon");
        let [from, to] = stage.level.as_ref().unwrap().errand.unwrap();
        let mut tool = HierarchyTool::default();
        tool.click(&mut stage, &Click::at(from));
        tool.click(&mut stage, &Click::at(to));
        let points = tool.points();
        tool.reset();
        tool.set_points(&mut stage, &points);
        let mut script = Script::default();
        tool.panel(&mut stage, &mut script);
        assert_eq!(script.figure("Status"), Some("found"));
        let mut canvas = Canvas::new();
        tool.draw(&stage, &mut canvas);
        assert!(canvas.dots.len() > 4);
    }
}
