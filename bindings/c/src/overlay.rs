//! Costs that change by place: danger, smoke, footprints.

use crate::border::{list, put};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::geometry::{WayfareBox, WayfareVec2, WayfareVec3, bounds, finite, flat_points, length, point};
use crate::handle::{Handle, handle};
use crate::status::{Failure, WayfareStatus, border};
use wayfare_nav::query::{CostOverlay, OverlayError, OverlaySettings, OverlayShape};

/// Costs by place.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareOverlay {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareOverlay, CostOverlay, "overlay");

fn failure(error: OverlayError) -> Failure {
    match error {
        OverlayError::Full(_) | OverlayError::TooLarge { .. } => Failure::limit(error),
        _ => Failure::argument(error),
    }
}

/// An overlay with nothing painted. A size of 0 stands for what is usual; `half_life` is the ticks after which costs are
/// half as high, 0 for never.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_new(
    cell_size: f32,
    cell_height: f32,
    half_life: u32,
    max_cells: u32,
    overlay: *mut WayfareOverlay,
) -> WayfareStatus {
    border(|| {
        let usual = OverlaySettings::default();
        let settings = OverlaySettings {
            cell_size: if cell_size == 0.0 { usual.cell_size } else { cell_size },
            cell_height: if cell_height == 0.0 { usual.cell_height } else { cell_height },
            half_life,
            max_cells: if max_cells == 0 { usual.max_cells } else { max_cells },
        };
        put!(overlay, WayfareOverlay::keep(CostOverlay::new(settings).map_err(failure)?)?)
    })
}

/// Paints a disc: what a metre costs besides. `reach` is how far up and down it goes. 0 wipes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_paint_disc(
    overlay: WayfareOverlay,
    center: WayfareVec3,
    radius: f32,
    reach: f32,
    cost: f32,
) -> WayfareStatus {
    border(|| {
        let (radius, reach) = (length(radius, "radius")?, length(reach, "reach")?);
        let disc = OverlayShape::Disc { center: point(center, "center")?, radius, reach };
        overlay.write()?.paint(&disc, cost).map(drop).map_err(failure)
    })
}

/// Paints a box.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_paint_box(
    overlay: WayfareOverlay,
    area: WayfareBox,
    cost: f32,
) -> WayfareStatus {
    border(|| {
        let shape = OverlayShape::Box(bounds(area, "area")?);
        overlay.write()?.paint(&shape, cost).map(drop).map_err(failure)
    })
}

/// Paints an outline from one height to another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_paint_outline(
    overlay: WayfareOverlay,
    corners: *const WayfareVec2,
    count: usize,
    min_y: f32,
    max_y: f32,
    cost: f32,
) -> WayfareStatus {
    border(|| {
        let corners = flat_points(list!(corners, count)?, "corners")?;
        let shape =
            OverlayShape::Polygon { corners: &corners, min_y: finite(min_y, "min_y")?, max_y: finite(max_y, "max_y")? };
        overlay.write()?.paint(&shape, cost).map(drop).map_err(failure)
    })
}

/// Lets time pass: costs fade by their half-life.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_advance(overlay: WayfareOverlay, ticks: u32) -> WayfareStatus {
    border(|| {
        overlay.write()?.advance(ticks);
        Ok(())
    })
}

/// Wipes everything.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_clear(overlay: WayfareOverlay) -> WayfareStatus {
    border(|| {
        overlay.write()?.clear();
        Ok(())
    })
}

/// What a metre costs at a point.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_cost_at(
    overlay: WayfareOverlay,
    at: WayfareVec3,
    cost: *mut f32,
) -> WayfareStatus {
    border(|| put!(cost, overlay.read()?.cost_at(point(at, "at")?)))
}

/// Saves an overlay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_save(overlay: WayfareOverlay, bytes: *mut WayfareBytes) -> WayfareStatus {
    border(|| put_bytes(bytes, overlay.read()?.to_bytes()))
}

/// Loads an overlay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_load(
    bytes: *const u8,
    count: usize,
    overlay: *mut WayfareOverlay,
) -> WayfareStatus {
    border(|| {
        put!(overlay, WayfareOverlay::keep(CostOverlay::from_bytes(list!(bytes, count)?).map_err(Failure::data)?)?)
    })
}

/// Frees an overlay; filters keep theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_overlay_free(overlay: WayfareOverlay) -> WayfareStatus {
    border(|| overlay.free())
}
