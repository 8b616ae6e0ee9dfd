//! The parts of a described world: triangles of files in a temporary file, and generated scenes.

use super::spill::Spill;
use super::world_input::{Noticed, WorldInput};
use crate::failure::{Failure, Result};
use crate::input::Level;
use crate::input::level::{self, remark_on_missing};
use crate::options::{Areas, BakeOptions};
use crate::terminal::Terminal;
use std::collections::BTreeSet;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{HeightMap, MarkedVolume};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;
use wayfare::world::{SourceError, WorldPiece, WorldSource};
use wayfare_io::{ImportedLevel, Placement};

/// Parts being read.
pub(super) struct Parts<'a> {
    areas: &'a Areas,
    world: Described,
    noticed: Noticed,
    /// What `--areas` names, and no part has so far; none before the first part.
    missing: Option<Vec<String>>,
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
    pub(super) fn new(areas: &'a Areas) -> Result<Self> {
        let (spill, volumes) = (Spill::new()?, areas.volumes().to_vec());
        let world = Described { spill, generated: Vec::new(), volumes, connections: Vec::new(), bounds: Aabb::EMPTY };
        Ok(Self { areas, world, noticed: Noticed::default(), missing: None })
    }

    /// Adds a world that is generated on demand. It has no names.
    pub(super) fn add_generated(&mut self, source: Box<dyn WorldSource>, placement: Placement) {
        self.world.generated.push((source, placement.offset()));
        self.note_missing(self.areas.missing(&BTreeSet::new()).into_iter().map(str::to_owned).collect());
    }

    /// Keeps those names that no part has.
    fn note_missing(&mut self, names: Vec<String>) {
        let before = self.missing.take();
        self.missing =
            Some(names.into_iter().filter(|name| before.as_ref().is_none_or(|all| all.contains(name))).collect());
    }

    /// Reads a file and adds it at each of its placements, without keeping it.
    pub(super) fn add_file(&mut self, source: &str, options: &BakeOptions, placements: &[Placement]) -> Result<()> {
        let part = Level::load_part(&[source.to_owned()], options, self.areas, Terminal::new(true))?;
        let level::Part { level: Level { imported: level, hints }, missing, .. } = part;
        self.notice(source, &level, &hints, placements);
        self.note_missing(missing);
        let (own, _) = level.volumes.split_at(level.volumes.len() - self.areas.volumes().len());
        for placement in placements {
            for triangle in 0..level.mesh.tris().len() {
                self.add_triangle(level.mesh.corners(triangle), level.mesh.areas()[triangle], placement)?;
            }
            if let Some(map) = &level.terrain {
                self.add_heights(map, placement)?;
            }
            if *placement == Placement::new([0.0; 3], 0.0, 1.0).map_err(Failure::new)? {
                self.world.volumes.extend_from_slice(own);
            } else if !own.is_empty() {
                self.noticed.remarks.push(format!("{source}: its volumes are left out, since it is moved"));
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

    /// Keeps what was noticed in a file. What was left out of it is counted once, however often it is placed.
    fn notice(&mut self, source: &str, level: &ImportedLevel, hints: &BakeOptions, placements: &[Placement]) {
        let Noticed { remarks, report } = &mut self.noticed;
        remarks.extend(level.remarks.iter().map(|remark| format!("{source}: {remark}")));
        let own = [("settings", level.settings.is_some()), ("bounds", hints.bounds.is_some())];
        let own: Vec<&str> = own.into_iter().filter_map(|(what, is_there)| is_there.then_some(what)).collect();
        if !own.is_empty() {
            let own = own.join(" and ");
            remarks
                .push(format!("{source}: its own {own} are left out: a world is baked with those of the command line"));
        }
        let placed = |at: Option<Vec3>| Some(placements.first()?.point(at?));
        let left_out = level.mesh.report();
        report.not_finite = report.not_finite.saturating_add(left_out.not_finite);
        report.degenerate = report.degenerate.saturating_add(left_out.degenerate);
        report.first_not_finite_at = report.first_not_finite_at.or(placed(left_out.first_not_finite_at));
        report.first_degenerate_at = report.first_degenerate_at.or(placed(left_out.first_degenerate_at));
    }

    /// Adds a triangle; fails if it comes to lie so far away that 32 bits cannot say where.
    fn add_triangle(&mut self, corners: [Vec3; 3], area: AreaId, placement: &Placement) -> Result<()> {
        let corners = corners.map(|corner| placement.point(corner));
        if !corners.iter().all(|corner| corner.is_finite()) {
            return Err(Failure::new("at and scale move it beyond what 32-bit coordinates can say: give smaller ones"));
        }
        self.world.spill.add(corners, area)
    }

    /// Adds the triangles of a height map.
    fn add_heights(&mut self, map: &HeightMap, placement: &Placement) -> Result<()> {
        for corners in map.all_triangles() {
            self.add_triangle(corners, map.area(), placement)?;
        }
        Ok(())
    }

    /// The world of all parts.
    pub(super) fn finish(self, bounds: Option<Aabb>) -> Result<WorldInput> {
        let Self { mut world, mut noticed, missing, .. } = self;
        noticed.remarks.extend(remark_on_missing(&missing.unwrap_or_default()));
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
        Ok(WorldInput::World { source: Box::new(world), size: [triangles.saturating_mul(3), triangles], noticed })
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

    fn volumes(&self) -> &[MarkedVolume] {
        &self.volumes
    }

    fn connections(&self) -> &[OffMeshConnection] {
        &self.connections
    }
}
