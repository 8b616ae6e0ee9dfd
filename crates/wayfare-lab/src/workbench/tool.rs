//! The interface of tools: they respond to clicks on the level, and have a panel and a drawing.

use super::controls::Controls;
use super::stage::Stage;
use crate::canvas::Canvas;
use crate::input::Ray;
use std::sync::Arc;
use wayfare::Vec3;

/// A click, or a drag that goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Click {
    /// Where the level was hit, metres.
    pub at: Vec3,
    /// The line of sight.
    pub ray: Ray,
    /// Shift is held: the other thing that the tool can do.
    pub shift: bool,
    /// Ctrl or Command is held: remove.
    pub remove: bool,
}

impl Click {
    /// A click from straight above.
    #[must_use]
    pub fn at(at: Vec3) -> Self {
        Self { at, ray: Ray { from: at + Vec3::Y * 50.0, along: -Vec3::Y }, shift: false, remove: false }
    }

    /// The same with Shift held.
    #[must_use]
    pub fn with_shift(self) -> Self {
        Self { shift: true, ..self }
    }

    /// The same with Ctrl held.
    #[must_use]
    pub fn removing(self) -> Self {
        Self { remove: true, ..self }
    }
}

/// A tool of the workbench.
pub trait Tool {
    /// Its name in the list: one or two words.
    fn title(&self) -> &'static str;

    /// What it is for, and what clicks do: shown on top of its panel.
    fn help(&self) -> &'static str;

    /// Describes its panel.
    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls);

    /// The level was clicked.
    fn click(&mut self, stage: &mut Stage, click: &Click) {
        let _ = (stage, click);
    }

    /// The button is held and the pointer has moved. Says whether the tool takes drags: else they turn the camera.
    fn drag(&mut self, stage: &mut Stage, click: &Click) -> bool {
        let _ = (stage, click);
        false
    }

    /// Whether a drag that begins at such a point of the level belongs to it; else it turns the camera.
    fn takes_drags(&self, at: Vec3) -> bool {
        let _ = at;
        false
    }

    /// Goes on by so many seconds. Says whether it wants another frame soon; if no time has gone by, only what works in
    /// the background does.
    fn update(&mut self, stage: &mut Stage, dt: f32) -> bool {
        let _ = (stage, dt);
        false
    }

    /// How long the library has worked for its last step, milliseconds; 0 while nothing goes on.
    fn library_time(&self) -> f32 {
        0.0
    }

    /// Draws what it has to show, over level and mesh.
    fn draw(&self, stage: &Stage, canvas: &mut Canvas);

    /// Draws what goes on while another tool is in use, over level and mesh.
    fn draw_behind(&self, stage: &Stage, canvas: &mut Canvas) {
        let _ = (stage, canvas);
    }

    /// The points that it was given by clicks, as far as they go into an address.
    fn points(&self) -> Vec<Vec3> {
        Vec::new()
    }

    /// Takes such points again.
    fn set_points(&mut self, stage: &mut Stage, points: &[Vec3]) {
        let _ = (stage, points);
    }

    /// How many agents walk that it has made; others than a crowd make none.
    fn agents(&self) -> u32 {
        0
    }

    /// Makes so many, at random places, and lets each walk somewhere else.
    fn set_agents(&mut self, stage: &mut Stage, count: u32) {
        let _ = (stage, count);
    }

    /// A world of its own that is shown in place of the level: the same one as long as nothing in it changes.
    fn backdrop(&self) -> Option<Arc<Canvas>> {
        None
    }

    /// Takes its last step back, if it keeps its own.
    fn undo(&mut self, stage: &mut Stage) -> bool {
        let _ = stage;
        false
    }

    /// There is another level: everything about the old one is forgotten.
    fn reset(&mut self);
}
