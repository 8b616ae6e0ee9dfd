//! The bake of a level in the background.

use super::level::BakeInput;
use super::task::Task;
use wayfare::bake::{BakeError, BakeJob, BakeReport, TilePlan};
use wayfare::context::{Budget, Cancelled, Context};
use wayfare::input::BakeSettings;
use wayfare::mesh::{AddTileError, NavMesh};

/// What a bake has made.
#[derive(Clone, Debug)]
pub struct Baked {
    /// The mesh.
    pub mesh: NavMesh,
    /// How the level is cut into tiles.
    pub plan: TilePlan,
    /// What it was made with.
    pub settings: BakeSettings,
    /// Counts, times and warnings.
    pub report: BakeReport,
}

/// Why there is no mesh.
#[derive(Debug, thiserror::Error)]
pub enum BakingError {
    /// The bake failed, or was cancelled.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The tiles do not fit together.
    #[error(transparent)]
    Tiles(#[from] AddTileError),
}

impl BakingError {
    /// Whether somebody wanted it to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Bake(BakeError::Cancelled(_)))
    }
}

type MaybeJob<'a> = Option<BakeJob<'a>>;

self_cell::self_cell!(
    /// A job together with the level that it reads.
    struct OwnedJob {
        owner: BakeInput,
        #[not_covariant]
        dependent: MaybeJob,
    }
);

/// Begins to bake.
#[must_use]
pub fn start(input: BakeInput, settings: BakeSettings) -> Task<Result<Box<Baked>, BakingError>> {
    Task::start_pieces(move || {
        let plan = TilePlan::new(input.level(), &settings);
        let mut job = OwnedJob::try_new(input, |input| BakeJob::new(input.level(), &settings).map(Some));
        move |budget, context: &Context<'_>| {
            let (Ok(job), Ok(plan)) = (&mut job, &plan) else {
                let failed = std::mem::replace(&mut job, Err(BakeError::Cancelled(Cancelled))).err()?;
                return Some(Err(failed.into()));
            };
            match job.with_dependent_mut(|_, job| step(job, budget, context)) {
                Ok(None) => None,
                Ok(Some((tiles, report))) => Some(finish(tiles, report, *plan, settings)),
                Err(error) => Some(Err(error.into())),
            }
        }
    })
}

type Finished = (wayfare::bake::BakedTiles, BakeReport);

fn step(job: &mut MaybeJob<'_>, budget: Budget, context: &Context<'_>) -> Result<Option<Finished>, BakeError> {
    let Some(running) = job else { return Err(BakeError::Cancelled(Cancelled)) };
    if !running.step(budget, context)?.is_finished() {
        return Ok(None);
    }
    Ok(job.take().and_then(|job| job.into_tiles().pop()))
}

fn finish(
    tiles: wayfare::bake::BakedTiles,
    report: BakeReport,
    plan: TilePlan,
    settings: BakeSettings,
) -> Result<Box<Baked>, BakingError> {
    let mesh = NavMesh::from_tiles(tiles.layout, tiles.tiles)?;
    Ok(Box::new(Baked { mesh, plan, settings, report }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::level::LoadedLevel;

    #[test]
    fn a_scene_is_baked_in_the_background() {
        let level = LoadedLevel::of_scene("stairs").unwrap();
        let baked = start(level.input(&[]), level.settings).wait().unwrap().unwrap();
        assert!(baked.mesh.tile_count() > 0 && baked.mesh.check().is_empty());
        assert!(baked.report.stats.polys > 0);
    }

    #[test]
    fn a_bake_can_be_cancelled_and_settings_refused() {
        let level = LoadedLevel::of_scene("city").unwrap();
        let task = start(level.input(&[]), level.settings);
        task.cancel();
        let answer = task.wait().unwrap();
        assert!(answer.is_ok() || answer.is_err_and(|error| error.is_cancelled()));
        let wrong = BakeSettings { cell_size: -1.0, ..level.settings };
        let error = start(level.input(&[]), wrong).wait().unwrap().unwrap_err();
        assert!(error.to_string().contains("cell"), "{error}");
    }
}
