//! The lab's window: `wayfare-lab [LEVEL|MESH]`, or `wayfare-lab --open ADDRESS`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    let start = match native::start(std::env::args_os().skip(1)) {
        Ok(Some(start)) => start,
        Ok(None) => return std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wayfare-lab: {error}");
            return std::process::ExitCode::from(2);
        }
    };
    match native::run(start) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wayfare-lab: no window can be opened: {error}");
            std::process::ExitCode::from(2)
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    wayfare_lab::app::web::start();
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::ffi::OsString;
    use std::path::PathBuf;
    use wayfare_lab::app::{LabApp, Start};

    const USAGE: &str = "wayfare-lab [LEVEL|MESH]         opens a file, or a built-in scene: scene:dungeon
wayfare-lab --open ADDRESS       opens what a link of the lab names: scene=dungeon&tool=1
wayfare-lab --fresh              begins as on the first visit, with the tour
wayfare-lab --help               this text

LEVEL is a file (.obj, .glb, .gltf, .stl, .ply, .gset, a 16-bit .png of heights), MESH a .way file, one of
Detour's, a .mesh of Polyanya or a .map.";

    /// What the arguments ask for; `None` if that was help.
    pub(super) fn start(args: impl Iterator<Item = OsString>) -> Result<Option<Start>, String> {
        let args: Vec<OsString> = args.collect();
        let texts: Vec<&str> = args.iter().map(|arg| arg.to_str().unwrap_or_default()).collect();
        match texts.as_slice() {
            [] => Ok(Some(Start::default())),
            ["--help" | "-h"] => {
                println!("{USAGE}");
                Ok(None)
            }
            ["--fresh"] => Ok(Some(Start { fresh: true, ..Start::default() })),
            ["--open", address] => {
                Ok(Some(Start { address: (*address).to_owned(), without_tour: true, ..Start::default() }))
            }
            [scene] if scene.starts_with("scene:") => {
                let spec = scene.trim_start_matches("scene:");
                wayfare_scenes::scene(spec).map_err(|error| error.to_string())?;
                let mut address = wayfare_lab::app::LabAddress::default();
                address.scene = Some(spec.to_owned());
                Ok(Some(Start { address: address.to_string(), without_tour: true, ..Start::default() }))
            }
            [option, ..] if option.starts_with('-') => Err(format!("there is no option {option}\n\n{USAGE}")),
            [_] => file(PathBuf::from(&args[0])).map(Some),
            _ => Err(format!("one file or scene at a time\n\n{USAGE}")),
        }
    }

    fn file(path: PathBuf) -> Result<Start, String> {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().map(PathBuf::from);
        Ok(Start { file: Some((name, bytes)), folder, without_tour: true, ..Start::default() })
    }

    pub(super) fn run(start: Start) -> eframe::Result {
        let viewport = egui::ViewportBuilder::default().with_title("Wayfare lab").with_inner_size([1440.0, 880.0]);
        let options = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
        eframe::run_native("wayfare-lab", options, Box::new(|cc| Ok(Box::new(LabApp::new(cc, start)))))
    }
}
