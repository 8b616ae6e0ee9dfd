//! Questions to a mesh: its memory, its filter, its limits. The mesh comes with each question.

use crate::callback::rethrow;
use crate::fault::{Answer, Fault};
use crate::filter::RawFilter;
use crate::mesh::{RawMesh, RawVersion};
use crate::path::{change, pack, unpack};
use crate::record::{Record, to_list};
use crate::refs::{bits, place, poly};
use wasm_bindgen::prelude::*;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyPoint};
use wayfare::query::{
    BoxGoalRequest, Crossings, NearestGoalRequest, NodePlacement, PathQuestion, PathRequest, PointSampler, PolyPath,
    QueryFilter, Raycast, SearchLimits, SearchScratch, StraightPath, add_crossings, explain_path, find_nearest,
    find_nearest_in, find_path_into, find_path_to_box_into, find_path_to_nearest_into, is_reachable,
    move_along_surface_into, raycast_into, raycast_with_cost_into, string_pull_into,
};

#[wasm_bindgen(js_name = RawQuery)]
pub struct RawQuery {
    pub(crate) filter: RawFilter,
    pub(crate) reach: Vec3,
    pub(crate) limits: SearchLimits,
    pub(crate) placement: NodePlacement,
    pub(crate) scratch: SearchScratch,
    pub(crate) path: PolyPath,
    pub(crate) straight: StraightPath,
    pub(crate) visited: Vec<wayfare::mesh::PolyRef>,
    pub(crate) sampler: Option<PointSampler>,
    ray: Raycast,
}

impl RawQuery {
    pub(crate) fn filter(&self) -> &(dyn QueryFilter + Send + Sync) {
        self.filter.get()
    }

    /// A point of a polygon if one is given, else the nearest on the mesh.
    pub(crate) fn place(&self, mesh: &NavMesh, at: Vec3, reference: u64) -> Answer<Option<PolyPoint>> {
        if reference == 0 {
            let nearest = find_nearest(mesh, at, self.reach, self.filter());
            rethrow()?;
            return Ok(nearest.map(|nearest| nearest.place()));
        }
        let place = PolyPoint { poly: poly(reference)?, point: at };
        mesh.state(place.poly)?;
        Ok(Some(place))
    }

    pub(crate) fn request(
        &self,
        mesh: &NavMesh,
        [from, to]: [Vec3; 2],
        [start, goal]: [u64; 2],
    ) -> Answer<Option<PathRequest>> {
        let Some(start) = self.place(mesh, from, start)? else { return Ok(None) };
        let Some(goal) = self.place(mesh, to, goal)? else { return Ok(None) };
        Ok(Some(PathRequest { start, goal, limits: self.limits, placement: self.placement }))
    }

    /// Finds a path into the memory and pulls its string.
    pub(crate) fn search(&mut self, mesh: &NavMesh, ends: [Vec3; 2], polys: [u64; 2]) -> Answer<()> {
        let request = self.request(mesh, ends, polys)?;
        self.path.clear();
        if let Some(request) = request {
            find_path_into(mesh, &request, self.filter.get(), &mut self.scratch, &mut self.path)?;
        }
        string_pull_into(&self.path, &mut self.scratch, &mut self.straight);
        Ok(())
    }

    pub(crate) fn reaches(&mut self, mesh: &NavMesh, ends: [Vec3; 2], polys: [u64; 2]) -> Answer<u8> {
        let Some(request) = self.request(mesh, ends, polys)? else { return Ok(0) };
        let answer = is_reachable(mesh, &request, self.filter.get(), &mut self.scratch)?;
        Ok(answer.map_or(2, u8::from))
    }

    pub(crate) fn packed(&mut self) -> Answer<Vec<f32>> {
        rethrow()?;
        string_pull_into(&self.path, &mut self.scratch, &mut self.straight);
        Ok(pack(&self.path, &self.straight))
    }
}

/// What questions are asked with.
#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    #[wasm_bindgen(constructor)]
    pub fn new(filter: &RawFilter, reach: &[f32]) -> Answer<RawQuery> {
        let [x, y, z] = crate::volume::fixed("reach", reach)?;
        Ok(Self {
            filter: filter.clone(),
            reach: Vec3::new(x, y, z),
            limits: SearchLimits::default(),
            placement: NodePlacement::default(),
            scratch: SearchScratch::new(),
            path: PolyPath::default(),
            straight: StraightPath::default(),
            visited: Vec::new(),
            sampler: None,
            ray: Raycast::default(),
        })
    }

    #[wasm_bindgen(js_name = setFilter)]
    pub fn set_filter(&mut self, filter: &RawFilter) {
        self.filter = filter.clone();
        self.sampler = None;
    }

    #[wasm_bindgen(js_name = setLimits)]
    pub fn set_limits(&mut self, max_nodes: u32, max_cost: f32) {
        self.limits = SearchLimits { max_nodes, max_cost };
    }

    /// Where searches place their nodes: 0 in the middle of portals, 1 nearest, 2 where it is seen.
    #[wasm_bindgen(js_name = setPlacement)]
    pub fn set_placement(&mut self, placement: u8) {
        self.placement = match placement {
            1 => NodePlacement::Nearest,
            2 => NodePlacement::Visible,
            _ => NodePlacement::Middle,
        };
    }

    /// Says that the mesh has changed: what is remembered of it goes.
    pub fn forget(&mut self) {
        self.sampler = None;
    }

    /// The polygons of the last path, or those the last move or ray went over.
    #[wasm_bindgen(js_name = pathPolys)]
    pub fn path_polys(&self) -> Vec<u64> {
        bits(&self.path.polys)
    }

    #[wasm_bindgen(js_name = visitedPolys)]
    pub fn visited_polys(&self) -> Vec<u64> {
        bits(&self.visited)
    }
}

/// Paths.
#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    /// A path with its string pulled; see `path.rs` for the numbers.
    #[allow(clippy::too_many_arguments, reason = "numbers cross the border fastest one by one")]
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(
        &mut self,
        mesh: &RawMesh,
        from_x: f32,
        from_y: f32,
        from_z: f32,
        to_x: f32,
        to_y: f32,
        to_z: f32,
        from_poly: u64,
        to_poly: u64,
    ) -> Answer<Vec<f32>> {
        let ends = [Vec3::new(from_x, from_y, from_z), Vec3::new(to_x, to_y, to_z)];
        self.search(mesh.mesh(), ends, [from_poly, to_poly])?;
        rethrow()?;
        Ok(pack(&self.path, &self.straight))
    }

    /// To whichever goal is cheapest to reach; its number comes first.
    #[wasm_bindgen(js_name = findPathToNearest)]
    pub fn find_path_to_nearest(
        &mut self,
        mesh: &RawMesh,
        from: &[f32],
        from_poly: u64,
        goals: &[f32],
    ) -> Answer<Vec<f32>> {
        let mesh = mesh.mesh();
        let [x, y, z] = crate::volume::fixed("point", from)?;
        let start = self.place(mesh, Vec3::new(x, y, z), from_poly)?;
        let mut places = Vec::new();
        let mut numbers = Vec::new();
        for (number, goal) in crate::volume::points3(goals)?.into_iter().enumerate() {
            if let Some(place) = self.place(mesh, goal, 0)? {
                places.push(place);
                numbers.push(number);
            }
        }
        self.path.clear();
        let mut found = None;
        if let Some(start) = start {
            let request = NearestGoalRequest { start, goals: &places, limits: self.limits, placement: self.placement };
            let filter = self.filter.get();
            found = find_path_to_nearest_into(mesh, &request, filter, &mut self.scratch, &mut self.path)?;
        }
        let number = found.and_then(|place| numbers.get(place)).map_or(-1.0, |number| *number as f32);
        let mut packed = vec![number];
        packed.extend(self.packed()?);
        Ok(packed)
    }

    #[wasm_bindgen(js_name = findPathToBox)]
    pub fn find_path_to_box(
        &mut self,
        mesh: &RawMesh,
        from: &[f32],
        from_poly: u64,
        bounds: &[f32],
    ) -> Answer<Vec<f32>> {
        let mesh = mesh.mesh();
        let [x, y, z] = crate::volume::fixed("point", from)?;
        let bounds = crate::volume::bounds(bounds)?;
        self.path.clear();
        if let Some(start) = self.place(mesh, Vec3::new(x, y, z), from_poly)? {
            let request = BoxGoalRequest { start, bounds, limits: self.limits, placement: self.placement };
            find_path_to_box_into(mesh, &request, self.filter.get(), &mut self.scratch, &mut self.path)?;
        }
        self.packed()
    }

    /// Pulls the string through polygons that the page gives; with the places where it crosses into the next polygon if
    /// `crossings` is 1, or into other areas if it is 2.
    #[wasm_bindgen(js_name = pullString)]
    pub fn pull_string(&mut self, mesh: &RawMesh, polys: &[u64], ends: &[f32], crossings: u8) -> Answer<Vec<f32>> {
        self.path = unpack(mesh.mesh(), polys, ends)?;
        string_pull_into(&self.path, &mut self.scratch, &mut self.straight);
        if crossings > 0 {
            let which = if crossings == 1 { Crossings::All } else { Crossings::Areas };
            self.straight = add_crossings(mesh.mesh(), &self.path, which, &self.straight)?;
        }
        Ok(pack(&self.path, &self.straight))
    }

    /// What has become of a path since a version of the mesh.
    #[wasm_bindgen(js_name = pathChange)]
    pub fn path_change(&self, mesh: &RawMesh, polys: &[u64], ends: &[f32], seen: &RawVersion) -> Answer<JsValue> {
        let mesh = mesh.mesh();
        let changes = wayfare::mesh::ChangeSet::since(mesh, &seen.0);
        let answer = match unpack(mesh, polys, ends) {
            Ok(path) => change(&path.change(mesh, &changes, self.filter())),
            Err(_) => Record::new()
                .with("isTouched", true)
                .with("broken", self.first_broken(mesh, polys))
                .with("soon", JsValue::NULL)
                .done(),
        };
        rethrow()?;
        Ok(answer)
    }

    /// The first thing that is wrong with a path now, or null.
    #[wasm_bindgen(js_name = checkPath)]
    pub fn check_path(&self, mesh: &RawMesh, polys: &[u64], ends: &[f32]) -> Answer<JsValue> {
        let mesh = mesh.mesh();
        let answer = match unpack(mesh, polys, ends) {
            Ok(path) => crate::path::broken(path.check(mesh, self.filter())),
            Err(_) => self.first_broken(mesh, polys),
        };
        rethrow()?;
        Ok(answer)
    }

    fn first_broken(&self, mesh: &NavMesh, polys: &[u64]) -> JsValue {
        let gone = |bits: &u64| poly(*bits).map_or(true, |reference| !mesh.is_valid(reference));
        let (step, by) = polys.iter().position(gone).map_or((0, "apart"), |step| (step, "gone"));
        let reference = polys.get(step).copied().unwrap_or(0);
        Record::new().with("step", step as u32).with("poly", reference).with("by", by).with("ahead", f64::NAN).done()
    }

    /// 1 yes, 0 no, 2 not decided within the limits.
    #[wasm_bindgen(js_name = isReachable)]
    pub fn is_reachable(&mut self, mesh: &RawMesh, ends: &[f32], from_poly: u64, to_poly: u64) -> Answer<u8> {
        let [a, b, c, x, y, z] = crate::volume::fixed("question", ends)?;
        let ends = [Vec3::new(a, b, c), Vec3::new(x, y, z)];
        let answer = self.reaches(mesh.mesh(), ends, [from_poly, to_poly])?;
        rethrow()?;
        Ok(answer)
    }

    #[wasm_bindgen(js_name = explainPath)]
    pub fn explain_path(&mut self, mesh: &RawMesh, ends: &[f32]) -> Answer<JsValue> {
        let [a, b, c, x, y, z] = crate::volume::fixed("question", ends)?;
        let question = PathQuestion {
            from: Vec3::new(a, b, c),
            to: Vec3::new(x, y, z),
            half_extents: self.reach,
            limits: self.limits,
        };
        let answer = explain_path(mesh.mesh(), &question, self.filter.get(), &mut self.scratch);
        rethrow()?;
        let [start, goal] = answer.ends;
        Ok(Record::new()
            .with("reason", answer.reason.name())
            .with("message", answer.to_string())
            .with("isFound", answer.is_found())
            .point("start", start.map(|place| place.point))
            .point("goal", goal.map(|place| place.point))
            .with("components", to_list(answer.components.map(|part| part.map_or(JsValue::NULL, JsValue::from))))
            .with("blocker", answer.blocker.map_or(JsValue::NULL, |(poly, _)| poly.to_bits().into()))
            .point("blockedAt", answer.blocked_at)
            .with("limit", crate::path::limit(answer.limit))
            .point("reached", answer.reached)
            .done())
    }
}

/// Points, rays and moves.
#[wasm_bindgen(js_class = RawQuery)]
impl RawQuery {
    /// The nearest point and whether it is right above or below; its polygon is the one visited. Empty if none is near.
    #[wasm_bindgen(js_name = findNearest)]
    pub fn find_nearest(
        &mut self,
        mesh: &RawMesh,
        x: f32,
        y: f32,
        z: f32,
        within: Option<Vec<f32>>,
    ) -> Answer<Vec<f32>> {
        let at = Vec3::new(x, y, z);
        let found = match within {
            None => find_nearest(mesh.mesh(), at, self.reach, self.filter()),
            Some(bounds) => find_nearest_in(mesh.mesh(), at, &crate::volume::bounds(&bounds)?, self.filter()),
        };
        rethrow()?;
        self.visited.clear();
        let Some(found) = found else { return Ok(Vec::new()) };
        self.visited.push(found.poly);
        Ok(vec![found.point.x, found.point.y, found.point.z, f32::from(u8::from(found.over))])
    }

    /// The polygon that was visited last, 0 for none.
    #[wasm_bindgen(js_name = visitedPoly)]
    pub fn visited_poly(&self) -> u64 {
        self.visited.last().map_or(0, |poly| poly.to_bits())
    }

    /// A ray over the surface: hit, t, point, normal, cost, edge.
    pub fn raycast(&mut self, mesh: &RawMesh, ends: &[f32], from_poly: u64, is_costed: bool) -> Answer<Vec<f32>> {
        let [a, b, c, x, y, z] = crate::volume::fixed("ray", ends)?;
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(x, y, z));
        self.visited.clear();
        let Some(start) = self.place(mesh.mesh(), from, from_poly)? else {
            return Ok(vec![1.0, 0.0, a, b, c, 0.0, 0.0, 0.0, 0.0, -1.0]);
        };
        let (filter, ray) = (self.filter.get(), &mut self.ray);
        if is_costed {
            raycast_with_cost_into(mesh.mesh(), start, to, filter, &mut self.scratch, ray)?;
        } else {
            raycast_into(mesh.mesh(), start, to, filter, &mut self.scratch, ray)?;
        }
        rethrow()?;
        self.visited.clone_from(&ray.polys);
        let [px, py, pz] = ray.point.to_array();
        let [nx, ny, nz] = ray.normal.to_array();
        let edge = ray.edge.map_or(-1.0, |edge| edge as f32);
        Ok(vec![f32::from(u8::from(ray.hit)), ray.t, px, py, pz, nx, ny, nz, ray.cost, edge])
    }

    /// Moves along the surface and stops at walls. Empty where the start is not on the mesh.
    #[wasm_bindgen(js_name = moveAlong)]
    pub fn move_along(&mut self, mesh: &RawMesh, ends: &[f32], from_poly: u64) -> Answer<Vec<f32>> {
        let [a, b, c, x, y, z] = crate::volume::fixed("move", ends)?;
        let Some(start) = self.place(mesh.mesh(), Vec3::new(a, b, c), from_poly)? else { return Ok(Vec::new()) };
        let (filter, visited) = (self.filter.get(), &mut self.visited);
        let moved =
            move_along_surface_into(mesh.mesh(), start, Vec3::new(x, y, z), filter, &mut self.scratch, visited)?;
        rethrow()?;
        Ok(moved.point.to_array().to_vec())
    }
}

/// A polygon with a point on it, checked.
pub(crate) fn on_mesh(mesh: &NavMesh, reference: u64, at: &[f32]) -> Answer<PolyPoint> {
    let &[x, y, z] = at else { return Err(Fault::argument("a point has 3 numbers")) };
    let place = place(reference, x, y, z)?;
    mesh.state(place.poly)?;
    Ok(place)
}
