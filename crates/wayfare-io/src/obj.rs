//! Reads Wavefront OBJ files as a stream.
//!
//! An own reader, because the published ones (`tobj`, `obj-rs`, `wavefront_obj`) read the whole file into memory, fail
//! without a line number, or both; a level may be gigabytes, and a person has to find the line. It reads what a bake
//! can use: `v`, `f` with any number of corners in any of the forms `1`, `1/2`, `1/2/3`, `1//3`, relative (negative)
//! indices, `o`, `g`, `usemtl`, lines continued with `\`. Other statements are ignored. Only one line is in memory at a
//! time, in addition to the triangles.
//!
//! Faces become triangles, including concave ones. Indices may refer to vertices that come later in the file; whether
//! all exist is known only at its end, so the lines that may be wrong are recorded: each line with a higher vertex
//! index than all lines before it, which always includes the first wrong one.
//!
//! Sources: Wavefront Technologies, "Object Files (.obj)", Advanced Visualizer manual, appendix B1, 1995.

use crate::number::float;
use crate::work;
use crate::{ReadError, Tags, TriangleSoup};
use std::io::{BufRead, Read};
use wayfare::Vec3;

/// Longer lines are not OBJ: a polygon of a hundred thousand corners is shorter.
const MAX_LINE: usize = 4 << 20;

/// Reads an OBJ file to its end and adds its triangles to `soup`. `progress` is called with the number of bytes read.
pub(crate) fn read(
    source: impl BufRead,
    soup: &mut TriangleSoup,
    mut progress: impl FnMut(u64),
) -> Result<(), ReadError> {
    let mut lines = Lines::new(source);
    let mut reader = Reader::new(soup);
    while lines.advance()? {
        reader.statement(lines.number, &lines.text)?;
        if lines.number.is_multiple_of(4096) {
            progress(lines.bytes);
        }
    }
    progress(lines.bytes);
    reader.finish()
}

/// Logical lines: continued lines are joined, the number is that of their first.
struct Lines<R> {
    source: R,
    text: Vec<u8>,
    number: u64,
    last: u64,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    fn new(source: R) -> Self {
        Self { source, text: Vec::new(), number: 0, last: 0, bytes: 0 }
    }

    fn advance(&mut self) -> Result<bool, ReadError> {
        self.text.clear();
        self.number = self.last + 1;
        // Whether the line is a comment, once its beginning is known. Earlier parts are not examined again: a line may
        // have as many continuations as bytes.
        let mut is_comment = None;
        loop {
            let begin = self.text.len();
            let room = (MAX_LINE - begin) as u64;
            let count =
                (&mut self.source).take(room).read_until(b'\n', &mut self.text).map_err(|e| ReadError::io(&e))?;
            self.bytes += count as u64;
            if count == 0 {
                return Ok(!self.text.is_empty());
            }
            self.last += 1;
            if self.text.len() >= MAX_LINE {
                return Err(ReadError::in_line(self.number, "is longer than 4 MiB: this is no OBJ file"));
            }
            if self.last == 1 && self.text.starts_with(b"\xef\xbb\xbf") {
                self.text.drain(..3);
            }
            work::count(count);
            let piece = self.text[begin..].trim_ascii_end();
            let (length, goes_on) = (begin + piece.len(), piece.ends_with(b"\\"));
            let content = piece.strip_suffix(b"\\").unwrap_or(piece).trim_ascii_start();
            is_comment = is_comment.or_else(|| content.first().map(|&first| first == b'#'));
            if !goes_on || is_comment == Some(true) {
                return Ok(true);
            }
            self.text.truncate(length - 1);
            self.text.push(b' ');
        }
    }
}

/// What has been read so far.
struct Reader<'a> {
    soup: &'a mut TriangleSoup,
    /// First vertex of this file in the soup.
    base: u32,
    tags: Tags,
    corners: Vec<u32>,
    /// Lines that refer to a vertex not yet read, and that vertex (counted from 0); vertices ascend.
    ahead: Vec<(u64, u64)>,
    known_statements: u64,
    short_faces: u64,
    faces: u64,
    /// How many names are not UTF-8, and the first of them, with its line.
    odd_names: u64,
    first_odd: Option<(u64, u32)>,
}

impl<'a> Reader<'a> {
    fn new(soup: &'a mut TriangleSoup) -> Self {
        let base = soup.base();
        soup.tag(Tags::default());
        Self {
            soup,
            base,
            tags: Tags::default(),
            corners: Vec::new(),
            ahead: Vec::new(),
            known_statements: 0,
            short_faces: 0,
            faces: 0,
            odd_names: 0,
            first_odd: None,
        }
    }

    fn statement(&mut self, line: u64, text: &[u8]) -> Result<(), ReadError> {
        let wrong = |e: ReadError| e.or_in_line(line);
        let text = text.trim_ascii();
        let (keyword, rest) = match text.iter().position(u8::is_ascii_whitespace) {
            Some(end) => (&text[..end], &text[end..]),
            None => (text, &text[text.len()..]),
        };
        match keyword {
            [] | [b'#', ..] => return Ok(()),
            b"v" => self.vertex(rest).map_err(wrong)?,
            b"f" | b"fo" => self.face(line, rest).map_err(wrong)?,
            b"o" => self.tags.object = self.name(line, rest),
            b"g" => self.tags.group = self.name(line, rest),
            b"usemtl" => self.tags.material = self.name(line, rest),
            b"vt" | b"vn" | b"vp" | b"l" | b"p" | b"s" | b"mtllib" => {}
            other if other.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')) => {
                if self.known_statements == 0 && line >= 1000 {
                    return Err(wrong("still no vertex: this is no OBJ file".into()));
                }
                return Ok(());
            }
            _ => return Err(wrong("is no OBJ statement: this is no OBJ file, or a damaged one".into())),
        }
        self.known_statements += 1;
        Ok(())
    }

    fn vertex(&mut self, rest: &[u8]) -> Result<(), ReadError> {
        let mut numbers = [0.0f32; 3];
        let mut tokens = tokens(rest);
        for (number, axis) in numbers.iter_mut().zip(["x", "y", "z"]) {
            let token = tokens.next().ok_or_else(|| format!("the vertex has no {axis}: three numbers are needed"))?;
            let parsed = std::str::from_utf8(token).ok().and_then(float);
            *number = parsed.ok_or_else(|| format!("\"{}\" is not a number", shown(token)))?;
        }
        self.soup.verts.push(Vec3::from_array(numbers));
        self.soup.check_size()
    }

    fn face(&mut self, line: u64, rest: &[u8]) -> Result<(), ReadError> {
        let known = u64::from(self.soup.base() - self.base);
        self.corners.clear();
        work::count(rest.len());
        for token in tokens(rest) {
            let digits = token.split(|&b| b == b'/').next().unwrap_or(token);
            let index = integer(digits).ok_or_else(|| format!("\"{}\" is not a vertex index", shown(token)))?;
            let vertex = match index {
                0 => return Err("vertex index 0: indices count from 1".into()),
                1.. => index.unsigned_abs() - 1,
                _ => known.checked_sub(index.unsigned_abs()).ok_or_else(|| {
                    format!("vertex index {index} reaches back beyond the first of the {known} vertices so far")
                })?,
            };
            if vertex >= known {
                let limit = u64::from(u32::MAX - 1 - self.base);
                if vertex > limit {
                    return Err(format!("vertex index {index} is out of range").into());
                }
                if self.ahead.last().is_none_or(|&(_, highest)| vertex > highest) {
                    self.ahead.push((line, vertex));
                }
            }
            self.corners.push(self.base + vertex as u32);
        }
        if self.corners.len() < 3 {
            self.short_faces += 1;
            return Ok(());
        }
        self.faces += 1;
        self.soup.tag(self.tags);
        self.soup.push_face(&self.corners);
        self.soup.check_size()
    }

    /// The number of a name. One that is not UTF-8 is read as Latin-1, which older programs write: each byte is a
    /// character, so different names stay different.
    fn name(&mut self, line: u64, rest: &[u8]) -> u32 {
        if let Ok(name) = std::str::from_utf8(rest) {
            return self.soup.name_id(name.trim());
        }
        let name: String = rest.trim_ascii().iter().map(|&byte| char::from(byte)).collect();
        let id = self.soup.name_id(&name);
        self.odd_names += 1;
        self.first_odd.get_or_insert((line, id));
        id
    }

    fn finish(self) -> Result<(), ReadError> {
        let known = u64::from(self.soup.base() - self.base);
        if let Some(&(line, vertex)) = self.ahead.iter().find(|&&(_, vertex)| vertex >= known) {
            let message = format!("vertex index {} is out of range: the file has {known} vertices", vertex + 1);
            return Err(ReadError::in_line(line, message));
        }
        if self.faces == 0 {
            let what = match (self.known_statements, known) {
                (0, _) => "is no OBJ file: no line of it is a vertex or a face".to_string(),
                (_, 0) => "has no vertices and no faces, so there is nothing to bake".to_string(),
                _ => format!("has {known} vertices, but no face with three corners, so there is nothing to bake"),
            };
            return Err(ReadError::new(what));
        }
        if self.short_faces > 0 {
            self.soup.remarks.push(format!("{} faces with fewer than three corners were left out", self.short_faces));
        }
        if let Some((line, name)) = self.first_odd {
            let more = if self.odd_names > 1 { format!(" (and {} more)", self.odd_names - 1) } else { String::new() };
            let name = self.soup.name(name).escape_debug();
            let remark = format!("line {line}: the name is not UTF-8 and is read as Latin-1: \"{name}\"{more}");
            self.soup.remarks.push(remark);
        }
        Ok(())
    }
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    // A comment may end a line, though the format does not say so.
    let end = text.windows(2).position(|w| w[0].is_ascii_whitespace() && w[1] == b'#').unwrap_or(text.len());
    text[..end].split(u8::is_ascii_whitespace).filter(|t| !t.is_empty())
}

fn integer(digits: &[u8]) -> Option<i64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// A piece of the file for a message: short, printable.
fn shown(token: &[u8]) -> String {
    String::from_utf8_lossy(&token[..token.len().min(24)])
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &[u8]) -> Result<TriangleSoup, ReadError> {
        let mut soup = TriangleSoup::new();
        read(text, &mut soup, |_| {})?;
        Ok(soup)
    }

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 0 1\n";

    fn refused(rest: &str) -> String {
        parse(format!("{TRIANGLE}{rest}").as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn every_form_of_corner_is_read() {
        let soup = parse(
            format!("{TRIANGLE}f 1 2 3\nf 1/1 2/2 3/3\nf 1/1/1 2/2/2 3/3/3\nf 1//1 2// 3/\nf -3 -2 -1\n").as_bytes(),
        );
        assert_eq!(soup.unwrap().tris, [[0, 1, 2]; 5]);
    }

    #[test]
    fn polygons_become_fans_and_lines_may_be_continued() {
        let soup =
            parse(b"v 0 0 0\nv 1 0 0 1.0\r\nv 1 0 \\\n 1 # corner\n  v 0 0 1 0.5 0.5 0.5\nf 1 2 \\\n3 4").unwrap();
        assert_eq!(soup.tris, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(soup.verts[2], Vec3::new(1.0, 0.0, 1.0));
    }

    #[test]
    fn relative_indices_count_from_where_they_stand() {
        let soup = parse(b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf -1 -2 -3\nv 5 0 0\nf -1 -2 -3\n").unwrap();
        assert_eq!(soup.tris, [[2, 1, 0], [3, 2, 1]]);
    }

    #[test]
    fn several_files_do_not_mix_their_indices() {
        let mut soup = TriangleSoup::new();
        let text = format!("{TRIANGLE}f 1 2 3\nf -3 -2 -1\n");
        read(text.as_bytes(), &mut soup, |_| {}).unwrap();
        read(text.as_bytes(), &mut soup, |_| {}).unwrap();
        assert_eq!(soup.tris, [[0, 1, 2], [0, 1, 2], [3, 4, 5], [3, 4, 5]]);
        assert!(read(&b"v 0 0 0\nv 0 0 1\nf 1 2 3\n"[..], &mut soup, |_| {}).is_err());
    }

    #[test]
    fn faces_may_come_before_their_vertices() {
        assert_eq!(parse(format!("f 1 2 3\n{TRIANGLE}").as_bytes()).unwrap().tris, [[0, 1, 2]]);
        assert_eq!(
            parse(format!("f 1 2 3\nf 1 2 4\nf 1 2 9\n{TRIANGLE}").as_bytes()).unwrap_err().to_string(),
            "line 2: vertex index 4 is out of range: the file has 3 vertices"
        );
    }

    #[test]
    fn materials_objects_and_groups_are_remembered() {
        let soup = parse(
            format!("{TRIANGLE}o house\nusemtl wood\nf 1 2 3\nf 1 2 3\ng roof f\nusemtl tin sheet\nf 1 2 3\n")
                .as_bytes(),
        )
        .unwrap();
        let told: Vec<_> = soup
            .runs
            .iter()
            .map(|r| (r.first, [r.tags.object, r.tags.group, r.tags.material].map(|t| soup.name(t))))
            .collect();
        assert_eq!(told, [(0, ["house", "", "wood"]), (2, ["house", "roof f", "tin sheet"])]);
    }

    #[test]
    fn numbers_that_are_none_are_kept_for_the_validation_to_count() {
        let soup = parse(b"v nan 0 -1.#IND\nv inf 0 0\nv 0 0 -nan(ind)\nf 1 2 3\n").unwrap();
        assert!(soup.verts[0].x.is_nan() && soup.verts[0].z.is_nan() && soup.verts[1].x.is_infinite());
        assert!(soup.verts[2].z.is_nan());
    }

    #[test]
    fn names_that_are_not_utf8_are_latin_1() {
        assert!(parse(b"# caf\xe9\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").unwrap().remarks.is_empty());
        let soup = parse(b"v 0 0 0\nv 1 0 0\nv 0 0 1\no W\xfcrfel\nusemtl caf\xe9 \nf 1 2 3\n").unwrap();
        let tags = soup.runs[0].tags;
        assert_eq!([tags.object, tags.material].map(|id| soup.name(id)), ["Würfel", "café"]);
        assert_eq!(soup.remarks, ["line 4: the name is not UTF-8 and is read as Latin-1: \"Würfel\" (and 1 more)"]);
        assert!(parse(b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n").is_ok(), "byte order mark");
    }

    #[test]
    fn malformed_lines_are_named() {
        assert_eq!(refused("f 1 2 9\n"), "line 4: vertex index 9 is out of range: the file has 3 vertices");
        assert_eq!(refused("f 0 1 2\n"), "line 4: vertex index 0: indices count from 1");
        assert_eq!(
            refused("f -4 1 2\n"),
            "line 4: vertex index -4 reaches back beyond the first of the 3 vertices so far"
        );
        assert_eq!(refused("f 1 two 3\n"), "line 4: \"two\" is not a vertex index");
        assert_eq!(refused("f 1 2 99999999999\n"), "line 4: vertex index 99999999999 is out of range");
        assert_eq!(refused("f 1 2 99999999999999999999\n"), "line 4: \"99999999999999999999\" is not a vertex index");
        assert_eq!(refused("f 1.5 2 3\n"), "line 4: \"1.5\" is not a vertex index");
        assert_eq!(refused("\n\nv 1 2\n"), "line 6: the vertex has no z: three numbers are needed");
        assert_eq!(refused("v 1 x 2\n"), "line 4: \"x\" is not a number");
        assert_eq!(refused("v 1 \\\n2 x\n"), "line 4: \"x\" is not a number");
        assert_eq!(refused("v 1,5 0 2\n"), "line 4: \"1,5\" is not a number");
    }

    #[test]
    fn what_is_no_obj_is_refused_in_a_sentence() {
        assert_eq!(parse(b"").unwrap_err().to_string(), "is no OBJ file: no line of it is a vertex or a face");
        assert_eq!(
            parse(b"glTF\x02\0\0\0").unwrap_err().to_string(),
            "line 1: is no OBJ statement: this is no OBJ file, or a damaged one"
        );
        assert_eq!(
            parse(b"Dear reader\n").unwrap_err().to_string(),
            "is no OBJ file: no line of it is a vertex or a face"
        );
        assert_eq!(
            parse(b"o x\n").unwrap_err().to_string(),
            "has no vertices and no faces, so there is nothing to bake"
        );
        assert!(refused("f 1 2\n").starts_with("has 3 vertices, but no face with three corners"));
        assert!(
            parse("word\n".repeat(2000).as_bytes()).unwrap_err().to_string().starts_with("line 1000: still no vertex")
        );
        assert!(parse(&vec![b'a'; MAX_LINE + 1]).unwrap_err().to_string().contains("longer than 4 MiB"));
    }

    #[test]
    fn short_faces_are_left_out_and_said() {
        let soup = parse(format!("{TRIANGLE}f 1// 2//\nf 1 2 3\n").as_bytes()).unwrap();
        assert_eq!((soup.tris.len(), soup.remarks.len()), (1, 1));
    }
}
