//! Recorded searches, drawn up to a step: what was open and closed when so many nodes had been expanded.

use crate::canvas::{Canvas, Ink, Pen};
use crate::kit::{Stage, lifted};
use wayfare::graph::{RecordedSearch, SearchNode, SearchRecord};
use wayfare::mesh::PolyRef;
use wayfare::query::SearchScratch;

/// Memory for a search that is watched.
#[must_use]
pub fn watched() -> SearchScratch<SearchRecord<PolyRef>> {
    SearchScratch::new().observed_by(SearchRecord::new())
}

/// Draws a search after `steps` expansions: ground of closed nodes, the tree, open and closed nodes. The node that is
/// expanded in this step, if there is one.
pub fn draw_upto<'s>(
    canvas: &mut Canvas,
    stage: &Stage,
    search: &'s RecordedSearch<PolyRef>,
    steps: u32,
) -> Option<&'s SearchNode<PolyRef>> {
    let step = search.at_step(steps);
    for node in search.nodes().iter().filter(|node| step.is_closed(node.number)) {
        stage.fill_one(canvas, node.of, Ink::Closed, 0.25);
    }
    for node in step.found() {
        if let Some(parent) = step.parent_of(node) {
            canvas.line(lifted(parent.at), lifted(node.at), Pen::of(Ink::Tree).width(1.3));
        }
        canvas.dot(lifted(node.at), 7.0, if step.is_closed(node.number) { Ink::Closed } else { Ink::Open });
    }
    let current = step.current();
    if let Some(node) = current {
        stage.fill_one(canvas, node.of, Ink::Current, 0.5);
        canvas.dot(lifted(node.at), 12.0, Ink::Current);
        let trail: Vec<_> = search.trail(node.number).map(|node| lifted(node.at)).collect();
        canvas.path(&trail, Pen::of(Ink::Current).width(3.0));
    }
    current
}
