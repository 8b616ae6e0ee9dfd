//! The file and size of a drawn answer.

use crate::dash::is_dash;
use crate::failure::{Failure, Result};
use crate::output::{Kind, targets};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use std::path::{Path, PathBuf};

/// `--draw` and `--size`; each command describes in its help what it draws.
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
    /// The requested picture, in the form that [`targets::check`] needs. Not standard output, where the answer goes.
    ///
    /// [`targets::check`]: crate::output::targets::check
    pub(crate) fn output(&self) -> Result<Option<(&Path, Kind)>> {
        if self.draw.as_deref().is_some_and(is_dash) {
            return Err(Failure::new("--draw -: the answer goes to standard output; give the picture a file"));
        }
        self.draw.as_deref().map(|path| Ok((path, Kind::of_picture(path)?))).transpose()
    }

    /// Fails if the picture would overwrite an input file, or something other than a picture.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<()> {
        targets::check(self.output()?.as_slice(), inputs.iter().copied())
    }
}

/// The longer side of a drawing, pixels.
pub(crate) fn pixels() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(64..=16384)
}
