//! "Our tool stores loot beside each tile. When the level editor, which knows nothing of it, opens the file, moves a
//! door and saves, the loot is gone." Sections that nobody reads stay, with name, version and bytes.

use wayfare::Vec3;
use wayfare::format::{WayEnd, WayFile, WayStream};
use wayfare::mesh::NavMesh;
use wayfare::tile::{TileCoord, TileKeys, TileLayout};

use crate::hostile::{add_triangle, tile_at};

#[test]
fn what_others_keep_outlives_a_save() {
    let tiles: Vec<_> = (0..3)
        .map(|x| {
            let mut tile = tile_at(x, 0);
            let low = tile.bounds.min;
            add_triangle(&mut tile, [low, low + Vec3::Z * 5.0, low + Vec3::X * 5.0], None);
            tile.build().unwrap()
        })
        .collect();
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 10.0, tile_depth: 10.0 };
    let keys: TileKeys = [(TileCoord::default(), 5)].into_iter().collect();
    let mut file = WayFile::new(NavMesh::from_tiles(layout, tiles.clone()).unwrap(), keys);
    let (loot, bare) = (TileCoord { x: 1, z: 0, layer: 0 }, TileCoord { x: 7, z: 7, layer: 7 });
    file.sections.set("zoo", 9, vec![1; 100]);
    file.sections.set("", 0, Vec::new());
    file.tile_sections.get_mut(loot).set("loot", 7, vec![2, 3]);
    file.tile_sections.get_mut(bare).set("loot", 7, vec![4]);

    // The editor, also when the tile itself goes.
    let mut edited = WayFile::from_bytes(&file.to_bytes()).unwrap();
    let gone = edited.mesh.tile_at(loot).unwrap().tile_ref();
    edited.mesh.remove_tile(gone).unwrap();
    let again = WayFile::from_bytes(&edited.to_bytes()).unwrap();
    assert_eq!((&again.sections, &again.tile_sections), (&file.sections, &file.tile_sections));
    assert_eq!((again.sections.iter().len(), again.tile_sections.get(loot).get("loot").unwrap().version), (2, 7));

    // As the tiles are baked, the same bytes.
    let mut bytes = Vec::new();
    let mut stream = WayStream::new(layout, 0, &mut bytes);
    for tile in &tiles {
        stream.tile_with(tile, file.tile_sections.get(tile.coord()), &mut bytes).unwrap();
    }
    let mut elsewhere = file.tile_sections.clone();
    elsewhere.remove(loot);
    let end =
        WayEnd { keys: file.cache.keys(), sections: &file.sections, tile_sections: &elsewhere, ..WayEnd::default() };
    assert_eq!(stream.finish(end, &mut bytes).unwrap(), file.digest());
    assert!(bytes == file.to_bytes());
}
