//! A batch in the memory of the device.

use super::body_mesh::BodyMesh;
use super::pipelines::Pipelines;
use crate::view::Batch;
use bytemuck::Pod;
use wgpu::util::DeviceExt;

/// Records in a vertex buffer.
struct Records {
    buffer: wgpu::Buffer,
    count: u32,
}

impl Records {
    fn new<T: Pod>(device: &wgpu::Device, records: &[T]) -> Option<Self> {
        (!records.is_empty()).then(|| Self {
            buffer: device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("shapes"),
                contents: bytemuck::cast_slice(records),
                usage: wgpu::BufferUsages::VERTEX,
            }),
            count: records.len() as u32,
        })
    }
}

pub(super) struct GpuBatch {
    surfaces: Option<Records>,
    glass: Option<Records>,
    lines: Option<Records>,
    points: Option<Records>,
    bodies: Option<Records>,
}

impl GpuBatch {
    pub(super) fn new(device: &wgpu::Device, batch: &Batch) -> Self {
        Self {
            surfaces: Records::new(device, &batch.surfaces),
            glass: Records::new(device, &batch.glass),
            lines: Records::new(device, &batch.lines),
            points: Records::new(device, &batch.points),
            bodies: Records::new(device, &batch.bodies),
        }
    }

    pub(super) fn draw_opaque(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines, body: &BodyMesh) {
        if let Some(surfaces) = &self.surfaces {
            pass.set_pipeline(&pipelines.surfaces);
            pass.set_vertex_buffer(0, surfaces.buffer.slice(..));
            pass.draw(0..surfaces.count, 0..1);
        }
        if let Some(bodies) = &self.bodies {
            pass.set_pipeline(&pipelines.bodies);
            pass.set_vertex_buffer(0, body.corners.slice(..));
            pass.set_vertex_buffer(1, bodies.buffer.slice(..));
            pass.draw(0..body.count, 0..bodies.count);
        }
    }

    pub(super) fn draw_see_through(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        if let Some(glass) = &self.glass {
            pass.set_pipeline(&pipelines.glass);
            pass.set_vertex_buffer(0, glass.buffer.slice(..));
            pass.draw(0..glass.count, 0..1);
        }
        let rectangles = [
            (&self.lines, [&pipelines.hidden_lines, &pipelines.lines]),
            (&self.points, [&pipelines.hidden_points, &pipelines.points]),
        ];
        for (records, passes) in rectangles {
            let Some(records) = records else { continue };
            pass.set_vertex_buffer(0, records.buffer.slice(..));
            for pipeline in passes {
                pass.set_pipeline(pipeline);
                pass.draw(0..4, 0..records.count);
            }
        }
    }
}
