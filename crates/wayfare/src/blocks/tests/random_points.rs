//! Random standing points.

use super::*;

#[test]
fn random_points_can_be_stood_on_and_reached() {
    let world = world("....#....\n....#....\n....#....");
    let mut nav = nav(BlockAgent::default());
    let mut rng = Rng::new(8);
    let mut seen = [0u32; 12];
    for _ in 0..1200 {
        let c = nav.random_reachable(&world, at(0, 0), 50, &BlockCosts::default(), &mut rng).unwrap();
        assert!(c.x < 4 && nav.stands(&world, c), "{c:?}");
        seen[(c.z * 4 + c.x) as usize] += 1;
    }
    assert!(seen.iter().all(|&n| (60..150).contains(&n)), "{seen:?}");
    // In a box over the whole of it, every standing point as often as any other: the pillars' tops among them.
    let (mut drawn, most) = (std::collections::BTreeMap::new(), 2700);
    for _ in 0..most {
        let c = nav.random_in_box(&world, world.bounds().unwrap(), &mut rng).unwrap();
        assert!(nav.stands(&world, c), "{c:?}");
        *drawn.entry((c.x, c.y, c.z)).or_insert(0) += 1;
    }
    assert_eq!((drawn.len(), drawn.values().sum::<i32>()), (27, most));
    assert!(drawn.values().all(|n| (60..150).contains(n)), "{drawn:?}");
    let one = BlockBox::new(at(6, 1), at(6, 1));
    assert_eq!(nav.random_in_box(&world, one, &mut rng), Some(at(6, 1)));
    // What lies beyond the world's bounds is not looked at, however large the box.
    let bounds = world.bounds().unwrap();
    let top = BlockBox::new(Cell::new(i32::MIN, bounds.max.y + 1, i32::MIN), Cell::new(i32::MAX, i32::MAX, i32::MAX));
    let stands = nav.random_in_box(&world, top, &mut rng).is_some();
    assert_eq!(stands, drawn.keys().any(|(_, y, _)| *y > bounds.max.y));
    let nothing = BlockBox::new(Cell::new(0, 3, 0), Cell::new(3, 5, 2));
    assert_eq!(nav.random_in_box(&world, nothing, &mut rng), None);
    assert_eq!(nav.random_reachable(&world, Cell::new(0, 5, 0), 5, &BlockCosts::default(), &mut rng), None);
}
