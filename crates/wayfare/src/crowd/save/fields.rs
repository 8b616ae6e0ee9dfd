//! Writes and reads single values, one after the other, in the order of their fields.
//!
//! Records and enums list all their fields and variants here and nowhere else, so that adding one to the type without
//! adding it here does not compile.
//!
//! Cost: linear in the bytes; a list takes memory for what was read of it, whatever its count says.
//!
//! Sources: none needed.

use crate::math::bytes::{Reader, Truncated, Writer};
use crate::mesh::{PolyRef, TileRef};
use glam::{Vec2, Vec3};

/// A fault in bytes whose checksum is right: they were not written by this library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// They end too early.
    Short,
    /// An invalid number.
    Value { what: &'static str, value: u64 },
}

impl From<Truncated> for Fault {
    fn from(Truncated: Truncated) -> Self {
        Self::Short
    }
}

/// A value that can be written and read again.
pub(super) trait Field: Sized {
    fn write(&self, out: &mut Writer);
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault>;
}

macro_rules! numbers {
    ($($type:ident)*) => {$(
        impl Field for $type {
            fn write(&self, out: &mut Writer) {
                out.$type(*self);
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
                Ok(from.$type()?)
            }
        }
    )*};
}

numbers!(u8 u32 u64 f32);

impl Field for f64 {
    fn write(&self, out: &mut Writer) {
        out.u64(self.to_bits());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self::from_bits(from.u64()?))
    }
}

impl Field for usize {
    fn write(&self, out: &mut Writer) {
        out.u64(*self as u64);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        let value = from.u64()?;
        Self::try_from(value).map_err(|_| Fault::Value { what: "count", value })
    }
}

impl Field for bool {
    fn write(&self, out: &mut Writer) {
        out.u8(u8::from(*self));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        match from.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Fault::Value { what: "yes or no", value: other.into() }),
        }
    }
}

impl Field for Vec2 {
    fn write(&self, out: &mut Writer) {
        self.to_array().iter().for_each(|c| out.f32(*c));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self::new(from.f32()?, from.f32()?))
    }
}

impl Field for Vec3 {
    fn write(&self, out: &mut Writer) {
        out.vec3(*self);
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(from.vec3()?)
    }
}

impl Field for PolyRef {
    fn write(&self, out: &mut Writer) {
        out.u64(self.to_bits());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Self::from_bits(from.u64()?).ok_or(Fault::Value { what: "reference", value: 0 })
    }
}

impl Field for TileRef {
    fn write(&self, out: &mut Writer) {
        out.u64(self.to_bits());
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        Self::from_bits(from.u64()?).ok_or(Fault::Value { what: "reference", value: 0 })
    }
}

impl<T: Field> Field for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        self.iter().for_each(|value| value.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.u32(self.len() as u32);
        self.iter().for_each(|item| item.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        // One by one: a count takes no memory before there are bytes for it.
        let count = from.u32()?;
        (0..count).map(|_| T::read(from)).collect()
    }
}

impl<T: Field + Copy + Default, const N: usize> Field for [T; N] {
    fn write(&self, out: &mut Writer) {
        self.iter().for_each(|item| item.write(out));
    }
    fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut all = [T::default(); N];
        for item in &mut all {
            *item = T::read(from)?;
        }
        Ok(all)
    }
}

/// A record: all of its fields, in the order in which they are written.
macro_rules! record {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl Field for $type {
            fn write(&self, out: &mut Writer) {
                let Self { $($field),* } = self;
                $($field.write(out);)*
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
                $(let $field = Field::read(from)?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}

/// An enum: all of its variants, each with its number.
macro_rules! choice {
    ($type:ty {
        $($number:literal: $variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?),* $(,)?
    }) => {
        impl Field for $type {
            fn write(&self, out: &mut Writer) {
                match self {
                    $(Self::$variant $(($($item),*))? $({ $($field),* })? => {
                        out.u8($number);
                        $($($item.write(out);)*)?
                        $($($field.write(out);)*)?
                    })*
                }
            }
            fn read(from: &mut Reader<'_>) -> Result<Self, Fault> {
                match from.u8()? {
                    $($number => {
                        $($(let $item = Field::read(from)?;)*)?
                        $($(let $field = Field::read(from)?;)*)?
                        Ok(Self::$variant $(($($item),*))? $({ $($field),* })?)
                    })*
                    other => Err(Fault::Value { what: stringify!($type), value: other.into() }),
                }
            }
        }
    };
}

pub(super) use {choice, record};
