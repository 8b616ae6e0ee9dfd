//! `wayfare scenes` and `wayfare scene NAME -o FILE.obj`

use crate::dash::is_dash;
use crate::failure::{Answer, Failure, Result};
use crate::output::numbers::counted;
use crate::output::{Kind, atomic_file};
use crate::terminal::Terminal;
use clap::Args;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use wayfare::area::AreaId;
use wayfare_scenes::Scene;

/// List the built-in scenes with their sizes
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  wayfare scenes\n  wayfare bake 'scene:stairs?steps=12' -o stairs.way")]
pub(crate) struct Scenes {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Scenes {
    pub(crate) fn run(self) -> Result<Answer> {
        let mut rows = Vec::new();
        for info in wayfare_scenes::all() {
            let scene = wayfare_scenes::scene(info.name).map_err(Failure::new)?;
            rows.push((info, scene.tris.len(), extent(&scene)));
        }
        let text = if self.json {
            let list: Vec<_> = rows
                .iter()
                .map(|(info, triangles, size)| {
                    let params: Vec<_> = info
                        .params
                        .iter()
                        .map(|p| {
                            serde_json::json!({"name": p.name, "meaning": p.meaning, "default": p.default, "min": p.min, "max": p.max})
                        })
                        .collect();
                    serde_json::json!({"name": info.name, "summary": info.summary, "triangles": triangles, "size": size, "parameters": params})
                })
                .collect();
            format!("{:#}\n", serde_json::json!({ "scenes": list }))
        } else {
            let mut text = String::new();
            let width = rows.iter().map(|(info, ..)| info.name.len()).max().unwrap_or(0);
            // Writing to a string cannot fail.
            for (info, triangles, [x, y, z]) in &rows {
                let _ = writeln!(
                    text,
                    "{:<width$} {triangles:>8} triangles  {x:>5.0} x {z:<5.0} m, {y:>3.0} m high  {}",
                    info.name, info.summary
                );
                let params: Vec<_> = info.params.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
                let _ = writeln!(
                    text,
                    "{:<width$} {}",
                    "",
                    if params.is_empty() { "no parameters".into() } else { params.join(" ") }
                );
            }
            text.push_str("\nUse one wherever a level is asked for: scene:NAME or scene:NAME?key=value&key=value; all take seed.\n");
            text
        };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::Yes)
    }
}

/// Size along x, y and z in metres; corners that are NaN or infinite are ignored.
fn extent(scene: &Scene) -> [f32; 3] {
    let bounds = wayfare::math::Aabb::around(scene.verts.iter().copied().filter(|v| v.is_finite()));
    if bounds.is_empty() { [0.0; 3] } else { bounds.size().to_array() }
}

/// Write a built-in scene as an OBJ file
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wayfare scene 'stairs?steps=12' -o stairs.obj")]
pub(crate) struct WriteScene {
    /// NAME or NAME?key=value&key=value, as `wayfare scenes` lists them
    name: String,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "FILE.obj")]
    output: PathBuf,
}

impl WriteScene {
    pub(crate) fn run(self) -> Result<Answer> {
        let other = self.output.extension().filter(|ending| !ending.eq_ignore_ascii_case("obj"));
        if let Some(ending) = other.filter(|_| !is_dash(&self.output)) {
            let ending = ending.display();
            return Err(Failure::new(format_args!(
                "a scene is written as .obj, not as .{ending}: give it such a name"
            )));
        }
        Kind::Obj.check_replaced(&self.output)?;
        let spec = self.name.strip_prefix("scene:").unwrap_or(&self.name);
        let scene = wayfare_scenes::scene(spec).map_err(Failure::new)?;
        if !scene.volumes.is_empty() {
            let volumes = counted(scene.volumes.len() as u64, "volume");
            Terminal::new(false).warn(format_args!("an .obj has no volumes: {volumes} of the scene are left out"));
        }
        if is_dash(&self.output) {
            let mut bytes = Vec::new();
            write_obj(&scene, &mut bytes).map_err(|e| Failure::io("standard output", &e))?;
            atomic_file::print(&bytes)?;
        } else {
            atomic_file::write_with(&self.output, |mut out| write_obj(&scene, &mut out))?;
        }
        Ok(Answer::Yes)
    }
}

fn write_obj(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# scene:{} of wayfare {}", scene.spec, env!("CARGO_PKG_VERSION"))?;
    for v in &scene.verts {
        writeln!(out, "v {} {} {}", v.x, v.y, v.z)?;
    }
    // Names for `bake --areas`; the default area needs none.
    let mut area = AreaId::WALKABLE;
    for (tri, &next) in scene.tris.iter().zip(&scene.areas) {
        if next != area {
            area = next;
            writeln!(out, "usemtl area_{}", area.get())?;
        }
        let [a, b, c] = tri.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}
