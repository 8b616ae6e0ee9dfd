//! MagicaVoxel `.vox` files as worlds of blocks: z is up in the file, y here, so (x, y, z) becomes (x, z, y).
//!
//! Files of one or more models without a scene are put at the origin; with a scene each model lies where its transforms
//! say, in the first frame. Voxels are solid; colours that stand for water or lava are named by the caller, for the
//! format does not say. The world reaches as far as its models say they do, however few voxels they have, and some
//! blocks higher than the highest voxel: there is room to build.

use dot_vox::{DotVoxData, Model, SceneNode};
use wayfare::blocks::{Block, BlockBox, Cell, DenseBlocks};

/// A file may claim a world that no memory holds.
const MAX_BLOCKS: u64 = 1 << 31;
/// Coordinates of voxels are bytes: whatever size a model claims, it is no larger.
const LARGEST: u32 = 256;
/// Blocks of air over the highest voxel, to build in.
pub(crate) const ROOM: i64 = 16;

/// What colours stand for: numbers of the palette, as editors show them, from 1 on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette<'a> {
    pub(crate) water: &'a [u8],
    pub(crate) lava: &'a [u8],
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

/// A turn by quarters and mirrors, and a shift, of whole numbers.
#[derive(Clone, Copy)]
struct Placing {
    columns: [[i64; 3]; 3],
    shift: [i64; 3],
}

impl Placing {
    const NONE: Self = Self { columns: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], shift: [0; 3] };

    fn turn(&self, v: [i64; 3]) -> [i64; 3] {
        [0, 1, 2].map(|row| (0..3).map(|k| self.columns[k][row] * v[k]).sum())
    }

    fn then(&self, inner: &Self) -> Self {
        let moved = self.turn(inner.shift);
        Self {
            columns: inner.columns.map(|column| self.turn(column)),
            shift: [0, 1, 2].map(|k| moved[k].saturating_add(self.shift[k])),
        }
    }
}

/// What was read so far: voxels with their colours, and the box of the models.
struct Read {
    voxels: Vec<([i64; 3], u8)>,
    low: [i64; 3],
    high: [i64; 3],
}

impl Default for Read {
    fn default() -> Self {
        Self { voxels: Vec::new(), low: [i64::MAX; 3], high: [i64::MIN; 3] }
    }
}

impl Read {
    /// Adds a model, each of whose voxels is put at a place.
    fn add(&mut self, model: &Model, at: impl Fn([i64; 3]) -> [i64; 3]) {
        let last = [model.size.x, model.size.y, model.size.z].map(|n| i64::from(n.min(LARGEST)) - 1);
        let corners = [[0; 3], last].into_iter().filter(|_| last.iter().all(|&n| n >= 0));
        let first = self.voxels.len();
        self.voxels.extend(model.voxels.iter().map(|v| (at([v.x, v.y, v.z].map(i64::from)), v.i)));
        // Voxels beyond the size that their model claims are kept.
        for place in corners.map(&at).chain(self.voxels[first..].iter().map(|v| v.0)) {
            self.low = [0, 1, 2].map(|k| self.low[k].min(place[k]));
            self.high = [0, 1, 2].map(|k| self.high[k].max(place[k]));
        }
    }
}

/// Reads a world.
pub(crate) fn read(bytes: &[u8], palette: Palette<'_>) -> Result<DenseBlocks, String> {
    let data = dot_vox::load_bytes(bytes).map_err(|_| "is no .vox file, or a damaged one".to_string())?;
    let mut read = Read::default();
    if data.scenes.is_empty() {
        for model in &data.models {
            read.add(model, |v| v);
        }
    } else {
        place(&data, 0, Placing::NONE, 0, &mut read)?;
    }
    let Some(highest) = read.voxels.iter().map(|(v, _)| v[2]).max() else { return Err("has no voxels".into()) };
    read.high[2] = read.high[2].max(highest.saturating_add(ROOM));
    let [x, y, z] = [0, 1, 2].map(|k| (read.low[k], read.high[k]));
    let blocks = [x, y, z].iter().fold(1u64, |n, (low, high)| n.saturating_mul(high.abs_diff(*low).saturating_add(1)));
    let small = |(low, high): (i64, i64)| low.abs() < 1 << 30 && high.abs() < 1 << 30;
    if blocks > MAX_BLOCKS || ![x, y, z].into_iter().all(small) {
        return Err(format!("spans {blocks} blocks: at most {MAX_BLOCKS} can be held"));
    }
    let cell = |v: [i64; 3]| Cell::new(v[0] as i32, v[2] as i32, v[1] as i32);
    let mut world =
        DenseBlocks::new(BlockBox::new(cell([x.0, y.0, z.0]), cell([x.1, y.1, z.1]))).map_err(|e| e.to_string())?;
    for &(at, colour) in &read.voxels {
        // The parser counts colours from 0.
        world.set(cell(at), palette.block(colour.saturating_add(1)));
    }
    Ok(world)
}

/// Adds the voxels of a node of the scene and of those below it.
fn place(data: &DotVoxData, node: u32, placing: Placing, depth: u32, read: &mut Read) -> Result<(), String> {
    if depth > 256 {
        return Err("has a scene in which a node lies within itself".into());
    }
    match data.scenes.get(node as usize) {
        None => return Err(format!("has no scene node {node}, which another one refers to")),
        Some(SceneNode::Transform { frames, child, .. }) => {
            let mut own = Placing::NONE;
            if let Some(frame) = frames.first() {
                if let Some(p) = frame.position() {
                    own.shift = [p.x, p.y, p.z].map(i64::from);
                }
                if let Some(turn) = frame.orientation() {
                    own.columns = turn.to_cols_array_2d().map(|column| column.map(|v| v as i64));
                }
            }
            place(data, *child, placing.then(&own), depth + 1, read)?;
        }
        Some(SceneNode::Group { children, .. }) => {
            for &child in children {
                place(data, child, placing, depth + 1, read)?;
            }
        }
        Some(SceneNode::Shape { models, .. }) => {
            // Several models in one shape are frames of an animation.
            if let Some(model) = models.first().and_then(|m| data.models.get(m.model_id as usize)) {
                place_model(model, placing, read);
            }
        }
    }
    if read.voxels.len() as u64 > MAX_BLOCKS { Err("places more voxels than can be held".into()) } else { Ok(()) }
}

/// A model turns about its middle, which in a model of even size lies between voxels: so twice the coordinates are
/// turned.
fn place_model(model: &Model, placing: Placing, read: &mut Read) {
    let half = [model.size.x, model.size.y, model.size.z].map(|n| i64::from(n / 2));
    read.add(model, |at| {
        let turned = placing.turn([0, 1, 2].map(|k| 2 * (at[k] - half[k]) + 1));
        [0, 1, 2].map(|k| turned[k].div_euclid(2).saturating_add(placing.shift[k]))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use dot_vox::{Dict, Frame, ShapeModel, Size, Voxel};
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
        let world = read(&file(Vec::new()), Palette { water: &[2], lava: &[] }).unwrap();
        assert_eq!(world.bounds().unwrap(), BlockBox::new(Cell::new(0, 0, 0), Cell::new(3, 17, 1)));
        assert_eq!((world.block(0, 0, 0), world.block(3, 1, 0)), (Block::Solid, Block::Water));
    }

    #[test]
    fn models_lie_where_the_scene_puts_them() {
        let attributes = Dict::from([("_t".to_string(), "10 20 30".to_string()), ("_r".to_string(), "17".to_string())]);
        let models = vec![ShapeModel { model_id: 0, attributes: Dict::new() }];
        let scenes = vec![
            SceneNode::Transform { attributes: Dict::new(), frames: vec![Frame { attributes }], child: 1, layer_id: 0 },
            SceneNode::Shape { attributes: Dict::new(), models },
        ];
        let world = read(&file(scenes), Palette::default()).unwrap();
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
    fn what_is_no_such_file_is_refused() {
        let bytes = file(Vec::new());
        for end in 0..bytes.len().min(64) {
            let _ = read(&bytes[..end], Palette::default());
        }
        assert!(read(b"VOX ", Palette::default()).is_err() && read(b"", Palette::default()).is_err());
        let scenes = vec![SceneNode::Group { attributes: Dict::new(), children: vec![0] }];
        assert!(read(&file(scenes), Palette::default()).is_err());
    }
}
