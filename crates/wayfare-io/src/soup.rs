//! Triangles as readers produce them, before validation: one list for all files of a level.
//!
//! Besides the geometry it records the material, object and group of each triangle, as runs (levels have a few dozen of
//! them, not one per triangle), so that names can be mapped to area types.

use crate::level_reader::TriangleNames;
use crate::work;
use crate::{ReadError, concave};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{MarkedVolume, TriMesh, Volume};
use wayfare::math::{Aabb, Frame};
use wayfare::mesh::OffMeshConnection;

/// The names that a triangle carries: indices into [`TriangleSoup::names`]; 0 is the empty name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tags {
    pub(crate) material: u32,
    pub(crate) object: u32,
    pub(crate) group: u32,
    /// The area type given by the level itself.
    pub(crate) area: Option<AreaId>,
}

/// Triangles from `first` to the first of the next run carry these tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) tags: Tags,
}

/// Triangles, with their materials, objects and groups.
#[derive(Clone, Debug)]
pub(crate) struct TriangleSoup {
    pub(crate) verts: Vec<Vec3>,
    pub(crate) tris: Vec<[u32; 3]>,
    pub(crate) runs: Vec<Run>,
    names: Vec<String>,
    by_name: BTreeMap<String, u32>,
    /// Off-mesh connections of the level (a `.gset`).
    pub(crate) connections: Vec<OffMeshConnection>,
    /// Volumes of the level.
    pub(crate) volumes: Vec<MarkedVolume>,
    /// The bounds of the bake given by the level (a `.gset`).
    pub(crate) bounds: Option<Aabb>,
    /// What the readers left out, as text.
    pub(crate) remarks: Vec<String>,
    /// Memory limit for vertices and triangles, in bytes; `None` for no limit.
    pub(crate) memory: Option<u64>,
    /// Memory limit for instances of a mesh, in bytes; `None` for the usual one.
    pub(crate) instances: Option<u64>,
    /// Where the triangles of faces with more than three corners begin and end.
    fans: Vec<Range<u32>>,
    /// Triangles that belong together and are visible from both sides.
    pub(crate) sheets: Vec<Range<u32>>,
}

/// What there was before a file: the length of each list, and the bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    verts: usize,
    pub(crate) tris: usize,
    runs: usize,
    names: usize,
    connections: usize,
    volumes: usize,
    remarks: usize,
    fans: usize,
    sheets: usize,
    bounds: Option<Aabb>,
}

impl TriangleSoup {
    /// Empty.
    pub(crate) fn new() -> Self {
        Self {
            verts: Vec::new(),
            tris: Vec::new(),
            runs: Vec::new(),
            names: vec![String::new()],
            by_name: BTreeMap::from([(String::new(), 0)]),
            connections: Vec::new(),
            volumes: Vec::new(),
            bounds: None,
            remarks: Vec::new(),
            memory: None,
            instances: None,
            fans: Vec::new(),
            sheets: Vec::new(),
        }
    }

    /// The number of a name, for [`Tags`].
    pub(crate) fn name_id(&mut self, name: &str) -> u32 {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_string());
        self.by_name.insert(name.to_string(), id);
        id
    }

    /// The name of a tag.
    pub(crate) fn name(&self, id: u32) -> &str {
        &self.names[id as usize]
    }

    /// All names that occur, for messages.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().skip(1).map(String::as_str)
    }

    /// The following triangles carry these tags.
    pub(crate) fn tag(&mut self, tags: Tags) {
        let first = self.tris.len() as u32;
        match self.runs.last_mut() {
            Some(run) if run.tags == tags => {}
            Some(run) if run.first == first => run.tags = tags,
            _ => self.runs.push(Run { first, tags }),
        }
    }

    /// Where the vertices of the next file begin.
    pub(crate) fn base(&self) -> u32 {
        self.verts.len() as u32
    }

    /// Fails if 32-bit indices cannot count the elements, or memory is not sufficient.
    #[inline]
    pub(crate) fn check_size(&self) -> Result<(), ReadError> {
        let most = u32::MAX as usize - 1;
        if self.verts.len() > most || self.tris.len() > most {
            return Err(ReadError::too_large(
                "more vertices or triangles than 32-bit indices can count: split the level",
            ));
        }
        // Lists grow by doubling.
        let bytes = 2 * 12 * (self.verts.len() as u64 + self.tris.len() as u64);
        if self.memory.is_some_and(|memory| bytes > memory) {
            return Err(self.too_large());
        }
        Ok(())
    }

    #[cold]
    fn too_large(&self) -> ReadError {
        ReadError::too_large(format!(
            "{} vertices and {} triangles, and there are more, do not fit in the memory that is available: split the level, \
             or allow more memory",
            self.verts.len(),
            self.tris.len()
        ))
    }

    /// Adds a face as a fan of triangles around its first corner. [`cut_concave_faces`](Self::cut_concave_faces)
    /// replaces the fans of concave faces.
    pub(crate) fn push_face(&mut self, corners: &[u32]) {
        if let [first, rest @ ..] = corners {
            let begin = self.tris.len() as u32;
            work::count(corners.len());
            self.tris.extend(rest.windows(2).map(|edge| [*first, edge[0], edge[1]]));
            if rest.len() > 2 {
                self.fans.push(begin..self.tris.len() as u32);
            }
        }
    }

    /// Triangulates concave faces properly; all of their vertices must be known.
    pub(crate) fn cut_concave_faces(&mut self) {
        for fan in self.fans.drain(..) {
            concave::cut(&self.verts, &mut self.tris[fan.start as usize..fan.end as usize]);
        }
    }

    /// The triangles that carry equal tags, run by run.
    pub(crate) fn tagged(&self) -> impl Iterator<Item = (Tags, Range<u32>)> {
        let ends = self.runs.iter().skip(1).map(|next| next.first).chain([self.tris.len() as u32]);
        self.runs.iter().zip(ends).map(|(run, end)| (run.tags, run.first..end))
    }

    /// The area type of each triangle: what `area` returns for its names, or else that of its file.
    pub(crate) fn area_types(&self, area: &mut dyn FnMut(TriangleNames<'_>) -> Option<AreaId>) -> Vec<AreaId> {
        let mut types = vec![AreaId::WALKABLE; self.tris.len()];
        for (tags, tris) in self.tagged() {
            let [material, object, group] = [tags.material, tags.object, tags.group].map(|id| self.name(id));
            let named = area(TriangleNames { material, object, group }).or(tags.area);
            types[tris.start as usize..tris.end as usize].fill(named.unwrap_or(AreaId::WALKABLE));
        }
        types
    }

    /// Begins a file, which is to be ended by [`keep`](Self::keep) or [`take_back`](Self::take_back). Until then, the
    /// bounds are those of this file alone.
    pub(crate) fn begin(&mut self) -> Mark {
        Mark {
            verts: self.verts.len(),
            tris: self.tris.len(),
            runs: self.runs.len(),
            names: self.names.len(),
            connections: self.connections.len(),
            volumes: self.volumes.len(),
            remarks: self.remarks.len(),
            fans: self.fans.len(),
            sheets: self.sheets.len(),
            bounds: self.bounds.take(),
        }
    }

    /// Ends a file that was read. Its bounds replace those of the files before, if it has any.
    pub(crate) fn keep(&mut self, from: Mark) {
        self.bounds = self.bounds.or(from.bounds);
    }

    /// Removes all that was added since `from`, by a file that turned out to be damaged.
    pub(crate) fn take_back(&mut self, from: Mark) {
        self.verts.truncate(from.verts);
        self.tris.truncate(from.tris);
        // The last run may have got other tags, but then no triangle carried its own.
        self.runs.truncate(from.runs);
        for name in self.names.drain(from.names..) {
            self.by_name.remove(&name);
        }
        self.connections.truncate(from.connections);
        self.volumes.truncate(from.volumes);
        self.remarks.truncate(from.remarks);
        self.fans.truncate(from.fans);
        self.sheets.truncate(from.sheets);
        self.bounds = from.bounds;
    }

    /// Rotates what was added since `from` from z up to y up: a rotation, which keeps the winding. Fails if there are
    /// volumes: they must stay upright.
    pub(crate) fn turn_z_up(&mut self, from: &Mark) -> Result<(), ReadError> {
        if self.volumes.len() > from.volumes {
            return Err(ReadError::not_turnable("its volumes stand along y, so it cannot be turned"));
        }
        let frame = Frame::METRES_Z_UP;
        frame.points_in(&mut self.verts[from.verts..]);
        for connection in &mut self.connections[from.connections..] {
            connection.start = frame.point_in(connection.start);
            connection.end = frame.point_in(connection.end);
        }
        self.bounds = self.bounds.map(|bounds| frame.bounds_in(&bounds));
        Ok(())
    }

    /// Converts everything into metres.
    pub(crate) fn scale(&mut self, units: Frame) {
        if units == Frame::METRES_Y_UP {
            return;
        }
        units.points_in(&mut self.verts);
        for connection in &mut self.connections {
            connection.start = units.point_in(connection.start);
            connection.end = units.point_in(connection.end);
            connection.radius = units.length_in(connection.radius);
        }
        self.volumes.iter_mut().for_each(|marked| scale_volume(&mut marked.volume, units));
        self.bounds = self.bounds.map(|bounds| units.bounds_in(&bounds));
    }
}

fn scale_volume(volume: &mut Volume, units: Frame) {
    let length = |v: &mut f32| *v = units.length_in(*v);
    match volume {
        Volume::Prism { outline, heights } => {
            outline.iter_mut().flat_map(|p| [&mut p.x, &mut p.y]).chain(heights).for_each(length);
        }
        Volume::Box(Aabb { min, max }) => [min, max].into_iter().for_each(|p| *p = units.point_in(*p)),
        Volume::TurnedBox { center, half_extents, .. } => {
            [center, half_extents].into_iter().for_each(|p| *p = units.point_in(*p));
        }
        Volume::Cylinder { base, radius, height } | Volume::Capsule { base, radius, height } => {
            *base = units.point_in(*base);
            [radius, height].into_iter().for_each(length);
        }
        Volume::Hull(points) => units.points_in(points),
        Volume::Mesh { surface, offset } => {
            *offset = units.point_in(*offset);
            let mut verts = surface.verts().to_vec();
            units.points_in(&mut verts);
            // A scale that leaves none of its triangles an area leaves nothing of the body.
            let scaled = TriMesh::with_areas(verts, surface.tris().to_vec(), surface.areas().to_vec());
            *surface = Arc::new(scaled.unwrap_or(TriMesh::EMPTY));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::math::{Handedness, UpAxis};

    fn doubled() -> Frame {
        Frame::new(UpAxis::Y, Handedness::Right, 2.0).unwrap()
    }

    #[test]
    fn z_up_becomes_y_up_by_a_rotation() {
        let mut soup = TriangleSoup::new();
        let from = soup.begin();
        soup.verts = vec![Vec3::X, Vec3::Y, Vec3::Z];
        soup.turn_z_up(&from).unwrap();
        soup.scale(doubled());
        assert_eq!(soup.verts, [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, -2.0), Vec3::new(0.0, 2.0, 0.0)]);
        let [x, y, z] = [soup.verts[0], soup.verts[1], soup.verts[2]];
        assert!(x.cross(y).dot(z) > 0.0, "mirrored");
    }

    #[test]
    fn volumes_are_scaled_but_not_turned() {
        let mut soup = TriangleSoup::new();
        let from = soup.begin();
        let well = Volume::Cylinder { base: Vec3::new(1.0, 2.0, 3.0), radius: 0.5, height: 4.0 };
        let surface = TriMesh::new(vec![Vec3::ZERO, Vec3::Z, Vec3::X], vec![[0, 1, 2]]).unwrap();
        let rock = Volume::Mesh { surface: Arc::new(surface), offset: Vec3::X };
        soup.volumes.extend([well, rock].map(MarkedVolume::block));
        assert!(soup.turn_z_up(&from).unwrap_err().to_string().contains("cannot be turned"));
        soup.scale(doubled());
        let wider = Volume::Cylinder { base: Vec3::new(2.0, 4.0, 6.0), radius: 1.0, height: 8.0 };
        assert_eq!(soup.volumes[0].volume, wider);
        let box_of = soup.volumes[1].volume.bounds();
        assert_eq!(box_of, Aabb { min: Vec3::new(2.0, 0.0, 0.0), max: Vec3::new(4.0, 0.0, 2.0) });
    }

    #[test]
    fn runs_are_merged() {
        let mut soup = TriangleSoup::new();
        let grass = soup.name_id("grass");
        soup.tag(Tags::default());
        soup.tag(Tags { material: grass, ..Tags::default() });
        soup.push_face(&[0, 1, 2, 3]);
        soup.tag(Tags { material: grass, ..Tags::default() });
        assert_eq!((soup.tris.len(), soup.runs.len()), (2, 1));
        assert_eq!((soup.runs[0].first, soup.name(soup.runs[0].tags.material)), (0, "grass"));
    }
}
