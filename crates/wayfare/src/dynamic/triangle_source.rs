//! Sources of triangles for tiles that are baked again, and a level whose objects are added, moved and removed.
//!
//! ```text
//!   bounds of a tile ─> bins of the fixed triangles under it, squares of the terrain, objects whose box touches it ─> its triangles
//! ```
//!
//! Cost: the triangles of the tiles that are asked for and of those beside them, and the objects there.
//!
//! Sources: none needed.

use crate::area::AreaId;
use crate::bake::TilePlan;
use crate::input::{HeightMap, Level, TriMesh};
use crate::math::index::{slot_from_bits, slot_to_bits};
use crate::math::{Aabb, BoxGrid};
use crate::voxel::TriangleBins;
use core::cmp::Reverse;
use core::fmt;
use glam::Vec3;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::Arc;

/// Provides the triangles of a part of a level.
pub trait TriangleSource {
    /// All triangles that touch the bounds, with their area types. The bounds are infinite upwards and downwards. The
    /// answer may contain other triangles: they do not affect the tile.
    fn triangles_in(&self, bounds: &Aabb) -> TriMesh;
}

/// A handle of an object of a level. After the object is removed, the handle never refers to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    slot: u32,
    salt: u32,
}

impl ObjectRef {
    /// The handle as a number, to store it or to pass it to another language; never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        slot_to_bits(self.slot, self.salt)
    }

    /// The handle of a number from [`to_bits`](Self::to_bits). `None` for numbers that it never returns, such as 0. For
    /// any other number, the object may be gone, or may never have existed.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match slot_from_bits(bits) {
            Some((slot, salt)) => Some(Self { slot, salt }),
            None => None,
        }
    }
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}:g{}", self.salt, self.slot)
    }
}

/// Why an object could not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// Its offset is not finite, or so large that its corners are not.
    #[error("the object would be at a position that is not finite: give a finite offset")]
    NotFinite,
    /// The handle's object is gone.
    #[error("object {object} is gone: it was removed, or is of another level")]
    Gone {
        /// The handle.
        object: ObjectRef,
    },
    /// There is no handle left for another object.
    #[error("there are {} objects, and no more can be counted: remove some", u32::MAX)]
    Full,
}

struct ObjectSlot {
    content: Option<Object>,
    salt: u32,
}

struct Object {
    surface: Arc<TriMesh>,
    offset: Vec3,
    bounds: Aabb,
}

/// A level of fixed triangles and terrain, and of objects that are added, moved and removed: walls that are built,
/// bridges that are blown up, ships that dock. Each change returns the bounds in which the level has changed, for
/// [`invalidate`](super::Obstacles::invalidate).
pub struct ObjectLevel {
    plan: TilePlan,
    fixed: TriMesh,
    /// The fixed triangles by tile.
    bins: TriangleBins,
    terrain: Option<HeightMap>,
    slots: Vec<ObjectSlot>,
    /// Slots without an object, whose salt is not used up.
    free: BinaryHeap<Reverse<u32>>,
    /// The slots of objects by where they stand.
    places: BoxGrid<BTreeSet<u32>>,
}

impl ObjectLevel {
    /// A copy of a level, without objects yet, divided into tiles by the plan of its
    /// [checkpoints](super::LevelCheckpoints::plan), which also hold its volumes.
    #[must_use]
    pub fn new<'a>(level: impl Into<Level<'a>>, plan: &TilePlan) -> Self {
        let level = level.into();
        let fixed = level.mesh.clone();
        let bins = TriangleBins::new(&fixed, &plan.level, plan.settings.tile_size_vx, 0);
        let terrain = level.terrain.cloned();
        let places = BoxGrid::new(plan.layout().tile_width);
        Self { plan: *plan, fixed, bins, terrain, slots: Vec::new(), free: BinaryHeap::new(), places }
    }

    /// Puts other triangles in the place of those that are neither objects nor terrain. Returns the bounds of each that
    /// came or went: where the level has changed. Triangles with the same corners and area type stay, wherever they
    /// stand in the list.
    pub fn replace_fixed(&mut self, fixed: TriMesh) -> Vec<Aabb> {
        let bins = TriangleBins::new(&fixed, &self.plan.level, self.plan.settings.tile_size_vx, 0);
        let before = core::mem::replace(&mut self.fixed, fixed);
        self.bins = bins;
        let keys = |mesh: &TriMesh| -> BTreeSet<TriangleKey> { (0..mesh.tris().len()).map(|i| key(mesh, i)).collect() };
        keys(&before).symmetric_difference(&keys(&self.fixed)).map(|(corners, _)| bounds_of(corners)).collect()
    }

    /// Puts other terrain in the place of what there is, or takes it away. Returns the bounds in which the level has
    /// changed: around the points whose height is another, if both maps have the same points, else all of both.
    pub fn replace_terrain(&mut self, terrain: Option<HeightMap>) -> Vec<Aabb> {
        let before = core::mem::replace(&mut self.terrain, terrain);
        match (&before, &self.terrain) {
            (Some(before), Some(after)) if before.has_points_of(after) => before.differences(after),
            (before, after) => [before, after].into_iter().flatten().map(HeightMap::bounds).collect(),
        }
    }

    /// Adds an object, its surface moved by an offset. Returns the bounds in which the level has changed.
    ///
    /// # Errors
    /// [`ObjectError`].
    pub fn add(&mut self, surface: Arc<TriMesh>, offset: Vec3) -> Result<(ObjectRef, Aabb), ObjectError> {
        let object = Object::new(surface, offset)?;
        let bounds = object.bounds;
        let slot = match self.free.pop() {
            Some(Reverse(slot)) => slot,
            None => {
                let new = u32::try_from(self.slots.len()).ok().filter(|&slot| slot < u32::MAX);
                let new = new.ok_or(ObjectError::Full)?;
                self.slots.push(ObjectSlot { content: None, salt: 0 });
                new
            }
        };
        let entry = &mut self.slots[slot as usize];
        entry.content = Some(object);
        entry.salt += 1;
        self.places.cell_of(&bounds).insert(slot);
        Ok((ObjectRef { slot, salt: entry.salt }, bounds))
    }

    /// Moves an object: its surface is now moved by this offset. Returns the bounds in which the level has changed:
    /// those of the object before and after.
    ///
    /// # Errors
    /// [`ObjectError`]; it then stays where it is.
    pub fn move_to(&mut self, object: ObjectRef, offset: Vec3) -> Result<[Aabb; 2], ObjectError> {
        let there = self.object_mut(object)?;
        let moved = Object::new(Arc::clone(&there.surface), offset)?;
        let after = moved.bounds;
        let before = core::mem::replace(there, moved).bounds;
        self.places.cell_of(&before).remove(&object.slot);
        self.places.cell_of(&after).insert(object.slot);
        Ok([before, after])
    }

    /// Removes an object. Returns the bounds in which the level has changed.
    ///
    /// # Errors
    /// [`ObjectError::Gone`].
    pub fn remove(&mut self, object: ObjectRef) -> Result<Aabb, ObjectError> {
        let bounds = self.object_mut(object)?.bounds;
        self.slots[object.slot as usize].content = None;
        self.places.cell_of(&bounds).remove(&object.slot);
        if object.salt < u32::MAX {
            self.free.push(Reverse(object.slot));
        }
        Ok(bounds)
    }

    /// All triangles as they are now, those of objects after those that stay; not those of the terrain.
    #[must_use]
    pub fn triangles(&self) -> TriMesh {
        let fixed = (0..self.fixed.tris().len()).map(|i| moved(&self.fixed, i, Vec3::ZERO));
        TriMesh::of_triangles(fixed.chain(self.objects().flat_map(Object::triangles)))
    }

    /// The terrain as it is now, if there is any.
    #[must_use]
    pub fn terrain(&self) -> Option<&HeightMap> {
        self.terrain.as_ref()
    }

    fn objects(&self) -> impl Iterator<Item = &Object> {
        self.slots.iter().filter_map(|slot| slot.content.as_ref())
    }

    fn object_mut(&mut self, object: ObjectRef) -> Result<&mut Object, ObjectError> {
        let slot = self.slots.get_mut(object.slot as usize).filter(|slot| slot.salt == object.salt);
        slot.and_then(|slot| slot.content.as_mut()).ok_or(ObjectError::Gone { object })
    }
}

impl TriangleSource for ObjectLevel {
    fn triangles_in(&self, bounds: &Aabb) -> TriMesh {
        let columns = u64::from(self.plan.columns);
        let tile = |index: u64| self.bins.tile((index % columns) as u32, (index / columns) as u32);
        let mut fixed: Vec<u32> = self.plan.tiles_touched(bounds).flat_map(tile).copied().collect();
        fixed.sort_unstable();
        fixed.dedup();
        // Where the rasteriser cuts an edge, rounding may put the cut just outside the triangle's box.
        let rim = Vec3::splat(self.plan.level.cell_size);
        let around = Aabb { min: bounds.min - rim, max: bounds.max + rim };
        let touches = |&i: &u32| Aabb::around(self.fixed.corners(i as usize)).overlaps(&around);
        let fixed = fixed.into_iter().filter(touches).map(|i| moved(&self.fixed, i as usize, Vec3::ZERO));
        let terrain = self.terrain.iter().flat_map(|map| map.triangles_in(bounds).map(|corners| (corners, map.area())));
        let mut slots: Vec<u32> = self.places.under(&around).flatten().copied().collect();
        slots.sort_unstable();
        let objects = slots.into_iter().filter_map(|slot| self.slots.get(slot as usize)?.content.as_ref());
        let objects = objects.filter(|object| object.bounds.overlaps(&around));
        TriMesh::of_triangles(fixed.chain(terrain).chain(objects.flat_map(Object::triangles)))
    }
}

impl Object {
    fn new(surface: Arc<TriMesh>, offset: Vec3) -> Result<Self, ObjectError> {
        let Aabb { min, max } = surface.bounds();
        let bounds = Aabb { min: min + offset, max: max + offset };
        let is_sound = offset.is_finite() && (surface.tris().is_empty() || (bounds.min + bounds.max).is_finite());
        if is_sound { Ok(Self { surface, offset, bounds }) } else { Err(ObjectError::NotFinite) }
    }

    fn triangles(&self) -> impl Iterator<Item = ([Vec3; 3], AreaId)> + '_ {
        (0..self.surface.tris().len()).map(|i| moved(&self.surface, i, self.offset))
    }
}

/// A triangle by the bits of its corners, and its area type.
type TriangleKey = ([[u32; 3]; 3], AreaId);

fn key(mesh: &TriMesh, triangle: usize) -> TriangleKey {
    (mesh.corners(triangle).map(|corner| corner.to_array().map(f32::to_bits)), mesh.areas()[triangle])
}

fn bounds_of(corners: &[[u32; 3]; 3]) -> Aabb {
    Aabb::around(corners.map(|corner| Vec3::from_array(corner.map(f32::from_bits))))
}

/// A triangle of a mesh in another place, with its area type.
fn moved(mesh: &TriMesh, triangle: usize, by: Vec3) -> ([Vec3; 3], AreaId) {
    (mesh.corners(triangle).map(|corner| corner + by), mesh.areas()[triangle])
}

impl fmt::Debug for ObjectLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObjectLevel").field("objects", &self.objects().count()).finish_non_exhaustive()
    }
}
