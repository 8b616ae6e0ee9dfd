//! Where an answer is drawn, and how large.

use clap::Args;
use std::path::PathBuf;

/// `--draw` and `--size`; each command says in its help what it draws.
#[derive(Args, Debug)]
pub(crate) struct Drawing {
    /// Draw the answer: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) draw: Option<PathBuf>,
    /// Longer side of the drawing, pixels
    #[arg(long, value_name = "PX", default_value_t = 1400, requires = "draw")]
    pub(crate) size: u32,
}
