//! Many requests at once, searched a few nodes a tick: nobody waits for a frame, some wait for their path.
//!
//! Sources: Mikko Mononen, "Detour Sliced Path Find" and "Detour Navmesh Data and Queries Separated", Digesting Duck,
//! August 2010; "Crowd Manager Progress", October 2010.

use crate::kit::{Stage, lifted};
use crate::prelude::*;
use std::sync::Arc;
use wayfare::context::Budget;
use wayfare::math::Rng;
use wayfare::plan::{AStarPlanner, PathQueue as Queue, RequestId, SharedFilter};
use wayfare::query::{DefaultFilter, PathRequest, PointSampler, PolyPoint, SearchScratch, string_pull};

/// So many are asked for at once, every so many ticks.
const EVERY: u32 = 150;

#[derive(Clone)]
pub(super) struct PathQueue {
    budget: u32,
    requests: u32,
    stage: Stage,
    queue: Queue,
    asked: Vec<(RequestId, PolyPoint, PolyPoint, u32)>,
    found: Vec<Vec<Vec3>>,
    rng: Rng,
    tick: u32,
    waited: u32,
    longest: u32,
    answers: u32,
    nodes: u64,
}

impl Default for PathQueue {
    fn default() -> Self {
        Self {
            budget: 60,
            requests: 40,
            stage: Stage::default(),
            queue: Queue::new(),
            asked: Vec::new(),
            found: Vec::new(),
            rng: Rng::new(0),
            tick: 0,
            waited: 0,
            longest: 0,
            answers: 0,
            nodes: 0,
        }
    }
}

impl PathQueue {
    fn ask(&mut self) {
        let filter = DefaultFilter::of(&self.stage.mesh);
        let sampler = PointSampler::on_mesh(&self.stage.mesh, &filter);
        let shared: SharedFilter = Arc::new(filter);
        for _ in 0..self.requests {
            let mut place = || sampler.sample(&self.stage.mesh, &mut self.rng).ok().flatten();
            let (Some(from), Some(to)) = (place(), place()) else { continue };
            let id = self.queue.request(PathRequest::new(from, to), shared.clone());
            self.asked.push((id, from, to, self.tick));
        }
    }

    fn take(&mut self) {
        let mut scratch = SearchScratch::new();
        while let Some((id, answer)) = self.queue.take_next() {
            self.nodes += u64::from(answer.path.nodes);
            let line = string_pull(&answer.path, &mut scratch);
            self.found.push(line.points.iter().map(|corner| lifted(corner.point)).collect());
            if let Some(at) = self.asked.iter().position(|asked| asked.0 == id) {
                let waited = self.tick - self.asked.remove(at).3;
                self.waited += waited;
                self.longest = self.longest.max(waited);
            }
            self.answers += 1;
        }
    }
}

impl Prototype for PathQueue {
    fn meta(&self) -> Meta {
        Meta {
            title: "A queue of requests",
            category: Category::Crowds,
            help: "Every few seconds forty agents ask for a path in the same tick. Searching all of them at once would be \
                   a spike; the queue spends a budget of nodes a tick instead and keeps the frame even. Dashed lines wait \
                   for an answer. Give it a larger budget and watch the wait shrink.",
            source: "Detour Sliced Path Find, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.count("nodes a tick", &mut self.budget, 4..=2000);
        params.count("requests", &mut self.requests, 1..=200).help("Asked for at once.");
    }

    fn init(&mut self, setup: &Setup) {
        let Self { budget, requests, .. } = *self;
        *self = Self { budget, requests, rng: Rng::new(setup.seed), ..Self::default() };
        self.stage = Stage::baked("holes_and_pillars", 0);
    }

    fn update(&mut self, _: f32, _: &Input) {
        if self.tick.is_multiple_of(EVERY) {
            self.found.clear();
            self.ask();
        }
        self.tick += 1;
        let mut budget = Budget::new(u64::from(self.budget));
        self.queue.step(&self.stage.mesh, &mut AStarPlanner::new(), &mut budget);
        self.take();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for (_, from, to, _) in &self.asked {
            canvas.line(lifted(from.point), lifted(to.point), Pen::of(Ink::Forbidden).width(1.2).dashed());
            canvas.dot(lifted(from.point), 7.0, Ink::Forbidden);
        }
        for (number, line) in (0..).zip(&self.found) {
            canvas.path(line, Pen::of(Ink::Agent(number)).width(2.0));
            if let Some(&start) = line.first() {
                canvas.dot(start, 7.0, Ink::Agent(number));
            }
        }
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("waiting", self.queue.pending());
        figures.push("answered", self.answers, "");
        figures.push("mean wait", self.waited as f32 / self.answers.max(1) as f32, "ticks");
        figures.push("longest wait", self.longest, "ticks");
        figures.push("nodes a path", self.nodes as f64 / f64::from(self.answers.max(1)), "");
    }

    fn report(&self, report: &mut Report) {
        let waiting = self.queue.pending();
        report.must(waiting == self.asked.len(), "a request was lost", None);
        if self.tick % EVERY == EVERY - 1 && waiting > 0 {
            report.warn(format!("{waiting} requests still wait when the next come: the budget is too small"), None);
        }
    }
}
