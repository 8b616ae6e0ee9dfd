//! Whole numbers as arguments: one that is out of range is a `ValueError` with the range, where pyo3 raises an `OverflowError` without it.
//! pyo3 adds a note with the argument's name.

use crate::errors;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use wayfare::context::Budget;

/// A kind of whole numbers, or of those that may be left out.
pub(crate) trait Whole: Sized {
    /// The range, as a sentence says it.
    const RANGE: &str;

    fn take(given: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// Reads an argument: `#[pyo3(from_py_with = whole)]`.
pub(crate) fn whole<T: Whole>(given: &Bound<'_, PyAny>) -> PyResult<T> {
    T::take(given).map_err(|error| {
        if !error.is_instance_of::<PyOverflowError>(given.py()) {
            return error;
        }
        errors::value(format_args!("{given} is out of range: give a whole number from {}", T::RANGE))
    })
}

macro_rules! whole {
    ($($kind:ty: $range:literal,)*) => {$(
        impl Whole for $kind {
            const RANGE: &str = $range;

            fn take(given: &Bound<'_, PyAny>) -> PyResult<Self> {
                given.extract()
            }
        }
    )*};
}

whole! {
    u16: "0 to 65535",
    u32: "0 to 4294967295",
    u64: "0 to 18446744073709551615",
    usize: "0 to 18446744073709551615",
    i32: "-2147483648 to 2147483647",
    i64: "-9223372036854775808 to 9223372036854775807",
}

impl<T: Whole> Whole for Option<T> {
    const RANGE: &str = T::RANGE;

    fn take(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { T::take(given).map(Some) }
    }
}

/// A budget of 1 or more: with 0, work that is done in steps would never end.
pub(crate) fn budget(units: u64) -> PyResult<Budget> {
    if units == 0 {
        return Err(errors::value("the budget is 0, with which the work never gets done: give 1 or more"));
    }
    Ok(Budget::new(units))
}

/// The same, where None stands for all that there is to do.
pub(crate) fn budget_or_all(units: Option<u64>) -> PyResult<Budget> {
    units.map_or_else(|| Ok(Budget::unlimited()), budget)
}
