//! `wayfare check MESH`

use crate::failure::{Answer, Result};
use crate::input::mesh_file;
use crate::output::atomic_file;
use crate::output::numbers::{counted, point};
use clap::Args;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Check every invariant of a mesh
#[derive(Args, Debug)]
#[command(after_help = "Exit status: 0 if the mesh is sound, 1 if it is not.\nExample:\n  wayfare check level.way")]
pub(crate) struct Check {
    /// A .way file, a store or another tool's mesh; - for standard input
    mesh: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<Answer> {
        let read = mesh_file::read_whole(&self.mesh)?;
        let mesh = read.file.mesh;
        let broken = read.store.map(|store| store.events).unwrap_or_default();
        let violations = mesh.check();
        let is_sound = violations.is_empty() && broken.is_empty();
        let text = if self.json {
            let mut list: Vec<_> =
                violations.iter().map(|v| json!({"kind": v.kind.name(), "poly": v.poly.to_string(), "at": point(v.position), "what": v.kind.to_string()})).collect();
            list.extend(
                broken.iter().map(|e| json!({"kind": "broken_tile", "poly": null, "at": null, "what": e.to_string()})),
            );
            format!("{:#}\n", json!({"ok": list.is_empty(), "violations": list}))
        } else if is_sound {
            let polygons = counted(mesh.tiles().map(|t| u64::from(t.poly_count())).sum::<u64>(), "polygon");
            let (tiles, connections) = (counted(mesh.tile_count(), "tile"), mesh.connection_count());
            let ways = match connections {
                0 => String::new(),
                _ => format!(" and {}", counted(connections, "off-mesh connection")),
            };
            format!("{}: {polygons} in {tiles}{ways}, all sound\n", self.mesh.display())
        } else {
            // Writing to a string cannot fail.
            let mut text = String::new();
            let broken = broken.iter().map(ToString::to_string);
            for line in broken.chain(violations.iter().map(ToString::to_string)) {
                let _ = writeln!(text, "{line}");
            }
            text
        };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::of(is_sound))
    }
}
