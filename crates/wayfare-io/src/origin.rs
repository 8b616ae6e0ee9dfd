//! Records where the triangles of a level come from, for messages: a person has to find them in a file.

use crate::soup::{Run, TriangleSoup};
use wayfare::Vec3;

/// The files and objects of the triangles of a level, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The first triangle of each file or scene, with its name.
    sources: Vec<(u32, String)>,
    /// The first triangle of each object, with its name, which is empty if it has none.
    objects: Vec<(u32, String)>,
}

impl Origins {
    /// The triangles from `first` on come from this file or scene.
    pub(crate) fn begin(&mut self, first: usize, source: &str) {
        self.sources.push((first as u32, source.to_owned()));
    }

    /// Stores the objects of all triangles.
    pub(crate) fn end(&mut self, soup: &TriangleSoup) {
        let name =
            |run: &Run| [run.tags.object, run.tags.group].into_iter().map(|id| soup.name(id)).find(|n| !n.is_empty());
        self.objects = soup.runs.iter().map(|run| (run.first, name(run).unwrap_or_default().to_owned())).collect();
    }

    /// A description of a triangle: its number in its file, counted from 1, and its object.
    #[must_use]
    pub fn of(&self, triangle: u32) -> String {
        let Some((first, source)) = holder(&self.sources, triangle) else { return format!("triangle {triangle}") };
        let number = triangle - first + 1;
        match holder(&self.objects, triangle) {
            Some((_, object)) if !object.is_empty() => format!("triangle {number} of {source}, in \"{object}\""),
            _ => format!("triangle {number} of {source}"),
        }
    }
}

/// The last entry that begins at or before a triangle.
fn holder(list: &[(u32, String)], triangle: u32) -> Option<&(u32, String)> {
    list.iter().rev().find(|(first, _)| *first <= triangle)
}

/// A corner that lies far from all others, probably by mistake: its triangle and its position. Levels that are merely
/// long have none.
///
/// Cost: one look at every triangle.
pub(crate) fn stray(soup: &TriangleSoup) -> Option<(u32, Vec3)> {
    /// This many times farther from the middle than half of the corners.
    const FAR: f32 = 50.0;
    /// The number of triangles whose corners determine the middle.
    const SAMPLES: usize = 1024;
    /// With fewer corners than this, none is an outlier.
    const FEW: usize = 8;
    let step = (soup.tris.len() / SAMPLES).max(1);
    let sampled = soup.tris.iter().step_by(step).flatten().filter_map(|&v| soup.verts.get(v as usize)).copied();
    let sampled: Vec<Vec3> = sampled.filter(|v| v.is_finite()).collect();
    if sampled.len() < FEW {
        return None;
    }
    let median = |mut values: Vec<f32>| {
        values.sort_unstable_by(f32::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let axis = |of: fn(&Vec3) -> f32| median(sampled.iter().map(of).collect());
    let middle = Vec3::new(axis(|v| v.x)?, axis(|v| v.y)?, axis(|v| v.z)?);
    let usual = median(sampled.iter().map(|v| v.distance(middle)).collect())?;
    let corners = (0..).zip(&soup.tris).flat_map(|(number, tri)| tri.map(|v| (number, soup.verts.get(v as usize))));
    let finite = corners.filter_map(|(number, v)| Some((number, *v?))).filter(|(_, v)| v.is_finite());
    let by_distance = finite.map(|(number, v)| (v.distance(middle), number, v));
    let (distance, number, farthest) = by_distance.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (distance > FAR * usual).then_some((number, farthest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soup::Tags;

    #[test]
    fn a_triangle_is_named_by_its_file_and_object() {
        let (mut soup, mut origins) = (TriangleSoup::new(), Origins::default());
        origins.begin(soup.tris.len(), "a.obj");
        soup.tag(Tags::default());
        soup.push_face(&[0, 1, 2, 3]);
        origins.begin(soup.tris.len(), "b.obj");
        let object = soup.name_id("roof");
        soup.tag(Tags { object, ..Tags::default() });
        soup.push_face(&[0, 1, 2, 3]);
        origins.end(&soup);
        assert_eq!(origins.of(1), "triangle 2 of a.obj");
        assert_eq!(origins.of(2), "triangle 1 of b.obj, in \"roof\"");
    }

    #[test]
    fn a_stray_corner_is_found_and_long_levels_have_none() {
        let mut soup = TriangleSoup::new();
        let grid = (0..100).flat_map(|z| (0..4).map(move |x| Vec3::new(x as f32, 0.0, z as f32)));
        soup.verts.extend(grid);
        soup.tris.extend((0..99 * 4).map(|v| [v, v + 4, (v + 5).min(399)]));
        assert_eq!(stray(&soup), None);
        soup.verts[201] = Vec3::new(1e8, 0.0, 3.0);
        let (triangle, corner) = stray(&soup).unwrap();
        assert!(soup.tris[triangle as usize].contains(&201) && corner.x == 1e8);
        soup.verts[7] = Vec3::NAN;
        assert_eq!(stray(&soup).map(|(_, corner)| corner.x), Some(1e8));
        assert_eq!(stray(&TriangleSoup::new()), None);
        soup.tris = vec![[0, 1, 201]];
        assert_eq!(stray(&soup), None, "a single triangle is as large as it is");
    }
}
