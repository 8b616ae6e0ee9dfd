//! The problems of a mesh or its level, as a list to click on.

use super::controls::Controls;
use super::stage::Stage;
use super::task::Task;
use crate::canvas::{Canvas, Ink};
use wayfare::Vec3;
use wayfare::bake::Warning;
use wayfare::mesh::NavMesh;

/// One problem.
#[derive(Clone, Debug, PartialEq)]
struct Problem {
    /// Whether it breaks a rule that every mesh keeps; if not, the bake warned of it.
    is_violation: bool,
    /// What it is.
    text: String,
    /// All its places, metres.
    places: Vec<Vec3>,
}

/// Checks the mesh, and gathers the warnings of its bake.
fn find_problems(mesh: &NavMesh, warnings: &[Warning]) -> Vec<Problem> {
    let violations = mesh.check().into_iter().map(|violation| Problem {
        is_violation: true,
        text: violation.to_string(),
        places: vec![violation.position],
    });
    let warnings = warnings.iter().map(|warning| Problem {
        is_violation: false,
        text: format!("{} ({})", warning.kind.name(), warning.count),
        places: warning.places.clone(),
    });
    violations.chain(warnings).collect()
}

/// The problems of the mesh, found in the background.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<Problem>,
    /// The version of the mesh that they are of.
    version: u64,
    checking: Option<(u64, Task<Vec<Problem>>)>,
    chosen: Option<usize>,
}

impl Problems {
    /// How many there are, as they were counted last.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    pub(super) fn is_checking(&self) -> bool {
        self.checking.is_some()
    }

    /// There is another level.
    pub(super) fn forget(&mut self) {
        self.found.clear();
        self.checking = None;
        self.chosen = None;
    }

    /// Begins to check the mesh, unless what is known is of this version or a later one.
    fn check(&mut self, version: u64, stage: &Stage) {
        if self.checking.is_some() || self.version >= version {
            return;
        }
        let Some(world) = &stage.world else { return };
        let (mesh, warnings) = (world.mesh.clone(), world.report.warnings.clone());
        self.checking = Some((world.version, Task::start(move |_| find_problems(&mesh, &warnings))));
    }

    /// Takes what was found. Checks after each bake; what tools change is checked when somebody looks at the list.
    pub(super) fn update(&mut self, stage: &Stage) {
        if let Some((version, task)) = &mut self.checking
            && let Some(found) = task.poll()
        {
            (self.version, self.found) = (*version, found);
            self.checking = None;
            self.chosen = None;
        }
        self.check(stage.world.as_ref().map_or(0, |world| world.bake), stage);
    }

    /// Shows the list. Returns the first place of the problem that was clicked.
    pub(super) fn panel(&mut self, stage: &Stage, controls: &mut dyn Controls) -> Option<Vec3> {
        self.check(stage.version(), stage);
        if self.checking.is_some() {
            controls.note("Checking …");
        } else if self.found.is_empty() {
            controls.note("No violations, no warnings.");
        }
        let mut look_at = None;
        for (i, problem) in self.found.iter().enumerate() {
            let mark = if problem.is_violation { "Violation" } else { "Warning" };
            if controls.line(&format!("{mark}: {}", problem.text), self.chosen == Some(i)) {
                self.chosen = Some(i);
                look_at = problem.places.first().copied();
            }
        }
        look_at
    }

    /// Marks all places of the problem that was clicked.
    pub(super) fn draw(&self, canvas: &mut Canvas) {
        for &place in self.chosen.and_then(|i| self.found.get(i)).into_iter().flat_map(|problem| &problem.places) {
            canvas.dot(place, 12.0, Ink::Warning);
        }
    }
}
