//! The level, settings, volumes, links and connections of a case.

use crate::arguments::{
    area, bounds, count, count_or, flag_or, flat_points, list, number, number_or, numbers, point, points, text,
};
use serde_json::{Value, json};
use wayfare::Vec2;
use wayfare::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use wayfare::input::{
    AgentSettings, BakeSettings, Erosion, Filters, HeightMap, HeightScale, MarkedVolume, Marking, Partition, TriMesh,
    Volume,
};
use wayfare::mesh::OffMeshConnection;

/// The geometry of a case.
pub(crate) struct Geometry {
    pub(crate) mesh: TriMesh,
    pub(crate) terrain: Option<HeightMap>,
    pub(crate) volumes: Vec<MarkedVolume>,
}

impl Geometry {
    pub(crate) fn of(case: &Value) -> Self {
        let volumes = list(case, "volumes").iter().map(volume).collect();
        Self { mesh: triangles(&case["level"]), terrain: heights(&case["heights"]), volumes }
    }
}

fn triangles(level: &Value) -> TriMesh {
    if level.is_null() {
        return TriMesh::EMPTY;
    }
    let indices: Vec<u32> = list(level, "tris").iter().map(|i| u32::try_from(i.as_u64().unwrap()).unwrap()).collect();
    let tris: Vec<[u32; 3]> = indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    let mut areas: Vec<AreaId> =
        list(level, "areas").iter().map(|a| AreaId::new(u8::try_from(a.as_u64().unwrap()).unwrap()).unwrap()).collect();
    areas.resize(tris.len(), AreaId::WALKABLE);
    TriMesh::with_areas(points(&level["verts"]), tris, areas).unwrap()
}

fn heights(heights: &Value) -> Option<HeightMap> {
    if heights.is_null() {
        return None;
    }
    let samples = numbers(&heights["samples"]).iter().map(|sample| *sample as u16).collect();
    let real = |name: &str| heights[name].as_f64().unwrap();
    let scale = HeightScale { origin: point(heights, "origin"), spacing: real("spacing"), step: real("step") };
    Some(HeightMap::new(count(heights, "columns"), count(heights, "rows"), samples, scale).unwrap())
}

/// The settings that a case names; all others are the defaults.
pub(crate) fn settings(bake: &Value) -> BakeSettings {
    let usual = BakeSettings::default();
    let agent = AgentSettings {
        height: number_or(bake, "agent_height", usual.agent.height),
        radius: number_or(bake, "agent_radius", usual.agent.radius),
        max_climb: number_or(bake, "agent_max_climb", usual.agent.max_climb),
        max_slope: number_or(bake, "agent_max_slope", usual.agent.max_slope),
        max_drop: number_or(bake, "agent_max_drop", usual.agent.max_drop),
    };
    BakeSettings {
        agent,
        cell_size: number_or(bake, "cell_size", usual.cell_size),
        cell_height: number_or(bake, "cell_height", usual.cell_height),
        filters: Filters { ledges: flag_or(bake, "filter_ledges", true), ..usual.filters },
        erosion: [Erosion::Chamfer, Erosion::Euclidean][count_or(bake, "erosion", 0) as usize],
        partition: [Partition::Watershed, Partition::Monotone, Partition::Layers]
            [count_or(bake, "partition", 0) as usize],
        region_min_size: count_or(bake, "region_min_size", usual.region_min_size),
        region_merge_size: count_or(bake, "region_merge_size", usual.region_merge_size),
        edge_max_len: number_or(bake, "edge_max_len", usual.edge_max_len),
        edge_max_error: number_or(bake, "edge_max_error", usual.edge_max_error),
        verts_per_poly: count_or(bake, "verts_per_poly", usual.verts_per_poly),
        tile_size: count_or(bake, "tile_size", usual.tile_size),
        ..usual
    }
}

/// A volume and what it marks: in a case, and as an obstacle.
pub(crate) fn volume(value: &Value) -> MarkedVolume {
    let half = || point(value, "half_extents");
    let volume = match text(value, "shape") {
        "box" => Volume::Box(bounds(value)),
        "turned_box" => {
            Volume::TurnedBox { center: point(value, "center"), half_extents: half(), angle: number(value, "angle") }
        }
        "cylinder" => Volume::Cylinder {
            base: point(value, "base"),
            radius: number(value, "radius"),
            height: number(value, "height"),
        },
        "capsule" => Volume::Capsule {
            base: point(value, "base"),
            radius: number(value, "radius"),
            height: number(value, "height"),
        },
        "prism" => {
            let [low, high] = numbers(&value["heights"])[..] else { panic!("no heights: {value}") };
            Volume::Prism { outline: flat_points(&value["outline"]), heights: [low, high] }
        }
        "hull" => Volume::Hull(points(&value["points"])),
        other => panic!("no shape {other}"),
    };
    let when = if flag_or(value, "before_erosion", false) { Marking::BeforeErosion } else { Marking::AfterErosion };
    if value["area"].is_null() {
        MarkedVolume::block(volume)
    } else {
        MarkedVolume { volume, area: area(value, "area"), when }
    }
}

pub(crate) fn area_table(case: &Value) -> AreaTable {
    let infos = list(case, "areas").iter().map(|info| AreaInfo {
        area: area(info, "area"),
        name: text(info, "name").to_owned(),
        cost: number(info, "cost"),
    });
    AreaTable::new(infos.collect()).unwrap()
}

pub(crate) fn connection(value: &Value) -> OffMeshConnection {
    OffMeshConnection {
        start: point(value, "start"),
        end: point(value, "end"),
        radius: number(value, "radius"),
        two_way: flag_or(value, "two_way", true),
        area: area(value, "area"),
        flags: PolyFlags(u16::try_from(count(value, "flags")).unwrap()),
        user_id: count_or(value, "user_id", 0),
    }
}

/// The triangles of a built-in scene as a case holds them, for a case that names one and has no triangles yet.
pub(crate) fn of_scene(spec: &str) -> Value {
    let scene = wayfare_scenes::scene(spec).unwrap();
    let verts: Vec<f32> = scene.verts.iter().flat_map(|v| v.to_array()).collect();
    let areas: Vec<u8> = scene.areas.iter().map(|area| area.get()).collect();
    json!({ "verts": verts, "tris": scene.tris.concat(), "areas": areas })
}

/// Outlines on a plane.
pub(crate) fn outlines(value: &Value) -> Vec<Vec<Vec2>> {
    list(value, "outlines").iter().map(flat_points).collect()
}
