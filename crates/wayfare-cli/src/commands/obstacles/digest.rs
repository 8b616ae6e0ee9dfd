//! A digest of a mesh that does not depend on its history: of all tiles' data and links, without salts and slots.

use std::fmt::Write as _;
use wayfare::mesh::{Link, NavMesh, Tile};
use wayfare::tile::TileCoord;
use xxhash_rust::xxh3::Xxh3;

/// The digest in hexadecimal.
pub(super) fn digest(mesh: &NavMesh) -> String {
    let mut tiles: Vec<&Tile> = mesh.tiles().collect();
    tiles.sort_unstable_by_key(|tile| tile.coord());
    let mut hash = Xxh3::new();
    let mut text = String::new();
    for tile in tiles {
        text.clear();
        let mut links: Vec<_> = tile.links().all().iter().map(|link| plain(mesh, link)).collect();
        links.sort_unstable();
        let connections: Vec<_> =
            tile.links().connections().iter().map(|c| (c.poly, c.end, c.to.poly().get())).collect();
        // The text of a number is exact; writing to a string cannot fail.
        let _ = write!(text, "{:?}{links:?}{connections:?}", tile.data());
        hash.update(text.as_bytes());
    }
    format!("{:016x}", hash.digest())
}

/// A link without slots and salts, with the order in which links are sorted.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PlainLink {
    edge: u32,
    there: u32,
    /// The portal that both tiles share, as bits.
    part: [[u32; 3]; 2],
    /// The polygon on the other side.
    to: Option<(TileCoord, u32)>,
}

fn plain(mesh: &NavMesh, link: &Link) -> PlainLink {
    let part = [link.a, link.b].map(|p| p.to_array().map(f32::to_bits));
    let to = mesh.locate(link.to).ok().map(|(tile, poly)| (tile.coord(), poly));
    PlainLink { edge: link.edge, there: link.there, part, to }
}
