//! `wayfare path MESH --from P --to P`

use super::footing::Footing;
use super::hierarchical::{Hierarchical, StoredWorld};
use crate::failure::{Answer, Failure, Result};
use crate::input::mesh_file;
use crate::input::store_file::is_store_path;
use crate::options::{Drawing, Point, Reach, Residency, Route, Search, radius};
use crate::output::numbers::{counted, number, point};
use crate::output::{atomic_file, caption_of, draw_picture};
use crate::terminal::Terminal;
use clap::Args;
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::debug::{ShapeList, draw_mesh, draw_partial_path, draw_path};
use wayfare::hierarchy::AbstractGraph;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    ClearanceMesh, DEFAULT_REACH, DefaultFilter, NodePlacement, PathRequest, PolyPath, SearchScratch, StraightPath,
    extra_radius, find_nearest, find_optimal_path, find_path, string_pull,
};
use wayfare_draw::Caption;

/// Find one path
#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 if the path reaches its goal, 1 if it does not (what comes nearest is printed).
Examples:
  wayfare path level.way --from 1,0,2 --to 30,0,-8
  wayfare path level.way --from 1,0,2 --to 30,0,-8 --json --draw path.svg
  wayfare path level.way --from 1,0,2 --to 30,0,-8 --search optimal --radius 1.5")]
#[command(mut_arg("draw", |a| a.help("Draw the mesh and the path: .svg or .png")))]
pub(crate) struct FindPath {
    /// A .way file or another tool's mesh; - for standard input
    mesh: PathBuf,
    /// Where to begin: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    from: Point,
    /// Where to go: x,y,z
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    to: Point,
    /// How far the mesh may be from these points: along x, y and z
    #[arg(long, value_name = "X,Y,Z", default_value_t = Reach(DEFAULT_REACH), allow_hyphen_values = true)]
    reach: Reach,
    /// How to search: polygon by polygon, in any direction, or over the graph of tiles first [default: corridor; with
    /// --resident-tiles: hierarchical]
    #[arg(long, value_enum)]
    search: Option<Search>,
    /// Radius of the agent, metres [default: that of the mesh]
    #[arg(long, value_name = "R", value_parser = radius)]
    radius: Option<f32>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    residency: Residency,
    #[command(flatten)]
    drawing: Drawing,
}

/// The names of the ends of a path.
pub(super) const ENDS: [&str; 2] = ["start", "goal"];

/// A path with details of the search.
#[derive(Debug)]
pub(super) struct Found {
    /// The positions on the mesh of start and goal, if there are any.
    pub(super) ends: [Option<Footing>; 2],
    pub(super) path: PolyPath,
    pub(super) points: Vec<Vec3>,
    pub(super) length: f32,
    /// How many times the cheapest possible cost the path may cost at most, if the search knows.
    pub(super) bound: Option<f32>,
    /// Further fields from the search.
    pub(super) remarks: Map<String, Value>,
}

impl Found {
    /// The remarks about ends that are away from their points.
    pub(super) fn moved(&self) -> Vec<String> {
        self.ends.iter().zip(ENDS).filter_map(|(footing, end)| footing.as_ref()?.told(end)).collect()
    }

    /// The first end without a position on the mesh.
    pub(super) fn end_off_mesh(&self) -> Option<&'static str> {
        self.ends.iter().zip(ENDS).find_map(|(footing, end)| footing.is_none().then_some(end))
    }

    /// Draws the path, dashed if it does not reach its goal.
    pub(super) fn draw(&self, goal: Vec3, number: u32, shapes: &mut ShapeList) {
        match self.path.status {
            PathStatus::Complete => draw_path(&self.points, goal, number, shapes),
            _ => draw_partial_path(&self.points, goal, number, shapes),
        }
    }

    /// The result in a word or two.
    pub(super) fn result(&self) -> String {
        match self.path.status {
            PathStatus::Complete => format!("{:.1} m", self.length),
            PathStatus::Partial => "not reached".to_owned(),
            PathStatus::None => "not on the mesh".to_owned(),
        }
    }
}

/// The radius of the widest agent for which a mesh was baked.
pub(super) fn baked_radius(mesh: &NavMesh) -> f32 {
    mesh.tiles().map(|tile| tile.data().baked_for().radius).fold(0.0, f32::max)
}

/// The mesh for an agent of some radius.
pub(super) fn for_radius(mesh: &NavMesh, radius: f32, filter: &DefaultFilter) -> Result<ClearanceMesh> {
    ClearanceMesh::new(mesh, extra_radius(mesh, radius), filter)
        .map_err(|e| Failure::new(format_args!("radius {radius}: {e}")))
}

/// Warns that a radius below that of the mesh is not possible.
pub(super) fn warn_of_radius(mesh: &NavMesh, route: &Route, terminal: Terminal) {
    let baked = baked_radius(mesh);
    if let Some(radius) = route.radius.filter(|radius| *radius < baked) {
        terminal.warn(format_args!(
            "the mesh was baked for agents of {baked} m: the path keeps that from walls, not {radius} m"
        ));
    }
}

/// Finds a path between two positions near the mesh, on the mesh for the agent's radius.
///
/// # Errors
/// If that mesh cannot be cut.
pub(super) fn find(mesh: &NavMesh, route: Route, half_extents: Vec3) -> Result<Found> {
    let Some(radius) = route.radius else { return Ok(find_on(mesh, route, half_extents)) };
    let wide = for_radius(mesh, radius, &DefaultFilter::of(mesh))?;
    let mut found = find_on(wide.mesh(), route, half_extents);
    found.path.polys = base_polys(&wide, &found.path.polys);
    Ok(found)
}

/// The polygons of the base mesh for a path over a mesh cut for a wider agent.
pub(super) fn base_polys(wide: &ClearanceMesh, polys: &[PolyRef]) -> Vec<PolyRef> {
    let mut base: Vec<PolyRef> = polys.iter().filter_map(|&poly| wide.base_poly(poly)).collect();
    base.dedup();
    base
}

/// The points of a straight path; a connection that begins where the last one ended is one point, not two. A path that
/// ends where it starts still has both ends.
pub(super) fn points_of(straight: &StraightPath) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = straight.points.iter().map(|p| p.point).collect();
    if points.len() > 2 {
        points.dedup();
    }
    points
}

fn find_on(mesh: &NavMesh, route: Route, half_extents: Vec3) -> Found {
    let filter = DefaultFilter::of(mesh);
    let ends = [route.from.0, route.to.0].map(|asked| {
        let found = find_nearest(mesh, asked, half_extents, &filter)?;
        Some(Footing::new(mesh, asked, found.place(), route.radius.unwrap_or(0.0)))
    });
    let mut found =
        Found { ends, path: PolyPath::default(), points: Vec::new(), length: 0.0, bound: None, remarks: Map::new() };
    let [Some(start), Some(goal)] = ends else { return found };
    let placement = match route.search {
        Search::Corridor | Search::Optimal | Search::Hierarchical => NodePlacement::Middle,
        Search::CorridorNearest => NodePlacement::Nearest,
        Search::CorridorVisible => NodePlacement::Visible,
    };
    let request = PathRequest { placement, ..PathRequest::new(start.place, goal.place) };
    let mut scratch = SearchScratch::new();
    // Both references were just found in this mesh, so they are not stale.
    let answer = match route.search {
        Search::Optimal => find_optimal_path(mesh, &request, &filter, &mut scratch).map(|optimal| {
            found.bound = Some(optimal.bound).filter(|bound| bound.is_finite());
            (optimal.path, optimal.straight)
        }),
        Search::Hierarchical => {
            let mut graph = AbstractGraph::new(mesh);
            graph.add_levels(mesh, Arc::new(filter.clone()));
            let mut search = Hierarchical::default();
            let path = search.search((mesh, &graph), &request, &filter).cloned();
            found.remarks = search.fields();
            path.map(|path| {
                let straight = string_pull(&path, &mut scratch);
                (path, straight)
            })
        }
        _ => find_path(mesh, &request, &filter, &mut scratch).map(|path| {
            let straight = string_pull(&path, &mut scratch);
            (path, straight)
        }),
    };
    if let Ok((path, straight)) = answer {
        found.points = points_of(&straight);
        (found.length, found.path) = (straight.length, path);
    }
    found
}

/// Finds a path over a store with only some of its tiles in memory.
fn find_stored(mut world: StoredWorld, route: Route, half_extents: Vec3) -> Found {
    let filter = world.default_filter();
    let ends = [route.from.0, route.to.0].map(|asked| {
        let place = world.nearest(asked, half_extents, &filter)?;
        Some(Footing::new(world.mesh(), asked, place, 0.0))
    });
    let remarks = Map::new();
    let mut found = Found { ends, path: PolyPath::default(), points: Vec::new(), length: 0.0, bound: None, remarks };
    let [Some(start), Some(goal)] = ends else { return found };
    let mut search = Hierarchical::default();
    let request = PathRequest::new(start.place, goal.place);
    if let Ok(path) = search.search_stored(&mut world, &request, &filter) {
        found.path = path.clone();
    }
    let straight = string_pull(&found.path, search.scratch());
    (found.points, found.length) = (points_of(&straight), straight.length);
    found.remarks = search.fields();
    if let Some(event) = world.event() {
        found.remarks.entry("event").or_insert_with(|| event.into());
    }
    found
}

/// A polygon as JSON: the tile's slot, the polygon's index in the tile.
pub(super) fn poly_json(poly: PolyRef) -> [u32; 2] {
    [poly.slot().get(), poly.poly().get()]
}

impl FindPath {
    pub(crate) fn run(self) -> Result<Answer> {
        self.drawing.check(&[&self.mesh])?;
        self.residency.check(&self.mesh)?;
        let usual = if self.residency.is_given() { Search::Hierarchical } else { Search::Corridor };
        let search = self.search.unwrap_or(usual);
        let route = Route { from: self.from, to: self.to, search, radius: self.radius };
        let all_loaded = [
            (route.search != Search::Hierarchical, "other searches load every tile: give --search hierarchical"),
            (route.radius.is_some(), "the mesh for another radius is cut from every tile: leave out --radius"),
            (self.drawing.draw.is_some(), "a picture shows every tile: leave out --draw"),
        ];
        let all_loaded = all_loaded.into_iter().find_map(|(is_so, what)| is_so.then_some(what));
        self.residency.check_partial(all_loaded)?;
        if all_loaded.is_none() && is_store_path(&self.mesh) {
            return self.tell(&find_stored(StoredWorld::open(&self.mesh, self.residency)?, route, self.reach.0));
        }
        let mesh = mesh_file::read(&self.mesh)?;
        warn_of_radius(&mesh, &route, Terminal::new(false));
        let found = find(&mesh, route, self.reach.0)?;
        if let Some(target) = &self.drawing.draw {
            let mut shapes = ShapeList::new();
            draw_mesh(&mesh, &mut shapes);
            found.draw(self.to.0, 0, &mut shapes);
            let key = vec![format!("{route}: {}", found.result())];
            let caption = Caption { paths: key, ..caption_of(&self.mesh, &mesh) };
            draw_picture(&shapes, &caption, self.drawing.size, target)?;
        }
        self.tell(&found)
    }

    /// Prints the result.
    fn tell(&self, found: &Found) -> Result<Answer> {
        let text = if self.json { format!("{:#}\n", json(found)) } else { self.text(found) };
        atomic_file::print(text.as_bytes())?;
        Ok(if found.path.status == PathStatus::Complete { Answer::Yes } else { Answer::No })
    }

    fn text(&self, found: &Found) -> String {
        let remarks = found.moved().iter().fold(String::new(), |all, remark| all + "; " + remark);
        let mut text = format!("{}{remarks}\n", self.summary(found));
        for p in &found.points {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{},{},{}", p.x, p.y, p.z);
        }
        text
    }

    fn summary(&self, found: &Found) -> String {
        let Reach(reach) = self.reach;
        for ((footing, what), point) in found.ends.iter().zip(ENDS).zip([self.from, self.to]) {
            if footing.is_none() {
                let agent =
                    self.radius.map_or_else(String::new, |radius| format!(" for an agent of radius {radius} m"));
                return format!(
                    "no path: there is no polygon{agent} within {},{},{} m of the {what} {point} (--reach looks farther)",
                    reach.x, reach.y, reach.z
                );
            }
        }
        let Found { path, points, length, .. } = found;
        let (polys, nodes) = (path.polys.len(), path.nodes);
        match path.status {
            PathStatus::Complete => {
                format!(
                    "a path of {length:.2} m over {} with {}, found with {}{}",
                    counted(polys as u64, "polygon"),
                    counted(points.len() as u64, "point"),
                    counted(nodes, "node"),
                    found.bound.map_or_else(String::new, bound_told)
                )
            }
            PathStatus::Partial => {
                let gap = points.last().map_or(0.0, |p| p.distance(self.to.0));
                format!(
                    "no path: the goal cannot be reached (`wayfare explain` says why); what comes nearest ends {gap:.2} m from \
                     it after {length:.2} m"
                )
            }
            PathStatus::None => "no path".to_owned(),
        }
    }
}

/// The remark about the quality of an optimal search's path.
fn bound_told(bound: f32) -> String {
    // Smaller differences are within the rounding.
    if bound <= 1.0001 {
        return "; none is cheaper".to_owned();
    }
    format!("; none costs less than {:.0} % of what it does", (100.0 / bound).floor())
}

fn json(found: &Found) -> serde_json::Value {
    let path = &found.path;
    let mut json = json!({
        "status": path.status.to_string(),
        "polys": path.polys.iter().map(|&p| poly_json(p)).collect::<Vec<_>>(),
        "cost": number(path.cost),
        "points": found.points.iter().map(|&p| point(p)).collect::<Vec<_>>(),
        "length": number(found.length),
        "nodes": path.nodes,
    });
    if let Some(limit) = path.limit {
        json["limit"] = limit.to_string().into();
    }
    if let Some(bound) = found.bound {
        json["bound"] = number(bound);
    }
    for (name, value) in &found.remarks {
        json[name] = value.clone();
    }
    if let Some(end) = found.end_off_mesh() {
        json["reason"] = format!("{end}-off-mesh").into();
    }
    for (footing, end) in found.ends.iter().zip(ENDS) {
        if let Some(gap) = footing.and_then(|footing| footing.gap) {
            json[format!("{end}_gap")] = number(gap);
        }
    }
    json
}
