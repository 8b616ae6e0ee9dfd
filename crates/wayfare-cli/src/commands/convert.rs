//! `wayfare convert IN OUT`

use crate::failure::{Answer, Failure, Result};
use crate::input::{ending, mesh_file};
use crate::output::{Kind, atomic_file, targets};
use crate::terminal::Terminal;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use wayfare::area::AreaTable;
use wayfare::format::{DetourWriteError, RefBits, WayFile};
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::query::PolyPoint;
use wayfare_io::{mesh_to_glb, mesh_to_obj};

/// Write a mesh in another format
#[derive(Args, Debug)]
#[command(
    after_help = "The ending of OUTPUT says the format: .way, .bin (Detour), .obj or .glb (triangles to look at).
Examples:
  wayfare convert level.way level.bin --ref-bits 64
  wayfare convert all_tiles_navmesh.bin level.way
  wayfare convert level.way level.glb"
)]
pub(crate) struct Convert {
    /// A .way file or another tool's mesh; - for standard input
    input: PathBuf,
    /// The file to write: .way, .bin (Detour), .obj or .glb
    output: PathBuf,
    /// Bits of a reference in a Detour file [default: 32]
    #[arg(long, value_name = "BITS")]
    ref_bits: Option<Bits>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bits {
    /// Detour as it comes
    #[value(name = "32")]
    Bits32,
    /// Detour built with DT_POLYREF64
    #[value(name = "64")]
    Bits64,
}

/// Why there is no Detour file, with the option that may help.
fn refused(file: &WayFile, e: DetourWriteError) -> String {
    let option = match e {
        // A mesh that was not baked cannot be baked with other settings.
        DetourWriteError::Corners { .. } if file.cache.keys().is_empty() => {
            return "it has polygons of more than six corners, which Detour cannot have: meshes of other tools, and maps, \
                    can be written as .way, .obj and .glb"
                .to_owned();
        }
        DetourWriteError::Corners { .. } => "--verts-per-poly of `wayfare bake`",
        DetourWriteError::TooMany { .. } => "--tile-size of `wayfare bake`",
        DetourWriteError::Reference { .. } => "--ref-bits",
        _ => return e.to_string(),
    };
    format!("{e} (see {option})")
}

/// The warnings about connections that Detour will link differently: it searches ends only up to the next tile, and
/// limits the vertical distance in another manner.
fn linked_otherwise(mesh: &NavMesh) -> Vec<String> {
    let tile_of = |end: PolyPoint| mesh.locate(end.poly).ok().map(|(tile, _)| tile.coord());
    let [mut far, mut high, mut loose, mut more] = [const { Vec::new() }; 4];
    for connection in mesh.connections() {
        let list = match (connection.ends().map(|end| end.and_then(tile_of)), mesh.is_linked_in_detour(connection)) {
            ([Some(a), Some(b)], false) if a.x.abs_diff(b.x).max(a.z.abs_diff(b.z)) > 1 => &mut far,
            ([Some(_), Some(_)], false) => &mut high,
            ([Some(_), Some(_)], true) => continue,
            (_, false) => &mut loose,
            (_, true) => &mut more,
        };
        list.push(connection.definition());
    }
    let told = |(what, them): (&str, Vec<&OffMeshConnection>)| {
        let first = them.first()?;
        let ([a, b, c], [x, y, z]) = (first.start.to_array(), first.end.to_array());
        Some(format!("connections that Detour {what}: {}, the first from {a},{b},{c} to {x},{y},{z}", them.len()))
    };
    let reasons = [
        ("will not link, whose ends lie more than one tile apart (larger tiles keep them)", far),
        ("will not link, whose ends lie farther above or below their polygons than the agent climbs", high),
        ("will not link, with an end off the mesh", loose),
        ("will link to polygons far above or below an end that is off the mesh here", more),
    ];
    reasons.into_iter().filter_map(told).collect()
}

impl Convert {
    pub(crate) fn run(self) -> Result<Answer> {
        let kind = match ending(&self.output).as_str() {
            "way" => Kind::Way,
            "bin" => Kind::Detour,
            "obj" => Kind::Obj,
            "glb" => Kind::Glb,
            _ => {
                return Err(Failure::about(
                    self.output.display(),
                    "the ending says the format: use .way, .bin, .obj or .glb",
                ));
            }
        };
        targets::check(&[(&self.output, kind)], [self.input.as_path()])?;
        if self.ref_bits.is_some() && kind != Kind::Detour {
            Terminal::new(false).warn("--ref-bits is that of a Detour file, .bin: this one has none");
        }
        let (file, refs) = mesh_file::read_with_refs(&self.input)?;
        let mesh = &file.mesh;
        let bytes = match kind {
            Kind::Detour => {
                let bits = match self.ref_bits {
                    None | Some(Bits::Bits32) => RefBits::Bits32,
                    Some(Bits::Bits64) => RefBits::Bits64,
                };
                // References of the input keep their numbers or, with another size, their fields if they fit.
                let kept = refs.and_then(|refs| mesh.to_detour_with(refs.with_bits(bits)).ok());
                kept.map_or_else(|| mesh.to_detour(bits), Ok)
                    .map_err(|e| Failure::about(self.output.display(), refused(&file, e)))?
            }
            Kind::Obj => mesh_to_obj(mesh),
            Kind::Glb => mesh_to_glb(mesh).map_err(|e| Failure::about(self.output.display(), e))?,
            _ => file.to_bytes(),
        };
        atomic_file::write(&self.output, &bytes)?;
        if kind == Kind::Detour {
            linked_otherwise(mesh).into_iter().for_each(|told| Terminal::new(false).warn(told));
        }
        if kind == Kind::Detour && *mesh.areas() != AreaTable::default() {
            let lost = "a Detour file cannot hold names and costs of areas: set the costs in its filter";
            Terminal::new(false).warn(lost);
        }
        Ok(Answer::Yes)
    }
}
