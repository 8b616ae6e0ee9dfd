//! Off-mesh connections reached the neighbouring tile at most, and were gone once the tiles at their ends had been
//! saved and loaded.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::area::{AreaId, PathStatus, PolyFlags};
use wayfare::input::BakeSettings;
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};

fn status(mesh: &NavMesh) -> PathStatus {
    let filter = DefaultFilter::default();
    let place = |x: f32| find_nearest(mesh, Vec3::new(x, 0.0, 3.0), Vec3::splat(1.0), &filter).unwrap().place();
    find_path(mesh, &PathRequest::new(place(2.0), place(92.0)), &filter, &mut SearchScratch::new()).unwrap().status
}

#[test]
fn a_connection_over_many_tiles_is_used_and_outlives_saving_and_its_tiles() {
    let level = floors(&[([0.0, 6.0], [0.0, 6.0], 0.0), ([90.0, 96.0], [0.0, 6.0], 0.0)]);
    let (mut mesh, _) = bake(&level, &BakeSettings { tile_size: 20, ..BakeSettings::default() });
    assert_eq!(status(&mesh), PathStatus::Partial);
    let connection = OffMeshConnection {
        start: Vec3::new(4.0, 0.0, 3.0),
        end: Vec3::new(92.0, 0.0, 3.0),
        radius: 0.5,
        two_way: false,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 7,
    };
    mesh.add_connection(connection).unwrap();
    assert_eq!(status(&mesh), PathStatus::Complete);
    let mut loaded = NavMesh::from_bytes(&mesh.to_bytes()).unwrap();
    assert_eq!((loaded.connection_count(), status(&loaded)), (1, PathStatus::Complete));
    // The tile at its end goes and comes back.
    let filter = DefaultFilter::default();
    let end = find_nearest(&loaded, connection.end, Vec3::splat(1.0), &filter).unwrap().poly;
    let data = loaded.remove_tile(end.tile().unwrap()).unwrap();
    loaded.add_tile(data).unwrap();
    assert_eq!(status(&loaded), PathStatus::Complete);
}
