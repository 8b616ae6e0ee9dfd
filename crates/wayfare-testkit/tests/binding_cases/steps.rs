//! One step of a case: a question, or a change of its mesh.

use crate::answer::Answer;
use crate::arguments::{bounds, count, count_or, flat_points, list, number, numbers, point, point_of};
use crate::crowds::{block_path, crowd, grid_path};
use crate::level::{outlines, volume};
use crate::session::Session;
use serde_json::Value;
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::bake::{TilePlan, explain_level, find_links};
use wayfare::context::{Budget, Context};
use wayfare::corridor::{CorridorScratch, PathCorridor};
use wayfare::format::RefBits;
use wayfare::hierarchy::{AbstractGraph, HierarchyScratch, InMemory, Refinement, find_hierarchical_path};
use wayfare::input::{LinkSettings, Marking};
use wayfare::math::{Rng, convex_hull};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    ClearanceMesh, CostBounds, CostOverlay, DefaultFilter, NavQuery, Overlaid, OverlaySettings, OverlayShape,
    PathRequest, PulledPath, QueryFilter, polys_in_box,
};
use wayfare::tile::build_outline_tile;

/// Runs a step and gives its answer.
pub(crate) fn run(session: &mut Session, step: &Value) -> Answer {
    let word = step["do"].as_str().unwrap_or_default();
    match word {
        "obstacle_add" | "obstacle_move" | "obstacle_remove" | "obstacle_step" => obstacle(session, step),
        "block_path" => block_path(step),
        "grid_path" => grid_path(step),
        "hull" => Answer::Numbers(convex_hull(&flat_points(&step["points"])).into_iter().map(|i| i as f32).collect()),
        "outline_mesh" => {
            let tile = build_outline_tile(&outlines(step), number(step, "y")).unwrap();
            session.mesh = Some(NavMesh::from_tile(tile).unwrap());
            of_mesh(session, "mesh", step)
        }
        "links" => links(session),
        "explain_place" => {
            let plan = TilePlan::new(session.level(), &session.settings).unwrap();
            let map = explain_level(session.level(), &plan, &Context::default()).unwrap();
            Answer::text(map.at(point(step, "at")).map_or("outside", |why| why.reason.name()))
        }
        _ => of_mesh(session, word, step),
    }
}

fn of_mesh(session: &Session, word: &str, step: &Value) -> Answer {
    let mesh = session.mesh();
    match word {
        "mesh" => Answer::text(&mesh.digest()),
        "count" => {
            let polys: u32 = mesh.tiles().map(|tile| tile.poly_count()).sum();
            Answer::Numbers([mesh.tile_count(), polys, mesh.connection_count()].map(|n| n as f32).to_vec())
        }
        "save_load" => Answer::text(&NavMesh::from_bytes(&mesh.to_bytes()).unwrap().digest()),
        "detour" => Answer::text(&NavMesh::from_detour(&mesh.to_detour(RefBits::Bits64).unwrap()).unwrap().digest()),
        "crowd" => crowd(mesh, step),
        "corridor" => corridor(mesh, step),
        "clearance" => {
            let wide = ClearanceMesh::new(mesh, number(step, "radius"), &DefaultFilter::of(mesh)).unwrap();
            optimal(&mut NavQuery::of(wide.mesh()), step)
        }
        "hierarchical" => hierarchical(mesh, step),
        "overlay" => {
            let mut overlay = CostOverlay::new(OverlaySettings::default()).unwrap();
            let shape =
                OverlayShape::Disc { center: point(step, "center"), radius: number(step, "radius"), reach: 2.0 };
            overlay.paint(&shape, number(step, "cost")).unwrap();
            let filter = Overlaid::new(DefaultFilter::of(mesh)).with(&overlay, 1.0).unwrap();
            path(&mut NavQuery::new(mesh, filter), step)
        }
        _ => question(&mut NavQuery::new(mesh, filter(mesh, step)), word, step),
    }
}

/// The filter of a step: that of the mesh, but for what the step says.
fn filter(mesh: &NavMesh, step: &Value) -> DefaultFilter {
    let flags = |name: &str, usual: u16| PolyFlags(u16::try_from(count_or(step, name, usual.into())).unwrap());
    let mut filter = DefaultFilter::of(mesh).with_flags(flags("include", u16::MAX), flags("exclude", 0));
    for cost in list(step, "costs") {
        let [area, cost] = numbers(cost)[..] else { panic!("no cost: {cost}") };
        filter.set_area_cost(AreaId::new(area as u8).unwrap(), cost).unwrap();
    }
    filter
}

fn index(poly: PolyRef) -> f32 {
    (poly.to_bits() & 0xF_FFFF) as f32
}

fn status(status: PathStatus) -> f32 {
    f32::from(status as u8)
}

type Query<'a, F = DefaultFilter> = NavQuery<&'a NavMesh, F>;

fn question(query: &mut Query<'_>, word: &str, step: &Value) -> Answer {
    let at = || point(step, "at");
    let [from, to] = ["from", "to"];
    match word {
        "nearest" => Answer::Numbers(query.nearest(at()).map_or(Vec::new(), |near| {
            let Vec3 { x, y, z } = near.point;
            vec![f32::from(u8::from(near.over)), index(near.poly), x, y, z]
        })),
        "path" => path(query, step),
        "paths" => Answer::Numbers(list(step, "pairs").iter().flat_map(|pair| pair_path(query, pair)).collect()),
        "optimal" => optimal(query, step),
        "bounded" => {
            let bounds = CostBounds::new(query.mesh(), &DefaultFilter::of(query.mesh()));
            let found = query.bounded_path(&bounds, point(step, from), point(step, to)).unwrap();
            path_answer(found)
        }
        "ray" => {
            let ray = query.ray(point(step, from), point(step, to)).unwrap();
            let numbers = [f32::from(u8::from(ray.hit)), ray.t].into_iter();
            Answer::Numbers(numbers.chain(ray.point.to_array()).chain(ray.normal.to_array()).collect())
        }
        "rays" => Answer::Numbers(
            list(step, "pairs")
                .iter()
                .flat_map(|pair| {
                    let ray = query.ray(point_of(&pair[0]), point_of(&pair[1])).unwrap();
                    [f32::from(u8::from(ray.hit)), ray.t]
                })
                .collect(),
        ),
        "move" => {
            let moved = query.move_along(point(step, from), point(step, to)).unwrap();
            Answer::points(moved.map(|place| place.point))
        }
        "reachable" => {
            let answer = query.reachable(point(step, from), point(step, to)).unwrap();
            Answer::Numbers(vec![answer.map_or(-1.0, |yes| f32::from(u8::from(yes)))])
        }
        "explain_path" => Answer::text(query.explain(point(step, from), point(step, to)).reason.name()),
        _ => around(query, word, step),
    }
}

fn around(query: &mut Query<'_>, word: &str, step: &Value) -> Answer {
    let (at, radius) = (|| point(step, "at"), || number(step, "radius"));
    let mut rng = Rng::new(step["seed"].as_u64().unwrap_or_default());
    match word {
        "wall" => Answer::Numbers(
            query
                .nearest_wall(at(), radius())
                .unwrap()
                .map_or(Vec::new(), |wall| vec![wall.distance, wall.point.x, wall.point.y, wall.point.z]),
        ),
        "walls" => Answer::points(query.walls(at()).unwrap().iter().flat_map(|wall| [wall.start, wall.end])),
        "around" => {
            let reached = query.around(at(), radius()).unwrap();
            Answer::Numbers(reached.iter().flat_map(|reached| [index(reached.poly), reached.cost]).collect())
        }
        "neighbourhood" => {
            let found = query.neighbourhood(at(), radius()).unwrap();
            Answer::Numbers(found.iter().map(|poly| index(*poly)).collect())
        }
        "in_box" => {
            let found = polys_in_box(query.mesh(), &bounds(step), query.filter());
            Answer::Numbers(found.into_iter().map(index).collect())
        }
        "random" => {
            let places = (0..count(step, "count")).filter_map(|_| Some(query.random(&mut rng)?.point));
            Answer::points(places.collect::<Vec<_>>())
        }
        "random_around" => {
            let place = |_| Some(query.random_around(at(), radius(), &mut rng).unwrap()?.point);
            Answer::points((0..count(step, "count")).filter_map(place).collect::<Vec<_>>())
        }
        other => panic!("no step {other}"),
    }
}

fn path<F: QueryFilter>(query: &mut Query<'_, F>, step: &Value) -> Answer {
    path_answer(query.straight_path(point(step, "from"), point(step, "to")).unwrap())
}

fn path_answer(found: PulledPath<'_>) -> Answer {
    let corners = found.straight.points.iter();
    let corners = corners.flat_map(|c| [c.point.x, c.point.y, c.point.z, f32::from(c.kind as u8)]);
    Answer::Numbers([status(found.status())].into_iter().chain(corners).collect())
}

/// One of a batch: status, number of points, points.
fn pair_path(query: &mut Query<'_>, pair: &Value) -> Vec<f32> {
    let found: PulledPath<'_> = query.straight_path(point_of(&pair[0]), point_of(&pair[1])).unwrap();
    let points = found.straight.points.iter().flat_map(|corner| corner.point.to_array());
    [status(found.status()), found.straight.points.len() as f32].into_iter().chain(points).collect()
}

fn optimal(query: &mut Query<'_>, step: &Value) -> Answer {
    let found = query.optimal_path(point(step, "from"), point(step, "to")).unwrap();
    let points = found.straight.points.iter().flat_map(|corner| corner.point.to_array());
    Answer::Numbers([status(found.path.status), found.straight.length].into_iter().chain(points).collect())
}

fn hierarchical(mesh: &NavMesh, step: &Value) -> Answer {
    let query = NavQuery::of(mesh);
    let [start, goal] = ["from", "to"].map(|name| query.nearest(point(step, name)).unwrap().place());
    let graph = AbstractGraph::new(mesh);
    let (request, mut scratch) = (PathRequest::new(start, goal), HierarchyScratch::new());
    let world = &mut InMemory::new(mesh, &graph);
    let answer = find_hierarchical_path(world, &request, Refinement::default(), query.filter(), &mut scratch).unwrap();
    Answer::Numbers(vec![status(answer.path.status), answer.path.cost, answer.path.polys.len() as f32])
}

/// A corridor from `from` to `to`, its start moved over the points of `walk`: after each, where it stands and its next
/// corners, three at most.
fn corridor(mesh: &NavMesh, step: &Value) -> Answer {
    let mut query = NavQuery::of(mesh);
    let path = query.path(point(step, "from"), point(step, "to")).unwrap().clone();
    let (mut scratch, filter) = (CorridorScratch::new(), DefaultFilter::of(mesh));
    let mut corridor = PathCorridor::new(query.nearest(point(step, "from")).unwrap().place());
    corridor.follow(&path).unwrap();
    let mut points = Vec::new();
    for to in list(step, "walk") {
        points.push(corridor.move_start(mesh, point_of(to), &filter, &mut scratch).unwrap());
        points.extend(corridor.corners(3, &mut scratch).iter().map(|corner| corner.point));
    }
    Answer::points(points)
}

/// Finds links by the rules for the agent, and adds them to the mesh.
fn links(session: &mut Session) -> Answer {
    let plan = TilePlan::new(session.level(), &session.settings).unwrap();
    let tiles: Vec<_> = session.mesh().tiles().map(|tile| tile.data().clone()).collect();
    let tiles: Vec<_> = tiles.iter().collect();
    let rules = LinkSettings::for_agent(&session.settings.agent);
    let found = find_links(session.level(), &plan, &tiles, &rules, &Context::default()).unwrap();
    session.mesh.as_mut().unwrap().add_connections(&found).unwrap();
    let numbers = found.iter().flat_map(|link| {
        [f32::from(link.kind as u8)].into_iter().chain(link.start.to_array()).chain(link.end.to_array())
    });
    Answer::Numbers(numbers.collect())
}

fn obstacle(session: &mut Session, step: &Value) -> Answer {
    let Session { mesh, obstacles, placed, .. } = session;
    let (mesh, obstacles) = (mesh.as_mut().unwrap(), obstacles.as_mut().unwrap());
    let which = || placed[count(step, "which") as usize];
    match step["do"].as_str().unwrap_or_default() {
        "obstacle_add" => {
            let mut marked = volume(step);
            marked.when = Marking::BeforeErosion;
            let (obstacle, request) = obstacles.add(marked).unwrap();
            placed.push(obstacle);
            Answer::Numbers(vec![request.tiles.len() as f32])
        }
        "obstacle_move" => {
            Answer::Numbers(vec![obstacles.move_to(which(), point(step, "to")).unwrap().tiles.len() as f32])
        }
        "obstacle_remove" => Answer::Numbers(vec![obstacles.remove(which()).unwrap().tiles.len() as f32]),
        _ => {
            let progress = obstacles.step(mesh, Budget::unlimited(), &Context::default()).unwrap();
            assert!(progress.is_finished());
            Answer::Numbers(vec![obstacles.rebuilt().len() as f32])
        }
    }
}
