//! "A crate is dropped beside the bridge and taken away again before anything was rebuilt. The guards are told that
//! their path over the bridge will break, and it never does: they are warned for ever." A tile that was announced and
//! comes out as it was stays, so the announcement is taken back; one that is asked to change again goes on to be
//! announced.

use wayfare::Vec3;
use wayfare::context::{Budget, Context};
use wayfare::input::{BakeSettings, MarkedVolume, TriMesh, Volume};
use wayfare::mesh::TileRef;
use wayfare_testkit::changing::ChangingLevel;

fn crate_at(x: f32) -> MarkedVolume {
    MarkedVolume::block(Volume::Cylinder { base: Vec3::new(x, -1.0, 5.0), radius: 0.7, height: 3.0 })
}

fn announced(level: &ChangingLevel) -> Vec<TileRef> {
    let tiles = level.mesh.tiles().map(|tile| tile.tile_ref());
    tiles.filter(|tile| level.mesh.is_announced(*tile)).collect()
}

fn announce(level: &mut ChangingLevel) -> usize {
    level.obstacles.announce(&mut level.mesh);
    announced(level).len()
}

#[test]
fn what_was_announced_and_does_not_happen_is_taken_back() {
    let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 40.0], [40.0, 0.0, 40.0], [40.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let mut level = ChangingLevel::new(floor, Vec::new(), settings);

    // Put there and taken away.
    level.add(crate_at(5.0)).unwrap();
    assert!(announce(&mut level) > 0);
    level.remove(0);
    level.rebuild(Some(2_000));
    assert_eq!(announced(&level), []);

    // Moved back while the tiles were under work: they come out as they were in that round, and change in the next.
    level.add(crate_at(5.0)).unwrap();
    level.rebuild(None);
    level.obstacles.replace(level.placed[0], crate_at(5.0)).unwrap();
    let soon = announce(&mut level);
    level.obstacles.step(&mut level.mesh, Budget::new(500), &Context::default()).unwrap();
    level.obstacles.move_by(level.placed[0], Vec3::X).unwrap();
    let mut before = 0;
    while level.obstacles.rebuilt().is_empty() {
        before = announced(&level).len();
        level.obstacles.step(&mut level.mesh, Budget::new(500), &Context::default()).unwrap();
    }
    assert!(soon > 0 && before == soon && announced(&level).len() == soon, "{soon}, {before}");
    level.rebuild(Some(2_000));
    assert_eq!(announced(&level), [], "they were replaced");

    // Asked to be baked again with nothing to bake them from: they wait for triangles, so they will still change.
    let bounds = level.mesh.bounds();
    level.obstacles.invalidate(&bounds);
    let soon = announce(&mut level);
    let refused = level.obstacles.step(&mut level.mesh, Budget::unlimited(), &Context::default());
    assert!(refused.is_err());
    assert!(soon > 0 && announced(&level).len() == soon, "{soon}");
}
