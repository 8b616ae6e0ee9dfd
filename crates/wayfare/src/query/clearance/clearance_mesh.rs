//! Builds the mesh for the centre of an agent with a given radius, and updates it when the base mesh changes.
//!
//! Sources: see [the module](super).

use super::carve::Carver;
use super::detail::carry_details;
use super::inflate::inflate;
use super::near_walls::walls_near;
use super::plan_grid::{PlanGrid, PlanPoint};
use super::sew::{Piece, sew};
use super::sorted_boxes::SortedBoxes;
use super::thin_pieces::Border;
use crate::math::Aabb;
use crate::mesh::{AddTileError, Connection, NavMesh, OffMeshConnection, PolyRef, PolyState, Tile};
use crate::query::{QueryFilter, SearchScratch};
use crate::tile::{SourcePoly, TileBuilder, TileData, TileError, TileSource};
use glam::{Vec2, Vec3, Vec3Swizzles};

/// Extra distance, in units, to allow for rounding while cutting.
const ROUNDING: i32 = 2;
/// The smallest distance, in units: less would vanish by rounding. A tenth of a millimetre in a level of a hundred
/// metres.
const LEAST_RADIUS: i32 = 8;

/// The surface where the centre of an agent of some radius can be, cut from a mesh for smaller agents.
///
/// It is a complete mesh of its own that works with every query, and keeps the heights of the detail triangles. Tiles
/// keep their slots and salts; [`base_poly`](Self::base_poly) gives the polygon of the base mesh from which a polygon
/// was cut. Off-mesh connections keep their references.
///
/// ```
/// use wayfare::query::{ClearanceMesh, DefaultFilter};
/// # use wayfare::{input::{AgentSettings, TriMesh}, mesh::NavMesh};
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Into::into);
/// # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let mesh = NavMesh::bake(&level, &AgentSettings::default())?;
/// // Keeps two metres more from every wall than the mesh was baked for.
/// let wide = ClearanceMesh::new(&mesh, 2.0, &DefaultFilter::default())?;
/// let route = wide.mesh().find_path([3.0, 0.0, 3.0], [17.0, 0.0, 16.0]);
/// assert!(route.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ClearanceMesh {
    mesh: NavMesh,
    radius: f32,
    grid: PlanGrid,
    /// Polygons of the base mesh, by slot and piece.
    base_polys: Vec<Vec<u32>>,
    /// The mesh it was cut from.
    base: NavMesh,
}

/// The mesh cannot be cut for this radius.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClearanceError {
    /// The radius is invalid.
    #[error("the radius is {radius}, but must be finite, 0 or above")]
    Radius {
        /// The radius.
        radius: f32,
    },
    /// A tile was cut into more pieces than a tile can hold.
    #[error("tile ({x}, {z}) cannot be cut: {error}")]
    Tile {
        /// Column.
        x: i32,
        /// Row.
        z: i32,
        /// What is wrong.
        error: TileError,
    },
    /// A tile of the base mesh is in a place where no other can be put.
    #[error(transparent)]
    Place(#[from] AddTileError),
}

impl ClearanceMesh {
    /// Cuts the mesh for agents that need `radius` metres more distance from walls than the mesh already provides: for
    /// a mesh baked for agents of 0.3 m, an agent of 0.5 m needs 0.2 more (see [`extra_radius`]). Polygons that
    /// `filter` blocks are walls. With a radius of 0 the result is the mesh itself, with all its polygons.
    ///
    /// # Errors
    /// [`ClearanceError`].
    pub fn new<F: QueryFilter + ?Sized>(base: &NavMesh, radius: f32, filter: &F) -> Result<Self, ClearanceError> {
        if !(radius.is_finite() && radius >= 0.0) {
            return Err(ClearanceError::Radius { radius });
        }
        let grid = PlanGrid::covering(&base.bounds(), reach(base, radius));
        let mesh = NavMesh::new(base.layout());
        let mut cut = Self { mesh, radius, grid, base_polys: Vec::new(), base: NavMesh::new(base.layout()) };
        cut.follow(base, filter)?;
        Ok(cut)
    }

    /// The mesh that remains after cutting.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Its distance from the walls of the base mesh, metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The polygon of the base mesh from which `poly` was cut; connections have the same reference in both. `None` for
    /// stale references.
    #[must_use]
    pub fn base_poly(&self, poly: PolyRef) -> Option<PolyRef> {
        if poly.is_off_mesh() {
            return self.mesh.connection(poly).is_ok().then_some(poly);
        }
        if self.radius == 0.0 {
            return self.mesh.locate(poly).is_ok().then_some(poly);
        }
        let (tile, index) = self.mesh.locate(poly).ok()?;
        let base = *self.base_polys.get(tile.slot().index())?.get(index as usize)?;
        PolyRef::new(tile.salt(), tile.slot().get(), base)
    }

    /// Updates this mesh after the base mesh was edited (tiles, connections, flags, areas): cuts again the tiles that
    /// changed and those within the radius of them. Returns how many were cut. `filter` must be the same as before.
    ///
    /// # Errors
    /// [`ClearanceError`]; tiles cut until then stay, and the next call continues from there.
    pub fn follow<F: QueryFilter + ?Sized>(&mut self, base: &NavMesh, filter: &F) -> Result<u32, ClearanceError> {
        if self.radius == 0.0 {
            let changed = self.changed_tiles(base).len() as u32;
            (self.mesh, self.base) = (base.clone(), base.clone());
            return Ok(changed);
        }
        let grid = PlanGrid::covering(&base.bounds(), reach(base, self.radius));
        if grid != self.grid {
            *self = Self {
                grid,
                mesh: NavMesh::new(base.layout()),
                base: NavMesh::new(base.layout()),
                base_polys: Vec::new(),
                ..*self
            };
        }
        let changed = self.changed_tiles(base);
        self.mesh.use_slots_of(base);
        let near = SortedBoxes::new(changed.iter().map(|tile| widened(tile.bounds(), self.radius)));
        let mut scratch = SearchScratch::new();
        let mut cut = 0;
        for tile in base.tiles() {
            if self.is_missing(tile) || near.overlap(&tile.bounds()) {
                self.cut_tile(base, tile, filter, &mut scratch)?;
                cut += 1;
            }
        }
        self.follow_connections(base);
        self.mesh.set_areas(base.areas().clone());
        self.base = base.clone();
        Ok(cut)
    }

    /// Removes the tiles that are gone, and returns those that are new or changed, old and new.
    fn changed_tiles(&mut self, base: &NavMesh) -> Vec<Tile> {
        let mut changed = Vec::new();
        for slot in 0..base.slot_count().max(self.base.slot_count()) {
            let slot = crate::math::index::TileSlot::new(slot);
            let before = self.base.tile_in(slot);
            let now = base.tile_in(slot);
            let same = match (before, now) {
                (Some(before), Some(now)) => now.is_same_as(before),
                (None, None) => true,
                _ => false,
            };
            if !same {
                changed.extend(before.into_iter().chain(now).cloned());
                self.mesh.empty_slot(slot);
            }
        }
        changed
    }

    fn is_missing(&self, tile: &Tile) -> bool {
        self.base_polys.get(tile.slot().index()).is_none()
    }

    fn cut_tile<F: QueryFilter + ?Sized>(
        &mut self,
        base: &NavMesh,
        tile: &Tile,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<(), ClearanceError> {
        let (data, base_polys) = self.cut(base, tile, filter, scratch)?;
        self.mesh.empty_slot(tile.slot());
        self.mesh.add_at_any(tile.tile_ref(), data)?;
        let slot = tile.slot().index();
        if self.base_polys.len() <= slot {
            self.base_polys.resize(slot + 1, Vec::new());
        }
        self.base_polys[slot] = base_polys;
        Ok(())
    }

    /// What remains of a tile after cutting, and for each polygon the one it was cut from.
    fn cut<F: QueryFilter + ?Sized>(
        &self,
        base: &NavMesh,
        tile: &Tile,
        filter: &F,
        scratch: &mut SearchScratch,
    ) -> Result<(TileData, Vec<u32>), ClearanceError> {
        let data = tile.data();
        let plan: Vec<PlanPoint> = data.verts().iter().map(|&v| self.grid.point(v)).collect();
        let whole = self.grid.length(reach(base, self.radius));
        let parts = whole.saturating_add(ROUNDING * self.grid.parts()).max(LEAST_RADIUS * self.grid.parts());
        let mut walls = Vec::new();
        let mut plan_walls = Vec::new();
        let mut blocked = Vec::new();
        let mut pieces = Vec::new();
        let mut outlines = Vec::new();
        let mut carver = Carver::new();
        for poly in 0..tile.poly_count() {
            if !filter.passes(tile.reference(poly), tile.state(poly)) {
                continue;
            }
            if !walls_near(base, (tile, poly), (self.radius, filter), scratch, &mut walls) {
                continue;
            }
            plan_walls.clear();
            plan_walls.extend(walls.iter().map(|wall| wall.map(|end| self.grid.point(end))));
            inflate(&mut plan_walls, (f64::from(parts), self.grid), &mut blocked);
            let outline: Vec<PlanPoint> = data.corners_of(poly).iter().map(|&v| plan[v as usize]).collect();
            carver.carve(&outline, &blocked, &mut outlines);
            pieces.extend(outlines.drain(..).map(|outline| Piece { poly, outline }));
        }
        self.build(base, tile, &plan, &pieces)
    }

    fn build(
        &self,
        base: &NavMesh,
        tile: &Tile,
        plan: &[PlanPoint],
        pieces: &[Piece],
    ) -> Result<(TileData, Vec<u32>), ClearanceError> {
        let data = tile.data();
        let frame = (base.tile_count() > 1).then(|| frame(base, tile));
        let border = frame.map(|[low, high]| {
            let [low, high] = [low, high].map(|corner| self.grid.rounded(self.grid.point(corner.extend(0.0).xzy())));
            [0, 1].map(|axis| [low[axis], high[axis]].map(i64::from))
        });
        let sewn = sew(data, (plan, self.grid), pieces, Border(border));
        let verts: Vec<Vec3> = sewn
            .verts
            .iter()
            .map(|&(units, poly)| {
                let place = self.grid.place(units, data.center_of(poly).y);
                Vec3 { y: data.closest_point(poly, place).point.y, ..place }
            })
            .collect();
        let polys: Vec<SourcePoly> = sewn
            .pieces
            .iter()
            .map(|&(count, poly)| SourcePoly { count, flags: tile.state(poly).flags, area: tile.state(poly).area })
            .collect();
        let coord = tile.coord();
        let source = TileSource {
            coord,
            user_id: data.user_id(),
            agent_height: data.baked_for().height,
            agent_radius: data.baked_for().radius + self.radius,
            agent_climb: data.baked_for().climb,
            verts: &verts,
            corners: &sewn.corners,
            polys: &polys,
            frame,
            ..TileSource::default()
        };
        let base_polys: Vec<u32> = sewn.pieces.iter().map(|(_, poly)| *poly).collect();
        let mut builder = TileBuilder::default();
        let built = builder.build_source(&source).and_then(|_| {
            carry_details(data, (&mut builder, &base_polys), self.grid)?;
            builder.build()
        });
        let built = built.map_err(|error| ClearanceError::Tile { x: coord.x, z: coord.z, error })?;
        Ok((built, base_polys))
    }

    /// The surface at the ends of connections may have been cut away, so the ends search farther by the radius. Those
    /// that are the same as before are left alone: tiles that were cut again have attached them.
    fn follow_connections(&mut self, base: &NavMesh) {
        let is_kept = |c: &&Connection| {
            base.connection(c.reference()).is_ok_and(|original| self.widened(original) == *c.definition())
        };
        let others: Vec<PolyRef> = self.mesh.connections().filter(|c| !is_kept(c)).map(Connection::reference).collect();
        for reference in others {
            // It was just read from this mesh, so it can be removed.
            let _ = self.mesh.remove_connection(reference);
        }
        for original in base.connections() {
            let reference = original.reference();
            if self.mesh.connection(reference).is_err() {
                let wider = self.widened(original);
                // The definition and the index were valid in the base mesh.
                let _ = self.mesh.place_connection(reference.poly().get(), reference.salt(), wider);
            }
        }
    }

    fn widened(&self, connection: &Connection) -> OffMeshConnection {
        let definition = *connection.definition();
        let PolyState { flags, area } = connection.state();
        OffMeshConnection { radius: definition.radius + self.radius, flags, area, ..definition }
    }
}

/// How much more distance from walls an agent of `radius` metres needs than a mesh already provides: the difference to
/// the radius the mesh was made for, at least 0. The mesh's radius is that of its first tile; a bake stores there by
/// how much it eroded (`input::VoxelSettings::eroded_radius`).
#[must_use]
pub fn extra_radius(mesh: &NavMesh, radius: f32) -> f32 {
    let baked = mesh.tiles().next().map_or(0.0, |tile| tile.data().baked_for().radius);
    (radius - baked).max(0.0)
}

/// The radius, limited to the size of the level: anything larger has the same effect.
fn reach(mesh: &NavMesh, radius: f32) -> f32 {
    let bounds = mesh.bounds();
    if bounds.is_empty() { radius } else { radius.min(bounds.size().x + bounds.size().z + 1.0) }
}

fn widened(bounds: Aabb, by: f32) -> Aabb {
    let reach = Vec3::new(by, f32::MAX, by);
    Aabb { min: bounds.min - reach, max: bounds.max + reach }
}

/// The tile's rectangle.
fn frame(mesh: &NavMesh, tile: &Tile) -> [Vec2; 2] {
    let layout = mesh.layout();
    let coord = tile.coord();
    [layout.corner(coord.x, coord.z), layout.corner(coord.x.saturating_add(1), coord.z.saturating_add(1))]
}
