//! The bytes of a marked volume.
//!
//! Cost: linear. Sources: none needed.

use crate::area::AreaId;
use crate::input::{MarkedVolume, Marking, TriMesh, Volume};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Truncated, Writer};
use glam::Vec2;
use std::sync::Arc;

/// [`Truncated`] where bytes mean nothing, too.
type ReadVolume<T> = Result<T, Truncated>;

pub(super) fn read_bool(rest: &mut Reader<'_>) -> ReadVolume<bool> {
    match rest.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Truncated),
    }
}

pub(super) fn write_volume(marked: &MarkedVolume, out: &mut Writer) {
    out.u8(marked.area.get());
    out.u8(u8::from(marked.when == Marking::AfterErosion));
    match &marked.volume {
        Volume::Prism { outline, heights } => {
            out.u8(0);
            out.u32(outline.len() as u32);
            outline.iter().flat_map(|p| [p.x, p.y]).chain(*heights).for_each(|value| out.f32(value));
        }
        Volume::Box(Aabb { min, max }) => {
            out.u8(1);
            out.vec3(*min);
            out.vec3(*max);
        }
        Volume::TurnedBox { center, half_extents, angle } => {
            out.u8(2);
            out.vec3(*center);
            out.vec3(*half_extents);
            out.f32(*angle);
        }
        Volume::Cylinder { base, radius, height } | Volume::Capsule { base, radius, height } => {
            out.u8(if matches!(marked.volume, Volume::Cylinder { .. }) { 3 } else { 4 });
            out.vec3(*base);
            out.f32(*radius);
            out.f32(*height);
        }
        Volume::Hull(points) => {
            out.u8(5);
            out.u32(points.len() as u32);
            points.iter().for_each(|p| out.vec3(*p));
        }
        Volume::Mesh { surface, offset } => {
            out.u8(6);
            out.vec3(*offset);
            out.u32(surface.verts().len() as u32);
            surface.verts().iter().for_each(|p| out.vec3(*p));
            out.u32(surface.tris().len() as u32);
            surface.tris().as_flattened().iter().for_each(|&corner| out.u32(corner));
        }
    }
}

pub(super) fn read_volume(rest: &mut Reader<'_>) -> ReadVolume<MarkedVolume> {
    let area = AreaId::new(rest.u8()?).map_err(|_| Truncated)?;
    let when = if read_bool(rest)? { Marking::AfterErosion } else { Marking::BeforeErosion };
    let volume = match rest.u8()? {
        0 => {
            let count = rest.u32()?;
            let outline = (0..count).map(|_| Ok(Vec2::new(rest.f32()?, rest.f32()?))).collect::<ReadVolume<_>>()?;
            Volume::Prism { outline, heights: [rest.f32()?, rest.f32()?] }
        }
        1 => Volume::Box(Aabb { min: rest.vec3()?, max: rest.vec3()? }),
        2 => Volume::TurnedBox { center: rest.vec3()?, half_extents: rest.vec3()?, angle: rest.f32()? },
        3 => Volume::Cylinder { base: rest.vec3()?, radius: rest.f32()?, height: rest.f32()? },
        4 => Volume::Capsule { base: rest.vec3()?, radius: rest.f32()?, height: rest.f32()? },
        5 => {
            let count = rest.u32()?;
            Volume::Hull((0..count).map(|_| rest.vec3()).collect::<Result<_, _>>()?)
        }
        6 => {
            let offset = rest.vec3()?;
            Volume::Mesh { surface: Arc::new(read_surface(rest)?), offset }
        }
        _ => return Err(Truncated),
    };
    Ok(MarkedVolume { volume, area, when })
}

fn read_surface(rest: &mut Reader<'_>) -> ReadVolume<TriMesh> {
    let count = rest.u32()?;
    let verts: Vec<_> = (0..count).map(|_| rest.vec3()).collect::<Result<_, _>>()?;
    let count = rest.u32()?;
    let tris: Vec<_> = (0..count).map(|_| Ok([rest.u32()?, rest.u32()?, rest.u32()?])).collect::<ReadVolume<_>>()?;
    if verts.is_empty() && tris.is_empty() {
        return Ok(TriMesh::EMPTY);
    }
    TriMesh::new(verts, tris).map_err(|_| Truncated)
}
