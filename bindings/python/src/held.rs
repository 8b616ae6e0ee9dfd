//! Objects that one call at a time may change: a call that finds its object in use says so, and what to do.
//!
//! It meets another on a second thread, as long as that one works with the interpreter's lock released; or further up on its own, in a function
//! that the work calls. pyo3 knows this as borrowing, and would raise "Already borrowed".

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pyclass::PyClass;
use pyo3::pyclass::boolean_struct::False;
use std::ops::{Deref, DerefMut};

/// The object of a method that changes it.
pub(crate) struct Own<'py, T: PyClass<Frozen = False>>(PyRefMut<'py, T>);

/// The object of a method that reads it, or an argument that is only read.
pub(crate) struct Seen<'py, T: PyClass>(PyRef<'py, T>);

/// An object to change.
pub(crate) fn own<'py, T: PyClass<Frozen = False>>(object: &Bound<'py, T>) -> PyResult<PyRefMut<'py, T>> {
    object.try_borrow_mut().map_err(|_| busy(object))
}

/// An object to read.
pub(crate) fn seen<'py, T: PyClass>(object: &Bound<'py, T>) -> PyResult<PyRef<'py, T>> {
    object.try_borrow().map_err(|_| busy(object))
}

#[cold]
fn busy<T>(object: &Bound<'_, T>) -> PyErr {
    let name = object.as_any().get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    PyRuntimeError::new_err(format!(
        "this {name} is in use by another call, on another thread or in a function that called this one: wait until that \
         returns, or give each thread a {name} of its own"
    ))
}

impl<'py, T: PyClass<Frozen = False>> TryFrom<&Bound<'py, T>> for Own<'py, T> {
    type Error = PyErr;

    fn try_from(object: &Bound<'py, T>) -> PyResult<Self> {
        own(object).map(Self)
    }
}

impl<'py, T: PyClass> TryFrom<&Bound<'py, T>> for Seen<'py, T> {
    type Error = PyErr;

    fn try_from(object: &Bound<'py, T>) -> PyResult<Self> {
        seen(object).map(Self)
    }
}

impl<'py, T: PyClass> FromPyObject<'_, 'py> for Seen<'py, T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        seen(&*object.cast::<T>()?).map(Self)
    }
}

impl<T: PyClass<Frozen = False>> Deref for Own<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: PyClass<Frozen = False>> DerefMut for Own<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: PyClass> Deref for Seen<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
