//! The textures that a view is drawn into.
//!
//! ```text
//!   smooth:  all layers ──────────────► samples ─► picture       a graphics card draws everything in every frame
//!   else:    ground layers ─► ground ─► picture                  a processor draws what stands still once, and copies
//!            moving layers ─────────────►                        it, with its depth, under what moves
//! ```

/// Colour and depth of one size.
pub(super) struct Targets {
    pub(super) size: [u32; 2],
    /// What is shown.
    pub(super) picture: wgpu::TextureView,
    depth: wgpu::TextureView,
    under: Under,
}

/// What is drawn into before the picture.
enum Under {
    /// Four samples a pixel.
    Samples(wgpu::TextureView),
    /// What stands still: its colour, its depth, and both as the shader reads them.
    Ground([wgpu::TextureView; 2], wgpu::BindGroup),
}

/// What a pass draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What stands still, to be copied.
    Ground,
    /// The picture: everything, or what moves over a copy of the ground.
    Picture,
}

pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Samples a pixel, where edges are smooth.
pub(super) const SMOOTH: u32 = 4;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth24Plus;

impl Targets {
    /// Textures of a size: with `ground` for reading what stands still by it, without for smooth edges.
    pub(super) fn new(device: &wgpu::Device, size: [u32; 2], ground: Option<&wgpu::BindGroupLayout>) -> Self {
        let samples = if ground.is_some() { 1 } else { SMOOTH };
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
        let read = target | wgpu::TextureUsages::TEXTURE_BINDING;
        let under = match ground {
            None => Under::Samples(texture(COLOUR, SMOOTH, target)),
            Some(layout) => {
                let views = [texture(COLOUR, 1, read), texture(DEPTH, 1, read)];
                let sampler = device.create_sampler(&wgpu::SamplerDescriptor::default());
                let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("ground"),
                    layout,
                    entries: &[
                        wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&views[0]) },
                        wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&views[1]) },
                        wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&sampler) },
                    ],
                });
                Under::Ground(views, bindings)
            }
        };
        let picture = texture(COLOUR, 1, read | wgpu::TextureUsages::COPY_SRC);
        Self { size, picture, depth: texture(DEPTH, samples, target), under }
    }

    /// What stands still, for the shader; `None` where everything is drawn in every frame.
    pub(super) fn ground(&self) -> Option<&wgpu::BindGroup> {
        match &self.under {
            Under::Samples(_) => None,
            Under::Ground(_, bindings) => Some(bindings),
        }
    }

    /// Begins to draw a part; what was there is cleared.
    pub(super) fn begin<'e>(&self, encoder: &'e mut wgpu::CommandEncoder, part: Part) -> wgpu::RenderPass<'e> {
        let (view, resolve_target, depth) = match (&self.under, part) {
            (Under::Samples(samples), _) => (samples, Some(&self.picture), &self.depth),
            (Under::Ground([colour, depth], _), Part::Ground) => (colour, None, depth),
            (Under::Ground(..), _) => (&self.picture, None, &self.depth),
        };
        let keeps_depth = part == Part::Ground;
        encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("view"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: if keeps_depth { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard },
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        })
    }
}
