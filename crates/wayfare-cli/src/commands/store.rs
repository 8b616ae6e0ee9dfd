//! `wayfare store join|compact|repair|list`

use crate::failure::{Answer, Result};
use crate::input::store_file::{self, failure};
use crate::output::atomic_file;
use crate::output::numbers::counted;
use crate::terminal::Terminal;
use clap::{Args, Subcommand};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;
use wayfare::format::WorldStore as _;

/// Join, compact, repair and list tile stores
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare bake world.toml -o west.wayworld --tiles 0,0,127,255
  wayfare bake world.toml -o east.wayworld --tile-size 64 --tiles 128,0,255,255
  wayfare store join west.wayworld east.wayworld -o world.wayworld
  wayfare store list world.wayworld --json")]
pub(crate) struct StoreCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Join parts of a world, each baked with --tiles
    Join {
        /// Stores of tiles of the same world
        #[arg(required = true, value_name = "PART")]
        parts: Vec<PathBuf>,
        /// The store to make, or to add to: NAME.wayworld or FOLDER/
        #[arg(short, long, value_name = "STORE")]
        output: PathBuf,
        /// Print only errors
        #[arg(short, long)]
        quiet: bool,
    },
    /// Remove unused data from a store; stores of the same tiles then have the same bytes
    Compact {
        /// NAME.wayworld or a folder
        store: PathBuf,
    },
    /// Rebuild a damaged index from the undamaged tiles
    Repair {
        /// NAME.wayworld or a folder
        store: PathBuf,
        /// Print only errors
        #[arg(short, long)]
        quiet: bool,
    },
    /// List the tiles of a store, including those without walkable surface
    List {
        /// NAME.wayworld or a folder
        store: PathBuf,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
}

impl StoreCommand {
    pub(crate) fn run(self) -> Result<Answer> {
        match self.command {
            Command::Join { parts, output, quiet } => {
                wayfare_store::join(&parts, &output).map_err(|e| failure(&output, &e))?;
                let store = store_file::open(&output)?;
                let (tiles, parts) = (counted(store.index().len() as u64, "tile"), counted(parts.len() as u64, "part"));
                Terminal::new(quiet).say(format_args!("{}: {tiles} of {parts}", output.display()));
            }
            Command::Compact { store } => wayfare_store::compact(&store).map_err(|e| failure(&store, &e))?,
            Command::Repair { store, quiet } => {
                let wayfare_store::Repaired { tiles, broken } =
                    wayfare_store::repair(&store).map_err(|e| failure(&store, &e))?;
                let tiles = counted(tiles as u64, "tile");
                let left_out = match broken {
                    0 => String::new(),
                    n => format!(
                        "; {} left out, since broken or not in place{}: bake again, which makes anew what is missing",
                        counted(n as u64, "record"),
                        if store.is_dir() { " (now named *.broken)" } else { "" }
                    ),
                };
                Terminal::new(quiet).say(format_args!("{}: {tiles} whole{left_out}", store.display()));
            }
            Command::List { store, json } => atomic_file::print(list(&store, json)?.as_bytes())?,
        }
        Ok(Answer::Yes)
    }
}

fn list(path: &std::path::Path, as_json: bool) -> Result<String> {
    let store = store_file::open(path)?;
    let mut text = String::new();
    for entry in store.index().iter() {
        let (at, digest) = (entry.coord, format!("{:016x}", entry.digest));
        // Writing to a string cannot fail.
        let _ = if as_json {
            let json = json!({"x": at.x, "z": at.z, "layer": at.layer, "offset": entry.offset, "bytes": entry.length,
                "tile_bytes": entry.tile_bytes, "graph_bytes": entry.graph_bytes, "digest": digest,
                "content": format!("{:016x}", entry.content)});
            writeln!(text, "{json}")
        } else {
            let ground = if entry.has_tile() { "" } else { ", no ground" };
            writeln!(
                text,
                "{},{},{}: {} bytes at {}, {digest}{ground}",
                at.x, at.z, at.layer, entry.length, entry.offset
            )
        };
    }
    Ok(text)
}
