//! Filters: what a path may use, and what it costs.

use crate::border::{Sized32, UserData, check_out, put, put_sized, sized};
use crate::geometry::WayfareVec3;
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::overlay::WayfareOverlay;
use crate::settings::{area_id, poly_flags};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_void;
use core::mem::offset_of;
use std::sync::{Arc, OnceLock};
use wayfare_nav::mesh::{NavMesh, PolyRef, PolyState};
use wayfare_nav::plan::SharedFilter;
use wayfare_nav::query::{Crossing, DefaultFilter, DownhillOnly, Overlaid, QueryFilter};

/// What a path may use, and what it costs. Queries, crowds and others take a copy: changing a filter later changes none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareFilter {
    /// 0 for none: where a mesh is asked (queries, queues, bounds, cut meshes), that means the mesh's own costs and all
    /// flags. What changes or wraps a filter, and crowds, whose number 0 is the mesh's own, need one.
    pub id: u64,
}

handle!(WayfareFilter, AnyFilter, "filter");

/// A plain filter is held as it is, since searches are made for it; all others behind a pointer.
#[derive(Clone)]
pub(crate) enum AnyFilter {
    Plain(DefaultFilter),
    Shared {
        filter: SharedFilter,
        /// Whether it asks functions of the caller.
        calls_back: bool,
    },
}

/// Asks with the filter that is held: `by_filter!(filter, |f| find(mesh, f))`.
macro_rules! by_filter {
    ($filter:expr, |$name:ident| $body:expr) => {
        match $filter {
            $crate::filter::AnyFilter::Plain($name) => $body,
            $crate::filter::AnyFilter::Shared { filter: shared, .. } => {
                let $name = &**shared;
                $body
            }
        }
    };
}

pub(crate) use by_filter;

impl AnyFilter {
    /// The filter of a handle, or that of the mesh where there is none.
    pub(crate) fn of(filter: WayfareFilter, mesh: &NavMesh) -> Outcome<Self> {
        if filter.id == 0 { Ok(Self::Plain(DefaultFilter::of(mesh))) } else { Ok(filter.read()?.clone()) }
    }

    /// The filter of a handle that must not be null, since there is no mesh here whose own it could be.
    pub(crate) fn given(filter: WayfareFilter) -> Outcome<Self> {
        if filter.id == 0 {
            return Err(Failure::argument(
                "the filter is none (id 0), but one is needed here: `wayfare_filter_new` makes one with the costs of a mesh",
            ));
        }
        Ok(filter.read()?.clone())
    }

    pub(crate) fn shared(&self) -> SharedFilter {
        match self {
            Self::Plain(plain) => Arc::new(plain.clone()),
            Self::Shared { filter, .. } => Arc::clone(filter),
        }
    }

    /// Whether it asks functions of the caller.
    pub(crate) fn calls_back(&self) -> bool {
        matches!(self, Self::Shared { calls_back: true, .. })
    }

    /// A filter that asks another.
    fn on_top(inner: &Self, filter: SharedFilter) -> Self {
        Self::Shared { filter, calls_back: inner.calls_back() }
    }
}

/// A filter with the costs of a mesh (all 1 if `mesh` is null, with id 0), and flags of which a polygon must have one and
/// must have none. 0xFFFF and 0 let everything pass that has any flag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_new(
    mesh: WayfareMesh,
    include: u32,
    exclude: u32,
    filter: *mut WayfareFilter,
) -> WayfareStatus {
    border(|| {
        let plain = if mesh.id == 0 { DefaultFilter::default() } else { DefaultFilter::of(&mesh.read()?.mesh) };
        let plain = plain.with_flags(poly_flags(include, "include")?, poly_flags(exclude, "exclude")?);
        put!(filter, WayfareFilter::keep(AnyFilter::Plain(plain))?)
    })
}

/// Sets what a metre over an area type costs: 0 or above; infinite closes it. Of plain filters only.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_set_area_cost(filter: WayfareFilter, area: u32, cost: f32) -> WayfareStatus {
    border(|| {
        let area = area_id(area)?;
        drop(AnyFilter::given(filter)?);
        match &mut *filter.write()? {
            AnyFilter::Plain(plain) => plain.set_area_cost(area, cost).map_err(Failure::argument),
            AnyFilter::Shared { .. } => Err(Failure::argument("only plain filters have costs by area type")),
        }
    })
}

/// One step of a path, as a filter sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareCrossing {
    /// Where the polygon is entered.
    pub from: WayfareVec3,
    /// Where it is left.
    pub to: WayfareVec3,
    /// The polygon, or the connection.
    pub poly: u64,
    /// The one before; 0 for none.
    pub before: u64,
    /// The one after; 0 for none.
    pub next: u64,
    /// Its area type.
    pub area: u32,
    /// Its flags.
    pub flags: u32,
}

/// Whether a polygon may be used: 0 or 1.
pub type WayfarePassesCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, poly: u64, area: u32, flags: u32) -> u32>;
/// What a step costs, 0 or above; infinite closes it. NaN and negative costs count as infinite.
pub type WayfareCostCallback = Option<unsafe extern "C" fn(user: *mut c_void, crossing: *const WayfareCrossing) -> f32>;
/// Says that nothing calls back with `user` any more.
pub type WayfareReleaseCallback = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// A filter of the caller's own. The functions are called from every thread that asks with it, which are the caller's own
/// and others that have ended when the call returns. They must give the same answers for the same arguments, and may not
/// throw, nor jump out, nor free what they are called by.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct WayfareFilterCallbacks {
    /// The size of this structure: set by `wayfare_filter_callbacks_default`.
    pub size: u32,
    /// The least that a metre may cost: searches are fast where it is near the truth, and wrong where it is above.
    pub least_cost: f32,
    /// The most that a metre may cost; infinite if unknown.
    pub most_cost: f32,
    /// 1 if area type and flags alone decide.
    pub by_state: u32,
    /// What may be used; null for everything with a flag.
    pub passes: WayfarePassesCallback,
    /// What it costs; null for its length.
    pub cost: WayfareCostCallback,
    /// Handed to all of them.
    pub user: *mut c_void,
    /// Called once, when the filter is freed and so is, or has another filter, all that took it: what `user` leads to can
    /// be freed then, and not before. From the call that does so; not if the filter could not be made. May be null.
    pub release: WayfareReleaseCallback,
}

impl Sized32 for WayfareFilterCallbacks {
    const LEAST: usize = offset_of!(Self, user) + size_of::<*mut c_void>();
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        let (size, user) = (size_of::<Self>() as u32, core::ptr::null_mut());
        Self {
            size,
            least_cost: 1.0,
            most_cost: f32::INFINITY,
            by_state: 0,
            passes: None,
            cost: None,
            user,
            release: None,
        }
    }
}

/// Fills callbacks with what is usual: everything with a flag, at its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_callbacks_default(
    callbacks: *mut WayfareFilterCallbacks,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(callbacks, size, WayfareFilterCallbacks::usual()))
}

struct Callbacks {
    passes: WayfarePassesCallback,
    cost: WayfareCostCallback,
    user: UserData,
    least_cost: f32,
    most_cost: f32,
    by_state: bool,
    /// Set once the filter is made: nothing is released for one that was not.
    release: OnceLock<unsafe extern "C" fn(user: *mut c_void)>,
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        if let Some(release) = self.release.get() {
            // SAFETY: the header asks for a function that takes this and returns, on any thread; this is the last call.
            unsafe { release(self.user.get()) }
        }
    }
}

impl QueryFilter for Callbacks {
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        let Some(passes) = self.passes else { return state.flags.0 != 0 };
        // SAFETY: the header asks for a function that takes these, returns, and may be called from any thread.
        unsafe { passes(self.user.get(), poly.to_bits(), state.area.get().into(), state.flags.0.into()) != 0 }
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        let Some(cost) = self.cost else { return crossing.length() };
        let given = WayfareCrossing {
            from: crossing.from.into(),
            to: crossing.to.into(),
            poly: crossing.poly.to_bits(),
            before: crossing.before.map_or(0, PolyRef::to_bits),
            next: crossing.next.map_or(0, PolyRef::to_bits),
            area: crossing.state.area.get().into(),
            flags: crossing.state.flags.0.into(),
        };
        // SAFETY: as above; `given` outlives the call.
        let cost = unsafe { cost(self.user.get(), &raw const given) };
        if cost >= 0.0 { cost } else { f32::INFINITY }
    }

    fn least_cost(&self) -> f32 {
        self.least_cost
    }

    fn most_cost(&self) -> f32 {
        self.most_cost
    }

    fn is_by_state(&self) -> bool {
        self.by_state
    }
}

/// A filter of the caller's own. What `user` leads to must outlive the filter and every query, crowd, search, cost map,
/// queue, planner and filter that took it: `release` says when that is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_from_callbacks(
    callbacks: *const WayfareFilterCallbacks,
    filter: *mut WayfareFilter,
) -> WayfareStatus {
    border(|| {
        let WayfareFilterCallbacks { least_cost, most_cost, by_state, passes, cost, user, release, .. } =
            sized!(callbacks)?;
        let is_fine = least_cost >= 0.0 && least_cost.is_finite() && most_cost >= least_cost;
        if !is_fine {
            return Err(Failure::argument(format_args!(
                "`least_cost` is {least_cost} and `most_cost` {most_cost}: use 0 or above, and the least first"
            )));
        }
        check_out(filter, "filter")?;
        let (user, by_state) = (UserData(user), by_state != 0);
        let calls_back = passes.is_some() || cost.is_some() || release.is_some();
        let own = Callbacks { passes, cost, user, least_cost, most_cost, by_state, release: OnceLock::new() };
        let own = Arc::new(own);
        let made = WayfareFilter::keep(AnyFilter::Shared { filter: own.clone(), calls_back })?;
        if let Some(release) = release {
            own.release.get_or_init(|| release);
        }
        put!(filter, made)
    })
}

/// A filter on which slopes that rise more than `max_rise` are walked down only; where `flags` is not 0, only on
/// polygons with any of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_downhill(
    inner: WayfareFilter,
    max_rise: f32,
    flags: u32,
    filter: *mut WayfareFilter,
) -> WayfareStatus {
    border(|| {
        let inner = AnyFilter::given(inner)?;
        let rise = crate::geometry::finite(max_rise, "max_rise")?;
        let made = DownhillOnly::new(inner.shared(), rise);
        let made = if flags == 0 { made } else { made.on(poly_flags(flags, "flags")?) };
        put!(filter, WayfareFilter::keep(AnyFilter::on_top(&inner, Arc::new(made)))?)
    })
}

/// A filter with the costs of an overlay on top, as it is now, times `weight`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_with_overlay(
    inner: WayfareFilter,
    overlay: WayfareOverlay,
    weight: f32,
    filter: *mut WayfareFilter,
) -> WayfareStatus {
    border(|| {
        let inner = AnyFilter::given(inner)?;
        let made = Overlaid::new(inner.shared()).with(&*overlay.read()?, weight).map_err(Failure::argument)?;
        put!(filter, WayfareFilter::keep(AnyFilter::on_top(&inner, Arc::new(made)))?)
    })
}

/// Frees a filter; all that took it keep theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_filter_free(filter: WayfareFilter) -> WayfareStatus {
    border(|| filter.free())
}
