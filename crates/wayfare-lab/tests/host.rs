//! What the host gives to every prototype: rewinding, pairs, recordings, cases, addresses, saved parameters.

#![allow(clippy::unwrap_used, clippy::panic)]

use core::cell::Cell;
use core::time::Duration;
use std::rc::Rc;
use wayfare_lab::host::address::{self, Place};
use wayfare_lab::host::case_file::Case;
use wayfare_lab::host::saved::Saved;
use wayfare_lab::host::{LabError, Pair, Recording, Session};
use wayfare_lab::input::{Input, Key};
use wayfare_lab::params::Value;

fn at(x: f32, z: f32) -> Value {
    Value::Point([x, 0.0, z])
}

/// A run in which something is done.
fn run() -> Session {
    let mut session = Session::new("constrained_movement", 5).unwrap();
    for tick in 0..200 {
        if tick == 50 {
            session.set("target", &at(9.0, 14.0)).unwrap();
        }
        if (80..120).contains(&tick) {
            session.input(&Input { held: vec![Key::Up], ..Input::default() });
        }
        session.tick();
    }
    session
}

#[test]
fn time_can_be_walked_back_and_forth() {
    let mut session = run();
    let end = session.digest();
    let mut digests = Vec::new();
    for tick in [0, 49, 50, 51, 100, 130, 199] {
        session.go_to(tick);
        assert_eq!(session.now(), tick);
        digests.push((tick, session.digest()));
    }
    session.go_to(200);
    assert_eq!(session.digest(), end);
    session.step_back();
    assert_eq!(session.digest(), digests[6].1);
    session.tick();
    assert_eq!(session.digest(), end, "what was recorded is done again");
    for (tick, digest) in digests {
        session.go_to(tick);
        assert_eq!(session.digest(), digest, "tick {tick}");
    }
    session.go_to(60);
    session.set("target", &at(2.0, 2.0)).unwrap();
    assert_eq!(session.recording().ticks, 60, "another deed forgets what came after");
    session.go_to(500);
    assert_eq!(session.now(), 60);
}

#[test]
fn a_recording_is_played_again_from_text() {
    let session = run();
    let text = session.recording().to_text().unwrap();
    let mut again = Session::of(Recording::from_text(&text).unwrap()).unwrap();
    (0..200).for_each(|_| again.tick());
    assert_eq!(again.digest(), session.digest());
    assert_eq!(again.recording(), session.recording());
}

#[test]
fn a_case_holds_what_it_was_saved_with_and_says_what_is_wrong() {
    let case = Case::of(&run(), "the target is moved while the walker walks");
    let mut case = Case::from_text(&case.to_text().unwrap()).unwrap();
    assert_eq!(case.run().unwrap(), [""; 0]);
    case.figures.insert("polygons looked at".into(), 99.0);
    case.figures.insert("no such figure".into(), 1.0);
    let wrong = case.run().unwrap();
    assert!(wrong.len() == 2 && wrong[0].contains("no such figure") && wrong[1].contains("not 99"), "{wrong:?}");
}

/// Anybody can drop a file onto the window: what is in it is refused or played, whatever it says.
#[test]
fn a_broken_case_is_refused_or_played() {
    let text = Case::of(&run(), "the target is moved").to_text().unwrap();
    let plays = |text: &str| {
        let recording = Case::from_text(text).map(|case| case.recording).or_else(|_| Recording::from_text(text));
        let Ok(mut session) = recording.and_then(Session::of) else { return false };
        (0..20).for_each(|_| session.tick());
        session.step_back();
        assert_eq!(session.digest(), session.digest());
        true
    };
    assert!(plays(&text));
    // Cut off anywhere, and with any byte replaced by one that means something in such a file.
    for end in (0..text.len()).step_by(7) {
        plays(&text[..end]);
    }
    for (i, odd) in (0..text.len()).step_by(5).zip("\n=[]\"{}9-.e".chars().cycle()) {
        plays(&format!("{}{odd}{}", &text[..i], &text[i + 1..]));
    }
    for (from, to) in [
        ("\"constrained_movement\"", "\"nothing\""),
        ("seed = 5", "seed = -5"),
        ("ticks = 200", "ticks = 4294967295"),
        ("ticks = 200", "ticks = -1"),
        ("tick = 50", "tick = 4294967295"),
        ("[9.0, 0.0, 14.0]", "[nan, inf, 0.0]"),
        ("[9.0, 0.0, 14.0]", "[1e38, -1e38, 1e38]"),
        ("[9.0, 0.0, 14.0]", "\"far away\""),
        ("held = [\"Up\"]", "held = [\"Sideways\"]"),
        ("held = [\"Up\"]", "pointer = { at = [3e38, 3e38, -3e38], down = true, pressed = true }"),
    ] {
        assert!(text.contains(from), "{from} is not in\n{text}");
        plays(&text.replace(from, to));
    }
}

#[test]
fn a_parameter_that_restarts_begins_anew() {
    let mut session = Session::new("convex_hulls", 1).unwrap();
    (0..30).for_each(|_| session.tick());
    session.set("spin", &Value::On(false)).unwrap();
    assert_eq!(session.now(), 30);
    session.set("points", &Value::Name("sphere".into())).unwrap();
    assert_eq!((session.now(), session.recording().start.len()), (0, 2));
    assert!(matches!(session.set("points", &Value::Name("cube".into())), Err(LabError::Param { .. })));
    let before = session.digest();
    session.reseed(2);
    assert_ne!(session.digest(), before);
    session.reset_params();
    assert!(session.changed_params().is_empty() && session.seed() == 2);
}

#[test]
fn a_pair_goes_on_together_and_compares_figures() {
    let session = Session::new("moving_target", 0).unwrap();
    let mut pair = Pair::twice(session).unwrap();
    pair.sides[1].set("followers", &Value::Name("search anew".into())).unwrap();
    (0..60).for_each(|_| pair.tick());
    let searches = pair.compare().into_iter().find(|figure| figure.name == "searches").unwrap();
    assert!(searches.values[0] < 4.0 && searches.values[1] > 100.0, "{searches:?}");
    pair.go_to(10);
    assert_eq!(pair.sides.each_ref().map(Session::now), [10, 10]);
    let other = Pair::new(Session::new("flow_field", 0).unwrap(), Session::new("convex_hulls", 3).unwrap());
    assert!(other.compare().iter().any(|figure| figure.values[0].is_nan()));
    assert!(other.compare().iter().any(|figure| figure.values[1].is_nan()));
}

#[test]
fn an_address_leads_to_the_same_state() {
    let mut session = Session::new("constrained_movement", 9).unwrap();
    session.set("target", &at(20.0, 1.5)).unwrap();
    session.restart();
    (0..25).for_each(|_| session.tick());
    let short = address::of(&session);
    assert_eq!(short, "constrained_movement?seed=9&target=20%2C0%2C1.5&tick=25");
    let Place::One(there) = address::open(&short).unwrap() else { panic!("one") };
    assert_eq!(there.digest(), session.digest());
    let pair = Pair::new(session, Session::new("robust_walk", 0).unwrap());
    let Place::Two(both) = address::open(&address::of_pair(&pair)).unwrap() else { panic!("two") };
    assert_eq!(both.sides[1].entry().name, "robust_walk");
    assert_eq!(both.sides[0].changed_params(), pair.sides[0].changed_params());
    assert!(matches!(address::open("nothing?seed=x"), Err(LabError::Name { .. })));
    for odd in ["funnel_steps?seed=-1&tick=x&start=1,2&pace=NaN&play=9&%zz=%", "funnel_steps?", "funnel_steps?=&&=?"] {
        assert!(address::open(odd).is_ok(), "{odd}");
    }
}

#[test]
fn parameters_are_kept_between_runs() {
    let mut session = Session::new("nerd_and_bully", 0).unwrap();
    session.set("corridor", &Value::Number(3.0)).unwrap();
    session.set("method", &Value::Name("orca".into())).unwrap();
    let mut saved = Saved::default();
    saved.keep(&session);
    let saved = Saved::from_text(&saved.to_text().unwrap()).unwrap();
    assert_eq!(saved.begin("nerd_and_bully", 0).unwrap().changed_params(), session.changed_params());
    assert!(saved.begin("funnel_steps", 0).unwrap().changed_params().is_empty());
    assert!(saved.begin("nothing", 0).is_err());
}

#[test]
fn ticks_and_phases_are_timed_by_the_callers_clock() {
    let time = Rc::new(Cell::new(0_u64));
    let clock = {
        let time = time.clone();
        Rc::new(move || {
            time.set(time.get() + 1);
            Duration::from_millis(time.get())
        })
    };
    let mut session = Session::new("crowd_trials", 0).unwrap().timed_by(clock);
    (0..20).for_each(|_| session.tick());
    let times = session.profiler().history().last().unwrap();
    // Two looks at the clock for each phase and two for the update.
    assert_eq!((times.phases.len(), times.update), (10, Duration::from_millis(21)));
    assert!(session.profiler().phases().contains(&"avoid"));
}

#[test]
fn a_frame_makes_up_for_a_few_ticks_and_none_while_paused() {
    let mut session = Session::new("funnel_steps", 0).unwrap();
    assert_eq!((0..60).map(|_| session.advance(1.0 / 60.0)).sum::<u32>(), 60);
    session.speed = 4.0;
    assert_eq!((0..30).map(|_| session.advance(1.0 / 60.0)).sum::<u32>(), 120);
    assert!(session.advance(30.0) <= 8, "a long frame is not made up for");
    session.paused = true;
    assert_eq!(session.advance(1.0), 0);
}

#[test]
fn what_is_set_shows_while_time_stands_still() {
    let mut session = Session::new("path_limits", 0).unwrap();
    session.paused = true;
    let nodes = |session: &Session| session.figures().into_iter().find(|figure| figure.name == "nodes").unwrap().value;
    session.set("most nodes", &Value::Number(5.0)).unwrap();
    assert_eq!(nodes(&session), 5.0);
    session.set("most nodes", &Value::Number(7.0)).unwrap();
    assert_eq!((nodes(&session), session.now()), (7.0, 0));
}
