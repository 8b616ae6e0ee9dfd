//! Eight numbers at once, as plain arrays.
//!
//! Written out over `[f32; 8]` and inlined everywhere, the compiler turns each operation into one instruction where the machine has
//! registers of eight, two where it has registers of four, and so on; the loops around them are compiled once for each level of
//! machine and chosen while running (`fearless_simd::dispatch`). Each lane
//! sees the same IEEE operations in the same order on every path, so the bits are the same too. (Vector types of a library hide their
//! operations behind calls that are only inlined when the whole program is optimised at once.)
//!
//! Comparisons with odd numbers (NaN) are false, as for `f32`.

use core::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// Eight numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct F8(pub(super) [f32; 8]);

/// Eight answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct M8(pub(super) [bool; 8]);

/// The array of an expression for the indices 0…7. A loop over an array that is there already: of the ways to write it, the one that
/// the compiler turns into vector instructions most reliably, and without a closure that might stay a call.
macro_rules! each {
    ($zero:expr; $i:ident => $value:expr) => {{
        let mut lanes = [$zero; 8];
        for $i in 0..8 {
            lanes[$i] = $value;
        }
        lanes
    }};
}

macro_rules! arithmetic {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for F8 {
            type Output = F8;
            #[inline(always)]
            fn $method(self, other: F8) -> F8 {
                F8(each!(0.0; i => self.0[i] $op other.0[i]))
            }
        }
        impl $trait<f32> for F8 {
            type Output = F8;
            #[inline(always)]
            fn $method(self, other: f32) -> F8 {
                F8(each!(0.0; i => self.0[i] $op other))
            }
        }
    };
}

arithmetic!(Add, add, +);
arithmetic!(Sub, sub, -);
arithmetic!(Mul, mul, *);
arithmetic!(Div, div, /);

impl Neg for F8 {
    type Output = F8;
    #[inline(always)]
    fn neg(self) -> F8 {
        F8(each!(0.0; i => -self.0[i]))
    }
}

macro_rules! compare {
    ($($method:ident $op:tt),*) => {
        $(#[inline(always)]
        pub(super) fn $method(self, other: F8) -> M8 {
            M8(each!(false; i => self.0[i] $op other.0[i]))
        })*
    };
}

impl F8 {
    pub(super) const ZERO: F8 = F8([0.0; 8]);
    pub(super) const ONE: F8 = F8([1.0; 8]);

    #[inline(always)]
    pub(super) fn splat(value: f32) -> F8 {
        F8([value; 8])
    }

    /// The first eight of `values`; zeros where there are fewer.
    #[inline(always)]
    pub(super) fn load(values: &[f32]) -> F8 {
        if let Some(v) = values.first_chunk() { F8(*v) } else { F8::ZERO }
    }

    compare!(lt <, le <=, gt >, ge >=);

    #[inline(always)]
    pub(super) fn sqrt(self) -> F8 {
        F8(each!(0.0; i => self.0[i].sqrt()))
    }

    #[inline(always)]
    pub(super) fn abs(self) -> F8 {
        F8(each!(0.0; i => self.0[i].abs()))
    }

    /// The smaller; `other` if one of them is odd.
    #[inline(always)]
    pub(super) fn min(self, other: F8) -> F8 {
        self.lt(other).select(self, other)
    }

    /// The greater; `other` if one of them is odd.
    #[inline(always)]
    pub(super) fn max(self, other: F8) -> F8 {
        self.gt(other).select(self, other)
    }
}

impl M8 {
    #[inline(always)]
    pub(super) fn select(self, yes: F8, no: F8) -> F8 {
        F8(each!(0.0; i => if self.0[i] { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    pub(super) fn any(self) -> bool {
        let m = self.0;
        (m[0] | m[1] | m[2] | m[3]) | (m[4] | m[5] | m[6] | m[7])
    }
}

impl BitAnd for M8 {
    type Output = M8;
    #[inline(always)]
    fn bitand(self, other: M8) -> M8 {
        M8(each!(false; i => self.0[i] & other.0[i]))
    }
}

impl BitOr for M8 {
    type Output = M8;
    #[inline(always)]
    fn bitor(self, other: M8) -> M8 {
        M8(each!(false; i => self.0[i] | other.0[i]))
    }
}
