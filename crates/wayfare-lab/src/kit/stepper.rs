//! Counts the steps of what is shown one at a time.

/// Counts steps of what is shown one at a time: by itself, or at a key.
#[derive(Clone, Copy, Debug)]
pub struct Stepper {
    /// Whether it goes on by itself.
    pub plays: bool,
    /// Steps a second while it does.
    pub pace: f32,
    /// The step that is shown.
    pub step: u32,
    due: f32,
}

impl Default for Stepper {
    fn default() -> Self {
        Self { plays: true, pace: 2.0, step: 0, due: 0.0 }
    }
}

impl Stepper {
    /// A stepper of this pace, steps a second.
    #[must_use]
    pub fn of_pace(pace: f32) -> Self {
        Self { pace, ..Self::default() }
    }

    /// Its parameters.
    pub fn params(&mut self, params: &mut crate::Params<'_>) {
        params.toggle("play", &mut self.plays).help("Goes on by itself. Otherwise Enter goes on, and Delete back.");
        params.slider("pace", &mut self.pace, 0.5..=60.0).help("Steps a second.");
    }

    /// Goes on; after the last of `steps` it begins anew. Whether another step is shown now.
    pub fn update(&mut self, dt: f32, input: &crate::Input, steps: u32) -> bool {
        let before = self.step;
        let steps = steps.max(1);
        if input.was_pressed(crate::input::Key::Enter) {
            self.step = (self.step + 1) % steps;
        }
        if input.was_pressed(crate::input::Key::Delete) {
            self.step = self.step.checked_sub(1).unwrap_or(steps - 1);
        }
        if self.plays {
            self.due += dt * self.pace;
            let due = self.due as u32;
            self.due -= due as f32;
            self.step = (self.step + due) % steps;
        }
        self.step = self.step.min(steps - 1);
        self.step != before
    }
}
