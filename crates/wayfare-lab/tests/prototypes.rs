//! Every prototype, headless: twice the same, and nothing that must always hold is broken; and a picture of each.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use wayfare::Vec3;
use wayfare_lab::canvas::{Canvas, Ink};
use wayfare_lab::host::{self, Session, determinism, handles};
use wayfare_lab::input::{Input, Key, Ray};
use wayfare_lab::palette::Theme;
use wayfare_lab::params::{Kind, Value};
use wayfare_lab::picture::{self, Shot};
use wayfare_lab::{Entry, Severity};

const TICKS: u32 = 120;

/// Runs a prototype with a little of everything that a person can do: clicks, keys, points that are dragged.
fn played(entry: &Entry) -> Session {
    let mut session = Session::new(entry.name, 1).unwrap();
    let points: Vec<(&'static str, [f32; 3])> = session
        .params()
        .into_iter()
        .filter(|param| param.kind == Kind::Point)
        .filter_map(|param| if let Value::Point(at) = param.value { Some((param.name, at)) } else { None })
        .collect();
    for tick in 0..TICKS {
        match tick {
            20 => session.input(&Input::press(Key::Enter)),
            30 | 50 => {
                let mut canvas = Canvas::new();
                session.draw(&mut canvas);
                let middle = canvas.bounds().center();
                session.input(&Input::click(Vec3::new(middle.x, 0.0, middle.z)));
            }
            70 => {
                for &(name, [x, y, z]) in &points {
                    session.set(name, &Value::Point([x + 0.5, y, z - 0.25])).unwrap();
                }
            }
            _ => session.input(&Input::default()),
        }
        session.tick();
    }
    session
}

fn violations(session: &Session) -> Vec<String> {
    let entries = session.log().entries().iter();
    let bad = entries.filter(|entry| entry.remark.severity == Severity::Violation);
    bad.map(|entry| format!("tick {}: {}", entry.tick, entry.remark.text)).collect()
}

#[test]
fn every_prototype_runs_twice_alike_and_breaks_nothing() {
    for entry in host::all() {
        let session = played(entry);
        assert_eq!(violations(&session), [""; 0], "{}", entry.name);
        let again = determinism::check(session.recording()).unwrap();
        assert_eq!(again, Ok(session.digest()), "{}: a replay is not what was played", entry.name);
    }
}

#[test]
fn every_prototype_says_what_it_is() {
    let mut titles: Vec<&str> = host::all().iter().map(|entry| entry.meta().title).collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles.len(), host::all().len(), "titles are unique");
    for entry in host::all() {
        let meta = entry.meta();
        assert!(!meta.title.is_empty() && meta.title.len() < 40, "{}", entry.name);
        assert!(meta.help.len() > 60 && !meta.source.is_empty(), "{}: needs a paragraph and a source", entry.name);
        let session = Session::new(entry.name, 0).unwrap();
        let mut names: Vec<&str> = session.params().iter().map(|param| param.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}: two parameters of one name", entry.name);
        assert!(!session.figures().is_empty(), "{}: nothing to compare", entry.name);
    }
}

/// Another seed, and every parameter at both of its ends: slow or silly, but never broken.
#[test]
fn every_parameter_can_be_set_to_anything_it_allows() {
    for entry in host::all() {
        let params = Session::new(entry.name, 0).unwrap().params();
        for param in params {
            let values = match param.kind {
                Kind::Slider { range: (low, high) } => vec![Value::Number(low.into()), Value::Number(high.into())],
                Kind::Count { range: (low, high) } => vec![Value::Number(low.into()), Value::Number(high.into())],
                Kind::Toggle => vec![Value::On(param.value != Value::On(true))],
                Kind::Choice { names } => names.iter().map(|&name| Value::Name(name.to_owned())).collect(),
                Kind::Point => vec![Value::Point([1e4, 0.0, -1e4]), Value::Point([3e38, 3e38, -3e38])],
            };
            for value in values {
                let mut session = Session::new(entry.name, 3).unwrap();
                session.set(param.name, &value).unwrap();
                (0..6).for_each(|_| session.tick());
                assert_eq!(violations(&session), [""; 0], "{}: {} = {value:?}", entry.name, param.name);
                let mut canvas = Canvas::new();
                session.draw(&mut canvas);
                let fields = canvas.points.iter().chain(&canvas.corners);
                assert!(fields.clone().all(|p| p.is_finite()), "{}: {} = {value:?}", entry.name, param.name);
            }
        }
    }
}

/// Clicks far away from everything, as near the horizon.
#[test]
fn every_prototype_can_be_clicked_anywhere() {
    for entry in host::all() {
        for far in [50.0, 1e6, 3e38] {
            let mut session = Session::new(entry.name, 3).unwrap();
            for at in [Vec3::new(far, 0.0, far), Vec3::new(-far, far, 0.0), Vec3::new(0.0, -far, -far)] {
                session.input(&Input::click(at));
                session.tick();
                session.input(&Input {
                    held: vec![Key::Delete],
                    pressed: vec![Key::Delete, Key::Enter],
                    ..Input::click(at)
                });
                session.tick();
            }
            assert_eq!(violations(&session), [""; 0], "{}: clicked at {far}", entry.name);
            let mut canvas = Canvas::new();
            session.draw(&mut canvas);
        }
    }
}

/// Points of every prototype can be grabbed and dragged by a ray from above.
#[test]
fn points_are_dragged_by_rays() {
    for entry in host::all() {
        let mut session = Session::new(entry.name, 0).unwrap();
        for param in session.params() {
            let Value::Point(at) = param.value else { continue };
            let at = Vec3::from(at);
            let down = |to: Vec3| Ray { from: to + Vec3::Y * 60.0, along: -Vec3::Y };
            assert!(handles::under(&session, &down(at), 0.01).is_some(), "{}: {}", entry.name, param.name);
            assert_eq!(handles::under(&session, &down(at + Vec3::X * 500.0), 0.01), None);
            handles::drag(&mut session, param.name, &down(at + Vec3::X * 0.3)).unwrap();
            let moved = session.params().into_iter().find(|other| other.name == param.name).unwrap();
            let Value::Point([x, _, z]) = moved.value else { panic!("still a point") };
            assert!((x - at.x - 0.3).abs() < 1e-3 && (z - at.z).abs() < 1e-3, "{}: {}", entry.name, param.name);
        }
    }
}

/// Pictures of all, in `target/pictures`, for people to look at; that something is seen in them is tested.
#[test]
fn every_prototype_has_a_picture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    for entry in host::all() {
        let mut session = Session::new(entry.name, 1).unwrap();
        (0..2 * TICKS).for_each(|_| session.tick());
        let mut canvas = Canvas::new();
        session.draw(&mut canvas);
        let shapes = canvas.lines.len() + canvas.fills.len() + canvas.discs.len() + canvas.dots.len();
        assert!(shapes > 0, "{}: nothing is drawn", entry.name);
        assert!(canvas.labels.iter().all(|label| label.ink != Ink::Warning || !label.text.is_empty()));
        let figures = session.figures();
        for (theme, ending) in [(Theme::Light, ""), (Theme::Dark, "_dark")] {
            let shot = Shot {
                title: session.meta().title,
                figures: &figures,
                size: [1200, 800],
                theme,
                slant: picture::slant_for(&canvas),
            };
            let picture = picture::take(&canvas, &shot).to_png().unwrap();
            std::fs::write(folder.join(format!("{}{ending}.png", entry.name)), picture).unwrap();
        }
    }
}
