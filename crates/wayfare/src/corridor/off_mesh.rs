//! Moves a corridor over an off-mesh connection.
//!
//! ```text
//!   [ A ][ B ] ──connection──> [ D ][ E ]      entered: the row becomes D E, and the start is where the connection
//!        ●                     ●               leaves; how the agent gets there is the game's business
//! ```
//!
//! Sources: off-mesh connections and moving the corridor over them are Detour's (`moveOverOffmeshConnection`).

use super::{CornerAt, CorridorCorner, PathCorridor};
use crate::mesh::{NavMesh, PolyRef};
use glam::Vec3;

/// A connection that was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionCrossing {
    /// The connection.
    pub connection: PolyRef,
    /// Where it is entered.
    pub from: Vec3,
    /// Where it is left: the corridor now begins there.
    pub to: Vec3,
}

impl PathCorridor {
    /// Moves the corridor over the connection at a corner: what lies before it is dropped, and the corridor begins at
    /// the far end of the connection. `None`, and no change, if there is no connection or it no longer leads on.
    pub fn enter_connection(&mut self, mesh: &NavMesh, corner: &CorridorCorner) -> Option<ConnectionCrossing> {
        let step = corner.step as usize;
        let poly = *self.polys.get(step).filter(|poly| **poly == corner.poly && corner.at == CornerAt::Connection)?;
        let before = *self.polys.get(step.checked_sub(1)?)?;
        let [from, to] = mesh.connection(poly).ok()?.passage_from(before)?;
        if self.polys.get(step + 1).is_some_and(|next| *next != to.poly) {
            return None;
        }
        self.polys.drain(..=step);
        self.portals.drain(..(step + 1).min(self.portals.len()));
        self.start = to.point;
        if self.polys.is_empty() {
            // The corridor ended on the connection itself.
            (self.end, self.start) = (to.point, to.point);
            self.polys.push(to.poly);
        }
        Some(ConnectionCrossing { connection: poly, from: from.point, to: to.point })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::corridor::CorridorScratch;
    use crate::corridor::test_ground::{find, place, world};
    use crate::mesh::OffMeshConnection;

    #[test]
    fn over_a_connection_both_ways() {
        let mut mesh = world("aaa....aa");
        let ends = [2.5, 7.5].map(|x| Vec3::new(x, 0.0, 0.5));
        let connection = OffMeshConnection {
            start: ends[0],
            end: ends[1],
            radius: 0.2,
            two_way: true,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        let reference = mesh.add_connection(connection).unwrap();
        let mut scratch = CorridorScratch::new();
        for (from, to, [entered, left]) in [(0.5, 8.5, ends), (8.5, 0.5, [ends[1], ends[0]])] {
            let mut corridor = find(&mesh, (from, 0.5), (to, 0.5));
            let corner = corridor.corners(4, &mut scratch)[0];
            let crossing = corridor.enter_connection(&mesh, &corner).unwrap();
            assert_eq!(crossing, ConnectionCrossing { connection: reference, from: entered, to: left });
            assert_eq!(corridor.start().unwrap(), place(&mesh, (left.x, 0.5)));
            assert_eq!(corridor.portals().len() + 1, corridor.polys().len());
            assert_eq!(corridor.enter_connection(&mesh, &corner), None, "it has been left behind");
        }
        let mut corridor = find(&mesh, (0.5, 0.5), (8.5, 0.5));
        let corner = corridor.corners(4, &mut scratch)[0];
        mesh.remove_connection(reference).unwrap();
        assert_eq!(corridor.enter_connection(&mesh, &corner), None, "it has gone");
    }
}
