//! The places that break a rule today: a file of lines under a comment that says what the rule is.

use crate::run::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

pub(super) struct Exceptions {
    name: &'static str,
    /// The comment at the file's beginning.
    head: String,
    lines: BTreeSet<String>,
}

impl Exceptions {
    pub(super) fn read(name: &'static str) -> Result<Self, String> {
        let text = fs::read_to_string(path(name)).map_err(|e| format!("{}: {e}", path(name).display()))?;
        Ok(Self::parse(name, &text))
    }

    fn parse(name: &'static str, text: &str) -> Self {
        let is_comment = |line: &&str| line.starts_with('#');
        let head = text.lines().take_while(is_comment).map(|line| format!("{line}\n")).collect();
        Self { name, head, lines: text.lines().skip_while(is_comment).map(str::to_owned).collect() }
    }

    /// Tells what is new, and what may be struck off.
    pub(super) fn compare(&self, found: &[String], wrong: &mut Vec<String>) {
        let found: BTreeSet<&String> = found.iter().collect();
        let listed: BTreeSet<&String> = self.lines.iter().collect();
        wrong.extend(found.difference(&listed).map(|new| format!("{}: {new}", self.name)));
        wrong.extend(
            listed
                .difference(&found)
                .map(|old| format!("{}: strike off `{old}`: it is mended", path(self.name).display())),
        );
    }

    /// Writes the list anew.
    pub(super) fn write(&self, found: &[String]) -> Result<(), String> {
        let lines: BTreeSet<&String> = found.iter().collect();
        let lines: String = lines.into_iter().map(|line| format!("{line}\n")).collect();
        fs::write(path(self.name), self.head.clone() + &lines)
            .map_err(|e| format!("{}: {e}", path(self.name).display()))
    }
}

fn path(name: &str) -> PathBuf {
    root().join("xtask/structure").join(format!("{name}.txt"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_and_what_is_gone_are_both_told() {
        let list = Exceptions::parse("rule", "# A rule.\na\nb\n");
        let told = |found: &[&str]| {
            let mut wrong = Vec::new();
            list.compare(&found.iter().map(|&line| line.to_owned()).collect::<Vec<_>>(), &mut wrong);
            wrong.len()
        };
        assert_eq!([told(&["a", "b"]), told(&["a"]), told(&["a", "b", "c"]), told(&[])], [0, 1, 1, 2]);
    }
}
