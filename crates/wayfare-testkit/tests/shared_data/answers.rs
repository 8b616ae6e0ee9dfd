//! The queries against the reference's answers on the reference's meshes.

use super::{number, vec3};
use serde_json::Value;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    AroundRequest, DefaultFilter, NeighbourhoodRequest, PathRequest, SearchScratch, find_distance_to_wall,
    find_nearest, find_path, local_neighbourhood, move_along_surface, polys_around, raycast, string_pull,
};
use wayfare_testkit::data;

/// The meshes that have answers.
const NAMES: [&str; 4] = ["nav_test_solo", "nav_test_tiled", "dungeon_solo", "dungeon_tiled"];

/// One of the reference's meshes, and its answers.
fn load(name: &str) -> Option<(NavMesh, Value)> {
    let mesh = data::detour_mesh(&format!("reference/mesh/navmesh_{name}.bin"))?;
    Some((mesh, data::json(&format!("reference/query/query_{name}.json"))?))
}

const HALF_EXTENTS: Vec3 = Vec3::new(2.0, 4.0, 2.0);

/// Counts right answers and says which were wrong; at least 99.5 % must be right.
struct Tally {
    name: String,
    right: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn new(name: &str, op: &str) -> Self {
        Self { name: format!("{name} {op}"), right: 0, wrong: Vec::new() }
    }

    fn add(&mut self, right: bool, why: impl FnOnce() -> String) {
        if right { self.right += 1 } else { self.wrong.push(why()) }
    }

    fn check(&self) {
        let count = self.right + self.wrong.len();
        println!("{}: {} of {count}", self.name, self.right);
        for why in &self.wrong {
            println!("    {why}");
        }
    }

    fn assert(&self) {
        self.check();
        assert!(self.right * 1000 >= (self.right + self.wrong.len()) * 995, "{}", self.name);
    }
}

#[test]
fn nearest_polygons() {
    let filter = DefaultFilter::default();
    for name in NAMES {
        let Some((mesh, answers)) = load(name) else { continue };
        let mut tally = Tally::new(name, "nearest");
        for (i, pair) in answers["pairs"].as_array().unwrap().iter().enumerate() {
            let expected = &pair["nearest"];
            let q = vec3(&expected["q"]);
            let found = find_nearest(&mesh, q, HALF_EXTENTS, &filter).unwrap();
            let right = found.point.distance(vec3(&expected["pt"])) <= 1e-3 && expected["over"] == found.over;
            tally.add(right, || format!("{i}: {q} {found:?} {expected}"));
        }
        tally.assert();
    }
}

#[test]
fn paths() {
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    for name in NAMES {
        let Some((mesh, answers)) = load(name) else { continue };
        let mut tally = Tally::new(name, "path");
        let (mut nodes, mut ours, mut theirs, mut shorter) = (0, 0.0, 0.0, 0);
        for (i, pair) in answers["pairs"].as_array().unwrap().iter().enumerate() {
            let ends =
                ["start", "end"].map(|end| find_nearest(&mesh, vec3(&pair[end]), HALF_EXTENTS, &filter).unwrap());
            let goal = vec3(&pair["end"]);
            let path =
                find_path(&mesh, &PathRequest::new(ends[0].place(), ends[1].place()), &filter, &mut scratch).unwrap();
            let straight = string_pull(&path, &mut scratch);
            nodes += path.nodes;
            let points = pair["straight"]["pts"].as_array().unwrap();
            let (last, expected_last) = (straight.points.last().unwrap().point, vec3(&points[points.len() - 1]));
            let expected = pair["straight"]["length"].as_f64().unwrap() as f32;
            let right = if pair["path"]["partial"] == true {
                path.status == PathStatus::Partial && last.distance(goal) <= expected_last.distance(goal) + 0.01
            } else {
                ours += straight.length;
                theirs += expected;
                shorter += usize::from(straight.length < expected * 0.999);
                path.status == PathStatus::Complete
                    && straight.length <= expected * 1.001 + 1e-3
                    && last.distance(expected_last) <= 0.01
            };
            tally.add(right, || {
                format!(
                    "{i}: {} {} of {expected}, ends {} of {}",
                    path.status,
                    straight.length,
                    last.distance(goal),
                    expected_last.distance(goal)
                )
            });
        }
        println!("{name}: {nodes} nodes, sum of lengths {ours}, reference {theirs}, shorter {shorter}");
        tally.assert();
    }
}

#[test]
fn walls_circles_neighbourhoods_rays_and_moves() {
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    for name in NAMES {
        let Some((mesh, answers)) = load(name) else { continue };
        let mut tallies = ["wall", "around", "neighbourhood", "raycast", "move"].map(|op| Tally::new(name, op));
        for (i, pair) in answers["pairs"].as_array().unwrap().iter().enumerate() {
            let start = find_nearest(&mesh, vec3(&pair["start"]), HALF_EXTENTS, &filter).unwrap().place();

            let (radius, expected) = (number(&answers["wall_radius"]), number(&pair["wall"]["dist"]));
            let wall = find_distance_to_wall(&mesh, start, radius, &filter, &mut scratch).unwrap();
            let distance = wall.map_or(radius, |w| w.distance);
            tallies[0].add((distance - expected).abs() <= 1e-3, || format!("{i}: {wall:?} {}", pair["wall"]));

            let expected = number(&pair["circle"]["n"]) as usize;
            let found = polys_around(
                &mesh,
                &AroundRequest::circle(start, number(&answers["circle_radius"])),
                &filter,
                &mut scratch,
            );
            let found = found.unwrap().len();
            tallies[1].add(found == expected, || format!("{i}: {found} of {expected}"));

            let expected = number(&pair["neighbourhood"]["n"]) as usize;
            let radius = number(&answers["neighbourhood_radius"]);
            let found = local_neighbourhood(&mesh, &NeighbourhoodRequest::new(start, radius), &filter, &mut scratch)
                .unwrap()
                .len();
            tallies[2].add(found == expected, || format!("{i}: {found} of {expected}"));

            let expected = pair["raycast"]["t"].as_f64().filter(|&t| t <= 1.0);
            let ray = raycast(&mesh, start, vec3(&pair["end"]), &filter, &mut scratch).unwrap();
            let right = expected.map_or(!ray.hit, |t| (f64::from(ray.t) - t).abs() <= 1e-3);
            tallies[3].add(right, || format!("{i}: {ray:?} {}", pair["raycast"]));

            let expected = vec3(&pair["move"]["result"]);
            let moved = move_along_surface(&mesh, start, vec3(&pair["move"]["to"]), &filter, &mut scratch).unwrap();
            let p = moved.place.point;
            let right = p.distance(expected) <= 5e-3 || (p.x - expected.x).hypot(p.z - expected.z) <= 1e-3;
            tallies[4].add(right, || format!("{i}: {moved:?} {}", pair["move"]));
        }
        tallies.iter().for_each(Tally::assert);
    }
}
