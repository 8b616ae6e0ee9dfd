//! What a tick reports to agents: where their parents must be, and what happened, as signals.

use crate::agent::{AgentMovement, WayfareAgent};
use crate::convert::{to_godot, to_nav};
use crate::core::{AgentEvent, Id, Report, Status, with};
use crate::nodes;
use crate::server::rid;
use godot::classes::Node3D;
use godot::prelude::*;

impl WayfareAgent {
    /// Does what the last tick says, and passes on what happened.
    pub(crate) fn hear(this: &Gd<Self>, events: &[AgentEvent], dt: f32) {
        let mut this = this.clone();
        let id = this.bind().id;
        let Some(report) = with(|state| state.agents.get(&id).map(|agent| agent.report.clone())) else { return };
        let waypoint = this.bind_mut().take(report);
        // Scripts hear of a move at once: nothing is borrowed meanwhile.
        let step = this.bind().step_of_parent(dt);
        if let Some((mut parent, place, turned)) = step {
            if place != parent.get_global_position() {
                parent.set_global_position(place);
            }
            if let Some(rotation) = turned {
                parent.set_global_rotation(rotation);
            }
        }
        if !this.is_instance_valid() {
            return;
        }
        if let Some(position) = waypoint {
            let details = vdict! { "position" => position };
            this.signals().waypoint_reached().emit(&details);
        }
        for &event in events {
            if !this.is_instance_valid() {
                return;
            }
            Self::tell(&mut this, event);
        }
        if !this.is_instance_valid() {
            return;
        }
        if this.bind_mut().ends_near() {
            this.signals().navigation_finished().emit();
        }
        if this.is_instance_valid() && this.bind().movement == AgentMovement::Script {
            let velocity = this.bind().get_safe_velocity();
            this.signals().velocity_computed().emit(velocity);
        }
    }

    /// Takes a report in; the corner that was reached since the last one.
    fn take(&mut self, report: Report) -> Option<Vector3> {
        let before = core::mem::replace(&mut self.report, report);
        let was_new = core::mem::take(&mut self.is_new_target);
        let next = before.corners.first().filter(|_| !was_new && before.corners.len() > 1)?;
        let is_passed = !self.report.corners.iter().any(|corner| corner.distance(*next) < 1e-3);
        let is_near = next.distance(self.report.position) <= self.path_desired_distance.max(self.radius);
        (is_passed && is_near).then(|| to_godot(*next) + Vector3::UP * self.origin_height)
    }

    /// The parent, and where it is to be and turn, if the agent moves it.
    fn step_of_parent(&self, dt: f32) -> Option<(Gd<Node3D>, Vector3, Option<Vector3>)> {
        if self.movement != AgentMovement::Parent || self.report.status == Status::OffMesh || self.report.is_carried {
            return None;
        }
        let parent = self.parent()?;
        let place = to_godot(self.report.position) + Vector3::UP * self.origin_height;
        let flat = Vector2::new(self.report.velocity.x, self.report.velocity.z);
        let turned = (self.turn_speed > 0.0 && flat.length() > 0.1).then(|| {
            let wanted = f32::atan2(-flat.x, -flat.y);
            let rotation = parent.get_global_rotation();
            let most = self.turn_speed.to_radians() * dt;
            let turn = godot::global::angle_difference(f64::from(rotation.y), f64::from(wanted)) as f32;
            Vector3::new(rotation.x, rotation.y + turn.clamp(-most, most), rotation.z)
        });
        to_nav(place).is_finite().then_some((parent, place, turned))
    }

    /// Whether it stands where its path ends before the target, for the first time.
    fn ends_near(&mut self) -> bool {
        let is_end = self.report.status == Status::WalkingNear
            && self.report.velocity.length() < 0.05
            && self.get_path_length() <= self.target_desired_distance.min(self.radius);
        let is_first = is_end && !self.is_finished;
        self.is_finished |= is_end;
        is_first
    }

    fn tell(this: &mut Gd<Self>, event: AgentEvent) {
        match event {
            AgentEvent::PathChanged { .. } => {
                let mut agent = this.bind_mut();
                (agent.is_finished, agent.is_reached) = (false, false);
                drop(agent);
                this.signals().path_changed().emit();
            }
            AgentEvent::Unreachable => {
                this.bind_mut().is_finished = true;
                this.signals().target_unreachable().emit();
            }
            AgentEvent::PathLost { distance, soon } => this.signals().path_lost().emit(distance, soon),
            AgentEvent::Displaced { from, to } => this.signals().displaced().emit(to_godot(from), to_godot(to)),
            AgentEvent::Arrived => {
                let mut agent = this.bind_mut();
                (agent.is_finished, agent.is_reached) = (true, true);
                drop(agent);
                this.signals().target_reached().emit();
                if this.is_instance_valid() {
                    this.signals().navigation_finished().emit();
                }
            }
            AgentEvent::Stuck { spells } => this.signals().stuck().emit(i64::from(spells)),
            AgentEvent::GaveUp => {
                this.bind_mut().stop();
                this.signals().gave_up().emit();
                if this.is_instance_valid() {
                    this.signals().navigation_finished().emit();
                }
            }
            AgentEvent::LinkEntered { link, from, to } => {
                let details = vdict! {
                    "position" => to_godot(from),
                    "rid" => rid(link),
                    "owner" => owner(link),
                    "link_entry_position" => to_godot(from),
                    "link_exit_position" => to_godot(to),
                };
                this.signals().link_reached().emit(&details);
            }
            AgentEvent::Obstructed { by } => {
                let details = vdict! { "rid" => rid(by), "owner" => owner(by) };
                this.signals().obstructed().emit(&details);
            }
            AgentEvent::LinkLeft { link } => {
                let details = vdict! { "rid" => rid(link), "owner" => owner(link) };
                this.signals().link_left().emit(&details);
            }
        }
    }
}

/// The node of an obstacle or a link, or the object that a script has named; 0 if there is neither.
fn owner(id: Id) -> i64 {
    nodes::instance(id).map_or_else(|| with(|state| state.owner(id)).unwrap_or(0), |id| id.to_i64())
}
