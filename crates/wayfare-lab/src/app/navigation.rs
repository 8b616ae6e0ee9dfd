//! From the state of the window to an address that can be sent to someone, and back.

use super::LabAddress;
use super::lab_app::{LabApp, Mode};
#[cfg(target_arch = "wasm32")]
use super::web;
use crate::palette::Theme;

impl LabApp {
    /// Opens an address; an empty one is the lab's beginning.
    pub fn go_to(&mut self, address: &str) {
        let address = LabAddress::parse(address);
        #[cfg(target_arch = "wasm32")]
        {
            self.shown_address = address.to_string();
        }
        if let Some(theme) = address.theme {
            self.theme = theme;
        }
        if let Some(prototype) = &address.prototype {
            self.mode = Mode::Prototypes;
            if let Err(error) = self.proto.open(prototype) {
                self.bench.stage.log.error(format!("{error}."));
                self.proto.open_first();
            }
        }
        // With a prototype, the workbench opens its level when somebody goes there.
        if address.scene.is_some() || address.prototype.is_none() {
            let scene = address.scene.clone().unwrap_or_else(|| "dungeon".to_owned());
            if let Err(error) = self.bench.open_scene(&scene) {
                self.bench.stage.log.error(format!("{error}."));
                self.bench.open_form();
            }
        }
        self.help.wants_errand = address.scene.is_none();
        if let Some(layers) = address.layers {
            self.bench.layers = layers;
        }
        if let Some(product) = address.product {
            self.bench.product = product;
        }
        if let Some(tool) = address.tool {
            self.bench.choose_tool(tool);
        }
        self.bench.change_settings(&address.bake);
        self.bench.change_controls(&address.set);
        if !address.points.is_empty() {
            self.bench.set_tool_points(address.points);
        }
        self.bench.set_agents(address.agents.unwrap_or(0));
        self.wanted_camera = address.camera;
    }

    /// The address of what is shown.
    #[must_use]
    pub fn address(&mut self) -> String {
        let theme = Some(self.theme).filter(|&theme| theme != Theme::Light);
        let mut address = LabAddress { theme, ..LabAddress::default() };
        match self.mode {
            Mode::Prototypes => address.prototype = self.proto.address(),
            Mode::Workbench => {
                address.scene = self
                    .bench
                    .stage
                    .level
                    .as_ref()
                    .and_then(|level| level.name.strip_prefix("scene:").map(ToOwned::to_owned));
                address.tool = Some(self.bench.tool_number()).filter(|&tool| tool != 0);
                address.layers = Some(self.bench.layers).filter(|&layers| layers != Default::default());
                address.product = Some(self.bench.product).filter(|&product| product != Default::default());
                address.set = self.bench.changed_controls();
                // Of a level from a file there is no address, and in another all this would mean nothing.
                if address.scene.is_some() {
                    address.bake = self.bench.changed_settings();
                    address.points = self.bench.tool_points();
                    address.agents = Some(self.bench.agents()).filter(|&count| count > 0);
                    address.camera = self.wanted_camera.or(Some(self.view.camera).filter(|_| self.view.is_moved()));
                }
            }
        }
        address.to_string()
    }

    pub(super) fn link(&mut self) -> String {
        let address = self.address();
        #[cfg(target_arch = "wasm32")]
        return web::link(&address);
        #[cfg(not(target_arch = "wasm32"))]
        format!("wayfare-lab --open \"{address}\"")
    }

    /// Shows the address in the browser's bar. Some times a second and not while something is dragged: browsers allow
    /// few changes, and asking every panel what it is set to takes its time.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn note_address(&mut self, ctx: &egui::Context) {
        web::show_state(self.bench.poly_count());
        let (now, is_down) = ctx.input(|input| (input.time, input.pointer.any_down()));
        if is_down || now < self.address_due {
            // The last change is to be shown even if nothing moves any more.
            ctx.request_repaint_after_secs((self.address_due - now).max(0.05) as f32);
            return;
        }
        self.address_due = now + 0.2;
        let address = self.address();
        if address != self.shown_address {
            web::show_address(&address);
            self.shown_address = address;
        }
    }
}
