//! `wayfare draw MESH -o FILE.svg|.png`

use crate::failure::{Answer, Result};
use crate::input::mesh_file;
use crate::options::{Areas, Heights, Route, pixels};
use crate::output::{Kind, caption_of, draw_picture, targets};
use crate::terminal::Terminal;
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use wayfare::area::PathStatus;
use wayfare::debug::{ShapeKind, ShapeList, draw_abstract_graph, draw_mesh, draw_tile_detail};
use wayfare::hierarchy::AbstractGraph;
use wayfare::query::{DEFAULT_REACH, DefaultFilter};
use wayfare_draw::Caption;

/// Draw a mesh as seen from above
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare draw level.way -o level.svg
  wayfare draw level.way -o level.png --size 2400 --path 1,0,2:30,0,-8 --path 5,0,5:9,3,9:optimal:1.5
  wayfare draw house.way -o cellar.svg --heights -3:0")]
pub(crate) struct Draw {
    /// A .way file or another tool's mesh; - for standard input
    mesh: PathBuf,
    /// The picture to write: .svg or .png
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A path to find and draw: FROM:TO with points x,y,z, optionally followed by a search of `wayfare path --search`
    /// (such as :optimal) and the agent's radius (:R); can be given several times
    #[arg(long = "path", value_name = "P:P[:SEARCH][:R]", allow_hyphen_values = true)]
    paths: Vec<Route>,
    /// TOML file with names of area types for the legend, in the format of `bake --areas`
    #[arg(long, value_name = "FILE.toml")]
    areas: Option<PathBuf>,
    /// Longer side of the drawing, pixels; title, key and margins come on top
    #[arg(long, value_name = "PX", default_value_t = 1400, value_parser = pixels())]
    size: u32,
    /// Draw only what lies between two heights, metres, such as one floor
    #[arg(
        long,
        value_name = "LOW:HIGH",
        default_value = "-inf:inf",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    heights: Heights,
    /// Also draw the detail triangles
    #[arg(long)]
    detail: bool,
    /// Also draw the abstract graph of hierarchical searches: its nodes and edges and, on meshes of more than 64 tiles,
    /// the clusters of its levels with their entrances
    #[arg(long)]
    graph: bool,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
}

impl Draw {
    pub(crate) fn run(self) -> Result<Answer> {
        let terminal = Terminal::new(self.quiet);
        let inputs = core::iter::once(self.mesh.as_path()).chain(self.areas.as_deref());
        targets::check(&[(&self.output, Kind::of_picture(&self.output)?)], inputs)?;
        let mesh = mesh_file::read(&self.mesh)?;
        let mut shapes = ShapeList::new();
        let mut storey = self.heights.of(&mut shapes);
        draw_mesh(&mesh, &mut storey);
        if self.detail {
            mesh.tiles().for_each(|tile| draw_tile_detail(tile.data(), &mut storey));
        }
        if self.graph {
            let mut graph = AbstractGraph::new(&mesh);
            graph.add_levels(&mesh, Arc::new(DefaultFilter::of(&mesh)));
            draw_abstract_graph(&graph, &mut storey);
        }
        if !shapes.shapes().iter().any(|shape| shape.kind == ShapeKind::Polygon) {
            let why = if mesh.tile_count() == 0 { "the mesh has none" } else { "--heights leaves none" };
            terminal.warn(format_args!("there is nothing to draw: {why}"));
        }
        // The positions of the ends are printed if they differ from the requested points.
        let ends = |route: &Route| (route.from, route.to);
        let differ = self.paths.len() == 1 || self.paths.windows(2).any(|pair| ends(&pair[0]) != ends(&pair[1]));
        let mut key = Vec::new();
        for (number, route) in (0u32..).zip(&self.paths) {
            super::path::warn_of_radius(&mesh, route, terminal);
            let found = super::path::find(&mesh, *route, DEFAULT_REACH)?;
            if found.points.is_empty() {
                let off = found
                    .end_off_mesh()
                    .map_or_else(String::new, |end| format!(": there is no polygon near the {end}"));
                terminal.warn(format_args!("no path from {route}{off}"));
            } else if found.path.status == PathStatus::Partial {
                terminal.warn(format_args!("{route}: {}", found.result()));
            }
            found.moved().iter().for_each(|moved| terminal.warn(format_args!("{route}: {moved}")));
            let how = if differ { route.to_string() } else { route.how() };
            key.push(format!("{how}: {}", found.result()));
            found.draw(route.to.0, number, &mut shapes);
        }
        let mut caption = Caption { paths: key, ..caption_of(&self.mesh, &mesh) };
        caption.area_names.extend(Areas::read(self.areas.as_deref())?.names());
        draw_picture(&shapes, &caption, self.size, &self.output)?;
        Ok(Answer::Yes)
    }
}
