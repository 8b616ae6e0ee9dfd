//! One tile of a file is read without the others, and a broken part is named.

use super::seal::{directory_of, seal};
use super::*;
use crate::mesh::{AddTileError, NavMesh};
use crate::tile::test_sketch::sketch;
use crate::tile::{TileCoord, TileKeys, TileLayout};
use glam::Vec3;

const LAYOUT: TileLayout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };

fn at(x: i32) -> TileCoord {
    TileCoord { x, z: 0, layer: 0 }
}

/// Four tiles, the last with two sections; two of a place without a tile; one of the mesh.
fn file() -> WayFile {
    let tiles = (0..4).map(|x| sketch(at(x), "a.\nab")).collect();
    let mut file = WayFile::from(NavMesh::from_tiles(LAYOUT, tiles).unwrap());
    for coord in [at(3), at(9)] {
        file.tile_sections.get_mut(coord).set("graph", 2, vec![1, 2, 3, 4]);
        file.tile_sections.get_mut(coord).set("layers", 1, vec![5, 6]);
    }
    file.sections.set("layers.plan", 1, vec![9; 20]);
    file
}

fn directory(bytes: &[u8]) -> Result<WayDirectory, ReadError> {
    let trailer = bytes.last_chunk::<TRAILER_BYTES>().unwrap();
    let range = WayDirectory::range(trailer)?;
    assert_eq!((range.start as usize, range.end as usize), (directory_of(bytes).unwrap(), bytes.len()));
    WayDirectory::read(&bytes[range.start as usize..])
}

#[test]
fn tiles_and_sections_are_read_alone() {
    let file = file();
    let bytes = file.to_bytes();
    let directory = directory(&bytes).unwrap();
    assert_eq!((directory.layout(), directory.tiles().len()), (file.mesh.layout(), 4));
    for (entry, tile) in directory.tiles().iter().zip(file.mesh.tiles()) {
        let read = directory.read_tile(entry, entry.range.of(&bytes)).unwrap();
        assert_eq!((entry.tile, entry.coord, read.data()), (tile.tile_ref(), tile.coord(), tile.data()));
        assert_eq!(directory.tile_at(entry.coord), Some(entry));
    }
    assert_eq!(directory.tile_at(at(9)), None);
    for coord in [at(0), at(3), at(9), at(10)] {
        let entries = directory.tile_sections(coord).iter();
        let read = entries.map(|e| (e.name.as_str(), directory.read_section(e, e.range.of(&bytes)).unwrap()));
        assert!(read.eq(file.tile_sections.get(coord).iter().map(|(name, section)| (name, section.clone()))));
    }
    let names: Vec<&str> = directory.sections().iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["layers.plan"]);
}

#[test]
fn a_tile_read_alone_has_the_state_that_it_was_saved_with() {
    use crate::area::PolyFlags;
    let mut mesh = file().mesh;
    let door = mesh.tile_at(at(2)).unwrap().reference(0);
    mesh.set_flags(door, PolyFlags(64)).unwrap();
    let bytes = mesh.to_bytes();
    let directory = directory(&bytes).unwrap();
    let entry = directory.tile_at(at(2)).unwrap();
    let mut alone = NavMesh::new(directory.layout());
    alone.add_prepared_at(entry.tile, directory.read_tile(entry, entry.range.of(&bytes)).unwrap()).unwrap();
    assert_eq!(alone.state(door), mesh.state(door));
}

/// All other tiles can still be read.
#[test]
fn a_broken_part_is_named() {
    let whole = file().to_bytes();
    let directory = directory(&whole).unwrap();
    let broken = |range: FileRange| {
        let mut bytes = whole.clone();
        bytes[range.offset as usize] ^= 1;
        let Err(ReadError::Checksum { part, .. }) = NavMesh::from_bytes(&bytes) else { panic!("{range:?}") };
        (part, bytes)
    };
    for entry in directory.tiles() {
        let (part, bytes) = broken(entry.range);
        assert_eq!(part, FilePart::Tile { coord: entry.coord });
        let is_read = |e: &TileEntry| directory.read_tile(e, e.range.of(&bytes)).is_ok();
        assert!(directory.tiles().iter().all(|e| is_read(e) != (e.tile == entry.tile)));
    }
    for entry in directory.all_sections() {
        let named = FilePart::Section { name: entry.name.clone(), coord: entry.coord };
        let (part, bytes) = broken(entry.range);
        let error = directory.read_section(entry, entry.range.of(&bytes)).unwrap_err();
        assert!(part == named && matches!(error, ReadError::Checksum { part, .. } if part == named));
    }
    assert_eq!(broken(directory.mesh_part()).0, FilePart::Mesh);
    let mut bytes = whole.clone();
    bytes[directory_of(&whole).unwrap()] ^= 1;
    assert!(matches!(NavMesh::from_bytes(&bytes), Err(ReadError::Checksum { part: FilePart::Directory, .. })));
    let named = FilePart::Tile { coord: at(1) };
    assert_eq!(named.to_string(), "the tile at column 1, row 0, layer 0");
}

#[test]
fn other_bytes_than_those_of_the_range_are_refused() {
    let bytes = file().to_bytes();
    let directory = directory(&bytes).unwrap();
    let [entry, other] = [0, 1].map(|k| &directory.tiles()[k]);
    let tile = entry.range.of(&bytes);
    for length in 0..tile.len() {
        let error = directory.read_tile(entry, &tile[..length]).unwrap_err();
        assert!(matches!(error, ReadError::PartLength { .. }), "{length}: {error}");
    }
    for at in 0..tile.len() {
        let mut altered = tile.to_vec();
        altered[at] ^= 16;
        assert!(matches!(directory.read_tile(entry, &altered), Err(ReadError::Checksum { .. })));
    }
    assert!(directory.read_tile(entry, &[tile, &[0]].concat()).is_err());
    assert!(directory.read_tile(other, tile).is_err());
    let section = &directory.sections()[0];
    assert!(directory.read_section(section, &[9; 19]).is_err());
}

#[test]
fn prefixes_and_altered_bytes_of_a_directory_are_refused() {
    let bytes = file().to_bytes();
    let directory = &bytes[directory_of(&bytes).unwrap()..];
    for length in 0..directory.len() {
        assert!(WayDirectory::read(&directory[..length]).is_err());
        assert!(WayDirectory::read(&directory[length + 1..]).is_err());
    }
    for at in 0..directory.len() {
        for bit in 0..8 {
            let mut altered = directory.to_vec();
            altered[at] ^= 1 << bit;
            assert!(WayDirectory::read(&altered).is_err(), "bit {bit} of byte {at}");
        }
    }
    assert!(WayDirectory::read(&[directory, &[0]].concat()).is_err());
    assert!(WayDirectory::read(&bytes).is_err());
}

/// What has right checksums, but says things that cannot be.
#[test]
fn a_directory_that_contradicts_itself_is_refused() {
    let whole = file().to_bytes();
    let start = directory_of(&whole).unwrap();
    let refused = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        edit(&mut bytes);
        seal(&mut bytes);
        let error = NavMesh::from_bytes(&bytes).unwrap_err();
        let alone = directory_of(&bytes).map(|start| WayDirectory::read(&bytes[start..]).map(drop));
        (error, alone)
    };
    let put =
        |at: usize, number: u64| move |bytes: &mut Vec<u8>| bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    let records = start + 56;
    let length = u64::from_le_bytes(whole[records + 24..records + 32].try_into().unwrap());
    // Lengths that reach into the next tile, fall short of it, or leave the file; and those that add up to 2⁶⁴.
    for other in [length + 8, length - 8, 1 << 40, u64::MAX, u64::MAX - length] {
        let (error, alone) = refused(&put(records + 24, other));
        assert!(matches!(error, ReadError::Ranges { .. }), "{other}: {error}");
        assert_eq!(alone, Some(Err(error)));
    }
    // Two lengths that make up for each other leave broken tiles.
    let (error, alone) = refused(&|bytes| {
        put(records + 24, length + 8)(bytes);
        put(records + 64, length - 8)(bytes);
    });
    assert!(matches!(error, ReadError::Section { section: "tile" }), "{error}");
    assert_eq!(alone, Some(Ok(())));
    // Equal names, and names out of order, of a tile.
    let graph = whole.windows(5).rposition(|name| name == b"graph").unwrap();
    let name = records + 4 * 40 + 16 + 28;
    assert_eq!(&whole[name..name + 5], b"graph");
    let renamed =
        |name: usize, new: &'static [u8]| move |bytes: &mut Vec<u8>| bytes[name..name + new.len()].copy_from_slice(new);
    for at in [name, graph] {
        let (error, _) = refused(&renamed(at, b"z"));
        assert!(matches!(error, ReadError::SectionOrder { .. }), "{error}");
        // Nothing that is text.
        assert_eq!(refused(&renamed(at, b"\xff")).0, ReadError::Section { section: "directory" });
    }
    // Two tiles at one place.
    let (error, alone) = refused(&|bytes| bytes.copy_within(records + 8..records + 20, records + 48));
    assert!(matches!(error, ReadError::Section { section: "tile" }), "{error}");
    let taken = AddTileError::PlaceTaken { coord: at(0), tile: crate::mesh::TileRef::new(1, 0).unwrap() };
    assert_eq!(alone, Some(Err(ReadError::Tile { slot: 1, error: taken })));
    // A place without a tile that has one, and one without sections.
    let place = records + 4 * 40;
    let (error, _) = refused(&|bytes| bytes[place..place + 4].copy_from_slice(&2u32.to_le_bytes()));
    assert_eq!(error, ReadError::Place { coord: at(2) });
    let (error, _) = refused(&|bytes| bytes[place + 12] = 0);
    assert_eq!(error, ReadError::Place { coord: at(9) });
    // Numbers of tiles, places and sections that are not there, or of which some are left.
    for count in [start + 28, start + 32, start + 36, records + 20, place + 12] {
        for value in [0, 1, 3, 0x7fff_ffff, u32::MAX] {
            let is_as_it_was = whole[count..count + 4] == value.to_le_bytes();
            let mut bytes = whole.clone();
            bytes[count..count + 4].copy_from_slice(&value.to_le_bytes());
            seal(&mut bytes);
            assert!(is_as_it_was || NavMesh::from_bytes(&bytes).is_err(), "{value} at {count}");
        }
    }
}

#[test]
fn keys_of_another_version_are_refused_and_the_mesh_is_read() {
    let mut bytes = WayFile::new(file().mesh, [(at(0), 5)].into_iter().collect()).to_bytes();
    assert_eq!(directory(&bytes).unwrap().sections()[0].name, TileKeys::SECTION);
    let name = bytes.windows(10).rposition(|name| name == b"build.keys").unwrap();
    bytes[name - 28] = 2;
    seal(&mut bytes);
    let error = ReadError::SectionVersion { name: "build.keys", version: 2, known: 1 };
    assert_eq!(WayFile::from_bytes(&bytes).unwrap_err(), error);
    NavMesh::from_bytes(&bytes).unwrap();
}
