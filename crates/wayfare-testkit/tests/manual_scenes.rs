//! The manual's list of scenes is written from the scenes themselves.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use wayfare::input::BakeSettings;

fn chapter() -> String {
    let mut text = String::from(
        "# Built-in scenes\n\n\
         Use a scene to try the program or to test your code without a level of your own. Wherever the program takes a level, it also\n\
         takes `scene:NAME` or `scene:NAME?key=value&key=value`; in Rust, `wayfare_scenes::scene(\"NAME?key=value\")` builds one. Lengths\n\
         are in metres, and defaults in brackets. Every scene takes `seed`, a whole number from 0 to 4294967295 (1); scenes without\n\
         anything random ignore it.\n",
    );
    for info in wayfare_scenes::all() {
        let scene = wayfare_scenes::scene(info.name).unwrap();
        let size = scene.mesh().unwrap().bounds().size();
        let _ = write!(
            text,
            "\n## `{}`\n\n{}.\n{} triangles; {:.0} × {:.0} × {:.0} m (x, y, z).\n",
            info.name,
            capital(info.summary),
            scene.tris.len(),
            size.x,
            size.y,
            size.z
        );
        if !info.params.is_empty() {
            text += "\n| parameter | meaning | range |\n|---|---|---|\n";
        }
        for p in info.params {
            let _ = writeln!(text, "| `{}` | {} | {}…{} ({}) |", p.name, p.meaning, p.min, p.max, p.default);
        }
        if !scene.errands.is_empty() {
            let (settings, usual) = (scene.settings, BakeSettings::default());
            let cells = if [settings.cell_size, settings.cell_height] == [usual.cell_size, usual.cell_height] {
                String::new()
            } else {
                format!(" (`--cell-size {} --cell-height {}`)", settings.cell_size, settings.cell_height)
            };
            let _ = write!(text, "\nPaths that tests check{cells}:\n\n");
        }
        for errand in &scene.errands {
            let answer = if errand.reachable { "there is a path" } else { "there is none" };
            // To the centimetre, which is near enough to find the place.
            let [from, to] = [errand.from, errand.to].map(|place| (place * 100.0).round() / 100.0);
            let _ = writeln!(text, "- {}, {from} to {to}: {answer}", errand.what);
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[test]
fn the_chapter_says_what_there_is() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/scenes.md");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        fs::write(&path, chapter()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == chapter(), "docs/scenes.md is out of date: `cargo xtask bless` writes it");
}
