//! Formations: slots behind a leader that bend with the ground, and members who change places when that is shorter.
//!
//! Sources: Mikko Mononen, "Following Moving Target" (formation points), Digesting Duck, October 2010.

use crate::kit::{Stage, Troop, lifted, maps};
use crate::prelude::*;
use wayfare::crowd::{AgentParams, Formation};

const SHAPES: &[&str] = &["block", "wedge", "column"];
/// The leader goes round these places unless it is sent elsewhere.
const TOUR: [Vec3; 5] = [
    Vec3::new(22.0, 0.0, 9.0),
    Vec3::new(17.5, 0.0, 14.7),
    Vec3::new(2.0, 0.0, 14.0),
    Vec3::new(7.5, 0.0, 8.3),
    Vec3::new(13.8, 0.0, 1.3),
];

#[derive(Clone)]
pub(super) struct Formations {
    shape: usize,
    members: u32,
    spacing: f32,
    stage: Stage,
    troop: Troop,
    formation: Option<Formation>,
    setup: Option<Setup>,
    leg: usize,
    sent_to: Option<Vec3>,
}

impl Default for Formations {
    fn default() -> Self {
        Self {
            shape: 0,
            members: 8,
            spacing: 1.1,
            stage: Stage::default(),
            troop: Troop::default(),
            formation: None,
            setup: None,
            leg: 0,
            sent_to: None,
        }
    }
}

impl Formations {
    fn slots(&self) -> Vec<Vec2> {
        let count = self.members as usize;
        match self.shape {
            0 => Formation::block(count, 3, self.spacing),
            1 => Formation::wedge(count, self.spacing),
            _ => Formation::block(count, 1, self.spacing),
        }
    }

    fn farthest(&self) -> f32 {
        let off = |slot: wayfare::crowd::Slot| {
            self.troop.crowd.position(slot.agent).map_or(0.0, |at| at.distance(slot.place.point))
        };
        self.formation.iter().flat_map(Formation::slots).map(off).fold(0.0, f32::max)
    }
}

impl Prototype for Formations {
    fn meta(&self) -> Meta {
        Meta {
            title: "Formations",
            category: Category::Crowds,
            help: "A leader (red) and members who keep to slots behind it. Where a slot would lie in a wall it is drawn \
                   back to ground that the leader sees; members change places when that is the shorter way for both. Click \
                   on the ground to send the leader there.",
            source: "Following Moving Target, October 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.choice("shape", &mut self.shape, SHAPES).restarts();
        params.count("members", &mut self.members, 1..=20).restarts();
        params.slider("spacing", &mut self.spacing, 0.8..=2.5).restarts().help("Metres.");
    }

    fn init(&mut self, setup: &Setup) {
        let Self { shape, members, spacing, .. } = *self;
        *self = Self { shape, members, spacing, ..Self::default() };
        self.setup = Some(setup.clone());
        self.stage = Stage::of_outlines(&maps::courtyard());
        let slow = AgentParams { max_speed: 2.0, ..AgentParams::of_size(0.35, 1.7) };
        let fast = AgentParams { max_speed: 2.8, ..slow.clone() };
        self.troop.add(&self.stage, Vec3::new(7.5, 0.0, 5.0), slow);
        for i in 0..members {
            // Rows beside the leader, then one in front of it.
            let row = [6.6, 8.4, 7.5][(i / 8) as usize % 3];
            let at = Vec3::new(row, 0.0, 1.0 + (i % 8) as f32 * 0.8);
            self.troop.add(&self.stage, at, fast.clone());
        }
        self.troop.send(&self.stage, 0, TOUR[0]);
        if let Some((&leader, rest)) = self.troop.ids.split_first() {
            self.formation = Some(Formation::new(leader, self.slots(), rest.to_vec()));
        }
    }

    fn update(&mut self, dt: f32, input: &Input) {
        let Some(setup) = self.setup.clone() else { return };
        if let Some(place) = input.clicked() {
            self.sent_to = Some(place);
            self.troop.send(&self.stage, 0, place);
        }
        let is_there = self.troop.ids.first().is_some_and(|&leader| self.troop.crowd.is_at_rest(leader) == Ok(true));
        if self.sent_to.is_none() && is_there {
            self.leg = (self.leg + 1) % TOUR.len();
            self.troop.send(&self.stage, 0, TOUR[self.leg]);
        }
        if let Some(formation) = &mut self.formation {
            // The leader never leaves.
            let _ = formation.lead(&mut self.troop.crowd, &self.stage.mesh);
        }
        self.troop.update(&self.stage, dt, &setup.clock);
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for slot in self.formation.iter().flat_map(Formation::slots) {
            let place = lifted(slot.place.point);
            canvas.circle(place, 0.35, Pen::of(Ink::Wish).width(2.0));
            if let Ok(at) = self.troop.crowd.position(slot.agent) {
                canvas.line(lifted(at), place, Pen::of(Ink::Wish).dashed());
            }
        }
        self.troop.draw(canvas);
        canvas.circle(self.troop.position(0) + Vec3::Y * 0.05, 0.6, Pen::of(Ink::Path(0)).width(3.0));
        canvas.dot(lifted(self.sent_to.unwrap_or(TOUR[self.leg])), 12.0, Ink::Goal);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        self.stage.ground(ray)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.push("members", self.members, "");
        figures.push("farthest from its slot", self.farthest(), "m");
        figures.push("leader's speed", self.troop.velocity(0).length(), "m/s");
        figures.push("deepest overlap", self.troop.deepest_overlap() * 100.0, "%");
    }

    fn phases(&self, phases: &mut Phases) {
        self.troop.phases(phases);
    }

    fn report(&self, report: &mut Report) {
        self.troop.report(&self.stage, report);
    }
}
