//! The levels that are baked: our scenes, and the files of `../shared/data/levels` where they are present.

use serde_json::Value;
use std::path::{Path, PathBuf};
use wayfare::input::{AgentSettings, BakeSettings};

/// Triangles in memory and the settings to bake them with.
#[derive(Clone)]
pub struct Level {
    pub name: String,
    pub verts: Vec<[f32; 3]>,
    pub tris: Vec<[u32; 3]>,
    pub settings: BakeSettings,
    /// What the C++ binding's build is slower by than the best build of the C++ reference, where it was measured.
    pub build_factor: Option<f64>,
}

/// The folder of the shared data: `$WAYFARE_DATA`, or `shared/data` beside the project or one folder above.
pub fn data_dir() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let places = [root.join("../shared/data"), root.join("../../shared/data")];
    std::env::var_os("WAYFARE_DATA").map(PathBuf::from).into_iter().chain(places).find(|p| p.join("levels").is_dir())
}

/// The files that are present. Says what is missing or cannot be read.
pub fn files(wanted: impl Fn(&str) -> bool) -> Vec<Level> {
    let Some(dir) = data_dir().map(|d| d.join("levels")) else {
        eprintln!("skipped: no ../shared/data: only the built-in scenes are measured");
        return Vec::new();
    };
    let mut levels = Vec::new();
    for (name, factor) in [("nav_test", 1.32), ("dungeon", 1.24)] {
        if wanted(name) {
            match read_obj(&dir.join(format!("{name}.obj")), 1.0) {
                Ok((verts, tris)) => levels.push(Level {
                    name: name.into(),
                    verts,
                    tris,
                    settings: BakeSettings::default(),
                    build_factor: Some(factor),
                }),
                Err(e) => eprintln!("skipped: {name}: {e}"),
            }
        }
    }
    let index = std::fs::read_to_string(dir.join("index.json")).ok().and_then(|t| serde_json::from_str(&t).ok());
    let Some(Value::Array(entries)) = index else {
        eprintln!("skipped: no levels/index.json");
        return levels;
    };
    for entry in &entries {
        let (Some(name), Some(file)) = (entry["name"].as_str(), entry["file"].as_str()) else { continue };
        let short = name.strip_suffix("_obj").unwrap_or(name);
        if !file.ends_with(".obj") || !wanted(short) {
            continue;
        }
        let (settings, scale) = settings(&entry["options"]);
        match read_obj(&dir.join(file), scale) {
            Ok((verts, tris)) => {
                let build_factor = short.starts_with("terrain").then_some(1.13);
                levels.push(Level { name: short.into(), verts, tris, settings, build_factor });
            }
            Err(e) => eprintln!("skipped: {short}: {e}"),
        }
    }
    levels
}

/// The options of `index.json` are those of the `wayfare bake` command.
fn settings(options: &Value) -> (BakeSettings, f32) {
    let mut settings = BakeSettings { agent: AgentSettings::default(), ..BakeSettings::default() };
    let mut scale = 1.0;
    let words: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for pair in words.chunks_exact(2) {
        let Ok(value) = pair[1].parse::<f32>() else { continue };
        match pair[0] {
            "--scale" => scale = value,
            "--cell-size" => settings.cell_size = value,
            "--cell-height" => settings.cell_height = value,
            "--agent-height" => settings.agent.height = value,
            "--agent-radius" => settings.agent.radius = value,
            "--agent-max-climb" => settings.agent.max_climb = value,
            other => eprintln!("levels/index.json: option {other} is not known here and is left out"),
        }
    }
    (settings, scale)
}

type Soup = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Reads the `v` and `f` lines of a Wavefront OBJ file; polygons become fans; negative indices count from the end.
pub fn read_obj(path: &Path, scale: f32) -> Result<Soup, String> {
    let text = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&text);
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let bad = || format!("{}:{}: cannot be understood", path.display(), number + 1);
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut axis = || words.next().and_then(|w| w.parse::<f32>().ok()).map(|v| v * scale).ok_or_else(bad);
                verts.push([axis()?, axis()?, axis()?]);
            }
            Some("f") => {
                let mut face = Vec::new();
                for word in words {
                    let index: i64 = word.split('/').next().and_then(|w| w.parse().ok()).ok_or_else(bad)?;
                    let index = if index < 0 { verts.len() as i64 + index } else { index - 1 };
                    if index < 0 || index as usize >= verts.len() {
                        return Err(bad());
                    }
                    face.push(index as u32);
                }
                tris.extend((2..face.len()).map(|i| [face[0], face[i - 1], face[i]]));
            }
            _ => {}
        }
    }
    Ok((verts, tris))
}

/// Our scenes: a dungeon, a city, terrain of 10^5 and of 10^6 triangles; wide open decks, columns of dozens of spans,
/// and triangles smaller than a cell.
pub fn scenes(wanted: impl Fn(&str) -> bool) -> Vec<Level> {
    let specs = [
        "dungeon",
        "city",
        "terrain?size=224",
        "terrain?size=708",
        "garage",
        "tower?storeys=16",
        "clutter?boulders=40",
    ];
    specs.into_iter().filter(|spec| wanted(&format!("scene:{spec}"))).filter_map(scene).collect()
}

/// A built-in scene.
pub fn scene(spec: &str) -> Option<Level> {
    let name = format!("scene:{spec}");
    match wayfare_scenes::scene(spec) {
        Ok(scene) => Some(Level {
            build_factor: spec.starts_with("terrain").then_some(1.13),
            name,
            verts: scene.verts.iter().map(|v| v.to_array()).collect(),
            tris: scene.tris,
            settings: scene.settings,
        }),
        Err(e) => {
            eprintln!("skipped: {name}: {e}");
            None
        }
    }
}
