//! Loads the buffers of a glTF document: from a `data:` URI, from a file beside the document, or from the `.glb`.
//!
//! Several buffers may refer to one file, even under different names; it is read once.

use crate::gltf_document::Document;
use crate::{Files, ReadError};
use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::sync::Arc;

/// The bytes of one buffer, or of several.
enum Loaded<'a> {
    /// In the document itself.
    Within(&'a [u8]),
    /// Decoded from it.
    Decoded(Vec<u8>),
    /// From a file beside it.
    Shared(Arc<[u8]>),
}

impl Loaded<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Within(bytes) => bytes,
            Self::Decoded(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

/// A document's buffers, loaded.
pub(crate) struct Buffers<'a> {
    /// What was loaded.
    loaded: Vec<Loaded<'a>>,
    /// For each buffer, the index of its bytes.
    of: Vec<usize>,
}

impl<'a> Buffers<'a> {
    /// Loads them. `blob`: the binary chunk of a `.glb`.
    pub(crate) fn load(document: &Document, files: &mut dyn Files, blob: Option<&'a [u8]>) -> Result<Self, ReadError> {
        let mut buffers = Self { loaded: Vec::new(), of: Vec::new() };
        for (i, buffer) in document.buffers.iter().enumerate() {
            let which = match (&buffer.uri, blob) {
                (Some(uri), _) => match uri.strip_prefix("data:") {
                    Some(data) => buffers.keep(Loaded::Decoded(decode(data)?)),
                    None => buffers.file(uri, files)?,
                },
                (None, Some(blob)) if i == 0 => buffers.keep(Loaded::Within(blob)),
                (None, _) => return Err(format!("buffer {i} has no data").into()),
            };
            let (have, want) = (buffers.loaded[which].bytes().len(), buffer.byte_length);
            if (have as u64) < want {
                return Err(
                    format!("buffer {i} has {have} bytes, but should have {want}: the file is truncated").into()
                );
            }
            buffers.of.push(which);
        }
        Ok(buffers)
    }

    /// The bytes of a buffer.
    pub(crate) fn get(&self, buffer: usize) -> Option<&[u8]> {
        Some(self.loaded[*self.of.get(buffer)?].bytes())
    }

    /// Total number of bytes, each counted once.
    pub(crate) fn bytes(&self) -> u64 {
        self.loaded.iter().map(|loaded| loaded.bytes().len() as u64).sum()
    }

    fn keep(&mut self, bytes: Loaded<'a>) -> usize {
        self.loaded.push(bytes);
        self.loaded.len() - 1
    }

    fn file(&mut self, uri: &str, files: &mut dyn Files) -> Result<usize, ReadError> {
        let name = percent_encoding::percent_decode_str(uri).decode_utf8();
        let name = name.map_err(|_| "a buffer's name is not UTF-8")?;
        if uri.contains("://") {
            return Err(ReadError::named_file(format!(
                "the buffer \"{name}\" does not lie beside the document, and nothing else is opened: put it there, or \
                 export a .glb"
            )));
        }
        let bytes = files.read(&name).map_err(|e| e.of("the buffer"))?;
        let is_known = |known: &Loaded<'_>| matches!(known, Loaded::Shared(known) if Arc::ptr_eq(known, &bytes));
        match self.loaded.iter().position(is_known) {
            Some(known) => Ok(known),
            None => Ok(self.keep(Loaded::Shared(bytes))),
        }
    }
}

/// The content of a `data:` URI, given without that prefix.
fn decode(data: &str) -> Result<Vec<u8>, ReadError> {
    const DECODER: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let (_, encoded) = data.split_once(";base64,").ok_or("a buffer's data: URI is not base64")?;
    DECODER.decode(encoded).map_err(|e| format!("a buffer's data: URI cannot be decoded: {e}").into())
}

/// The JSON and the binary chunk of a .glb.
pub(crate) fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    const TRUNCATED: &str = "is a truncated .glb file";
    let number = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let (Some(version), Some(length)) = (number(4), number(8)) else { return Err(TRUNCATED.into()) };
    if version != 2 {
        return Err(format!("is .glb version {version}, but only version 2 is read").into());
    }
    let bytes = bytes.get(..length as usize).ok_or(TRUNCATED)?;
    let chunk = |at: usize, kind: &[u8; 4]| -> Result<Option<&[u8]>, ReadError> {
        let Some(header) = bytes.get(at..at + 8) else { return Ok(None) };
        let length = u32::from_le_bytes([header[0], header[1], header[2], header[3]]) as usize;
        let data = bytes.get(at + 8..).and_then(|rest| rest.get(..length)).ok_or(TRUNCATED)?;
        Ok((&header[4..] == kind).then_some(data))
    };
    let json = chunk(12, b"JSON")?.ok_or("has no JSON chunk: this is no .glb file, or a damaged one")?;
    let binary = chunk(20 + json.len().next_multiple_of(4), b"BIN\0")?;
    Ok((json, binary))
}
