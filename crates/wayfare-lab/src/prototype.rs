//! What a prototype is: one type, in one file, that the host can run, draw, compare and replay.
//!
//! ```text
//!   Default ─► params set ─► init(seed) ─► update(dt, input) ─► draw, figures, report ─┐
//!                   ▲                            ▲                                     │
//!                   └── a parameter that restarts └──────────── next tick ─────────────┘
//! ```

use crate::canvas::Canvas;
use crate::input::{Input, Ray};
use crate::params::Params;
use core::time::Duration;
use std::rc::Rc;
use wayfare::Vec3;

/// A prototype. Only [`meta`](Self::meta) and [`draw`](Self::draw) must be written.
///
/// The same seed, parameters and inputs must give the same drawing and figures: the host goes back in time by
/// replaying, and tests run every prototype twice. So randomness comes from [`Setup::seed`], sines from
/// `wayfare::math::ops`, and nothing from a clock.
pub trait Prototype {
    /// Title, category, help.
    fn meta(&self) -> Meta;

    /// Shows its parameters to `params`, one call each, always in the same order. They have their last values when
    /// [`init`](Self::init) is called, and may change between any two ticks.
    fn params(&mut self, params: &mut Params<'_>) {
        let _ = params;
    }

    /// Begins, or begins anew: everything that depends on the seed or on parameters that restart is made here.
    fn init(&mut self, setup: &Setup) {
        let _ = setup;
    }

    /// A parameter that does not restart was set: what follows from it should show at once, also while time stands
    /// still.
    fn changed(&mut self) {}

    /// Goes on by `dt` seconds, [`host::TICK`](crate::host::TICK).
    fn update(&mut self, dt: f32, input: &Input) {
        let _ = (dt, input);
    }

    /// Draws its state. Called after `init` and after any tick.
    fn draw(&self, canvas: &mut Canvas);

    /// Where a ray meets what can be walked on or clicked at; the plane y = 0 if not said otherwise.
    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        ray.on_plane(0.0)
    }

    /// The numbers by which two runs are compared, always the same names in the same order.
    fn figures(&self, figures: &mut Figures) {
        let _ = figures;
    }

    /// How long the parts of the last tick took, if it can say: by [`Setup::clock`].
    fn phases(&self, phases: &mut Phases) {
        let _ = phases;
    }

    /// What there is to say about its state now: notes, warnings, and violations of what must always hold.
    fn report(&self, report: &mut Report) {
        let _ = report;
    }

    /// Adds to the digest what neither the drawing nor the figures show. Those are in it anyway.
    fn digest(&self, digest: &mut Digest) {
        let _ = digest;
    }
}

/// A prototype as the host holds it: any that can be cloned, which is how the host keeps checkpoints.
pub trait Instance: Prototype {
    /// A copy with the same state.
    fn copy(&self) -> Box<dyn Instance>;
}

impl<T: Prototype + Clone + 'static> Instance for T {
    fn copy(&self) -> Box<dyn Instance> {
        Box::new(self.clone())
    }
}

/// A row of the registry; `build.rs` writes them.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name of its file, without `.rs`: how it is called in addresses and case files.
    pub name: &'static str,
    /// The text of its file.
    pub source: &'static str,
    /// Makes one with default parameters. [`init`](Prototype::init) has not been called.
    pub make: fn() -> Box<dyn Instance>,
}

impl core::fmt::Debug for Entry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name)
    }
}

impl Entry {
    /// What it says about itself.
    #[must_use]
    pub fn meta(&self) -> Meta {
        (self.make)().meta()
    }

    /// Its source file, from the root of the repository.
    #[must_use]
    pub fn file(&self) -> String {
        format!("crates/wayfare-lab/src/prototypes/{}.rs", self.name)
    }
}

/// The groups of the list, in the order in which they are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// From polygons to a straight line.
    #[default]
    Paths,
    /// What searches do, node by node.
    Searches,
    /// One agent on the mesh.
    Movement,
    /// Velocities that avoid others.
    Avoidance,
    /// Many agents.
    Crowds,
    /// Meshes that change.
    Change,
    /// Tiles, hierarchy, streaming.
    Worlds,
    /// Hulls and the like.
    Geometry,
}

impl Category {
    /// All, in order.
    pub const ALL: [Self; 8] = [
        Self::Paths,
        Self::Searches,
        Self::Movement,
        Self::Avoidance,
        Self::Crowds,
        Self::Change,
        Self::Worlds,
        Self::Geometry,
    ];

    /// Its name in the list.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paths => "Paths",
            Self::Searches => "Searches",
            Self::Movement => "Movement",
            Self::Avoidance => "Avoidance",
            Self::Crowds => "Crowds",
            Self::Change => "Change",
            Self::Worlds => "Large worlds",
            Self::Geometry => "Geometry",
        }
    }
}

/// What a prototype says about itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meta {
    /// Its title in the list, a few words.
    pub title: &'static str,
    /// Where it stands in the list.
    pub category: Category,
    /// One paragraph: what is seen, what to try, what to learn from it.
    pub help: &'static str,
    /// The post or paper that it is about: title and date.
    pub source: &'static str,
}

/// What a run begins with.
#[derive(Clone)]
pub struct Setup {
    /// Where all randomness comes from.
    pub seed: u64,
    /// Tells the time for [`Prototype::phases`]; zero for ever where nobody measures.
    pub clock: Clock,
}

/// The caller's clock: time since some moment in the past. The lab has none of its own.
pub type Clock = Rc<dyn Fn() -> Duration>;

impl Setup {
    /// A run with this seed, without a clock.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        Self { seed, clock: Rc::new(|| Duration::ZERO) }
    }
}

impl core::fmt::Debug for Setup {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup").field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it counts or measures.
    pub name: &'static str,
    /// Its value; NaN where there is none now.
    pub value: f64,
    /// Its unit; empty for counts.
    pub unit: &'static str,
}

/// Collects figures.
#[derive(Clone, Debug, Default)]
pub struct Figures(pub Vec<Figure>);

impl Figures {
    /// A number with a unit.
    pub fn push(&mut self, name: &'static str, value: impl Into<f64>, unit: &'static str) {
        self.0.push(Figure { name, value: value.into(), unit });
    }

    /// A count.
    pub fn count(&mut self, name: &'static str, count: usize) {
        self.push(name, count as f64, "");
    }
}

/// Collects how long parts of a tick took.
#[derive(Clone, Debug, Default)]
pub struct Phases(pub Vec<(&'static str, Duration)>);

impl Phases {
    /// A part and its time.
    pub fn push(&mut self, name: &'static str, time: Duration) {
        self.0.push((name, time));
    }
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something happened.
    Note,
    /// Something that a game would want to know.
    Warning,
    /// Something that must never happen: tests fail on it.
    Violation,
}

/// One thing that a prototype says about its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in a sentence.
    pub text: String,
    /// Where it is, if it is anywhere.
    pub at: Option<Vec3>,
}

/// Collects remarks.
#[derive(Clone, Debug, Default)]
pub struct Report(pub Vec<Remark>);

impl Report {
    /// Something happened.
    pub fn note(&mut self, text: impl Into<String>, at: Option<Vec3>) {
        self.push(Severity::Note, text.into(), at);
    }

    /// Something that a game would want to know.
    pub fn warn(&mut self, text: impl Into<String>, at: Option<Vec3>) {
        self.push(Severity::Warning, text.into(), at);
    }

    /// Something that must never happen.
    pub fn violation(&mut self, text: impl Into<String>, at: Option<Vec3>) {
        self.push(Severity::Violation, text.into(), at);
    }

    /// A violation unless `holds`.
    pub fn must(&mut self, holds: bool, text: &str, at: Option<Vec3>) {
        if !holds {
            self.violation(text, at);
        }
    }

    fn push(&mut self, severity: Severity, text: String, at: Option<Vec3>) {
        self.0.push(Remark { severity, text, at });
    }
}

/// Turns a state into one number (FNV-1a, 64 bits): equal states, equal numbers, on every platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Adds a whole number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// Adds the bits of a float.
    pub fn float(&mut self, float: f32) {
        self.bytes(&float.to_bits().to_le_bytes());
    }

    /// Adds a point.
    pub fn point(&mut self, point: Vec3) {
        point.to_array().into_iter().for_each(|axis| self.float(axis));
    }

    /// The number.
    #[must_use]
    pub fn finish(self) -> u64 {
        self.0
    }
}
