//! How far long work has come: a bar on a terminal; nothing where standard error goes elsewhere, and with `--quiet`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// How far one piece of work has come; gone when dropped.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    /// None.
    pub(crate) fn hidden() -> Self {
        Self(None)
    }

    /// A bar for `total` steps of work. 0 steps: a spinner.
    pub(crate) fn drawn(what: &'static str, total: u64) -> Self {
        let template = if total == 0 {
            "{prefix:>12} {spinner} {elapsed}"
        } else {
            "{prefix:>12} [{bar:36}] {percent:>3}% {elapsed} (left: {eta})"
        };
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        bar.set_style(style);
        bar.set_prefix(what);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self(Some(bar))
    }

    /// So many steps are done.
    pub(crate) fn set(&self, done: u64, total: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(total);
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
