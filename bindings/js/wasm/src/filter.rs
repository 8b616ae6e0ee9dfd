//! What may be crossed, and what it costs.

use crate::callback::Callback;
use crate::fault::Answer;
use crate::mesh::RawMesh;
use crate::named::{area, flags};
use crate::overlay::RawOverlay;
use crate::record::to_point;
use js_sys::Function;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::area::FlagMask;
use wayfare::mesh::{PolyRef, PolyState};
use wayfare::plan::SharedFilter;
use wayfare::query::{Crossing, DefaultFilter, DownhillOnly, Overlaid, QueryFilter};

#[wasm_bindgen(js_name = RawFilter)]
#[derive(Clone)]
pub struct RawFilter(pub(crate) SharedFilter, AsksPage);

/// Whether a filter asks functions of the page, which may throw.
type AsksPage = bool;

impl RawFilter {
    pub(crate) fn asks_page(&self) -> bool {
        self.1
    }

    pub(crate) fn get(&self) -> &(dyn QueryFilter + Send + Sync) {
        &*self.0
    }
}

#[wasm_bindgen(js_class = RawFilter)]
impl RawFilter {
    /// By flags, with the costs of some area types.
    #[wasm_bindgen(constructor)]
    pub fn new(include: u32, exclude: u32, areas: &[u32], costs: &[f32]) -> Answer<RawFilter> {
        let mut filter = DefaultFilter::new(flags(include)?, flags(exclude)?);
        for (id, cost) in areas.iter().zip(costs) {
            filter.set_area_cost(area(*id)?, *cost)?;
        }
        Ok(Self(Arc::new(filter), false))
    }

    pub fn copy(&self) -> RawFilter {
        self.clone()
    }

    /// The filter with the costs that a mesh's table of area types gives.
    #[wasm_bindgen(js_name = ofMesh)]
    pub fn of_mesh(mesh: &RawMesh) -> RawFilter {
        Self(Arc::new(DefaultFilter::of(mesh.mesh())), false)
    }

    pub fn overlaid(&self, overlay: &RawOverlay, weight: f32) -> Answer<RawFilter> {
        let overlaid = Overlaid::new(Arc::clone(&self.0)).with(&overlay.0, weight)?;
        Ok(Self(Arc::new(overlaid), self.1))
    }

    /// Ways with some flags are walked down only.
    pub fn downhill(&self, max_rise: f32, bits: u32) -> Answer<RawFilter> {
        let filter = DownhillOnly::new(Arc::clone(&self.0), max_rise).on(flags(bits)?);
        Ok(Self(Arc::new(filter), self.1))
    }

    /// This filter, and functions of the page on top of it.
    pub fn custom(&self, passes: Option<Function>, cost: Option<Function>, least_cost: f32) -> RawFilter {
        let [passes, cost] = [passes, cost].map(|function| function.map(Callback::new));
        Self(Arc::new(Custom { inner: Arc::clone(&self.0), passes, cost, least_cost }), true)
    }
}

/// Functions of the page.
struct Custom {
    inner: SharedFilter,
    passes: Option<Callback>,
    cost: Option<Callback>,
    least_cost: f32,
}

impl QueryFilter for Custom {
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        if !self.inner.passes(poly, state) {
            return false;
        }
        let Some(passes) = &self.passes else { return true };
        let arguments = [poly.to_bits().into(), state.flags.0.into(), state.area.get().into()];
        passes.call(&arguments).is_some_and(|answer| answer.is_truthy())
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let plain = self.inner.cost(crossing);
        let Some(cost) = &self.cost else { return plain };
        let reference = |poly: Option<PolyRef>| poly.map_or(JsValue::NULL, |poly| poly.to_bits().into());
        let state = crossing.state;
        let step = crate::record::Record::new()
            .with("from", to_point(crossing.from))
            .with("to", to_point(crossing.to))
            .with("poly", crossing.poly.to_bits())
            .with("flags", state.flags.0)
            .with("area", state.area.get())
            .with("before", reference(crossing.before))
            .with("next", reference(crossing.next))
            .with("cost", plain)
            .done();
        let answer = cost.call(&[step]).and_then(|answer| answer.as_f64());
        // What is no cost bars the way.
        answer.filter(|cost| *cost >= 0.0).map_or(f32::INFINITY, |cost| cost as f32)
    }

    fn least_cost(&self) -> f32 {
        if self.cost.is_some() { self.least_cost } else { self.inner.least_cost() }
    }

    fn most_cost(&self) -> f32 {
        if self.cost.is_some() { f32::INFINITY } else { self.inner.most_cost() }
    }

    fn mask(&self) -> Option<FlagMask> {
        if self.passes.is_some() || self.cost.is_some() { None } else { self.inner.mask() }
    }
}
