//! Volumes: of levels, of obstacles, of overlays.

use crate::fault::{Answer, Fault};
use crate::level::triangles;
use crate::named::area;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wayfare::input::{MarkedVolume, Marking, Volume};
use wayfare::math::Aabb;
use wayfare::{Vec2, Vec3};

/// A volume that marks what is in it.
#[wasm_bindgen(js_name = RawVolume)]
pub struct RawVolume(pub(crate) MarkedVolume);

/// Pairs of numbers as points of the plane.
pub(crate) fn points2(numbers: &[f32]) -> Answer<Vec<Vec2>> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if rest.is_empty() { Ok(pairs.iter().map(|&pair| pair.into()).collect()) } else { Err(uneven(numbers.len(), 2)) }
}

/// Triples of numbers as points.
pub(crate) fn points3(numbers: &[f32]) -> Answer<Vec<Vec3>> {
    let (triples, rest) = numbers.as_chunks::<3>();
    if rest.is_empty() { Ok(triples.iter().map(|&at| at.into()).collect()) } else { Err(uneven(numbers.len(), 3)) }
}

fn uneven(count: usize, each: usize) -> Fault {
    Fault::argument(format_args!("{count} numbers are not points of {each} numbers each"))
}

pub(crate) fn fixed<const N: usize>(what: &str, numbers: &[f32]) -> Answer<[f32; N]> {
    let wrong = || Fault::argument(format_args!("a {what} takes {N} numbers, not {}", numbers.len()));
    numbers.try_into().map_err(|_| wrong())
}

/// A box by its lowest and its highest corner.
pub(crate) fn bounds(numbers: &[f32]) -> Answer<Aabb> {
    let [x, y, z, to_x, to_y, to_z] = fixed("box", numbers)?;
    Ok(Aabb { min: Vec3::new(x, y, z), max: Vec3::new(to_x, to_y, to_z) })
}

fn shape(kind: &str, numbers: &[f32]) -> Answer<Volume> {
    Ok(match kind {
        "box" => Volume::Box(bounds(numbers)?),
        "prism" | "convex-prism" => {
            let Some(([low, high], corners)) = numbers.split_first_chunk::<2>() else {
                return Err(Fault::argument("a prism takes its lowest and highest y, and its corners"));
            };
            let outline = points2(corners)?;
            match kind {
                "prism" => Volume::Prism { outline, heights: [*low, *high] },
                _ => Volume::convex_prism(&outline, [*low, *high]),
            }
        }
        "turned-box" => {
            let [x, y, z, half_x, half_y, half_z, angle] = fixed("turned box", numbers)?;
            Volume::TurnedBox { center: Vec3::new(x, y, z), half_extents: Vec3::new(half_x, half_y, half_z), angle }
        }
        "cylinder" | "capsule" => {
            let [x, y, z, radius, height] = fixed(kind, numbers)?;
            let base = Vec3::new(x, y, z);
            match kind {
                "cylinder" => Volume::Cylinder { base, radius, height },
                _ => Volume::Capsule { base, radius, height },
            }
        }
        "hull" => Volume::Hull(points3(numbers)?),
        _ => return Err(Fault::argument(format_args!("there is no volume {kind:?}"))),
    })
}

fn marking(is_after_erosion: bool) -> Marking {
    if is_after_erosion { Marking::AfterErosion } else { Marking::BeforeErosion }
}

#[wasm_bindgen(js_class = RawVolume)]
impl RawVolume {
    /// A shape by its name, and the numbers that it takes. Area 0 takes away what is in it.
    #[wasm_bindgen(constructor)]
    pub fn new(kind: &str, numbers: &[f32], area_id: u32, is_after_erosion: bool) -> Answer<RawVolume> {
        let volume = shape(kind, numbers)?;
        Ok(Self(MarkedVolume { volume, area: area(area_id)?, when: marking(is_after_erosion) }))
    }

    /// What a closed surface encloses.
    pub fn mesh(positions: &[f32], indices: &[u32], area_id: u32, is_after_erosion: bool) -> Answer<RawVolume> {
        let surface = triangles(positions, indices)?;
        let volume = Volume::Mesh { surface: Arc::new(surface), offset: Vec3::ZERO };
        Ok(Self(MarkedVolume { volume, area: area(area_id)?, when: marking(is_after_erosion) }))
    }
}
