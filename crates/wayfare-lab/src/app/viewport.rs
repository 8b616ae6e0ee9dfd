//! The 3D view in the window: a camera, a renderer, and what the mouse does.

use crate::input::Ray;
use crate::palette::Theme;
use crate::view::renderer::{Frame, Renderer};
use crate::view::{Batch, Camera, TextMark};
use egui::{Color32, Key, PointerButton, Pos2, Rect, Sense, Ui};
use std::sync::Arc;
use wayfare::math::Aabb;

/// A view that keeps its camera.
pub(crate) struct Viewport {
    pub(crate) camera: Camera,
    /// The camera as it was set last.
    set: Camera,
    /// What is to be seen as a whole in the next frame, and the camera that is wanted all the same.
    to_frame: Option<(Aabb, Option<Camera>)>,
    graphics: Option<egui_wgpu::RenderState>,
    renderer: Option<Renderer>,
    texture: Option<egui::TextureId>,
    /// What the button that is down does since it went down.
    holds: Hold,
    /// How long the last frame took to be handed over, milliseconds.
    pub(crate) draw_time: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Hold {
    #[default]
    Nothing,
    Tool,
    Turn,
}

/// What a person did in the view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gestures {
    /// Where the pointer is.
    pub(crate) over: Option<Ray>,
    /// A click, or the begin of a drag that belongs to the tool.
    pub(crate) pressed: Option<Ray>,
    /// A drag that belongs to the tool goes on.
    pub(crate) dragged: Option<Ray>,
    /// The button is down.
    pub(crate) is_down: bool,
    pub(crate) shift: bool,
    pub(crate) command: bool,
    /// Everything is to be seen.
    pub(crate) frame: bool,
}

/// What is shown.
pub(crate) struct Shown<'a> {
    pub(crate) layers: &'a [Arc<Batch>],
    pub(crate) texts: &'a [TextMark],
    pub(crate) theme: Theme,
    /// Whether the tool wants drags that begin at such a ray.
    pub(crate) takes_drags: bool,
    /// What accessibility calls the view.
    pub(crate) name: &'a str,
}

/// Whether edges are smoothed, by four samples a pixel: they cost a processor that draws, for want of a graphics card,
/// more than they are worth, but for pictures in documents.
pub(crate) fn is_smooth(graphics: &egui_wgpu::RenderState) -> bool {
    !is_software(&graphics.adapter.get_info()) || wants_smooth_pictures()
}

fn is_software(adapter: &wgpu::AdapterInfo) -> bool {
    let name = adapter.name.to_lowercase();
    adapter.device_type == wgpu::DeviceType::Cpu
        || ["llvmpipe", "swiftshader", "software"].iter().any(|word| name.contains(word))
}

/// Whether pictures are to be as fine as they can be, whatever they cost.
fn wants_smooth_pictures() -> bool {
    #[cfg(target_arch = "wasm32")]
    return false;
    #[cfg(not(target_arch = "wasm32"))]
    std::env::var_os("WAYFARE_LAB_SMOOTH").is_some()
}

impl Viewport {
    pub(crate) fn new(graphics: Option<&egui_wgpu::RenderState>) -> Self {
        let renderer = graphics.map(|graphics| Renderer::new(&graphics.device, &graphics.queue, is_smooth(graphics)));
        Self {
            camera: Camera::default(),
            set: Camera::default(),
            to_frame: None,
            graphics: graphics.cloned(),
            renderer,
            texture: None,
            holds: Hold::Nothing,
            draw_time: 0.0,
        }
    }

    /// Whether a person has moved its camera since it was set.
    pub(crate) fn is_moved(&self) -> bool {
        self.camera != self.set
    }

    /// Sets its camera.
    pub(crate) fn set_camera(&mut self, camera: Camera) {
        self.camera = camera;
        self.set = camera;
    }

    /// Sees a box as a whole, in the room there is in the next frame; or as a camera sees it that is moved already.
    pub(crate) fn frame(&mut self, bounds: Aabb, moved: Option<Camera>) {
        self.to_frame = Some((bounds, moved));
    }

    /// Shows the view in all the room there is.
    pub(crate) fn show(&mut self, ui: &mut Ui, shown: &Shown<'_>) -> Gestures {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        if let Some((bounds, moved)) = self.to_frame.take() {
            let mut camera = self.camera;
            camera.frame(&bounds, rect.aspect_ratio());
            self.set_camera(camera);
            self.camera = moved.unwrap_or(camera);
        }
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, shown.name));
        let gestures = self.gestures(ui, rect, &response, shown.takes_drags);
        let before = web_time::Instant::now();
        self.draw(ui, rect, shown);
        self.draw_time = before.elapsed().as_secs_f32() * 1e3;
        self.write_texts(ui, rect, shown);
        gestures
    }

    fn gestures(&mut self, ui: &Ui, rect: Rect, response: &egui::Response, takes_drags: bool) -> Gestures {
        let ray = |camera: &Camera, at: Pos2| {
            let size = glam::vec2(rect.width(), rect.height());
            camera.ray(glam::vec2(at.x - rect.left(), at.y - rect.top()), size)
        };
        let pointer = response.hover_pos();
        let over = pointer.map(|at| ray(&self.camera, at));
        let modifiers = ui.input(|input| input.modifiers);
        let mut gestures = Gestures { over, shift: modifiers.shift, command: modifiers.command, ..Gestures::default() };
        let motion = ui.input(|input| input.pointer.delta());
        let motion = glam::vec2(motion.x, motion.y);
        if response.drag_started_by(PointerButton::Primary) {
            self.holds = if takes_drags { Hold::Tool } else { Hold::Turn };
            if takes_drags {
                gestures.pressed = ui.input(|input| input.pointer.press_origin()).map(|at| ray(&self.camera, at));
            }
        }
        if response.clicked() {
            gestures.pressed = response.interact_pointer_pos().map(|at| ray(&self.camera, at));
        }
        gestures.is_down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        let primary = response.dragged_by(PointerButton::Primary);
        if primary && self.holds == Hold::Tool {
            gestures.dragged = response.interact_pointer_pos().map(|at| ray(&self.camera, at));
        }
        if response.drag_stopped() {
            self.holds = Hold::Nothing;
        }
        let turns = response.dragged_by(PointerButton::Secondary) && !modifiers.shift;
        let slides = response.dragged_by(PointerButton::Middle)
            || (response.dragged_by(PointerButton::Secondary) && modifiers.shift);
        if turns || (primary && self.holds == Hold::Turn) {
            self.camera.turn(motion);
        } else if slides {
            self.camera.slide(motion, rect.height());
        }
        if response.contains_pointer() {
            self.zoom(ui, over);
        }
        if !ui.ctx().egui_wants_keyboard_input() {
            self.fly(ui);
            gestures.frame = ui.input(|input| input.key_pressed(Key::F) && input.modifiers.is_none());
        }
        gestures
    }

    fn zoom(&mut self, ui: &Ui, over: Option<Ray>) {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta.y, input.zoom_delta()));
        let factor = (-scroll * 0.003).exp() / pinch;
        if (factor - 1.0).abs() > 1e-4 {
            let about = over.and_then(|ray| ray.on_plane(self.camera.target.y));
            // Far away at the horizon there is nothing to come closer to.
            let near = about.filter(|about| about.distance(self.camera.target) < self.camera.distance * 2.0);
            self.camera.zoom(factor, near);
        }
    }

    fn fly(&mut self, ui: &Ui) {
        let (held, dt) = ui.input(|input| {
            let down = |key: Key| f32::from(u8::from(input.key_down(key) && !input.modifiers.command));
            let held =
                glam::Vec3::new(down(Key::D) - down(Key::A), down(Key::E) - down(Key::Q), down(Key::W) - down(Key::S));
            (held, input.stable_dt.min(0.1))
        });
        if held != glam::Vec3::ZERO {
            self.camera.fly(held * dt * 0.8);
            ui.ctx().request_repaint();
        }
        if ui.input(|input| input.key_pressed(Key::T) && input.modifiers.is_none()) {
            self.camera.look_down();
        }
        if ui.input(|input| input.key_pressed(Key::O) && input.modifiers.is_none()) {
            self.camera.parallel = !self.camera.parallel;
        }
    }

    fn draw(&mut self, ui: &Ui, rect: Rect, shown: &Shown<'_>) {
        let (Some(graphics), Some(renderer)) = (&self.graphics, &mut self.renderer) else {
            ui.painter().rect_filled(rect, 0.0, Color32::from_gray(if shown.theme == Theme::Dark { 24 } else { 240 }));
            return;
        };
        let scale = ui.ctx().pixels_per_point();
        let size = [rect.width(), rect.height()].map(|side| (side * scale).round().max(1.0) as u32);
        let frame = Frame { layers: shown.layers, camera: &self.camera, theme: shown.theme, size, scale };
        let (picture, is_new) = renderer.draw(&frame);
        let texture = match (self.texture, is_new) {
            (Some(texture), false) => texture,
            (texture, _) => {
                let mut screen = graphics.renderer.write();
                let filter = wgpu::FilterMode::Linear;
                match texture {
                    Some(texture) => {
                        screen.update_egui_texture_from_wgpu_texture(&graphics.device, picture, filter, texture);
                        texture
                    }
                    None => screen.register_native_texture(&graphics.device, picture, filter),
                }
            }
        };
        self.texture = Some(texture);
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
    }

    /// Texts stand over the picture, with a soft ground so that they can be read.
    fn write_texts(&self, ui: &Ui, rect: Rect, shown: &Shown<'_>) {
        let painter = ui.painter_at(rect);
        let size = glam::vec2(rect.width(), rect.height());
        let ground = match shown.theme {
            Theme::Light => Color32::from_rgba_unmultiplied(255, 255, 255, 190),
            Theme::Dark => Color32::from_rgba_unmultiplied(20, 22, 26, 190),
        };
        for text in shown.texts.iter().take(600) {
            let Some(at) = self.camera.project(text.at, size) else { continue };
            let at = rect.min + egui::vec2(at.x, at.y - 9.0);
            if !rect.contains(at) {
                continue;
            }
            let [red, green, blue, _] = text.colour.0;
            let font = egui::FontId::proportional(12.0);
            let galley = painter.layout_no_wrap(text.text.clone(), font, Color32::from_rgb(red, green, blue));
            let room = Rect::from_center_size(at - egui::vec2(0.0, galley.size().y * 0.5), galley.size());
            painter.rect_filled(room.expand(2.0), 3.0, ground);
            painter.galley(room.min, galley, Color32::PLACEHOLDER);
        }
    }
}
