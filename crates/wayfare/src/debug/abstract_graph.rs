//! Draws the abstract graph of a mesh.

use super::{DebugSink, Role};
use crate::hierarchy::{AbstractGraph, GraphLevels};
use std::collections::BTreeSet;

/// Draws the nodes of an abstract graph, and the edges between them: within areas, and to other tiles. If it has
/// [levels](AbstractGraph::levels), those of the first filter are drawn too: the outlines of their clusters, and their
/// entrances.
pub fn draw_abstract_graph(graph: &AbstractGraph, sink: &mut impl DebugSink) {
    for tile in graph.tiles() {
        let portals = tile.graph().portals();
        for (number, portal) in (0..).zip(portals) {
            // Each edge once.
            for edge in tile.graph().edges_of(number).iter().filter(|edge| edge.to > number) {
                sink.line(&[portal.middle, portals[edge.to as usize].middle], Role::SearchTree);
            }
        }
    }
    for ends in graph.joins().filter(|[from, to]| from != to) {
        sink.line(&ends, Role::SearchTree);
    }
    for portal in graph.tiles().flat_map(|tile| tile.graph().portals()) {
        sink.point(portal.middle, Role::OpenNode);
    }
    if let Some(levels) = graph.levels().first() {
        draw_levels(levels, sink);
    }
}

fn draw_levels(levels: &GraphLevels, sink: &mut impl DebugSink) {
    // An entrance of a level is one of all levels below.
    let mut drawn = BTreeSet::new();
    for level in (0..levels.count()).rev() {
        for [a, b, c, d] in levels.outlines(level) {
            sink.line(&[a, b, c, d, a], Role::Cluster(level as u32 + 1));
        }
        for at in levels.entrances(level) {
            if drawn.insert(at.to_array().map(f32::to_bits)) {
                sink.point(at, Role::Entrance(level as u32 + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::{ShapeKind, ShapeList};
    use crate::query::DefaultFilter;
    use crate::query::test_maps::mesh;
    use std::sync::Arc;

    #[test]
    fn every_node_is_a_point() {
        let mesh = mesh(&[((0, 0), "aa\naa"), ((1, 0), "aa\naa")]);
        let graph = AbstractGraph::new(&mesh);
        let mut shapes = ShapeList::new();
        draw_abstract_graph(&graph, &mut shapes);
        let points = shapes.shapes().iter().filter(|shape| shape.kind == ShapeKind::Point).count();
        assert_eq!(points as u64, graph.size().nodes);
        assert!(shapes.shapes().iter().any(|shape| shape.kind == ShapeKind::Line));
    }

    #[test]
    fn levels_are_drawn_from_the_highest_down() {
        let places: Vec<_> = (0..144).map(|i| ((i % 12, i / 12), "aa\naa")).collect();
        let mesh = mesh(&places);
        let mut graph = AbstractGraph::new(&mesh);
        graph.add_levels(&mesh, Arc::new(DefaultFilter::default()));
        let mut shapes = ShapeList::new();
        draw_abstract_graph(&graph, &mut shapes);
        let outlines: Vec<_> = shapes.shapes().iter().filter(|shape| shape.role == Role::Cluster(1)).collect();
        assert_eq!((outlines.len(), graph.levels()[0].count()), (9, 1));
        let entrances = shapes.shapes().iter().filter(|shape| shape.role == Role::Entrance(1)).count();
        // Each lies on the border of two clusters.
        assert_eq!(2 * entrances as u64, graph.levels()[0].sizes().map(|size| size.entrances).sum::<u64>());
    }
}
