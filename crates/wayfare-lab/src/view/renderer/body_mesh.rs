//! The mesh of an agent's body: a round post with a domed top and a nose, of radius 1 and height 1, looking along +x.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use wgpu::util::DeviceExt;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct BodyVertex {
    at: [f32; 3],
    normal: [f32; 3],
}

pub(super) struct BodyMesh {
    pub(super) corners: wgpu::Buffer,
    pub(super) count: u32,
}

/// Rings from the foot to the top: height, radius, and the slope of the normal.
const FINE: [[f32; 3]; 6] =
    [[0.02, 0.86, -0.1], [0.06, 0.96, 0.0], [0.80, 0.96, 0.1], [0.91, 0.78, 0.7], [0.98, 0.42, 1.6], [1.00, 0.00, 4.0]];

/// The same for processors, which feel every triangle of every agent.
const COARSE: [[f32; 3]; 3] = [[0.02, 0.96, 0.0], [0.88, 0.96, 0.3], [1.00, 0.00, 4.0]];

impl BodyMesh {
    pub(super) fn new(device: &wgpu::Device, smooth: bool) -> Self {
        let corners = if smooth { corners(&FINE, 14) } else { corners(&COARSE, 8) };
        let buffer = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("body"),
            contents: bytemuck::cast_slice(&corners),
            usage: wgpu::BufferUsages::VERTEX,
        });
        Self { corners: buffer, count: corners.len() as u32 }
    }
}

fn corners(rings: &[[f32; 3]], sides: u16) -> Vec<BodyVertex> {
    let vertex = |[height, radius, slope]: [f32; 3], side: u16| {
        let angle = core::f32::consts::TAU * f32::from(side) / f32::from(sides);
        let out = Vec3::new(angle.cos(), 0.0, angle.sin());
        let normal = (out + Vec3::Y * slope).normalize();
        BodyVertex { at: (out * radius + Vec3::Y * height).to_array(), normal: normal.to_array() }
    };
    let mut corners = Vec::new();
    for pair in rings.windows(2) {
        let [low, high] = [pair[0], pair[1]];
        for side in 0..sides {
            let [a, b, c, d] = [(low, side), (high, side), (high, side + 1), (low, side + 1)];
            let [a, b, c, d] = [a, b, c, d].map(|(ring, side)| vertex(ring, side));
            corners.extend([a, c, d]);
            // At the top there is nothing between two corners.
            if high[1] > 0.0 {
                corners.extend([a, b, c]);
            }
        }
    }
    nose(&mut corners);
    corners
}

fn nose(corners: &mut Vec<BodyVertex>) {
    let [tip, left, right, top, foot] = [
        Vec3::new(1.45, 0.55, 0.0),
        Vec3::new(0.85, 0.55, -0.42),
        Vec3::new(0.85, 0.55, 0.42),
        Vec3::new(0.85, 0.68, 0.0),
        Vec3::new(0.85, 0.42, 0.0),
    ];
    for [a, b, c] in [[tip, top, left], [tip, right, top], [tip, left, foot], [tip, foot, right]] {
        let mut normal = (b - a).cross(c - a).normalize();
        if normal.x < 0.0 {
            normal = -normal;
        }
        corners.extend([a, b, c].map(|at| BodyVertex { at: at.to_array(), normal: normal.to_array() }));
    }
}
