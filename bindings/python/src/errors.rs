//! What Python sees when something is wrong: its own exceptions, each with the sentence of the library.
//!
//! Values out of range, bad shapes and broken bytes are `ValueError`s; a reference to what is gone is a `StaleReferenceError`, which is a
//! `LookupError`; files are `OSError`s. An answer such as "no path" is never an exception.

use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use wayfare::format::StoreError;

create_exception!(
    wayfare,
    StaleReferenceError,
    PyLookupError,
    "A reference to a polygon, tile, agent or obstacle that is gone."
);
create_exception!(
    wayfare,
    BakeError,
    PyValueError,
    "A level that could not be baked; the sentence says what to change."
);
create_exception!(wayfare, FormatError, PyValueError, "Bytes that are not what they should be, or are broken.");
create_exception!(
    wayfare,
    OutdatedError,
    PyRuntimeError,
    "A copy of a mesh that has changed since: what has changed would be lost."
);
create_exception!(wayfare, WorldStoreError, PyOSError, "A tile store that could not be read or written.");

/// A value that is not allowed.
pub(crate) fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A level that could not be baked.
pub(crate) fn bake(error: impl Display) -> PyErr {
    BakeError::new_err(error.to_string())
}

/// A reference to what is gone.
pub(crate) fn stale(error: impl Display) -> PyErr {
    StaleReferenceError::new_err(error.to_string())
}

/// Bytes that are broken.
pub(crate) fn format(error: impl Display) -> PyErr {
    FormatError::new_err(error.to_string())
}

/// A store that failed.
pub(crate) fn store(error: impl Into<StoreError>) -> PyErr {
    WorldStoreError::new_err(error.into().to_string())
}

/// A file that could not be read or written, with its name.
pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> PyErr {
    use pyo3::exceptions::{PyFileNotFoundError, PyIsADirectoryError, PyPermissionError};
    let message = format!("{}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        std::io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        std::io::ErrorKind::IsADirectory => PyIsADirectoryError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}
