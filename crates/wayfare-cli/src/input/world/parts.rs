//! The parts of a described world: triangles of files in a temporary file, and generated scenes.

use super::WorldInput;
use super::spill::Spill;
use crate::failure::{Failure, Result};
use crate::input::Level;
use crate::options::{Areas, BakeOptions};
use crate::terminal::Terminal;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{HeightMap, MarkedVolume};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::world::{SourceError, WorldPiece, WorldSource};
use wayfare_io::Placement;

/// Parts being read.
pub(super) struct Parts<'a> {
    areas: &'a Areas,
    terminal: Terminal,
    world: Described,
}

/// A world made of parts.
struct Described {
    spill: Spill,
    generated: Vec<(Box<dyn WorldSource>, Vec3)>,
    volumes: Vec<MarkedVolume>,
    connections: Vec<OffMeshConnection>,
    bounds: Aabb,
}

impl<'a> Parts<'a> {
    pub(super) fn new(areas: &'a Areas, terminal: Terminal) -> Result<Self> {
        let (spill, volumes) = (Spill::new()?, areas.volumes().to_vec());
        let world = Described { spill, generated: Vec::new(), volumes, connections: Vec::new(), bounds: Aabb::EMPTY };
        Ok(Self { areas, terminal, world })
    }

    /// Adds a world that is generated on demand.
    pub(super) fn add_generated(&mut self, source: Box<dyn WorldSource>, placement: Placement) {
        self.world.generated.push((source, placement.offset()));
    }

    /// Reads a file and adds it at each of its placements, without keeping it.
    pub(super) fn add_file(&mut self, source: &str, options: &BakeOptions, placements: &[Placement]) -> Result<()> {
        let level = Level::load(&[source.to_owned()], options, self.areas, Terminal::new(true))?.imported;
        let (own, _) = level.volumes.split_at(level.volumes.len() - self.areas.volumes().len());
        for placement in placements {
            for triangle in 0..level.mesh.tris().len() {
                let corners = level.mesh.corners(triangle).map(|corner| placement.point(corner));
                self.world.spill.add(corners, level.mesh.areas()[triangle])?;
            }
            if let Some(map) = &level.terrain {
                self.add_heights(map, placement)?;
            }
            if *placement == Placement::new([0.0; 3], 0.0, 1.0).map_err(Failure::new)? {
                self.world.volumes.extend_from_slice(own);
            } else if !own.is_empty() {
                self.terminal.warn(format_args!("{source}: its volumes are left out, since it is moved"));
            }
            self.world.connections.extend(level.connections.iter().map(|connection| OffMeshConnection {
                start: placement.point(connection.start),
                end: placement.point(connection.end),
                radius: placement.length(connection.radius),
                ..*connection
            }));
        }
        Ok(())
    }

    /// Adds the triangles of a height map.
    fn add_heights(&mut self, map: &HeightMap, placement: &Placement) -> Result<()> {
        for corners in map.all_triangles() {
            self.world.spill.add(corners.map(|corner| placement.point(corner)), map.area())?;
        }
        Ok(())
    }

    /// The world of all parts.
    pub(super) fn finish(self, bounds: Option<Aabb>) -> Result<WorldInput> {
        let mut world = self.world;
        world.spill.flush()?;
        let moved = |(source, offset): &(Box<dyn WorldSource>, Vec3)| {
            let Aabb { min, max } = source.bounds();
            Aabb { min: min + *offset, max: max + *offset }
        };
        let all = world.generated.iter().map(moved).fold(world.spill.bounds, |all, one| all.union(one));
        world.bounds = bounds.unwrap_or(all);
        if world.bounds.is_empty() {
            return Err(Failure::new("the world has no triangle: its files are empty"));
        }
        let triangles = usize::try_from(world.spill.count).unwrap_or(usize::MAX);
        Ok(WorldInput::World { source: Box::new(world), size: [triangles.saturating_mul(3), triangles] })
    }
}

impl WorldSource for Described {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn piece(&self, bounds: &Aabb) -> std::result::Result<WorldPiece<'_>, SourceError> {
        let mut triangles: Vec<([Vec3; 3], AreaId)> = self.spill.under(bounds)?;
        for (source, offset) in &self.generated {
            let piece = source.piece(&Aabb { min: bounds.min - *offset, max: bounds.max - *offset })?;
            let corners = |triangle| piece.mesh.corners(triangle).map(|corner| corner + *offset);
            let all = (0..piece.mesh.tris().len()).map(|triangle| (corners(triangle), piece.mesh.areas()[triangle]));
            triangles.extend(all);
        }
        Ok(WorldPiece { volumes: (&self.volumes).into(), ..WorldPiece::of_triangles(triangles, bounds) })
    }

    fn connections(&self) -> &[OffMeshConnection] {
        &self.connections
    }
}
