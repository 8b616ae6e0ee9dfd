//! Bytes as operations on obstacles: add, move, remove, step; at the end the tiles are those of a bake, and when all
//! obstacles are gone those of the beginning.

use super::Bytes;
use crate::changing::ChangingLevel;
use crate::levels::boxes;
use std::sync::Arc;
use wayfare::area::AreaId;
use wayfare::context::{Budget, Context};
use wayfare::input::{BakeSettings, Erosion, MarkedVolume, Volume};
use wayfare::math::Aabb;
use wayfare::{Vec2, Vec3};

/// Operations on a small level: a floor with a platform and a block, in tiles.
///
/// # Panics
/// If a tile is not that of a bake with the same shapes.
pub fn obstacles(data: &[u8]) {
    let mut bytes = Bytes(data);
    let level = boxes(&[
        [[-12.0, -1.0, -12.0], [12.0, 0.0, 12.0]],
        [[-6.0, 2.4, -6.0], [2.0, 2.8, 4.0]],
        [[5.0, 0.0, 5.0], [8.0, 1.0, 9.0]],
    ]);
    let flags = bytes.next();
    let erosion = if flags & 1 == 0 { Erosion::Chamfer } else { Erosion::Euclidean };
    let tile_size = [24, 33, 0, 48][usize::from(flags >> 1) % 4];
    let settings = BakeSettings { erosion, tile_size, ..BakeSettings::default() };
    play(&mut ChangingLevel::new(level, Vec::new(), settings), bytes.0, Vec3::splat(0.5));
}

/// Operations on a level; numbers become places in it by `scale`. How many tiles the last of them changed.
///
/// # Panics
/// If a tile is not that of a bake with the same shapes.
pub fn play(level: &mut ChangingLevel, data: &[u8], scale: Vec3) -> usize {
    let mut bytes = Bytes(data);
    let budget = match bytes.next() {
        0..100 => None,
        some => Some(u64::from(some - 99) * 300),
    };
    while bytes.left() > 4 {
        let op = bytes.next();
        let picked = usize::from(bytes.next()) % level.placed.len().max(1);
        match (op % 8, level.placed.get(picked).copied()) {
            (0..=2, _) | (_, None) => _ = level.add(obstacle(&mut bytes, scale)),
            (3, Some(obstacle)) => _ = level.obstacles.move_by(obstacle, place(&mut bytes) * 0.1),
            (4, Some(obstacle)) => _ = level.obstacles.move_to(obstacle, place(&mut bytes) * scale),
            (5, Some(placed)) => _ = level.obstacles.replace(placed, obstacle(&mut bytes, scale)),
            (6, Some(_)) => level.remove(picked),
            (_, Some(_)) => {
                let budget = Budget::new(u64::from(bytes.next()) * 500);
                let stepped = level.obstacles.step(&mut level.mesh, budget, &Context::default());
                assert!(stepped.is_ok(), "{stepped:?}");
            }
        }
    }
    let changed = level.rebuild(budget);
    level.check();
    level.clear(budget);
    changed
}

fn place(bytes: &mut Bytes<'_>) -> Vec3 {
    Vec3::new(bytes.coordinate(), bytes.coordinate() * 0.1, bytes.coordinate())
}

fn obstacle(bytes: &mut Bytes<'_>, scale: Vec3) -> MarkedVolume {
    let kind = bytes.next();
    let at = place(bytes) * scale;
    let mut size = || f32::from(bytes.next()) / 64.0 - 0.1;
    let sizes = Vec3::new(size(), size(), size());
    let corners = |n: usize, bytes: &mut Bytes<'_>| -> Vec<Vec3> {
        (0..n).map(|_| at + place(bytes) * Vec3::new(0.1, 0.5, 0.1)).collect()
    };
    let volume = match kind % 8 {
        0 => Volume::Cylinder { base: at, radius: sizes.x, height: sizes.y },
        1 => Volume::Box(Aabb { min: at, max: at + sizes * 1.5 }),
        2 => Volume::TurnedBox { center: at, half_extents: sizes, angle: sizes.x * 3.0 },
        3 => {
            let outline = corners(5, bytes).into_iter().map(|p| Vec2::new(p.x, p.z)).collect();
            Volume::Prism { outline, heights: [at.y, at.y + sizes.y] }
        }
        4 => Volume::Capsule { base: at, radius: sizes.x, height: sizes.y },
        5 => Volume::Hull(corners(6, bytes)),
        6 => Volume::Mesh { surface: Arc::new(boxes(&[[[-0.9; 3], [1.2; 3]], [[0.4; 3], [1.9; 3]]])), offset: at },
        // As large as the level, or far larger.
        _ => Volume::Box(Aabb { min: at, max: at + sizes * if kind > 128 { 1e30 } else { 20.0 } }),
    };
    match kind / 8 % 4 {
        0 => MarkedVolume::paint(volume, AreaId::from_low_bits(1 + kind / 32)),
        _ => MarkedVolume::block(volume),
    }
}
