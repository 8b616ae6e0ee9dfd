//! The funnel algorithm, one portal at a time, as in the pictures of the post. It is written down here once more, so
//! that its state can be shown, and held to the library's at the end.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", Digesting Duck, March 2010.

use crate::kit::stage::draw_ends;
use crate::kit::{Stage, Stepper, lift, lifted, maps};
use crate::prelude::*;
use wayfare::math::funnel::{self, Portal};
use wayfare::math::plane::cross;
use wayfare::query::PolyPath;

#[derive(Clone)]
pub(super) struct FunnelSteps {
    start: Vec3,
    goal: Vec3,
    stepper: Stepper,
    stage: Stage,
    path: Option<PolyPath>,
    steps: Vec<Step>,
    asked: [Vec3; 2],
}

/// The state after one portal was looked at.
#[derive(Clone, Debug)]
struct Step {
    apex: Vec3,
    left: Vec3,
    right: Vec3,
    /// The portal that was looked at.
    portal: usize,
    /// The corners found so far.
    corners: Vec<Vec3>,
    what: &'static str,
}

impl Default for FunnelSteps {
    fn default() -> Self {
        let (start, goal) = (Vec3::new(1.0, 0.0, 3.6), Vec3::new(21.5, 0.0, 12.8));
        Self {
            start,
            goal,
            stepper: Stepper::of_pace(1.5),
            stage: Stage::default(),
            path: None,
            steps: Vec::new(),
            asked: [Vec3::NAN; 2],
        }
    }
}

/// The algorithm of the post, with a note after each portal.
fn run(start: Vec3, goal: Vec3, portals: &[Portal]) -> Vec<Step> {
    let mut portals = portals.to_vec();
    portals.push(Portal::point(goal));
    let (mut apex, mut left, mut right) = (start, start, start);
    let (mut left_at, mut right_at) = (0, 0);
    let mut corners = vec![start];
    let mut steps = Vec::new();
    let mut i = 0;
    while i < portals.len() {
        let Portal { left: new_left, right: new_right } = portals[i];
        let mut what = "outside the funnel: nothing changes";
        let mut corner = None;
        if cross(apex, right, new_right) >= 0.0 {
            if apex == right || cross(apex, left, new_right) < 0.0 {
                (right, right_at) = (new_right, i);
                what = "the right side narrows";
            } else {
                corner = Some((left, left_at));
                what = "right crosses left: the left end becomes a corner";
            }
        }
        if corner.is_none() && cross(apex, left, new_left) <= 0.0 {
            if apex == left || cross(apex, right, new_left) > 0.0 {
                (left, left_at) = (new_left, i);
                what = if what.starts_with("the right") { "both sides narrow" } else { "the left side narrows" };
            } else {
                corner = Some((right, right_at));
                what = "left crosses right: the right end becomes a corner";
            }
        }
        if let Some((at, portal)) = corner {
            corners.push(at);
            (apex, left, right) = (at, at, at);
            (left_at, right_at) = (portal, portal);
            steps.push(Step { apex, left, right, portal: i, corners: corners.clone(), what });
            i = portal;
        } else {
            steps.push(Step { apex, left, right, portal: i, corners: corners.clone(), what });
        }
        i += 1;
    }
    corners.push(goal);
    let portal = portals.len() - 1;
    steps.push(Step { apex, left: goal, right: goal, portal, corners, what: "the goal is reached" });
    steps
}

impl FunnelSteps {
    fn ask(&mut self) {
        if self.asked == [self.start, self.goal] {
            return;
        }
        self.asked = [self.start, self.goal];
        self.path = self.stage.path(self.start, self.goal).map(|(path, _)| path);
        self.steps = self.path.as_ref().map(|path| run(path.start, path.end, &path.portals)).unwrap_or_default();
    }

    fn shown(&self) -> Option<&Step> {
        self.steps.get(self.stepper.step as usize).or(self.steps.last())
    }
}

impl Prototype for FunnelSteps {
    fn meta(&self) -> Meta {
        Meta {
            title: "Funnel, step by step",
            category: Category::Paths,
            help: "A path over polygons is a row of portals. The funnel, seen from its apex, narrows at each of them; \
                   where one side would cross the other, the path has a corner, and the funnel begins anew there. \
                   Drag start and goal; stop it and go on with Enter, back with Delete.",
            source: "Simple Stupid Funnel Algorithm, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.point("start", &mut self.start);
        params.point("goal", &mut self.goal);
        self.stepper.params(params);
    }

    fn init(&mut self, _: &Setup) {
        self.stage = Stage::of_outlines(&maps::winding());
        self.asked = [Vec3::NAN; 2];
        self.ask();
    }

    fn changed(&mut self) {
        self.ask();
    }

    fn update(&mut self, dt: f32, input: &Input) {
        self.stepper.update(dt, input, self.steps.len() as u32);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        let (Some(path), Some(step)) = (&self.path, self.shown()) else { return };
        self.stage.fill(canvas, &path.polys, Ink::Path(2), 0.18);
        for (i, portal) in path.portals.iter().enumerate() {
            let pen = if i == step.portal { Pen::of(Ink::Current).width(5.0) } else { Pen::of(Ink::Text).dashed() };
            canvas.line(lifted(portal.left), lifted(portal.right), pen);
            canvas.dot(lifted(portal.left), 6.0, Ink::Left);
            canvas.dot(lifted(portal.right), 6.0, Ink::Right);
        }
        canvas.fill(&lift([step.apex, step.left, step.right]), Ink::Current, 0.35);
        canvas.line(lifted(step.apex), lifted(step.left), Pen::of(Ink::Left).width(3.5));
        canvas.line(lifted(step.apex), lifted(step.right), Pen::of(Ink::Right).width(3.5));
        canvas.path(&lift(step.corners.iter().copied()), Pen::of(Ink::Path(0)).width(4.0));
        step.corners.iter().for_each(|&corner| canvas.dot(lifted(corner), 10.0, Ink::Path(0)));
        canvas.dot(lifted(step.apex), 13.0, Ink::Current);
        draw_ends(canvas, path.start, path.end);
        canvas.label(Vec3::new(12.0, 0.0, 16.2), step.what, Ink::Text);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("portals", self.path.as_ref().map_or(0, |path| path.portals.len()));
        figures.count("steps", self.steps.len());
        figures.count("step", self.stepper.step as usize + 1);
        figures.count("corners so far", self.shown().map_or(0, |step| step.corners.len().saturating_sub(1)));
        let length = |points: &[Vec3]| points.windows(2).map(|ends| ends[0].distance(ends[1])).sum::<f32>();
        figures.push("length", self.steps.last().map_or(f32::NAN, |last| length(&last.corners)), "m");
    }

    fn report(&self, report: &mut Report) {
        let (Some(path), Some(last)) = (&self.path, self.steps.last()) else { return };
        let known = funnel::string_pull(path.start, path.end, &path.portals);
        let length = |points: &mut dyn Iterator<Item = Vec3>| {
            let points: Vec<Vec3> = points.collect();
            points.windows(2).map(|ends| ends[0].distance(ends[1])).sum::<f32>()
        };
        let ours = length(&mut last.corners.iter().copied());
        let theirs = length(&mut known.iter().map(|corner| corner.point));
        report.must((ours - theirs).abs() < 1e-3, "the funnel shown here and the library's differ", Some(path.end));
    }
}
