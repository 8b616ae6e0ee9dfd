//! Single layers of masks, by their numbers from 1.

use godot::prelude::*;

/// Sets the bit of a layer.
pub fn set(mask: &mut u32, number: i64, value: bool) {
    let Some(bit) = bit(number) else { return };
    *mask = if value { *mask | bit } else { *mask & !bit };
}

/// Whether the bit of a layer is set.
pub fn get(mask: u32, number: i64) -> bool {
    bit(number).is_some_and(|bit| mask & bit != 0)
}

fn bit(number: i64) -> Option<u32> {
    if !(1..=32).contains(&number) {
        godot_error!("layer {number}: layers are numbered from 1 to 32");
        return None;
    }
    Some(1 << (number - 1))
}
