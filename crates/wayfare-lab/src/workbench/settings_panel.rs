//! The panel of bake settings.

use super::controls::Controls;
use wayfare::input::{BakeSettings, Erosion, Partition};

const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];
const EROSIONS: [Erosion; 2] = [Erosion::Chamfer, Erosion::Euclidean];

/// Shows all settings; whether one has changed.
pub(super) fn settings_panel(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    let mut changed = agent(settings, controls);
    changed |= cells(settings, controls);
    changed |= regions(settings, controls);
    changed |= polygons(settings, controls);
    changed |= filters(settings, controls);
    changed
}

fn agent(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    controls.heading("Agent");
    let agent = &mut settings.agent;
    controls.hint("Height in which it stands upright, metres");
    let mut changed = controls.slider("Agent height", &mut agent.height, 0.2..=5.0);
    controls.hint("How far it stays from walls, metres");
    changed |= controls.slider("Agent radius", &mut agent.radius, 0.0..=3.0);
    controls.hint("The highest step that it takes, metres");
    changed |= controls.slider("Climb", &mut agent.max_climb, 0.0..=3.0);
    controls.hint("The deepest drop that the mesh keeps beside it, metres; below the climb it changes nothing");
    changed |= controls.slider("Drop", &mut agent.max_drop, 0.0..=10.0);
    // As it was, unless it is changed: degrees and back would not be the same bits.
    let mut degrees = agent.max_slope.to_degrees();
    controls.hint("The steepest slope that it walks on, degrees");
    let turned = controls.slider("Slope", &mut degrees, 0.0..=89.0);
    if turned {
        agent.max_slope = degrees.to_radians();
    }
    changed | turned
}

fn cells(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    controls.heading("Cells and tiles");
    controls.hint("Side of a cell, metres: smaller ones follow the level more closely and take longer");
    let mut changed = controls.slider("Cell size", &mut settings.cell_size, 0.05..=1.5);
    controls.hint("Height of a cell, metres");
    changed |= controls.slider("Cell height", &mut settings.cell_height, 0.02..=1.0);
    controls.hint("Side of a tile in cells; 0 bakes the level as one tile. Tiles can be rebuilt one by one");
    changed | controls.count("Tile size", &mut settings.tile_size, 0..=512)
}

fn regions(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    controls.heading("Regions");
    let mut partition = PARTITIONS.iter().position(|&one| one == settings.partition).unwrap_or(0);
    let mut erosion = EROSIONS.iter().position(|&one| one == settings.erosion).unwrap_or(0);
    controls.hint("How open ground is cut into regions");
    let mut changed = controls.choice("Partition", &mut partition, &["Watershed", "Monotone", "Layers"]);
    controls.hint("How distance to walls is measured");
    changed |= controls.choice("Erosion", &mut erosion, &["Chamfer", "Euclidean"]);
    settings.partition = PARTITIONS[partition];
    settings.erosion = EROSIONS[erosion];
    controls.hint("Regions with a smaller side, in cells, are left out if they stand alone");
    changed |= controls.count("Least region", &mut settings.region_min_size, 0..=150);
    controls.hint("Regions with a smaller side, in cells, are joined to a neighbour if possible");
    changed | controls.count("Merged region", &mut settings.region_merge_size, 0..=150)
}

fn polygons(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    controls.heading("Polygons");
    controls.hint("Longest edge along walls, metres; 0 leaves edges as long as they are");
    let mut changed = controls.slider("Edge length", &mut settings.edge_max_len, 0.0..=50.0);
    controls.hint("How far an edge may leave the cells, in cells");
    changed |= controls.slider("Edge error", &mut settings.edge_max_error, 0.1..=3.0);
    changed |= controls.count("Corners", &mut settings.verts_per_poly, 3..=12);
    controls.hint("Distance between samples of the height, in cells; below 0.9 there are none");
    changed |= controls.slider("Detail distance", &mut settings.detail_sample_dist, 0.0..=16.0);
    controls.hint("How far detail may leave the ground, in cell heights");
    changed | controls.slider("Detail error", &mut settings.detail_sample_max_error, 0.0..=16.0)
}

fn filters(settings: &mut BakeSettings, controls: &mut dyn Controls) -> bool {
    controls.heading("Filters");
    let filters = &mut settings.filters;
    let mut changed = controls.toggle("Step over low obstacles", &mut filters.low_hanging_obstacles);
    changed |= controls.toggle("Keep away from ledges", &mut filters.ledges);
    changed | controls.toggle("Leave out low ceilings", &mut filters.low_height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;

    #[test]
    fn every_setting_can_be_set_and_nothing_changes_by_itself() {
        let mut settings = BakeSettings::default();
        let mut script = Script::default();
        assert!(!settings_panel(&mut settings, &mut script));
        assert_eq!(settings, BakeSettings::default());
        for name in script.controls {
            let mut changed = settings;
            assert!(settings_panel(&mut changed, &mut Script::set(&name, 0.0)), "{name}");
        }
        assert!(settings_panel(&mut settings, &mut Script::set("Tile size", 32.0)));
        assert_eq!(settings.tile_size, 32);
        assert!(settings_panel(&mut settings, &mut Script::set("Slope", 30.0)));
        assert_eq!(settings.agent.max_slope, 30_f32.to_radians());
        assert!(settings.to_voxel().is_ok());
    }
}
