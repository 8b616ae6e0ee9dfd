//! "The world has ten thousand tiles in one file. To load the one that the player enters I have to read them all." A
//! tile is loaded from the directory and its own bytes, and if another one is broken it does not matter.

use std::cell::Cell;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::format::{FilePart, ReadError, WayDirectory};
use wayfare::input::BakeSettings;
use wayfare::mesh::NavMesh;

#[test]
fn a_tile_is_read_without_the_others() {
    let scene = wayfare_scenes::scene("dungeon?size=120").unwrap();
    let level = scene.mesh().unwrap();
    let settings = BakeSettings { tile_size: 32, ..scene.settings };
    let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let bytes = mesh.to_bytes();
    let read = Cell::new(0);
    let mut file = Cursor::new(bytes.clone());
    let mut take = |range: Range<u64>| {
        let mut part = vec![0; (range.end - range.start) as usize];
        file.seek(SeekFrom::Start(range.start)).unwrap();
        file.read_exact(&mut part).unwrap();
        read.set(read.get() + part.len());
        part
    };
    let length = bytes.len() as u64;
    let range = WayDirectory::range(&take(length - WayDirectory::TRAILER_BYTES..length)).unwrap();
    let directory = WayDirectory::read(&take(range)).unwrap();
    let wanted = mesh.tiles().nth(40).unwrap();
    let entry = directory.tile_at(wanted.coord()).unwrap();
    let tile = directory.read_tile(entry, &take(entry.range.offset..entry.range.offset + entry.range.length)).unwrap();
    assert!(tile.data() == wanted.data() && entry.tile == wanted.tile_ref());
    assert!(read.get() * 4 < bytes.len(), "{} of {} bytes were read", read.get(), bytes.len());

    let mut alone = NavMesh::new(directory.layout());
    alone.add_prepared_at(entry.tile, tile).unwrap();
    assert!(alone.tile(wanted.tile_ref()).is_ok() && alone.check().is_empty());

    // The file as a whole names what is broken.
    let broken = &directory.tiles()[7];
    let mut altered = bytes;
    altered[broken.range.offset as usize + 100] ^= 1;
    let Err(ReadError::Checksum { part, .. }) = NavMesh::from_bytes(&altered) else { panic!("a broken file is read") };
    assert_eq!(part, FilePart::Tile { coord: broken.coord });
}
