//! One property of all readers: four times as many equal elements are at most about four times the work and the memory,
//! and the memory stays near the bytes that are read, whatever they promise.
//!
//! Each family below is a file of `n` elements of one kind, made to cost as much as it can. Work is counted in
//! [steps](crate::work), memory by the allocator.

use crate::work::counted::steps_of;
use crate::{
    NoFiles, Palette, PixelSize, TriangleSoup, gltf, heightmap, obj, ply, read_grid_map, read_gset, read_polyanya_mesh,
    read_vox, stl,
};
use allocation_counter::measure;
use base64::Engine as _;
use serde_json::{Value, json};

/// Elements of the smallest file.
const FEW: usize = 500;
/// What any reader may take, however short the file: steps and bytes.
const BASE: [u64; 2] = [1 << 16, 1 << 17];
/// Bytes of memory for each byte read.
const BYTES_A_BYTE: u64 = 100;

/// Reads a file of a format that its name says; it may be refused.
fn read(format: &str, bytes: &[u8]) {
    let mut soup = TriangleSoup::new();
    let pixel = PixelSize { size: 1.0, height: 0.1 };
    let text = || std::str::from_utf8(bytes).unwrap();
    let done = match format {
        "obj" => obj::read(bytes, &mut soup, |_| {}),
        "stl" => stl::read(bytes, &mut soup),
        "ply" => ply::read(bytes, &mut soup),
        "gltf" => gltf::read(bytes, &mut NoFiles, &mut soup),
        "png" => heightmap::read(bytes, pixel, None).map(drop),
        "vox" => read_vox(bytes, Palette::default()).map(drop),
        "gset" => read_gset(text()).map(drop),
        "mesh" => read_polyanya_mesh(bytes).map(drop),
        "map" => read_grid_map(bytes).map(drop),
        other => panic!("{other}"),
    };
    if done.is_ok() {
        soup.cut_concave_faces();
    }
}

/// Steps and bytes that a file takes, and how long it is.
fn cost(format: &str, bytes: &[u8]) -> [u64; 3] {
    let mut steps = 0;
    let memory = measure(|| steps = steps_of(|| read(format, bytes)));
    [steps as u64, memory.bytes_max, bytes.len() as u64]
}

#[test]
fn four_times_the_elements_are_four_times_the_work() {
    let mut wrong = Vec::new();
    for (format, what, make) in families() {
        let costs = [1, 2, 4].map(|times| cost(format, &make(times * FEW)));
        let [few, _, many] = costs;
        let grows = |k: usize| many[k] > 5 * few[k] + BASE[k];
        let is_large = many[1] > BYTES_A_BYTE * many[2] + (64 << 20);
        if grows(0) || grows(1) && many[1] > BYTES_A_BYTE * many[2] || is_large {
            wrong.push(format!("{format}, {what}: steps, bytes, length: {costs:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A format, what there are many of, and a file of so many of them.
type Family = (&'static str, &'static str, fn(usize) -> Vec<u8>);

fn families() -> Vec<Family> {
    vec![
        ("obj", "continued lines", |n| text(&["v 0 0 0\nv 0 0 9\nv 9 0 0\nf 1 2 3\n", &"\\\n".repeat(n), "\n"])),
        ("obj", "blank continued lines before a comment", |n| text(&[&" \\\n".repeat(n), "# \\\n", TRIANGLE])),
        ("obj", "equal faces", |n| text(&[TRIANGLE, &"f 1 2 3\n".repeat(n)])),
        ("obj", "corners of a comb", |n| face(&comb(n))),
        ("obj", "corners of a coil", |n| face(&coil(n))),
        ("obj", "equal corners", |n| {
            text(&["v 0 0 0\nv 0 0 9\nv 9 0 0\nv 9 0 9\nf ", &"1 2 3 4 ".repeat(n / 4), "\n"])
        }),
        ("obj", "corners at random", |n| face(&scattered(n))),
        ("obj", "names", |n| text(&[TRIANGLE, &(0..n).map(|i| format!("g {i}\nf 1 2 3\n")).collect::<String>()])),
        ("obj", "faces before their vertices", |n| text(&[&"f 1 2 3\n".repeat(n), TRIANGLE])),
        ("stl", "corners of a loop", |n| {
            let corners: String = scattered(n).iter().map(|[x, z]| format!("vertex {x} 0 {z}\n")).collect();
            text(&["solid a\nfacet normal 0 0 1\nouter loop\n", &corners, "endloop\nendfacet\nendsolid\n"])
        }),
        ("stl", "solids", |n| text(&["solid a\nendsolid a\n".repeat(n).as_str()])),
        ("ply", "corners of a face", |n| {
            let corners: String = (0..n).map(|i| format!("{} ", i % 3)).collect();
            text(&[
                PLY,
                "element face 1\nproperty list int int vertex_index\nend_header\n0 0 0\n0 0 1\n1 0 0\n",
                &format!("{n} "),
                &corners,
            ])
        }),
        ("ply", "elements without properties", |n| {
            let elements: String = (0..n).map(|i| format!("element e{i} {n}\n")).collect();
            let text = text(&[&PLY.replace("ascii", "binary_little_endian"), &elements, "end_header\n"]);
            [&text[..], &[0; 36]].concat()
        }),
        ("gltf", "primitives of one accessor", |n| {
            let primitive = json!({"attributes": {"POSITION": 0}, "indices": 1});
            document(
                &vec![0; 60 * n],
                &json!([points(5 * n), indices(0)]),
                &json!([{"primitives": vec![primitive; n]}]),
                &Value::Null,
            )
        }),
        ("gltf", "primitives of as many accessors of the same bytes", |n| {
            let primitives: Vec<_> = (0..n).map(|i| json!({"attributes": {"POSITION": i}})).collect();
            document(
                &vec![0; 36 * n],
                &json!(vec![points(3 * n); n]),
                &json!([{"primitives": primitives}]),
                &Value::Null,
            )
        }),
        ("gltf", "primitives of the same indices", |n| {
            let primitive = json!({"attributes": {"POSITION": 0}, "indices": 1});
            document(
                &vec![0; 36 * n],
                &json!([points(3), indices(9 * n)]),
                &json!([{"primitives": vec![primitive; n]}]),
                &Value::Null,
            )
        }),
        ("gltf", "elements without data", |n| {
            let sparse = |count: usize| {
                let empty = json!({"bufferView": 0, "componentType": 5125});
                json!({"componentType": 5126, "count": count, "type": "VEC3", "sparse": {"count": 0, "indices": empty, "values": {"bufferView": 0}}})
            };
            let primitives: Vec<_> = (0..n).map(|i| json!({"attributes": {"POSITION": i}})).collect();
            document(&[0; 36], &json!(vec![sparse(n << 12); n]), &json!([{"primitives": primitives}]), &Value::Null)
        }),
        ("gltf", "nodes that place one mesh", |n| {
            let primitive = json!({"attributes": {"POSITION": 0}});
            document(
                &vec![0; 36 * n],
                &json!([points(3 * n)]),
                &json!([{"primitives": [primitive]}]),
                &json!(vec![json!({"mesh": 0}); n]),
            )
        }),
        ("gltf", "nodes of nothing", |n| document(&[0; 36], &json!([]), &json!([]), &json!(vec![json!({}); n]))),
        ("gltf", "nodes one under the other", |n| {
            let nodes: Vec<_> = (1..n).map(|i| json!({"children": [i]})).chain([json!({})]).collect();
            document(&[0; 36], &json!([]), &json!([]), &json!(nodes))
        }),
        ("gltf", "brackets", |n| text(&["{\"asset\": ", &"[".repeat(n)])),
        ("png", "equal rows", |n| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, 8192, n as u32);
            encoder.set_color(png::ColorType::Grayscale);
            encoder.set_depth(png::BitDepth::Sixteen);
            encoder.write_header().unwrap().write_image_data(&vec![0; 2 * 8192 * n]).unwrap();
            bytes
        }),
        ("vox", "groups that name the next one twice", |n| {
            vox_file(&(0..n).map(|i| group(&[i + 1; 2])).collect::<Vec<_>>())
        }),
        ("vox", "groups that name the next one many times", |n| {
            let groups = (0..3).map(|i| group(&vec![i + 1; n]));
            vox_file(&groups.chain([shape()]).collect::<Vec<_>>())
        }),
        ("vox", "shapes", |n| {
            vox_file(
                &[group(&(1..=n).collect::<Vec<_>>())].into_iter().chain((0..n).map(|_| shape())).collect::<Vec<_>>(),
            )
        }),
        ("gset", "volumes", |n| text(&["f a.obj\n", &"v 3 1 0 1\n0 0 0\n0 0 1\n1 0 0\n".repeat(n)])),
        ("gset", "connections", |n| text(&["f a.obj\n", &"c 0 0 0 1 1 1 0.6 1 5 8\n".repeat(n)])),
        ("mesh", "polygons that share an edge", |n| {
            let polygons: String = (0..n).map(|i| format!("3 0 1 2 {} -1 -1\n", i ^ 1)).collect();
            text(&[&format!("mesh\n2\n3 {n}\n0 0 0\n1 0 0\n0 1 0\n"), &polygons])
        }),
        ("map", "rows", |n| text(&[&format!("type octile\nheight {n}\nwidth 2\nmap\n"), &".@\n".repeat(n)])),
    ]
}

const TRIANGLE: &str = "v 0 0 0\nv 0 0 9\nv 9 0 0\nf 1 2 3\n";
const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n";

fn text(parts: &[&str]) -> Vec<u8> {
    parts.concat().into_bytes()
}

/// An OBJ of one face.
fn face(corners: &[[f64; 2]]) -> Vec<u8> {
    let vertices: String = corners.iter().map(|[x, z]| format!("v {x} 0 {z}\n")).collect();
    let indices: String = (1..=corners.len()).map(|i| format!("{i} ")).collect();
    text(&[&vertices, "f ", &indices, "\n"])
}

/// Long teeth side by side.
fn comb(n: usize) -> Vec<[f64; 2]> {
    let teeth = (0..n).map(|i| [i as f64, if i % 2 == 0 { 1.0 } else { 1000.0 }]);
    teeth.chain([[n as f64, 0.0], [0.0, 0.0]]).collect()
}

fn coil(n: usize) -> Vec<[f64; 2]> {
    let arm = |shift: f64| (1..n / 2).map(move |i| (i as f64 + shift, 0.1 * i as f64));
    arm(0.0).chain(arm(20.0).rev()).map(|(r, a)| [r * a.cos(), r * a.sin()]).collect()
}

fn scattered(n: usize) -> Vec<[f64; 2]> {
    let mut rng = wayfare_scenes::Rng::new(7);
    (0..n).map(|_| [0; 2].map(|_| f64::from(rng.whole(0, 1 << 20)))).collect()
}

fn points(count: usize) -> Value {
    json!({"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"})
}

fn indices(count: usize) -> Value {
    json!({"bufferView": 0, "componentType": 5125, "count": count, "type": "SCALAR"})
}

/// A glTF document with one buffer.
fn document(buffer: &[u8], accessors: &Value, meshes: &Value, nodes: &Value) -> Vec<u8> {
    let data = base64::engine::general_purpose::STANDARD.encode(buffer);
    let nodes = if nodes.is_null() { json!([{"mesh": 0}]) } else { nodes.clone() };
    let document = json!({
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": buffer.len(), "uri": format!("data:application/octet-stream;base64,{data}")}],
        "bufferViews": [{"buffer": 0, "byteLength": buffer.len()}],
        "accessors": accessors, "meshes": meshes, "nodes": nodes,
    });
    document.to_string().into_bytes()
}

fn chunk(name: &[u8; 4], content: &[u8], children: &[u8]) -> Vec<u8> {
    let sizes = [content.len(), children.len()].map(|n| (n as u32).to_le_bytes());
    [&name[..], &sizes[0], &sizes[1], content, children].concat()
}

fn words(words: &[usize]) -> Vec<u8> {
    words.iter().flat_map(|&w| (w as u32).to_le_bytes()).collect()
}

/// A node of a scene, without its number.
fn group(children: &[usize]) -> (&'static [u8; 4], Vec<u8>) {
    (b"nGRP", words(&[&[0, children.len()], children].concat()))
}

fn shape() -> (&'static [u8; 4], Vec<u8>) {
    (b"nSHP", words(&[0, 1, 0, 0]))
}

/// A file with one model of one voxel, and a scene.
fn vox_file(nodes: &[(&'static [u8; 4], Vec<u8>)]) -> Vec<u8> {
    let model = [chunk(b"SIZE", &words(&[1, 1, 1]), &[]), chunk(b"XYZI", &[1, 0, 0, 0, 0, 0, 0, 1], &[])].concat();
    let node = |(i, (name, content)): (usize, &(&'static [u8; 4], Vec<u8>))| {
        chunk(name, &[words(&[i]), content.clone()].concat(), &[])
    };
    let scene: Vec<u8> = nodes.iter().enumerate().flat_map(node).collect();
    [b"VOX ".to_vec(), words(&[150]), chunk(b"MAIN", &[], &[model, scene].concat())].concat()
}
