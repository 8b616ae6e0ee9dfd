//! Bytes to the reader of checkpoints, compressed and plain, behind the hash of a tile.

use wayfare::Vec3;
use wayfare::bake::{BakeReport, Door, TileBaker, TileInput, TileRect};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, Level, TriMesh};
use wayfare::tile::TileCoord;
use wayfare::voxel::{Checkpoints, CompactHeightfield, Compressor, DamagedBytes, Deflate, Grid};

const SIDE: u32 = 24;

/// Makes nothing smaller, so that any bytes are codes.
struct Plain;

impl Compressor for Plain {
    fn compress(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(bytes);
    }

    fn decompress(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes> {
        if packed.len() != out.len() {
            return Err(DamagedBytes);
        }
        out.copy_from_slice(packed);
        Ok(())
    }

    fn most_bytes(&self, packed: usize) -> usize {
        packed
    }
}

/// Reads `data` as the checkpoint of a small tile.
///
/// # Panics
/// If ground that was read is not the same after it was written and read again, or the recipe cannot go on from it.
pub fn checkpoint(data: &[u8]) {
    read(data, Deflate::default());
    read(data, Plain);
}

fn read(data: &[u8], compressor: impl Compressor) {
    let settings = BakeSettings::default().to_voxel().unwrap_or_else(|e| panic!("the default settings: {e}"));
    let (cell_size, cell_height) = (settings.cell_size, settings.cell_height);
    let grid = Grid { origin: Vec3::ZERO, cell_size, cell_height, x: 0, z: 0, width: SIDE, depth: SIDE };
    let mut checkpoints = Checkpoints::with_compressor(&settings, compressor);
    let mut bytes = Vec::new();
    checkpoints.write(&CompactHeightfield::empty(grid), &mut bytes);
    bytes.truncate(8);
    bytes.extend_from_slice(data);
    let mut field = CompactHeightfield::empty(grid);
    if checkpoints.read(&bytes, &grid, 0, &mut field).is_err() {
        return;
    }
    bytes.clear();
    checkpoints.write(&field, &mut bytes);
    let mut again = CompactHeightfield::empty(grid);
    checkpoints.read(&bytes, &grid, 0, &mut again).unwrap_or_else(|e| panic!("our own bytes are refused: {e}"));
    assert!(
        (&again.columns, &again.y, &again.area, &again.neighbours)
            == (&field.columns, &field.y, &field.area, &field.neighbours),
        "written and read again, it differs"
    );
    let mut baker = TileBaker::new(grid, settings);
    baker.products_mut().compact = field;
    let level = Level { mesh: &TriMesh::EMPTY, terrain: None, volumes: &[] };
    let tile = TileRect { coord: TileCoord { x: 0, z: 0, layer: 0 }, grid, border: 0 };
    let input = TileInput { level, triangles: None, tile };
    let doors = [Door::Open, Door::Tile];
    let made = baker.run(&input, doors, &mut (), &Context::default(), &mut BakeReport::default());
    assert!(made.is_ok(), "{made:?}");
}
