//! A mesh to stand on, made from outlines or by baking a scene.

use crate::canvas::{Canvas, Ink, Pen};
use crate::input::Ray;
use crate::kit::lift;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::debug::draw_mesh;
use wayfare::input::{BakeSettings, Level, TriMesh};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{
    DefaultFilter, OptimalPath, PathRequest, PolyPath, PolyPoint, SearchScratch, StraightPath, find_nearest,
    find_optimal_path, find_path, string_pull,
};
use wayfare::tile::{TileLayout, build_outline_tile};
use wayfare::{Vec2, Vec3};

/// How far from a place on a stage ground is looked for.
const REACH: Vec3 = Vec3::new(3.0, 4.0, 3.0);

/// A mesh with what prototypes ask of it.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The mesh.
    pub mesh: NavMesh,
    /// The triangles that it was baked from; empty for outlines.
    pub level: TriMesh,
}

impl Default for Stage {
    /// Without any ground.
    fn default() -> Self {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 };
        Self { mesh: NavMesh::new(layout), level: TriMesh::EMPTY }
    }
}

impl Stage {
    /// Level ground inside an odd number of these outlines; none if they make no tile.
    #[must_use]
    pub fn of_outlines(outlines: &[Vec<Vec2>]) -> Self {
        let mesh = build_outline_tile(outlines, 0.0).ok().and_then(|tile| NavMesh::from_tile(tile).ok());
        mesh.map_or_else(Self::default, |mesh| Self { mesh, level: TriMesh::EMPTY })
    }

    /// A built-in scene, baked in tiles of so many cells; 0 for one tile. None if there is no such scene.
    #[must_use]
    pub fn baked(spec: &str, tile_size: u32) -> Self {
        let bake = || {
            let scene = wayfare_scenes::scene(spec).ok()?;
            let level = scene.mesh().ok()?;
            let settings = BakeSettings { tile_size, ..scene.settings };
            let of = Level { mesh: &level, terrain: None, volumes: &scene.volumes };
            let (baked, _) = bake_tiles(of, &settings, &Context::default()).ok()?;
            Some(Self { mesh: NavMesh::from_tiles(baked.layout, baked.tiles).ok()?, level })
        };
        bake().unwrap_or_default()
    }

    /// The place on the mesh nearest to a point.
    #[must_use]
    pub fn place(&self, at: Vec3) -> Option<PolyPoint> {
        find_nearest(&self.mesh, at, REACH, &DefaultFilter::of(&self.mesh)).map(|nearest| nearest.place())
    }

    /// The question for a path between two points.
    #[must_use]
    pub fn request(&self, from: Vec3, to: Vec3) -> Option<PathRequest> {
        Some(PathRequest::new(self.place(from)?, self.place(to)?))
    }

    /// A path by A*, and its straight line.
    #[must_use]
    pub fn path(&self, from: Vec3, to: Vec3) -> Option<(PolyPath, StraightPath)> {
        let mut scratch = SearchScratch::new();
        let filter = DefaultFilter::of(&self.mesh);
        let path = find_path(&self.mesh, &self.request(from, to)?, &filter, &mut scratch).ok()?;
        let straight = string_pull(&path, &mut scratch);
        Some((path, straight))
    }

    /// The shortest path of all.
    #[must_use]
    pub fn shortest(&self, from: Vec3, to: Vec3) -> Option<OptimalPath> {
        let filter = DefaultFilter::of(&self.mesh);
        find_optimal_path(&self.mesh, &self.request(from, to)?, &filter, &mut SearchScratch::new()).ok()
    }

    /// Draws the mesh.
    pub fn draw(&self, canvas: &mut Canvas) {
        draw_mesh(&self.mesh, canvas);
    }

    /// Colours polygons.
    pub fn fill(&self, canvas: &mut Canvas, polys: &[PolyRef], ink: Ink, alpha: f32) {
        for &poly in polys {
            self.fill_one(canvas, poly, ink, alpha);
        }
    }

    /// Colours a polygon.
    pub fn fill_one(&self, canvas: &mut Canvas, poly: PolyRef, ink: Ink, alpha: f32) {
        if let Ok(view) = self.mesh.poly(poly) {
            canvas.fill(&lift(view.points()), ink, alpha);
        }
    }

    /// Draws the line of a path with its corners.
    pub fn draw_line(&self, canvas: &mut Canvas, straight: &StraightPath, pen: impl Into<Pen>) {
        let points = lift(straight.points.iter().map(|corner| corner.point));
        let pen = pen.into();
        canvas.path(&points, pen);
        if let [_, corners @ .., _] = &points[..] {
            corners.iter().for_each(|&corner| canvas.dot(corner, pen.width * 2.5, pen.ink));
        }
    }

    /// Where a ray meets the mesh first.
    #[must_use]
    pub fn ground(&self, ray: &Ray) -> Option<Vec3> {
        let mut best: Option<f32> = None;
        for tile in self.mesh.tiles() {
            for poly in 0..tile.poly_count() {
                for (triangle, _) in tile.data().triangles_of(poly) {
                    if let Some(t) = ray.on_triangle(triangle)
                        && best.is_none_or(|least| t < least)
                    {
                        best = Some(t);
                    }
                }
            }
        }
        best.map(|t| ray.from + ray.along * t).or_else(|| ray.on_plane(0.0))
    }
}

/// Draws a start and a goal.
pub fn draw_ends(canvas: &mut Canvas, start: Vec3, goal: Vec3) {
    canvas.dot(crate::kit::lifted(start), 13.0, Ink::Start);
    canvas.dot(crate::kit::lifted(goal), 13.0, Ink::Goal);
}
