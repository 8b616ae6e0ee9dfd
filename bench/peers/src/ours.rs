//! Our side of the bake: the same call that a user makes, on one thread.

use crate::flat::Flat;
use crate::job::Job;
use crate::measure::now;
use std::collections::HashMap;
use std::time::Duration;
use wayfare::bake::{BakeReport, BakeStats, StageTimes, bake_tiles};
use wayfare::context::{Clock, Context};
use wayfare::mesh::NavMesh;

/// The clock that the library does not have.
struct Processor;

impl Clock for Processor {
    fn now(&self) -> Duration {
        now()
    }
}

/// What was baked, and when the tiles were done (where rerecast ends) and when the mesh was.
pub struct Baked {
    pub mesh: NavMesh,
    pub report: BakeReport,
    pub tiles_done: Duration,
    pub mesh_done: Duration,
}

/// The whole bake, from the triangles to the finished mesh; each stage timed, if wanted.
pub fn bake(job: &Job, by_stage: bool) -> Result<Baked, String> {
    let began = now();
    let context = Context { clock: by_stage.then_some(&Processor as &dyn Clock), ..Context::default() };
    let (baked, report) = bake_tiles(&job.mesh, &job.settings, &context).map_err(|e| e.to_string())?;
    let tiles_done = now() - began;
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).map_err(|e| e.to_string())?;
    let mesh_done = now() - began;
    Ok(Baked { mesh, report, tiles_done, mesh_done })
}

impl Baked {
    pub fn stats(&self) -> BakeStats {
        self.report.stats
    }

    pub fn times(&self) -> StageTimes {
        self.report.times
    }
}

impl Flat {
    pub fn of_ours(mesh: &NavMesh) -> Self {
        let mut flat = Self::default();
        let mut first_of = HashMap::new();
        for tile in mesh.tiles() {
            first_of.insert(tile.slot(), flat.polys() as u32);
            let data = tile.data();
            for (number, poly) in data.polys().iter().enumerate() {
                let corners = poly.first as usize..poly.first as usize + usize::from(poly.count);
                flat.push(
                    data.corners()[corners].iter().map(|&v| data.verts()[v as usize].to_array()),
                    data.triangles_of(number as u32).map(|(tri, _)| tri.map(|v| v.to_array())),
                );
            }
        }
        for tile in mesh.tiles() {
            for poly in 0..tile.poly_count() {
                for portal in tile.portals(poly) {
                    flat.join(first_of[&tile.slot()] + poly, first_of[&portal.to.slot()] + portal.to.poly().get());
                }
            }
        }
        flat.finish()
    }
}
