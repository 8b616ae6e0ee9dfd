//! Clicks through the window as a person would, without a display; and the pictures of it, compared with a tolerance.
//!
//! `WAYFARE_LAB_PICTURES=FOLDER` writes the pictures there instead of comparing them: for the documents.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use std::path::PathBuf;
use wayfare_lab::app::{LabApp, Start};
use wayfare_lab::workbench::{Click, Script};

type Lab = Harness<'static, LabApp>;

/// The lab at an address, at rest.
fn lab(address: &str) -> Lab {
    lab_of_size(address, [1440.0, 860.0])
}

fn lab_of_size(address: &str, size: [f32; 2]) -> Lab {
    let start = Start { address: address.to_owned(), without_tour: true, ..Start::default() };
    // What walks asks for frames without end: a few are enough to begin with.
    let builder = Harness::builder().with_size(size).with_step_dt(0.1).with_max_steps(8).allow_missing_glyphs();
    let mut harness = builder.wgpu().build_eframe(move |cc| LabApp::new(cc, start));
    settle(&mut harness);
    harness
}

/// Frames until nothing is baked any more.
fn settle(harness: &mut Lab) {
    for _ in 0..4000 {
        harness.step();
        harness.state_mut().bench_mut().settle();
        if harness.state().is_at_rest() {
            break;
        }
    }
    harness.run_steps(3);
}

/// The value of a figure in the panel of the tool in use.
fn figure(harness: &mut Lab, name: &str) -> String {
    let mut script = Script::default();
    harness.state_mut().bench_mut().tool_panel(&mut script);
    script.figure(name).unwrap_or_default().to_owned()
}

fn click_view(harness: &mut Lab, at: [f32; 2]) {
    let rect = harness.get_by_label("Level view").rect();
    let at = egui::pos2(rect.left() + rect.width() * at[0], rect.top() + rect.height() * at[1]);
    harness.hover_at(at);
    harness.step();
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers: egui::Modifiers::NONE });
        harness.step();
    }
    harness.run_steps(2);
}

#[test]
fn a_newcomer_finds_a_path_walks_a_crowd_and_blocks_the_way() {
    let mut harness = lab("");
    assert_eq!(figure(&mut harness, "Status"), "complete", "the lab begins with a path");
    let before = figure(&mut harness, "Length");
    click_view(&mut harness, [0.5, 0.5]);
    assert_ne!(figure(&mut harness, "Length"), before, "a click moves the goal");

    harness.get_by_label("Crowd").click();
    harness.run_steps(2);
    harness.get_by_label("Add at random places").click();
    harness.run_steps(2);
    assert_eq!(figure(&mut harness, "Agents"), "25");
    click_view(&mut harness, [0.5, 0.5]);
    harness.run_steps(20);

    harness.get_by_label("Obstacles").click();
    settle(&mut harness);
    let version = harness.state_mut().bench_mut().stage.version();
    let at = harness.state_mut().bench_mut().stage.level.as_ref().unwrap().errand.unwrap()[1];
    harness.state_mut().bench_mut().click(&Click::at(at));
    settle(&mut harness);
    assert!(harness.state_mut().bench_mut().stage.version() > version, "tiles were built again");
    assert_eq!(figure(&mut harness, "Obstacles"), "1");
}

#[test]
fn every_tool_and_every_side_can_be_opened() {
    let mut harness = lab("scene=stairs");
    let titles: Vec<&str> = harness.state_mut().bench_mut().tool_titles().collect();
    for title in titles {
        harness.get_by_label(title).click();
        harness.run_steps(2);
    }
    for side in ["Bake", "Show", "Report", "Level"] {
        harness.get_by_label(side).click();
        harness.run_steps(2);
    }
    harness.get_by_label("Prototypes").click();
    harness.run_steps(4);
    assert!(harness.state_mut().address().starts_with("prototype="));
}

#[test]
fn an_address_leads_back_to_where_it_was_taken() {
    let address = "scene=stairs&tool=3&product=5&theme=dark";
    let mut harness = lab(address);
    assert_eq!(harness.state_mut().address(), address);
}

/// The pictures of the lab in the manual, with the addresses that they are links to.
fn pictures() -> Vec<(String, String)> {
    let page = std::fs::read_to_string(documents().join("lab.md")).unwrap();
    let linked = page.split("](pictures/lab-").skip(1);
    let name_and_address = |rest: &str| {
        let (name, rest) = rest.split_once(".png)](lab/index.html#").expect("a picture of the lab is a link into it");
        (format!("lab-{name}"), rest.split_once(')').unwrap().0.to_owned())
    };
    linked.map(name_and_address).collect()
}

fn documents() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Compares the window with the picture of that name, or writes it.
fn compare(harness: &mut Lab, name: &str) {
    let seen = harness.render().expect("the window can be drawn");
    if let Some(folder) = std::env::var_os("WAYFARE_LAB_PICTURES") {
        let place = PathBuf::from(folder).join(format!("{name}.png"));
        seen.save(place).unwrap();
        return;
    }
    let place = documents().join(format!("pictures/{name}.png"));
    let Ok(kept) = image::open(&place) else { panic!("{} is missing", place.display()) };
    let kept = kept.to_rgba8();
    assert_eq!(kept.dimensions(), seen.dimensions(), "{name}");
    let differing = kept.pixels().zip(seen.pixels()).filter(|(a, b)| differ(a.0, b.0)).count();
    let share = differing as f64 / f64::from(kept.width() * kept.height());
    // Numbers of milliseconds differ, and lines at their edges from driver to driver.
    assert!(share < 0.06, "{name}: {:.1} % of the pixels differ", share * 100.0);
}

fn differ(a: [u8; 4], b: [u8; 4]) -> bool {
    (0..3).any(|i| a[i].abs_diff(b[i]) > 40)
}

#[test]
fn the_pictures_of_the_manual_are_what_the_window_shows() {
    let pictures = pictures();
    assert!(pictures.len() > 4, "{pictures:?}");
    for (name, address) in pictures {
        let mut harness = lab(&address);
        if address.starts_with("prototype") {
            harness.run_steps(15);
        } else {
            // Crowds have walked for three seconds, obstacles stand.
            for _ in 0..90 {
                harness.state_mut().bench_mut().update(1.0 / 30.0);
            }
            settle(&mut harness);
        }
        compare(&mut harness, &name);
    }
}

/// Pictures of every tool and every prototype, in `target/gallery`, for people to look at; `WAYFARE_GALLERY=dark` takes
/// those whose names hold this.
#[test]
#[ignore = "takes minutes, and is for people to look at"]
fn gallery() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/gallery");
    std::fs::create_dir_all(&folder).unwrap();
    let wanted = std::env::var("WAYFARE_GALLERY").unwrap_or_default();
    let titles: Vec<String> =
        lab("scene=flat").state_mut().bench_mut().tool_titles().map(|title| title.replace(' ', "-")).collect();
    for (size, side) in [("small", [1366.0, 768.0]), ("large", [1920.0, 1080.0])] {
        for theme in ["light", "dark"] {
            let save = |harness: &mut Lab, name: &str| {
                let place = folder.join(format!("{name}.png"));
                harness.render().expect("the window can be drawn").save(place).unwrap();
            };
            for (tool, title) in titles.iter().enumerate() {
                let name = format!("{size}-{theme}-tool-{tool:02}-{title}");
                if !name.contains(&wanted) {
                    continue;
                }
                let agents = if title == "Crowd" { "&agents=80" } else { "" };
                let mut harness = lab_of_size(&format!("scene=dungeon&tool={tool}&theme={theme}{agents}"), side);
                let bench = harness.state_mut().bench_mut();
                let [from, to] = bench.stage.level.as_ref().unwrap().errand.unwrap();
                bench.click(&Click::at(from).with_shift());
                bench.click(&Click::at(to));
                for _ in 0..20 {
                    harness.state_mut().bench_mut().update(0.05);
                }
                settle(&mut harness);
                save(&mut harness, &name);
            }
            for entry in wayfare_lab::host::all() {
                let name = format!("{size}-{theme}-{}", entry.name);
                if name.contains(&wanted) {
                    let mut harness = lab_of_size(&format!("prototype={}&theme={theme}", entry.name), side);
                    harness.run_steps(8);
                    save(&mut harness, &name);
                }
            }
        }
    }
}
