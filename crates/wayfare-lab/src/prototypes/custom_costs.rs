//! You decide what a surface costs: sliders for water, road and mud, and the path follows.
//!
//! Sources: Mikko Mononen, "Proposal for Custom Cost and Polygon Filter for Detour" and "Custom Detour Query Filters",
//! Digesting Duck, August 2010.

use crate::kit::Stage;
use crate::kit::stage::draw_ends;
use crate::prelude::*;
use wayfare::area::AreaId;
use wayfare::query::{DefaultFilter, PolyPath, SearchScratch, StraightPath, find_path, string_pull};

#[derive(Clone)]
pub(super) struct CustomCosts {
    start: Vec3,
    goal: Vec3,
    /// Of water, road, door, mud.
    costs: [f32; 4],
    stage: Stage,
    answer: Option<(PolyPath, StraightPath)>,
    plain: f32,
    asked: ([f32; 4], [Vec3; 2]),
}

const AREAS: [u8; 4] = [1, 2, 3, 4];
const NAMES: [&str; 4] = ["water", "road", "door", "mud"];

impl Default for CustomCosts {
    fn default() -> Self {
        Self {
            start: Vec3::new(-9.0, 0.0, 11.0),
            goal: Vec3::new(10.0, 0.0, 13.0),
            costs: [8.0, 1.0, 1.0, 3.0],
            stage: Stage::default(),
            answer: None,
            plain: f32::NAN,
            asked: ([0.0; 4], [Vec3::NAN; 2]),
        }
    }
}

impl CustomCosts {
    fn ask(&mut self) {
        if self.asked == (self.costs, [self.start, self.goal]) {
            return;
        }
        self.asked = (self.costs, [self.start, self.goal]);
        let mut filter = DefaultFilter::of(&self.stage.mesh);
        for (area, cost) in AREAS.into_iter().zip(self.costs) {
            // The sliders' range is one that costs can have.
            let _ = filter.set_area_cost(AreaId::from_low_bits(area), cost);
        }
        self.answer = self.stage.request(self.start, self.goal).and_then(|request| {
            let mut scratch = SearchScratch::new();
            let path = find_path(&self.stage.mesh, &request, &filter, &mut scratch).ok()?;
            let straight = string_pull(&path, &mut scratch);
            Some((path, straight))
        });
        self.plain = self.stage.shortest(self.start, self.goal).map_or(f32::NAN, |path| path.straight.length);
    }
}

impl Prototype for CustomCosts {
    fn meta(&self) -> Meta {
        Meta {
            title: "Custom costs",
            category: Category::Paths,
            help: "A metre of water can cost as much as eight of grass. Change what the areas cost and see how far an \
                   agent goes to stay dry; below 1 it goes out of its way to use the ground. Costs belong to the question, \
                   not to the mesh: every agent can have its own.",
            source: "Custom Detour Query Filters, August 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        for (name, cost) in NAMES.into_iter().zip(&mut self.costs) {
            params.slider(name, cost, 0.1..=30.0).help("Cost of a metre.");
        }
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::baked("river", 0);
        self.asked.0 = [0.0; 4];
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        if let Some((_, straight)) = &self.answer {
            self.stage.draw_line(canvas, straight, Pen::of(Ink::Path(0)).width(4.0));
        }
        draw_ends(canvas, self.start, self.goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("length", self.answer.as_ref().map_or(f32::NAN, |(_, line)| line.length), "m");
        figures.push("cost", self.answer.as_ref().map_or(f32::NAN, |(path, _)| path.cost), "");
        figures.push("shortest, whatever it costs", self.plain, "m");
        figures.push("nodes", self.answer.as_ref().map_or(0, |(path, _)| path.nodes), "");
    }
}
