//! Costs that a play paints and that decay by themselves: an overlay for each half-life.
//!
//! An overlay decays by ticks; here one is a millisecond, so that frames of any length decay alike.

use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::query::{CostOverlay, OverlaySettings, OverlayShape};
use wayfare::tile::TileCoord;

/// Overlay ticks in a second.
const TICKS: f64 = 1000.0;

/// A disc that costs something, as a line says it.
pub(super) struct Disc {
    pub(super) center: Vec3,
    pub(super) radius: f32,
    /// How far it reaches above its centre and below.
    pub(super) reach: f32,
    /// What a metre costs in addition.
    pub(super) cost: f32,
    /// Seconds after which half of that is left; 0: it stays.
    pub(super) half_life: f64,
}

/// The overlays of a play.
#[derive(Default)]
pub(in crate::commands) struct Costs {
    /// By their half-lives, in ticks.
    overlays: BTreeMap<u32, CostOverlay>,
    /// What has passed of the next tick.
    rest: f64,
}

impl Costs {
    /// Paints a disc; how many cells it covers.
    pub(super) fn paint(&mut self, disc: &Disc) -> Result<u32, String> {
        let Disc { center, radius, reach, cost, half_life } = *disc;
        if !(half_life.is_finite() && half_life >= 0.0) {
            return Err(format!("half_life is {half_life}: give seconds, 0 or more"));
        }
        // The cast saturates. What decays at all takes a tick for it.
        let ticks = ((half_life * TICKS).round() as u32).max(u32::from(half_life > 0.0));
        let settings = OverlaySettings { half_life: ticks, ..OverlaySettings::default() };
        let new = CostOverlay::new(settings).map_err(|e| e.to_string())?;
        let overlay = self.overlays.entry(ticks).or_insert(new);
        overlay.paint(&OverlayShape::Disc { center, radius, reach }, cost).map_err(|e| e.to_string())
    }

    /// Lets so many seconds pass.
    pub(super) fn advance(&mut self, seconds: f64) {
        // After so many ticks all that decays is gone.
        let passed = (seconds * TICKS + self.rest).min(f64::from(u32::MAX));
        self.rest = passed.fract();
        let ticks = passed as u32;
        self.overlays.values_mut().for_each(|overlay| overlay.advance(ticks));
    }

    /// Those that cost anything now.
    pub(in crate::commands) fn overlays(&self) -> impl Iterator<Item = &CostOverlay> {
        self.overlays.values().filter(|overlay| !overlay.is_clear())
    }
}

impl Disc {
    /// The tiles of a mesh that it may lie on, row by row.
    pub(super) fn tiles(&self, mesh: &NavMesh) -> Vec<TileCoord> {
        let around = Aabb::from_center(self.center, Vec3::new(self.radius, self.reach, self.radius));
        let touched = mesh.tiles().filter(|tile| tile.bounds().overlaps(&around));
        let mut tiles: Vec<TileCoord> = touched.map(|tile| tile.coord()).collect();
        tiles.sort_unstable_by_key(|tile| (tile.z, tile.x, tile.layer));
        tiles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disc(half_life: f64) -> Disc {
        Disc { center: Vec3::ZERO, radius: 2.0, reach: 1.0, cost: 8.0, half_life }
    }

    fn cost(costs: &Costs) -> f32 {
        costs.overlays().map(|overlay| overlay.cost_at(Vec3::ZERO)).sum()
    }

    #[test]
    fn each_decays_at_its_own_rate_however_frames_are_cut() {
        let mut costs = Costs::default();
        for half_life in [0.0, 1.0, 2.0] {
            assert!(costs.paint(&disc(half_life)).unwrap() > 0);
        }
        for _ in 0..120 {
            costs.advance(1.0 / 60.0);
        }
        assert!((cost(&costs) - 14.0).abs() < 0.02, "{}", cost(&costs));
        costs.advance(f64::MAX);
        assert_eq!(cost(&costs), 8.0);
        assert!(costs.paint(&disc(f64::NAN)).unwrap_err().contains("half_life"));
        assert!(costs.paint(&Disc { radius: -1.0, ..disc(0.0) }).is_err());
        costs.paint(&disc(1e-9)).unwrap();
        costs.advance(1.0);
        assert_eq!(cost(&costs), 8.0);
    }
}
