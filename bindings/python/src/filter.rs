//! Which polygons may be walked on and what a metre costs there: flags and costs by area type, downhill slopes, overlays, or functions of
//! the caller.

use crate::errors;
use crate::held::Seen;
use crate::overlay::PyOverlay;
use crate::settings::area;
use crate::whole::whole;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use wayfare::area::{FlagMask, PolyFlags};
use wayfare::mesh::{NavMesh, PolyRef, PolyState};
use wayfare::query::{Crossing, DefaultFilter, DownhillOnly, Overlaid, QueryFilter};

/// Every filter that Python can make.
#[derive(Clone)]
pub(crate) enum AnyFilter {
    Plain(DefaultFilter),
    Downhill(DownhillOnly<DefaultFilter>),
    Overlaid(Box<Overlaid<DefaultFilter>>),
    OverlaidDownhill(Box<Overlaid<DownhillOnly<DefaultFilter>>>),
    Asked(Asked),
}

/// A filter whose questions go to Python. An exception closes everything until it is raised by whoever asked.
#[derive(Clone)]
pub(crate) struct Asked {
    inner: Box<AnyFilter>,
    /// Of one owner, whose clones share it.
    owned: Arc<Owned>,
}

/// What one owner of a filter has of it: references to its functions, which the collector of rings counts by owner, and what they raised.
struct Owned {
    passes: Option<Py<PyAny>>,
    cost: Option<Py<PyAny>>,
    failure: Mutex<Option<PyErr>>,
}

impl Owned {
    fn new(passes: Option<Py<PyAny>>, cost: Option<Py<PyAny>>) -> Arc<Self> {
        Arc::new(Self { passes, cost, failure: Mutex::default() })
    }

    /// The same functions for another owner.
    fn again(&self, py: Python<'_>) -> Arc<Self> {
        let reference = |function: &Option<Py<PyAny>>| function.as_ref().map(|function| function.clone_ref(py));
        Self::new(reference(&self.passes), reference(&self.cost))
    }
}

impl Asked {
    fn ask<T: Copy>(&self, otherwise: T, ask: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
        let failure = &self.owned.failure;
        let Ok(failed) = failure.lock().map(|failure| failure.is_some()) else { return otherwise };
        if failed {
            return otherwise;
        }
        Python::attach(|py| match ask(py) {
            Ok(answer) => answer,
            Err(error) => {
                if let Ok(mut failure) = failure.lock() {
                    failure.get_or_insert(error);
                }
                otherwise
            }
        })
    }
}

macro_rules! each {
    ($self:expr, $filter:ident => $call:expr, $asked:ident => $other:expr) => {
        match $self {
            AnyFilter::Plain($filter) => $call,
            AnyFilter::Downhill($filter) => $call,
            AnyFilter::Overlaid($filter) => $call,
            AnyFilter::OverlaidDownhill($filter) => $call,
            AnyFilter::Asked($asked) => $other,
        }
    };
}

impl QueryFilter for AnyFilter {
    #[inline]
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        each!(self, filter => filter.passes(poly, state), asked => {
            asked.inner.passes(poly, state) && asked.owned.passes.as_ref().is_none_or(|function| {
                asked.ask(false, |py| function.call1(py, (poly.to_bits(), state.area.get(), state.flags.0))?.bind(py).is_truthy())
            })
        })
    }

    #[inline]
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        each!(self, filter => filter.cost(crossing), asked => {
            let inner = asked.inner.cost(crossing);
            match &asked.owned.cost {
                None => inner,
                Some(function) => asked.ask(inner, |py| {
                    let (from, to) = (crate::arrays::tuple(crossing.from), crate::arrays::tuple(crossing.to));
                    let cost: f32 = function.call1(py, (crossing.poly.to_bits(), from, to, inner))?.extract(py)?;
                    if cost.is_nan() || cost < 0.0 {
                        return Err(errors::value(format_args!("a cost function gave {cost}: give 0 or more")));
                    }
                    Ok(cost)
                }),
            }
        })
    }

    #[inline]
    fn least_cost(&self) -> f32 {
        // A function may make anything cheap.
        each!(self, filter => filter.least_cost(), asked => if asked.owned.cost.is_some() { 0.0 } else { asked.inner.least_cost() })
    }

    #[inline]
    fn most_cost(&self) -> f32 {
        each!(self, filter => filter.most_cost(), asked => if asked.owned.cost.is_some() { f32::INFINITY } else { asked.inner.most_cost() })
    }

    #[inline]
    fn mask(&self) -> Option<FlagMask> {
        each!(self, filter => filter.mask(), _asked => None)
    }

    #[inline]
    fn is_by_state(&self) -> bool {
        each!(self, filter => filter.is_by_state(), _asked => false)
    }
}

impl AnyFilter {
    /// The filter of who gave none: all flags, at the costs of the mesh's area types.
    pub(crate) fn of_mesh(mesh: &NavMesh) -> Self {
        Self::Plain(DefaultFilter::of(mesh))
    }

    /// The same filter for another owner, who raises what its functions raise for them alone.
    pub(crate) fn apart(&self) -> Self {
        let Self::Asked(Asked { inner, owned }) = self else { return self.clone() };
        Self::Asked(Asked { inner: inner.clone(), owned: Python::attach(|py| owned.again(py)) })
    }

    /// Its functions: which polygons pass, and what they cost.
    fn functions(&self) -> [Option<&Py<PyAny>>; 2] {
        let Self::Asked(Asked { owned, .. }) = self else { return [None, None] };
        [owned.passes.as_ref(), owned.cost.as_ref()]
    }

    /// Shows its functions to the collector of rings: once for each owner.
    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.functions().into_iter().try_for_each(|function| visit.call(function))
    }

    /// Lets go of its functions: everything passes at its length from now on.
    pub(crate) fn clear(&mut self) {
        *self = Self::Plain(DefaultFilter::default());
    }

    /// Whether it has functions of the caller.
    pub(crate) fn may_raise(&self) -> bool {
        matches!(self, Self::Asked(_))
    }

    /// Whether anybody else has a filter with these functions.
    pub(crate) fn is_used(&self) -> bool {
        matches!(self, Self::Asked(asked) if Arc::strong_count(&asked.owned) > 1)
    }

    /// Raises what a function of the caller has raised since.
    pub(crate) fn raise(&self) -> PyResult<()> {
        let Self::Asked(asked) = self else { return Ok(()) };
        let failure = asked.owned.failure.lock().ok().and_then(|mut failure| failure.take());
        failure.map_or(Ok(()), Err)
    }
}

/// Raises the first of what the functions of filters have raised since; the others are forgotten, lest a later call raises them.
pub(crate) fn raise_first(filters: &[AnyFilter]) -> PyResult<()> {
    filters.iter().map(AnyFilter::raise).fold(Ok(()), Result::and)
}

/// Which polygons may be walked on, and what a metre costs there.
///
/// A polygon passes if it has one of the `include` flags and none of the `exclude` flags. `area_costs` are by area type, above 0; infinity
/// closes an area. With `max_rise`, what is steeper is walked down only. `overlays` are pairs of a `CostOverlay`, as it is now, and a weight.
/// `passes(poly, area, flags)` and `cost(poly, start, end, usual)` are functions of your own, asked while searches run: slow, and whatever
/// they raise is raised by the query.
#[pyclass(module = "wayfare", name = "Filter", frozen)]
pub(crate) struct PyFilter {
    include: u16,
    exclude: u16,
    costs: BTreeMap<i64, f32>,
    max_rise: Option<f32>,
    overlays: Vec<(Py<PyOverlay>, f32)>,
    pub(crate) any: AnyFilter,
}

/// A filter for somebody, or that of a mesh's costs if there is none.
pub(crate) fn or_default(filter: Option<&PyFilter>, mesh: &NavMesh) -> AnyFilter {
    filter.map_or_else(|| AnyFilter::of_mesh(mesh), |filter| filter.any.apart())
}

#[pymethods]
impl PyFilter {
    #[new]
    #[pyo3(signature = (*, include = 0xffff, exclude = 0, area_costs = BTreeMap::new(), max_rise = None, overlays = Vec::new(), passes = None, cost = None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] include: u16,
        #[pyo3(from_py_with = whole)] exclude: u16,
        area_costs: BTreeMap<i64, f32>,
        max_rise: Option<f32>,
        overlays: Vec<(Py<PyOverlay>, f32)>,
        passes: Option<Py<PyAny>>,
        cost: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        for function in [&passes, &cost].into_iter().flatten() {
            if !function.bind(py).is_callable() {
                return Err(pyo3::exceptions::PyTypeError::new_err("passes and cost must be functions"));
            }
        }
        let mut plain = DefaultFilter::new(PolyFlags(include), PolyFlags(exclude));
        for (number, cost) in &area_costs {
            plain.set_area_cost(area(*number)?, *cost).map_err(errors::value)?;
        }
        if let Some(rise) = max_rise.filter(|rise| rise.is_nan()) {
            return Err(errors::value(format_args!("max_rise is {rise}: give a number")));
        }
        let any = match (max_rise, overlays.is_empty()) {
            (None, true) => AnyFilter::Plain(plain),
            (Some(rise), true) => AnyFilter::Downhill(DownhillOnly::new(plain, rise)),
            (None, false) => AnyFilter::Overlaid(Box::new(overlaid(py, Overlaid::new(plain), &overlays)?)),
            (Some(rise), false) => {
                let inner = Overlaid::new(DownhillOnly::new(plain, rise));
                AnyFilter::OverlaidDownhill(Box::new(overlaid(py, inner, &overlays)?))
            }
        };
        let any = if passes.is_some() || cost.is_some() {
            AnyFilter::Asked(Asked { inner: Box::new(any), owned: Owned::new(passes, cost) })
        } else {
            any
        };
        Ok(Self { include, exclude, costs: area_costs, max_rise, overlays, any })
    }

    /// The filter that a mesh is asked with unless another is given: all flags, and the costs of its area types.
    #[staticmethod]
    fn of(py: Python<'_>, mesh: Seen<'_, crate::mesh::PyNavMesh>) -> PyResult<Self> {
        let costs = mesh.mesh().areas().iter().map(|info| (i64::from(info.area.get()), info.cost)).collect();
        let plain = DefaultFilter::of(mesh.mesh());
        let (include, exclude) = (plain.include().0, plain.exclude().0);
        Self::new(py, include, exclude, costs, None, Vec::new(), None, None)
    }

    /// The flags of which a polygon has one.
    #[getter]
    fn include(&self) -> u16 {
        self.include
    }

    /// The flags of which it has none.
    #[getter]
    fn exclude(&self) -> u16 {
        self.exclude
    }

    /// What a metre costs, by area type; 1 where nothing is said.
    #[getter]
    fn area_costs(&self) -> BTreeMap<i64, f32> {
        self.costs.clone()
    }

    fn __repr__(&self) -> String {
        use std::fmt::Write;
        let mut text =
            format!("Filter(include={:#x}, exclude={:#x}, area_costs={:?}", self.include, self.exclude, self.costs);
        if let Some(rise) = self.max_rise {
            let _ = write!(text, ", max_rise={rise}");
        }
        if !self.overlays.is_empty() {
            let _ = write!(text, ", overlays=[{} of them]", self.overlays.len());
        }
        for (name, function) in ["passes", "cost"].into_iter().zip(self.any.functions()) {
            if function.is_some() {
                let _ = write!(text, ", {name}=...");
            }
        }
        text + ")"
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let (py, own) = (slf.py(), slf.get());
        let state = pyo3::types::PyDict::new(py);
        state.set_item("include", own.include)?;
        state.set_item("exclude", own.exclude)?;
        state.set_item("area_costs", &own.costs)?;
        state.set_item("max_rise", own.max_rise)?;
        let overlays: Vec<_> = own.overlays.iter().map(|(overlay, weight)| (overlay.clone_ref(py), *weight)).collect();
        state.set_item("overlays", overlays)?;
        let [passes, cost] = own.any.functions();
        state.set_item("passes", passes)?;
        state.set_item("cost", cost)?;
        Ok((slf.get_type().getattr("_unpickle")?, (state.into_any(),)))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.any.traverse(&visit)
    }

    #[classmethod]
    fn _unpickle<'py>(cls: &Bound<'py, pyo3::types::PyType>, state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        cls.call((), Some(state.cast()?))
    }
}

fn overlaid<F: QueryFilter>(
    py: Python<'_>,
    mut filter: Overlaid<F>,
    overlays: &[(Py<PyOverlay>, f32)],
) -> PyResult<Overlaid<F>> {
    for (overlay, weight) in overlays {
        filter = filter.with(&overlay.borrow(py).0, *weight).map_err(errors::value)?;
    }
    Ok(filter)
}
