//! Beside a bake: why a place cannot be walked on, links that are found automatically, tiles baked anew.

use crate::bake::bake_failure;
use crate::border::{check_out, fill, fill_text, list, put, sized};
use crate::context::{WayfareContext, with_context};
use crate::geometry::{WayfareBox, WayfareVec3, bounds, point};
use crate::handle::{Handle, handle};
use crate::level::WayfareLevel;
use crate::mesh::WayfareMesh;
use crate::settings::{WayfareBakeSettings, WayfareLinkSettings, bake_settings};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::ffi::c_char;
use std::collections::BTreeMap;
use std::sync::Arc;
use wayfare_nav::Vec3;
use wayfare_nav::bake::{
    AutoLink, BakeReport, ExplainMap, TileBaker, TilePlan, TileSink, bake_agents_planned, explain_around,
    explain_level, find_links, tile_keys,
};
use wayfare_nav::context::{Cancelled, Context};
use wayfare_nav::mesh::{BakeCache, NavMesh};
use wayfare_nav::tile::{TileCoord, TileData};

/// Why the places of a level can or cannot be walked on.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareExplainMap {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareExplainMap, ExplainMap, "explain map");

/// Why a place cannot be walked on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareExplanation {
    /// 1 if it can.
    pub walkable: u32,
    /// The reason by number: `wayfare_explain_text` says it in words.
    pub reason: u32,
    /// 1 if there is a surface.
    pub has_surface: u32,
    /// Where it is.
    pub surface: WayfareVec3,
    /// 1 if it lies inside a closed body.
    pub inside_hollow_body: u32,
}

/// Explains a whole level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_explain_level(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    context: *const WayfareContext,
    map: *mut WayfareExplainMap,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let level = parts.level()?;
        let plan = TilePlan::new(level, &settings).map_err(bake_failure)?;
        let made = with_context(context, |context| explain_level(level, &plan, context).map_err(bake_failure))?;
        put!(map, WayfareExplainMap::keep(made)?)
    })
}

/// Explains the surroundings of a point: much faster than the whole level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_explain_around(
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    at: WayfareVec3,
    map: *mut WayfareExplainMap,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let level = parts.level()?;
        let plan = TilePlan::new(level, &settings).map_err(bake_failure)?;
        let made = explain_around(level, &plan, point(at, "at")?, &Context::default()).map_err(bake_failure)?;
        put!(map, WayfareExplainMap::keep(made)?)
    })
}

/// Why a place can or cannot be walked on; `found` is 0 if it lies outside of what was explained.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_explain_at(
    map: WayfareExplainMap,
    at: WayfareVec3,
    found: *mut u32,
    explanation: *mut WayfareExplanation,
) -> WayfareStatus {
    border(|| {
        let why = map.read()?.at(point(at, "at")?);
        put!(found, why.is_some().into())?;
        let Some(why) = why else { return Ok(()) };
        let answer = WayfareExplanation {
            walkable: why.is_walkable().into(),
            reason: why.reason as u32,
            has_surface: why.ground.is_some().into(),
            surface: why.ground.map_or(WayfareVec3::default(), Into::into),
            inside_hollow_body: why.inside_hollow_body.into(),
        };
        put!(explanation, answer)
    })
}

/// The reason in words: its name alone (`whole` 0), or a sentence. A place outside of what was explained is `outside`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_explain_text(
    map: WayfareExplainMap,
    at: WayfareVec3,
    whole: u32,
    out: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let why = map.read()?.at(point(at, "at")?);
        let text = match why {
            None => "outside".to_owned(),
            Some(why) if whole == 0 => why.reason.name().to_owned(),
            Some(why) => why.to_string(),
        };
        fill_text!(out, capacity, length, text)
    })
}

/// Frees an explain map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_explain_free(map: WayfareExplainMap) -> WayfareStatus {
    border(|| map.free())
}

/// A link that was found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareLink {
    /// A `WayfareLinkKind`.
    pub kind: u32,
    /// Its number, which becomes the connection's user id.
    pub id: u32,
    /// Where it begins.
    pub start: WayfareVec3,
    /// Where it ends.
    pub end: WayfareVec3,
    /// How near one must come.
    pub radius: f32,
    /// 1 if it can be used both ways.
    pub two_way: u32,
    /// Its area type.
    pub area: u32,
    /// Its flags.
    pub flags: u32,
}

impl WayfareLink {
    pub(crate) fn of(link: &AutoLink) -> Self {
        Self {
            kind: link.kind as u32,
            id: link.id,
            start: link.start.into(),
            end: link.end.into(),
            radius: link.radius,
            two_way: link.two_way.into(),
            area: link.area.get().into(),
            flags: link.flags.0.into(),
        }
    }
}

/// Finds drops, jumps and climbs on a mesh that was baked from this level with these settings, and adds them to it as
/// off-mesh connections. `count` gets how many; `wayfare_mesh_found_links` lists them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_find_links(
    mesh: WayfareMesh,
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    rules: *const WayfareLinkSettings,
    context: *const WayfareContext,
    count: *mut usize,
) -> WayfareStatus {
    border(|| {
        // First, since a mesh that got links cannot be taken back.
        check_out(count, "count")?;
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let rules = sized!(rules)?.get()?;
        rules.check().map_err(Failure::argument)?;
        let level = parts.level()?;
        let plan = TilePlan::new(level, &settings).map_err(bake_failure)?;
        let mut object = mesh.write()?;
        let tiles: Vec<TileData> = object.mesh.tiles().map(|tile| tile.data().clone()).collect();
        let tiles: Vec<&TileData> = tiles.iter().collect();
        let found =
            with_context(context, |context| find_links(level, &plan, &tiles, &rules, context).map_err(bake_failure))?;
        object.mesh.add_connections(&found).map_err(Failure::limit)?;
        object.links = found.iter().map(WayfareLink::of).collect();
        put!(count, found.len())
    })
}

/// The links that `wayfare_mesh_find_links` found last on this mesh, or on the one that it is a copy of. They are not saved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_found_links(
    mesh: WayfareMesh,
    links: *mut WayfareLink,
    capacity: usize,
    count: *mut usize,
) -> WayfareStatus {
    border(|| fill!(links, capacity, count, mesh.read()?.links.iter().copied()))
}

/// Remembers from what each tile of a mesh was baked, so that `wayfare_mesh_bake_changed` bakes only what has changed.
/// It is saved with the mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_remember_level(
    mesh: WayfareMesh,
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let plan = TilePlan::new(parts.level()?, &settings).map_err(bake_failure)?;
        let mut object = mesh.write()?;
        object.cache = Some(Arc::new(BakeCache::new(&object.mesh, tile_keys(parts.level()?, &plan))));
        Ok(())
    })
}

/// Gathers what a bake makes anew, and knows what has not changed.
struct Changed<'a> {
    cache: Option<&'a BakeCache>,
    keys: &'a wayfare_nav::tile::TileKeys,
    made: BTreeMap<TileCoord, Option<TileData>>,
}

impl TileSink for Changed<'_> {
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let unchanged = self.cache?.unchanged_tile(coord, self.keys.get(coord)?)?;
        Some(unchanged.cloned())
    }

    fn take(&mut self, coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.made.insert(coord, tile);
        Ok(())
    }
}

/// Puts tiles into a mesh: those that are the same stay as they are, with their references.
fn put_tiles(mesh: &mut NavMesh, made: BTreeMap<TileCoord, Option<TileData>>) -> Outcome<u32> {
    let mut changed = 0;
    for (coord, tile) in made {
        let old = mesh.tile_at(coord).map(|old| (old.tile_ref(), old.data().clone()));
        let failed = |e| Failure::new(WayfareStatus::BakeFailed, e);
        match (old, tile) {
            (Some((_, old)), Some(tile)) if old.is_same_as(&tile) || old == tile => continue,
            (Some((place, _)), Some(tile)) => drop(mesh.replace_tile(place, tile).map_err(failed)?),
            (Some((place, _)), None) => drop(mesh.remove_tile(place).map_err(Failure::stale)?),
            (None, Some(tile)) => drop(mesh.add_tile(tile).map_err(failed)?),
            (None, None) => continue,
        }
        changed += 1;
    }
    Ok(changed)
}

/// Bakes a level that has changed since `wayfare_mesh_remember_level`: only tiles whose input differs, which it puts into
/// the mesh. Settings and bounds must be such that the tiles lie where they were, else it fails and changes nothing.
/// `changed` gets how many tiles differ now; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_bake_changed(
    mesh: WayfareMesh,
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    context: *const WayfareContext,
    changed: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let level = parts.level()?;
        let plan = TilePlan::new(level, &settings).map_err(bake_failure)?;
        let mut object = mesh.write()?;
        plan.check_layout(object.mesh.layout()).map_err(bake_failure)?;
        let keys = tile_keys(level, &plan);
        let mut sink = Changed { cache: object.cache.as_deref(), keys: &keys, made: BTreeMap::new() };
        let mut report = BakeReport::default();
        with_context(context, |context| {
            let reports = core::slice::from_mut(&mut report);
            let sinks: &mut [&mut dyn TileSink] = &mut [&mut sink];
            bake_agents_planned_here(level, &plan, context, reports, sinks)
        })?;
        let made = sink.made;
        let count = put_tiles(&mut object.mesh, made)?;
        object.cache = Some(Arc::new(BakeCache::new(&object.mesh, keys)));
        if changed.is_null() { Ok(()) } else { put!(changed, count) }
    })
}

fn bake_agents_planned_here(
    level: wayfare_nav::input::Level<'_>,
    plan: &TilePlan,
    context: &Context<'_>,
    reports: &mut [BakeReport],
    sinks: &mut [&mut dyn TileSink],
) -> Outcome {
    bake_agents_planned(level, core::slice::from_ref(plan), context, reports, sinks).map_err(bake_failure)
}

/// Bakes the tiles under a box anew and puts them into the mesh. Settings and bounds must be such that the tiles lie where
/// they were, else it fails and changes nothing. `changed` gets how many tiles differ now; may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_mesh_bake_box(
    mesh: WayfareMesh,
    level: WayfareLevel,
    settings: *const WayfareBakeSettings,
    area: WayfareBox,
    changed: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (parts, settings) = (level.read()?, bake_settings(settings)?);
        let (level, area) = (parts.level()?, bounds(area, "area")?);
        let plan = TilePlan::new(level, &settings).map_err(bake_failure)?;
        plan.check_layout(mesh.read()?.layout()).map_err(bake_failure)?;
        let mut baker = TileBaker::new(plan.level, plan.settings);
        let mut report = BakeReport::default();
        let mut made = BTreeMap::new();
        for index in plan.tiles_touched(&area) {
            let tile = plan.tile(index);
            let baked = baker.bake(level, None, &tile, &Context::default(), &mut report).map_err(bake_failure)?;
            made.insert(tile.coord, baked);
        }
        let count = put_tiles(&mut mesh.write()?.mesh, made)?;
        if changed.is_null() { Ok(()) } else { put!(changed, count) }
    })
}

/// Which points lie inside closed bodies of a level, where no agent can be: 1 or 0 for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_level_inside_bodies(
    level: WayfareLevel,
    points: *const WayfareVec3,
    count: usize,
    inside: *mut u8,
) -> WayfareStatus {
    border(|| {
        let points: Vec<Vec3> = crate::geometry::points(list!(points, count)?, "points")?;
        let found = wayfare_nav::bake::inside_bodies(&level.read()?.triangles()?, &points);
        let mut written = 0;
        fill!(inside, count, &raw mut written, found.into_iter().map(u8::from))
    })
}
