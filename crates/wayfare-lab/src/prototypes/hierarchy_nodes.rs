//! Nodes at portals or at the centres of areas: two abstract graphs over the same tiles, searched for the same path.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use crate::kit::stage::draw_ends;
use crate::kit::{Stage, lifted};
use crate::prelude::*;
use std::collections::BTreeMap;
use wayfare::hierarchy::{AbstractGraph, HierarchyScratch, InMemory, Refinement, find_hierarchical_path};
use wayfare::math::{OpenList, index::NONE};
use wayfare::query::{DefaultFilter, SearchScratch, StraightPath, string_pull};

const SHOWN: &[&str] = &["portals", "centres"];
const SCENES: &[&str] = &["holes_and_pillars", "offices", "two_floors"];

#[derive(Clone)]
pub(super) struct HierarchyNodes {
    start: Vec3,
    goal: Vec3,
    shown: usize,
    scene: usize,
    tiles: u32,
    stage: Stage,
    graphs: [Graph; 2],
    routes: [Option<Route>; 2],
    refined: Option<StraightPath>,
    best: f32,
    asked: [Vec3; 2],
}

/// Places and what lies between them.
#[derive(Clone, Debug, Default)]
struct Graph {
    nodes: Vec<Vec3>,
    edges: Vec<Vec<(u32, f32)>>,
    /// By tile, the nodes in it.
    by_tile: BTreeMap<(i32, i32), Vec<u32>>,
}

/// A route over nodes.
#[derive(Clone, Debug)]
struct Route {
    points: Vec<Vec3>,
    /// Walked on the mesh from node to node, metres.
    walked: f32,
    /// Nodes that were expanded.
    expanded: usize,
}

impl Graph {
    fn add(&mut self, at: Vec3, tile: (i32, i32)) -> u32 {
        self.nodes.push(at);
        self.edges.push(Vec::new());
        let number = self.nodes.len() as u32 - 1;
        self.by_tile.entry(tile).or_default().push(number);
        number
    }

    fn join(&mut self, a: u32, b: u32, length: f32) {
        if !self.edges[a as usize].iter().any(|edge| edge.0 == b) {
            self.edges[a as usize].push((b, length));
            self.edges[b as usize].push((a, length));
        }
    }

    fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// A* from places that are so far from the start to the nearest of those that are so far from the goal.
    fn route(&self, from: &[(u32, f32)], to: &[(u32, f32)], goal: Vec3) -> (Vec<u32>, usize) {
        let mut cost = vec![f32::INFINITY; self.nodes.len()];
        let mut parent = vec![NONE; self.nodes.len()];
        let mut closed = vec![false; self.nodes.len()];
        let mut open = OpenList::default();
        for &(node, length) in from {
            cost[node as usize] = length;
            open.push(length + self.nodes[node as usize].distance(goal), node);
        }
        let (mut best, mut expanded) = ((f32::INFINITY, NONE), 0);
        while let Some((total, node)) = open.pop() {
            if total >= best.0 {
                break;
            }
            if core::mem::replace(&mut closed[node as usize], true) {
                continue;
            }
            expanded += 1;
            if let Some((_, rest)) = to.iter().find(|end| end.0 == node)
                && cost[node as usize] + rest < best.0
            {
                best = (cost[node as usize] + rest, node);
            }
            for &(next, length) in &self.edges[node as usize] {
                let through = cost[node as usize] + length;
                if through < cost[next as usize] {
                    (cost[next as usize], parent[next as usize]) = (through, node);
                    open.push(through + self.nodes[next as usize].distance(goal), next);
                }
            }
        }
        let back = core::iter::successors(Some(best.1).filter(|&node| node != NONE), |&node| {
            Some(parent[node as usize]).filter(|&before| before != NONE)
        });
        let mut route: Vec<u32> = back.collect();
        route.reverse();
        (route, expanded)
    }
}

/// Both graphs of the same mesh.
fn graphs(of: &AbstractGraph, stage: &Stage) -> [Graph; 2] {
    let mut graphs = [Graph::default(), Graph::default()];
    let key = |p: Vec3| p.to_array().map(f32::to_bits);
    // Where each portal's node is, and in which area.
    let mut area_at = BTreeMap::new();
    let mut node_at: BTreeMap<[u32; 3], Vec<u32>> = BTreeMap::new();
    for part in of.tiles() {
        let Ok(tile) = stage.mesh.tile(part.tile()) else { continue };
        let at = (tile.coord().x, tile.coord().z);
        // In the middle of the portals that lead out of it, or of a polygon where there are none.
        let center = |number: u32, poly: u32| {
            let around = part.graph().portals().iter().filter(|portal| portal.areas.contains(&number));
            let middles: Vec<Vec3> = around.map(|portal| portal.middle).collect();
            let sum: Vec3 = middles.iter().sum();
            if middles.is_empty() { tile.data().center_of(poly) } else { sum / middles.len() as f32 }
        };
        let areas = (0..).zip(part.graph().areas()).map(|(number, area)| graphs[1].add(center(number, area.poly), at));
        let areas: Vec<u32> = areas.collect();
        let first = graphs[0].nodes.len() as u32;
        for portal in part.graph().portals() {
            let node = graphs[0].add(portal.middle, at);
            node_at.entry(key(portal.middle)).or_default().push(node);
            let [a, b] = portal.areas.map(|area| areas.get(area as usize).copied());
            area_at.insert(node, a);
            if let (Some(a), Some(b)) = (a, b) {
                let length = graphs[1].nodes[a as usize].distance(graphs[1].nodes[b as usize]);
                graphs[1].join(a, b, length);
            }
        }
        for number in 0..part.graph().portals().len() as u32 {
            for edge in part.graph().edges_of(number) {
                graphs[0].join(first + number, first + edge.to, edge.length);
            }
        }
    }
    for [from, to] in of.joins() {
        let nodes = |at: Vec3| node_at.get(&key(at)).cloned().unwrap_or_default();
        for (a, b) in nodes(from).into_iter().flat_map(|a| nodes(to).into_iter().map(move |b| (a, b))) {
            if a == b {
                continue;
            }
            graphs[0].join(a, b, from.distance(to));
            if let (Some(Some(a)), Some(Some(b))) = (area_at.get(&a).copied(), area_at.get(&b).copied())
                && a != b
            {
                let length = graphs[1].nodes[a as usize].distance(graphs[1].nodes[b as usize]);
                graphs[1].join(a, b, length);
            }
        }
    }
    graphs
}

impl HierarchyNodes {
    /// The nodes in the tile of a place, by the length of the path to them.
    fn attach(&self, graph: &Graph, at: Vec3) -> Vec<(u32, f32)> {
        let tile = self.stage.mesh.layout().column_row(at);
        let near = graph.by_tile.get(&tile).into_iter().flatten();
        let length = |&node: &u32| {
            let path = self.stage.shortest(at, graph.nodes[node as usize])?;
            let reaches = path.path.end.distance(graph.nodes[node as usize]) < 1.5;
            reaches.then_some((node, path.straight.length))
        };
        near.filter_map(length).collect()
    }

    fn ask(&mut self) {
        if self.asked == [self.start, self.goal] {
            return;
        }
        self.asked = [self.start, self.goal];
        self.best = self.stage.shortest(self.start, self.goal).map_or(f32::NAN, |path| path.straight.length);
        self.routes = [0, 1].map(|kind| {
            let graph = &self.graphs[kind];
            let (from, to) = (self.attach(graph, self.start), self.attach(graph, self.goal));
            let (nodes, expanded) = graph.route(&from, &to, self.goal);
            if nodes.is_empty() {
                return None;
            }
            let between = nodes.iter().map(|&node| graph.nodes[node as usize]);
            let points: Vec<Vec3> = [self.start].into_iter().chain(between).chain([self.goal]).collect();
            let legs = points.windows(2).filter_map(|leg| self.stage.shortest(leg[0], leg[1]));
            let walked = legs.map(|leg| leg.straight.length).sum();
            Some(Route { points, walked, expanded })
        });
        self.refined = self.refine();
    }

    /// The library's own answer: portals, then string pulled over all tiles of the route.
    fn refine(&self) -> Option<StraightPath> {
        let graph = AbstractGraph::new(&self.stage.mesh);
        let filter = DefaultFilter::of(&self.stage.mesh);
        let request = self.stage.request(self.start, self.goal)?;
        let mut world = InMemory::new(&self.stage.mesh, &graph);
        let mut scratch = HierarchyScratch::new();
        let answer = find_hierarchical_path(&mut world, &request, Refinement::Whole, &filter, &mut scratch).ok()?;
        Some(string_pull(&answer.path, &mut SearchScratch::new()))
    }
}

impl Default for HierarchyNodes {
    fn default() -> Self {
        Self {
            start: Vec3::new(-17.0, 0.0, -16.0),
            goal: Vec3::new(17.0, 0.0, 16.0),
            shown: 0,
            scene: 0,
            tiles: 24,
            stage: Stage::default(),
            graphs: Default::default(),
            routes: [None, None],
            refined: None,
            best: f32::NAN,
            asked: [Vec3::NAN; 2],
        }
    }
}

impl Prototype for HierarchyNodes {
    fn meta(&self) -> Meta {
        Meta {
            title: "Hierarchy: portals or centres",
            category: Category::Worlds,
            help: "Far paths are searched over tiles first. Nodes can lie on the portals between tiles, with the true \
                   distance between each two, or one in the middle of each area, with the distance as the crow flies: far \
                   fewer links, and worse paths. The black line is the library's answer after string pulling.",
            source: "Sketch for Hierarchical Pathfinding Using Detour, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        params.choice("graph shown", &mut self.shown, SHOWN);
        params.count("cells a tile", &mut self.tiles, 16..=96).restarts();
        params.choice("scene", &mut self.scene, SCENES).restarts();
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::baked(SCENES[self.scene.min(SCENES.len() - 1)], self.tiles);
        self.graphs = graphs(&AbstractGraph::new(&self.stage.mesh), &self.stage);
        self.asked = [Vec3::NAN; 2];
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        let graph = &self.graphs[self.shown.min(1)];
        for (a, edges) in (0_u32..).zip(&graph.edges) {
            for &(b, _) in edges.iter().filter(|edge| edge.0 > a) {
                let ends = [a, b].map(|node| lifted(graph.nodes[node as usize]));
                canvas.path(&ends, Pen::of(Ink::Tree).width(1.0).alpha(0.8));
            }
        }
        graph.nodes.iter().for_each(|&node| canvas.dot(lifted(node), 7.0, Ink::Open));
        for (number, route) in (0..).zip(&self.routes) {
            if let Some(route) = route {
                let width = if number as usize == self.shown { 4.0 } else { 2.0 };
                canvas.path(&crate::kit::lift(route.points.iter().copied()), Pen::of(Ink::Path(number)).width(width));
            }
        }
        if let Some(refined) = &self.refined {
            self.stage.draw_line(canvas, refined, Pen::of(Ink::Text).width(2.5));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        let [portals, centres] = &self.graphs;
        let walked = |route: &Option<Route>| route.as_ref().map_or(f32::NAN, |route| route.walked);
        figures.count("portals: nodes", portals.nodes.len());
        figures.count("portals: links", portals.edge_count());
        figures.push("portals: from node to node", walked(&self.routes[0]), "m");
        figures.count("portals: expanded", self.routes[0].as_ref().map_or(0, |route| route.expanded));
        figures.count("centres: nodes", centres.nodes.len());
        figures.count("centres: links", centres.edge_count());
        figures.push("centres: from node to node", walked(&self.routes[1]), "m");
        figures.count("centres: expanded", self.routes[1].as_ref().map_or(0, |route| route.expanded));
        figures.push("refined", self.refined.as_ref().map_or(f32::NAN, |line| line.length), "m");
        figures.push("shortest of all", self.best, "m");
    }

    fn report(&self, report: &mut Report) {
        if let Some(refined) = &self.refined {
            let holds = refined.length >= self.best - 0.05;
            report.must(holds, "the refined path is shorter than the shortest", Some(self.goal));
        }
    }
}
