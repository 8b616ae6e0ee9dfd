//! Places the rooms, corridors, stairs, pits and bridges of the dungeon.
//!
//! Rooms by binary space partition: an area is split until the parts are room-sized, a room is put into each part, and
//! the rooms of the two halves of every split are joined by a corridor.
//!
//! ```text
//!   +-----------+-------+        what is furnished later (holes, pillars) always leaves a
//!   | [room]----|-[   ] |        ring of three metres along the walls, so that nothing that
//!   |    |      +---|---+        was connected comes apart
//!   |    |      | [ | ] |
//!   +----|------+ [___] |
//! ```

use super::plan::{Cell, Plan, Rect};
use crate::random::Rng;

/// Height of a storey, floor to floor.
pub(super) const STOREY: i32 = 5;
/// Stair halls: a ring of three metres around a flight of 3 m x 8 m that goes up along z.
const HALL: (i32, i32) = (9, 14);
/// Minimum side of a part that is split no further.
const PART: i32 = 12;
/// Storeys by number.
pub(super) const CELLAR: usize = 0;
pub(super) const GROUND: usize = 1;
const WINGS: usize = 2;

/// The floor height of a storey.
pub(super) fn height(storey: usize) -> f32 {
    ((storey as i32 - GROUND as i32) * STOREY) as f32
}

/// A flight of stairs from a storey to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) storey: usize,
    /// Its steps; they go up along z.
    pub(super) steps: Rect,
}

impl Flight {
    /// A position before its lowest step.
    pub(super) fn foot(&self) -> [f32; 3] {
        [self.steps.x as f32 + 1.5, height(self.storey), self.steps.z as f32 - 1.5]
    }

    /// A position after its highest step.
    pub(super) fn head(&self) -> [f32; 3] {
        let end = self.steps.z + self.steps.d;
        [self.steps.x as f32 + 1.5, height(self.storey + 1), end as f32 + 1.5]
    }
}

/// A round or square object on a floor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// A pillar up to the ceiling.
    Pillar { x: i32, z: i32 },
    /// A low stepped platform.
    Dais(Rect),
}

/// The whole plan.
#[derive(Debug)]
pub(super) struct Castle {
    /// Half the side of the level.
    pub(super) half: i32,
    /// Half the side of the walls.
    pub(super) walls: i32,
    /// Cellar, ground floor, wings, keep.
    pub(super) plans: [Plan; 4],
    pub(super) flights: Vec<Flight>,
    pub(super) pieces: Vec<(usize, Piece)>,
    /// Index of the flight into the keep.
    pub(super) keep_flight: usize,
    /// Index of the first of the two flights out of the moat.
    pub(super) moat_flight: usize,
}

impl Castle {
    /// Width of the strip between the walls and the moat, and of the moat.
    pub(super) const RING: i32 = 3;
    pub(super) const MOAT: i32 = 6;

    pub(super) fn new(half: i32, rng: &Rng) -> Self {
        let walls = half - 25;
        let plans = [Plan::new(half), Plan::new(half), Plan::new(half), Plan::new(half)];
        let mut castle =
            Self { half, walls, plans, flights: Vec::new(), pieces: Vec::new(), keep_flight: 0, moat_flight: 0 };
        castle.grounds();
        let rooms = castle.rooms(rng);
        castle.court();
        castle.stairs(rng, &rooms);
        castle.gates(&rooms);
        let vault = castle.vault_rect();
        castle.plans[CELLAR].carve(vault);
        castle.furnish(rng, &rooms);
        castle
    }

    /// The outer edge of the moat.
    pub(super) fn moat_edge(&self) -> i32 {
        self.walls + Self::RING + Self::MOAT
    }

    /// Hills outside, the moat, the ring path below the walls.
    fn grounds(&mut self) {
        let square = |half: i32| Rect::new(-half, -half, 2 * half, 2 * half);
        let (ring, edge) = (self.walls + Self::RING, self.moat_edge());
        let ground = &mut self.plans[GROUND];
        ground.fill(square(self.half), Cell::Open);
        ground.fill(square(edge), Cell::Hole);
        ground.fill(square(ring), Cell::Floor);
        ground.fill(square(self.walls), Cell::Solid);
        ground.keep(square(self.half));
        let cellar = &mut self.plans[CELLAR];
        cellar.fill(square(edge), Cell::Floor);
        cellar.fill(square(ring), Cell::Solid);
        cellar.keep(square(self.half));
        // Inside the walls everything may be furnished.
        for plan in &mut self.plans[..=GROUND] {
            plan.release(square(self.walls));
        }
    }

    /// Rooms and corridors of every storey, with the rooms of each.
    fn rooms(&mut self, rng: &Rng) -> [Vec<Rect>; 4] {
        let c = self.walls;
        let areas: [&[Rect]; 4] = [
            &[Rect::new(-c + 1, 1, c - 3, c - 2)],
            &[Rect::new(-c + 1, -c + 1, 2 * c - 2, 2 * c - 2)],
            &[Rect::new(-c + 1, -c + 1, c - 2, 2 * c - 2), Rect::new(0, -c + 1, c - 1, c - 6)],
            &[Rect::new(-c + 2, -c + 2, c - 8, c - 8)],
        ];
        let mut rooms: [Vec<Rect>; 4] = Default::default();
        for (storey, parts) in areas.into_iter().enumerate() {
            let mut dice = rng.fork(storey as u64);
            let mut divider = Divider { plan: &mut self.plans[storey], rooms: &mut rooms[storey], dice: &mut dice };
            let middles: Vec<_> = parts.iter().map(|&part| divider.divide(part)).collect();
            for pair in middles.windows(2) {
                self.plans[storey].corridor(pair[0], pair[1]);
            }
        }
        rooms
    }

    fn court_rect(&self) -> Rect {
        Rect::new(5, 3, self.walls - 9, self.walls - 8)
    }

    /// A position in the courtyard.
    pub(super) fn court_corner(&self) -> [f32; 3] {
        let court = self.court_rect();
        [(court.x + court.w) as f32 - 1.5, 0.0, (court.z + court.d) as f32 - 1.5]
    }

    fn vault_rect(&self) -> Rect {
        Rect::new(self.walls - 14, -self.walls + 4, 10, 10)
    }

    /// The middle of the vault.
    pub(super) fn vault(&self) -> [f32; 3] {
        let (x, z) = self.vault_rect().center();
        [x as f32, height(CELLAR), z as f32]
    }

    /// The courtyard with its pit, two bridges over it, and stairs down.
    fn court(&mut self) {
        let court = self.court_rect();
        self.plans[GROUND].carve(court);
        let pit = court.inset(8);
        self.plans[GROUND].fill(pit, Cell::Hole);
        self.plans[GROUND].keep(court);
        self.plans[CELLAR].carve(pit);
        self.plans[CELLAR].keep(pit);
        let (x, z) = pit.center();
        self.plans[GROUND].fill(Rect::new(pit.x, z - 1, pit.w, 3), Cell::Floor);
        self.plans[GROUND].fill(Rect::new(x + 2, pit.z, 3, pit.d), Cell::Floor);
        // Two rows of pillars along the court's long sides.
        for i in (2..court.d - 2).step_by(4) {
            for x in [court.x + 3, court.x + court.w - 4] {
                self.pieces.push((GROUND, Piece::Pillar { x, z: court.z + i }));
            }
        }
    }

    /// Stair halls between the storeys, each joined to the nearest room on both; stairs in the pit and in the moat.
    fn stairs(&mut self, rng: &Rng, rooms: &[Vec<Rect>; 4]) {
        let c = self.walls;
        let mut dice = rng.fork(10);
        let halls = [
            (CELLAR, -c + 15, c - 19),
            (GROUND, -c + 4, 14),
            (GROUND, 22, -c + 8),
            (GROUND, -18, -12),
            (WINGS, -c + 7, -c + 7),
            (WINGS, -c + 21, -c + 13),
        ];
        for (storey, x, z) in halls {
            let (x, z) = (x + dice.whole(-1, 1), z + dice.whole(-1, 1));
            self.hall(storey, Rect::new(x, z, HALL.0, HALL.1), rooms);
        }
        self.keep_flight = halls.len() - 1;
        let pit = self.court_rect().inset(8);
        self.flight(CELLAR, Rect::new(pit.x, pit.z + pit.d - 8, 3, 8));
        // The pit is joined to the cellars.
        let (x, z) = pit.center();
        let nearest = nearest(&rooms[CELLAR], (x, z));
        self.plans[CELLAR].corridor(nearest, (x, z));
        let ring = c + Self::RING;
        self.moat_flight = self.flights.len();
        for x in [ring, -ring - 3] {
            self.flight(CELLAR, Rect::new(x, 0, 3, 8));
            // A separate landing, since the path turns sideways.
            self.plans[GROUND].fill(Rect::new(x, 8, 3, 3), Cell::Floor);
        }
    }

    fn hall(&mut self, storey: usize, hall: Rect, rooms: &[Vec<Rect>; 4]) {
        for storey in [storey, storey + 1] {
            let plan = &mut self.plans[storey];
            plan.fill(hall, Cell::Floor);
            plan.keep(hall);
            plan.corridor(nearest(&rooms[storey], hall.center()), hall.center());
        }
        self.flight(storey, Rect::new(hall.x + 3, hall.z + 3, 3, 8));
    }

    fn flight(&mut self, storey: usize, steps: Rect) {
        self.plans[storey].keep(steps.inset(-2));
        self.plans[storey + 1].fill(steps, Cell::Hole);
        self.plans[storey + 1].keep(steps.inset(-3));
        self.flights.push(Flight { storey, steps });
    }

    /// Gates through the walls on all four sides, and bridges over the moat before them.
    fn gates(&mut self, rooms: &[Vec<Rect>; 4]) {
        let (c, edge) = (self.walls, self.moat_edge());
        for (x, z) in [(0, -c), (0, c - 1), (-c, -4), (c - 1, -4)] {
            let way = (x.signum() * i32::from(x.abs() > 1), z.signum() * i32::from(z.abs() > 4));
            let inside = nearest(&rooms[GROUND], (x, z));
            // Straight in first, then to the room.
            let porch = (x - way.0 * 4, z - way.1 * 4);
            let plan = &mut self.plans[GROUND];
            plan.corridor((x, z), porch);
            plan.corridor(inside, porch);
            let bridge = if way.0 == 0 {
                Rect::new(x - 2, if way.1 < 0 { -edge } else { c + Self::RING }, 4, Self::MOAT)
            } else {
                Rect::new(if way.0 < 0 { -edge } else { c + Self::RING }, z - 2, Self::MOAT, 4)
            };
            plan.fill(bridge, Cell::Floor);
        }
    }

    /// Pits, pillars and platforms in the larger rooms.
    fn furnish(&mut self, rng: &Rng, rooms: &[Vec<Rect>; 4]) {
        for (storey, rooms) in rooms.iter().enumerate() {
            let mut dice = rng.fork(20 + storey as u64);
            for &room in rooms {
                let kind = dice.whole(0, 3);
                let inner = room.inset(3);
                if room.w < 10 || room.d < 10 || !self.plans[storey].is_free(room) {
                    continue;
                }
                match kind {
                    0 if storey > CELLAR => self.pit(storey, inner),
                    1 => self.pieces.push((storey, Piece::Dais(inner))),
                    _ => self.pillars(storey, inner),
                }
            }
        }
    }

    /// A hole with a bridge across its shorter side; below the ground floor it is dug into the rock.
    fn pit(&mut self, storey: usize, hole: Rect) {
        self.plans[storey].fill(hole, Cell::Hole);
        if storey == GROUND {
            self.plans[CELLAR].carve(hole);
        }
        let (x, z) = hole.center();
        let bridge =
            if hole.w < hole.d { Rect::new(hole.x, z - 1, hole.w, 3) } else { Rect::new(x - 1, hole.z, 3, hole.d) };
        self.plans[storey].fill(bridge, Cell::Floor);
    }

    /// Pillars where the lattice of four metres meets the room.
    fn pillars(&mut self, storey: usize, inner: Rect) {
        for (x, z) in inner.cells().filter(|(x, z)| x % 4 == 0 && z % 4 == 0) {
            self.pieces.push((storey, Piece::Pillar { x, z }));
        }
    }
}

/// The middle of the room nearest to a position.
fn nearest(rooms: &[Rect], (x, z): (i32, i32)) -> (i32, i32) {
    let away = |r: &Rect| {
        let (cx, cz) = r.center();
        (cx - x).abs() + (cz - z).abs()
    };
    rooms.iter().min_by_key(|r| away(r)).map_or((x, z), |r| r.center())
}

/// The binary space partition of one area.
struct Divider<'a> {
    plan: &'a mut Plan,
    rooms: &'a mut Vec<Rect>,
    dice: &'a mut Rng,
}

impl Divider<'_> {
    /// Fills `area` with joined rooms; returns the middle of one of them.
    fn divide(&mut self, area: Rect) -> (i32, i32) {
        let along_x = area.w > area.d || (area.w == area.d && self.dice.one_in(2));
        let length = if along_x { area.w } else { area.d };
        if length < 2 * PART || (length < 3 * PART && self.dice.one_in(5)) {
            return self.room(area);
        }
        let cut = self.dice.whole(PART, length - PART);
        let (a, b) = if along_x {
            (Rect { w: cut, ..area }, Rect { x: area.x + cut, w: area.w - cut, ..area })
        } else {
            (Rect { d: cut, ..area }, Rect { z: area.z + cut, d: area.d - cut, ..area })
        };
        let (from, to) = (self.divide(a), self.divide(b));
        self.plan.corridor(from, to);
        if self.dice.one_in(2) { from } else { to }
    }

    fn room(&mut self, area: Rect) -> (i32, i32) {
        let shrink = |dice: &mut Rng, side: i32| dice.whole(1, 1 + (side - 9).clamp(0, 4));
        let (low_x, low_z) = (shrink(self.dice, area.w), shrink(self.dice, area.d));
        let (high_x, high_z) = (self.dice.whole(1, 2), self.dice.whole(1, 2));
        let room = Rect::new(area.x + low_x, area.z + low_z, area.w - low_x - high_x, area.d - low_z - high_z);
        self.plan.carve(room);
        self.rooms.push(room);
        room.center()
    }
}
