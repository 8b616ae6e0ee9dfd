//! Draws batches into a texture of its own with depth, which the window shows as an image: the same in a window, in a
//! web page and in tests without a display.

mod body_mesh;
mod gpu_batch;
mod pipelines;
mod targets;

use super::{Batch, Camera};
use crate::palette::Theme;
use body_mesh::BodyMesh;
use bytemuck::{Pod, Zeroable};
use gpu_batch::GpuBatch;
use pipelines::Pipelines;
use std::sync::Arc;
use targets::Targets;

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
    samples: u32,
}

impl core::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Renderer").field("samples", &self.samples).finish_non_exhaustive()
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
    /// A renderer on a device; with `smooth`, edges are smoothed by four samples a pixel.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, smooth: bool) -> Self {
        let samples = if smooth { 4 } else { 1 };
        let uniforms = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<Uniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let pipelines = Pipelines::new(device, samples);
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &pipelines.bindings,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }],
        });
        Self {
            device: device.clone(),
            queue: queue.clone(),
            pipelines,
            body: BodyMesh::new(device),
            uniforms,
            bindings,
            targets: None,
            uploaded: Vec::new(),
            drawn: None,
            samples,
        }
    }

    /// Draws a frame. Returns its picture, and whether it is another texture than that of the frame before.
    pub fn draw(&mut self, frame: &Frame<'_>) -> (&wgpu::TextureView, bool) {
        let size = frame.size.map(|side| side.clamp(1, 8192));
        let is_new = self.targets.as_ref().is_none_or(|targets| targets.size != size);
        let uniforms = uniforms_of(frame);
        let is_same = !is_new
            && self.drawn == Some(uniforms)
            && self.uploaded.len() == frame.layers.len()
            && self.uploaded.iter().zip(frame.layers).all(|((kept, _), layer)| Arc::ptr_eq(kept, layer));
        if !is_same {
            self.drawn = Some(uniforms);
            self.upload(frame.layers);
            self.queue.write_buffer(&self.uniforms, 0, bytemuck::bytes_of(&uniforms));
        }
        if is_new {
            self.targets = None;
        }
        let targets = self.targets.get_or_insert_with(|| Targets::new(&self.device, size, self.samples));
        if is_same {
            return (&targets.picture, false);
        }
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("view") });
        {
            let mut pass = targets.begin(&mut encoder);
            pass.set_bind_group(0, &self.bindings, &[]);
            pass.set_pipeline(&self.pipelines.sky);
            pass.draw(0..3, 0..1);
            for (_, batch) in &self.uploaded {
                batch.draw_opaque(&mut pass, &self.pipelines, &self.body);
            }
            for (_, batch) in &self.uploaded {
                batch.draw_see_through(&mut pass, &self.pipelines);
            }
        }
        self.queue.submit([encoder.finish()]);
        (&targets.picture, is_new)
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
