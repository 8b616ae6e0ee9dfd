//! Reads files with one JSON object per line. Errors name the file and the line.

use super::plainly;
use crate::failure::{Failure, Result};
use serde::de::DeserializeOwned;
use std::path::Path;

/// The parsed lines of a file, each with its number; empty lines are skipped. `shape` is shown in errors: the format of
/// a line.
pub(crate) fn read<T: DeserializeOwned>(file: &Path, shape: &str) -> Result<Vec<(usize, T)>> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::io(file.display(), &e))?;
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| match serde_json::from_str(line) {
            Ok(value) => Ok((number, value)),
            Err(e) => Err(wrong(file, number, format_args!("{}; a line is {shape}", in_line(&e)))),
        })
        .collect()
}

/// The non-empty lines of a text, each with its number.
pub(crate) fn numbered(text: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    (1..).zip(text.split(|byte| *byte == b'\n')).filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// An error in a line of a file.
pub(crate) fn wrong(file: &Path, line: usize, what: impl std::fmt::Display) -> Failure {
    Failure::about(file.display(), format_args!("line {line}: {what}"))
}

/// An error in the JSON of one line. The parser counts lines from where it began, and would say "line 1" for each.
pub(crate) fn in_line(e: &serde_json::Error) -> String {
    let message = e.to_string();
    let place = format!(" at line {} column {}", e.line(), e.column());
    let column = if e.column() > 0 { format!(", at column {}", e.column()) } else { String::new() };
    message.strip_suffix(&place).map_or_else(|| plainly(&message), |message| plainly(message) + &column)
}

/// Converts three numbers of a line to a point.
pub(crate) fn point(name: &str, numbers: [f32; 3]) -> std::result::Result<wayfare::Vec3, String> {
    let point = wayfare::Vec3::from_array(numbers);
    if point.is_finite() { Ok(point) } else { Err(format!("{name} is out of range: numbers lie within ±3.4e38")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_file_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("lines.jsonl");
        let refused = |text: &str| {
            std::fs::write(&file, text).unwrap();
            match read::<[u8; 2]>(&file, "[x, y]") {
                Err(Failure::Message(message)) => message.split_once("lines.jsonl: ").unwrap().1.to_owned(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(refused("[1, 2]\n\n[1, x]\n"), "line 3: expected value, at column 5; a line is [x, y]");
        assert!(refused("[1, 2]\n[1, 256]\n").starts_with("line 2: invalid value: the number `256`, expected an area"));
        std::fs::write(&file, "\u{feff}\n[1, 2]\n  \n[3, 4]").unwrap();
        assert!(matches!(read::<[u8; 2]>(&file, ""), Ok(lines) if lines == [(2, [1, 2]), (4, [3, 4])]));
    }

    #[test]
    fn numbers_too_large_for_a_point_are_named() {
        assert!(point("goal", [0.0, f32::INFINITY, 0.0]).unwrap_err().starts_with("goal is out of range"));
    }
}
