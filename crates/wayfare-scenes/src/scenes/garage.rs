//! `garage`: a car park of several decks: wide open floors between thin columns, ramps, parked cars.
//!
//! ```text
//!   +--------------------------------+
//!   |        =====ramp=====          |     every deck, seen from above; the ramp of the next deck
//!   |  .   .   .   .   .   .   .  .  |     lies on the other side
//!   |  []  [] []   []     [] []  []  |     . column   [] car
//!   |  .   .   .   .   .   .   .  .  |
//!   |                                |
//!   +--------------------------------+
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "garage",
    summary: "a car park: wide open decks with columns, cars and ramps",
    params: &[
        Param::count("decks", 3, [1, 40], "number of decks"),
        Param::real("length", 72.0, [40.0, 1000.0], "length of a deck in metres"),
        Param::real("depth", 48.0, [40.0, 1000.0], "depth of a deck in metres"),
        Param::count("cars", 25, [0, 100], "how many of a hundred bays are taken"),
    ],
    build,
};

/// Height between decks.
const STOREY: f32 = 3.4;
const SLAB: f32 = 0.3;
/// Distance between columns.
const SPAN: f32 = 8.0;
/// A ramp: its length, its width, and its distance from the rim.
const RAMP: [f32; 3] = [24.0, 6.0, 2.0];
/// A bay: its width and its length. There is a row of them every two spans.
const BAY: [f32; 2] = [2.6, 5.0];

fn build(params: &Params) -> Scene {
    let (decks, size) = (params.count("decks"), [params.real("length"), params.real("depth")]);
    let rng = Rng::new(params.seed());
    let mut kit = Kit::new();
    for deck in 0..decks {
        let y = deck as f32 * STOREY;
        slab(&mut kit, size, y, (deck > 0).then(|| ramp_of(deck - 1, size)));
        parapet(&mut kit, size, y);
        let top = deck + 1 == decks;
        columns(&mut kit, size, y, if top { 1.0 } else { STOREY - SLAB });
        let mut dice = rng.fork(u64::from(deck));
        cars(&mut kit, size, y, || dice.whole(0, 99) < params.count("cars") as i32);
        if !top {
            let [x, z] = ramp_of(deck, size);
            let middle = (z[0] + z[1]) / 2.0;
            let (from, to) = (Vec3::new(x[0], y, middle), Vec3::new(x[1], y + STOREY, middle));
            kit.ramp(&Climb { from, to, width: RAMP[1] });
        }
    }
    let top = (decks - 1) as f32 * STOREY;
    let (near, far) = ([1.5, 0.0, size[1] / 2.0], [size[0] - 1.5, top, size[1] / 2.0]);
    scene(kit, vec![Errand::open("from the lowest deck to the highest", near, far)])
}

/// The position of the ramp from a deck to the next, along x and along z.
fn ramp_of(deck: u32, size: [f32; 2]) -> [[f32; 2]; 2] {
    let [length, width, rim] = RAMP;
    let x = [(size[0] - length) / 2.0, (size[0] + length) / 2.0];
    let z = if deck.is_multiple_of(2) { rim } else { size[1] - rim - width };
    [x, [z, z + width]]
}

/// A deck, with an opening over the ramp that comes up through it.
fn slab(kit: &mut Kit, size: [f32; 2], y: f32, well: Option<[[f32; 2]; 2]>) {
    let mut part = |x: [f32; 2], z: [f32; 2]| kit.cuboid([x[0], y - SLAB, z[0]], [x[1], y, z[1]]);
    let Some([x, z]) = well else {
        part([0.0, size[0]], [0.0, size[1]]);
        return;
    };
    part([0.0, x[0]], [0.0, size[1]]);
    part([x[1], size[0]], [0.0, size[1]]);
    part(x, [0.0, z[0]]);
    part(x, [z[1], size[1]]);
}

fn parapet(kit: &mut Kit, size: [f32; 2], y: f32) {
    let (thick, height) = (0.2, 1.1);
    let mut wall = |x: [f32; 2], z: [f32; 2]| kit.cuboid([x[0], y, z[0]], [x[1], y + height, z[1]]);
    wall([0.0, size[0]], [0.0, thick]);
    wall([0.0, size[0]], [size[1] - thick, size[1]]);
    wall([0.0, thick], [thick, size[1] - thick]);
    wall([size[0] - thick, size[0]], [thick, size[1] - thick]);
}

/// Columns of half a metre; none where ramps are, on any deck.
fn columns(kit: &mut Kit, size: [f32; 2], y: f32, height: f32) {
    let strip = RAMP[1] + RAMP[2];
    for z in places(size[1]).filter(|z| (strip + 1.0..size[1] - strip - 1.0).contains(z)) {
        for x in places(size[0]) {
            kit.cuboid([x - 0.25, y, z - 0.25], [x + 0.25, y + height, z + 0.25]);
        }
    }
}

/// The middles of the columns along one side.
fn places(size: f32) -> impl Iterator<Item = f32> {
    (1u32..).map(|i| i as f32 * SPAN).take_while(move |at| *at < size - SPAN / 2.0)
}

/// Rows of bays between the columns, along every other row of them.
fn cars(kit: &mut Kit, size: [f32; 2], y: f32, mut is_taken: impl FnMut() -> bool) {
    for row in 1u32.. {
        let z = row as f32 * 2.0 * SPAN - SPAN / 2.0;
        if z + BAY[1] > size[1] - RAMP[1] - RAMP[2] {
            return;
        }
        for bay in (2u32..).map(|i| i as f32 * BAY[0]).take_while(|x| x + BAY[0] < size[0] - 2.0 * BAY[0]) {
            if is_taken() {
                kit.cuboid([bay + 0.4, y, z + 0.3], [bay + 2.2, y + 1.4, z + 4.7]);
            }
        }
    }
}
