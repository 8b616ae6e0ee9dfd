//! The lab as a web page: where it is drawn, its address, and downloads.

use super::{LabApp, Start};
use eframe::wasm_bindgen::JsCast as _;
use eframe::wasm_bindgen::JsValue;

/// Begins to draw into the page's canvas `lab`.
pub fn start() {
    let address = location_hash();
    wasm_bindgen_futures::spawn_local(async move {
        let Some(canvas) = canvas() else { return };
        let without_tour = !address.is_empty();
        let start = Start { address, without_tour, ..Start::default() };
        // Nothing in the window is a gradient that dithering could smooth.
        let options = eframe::WebOptions { dithering: false, ..eframe::WebOptions::default() };
        let started =
            eframe::WebRunner::new().start(canvas, options, Box::new(|cc| Ok(Box::new(LabApp::new(cc, start))))).await;
        let note = match &started {
            Ok(()) => None,
            Err(error) => Some(format!("The lab cannot draw in this browser: {error:?}")),
        };
        show_note(note.as_deref());
    });
}

fn canvas() -> Option<web_sys::HtmlCanvasElement> {
    document()?.get_element_by_id("lab")?.dyn_into().ok()
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// Writes into the page's note, or takes the note away.
fn show_note(text: Option<&str>) {
    let Some(note) = document().and_then(|document| document.get_element_by_id("note")) else { return };
    match text {
        Some(text) => note.set_text_content(Some(text)),
        None => note.remove(),
    }
}

fn location_hash() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Shows an address in the browser's bar, without a new entry in its history.
pub(super) fn show_address(address: &str) {
    let history = web_sys::window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        // A page that was opened from a file has no history to write into.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{address}")));
    }
}

/// Tells those who drive the page by a program how far it is: in the attribute `data-polygons`.
pub(super) fn show_state(polygons: Option<usize>) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    let text = polygons.map_or_else(|| "baking".to_owned(), |count| count.to_string());
    if root.get_attribute("data-polygons").as_ref() != Some(&text) {
        // A page without it works as well.
        let _ = root.set_attribute("data-polygons", &text);
    }
}

/// The link to an address.
pub(super) fn link(address: &str) -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    let page = href.split('#').next().unwrap_or_default();
    format!("{page}#{address}")
}

/// Hands a file to the person.
pub(super) fn download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let part = js_sys::Uint8Array::from(bytes);
    let parts = js_sys::Array::of1(&part);
    let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
    let url = web_sys::Url::create_object_url_with_blob(&blob)?;
    let document = document().ok_or("no page")?;
    let anchor: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    web_sys::Url::revoke_object_url(&url)
}
