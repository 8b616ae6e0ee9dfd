//! Finds connections that can never be used, because an end has no surface within its radius.
//!
//! A mesh knows whether its connections are attached. A mesh written tile by tile is not kept, so each tile near an end
//! is checked as it passes, as a mesh of its own.

use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::tile::{TileData, TileLayout};

/// Connections, and which of their ends have a surface so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct LooseEnds(Vec<(OffMeshConnection, [bool; 2])>);

impl LooseEnds {
    /// For connections without a mesh: no end has a surface yet.
    pub(crate) fn new(connections: &[OffMeshConnection]) -> Self {
        Self(connections.iter().map(|connection| (*connection, [false; 2])).collect())
    }

    /// For a whole mesh.
    pub(crate) fn of_mesh(mesh: &NavMesh) -> Self {
        Self(mesh.connections().map(|c| (*c.definition(), c.ends().map(|end| end.is_some()))).collect())
    }

    /// Looks for surfaces in a tile.
    pub(crate) fn look(&mut self, layout: TileLayout, tile: &TileData) {
        let by_tile = |(connection, has_ground): &(OffMeshConnection, [bool; 2])| {
            let OffMeshConnection { start, end, radius, .. } = *connection;
            [start, end].into_iter().zip(has_ground).any(|(place, has_ground)| {
                let aside = tile.bounds().outside(place).with_y(0.0);
                !has_ground && aside.length() <= radius
            })
        };
        let mut mesh = None;
        for entry in self.0.iter_mut().filter(|entry| by_tile(entry)) {
            let alone = || NavMesh::from_tiles(layout, vec![tile.clone()]).ok();
            let Some(mesh) = mesh.get_or_insert_with(alone) else { return };
            let Ok(reference) = mesh.add_connection(entry.0) else { continue };
            let ends = mesh.connection(reference).map(|connection| connection.ends());
            for (has_ground, end) in entry.1.iter_mut().zip(ends.into_iter().flatten()) {
                *has_ground |= end.is_some();
            }
        }
    }

    /// The warning about those that cannot be used, if there are any.
    pub(crate) fn told(&self) -> Option<String> {
        let mut loose = self.0.iter().filter(|(_, has_ground)| has_ground.contains(&false));
        let (OffMeshConnection { start, end, radius, .. }, [has_start, _]) = loose.next()?;
        let missing = if *has_start { end } else { start };
        Some(format!(
            "connections that cannot be used, with an end that has no polygon within its radius: {}, the first from \
             {start} to {end}: move {missing} to the height of the surface, or give it a radius above {radius}",
            1 + loose.count()
        ))
    }
}
