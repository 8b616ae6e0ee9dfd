//! Reads numbers from glTF buffers. Every range is checked before anything is read or allocated.

use crate::ReadError;
use crate::gltf_buffers::Buffers;
use crate::gltf_document::{Accessor, Document};

/// A document's accessors, with the buffers that they refer to.
pub(crate) struct Accessors<'a> {
    pub(crate) document: &'a Document,
    pub(crate) buffers: Buffers<'a>,
}

/// Elements of equal size at equal distances.
struct Elements<'a> {
    bytes: &'a [u8],
    stride: usize,
    size: usize,
    count: usize,
}

impl<'a> Elements<'a> {
    fn iter(&self) -> impl Iterator<Item = &'a [u8]> {
        let (bytes, stride, size) = (self.bytes, self.stride, self.size);
        (0..self.count).map(move |i| &bytes[i * stride..i * stride + size])
    }
}

/// The location of elements according to the document.
struct Place {
    view: usize,
    offset: u64,
    count: u64,
    size: usize,
}

impl Accessors<'_> {
    fn get(&self, index: usize) -> Result<&Accessor, ReadError> {
        self.document.accessors.get(index).ok_or_else(|| format!("accessor {index} does not exist").into())
    }

    /// Whether the elements of an accessor lie in a buffer. Those of a compressed primitive may not.
    pub(crate) fn is_stored(&self, index: usize) -> bool {
        self.get(index).is_ok_and(|accessor| accessor.buffer_view.is_some())
    }

    /// The number of elements of an accessor. All-zero elements take no bytes in the file; all others are present.
    pub(crate) fn count(&self, index: usize) -> Result<u64, ReadError> {
        let accessor = self.get(index)?;
        if let (Some(view), Some(wide)) = (accessor.buffer_view, component_size(accessor.component_type)) {
            let size = match accessor.kind.as_str() {
                "VEC3" => 3 * wide,
                "VEC4" => 4 * wide,
                _ => wide,
            };
            self.elements(&Place { view, offset: accessor.byte_offset, count: accessor.count, size }, index)?;
        }
        if let Some(sparse) = accessor.sparse.as_ref().filter(|sparse| sparse.count > accessor.count) {
            return Err(format!(
                "accessor {index} replaces {} elements, more than the {} that it has",
                sparse.count, accessor.count
            )
            .into());
        }
        Ok(accessor.count)
    }

    /// The number of elements that are written when an accessor is read: those that are replaced are written again.
    pub(crate) fn work(&self, index: usize) -> Result<u64, ReadError> {
        let replaced = self.get(index)?.sparse.as_ref().map_or(0, |sparse| sparse.count);
        Ok(self.count(index)?.saturating_add(replaced))
    }

    /// Adds the vectors of an accessor, of `N` numbers each, to `vectors`, each converted by `place`. All-zero vectors
    /// take no bytes in the file: check their [`count`](Self::count) first. `what` is their name in messages.
    pub(crate) fn vectors_into<const N: usize, T: Clone>(
        &self,
        (index, what): (usize, &str),
        place: impl Fn([f64; N]) -> T,
        vectors: &mut Vec<T>,
    ) -> Result<(), ReadError> {
        let accessor = self.get(index)?;
        if accessor.kind != format!("VEC{N}") {
            return Err(format!("{what} are VEC{N}, but accessor {index} is {}", accessor.kind).into());
        }
        let (kind, normalized) = (accessor.component_type, accessor.normalized);
        let wide =
            component_size(kind).ok_or_else(|| format!("accessor {index} has component type {kind}, which is none"))?;
        let point = |bytes: &[u8]| place(core::array::from_fn(|i| component(&bytes[i * wide..], kind, normalized)));
        self.read_into(index, N * wide, (point, place([0.0; N])), vectors)
    }

    /// The vertex indices of an accessor. Zeros take no bytes in the file: check their [`count`](Self::count) first.
    pub(crate) fn indices(&self, index: usize) -> Result<Vec<u32>, ReadError> {
        let accessor = self.get(index)?;
        let kind = accessor.component_type;
        let size = match (index_size(kind), accessor.kind.as_str()) {
            (Some(size), "SCALAR") => size,
            _ => return Err(format!("accessor {index} holds no vertex indices").into()),
        };
        let mut indices = Vec::new();
        self.read_into(index, size, (|bytes: &[u8]| component(bytes, kind, false) as u32, 0), &mut indices)?;
        Ok(indices)
    }

    /// Adds the elements of an accessor, of `size` bytes each: all that lie one after the other, or zeros, and then
    /// those that replace some of them.
    fn read_into<T: Clone>(
        &self,
        index: usize,
        size: usize,
        (element, zero): (impl Fn(&[u8]) -> T, T),
        elements: &mut Vec<T>,
    ) -> Result<(), ReadError> {
        let accessor = self.get(index)?;
        let first = elements.len();
        match accessor.buffer_view {
            Some(view) => {
                let part = Place { view, offset: accessor.byte_offset, count: accessor.count, size };
                elements.extend(self.elements(&part, index)?.iter().map(&element));
            }
            None if accessor.sparse.is_none() && accessor.count > 0 => {
                return Err(format!("accessor {index} has no data").into());
            }
            None => elements.resize(first + accessor.count as usize, zero),
        }
        let Some(sparse) = &accessor.sparse else { return Ok(()) };
        let (at, kind) = (&sparse.indices, sparse.indices.component_type);
        let index_size = index_size(kind).ok_or_else(|| format!("accessor {index} has no sparse indices"))?;
        let part = Place { view: at.buffer_view, offset: at.byte_offset, count: sparse.count, size: index_size };
        let indices = self.elements(&part, index)?;
        let at = &sparse.values;
        let part = Place { view: at.buffer_view, offset: at.byte_offset, count: sparse.count, size };
        for (which, value) in indices.iter().zip(self.elements(&part, index)?.iter()) {
            let which = component(which, kind, false) as usize;
            let slot = elements[first..].get_mut(which);
            *slot.ok_or_else(|| format!("accessor {index} replaces element {which}, which it does not have"))? =
                element(value);
        }
        Ok(())
    }

    fn elements(&self, place: &Place, accessor: usize) -> Result<Elements<'_>, ReadError> {
        let Place { view: number, offset, count, size } = *place;
        let view =
            self.document.buffer_views.get(number).ok_or_else(|| format!("buffer view {number} does not exist"))?;
        let beyond = || format!("buffer view {number} reaches beyond its buffer");
        let buffer = self.buffers.get(view.buffer).ok_or_else(|| format!("buffer {} does not exist", view.buffer))?;
        let end = view.byte_offset.checked_add(view.byte_length).filter(|&end| end <= buffer.len() as u64);
        let bytes = &buffer[view.byte_offset as usize..end.ok_or_else(beyond)? as usize];
        let stride = view.byte_stride.unwrap_or(size as u64);
        if stride < size as u64 {
            return Err(
                format!("buffer view {number} has a stride of {stride}, less than its elements' {size} bytes").into()
            );
        }
        let needed = match count {
            0 => Some(offset),
            _ => (count - 1).checked_mul(stride).and_then(|n| n.checked_add(offset)?.checked_add(size as u64)),
        };
        if needed.is_none_or(|needed| needed > bytes.len() as u64) {
            return Err(format!("accessor {accessor} reaches beyond its buffer view").into());
        }
        Ok(Elements { bytes: &bytes[offset as usize..], stride: stride as usize, size, count: count as usize })
    }
}

fn component_size(kind: u32) -> Option<usize> {
    match kind {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

fn index_size(kind: u32) -> Option<usize> {
    matches!(kind, 5121 | 5123 | 5125).then(|| component_size(kind))?
}

/// The number at the start of `bytes`, which are long enough for `kind`.
fn component(bytes: &[u8], kind: u32, normalized: bool) -> f64 {
    let (value, most) = match kind {
        5120 => (f64::from(bytes[0] as i8), 127.0),
        5121 => (f64::from(bytes[0]), 255.0),
        5122 => (f64::from(i16::from_le_bytes([bytes[0], bytes[1]])), 32767.0),
        5123 => (f64::from(u16::from_le_bytes([bytes[0], bytes[1]])), 65535.0),
        5125 => (f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), 1.0),
        _ => (f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])), 1.0),
    };
    if normalized { (value / most).max(-1.0) } else { value }
}
