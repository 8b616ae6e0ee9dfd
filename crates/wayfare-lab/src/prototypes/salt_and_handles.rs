//! Handles with salt: a handle of a polygon survives a save, and is never mistaken for one of a later tile.
//!
//! Sources: Mikko Mononen, "Save Games and All That" and "Detour Serialization API", Digesting Duck, March 2010.

use crate::kit::{Stage, lifted};
use crate::prelude::*;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::{NavMesh, PolyRef, StaleReason};
use wayfare::tile::TileData;

/// Seconds between two deeds while it plays by itself.
const PACE: f32 = 1.2;

#[derive(Clone)]
pub(super) struct SaltAndHandles {
    plays: bool,
    stage: Stage,
    /// Handles that a game keeps.
    kept: Vec<(PolyRef, Vec3)>,
    /// The tiles that were taken out, to be put back.
    out: Vec<TileData>,
    saved: Option<(Vec<u8>, Vec<u8>)>,
    restored: Option<bool>,
    due: f32,
    deeds: u32,
    last: &'static str,
}

impl Default for SaltAndHandles {
    fn default() -> Self {
        Self {
            plays: true,
            stage: Stage::default(),
            kept: Vec::new(),
            out: Vec::new(),
            saved: None,
            restored: None,
            due: 0.0,
            deeds: 0,
            last: "nothing yet",
        }
    }
}

impl SaltAndHandles {
    /// Takes a tile out, or puts it back, where it was clicked.
    fn toggle(&mut self, at: Vec3) {
        let (x, z) = self.stage.mesh.layout().column_row(at);
        if let Some(i) = self.out.iter().position(|tile| (tile.coord().x, tile.coord().z) == (x, z)) {
            // Its place is free: it was taken out.
            let _ = self.stage.mesh.add_tile(self.out.remove(i));
            self.last = "put a tile back: it has another salt";
            return;
        }
        let found = self.stage.mesh.tiles_at(x, z).next().map(wayfare::mesh::Tile::tile_ref);
        if let Some(Ok(data)) = found.map(|tile| self.stage.mesh.remove_tile(tile)) {
            self.out.push(data);
            self.last = "took a tile out: its handles are stale";
        }
    }

    /// Closes or opens the polygon of a kept handle; a stale handle changes nothing.
    fn close(&mut self, number: usize) {
        let Some(&(poly, _)) = self.kept.get(number) else { return };
        let area = AreaId::from_low_bits(if self.stage.mesh.state(poly).is_ok_and(|state| state.area.get() == 3) {
            63
        } else {
            3
        });
        let flags = if area.get() == 3 { PolyFlags::NONE } else { PolyFlags::WALK };
        let done = self.stage.mesh.set_area(poly, area).is_ok() && self.stage.mesh.set_flags(poly, flags).is_ok();
        self.last = if done { "closed or opened a polygon by its handle" } else { "a stale handle changed nothing" };
    }

    /// Saves the mesh and what has changed in it, and reads both back: all handles must mean the same.
    fn save_and_restore(&mut self) {
        let mesh = &self.stage.mesh;
        let (bytes, delta) = (mesh.to_bytes(), mesh.store_delta());
        self.restored = Some(NavMesh::from_bytes(&bytes).is_ok_and(|mut read| {
            let same_delta = read.restore_delta(&delta).is_ok();
            same_delta && self.kept.iter().all(|(poly, _)| read.state(*poly) == mesh.state(*poly))
        }));
        self.saved = Some((bytes, delta));
        self.last = "saved, read back, and compared every handle";
    }

    fn stale(&self) -> impl Iterator<Item = (Vec3, StaleReason)> + '_ {
        let reason = |(poly, at): &(PolyRef, Vec3)| Some((*at, self.stage.mesh.state(*poly).err()?.reason));
        self.kept.iter().filter_map(reason)
    }
}

impl Prototype for SaltAndHandles {
    fn meta(&self) -> Meta {
        Meta {
            title: "Salt and handles",
            category: Category::Change,
            help: "A game keeps handles of polygons (labels: tile salt and number). Click a tile to take it out or to put it \
                   back: its salt grows, and old handles of it are told from new ones. Shift-click closes the nearest kept \
                   polygon by its handle. Enter saves mesh and changes, reads them back and compares all handles.",
            source: "Save Games and All That, March 2010",
        }
    }

    fn params(&mut self, params: &mut Params<'_>) {
        params.toggle("play", &mut self.plays).help("Does something by itself every second or so.");
    }

    fn init(&mut self, _: &Setup) {
        *self = Self { plays: self.plays, ..Self::default() };
        self.stage = Stage::baked("holes_and_pillars", 24);
        let tiles = self.stage.mesh.tiles();
        let keep = |tile: &wayfare::mesh::Tile| {
            let middle = (0..tile.poly_count()).max_by(|&a, &b| {
                let area = |poly| wayfare::math::polygon::area(&tile.data().points_of(poly).collect::<Vec<_>>()).abs();
                area(a).total_cmp(&area(b))
            })?;
            Some((tile.reference(middle), tile.data().center_of(middle)))
        };
        self.kept = tiles.filter_map(keep).collect();
    }

    fn update(&mut self, dt: f32, input: &Input) {
        if let Some(at) = input.clicked() {
            self.toggle(at);
        }
        if let Some(at) = input.shift_clicked() {
            let near = |a: &(PolyRef, Vec3)| a.1.distance_squared(at);
            let nearest = (0..self.kept.len()).min_by(|&a, &b| near(&self.kept[a]).total_cmp(&near(&self.kept[b])));
            nearest.into_iter().for_each(|number| self.close(number));
        }
        if input.was_pressed(Key::Enter) {
            self.save_and_restore();
        }
        self.due += dt;
        if self.plays && self.due > PACE {
            self.due = 0.0;
            self.deeds += 1;
            let number = (self.deeds * 5) as usize % self.kept.len().max(1);
            match self.deeds % 4 {
                1 => self.kept.get(number).copied().into_iter().for_each(|(_, at)| self.toggle(at)),
                2 => self.close((number + 3) % self.kept.len().max(1)),
                3 if self.deeds % 8 == 7 => {
                    self.out.first().map(TileData::bounds).into_iter().for_each(|of| self.toggle(of.center()))
                }
                _ => self.save_and_restore(),
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas) {
        self.stage.draw(canvas);
        for tile in &self.out {
            let of = tile.bounds();
            let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
            let corners =
                [at(of.min.x, of.min.z), at(of.min.x, of.max.z), at(of.max.x, of.max.z), at(of.max.x, of.min.z)];
            canvas.outline(&corners, Pen::of(Ink::Forbidden).width(2.0).dashed());
        }
        for (poly, at) in &self.kept {
            let (ink, text) = match self.stage.mesh.state(*poly) {
                Ok(_) => (Ink::Allowed, format!("s{}:{}", poly.salt(), poly.poly().get())),
                Err(stale) => (Ink::Forbidden, format!("s{}:{} {:?}", poly.salt(), poly.poly().get(), stale.reason)),
            };
            canvas.dot(lifted(*at), 11.0, ink);
            canvas.label(lifted(*at) - Vec3::Z * 0.3, text, Ink::Text);
        }
        canvas.label(self.stage.mesh.bounds().min + Vec3::new(6.0, 0.0, -0.8), self.last, Ink::Text);
    }

    fn ground(&self, ray: &Ray) -> Option<Vec3> {
        ray.on_plane(0.0)
    }

    fn figures(&self, figures: &mut Figures) {
        figures.count("handles kept", self.kept.len());
        figures.count("stale", self.stale().count());
        figures.count("tiles taken out", self.out.len());
        figures.count("bytes of the mesh", self.saved.as_ref().map_or(0, |(bytes, _)| bytes.len()));
        figures.count("bytes of the changes", self.saved.as_ref().map_or(0, |(_, delta)| delta.len()));
    }

    fn report(&self, report: &mut Report) {
        if let Some((at, reason)) = self.stale().next() {
            report.note(format!("{} handles are stale: the first was {reason:?}", self.stale().count()), Some(at));
        }
        report.must(self.restored != Some(false), "handles mean something else after reading a save", None);
        for violation in self.stage.mesh.check() {
            report.violation(format!("the mesh is broken: {}", violation.kind.name()), Some(violation.position));
        }
    }
}
