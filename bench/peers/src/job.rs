//! One bake as every competitor gets it: the same triangles in memory, the same settings in voxel units, the same
//! tiles.

use crate::flat::{Flat, Reach};
use crate::levels::Level;
use crate::measure::now;
use std::cell::OnceCell;
use std::time::Duration;
use wayfare::bake::{Stage, StageTimes};
use wayfare::input::{BakeSettings, TriMesh, VoxelSettings};

/// A level, solo or tiled, with the input in each competitor's own form. Making these forms is not measured.
pub struct Job {
    pub name: String,
    pub settings: BakeSettings,
    pub vx: VoxelSettings,
    /// For us.
    pub mesh: TriMesh,
    /// For the C++ reference.
    pub verts: Vec<f32>,
    pub tris: Vec<i32>,
    /// For rerecast.
    pub rerecast: rerecast::TriMesh,
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// Columns and rows of the level's grid.
    pub grid: [i32; 2],
    pub build_factor: Option<f64>,
    surface: OnceCell<Flat>,
}

impl Job {
    /// `tile_size` in cells; 0 for solo.
    pub fn new(level: &Level, tile_size: u32) -> Result<Self, String> {
        let settings = BakeSettings { tile_size, ..level.settings };
        let vx = settings.to_voxel().map_err(|e| e.to_string())?;
        let mesh = TriMesh::new(level.verts.iter().map(|&v| v.into()).collect(), level.tris.clone())
            .map_err(|e| e.to_string())?;
        let (min, max) = (mesh.bounds().min.to_array(), mesh.bounds().max.to_array());
        let cells = |axis: usize| ((max[axis] - min[axis]) / vx.cell_size + 0.5) as i32;
        Ok(Self {
            name: format!("{} {}", level.name, if tile_size == 0 { "solo" } else { "tiled" }),
            settings,
            vx,
            verts: mesh.verts().iter().flat_map(|v| v.to_array()).collect(),
            tris: mesh.tris().iter().flatten().map(|&i| i as i32).collect(),
            rerecast: crate::rerecast_bake::input(&mesh),
            mesh,
            min,
            max,
            grid: [cells(0), cells(2)],
            build_factor: level.build_factor,
            surface: OnceCell::new(),
        })
    }

    pub fn tiled(&self) -> bool {
        self.vx.tile_size_vx > 0
    }

    /// The level's triangles, made when first asked for.
    pub fn surface(&self) -> &Flat {
        let corners = || self.mesh.verts().iter().map(|v| v.to_array()).collect::<Vec<_>>();
        self.surface.get_or_init(|| Flat::of_level(&corners(), self.mesh.tris()))
    }

    /// How far apart two good meshes of this level may be: walls of both are simplified, by `edge_max_error` cells or
    /// little more, and the reference's detail lies more than an agent's height off rolling ground in places.
    pub fn reach(&self) -> Reach {
        Reach { height: 2.0 * self.settings.agent.height, aside: 2.0 * self.vx.edge_max_error * self.vx.cell_size }
    }

    /// Columns and rows of tiles.
    pub fn tiles(&self) -> [i32; 2] {
        match self.vx.tile_size_vx as i32 {
            0 => [1, 1],
            size => self.grid.map(|cells| (cells + size - 1) / size),
        }
    }
}

/// Which triangles touch which tile, its border included: the triangles of tile `t` are
/// `tris[starts[t]..starts[t + 1]]`. For the peers, which leave this to their caller; its time is counted with their
/// rasterisation.
pub struct Bins {
    pub starts: Vec<usize>,
    pub tris: Vec<u32>,
}

impl Bins {
    pub fn new(job: &Job) -> Self {
        let [columns, rows] = job.tiles();
        let border = job.vx.border_vx as i32;
        let size = job.vx.tile_size_vx as i32;
        let range = |tri: &[i32], axis: usize, count: i32| {
            let at = |i: i32| (job.verts[i as usize * 3 + axis] - job.min[axis]) / job.vx.cell_size;
            let (a, b, c) = (at(tri[0]), at(tri[1]), at(tri[2]));
            // One cell more on each side, for the rounding of the division.
            let low = a.min(b).min(c) as i32 - border - 1;
            let high = a.max(b).max(c) as i32 + border + 1;
            (low.max(0) / size, (high / size).min(count - 1))
        };
        let mut starts = vec![0; (columns * rows) as usize + 2];
        let each = |visit: &mut dyn FnMut(usize, usize)| {
            for (i, tri) in job.tris.chunks_exact(3).enumerate() {
                let ((x0, x1), (z0, z1)) = (range(tri, 0, columns), range(tri, 2, rows));
                for z in z0..=z1 {
                    for x in x0..=x1 {
                        visit((z * columns + x) as usize, i);
                    }
                }
            }
        };
        each(&mut |tile, _| starts[tile + 2] += 1);
        for t in 2..starts.len() {
            starts[t] += starts[t - 1];
        }
        let mut tris = vec![0; *starts.last().unwrap_or(&0)];
        each(&mut |tile, i| {
            tris[starts[tile + 1]] = i as u32;
            starts[tile + 1] += 1;
        });
        starts.pop();
        Self { starts, tris }
    }

    pub fn of(&self, tile: usize) -> &[u32] {
        &self.tris[self.starts[tile]..self.starts[tile + 1]]
    }
}

/// Where one competitor's stage times go, if they are wanted: a look at the processor's clock takes half a microsecond.
pub struct Laps<'a>(Option<(&'a mut StageTimes, Duration)>);

impl<'a> Laps<'a> {
    pub fn new(times: Option<&'a mut StageTimes>) -> Self {
        Self(times.map(|times| (times, now())))
    }

    /// What was done since the last call belongs to `stage`.
    pub fn end(&mut self, stage: Stage) {
        if let Some((times, last)) = &mut self.0 {
            let now = now();
            times.add(stage, now - *last);
            *last = now;
        }
    }
}
