//! `--tiles X0,Z0,X1,Z1`: a range of tiles.

use std::str::FromStr;
use wayfare::world::TileWindow;

/// Columns and rows, each from the first to the last, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileRange {
    first: [u32; 2],
    last: [u32; 2],
}

impl TileRange {
    /// The tiles.
    pub(crate) fn window(&self) -> TileWindow {
        let range = |axis: usize| self.first[axis]..self.last[axis].saturating_add(1);
        TileWindow { columns: range(0), rows: range(1) }
    }
}

impl FromStr for TileRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<u32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x0, z0, x1, z1]) if x0 <= x1 && z0 <= z1 => Ok(Self { first: [x0, z0], last: [x1, z1] }),
            _ => {
                Err("must be X0,Z0,X1,Z1: the first column and row and the last, counted from 0, as in 0,0,15,7".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_and_row_are_in_it() {
        let window = "1,2,3,2".parse::<TileRange>().unwrap().window();
        assert_eq!((window.columns, window.rows), (1..4, 2..3));
        for wrong in ["", "1,2,3", "3,0,1,0", "a,0,1,1", "-1,0,1,1", "0,0,1,1,1"] {
            assert!(wrong.parse::<TileRange>().is_err(), "{wrong}");
        }
    }
}
