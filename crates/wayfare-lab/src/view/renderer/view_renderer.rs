//! Draws batches into a texture of its own with depth, which the window shows as an image: the same in a window, in a
//! web page and in tests without a display.

use super::body_mesh::BodyMesh;
use super::gpu_batch::GpuBatch;
use super::pipelines::Pipelines;
use super::targets::{Part, SMOOTH, Targets};
use crate::palette::Theme;
use crate::view::{Batch, Camera};
use bytemuck::{Pod, Zeroable};
use std::sync::Arc;

/// The renderer of one view.
pub struct Renderer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipelines: Pipelines,
    body: BodyMesh,
    uniforms: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    targets: Option<Targets>,
    uploaded: Vec<(Arc<Batch>, GpuBatch)>,
    /// What the picture was drawn with: a frame in which nothing has changed is not drawn again.
    drawn: Option<Uniforms>,
}

impl core::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Renderer").field("layers", &self.uploaded.len()).finish_non_exhaustive()
    }
}

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Pod, Zeroable)]
struct Uniforms {
    matrix: [[f32; 4]; 4],
    eye: [f32; 4],
    light: [f32; 4],
    screen: [f32; 4],
    sky: [[f32; 4]; 2],
}

/// What is drawn, and how.
#[derive(Debug)]
pub struct Frame<'a> {
    /// Layers from the lowest to the topmost.
    pub layers: &'a [Arc<Batch>],
    /// Where it is seen from.
    pub camera: &'a Camera,
    /// Its colours.
    pub theme: Theme,
    /// Size in pixels.
    pub size: [u32; 2],
    /// Pixels a point.
    pub scale: f32,
}

impl Renderer {
    /// A renderer on a device; with `smooth`, edges are smoothed by four samples a pixel. If not, what stands still is
    /// drawn only when it changes.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, smooth: bool) -> Self {
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<Uniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let pipelines = Pipelines::new(device, if smooth { SMOOTH } else { 1 });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &pipelines.bindings,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }],
        });
        Self {
            device: device.clone(),
            queue: queue.clone(),
            pipelines,
            body: BodyMesh::new(device, smooth),
            uniforms,
            bindings,
            targets: None,
            uploaded: Vec::new(),
            drawn: None,
        }
    }

    /// Draws a frame. Returns its picture, and whether it is another texture than that of the frame before.
    pub fn draw(&mut self, frame: &Frame<'_>) -> (&wgpu::TextureView, bool) {
        let size = frame.size.map(|side| side.clamp(1, 8192));
        let kept = self.targets.take().filter(|targets| targets.size == size);
        let is_new = kept.is_none();
        let ground = self.pipelines.ground.as_ref();
        let targets = kept.unwrap_or_else(|| Targets::new(&self.device, size, ground.map(|ground| &ground.bindings)));
        self.draw_into(&targets, frame, is_new);
        (&self.targets.insert(targets).picture, is_new)
    }

    /// Draws what has changed.
    fn draw_into(&mut self, targets: &Targets, frame: &Frame<'_>, is_new: bool) {
        let uniforms = uniforms_of(frame);
        let layers = frame.layers;
        let is_same_view = !is_new && self.drawn == Some(uniforms) && self.uploaded.len() == layers.len();
        let pairs = self.uploaded.iter().zip(layers);
        let same = pairs.take_while(|((kept, _), layer)| Arc::ptr_eq(kept, layer)).count();
        if is_same_view && same == layers.len() {
            return;
        }
        self.drawn = Some(uniforms);
        self.upload(layers);
        self.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms));
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("view") });
        // What moves is the topmost layer.
        let grounds = if targets.ground().is_some() { layers.len().saturating_sub(1) } else { 0 };
        let (ground, rest) = self.uploaded.split_at(grounds);
        if targets.ground().is_some() && (!is_same_view || same < grounds) {
            self.pass(&mut encoder, targets, Part::Ground, ground);
        }
        self.pass(&mut encoder, targets, Part::Picture, rest);
        self.queue.submit([encoder.finish()]);
    }

    /// Draws a part.
    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        targets: &Targets,
        part: Part,
        layers: &[(Arc<Batch>, GpuBatch)],
    ) {
        let mut pass = targets.begin(encoder, part);
        pass.set_bind_group(0, &self.bindings, &[]);
        match (&self.pipelines.ground, targets.ground(), part) {
            (Some(copy), Some(ground), Part::Picture) => {
                pass.set_pipeline(&copy.pipeline);
                pass.set_bind_group(1, ground, &[]);
            }
            _ => pass.set_pipeline(&self.pipelines.sky),
        }
        pass.draw(0..3, 0..1);
        layers.iter().for_each(|(_, batch)| batch.draw_opaque(&mut pass, &self.pipelines, &self.body));
        layers.iter().for_each(|(_, batch)| batch.draw_see_through(&mut pass, &self.pipelines));
    }

    /// Uploads the layers that are not on the device yet, and lets go of those that are not drawn any more.
    fn upload(&mut self, layers: &[Arc<Batch>]) {
        let mut before = std::mem::take(&mut self.uploaded);
        for layer in layers {
            let gpu = match before.iter().position(|(kept, _)| Arc::ptr_eq(kept, layer)) {
                Some(i) => before.swap_remove(i).1,
                None => GpuBatch::new(&self.device, layer),
            };
            self.uploaded.push((layer.clone(), gpu));
        }
    }
}

fn uniforms_of(frame: &Frame<'_>) -> Uniforms {
    let [width, height] = frame.size.map(|side| side.max(1) as f32);
    let camera = frame.camera;
    let eye = if camera.parallel { camera.back().extend(0.0) } else { camera.eye().extend(1.0) };
    // The sun stands a little to the side of the eye, so that walls that meet are told apart from everywhere.
    let light = glam::Vec3::new((camera.yaw + 0.9).sin(), 1.7, (camera.yaw + 0.9).cos()).normalize();
    let (shade, sky) = match frame.theme {
        Theme::Light => (0.46, [[0.86, 0.9, 0.94, 1.0], [0.965, 0.965, 0.955, 1.0]]),
        Theme::Dark => (0.34, [[0.13, 0.155, 0.19, 1.0], [0.085, 0.095, 0.115, 1.0]]),
    };
    Uniforms {
        matrix: camera.matrix(width / height).to_cols_array_2d(),
        eye: eye.to_array(),
        light: light.extend(shade).to_array(),
        screen: [width, height, frame.scale, 0.0],
        sky,
    }
}
