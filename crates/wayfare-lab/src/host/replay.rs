//! From a recording to the state at a tick, and the number that says which state it is.

use super::TICK;
use super::recording::Recording;
use super::session::LabError;
use crate::canvas::Canvas;
use crate::params::{Params, Taken, Value};
use crate::prototype::{Digest, Entry, Figures, Instance, Report, Setup};

/// A prototype at its beginning.
pub(super) fn begin(entry: &Entry, recording: &Recording, setup: &Setup) -> Result<Box<dyn Instance>, LabError> {
    let mut instance = (entry.make)();
    for (name, value) in &recording.start {
        set(&mut *instance, name, value)?;
    }
    instance.init(setup);
    Ok(instance)
}

/// Sets a parameter.
pub(super) fn set(instance: &mut dyn Instance, name: &str, value: &Value) -> Result<Taken, LabError> {
    let mut taken = None;
    instance.params(&mut Params::setting(name, value, &mut taken));
    taken.ok_or_else(|| LabError::Param { name: name.to_owned(), value: value.clone() })
}

/// Sets what was set before the update of a tick. What the prototype no longer has is left out.
pub(super) fn set_all(instance: &mut dyn Instance, recording: &Recording, tick: u32) {
    for change in recording.set_at(tick) {
        // A recording may be older than its prototype.
        if set(instance, &change.name, &change.value).is_ok() {
            instance.changed();
        }
    }
}

/// Goes on from the state before tick `from`, in which nothing is set yet, to that of tick `to`, in which all is.
pub(super) fn run(instance: &mut dyn Instance, recording: &Recording, from: u32, to: u32) {
    set_all(instance, recording, from);
    for tick in from..to {
        instance.update(TICK, &recording.input_at(tick));
        set_all(instance, recording, tick + 1);
    }
}

/// A number for all that can be seen of a state.
pub(super) fn digest(instance: &dyn Instance) -> u64 {
    let mut digest = Digest::default();
    let mut canvas = Canvas::new();
    instance.draw(&mut canvas);
    canvas.digest(&mut digest);
    let mut figures = Figures::default();
    instance.figures(&mut figures);
    figures.0.iter().for_each(|figure| digest.number(figure.value.to_bits()));
    let mut report = Report::default();
    instance.report(&mut report);
    report.0.iter().for_each(|remark| digest.bytes(remark.text.as_bytes()));
    instance.digest(&mut digest);
    digest.finish()
}
