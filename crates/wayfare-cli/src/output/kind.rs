//! The kinds of files that are written, and how each is recognised by its first bytes.
//!
//! A file is only overwritten by one of its own kind, so that a typing error does not destroy a level: a file that
//! begins differently is kept, whatever its name. Empty files, devices and unreadable files have nothing to lose.

use crate::dash::is_dash;
use crate::failure::{Failure, Result};
use std::io::Read as _;
use std::path::Path;
use wayfare::format::{is_detour_file, is_way_file};

/// The number of bytes used to recognise a file.
const HEAD_BYTES: u64 = 1 << 16;

/// The kind of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A mesh.
    Way,
    /// A mesh for Detour.
    Detour,
    /// Triangles as OBJ.
    Obj,
    /// Triangles as binary glTF.
    Glb,
    Svg,
    Png,
    /// The statistics of a bake.
    Stats,
    /// The answers to a batch of queries.
    Answers,
    /// The positions of a crowd.
    Trace,
    /// Why each position is walkable or not.
    Record,
}

impl Kind {
    /// The kind of picture for a file name.
    pub(crate) fn of_picture(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        match ending.as_deref() {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            None if is_dash(path) => Ok(Self::Svg),
            _ => Err(Failure::about(path.display(), "a picture is written as .svg or .png: give one of these endings")),
        }
    }

    /// Fails if a file of another kind would be overwritten.
    pub(crate) fn check_replaced(self, path: &Path) -> Result<()> {
        if is_dash(path) || !std::fs::metadata(path).is_ok_and(|there| there.is_file()) {
            return Ok(());
        }
        let mut head = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
        if read.is_ok_and(|length| length > 0) && !self.is(&head) {
            return Err(Failure::about(
                path.display(),
                format_args!(
                    "the file there is {}, and is not overwritten: give another name, or remove that file",
                    self.refusal()
                ),
            ));
        }
        Ok(())
    }

    /// Whether a file with this beginning is of this kind.
    fn is(self, head: &[u8]) -> bool {
        let has = |words: &str| head.windows(words.len()).any(|window| window == words.as_bytes());
        let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        match self {
            Self::Way => is_way_file(head),
            Self::Detour => is_detour_file(head),
            // Those written by this program contain its name: others are levels.
            Self::Obj => {
                let line = String::from_utf8_lossy(line);
                line.starts_with('#') && (line.contains("written by wayfare") || line.contains(" of wayfare "))
            }
            Self::Glb => head.starts_with(b"glTF") && has("\"generator\":\"wayfare "),
            Self::Svg => head.starts_with(b"<svg"),
            // A height map has 16 bits per pixel.
            Self::Png => head.starts_with(b"\x89PNG") && head.get(24) == Some(&8),
            Self::Stats => head.starts_with(b"{") && has("\"compact\"") && has("\"heightfield\""),
            // Queries have an op.
            Self::Answers => {
                line.starts_with(b"{") && has("\"id\":") && !String::from_utf8_lossy(line).contains("\"op\"")
            }
            Self::Trace => serde_json::from_slice::<[f64; 5]>(line).is_ok(),
            Self::Record => head.starts_with(b"WAYEXPL"),
        }
    }

    /// The description of a file that is not of this kind.
    fn refusal(self) -> &'static str {
        match self {
            Self::Way => "not a .way mesh",
            Self::Detour => "not a Detour mesh",
            Self::Obj | Self::Glb => "a model that was not written by wayfare",
            Self::Svg => "not an .svg picture as wayfare writes it",
            Self::Png => "not a .png picture of 8 bits",
            Self::Stats => "not the statistics of a bake",
            Self::Answers => "not a batch of answers",
            Self::Trace => "not a trace of a crowd",
            Self::Record => "not a record of `--keep-explain`",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_how_they_begin() {
        let heads: [(Kind, &[u8]); 10] = [
            (Kind::Way, b"WAYFARE\n"),
            (Kind::Detour, b"TESM\x01\0\0\0"),
            (Kind::Obj, b"# a navigation mesh, written by wayfare\nv 0 0 0"),
            (Kind::Glb, b"glTF\x02\0\0\0....{\"asset\":{\"generator\":\"wayfare 0.1.0\"}}"),
            (Kind::Svg, b"<svg viewBox"),
            (Kind::Png, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02"),
            (Kind::Stats, b"{\n  \"compact\": {}, \"heightfield\": {}"),
            (Kind::Answers, b"{\"cost\":1,\"id\":2}\n{\"op\":3}"),
            (Kind::Trace, b"[0,0,1.5,0,-2]\n[0,1"),
            (Kind::Record, b"WAYEXPL2"),
        ];
        for (kind, head) in heads {
            let taken: Vec<Kind> = heads.iter().map(|(other, _)| *other).filter(|other| other.is(head)).collect();
            let text = String::from_utf8_lossy(head);
            assert!(taken == [kind], "{text} is taken for {taken:?}");
        }
        assert!(Kind::Obj.is(b"# scene:stairs of wayfare 0.1.0\nv 0 0 0"));
        let levels: [&[u8]; 5] = [
            b"# Blender v3.6\nv 0 0 0\n",
            b"glTF\x02\0\0\0....{\"asset\":{\"generator\":\"Khronos\"}}",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x10\0",
            b"{\"asset\": {\"version\": \"2.0\"}}",
            b"{\"id\": 1, \"op\": \"nearest\"}",
        ];
        for level in levels {
            assert!(heads.iter().all(|(kind, _)| !kind.is(level)), "{}", String::from_utf8_lossy(level));
        }
    }
}
