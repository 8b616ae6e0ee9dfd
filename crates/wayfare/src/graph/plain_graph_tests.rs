//! The kernel on a plain graph: nodes at places, edges with costs in one list, each node's from an offset on. An
//! abstract graph over tiles is searched just so.

use super::{Course, FirstFound, Fringe, Known, Node, NodeStore, Order, PageSize, SearchLimits, SearchObserver};
use super::{SearchRecord, SearchSpace, run};
use crate::area::LimitHit;
use crate::context::Budget;
use crate::math::{OpenList, Rng};
use core::ops::ControlFlow;
use glam::Vec3;

/// Places of nodes; of node `n` the edges are those from `first[n]` to `first[n + 1]`.
struct PlainGraph {
    places: Vec<Vec3>,
    first: Vec<u32>,
    edges: Vec<(u32, f32)>,
}

/// Nodes of one page: as many as there are in a tile.
const PAGE: u32 = 8;

impl PlainGraph {
    fn random(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(60);
        let places: Vec<Vec3> =
            (0..count).map(|_| Vec3::new(rng.unit() * 9.0, rng.unit() * 9.0, rng.unit() * 9.0)).collect();
        let mut first = vec![0];
        let mut edges = Vec::new();
        for from in 0..count as usize {
            for _ in 0..rng.below(4) {
                let to = rng.below(count);
                // No cheaper than the straight line.
                edges.push((to, places[from].distance(places[to as usize]) * (1.0 + rng.unit())));
            }
            first.push(edges.len() as u32);
        }
        Self { places, first, edges }
    }

    fn edges_of(&self, node: u32) -> &[(u32, f32)] {
        &self.edges[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    fn pages(&self) -> u32 {
        self.places.len() as u32 / PAGE + 1
    }

    /// Costs of the cheapest paths from a node, by relaxing every edge as often as there are nodes.
    fn oracle(&self, start: u32) -> Vec<f32> {
        let mut costs = vec![f32::INFINITY; self.places.len()];
        costs[start as usize] = 0.0;
        for _ in 0..self.places.len() {
            for from in 0..self.places.len() as u32 {
                for &(to, cost) in self.edges_of(from) {
                    costs[to as usize] = costs[to as usize].min(costs[from as usize] + cost);
                }
            }
        }
        costs
    }
}

/// To one goal, or without one everywhere.
struct ToNode<'a> {
    graph: &'a PlainGraph,
    goal: Option<u32>,
    reached: Option<u32>,
}

impl ToNode<'_> {
    fn node(&self, nodes: &mut NodeStore<u32>, of: u32) -> Node<u32> {
        let page = nodes.entries.page(of / PAGE, |_| PageSize { keys: PAGE, kinds: 1 });
        Node::at(page.entry(of % PAGE, 0), of, self.graph.places[of as usize])
    }

    fn estimate(&self, from: u32) -> f32 {
        let places = &self.graph.places;
        self.goal.map_or(0.0, |goal| places[from as usize].distance(places[goal as usize]) * 0.999)
    }
}

impl SearchSpace for ToNode<'_> {
    type Key = u32;

    fn expand<Q: Order, O: SearchObserver<u32>>(
        &mut self,
        fringe: &mut Fringe<'_, u32, Q, O>,
        number: u32,
        node: Node<u32>,
    ) -> ControlFlow<()> {
        if self.goal == Some(node.of) {
            self.reached = Some(number);
            return ControlFlow::Break(());
        }
        for &(to, cost) in self.graph.edges_of(node.of) {
            let next = self.node(fringe.nodes, to);
            let cost = node.cost + cost;
            if fringe.course.is_too_expensive(cost) {
                continue;
            }
            match fringe.nodes.entries.known(next.entry()) {
                Known::New => _ = fringe.open(next, number, cost, self.estimate(to)),
                Known::Open(other) => fringe.improve(other, (number, next.via), cost, self.estimate(to)),
                Known::Closed => {}
            }
        }
        ControlFlow::Continue(())
    }
}

/// What is asked, and in which order nodes have their turns.
struct Asked<Q> {
    nodes: NodeStore<u32>,
    open: Q,
    record: SearchRecord<u32>,
}

impl<Q: Order + Default> Asked<Q> {
    fn new() -> Self {
        Self { nodes: NodeStore::default(), open: Q::default(), record: SearchRecord::new() }
    }

    /// Searches in slices of so many nodes. Where the goal was reached, and how the search stands.
    fn search(
        &mut self,
        graph: &PlainGraph,
        ends: (u32, Option<u32>),
        limits: SearchLimits,
        slice: u64,
    ) -> (Option<u32>, Course) {
        let mut space = ToNode { graph, goal: ends.1, reached: None };
        let mut course = Course::within(limits);
        let Self { nodes, open, record } = self;
        nodes.begin(graph.pages());
        let first = space.node(nodes, ends.0);
        Fringe { nodes, open, observer: record, course: &mut course }.begin(first, space.estimate(ends.0));
        loop {
            let mut fringe = Fringe { nodes, open, observer: record, course: &mut course };
            if run(&mut space, &mut fringe, &mut Budget::new(slice)) {
                return (space.reached, course);
            }
        }
    }
}

fn is_same(a: f32, b: f32) -> bool {
    a == b || (a - b).abs() <= 1e-4 * b
}

#[test]
fn a_star_over_a_plain_graph_is_as_cheap_as_the_oracle() {
    let mut rng = Rng::new(12);
    let mut asked = Asked::<OpenList>::new();
    let mut reached = 0;
    for round in 0..400 {
        let graph = PlainGraph::random(&mut rng);
        let start = rng.below(graph.places.len() as u32);
        let goal = rng.below(graph.places.len() as u32);
        let costs = graph.oracle(start);
        let slice = 1 + u64::from(rng.below(5));
        let (found, course) = asked.search(&graph, (start, Some(goal)), SearchLimits::default(), slice);
        assert!(course.is_finished && course.limit.is_none(), "round {round}");
        assert_eq!(found.is_some(), costs[goal as usize].is_finite(), "round {round}");
        let Some(last) = found else { continue };
        assert!(is_same(asked.nodes.get(last).cost, costs[goal as usize]), "round {round}");
        // The way back is a path of the graph that costs as much.
        let trail: Vec<Node<u32>> = asked.nodes.trail(last).copied().collect();
        assert_eq!((trail[0].of, trail[trail.len() - 1].of), (goal, start));
        for pair in trail.windows(2) {
            let mut edges = graph.edges_of(pair[1].of).iter();
            assert!(edges.any(|&(to, cost)| to == pair[0].of && pair[1].cost + cost == pair[0].cost));
        }
        reached += 1;
    }
    assert!(reached > 100, "{reached}");
}

#[test]
fn without_a_goal_all_costs_are_found() {
    let mut rng = Rng::new(13);
    let mut asked = Asked::<OpenList>::new();
    for round in 0..100 {
        let graph = PlainGraph::random(&mut rng);
        asked.search(&graph, (0, None), SearchLimits::default(), u64::MAX);
        let mut found = vec![f32::INFINITY; graph.places.len()];
        (0..asked.nodes.len()).for_each(|n| found[asked.nodes.get(n).of as usize] = asked.nodes.get(n).cost);
        let costs = graph.oracle(0);
        assert!(found.iter().zip(&costs).all(|(&a, &b)| is_same(a, b)), "round {round}: {found:?} {costs:?}");
    }
}

#[test]
fn breadth_first_finds_the_fewest_edges() {
    let graph = PlainGraph {
        places: vec![Vec3::ZERO; 4],
        first: vec![0, 2, 3, 4, 4],
        edges: vec![(1, 1.0), (2, 9.0), (3, 1.0), (3, 1.0)],
    };
    let mut asked = Asked::<FirstFound>::new();
    let (found, _) = asked.search(&graph, (0, Some(3)), SearchLimits::default(), u64::MAX);
    assert_eq!(asked.nodes.trail(found.unwrap()).map(|node| node.of).collect::<Vec<_>>(), [3, 1, 0]);
}

#[test]
fn limits_are_kept_and_named() {
    let count = 10;
    let graph = PlainGraph {
        places: (0..count).map(|x| Vec3::new(x as f32, 0.0, 0.0)).collect(),
        first: (0..=count).map(|n| n.min(count - 1)).collect(),
        edges: (1..count).map(|to| (to, 1.0)).collect(),
    };
    let mut asked = Asked::<OpenList>::new();
    let mut ask = |max_nodes, max_cost| {
        let (found, course) = asked.search(&graph, (0, Some(9)), SearchLimits { max_nodes, max_cost }, 3);
        (found.is_some(), course.limit, asked.nodes.len(), course.best)
    };
    assert_eq!(ask(u32::MAX, f32::INFINITY), (true, None, 10, 9));
    assert_eq!(ask(4, f32::INFINITY), (false, Some(LimitHit::Nodes), 4, 3));
    assert_eq!(ask(u32::MAX, 5.0), (false, Some(LimitHit::Distance), 6, 5));
    assert_eq!(ask(u32::MAX, 9.0), (true, None, 10, 9));
}

/// What the observer was shown is what stands in the nodes.
#[test]
fn the_record_agrees_with_the_nodes() {
    let mut rng = Rng::new(14);
    let mut asked = Asked::<OpenList>::new();
    let mut improvements = 0;
    for _ in 0..50 {
        let graph = PlainGraph::random(&mut rng);
        asked.record.clear();
        let goal = rng.below(graph.places.len() as u32);
        let (found, _) = asked.search(&graph, (0, Some(goal)), SearchLimits::default(), u64::MAX);
        let [search] = asked.record.searches() else { panic!("one search, one record") };
        assert_eq!(search.nodes().len(), asked.nodes.len() as usize);
        for shown in search.nodes() {
            let node = asked.nodes.get(shown.number);
            assert_eq!((shown.of, shown.at, shown.cost, shown.total), (node.of, node.pos, node.cost, node.total));
            let is_closed = asked.nodes.entries.known(node.entry()) == Known::Closed;
            assert_eq!(search.is_closed(shown.number), is_closed);
        }
        if let Some(last) = found {
            let shown: Vec<u32> = search.trail(last).map(|node| node.of).collect();
            assert_eq!(shown, asked.nodes.trail(last).map(|node| node.of).collect::<Vec<_>>());
            assert_eq!(search.closed_order().last(), Some(&last));
        }
        improvements += search.improvements();
    }
    assert!(improvements > 0);
}
