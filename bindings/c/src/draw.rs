//! Pictures, and shapes for a renderer of one's own.

use crate::border::{fill, fill_text, list, put};
use crate::bytes::{WayfareBytes, put_bytes};
use crate::choices::{WayfareDrawnKind, WayfareDrawnRole};
use crate::geometry::{WayfareVec3, points};
use crate::handle::{Handle, handle};
use crate::mesh::WayfareMesh;
use crate::overlay::WayfareOverlay;
use crate::status::{Failure, WayfareStatus, border};
use core::ffi::c_char;
use wayfare_draw::{Caption, draw_shapes};
use wayfare_nav::debug::{Role, ShapeKind, ShapeList, draw_mesh, draw_overlay, draw_path};

/// Shapes to be drawn: polygons, lines, points.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareShapes {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareShapes, Drawing, "shapes");

/// Shapes, and what stands around their picture.
#[derive(Default)]
pub(crate) struct Drawing {
    shapes: ShapeList,
    caption: Caption,
    paths: u32,
}

/// No shapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_new(shapes: *mut WayfareShapes) -> WayfareStatus {
    border(|| put!(shapes, WayfareShapes::keep(Drawing::default())?))
}

/// Adds a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_add_mesh(shapes: WayfareShapes, mesh: WayfareMesh) -> WayfareStatus {
    border(|| {
        let (mesh, mut held) = (mesh.read()?, shapes.write()?);
        draw_mesh(&mesh, &mut held.shapes);
        held.caption = Caption::of("mesh", &mesh);
        Ok(())
    })
}

/// Adds a path, in a colour of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_add_path(
    shapes: WayfareShapes,
    path: *const WayfareVec3,
    count: usize,
) -> WayfareStatus {
    border(|| {
        let line = points(list!(path, count)?, "path")?;
        let Some(goal) = line.last() else { return Err(Failure::argument("`path` has no point")) };
        let mut held = shapes.write()?;
        let number = held.paths;
        held.paths += 1;
        draw_path(&line, *goal, number, &mut held.shapes);
        Ok(())
    })
}

/// Adds the cells of an overlay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_add_overlay(shapes: WayfareShapes, overlay: WayfareOverlay) -> WayfareStatus {
    border(|| {
        let (overlay, mut held) = (overlay.read()?, shapes.write()?);
        draw_overlay(&overlay, &mut held.shapes);
        Ok(())
    })
}

/// A shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareDrawn {
    /// A `WayfareDrawnKind`.
    pub kind: u32,
    /// A `WayfareDrawnRole`.
    pub role: u32,
    /// Surface: its area type. Paths, corner, start, goal: the path's number.
    pub number: u32,
    /// How many points it has.
    pub point_count: u32,
    /// Value: a part of the greatest, 0 to 1.
    pub value: f32,
}

fn role_of(role: Role) -> (WayfareDrawnRole, u32) {
    match role {
        Role::Ground(area) => (WayfareDrawnRole::Surface, area.get().into()),
        Role::Wall => (WayfareDrawnRole::Wall, 0),
        Role::InnerEdge | Role::DetailEdge => (WayfareDrawnRole::InnerEdge, 0),
        Role::TileEdge | Role::TileOutline => (WayfareDrawnRole::TileEdge, 0),
        Role::Connection => (WayfareDrawnRole::Connection, 0),
        Role::OneWayConnection => (WayfareDrawnRole::OneWayConnection, 0),
        Role::Path(number) => (WayfareDrawnRole::Path, number),
        Role::PartialPath(number) => (WayfareDrawnRole::PartialPath, number),
        Role::Corner(number) => (WayfareDrawnRole::Corner, number),
        Role::Start(number) => (WayfareDrawnRole::Start, number),
        Role::Goal(number) => (WayfareDrawnRole::Goal, number),
        Role::Value(_) => (WayfareDrawnRole::Value, 0),
        _ => (WayfareDrawnRole::Other, 0),
    }
}

/// All shapes, in the order in which they were added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_list(
    shapes: WayfareShapes,
    list: *mut WayfareDrawn,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = shapes.read()?;
        let all = held.shapes.shapes().iter().map(|shape| {
            let kind = match shape.kind {
                ShapeKind::Polygon => WayfareDrawnKind::Polygon,
                ShapeKind::Line => WayfareDrawnKind::Line,
                ShapeKind::Point => WayfareDrawnKind::Point,
                ShapeKind::Label(_) => WayfareDrawnKind::Label,
            };
            let (role, number) = role_of(shape.role);
            let point_count = held.shapes.points(shape).len() as u32;
            let value = if let Role::Value(value) = shape.role { value } else { 0.0 };
            WayfareDrawn { kind: kind as u32, role: role as u32, number, point_count, value }
        });
        fill!(list, capacity, count, all)
    })
}

/// The text of a label, by its index in the list of shapes; of other shapes an empty one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_label(
    shapes: WayfareShapes,
    shape: usize,
    out: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = shapes.read()?;
        let count = held.shapes.shapes().len();
        let none = || Failure::argument(format_args!("`shape` is {shape}, but there are {count} shapes"));
        let text = match held.shapes.shapes().get(shape).ok_or_else(none)?.kind {
            ShapeKind::Label(number) => held.shapes.labels().get(number as usize).map_or("", String::as_str),
            _ => "",
        };
        fill_text!(out, capacity, length, text.to_owned())
    })
}

/// The points of all shapes, one shape after the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_points(
    shapes: WayfareShapes,
    points: *mut WayfareVec3,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        let held = shapes.read()?;
        let all = held.shapes.shapes().iter().flat_map(|shape| held.shapes.points(shape)).map(|at| (*at).into());
        fill!(points, capacity, count, all.collect::<Vec<_>>().into_iter())
    })
}

/// A picture of the shapes from above: `size` pixels along the longer side; as SVG, or with `png` 1 as PNG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_picture(
    shapes: WayfareShapes,
    size: u32,
    png: u32,
    bytes: *mut WayfareBytes,
) -> WayfareStatus {
    border(|| {
        if !(16..=16_384).contains(&size) {
            return Err(Failure::argument(format_args!("`size` is {size}, but must be 16 to 16384")));
        }
        let held = shapes.read()?;
        let picture = draw_shapes(&held.shapes, &held.caption, size);
        put_bytes(
            bytes,
            if png == 0 { picture.to_svg().into_bytes() } else { picture.to_png().map_err(Failure::limit)? },
        )
    })
}

/// Frees shapes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_shapes_free(shapes: WayfareShapes) -> WayfareStatus {
    border(|| shapes.free())
}
