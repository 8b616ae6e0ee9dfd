//! The list of prototypes: by category, with search.

use crate::prototype::{Category, Entry, Meta};

/// All prototypes, by file name.
#[must_use]
pub fn all() -> &'static [Entry] {
    crate::prototypes::ALL
}

/// The prototype of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.name == name)
}

/// A row of the list.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The prototype.
    pub entry: &'static Entry,
    /// What it says about itself.
    pub meta: Meta,
}

/// The prototypes whose title, name, source or help hold every word of `search`, in any case; category by category, by
/// title. An empty search finds all, and a category without any is left out.
#[must_use]
pub fn list(search: &str) -> Vec<(Category, Vec<Row>)> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let mut rows: Vec<Row> = all().iter().map(|entry| Row { entry, meta: entry.meta() }).collect();
    rows.retain(|row| {
        let text = [row.entry.name, row.meta.title, row.meta.source, row.meta.help].join(" ").to_lowercase();
        words.iter().all(|word| text.contains(word))
    });
    rows.sort_by_key(|row| (row.meta.category, row.meta.title));
    let of = |category| rows.iter().filter(move |row| row.meta.category == category).copied().collect();
    let groups = Category::ALL.map(|category| (category, of(category)));
    groups.into_iter().filter(|(_, rows): &(_, Vec<Row>)| !rows.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_finds_words_anywhere() {
        let count = |search| list(search).iter().map(|(_, rows)| rows.len()).sum::<usize>();
        assert_eq!(count(""), all().len());
        assert_eq!(count("STUPID  funnel"), 1);
        assert_eq!(count("no such prototype"), 0);
    }
}
