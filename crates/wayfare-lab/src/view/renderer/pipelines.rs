//! The pipelines: one for each kind of shape.

use super::body_mesh::BodyVertex;
use super::targets::{COLOUR, DEPTH};
use crate::view::{Body, LineStroke, PointMark, SurfaceVertex};

pub(super) struct Pipelines {
    pub(super) bindings: wgpu::BindGroupLayout,
    /// Copies what stands still; `None` where edges are smooth.
    pub(super) ground: Option<GroundCopy>,
    pub(super) sky: wgpu::RenderPipeline,
    pub(super) surfaces: wgpu::RenderPipeline,
    pub(super) bodies: wgpu::RenderPipeline,
    pub(super) glass: wgpu::RenderPipeline,
    pub(super) lines: wgpu::RenderPipeline,
    pub(super) hidden_lines: wgpu::RenderPipeline,
    pub(super) points: wgpu::RenderPipeline,
    pub(super) hidden_points: wgpu::RenderPipeline,
}

/// Copies colour and depth of what stands still.
pub(super) struct GroundCopy {
    pub(super) pipeline: wgpu::RenderPipeline,
    /// What it reads.
    pub(super) bindings: wgpu::BindGroupLayout,
}

/// How shapes of a kind are drawn.
struct Kind<'a> {
    /// Names of the vertex and the fragment shader.
    shaders: [&'a str; 2],
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Whether each instance is a rectangle of four corners.
    rectangle: bool,
    /// Whether they hide what is behind them; if not, they are mixed with it.
    opaque: bool,
    /// Which depths they are drawn at.
    depth: wgpu::CompareFunction,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, samples: u32) -> Self {
        let bindings = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("view"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let layout_of = |bind_group_layouts: &[Option<&wgpu::BindGroupLayout>]| {
            let label = Some("view");
            let layout = wgpu::PipelineLayoutDescriptor { label, bind_group_layouts, immediate_size: 0 };
            device.create_pipeline_layout(&layout)
        };
        let layout = layout_of(&[Some(&bindings)]);
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("view"),
            source: wgpu::ShaderSource::Wgsl(include_str!("shaders.wgsl").into()),
        });
        let make = |kind: &Kind<'_>| pipeline(device, &layout, &module, samples, kind);
        let (front, behind) = (wgpu::CompareFunction::LessEqual, wgpu::CompareFunction::Greater);
        let surface = [Some(per_corner::<SurfaceVertex>(&SURFACE))];
        let body = [Some(per_corner::<BodyVertex>(&CORNER)), Some(per_shape::<Body>(&BODY))];
        let line = [Some(per_shape::<LineStroke>(&LINE))];
        let point = [Some(per_shape::<PointMark>(&POINT))];
        let solid = |shaders, buffers| Kind { shaders, buffers, rectangle: false, opaque: true, depth: front };
        let rectangle = |shaders, buffers, depth| Kind { shaders, buffers, rectangle: true, opaque: false, depth };
        let copy = || {
            let ground_bindings = ground_bindings(device);
            let layout = layout_of(&[Some(&bindings), Some(&ground_bindings)]);
            let depth = wgpu::CompareFunction::Always;
            let kind = Kind { depth, ..solid(["ground_vertex", "ground_fragment"], &[]) };
            GroundCopy { pipeline: pipeline(device, &layout, &module, samples, &kind), bindings: ground_bindings }
        };
        Self {
            ground: (samples == 1).then(copy),
            sky: make(&Kind {
                opaque: false,
                depth: wgpu::CompareFunction::Always,
                ..solid(["sky_vertex", "sky_fragment"], &[])
            }),
            surfaces: make(&solid(["surface_vertex", "surface_fragment"], &surface)),
            bodies: make(&solid(["body_vertex", "surface_fragment"], &body)),
            glass: make(&Kind { opaque: false, ..solid(["glass_vertex", "glass_fragment"], &surface) }),
            lines: make(&rectangle(["line_vertex", "line_fragment"], &line, front)),
            hidden_lines: make(&rectangle(["line_vertex", "hidden_line_fragment"], &line, behind)),
            points: make(&rectangle(["point_vertex", "point_fragment"], &point, front)),
            hidden_points: make(&rectangle(["point_vertex", "hidden_point_fragment"], &point, behind)),
            bindings,
        }
    }
}

/// Colour and depth of what stands still. The depth is read as a number like any other.
fn ground_bindings(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Float { filterable: false },
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::NonFiltering);
    let entry = |(binding, ty)| {
        let visibility = wgpu::ShaderStages::FRAGMENT;
        wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("ground"),
        entries: &[(0, texture), (1, texture), (2, sampler)].map(entry),
    })
}

const SURFACE: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4];
const CORNER: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3];
const BODY: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![2 => Float32x3, 3 => Float32x2, 4 => Float32x2, 5 => Unorm8x4];
const LINE: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4];
const POINT: [wgpu::VertexAttribute; 3] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x2, 2 => Unorm8x4];

fn per_corner<T>(attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    let step_mode = wgpu::VertexStepMode::Vertex;
    wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes }
}

fn per_shape<T>(attributes: &[wgpu::VertexAttribute]) -> wgpu::VertexBufferLayout<'_> {
    wgpu::VertexBufferLayout { step_mode: wgpu::VertexStepMode::Instance, ..per_corner::<T>(attributes) }
}

fn pipeline(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    samples: u32,
    kind: &Kind<'_>,
) -> wgpu::RenderPipeline {
    let topology =
        if kind.rectangle { wgpu::PrimitiveTopology::TriangleStrip } else { wgpu::PrimitiveTopology::TriangleList };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.shaders[0]),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(kind.shaders[0]),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: kind.buffers,
        },
        primitive: wgpu::PrimitiveState { topology, ..wgpu::PrimitiveState::default() },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(kind.opaque),
            depth_compare: Some(kind.depth),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: samples, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(kind.shaders[1]),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOUR,
                blend: (!kind.opaque).then_some(wgpu::BlendState {
                    color: wgpu::BlendState::ALPHA_BLENDING.color,
                    // The picture itself stays opaque.
                    alpha: wgpu::BlendComponent {
                        src_factor: wgpu::BlendFactor::One,
                        dst_factor: wgpu::BlendFactor::One,
                        operation: wgpu::BlendOperation::Max,
                    },
                }),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
