//! A server: many threads ask the mesh at once, each on a snapshot, while one thread edits it.
//!
//! Readers take no lock and never wait for the writer; what is edited together is seen together. Each version of the
//! mesh carries its number, so that the readers can check that what they see is whole.
//! Run it with `cargo run -p wayfare --example server`.

use std::error::Error;
use std::thread;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::{AgentSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::math::{Aabb, Rng};
use wayfare::mesh::{MeshReader, NavMesh, PolyRef, SharedMesh};
use wayfare::query::{DefaultFilter, PathRequest, PolyPath, SearchScratch, StraightPath, find_nearest};
use wayfare::query::{find_path_into, string_pull_into};

const READERS: u64 = 8;
/// How often the writer opens or closes the bridge.
const EDITS: u64 = 100;
const BRIDGE: AreaId = AreaId::from_low_bits(1);

/// Two banks of a river, and a bridge in between.
fn bake() -> Result<NavMesh, Box<dyn Error>> {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [30.0, 0.0, 20.0], [30.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    let part = |z: [f32; 2]| Volume::Box(Aabb { min: Vec3::new(13.0, -1.0, z[0]), max: Vec3::new(17.0, 3.0, z[1]) });
    let volumes = [
        MarkedVolume::block(part([-1.0, 8.0])),
        MarkedVolume::block(part([12.0, 21.0])),
        MarkedVolume::paint(part([8.0, 12.0]), BRIDGE),
    ];
    Ok(NavMesh::bake(Level { mesh: &floor, terrain: None, volumes: &volumes }, &AgentSettings::default())?)
}

/// One reader: asks for paths from bank to bank until it has seen the last version. Returns how often it asked, and how
/// many versions it saw.
fn read(mut reader: MeshReader, seed: u64) -> (u64, u64) {
    // Memory is kept: once it has grown, a question allocates nothing.
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let (mut path, mut straight) = (PolyPath::default(), StraightPath::default());
    let mut rng = Rng::new(seed);
    let (mut asked, mut seen, mut version) = (0, 1, 0);
    while version < EDITS {
        // Once a request: looks for a newer version. It stays as it is until the next look.
        let mesh = reader.latest();
        seen += u64::from(mesh.user_id() != version);
        version = mesh.user_id();
        let mut place = |x: f32| {
            let point = Vec3::new(x + rng.unit() * 8.0, 0.0, 2.0 + rng.unit() * 16.0);
            find_nearest(mesh, point, Vec3::splat(2.0), &filter).expect("both banks are near").place()
        };
        let question = PathRequest::new(place(2.0), place(20.0));
        find_path_into(mesh, &question, &filter, &mut scratch, &mut path).expect("the places are of this version");
        string_pull_into(&path, &mut scratch, &mut straight);
        // The bridge is closed in versions with odd numbers.
        let is_across = straight.points.last().is_some_and(|end| end.point.distance(question.goal.point) < 0.01);
        assert_eq!(is_across, version % 2 == 0, "version {version}");
        asked += 1;
    }
    (asked, seen)
}

/// The writer: opens and closes the bridge.
fn write(shared: &SharedMesh, bridge: &[PolyRef]) {
    for version in 1..=EDITS {
        let flags = if version % 2 == 0 { PolyFlags::WALK } else { PolyFlags::NONE };
        // All that is changed in here is published at once.
        shared.edit(|mesh| {
            mesh.set_user_id(version);
            for &poly in bridge {
                mesh.set_flags(poly, flags).expect("no tile is replaced here");
            }
        });
        thread::yield_now();
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = bake()?;
    let polys = mesh.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly)));
    let bridge: Vec<PolyRef> = polys.filter(|&poly| mesh.state(poly).is_ok_and(|state| state.area == BRIDGE)).collect();
    assert!(!bridge.is_empty());

    let shared = SharedMesh::new(mesh);
    let counts: Vec<(u64, u64)> = thread::scope(|scope| {
        let start = |seed| {
            scope.spawn({
                let reader = shared.reader();
                move || read(reader, seed)
            })
        };
        let readers: Vec<_> = (0..READERS).map(start).collect();
        write(&shared, &bridge);
        readers.into_iter().map(|reader| reader.join().expect("every answer was right")).collect()
    });
    for (reader, (asked, seen)) in counts.iter().enumerate() {
        println!("reader {reader}: {asked} paths, {seen} of {} versions", EDITS + 1);
    }
    assert!(counts.iter().all(|&(asked, _)| asked > 0));
    assert_eq!(shared.newest().user_id(), EDITS);
    Ok(())
}
