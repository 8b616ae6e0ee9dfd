//! A LEVEL of the command line: files and built-in scenes, combined into one level and checked.

use crate::baking;
use crate::failure::{Failure, Result};
use crate::memory;
use crate::options::{Areas, BakeOptions, Bounds, MemorySize, PartitionName, UpAxis};
use crate::terminal::Terminal;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, WarningKind};
use wayfare::input::{BakeSettings, InputReport};
use wayfare::math::Aabb;
use wayfare_io::plain_words::NO_LEVEL;
use wayfare_io::{
    Folder, GsetSettings, ImportedLevel, LevelFormat, LevelReader, PixelSize, ReadError, ReadErrorKind, ReadOptions,
};

/// Prefix of built-in scenes.
const SCENE: &str = "scene:";
/// Tolerance for bounds written as text, metres.
const WRITTEN_DIGITS: f32 = 1e-3;

/// Margin of a height map around the part that is baked, cells.
const RIM: f32 = 8.0;

/// Whether an argument that may be a level or a mesh is a level.
pub(crate) fn is_level(source: &str) -> bool {
    is_scene(source) || LevelFormat::of_name(source).is_some()
}

/// Whether an argument names a built-in scene.
pub(crate) fn is_scene(source: &str) -> bool {
    source.starts_with(SCENE)
}

/// A level ready to be baked.
#[derive(Debug)]
pub(crate) struct Level {
    /// What was read. Its volumes are the level's own, then those of `--areas`.
    pub(crate) imported: ImportedLevel,
    /// The level's own bake settings (a `.gset`); the command line and the configuration file override them.
    pub(crate) hints: BakeOptions,
}

impl Level {
    /// Reads one or several files or scenes as one level, transformed as the options say.
    pub(crate) fn load(sources: &[String], options: &BakeOptions, areas: &Areas, terminal: Terminal) -> Result<Self> {
        let Part { mut level, missing, has_axes } = Self::load_part(sources, options, areas, terminal)?;
        let has_map = level.imported.terrain.is_some();
        level.imported.remarks.extend(remarks_on_unused(options, has_axes, has_map));
        level.imported.remarks.extend(remark_on_missing(&missing));
        Ok(level)
    }

    /// The same for a part of a world, to which not every option need apply: only what its files are is remarked on.
    pub(super) fn load_part(
        sources: &[String],
        options: &BakeOptions,
        areas: &Areas,
        terminal: Terminal,
    ) -> Result<Part> {
        let mut files = LevelFiles {
            reader: LevelReader::new(read_options(options)?),
            up: options.up,
            has_axes: false,
            bounds: None,
            terminal,
        };
        for source in sources {
            files.read(source).map_err(|e| e.within(source))?;
        }
        let LevelFiles { reader, has_axes, bounds, .. } = files;
        let missing = areas.missing(&reader.names().collect());
        let missing: Vec<String> = missing.into_iter().map(str::to_owned).collect();
        let level = reader.finish(|names| areas.area(names.material, names.object, names.group));
        let mut imported = level.map_err(|e| Failure::about(sources.join(", "), e))?;
        imported.volumes.extend_from_slice(areas.volumes());
        // The bounds of one of several files say nothing about the others, and bounds written with six digits could cut
        // off a floor that lies on them.
        let all = imported.mesh.bounds();
        let differs = |b: &Aabb| {
            let [low, high] = [b.min - all.min, b.max - all.max];
            sources.len() == 1 && low.abs().max(high.abs()).max_element() > WRITTEN_DIGITS
        };
        let mut hints = imported.settings.as_ref().map(hinted).unwrap_or_default();
        // A scene's bounds apply only to it, too.
        let of_scene = bounds.filter(|_| sources.len() == 1);
        hints.bounds = imported.bounds.filter(differs).or(of_scene).map(Bounds);
        Ok(Part { level: Self { imported, hints }, missing, has_axes })
    }

    /// The input of the bake.
    pub(crate) fn input(&self) -> wayfare::input::Level<'_> {
        self.imported.level()
    }

    /// Fails if the level is too large to be baked with these settings, or in this many bytes of memory.
    pub(crate) fn check_fits(&self, settings: &BakeSettings, memory: Option<u64>) -> Result<()> {
        let plan = baking::plan(self.input(), settings);
        let fits =
            plan.and_then(|plan| memory.map_or(Ok(()), |limit| memory::check(&self.imported.mesh, &plan, limit)));
        fits.map_err(|failure| self.refused(failure))
    }

    /// The error for a level that is too large, with the corner that may be the cause.
    fn refused(&self, failure: Failure) -> Failure {
        match (failure, &self.imported.stray) {
            (Failure::Message(message), Some(stray)) => Failure::new(format_args!("{message}; {stray}")),
            (failure, _) => failure,
        }
    }
}

/// A level that is one of several parts of a world.
pub(super) struct Part {
    pub(super) level: Level,
    /// What `--areas` names, and it does not have.
    pub(super) missing: Vec<String>,
    /// Whether a file was read that has an up-axis.
    has_axes: bool,
}

/// The remarks about options of the input for which there is nothing in it.
pub(super) fn remarks_on_unused(options: &BakeOptions, has_axes: bool, has_map: bool) -> impl Iterator<Item = String> {
    let up = (options.up == Some(UpAxis::Z) && !has_axes)
        .then_some("--up turns files of triangles: built-in scenes and the heights of a height map have y up");
    let pixels = (!has_map && (options.pixel_size.is_some() || options.pixel_height.is_some()))
        .then_some("--pixel-size and --pixel-height are those of a height map, and there is none");
    [up, pixels].into_iter().flatten().map(str::to_owned)
}

/// The remark about names of `--areas` that are nowhere.
pub(super) fn remark_on_missing(missing: &[String]) -> Option<String> {
    (!missing.is_empty()).then(|| format!("--areas names what the level does not have: {}", missing.join(", ")))
}

/// Adds the triangles that were left out to the warnings of a bake.
pub(super) fn add_input_warnings(input: &InputReport, report: &mut BakeReport) {
    let InputReport { not_finite, degenerate, first_not_finite_at, first_degenerate_at, .. } = *input;
    report.warn(WarningKind::TriangleNotFinite, not_finite, first_not_finite_at);
    report.warn(WarningKind::TriangleDegenerate, degenerate, first_degenerate_at);
}

/// The options for reading files.
fn read_options(options: &BakeOptions) -> Result<ReadOptions> {
    let pixel = PixelSize {
        size: options.checked_pixel("pixel-size", options.pixel_size, 1.0)?,
        height: options.checked_pixel("pixel-height", options.pixel_height, 0.01)?,
    };
    let bounds = options.bounds.map(|Bounds(bounds)| {
        // Cells are whole, and those at the border need some surroundings.
        let rim = Vec3::splat(RIM * options.cell_size.unwrap_or(BakeSettings::default().cell_size));
        Aabb { min: bounds.min - rim, max: bounds.max + rim }
    });
    let up = options.up.map(|up| match up {
        UpAxis::Y => wayfare::math::UpAxis::Y,
        UpAxis::Z => wayfare::math::UpAxis::Z,
    });
    let mut read = ReadOptions { up, scale: options.units()?.unit(), pixel, bounds, ..ReadOptions::default() };
    read.memory = options.memory_limit();
    read.instances = options.memory_limit.map(|MemorySize(bytes)| bytes);
    Ok(read)
}

/// The settings of a `.gset`, as options.
fn hinted(settings: &GsetSettings) -> BakeOptions {
    BakeOptions {
        cell_size: Some(settings.cell_size),
        cell_height: Some(settings.cell_height),
        agent_height: Some(settings.agent_height),
        agent_radius: Some(settings.agent_radius),
        agent_max_climb: Some(settings.agent_max_climb),
        agent_max_slope: Some(settings.agent_max_slope),
        region_min_size: Some(settings.region_min_size),
        region_merge_size: Some(settings.region_merge_size),
        edge_max_len: Some(settings.edge_max_len),
        edge_max_error: Some(settings.edge_max_error),
        verts_per_poly: Some(settings.verts_per_poly),
        detail_sample_dist: Some(settings.detail_sample_dist),
        detail_sample_max_error: Some(settings.detail_sample_max_error),
        partition: Some(PartitionName::from(settings.partition)),
        ..BakeOptions::default()
    }
}

/// The sources of a level, being read one after the other.
struct LevelFiles {
    reader: LevelReader,
    /// The up-axis, if the user has set it.
    up: Option<UpAxis>,
    /// Whether a file was read that has an up-axis.
    has_axes: bool,
    /// The bounds of the bake given by a scene.
    bounds: Option<Aabb>,
    terminal: Terminal,
}

impl LevelFiles {
    fn read(&mut self, source: &str) -> Result<()> {
        if let Some(spec) = source.strip_prefix(SCENE) {
            return self.scene(source, spec);
        }
        let path = Path::new(source);
        let format = self.file(source, path)?;
        let Some(usual) = format.usual_up() else { return Ok(()) };
        self.has_axes = true;
        if self.up.is_none() && usual == wayfare::math::UpAxis::Z {
            self.terminal.say(format_args!("{source}: z points up, as in most files of its kind; if not: --up y"));
        }
        Ok(())
    }

    fn file(&mut self, source: &str, path: &Path) -> Result<LevelFormat> {
        let Some(format) = LevelFormat::of_name(source) else { return Err(no_level(path)) };
        if format == LevelFormat::Obj {
            let (file, size) = open(path)?;
            let bar = self.terminal.bar("reading", size);
            let file = BufReader::with_capacity(1 << 18, file);
            let read = self.reader.add_obj(source, file, |bytes| bar.set(bytes, size));
            return read.map(|()| format).map_err(|e| told(&e));
        }
        let read = self.reader.add(source, format, &whole(path)?, &mut Folder::of(path));
        read.map(|()| format).map_err(|e| told(&e))
    }

    fn scene(&mut self, source: &str, spec: &str) -> Result<()> {
        let scene = wayfare_scenes::scene(spec).map_err(Failure::new)?;
        self.bounds = scene.settings.bounds;
        let tris = scene.tris.into_iter().zip(scene.areas);
        self.reader.add_triangles(source, &scene.verts, tris, scene.volumes).map_err(|e| told(&e))
    }
}

/// Why a file could not be read, with the option that helps.
fn told(error: &ReadError) -> Failure {
    match error.kind() {
        ReadErrorKind::NotTurnable => Failure::new(format_args!("{error}: leave out --up z")),
        ReadErrorKind::TooLarge => Failure::new(format_args!("{error} (--memory-limit, --bounds)")),
        _ => Failure::new(error),
    }
}

/// Why a file with this name is not a level.
fn no_level(path: &Path) -> Failure {
    if path.is_dir() {
        return Failure::new("is a folder, not a file");
    }
    match ending(path).as_str() {
        "toml" => Failure::new(
            "is the description of a world, which is baked into a store: give -o NAME.wayworld, and no other level",
        ),
        "way" | "bin" | "mesh" | "map" | "wayworld" => Failure::new(
            "is a mesh, which is baked already, not a level: ask it for a path with `wayfare path`, or give the level",
        ),
        _ => Failure::new(format_args!("{NO_LEVEL}, or a built-in scene as scene:NAME (`wayfare scenes` lists them)")),
    }
}

/// The extension of a file's name, in lower case.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase()
}

/// Maximum size of a file that is read as a whole.
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
