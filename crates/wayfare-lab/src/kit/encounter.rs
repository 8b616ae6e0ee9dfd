//! One agent among others that it is about to meet: the situation that all prototypes of avoidance share.
//!
//! The others can be dragged; each of them walks straight on. With "walk" on, time goes by and the agent takes the
//! velocity that the prototype's method chooses; after some seconds everything begins anew.

use crate::canvas::{Canvas, Ink, Pen};
use crate::kit::Board;
use crate::params::Params;
use wayfare::avoid::{AgentState, Neighbour, Surroundings, Wall};
use wayfare::{Vec2, Vec3};

/// The greatest speed of all, m/s.
pub const MAX_SPEED: f32 = 1.6;
/// The radius of all, metres.
pub const RADIUS: f32 = 0.5;
/// After so many seconds it begins anew.
const AGAIN: f32 = 7.0;

/// Who is where.
#[derive(Clone, Debug)]
pub struct Encounter {
    /// Where the others begin.
    others: [Vec3; 3],
    /// Where they go: their speed is such that they are there when it begins anew.
    goals: [Vec3; 3],
    goal: Vec3,
    wall: bool,
    walk: bool,
    time: f32,
    position: Vec2,
    velocity: Vec2,
    neighbours: Vec<Neighbour>,
    walls: Vec<Wall>,
}

impl Default for Encounter {
    fn default() -> Self {
        let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
        Self {
            others: [at(0.4, 0.35), at(0.2, -3.4), at(-1.6, 3.0)],
            goals: [at(-6.5, -0.4), at(0.4, 4.0), at(2.6, -2.6)],
            goal: at(5.0, 0.0),
            wall: false,
            walk: false,
            time: 0.0,
            position: Vec2::ZERO,
            velocity: Vec2::ZERO,
            neighbours: Vec::new(),
            walls: Vec::new(),
        }
    }
}

impl Encounter {
    /// Its parameters.
    pub fn params(&mut self, params: &mut Params<'_>) {
        params.toggle("walk", &mut self.walk).help("Lets time go by.");
        params.toggle("wall", &mut self.wall).help("A wall on the agent's right.");
        params.point("goal", &mut self.goal);
        let [a, b, c] = &mut self.others;
        params.point("other 1", a);
        params.point("other 2", b);
        params.point("other 3", c);
    }

    /// The agent's start.
    #[must_use]
    pub fn start() -> Vec2 {
        Vec2::new(-4.0, 0.0)
    }

    /// Begins anew.
    pub fn begin(&mut self) {
        self.time = 0.0;
        self.position = Self::start();
        self.velocity = self.desired();
        self.look();
    }

    /// A parameter was set: what is seen is looked up anew.
    pub fn changed(&mut self) {
        if self.walk { self.look() } else { self.begin() }
    }

    /// Goes on, with the velocity that `choose` gives the agent.
    pub fn update(&mut self, dt: f32, choose: impl FnOnce(&Surroundings<'_>) -> Vec2) {
        if self.walk {
            self.time += dt;
            self.look();
            let velocity = choose(&self.surroundings());
            self.velocity = velocity;
            self.position += velocity * dt;
            if self.time > AGAIN {
                self.begin();
            }
        } else {
            self.begin();
        }
        self.look();
    }

    /// What the agent sees.
    #[must_use]
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { agent: self.agent(), neighbours: &self.neighbours, walls: &self.walls }
    }

    /// How near the nearest of the others is, skin to skin, metres.
    #[must_use]
    pub fn gap(&self) -> f32 {
        let gap = |other: &Neighbour| other.position.distance(self.position) - other.radius - RADIUS;
        self.neighbours.iter().map(gap).fold(f32::INFINITY, f32::min)
    }

    /// Where the board with velocities lies.
    #[must_use]
    pub fn board(&self) -> Board {
        Board { middle: Vec3::new(11.0, 0.0, 0.0), scale: 2.4, max_speed: MAX_SPEED }
    }

    /// Draws everybody.
    pub fn draw(&self, canvas: &mut Canvas) {
        let ground = |p: Vec2| Vec3::new(p.x, 0.0, p.y);
        let floor = [[-6.5, -5.0], [-6.5, 5.0], [6.3, 5.0], [6.3, -5.0]].map(|[x, z]| Vec3::new(x, -0.02, z));
        canvas.fill(&floor, Ink::Ground(wayfare::area::AreaId::WALKABLE), 1.0);
        canvas.line(ground(self.position), self.goal, Pen::of(Ink::Goal).width(1.0).dashed());
        canvas.dot(self.goal, 12.0, Ink::Goal);
        for wall in &self.walls {
            canvas.line(ground(wall.a), ground(wall.b), Pen::of(Ink::Wall).width(4.0));
        }
        for (number, other) in (1..).zip(&self.neighbours) {
            let velocity = ground(other.velocity);
            canvas.agent(ground(other.position), (other.radius, 1.6), velocity, Ink::Agent(number));
            canvas.arrow(ground(other.position), velocity, Ink::Agent(number));
            canvas.label(ground(other.position) + Vec3::Y * 1.8, number.to_string(), Ink::Text);
        }
        canvas.agent(ground(self.position), (RADIUS, 1.6), ground(self.velocity), Ink::Path(2));
        canvas.label(ground(self.position) + Vec3::Y * 1.8, "agent", Ink::Text);
    }

    /// The velocity that the agent would have if it were alone.
    #[must_use]
    pub fn desired(&self) -> Vec2 {
        let to = Vec2::new(self.goal.x, self.goal.z) - self.position;
        to.normalize_or_zero() * (MAX_SPEED * 0.8).min(to.length())
    }

    fn agent(&self) -> AgentState {
        AgentState {
            position: self.position,
            velocity: self.velocity,
            desired: self.desired(),
            radius: RADIUS,
            max_speed: MAX_SPEED,
            wall_distance: RADIUS,
        }
    }

    fn look(&mut self) {
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let (time, position) = (self.time, self.position);
        let seen = |(&from, &to): (&Vec3, &Vec3)| {
            let velocity = (flat(to) - flat(from)) / AGAIN;
            let position = flat(from) + velocity * time;
            Neighbour { position, velocity, desired: velocity, radius: RADIUS, share: 0.5 }
        };
        self.neighbours = self.others.iter().zip(&self.goals).map(seen).collect();
        let far = |other: &Neighbour| other.position.distance_squared(position);
        self.neighbours.sort_by(|a, b| far(a).total_cmp(&far(b)));
        self.walls.clear();
        if self.wall {
            self.walls.push(Wall { a: Vec2::new(-6.0, 1.2), b: Vec2::new(6.0, 1.2) });
        }
    }
}
