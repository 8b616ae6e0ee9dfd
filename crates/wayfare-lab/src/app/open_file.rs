//! Files that the user opens: by the dialog of the system or the browser, or dropped onto the window.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What can be opened.
pub(super) const HELP: &str = "A level (.obj, .glb, .gltf, .stl, .ply, .gset, a 16-bit .png of heights), a mesh (.way, \
    Detour's .bin, .mesh, .map), or a recording of a prototype (.toml). Files can be dropped onto the window as well.";

/// A file that was opened.
#[derive(Clone, Debug)]
pub(super) struct PickedFile {
    pub(super) name: String,
    /// Where what it names is looked for; a page has none.
    pub(super) folder: Option<PathBuf>,
    /// Its bytes, or why there are none.
    pub(super) bytes: Result<Vec<u8>, String>,
}

/// Files on their way: they are read beside the frames.
#[derive(Debug)]
pub(super) struct Opener {
    send: Sender<PickedFile>,
    receive: Receiver<PickedFile>,
}

impl Default for Opener {
    fn default() -> Self {
        let (send, receive) = channel();
        Self { send, receive }
    }
}

impl Opener {
    /// The next file that was read.
    pub(super) fn next(&self) -> Option<PickedFile> {
        self.receive.try_recv().ok()
    }

    /// Asks for a file.
    pub(super) fn ask(&self, ctx: &egui::Context) {
        let (send, ctx) = (self.send.clone(), ctx.clone());
        let asked = rfd::AsyncFileDialog::new().set_title("Open a level, a mesh or a recording").pick_file();
        run(async move {
            let Some(file) = asked.await else { return };
            let name = file.file_name();
            #[cfg(not(target_arch = "wasm32"))]
            let (folder, bytes) = {
                let path = file.path();
                (path.parent().map(PathBuf::from), std::fs::read(path).map_err(|error| error.to_string()))
            };
            #[cfg(target_arch = "wasm32")]
            let (folder, bytes) = (None, Ok(file.read().await));
            // The receiver lives as long as the window.
            let _ = send.send(PickedFile { name, folder, bytes });
            ctx.request_repaint();
        });
    }

    /// Takes what was dropped onto the window.
    pub(super) fn take_dropped(&self, ctx: &egui::Context) {
        for file in ctx.input(|input| input.raw.dropped_files.clone()) {
            let name = file.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let send = self.send.clone();
            #[cfg(not(target_arch = "wasm32"))]
            {
                let folder = file.path().parent().filter(|folder| folder.is_absolute()).map(PathBuf::from);
                let _ = send.send(PickedFile { name, folder, bytes: file.bytes() });
            }
            #[cfg(target_arch = "wasm32")]
            {
                let ctx = ctx.clone();
                run(async move {
                    let bytes = file.bytes_async().await;
                    let _ = send.send(PickedFile { name, folder: None, bytes });
                    ctx.request_repaint();
                });
            }
        }
    }
}

/// Waits for an answer beside the frames: on a thread, or as the page's task.
#[cfg(not(target_arch = "wasm32"))]
fn run(work: impl Future<Output = ()> + Send + 'static) {
    std::thread::spawn(|| pollster::block_on(work));
}

#[cfg(target_arch = "wasm32")]
fn run(work: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(work);
}
