//! Stores one tile as one block of bytes: a head with the locations of the lists, followed by the lists.
//!
//! ```text
//!   | head | polygons | vertices | corners | neighbours | details … | border edges | seams | 0 |
//!            ^starts[0] ^starts[1]                                                          ^starts[10]
//! ```
//!
//! The block is little-endian and the same in memory, in a file and when passed to another language; it contains no
//! pointers and no enums, only numbers of one, two and four bytes. Big-endian machines convert the bytes when they load
//! a tile. Reading a tile is then one copy and one check, and dropping it is one free.
//!
//! A [`TileData`] is only made by [`TileBuilder`](super::TileBuilder) and by [`TileData::from_block`], both of which
//! check everything, so code that reads a tile need not.
//!
//! Cost: getting a list takes about ten instructions, so loops do it once.
//!
//! Sources: own; Detour's tiles are also used as they are stored in a file.

use super::byte_order::turn_around;
use super::tile_head::{
    BORDER, CORNERS, DETAIL_TRIS, DETAIL_VERTS, DETAILS, HEAD_WORDS, Head, LISTS, NEIGHBOURS, NO_HEAD, POLYS,
    SEAM_HEIGHTS, SEAM_RUNS, UNITS, VERTS,
};
use super::{
    BakedFor, BorderEdge, DetailRange, DetailTri, EdgeNeighbour, Poly, SeamHeights, SeamRun, TileCoord, TileError,
    TileLists,
};
use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use bytemuck::Pod;
use glam::Vec3;
use std::borrow::Cow;
use std::sync::Arc;

/// One tile: polygons, their corners and neighbours, and detail triangles. World coordinates. Cloning copies nothing.
///
/// Its content is always valid: counts, indices and numbers were checked when it was [made](super::TileBuilder) or
/// [read](Self::from_block). To change a tile, convert it [to a builder](Self::to_builder).
#[derive(Clone)]
pub struct TileData {
    /// The block, in the byte order of the machine.
    words: Arc<[u64]>,
    /// The box around all vertices.
    extent: Aabb,
}

impl TileData {
    /// A block that was checked.
    pub(super) fn of_checked(words: &[u64], extent: Aabb) -> Self {
        Self { words: words.into(), extent }
    }

    /// Reads a tile from its [block](Self::block).
    ///
    /// # Errors
    /// [`TileError`] unless every number in it is valid.
    pub fn from_block(bytes: &[u8]) -> Result<Self, TileError> {
        let (eights, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(TileError::Block { what: "number of bytes", value: bytes.len() as u32 });
        }
        let mut words: Arc<[u64]> = eights.iter().map(|&eight| u64::from_ne_bytes(eight)).collect();
        if cfg!(target_endian = "big")
            && let Some(words) = Arc::get_mut(&mut words)
        {
            turn_around(bytemuck::cast_slice_mut(words));
        }
        let mut tile = Self { words, extent: Aabb::EMPTY };
        tile.check_shape()?;
        let lists = tile.lists();
        let extent = lists.check()?;
        lists.check_values()?;
        tile.check_border()?;
        tile.check_seam_runs()?;
        tile.extent = extent;
        Ok(tile)
    }

    /// The head, after checking that the block has the length it declares.
    fn check_shape(&self) -> Result<(), TileError> {
        let short = TileError::Block { what: "number of bytes", value: (self.words.len() * 8) as u32 };
        if self.words.len() < HEAD_WORDS {
            return Err(short);
        }
        let head = self.head();
        head.check()?;
        if self.words.len() != head.words() {
            return Err(short);
        }
        match self.units().get(head.starts[LISTS] as usize) {
            Some(&value) if value != 0 => Err(TileError::Block { what: "last bytes", value }),
            _ => Ok(()),
        }
    }

    /// The length in bytes of a block that begins with these bytes; `None` if they are too few.
    pub(crate) fn length_of_block(bytes: &[u8]) -> Option<usize> {
        let end = core::mem::offset_of!(Head, border_sides);
        let units = bytes.get(end - 4..end)?.first_chunk::<4>()?;
        (u32::from_le_bytes(*units) as usize).div_ceil(2).checked_mul(8)
    }

    /// The bytes of the tile, little-endian: what [`from_block`](Self::from_block) reads, and what a `.way` file holds.
    #[must_use]
    pub fn block(&self) -> Cow<'_, [u8]> {
        let bytes: &[u8] = bytemuck::cast_slice(&self.words);
        if cfg!(target_endian = "big") {
            let mut turned = bytes.to_vec();
            turn_around(&mut turned);
            return Cow::Owned(turned);
        }
        Cow::Borrowed(bytes)
    }

    /// How many bytes the tile takes in memory: those of its block.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    #[inline]
    pub(super) fn head(&self) -> &Head {
        self.words.first_chunk::<HEAD_WORDS>().map_or(&NO_HEAD, bytemuck::cast_ref)
    }

    #[inline]
    fn units(&self) -> &[u32] {
        bytemuck::cast_slice(&self.words)
    }

    /// A list whose records take `N` units each.
    #[inline]
    fn list<T: Pod, const N: usize>(&self, list: usize) -> &[T] {
        let starts = &self.head().starts;
        let units = self.units().get(starts[list] as usize..starts[list + 1] as usize).unwrap_or_default();
        // Of the same size, which costs nothing.
        bytemuck::cast_slice::<[u32; N], T>(units.as_chunks::<N>().0)
    }

    /// Column, row and layer in the mesh.
    #[must_use]
    #[inline]
    pub fn coord(&self) -> TileCoord {
        let head = self.head();
        TileCoord { x: head.column, z: head.row, layer: head.layer }
    }

    /// A number for the caller's own use.
    #[must_use]
    pub fn user_id(&self) -> u32 {
        self.head().user_id
    }

    /// The box around everything in the tile, as given by its maker.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let [x, y, z, x2, y2, z2] = self.head().bounds;
        Aabb { min: Vec3::new(x, y, z), max: Vec3::new(x2, y2, z2) }
    }

    /// The exact box around its vertices and detail vertices; [`Aabb::EMPTY`] without polygons.
    #[must_use]
    #[inline]
    pub fn extent(&self) -> Aabb {
        self.extent
    }

    /// The agent and cell sizes for which the tile was made.
    #[must_use]
    #[inline]
    pub fn baked_for(&self) -> BakedFor {
        self.head().baked_for
    }

    /// The polygons.
    #[must_use]
    #[inline]
    pub fn polys(&self) -> &[Poly] {
        self.list::<_, { UNITS[POLYS] }>(POLYS)
    }

    /// Vertices of the polygons.
    #[must_use]
    #[inline]
    pub fn verts(&self) -> &[Vec3] {
        self.list::<_, { UNITS[VERTS] }>(VERTS)
    }

    /// Vertex of each corner of each polygon. The winding makes normals point up.
    #[must_use]
    #[inline]
    pub fn corners(&self) -> &[u32] {
        self.list::<_, { UNITS[CORNERS] }>(CORNERS)
    }

    /// What is on the other side of the edge from each corner to the next.
    #[must_use]
    #[inline]
    pub fn neighbours(&self) -> &[EdgeNeighbour] {
        self.list::<_, { UNITS[NEIGHBOURS] }>(NEIGHBOURS)
    }

    /// The detail triangles of each polygon, not shared with others. Length: number of polygons, or empty for none.
    #[must_use]
    #[inline]
    pub fn details(&self) -> &[DetailRange] {
        self.list::<_, { UNITS[DETAILS] }>(DETAILS)
    }

    /// Extra detail vertices.
    #[must_use]
    #[inline]
    pub fn detail_verts(&self) -> &[Vec3] {
        self.list::<_, { UNITS[DETAIL_VERTS] }>(DETAIL_VERTS)
    }

    /// Detail triangles.
    #[must_use]
    #[inline]
    pub fn detail_tris(&self) -> &[DetailTri] {
        self.list::<_, { UNITS[DETAIL_TRIS] }>(DETAIL_TRIS)
    }

    /// The edges on the tile's border, by number: in the order of their corners.
    #[must_use]
    #[inline]
    pub fn border_edges(&self) -> &[BorderEdge] {
        self.list::<_, { UNITS[BORDER] }>(BORDER)
    }

    pub(super) fn all_seam_runs(&self) -> &[SeamRun] {
        self.list::<_, { UNITS[SEAM_RUNS] }>(SEAM_RUNS)
    }

    /// The heights of the cells of all seam runs, one run after the other.
    pub(crate) fn seam_heights(&self) -> &[SeamHeights] {
        self.list::<_, { UNITS[SEAM_HEIGHTS] }>(SEAM_HEIGHTS)
    }

    /// The lists that define the polygons.
    pub(crate) fn lists(&self) -> TileLists<'_> {
        TileLists {
            bounds: self.bounds(),
            baked_for: self.baked_for(),
            polys: self.polys(),
            verts: self.verts(),
            corners: self.corners(),
            neighbours: self.neighbours(),
            details: self.details(),
            detail_verts: self.detail_verts(),
            detail_tris: self.detail_tris(),
        }
    }

    /// Whether both share one block.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.words, &other.words)
    }

    /// The same tile at another place in the mesh.
    #[must_use]
    pub fn at(&self, coord: TileCoord) -> Self {
        let TileCoord { x, z, layer } = coord;
        self.with_head(|head| (head.column, head.row, head.layer) = (x, z, layer))
    }

    /// The same tile with another user number.
    #[must_use]
    pub fn with_user_id(&self, user_id: u32) -> Self {
        self.with_head(|head| head.user_id = user_id)
    }

    fn with_head(&self, edit: impl FnOnce(&mut Head)) -> Self {
        let mut head = *self.head();
        edit(&mut head);
        let mut words: Arc<[u64]> = self.words.as_ref().into();
        if let Some(front) = Arc::get_mut(&mut words).and_then(|words| words.first_chunk_mut::<HEAD_WORDS>()) {
            *front = bytemuck::cast(head);
        }
        Self { words, extent: self.extent }
    }

    /// The same tile with other flags and area types, given for each polygon by its index; shares the block if nothing
    /// changes.
    #[must_use]
    pub fn with_states(&self, state_of: impl Fn(usize, &Poly) -> (PolyFlags, AreaId)) -> Self {
        let is_same = |(index, poly): (usize, &Poly)| state_of(index, poly) == (poly.flags, poly.area);
        if self.polys().iter().enumerate().all(is_same) {
            return self.clone();
        }
        let range = self.head().range(POLYS);
        let mut words: Arc<[u64]> = self.words.as_ref().into();
        if let Some(words) = Arc::get_mut(&mut words) {
            let units: &mut [u32] = bytemuck::cast_slice_mut(words);
            let polys = units.get_mut(range).unwrap_or_default().as_chunks_mut::<{ UNITS[POLYS] }>().0;
            let polys: &mut [Poly] = bytemuck::cast_slice_mut(polys);
            for (index, poly) in polys.iter_mut().enumerate() {
                (poly.flags, poly.area) = state_of(index, poly);
            }
        }
        Self { words, extent: self.extent }
    }
}

/// Equal bytes.
impl PartialEq for TileData {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_as(other) || self.words == other.words
    }
}

impl core::fmt::Debug for TileData {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let mut out = f.debug_struct("TileData");
        out.field("coord", &self.coord()).field("user_id", &self.user_id()).field("bounds", &self.bounds());
        out.field("baked_for", &self.baked_for()).field("verts", &self.verts()).field("polys", &self.polys());
        out.field("corners", &self.corners()).field("neighbours", &self.neighbours());
        out.field("details", &self.details()).field("detail_verts", &self.detail_verts());
        out.field("detail_tris", &self.detail_tris()).field("seams", &self.seams()).finish()
    }
}
