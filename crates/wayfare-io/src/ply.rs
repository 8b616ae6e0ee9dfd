//! PLY, ASCII and binary, through `ply-rs-bw`: vertices with x, y, z and faces with a list of their indices.
//!
//! The header is compared with the size of the file before anything is read, so that a few bytes cannot request memory
//! for billions of elements.

use crate::ReadError;
use crate::work;
use crate::{Tags, TriangleSoup};
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Property, PropertyAccess, PropertyAccessResult};
use wayfare::Vec3;

#[derive(Default)]
struct Vertex([f64; 3]);

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        let axis = match name {
            "x" => 0,
            "y" => 1,
            "z" => 2,
            _ => return PropertyAccessResult::Ignored,
        };
        self.0[axis] = match property {
            Property::Float(v) => f64::from(v),
            Property::Double(v) => v,
            Property::Char(v) => f64::from(v),
            Property::UChar(v) => f64::from(v),
            Property::Short(v) => f64::from(v),
            Property::UShort(v) => f64::from(v),
            Property::Int(v) => f64::from(v),
            Property::UInt(v) => f64::from(v),
            _ => return PropertyAccessResult::Ignored,
        };
        PropertyAccessResult::Set
    }
}

#[derive(Default)]
struct Face(Vec<i64>);

impl PropertyAccess for Face {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        if !matches!(name, "vertex_indices" | "vertex_index") {
            return PropertyAccessResult::Ignored;
        }
        self.0 = match property {
            Property::ListInt(v) => v.into_iter().map(i64::from).collect(),
            Property::ListUInt(v) => v.into_iter().map(i64::from).collect(),
            Property::ListShort(v) => v.into_iter().map(i64::from).collect(),
            Property::ListUShort(v) => v.into_iter().map(i64::from).collect(),
            Property::ListChar(v) => v.into_iter().map(i64::from).collect(),
            Property::ListUChar(v) => v.into_iter().map(i64::from).collect(),
            _ => return PropertyAccessResult::Ignored,
        };
        PropertyAccessResult::Set
    }
}

/// An element that is ignored.
struct Other;

impl PropertyAccess for Other {
    fn new() -> Self {
        Self
    }

    fn set_property(&mut self, _: &str, _: Property) -> PropertyAccessResult {
        PropertyAccessResult::Ignored
    }
}

/// Adds the polygons of a PLY file to `soup`.
pub(crate) fn read(bytes: &[u8], soup: &mut TriangleSoup) -> Result<(), ReadError> {
    if !bytes.starts_with(b"ply") {
        return Err("is no PLY file: it does not begin with \"ply\"".into());
    }
    let mut reader = Reader::new(bytes);
    let header = Parser::<Other>::new().read_header(&mut reader).map_err(|e| damaged(&e))?;
    let base = soup.base();
    let (mut vertices, mut faces) = (0, Vec::new());
    plausible(header.elements.values(), bytes.len())?;
    for (name, element) in &header.elements {
        work::count(element.count * element.properties.len().max(1));
        match name.as_str() {
            "vertex" => {
                let list: Vec<Vertex> =
                    Parser::new().read_payload_for_element(&mut reader, element, &header).map_err(|e| damaged(&e))?;
                vertices = list.len();
                soup.verts.extend(list.into_iter().map(|v| Vec3::from_array(v.0.map(|c| c as f32))));
                soup.check_size()?;
            }
            "face" => {
                faces = Parser::<Face>::new()
                    .read_payload_for_element(&mut reader, element, &header)
                    .map_err(|e| damaged(&e))?;
            }
            "tristrips" => return Err("holds triangle strips, which are not read: export it with faces".into()),
            _ => drop(
                Parser::<Other>::new()
                    .read_payload_for_element(&mut reader, element, &header)
                    .map_err(|e| damaged(&e))?,
            ),
        }
    }
    soup.tag(Tags::default());
    add_faces(&faces, base, vertices, soup)
}

fn add_faces(faces: &[Face], base: u32, vertices: usize, soup: &mut TriangleSoup) -> Result<(), ReadError> {
    let mut corners = Vec::new();
    let mut short_faces = 0;
    for (number, face) in faces.iter().enumerate() {
        if face.0.len() < 3 {
            short_faces += 1;
            continue;
        }
        corners.clear();
        for &index in &face.0 {
            match u32::try_from(index) {
                Ok(i) if (i as usize) < vertices => corners.push(base + i),
                _ => {
                    return Err(format!(
                        "face {number} names vertex {index}, but the file has {vertices}, counted from 0"
                    )
                    .into());
                }
            }
        }
        soup.push_face(&corners);
        soup.check_size()?;
    }
    if short_faces > 0 {
        soup.remarks.push(format!("{short_faces} faces with fewer than three corners were left out"));
    }
    Ok(())
}

/// Every element takes at least a byte; if it takes none, a file could claim any number of them.
fn plausible<'a>(elements: impl Iterator<Item = &'a ElementDef>, size: usize) -> Result<(), ReadError> {
    let mut left = size;
    for ElementDef { name, count, .. } in elements {
        left = left.checked_sub(*count).ok_or_else(|| {
            format!("claims {count} elements \"{name}\" in {size} bytes: the file is truncated, or no PLY file")
        })?;
    }
    Ok(())
}

/// The parser's error in other words: its own describe its internals.
fn damaged(error: &ParseError) -> ReadError {
    let text = error.to_string();
    let quoted = text.lines().find_map(|line| line.trim_start().strip_prefix("String: '"));
    if error.kind() == std::io::ErrorKind::UnexpectedEof {
        return "is a damaged PLY file: it ends before all that its header announces".into();
    }
    let what = match quoted.map(|rest| rest.trim_end().trim_end_matches('\'')) {
        Some(line) if line.chars().any(char::is_control) => "is no text".to_owned(),
        Some(line) => format!("\"{:.60}\" is not what a PLY file has there", line),
        None => "cannot be understood".to_owned(),
    };
    let message = format!("is a damaged PLY file: {what}");
    match error.line() {
        Some(line) => ReadError::in_line(line as u64, message),
        None => ReadError::new(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nelement mark 1\nproperty list uchar int of\nelement face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0 9\n0 0 1 9\n1 0 1 9\n1 0 0 9\n2 7 7\n4 0 1 2 3\n";

    fn parse(text: &str) -> Result<TriangleSoup, ReadError> {
        let mut soup = TriangleSoup::new();
        read(text.as_bytes(), &mut soup).map(|()| soup)
    }

    #[test]
    fn polygons_are_read_and_other_elements_passed_over() {
        let soup = parse(SQUARE).unwrap();
        assert_eq!(soup.tris, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(soup.verts[2], Vec3::new(1.0, 0.0, 1.0));
    }

    #[test]
    fn broken_files_are_refused_in_one_line() {
        let told = [
            parse("plywood").unwrap_err().to_string(),
            parse("solid").unwrap_err().to_string(),
            parse(&SQUARE.replace("4 0 1 2 3", "4 0 1 2 4")).unwrap_err().to_string(),
            parse(&SQUARE.replace("4 0 1 2 3", "4 0 1 2 -1")).unwrap_err().to_string(),
            parse(&SQUARE.replace("element face 1", "element face 99999999999")).unwrap_err().to_string(),
            parse(&SQUARE.replace("0 0 1 9", "0 zero 1 9")).unwrap_err().to_string(),
            parse(&SQUARE[..180]).unwrap_err().to_string(),
            parse(&SQUARE[..SQUARE.len() - 10]).unwrap_err().to_string(),
        ];
        assert!(told.iter().all(|t| t.lines().count() == 1), "{told:#?}");
        let damaged = |what: &str| format!("is a damaged PLY file: {what}");
        let zero = damaged("\"0 zero 1 9\" is not what a PLY file has there");
        assert_eq!(told[5], format!("line 14: {zero}"));
        assert_eq!(told[6], format!("line 11: {}", damaged("\"property list \" is not what a PLY file has there")));
        assert_eq!(told[7], damaged("it ends before all that its header announces"));
        assert_eq!(told[2], "face 0 names vertex 4, but the file has 4, counted from 0");
        assert!(told[4].contains("claims 99999999999 elements"), "{}", told[4]);
    }
}
