//! Saves the mesh and reads it back.

use crate::canvas::Canvas;
use crate::workbench::controls::Controls;
use crate::workbench::stage::Stage;
use crate::workbench::tool::Tool;
use wayfare::mesh::NavMesh;

const FORMATS: [&str; 4] = [".way", "Detour .bin", ".obj", ".glb"];

/// The tool.
#[derive(Debug, Default)]
pub struct FileTool {
    format: usize,
    kept: Option<(String, Vec<u8>)>,
}

/// The mesh as a file: its name and bytes.
fn file(mesh: &NavMesh, format: usize) -> Result<(&'static str, Vec<u8>), String> {
    match format {
        1 => {
            mesh.to_detour(wayfare::format::RefBits::Bits64).map(|bytes| ("mesh.bin", bytes)).map_err(|e| e.to_string())
        }
        2 => Ok(("mesh.obj", wayfare_io::mesh_to_obj(mesh))),
        3 => wayfare_io::mesh_to_glb(mesh).map(|bytes| ("mesh.glb", bytes)).map_err(|e| e.to_string()),
        _ => Ok(("mesh.way", mesh.to_bytes())),
    }
}

impl Tool for FileTool {
    fn title(&self) -> &'static str {
        "Save and load"
    }

    fn help(&self) -> &'static str {
        "Saves the mesh as a file. Drop a file onto the window to open it: a level (.obj, .glb, .stl, .ply, .png heights, \
         .gset) or a mesh (.way, Detour's, .mesh, .map)."
    }

    fn panel(&mut self, stage: &mut Stage, controls: &mut dyn Controls) {
        let Some(mesh) = stage.mesh() else {
            controls.note("There is no mesh to save.");
            return;
        };
        let bytes = mesh.bytes();
        controls.figure("Tiles", &mesh.tile_count().to_string());
        controls.figure("In memory", &format!("{:.1} kB", (bytes.data + bytes.index) as f64 / 1024.0));
        controls.choice("Format", &mut self.format, &FORMATS);
        if controls.button("Save") {
            match file(mesh, self.format) {
                Ok((name, bytes)) => {
                    stage.log.note(format!("{name} has {} bytes.", bytes.len()));
                    stage.saved = Some((name.to_owned(), bytes));
                }
                Err(error) => stage.log.error(format!("The mesh was not saved: {error}.")),
            }
        }
        controls.heading("In memory");
        controls.hint("Keeps the mesh as it is now, as the bytes of a file");
        if controls.button("Keep a copy") {
            let digest = stage.mesh().map(NavMesh::digest).unwrap_or_default();
            self.kept = stage.mesh().map(|mesh| (digest, mesh.to_bytes()));
        }
        if let Some((digest, bytes)) = &self.kept {
            controls.figure("Copy", &format!("{:.1} kB", bytes.len() as f64 / 1024.0));
            controls.figure("Digest", &digest[..digest.len().min(12)]);
            if controls.button("Load the copy") {
                match NavMesh::from_bytes(bytes) {
                    Ok(loaded) => {
                        stage.edit("load the copy", |mesh| *mesh = loaded);
                    }
                    Err(error) => stage.log.error(format!("The copy cannot be read: {error}.")),
                }
            }
        }
    }

    fn draw(&self, _: &Stage, _: &mut Canvas) {}

    fn reset(&mut self) {
        self.kept = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::controls::Script;
    use crate::workbench::testing::baked_stage;

    #[test]
    fn every_format_is_written_and_a_copy_comes_back() {
        let mut stage = baked_stage("stairs");
        let digest = stage.mesh().unwrap().digest();
        let mut tool = FileTool::default();
        for format in 0..FORMATS.len() {
            tool.format = format;
            tool.panel(&mut stage, &mut Script::press("Save"));
            assert!(stage.saved.take().is_some_and(|(_, bytes)| bytes.len() > 100), "{}", FORMATS[format]);
        }
        tool.panel(&mut stage, &mut Script::press("Keep a copy"));
        let tiles: Vec<_> = stage.mesh().unwrap().tiles().map(|tile| tile.tile_ref()).collect();
        stage.edit("all", |mesh| tiles.iter().filter(|&&tile| mesh.remove_tile(tile).is_ok()).count());
        tool.panel(&mut stage, &mut Script::press("Load the copy"));
        assert_eq!(stage.mesh().unwrap().digest(), digest);
    }
}
