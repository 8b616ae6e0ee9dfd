//! STL, binary and ASCII, with any number of solids.
//!
//! An own reader: the binary form is fifty bytes a triangle, and the published `stl_io` reads only one solid, requires
//! lower-case keywords and reserves memory for as many triangles as the header claims.
//!
//! Many binary files begin with the word `solid`, so the size is checked first: 84 bytes plus 50 for each triangle
//! counted in the header. Some of them have other data behind the triangles, so a file is taken for text only if it has
//! facets, and no zero byte where a binary file counts its triangles.
//!
//! Sources: 3D Systems, "StereoLithography Interface Specification", 1989.

use crate::ReadError;
use crate::number::float;
use crate::work;
use crate::{Tags, TriangleSoup};
use wayfare::Vec3;

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Adds the triangles of an STL file to `soup`.
pub(crate) fn read(bytes: &[u8], soup: &mut TriangleSoup) -> Result<(), ReadError> {
    let claimed = bytes.get(80..HEADER).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let needed = claimed.map(|count| HEADER as u64 + RECORD as u64 * count as u64);
    let text = bytes.trim_ascii_start();
    let names_solid = text.len() >= 5 && text[..5].eq_ignore_ascii_case(b"solid");
    let may_be_text = names_solid && !bytes[..bytes.len().min(HEADER)].contains(&0);
    let has_facet = || bytes.windows(5).any(|word| word.eq_ignore_ascii_case(b"facet"));
    match needed {
        Some(needed) if needed == bytes.len() as u64 => binary(bytes, soup),
        _ if may_be_text && has_facet() => ascii(bytes, soup),
        // Some writers append colours or padding.
        Some(needed) if needed < bytes.len() as u64 && needed > HEADER as u64 => {
            binary(&bytes[..needed as usize], soup)
        }
        _ if may_be_text => ascii(bytes, soup),
        Some(needed) if needed > bytes.len() as u64 => {
            Err(format!("is truncated, or no STL file: its header asks for {needed} bytes, but it has {}", bytes.len())
                .into())
        }
        _ => Err("is no STL file: it is neither text that begins with \"solid\" nor binary".into()),
    }?;
    soup.check_size()
}

fn binary(bytes: &[u8], soup: &mut TriangleSoup) -> Result<(), ReadError> {
    soup.tag(Tags::default());
    for record in bytes[HEADER..].chunks_exact(RECORD) {
        let base = soup.base();
        let number = |i: usize| f32::from_le_bytes([record[i], record[i + 1], record[i + 2], record[i + 3]]);
        // The first twelve bytes are a normal, which follows from the winding.
        soup.verts.extend([12, 24, 36].map(|at| Vec3::new(number(at), number(at + 4), number(at + 8))));
        soup.tris.push([base, base + 1, base + 2]);
        soup.check_size()?;
    }
    Ok(())
}

fn ascii(bytes: &[u8], soup: &mut TriangleSoup) -> Result<(), ReadError> {
    let mut corners = Vec::new();
    let mut in_loop = false;
    for (line, text) in (1..).zip(bytes.split(|&b| b == b'\n')) {
        work::count(text.len());
        let wrong = |message: String| ReadError::in_line(line, message);
        let text = String::from_utf8_lossy(text);
        let mut words = text.split_ascii_whitespace();
        let keyword = words.next().unwrap_or("").to_ascii_lowercase();
        match keyword.as_str() {
            "solid" => {
                let name = words.collect::<Vec<_>>().join(" ");
                let object = soup.name_id(&name);
                soup.tag(Tags { object, ..Tags::default() });
            }
            "outer" => {
                in_loop = true;
                corners.clear();
            }
            "vertex" if in_loop => {
                let mut next = || -> Result<f32, ReadError> {
                    let word = words.next().ok_or_else(|| wrong("the vertex needs three numbers".into()))?;
                    float(word).ok_or_else(|| wrong(format!("\"{word}\" is not a number")))
                };
                corners.push(soup.base());
                let vertex = Vec3::new(next()?, next()?, next()?);
                soup.verts.push(vertex);
                soup.check_size()?;
            }
            "endloop" => {
                in_loop = false;
                if corners.len() < 3 {
                    return Err(wrong(format!("the facet has {} corners, but needs 3", corners.len())));
                }
                soup.push_face(&corners);
            }
            "" | "facet" | "endfacet" | "endsolid" => {}
            other => return Err(wrong(format!("\"{}\" is no STL statement", printable(other)))),
        }
    }
    if in_loop {
        return Err("ends in the middle of a facet: the file is truncated".into());
    }
    Ok(())
}

fn printable(word: &str) -> String {
    word.chars().take(24).map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<TriangleSoup, ReadError> {
        let mut soup = TriangleSoup::new();
        read(bytes, &mut soup).map(|()| soup)
    }

    fn binary_of(triangles: u32, header: &[u8]) -> Vec<u8> {
        let mut bytes = header.to_vec();
        bytes.resize(80, b' ');
        bytes.extend(triangles.to_le_bytes());
        for i in 0..triangles {
            let floats = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0 + i as f32, 0.0, 0.0];
            bytes.extend(floats.iter().flat_map(|f: &f32| f.to_le_bytes()));
            bytes.extend([0, 0]);
        }
        bytes
    }

    const TEXT: &str = "SOLID one\n facet normal 0 1 0\n  outer loop\n   vertex 0 0 0\n   vertex 0 0 1\n   VERTEX 1e0 0 0\n  endloop\n endfacet\nendsolid one\n";

    #[test]
    fn both_forms_are_read_even_if_a_binary_one_begins_with_solid() {
        for header in [&b"made by hand"[..], b"solid of binary"] {
            let soup = parse(&binary_of(2, header)).unwrap();
            assert_eq!((soup.tris.len(), soup.verts[5]), (2, Vec3::new(2.0, 0.0, 0.0)));
        }
        let two = format!("{TEXT}{}", TEXT.replace("one", "two parts"));
        let soup = parse(two.as_bytes()).unwrap();
        let objects: Vec<_> = soup.runs.iter().map(|r| (r.first, soup.name(r.tags.object))).collect();
        assert_eq!(objects, [(0, "one"), (1, "two parts")]);
        for header in [&b"x"[..], b"solid of binary", b"solid with a facet"] {
            let padded = [binary_of(1, header), vec![0; 7], b"facet".to_vec()].concat();
            assert_eq!(parse(&padded).unwrap().tris.len(), 1, "padding");
        }
        let dropped = parse(TEXT.replace("1e0", "-nan(ind)").as_bytes()).unwrap();
        assert!(dropped.verts[2].x.is_nan(), "a number that is none is left to the validation");
    }

    #[test]
    fn broken_files_are_refused_in_a_sentence() {
        assert!(parse(b"").unwrap_err().to_string().starts_with("is no STL file"));
        assert!(parse(&binary_of(3, b"x")[..150]).unwrap_err().to_string().starts_with("is truncated"));
        let mut vast = binary_of(0, b"x");
        vast[80..84].copy_from_slice(&[0xff; 4]);
        assert!(parse(&vast).unwrap_err().to_string().contains("214748364834 bytes"));
        assert_eq!(
            parse(TEXT.replace("1e0", "one").as_bytes()).unwrap_err().to_string(),
            "line 6: \"one\" is not a number"
        );
        assert!(
            parse(TEXT.replace("vertex 0 0 1", "vertex 0 0").as_bytes())
                .unwrap_err()
                .to_string()
                .starts_with("line 5: ")
        );
        assert!(
            parse(TEXT.replace("   vertex 0 0 1\n", "").as_bytes()).unwrap_err().to_string().contains("has 2 corners")
        );
        assert!(parse(&TEXT.as_bytes()[..60]).unwrap_err().to_string().contains("middle of a facet"));
    }
}
