//! Pictures: meshes, paths and agents from above, as SVG and PNG.

use crate::arrays::{Point, points};
use crate::errors;
use crate::held::Seen;
use crate::mesh::PyNavMesh;
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wayfare::debug::{ShapeList, draw_mesh, draw_path, draw_trail};
use wayfare_draw::{Caption, draw_shapes};

/// Paths as they are given: none, one (a `Path`, or points), or several.
fn list_of_paths<'py>(given: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    if given.hasattr("points")? {
        return Ok(vec![given.clone()]);
    }
    let items = given.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    // The points of one path: their items are points, not lists of them.
    let is_point = |item: &Bound<'py, PyAny>| -> PyResult<bool> {
        Ok(!item.hasattr("points")? && item.extract::<Point>().is_ok())
    };
    match items.first().map(is_point).transpose()? {
        Some(true) => Ok(vec![given.clone()]),
        _ => Ok(items),
    }
}

fn shapes(nav: &PyNavMesh, paths: Option<&Bound<'_, PyAny>>, agents: Option<&Bound<'_, PyAny>>) -> PyResult<ShapeList> {
    let mut shapes = ShapeList::new();
    draw_mesh(nav.mesh(), &mut shapes);
    for (number, path) in (0u32..).zip(list_of_paths(paths)?) {
        let own = path.getattr_opt("points")?.unwrap_or_else(|| path.clone());
        let line = points(&own, "path")?;
        let line = line.as_slice()?;
        if let Some(last) = line.last() {
            draw_path(line, *last, number, &mut shapes);
        }
    }
    if let Some(agents) = agents {
        let places = points(agents, "agents")?;
        for (number, place) in (0u32..).zip(places.as_slice()?) {
            draw_trail(&[*place], number, &mut shapes);
        }
    }
    Ok(shapes)
}

/// The longer side of the largest picture, pixels: more would take gigabytes.
const LARGEST: u32 = 8192;

fn check_size(size: u32) -> PyResult<()> {
    if (1..=LARGEST).contains(&size) {
        return Ok(());
    }
    Err(errors::value(format_args!("size is {size} pixels, but must be from 1 to {LARGEST}")))
}

#[pymethods]
impl PyNavMesh {
    /// A picture of the mesh from above as SVG, with paths (a `Path` or its points, shape (n, 3), or a list of them) and agents, shape (n, 3).
    /// `size` is its longer side in pixels, 1 to 8192.
    #[pyo3(signature = (*, paths = None, agents = None, title = "mesh", size = 800))]
    fn to_svg(
        slf: Seen<'_, Self>,
        paths: Option<Bound<'_, PyAny>>,
        agents: Option<Bound<'_, PyAny>>,
        title: &str,
        #[pyo3(from_py_with = whole)] size: u32,
    ) -> PyResult<String> {
        let shapes = shapes(&slf, paths.as_ref(), agents.as_ref())?;
        check_size(size)?;
        Ok(draw_shapes(&shapes, &Caption::of(title, slf.mesh()), size).to_svg())
    }

    /// The same as the bytes of a PNG file.
    #[pyo3(signature = (*, paths = None, agents = None, title = "mesh", size = 800))]
    fn to_png<'py>(
        slf: Seen<'_, Self>,
        py: Python<'py>,
        paths: Option<Bound<'py, PyAny>>,
        agents: Option<Bound<'py, PyAny>>,
        title: &str,
        #[pyo3(from_py_with = whole)] size: u32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let shapes = shapes(&slf, paths.as_ref(), agents.as_ref())?;
        check_size(size)?;
        let png = draw_shapes(&shapes, &Caption::of(title, slf.mesh()), size).to_png().map_err(errors::value)?;
        Ok(PyBytes::new(py, &png))
    }

    /// What a notebook shows.
    fn _repr_svg_(slf: Seen<'_, Self>) -> PyResult<String> {
        Self::to_svg(slf, None, None, "mesh", 600)
    }
}

/// The built-in levels: name, and what each shows.
#[pyfunction]
pub(crate) fn scenes() -> Vec<(&'static str, &'static str)> {
    wayfare_scenes::all().iter().map(|scene| (scene.name, scene.summary)).collect()
}
