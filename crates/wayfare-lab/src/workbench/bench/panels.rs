//! The panels on the right: the scene, the settings of the bake, its report, what is wrong, what is shown.

use super::Workbench;
use crate::workbench::controls::Controls;
use crate::workbench::layers::Layer;
use crate::workbench::level::SceneForm;
use crate::workbench::products::Product;
use crate::workbench::settings_panel::settings_panel;
use wayfare::input::BakeSettings;

impl Workbench {
    /// Shows the panel of bake settings.
    pub fn settings_panel(&mut self, controls: &mut dyn Controls) {
        controls.hint("Bakes again as soon as a setting changes");
        controls.toggle("Bake on every change", &mut self.live);
        match self.baking() {
            Some(progress) => {
                controls.figure("Baking", &format!("{:.0} %", progress * 100.0));
                if controls.button("Cancel") {
                    self.cancel();
                }
            }
            None if self.stage.level.is_some() => {
                if controls.button("Bake") {
                    self.bake();
                }
            }
            None => controls.note("A mesh is open, without its level: there is nothing to bake."),
        }
        let before = self.stage.settings;
        if settings_panel(&mut self.stage.settings, controls) {
            self.stage.remember_settings(before);
            self.stage.wants_bake = true;
        }
        let level = self.stage.level.clone();
        if let Some(level) = level
            && controls.button("The level's own settings")
        {
            self.stage.remember_settings(before);
            self.stage.settings = BakeSettings { tile_size: self.stage.settings.tile_size, ..level.settings };
            self.stage.wants_bake = true;
        }
    }

    /// Shows the form of the scene.
    pub fn scene_panel(&mut self, controls: &mut dyn Controls) {
        let scenes = wayfare_scenes::all();
        let names: Vec<&str> = scenes.iter().map(|info| info.name).collect();
        let mut scene = self.form.scene;
        if controls.choice("Scene", &mut scene, &names) {
            self.form = SceneForm::of(scene);
            self.open_form();
        }
        controls.note(scenes[self.form.scene].summary);
        let mut changed = false;
        for (param, value) in scenes[self.form.scene].params.iter().zip(&mut self.form.values) {
            controls.hint(param.meaning);
            if param.whole {
                let mut whole = *value as u32;
                changed |= controls.count(param.name, &mut whole, param.min as u32..=param.max as u32);
                *value = whole as f32;
            } else {
                changed |= controls.slider(param.name, value, param.min as f32..=param.max as f32);
            }
        }
        controls.hint("What all randomness comes from");
        changed |= controls.count("Seed", &mut self.form.seed, 0..=9999);
        if changed {
            self.open_form();
        }
    }

    /// Shows the counts and times of the bake.
    pub fn report_panel(&mut self, controls: &mut dyn Controls) {
        let Some(world) = &self.stage.world else {
            controls.note("Nothing is baked yet.");
            return;
        };
        let stats = &world.report.stats;
        controls.figure("Tiles", &world.mesh.tile_count().to_string());
        if world.plan.is_none() {
            return;
        }
        controls.figure("Grid", &format!("{} × {} cells", stats.width, stats.depth));
        controls.figure("Solid spans", &stats.spans.to_string());
        controls.figure("Open spans", &stats.walkable_spans.to_string());
        controls.figure("Regions", &stats.regions.to_string());
        controls.figure("Polygons", &stats.polys.to_string());
        controls.figure("Area", &format!("{:.1} m²", stats.poly_area));
        controls.figure("Detail triangles", &stats.detail_tris.to_string());
        controls.heading("Work");
        controls.note("The last bakes, stage by stage: click on one to see its times.");
        self.bakes.panel(controls);
    }

    /// Shows what is wrong with mesh and level; a click looks at it.
    pub fn problems_panel(&mut self, controls: &mut dyn Controls) {
        self.look_at = self.problems.panel(&self.stage, controls).or(self.look_at);
    }

    /// How many violations and warnings there are, as they were counted last.
    #[must_use]
    pub fn problem_count(&self) -> usize {
        self.problems.count()
    }

    /// Shows which layers and products are drawn.
    pub fn layers_panel(&mut self, controls: &mut dyn Controls) {
        let names = Product::ALL.map(Product::name);
        let mut product = Product::ALL.iter().position(|&one| one == self.product).unwrap_or(0);
        controls.hint("What the bake made on the way from triangles to the mesh");
        controls.choice("Product", &mut product, &names);
        self.product = Product::ALL[product];
        if self.product_view.is_drawing() {
            controls.note("Being drawn …");
        }
        for (ink, text) in self.product_view.legend() {
            controls.key(*ink, text);
        }
        controls.heading("Layers");
        for layer in Layer::ALL {
            let mut shown = self.layers.has(layer);
            if controls.toggle(layer.name(), &mut shown) {
                self.layers = self.layers.with(layer, shown);
            }
        }
    }
}
