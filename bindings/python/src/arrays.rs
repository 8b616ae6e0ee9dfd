//! Points and lists of them between Python and the library.
//!
//! A point is anything with three numbers: a tuple, a list, a numpy array. A list of points is a numpy array of shape `(n, 3)`. Arrays of
//! 32-bit floats that lie in one piece are read where they are; others are converted once. Answers are handed over without a copy.

use crate::path::PyPlace;
use numpy::{
    PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyArithmeticError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use wayfare::math::Aabb;
use wayfare::{Vec2, Vec3};

/// One array of points, read where it lies.
pub(crate) struct Points<'py>(PyReadonlyArray2<'py, f32>);

impl Points<'_> {
    /// The points.
    pub(crate) fn as_slice(&self) -> PyResult<&[Vec3]> {
        let flat = self.0.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(bytemuck::cast_slice(flat))
    }
}

fn describe(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "something else".into(), |name| name.to_string())
}

/// An empty list with room for so many, or `MemoryError`: memory that runs out later would end the process.
pub(crate) fn room<T>(count: usize) -> PyResult<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count)
        .map_err(|_| PyMemoryError::new_err(format!("there is no memory for {count} of them")))?;
    Ok(list)
}

/// A point of three numbers, all finite, or the point of a place of an earlier answer.
#[derive(Clone, Copy)]
pub(crate) struct Point(pub(crate) Vec3);

impl<'py> FromPyObject<'_, 'py> for Point {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(place) = object.cast::<PyPlace>() {
            return Ok(Self(place.get().point.into()));
        }
        let [x, y, z] = numbers::<3>(&object, "a point is three numbers x, y, z")?;
        let point = Vec3::new(x, y, z);
        if !point.is_finite() {
            return Err(PyValueError::new_err(format!("the point ({x}, {y}, {z}) is not finite: give three numbers")));
        }
        Ok(Self(point))
    }
}

/// Two numbers on the plane.
#[derive(Clone, Copy)]
pub(crate) struct Point2(pub(crate) Vec2);

impl<'py> FromPyObject<'_, 'py> for Point2 {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let [x, y] = numbers::<2>(&object, "a point on the plane is two numbers x, z")?;
        if !(x.is_finite() && y.is_finite()) {
            return Err(PyValueError::new_err(format!("the point ({x}, {y}) is not finite: give two numbers")));
        }
        Ok(Self(Vec2::new(x, y)))
    }
}

fn numbers<const N: usize>(object: &Bound<'_, PyAny>, what: &str) -> PyResult<[f32; N]> {
    let wrong = |count: usize| PyValueError::new_err(format!("{what}, not {count}"));
    let mut out = [0.0; N];
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(format!("{what}, not a text")));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        if tuple.len() != N {
            return Err(wrong(tuple.len()));
        }
        for (slot, item) in out.iter_mut().zip(tuple.iter_borrowed()) {
            *slot = item.extract::<f64>()? as f32;
        }
    } else if let Ok(list) = object.cast::<PyList>() {
        if list.len() != N {
            return Err(wrong(list.len()));
        }
        for (slot, item) in out.iter_mut().zip(list.iter()) {
            *slot = item.extract::<f64>()? as f32;
        }
    } else if let Ok(array) = object.cast::<PyArray1<f32>>() {
        from_array(array, &mut out, |value| value).map_err(wrong)?;
    } else if let Ok(array) = object.cast::<PyArray1<f64>>() {
        from_array(array, &mut out, |value| value as f32).map_err(wrong)?;
    } else {
        let items = object.try_iter().map_err(|error| {
            if !error.is_instance_of::<PyTypeError>(object.py()) {
                return error;
            }
            PyTypeError::new_err(format!("{what}: a tuple, a list or an array, not {}", describe(object)))
        })?;
        let items = items.map(|item| item?.extract::<f64>()).collect::<PyResult<Vec<f64>>>()?;
        if items.len() != N {
            return Err(wrong(items.len()));
        }
        out.iter_mut().zip(items).for_each(|(slot, value)| *slot = value as f32);
    }
    Ok(out)
}

/// Copies a short array, or gives its length if that is another.
fn from_array<T: numpy::Element>(
    array: &Bound<'_, PyArray1<T>>,
    out: &mut [f32],
    narrow: impl Fn(T) -> f32,
) -> Result<(), usize> {
    if array.len() != out.len() {
        return Err(array.len());
    }
    for (i, slot) in out.iter_mut().enumerate() {
        // One by one, for a view of all would note that it is being read, which takes longer than the reading.
        *slot = array.get_owned(i).map(&narrow).ok_or(array.len())?;
    }
    Ok(())
}

/// The same array in another type of number, in one piece. What is no real number is not made one.
fn contiguous<'py>(object: &Bound<'py, PyAny>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (object,))?;
    let dtype = array.getattr("dtype")?;
    if !matches!(dtype.getattr("kind")?.extract::<String>()?.as_str(), "b" | "i" | "u" | "f") {
        return Err(PyTypeError::new_err(format!("an array of {dtype} is no array of numbers")));
    }
    numpy.call_method1("require", (array, kind, "CA"))
}

/// Numbers of 0 to 255 of whichever whole type, as bytes in one piece.
pub(crate) fn whole_bytes<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let numpy = object.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (object,))?;
    let kind = array.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
    let is_empty = array.getattr("size")?.extract::<usize>()? == 0;
    if !is_empty && !matches!(kind.as_str(), "b" | "i" | "u") {
        return Err(PyTypeError::new_err(format!(
            "{name} are whole numbers, not an array of {}",
            array.getattr("dtype")?
        )));
    }
    let bytes = contiguous(&array, "uint8").map_err(|e| named(object.py(), e, name))?;
    if !numpy.call_method1("array_equal", (&array, &bytes))?.is_truthy()? {
        return Err(PyValueError::new_err(format!("{name} are numbers of 0 to 255, but some lie beyond")));
    }
    Ok(bytes)
}

/// Whether an array's numbers lie where the machine reads them.
fn is_aligned(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    array.getattr("flags")?.getattr("aligned")?.extract()
}

/// Points of shape `(n, 3)`; `name` is that of the argument. All must be finite.
pub(crate) fn points<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Points<'py>> {
    let points = loose_points(object, name)?;
    if let Some(row) = points.as_slice()?.iter().position(|point| !point.is_finite()) {
        let [x, y, z] = points.as_slice()?[row].to_array();
        return Err(PyValueError::new_err(format!("row {row} of {name} is ({x}, {y}, {z}): give finite numbers")));
    }
    Ok(points)
}

/// The same where points that are not finite are looked at by the library.
pub(crate) fn loose_points<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Points<'py>> {
    let array = rows::<f32>(object, name, 3, "float32")?;
    Ok(Points(array))
}

/// An array of `columns` numbers a row, without a copy where it has the right form.
pub(crate) fn rows<'py, T: numpy::Element>(
    object: &Bound<'py, PyAny>,
    name: &str,
    columns: usize,
    kind: &str,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    let shape = |shape: &[usize]| {
        PyValueError::new_err(format!("{name} must be an array of shape (n, {columns}), not {shape:?}"))
    };
    if let Ok(array) = object.cast::<PyArray2<T>>() {
        if array.shape()[1] != columns {
            return Err(shape(array.shape()));
        }
        if array.is_c_contiguous() && is_aligned(object)? {
            return Ok(array.readonly());
        }
    }
    let array = contiguous(object, kind)
        .map_err(|e| named(object.py(), e, name))?
        .cast_into::<PyArrayDyn<T>>()
        .map_err(|e| PyTypeError::new_err(format!("{name}: {e}")))?;
    if array.shape() == [0] {
        return Ok(PyArray2::zeros(object.py(), [0, columns], false).readonly());
    }
    let found = array.shape().to_vec();
    let array = array.cast_into::<PyArray2<T>>().map_err(|_| shape(&found))?;
    if found[1] != columns {
        return Err(shape(&found));
    }
    Ok(array.readonly())
}

/// Whether an error says what is wrong with a value. Others, such as Ctrl-C or memory that ran out in a function of the caller, are passed on.
pub(crate) fn is_about_the_value(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyArithmeticError>(py)
}

fn named(py: Python<'_>, error: PyErr, name: &str) -> PyErr {
    if !is_about_the_value(py, &error) {
        return error;
    }
    let message = format!("{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(message) } else { PyValueError::new_err(message) }
}

/// An array of one number a row.
pub(crate) fn column<'py, T: numpy::Element>(
    object: &Bound<'py, PyAny>,
    name: &str,
    kind: &str,
) -> PyResult<PyReadonlyArray1<'py, T>> {
    if let Ok(array) = object.cast::<PyArray1<T>>()
        && array.is_c_contiguous()
        && is_aligned(object)?
    {
        return Ok(array.readonly());
    }
    let array = contiguous(object, kind).map_err(|e| named(object.py(), e, name))?;
    let array = array
        .cast_into::<PyArray1<T>>()
        .map_err(|_| PyValueError::new_err(format!("{name} must be an array of one number a row")))?;
    Ok(array.readonly())
}

/// Fails unless two arrays have as many rows.
pub(crate) fn same_length(a: (&str, usize), b: (&str, usize)) -> PyResult<()> {
    if a.1 == b.1 {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{} has {} rows and {} has {}: give as many", a.0, a.1, b.0, b.1)))
}

/// Points as an array of shape `(n, 3)`, which takes over their memory.
pub(crate) fn from_points(py: Python<'_>, points: Vec<Vec3>) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let count = points.len();
    let flat: Vec<f32> = bytemuck::allocation::try_cast_vec(points)
        .unwrap_or_else(|(_, points)| points.iter().flat_map(|point| point.to_array()).collect());
    PyArray1::from_vec(py, flat).reshape([count, 3])
}

/// A row of `N` numbers each as an array of shape `(n, N)`, which takes over their memory.
pub(crate) fn from_rows<T: numpy::Element + Copy, const N: usize>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])
}

/// An array that is a copy of what an object holds: it cannot be written to, as that would change nothing.
pub(crate) fn read_only<'py, T>(array: Bound<'py, T>) -> PyResult<Bound<'py, T>> {
    array.as_any().getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

/// One number each as an array.
pub(crate) fn from_column<T: numpy::Element>(py: Python<'_>, values: Vec<T>) -> Bound<'_, PyArray1<T>> {
    PyArray1::from_vec(py, values)
}

/// One point as a tuple.
pub(crate) fn tuple(point: Vec3) -> (f32, f32, f32) {
    (point.x, point.y, point.z)
}

/// A box as its low and high corner.
pub(crate) type Corners = ((f32, f32, f32), (f32, f32, f32));

/// A box as a pair of tuples; `None` if nothing is in it.
pub(crate) fn corners(bounds: &Aabb) -> Option<Corners> {
    (!bounds.is_empty()).then(|| (tuple(bounds.min), tuple(bounds.max)))
}

/// A box of a low and a high corner.
pub(crate) fn aabb((low, high): (Point, Point)) -> PyResult<Aabb> {
    if !low.0.cmple(high.0).all() {
        return Err(PyValueError::new_err(format!(
            "a box is its low corner, then its high corner: {:?} is not below {:?}",
            low.0.to_array(),
            high.0.to_array()
        )));
    }
    Ok(Aabb { min: low.0, max: high.0 })
}
