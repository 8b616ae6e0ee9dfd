//! Paints the window on the CPU where there is no graphics card.
//!
//! egui's own painter asks in every pixel whether to smooth the texture by hand and whether to dither. A graphics card
//! answers once; a processor works through both sides of each question in every pixel, which is two thirds of the time
//! of a frame. Here everything goes through a shader that multiplies a colour with a texture: the shapes of a frame are
//! taken from egui before it paints them, and what it paints instead is one callback that draws their triangles.

use core::ops::Range;
use egui::epaint::ClippedShape;
use egui::epaint::{ClippedPrimitive, Primitive, Vertex};
use egui::{Context, FullOutput, Rect, Shape, TextureId};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};

/// Paints the windows of a context in egui's place.
pub(super) struct Painter {
    graphics: RenderState,
}

impl Painter {
    /// A painter for a device, if it can paint there.
    pub(super) fn new(graphics: &RenderState) -> Option<Self> {
        // Colours are egui's: as the screen has them, not proportional to light.
        (!graphics.target_format.is_srgb()).then(|| {
            let triangles = Triangles::new(&graphics.device, graphics.target_format);
            graphics.renderer.write().callback_resources.insert(triangles);
            Self { graphics: graphics.clone() }
        })
    }
}

impl egui::Plugin for Painter {
    fn debug_name(&self) -> &'static str {
        "painter of a processor"
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        let mut renderer = self.graphics.renderer.write();
        // The textures are egui's; new glyphs are to be there before what is written in them.
        #[expect(clippy::iter_over_hash_type, reason = "each texture is by itself")]
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in deltas {
                renderer.update_texture(&self.graphics.device, &self.graphics.queue, id, &delta);
            }
        }
        let primitives = ctx.tessellate(core::mem::take(&mut output.shapes), output.pixels_per_point);
        let mut painting = Painting::default();
        for ClippedPrimitive { clip_rect, primitive } in &primitives {
            let Primitive::Mesh(mesh) = primitive else { continue };
            let Some(texture) = renderer.texture(&mesh.texture_id) else { continue };
            painting.add(*clip_rect, mesh, &texture.bind_group);
        }
        let everywhere = ctx.viewport_rect();
        let shape = Shape::Callback(Callback::new_paint_callback(everywhere, painting));
        output.shapes.push(ClippedShape::new(everywhere, shape));
    }
}

/// The triangles of a frame.
#[derive(Default)]
struct Painting {
    corners: Vec<Vertex>,
    indices: Vec<u32>,
    strokes: Vec<Stroke>,
}

/// Triangles that are drawn at once.
struct Stroke {
    clip: Rect,
    texture: TextureId,
    bindings: wgpu::BindGroup,
    indices: Range<u32>,
}

impl Painting {
    fn add(&mut self, clip: Rect, mesh: &egui::Mesh, bindings: &wgpu::BindGroup) {
        let (first_corner, first) = (self.corners.len() as u32, self.indices.len() as u32);
        self.corners.extend_from_slice(&mesh.vertices);
        self.indices.extend(mesh.indices.iter().map(|index| first_corner + index));
        let end = self.indices.len() as u32;
        match self.strokes.last_mut().filter(|last| last.clip == clip && last.texture == mesh.texture_id) {
            Some(last) => last.indices.end = end,
            None => {
                let stroke = Stroke { clip, texture: mesh.texture_id, bindings: bindings.clone(), indices: first..end };
                self.strokes.push(stroke);
            }
        }
    }
}

impl CallbackTrait for Painting {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        screen: &ScreenDescriptor,
        _: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        let Some(triangles) = resources.get_mut::<Triangles>() else { return Vec::new() };
        let [width, height] = screen.size_in_pixels.map(|side| side.max(1) as f32 / screen.pixels_per_point);
        let on_screen = |corner: &Vertex| Vertex {
            pos: egui::pos2(2.0 * corner.pos.x / width - 1.0, 1.0 - 2.0 * corner.pos.y / height),
            ..*corner
        };
        let corners: Vec<Vertex> = self.corners.iter().map(on_screen).collect();
        write(device, queue, &mut triangles.corners, bytemuck::cast_slice(&corners));
        write(device, queue, &mut triangles.indices, bytemuck::cast_slice(&self.indices));
        Vec::new()
    }

    fn paint(
        &self,
        info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(triangles) = resources.get::<Triangles>() else { return };
        let [width, height] = info.screen_size_px;
        pass.set_viewport(0.0, 0.0, width as f32, height as f32, 0.0, 1.0);
        pass.set_vertex_buffer(0, triangles.corners.slice(..));
        pass.set_index_buffer(triangles.indices.slice(..), wgpu::IndexFormat::Uint32);
        for stroke in &self.strokes {
            let pixel = |at: f32, most: u32| ((at * info.pixels_per_point).round().max(0.0) as u32).min(most);
            let (left, top) = (pixel(stroke.clip.min.x, width), pixel(stroke.clip.min.y, height));
            let (right, bottom) = (pixel(stroke.clip.max.x, width), pixel(stroke.clip.max.y, height));
            if left >= right || top >= bottom {
                continue;
            }
            // The views are pictures without anything to be seen behind them.
            let is_view = matches!(stroke.texture, TextureId::User(_));
            pass.set_pipeline(if is_view { &triangles.opaque } else { &triangles.mixed });
            pass.set_scissor_rect(left, top, right - left, bottom - top);
            pass.set_bind_group(0, &stroke.bindings, &[]);
            pass.draw_indexed(stroke.indices.clone(), 0, 0..1);
        }
    }
}

/// What is kept on the device from frame to frame.
struct Triangles {
    /// Mixes with what is below.
    mixed: wgpu::RenderPipeline,
    /// Hides what is below.
    opaque: wgpu::RenderPipeline,
    corners: wgpu::Buffer,
    indices: wgpu::Buffer,
}

impl Triangles {
    fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let buffer = |usage| {
            let usage = usage | wgpu::BufferUsages::COPY_DST;
            let (label, mapped_at_creation) = (Some("window"), false);
            device.create_buffer(&wgpu::BufferDescriptor { label, size: 1 << 17, usage, mapped_at_creation })
        };
        // As egui mixes, whose colours are multiplied with their opacity already.
        let mixed = wgpu::BlendState {
            color: wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING.color,
            alpha: wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::OneMinusDstAlpha,
                dst_factor: wgpu::BlendFactor::One,
                operation: wgpu::BlendOperation::Add,
            },
        };
        Self {
            mixed: pipeline(device, format, Some(mixed)),
            opaque: pipeline(device, format, None),
            corners: buffer(wgpu::BufferUsages::VERTEX),
            indices: buffer(wgpu::BufferUsages::INDEX),
        }
    }
}

/// Writes into a buffer, a larger one if need be.
fn write(device: &wgpu::Device, queue: &wgpu::Queue, buffer: &mut wgpu::Buffer, bytes: &[u8]) {
    if buffer.size() < bytes.len() as u64 {
        *buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("window"),
            size: bytes.len().next_power_of_two() as u64,
            usage: buffer.usage(),
            mapped_at_creation: false,
        });
    }
    queue.write_buffer(buffer, 0, bytes);
}

/// The bindings of egui's textures, which its painter makes.
fn texture_bindings(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let picture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: true },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
    // How egui smooths by hand.
    let flags = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: core::num::NonZeroU64::new(16),
    };
    let entry = |(binding, ty)| {
        let visibility = wgpu::ShaderStages::FRAGMENT;
        wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("window"),
        entries: &[(0, picture), (1, sampler), (2, flags)].map(entry),
    })
}

fn pipeline(
    device: &wgpu::Device,
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::include_wgsl!("painter.wgsl"));
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("window"),
        bind_group_layouts: &[Some(&texture_bindings(device))],
        immediate_size: 0,
    });
    let attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Unorm8x4];
    let array_stride = size_of::<Vertex>() as u64;
    let step_mode = wgpu::VertexStepMode::Vertex;
    let compilation_options = wgpu::PipelineCompilationOptions::default;
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("window"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: compilation_options(),
            buffers: &[Some(wgpu::VertexBufferLayout { array_stride, step_mode, attributes: &attributes })],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("pixel"),
            compilation_options: compilation_options(),
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
