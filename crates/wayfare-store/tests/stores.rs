//! What a store promises: what was committed stays, whoever is killed; the same tiles are the same bytes; damage is
//! found and named.

use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::format::{
    IndexError, ReadError, Sections, StoreEntry, StoreError, StoreHead, StoreIndex, StoreRecord, WayEnd,
    WorldDifference, WorldStore, load_store,
};
use wayfare::hierarchy::{NotLoadedReason, StoredTiles, TileReader as _};
use wayfare::tile::{BakedFor, SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare_store::{Store, check, compact, join, open, open_to_write, repair};

const LAYOUT: TileLayout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };

fn head() -> StoreHead {
    StoreHead::new(LAYOUT, WayEnd::default()).unwrap()
}

fn at(x: i32, z: i32) -> TileCoord {
    TileCoord { x, z, layer: 0 }
}

/// A tile of one square.
fn square(coord: TileCoord) -> TileData {
    let low = Vec3::new(coord.x as f32, 0.0, coord.z as f32);
    let verts = [[0., 0.], [0., 1.], [1., 1.], [1., 0.]].map(|[x, z]| low + Vec3::new(x, 0.0, z));
    let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
    build_tile(&TileSource { coord, verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, ..TileSource::default() })
        .unwrap()
}

/// The record of a place, with a graph; one in five has no ground.
fn record(coord: TileCoord) -> StoreRecord {
    let tile = square(coord);
    let tile = ((coord.x + coord.z).rem_euclid(5) != 4).then_some(&tile);
    let mut beside = Sections::EMPTY;
    beside.set(StoreRecord::GRAPH_SECTION, 1, vec![coord.x as u8; 40]);
    StoreRecord::new(&head(), coord, (coord.x * 100 + coord.z) as u64, tile, &beside).unwrap()
}

fn coords(side: i32) -> impl Iterator<Item = TileCoord> {
    (0..side).flat_map(move |z| (0..side).map(move |x| at(x, z)))
}

fn write(path: &Path, coords: impl IntoIterator<Item = TileCoord>) {
    let mut store = open_to_write(path, &head()).unwrap();
    coords.into_iter().for_each(|coord| store.write(&record(coord)).unwrap());
    store.finish().unwrap();
}

fn entries(store: &Store) -> Vec<StoreEntry> {
    store.index().iter().map(|entry| StoreEntry { offset: 0, ..*entry }).collect()
}

/// Both forms.
fn places(folder: &Path) -> [PathBuf; 2] {
    let tiles = folder.join("tiles");
    std::fs::create_dir(&tiles).unwrap();
    [folder.join("world.wayworld"), tiles]
}

#[test]
fn both_forms_give_back_what_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let mut digests = Vec::new();
    for path in places(folder.path()) {
        write(&path, coords(7));
        let store = open(&path).unwrap();
        assert_eq!(store.index().len(), 49);
        for coord in coords(7) {
            let stored = store.read_tile(coord).unwrap();
            let section = store.read_section(coord, StoreRecord::GRAPH_SECTION).unwrap().unwrap();
            assert_eq!((stored.key, &section.bytes), ((coord.x * 100 + coord.z) as u64, &vec![coord.x as u8; 40]));
            assert_eq!(stored.sections.get(StoreRecord::GRAPH_SECTION), Some(&section));
            assert_eq!(stored.tile.map(|tile| tile.into_data()).is_some(), record(coord).entry().has_tile());
            assert_eq!(store.index().get(coord).unwrap().graph_bytes, 40);
        }
        assert_eq!(store.read_section(at(0, 0), "nothing").unwrap(), None);
        assert_eq!(store.read_tile(at(9, 9)).unwrap_err(), StoreError::Missing { coord: at(9, 9) });
        let (file, events) = load_store(&store).unwrap();
        assert_eq!((file.mesh.tile_count() as usize, events.len()), (store.index().tile_count(), 0));
        assert!(check(&store).is_empty() && file.mesh.check().is_empty());
        digests.push((store.index().digest(), entries(&store)));
    }
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn whenever_a_writer_is_killed_what_was_committed_is_there_and_the_next_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name).with_extension("wayworld"));
    write(&whole, coords(4));
    compact(&whole).unwrap();
    let expected = std::fs::read(&whole).unwrap();
    // After each call the file is what a killed writer leaves; between two of them it has a longer tail.
    let mut store = open_to_write(&cut, &head()).unwrap();
    let mut moments = Vec::new();
    let mut committed = 0;
    for (number, coord) in (1..).zip(coords(4)) {
        store.write(&record(coord)).unwrap();
        if number % 5 == 0 {
            store.commit().unwrap();
            committed = number;
        }
        let bytes = std::fs::read(&cut).unwrap();
        moments.push((bytes.clone(), committed));
        moments.push((bytes[..bytes.len() - if number == committed { 0 } else { 9 }].to_vec(), committed));
    }
    drop(store);
    for (bytes, committed) in moments {
        std::fs::write(&cut, bytes).unwrap();
        let left = open(&cut).unwrap();
        assert_eq!(left.index().len(), committed);
        assert!(check(&left).is_empty());
        let there: Vec<TileCoord> = left.index().iter().map(|entry| entry.coord).collect();
        write(&cut, coords(4).filter(|coord| !there.contains(coord)));
        compact(&cut).unwrap();
        assert_eq!(std::fs::read(&cut).unwrap(), expected);
    }
}

#[test]
fn one_writes_and_others_read() {
    let folder = tempfile::tempdir().unwrap();
    for path in places(folder.path()) {
        write(&path, coords(2));
        let mut writer = open_to_write(&path, &head()).unwrap();
        let refused = open_to_write(&path, &head()).unwrap_err().to_string();
        assert!(refused.contains("this program itself"), "{refused}");
        assert!(compact(&path).is_err() && repair(&path).is_err());
        let reader = open(&path).unwrap();
        assert_eq!(reader.index().len(), 4);
        for coord in coords(3) {
            writer.write(&record(coord)).unwrap();
        }
        writer.commit().unwrap();
        assert_eq!(open(&path).unwrap().index().len(), 9);
        // What the reader opened is still there.
        assert!(check(&reader).is_empty());
        // The writer ends without a word.
        drop(writer);
        write(&path, []);
        assert_eq!(open(&path).unwrap().index().len(), 9);
        let mut read_only = open(&path).unwrap();
        assert_eq!(read_only.write(&record(at(0, 0))), Err(StoreError::ReadOnly));
    }
}

#[test]
fn a_folder_whose_writer_was_killed_before_it_had_a_head_can_be_written_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world");
    let leave = |names: &[&str]| {
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        for name in names {
            let (name, content) = name.split_once('=').unwrap_or((name, ""));
            match name.strip_suffix('/') {
                Some(name) => std::fs::create_dir_all(path.join(name)).unwrap(),
                None => std::fs::write(path.join(name), content).unwrap(),
            }
        }
    };
    for left in [&["tiles/"][..], &["tiles/", "lock"], &["tiles/", "lock", "head.way.part=half"]] {
        leave(left);
        write(&path, coords(2));
        assert_eq!(open(&path).unwrap().index().len(), 4);
    }
    // Files of others stay.
    for left in [&["tiles/", "tiles/mine=1"][..], &["tiles/", "lock=mine"], &["lock", "notes"]] {
        leave(left);
        let refused = open_to_write(&path, &head()).unwrap_err().to_string();
        assert!(refused.contains("holds other files"), "{refused}");
        assert!(!path.join("head.way").exists());
    }
}

#[test]
fn a_reader_of_a_file_sees_what_it_opened_and_a_reader_of_a_folder_is_told_what_was_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for path in places(folder.path()) {
        write(&path, coords(2));
        let reader = open(&path).unwrap();
        let mut writer = open_to_write(&path, &head()).unwrap();
        // Of the same length, longer, shorter, and none.
        for (coord, count) in [(at(0, 0), 40), (at(1, 0), 900), (at(1, 1), 0)] {
            let mut beside = Sections::EMPTY;
            beside.set(StoreRecord::GRAPH_SECTION, 1, vec![7; count]);
            writer.write(&StoreRecord::new(&head(), coord, 1, Some(&square(coord)), &beside).unwrap()).unwrap();
        }
        writer.remove(at(0, 1)).unwrap();
        writer.finish().unwrap();
        let replaced = |coord| StoreError::Replaced { coord };
        let expected = match reader {
            Store::Packed(_) => vec![],
            Store::Folder(_) => {
                vec![
                    replaced(at(0, 0)),
                    StoreError::Missing { coord: at(0, 1) },
                    replaced(at(1, 0)),
                    replaced(at(1, 1)),
                ]
            }
        };
        assert_eq!(check(&reader), expected);
        let sections = coords(2).map(|coord| reader.read_section(coord, StoreRecord::GRAPH_SECTION));
        // A section has a checksum of its own: that of a record of the same length is a later one.
        assert_eq!(sections.filter(Result::is_ok).count(), if expected.is_empty() { 4 } else { 1 });
        let told = StoredTiles::new(reader).read_tile(at(1, 0)).err();
        assert_eq!(told, (!expected.is_empty()).then_some(NotLoadedReason::Replaced));
        assert!(check(&open(&path).unwrap()).is_empty());
    }
}

#[test]
fn tiles_that_are_replaced_or_taken_out_are_gone_after_compact() {
    let folder = tempfile::tempdir().unwrap();
    for path in places(folder.path()) {
        write(&path, coords(3));
        let before = open(&path).unwrap().index().digest();
        let size = |path: &Path| open(path).unwrap().size(path).unwrap();
        let small = size(&path);
        let mut store = open_to_write(&path, &head()).unwrap();
        for coord in coords(6) {
            store.write(&record(coord)).unwrap();
        }
        store.commit().unwrap();
        coords(6).filter(|coord| coord.x.max(coord.z) > 2).for_each(|coord| store.remove(coord).unwrap());
        store.finish().unwrap();
        compact(&path).unwrap();
        let store = open(&path).unwrap();
        assert_eq!((store.index().digest(), store.size(&path).unwrap()), (before, small));
    }
}

#[test]
fn another_layout_is_another_world() {
    let folder = tempfile::tempdir().unwrap();
    let other = StoreHead::new(TileLayout { tile_width: 2.0, ..LAYOUT }, WayEnd::default()).unwrap();
    for path in places(folder.path()) {
        write(&path, coords(3));
        let mut store = open_to_write(&path, &head()).unwrap();
        store.set_head(other.clone()).unwrap();
        assert!(store.index().is_empty());
        store.finish().unwrap();
        let part = folder.path().join("part.wayworld");
        write(&part, coords(1));
        let differ = WorldDifference::TileSize { sides: [2.0, 1.0] };
        assert_eq!(join(&[part], &path), Err(StoreError::OtherWorld(differ)));
    }
}

#[test]
fn tiles_for_other_agents_are_not_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).with_extension("wayworld");
    let sizes = BakedFor { radius: 0.6, height: 2.0, climb: 0.9, cell_size: 0.3, cell_height: 0.2 };
    let others =
        [("a", sizes), ("b", BakedFor { height: 4.0, ..sizes }), ("c", BakedFor { cell_height: 0.1, ..sizes })];
    for (name, sizes) in others {
        let head = head().with_baked_for(sizes).unwrap();
        assert_eq!(head.baked_for(), Some(sizes));
        let mut store = open_to_write(&path(name), &head).unwrap();
        store.write(&record(at(0, 0))).unwrap();
        store.finish().unwrap();
    }
    for (other, what, values) in [("b", "the agent's height", [4.0, 2.0]), ("c", "the cell height", [0.1, 0.2])] {
        let differ = Err(StoreError::OtherWorld(WorldDifference::BakedFor { what, values }));
        assert_eq!(join(&[path("a"), path(other)], &path("joined")), differ);
        assert!(!path("joined").exists());
    }
    let told = join(&[path("a")], &path("b")).unwrap_err().to_string();
    assert!(told.contains("different values of the agent's height, 4 m and 2 m"), "{told}");
    join(&[path("a")], &path("joined")).unwrap();
}

#[test]
fn parts_make_the_whole_in_either_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).with_extension("wayworld");
    write(&path("whole"), coords(6));
    write(&path("low"), coords(6).filter(|coord| coord.z < 4));
    // Overlapping parts agree.
    let high = folder.path().join("high/");
    std::fs::create_dir(&high).unwrap();
    write(&high, coords(6).filter(|coord| coord.z > 1));
    join(&[path("low"), high.clone()], &path("joined")).unwrap();
    for name in ["whole", "joined"] {
        compact(&path(name)).unwrap();
    }
    assert_eq!(std::fs::read(path("joined")).unwrap(), std::fs::read(path("whole")).unwrap());
    let mut store = open_to_write(&high, &head()).unwrap();
    store.write(&StoreRecord::new(&head(), at(0, 3), 1, None, &Sections::EMPTY).unwrap()).unwrap();
    store.finish().unwrap();
    let error = join(&[path("low"), high], &path("again")).unwrap_err().to_string();
    assert!(error.contains("different tiles at column 0, row 3"), "{error}");
}

#[test]
fn tiles_that_were_joined_before_an_error_stay() {
    let folder = tempfile::tempdir().unwrap();
    let part = folder.path().join("part.wayworld");
    write(&part, coords(3));
    let last = *open(&part).unwrap().index().iter().last().unwrap();
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[last.offset as usize + 20] ^= 1;
    std::fs::write(&part, &bytes).unwrap();
    for target in places(folder.path()) {
        let error = join(std::slice::from_ref(&part), &target).unwrap_err();
        assert!(matches!(error, StoreError::Broken { coord, .. } if coord == last.coord), "{error}");
        let joined = open(&target).unwrap();
        assert_eq!(joined.index().len(), 8);
        assert!(check(&joined).is_empty());
    }
}

/// What may become of a store some of whose bytes are other than they were: an error, or the same tiles, those that are
/// broken named.
fn judge(path: &Path, whole: &[StoreEntry]) -> Result<(), StoreError> {
    let store = open(path)?;
    assert_eq!(entries(&store), whole);
    let broken = check(&store);
    for entry in store.index().iter() {
        let is_broken =
            |event: &&StoreError| matches!(event, StoreError::Broken { coord, .. } if *coord == entry.coord);
        match store.read_tile(entry.coord) {
            Ok(stored) => {
                assert_eq!(stored.key, entry.key);
                assert_eq!(stored.tile.is_some(), entry.has_tile());
            }
            Err(_) => assert!(broken.iter().any(|event| is_broken(&event))),
        }
    }
    let (_, events) = load_store(&store)?;
    assert_eq!(events.len(), broken.len());
    Ok(())
}

#[test]
fn every_prefix_and_every_byte_changed_is_an_error_or_a_broken_tile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.wayworld");
    write(&path, [at(0, 0), at(1, 0), at(4, 0)]);
    let (bytes, whole) = (std::fs::read(&path).unwrap(), entries(&open(&path).unwrap()));
    for length in 0..bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert!(judge(&path, &whole).is_err(), "the first {length} bytes");
    }
    let mut sound = 0;
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x41;
        std::fs::write(&path, &changed).unwrap();
        sound += usize::from(judge(&path, &whole).is_ok());
        // Repair takes what is whole, and what it leaves is sound. Not for every byte, since it waits for the disk.
        if place % 11 == 0
            && let Ok(repaired) = repair(&path)
        {
            let store = open(&path).unwrap();
            assert_eq!(store.index().len(), repaired.tiles);
            assert!(check(&store).is_empty() && repaired.tiles >= whole.len() - 1, "byte {place}");
        }
    }
    // Those of tiles, and of either of the two heads.
    assert!(sound > bytes.len() / 3, "{sound} of {}", bytes.len());
}

#[test]
fn a_lost_index_is_made_anew_from_the_tiles() {
    let folder = tempfile::tempdir().unwrap();
    let [packed, tiles] = places(folder.path());
    write(&packed, coords(5));
    let whole = entries(&open(&packed).unwrap());
    let bytes = std::fs::read(&packed).unwrap();
    // Neither of the two heads, nor the index; some rubbish behind.
    let mut lost = bytes.clone();
    lost[..16 + 2 * 56].fill(0);
    let index = lost.len() - 300;
    lost[index..].fill(7);
    lost.extend([0x57; 1000]);
    std::fs::write(&packed, &lost).unwrap();
    assert!(matches!(open(&packed), Err(StoreError::Index(IndexError::NoStore))));
    let found = repair(&packed).unwrap();
    assert_eq!((found.tiles, found.broken), (25, 0));
    assert_eq!(entries(&open(&packed).unwrap()), whole);
    compact(&packed).unwrap();
    write(&tiles, coords(5));
    std::fs::write(tiles.join("index"), b"nonsense").unwrap();
    let error = open(&tiles).unwrap_err().to_string();
    assert!(error.contains("wayfare store repair"), "{error}");
    assert_eq!(repair(&tiles).unwrap().tiles, 25);
    assert_eq!(entries(&open(&tiles).unwrap()), whole);
    // A file that is no store is left alone.
    let other = folder.path().join("notes.txt");
    std::fs::write(&other, "not a store").unwrap();
    assert!(repair(&other).is_err());
    assert_eq!(std::fs::read(&other).unwrap(), b"not a store");
}

#[test]
fn a_repair_that_is_killed_leaves_a_store_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.wayworld");
    write(&path, coords(4));
    let mut store = open_to_write(&path, &head()).unwrap();
    [at(1, 1), at(2, 3)].into_iter().for_each(|coord| store.remove(coord).unwrap());
    store.finish().unwrap();
    let (before, whole) = (std::fs::read(&path).unwrap(), entries(&open(&path).unwrap()));
    assert_eq!(whole.len(), 14);
    assert_eq!(repair(&path).unwrap().tiles, 14);
    let after = std::fs::read(&path).unwrap();
    // The index is appended before the head refers to it, so at each moment the file is one of these.
    let begin = wayfare::format::PackedHead::BYTES;
    assert!(after.get(begin..before.len()) == before.get(begin..), "a byte of before has changed");
    for length in [before.len() + 1, usize::midpoint(before.len(), after.len()), after.len()] {
        let killed = [&before[..], &after[before.len()..length]].concat();
        std::fs::write(&path, &killed).unwrap();
        assert_eq!(entries(&open(&path).unwrap()), whole);
        // Again: what was removed does not return.
        assert_eq!(repair(&path).unwrap().tiles, 14);
        assert_eq!(entries(&open(&path).unwrap()), whole);
    }
    // Nor does what a killed writer had not committed.
    let mut store = open_to_write(&path, &head()).unwrap();
    store.write(&record(at(9, 9))).unwrap();
    store.set_head(StoreHead::new(TileLayout { tile_width: 2.0, ..LAYOUT }, WayEnd::default()).unwrap()).unwrap();
    drop(store);
    assert_eq!(repair(&path).unwrap().tiles, 14);
    assert!(check(&open(&path).unwrap()).is_empty());
}

#[test]
fn tiles_of_a_former_layout_do_not_return_with_a_lost_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.wayworld");
    write(&path, coords(4));
    let mut store = open_to_write(&path, &head()).unwrap();
    let other = StoreHead::new(TileLayout { tile_width: 2.0, ..LAYOUT }, WayEnd::default()).unwrap();
    store.set_head(other.clone()).unwrap();
    store.write(&StoreRecord::new(&other, at(1, 0), 1, None, &Sections::EMPTY).unwrap()).unwrap();
    store.finish().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[..wayfare::format::PackedHead::BYTES].fill(0);
    std::fs::write(&path, &bytes).unwrap();
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.tiles, repaired.broken), (1, 0));
    let store = open(&path).unwrap();
    assert!(check(&store).is_empty());
    assert_eq!(store.head(), &other);
    // If the head of the new tiles is lost, they cannot be read, and those before it can.
    let mark = bytes.windows(8).rposition(|bytes| bytes == b"WAYHEAD\n").unwrap();
    bytes[mark] = 0;
    std::fs::write(&path, &bytes).unwrap();
    let repaired = repair(&path).unwrap();
    assert_eq!((repaired.tiles, repaired.broken), (16, 1));
    assert!(check(&open(&path).unwrap()).is_empty());
}

#[test]
fn a_folder_without_an_index_is_listed_and_a_tile_taken_away_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let [_, tiles] = places(folder.path());
    write(&tiles, coords(3));
    let whole = entries(&open(&tiles).unwrap());
    let file = tiles.join("tiles/0_0/1_1_0.way");
    let bytes = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(check(&open(&tiles).unwrap()), [StoreError::Missing { coord: at(1, 1) }]);
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(check(&open(&tiles).unwrap())[..], [StoreError::Broken { coord, .. }] if coord == at(1, 1)));
    // Without the index a broken tile is not listed, and is a fault all the same.
    let index = std::fs::read(tiles.join("index")).unwrap();
    std::fs::remove_file(tiles.join("index")).unwrap();
    let stray = tiles.join("tiles/0_0/stray.way");
    std::fs::write(&stray, b"WAY").unwrap();
    let faults = check(&open(&tiles).unwrap());
    assert!(matches!(faults[0], StoreError::Broken { coord, .. } if coord == at(1, 1)), "{faults:?}");
    assert!(faults[1].to_string().contains("stray.way") && faults.len() == 2, "{faults:?}");
    assert_eq!(wayfare::format::load_store(&open(&tiles).unwrap()).unwrap().1, faults);
    std::fs::remove_file(&stray).unwrap();
    std::fs::write(tiles.join("index"), index).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    std::fs::remove_file(tiles.join("index")).unwrap();
    assert_eq!(entries(&open(&tiles).unwrap()), whole);
    // Each tile is a mesh of its own.
    assert_eq!(wayfare::mesh::NavMesh::from_bytes(&bytes).unwrap().tile_count(), 1);
}

#[test]
fn entries_that_share_bytes_are_refused() {
    use wayfare::format::{BlockRange, IndexBlock, PackedHead};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.wayworld");
    write(&path, [at(0, 0)]);
    let mut bytes = std::fs::read(&path).unwrap();
    let found = PackedHead::read(&bytes).unwrap()[0];
    let entry = *open(&path).unwrap().index().iter().next().unwrap();
    let mut entries: Vec<StoreEntry> = coords(2).map(|coord| StoreEntry { coord, ..entry }).collect();
    entries.sort_by_key(|entry| entry.coord);
    let block = IndexBlock { before: None, entries }.to_bytes();
    let index = BlockRange { offset: bytes.len() as u64, length: block.len() as u64 };
    bytes.extend(&block);
    let packed = PackedHead { index, end: bytes.len() as u64, ..found };
    let begin = packed.file_begin();
    bytes[..begin.len()].copy_from_slice(&begin);
    std::fs::write(&path, &bytes).unwrap();
    assert!(matches!(open(&path), Err(StoreError::Index(IndexError::Damaged))));
}

#[test]
fn a_repair_of_a_folder_deletes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [_, tiles] = places(folder.path());
    write(&tiles, coords(3));
    let files = tiles.join("tiles/0_0");
    let sound = std::fs::read(files.join("1_1_0.way")).unwrap();
    std::fs::write(files.join("1_1_0 copy.way"), &sound).unwrap();
    std::fs::write(files.join("2_1_0.way"), &sound[1..]).unwrap();
    // Sound by itself, but no read of this store would take it.
    let other = StoreHead::new(TileLayout { tile_width: 2.0, ..LAYOUT }, WayEnd::default()).unwrap();
    let foreign = StoreRecord::new(&other, at(0, 0), 1, None, &Sections::EMPTY).unwrap();
    std::fs::write(files.join("0_0_0.way"), foreign.bytes()).unwrap();
    assert!(compact(&tiles).unwrap_err().to_string().contains("wayfare store repair"));
    let repaired = repair(&tiles).unwrap();
    assert_eq!((repaired.tiles, repaired.broken), (7, 3));
    for (name, bytes) in [("0_0_0", foreign.bytes()), ("1_1_0 copy", &sound), ("2_1_0", &sound[1..])] {
        assert_eq!(std::fs::read(files.join(format!("{name}.way.broken"))).unwrap(), bytes);
    }
    assert!(check(&open(&tiles).unwrap()).is_empty());
    compact(&tiles).unwrap();
    // The next one that is put aside does not replace the last.
    std::fs::write(files.join("2_1_0.way"), b"half").unwrap();
    assert_eq!(repair(&tiles).unwrap().broken, 1);
    assert_eq!(std::fs::read(files.join("2_1_0.way.broken")).unwrap(), &sound[1..]);
}

#[test]
fn what_a_newer_program_wrote_is_not_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let [packed, tiles] = places(folder.path());
    let newer = |file: &Path, place: usize| {
        let before = std::fs::read(file).unwrap();
        let mut bytes = before.clone();
        bytes[place] = 99;
        std::fs::write(file, &bytes).unwrap();
        (before, bytes)
    };
    write(&packed, coords(2));
    let (_, bytes) = newer(&packed, 8);
    assert_eq!(repair(&packed), Err(StoreError::Index(IndexError::Version { version: 99 })));
    assert_eq!(std::fs::read(&packed).unwrap(), bytes);
    write(&tiles, coords(2));
    let (before, _) = newer(&tiles.join("head.way"), 8);
    assert_eq!(repair(&tiles), Err(StoreError::Head(ReadError::Version { version: 99 })));
    std::fs::write(tiles.join("head.way"), before).unwrap();
    // Version, mark and checksum end a tile.
    let file = tiles.join("tiles/0_0/1_1_0.way");
    let length = std::fs::metadata(&file).unwrap().len() as usize;
    let (_, bytes) = newer(&file, length - 8 - 8 - 4);
    let error = repair(&tiles).unwrap_err().to_string();
    assert!(error.contains("1_1_0.way: the file has version 99") && error.contains("use a newer one"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
}

#[test]
#[cfg(unix)]
fn a_tile_that_is_removed_while_a_folder_is_listed_is_absent() {
    let folder = tempfile::tempdir().unwrap();
    let [_, tiles] = places(folder.path());
    write(&tiles, coords(2));
    std::fs::remove_file(tiles.join("index")).unwrap();
    // Listed, but not there when it is read.
    std::os::unix::fs::symlink("nowhere", tiles.join("tiles/0_0/9_9_0.way")).unwrap();
    assert_eq!(open(&tiles).unwrap().index().len(), 4);
}

#[test]
fn entries_in_any_order_are_those_set_one_by_one() {
    let at = |x: u64, z: u64, length| StoreEntry {
        coord: TileCoord { x: x as i32, z: z as i32, layer: 0 },
        offset: x * 1000 + z * 10 + length,
        length,
        digest: 0,
        content: 0,
        key: 0,
        tile_bytes: 0,
        graph_bytes: 0,
    };
    // In descending rows; some twice, and of these some removed.
    let rows = (0..40).rev().flat_map(|z| (0..3).map(move |x| (x, z)));
    let twice = (0..40).step_by(7).map(|z| at(1, z, z % 2));
    let entries: Vec<StoreEntry> = rows.map(|(x, z)| at(x, z, 2)).chain(twice).collect();
    let mut index = StoreIndex::new();
    entries.iter().for_each(|&entry| index.set(entry));
    assert_eq!(index.len(), 120 - 3);
    assert_eq!(entries.into_iter().collect::<StoreIndex>(), index);
}
