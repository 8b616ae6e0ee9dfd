//! What is wrong with a mesh or its level, as a list to click on.

use wayfare::Vec3;
use wayfare::bake::Warning;
use wayfare::mesh::NavMesh;

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Whether it breaks a rule that every mesh keeps; if not, the bake warned of it.
    pub is_violation: bool,
    /// What it is.
    pub text: String,
    /// All its places, metres.
    pub places: Vec<Vec3>,
}

/// Checks the mesh, and gathers the warnings of its bake.
#[must_use]
pub(crate) fn find_problems(mesh: &NavMesh, warnings: &[Warning]) -> Vec<Problem> {
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
