//! The warnings of a bake as text, with the options that may help.

use crate::failure::{Failure, Result};
use crate::input::Level;
use crate::loose_ends::LooseEnds;
use crate::options::option_of;
use crate::terminal::Terminal;
use wayfare::bake::{EmptyBake, Warning, WarningKind};
use wayfare::input::{BakeSettings, Erosion, InputReport};

/// The error that `--strict` makes of a warning.
pub(super) fn refused(warning: &str) -> Failure {
    Failure::new(format_args!("{warning} (an error because of --strict)"))
}

/// Warns about connections that cannot be used; an error with `--strict`.
pub(super) fn check_ends(ends: &LooseEnds, is_strict: bool, terminal: Terminal) -> Result<()> {
    match ends.told() {
        Some(told) if is_strict => return Err(refused(&told)),
        Some(told) => terminal.warn(told),
        None => {}
    }
    Ok(())
}

/// The remark about a radius that rounding to whole cells changes by more than a twentieth.
pub(super) fn rounded_radius(settings: &BakeSettings) -> Option<String> {
    let (radius, cell) = (settings.agent.radius, settings.cell_size);
    let kept = (radius / cell).ceil() * cell;
    (settings.erosion == Erosion::Chamfer && kept > radius * 1.05).then(|| {
        format!(
            "the agent's radius of {radius} m is rounded up to whole cells of {cell} m: {kept:.2} m are kept from walls \
             (--erosion euclidean keeps {radius} m)"
        )
    })
}

const NOTHING: &str = "nothing can be walked on, so nothing is written";

/// The message for a bake without walkable surfaces: why, with the options that may help.
fn nothing_walkable(reason: EmptyBake, has_bounds: bool) -> String {
    let options = match reason {
        EmptyBake::Nothing => return format!("{NOTHING}: {reason}"),
        EmptyBake::FacesDown { .. } => "--up",
        EmptyBake::NothingFacesUp => "--up, --agent-max-slope",
        EmptyBake::HeightsTooSteep { .. } => "--pixel-size, --pixel-height, --agent-max-slope",
        EmptyBake::OutOfBounds { .. } => return format!("{NOTHING}: {reason} (see --bounds)"),
        EmptyBake::CellTooLarge { .. } => "--cell-size, --scale",
        EmptyBake::AgentTooWide { .. } => "--scale, --agent-radius",
        _ => {
            "--scale, --up, --agent-radius, --agent-height, --agent-max-slope, --region-min-size; `wayfare explain LEVEL --at \
             P` says why there is no mesh at a position"
        }
    };
    let bounds = if has_bounds { "--bounds, " } else { "" };
    format!("{NOTHING}: {reason} (see {bounds}{options})")
}

/// The options with questionable values.
fn unwise(settings: &BakeSettings) -> String {
    let names: Vec<String> = settings.warnings().iter().map(|warning| option_of(warning.name)).collect();
    format!("unwise settings: {}", names.join(", "))
}

/// A warning as text, with its position. `level`: what was baked, if it is in memory as a whole.
pub(super) fn told(warning: &Warning, level: Option<&Level>, settings: &BakeSettings) -> String {
    let what = match warning.kind {
        WarningKind::NothingWalkable => {
            let why =
                |level: &Level| nothing_walkable(EmptyBake::of(level.input(), settings), settings.bounds.is_some());
            return level.map_or_else(|| NOTHING.to_owned(), why);
        }
        WarningKind::UnwiseSetting => return unwise(settings),
        kind @ WarningKind::InsideHollowBody => format!("{kind} (see --areas, --region-min-size)"),
        kind => kind.to_string(),
    };
    let triangle = level.and_then(|level| {
        let InputReport { first_not_finite, first_degenerate, .. } = *level.imported.mesh.report();
        let triangle = match warning.kind {
            WarningKind::TriangleNotFinite => first_not_finite,
            WarningKind::TriangleDegenerate => first_degenerate,
            _ => None,
        };
        triangle.map(|triangle| level.imported.origins.of(triangle))
    });
    let (which, near) = match triangle {
        // Its position is that of a corner whose coordinates are finite.
        Some(triangle) => (format!(" is {triangle}"), ", with a corner"),
        None => (String::new(), ""),
    };
    let place = warning.first_place().map(|at| format!("{near} at {},{},{}", at.x, at.y, at.z)).unwrap_or_default();
    let first = if which.is_empty() && place.is_empty() { String::new() } else { format!(", the first{which}{place}") };
    format!("{what}: {}{first}", warning.count)
}
