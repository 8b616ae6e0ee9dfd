//! Links of the documents: the file that a link names is there, and so is the heading; and so is each source file that
//! a page names as code.
//!
//! The manual is a site as well (`docs/book.toml`): its pages link to each other only, and each stands in its summary.
//! The pages in `docs/dev` are not part of it: they are read in the repository.

use crate::run::root;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where the manual is.
const MANUAL: &str = "docs";
/// Pages beside it, for those who work on the project.
const DEV: &str = "docs/dev";
/// Its list of pages.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Where the site has the lab.
const LAB: &str = "docs/lab/index.html";

/// What matters of a page.
#[derive(Default)]
struct Page {
    /// Its headings, as links name them.
    headings: Vec<String>,
    /// Where its links lead, as they are written.
    links: Vec<String>,
    /// The source files that it names as code, without `../` in front.
    sources: Vec<String>,
}

/// Adds a line for each link of these documents that leads nowhere, and for each source file named in them that is not
/// among `sources`. Links into the world outside are left alone.
pub(crate) fn check(names: &[String], sources: &[String], wrong: &mut Vec<String>) -> Result<(), String> {
    let mut pages = BTreeMap::new();
    for name in names {
        let text = fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"))?;
        pages.insert(PathBuf::from(name), Page::read(&text));
    }
    for (from, page) in &pages {
        for link in page.links.iter().filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            if let Some(fault) = fault_of(link, from, &pages) {
                wrong.push(format!("{}: the link to {link} {fault}", from.display()));
            }
        }
        for name in page.sources.iter().filter(|name| !sources.iter().any(|source| is_named(source, name))) {
            wrong.push(format!("{}: names {name}, which is no source file", from.display()));
        }
    }
    let listed: Vec<PathBuf> = pages
        .get(Path::new(SUMMARY))
        .map_or_else(Vec::new, |summary| summary.links.iter().map(|link| Path::new(MANUAL).join(link)).collect());
    let of_manual = pages.keys().filter(|page| is_of_manual(page) && *page != Path::new(SUMMARY));
    let unlisted = of_manual.filter(|page| !listed.contains(page));
    wrong.extend(unlisted.map(|page| format!("{}: does not stand in {SUMMARY}", page.display())));
    Ok(())
}

/// Whether the site has this page.
fn is_of_manual(page: &Path) -> bool {
    page.starts_with(MANUAL) && !page.starts_with(DEV)
}

/// Whether the end of this source file's path is what a page calls it: `mesh/check.rs`, `check.rs`.
fn is_named(source: &str, name: &str) -> bool {
    source.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// What is wrong with a link, if anything is.
fn fault_of(link: &str, from: &Path, pages: &BTreeMap<PathBuf, Page>) -> Option<&'static str> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let folder = from.parent().unwrap_or(Path::new(""));
    let target = if file.is_empty() { from.to_path_buf() } else { flat(&folder.join(file)) };
    // Made with the site, by `cargo xtask manual`; the lab's own tests follow these links.
    if target == Path::new(LAB) {
        return None;
    }
    let is_text = target.extension().is_some_and(|x| x == "md");
    if is_of_manual(from) && !(if is_text { is_of_manual(&target) } else { target.starts_with(MANUAL) }) {
        return Some("leaves the manual, where its site has nothing");
    }
    if !root().join(&target).exists() {
        return Some("finds no such file");
    }
    if heading.is_empty() {
        return None;
    }
    match pages.get(&target) {
        Some(page) if page.headings.iter().any(|there| there == heading) => None,
        Some(_) => Some("finds no such heading"),
        None => Some("names a heading of what is no page"),
    }
}

/// A path without `..`.
fn flat(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = flat.pop(),
            Component::CurDir => {}
            part => flat.push(part),
        }
    }
    flat
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            if let Event::Code(code) = &event {
                page.sources.extend(source_name(code));
            }
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.headings.extend(heading.take().map(|text| anchor(&text))),
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page
    }
}

/// The source file that this code names, if it is nothing but the path of one. Patterns such as `*_tests.rs` are none.
fn source_name(code: &str) -> Option<String> {
    let is_path = |c: char| c.is_alphanumeric() || ['_', '-', '.', '/'].contains(&c);
    (code.ends_with(".rs") && code.chars().all(is_path)).then(|| code.trim_start_matches("../").to_owned())
}

/// How links name a heading: in small letters, with hyphens for spaces, without other signs.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_what_is_not_there_are_found() {
        let text =
            "# One `two`, three!\n\n[a](b.md#c) ![d](e.png)\n\n| f |\n|---|\n| [g](h.md) |\n\n`i/j.rs` `*.rs` `k`\n";
        let page = Page::read(text);
        assert_eq!(page.headings, ["one-two-three"]);
        assert_eq!(page.links, ["b.md#c", "e.png", "h.md"]);
        assert_eq!(page.sources, ["i/j.rs"]);
        let named = ["crates/i/j.rs", "i/j.rs", "ii/j.rs", "i/j.rs.old"].map(|source| is_named(source, "i/j.rs"));
        assert_eq!(named, [true, true, false, false]);
        let name = PathBuf::from("docs/README.md");
        let pages = BTreeMap::from([(name.clone(), page)]);
        let fault = |link| fault_of(link, &name, &pages);
        assert_eq!(fault("#one-two-three"), None);
        assert_eq!(fault("dev/public-api.txt"), None);
        assert_eq!(fault("lab/index.html#scene=dungeon"), None);
        assert_eq!(fault("#two"), Some("finds no such heading"));
        assert_eq!(fault("no-such-page.md"), Some("finds no such file"));
        assert_eq!(fault("../Cargo.toml"), Some("leaves the manual, where its site has nothing"));
        assert_eq!(fault("dev/making-it-fast.md"), Some("leaves the manual, where its site has nothing"));
    }
}
