//! A LEVEL of the command line: files and built-in scenes, together one soup of triangles, checked.

use super::origin::{self, Origins};
use super::soup::{Soup, Tags};
use super::{beside, facing, gltf, gset, heightmap, obj, ply, stl};
use crate::baking;
use crate::failure::{Failure, Result};
use crate::memory;
use crate::options::{Areas, BakeOptions, Bounds, MemorySize, UpAxis};
use crate::terminal::Terminal;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::bake::{BakeReport, WarningKind};
use wayfare::input::{BakeSettings, HeightMap, InputReport, MarkedVolume, TriMesh, TriMeshError};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;

/// Prefix of built-in scenes.
const SCENE: &str = "scene:";
/// By how much bounds in a text may miss those that were meant, metres.
const WRITTEN_DIGITS: f32 = 1e-3;

/// How much of a height map is kept around what is baked of it, cells.
const RIM: f32 = 8.0;

/// Endings of files that are levels.
const ENDINGS: [&str; 7] = ["obj", "glb", "gltf", "stl", "ply", "png", "gset"];

/// Whether an argument that may be a level or a mesh names a level.
pub(crate) fn is_level(source: &str) -> bool {
    is_scene(source) || ENDINGS.contains(&ending(Path::new(source)).as_str())
}

/// Whether an argument names a built-in scene.
pub(crate) fn is_scene(source: &str) -> bool {
    source.starts_with(SCENE)
}

/// Triangles ready to be baked, and what became of the input on the way.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) mesh: TriMesh,
    /// Ground given by heights.
    pub(crate) terrain: Option<HeightMap>,
    /// Volumes in the order in which they are marked: the level's own, then those of `--areas`.
    pub(crate) volumes: Vec<MarkedVolume>,
    pub(crate) report: InputReport,
    /// Which files and objects the triangles come from, in the order in which they were read.
    pub(crate) origins: Origins,
    /// A corner that lies far from all others, in words.
    stray: Option<String>,
    /// Vertices and triangles as they were read.
    pub(crate) given: Given,
    /// What the readers left out, for people.
    pub(crate) remarks: Vec<String>,
    /// Ways off the mesh that the level brings along.
    pub(crate) connections: Vec<OffMeshConnection>,
    /// What the level itself says about how to bake it (a `.gset`); the command line and the configuration file win.
    pub(crate) hints: BakeOptions,
}

/// What was in the files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given {
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
}

impl Given {
    /// A height map counts as its triangles.
    fn of(soup: &Soup, terrain: Option<&HeightMap>) -> Self {
        let points = terrain.map_or(0, |map| map.columns() as usize * map.rows() as usize);
        let pairs = terrain.map_or(0, |map| (map.columns() as usize - 1) * (map.rows() as usize - 1));
        Self { vertices: soup.verts.len() + points, triangles: soup.tris.len() + 2 * pairs }
    }
}

impl Level {
    /// Reads one or several files or scenes as one level, placed as the options say.
    pub(crate) fn load(sources: &[String], options: &BakeOptions, areas: &Areas, terminal: Terminal) -> Result<Self> {
        let units = options.units()?;
        let pixel = heightmap::Pixel {
            size: options.checked_pixel("pixel-size", options.pixel_size, 1.0)? * units.unit(),
            height: options.checked_pixel("pixel-height", options.pixel_height, 0.01)? * units.unit(),
        };
        let mut reader = Reader {
            soup: Soup::new(),
            hints: BakeOptions::default(),
            terrain: None,
            up: options.up,
            has_axes: false,
            pixel,
            memory: options.memory_limit.map(|MemorySize(bytes)| bytes),
            bounds: options.bounds.map(|Bounds(bounds)| {
                // Cells are whole, and those at the rim look a little around.
                let rim = Vec3::splat(RIM * options.cell_size.unwrap_or(BakeSettings::default().cell_size));
                Aabb { min: bounds.min - rim, max: bounds.max + rim }
            }),
            terminal,
        };
        reader.soup.memory = options.memory_limit();
        let mut origins = Origins::default();
        for source in sources {
            origins.begin(&reader.soup, source);
            reader.read(source).map_err(|e| e.within(source))?;
        }
        let Reader { mut soup, mut hints, terrain, has_axes, .. } = reader;
        origins.end(&soup);
        soup.cut_concave_faces();
        soup.scale(units);
        let stray = origin::stray(&soup).map(|(triangle, corner)| {
            let (x, y, z, of) = (corner.x, corner.y, corner.z, origins.of(triangle));
            format!("the corner {x},{y},{z} lies far from all others: {of}")
        });
        if options.up == Some(UpAxis::Z) && !has_axes {
            let kept = "--up turns files of triangles: built-in scenes and the heights of a height map have y up";
            soup.remarks.push(kept.to_owned());
        }
        let given = Given::of(&soup, terrain.as_ref());
        soup.remarks.extend(facing::remark(&soup));
        if terrain.is_none() && (options.pixel_size.is_some() || options.pixel_height.is_some()) {
            let unused = "--pixel-size and --pixel-height are those of a height map, and there is none";
            soup.remarks.push(unused.to_owned());
        }
        let types = area_types(&mut soup, areas);
        let mut volumes = soup.volumes;
        volumes.extend_from_slice(areas.volumes());
        let (mesh, report) = match TriMesh::with_areas(soup.verts, soup.tris, types) {
            // A height map is ground enough.
            Err(TriMeshError::Empty { given: 0, .. }) if terrain.is_some() => (TriMesh::EMPTY, InputReport::default()),
            outcome => outcome.map_err(|e| Failure::about(sources.join(", "), e))?,
        };
        // A box around one of several files says nothing of the others, and one that was written with six digits would
        // leave out a floor that lies on it.
        let differs = |b: &Aabb| {
            let [low, high] = [b.min - mesh.bounds().min, b.max - mesh.bounds().max];
            sources.len() == 1 && low.abs().max(high.abs()).max_element() > WRITTEN_DIGITS
        };
        hints.bounds = soup.bounds.filter(differs).map(Bounds);
        let (remarks, connections) = (soup.remarks, soup.connections);
        Ok(Self { mesh, terrain, report, origins, stray, given, volumes, remarks, connections, hints })
    }

    /// What the bake is made from.
    pub(crate) fn input(&self) -> wayfare::input::Level<'_> {
        wayfare::input::Level { mesh: &self.mesh, terrain: self.terrain.as_ref(), volumes: &self.volumes }
    }

    /// Fails if the level is too large to be baked with these settings, or in so many bytes of memory.
    pub(crate) fn check_fits(&self, settings: &BakeSettings, memory: Option<u64>) -> Result<()> {
        let plan = baking::plan(self.input(), settings);
        let fits = plan.and_then(|plan| memory.map_or(Ok(()), |limit| memory::check(&self.mesh, &plan, limit)));
        fits.map_err(|failure| self.refused(failure))
    }

    /// A level that is refused for its extent, with the corner that may be to blame.
    fn refused(&self, failure: Failure) -> Failure {
        match (failure, &self.stray) {
            (Failure::Message(message), Some(stray)) => Failure::new(format_args!("{message}; {stray}")),
            (failure, _) => failure,
        }
    }

    /// What was left out of the input, as warnings of the bake.
    pub(crate) fn add_warnings(&self, report: &mut BakeReport) {
        let InputReport { not_finite, degenerate, first_not_finite_at, first_degenerate_at, .. } = self.report;
        report.warn(WarningKind::TriangleNotFinite, not_finite, first_not_finite_at);
        report.warn(WarningKind::TriangleDegenerate, degenerate, first_degenerate_at);
    }
}

/// The area type of each triangle, by the names it carries.
fn area_types(soup: &mut Soup, areas: &Areas) -> Vec<AreaId> {
    let mut types = vec![AreaId::WALKABLE; soup.tris.len()];
    for (i, run) in soup.runs.iter().enumerate() {
        let end = soup.runs.get(i + 1).map_or(types.len(), |next| next.first as usize);
        let [material, object, group] = [run.tags.material, run.tags.object, run.tags.group].map(|id| soup.name(id));
        let named = areas.area(material, object, group).or(run.tags.area);
        types[run.first as usize..end].fill(named.unwrap_or(AreaId::WALKABLE));
    }
    let present = soup.names().collect();
    let missing = areas.missing(&present);
    if !missing.is_empty() {
        soup.remarks.push(format!("--areas names what the level does not have: {}", missing.join(", ")));
    }
    types
}

/// What has been read so far.
struct Reader {
    soup: Soup,
    hints: BakeOptions,
    terrain: Option<HeightMap>,
    /// Which axis points up, where the user says so.
    up: Option<UpAxis>,
    /// Whether a file was read that could be turned.
    has_axes: bool,
    pixel: heightmap::Pixel,
    /// Bytes that may be taken, where the user says so.
    memory: Option<u64>,
    /// What is baked, and a rim around it; all, unless the user says so.
    bounds: Option<Aabb>,
    terminal: Terminal,
}

impl Reader {
    fn read(&mut self, source: &str) -> Result<()> {
        if let Some(spec) = source.strip_prefix(SCENE) {
            return self.scene(spec);
        }
        let path = Path::new(source);
        let before = self.soup.mark();
        self.file(path)?;
        let Some(usual) = usual_up(&ending(path)) else { return Ok(()) };
        self.has_axes = true;
        if self.up.unwrap_or(usual) == UpAxis::Y {
            return Ok(());
        }
        if self.up.is_none() {
            self.terminal.say(format_args!("{source}: z points up, as in most files of its kind; if not: --up y"));
        }
        self.soup.turn_z_up(before).map_err(Failure::new)
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let ending = ending(path);
        let folder = path.parent().unwrap_or(Path::new(""));
        match ending.as_str() {
            "obj" => self.obj(path),
            "glb" | "gltf" => gltf::read(&whole(path)?, folder, self.memory, &mut self.soup).map_err(Failure::new),
            "stl" => stl::read(&whole(path)?, &mut self.soup).map_err(Failure::new),
            "ply" => ply::read(&whole(path)?, &mut self.soup).map_err(Failure::new),
            "png" => self.heights(path),
            "gset" => self.gset(path, folder),
            _ if path.is_dir() => Err(Failure::new("is a folder, not a file")),
            "way" | "bin" | "mesh" | "map" => Err(Failure::new(
                "is a mesh, which is baked already, not a level: ask it for a path with `wayfare path`, or give the level",
            )),
            _ => Err(Failure::new(
                "is no kind of level known here: give an .obj, .glb, .gltf, .stl, .ply, .png (16-bit height map) or .gset file, \
                 or a built-in scene as scene:NAME (`wayfare scenes` lists them)",
            )),
        }
    }

    /// The first height map stays one; there is no place for another, so its triangles are taken.
    fn heights(&mut self, path: &Path) -> Result<()> {
        let map = heightmap::read(&whole(path)?, self.pixel, self.bounds.as_ref()).map_err(Failure::new)?;
        if self.terrain.is_some() {
            return heightmap::triangulate(&map, &mut self.soup).map_err(Failure::new);
        }
        self.terrain = Some(map);
        Ok(())
    }

    fn scene(&mut self, spec: &str) -> Result<()> {
        let scene = wayfare_scenes::scene(spec).map_err(Failure::new)?;
        let base = self.soup.base();
        self.soup.verts.extend(scene.verts);
        for (tri, area) in scene.tris.into_iter().zip(scene.areas) {
            self.soup.tag(Tags { area: Some(area), ..Tags::default() });
            self.soup.tris.push(tri.map(|v| base + v));
        }
        self.soup.volumes.extend(scene.volumes);
        self.soup.check_size().map_err(Failure::new)
    }

    fn obj(&mut self, path: &Path) -> Result<()> {
        let (file, size) = open(path)?;
        let bar = self.terminal.bar("reading", size);
        let file = BufReader::with_capacity(1 << 18, file);
        obj::read(file, &mut self.soup, |bytes| bar.set(bytes, size)).map_err(Failure::new)
    }

    fn gset(&mut self, path: &Path, folder: &Path) -> Result<()> {
        let text = String::from_utf8(whole(path)?).map_err(|_| Failure::new("is no .gset file: it is not text"))?;
        let gset = gset::parse(&text).map_err(Failure::new)?;
        let name = gset.geometry.ok_or_else(|| Failure::new("names no geometry: a .gset has a line `f FILE`"))?;
        let geometry = beside::find(folder, &name).map_err(|e| Failure::new(format_args!("the geometry {e}")))?;
        if ending(&geometry) == "gset" {
            return Err(Failure::new("names another .gset as its geometry"));
        }
        self.file(&geometry).map_err(|e| e.within(geometry.display()))?;
        self.soup.remarks.extend(gset.passed_over);
        self.hints = std::mem::take(&mut self.hints).over(gset.options);
        self.soup.bounds = gset.bounds;
        self.soup.connections.extend(gset.connections);
        self.soup.volumes.extend(gset.volumes);
        Ok(())
    }
}

/// The ending of a file's name, in small letters.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// Which axis points up in most files of a kind. glTF lays down y; what writes STL and PLY (CAD, scanners, robotics,
/// Blender) has z; `None` for height maps, which have heights and no axes.
fn usual_up(ending: &str) -> Option<UpAxis> {
    match ending {
        "png" => None,
        "stl" | "ply" => Some(UpAxis::Z),
        _ => Some(UpAxis::Y),
    }
}

/// Most bytes of a file that is read as a whole.
const MAX_WHOLE: u64 = 1 << 31;

/// All of a file.
fn whole(path: &Path) -> Result<Vec<u8>> {
    let (file, size) = open(path)?;
    if size > MAX_WHOLE {
        return Err(Failure::new(format_args!(
            "has {size} bytes, more than the 2 GiB that are read: split it, or use .obj"
        )));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize).map_err(|_| {
        Failure::new(format_args!("has {size} bytes, for which there is no memory: split it, or use .obj"))
    })?;
    file.take(MAX_WHOLE).read_to_end(&mut bytes).map_err(|e| Failure::new(format_args!("cannot be read: {e}")))?;
    Ok(bytes)
}

/// Opens a file, with its size.
fn open(path: &Path) -> Result<(File, u64)> {
    let file = File::open(path).map_err(|e| open_failure(&e))?;
    let about = file.metadata().map_err(|e| open_failure(&e))?;
    if about.is_dir() {
        return Err(Failure::new("is a folder, not a file"));
    }
    Ok((file, about.len()))
}

fn open_failure(e: &std::io::Error) -> Failure {
    match e.kind() {
        std::io::ErrorKind::NotFound => Failure::new("there is no such file"),
        std::io::ErrorKind::PermissionDenied => Failure::new("permission denied"),
        _ => Failure::new(format_args!("cannot be opened: {e}")),
    }
}
