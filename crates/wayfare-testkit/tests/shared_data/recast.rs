//! What Recast and its ports state in their unit tests of voxels and tiles, held against the stages of our bake. Where
//! a fact differs here by design, the test says how. Skipped where the data is missing.

use super::{document, facts, number};
use serde_json::Value;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::bake::{
    BakeReport, ContourSettings, RegionLimits, build_contours, build_poly_mesh, distance_field, watershed_regions,
};
use wayfare::input::{BakeSettings, TriMesh, VoxelSettings};
use wayfare::voxel::{
    Grid, Heightfield, RasterInput, compact, erode, filter, filter_ledges, filter_low_hanging_obstacles,
    filter_low_height, rasterize, slope_area,
};
use wayfare_testkit::data;

fn numbers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32).collect()
}

fn points(value: &Value) -> Vec<Vec3> {
    let flat: Vec<f32> = value.as_array().unwrap().iter().map(number).collect();
    flat.chunks(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect()
}

fn settings(climb: u32, height: u32) -> VoxelSettings {
    let mut vx = BakeSettings::default().to_voxel().unwrap();
    (vx.cell_size, vx.cell_height) = (1.0, 1.0);
    (vx.agent_climb_vx, vx.agent_drop_vx, vx.agent_height_vx) = (climb, climb, height);
    vx
}

fn square(side: u32) -> Grid {
    Grid { origin: Vec3::ZERO, cell_size: 1.0, cell_height: 1.0, x: 0, z: 0, width: side, depth: side }
}

/// A field with the same column, of (bottom, top, area), in every cell.
fn columns(grid: Grid, column: &[[u32; 3]]) -> Heightfield {
    let mut field = Heightfield::empty(grid);
    for cell in 0..grid.cell_count() {
        for &[min, max, area] in column {
            field.min.push(min as u16);
            field.max.push(max as u16);
            field.area.push(AreaId::new(area as u8).unwrap());
        }
        field.columns[cell + 1] = field.area.len() as u32;
    }
    field
}

fn areas(field: &Heightfield) -> Vec<u32> {
    field.area.iter().map(|area| u32::from(area.get())).collect()
}

#[test]
fn filters_of_single_columns() {
    let Some(cases) = facts("recast_filters.json") else { return };
    let mut seen = 0;
    for case in &cases {
        let of = |name: &str| case[name].as_u64().unwrap_or(0) as u32;
        if case["filter"] == "ledge_spans" {
            let mut field = columns(square(10), &[[0, 1, 1]]);
            filter_ledges(&mut field, &square(10), &settings(of("walkable_climb"), of("walkable_height")));
            let inside = |cell: u32| (1..9).contains(&(cell % 10)) && (1..9).contains(&(cell / 10));
            assert!(areas(&field).into_iter().eq((0..100).map(|cell| u32::from(inside(cell)))));
            seen += 1;
            continue;
        }
        let column: Vec<[u32; 3]> =
            case["column"].as_array().unwrap().iter().map(|s| numbers(s).try_into().unwrap()).collect();
        let mut field = columns(square(1), &column);
        match case["filter"].as_str().unwrap() {
            "low_hanging_walkable_obstacles" => filter_low_hanging_obstacles(&mut field, of("walkable_climb")),
            "walkable_low_height_spans" => filter_low_height(&mut field, of("walkable_height")),
            other => panic!("no such filter: {other}"),
        }
        assert_eq!(areas(&field), numbers(&case["expected_areas"]), "{case}");
        seen += 1;
    }
    assert_eq!(seen, cases.len());
}

/// Bottom, top and area of every span by cell, row by row.
fn spans(field: &Heightfield) -> Vec<(u32, u32, [u32; 3])> {
    let grid = field.grid;
    let cells = (0..grid.depth).flat_map(|z| (0..grid.width).map(move |x| (x, z)));
    let of = |(x, z): (u32, u32)| {
        let span = move |s: usize| [u32::from(field.min[s]), u32::from(field.max[s]), u32::from(field.area[s].get())];
        field.column(grid.index(x, z)).map(move |s| (x, z, span(s)))
    };
    cells.flat_map(of).collect()
}

#[test]
fn small_unit_tests() {
    let Some(cases) = facts("recast_unit_misc.json") else { return };
    for case in &cases {
        let verts = points(&case["verts"]);
        let bounds = || verts.iter().fold((verts[0], verts[0]), |(low, high), &v| (low.min(v), high.max(v)));
        match case["name"].as_str().unwrap() {
            "calc_grid_size" => {
                let mut vx = settings(1, 1);
                vx.cell_size = number(&case["cell_size"]);
                let (min, max) = bounds();
                let grid = Grid::of_level(wayfare::math::Aabb { min, max }, &vx).unwrap();
                assert_eq!([grid.width, grid.depth].to_vec(), numbers(&case["expected"]));
            }
            "calc_bounds" => {
                let (min, max) = bounds();
                let third = verts[0].lerp(verts[1], 0.5);
                let level = TriMesh::new([&verts[..], &[third + Vec3::X * 0.1]].concat(), vec![[0, 1, 2]]).unwrap();
                assert_eq!((level.bounds().min, level.bounds().max), (min, max));
                assert_eq!([points(&case["expected_bmin"])[0], points(&case["expected_bmax"])[0]], [min, max]);
            }
            // Recast has two functions: one that gives an area to what is not too steep and leaves the rest, one that
            // takes it from what is. Here every triangle comes with its area, and steep ones lose it: what is walkable
            // is the same, and so is the second.
            name @ ("mark_walkable_triangles" | "clear_unwalkable_triangles") => {
                for sub in case["sub"].as_array().unwrap() {
                    let corners = numbers(&sub["tri"]);
                    let corners = [0, 1, 2].map(|k| verts[corners[k] as usize]);
                    let marks = name.starts_with("mark");
                    let own = if marks { AreaId::WALKABLE } else { AreaId::new(42).unwrap() };
                    let found = slope_area(corners, own, wayfare::math::ops::cos(number(&sub["slope"]).to_radians()));
                    let is_walkable = if marks { sub["expected_area"].is_string() } else { sub["expected_area"] == 42 };
                    assert_eq!(found, if is_walkable { own } else { AreaId::NULL }, "{sub}");
                }
            }
            "rasterize_triangles" => {
                let tris: Vec<[u32; 3]> = numbers(&case["tris"]).chunks(3).map(|t| [t[0], t[1], t[2]]).collect();
                let own = numbers(&case["areas"]).into_iter().map(|a| AreaId::new(a as u8).unwrap()).collect();
                let level = TriMesh::with_areas(verts.clone(), tris, own).unwrap();
                let mut vx = settings(1, 1);
                (vx.cell_size, vx.cell_height) = (0.5, 0.5);
                let grid = Grid::of_level(level.bounds(), &vx).unwrap();
                assert_eq!([grid.width, grid.depth].to_vec(), numbers(&case["expected_grid"]));
                let field = rasterize(&RasterInput::whole(&level, &grid, &vx));
                let mut expected: Vec<(u32, u32, [u32; 3])> = Vec::new();
                for span in case["expected_spans"].as_array().unwrap() {
                    let of = |name: &str| span[name].as_u64().unwrap() as u32;
                    expected.push((of("x"), of("z"), [of("smin"), of("smax"), of("area")]));
                }
                expected.sort_by_key(|&(x, z, _)| (z, x));
                assert_eq!(spans(&field), expected);
            }
            other => panic!("no such case: {other}"),
        }
    }
}

#[test]
fn cells_and_spans_of_single_triangles() {
    let Some(cases) = facts("recast_rasterize_triangle_upstream.json") else { return };
    let mut compared = 0;
    for case in &cases {
        let name = case["name"].as_str().unwrap();
        let corners: Vec<Vec3> = case["tri"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| {
                let c: Vec<f32> = p.as_array().unwrap().iter().map(number).collect();
                Vec3::new(c[0], c[1], c[2])
            })
            .collect();
        // Triangles without area, which the reference draws and means not to: here they do not get into a level.
        if case["skip"] == true {
            let refused = TriMesh::new(corners, vec![[0, 1, 2]]);
            assert!(refused.is_err() || refused.is_ok_and(|level| level.tris().is_empty()), "{name}");
            continue;
        }
        let level = TriMesh::new(corners, vec![[0, 1, 2]]).unwrap();
        let (grid, vx) = (square(10), settings(1, 1));
        let field = rasterize(&RasterInput::whole(&level, &grid, &vx));
        let found: Vec<(u32, u32, [u32; 2])> =
            spans(&field).into_iter().map(|(x, z, [a, b, _])| (x, z, [a, b])).collect();
        // Theirs is a box of ten cells; our columns have no ceiling but that of sixteen bits.
        match name {
            "above y" => {
                assert!(found.len() == 15 && found.iter().all(|&(_, _, span)| span == [40, 41]), "{found:?}");
                continue;
            }
            "crossing Y bounds is clamped" => {
                assert_eq!(found, [(0, 0, [0, 15])]);
                continue;
            }
            _ => {}
        }
        let cells = case["cells"].as_array().unwrap().iter().map(numbers);
        let mut expected: Vec<(u32, u32, [u32; 2])> = cells
            .zip(case["spans"].as_array().unwrap().iter().map(numbers))
            .map(|(cell, span)| (cell[0], cell[1], [span[0], span[1]]))
            .collect();
        expected.sort_by_key(|&(x, z, _)| (z, x));
        assert_eq!(found, expected, "{name}");
        compared += 1;
    }
    assert_eq!(compared, cases.len() - 4);
}

/// Polygons and vertices of single tiles of the dungeon.
#[test]
fn polygons_of_single_tiles() {
    let Some(facts) = document("recast_tile_mesh.json") else { return };
    let level = data::level("levels/dungeon.obj", 1.0).unwrap();
    let vx = BakeSettings::default().to_voxel().unwrap();
    let whole = Grid::of_level(level.bounds(), &vx).unwrap();
    let of = |value: &Value| value.as_u64().unwrap() as u32;
    let (size, border) = (of(&facts["setup"]["tile_size_voxels"]), of(&facts["setup"]["border_size"]));
    for case in facts["cases"].as_array().unwrap() {
        let (x, z) = (of(&case["tx"]) * size, of(&case["tz"]) * size);
        let grid = Grid {
            x: x as i32 - border as i32,
            z: z as i32 - border as i32,
            width: (whole.width - x).min(size) + 2 * border,
            depth: (whole.depth - z).min(size) + 2 * border,
            ..whole
        };
        let input = RasterInput { grid, ..RasterInput::whole(&level, &whole, &vx) };
        let mut solid = rasterize(&input);
        filter(&mut solid, &whole, &vx);
        let mut field = compact(&solid, border, &vx);
        erode(&mut field, vx.agent_radius_vx);
        let limits = RegionLimits { min_cells: vx.min_region_cells, merge_cells: vx.merge_region_cells };
        let regions = watershed_regions(&field, &distance_field(&field), limits);
        let mut report = BakeReport::new(level.bounds());
        let contours = ContourSettings { max_error: vx.edge_max_error, max_edge_len: vx.edge_max_len_vx };
        let contours = build_contours(&field, &regions, contours, &mut report);
        let mesh = build_poly_mesh(&contours, vx.verts_per_poly, &mut report);
        let (polys, verts) = (mesh.polys.len() as u32, mesh.verts.len() as u32);
        let (their_polys, their_verts) = (of(&case["expected_polys"]), of(&case["expected_verts"]));
        // The same vertices; polygons are merged over what theirs leave apart.
        assert_eq!(verts, their_verts, "tile ({x}, {z})");
        assert!(polys <= their_polys && polys > 0, "tile ({x}, {z}): {polys} polygons, theirs {their_polys}");
    }
}

/// Spans that are added one by one to a column, as steep triangles within one cell.
#[test]
fn merging_of_spans() {
    let Some(cases) = facts("recast_add_span_upstream.json") else { return };
    let mut compared = 0;
    for case in &cases {
        let add: Vec<Vec<u32>> = case["add"].as_array().unwrap().iter().map(numbers).collect();
        // No triangle has a height below nothing.
        if add.iter().any(|span| span[0] >= span[1]) {
            continue;
        }
        let (mut verts, mut tris, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for span in &add {
            let (low, high, first) = (span[0] as f32, span[1] as f32, verts.len() as u32);
            verts.extend([Vec3::new(0.2, low, 0.2), Vec3::new(0.2, high, 0.8), Vec3::new(0.8, low, 0.2)]);
            tris.push([first, first + 1, first + 2]);
            own.push(AreaId::new(span[2] as u8).unwrap());
        }
        let level = TriMesh::with_areas(verts, tris, own).unwrap();
        let mut vx = settings(1, 1);
        vx.min_walkable_normal_y = 0.01;
        let grid = square(1);
        let field = rasterize(&RasterInput::whole(&level, &grid, &vx));
        let found: Vec<[u32; 3]> = spans(&field).into_iter().map(|(_, _, span)| span).collect();
        let expected: Vec<[u32; 3]> =
            case["expected"].as_array().unwrap().iter().map(|s| numbers(s).try_into().unwrap()).collect();
        // Theirs has the greater area type where tops are a step apart or less, and else that of who came last: an
        // order by accident. Ours has that of the highest.
        let highest = |whole: [u32; 3]| {
            let within = add.iter().filter(|span| span[0] >= whole[0] && span[1] <= whole[1]);
            [whole[0], whole[1], within.map(|span| (span[1], span[2])).max().unwrap().1]
        };
        let expected: Vec<[u32; 3]> = expected.into_iter().map(highest).collect();
        assert_eq!(found, expected, "{case}");
        compared += 1;
    }
    assert_eq!(compared, cases.len() - 1);
}
