//! What a link holds of the workbench: settings, controls, points and agents, by the names that a person sees.

use super::{DEFAULT_TILE_SIZE, Waiting, Workbench};
use crate::workbench::controls::{Listing, Script};
use crate::workbench::settings_panel::settings_panel;
use crate::workbench::stage::Stage;
use crate::workbench::tools;
use wayfare::Vec3;
use wayfare::input::BakeSettings;

impl Workbench {
    /// The bake settings that are not the level's own, by their names in the panel.
    #[must_use]
    pub fn changed_settings(&self) -> Vec<(String, f32)> {
        let listed = |mut settings: BakeSettings| {
            let mut list = Listing::default();
            settings_panel(&mut settings, &mut list);
            list
        };
        let own = self.stage.level.as_ref().map_or_else(BakeSettings::default, |level| level.settings);
        let own = BakeSettings { tile_size: DEFAULT_TILE_SIZE, ..own };
        listed(self.stage.settings).beyond(&listed(own))
    }

    /// Sets bake settings by their names in the panel. Names that there are not are left out.
    pub fn change_settings(&mut self, values: &[(String, f32)]) {
        for (name, value) in values {
            if settings_panel(&mut self.stage.settings, &mut Script::set(name, *value)) {
                self.stage.wants_bake = true;
            }
        }
    }

    /// What of the panel of the tool in use is not as at the beginning, by name.
    #[must_use]
    pub fn changed_controls(&mut self) -> Vec<(String, f32)> {
        let mut list = Listing::default();
        self.tool_panel(&mut list);
        let fresh = self.beginnings.entry(self.tool).or_insert_with_key(|&number| {
            let mut fresh = Listing::default();
            if let Some(tool) = tools::all().get_mut(number) {
                tool.panel(&mut Stage::default(), &mut fresh);
            }
            fresh
        });
        // What a fresh tool does not show yet has no beginning to compare with.
        list.beyond(fresh).into_iter().filter(|(name, _)| fresh.0.iter().any(|(other, _)| other == name)).collect()
    }

    /// Sets controls of the tool in use by their names.
    pub fn change_controls(&mut self, values: &[(String, f32)]) {
        for (name, value) in values {
            self.tool_panel(&mut Script::set(name, *value));
        }
    }

    /// The points that the tool in use was given by clicks.
    #[must_use]
    pub fn tool_points(&self) -> Vec<Vec3> {
        self.tool().points()
    }

    /// How many agents walk.
    #[must_use]
    pub fn agents(&self) -> u32 {
        self.tools.iter().map(|tool| tool.agents()).sum()
    }

    /// Lets so many agents walk to and fro, once there is a mesh.
    pub fn set_agents(&mut self, count: u32) {
        self.waiting.agents = count;
        self.give_unless_baking();
    }

    /// Gives the tool in use such points again, once there is a mesh. They are for this tool, whichever is in use then.
    pub fn set_tool_points(&mut self, points: Vec<Vec3>) {
        self.asked_errand = true;
        self.waiting.points = Some((self.tool, points));
        self.give_unless_baking();
    }

    fn give_unless_baking(&mut self) {
        if self.baking().is_none() {
            self.give_what_waits();
        }
    }

    /// Gives points and agents that waited for a mesh.
    pub(super) fn give_what_waits(&mut self) {
        let Waiting { points, agents } = core::mem::take(&mut self.waiting);
        if let Some((tool, points)) = points {
            self.tools[tool].set_points(&mut self.stage, &points);
        }
        if agents > 0 {
            self.tools.iter_mut().for_each(|tool| tool.set_agents(&mut self.stage, agents));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_with_settings_bakes_once_and_points_go_to_its_tool() {
        let mut bench = Workbench::default();
        bench.open_scene("stairs").unwrap();
        bench.change_settings(&[("Agent radius".to_owned(), 0.3)]);
        let [from, to] = bench.stage.level.as_ref().unwrap().errand.unwrap();
        bench.set_tool_points(vec![from, to]);
        bench.set_agents(7);
        bench.choose_tool(3);
        bench.settle();
        let world = bench.stage.world.as_ref().unwrap();
        assert_eq!((world.bake, world.settings.agent.radius), (1, 0.3), "one bake, with the settings");
        assert_eq!(bench.tools[0].points(), [from, to]);
        assert!(bench.tool_points().is_empty());
        assert_eq!(bench.agents(), 7);
        assert_eq!(bench.changed_settings(), [("Agent radius".to_owned(), 0.3)]);
    }

    #[test]
    fn another_level_forgets_what_waited_for_the_first() {
        let mut bench = Workbench::default();
        bench.open_scene("dungeon").unwrap();
        bench.set_agents(3);
        bench.open_scene("flat").unwrap();
        bench.settle();
        assert_eq!(bench.agents(), 0);
    }
}
