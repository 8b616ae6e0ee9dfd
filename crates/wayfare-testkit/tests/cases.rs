//! The case suite: errands over built-in scenes with answers that are known, in `testdata/cases/*.toml`. Every engine
//! runs all of them, on every scene baked as one tile and as many: A* in one piece, A* in slices of several sizes, the
//! optimal search in one piece and in slices. What a file may say is told by the structures below.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::area::{AreaId, LimitHit, PathStatus, PolyFlags};
use wayfare::context::Budget;
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::query::{
    DEFAULT_REACH, DefaultFilter, OptimalPath, OptimalSearch, PathRequest, PolyPath, SearchLimits, SearchScratch,
    SlicedSearch, StraightPath, add_crossings, find_nearest, find_optimal_path, find_path, string_pull,
};
use wayfare_testkit::levels::{WAYS, bake, connect};
use wayfare_testkit::polys;

/// A file: a scene, what is done to its mesh, and errands over it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    /// As everywhere: `NAME?key=value`.
    scene: String,
    /// The flags of area types; all others keep theirs.
    #[serde(default)]
    flags: BTreeMap<String, u16>,
    #[serde(default)]
    connection: Vec<Jump>,
    errand: Vec<Errand>,
}

/// An off-mesh connection.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Jump {
    start: [f32; 3],
    end: [f32; 3],
    two_way: Option<bool>,
    flags: Option<u16>,
}

/// A question and what is known of its answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Errand {
    /// What it is about.
    what: String,
    from: [f32; 3],
    to: [f32; 3],
    include: Option<u16>,
    exclude: Option<u16>,
    /// What a metre costs, by area type.
    #[serde(default)]
    area_cost: BTreeMap<String, f32>,
    max_nodes: Option<u32>,
    max_cost: Option<f32>,
    /// `complete`, `partial` or `none`.
    status: String,
    /// The limit that cuts the answer short: `nodes` or `distance`.
    limit: Option<String>,
    /// Least and greatest length of the pulled string, metres.
    length: Option<[f32; 2]>,
    /// How many off-mesh connections are used.
    links: Option<usize>,
    /// Area types that the string crosses, among others.
    #[serde(default)]
    crosses: Vec<u8>,
    /// Area types that it does not touch.
    #[serde(default)]
    avoids: Vec<u8>,
    ends_near: Option<Near>,
}

/// A place and how far from it, metres on the plane.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Near {
    point: [f32; 3],
    within: f32,
}

impl Suite {
    fn mesh(&self, way: usize) -> NavMesh {
        let (_, partition, tile_size) = WAYS[way];
        let scene = wayfare_scenes::scene(&self.scene).unwrap();
        let mut mesh = connect(bake(&scene, partition, tile_size).0);
        for poly in polys(&mesh) {
            let area = mesh.state(poly).unwrap().area;
            if let Some(&flags) = self.flags.get(&area.to_string()) {
                mesh.set_flags(poly, PolyFlags(flags)).unwrap();
            }
        }
        for jump in &self.connection {
            let connection = OffMeshConnection {
                start: jump.start.into(),
                end: jump.end.into(),
                radius: 0.6,
                two_way: jump.two_way.unwrap_or(true),
                area: AreaId::WALKABLE,
                flags: jump.flags.map_or(PolyFlags::WALK, PolyFlags),
                user_id: 0,
            };
            mesh.add_connection(connection).unwrap();
        }
        mesh
    }
}

impl Errand {
    fn filter(&self) -> DefaultFilter {
        let (include, exclude) = (self.include.unwrap_or(u16::MAX), self.exclude.unwrap_or(0));
        let mut filter = DefaultFilter::new(PolyFlags(include), PolyFlags(exclude));
        for (area, &cost) in &self.area_cost {
            filter.set_area_cost(AreaId::new(area.parse().unwrap()).unwrap(), cost).unwrap();
        }
        filter
    }

    fn request(&self, mesh: &NavMesh, filter: &DefaultFilter) -> Option<PathRequest> {
        let [from, to] = [self.from, self.to].map(|p| find_nearest(mesh, p, DEFAULT_REACH, filter));
        let limits = SearchLimits {
            max_nodes: self.max_nodes.unwrap_or(u32::MAX),
            max_cost: self.max_cost.unwrap_or(f32::INFINITY),
        };
        Some(PathRequest { limits, ..PathRequest::new(from?.place(), to?.place()) })
    }

    /// Holds a path and the string pulled through it to what is known.
    fn check(&self, what: &str, mesh: &NavMesh, path: &PolyPath, straight: &StraightPath) {
        let what = format!("{what}: {}: {path:?}", self.what);
        assert_eq!(path.status.to_string(), self.status, "{what}");
        assert_eq!(path.limit.map(|limit: LimitHit| limit.to_string()), self.limit, "{what}");
        if let Some([least, most]) = self.length {
            assert!((least..=most).contains(&straight.length), "{} m, {what}", straight.length);
        }
        let links = path.polys.iter().filter(|poly| poly.is_off_mesh()).count();
        assert!(self.links.is_none_or(|expected| expected == links), "{links} connections, {what}");
        let every = add_crossings(mesh, path, wayfare::query::Crossings::All, straight).unwrap();
        let last = every.points.len().saturating_sub(1);
        let areas: Vec<u8> = every.points[..last].iter().map(|p| mesh.state(p.poly).unwrap().area.get()).collect();
        assert!(self.crosses.iter().all(|area| areas.contains(area)), "{areas:?} {what}");
        assert!(!self.avoids.iter().any(|area| areas.contains(area)), "{areas:?} {what}");
        if let Some(Near { point, within }) = &self.ends_near {
            let beside = wayfare::math::plane::distance(Vec3::from(*point), path.end);
            assert!(beside <= *within, "{beside} m from there, {what}");
        }
    }

    /// Asks every engine.
    fn run(&self, what: &str, mesh: &NavMesh, scratch: &mut SearchScratch) {
        let filter = self.filter();
        let Some(request) = self.request(mesh, &filter) else {
            assert_eq!(self.status, PathStatus::None.to_string(), "{what}: {}: an end is off the mesh", self.what);
            return;
        };
        let path = find_path(mesh, &request, &filter, scratch).unwrap();
        let straight = string_pull(&path, scratch);
        self.check(&format!("{what}, A*"), mesh, &path, &straight);
        for budget in [1, 7, 100] {
            let mut search = SlicedSearch::new(mesh, &request, &filter).unwrap();
            while !search.step(&filter, &mut Budget::new(budget)) {}
            assert_eq!(search.path(mesh), (path.clone(), None), "{what}: {}: slices of {budget}", self.what);
        }
        let optimal = find_optimal_path(mesh, &request, &filter, scratch).unwrap();
        self.check(&format!("{what}, optimal"), mesh, &optimal.path, &optimal.straight);
        if self.area_cost.is_empty() && path.status == PathStatus::Complete {
            assert!(optimal.straight.length <= straight.length * 1.0001, "{what}: {}", self.what);
        }
        for budget in [3, 50] {
            let mut search = OptimalSearch::new(mesh, &request, &filter).unwrap();
            while !search.step(&filter, &mut Budget::new(budget)) {}
            let mut sliced = OptimalPath::default();
            assert_eq!(search.path_into(mesh, &mut sliced), None);
            // Where a slice ends, the node in hand goes back to the others: of equally good ways another may be found.
            self.check(&format!("{what}, optimal in slices of {budget}"), mesh, &sliced.path, &sliced.straight);
            let [a, b] = [&sliced, &optimal].map(|found| found.path.cost);
            assert!((a - b).abs() <= b * 1e-5, "{what}: {}: slices of {budget} cost {a}, at once {b}", self.what);
        }
    }
}

#[test]
fn every_engine_answers_every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut errands, mut scratch) = (0, SearchScratch::new());
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let suite: Suite = toml::from_str(&fs::read_to_string(file).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        for way in [0, 1] {
            let mesh = suite.mesh(way);
            assert_eq!(mesh.check(), [], "{name}");
            suite.errand.iter().for_each(|errand| errand.run(&format!("{name}, {}", WAYS[way].0), &mesh, &mut scratch));
        }
        errands += suite.errand.len();
    }
    println!("{errands} errands over {} levels", files.len());
    assert!(files.len() >= 10 && errands >= 30, "{errands} errands over {} levels", files.len());
}
