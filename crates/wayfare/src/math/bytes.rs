//! Reads and writes little-endian records.
//!
//! A reader returns only what is there: every length is checked against the remaining bytes before anything is
//! allocated for it, so a file can never make its reader use more memory than a small multiple of the file's size.

use glam::Vec3;

/// An error while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Truncated;

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// The remaining bytes, which stay unread.
    pub(crate) fn peek(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], Truncated> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Truncated> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Truncated> {
        self.array::<1>().map(|[b]| b)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Truncated> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number written by [`Writer::number`].
    pub(crate) fn number(&mut self) -> Result<u32, Truncated> {
        take_number(&mut self.rest).ok_or(Truncated)
    }

    /// What [`Writer::signed`] wrote.
    pub(crate) fn signed(&mut self) -> Result<i32, Truncated> {
        let number = self.number()?;
        Ok((number >> 1) as i32 ^ -((number & 1) as i32))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Truncated> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32, Truncated> {
        self.array().map(i32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Truncated> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32, Truncated> {
        self.array().map(f32::from_le_bytes)
    }

    pub(crate) fn vec3(&mut self) -> Result<Vec3, Truncated> {
        Ok(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    /// `count` records of `N` bytes each.
    pub(crate) fn records<const N: usize>(&mut self, count: usize) -> Result<&'a [[u8; N]], Truncated> {
        let bytes = self.take(count.checked_mul(N).ok_or(Truncated)?)?;
        Ok(bytes.as_chunks().0)
    }
}

/// A point from twelve bytes.
pub(crate) fn vec3_from(bytes: [u8; 12]) -> Vec3 {
    let [x0, x1, x2, x3, y0, y1, y2, y3, z0, z1, z2, z3] = bytes;
    let f = f32::from_le_bytes;
    Vec3::new(f([x0, x1, x2, x3]), f([y0, y1, y2, y3]), f([z0, z1, z2, z3]))
}

/// Appends a number in as many bytes as it needs: seven bits in each, lowest first.
pub(crate) fn put_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; `None` if there is none, or none of 32 bits.
#[inline]
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u32::from(byte & 0x7f);
        if shift == 28 && part > 0xf {
            return None;
        }
        number |= part << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Bytes that grow at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn u8(&mut self, v: u8) {
        self.bytes.push(v);
    }

    pub(crate) fn u16(&mut self, v: u16) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    /// In as many bytes as it needs.
    pub(crate) fn number(&mut self, v: u32) {
        put_number(v, &mut self.bytes);
    }

    /// The same for a number that may be below zero: few bytes if it is near zero.
    pub(crate) fn signed(&mut self, v: i32) {
        self.number((v << 1 ^ v >> 31) as u32);
    }

    pub(crate) fn u32(&mut self, v: u32) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    pub(crate) fn i32(&mut self, v: i32) {
        self.u32(v as u32);
    }

    pub(crate) fn u64(&mut self, v: u64) {
        self.bytes.extend_from_slice(&v.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, v: f32) {
        self.u32(v.to_bits());
    }

    pub(crate) fn vec3(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|c| self.f32(c));
    }

    /// Fills up with zeros to a multiple of `to` bytes.
    pub(crate) fn align(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }
}
