//! `wayfare info MESH`

use crate::failure::{Answer, Result};
use crate::input::mesh_file::{self, MeshRead};
use crate::input::store_file::{self, StoreRead};
use crate::output::numbers::{count, counted, number};
use crate::output::{atomic_file, stats};
use clap::Args;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use wayfare::area::AreaId;
use wayfare::hierarchy::LevelSize;
use wayfare::math::polygon;
use wayfare::mesh::{NavMesh, Tile};
use wayfare_draw::control::escaped;

/// Show what a mesh contains
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  wayfare info level.way --json")]
pub(crate) struct Info {
    /// A .way file, a store or another tool's mesh; - for standard input
    mesh: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(self) -> Result<Answer> {
        let MeshRead { file, size: bytes, store, .. } = mesh_file::read_whole(&self.mesh)?;
        let mesh = file.mesh;
        store.iter().for_each(StoreRead::warn);
        let connections = u64::from(mesh.connection_count());
        let ground: u64 = mesh.tiles().map(|t| u64::from(t.poly_count())).sum();
        let vertices: usize = mesh.tiles().map(|t| t.data().verts().len()).sum();
        let (areas, components) = (areas(&mesh), mesh.components().count());
        let kinds = ConnectionKinds::of(&mesh);
        let text = if self.json {
            let areas: Vec<_> = areas
                .iter()
                .map(|(id, a)| {
                    let mut json = json!({"area": id, "polygons": a.polygons, "square_metres": a.square_metres});
                    if let Some(info) = mesh.areas().get(AreaId::from_low_bits(*id)) {
                        (json["name"], json["cost"]) = (info.name.clone().into(), number(info.cost));
                    }
                    json
                })
                .collect();
            let mut json = json!({
                "bounds": stats::bounds(mesh.bounds()),
                "baked_for": agents(&mesh).map(BakedFor::json).collect::<Vec<_>>(),
                "tiles": mesh.tile_count(),
                "polygons": ground + connections,
                "vertices": vertices,
                "areas": areas,
                "components": components,
                "off_mesh_connections": connections,
                "connections": kinds.json(),
                "bytes": bytes,
            });
            if let Some(store) = &store {
                json["store"] = store_json(store, store_file::graph_nodes(&file.tile_sections));
            }
            format!("{json:#}\n")
        } else {
            let (b, mut text) = (mesh.bounds(), String::new());
            // Writing to a string cannot fail.
            if !b.is_empty() {
                let _ = writeln!(
                    text,
                    "bounds       {:.2},{:.2},{:.2} to {:.2},{:.2},{:.2}",
                    b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z
                );
            }
            for agent in agents(&mesh) {
                let _ = writeln!(text, "baked for    {}", agent.told());
            }
            let _ = writeln!(text, "tiles        {}", count(mesh.tile_count()));
            let _ = writeln!(text, "polygons     {}", count(ground));
            let _ = writeln!(text, "vertices     {}", count(vertices as u64));
            let _ = writeln!(text, "components   {}", count(components));
            let _ = writeln!(text, "connections  {}", kinds.told());
            let _ = writeln!(text, "bytes        {}", count(bytes));
            if let Some(store) = &store {
                write_store(&mut text, store, store_file::graph_nodes(&file.tile_sections));
            }
            for (id, area) in &areas {
                let info = mesh.areas().get(AreaId::from_low_bits(*id));
                let told =
                    info.map_or_else(String::new, |i| format!(", {} at cost {} a metre", escaped(&i.name), i.cost));
                let _ = writeln!(
                    text,
                    "area {id:<7} {}, {:.1} m²{told}",
                    counted(area.polygons, "polygon"),
                    area.square_metres
                );
            }
            text
        };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::Yes)
    }
}

fn store_json(store: &StoreRead, nodes: u64) -> serde_json::Value {
    let StoreRead { entries, bytes, graph_bytes, levels, level_sizes, .. } = store;
    let size = |size: &LevelSize| json!({"clusters": size.clusters, "entrances": size.entrances, "costs": size.costs});
    let above: Vec<_> = level_sizes.iter().map(size).collect();
    json!({"tiles": entries, "bytes": bytes, "graph_bytes": graph_bytes, "graph_nodes": nodes, "levels": levels,
        "levels_above_tiles": above})
}

fn write_store(text: &mut String, store: &StoreRead, nodes: u64) {
    let share = 100.0 * store.graph_bytes as f64 / store.bytes.max(1) as f64;
    let places = counted(store.entries as u64, "place");
    let _ = writeln!(text, "store        {places}, {} bytes of tiles", count(store.bytes));
    let _ = writeln!(text, "graph        {} nodes, {} bytes ({share:.1} %)", count(nodes), count(store.graph_bytes));
    for (level, size) in (1..).zip(&store.level_sizes) {
        let LevelSize { clusters, entrances, .. } = *size;
        let _ = writeln!(text, "level {level:<6} {}, {} entrances", counted(clusters, "cluster"), count(entrances));
    }
}

/// The agent and cell sizes that tiles store, metres.
#[derive(Clone, Copy)]
struct BakedFor {
    radius: f32,
    height: f32,
    climb: f32,
    /// 0 for tiles made from polygons, without cells.
    cell_size: f32,
}

/// The sizes that the tiles of a mesh were made for, without duplicates, in the order of the tiles: one, unless the
/// tiles come from several bakes.
fn agents(mesh: &NavMesh) -> impl Iterator<Item = BakedFor> + '_ {
    let mut known = BTreeSet::new();
    let of_tile = |tile: &Tile| {
        let wayfare::tile::BakedFor { radius, height, climb, cell_size, .. } = tile.data().baked_for();
        BakedFor { radius, height, climb, cell_size }
    };
    mesh.tiles().map(of_tile).filter(move |agent| known.insert(agent.bits()))
}

impl BakedFor {
    fn bits(self) -> [u32; 4] {
        [self.radius, self.height, self.climb, self.cell_size].map(f32::to_bits)
    }

    fn json(self) -> serde_json::Value {
        let Self { radius, height, climb, cell_size } = self;
        json!({"radius": number(radius), "height": number(height), "climb": number(climb), "cell_size": number(cell_size)})
    }

    /// `radius 0.6 m, height 2 m, climb 0.9 m; cells of 0.3 m`.
    fn told(self) -> String {
        let Self { radius, height, climb, cell_size } = self;
        let cells = if cell_size > 0.0 { format!("; cells of {cell_size} m") } else { String::new() };
        format!("radius {radius} m, height {height} m, climb {climb} m{cells}")
    }
}

/// Counts of off-mesh connections by kind.
#[derive(Default)]
struct ConnectionKinds {
    one_way: u64,
    two_way: u64,
    /// Those that cannot be used, since an end is not attached.
    loose: u64,
    /// By area type.
    areas: BTreeMap<u8, u64>,
}

impl ConnectionKinds {
    fn of(mesh: &NavMesh) -> Self {
        let mut kinds = Self::default();
        for connection in mesh.connections() {
            let two_way = connection.definition().two_way;
            *(if two_way { &mut kinds.two_way } else { &mut kinds.one_way }) += 1;
            kinds.loose += u64::from(connection.ends().iter().any(Option::is_none));
            *kinds.areas.entry(connection.state().area.get()).or_default() += 1;
        }
        kinds
    }

    fn json(&self) -> serde_json::Value {
        let areas: Vec<_> = self.areas.iter().map(|(id, count)| json!({"area": id, "count": count})).collect();
        json!({"one_way": self.one_way, "two_way": self.two_way, "without_ground": self.loose, "areas": areas})
    }

    /// `12: 4 one-way, 8 two-way, 1 with an end off the mesh; 12 of area 5`.
    fn told(&self) -> String {
        let mut text = count(self.one_way + self.two_way);
        if self.areas.is_empty() {
            return text;
        }
        // Writing to a string cannot fail.
        let _ = write!(text, ": {} one-way, {} two-way", count(self.one_way), count(self.two_way));
        if self.loose > 0 {
            let _ = write!(text, ", {} with an end off the mesh", count(self.loose));
        }
        let areas: Vec<String> = self.areas.iter().map(|(id, n)| format!("{} of area {id}", count(*n))).collect();
        let _ = write!(text, "; {}", areas.join(", "));
        text
    }
}

#[derive(Default)]
struct AreaSum {
    polygons: u64,
    square_metres: f64,
}

/// Polygons and their horizontal area, by area type.
fn areas(mesh: &NavMesh) -> BTreeMap<u8, AreaSum> {
    let mut sums: BTreeMap<u8, AreaSum> = BTreeMap::new();
    for tile in mesh.tiles() {
        for poly in 0..tile.poly_count() {
            let area: AreaId = tile.state(poly).area;
            let corners: Vec<_> = tile.data().points_of(poly).collect();
            let sum = sums.entry(area.get()).or_default();
            sum.polygons += 1;
            sum.square_metres += f64::from(polygon::area(&corners).abs());
        }
    }
    sums
}
