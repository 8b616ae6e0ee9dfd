//! Bakes into resources, without regions.

use super::WayfareServer;
use crate::core::{Change, Level, is_ending};
use crate::mesh::WayfareMesh;
use crate::source::{Parsed, from_data, parse};
use godot::classes::{NavigationMeshSourceGeometryData3D, Node};
use godot::prelude::*;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use wayfare::context::Budget;

/// Cells of work after which a bake looks whether it is still wanted.
const SLICE: Budget = Budget::new(100_000);

/// A bake on a thread of its own.
pub struct PendingBake {
    mesh: Gd<WayfareMesh>,
    callback: Callable,
    answer: Receiver<Result<Vec<u8>, String>>,
}

#[godot_api(secondary)]
impl WayfareServer {
    /// Parses the nodes that `navigation_mesh` describes under `root_node` into `source_geometry_data`, in the world.
    #[func]
    fn parse_source_geometry_data(
        &self,
        navigation_mesh: Gd<WayfareMesh>,
        mut source_geometry_data: Gd<NavigationMeshSourceGeometryData3D>,
        root_node: Gd<Node>,
    ) {
        let parsed = parse(&navigation_mesh, &root_node);
        source_geometry_data.clear();
        match parsed {
            Ok(Parsed { triangles, obstructions, problems }) => {
                for problem in problems {
                    godot_error!("WayfareServer.parse_source_geometry_data: {problem}");
                }
                let corners = triangles.verts().iter().flat_map(|corner| corner.to_array());
                source_geometry_data.set_vertices(&corners.collect());
                let indices = triangles.tris().iter().flat_map(|triangle| triangle.map(|i| i as i32));
                source_geometry_data.set_indices(&indices.collect());
                obstructions.iter().for_each(|obstruction| obstruction.add_to(&mut source_geometry_data));
            }
            Err(problem) => godot_error!("WayfareServer.parse_source_geometry_data: {problem}"),
        }
    }

    /// Bakes geometry into a resource, at once.
    #[func]
    fn bake_from_source_geometry_data(
        &self,
        mut navigation_mesh: Gd<WayfareMesh>,
        source_geometry_data: Gd<NavigationMeshSourceGeometryData3D>,
    ) {
        let baked = work(&navigation_mesh, source_geometry_data).and_then(|work| work());
        finish(&mut navigation_mesh, baked);
    }

    /// Bakes geometry into a resource, in the background; `callback` is called when that is done; it may be empty.
    #[func(gd_self)]
    fn bake_from_source_geometry_data_async(
        this: Gd<Self>,
        mut navigation_mesh: Gd<WayfareMesh>,
        source_geometry_data: Gd<NavigationMeshSourceGeometryData3D>,
        callback: Callable,
    ) {
        Self::keep_running();
        let (sender, answer) = channel();
        let begun = work(&navigation_mesh, source_geometry_data).and_then(|work| {
            // Nobody listens where the program has ended.
            crate::core::spawn(move || drop(sender.send(work())))
        });
        match begun {
            Ok(()) => this.bind().bakes.borrow_mut().push(PendingBake { mesh: navigation_mesh, callback, answer }),
            Err(problem) => finish(&mut navigation_mesh, Err(problem)),
        }
    }

    /// Whether a bake into a resource is going on.
    #[func]
    fn is_baking_navigation_mesh(&self, navigation_mesh: Gd<WayfareMesh>) -> bool {
        self.bakes.borrow().iter().any(|bake| bake.mesh == navigation_mesh)
    }
}

impl WayfareServer {
    /// Puts into resources what was baked.
    pub(super) fn hear_bakes(this: &Gd<Self>) {
        let pending = this.bind().bakes.take();
        for mut bake in pending {
            let baked = match bake.answer.try_recv() {
                Ok(baked) => baked,
                Err(TryRecvError::Empty) => {
                    this.bind().bakes.borrow_mut().push(bake);
                    continue;
                }
                Err(TryRecvError::Disconnected) => Err("the bake has stopped early, a fault of Wayfare".into()),
            };
            finish(&mut bake.mesh, baked);
            if bake.callback.is_valid() {
                bake.callback.call(&[]);
            }
        }
    }
}

type Work = Box<dyn FnOnce() -> Result<Vec<u8>, String> + Send>;

/// A bake that may be done on any thread.
fn work(mesh: &Gd<WayfareMesh>, mut data: Gd<NavigationMeshSourceGeometryData3D>) -> Result<Work, String> {
    let settings = mesh.bind().settings();
    let Parsed { triangles, obstructions, .. } = from_data(&mut data, Transform3D::IDENTITY)?;
    Ok(Box::new(move || {
        let mut level = Level::new(&settings, triangles.bounds())?;
        let volumes = obstructions.into_iter().enumerate().map(|(i, volume)| (i as u64, volume.part(0)));
        let volumes = volumes.map(|(owner, part)| Change::Volume(owner, part.marked()));
        level.apply([Change::Triangles(triangles)].into_iter().chain(volumes).collect());
        while !level.step(SLICE).is_finished() {
            if is_ending() {
                return Err("the program ends before its bake does".into());
            }
        }
        let problems = level.take_problems();
        if problems.is_empty() { Ok(level.to_way()) } else { Err(problems.join("; ")) }
    }))
}

fn finish(mesh: &mut Gd<WayfareMesh>, baked: Result<Vec<u8>, String>) {
    match baked {
        Ok(bytes) => mesh.bind_mut().set_data(PackedByteArray::from(bytes.as_slice())),
        Err(problem) => godot_error!("WayfareServer: the navigation mesh cannot be baked: {problem}"),
    }
}
