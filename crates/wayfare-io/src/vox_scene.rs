//! Places the models of a `.vox` file by its scene.
//!
//! ```text
//!   transform ─► group ─┬─► transform ─► shape ─► model        nodes refer to nodes by number, and may share them: a group
//!                       └─► transform ─► shape ─┘              that names the next one twice, and so on, doubles each time
//! ```
//!
//! So everything that is placed is counted, every node and every voxel, and limited in proportion to the bytes of the
//! file. A node is parsed once, however often it is placed.
//!
//! Cost: linear in what is placed. Sources: ephtracy, "MagicaVoxel .vox file format extension", 2016.

use crate::ReadError;
use crate::allowance::Allowance;
use dot_vox::{DotVoxData, Rotation, SceneNode};

/// How many nodes and voxels the smallest file may place, plus this many more for each byte of the file.
const PLACED: [u64; 2] = [1 << 24, 64];
/// A placed model takes memory, as much as this many voxels.
const MODEL: u64 = 256;
/// Deeper scenes count as ones in which a node contains itself.
const DEPTH: u32 = 256;

/// A rotation by quarter turns and mirrors, and an offset, in whole numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placing {
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

    /// The position of a voxel of a model. A model rotates about its centre, which for a model of even size lies
    /// between voxels: so doubled coordinates are rotated.
    pub(crate) fn of(&self, size: [u32; 3], at: [i64; 3]) -> [i64; 3] {
        let turned = self.turn([0, 1, 2].map(|k| 2 * (at[k] - i64::from(size[k] / 2)) + 1));
        [0, 1, 2].map(|k| turned[k].div_euclid(2).saturating_add(self.shift[k]))
    }
}

/// The models of a file by number, each as often as it is placed, with its placement: `None` without a scene.
pub(crate) fn place_models(data: &DotVoxData, bytes: usize) -> Result<Vec<(usize, Option<Placing>)>, ReadError> {
    if data.scenes.is_empty() {
        return Ok((0..data.models.len()).map(|model| (model, None)).collect());
    }
    let own = (0..).zip(&data.scenes).map(|(at, node)| own_placing(at, node)).collect::<Result<_, _>>()?;
    let allowance = Allowance::new(PLACED[0], PLACED[1], bytes as u64);
    let mut scene = Scene { data, own, allowance, placed: Vec::new() };
    scene.place(0, Placing::NONE, 0)?;
    Ok(scene.placed)
}

/// How a node places its children: transforms do, in their first frame.
fn own_placing(at: u32, node: &SceneNode) -> Result<Placing, ReadError> {
    let mut own = Placing::NONE;
    if let SceneNode::Transform { frames, .. } = node
        && let Some(frame) = frames.first()
    {
        if let Some(p) = frame.position() {
            own.shift = [p.x, p.y, p.z].map(i64::from);
        }
        if let Some(turn) = frame.attributes.get("_r") {
            let turn = rotation(turn).ok_or_else(|| {
                format!("has the rotation \"{turn}\" in scene node {at}, which is none: its rows need an axis each")
            })?;
            own.columns = turn.to_cols_array_2d().map(|column| column.map(|v| v as i64));
        }
    }
    Ok(own)
}

/// The rotation of a number: two bits for the axis of the first row, two for that of the second, which must be two of
/// three axes, and the signs. The parser's own function panics on others.
fn rotation(text: &str) -> Option<Rotation> {
    let byte: u8 = text.parse().ok()?;
    let [first, second] = [byte & 3, byte >> 2 & 3];
    (first < 3 && second < 3 && first != second).then(|| Rotation::from_byte(byte))
}

struct Scene<'a> {
    data: &'a DotVoxData,
    own: Vec<Placing>,
    /// How many more nodes and voxels may be placed.
    allowance: Allowance,
    placed: Vec<(usize, Option<Placing>)>,
}

impl Scene<'_> {
    /// Places a node of the scene and everything below it.
    fn place(&mut self, node: u32, placing: Placing, depth: u32) -> Result<(), ReadError> {
        if depth > DEPTH {
            return Err("has a scene in which a node lies within itself".into());
        }
        self.spend(1)?;
        let data = self.data;
        match data.scenes.get(node as usize) {
            None => return Err(format!("has no scene node {node}, which another one refers to").into()),
            Some(SceneNode::Transform { child, .. }) => {
                let own = self.own[node as usize];
                self.place(*child, placing.then(&own), depth + 1)?;
            }
            Some(SceneNode::Group { children, .. }) => {
                for &child in children {
                    self.place(child, placing, depth + 1)?;
                }
            }
            Some(SceneNode::Shape { models, .. }) => {
                // Several models in one shape are frames of an animation.
                let number = models.first().map_or(usize::MAX, |m| m.model_id as usize);
                if let Some(model) = data.models.get(number) {
                    self.spend(MODEL + model.voxels.len() as u64)?;
                    self.placed.push((number, Some(placing)));
                }
            }
        }
        Ok(())
    }

    fn spend(&mut self, count: u64) -> Result<(), ReadError> {
        let more =
            "places more voxels than a file of its size may: place its models fewer times, or export it in parts";
        if self.allowance.take(count) { Ok(()) } else { Err(more.into()) }
    }
}
