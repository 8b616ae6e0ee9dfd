//! A mesh in use: tiles, states and connections come, change and go in any order, it is saved and loaded, and asked all
//! the time.

use super::Bytes;
use wayfare::area::{AreaId, FlagMask, PathStatus, PolyFlags};
use wayfare::context::Budget;
use wayfare::corridor::PathCorridor;
use wayfare::format::RefBits;
use wayfare::math::{Aabb, Rng};
use wayfare::mesh::{Connection, NavMesh, OffMeshConnection, PolyRef, PolyState, Tile, TileRef};
use wayfare::query::{
    AroundRequest, BoxGoalRequest, CostMap, CostMapRequest, DefaultFilter, NearestGoalRequest, NeighbourhoodRequest,
    PathRequest, PointSampler, PolyPoint, SearchScratch, SlicedSearch, find_distance_to_wall, find_nearest,
    find_optimal_path, find_path, find_path_to_box, find_path_to_nearest, is_reachable, local_neighbourhood,
    move_along_surface, poly_height, polys_around, random_point_in_circle, raycast, string_pull, wall_segments,
};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};

/// Squares of a metre along a tile's side.
const SIDE: u32 = 4;
/// Columns and rows of the world.
const WORLD: u8 = 3;
/// What the filter of every question passes: one flag is shut out.
const OPEN: FlagMask = FlagMask { include: PolyFlags::ALL, exclude: PolyFlags(1 << 3) };
const REACH: Vec3 = Vec3::new(1.0, 2.0, 1.0);

/// Does to a mesh of nine places in two layers what `data` says, an operation for every few bytes. After each the mesh
/// has no violation, references to what has gone say so, and the snapshots taken before are what they were. How many
/// tiles there are at the end.
///
/// # Panics
/// If any of this does not hold, or an answer to a question contradicts itself or the mesh.
pub fn operations(data: &[u8]) -> u32 {
    let mut bytes = Bytes(data);
    let mut game = Game::new();
    while bytes.left() > 0 {
        game.operate(&mut bytes);
        game.check();
    }
    game.mesh.tile_count()
}

struct Game {
    mesh: NavMesh,
    filter: DefaultFilter,
    scratch: SearchScratch,
    /// References that must be stale.
    gone: Vec<PolyRef>,
    /// A snapshot, its digest, and whether tiles or connections came or went since.
    before: (NavMesh, String, bool),
    /// A search that goes on while the mesh changes.
    search: Option<SlicedSearch>,
    corridor: PathCorridor,
}

impl Game {
    fn new() -> Self {
        let side = SIDE as f32;
        let mut mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: side, tile_depth: side });
        mesh.keep_components_for(OPEN);
        Self {
            before: (mesh.clone(), mesh.digest(), false),
            mesh,
            filter: DefaultFilter::new(OPEN.include, OPEN.exclude),
            scratch: SearchScratch::new(),
            gone: Vec::new(),
            search: None,
            corridor: PathCorridor::default(),
        }
    }

    fn operate(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.next() % 16 {
            0..4 => self.change_tile(bytes),
            4 => self.add_at_slot(bytes),
            5 | 6 => self.change_state(bytes),
            7 => self.add_connection(bytes),
            8 => self.remove_connection(bytes),
            9 => self.save_and_load(),
            10 => self.take_snapshot(),
            11 => self.store_and_restore(bytes),
            12 => self.by_way_of_detour(),
            13 => self.search_on(bytes),
            _ => self.ask(bytes),
        }
    }

    fn check(&mut self) {
        let violations = self.mesh.check();
        assert!(violations.is_empty(), "{violations:?}");
        for gone in &self.gone {
            assert!(!self.mesh.is_valid(*gone), "{gone} is gone");
        }
        let (snapshot, digest, _) = &self.before;
        assert!(snapshot.digest() == *digest, "a snapshot has changed");
        self.corridor.repair(&self.mesh, u32::MAX, REACH, &self.filter);
        // An agent that stands on closed ground may stay there, so a repaired corridor is whole or nowhere.
        let whole = self.corridor.check(&self.mesh, u32::MAX, &self.filter);
        assert!(whole.is_none() || self.corridor.polys().is_empty(), "{whole:?} after a repair");
    }

    // ---- tiles ----

    fn change_tile(&mut self, bytes: &mut Bytes<'_>) {
        let tile = tile(bytes, 0);
        self.before.2 = true;
        let Some(old) = self.mesh.tile_at(tile.coord()) else {
            let added = self.mesh.add_tile(tile.clone()).unwrap_or_else(|e| panic!("a free place: {e}"));
            assert!(self.mesh.tile(added).is_ok_and(|there| *there.data() == tile));
            return;
        };
        self.gone.extend((0..old.poly_count()).map(|poly| old.reference(poly)));
        let old = old.tile_ref();
        if bytes.next() & 1 == 0 {
            let count = self.mesh.tile_count();
            let data = self.mesh.remove_tile(old).unwrap_or_else(|e| panic!("there was a tile: {e}"));
            assert!(data.coord() == tile.coord() && self.mesh.tile_count() == count - 1);
        } else {
            let (new, data) = self.mesh.replace_tile(old, tile).unwrap_or_else(|e| panic!("a tile for a tile: {e}"));
            assert!(self.mesh.tile_at(data.coord()).is_some_and(|there| there.tile_ref() == new));
        }
        assert!(self.mesh.tile(old).is_err() && self.mesh.remove_tile(old).is_err(), "{old} is gone");
    }

    /// A slot and salt of the caller's own, sometimes near the limit: refused beyond it and where there is a tile, else
    /// the salt is as asked for.
    fn add_at_slot(&mut self, bytes: &mut Bytes<'_>) {
        let (low, salt) = (u32::from(bytes.next()), u16::from(bytes.next()) << 8 | 0xff);
        let slot = if low < 250 { low % 32 } else { self.mesh.slot_limit() - 253 + low };
        let Some(at) = TileRef::new(salt, slot) else { return };
        let tile = tile(bytes, 0);
        let free = slot < self.mesh.slot_limit()
            && self.mesh.tiles().all(|there| there.slot() != at.slot())
            && self.mesh.tile_at(tile.coord()).is_none();
        let added = self.mesh.add_tile_at(at, tile);
        assert_eq!(added.is_ok(), free, "{added:?}");
        self.before.2 |= free;
        // Their salt may now be that of a reference of long ago: the caller asked for it.
        self.gone.retain(|gone| gone.slot() != at.slot());
    }

    fn any_poly(&self, bytes: &mut Bytes<'_>) -> Option<PolyRef> {
        let tiles: Vec<&Tile> = self.mesh.tiles().filter(|tile| tile.poly_count() > 0).collect();
        let tile = tiles.get(usize::from(bytes.next()) % tiles.len().max(1))?;
        Some(tile.reference(u32::from(bytes.next()) % tile.poly_count()))
    }

    fn change_state(&mut self, bytes: &mut Bytes<'_>) {
        let connection = self.mesh.connections().last().map(|connection| connection.reference());
        let chosen = if bytes.next() & 7 == 0 { connection } else { self.any_poly(bytes) };
        let Some(poly) = chosen else { return };
        let value = bytes.next();
        let (area, flags) = (AreaId::from_low_bits(value), PolyFlags(u16::from(value)));
        let set = self.mesh.set_area(poly, area).and_then(|()| self.mesh.set_flags(poly, flags));
        assert!(set.is_ok() && self.mesh.state(poly).is_ok_and(|state| (state.area, state.flags) == (area, flags)));
    }

    // ---- connections ----

    fn add_connection(&mut self, bytes: &mut Bytes<'_>) {
        let (start, end, kind) = (place(bytes), place(bytes), bytes.next());
        let (radius, two_way) = (f32::from(kind >> 4) * 0.1, kind & 1 == 0);
        let (area, flags, user_id) = (AreaId::WALKABLE, PolyFlags(u16::from(kind) | 1), u32::from(kind));
        let jump = OffMeshConnection { start, end, radius, two_way, area, flags, user_id };
        let added = self.mesh.add_connection(jump);
        let added = added.unwrap_or_else(|e| panic!("a connection: {e}"));
        assert!(self.mesh.connection(added).is_ok_and(|connection| *connection.definition() == jump));
        self.before.2 = true;
    }

    fn remove_connection(&mut self, bytes: &mut Bytes<'_>) {
        let all: Vec<PolyRef> = self.mesh.connections().map(|connection| connection.reference()).collect();
        let Some(&chosen) = all.get(usize::from(bytes.next()) % all.len().max(1)) else { return };
        assert!(self.mesh.remove_connection(chosen).is_ok());
        self.gone.push(chosen);
        self.before.2 = true;
    }

    // ---- saving ----

    /// What is loaded is what was saved, also in what is not written down: links, and where the next tile would go.
    fn save_and_load(&mut self) {
        let whole = self.mesh.to_bytes();
        let loaded = NavMesh::from_bytes(&whole).unwrap_or_else(|e| panic!("our own bytes: {e}"));
        assert!(loaded.to_bytes() == whole, "read and written again, the bytes differ");
        for (a, b) in self.mesh.tiles().zip(loaded.tiles()) {
            assert_eq!((a.slot(), a.salt(), a.links(), a.states()), (b.slot(), b.salt(), b.links(), b.states()));
        }
        assert!(self.mesh.connections().eq(loaded.connections()));
        let next = |mesh: &NavMesh| {
            let mut mesh = mesh.clone();
            mesh.add_tile(tile(&mut Bytes(&[WORLD * WORLD * 2 - 1, 1]), 2))
        };
        assert_eq!(next(&self.mesh), next(&loaded), "the next tile goes elsewhere");
        self.mesh = loaded;
        self.mesh.keep_components_for(OPEN);
    }

    fn take_snapshot(&mut self) {
        self.before = (self.mesh.clone(), self.mesh.digest(), false);
    }

    /// A delta put on the snapshot gives the mesh of now, unless tiles or connections came or went since; the state of
    /// a tile comes back as it was.
    fn store_and_restore(&mut self, bytes: &mut Bytes<'_>) {
        let delta = self.mesh.store_delta();
        let (mut old, _, has_changed) = self.before.clone();
        let restored = old.restore_delta(&delta);
        if !has_changed {
            assert_eq!(restored, Ok(()));
            assert!(old.tiles().zip(self.mesh.tiles()).all(|(a, b)| a.states() == b.states()));
            assert!(old.connections().zip(self.mesh.connections()).all(|(a, b)| a.state() == b.state()));
        }
        assert!(old.check().is_empty(), "after {restored:?}");
        let Some(poly) = self.any_poly(bytes) else { return };
        let Some(tile) = poly.tile() else { return };
        let (stored, digest) = (self.mesh.store_tile_state(tile).unwrap_or_default(), self.mesh.digest());
        assert_eq!(self.mesh.tile_state_size(tile), Ok(stored.len()));
        assert!(self.mesh.set_flags(poly, PolyFlags(0xabcd)).is_ok());
        assert_eq!(self.mesh.restore_tile_state(tile, &stored), Ok(()));
        assert_eq!(self.mesh.digest(), digest);
    }

    /// Through a Detour file and back: the same tiles, polygons, links and connections, if that format can hold them.
    fn by_way_of_detour(&mut self) {
        for bits in [RefBits::Bits32, RefBits::Bits64] {
            let Ok(file) = self.mesh.to_detour(bits) else { continue };
            let back = NavMesh::from_detour(&file).unwrap_or_else(|e| panic!("our own set: {e}"));
            assert_eq!(back.tile_count(), self.mesh.tile_count());
            for (a, b) in self.mesh.tiles().zip(back.tiles()) {
                assert_eq!((a.slot(), a.salt(), a.poly_count()), (b.slot(), b.salt(), b.poly_count()));
                assert_eq!(a.links().all(), b.links().all());
            }
            // They come back in the order of the tiles at their starts, made with the state of now.
            let connections = |mesh: &NavMesh| {
                let told = |c: &Connection| {
                    let PolyState { area, flags } = c.state();
                    let made = OffMeshConnection { area, flags, ..*c.definition() };
                    format!("{made:?} from and to {:?}", c.ends().map(|end| end.map(|end| end.poly)))
                };
                let mut all: Vec<String> = mesh.connections().map(told).collect();
                all.sort_unstable();
                all
            };
            assert_eq!(connections(&back), connections(&self.mesh));
            assert!(back.check().is_empty());
        }
    }

    // ---- questions ----

    /// A search over several operations: what it answers is on the mesh of now.
    fn search_on(&mut self, bytes: &mut Bytes<'_>) {
        let Some(search) = &mut self.search else {
            let (Some(start), Some(goal)) = (self.somewhere(bytes), self.somewhere(bytes)) else { return };
            let begun = SlicedSearch::new(&self.mesh, &PathRequest::new(start, goal), &self.filter);
            self.search = Some(begun.unwrap_or_else(|e| panic!("both places are on the mesh: {e}")));
            return;
        };
        let finished = search.step(&self.filter, &mut Budget::new(u64::from(bytes.next() % 8)));
        let (path, gone) = search.path(&self.mesh);
        assert!(path.polys.iter().all(|&poly| self.mesh.is_valid(poly)), "{path:?}");
        assert!(gone.is_none_or(|gone| !self.mesh.is_valid(gone.reference)), "{gone:?}");
        if finished {
            self.search = None;
            if let Some(&poly) = path.polys.first() {
                self.corridor = PathCorridor::new(PolyPoint { poly, point: path.start });
                assert_eq!(self.corridor.follow(&path), Ok(()));
            }
        }
    }

    fn somewhere(&self, bytes: &mut Bytes<'_>) -> Option<PolyPoint> {
        find_nearest(&self.mesh, place(bytes), REACH, &self.filter).map(|found| found.place())
    }

    fn ask(&mut self, bytes: &mut Bytes<'_>) {
        let end = place(bytes);
        let (Some(start), Some(goal)) = (self.somewhere(bytes), self.somewhere(bytes)) else { return };
        let answered = self.ask_about(start, goal, end, u64::from(bytes.next()));
        assert!(answered.is_ok(), "both places are on the mesh: {answered:?}");
    }

    fn ask_about(
        &mut self,
        start: PolyPoint,
        goal: PolyPoint,
        end: Vec3,
        seed: u64,
    ) -> Result<(), wayfare::mesh::StaleRef> {
        let (mesh, filter, scratch) = (&self.mesh, &self.filter, &mut self.scratch);
        let request = PathRequest::new(start, goal);
        let path = find_path(mesh, &request, filter, scratch)?;
        let straight = string_pull(&path, scratch);
        assert!(straight.points.first().is_some_and(|p| p.point == start.point), "{straight:?}");
        let optimal = find_optimal_path(mesh, &request, filter, scratch)?;
        assert_eq!(path.status == PathStatus::Complete, optimal.path.status == PathStatus::Complete, "{request:?}");
        let ray = raycast(mesh, start, end, filter, scratch)?;
        assert!((0.0..=1.0).contains(&ray.t) && (ray.hit || ray.t == 1.0), "{ray:?}");
        let moved = move_along_surface(mesh, start, end, filter, scratch)?;
        assert!(moved.visited.first() == Some(&start.poly) && moved.visited.last() == Some(&moved.place.poly));
        let wall = find_distance_to_wall(mesh, start, 2.0, filter, scratch)?;
        assert!(wall.is_none_or(|wall| wall.distance <= 2.0), "{wall:?}");
        let around = polys_around(mesh, &AroundRequest::circle(start, 3.0), filter, scratch)?;
        let near = local_neighbourhood(mesh, &NeighbourhoodRequest::new(start, 3.0), filter, scratch)?;
        assert!(near.iter().all(|poly| around.iter().any(|reached| reached.poly == *poly)), "{near:?} {around:?}");
        let point = random_point_in_circle(mesh, start, 2.0, filter, scratch, &mut Rng::new(seed))?;
        if let Some(point) = point {
            assert!(poly_height(mesh, point.poly, point.point)?.is_some(), "{point:?}");
        }
        wall_segments(mesh, start.poly, filter)?;
        self.ask_what_can_be_reached(&request, path.status == PathStatus::Complete)?;
        if let Some(point) = PointSampler::on_mesh(&self.mesh, &self.filter).sample(&self.mesh, &mut Rng::new(seed))? {
            assert!(poly_height(&self.mesh, point.poly, point.point)?.is_some(), "{point:?}");
        }
        Ok(())
    }

    /// Searches that know what connects, by components that are kept up as tiles come and go, and one that looks
    /// everywhere: they agree.
    fn ask_what_can_be_reached(
        &mut self,
        request: &PathRequest,
        is_reached: bool,
    ) -> Result<(), wayfare::mesh::StaleRef> {
        let (mesh, filter, scratch) = (&self.mesh, &self.filter, &mut self.scratch);
        let PathRequest { start, goal, .. } = *request;
        let costs = CostMap::new(mesh, &CostMapRequest::new(start), filter)?;
        assert_eq!(costs.cost_to(goal.poly).is_some(), is_reached, "{request:?}");
        assert_eq!(is_reachable(mesh, request, filter, scratch)?, Some(is_reached), "{request:?}");
        let (_, which) = find_path_to_nearest(mesh, &NearestGoalRequest::new(start, &[goal]), filter, scratch)?;
        assert_eq!(which.is_some(), is_reached, "{request:?}");
        let around = Aabb::from_center(goal.point, Vec3::splat(0.25));
        let into = find_path_to_box(mesh, &BoxGoalRequest::new(start, around), filter, scratch)?;
        assert!(!is_reached || into.status == PathStatus::Complete, "{request:?} {into:?}");
        let reached = polys_around(
            mesh,
            &AroundRequest::convex(start, &[start.point, goal.point, goal.point + Vec3::X]),
            filter,
            scratch,
        )?;
        assert!(reached.iter().all(|reached| mesh.is_valid(reached.poly)), "{reached:?}");
        Ok(())
    }
}

/// A tile of 4 × 4 squares, some of them missing, some a little or much higher.
pub(super) fn tile(bytes: &mut Bytes<'_>, lowest_layer: u32) -> TileData {
    let at = bytes.next();
    let coord = TileCoord {
        x: i32::from(at % WORLD),
        z: i32::from(at / WORLD % WORLD),
        layer: lowest_layer + u32::from(at / (WORLD * WORLD) % 2),
    };
    let low = Vec2::new(coord.x as f32, coord.z as f32) * SIDE as f32;
    let (mut verts, mut corners, mut polys) = (Vec::new(), Vec::new(), Vec::new());
    for z in 0..SIDE {
        let mut row = bytes.next();
        for x in 0..SIDE {
            let kind = row & 3;
            row >>= 2;
            if kind == 0 {
                continue;
            }
            let height = [0.0, 0.0, 0.3, 2.5][usize::from(kind)] + coord.layer as f32 * 6.0;
            let mut vert = |x: u32, z: u32| {
                let v = Vec3::new(low.x + x as f32, height, low.y + z as f32);
                let known = verts.iter().position(|w| *w == v);
                known.unwrap_or_else(|| {
                    verts.push(v);
                    verts.len() - 1
                }) as u32
            };
            corners.extend([vert(x, z), vert(x, z + 1), vert(x + 1, z + 1), vert(x + 1, z)]);
            polys.push(SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE });
        }
    }
    let made = build_tile(&TileSource {
        coord,
        agent_height: 2.0,
        agent_radius: 0.3,
        agent_climb: 0.5,
        verts: &verts,
        corners: &corners,
        polys: &polys,
        frame: Some([low, low + Vec2::splat(SIDE as f32)]),
        ..TileSource::default()
    });
    made.unwrap_or_else(|e| panic!("a tile of squares: {e}"))
}

/// A place in the world, or a little beside it: on quarters of a metre, so that edges and corners are hit.
fn place(bytes: &mut Bytes<'_>) -> Vec3 {
    let [x, z, y] = [bytes.next(), bytes.next(), bytes.next()];
    let quarter = |v: u8| f32::from(v % 56) * 0.25 - 1.0;
    Vec3::new(quarter(x), f32::from(y % 9), quarter(z))
}
