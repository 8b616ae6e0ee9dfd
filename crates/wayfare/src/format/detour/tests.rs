//! Detour files, written, read and spoilt. (Those of other projects: `wayfare-testkit/tests/shared_data`.)

use super::*;
use crate::mesh::TileRef;
use crate::mesh::{AddTileError, NavMesh, OffMeshConnection, PolyRef};
use crate::tile::test_sketch::sketch;
use crate::tile::{EdgeNeighbour, TileCoord, TileLayout};
use glam::Vec3;

/// A set of one tile, spoilt in one place after the other.
#[test]
fn the_errors_name_what_is_wrong() {
    let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 });
    mesh.add_tile(sketch(TileCoord::default(), "ab\n.c")).unwrap();
    let set = mesh.to_detour(RefBits::Bits32).unwrap();
    let tile_at = 40 + 8;
    let spoilt = |at: usize, value: u32| {
        let mut bytes = set.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        NavMesh::from_detour(&bytes).unwrap_err()
    };
    let tile = |error| DetourReadError::Tile { index: 0, error };
    assert_eq!(spoilt(0, 1), DetourReadError::Magic { magic: 1 });
    assert_eq!(spoilt(0, u32::from_le_bytes(*b"MSET")), DetourReadError::BigEndian);
    assert_eq!(spoilt(4, 2), DetourReadError::Version { version: 2 });
    assert_eq!(spoilt(8, u32::MAX), DetourReadError::Parameter { name: "number of tiles", value: -1.0 });
    let have = set.len() as u64;
    assert_eq!(spoilt(8, 2), DetourReadError::TruncatedTile { index: 1, count: 2, have, want: have + 8 });
    assert_eq!(spoilt(8, 0), DetourReadError::Surplus { bytes: have - 40, count: 0 });
    let longer = NavMesh::from_detour(&[&set[..], &[0; 3]].concat());
    assert_eq!(longer.unwrap_err(), DetourReadError::Surplus { bytes: 3, count: 1 });
    assert_eq!(spoilt(tile_at, 1), DetourReadError::NoTile { index: 0, count: 1 });
    assert_eq!(spoilt(tile_at + 4, 6), tile(DetourTileError::Version { version: 6 }));
    assert_eq!(spoilt(tile_at + 24, u32::MAX), tile(DetourTileError::Count { name: "number of polygons", value: -1 }));
    assert!(matches!(
        spoilt(tile_at + 24, 1 << 20),
        DetourReadError::Tile { error: DetourTileError::Truncated { .. }, .. }
    ));
    assert!(matches!(spoilt(40, 0), DetourReadError::Reference { salt: 0, .. }));
    // A tile that is larger in the set than its head says.
    let inner = u32::from_le_bytes(*set[44..].first_chunk().unwrap());
    let padded = [&set[..44], &(inner + 4).to_le_bytes(), &set[48..], &[0; 4]].concat();
    let (have, want) = (u64::from(inner) + 4, u64::from(inner));
    assert_eq!(NavMesh::from_detour(&padded).unwrap_err(), tile(DetourTileError::Surplus { have, want }));
    // A bare tile is read with links of either size.
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let head = if bits == RefBits::Bits32 { 48 } else { 56 };
        let bare = mesh.to_detour(bits).unwrap().split_off(head);
        assert_eq!(mesh.tile_to_detour(TileRef::new(1, 0).unwrap(), bits), Ok(bare.clone()));
        let stale = mesh.tile(TileRef::new(1, 1).unwrap()).unwrap_err();
        assert_eq!(mesh.tile_to_detour(stale.tile, bits), Err(DetourWriteError::Stale(stale)));
        let alone = NavMesh::from_detour(&bare).unwrap();
        assert_eq!(DetourRefs::of_file(&bare), Ok(DetourRefs::new(bits, 1, 3)));
        // Longer or shorter it has neither size; both are named.
        let links = u64::from(u32::from_le_bytes(*bare[32..].first_chunk().unwrap()));
        let bits32 = bare.len() as u64 - links * (bits.link_bytes() - 12);
        for other in [[&bare[..], &[0; 4]].concat(), [&bare[..], &[0]].concat(), bare[..bare.len() - 4].to_vec()] {
            let size = tile(DetourTileError::Size { have: other.len() as u64, bits32, bits64: bits32 + 4 * links });
            assert_eq!(NavMesh::from_detour(&other).unwrap_err(), size);
        }
        let [a, b] = [&alone, &mesh].map(|m| m.tiles().next().unwrap().data());
        assert_eq!((&a.verts(), &a.polys(), &a.neighbours()), (&b.verts(), &b.polys(), &b.neighbours()));
    }
    let many = sketch(TileCoord::default(), "a").edited(|many| {
        many.polys[0].count = 8;
        many.corners = [[0, 1], [1, 2], [2, 3], [3, 0]].concat();
        many.neighbours = vec![EdgeNeighbour::WALL; 8];
    });
    let mesh = NavMesh::from_tiles(mesh.layout(), vec![many]).unwrap();
    assert_eq!(mesh.to_detour(RefBits::Bits32), Err(DetourWriteError::Corners { slot: 0, poly: 0, count: 8 }));
}

/// Wherever a file is cut, the error says so, with the bytes that are missing.
#[test]
fn a_file_that_was_cut_short_is_told_so() {
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "ab\nac");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mesh = NavMesh::from_tiles(layout, vec![tile(0), tile(1)]).unwrap();
    for (bits, head) in [(RefBits::Bits32, 8), (RefBits::Bits64, 16)] {
        let set = mesh.to_detour(bits).unwrap();
        let ends = [4, 40, 40 + (set.len() - 40) / 2, set.len()];
        let mut named = 0;
        for have in 0..set.len() {
            let error = NavMesh::from_detour(&set[..have]).unwrap_err();
            let (have, end) = (have as u64, |k: usize| ends[k] as u64);
            let (index, want) = match error {
                DetourReadError::Truncated { have: h, want, .. } => {
                    assert_eq!((h, want), (have, if have < 4 { 4 } else { 40 }));
                    continue;
                }
                DetourReadError::TruncatedTile { index, count: 2, have: h, want } if h == have => (index, want),
                other => panic!("{have} of {} bytes: {other}", set.len()),
            };
            let tile = u32::from(have >= end(2));
            let (begin, whole) = (end(1 + tile as usize), end(2 + tile as usize));
            // Within the heads of the first tile, either width of references may be meant.
            if have >= begin + head + 4 {
                assert_eq!((index, want), (tile, whole), "{have} bytes");
                named += 1;
            } else {
                assert!(index == tile && want > have, "{have} bytes: {error}");
            }
        }
        assert!(named > 200);
    }
}

/// Connections leave the mesh as polygons of the tile they start in and come back as connections.
#[test]
fn connections_survive_there_and_back() {
    let tile = |x, z| sketch(TileCoord { x, z, layer: 0 }, "aa\naa");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0, 0), tile(1, 0), tile(0, 1)]).unwrap();
    // Within each of the tiles and from each to another: those of a tile come back together, so they go in so here.
    let places = [
        ([0.5, 0.5], [1.5, 1.5]),
        ([0.5, 0.5], [3.5, 0.5]),
        ([1.5, 1.5], [0.5, 3.5]),
        ([3.5, 1.5], [2.5, 0.5]),
        ([2.5, 1.5], [1.5, 2.5]),
        ([0.5, 2.5], [0.5, 0.5]),
        ([1.5, 3.5], [0.5, 2.5]),
    ];
    let mut starts = [0; 3];
    for (k, (start, end)) in places.into_iter().enumerate() {
        let [start, end] = [start, end].map(|[x, z]| Vec3::new(x, 0.2, z));
        let (area, flags) = (crate::area::AreaId::from_low_bits(7 + k as u8), crate::area::PolyFlags(8));
        let jump =
            OffMeshConnection { start, end, radius: 0.3, two_way: k % 2 == 1, area, flags, user_id: 40 + k as u32 };
        let jump = mesh.add_connection(jump).unwrap();
        starts[mesh.connection(jump).unwrap().ends()[0].unwrap().poly.slot().get() as usize] += 1;
    }
    assert_eq!(starts, [3, 2, 2]);
    for bits in [RefBits::Bits32, RefBits::Bits64] {
        let back = NavMesh::from_detour(&mesh.to_detour(bits).unwrap()).unwrap();
        assert!(mesh.connections().eq(back.connections()));
        assert!(back.connections().all(|c| c.passage(0).is_some()));
        assert!(mesh.tiles().zip(back.tiles()).all(|(a, b)| a.links() == b.links()));
    }
    assert_eq!(NavMesh::new(layout).to_detour(RefBits::Bits32).unwrap().len(), 40);
    // Without any tile there is nothing to keep them in; an empty slot has none either way.
    (0..3).for_each(|slot| drop(mesh.remove_tile(TileRef::new(1, slot).unwrap())));
    assert_eq!(mesh.to_detour(RefBits::Bits32), Err(DetourWriteError::NoTile { count: 7 }));
    assert!(mesh.tile_to_detour(TileRef::new(1, 0).unwrap(), RefBits::Bits32).is_err());
}

/// The side says where the end holds on, not on which side of the tile's vertices it lies: Detour looks nowhere else.
#[test]
fn the_side_of_a_connection_is_where_its_end_has_ground() {
    let tile = |x, z| sketch(TileCoord { x, z, layer: 0 }, "aa\naa");
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let around = (0..3).flat_map(|z| (0..3).map(move |x| (x, z)));
    let whole = NavMesh::from_tiles(layout, around.map(|(x, z)| tile(x, z)).collect()).unwrap();
    let alone = NavMesh::from_tiles(layout, vec![tile(1, 1)]).unwrap();
    // The side of a connection of radius 0.6 from the middle tile, and whether Detour links it.
    let side = |mesh: &NavMesh, end: [f32; 3]| {
        let mut mesh = mesh.clone();
        let jump = OffMeshConnection {
            start: Vec3::new(3.0, 0.0, 3.0),
            end: end.into(),
            radius: 0.6,
            two_way: false,
            area: crate::area::AreaId::WALKABLE,
            flags: crate::area::PolyFlags::WALK,
            user_id: 0,
        };
        let jump = mesh.add_connection(jump).unwrap();
        let home = mesh.tile_at(TileCoord { x: 1, z: 1, layer: 0 }).unwrap().tile_ref();
        let bytes = mesh.tile_to_detour(home, RefBits::Bits32).unwrap();
        // Side, then the caller's number, at the end of the last record.
        (bytes[bytes.len() - 5], mesh.is_linked_in_detour(mesh.connection(jump).unwrap()))
    };
    // On the tile's upper border, just outside of it, and on its lower border: it is the only tile with ground.
    for end in [[4.0, 0.0, 3.5], [4.5, 0.0, 3.5], [3.5, 0.0, 4.5], [4.4, 0.0, 4.4], [2.0, 0.0, 2.0], [1.5, 0.0, 3.0]] {
        assert_eq!(side(&alone, end), (0xff, true), "{end:?}");
    }
    // The same tile among others, which have the ground beyond.
    let steps = [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (-1.0, 1.0), (-1.0, 0.0), (-1.0, -1.0), (0.0, -1.0), (1.0, -1.0)];
    for (expected, (x, z)) in (0..8).zip(steps) {
        assert_eq!(side(&whole, [3.0 + 1.4 * x, 0.0, 3.0 + 1.4 * z]), (expected, true));
        // Where there is no ground yet, the tile that will have it; Detour links it when that tile is added.
        assert_eq!(side(&alone, [3.0 + 1.9 * x, 0.0, 3.0 + 1.9 * z]), (expected, false));
    }
    assert_eq!(side(&whole, [3.5, 0.0, 3.5]), (0xff, true));
    // Far away, and nowhere on the plane.
    let far = NavMesh::from_tiles(layout, vec![tile(1, 1), tile(3, 1)]).unwrap();
    assert_eq!((side(&far, [7.0, 0.0, 3.0]), side(&far, [9.0, 0.0, 3.0])), ((0, false), (0, false)));
    // Above all ground of the tile, Detour takes what is below, however far.
    assert_eq!(side(&alone, [3.5, 9.0, 3.5]), (0xff, true));
}

/// The same numbers mean the same polygons after any change that fits, and by the table of the widths.
#[test]
fn references_keep_their_numbers_there_and_back() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let mut mesh = NavMesh::new(layout);
    for (slot, salt) in [(0, 1), (3, 700), (5, 2)] {
        let coord = TileCoord { x: slot as i32, z: 0, layer: 0 };
        mesh.add_tile_at(TileRef::new(salt, slot).unwrap(), sketch(coord, "ab\ncd")).unwrap();
    }
    // References of tiles in the order of the file.
    let words = |set: &[u8], bits| -> Vec<u64> {
        let (mut words, mut at) = (Vec::new(), 40);
        while at < set.len() {
            let word = |at: usize| u32::from_le_bytes(*set[at..].first_chunk().unwrap());
            let (low, next) = (u64::from(word(at)), u64::from(word(at + 4)));
            let (reference, size, head) =
                if bits == RefBits::Bits32 { (low, next as u32, 8) } else { (next << 32 | low, word(at + 8), 16) };
            words.push(reference);
            at += head + size as usize;
        }
        words
    };
    // As the demo's, as tight as can be, and what `to_detour` chooses.
    for refs in [(128, 1 << 15), (8, 4), (100, 5_000)].map(|(t, p)| DetourRefs::new(RefBits::Bits32, t, p)) {
        for refs in [refs, refs.with_bits(RefBits::Bits64)] {
            let set = mesh.to_detour_with(refs).unwrap();
            let (back, kept) = (NavMesh::from_detour(&set).unwrap(), DetourRefs::of_file(&set).unwrap());
            assert_eq!(kept, refs);
            let again = back.to_detour_with(kept).unwrap();
            assert_eq!(words(&again, refs.bits()), words(&set, refs.bits()));
            for (tile, word) in mesh.tiles().zip(words(&set, refs.bits())) {
                assert_eq!(refs.decode(word + 2), Some(tile.reference(2)));
                assert_eq!(refs.encode(tile.reference(2)), Some(word + 2));
            }
        }
    }
    let demo = DetourRefs::new(RefBits::Bits32, 128, 1 << 15);
    assert_eq!(mesh.detour_refs(RefBits::Bits32), Ok(demo));
    assert_eq!(mesh.detour_refs(RefBits::Bits64), Ok(demo.with_bits(RefBits::Bits64)));
    assert_eq!(demo.decode(0x40_0000), PolyRef::new(1, 0, 0));
    let fields = 700 << 22 | 3 << 15 | 1;
    assert_eq!(demo.decode(fields), PolyRef::new(700, 3, 1));
    // Numbers of no polygon, and polygons without a number.
    assert_eq!([0, 3 << 15, 1 << 32 | fields].map(|word| demo.decode(word)), [None; 3]);
    let too_wide = [(1024, 0, 0), (1, 128, 0), (1, 0, 1 << 15)].map(|(s, t, p)| PolyRef::new(s, t, p).unwrap());
    assert_eq!(too_wide.map(|reference| demo.encode(reference)), [None; 3]);
    let connection = PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap();
    let wide = DetourRefs::new(RefBits::Bits64, 128, 1 << 15);
    assert_eq!((wide.encode(connection), wide.decode(connection.to_bits())), (None, None));
    assert_eq!(wide.decode(too_wide[0].to_bits()), Some(too_wide[0]));
    // Capacities that do not hold the mesh, and those that leave its salts too few bits.
    let refused = |tiles, polys| mesh.to_detour_with(DetourRefs::new(RefBits::Bits32, tiles, polys)).unwrap_err();
    let capacity = |what, value, max| DetourWriteError::Capacity { what, value, max };
    assert_eq!(refused(5, 4), capacity("the number of slots", 6, 5));
    assert_eq!(refused(8, 2), capacity("the number of polygons in a tile", 4, 2));
    let salts = DetourWriteError::Reference { tiles: 256, polys: 1 << 15, salt: 700 };
    assert_eq!(refused(256, 1 << 15), salts);
}

/// Polygons get what tiles and salts leave, as far as a tile can use it; then tiles.
#[test]
fn references_leave_room() {
    let choice = |slots, polys, salt| {
        let refs = refs::DetourRefs::roomy(RefBits::Bits32, slots, polys, salt);
        (refs.max_tiles(), refs.max_polys())
    };
    assert_eq!(choice(1, 1, 1), (128, 1 << 15));
    assert_eq!(choice(129, 1, 1023), (256, 1 << 14));
    assert_eq!(choice(1000, 4096, 1), (1024, 4096));
    assert_eq!(choice(1000, 4096, 1024), (1024, 4096));
    assert_eq!(choice(3, 200, u16::MAX), (4, 1 << 14));
    let wide = refs::DetourRefs::roomy(RefBits::Bits64, 100_000, 30_000, u16::MAX);
    assert_eq!((wide.max_tiles(), wide.max_polys()), (1 << 17, 1 << 15));
}

/// Detour ends the list of free links at the last one also where there is none.
#[test]
fn a_tile_without_links_has_room_for_one() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
    let walled = sketch(TileCoord::default(), "a").edited(|tile| tile.neighbours.fill(EdgeNeighbour::WALL));
    let mesh = NavMesh::from_tiles(layout, vec![walled]).unwrap();
    let alone = mesh.tile_to_detour(TileRef::new(1, 0).unwrap(), RefBits::Bits32).unwrap();
    assert_eq!(alone[32..36], 1u32.to_le_bytes());
}

#[test]
fn far_slots_are_refused_with_their_limit() {
    let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 });
    mesh.add_at_any(TileRef::new(1, 65_535).unwrap(), sketch(TileCoord::default(), "a")).unwrap();
    let mut set = mesh.to_detour(RefBits::Bits64).unwrap();
    let again = NavMesh::from_detour(&set).unwrap();
    assert_eq!(again.slot_count(), 65_536);
    for slot in [65_536, (1 << 27) + 1] {
        set[32..36].copy_from_slice(&PolyRef::TILE_SLOTS.to_le_bytes());
        set[40..48].copy_from_slice(&PolyRef::new(1, slot, 0).unwrap().to_bits().to_le_bytes());
        let error = AddTileError::SlotFar { slot, limit: 65_536 };
        assert_eq!(NavMesh::from_detour(&set).unwrap_err(), DetourReadError::Add { index: 0, error });
    }
}

/// What is written is read: the greatest capacity, and no slot that the reader would refuse.
#[test]
fn writer_and_reader_agree_on_slots() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "a");
    let mut mesh = NavMesh::from_tiles(layout, vec![tile(0)]).unwrap();
    let mut set = mesh.to_detour(RefBits::Bits64).unwrap();
    for (capacity, is_read) in [(1u32 << 28, true), ((1 << 28) + 1, false)] {
        set[32..36].copy_from_slice(&capacity.to_le_bytes());
        assert_eq!(NavMesh::from_detour(&set).is_ok(), is_read, "{capacity}");
    }
    // So many slots were used that a far one is in order, but a set does not tell of those that are empty.
    let mut many = NavMesh::from_tiles(layout, (0..8_200).map(tile).collect()).unwrap();
    many.add_tile_at(TileRef::new(1, 65_600).unwrap(), tile(8_200)).unwrap();
    let back = NavMesh::from_detour(&many.to_detour(RefBits::Bits64).unwrap()).unwrap();
    assert_eq!((back.tile_count(), back.slot_count()), (8_201, 65_601));
    (1..8_200).for_each(|slot| drop(many.remove_tile(TileRef::new(1, slot).unwrap())));
    let far = DetourWriteError::SlotFar { slot: 65_600, tiles: 2, limit: 65_536 };
    assert_eq!(many.to_detour(RefBits::Bits64), Err(far));
    // Nor one so high that the capacity would be all of 2^28.
    mesh.add_at_any(TileRef::new(1, (1 << 27) + 1).unwrap(), tile(1)).unwrap();
    let far = DetourWriteError::SlotFar { slot: (1 << 27) + 1, tiles: 2, limit: 65_536 };
    assert_eq!(mesh.to_detour(RefBits::Bits64), Err(far));
}
