//! Reads MagicaVoxel `.vox` files as block worlds: z is up in the file, y here, so (x, y, z) becomes (x, z, y).
//!
//! The models of a file without a scene are put at the origin; with a scene each model is placed by its transforms, in
//! the first frame (`vox_scene`). Voxels are solid; the caller selects colours for water or lava, since the format does
//! not. The world is as large as its models claim to be, however few voxels they have, plus some blocks above the
//! highest voxel, to build in. A palette that was rearranged in the editor keeps its old order in the file, with the
//! order that is shown beside it (`IMAP`): the numbers of colours are those that are shown.
//!
//! The models are placed twice: first the boxes around their voxels, which determine the size of the world, then the
//! voxels.
//!
//! Cost: linear in the voxels placed and the blocks of the world. Both are limited by the bytes of the file. Sources:
//! ephtracy, "MagicaVoxel .vox file format extension", 2016; the meaning of `IMAP` is that of Justin Paver,
//! "opengametools", 2020.

use crate::ReadError;
use crate::vox_scene::{Placing, place_models};
use dot_vox::Model;
use wayfare::blocks::{Block, BlockBox, Cell, DenseBlocks};

/// The maximum number of blocks of a world, however large the file.
const MAX_BLOCKS: u64 = 1 << 31;
/// The maximum number of blocks for the smallest file, a byte each, plus this many more for each byte of the file.
const BLOCKS: [u64; 2] = [1 << 27, 64];
/// Coordinates of voxels are bytes: a model is never larger, whatever size it claims.
const LARGEST: u32 = 256;
/// Blocks of air above the highest voxel, to build in.
pub const VOX_ROOM: i64 = 16;

/// The meaning of colours: numbers of the palette, as editors show them, from 1 on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette<'a> {
    /// Colours of water.
    pub water: &'a [u8],
    /// Colours of hazards.
    pub lava: &'a [u8],
}

impl Palette<'_> {
    fn block(&self, colour: u8) -> Block {
        match colour {
            c if self.water.contains(&c) => Block::Water,
            c if self.lava.contains(&c) => Block::Hazard,
            _ => Block::Solid,
        }
    }
}

/// The box around positions.
#[derive(Clone, Copy)]
struct Extent {
    low: [i64; 3],
    high: [i64; 3],
}

impl Extent {
    const NONE: Self = Self { low: [i64::MAX; 3], high: [i64::MIN; 3] };

    fn add(&mut self, place: [i64; 3]) {
        self.low = [0, 1, 2].map(|k| self.low[k].min(place[k]));
        self.high = [0, 1, 2].map(|k| self.high[k].max(place[k]));
    }

    fn is_empty(&self) -> bool {
        self.low[0] > self.high[0]
    }
}

/// The data of a model that determines the size of the world: its box, and that of its voxels. Voxels outside the size
/// that their model claims are kept.
struct ModelExtent {
    all: Extent,
    voxels: Extent,
}

impl ModelExtent {
    fn of(model: &Model) -> Self {
        let mut voxels = Extent::NONE;
        model.voxels.iter().for_each(|v| voxels.add([v.x, v.y, v.z].map(i64::from)));
        let mut all = voxels;
        let last = [model.size.x, model.size.y, model.size.z].map(|n| i64::from(n.min(LARGEST)) - 1);
        if last.iter().all(|&n| n >= 0) {
            all.add([0; 3]);
            all.add(last);
        }
        Self { all, voxels }
    }
}

/// The placement of a model: unchanged, or rotated about its centre and moved.
fn place_of(model: &Model, placing: Option<&Placing>, at: [i64; 3]) -> [i64; 3] {
    placing.map_or(at, |placing| placing.of([model.size.x, model.size.y, model.size.z], at))
}

/// Reads a block world from a MagicaVoxel `.vox` file. z is up in the file, y here. Models are placed by the file's
/// scene, and there are [`VOX_ROOM`] blocks of air above the highest voxel.
///
/// Cost: linear in the voxels placed and the blocks of the world; both are limited by the bytes of the file.
///
/// # Errors
/// [`ReadError`].
pub fn read_vox(bytes: &[u8], palette: Palette<'_>) -> Result<DenseBlocks, ReadError> {
    check_nesting(bytes)?;
    let data = dot_vox::load_bytes(bytes).map_err(|_| "is no .vox file, or a damaged one".to_string())?;
    let placed = place_models(&data, bytes.len())?;
    let extents: Vec<ModelExtent> = data.models.iter().map(ModelExtent::of).collect();
    let (mut all, mut highest) = (Extent::NONE, None);
    for (number, placing) in &placed {
        let (model, extent) = (&data.models[*number], &extents[*number]);
        let corners = |of: Extent| {
            let corners = [of.low, of.high].into_iter().filter(move |_| !of.is_empty());
            corners.map(|corner| place_of(model, placing.as_ref(), corner))
        };
        corners(extent.all).for_each(|place| all.add(place));
        highest = highest.max(corners(extent.voxels).map(|place| place[2]).max());
    }
    let Some(highest) = highest else { return Err("has no voxels".into()) };
    all.high[2] = all.high[2].max(highest.saturating_add(VOX_ROOM));
    let mut world = empty_world(&all, bytes.len())?;
    let blocks = shown_colours(&data.index_map).map(|colour| palette.block(colour));
    for (number, placing) in &placed {
        let model = &data.models[*number];
        for voxel in &model.voxels {
            let place = place_of(model, placing.as_ref(), [voxel.x, voxel.y, voxel.z].map(i64::from));
            world.set(cell(place), blocks[usize::from(voxel.i)]);
        }
    }
    Ok(world)
}

/// For each colour of a voxel, which the parser counts from 0, the number that the editor shows: whoever rearranges the
/// palette leaves the voxels alone, and the file lists the colour that is shown first, second, and so on.
fn shown_colours(order: &[u8]) -> [u8; 256] {
    let mut shown = core::array::from_fn(|colour| (colour as u8).saturating_add(1));
    for (&colour, number) in order.iter().zip(1..=255u8) {
        if let Some(place) = usize::from(colour).checked_sub(1) {
            shown[place] = number;
        }
    }
    shown
}

fn cell(place: [i64; 3]) -> Cell {
    Cell::new(place[0] as i32, place[2] as i32, place[1] as i32)
}

/// A world of air, if a file of this many bytes may have one of this size.
fn empty_world(all: &Extent, bytes: usize) -> Result<DenseBlocks, ReadError> {
    let sides = [0, 1, 2].map(|k| all.high[k].abs_diff(all.low[k]).saturating_add(1));
    let blocks = sides.iter().fold(1u64, |n, &side| n.saturating_mul(side));
    let most = (BLOCKS[0] + BLOCKS[1] * bytes as u64).min(MAX_BLOCKS);
    let is_near = all.low.iter().chain(&all.high).all(|v| v.abs() < 1 << 30);
    if blocks > most || !is_near {
        return Err(format!(
            "spans {} x {} x {} blocks, more than the {most} that a file of its size may have: move its models closer \
             together",
            sides[0], sides[1], sides[2]
        )
        .into());
    }
    DenseBlocks::new(BlockBox::new(cell(all.low), cell(all.high))).map_err(|e| e.to_string().into())
}

/// Fails if chunks are nested in the chunks of a file, which the format does not allow: the parser would follow them
/// without limit.
fn check_nesting(bytes: &[u8]) -> Result<(), ReadError> {
    // The file has a header of 8 bytes and one chunk, whose own header is 12 bytes long.
    let sizes = |chunk: &[u8]| -> Option<[usize; 2]> {
        let number = |at: usize| Some(u32::from_le_bytes(chunk.get(at..at + 4)?.try_into().ok()?) as usize);
        Some([number(4)?, number(8)?])
    };
    let Some(main) = bytes.get(8..) else { return Ok(()) };
    let children = sizes(main).and_then(|[own, _]| main.get(12usize.saturating_add(own)..));
    let mut rest = children.unwrap_or_default();
    while let Some([own, within]) = sizes(rest) {
        if within > 0 {
            return Err("has chunks within chunks, which no .vox file has: it is damaged".into());
        }
        rest = rest.get(12usize.saturating_add(own)..).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dot_vox::{Dict, DotVoxData, Frame, SceneNode, ShapeModel, Size, Voxel};
    use wayfare::blocks::BlockSource;

    fn file(scenes: Vec<SceneNode>) -> Vec<u8> {
        let voxels = vec![Voxel { x: 0, y: 0, z: 0, i: 0 }, Voxel { x: 3, y: 0, z: 1, i: 1 }];
        let data = DotVoxData {
            version: 150,
            index_map: Vec::new(),
            models: vec![Model { size: Size { x: 4, y: 2, z: 2 }, voxels }],
            palette: Vec::new(),
            materials: Vec::new(),
            scenes,
            layers: Vec::new(),
        };
        let mut bytes = Vec::new();
        data.write_vox(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn up_becomes_y_and_colours_become_what_they_are_said_to_be() {
        let world = read_vox(&file(Vec::new()), Palette { water: &[2], lava: &[] }).unwrap();
        assert_eq!(world.bounds().unwrap(), BlockBox::new(Cell::new(0, 0, 0), Cell::new(3, 17, 1)));
        assert_eq!((world.block(0, 0, 0), world.block(3, 1, 0)), (Block::Solid, Block::Water));
    }

    /// The same file with a chunk at its end.
    fn with_chunk(mut bytes: Vec<u8>, name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        bytes.extend(name);
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend([0; 4]);
        bytes.extend(content);
        let children = bytes.len() as u32 - 20;
        bytes[16..20].copy_from_slice(&children.to_le_bytes());
        bytes
    }

    #[test]
    fn colours_are_those_that_the_editor_shows() {
        // Shown first is colour 2, second 3, third 1, and the others as they are.
        let order: Vec<u8> = [2, 3, 1].into_iter().chain(4..=255).chain([0]).collect();
        let bytes = with_chunk(file(Vec::new()), b"IMAP", &order);
        let world = read_vox(&bytes, Palette { water: &[3], lava: &[1] }).unwrap();
        assert_eq!((world.block(0, 0, 0), world.block(3, 1, 0)), (Block::Water, Block::Hazard));
        // An order that makes no sense changes nothing.
        let bytes = with_chunk(file(Vec::new()), b"IMAP", &[0; 256]);
        let world = read_vox(&bytes, Palette { water: &[1], lava: &[2] }).unwrap();
        assert_eq!((world.block(0, 0, 0), world.block(3, 1, 0)), (Block::Water, Block::Hazard));
    }

    #[test]
    fn models_lie_where_the_scene_puts_them() {
        let attributes = Dict::from([("_t".to_string(), "10 20 30".to_string()), ("_r".to_string(), "17".to_string())]);
        let models = vec![ShapeModel { model_id: 0, attributes: Dict::new() }];
        let scenes = vec![
            SceneNode::Transform { attributes: Dict::new(), frames: vec![Frame { attributes }], child: 1, layer_id: 0 },
            SceneNode::Shape { attributes: Dict::new(), models },
        ];
        let world = read_vox(&file(scenes), Palette::default()).unwrap();
        // Rotation 17: a quarter turn, (x, y) to (-y, x) about the middle. The box is that of the turned model, and
        // room over the higher voxel.
        let bounds = BlockBox::new(Cell::new(9, 29, 18), Cell::new(10, 46, 21));
        assert_eq!(world.bounds().unwrap(), bounds);
        let solid: Vec<Cell> = {
            let b = world.bounds().unwrap();
            let mut found = Vec::new();
            for y in b.min.y..=b.max.y {
                for z in b.min.z..=b.max.z {
                    found.extend((b.min.x..=b.max.x).filter(|&x| world.is_solid(x, y, z)).map(|x| Cell::new(x, y, z)));
                }
            }
            found
        };
        assert_eq!(solid, [Cell::new(10, 29, 18), Cell::new(10, 30, 21)]);
    }

    #[test]
    fn rotations_that_are_none_are_refused_wherever_they_are() {
        let models = || vec![ShapeModel { model_id: 0, attributes: Dict::new() }];
        let read = |turn: &str| {
            let attributes = Dict::from([("_r".to_string(), turn.to_string())]);
            let unused = vec![Frame { attributes }];
            read_vox(
                &file(vec![
                    SceneNode::Shape { attributes: Dict::new(), models: models() },
                    SceneNode::Transform { attributes: Dict::new(), frames: unused, child: 0, layer_id: 0 },
                ]),
                Palette::default(),
            )
        };
        for turn in 0..=255u8 {
            let axes = [turn & 3, turn >> 2 & 3];
            let is_rotation = axes[0] != axes[1] && !axes.contains(&3);
            assert_eq!(read(&turn.to_string()).is_ok(), is_rotation, "{turn}");
        }
        for turn in ["0", "3", "5", "", "-1", "256", "x"] {
            let told = read(turn).unwrap_err().to_string();
            assert!(told.contains("in scene node 1"), "{told}");
        }
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        let bytes = file(Vec::new());
        for end in 0..bytes.len().min(64) {
            let _ = read_vox(&bytes[..end], Palette::default());
        }
        assert!(read_vox(b"VOX ", Palette::default()).is_err() && read_vox(b"", Palette::default()).is_err());
        let scenes = vec![SceneNode::Group { attributes: Dict::new(), children: vec![0] }];
        assert!(read_vox(&file(scenes), Palette::default()).is_err());
    }

    /// Scene nodes as the format writes them; node 0 is the root.
    fn groups(count: u32, children: usize) -> Vec<SceneNode> {
        let group = |i: u32| SceneNode::Group { attributes: Dict::new(), children: vec![i + 1; children] };
        let models = vec![ShapeModel { model_id: 0, attributes: Dict::new() }];
        let shape = SceneNode::Shape { attributes: Dict::new(), models };
        (0..count).map(group).chain([shape]).collect()
    }

    #[test]
    fn what_is_placed_is_bounded_by_the_bytes_of_the_file() {
        assert!(read_vox(&file(groups(3, 4)), Palette::default()).is_ok());
        for scenes in [groups(60, 2), groups(4, 500)] {
            let refused = read_vox(&file(scenes), Palette::default()).unwrap_err().to_string();
            assert!(refused.contains("place its models fewer times"), "{refused}");
        }
        let deep = read_vox(&file(groups(2000, 1)), Palette::default()).unwrap_err().to_string();
        assert!(deep.contains("within itself"), "{deep}");
    }

    #[test]
    fn a_world_of_air_is_bounded_by_the_bytes_of_the_file() {
        let models = || vec![ShapeModel { model_id: 0, attributes: Dict::new() }];
        let at = |t: &str, child: u32| {
            let attributes = Dict::from([("_t".to_string(), t.to_string())]);
            SceneNode::Transform { attributes: Dict::new(), frames: vec![Frame { attributes }], child, layer_id: 0 }
        };
        let shape = || SceneNode::Shape { attributes: Dict::new(), models: models() };
        let far = |t: &str| {
            let root = SceneNode::Group { attributes: Dict::new(), children: vec![1, 3] };
            read_vox(&file(vec![root, at("0 0 0", 2), shape(), at(t, 4), shape()]), Palette::default())
        };
        assert!(far("500 500 0").is_ok());
        assert!(
            far("8000 8000 0").unwrap_err().to_string().contains("8004 x 8002 x"),
            "{:?}",
            far("8000 8000 0").err()
        );
        assert!(far("2000000000 0 0").is_err());
    }

    #[test]
    fn chunks_within_chunks_are_refused() {
        let bytes = [&b"VOX "[..], &150u32.to_le_bytes(), b"MAIN", &[0; 4], &24u32.to_le_bytes()].concat();
        let nested: Vec<u8> = [&bytes[..20], b"DEEP", &[0; 4], &[12, 0, 0, 0], &bytes[8..20]].concat();
        assert!(read_vox(&nested, Palette::default()).unwrap_err().to_string().contains("chunks within chunks"));
    }
}
