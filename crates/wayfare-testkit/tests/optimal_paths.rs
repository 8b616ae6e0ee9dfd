//! Optimal paths: as short as the shortest way of a visibility graph, the same both ways, on the mesh, in slices as at
//! once.

use glam::DVec2;
use std::cell::Cell;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::context::Budget;
use wayfare::input::Partition;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    Crossing, DefaultFilter, NodePlacement, OptimalPath, OptimalSearch, OptimalSource, PathRequest, PolyPoint,
    QueryFilter, SearchLimits, SearchScratch, StraightPoint, find_nearest, find_optimal_path, find_path, string_pull,
};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::levels::{WAYS, bake, connect, seeded};
use wayfare_testkit::oracle::{PlaneMap, on_plane};
use wayfare_testkit::{along, polys, property, random_place};

/// Sums of f32 lengths against sums of f64 lengths.
const SLACK: f64 = 1e-4;
/// How far the corner between two squares that only touch is cut for the oracle, which would pass there.
const CUT: f64 = 1e-4;
/// More nodes than any search here needs.
const MANY: u32 = 200_000;
const CLOSED: PolyFlags = PolyFlags(1 << 3);

/// A map of unit squares: open, closed by a flag, or nothing.
struct Squares {
    size: usize,
    cells: Vec<Square>,
}

#[derive(Clone, Copy, PartialEq)]
enum Square {
    Open,
    Closed,
    Nothing,
}

impl Squares {
    fn random(rng: &mut Rng, size: usize) -> Self {
        let cell = |rng: &mut Rng| match rng.whole(0, 9) {
            0..=2 => Square::Nothing,
            3 => Square::Closed,
            _ => Square::Open,
        };
        Self { size, cells: (0..size * size).map(|_| cell(rng)).collect() }
    }

    fn at(&self, x: i32, z: i32) -> Square {
        let inside = (0..self.size as i32).contains(&x) && (0..self.size as i32).contains(&z);
        if inside { self.cells[z as usize * self.size + x as usize] } else { Square::Nothing }
    }

    /// As a mesh of tiles of so many squares a side; rows of up to `run` squares are one polygon, with collinear
    /// corners.
    fn mesh(&self, tile: usize, run: usize) -> NavMesh {
        let count = self.size.div_ceil(tile);
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: tile as f32, tile_depth: tile as f32 };
        let tiles = (0..count * count).filter_map(|at| self.tile((at % count, at / count), tile, run)).collect();
        NavMesh::from_tiles(layout, tiles).unwrap()
    }

    fn tile(&self, (column, row): (usize, usize), tile: usize, run: usize) -> Option<TileData> {
        let (mut verts, mut corners, mut polys) = (Vec::new(), Vec::new(), Vec::new());
        for z in row * tile..((row + 1) * tile).min(self.size) {
            let (mut x, end) = (column * tile, ((column + 1) * tile).min(self.size));
            while x < end {
                let kind = self.at(x as i32, z as i32);
                let length = (x..end.min(x + run)).take_while(|&x| self.at(x as i32, z as i32) == kind).count();
                if kind != Square::Nothing {
                    let around = (x..=x + length).map(|x| (x, z)).chain((x..=x + length).rev().map(|x| (x, z + 1)));
                    for (x, z) in around {
                        let v = Vec3::new(x as f32, 0.0, z as f32);
                        let index = verts.iter().position(|&w| w == v).unwrap_or_else(|| {
                            verts.push(v);
                            verts.len() - 1
                        });
                        corners.push(index as u32);
                    }
                    let flags = if kind == Square::Closed { CLOSED } else { PolyFlags::WALK };
                    polys.push(SourcePoly { count: 2 * length as u16 + 2, flags, area: AreaId::WALKABLE });
                }
                x += length;
            }
        }
        let low = Vec2::new((column * tile) as f32, (row * tile) as f32);
        let source = TileSource {
            coord: TileCoord { x: column as i32, z: row as i32, layer: 0 },
            agent_height: 2.0,
            agent_climb: 0.5,
            verts: &verts,
            corners: &corners,
            polys: &polys,
            frame: Some([low, low + tile as f32]),
            ..TileSource::default()
        };
        (!polys.is_empty()).then(|| build_tile(&source).unwrap())
    }

    fn draw(&self) -> String {
        let letter = |cell: &Square| match cell {
            Square::Open => 'o',
            Square::Closed => 'x',
            Square::Nothing => '.',
        };
        let rows = self.cells.chunks(self.size).rev();
        rows.map(|row| row.iter().map(letter).chain(['\n']).collect::<String>()).collect()
    }

    /// Whether ground and void meet crosswise at a point.
    fn is_pinch(&self, x: i32, z: i32) -> bool {
        let open = |dx, dz| self.at(x + dx, z + dz) == Square::Open;
        let [a, b, c, d] = [open(-1, -1), open(0, -1), open(0, 0), open(-1, 0)];
        (a && c && !b && !d) || (b && d && !a && !c)
    }

    /// For the oracle: the open squares, with the corners cut where two of them touch in a point.
    fn plane(&self) -> PlaneMap {
        let mut map = PlaneMap::default();
        for (index, _) in self.cells.iter().enumerate().filter(|(_, cell)| **cell == Square::Open) {
            let (x, z) = ((index % self.size) as i32, (index / self.size) as i32);
            let corners = [(x, z), (x + 1, z), (x + 1, z + 1), (x, z + 1)];
            let beyond = [(0, -1), (1, 0), (0, 1), (-1, 0)];
            let at = |(x, z): (i32, i32)| DVec2::new(f64::from(x), f64::from(z));
            map.polys.push(corners.map(at).to_vec());
            for k in 0..4 {
                let (from, to) = (corners[k], corners[(k + 1) % 4]);
                let step = (at(to) - at(from)) * CUT;
                let pinched = [from, to].map(|(x, z)| self.is_pinch(x, z));
                if self.at(x + beyond[k].0, z + beyond[k].1) != Square::Open {
                    let begin = if pinched[0] { at(from) + step } else { at(from) };
                    map.walls.push([begin, if pinched[1] { at(to) - step } else { at(to) }]);
                }
                if pinched[0] {
                    let back = (at(corners[(k + 3) % 4]) - at(from)) * CUT;
                    map.walls.push([at(from) + step, at(from) + back]);
                    // And one across the point itself, through the void on both sides.
                    let across = (step - back) * 4.0;
                    map.walls.push([at(from) + across, at(from) - across]);
                }
            }
        }
        map
    }

    /// What a metre on a square costs, if it is open.
    fn cost(&self, nav: &NavMesh, filter: &DefaultFilter, x: i32, z: i32) -> Option<f64> {
        let poly = (self.at(x, z) == Square::Open).then(|| self.poly(nav, x, z))??;
        Some(f64::from(filter.cost(&Crossing::over(nav, poly, nav.state(poly).ok()?, [Vec3::ZERO, Vec3::X]))))
    }

    /// The polygon that a square is a part of.
    fn poly(&self, nav: &NavMesh, x: i32, z: i32) -> Option<PolyRef> {
        let middle = Vec3::new(x as f32 + 0.5, 0.0, z as f32 + 0.5);
        nav.tiles().find_map(|tile| {
            (0..tile.poly_count()).find(|&poly| tile.data().is_over(poly, middle)).map(|poly| tile.reference(poly))
        })
    }

    /// A place on an open square: within it, on an edge, or on a corner at which no two squares merely touch.
    fn place(&self, nav: &NavMesh, rng: &mut Rng) -> Option<PolyPoint> {
        let (x, z) = (rng.whole(0, self.size as i32 - 1), rng.whole(0, self.size as i32 - 1));
        let offset = |rng: &mut Rng| [0.0, 1.0, 0.25, 0.5, rng.unit()][rng.whole(0, 4) as usize];
        let point = Vec3::new(x as f32 + offset(rng), 0.0, z as f32 + offset(rng));
        let is_corner = point.x.fract() == 0.0 && point.z.fract() == 0.0;
        if self.at(x, z) != Square::Open || is_corner && self.is_pinch(point.x as i32, point.z as i32) {
            return None;
        }
        self.poly(nav, x, z).map(|poly| PolyPoint { poly, point })
    }
}

fn request(ends: [PolyPoint; 2]) -> PathRequest {
    let limits = SearchLimits { max_nodes: MANY, ..SearchLimits::default() };
    PathRequest { limits, ..PathRequest::new(ends[0], ends[1]) }
}

fn ask<F: QueryFilter>(nav: &NavMesh, ends: [PolyPoint; 2], filter: &F, scratch: &mut SearchScratch) -> OptimalPath {
    let answer = find_optimal_path(nav, &request(ends), filter, scratch).unwrap();
    assert!(answer.path.nodes < MANY, "the search does not end: {ends:?}");
    answer
}

/// The path is linked, lies on the mesh, and is as long as it says.
fn check_answer(what: &str, nav: &NavMesh, answer: &OptimalPath, sees: impl Fn(DVec2, DVec2) -> bool) {
    for pair in answer.path.polys.windows(2).filter(|pair| !pair.iter().any(|p| p.is_off_mesh())) {
        let linked = nav.poly(pair[0]).unwrap().portals().any(|portal| portal.to == pair[1]);
        assert!(linked, "{what}: {} and {} are not linked", pair[0], pair[1]);
    }
    let points: Vec<Vec3> = answer.straight.points.iter().map(|p| p.point).collect();
    let sum: f64 = points.windows(2).map(|w| w[0].as_dvec3().distance(w[1].as_dvec3())).sum();
    assert!((sum - f64::from(answer.straight.length)).abs() <= SLACK * (1.0 + sum), "{what}: {sum}");
    for w in points.windows(2) {
        assert!(sees(on_plane(w[0]), on_plane(w[1])), "{what}: {} to {} leaves the ground", w[0], w[1]);
    }
}

#[test]
fn as_short_as_the_visibility_graph_on_random_squares() {
    property("as_short_as_the_visibility_graph_on_random_squares", 400, |rng| {
        let size = rng.whole(3, 7) as usize;
        let squares = Squares::random(rng, size);
        let (tile, run) = (rng.whole(2, 8) as usize, rng.whole(1, 4) as usize);
        let (nav, map) = (squares.mesh(tile, run), squares.plane());
        let filter = DefaultFilter::new(PolyFlags::ALL, CLOSED);
        let mut scratch = SearchScratch::new();
        for question in 0..6 {
            let (Some(start), Some(goal)) = (squares.place(&nav, rng), squares.place(&nav, rng)) else { continue };
            let drawn = squares.draw();
            let what = format!(
                "tiles of {tile}, runs of {run}, question {question}: {start:?} to {goal:?}
{drawn}"
            );
            let answer = ask(&nav, [start, goal], &filter, &mut scratch);
            let Some(shortest) = map.shortest(on_plane(start.point), on_plane(goal.point)) else {
                assert_ne!(answer.path.status, PathStatus::Complete, "{what}");
                continue;
            };
            let length = f64::from(answer.straight.length);
            assert_eq!(answer.path.status, PathStatus::Complete, "{what}, shortest {shortest}");
            // The oracle's path bends beside corners that were cut.
            let gap = 4.0 * CUT * answer.straight.points.len() as f64 + SLACK * shortest;
            assert!((length - shortest).abs() <= gap, "{what}: {length}, shortest {shortest}");
            assert_eq!(answer.bound, 1.0, "{what}");
            check_answer(&what, &nav, &answer, |a, b| {
                a.distance(b) < 0.1 || map.shortest(a, b).is_some_and(|d| d <= a.distance(b) + 8.0 * CUT)
            });
            let back = ask(&nav, [goal, start], &filter, &mut scratch);
            assert!(
                (f64::from(back.straight.length) - length).abs() <= SLACK * (1.0 + length),
                "{what}: not both ways"
            );
            check_slices(&what, &nav, [start, goal], &filter, &answer, rng);
        }
    });
}

fn check_slices<F: QueryFilter>(
    what: &str,
    nav: &NavMesh,
    ends: [PolyPoint; 2],
    filter: &F,
    whole: &OptimalPath,
    rng: &mut Rng,
) {
    let mut search = OptimalSearch::new(nav, &request(ends), filter).unwrap();
    while !search.step(filter, &mut Budget::new(rng.whole(1, 3) as u64)) {}
    let mut answer = OptimalPath::default();
    assert!(search.is_finished() && search.path_into(nav, &mut answer).is_none(), "{what}");
    assert_eq!(&answer, whole, "{what}: another answer in slices");
}

#[test]
fn as_short_as_the_visibility_graph_on_baked_ground() {
    property("as_short_as_the_visibility_graph_on_baked_ground", 5, |rng| {
        let spec = format!("holes_and_pillars?size=20&holes=5&pillars=5&seed={}", rng.whole(0, 999));
        let (way, partition, tile_size) = WAYS[rng.whole(0, 3) as usize];
        let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
        let (all, map, mut scratch) = (polys(&nav), PlaneMap::of(&nav), SearchScratch::new());
        for _ in 0..10 {
            // Within polygons: where two walls touch, the oracle would come to a place on them from either side.
            let mut within = || {
                let place = random_place(&nav, &all, rng);
                PolyPoint { point: place.point.lerp(nav.poly(place.poly).unwrap().center(), 0.01), ..place }
            };
            let ends = [within(), within()];
            let what = format!("{spec} {way}: {ends:?}");
            let answer = ask(&nav, ends, &DefaultFilter::default(), &mut scratch);
            let Some(shortest) = map.shortest(on_plane(ends[0].point), on_plane(ends[1].point)) else { continue };
            if answer.path.status != PathStatus::Complete {
                continue; // An island that touches the ground in a point.
            }
            let length: f64 =
                answer.straight.points.windows(2).map(|w| on_plane(w[0].point).distance(on_plane(w[1].point))).sum();
            assert!((length - shortest).abs() <= 1e-3 * (1.0 + shortest), "{what}: {length}, shortest {shortest}");
        }
    });
}

#[test]
fn never_longer_nor_dearer_than_the_corridor_search_and_within_the_bound() {
    property("never_longer_nor_dearer_than_the_corridor_search_and_within_the_bound", 20, |rng| {
        let specs =
            ["dungeon?size=120", "offices", "spiral_ramp", "terrain?size=32", "soup", "two_floors", "city?blocks=1"];
        let spec = seeded(&specs, rng);
        let (way, partition, tile_size) = WAYS[rng.whole(0, 3) as usize];
        let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
        let (all, filter, mut scratch) = (polys(&nav), DefaultFilter::default(), SearchScratch::new());
        for _ in 0..40 {
            let ends = [random_place(&nav, &all, rng), random_place(&nav, &all, rng)];
            let what = format!("{spec} {way}: {ends:?}");
            let optimal = ask(&nav, ends, &filter, &mut scratch);
            let path = find_path(&nav, &PathRequest::new(ends[0], ends[1]), &filter, &mut scratch).unwrap();
            let corridor = string_pull(&path, &mut scratch);
            assert_eq!(optimal.path.status, path.status, "{what}");
            if path.status == PathStatus::Complete {
                let (a, b) = (f64::from(optimal.straight.length), f64::from(corridor.length));
                assert!(a <= b * (1.0 + 1.1e-4) + 1e-4, "{what}: {a}, by the corridor search {b}");
                let straight = f64::from(ends[0].point.distance(ends[1].point));
                let (cost, bound) = (f64::from(optimal.path.cost), f64::from(optimal.bound));
                assert!(bound >= 1.0 && cost >= straight - 1e-3 && (cost - a).abs() <= 1e-3 * (1.0 + a), "{what}");
                check_answer(&what, &nav, &optimal, |_, _| true);
                for (place, off) in along(&nav, &optimal.path, &optimal.straight) {
                    assert!(off <= 1e-3, "{what}: off the mesh by {off} near {place:?}");
                }
                // The shortest on the plane, which bounds the cost of all others, is the same both ways.
                let back = ask(&nav, [ends[1], ends[0]], &filter, &mut scratch);
                let least = |found: &OptimalPath| f64::from(found.path.cost) / f64::from(found.bound);
                assert_eq!(back.path.status, PathStatus::Complete, "{what}: one way only");
                let (there, back) = (least(&optimal), least(&back));
                assert!((there - back).abs() <= SLACK * (1.0 + there), "{what}: {there} there, {back} back");
            }
        }
    });
}

/// What a path over squares costs, each square at its own cost a metre: the least and the most, since a path may run
/// between two squares.
fn paid(points: &[StraightPoint], cost: impl Fn(i32, i32) -> Option<f64>) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for pair in points.windows(2) {
        let (a, b) = (on_plane(pair[0].point), on_plane(pair[1].point));
        let lines = |a: f64, b: f64| {
            (a.min(b).ceil() as i32..=a.max(b).floor() as i32).map(move |line| (f64::from(line) - a) / (b - a))
        };
        let mut cuts: Vec<f64> = lines(a.x, b.x).chain(lines(a.y, b.y)).filter(|t| (0.0..=1.0).contains(t)).collect();
        cuts.extend([0.0, 1.0]);
        cuts.sort_by(f64::total_cmp);
        for cut in cuts.windows(2) {
            let (middle, length) = (a.lerp(b, (cut[0] + cut[1]) / 2.0), a.distance(b) * (cut[1] - cut[0]));
            let beside =
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, z)| middle + DVec2::new(x, z) * CUT);
            let costs = || beside.iter().filter_map(|p| cost(p.x.floor() as i32, p.y.floor() as i32));
            let ends = [costs().fold(f64::INFINITY, f64::min), costs().fold(0.0, f64::max)];
            sum = [0, 1].map(|k| sum[k] + if length > CUT { length * ends[k] } else { 0.0 });
        }
    }
    sum
}

/// Random costs: no answer costs more than its bound allows nor more than the corridor search's, and it costs what it
/// says.
#[test]
fn with_areas_that_differ_in_cost_the_cheaper_answer_and_an_honest_bound() {
    let sources = Cell::new([0; 2]);
    property("with_areas_that_differ_in_cost_the_cheaper_answer_and_an_honest_bound", 60, |rng| {
        let squares = Squares::random(rng, 7);
        let mut nav = squares.mesh(rng.whole(3, 8) as usize, 2);
        for poly in polys(&nav) {
            nav.set_area(poly, AreaId::new(rng.whole(1, 3) as u8).unwrap()).unwrap();
        }
        let mut filter = DefaultFilter::new(PolyFlags::ALL, CLOSED);
        for area in 1..=3 {
            filter.set_area_cost(AreaId::new(area).unwrap(), rng.real(0.5, 4.0)).unwrap();
        }
        let mut scratch = SearchScratch::new();
        for _ in 0..8 {
            let (Some(start), Some(goal)) = (squares.place(&nav, rng), squares.place(&nav, rng)) else { continue };
            let answer = ask(&nav, [start, goal], &filter, &mut scratch);
            if answer.path.status != PathStatus::Complete {
                continue;
            }
            let same_everywhere = ask(&nav, [start, goal], &DefaultFilter::new(PolyFlags::ALL, CLOSED), &mut scratch);
            let lower = same_everywhere.straight.length * filter.least_cost();
            assert!(answer.path.cost <= answer.bound * lower * 1.001 + 1e-4, "{start:?} to {goal:?}: {answer:?}");
            assert!(answer.path.cost >= lower * 0.999 - 1e-4 && answer.bound <= 4.0 / 0.5 + 1e-3);
            let corridor = find_path(&nav, &request([start, goal]), &filter, &mut scratch).unwrap();
            let straight = string_pull(&corridor, &mut scratch);
            let cost = |x: i32, z: i32| squares.cost(&nav, &filter, x, z);
            let (ours, theirs) = (paid(&answer.straight.points, cost), paid(&straight.points, cost));
            let (says, slack) = (f64::from(answer.path.cost), 100.0 * CUT);
            assert!(ours[0] <= says + slack && says <= ours[1] + slack, "{start:?} to {goal:?}: {ours:?}, {answer:?}");
            assert!(says <= theirs[1] + slack, "{start:?} to {goal:?}: {answer:?}, by the corridor search {theirs:?}");
            let mut count = sources.get();
            count[usize::from(answer.source == OptimalSource::Corridor)] += 1;
            sources.set(count);
        }
    });
    assert!(sources.get().iter().all(|&count| count > 0), "each search finds the cheaper one now and then");
}

/// The figures of the manual's chapter, and the ends that its pictures were drawn with.
#[test]
fn the_manual_tells_the_lengths_that_the_searches_find() {
    let chapter = include_str!("../../../docs/optimal-paths.md");
    let questions = [
        (
            "holes_and_pillars?size=30&holes=24&pillars=0&seed=4",
            [[-13.0, 0.2, -10.0], [13.0, 0.2, 10.0]],
            &[NodePlacement::Middle][..],
        ),
        (
            "city?blocks=2",
            [[9.0, 0.2, 102.6], [104.5, 0.2, 62.2]],
            &[NodePlacement::Middle, NodePlacement::Nearest, NodePlacement::Visible],
        ),
    ];
    for (spec, ends, placements) in questions {
        let nav = connect(bake(&scene(spec).unwrap(), Partition::Watershed, 0).0);
        let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
        let ends = ends.map(|p| find_nearest(&nav, p, Vec3::splat(1.0), &filter).unwrap().place());
        let mut lengths: Vec<f32> = placements
            .iter()
            .map(|&placement| {
                let path = find_path(&nav, &PathRequest { placement, ..request(ends) }, &filter, &mut scratch).unwrap();
                string_pull(&path, &mut scratch).length
            })
            .collect();
        lengths.push(ask(&nav, ends, &filter, &mut scratch).straight.length);
        for length in lengths {
            assert!(chapter.contains(&format!("{length:.1} m")), "{spec}: {length}");
        }
    }
}
