//! What a chore that runs many others did: tests that passed, what was skipped in words, what failed.

use crate::run::run;

#[derive(Default)]
pub(crate) struct Tally {
    tests: u32,
    skipped: Vec<String>,
    failed: Vec<String>,
}

impl Tally {
    pub(crate) fn skip(&mut self, what: impl Into<String>) {
        let what = what.into();
        println!("\nskipped: {what}");
        self.skipped.push(what);
    }

    /// Notes tests that were run elsewhere, and passed.
    pub(crate) fn passed(&mut self, tests: u32) {
        self.tests += tests;
    }

    pub(crate) fn fail(&mut self, why: impl Into<String>) {
        self.failed.push(why.into());
    }

    /// Runs a line; whether it succeeded, which is as many tests as it `counts`.
    pub(crate) fn line(&mut self, line: &str, vars: &[(&str, &str)], counts: u32) -> bool {
        match run(line, vars) {
            Ok(()) => self.tests += counts,
            Err(why) => {
                self.fail(why);
                return false;
            }
        }
        true
    }

    /// Says what was skipped and how many tests passed, or what failed.
    pub(crate) fn close(self, what: &str) -> Result<(), String> {
        let Self { tests, skipped, failed } = self;
        for one in &skipped {
            println!("skipped: {one}");
        }
        if !failed.is_empty() {
            return Err(format!("{what}: {}", failed.join("\n")));
        }
        println!("\n{what}: {tests} passed, 0 failed, {} skipped", skipped.len());
        Ok(())
    }
}
