//! Reads the files of a level, one after the other, into one list of triangles.

use crate::facing;
use crate::gltf;
use crate::gset::{GsetSettings, read_gset};
use crate::heightmap::{self, PixelSize};
use crate::imported_level::{ImportedLevel, LevelSize};
use crate::origin::{self, Origins};
use crate::soup::{Mark, Tags, TriangleSoup};
use crate::{Files, ReadError, obj, ply, stl};
use std::io::BufRead;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{HeightMap, MarkedVolume, TriMesh, TriMeshError};
use wayfare::math::{Aabb, Frame, Handedness, UpAxis};

/// The format of a level file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelFormat {
    /// Wavefront OBJ.
    Obj,
    /// glTF 2.0, as `.gltf` with its buffers or as one `.glb`.
    Gltf,
    /// STL, as text or binary.
    Stl,
    /// PLY, as text or binary.
    Ply,
    /// A PNG with 16 bits of grey: heights.
    HeightMap,
    /// A `.gset` of the Recast demo: the name of a geometry file, settings, volumes and off-mesh connections.
    Gset,
}

impl LevelFormat {
    /// The format for the extension of a file's name, in upper or lower case.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "obj" => Self::Obj,
            "glb" | "gltf" => Self::Gltf,
            "stl" => Self::Stl,
            "ply" => Self::Ply,
            "png" => Self::HeightMap,
            "gset" => Self::Gset,
            _ => return None,
        })
    }

    /// The usual up-axis of a format. glTF specifies y; STL and PLY are usually written with z (CAD, scanners,
    /// robotics, Blender); `None` for height maps, which have heights and no axes.
    #[must_use]
    pub fn usual_up(self) -> Option<UpAxis> {
        match self {
            Self::HeightMap => None,
            Self::Stl | Self::Ply => Some(UpAxis::Z),
            Self::Obj | Self::Gltf | Self::Gset => Some(UpAxis::Y),
        }
    }
}

/// Options for reading files.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// The up-axis of the files; `None`, the default, for the [usual](LevelFormat::usual_up) one of each format. Height
    /// maps are not affected.
    pub up: Option<UpAxis>,
    /// Factor for all lengths. Default 1; use 0.01 for a file in centimetres. A value that is not finite and above 0
    /// counts as 1.
    pub scale: f64,
    /// The size of a pixel of a height map, before scaling.
    pub pixel: PixelSize,
    /// Memory limit for triangles, in bytes; `None`, the default, for no limit: they take about as much as the file.
    pub memory: Option<u64>,
    /// Memory limit for instances of a mesh, of which a few bytes of a glTF document can request many, in bytes;
    /// `None`, the default, for what is usual in a document of its size.
    pub instances: Option<u64>,
    /// The part of a height map that is needed. Default: all. The map keeps its size, but samples far outside are not
    /// kept.
    pub bounds: Option<Aabb>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { up: None, scale: 1.0, pixel: PixelSize::default(), memory: None, instances: None, bounds: None }
    }
}

impl ReadOptions {
    /// The length of a file's unit in metres.
    fn units(&self) -> Frame {
        Frame::new(UpAxis::Y, Handedness::Right, self.scale).unwrap_or_default()
    }
}

/// The names that a triangle carries, for assigning area types by name. Empty if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleNames<'a> {
    /// OBJ: `usemtl`; glTF: the material's name.
    pub material: &'a str,
    /// OBJ: `o`; glTF: the node's name; STL: the solid's.
    pub object: &'a str,
    /// OBJ: `g`; glTF: the mesh's name.
    pub group: &'a str,
}

/// Reads the files of a level.
///
/// ```
/// use wayfare_io::{LevelReader, LevelFormat, NoFiles, ReadOptions};
///
/// let floor = b"usemtl grass\nv 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
/// let mut reader = LevelReader::new(ReadOptions::default());
/// reader.add("floor.obj", LevelFormat::Obj, floor, &mut NoFiles)?;
/// let level = reader.finish(|names| (names.material == "grass").then_some(wayfare::area::AreaId::WALKABLE))?;
/// assert_eq!(level.mesh.tris().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LevelReader {
    options: ReadOptions,
    soup: TriangleSoup,
    terrain: Option<HeightMap>,
    settings: Option<GsetSettings>,
    origins: Origins,
}

impl LevelReader {
    /// A reader that has read nothing.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        let mut soup = TriangleSoup::new();
        (soup.memory, soup.instances) = (options.memory, options.instances);
        Self { options, soup, terrain: None, settings: None, origins: Origins::default() }
    }

    /// Reads one more file. `name` is for messages; `files` provides the files it refers to.
    ///
    /// # Errors
    /// [`ReadError`]; the reader then holds what it held before.
    pub fn add(
        &mut self,
        name: &str,
        format: LevelFormat,
        bytes: &[u8],
        files: &mut dyn Files,
    ) -> Result<(), ReadError> {
        self.add_whole(name, |reader, before| {
            reader.read(format, bytes, files)?;
            reader.turn(format, before)
        })
    }

    /// Like [`add`](Self::add), for an OBJ file that need not be in memory: only one line of it is at a time.
    /// `progress` is called with the number of bytes read.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_obj(&mut self, name: &str, source: impl BufRead, progress: impl FnMut(u64)) -> Result<(), ReadError> {
        self.add_whole(name, |reader, before| {
            obj::read(source, &mut reader.soup, progress)?;
            reader.turn(LevelFormat::Obj, before)
        })
    }

    /// Adds triangles that are already in memory, each with an area type, and volumes. They are scaled like all others,
    /// but not rotated: y is up.
    ///
    /// # Errors
    /// [`ReadError`] if there are too many; none of them is then added.
    pub fn add_triangles(
        &mut self,
        name: &str,
        verts: &[Vec3],
        tris: impl IntoIterator<Item = ([u32; 3], AreaId)>,
        volumes: impl IntoIterator<Item = MarkedVolume>,
    ) -> Result<(), ReadError> {
        self.add_whole(name, |reader, _| {
            let soup = &mut reader.soup;
            let base = soup.base();
            soup.verts.extend(verts);
            for (tri, area) in tris {
                soup.tag(Tags { area: Some(area), ..Tags::default() });
                soup.tris.push(tri.map(|v| v.saturating_add(base)));
            }
            soup.volumes.extend(volumes);
            soup.check_size()
        })
    }

    /// All names of materials, objects and groups that were read.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.soup.names()
    }

    /// The finished level: triangulated, scaled, checked. `area` may assign an area type to the triangles that carry
    /// certain names; with `None` they keep that of the file, or [`AreaId::WALKABLE`].
    ///
    /// # Errors
    /// [`TriMeshError`] if there is nothing to walk on.
    pub fn finish(
        self,
        mut area: impl FnMut(TriangleNames<'_>) -> Option<AreaId>,
    ) -> Result<ImportedLevel, TriMeshError> {
        let Self { options, mut soup, terrain, settings, mut origins } = self;
        origins.end(&soup);
        soup.cut_concave_faces();
        soup.scale(options.units());
        facing::turn_sheets(&mut soup);
        let stray = origin::stray(&soup).map(|(triangle, corner)| {
            let (x, y, z, of) = (corner.x, corner.y, corner.z, origins.of(triangle));
            format!("the corner {x},{y},{z} lies far from all others: {of}")
        });
        let size = LevelSize::of(&soup, terrain.as_ref());
        let remark = facing::remark(&soup);
        soup.remarks.extend(remark);
        let types = soup.area_types(&mut area);
        let TriangleSoup { verts, tris, volumes, connections, bounds, remarks, .. } = soup;
        let mesh = match TriMesh::with_areas(verts, tris, types) {
            // A height map is enough to walk on.
            Err(TriMeshError::Empty { given: 0, .. }) if terrain.is_some() => TriMesh::EMPTY,
            outcome => outcome?,
        };
        Ok(ImportedLevel { mesh, terrain, volumes, connections, settings, bounds, origins, size, stray, remarks })
    }

    /// Adds all that `add` adds, or nothing if it fails.
    fn add_whole(
        &mut self,
        name: &str,
        add: impl FnOnce(&mut Self, &Mark) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let (before, settings, had_terrain) = (self.soup.begin(), self.settings, self.terrain.is_some());
        let added = add(self, &before);
        if added.is_ok() {
            self.origins.begin(before.tris, name);
            self.soup.keep(before);
        } else {
            self.soup.take_back(before);
            self.settings = settings;
            if !had_terrain {
                self.terrain = None;
            }
        }
        added
    }

    fn read(&mut self, format: LevelFormat, bytes: &[u8], files: &mut dyn Files) -> Result<(), ReadError> {
        match format {
            LevelFormat::Obj => obj::read(bytes, &mut self.soup, |_| {}),
            LevelFormat::Gltf => gltf::read(bytes, files, &mut self.soup),
            LevelFormat::Stl => stl::read(bytes, &mut self.soup),
            LevelFormat::Ply => ply::read(bytes, &mut self.soup),
            LevelFormat::HeightMap => self.heights(bytes),
            LevelFormat::Gset => self.gset(bytes, files),
        }
    }

    /// The first height map is kept as such; of any other, the triangles are added.
    fn heights(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let ReadOptions { pixel, bounds, .. } = &self.options;
        let units = self.options.units();
        if self.terrain.is_some() {
            // Triangles are scaled after all have been read.
            let bounds = bounds.as_ref().map(|bounds| units.bounds_out(bounds));
            let map = heightmap::read(bytes, *pixel, bounds.as_ref())?;
            return heightmap::triangulate(&map, &mut self.soup);
        }
        let pixel = PixelSize { size: pixel.size * units.unit(), height: pixel.height * units.unit() };
        self.terrain = Some(heightmap::read(bytes, pixel, bounds.as_ref())?);
        Ok(())
    }

    fn gset(&mut self, bytes: &[u8], files: &mut dyn Files) -> Result<(), ReadError> {
        let text = std::str::from_utf8(bytes).map_err(|_| "is no .gset file: it is not text")?;
        let gset = read_gset(text)?;
        let name = gset.geometry.ok_or("names no geometry: a .gset has a line `f FILE`")?;
        let format = match LevelFormat::of_name(&name) {
            Some(LevelFormat::Gset) => return Err("names another .gset as its geometry".into()),
            Some(format) => format,
            None => return Err(format!("names \"{name}\" as its geometry, which is no level that is read").into()),
        };
        let geometry = files.read(&name).map_err(|e| e.of("the geometry"))?;
        self.read(format, &geometry, files).map_err(|e| e.of(&format!("names \"{name}\", which")))?;
        self.soup.remarks.extend(gset.passed_over);
        self.settings = gset.settings.or(self.settings);
        self.soup.bounds = gset.bounds;
        self.soup.connections.extend(gset.connections);
        self.soup.volumes.extend(gset.volumes);
        Ok(())
    }

    /// Rotates what was read since `before` so that y is up.
    fn turn(&mut self, format: LevelFormat, before: &Mark) -> Result<(), ReadError> {
        match format.usual_up().map(|usual| self.options.up.unwrap_or(usual)) {
            Some(UpAxis::Z) => self.soup.turn_z_up(before),
            Some(UpAxis::Y) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoFiles;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    const FLOOR: &[u8] = b"v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
    const UPRIGHT: &[u8] = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 9 0 1\nvertex 0 9 1\nendloop\nendfacet\nendsolid\n";
    const SETTINGS: &str = "s 0.3 0.2 2 0.6 0.9 45 8 20 12 1.3 6 6 1 0";

    /// The file that a `.gset` names.
    fn named() -> BTreeMap<String, Arc<[u8]>> {
        BTreeMap::from([("floor.obj".to_owned(), Arc::from(FLOOR))])
    }

    fn gset(rest: &str) -> Vec<u8> {
        format!("f floor.obj\n{SETTINGS}{rest}\n").into_bytes()
    }

    fn finish(reader: LevelReader) -> ImportedLevel {
        reader.finish(|_| None).unwrap()
    }

    #[test]
    fn bounds_are_turned_with_their_file_and_stay_until_another_file_has_some() {
        let mut reader = LevelReader::new(ReadOptions::default());
        reader.add("a.gset", LevelFormat::Gset, &gset(" 0 1 2 3 4 5 32"), &mut named()).unwrap();
        reader.add("b.stl", LevelFormat::Stl, UPRIGHT, &mut NoFiles).unwrap();
        reader.add("c.gset", LevelFormat::Gset, &gset(""), &mut named()).unwrap();
        let bounds = Aabb { min: Vec3::new(0.0, 1.0, 2.0), max: Vec3::new(3.0, 4.0, 5.0) };
        assert_eq!(finish(reader).bounds, Some(bounds));

        let mut reader = LevelReader::new(ReadOptions { up: Some(UpAxis::Z), ..ReadOptions::default() });
        reader.add("a.gset", LevelFormat::Gset, &gset(" 0 1 2 3 4 5 32"), &mut named()).unwrap();
        let bounds = Aabb { min: Vec3::new(0.0, 2.0, -4.0), max: Vec3::new(3.0, 5.0, -1.0) };
        assert_eq!(finish(reader).bounds, Some(bounds));
    }

    #[test]
    fn a_file_that_is_refused_leaves_nothing_behind() {
        let refused: [(LevelFormat, Vec<u8>); 4] = [
            (LevelFormat::Obj, b"o half\nv 0 0 0\nf 1 2 3 4\n".to_vec()),
            (LevelFormat::Obj, [FLOOR, b"f 1\nf 1 2 9\n"].concat()),
            (LevelFormat::Stl, [UPRIGHT, b"outer loop\nvertex 0 0 0\n"].concat()),
            // Volumes cannot be turned, which is found when all has been read.
            (LevelFormat::Gset, gset(" 0 1 2 3 4 5 32\nv 3 1 0 1\n0 0 0\n0 0 1\n1 0 0")),
        ];
        let options = ReadOptions { up: Some(UpAxis::Z), ..ReadOptions::default() };
        let whole = |more: &[(LevelFormat, Vec<u8>)]| {
            let mut reader = LevelReader::new(options.clone());
            reader.add("a.obj", LevelFormat::Obj, FLOOR, &mut NoFiles).unwrap();
            for (format, bytes) in more {
                assert!(reader.add("b", *format, bytes, &mut named()).is_err());
            }
            reader.add("c.obj", LevelFormat::Obj, FLOOR, &mut NoFiles).unwrap();
            let names: Vec<String> = reader.names().map(str::to_owned).collect();
            (names, format!("{:?}", finish(reader)))
        };
        assert_eq!(whole(&refused), whole(&[]));
    }

    #[test]
    fn sheets_are_judged_in_metres() {
        // A slab of 30 cm in a file in centimetres: its underside is shown from both sides.
        let mut reader = LevelReader::new(ReadOptions { scale: 0.01, ..ReadOptions::default() });
        let square = [[0.0, 0.0], [0.0, 900.0], [900.0, 900.0], [900.0, 0.0]];
        let at = |y: f32| square.map(|[x, z]| Vec3::new(x, y, z));
        let ground = AreaId::WALKABLE;
        let top = [[0, 1, 2], [0, 2, 3]].map(|tri| (tri, ground));
        let underside = [[0, 2, 1], [0, 3, 2]].map(|tri| (tri, ground));
        reader.add_triangles("top", &at(30.0), top, []).unwrap();
        reader.add_triangles("underside", &at(0.0), underside, []).unwrap();
        reader.soup.sheets.push(2..4);
        assert_eq!(finish(reader).mesh.tris()[2..], [[4, 6, 5], [4, 7, 6]]);
    }
}
