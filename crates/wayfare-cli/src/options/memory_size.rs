//! Amounts of memory on the command line: `2GiB`, `500MB`, or bytes.

use serde::Deserialize;
use std::str::FromStr;

/// Bytes, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct MemorySize(pub(crate) u64);

/// The units, longest first.
const UNITS: [(&str, u64); 7] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("", 1),
];

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.iter().find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes)));
        let bytes = unit.and_then(|(number, bytes)| {
            let number: f64 = number.trim_end().parse().ok()?;
            Some(number * bytes as f64).filter(|bytes| (1.0..u64::MAX as f64).contains(bytes))
        });
        bytes.map(|bytes| Self(bytes as u64)).ok_or_else(|| {
            format!("\"{text}\" is no amount of memory: give bytes, or a number with kB, MB, GB, KiB, MiB or GiB, as in 2GiB")
        })
    }
}

/// The forms in which it is written in a file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Bytes(u64),
    Text(String),
}

impl TryFrom<Written> for MemorySize {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Bytes(bytes) => bytes.to_string().parse(),
            Written::Text(text) => text.parse(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_units_or_are_bytes() {
        let amounts = [("2GiB", 2 << 30), ("1.5 MB", 1_500_000), ("4096", 4096), ("1e3kB", 1_000_000), ("8KiB", 8192)];
        for (text, bytes) in amounts {
            assert_eq!(text.parse(), Ok(MemorySize(bytes)), "{text}");
        }
        for wrong in ["", "0", "-1GB", "GiB", "many", "nan", "1e30GB", "3 stones"] {
            assert!(wrong.parse::<MemorySize>().is_err(), "{wrong}");
        }
    }
}
