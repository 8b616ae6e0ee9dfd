//! The vector instruction sets that kernels are compiled for.
//!
//! A kernel is written once, with the vectors of `fearless_simd`, and compiled once for each instruction set it may run
//! on. On x86-64 these are two: AVX2, and SSE2, which every such machine has. SSE4.2 and AVX-512 would add two more
//! copies of everything, for few machines and for registers wider than our eight lanes. Elsewhere there is one copy.
//! All give the same bits.
//!
//! Sources: own.

pub(crate) use fearless_simd::Level;

/// Runs an expression with the vectors of a [`Level`]: `dispatch!(Level::new(), simd => kernel(simd, …))`.
#[cfg(target_arch = "x86_64")]
macro_rules! dispatch {
    ($level:expr, $simd:pat => $op:expr) => {{
        let level: $crate::math::lanes::Level = $level;
        match (level.as_avx2(), level.as_sse2()) {
            (Some(avx2), _) => $crate::math::lanes::with_vectors!(avx2, $simd => $op),
            (None, Some(sse2)) => $crate::math::lanes::with_vectors!(sse2, $simd => $op),
            (None, None) => unreachable!("SSE2 is part of x86-64"),
        }
    }};
}

/// Compiles an expression for one set of instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! with_vectors {
    ($vectors:ident, $simd:pat => $op:expr) => {{
        let $simd = $vectors;
        fearless_simd::Simd::vectorize(
            $vectors,
            #[inline(always)]
            || $op,
        )
    }};
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) use fearless_simd::dispatch;
#[cfg(target_arch = "x86_64")]
pub(crate) use {dispatch, with_vectors};
