//! Queries from one position to another: path, reachable, raycast, move.
//!
//! Positions were just found in the same mesh, so no reference is stale, and a stale one is treated as an empty answer.

use super::clearances::Clearances;
use super::graphs::Graphs;
use super::question::{Ground, Question, fields, nowhere, overlaid, polys_json};
use crate::commands::hierarchical::Hierarchical;
use crate::commands::path::{baked_radius, base_polys, points_of};
use crate::commands::query::line::Line;
use crate::output::numbers::{number, point};
use serde_json::{Map, Value, json};
use std::rc::Rc;
use wayfare::Vec3;
use wayfare::context::Budget;
use wayfare::hierarchy::AbstractGraph;
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, PolyRef, StaleRef};
use wayfare::query::{
    BoxGoalRequest, ClearanceMesh, CostBounds, CostOverlay, DefaultFilter, NodePlacement, OptimalPath, PathRequest,
    PointKind, PolyPath, PolyPoint, QueryFilter, Raycast, SearchScratch, SlicedSearch, StraightPath,
    find_bounded_path_into, find_optimal_path_into, find_path_into, find_path_to_box, is_reachable,
    move_along_surface_into, raycast_into, string_pull_into,
};

/// How a path is searched.
#[derive(Clone, Copy)]
enum Search {
    /// At once, with this node placement.
    Corridor(NodePlacement),
    /// In steps of this many nodes, like a game that spreads a search over frames.
    Sliced(u64),
    /// In any direction: the shortest path.
    Optimal,
    /// Over the abstract graph of the tiles first.
    Hierarchical,
    /// Over portals, guided by bounds of costs that were computed in advance.
    Bounded,
}

/// Nodes per step of a sliced search.
const SLICE: u64 = 32;

/// Where a path should lead.
#[derive(Clone, Copy)]
enum Goal {
    Place(Option<PolyPoint>),
    Box(Aabb),
}

pub(super) struct PathOp<F> {
    start: Option<PolyPoint>,
    goal: Goal,
    search: Search,
    filter: F,
    path: PolyPath,
    straight: StraightPath,
    /// The answer of an optimal search, in place of the two above.
    optimal: OptimalPath,
    /// For a hierarchical search, the graph of the mesh, and the search.
    hierarchical: Option<(Rc<AbstractGraph>, Hierarchical)>,
    /// For a search guided by bounds.
    bounds: Option<Rc<CostBounds>>,
    /// The mesh for a wider agent, if requested, and the distance from walls that a path on it keeps: at least the
    /// mesh's own.
    wide: Option<(Rc<ClearanceMesh>, f32)>,
}

impl PathOp<DefaultFilter> {
    /// `path`
    pub(super) fn new(
        line: &Line,
        ground: Ground<'_>,
        clearances: &mut Clearances,
        graphs: &mut Graphs,
    ) -> Result<Self, String> {
        let search = match line.search.as_deref() {
            None | Some("corridor") => Search::Corridor(NodePlacement::Middle),
            Some("corridor-nearest") => Search::Corridor(NodePlacement::Nearest),
            Some("corridor-visible") => Search::Corridor(NodePlacement::Visible),
            Some("sliced") => Search::Sliced(SLICE),
            Some("optimal") => Search::Optimal,
            Some("hierarchical") => Search::Hierarchical,
            Some("bounded") => Search::Bounded,
            Some(other) => {
                return Err(format!(
                    "there is no search \"{other}\"; use corridor, corridor-nearest, corridor-visible, sliced, bounded, optimal and hierarchical"
                ));
            }
        };
        let (start, end) = (line.start()?, line.end()?);
        let mesh = ground.mesh;
        let mut op = Self::on_ground(line, (ground, clearances), search, |ground| {
            (ground.snap(start, "start"), Goal::Place(ground.snap(end, "goal")))
        })?;
        if matches!(search, Search::Hierarchical) {
            let graph = graphs.of(op.wide.as_ref().map_or(mesh, |(wide, _)| wide.mesh()), &op.filter);
            op.hierarchical = Some((graph, Hierarchical::default()));
        }
        if matches!(search, Search::Bounded) {
            op.bounds = Some(graphs.bounds_of(op.wide.as_ref().map_or(mesh, |(wide, _)| wide.mesh()), &op.filter));
        }
        Ok(op)
    }

    /// `bounds_path`
    pub(super) fn to_box(line: &Line, ground: Ground<'_>, clearances: &mut Clearances) -> Result<Self, String> {
        let (start, bounds) = (line.start()?, line.bounds()?);
        let search = Search::Corridor(NodePlacement::default());
        Self::on_ground(line, (ground, clearances), search, |ground| (ground.snap(start, "start"), Goal::Box(bounds)))
    }

    /// Finds the ends on the mesh for the agent's radius.
    fn on_ground(
        line: &Line,
        (ground, clearances): (Ground<'_>, &mut Clearances),
        search: Search,
        ends: impl Fn(&mut Ground<'_>) -> (Option<PolyPoint>, Goal),
    ) -> Result<Self, String> {
        let kept = |radius: f32| radius.max(baked_radius(ground.mesh));
        let cut = |radius| Ok::<_, String>((clearances.of(ground.mesh, radius, &ground.filter)?, kept(radius)));
        let wide = line.radius_if_any()?.map(cut).transpose()?;
        let (on, radius) = wide.as_ref().map_or((ground.mesh, 0.0), |(wide, radius)| (wide.mesh(), *radius));
        let mut ground = Ground { mesh: on, radius, ..ground };
        let (start, goal) = ends(&mut ground);
        let filter = ground.filter;
        let (path, straight, optimal) = (PolyPath::default(), StraightPath::default(), OptimalPath::default());
        Ok(Self { start, goal, search, filter, path, straight, optimal, hierarchical: None, bounds: None, wide })
    }

    /// The same where metres cost more, if they do.
    pub(super) fn under(self, overlays: &[CostOverlay]) -> Result<Box<dyn Question>, String> {
        if overlays.is_empty() {
            return Ok(Box::new(self));
        }
        let Self { start, goal, search, filter, path, straight, optimal, hierarchical, bounds, wide } = self;
        let filter = overlaid(filter, overlays)?;
        Ok(Box::new(PathOp { start, goal, search, filter, path, straight, optimal, hierarchical, bounds, wide }))
    }
}

impl<F: QueryFilter> PathOp<F> {
    /// The polygons of the mesh that was asked that the path leads over.
    fn polys(&self, path: &PolyPath) -> Vec<PolyRef> {
        self.wide.as_ref().map_or_else(|| path.polys.clone(), |(wide, _)| base_polys(wide, &path.polys))
    }

    fn search(&mut self, start: PolyPoint, mesh: &NavMesh, scratch: &mut SearchScratch) -> Result<(), StaleRef> {
        let request = match self.goal {
            Goal::Place(None) => return Ok(()),
            Goal::Place(Some(goal)) => PathRequest::new(start, goal),
            Goal::Box(bounds) => {
                self.path = find_path_to_box(mesh, &BoxGoalRequest::new(start, bounds), &self.filter, scratch)?;
                return Ok(());
            }
        };
        match self.search {
            Search::Corridor(placement) => {
                let request = PathRequest { placement, ..request };
                find_path_into(mesh, &request, &self.filter, scratch, &mut self.path)
            }
            Search::Sliced(nodes) => {
                let mut search = SlicedSearch::with_scratch(mesh, &request, &self.filter, std::mem::take(scratch))?;
                while !search.step(&self.filter, &mut Budget::new(nodes)) {}
                search.path_into(mesh, &mut self.path);
                *scratch = search.into_scratch();
                Ok(())
            }
            Search::Optimal => find_optimal_path_into(mesh, &request, &self.filter, scratch, &mut self.optimal),
            Search::Hierarchical => {
                let Some((graph, search)) = &mut self.hierarchical else { return Ok(()) };
                self.path.clone_from(search.search((mesh, graph), &request, &self.filter)?);
                Ok(())
            }
            Search::Bounded => {
                let Some(bounds) = &self.bounds else { return Ok(()) };
                find_bounded_path_into((mesh, bounds), &request, &self.filter, scratch, &mut self.path)
            }
        }
    }
}

impl<F: QueryFilter> Question for PathOp<F> {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let Some(start) = self.start else { return };
        let wide = self.wide.clone();
        let mesh = wide.as_ref().map_or(mesh, |(wide, _)| wide.mesh());
        if self.search(start, mesh, scratch).is_ok() && !matches!(self.search, Search::Optimal) {
            string_pull_into(&self.path, scratch, &mut self.straight);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        let is_optimal = matches!(self.search, Search::Optimal);
        let (path, straight) =
            if is_optimal { (&self.optimal.path, &self.optimal.straight) } else { (&self.path, &self.straight) };
        let mut answer = fields([
            ("status", json!(path.status.to_string())),
            ("polys", polys_json(&self.polys(path))),
            ("cost", number(path.cost)),
            ("points", points_of(straight).into_iter().map(point).collect()),
            ("length", number(straight.length)),
            ("nodes", json!(path.nodes)),
        ]);
        if self.start.is_none() || matches!(self.goal, Goal::Place(None)) {
            answer.insert("poly".into(), Value::Null);
        }
        if path.polys.iter().any(|poly| poly.is_off_mesh()) {
            answer.insert("jumps".into(), jumps(straight).into());
        }
        if let Some((_, radius)) = self.wide {
            answer.insert("radius".into(), number(radius));
        }
        if let Some((_, search)) = &self.hierarchical {
            answer.extend(search.fields());
        }
        if let Some(limit) = path.limit {
            answer.insert("limit".into(), json!(limit.to_string()));
        }
        if is_optimal && self.optimal.bound.is_finite() {
            answer.insert("bound".into(), number(self.optimal.bound));
        }
        answer
    }
}

/// Both ends of each off-mesh connection on a path, in its order.
fn jumps(straight: &StraightPath) -> Vec<Value> {
    let over = straight.points.windows(2).filter(|pair| pair[0].kind == PointKind::Enter);
    over.map(|pair| json!([point(pair[0].point), point(pair[1].point)])).collect()
}

pub(super) struct ReachableOp {
    ends: [Option<PolyPoint>; 2],
    filter: DefaultFilter,
    reachable: bool,
}

impl ReachableOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let ends = [ground.snap(line.start()?, "start"), ground.snap(line.end()?, "goal")];
        Ok(Self { ends, filter: ground.filter, reachable: false })
    }
}

impl Question for ReachableOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let [Some(start), Some(goal)] = self.ends else { return };
        let answer = is_reachable(mesh, &PathRequest::new(start, goal), &self.filter, scratch);
        // Without limits the search always decides.
        self.reachable = matches!(answer, Ok(Some(true)));
    }

    fn answer(&self) -> Map<String, Value> {
        let mut answer = if self.ends.contains(&None) { nowhere(&[]) } else { Map::new() };
        answer.insert("reachable".into(), json!(self.reachable));
        answer
    }
}

pub(super) struct RaycastOp {
    start: Option<PolyPoint>,
    end: Vec3,
    filter: DefaultFilter,
    ray: Raycast,
}

impl RaycastOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let (start, end) = (ground.snap(line.start()?, "start"), line.end()?);
        Ok(Self { start, end, filter: ground.filter, ray: Raycast::default() })
    }
}

impl Question for RaycastOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        if let Some(start) = self.start {
            let _ = raycast_into(mesh, start, self.end, &self.filter, scratch, &mut self.ray);
        }
    }

    fn answer(&self) -> Map<String, Value> {
        if self.start.is_none() {
            return nowhere(&["polys"]);
        }
        fields([
            ("hit", json!(self.ray.hit)),
            ("t", number(self.ray.t)),
            ("normal", point(self.ray.normal)),
            ("polys", polys_json(&self.ray.polys)),
        ])
    }
}

pub(super) struct MoveOp {
    start: Option<PolyPoint>,
    end: Vec3,
    filter: DefaultFilter,
    place: Option<PolyPoint>,
    visited: Vec<PolyRef>,
}

impl MoveOp {
    pub(super) fn new(line: &Line, mut ground: Ground<'_>) -> Result<Self, String> {
        let (start, end) = (ground.snap(line.start()?, "start"), line.end()?);
        Ok(Self { start, end, filter: ground.filter, place: None, visited: Vec::new() })
    }
}

impl Question for MoveOp {
    fn run(&mut self, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let filter = &self.filter;
        self.place = self
            .start
            .and_then(|start| move_along_surface_into(mesh, start, self.end, filter, scratch, &mut self.visited).ok());
    }

    fn answer(&self) -> Map<String, Value> {
        match self.place {
            None => nowhere(&["visited"]),
            Some(place) => fields([("point", point(place.point)), ("visited", polys_json(&self.visited))]),
        }
    }
}
