//! Names and default costs of the area types of a mesh.

use super::AreaId;

/// The name and the cost of an area type.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaInfo {
    /// The area type.
    pub area: AreaId,
    /// Name to show to people; may be empty. At most 255 bytes.
    pub name: String,
    /// Cost of a metre, 0 or above; 1 is an ordinary surface, infinite is impassable.
    pub cost: f32,
}

/// Names and costs by area type. A type that is not listed has no name and costs 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaTable(Vec<AreaInfo>);

/// Why a table of area types is invalid.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AreaTableError {
    /// An area type is listed twice.
    #[error("area type {area} is listed twice: list each once")]
    Twice {
        /// The area type.
        area: AreaId,
    },
    /// A cost is negative or NaN.
    #[error("the cost of area type {area} is {cost}: use zero or above")]
    Cost {
        /// The area type.
        area: AreaId,
        /// The cost given.
        cost: f32,
    },
    /// A name is too long.
    #[error("the name of area type {area} has {length} bytes: use at most 255")]
    Name {
        /// The area type.
        area: AreaId,
        /// Length of the name in bytes.
        length: usize,
    },
}

impl AreaTable {
    /// The empty table.
    pub const EMPTY: Self = Self(Vec::new());

    /// Makes a table of these entries, in any order.
    ///
    /// # Errors
    /// [`AreaTableError`]: an area type listed twice, a bad cost or a name that is too long.
    pub fn new(mut list: Vec<AreaInfo>) -> Result<Self, AreaTableError> {
        list.sort_by_key(|info| info.area);
        if let Some(pair) = list.windows(2).find(|pair| pair[0].area == pair[1].area) {
            return Err(AreaTableError::Twice { area: pair[0].area });
        }
        for &AreaInfo { area, ref name, cost } in &list {
            if cost.is_nan() || cost < 0.0 {
                return Err(AreaTableError::Cost { area, cost });
            }
            if name.len() > usize::from(u8::MAX) {
                return Err(AreaTableError::Name { area, length: name.len() });
            }
        }
        Ok(Self(list))
    }

    /// All entries, sorted by area type.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &AreaInfo> {
        self.0.iter()
    }

    /// The entry of an area type.
    #[must_use]
    pub fn get(&self, area: AreaId) -> Option<&AreaInfo> {
        self.0.binary_search_by_key(&area, |info| info.area).ok().map(|i| &self.0[i])
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_sorted_and_refuses_nonsense() {
        let info = |id, cost| AreaInfo { area: AreaId::from_low_bits(id), name: format!("type {id}"), cost };
        let table = AreaTable::new(vec![info(9, 2.0), info(3, 0.0)]).unwrap();
        assert_eq!(table.iter().map(|i| i.area.get()).collect::<Vec<_>>(), [3, 9]);
        assert_eq!(table.get(AreaId::from_low_bits(9)).map(|i| i.cost), Some(2.0));
        assert!(table.get(AreaId::WALKABLE).is_none() && AreaTable::EMPTY.is_empty());
        assert!(matches!(AreaTable::new(vec![info(1, 1.0), info(1, 2.0)]), Err(AreaTableError::Twice { .. })));
        assert!(matches!(AreaTable::new(vec![info(1, -1.0)]), Err(AreaTableError::Cost { .. })));
        let long = AreaInfo { name: "x".repeat(256), ..info(1, 1.0) };
        assert!(matches!(AreaTable::new(vec![long]), Err(AreaTableError::Name { length: 256, .. })));
    }
}
