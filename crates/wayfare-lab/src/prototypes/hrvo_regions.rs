//! Hybrid reciprocal velocity obstacles: two that meet head-on, each doing half of the avoidance, may dance from side
//! to side; widening one side of the obstacle ends that.
//!
//! Sources: Mikko Mononen, "Custom hRVO", Digesting Duck, March 2010; Jamie Snape, Jur van den Berg, Stephen Guy,
//! Dinesh Manocha, "The hybrid reciprocal velocity obstacle", 2011.

use crate::kit::Board;
use crate::prelude::*;
use wayfare::avoid::{AgentState, AvoidScratch, Avoider, ClearPath, Hrvo, Neighbour, Surroundings};
use wayfare::math::Rng;

const METHODS: &[&str] = &["hybrid", "plain reciprocal"];
const RADIUS: f32 = 0.5;
const SPEED: f32 = 1.4;

#[derive(Clone, Copy, Debug)]
struct Body {
    at: Vec2,
    velocity: Vec2,
    goal: Vec2,
}

#[derive(Clone)]
pub(super) struct HrvoRegions {
    method: usize,
    horizon: f32,
    pairs: Vec<[Body; 2]>,
    trails: Vec<[Vec<Vec2>; 2]>,
    /// On which side of the other each first pair's agent passed in the last tick, and how often that changed.
    side: f32,
    changes: u32,
    least_gap: f32,
    time: f32,
}

impl Default for HrvoRegions {
    fn default() -> Self {
        Self {
            method: 0,
            horizon: 2.0,
            pairs: Vec::new(),
            trails: Vec::new(),
            side: 0.0,
            changes: 0,
            least_gap: f32::INFINITY,
            time: 0.0,
        }
    }
}

fn desired(body: &Body) -> Vec2 {
    let to = body.goal - body.at;
    to.normalize_or_zero() * SPEED.min(to.length() * 2.0)
}

impl HrvoRegions {
    fn see(pair: &[Body; 2], own: usize) -> (AgentState, Neighbour) {
        let (body, other) = (&pair[own], &pair[1 - own]);
        let agent = AgentState {
            position: body.at,
            velocity: body.velocity,
            desired: desired(body),
            radius: RADIUS,
            max_speed: SPEED * 1.2,
            wall_distance: 0.0,
        };
        let neighbour = Neighbour {
            position: other.at,
            velocity: other.velocity,
            desired: desired(other),
            radius: RADIUS,
            share: 0.5,
        };
        (agent, neighbour)
    }

    fn hybrid(&self) -> Hrvo {
        Hrvo { horizon: self.horizon, keep_right: 0.0, ..Hrvo::default() }
    }

    fn plain(&self) -> ClearPath {
        let plain = ClearPath { spike: 0.0, side_bias: 0.0, steadiness: 0.0, keep_right: 0.0, ..ClearPath::default() };
        ClearPath { horizon: self.horizon, ..plain }
    }

    fn choose(&self, around: &Surroundings<'_>) -> Vec2 {
        let mut scratch = AvoidScratch::default();
        if self.method == 0 {
            self.hybrid().velocity(around, &mut scratch)
        } else {
            self.plain().velocity(around, &mut scratch)
        }
    }
}

impl Prototype for HrvoRegions {
    fn meta(&self) -> Meta {
        Meta {
            title: "HRVO: who passes where",
            category: Category::Avoidance,
            help: "Pairs meet nearly head-on. With plain reciprocal obstacles each expects the other to do half, and both \
                   may choose the same side, again and again. The hybrid obstacle is widened on the side on which one \
                   should not pass, so a choice once made stays the cheaper one. Compare both side by side.",
            source: "Custom hRVO, March 2010; The hybrid reciprocal velocity obstacle, 2011",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("obstacles", &mut self.method, METHODS).restarts();
        params.slider("horizon", &mut self.horizon, 0.5..=5.0).help("Seconds.");
    }

    fn init(&mut self, setup: &Setup) {
        let Self { method, horizon, .. } = *self;
        *self = Self { method, horizon, ..Self::default() };
        let mut rng = Rng::new(setup.seed);
        for lane in 0..4_u16 {
            let z = f32::from(lane) * 2.8 - 4.2;
            let off = (rng.unit() - 0.5) * 0.5;
            let body = |x: f32, z: f32| Body { at: Vec2::new(x, z), velocity: Vec2::ZERO, goal: Vec2::new(-x, z) };
            self.pairs.push([body(-5.0, z + off), body(5.0, z)]);
        }
        self.trails = vec![[Vec::new(), Vec::new()]; self.pairs.len()];
    }

    fn update(&mut self, dt: f32, _: &Input) {
        self.time += dt;
        let mut sides = 0.0;
        for i in 0..self.pairs.len() {
            let pair = self.pairs[i];
            let new = [0, 1].map(|own| {
                let (agent, neighbour) = Self::see(&pair, own);
                self.choose(&Surroundings { agent, neighbours: &[neighbour], walls: &[] })
            });
            for ((body, trail), velocity) in self.pairs[i].iter_mut().zip(&mut self.trails[i]).zip(new) {
                body.velocity = velocity;
                body.at += velocity * dt;
                trail.push(body.at);
            }
            let [a, b] = &self.pairs[i];
            self.least_gap = self.least_gap.min(a.at.distance(b.at) - 2.0 * RADIUS);
            sides += if new[0].y > 0.02 {
                1.0
            } else if new[0].y < -0.02 {
                -1.0
            } else {
                0.0
            };
        }
        self.changes += u32::from(sides != self.side);
        self.side = sides;
    }

    fn draw(&self, canvas: &mut Canvas) {
        let ground = |p: Vec2| Vec3::new(p.x, 0.0, p.y);
        let floor = [[-6.5, -6.0], [-6.5, 6.0], [6.5, 6.0], [6.5, -6.0]].map(|[x, z]| Vec3::new(x, -0.02, z));
        canvas.fill(&floor, Ink::Ground(wayfare::area::AreaId::WALKABLE), 1.0);
        for (pair, trails) in self.pairs.iter().zip(&self.trails) {
            for (number, (body, trail)) in (0..).zip(pair.iter().zip(trails)) {
                let line: Vec<Vec3> = trail.iter().map(|&p| ground(p) + Vec3::Y * 0.03).collect();
                canvas.path(&line, Pen::of(Ink::Path(number * 2)).width(2.5));
                canvas.agent(ground(body.at), (RADIUS, 1.6), ground(body.velocity), Ink::Path(number * 2));
            }
        }
        let board = Board { middle: Vec3::new(11.5, 0.0, 0.0), scale: 2.4, max_speed: SPEED * 1.2 };
        if let Some(pair) = self.pairs.first() {
            let (agent, neighbour) = Self::see(pair, 0);
            let around = Surroundings { agent, neighbours: &[neighbour], walls: &[] };
            let mut regions = Vec::new();
            for (is_hybrid, ink) in [(true, Ink::Forbidden), (false, Ink::Text)] {
                if is_hybrid {
                    self.hybrid().regions(&around, 8.0, &mut regions);
                } else {
                    self.plain().regions(&around, 8.0, &mut regions);
                }
                for region in &regions {
                    let corners = board.clipped(region);
                    canvas.fill(&corners, ink, if is_hybrid { 0.4 } else { 0.15 });
                    canvas.outline(&corners, Pen::of(ink).width(2.0));
                }
            }
            board.draw(canvas, "top pair: hybrid (red) and plain (grey)");
            board.arrows(canvas, agent.desired, self.choose(&around));
        }
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("changes of side", self.changes, "");
        figures.push("least gap", self.least_gap, "m");
        let left = self.pairs.iter().flatten().map(|body| body.at.distance(body.goal)).fold(0.0, f32::max);
        figures.push("farthest from its goal", left, "m");
        figures.push("time", self.time, "s");
    }
}
