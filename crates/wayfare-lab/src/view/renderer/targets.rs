//! The textures that a view is drawn into.

/// Colour and depth of one size.
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    /// What is shown.
    pub(super) picture: wgpu::TextureView,
    /// What is drawn into, if edges are smoothed.
    samples: Option<wgpu::TextureView>,
    depth: wgpu::TextureView,
}

pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth24Plus;

impl Targets {
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2], samples: u32) -> Self {
        let texture = |format, sample_count, usage| {
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some("view"),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let target = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let shown = target | wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        Self {
            size,
            picture: texture(COLOUR, 1, shown),
            samples: (samples > 1).then(|| texture(COLOUR, samples, target)),
            depth: texture(DEPTH, samples, target),
        }
    }

    /// Begins to draw; everything is cleared.
    pub(super) fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder) -> wgpu::RenderPass<'e> {
        let (view, resolve_target) = match &self.samples {
            Some(samples) => (samples, Some(&self.picture)),
            None => (&self.picture, None),
        };
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}
