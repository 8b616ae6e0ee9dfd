//! Corridors over long random runs: pushed about, following targets, with tiles being replaced under them.

use super::test_ground::{is_on, random_tile, random_world};
use super::{CorridorCorner, CorridorScratch, PathCorridor, Repair};
use crate::math::Rng;
use crate::math::index::TileSlot;
use crate::mesh::NavMesh;
use crate::query::{DefaultFilter, PathRequest, PointSampler, SearchScratch, find_path};
use glam::Vec3;

/// What a corridor promises, whatever happened to it.
fn assert_sound(mesh: &NavMesh, corridor: &PathCorridor, why: &str) {
    let (start, end) = (corridor.start().unwrap(), corridor.end().unwrap());
    assert!(is_on(mesh, start.point), "{why}: {start:?} is off the mesh");
    assert!(is_on(mesh, end.point), "{why}: {end:?} is off the mesh");
    assert_eq!(corridor.portals().len() + 1, corridor.polys().len(), "{why}");
    for (pair, portal) in corridor.polys().windows(2).zip(corridor.portals()) {
        let mut linked = mesh.poly(pair[0]).unwrap().portals();
        assert!(linked.any(|p| p.to == pair[1] && p.a == portal.left && p.b == portal.right), "{why}: {pair:?}");
    }
    let mut seen = corridor.polys().to_vec();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), corridor.polys().len(), "{why}: a polygon twice");
}

fn push(rng: &mut Rng, from: Vec3, far: f32) -> Vec3 {
    from + Vec3::new(rng.unit() * 2.0 - 1.0, rng.unit() - 0.5, rng.unit() * 2.0 - 1.0) * far
}

#[test]
fn always_on_the_mesh_whatever_happens() {
    let (mut scratch, filter) = (CorridorScratch::new(), DefaultFilter::default());
    let (mut cut, mut moved, mut shorter, mut kept) = (0, 0, 0, 0);
    let (mut corners, mut all) = (Vec::new(), Vec::new());
    for seed in 0..30 {
        let mut rng = Rng::new(seed);
        let mut mesh = random_world(&mut rng, 3, 6);
        let sampler = PointSampler::on_mesh(&mesh, &filter);
        let mut corridor = PathCorridor::new(sampler.sample(&mesh, &mut rng).unwrap().unwrap());
        corners.clear();
        for round in 0..300 {
            let why = format!("seed {seed}, round {round}");
            let (start, end) = (corridor.start().unwrap(), corridor.end().unwrap());
            match rng.below(9) {
                0 | 1 => drop(corridor.move_start(&mesh, push(&mut rng, start.point, 2.0), &filter, &mut scratch)),
                7 | 8 => drop(corridor.move_start(&mesh, push(&mut rng, start.point, 0.2), &filter, &mut scratch)),
                2 => drop(corridor.move_end(&mesh, push(&mut rng, end.point, 2.0), &filter, &mut scratch)),
                3 => {
                    let corners = corridor.corners(2, &mut scratch);
                    let next = corners.last().unwrap().point;
                    corridor.optimise_visibility(&mesh, next, 5.0, &filter, &mut scratch).unwrap();
                }
                4 => {
                    let before = corridor.length(&mut scratch);
                    corridor.optimise_topology(&mesh, 32, &filter, &mut scratch).unwrap();
                    shorter += u32::from(corridor.length(&mut scratch) < before - 0.5);
                }
                5 => {
                    let sampler = PointSampler::on_mesh(&mesh, &filter);
                    let goal = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
                    let ask = PathRequest::new(start, goal);
                    corridor.follow(&find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap()).unwrap();
                }
                _ => {
                    let place = (rng.below(3) as i32, rng.below(3) as i32);
                    let slot = TileSlot::new((place.0 + place.1 * 3) as u32);
                    let old = mesh.tile_in(slot).unwrap().tile_ref();
                    mesh.replace_tile(old, random_tile(&mut rng, place, 6)).unwrap();
                }
            }
            match corridor.repair(&mesh, u32::MAX, Vec3::splat(40.0), &filter) {
                Repair::Whole => {}
                Repair::Cut(broken) => {
                    cut += 1;
                    assert!(broken.step > 0 && broken.ahead > 0.0, "{why}: {broken:?}");
                }
                Repair::Moved(broken) => {
                    moved += 1;
                    assert_eq!(broken.step, 0, "{why}");
                }
                Repair::Lost(broken) => panic!("{why}: {broken:?}, with ground everywhere"),
            }
            corridor.corners_into(2, &mut scratch, &mut all);
            kept += u32::from(corridor.still_has(&mut corners.clone()));
            corridor.next_corners(2, &mut scratch, &mut corners);
            // Of the portals that share a corner either may be named.
            let places = |corners: &[CorridorCorner]| corners.iter().map(|c| (c.point, c.at)).collect::<Vec<_>>();
            assert_eq!(places(&corners), places(&all), "{why}: corners found before are those of the string");
            assert!(corners.iter().all(|c| corridor.polys()[c.step as usize] == c.poly), "{why}: {corners:?}");
            let [whole, by_corner] = [corridor.length(&mut scratch), corridor.length_by(&corners, &mut scratch)];
            // A corner that has been reached is cut.
            assert!((whole - by_corner).abs() < 0.02, "{why}: {whole} m, or {by_corner} m by the corner");
            assert_sound(&mesh, &corridor, &why);
        }
    }
    assert!(cut > 50 && moved > 50 && shorter > 5 && kept > 500, "{cut} {moved} {shorter} {kept}");
}
