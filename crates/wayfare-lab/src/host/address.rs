//! A state as a short text, so that it can be sent to someone: `funnel?seed=3&start=1,0,2&tick=120`.
//!
//! Parameters that have their defaults are left out. Inputs are not part of it; what was clicked goes into a recording.

use super::session::{LabError, Session};
use super::{Pair, Recording};
use crate::params::{Kind, Param, Value};
use form_urlencoded::{Serializer, parse};

/// What an address leads to.
#[derive(Debug)]
pub enum Place {
    /// One prototype.
    One(Box<Session>),
    /// Two, side by side.
    Two(Box<Pair>),
}

/// The address of a session.
#[must_use]
pub fn of(session: &Session) -> String {
    let name = session.entry().name;
    let query = query(session).finish();
    if query.is_empty() { name.to_owned() } else { format!("{name}?{query}") }
}

/// The address of a pair: that of the left, which names that of the right.
#[must_use]
pub fn of_pair(pair: &Pair) -> String {
    let [left, right] = &pair.sides;
    let query = query(left).append_pair("beside", &of(right)).finish();
    format!("{}?{query}", left.entry().name)
}

/// Leads to an address. What it names and the prototype lacks is left out.
///
/// # Errors
/// There is no such prototype.
pub fn open(address: &str) -> Result<Place, LabError> {
    let mut beside = None;
    let session = open_one(address, &mut beside)?;
    match beside {
        None => Ok(Place::One(Box::new(session))),
        Some(other) => {
            let tick = session.now();
            let mut pair = Pair::new(session, open_one(&other, &mut None)?);
            (0..tick).for_each(|_| pair.tick());
            Ok(Place::Two(Box::new(pair)))
        }
    }
}

/// The most ticks that an address makes up for: a minute. Nobody waits longer for a page.
const MOST_TICKS: u32 = 3_600;

fn query(session: &Session) -> Serializer<'static, String> {
    let mut query = Serializer::new(String::new());
    if session.seed() != 0 {
        query.append_pair("seed", &session.seed().to_string());
    }
    for (name, value) in session.changed_params() {
        query.append_pair(&name, &text(&value));
    }
    if session.now() > 0 {
        query.append_pair("tick", &session.now().to_string());
    }
    query
}

fn open_one(address: &str, beside: &mut Option<String>) -> Result<Session, LabError> {
    let (name, query) = address.split_once('?').unwrap_or((address, ""));
    let mut recording = Recording::of(name, 0);
    let listed = Session::new(name, 0)?.params();
    let mut ticks = 0;
    for (key, value) in parse(query.as_bytes()) {
        match &*key {
            "seed" => recording.seed = value.parse().unwrap_or(0),
            "tick" => ticks = value.parse().unwrap_or(0).min(MOST_TICKS),
            "beside" => *beside = Some(value.into_owned()),
            key => {
                let param = listed.iter().find(|param| param.name == key);
                if let Some(value) = param.and_then(|param| parsed(param, &value)) {
                    recording.start.insert(key.to_owned(), value);
                }
            }
        }
    }
    let mut session = Session::of(recording)?;
    (0..ticks).for_each(|_| session.tick());
    Ok(session)
}

fn text(value: &Value) -> String {
    match value {
        Value::On(on) => if *on { "1" } else { "0" }.to_owned(),
        Value::Number(number) => (*number as f32).to_string(),
        Value::Name(name) => name.clone(),
        Value::Point([x, y, z]) => format!("{x},{y},{z}"),
    }
}

fn parsed(param: &Param, text: &str) -> Option<Value> {
    match &param.kind {
        Kind::Toggle => Some(Value::On(text == "1")),
        Kind::Slider { .. } | Kind::Count { .. } => {
            text.parse().ok().filter(|n: &f64| n.is_finite()).map(Value::Number)
        }
        Kind::Choice { names } => names.contains(&text).then(|| Value::Name(text.to_owned())),
        Kind::Point => {
            let axes: Vec<f32> = text.split(',').filter_map(|axis| axis.parse().ok()).collect();
            <[f32; 3]>::try_from(axes).ok().filter(|axes| axes.iter().all(|axis| axis.is_finite())).map(Value::Point)
        }
    }
}
