//! Where an answer is drawn, and how large.

use crate::dash::is_dash;
use crate::failure::{Failure, Result};
use crate::output::{Kind, targets};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use std::path::{Path, PathBuf};

/// `--draw` and `--size`; each command says in its help what it draws.
#[derive(Args, Debug)]
pub(crate) struct Drawing {
    /// Draw the answer: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) draw: Option<PathBuf>,
    /// Longer side of the drawing, pixels; title, key and margins come on top
    #[arg(long, value_name = "PX", default_value_t = 1400, requires = "draw", value_parser = pixels())]
    pub(crate) size: u32,
}

impl Drawing {
    /// The picture that is asked for, if one is, as [`targets::check`] wants it. Not on standard output, where the
    /// answer goes.
    ///
    /// [`targets::check`]: crate::output::targets::check
    pub(crate) fn output(&self) -> Result<Option<(&Path, Kind)>> {
        if self.draw.as_deref().is_some_and(is_dash) {
            return Err(Failure::new("--draw -: the answer goes to standard output; give the picture a file"));
        }
        self.draw.as_deref().map(|path| Ok((path, Kind::of_picture(path)?))).transpose()
    }

    /// Fails if the picture would be written over a file that is read, or over something else than a picture.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<()> {
        targets::check(self.output()?.as_slice(), inputs.iter().copied())
    }
}

/// The longer side of a drawing, pixels.
pub(crate) fn pixels() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(64..=16384)
}
