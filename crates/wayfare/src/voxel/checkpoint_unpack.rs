//! Decodes the columns and spans of a checkpoint.
//!
//! If the four columns involved in a prediction have the same number of spans, which is true nearly everywhere, every
//! span has all three neighbours for its prediction, and no search is needed.
//!
//! ```text
//!   between b b  below        spans of a cell have the same place in all four columns
//!   left    l s
//! ```
//!
//! Cost: linear in cells and spans, about twenty instructions each. Damaged numbers are detected during decoding, and
//! the output is never larger than the codes allow.
//!
//! Sources: own work; for the encoding see `checkpoint`.

use super::CompactHeightfield;
use super::checkpoint_streams::{
    AS_FORETOLD, HIGHER, LOWER, SKY, SpansAround, WRITTEN_OUT, code_at, foretold_area, foretold_ceiling,
    foretold_label, foretold_y, unfolded,
};
use crate::area::AreaId;
use crate::math::bytes::take_number;
use core::ops::Range;

/// Decodes columns and spans from unpacked bytes: this many bytes of codes, then the numbers stored in full, first this
/// many bytes of counts.
pub(super) fn take_field(
    unpacked: &[u8],
    [codes, count_escapes]: [usize; 2],
    ceilings: &mut Vec<i32>,
    out: &mut CompactHeightfield,
) -> Option<()> {
    let (codes, escapes) = unpacked.split_at_checked(codes)?;
    let (counts, spans) = codes.split_at_checked(out.grid.cell_count().div_ceil(8))?;
    let (of_counts, of_spans) = escapes.split_at_checked(count_escapes)?;
    take_counts(counts, of_counts, spans.len() * 8 / 5, out)?;
    take_spans(spans, of_spans, ceilings, out)
}

/// Decodes the columns, unless they have more spans than there are codes.
fn take_counts(codes: &[u8], mut escapes: &[u8], most: usize, out: &mut CompactHeightfield) -> Option<()> {
    let width = out.grid.width as usize;
    let columns = &mut out.columns;
    columns.clear();
    columns.resize(out.grid.cell_count() + 1, 0);
    let mut end = 0_u32;
    for z in 0..out.grid.depth as usize {
        let first = z * width;
        let (before, own) = columns.split_at_mut(first + 1);
        let row_before = &before[first.saturating_sub(width)..];
        let mut left = None;
        let mut between = None;
        for (x, own) in own[..width].iter_mut().enumerate() {
            let below = (z > 0).then(|| row_before[x + 1] - row_before[x]);
            let count = if code_at(codes, first + x, 1) == 0 {
                foretold_label([left, below, between]).unwrap_or(1)
            } else {
                take_number(&mut escapes)?
            };
            end = end.checked_add(count)?;
            *own = end;
            left = Some(count);
            between = below;
        }
        if end as usize > most {
            return None;
        }
    }
    escapes.is_empty().then_some(())
}

/// Decodes the spans of the columns.
fn take_spans(codes: &[u8], escapes: &[u8], ceilings: &mut Vec<i32>, out: &mut CompactHeightfield) -> Option<()> {
    let CompactHeightfield { grid, columns, y, clearance, area, .. } = out;
    let count = columns[columns.len() - 1] as usize;
    let (of_heights, rest) = codes.split_at_checked(count.div_ceil(4))?;
    let (of_ceilings, of_areas) = rest.split_at_checked(count.div_ceil(4))?;
    y.resize(count, 0);
    clearance.resize(count, 0);
    area.resize(count, AreaId::NULL);
    ceilings.resize(count, SKY);
    let is_sound = of_areas.len() == count.div_ceil(8);
    let codes = [of_heights, of_ceilings, of_areas];
    let mut spans = Unpacker { codes, escapes, y, clearance, area, ceilings, is_sound };
    let width = grid.width as usize;
    let column = |cell: usize| columns[cell] as usize..columns[cell + 1] as usize;
    for z in 0..grid.depth as usize {
        let first = z * width;
        // The columns before the first cell and the first row are empty.
        let mut left = 0..0;
        let mut between = 0..0;
        for cell in first..first + width {
            let own = column(cell);
            let below = if z > 0 { column(cell - width) } else { 0..0 };
            spans.take_column(own.clone(), [&left, &below, &between]);
            (left, between) = (own, below);
        }
    }
    (spans.is_sound && spans.escapes.is_empty()).then_some(())
}

/// The input of decoding, and the spans.
struct Unpacker<'a> {
    /// For heights, ceilings and areas.
    codes: [&'a [u8]; 3],
    escapes: &'a [u8],
    y: &'a mut [u16],
    clearance: &'a mut [u16],
    area: &'a mut [AreaId],
    ceilings: &'a mut [i32],
    is_sound: bool,
}

impl Unpacker<'_> {
    #[inline(always)]
    fn take_column(&mut self, own: Range<usize>, around: [&Range<usize>; 3]) {
        if around.iter().all(|beside| beside.len() == own.len()) {
            for (place, span) in own.enumerate() {
                self.take(span, place, around.map(|beside| Some(beside.start + place)));
            }
        } else {
            self.take_uneven(own, around);
        }
    }

    #[inline(never)]
    fn take_uneven(&mut self, own: Range<usize>, around: [&Range<usize>; 3]) {
        for (place, span) in own.enumerate() {
            let at = |beside: &Range<usize>| (place < beside.len()).then_some(beside.start + place);
            self.take(span, place, around.map(at));
        }
    }

    /// Decodes a span, given its index in its column, from those around it.
    #[inline(always)]
    fn take(&mut self, span: usize, place: usize, around: SpansAround) {
        let [of_heights, of_ceilings, of_areas] = self.codes;
        let foretold = foretold_y(span, around, self.y);
        let y = match code_at(of_heights, span, 2) {
            AS_FORETOLD => foretold,
            HIGHER => foretold + 1,
            LOWER => foretold - 1,
            _ => self.number().and_then(|number| foretold.checked_add(unfolded(number))).unwrap_or(-1),
        };
        let floor = u16::try_from(y).ok();
        let y = floor.map_or(0, i32::from);
        let foretold = foretold_ceiling(y, around, self.ceilings);
        let ceiling = match code_at(of_ceilings, span, 2) {
            AS_FORETOLD => Some(foretold),
            WRITTEN_OUT => self.ceiling_over(y),
            code if foretold < SKY => Some(foretold + if code == HIGHER { 1 } else { -1 }),
            _ => None,
        };
        let area = if code_at(of_areas, span, 1) == 0 { Some(foretold_area(around, self.area)) } else { self.area() };
        let free = ceiling.and_then(|ceiling| clearance_of(ceiling, y));
        // Each floor must lie above the ceiling of the one below it.
        let is_above = place == 0 || self.ceilings[span - 1] < y;
        self.is_sound &= is_above && floor.is_some() && free.is_some() && area.is_some();
        self.y[span] = floor.unwrap_or(0);
        self.ceilings[span] = ceiling.unwrap_or(SKY);
        self.clearance[span] = free.unwrap_or(0);
        self.area[span] = area.unwrap_or(AreaId::NULL);
    }

    #[cold]
    fn number(&mut self) -> Option<u32> {
        take_number(&mut self.escapes)
    }

    #[cold]
    fn area(&mut self) -> Option<AreaId> {
        let (&area, rest) = self.escapes.split_first()?;
        self.escapes = rest;
        AreaId::new(area).ok()
    }

    /// A ceiling that is stored in full.
    #[cold]
    fn ceiling_over(&mut self, y: i32) -> Option<i32> {
        match self.number()? {
            0 => Some(SKY),
            number => Some(y + i32::from(u16::try_from(number - 1).ok()?)),
        }
    }
}

#[inline(always)]
fn clearance_of(ceiling: i32, y: i32) -> Option<u16> {
    if ceiling == SKY { Some(u16::MAX) } else { u16::try_from(ceiling.checked_sub(y)?).ok() }
}
