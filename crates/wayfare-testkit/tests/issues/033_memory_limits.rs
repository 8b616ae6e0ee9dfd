//! A level of fine cells or of very many floors ended the program when memory ran out, in the middle of a bake: now the
//! caller says how much a tile may take, and a bake that would need more is refused.

use super::{floors, surface};
use wayfare::bake::{BYTES_A_CELL, BYTES_A_SPAN, BakeError, TooMuchMemory, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};

fn outcome(level: &TriMesh, tile_size: u32, limit: Option<u64>) -> Result<Vec<u8>, BakeError> {
    let context = Context { memory_limit: limit, ..Context::default() };
    let settings = BakeSettings { tile_size, ..BakeSettings::default() };
    let (baked, _) = bake_tiles(level, &settings, &context)?;
    Ok(wayfare::mesh::NavMesh::from_tiles(baked.layout, baked.tiles).unwrap().to_bytes())
}

#[test]
fn a_bake_beyond_its_limit_says_how_much_it_needs() {
    let ground = surface(10, 10, 6.0, |x, z| (x % 2 + z % 3) as f32 * 0.5);
    let cells = 200 * 200;
    let free = outcome(&ground, 0, None).unwrap();
    assert_eq!(outcome(&ground, 0, Some(cells * (BYTES_A_CELL + 2 * BYTES_A_SPAN))).unwrap(), free);
    // No room for the cells, and none for their spans.
    for limit in [cells * BYTES_A_CELL - 1, cells * (BYTES_A_CELL + BYTES_A_SPAN / 2)] {
        let refused = outcome(&ground, 0, Some(limit)).unwrap_err();
        let BakeError::TooMuchMemory(TooMuchMemory { width: 200, depth: 200, needed, limit: told }) = refused else {
            panic!("{refused}")
        };
        assert!(needed > limit && told == limit, "{refused}");
        assert!(refused.to_string().ends_with("use smaller tiles, or larger cells"), "{refused}");
    }
}

/// What is refused in one tile is baked in small ones.
#[test]
fn the_limit_is_that_of_a_tile() {
    let ground = surface(10, 10, 6.0, |_, _| 0.0);
    let limit = Some(2_000_000);
    assert!(outcome(&ground, 0, limit).is_err());
    assert_eq!(outcome(&ground, 32, limit).unwrap(), outcome(&ground, 32, None).unwrap());
}

/// Memory is bounded while the spans are made, not only when all are there.
#[test]
fn a_tower_is_refused_before_it_is_built() {
    let tower: Vec<_> = (0..4_000).map(|floor| ([0.0, 30.0], [0.0, 30.0], floor as f32 * 3.0)).collect();
    let tower = floors(&tower);
    let limit = 20_000_000;
    let mut refused = None;
    let taken = allocation_counter::measure(|| refused = Some(outcome(&tower, 0, Some(limit))));
    assert!(matches!(refused, Some(Err(BakeError::TooMuchMemory(_)))), "{refused:?}");
    assert!(taken.bytes_max < 4 * limit, "{} bytes", taken.bytes_max);
}
