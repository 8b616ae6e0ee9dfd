//! The picture of a level: its triangles, and lines where its surfaces bend or end.

use super::{Batch, Colour};
use crate::canvas::Ink;
use crate::palette::Theme;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::input::{HeightMap, TriMesh};

/// Edges between triangles whose normals differ by less are not drawn: cosine of 25°.
const SMOOTH: f32 = 0.906;

/// More triangles than this are drawn without lines at their edges, which would cover everything.
const MOST_OUTLINED: usize = 150_000;

/// Draws the triangles of a level and its outlines.
pub fn draw_level(mesh: &TriMesh, theme: Theme, batch: &mut Batch) {
    let plain = level_colour(theme);
    for i in 0..mesh.tris().len() {
        let area = mesh.areas()[i];
        let is_plain = area == AreaId::NULL || area == AreaId::WALKABLE;
        let colour = if is_plain { plain } else { plain.mixed(Colour::of(Ink::Ground(area), theme), 0.5) };
        batch.triangles(&mesh.corners(i), colour);
    }
    if mesh.tris().len() <= MOST_OUTLINED {
        for edge in outlines(mesh) {
            batch.stroke(&edge, [1.0, 0.0], edge_colour(theme));
        }
    }
}

/// Draws a level's surface that is given by heights.
pub fn draw_terrain(terrain: &HeightMap, theme: Theme, batch: &mut Batch) {
    terrain.all_triangles().for_each(|corners| batch.triangles(&corners, level_colour(theme)));
}

fn level_colour(theme: Theme) -> Colour {
    match theme {
        Theme::Light => Colour::rgb(222, 217, 208),
        Theme::Dark => Colour::rgb(92, 96, 104),
    }
}

fn edge_colour(theme: Theme) -> Colour {
    match theme {
        Theme::Light => Colour::rgb(122, 114, 104).faded(0.8),
        Theme::Dark => Colour::rgb(36, 39, 46).faded(0.9),
    }
}

fn normal_of(&[a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a).normalize_or(Vec3::Y)
}

/// The edges at which surfaces bend or end. Corners at the same position count as one.
fn outlines(mesh: &TriMesh) -> Vec<[Vec3; 2]> {
    let key = |point: Vec3| point.to_array().map(f32::to_bits);
    let mut edges: BTreeMap<[[u32; 3]; 2], ([Vec3; 2], Vec<Vec3>)> = BTreeMap::new();
    for i in 0..mesh.tris().len() {
        let corners = mesh.corners(i);
        let normal = normal_of(&corners);
        for k in 0..3 {
            let ends = [corners[k], corners[(k + 1) % 3]];
            let mut name = ends.map(key);
            name.sort_unstable();
            edges.entry(name).or_insert((ends, Vec::new())).1.push(normal);
        }
    }
    edges.into_values().filter(|(_, normals)| is_outline(normals)).map(|(ends, _)| ends).collect()
}

/// Whether surfaces with these normals bend or end at their common edge. Two that face each other, as where two boxes
/// touch, are inside something and not seen.
fn is_outline(normals: &[Vec3]) -> bool {
    let faces_another = |i: usize| normals.iter().any(|other| normals[i].dot(*other) < -0.999);
    let seen: Vec<Vec3> = (0..normals.len()).filter(|&i| !faces_another(i)).map(|i| normals[i]).collect();
    match seen.as_slice() {
        [] | [_] => true,
        [first, rest @ ..] => rest.iter().any(|other| first.dot(*other) < SMOOTH),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_of_a_flat_square_is_no_outline() {
        let corners = [Vec3::ZERO, Vec3::Z, Vec3::new(1.0, 0.0, 1.0), Vec3::X];
        let mesh = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        assert_eq!(outlines(&mesh).len(), 4);
    }

    #[test]
    fn where_two_boxes_touch_there_is_no_outline_and_a_wall_has_one() {
        assert!(!is_outline(&[Vec3::Y, Vec3::Y, Vec3::X, -Vec3::X]), "the tops of two boxes side by side");
        assert!(is_outline(&[Vec3::Y, Vec3::X]) && is_outline(&[Vec3::Y]));
        assert!(is_outline(&[Vec3::Y, -Vec3::Y]), "a sheet with two sides ends here");
    }
}
