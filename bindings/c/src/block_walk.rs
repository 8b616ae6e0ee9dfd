//! Walks through blocks, each along a path that keeps up with changes.

use crate::blocks::{Nav, WayfareBlockBox, WayfareBlockNav, WayfareBlocks, WayfareCell, World, request};
use crate::border::{check_out, put};
use crate::geometry::{WayfareVec3, point};
use crate::handle::{Handle, handle};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use wayfare_nav::blocks::{BlockCorridor, BlockPathRequest, BlockRequestId};

/// A walk through blocks that keeps up with changes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBlockWalk {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareBlockWalk, Walk, "block walk");

/// A walk, and the request that it has not followed the answer of.
pub(crate) struct Walk {
    corridor: BlockCorridor,
    /// Requests and the counts of changes are numbered by each navigation, so that those of another would mislead it.
    nav: u64,
    asked: Option<(BlockRequestId, BlockPathRequest)>,
}

impl Walk {
    fn begin(walk: *mut WayfareBlockWalk, nav: WayfareBlockNav, corridor: Option<BlockCorridor>) -> Outcome {
        match corridor {
            None => put!(walk, WayfareBlockWalk { id: 0 }),
            Some(corridor) => put!(walk, WayfareBlockWalk::keep(Self { corridor, nav: nav.id, asked: None })?),
        }
    }

    fn belongs_to(&self, nav: WayfareBlockNav) -> Outcome {
        if self.nav == nav.id {
            return Ok(());
        }
        Err(Failure::argument("the walk was begun with another block navigation: give it that one"))
    }

    /// Whether an answer is still to come, or is the last path.
    fn waits(&self, held: &Nav) -> bool {
        self.asked.as_ref().is_some_and(|(id, _)| held.walks.contains(id) || held.answers == Some(*id))
    }

    /// What to search now: what the walk needs, or what it asked for and was never given. Its corridor counts that as asked.
    fn wanted(&mut self, held: &Nav, world: &World) -> Option<BlockPathRequest> {
        let lost = if self.waits(held) { None } else { self.asked.take() };
        self.corridor.needs_path(&held.nav, world).or_else(|| lost.map(|(_, request)| request))
    }
}

/// Begins a walk from a point to a box of blocks, with its path; id 0 if there is no block to stand on near it. It belongs
/// to its navigation: another is an INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_new(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    at: WayfareVec3,
    goal: WayfareBlockBox,
    walk: *mut WayfareBlockWalk,
) -> WayfareStatus {
    border(|| {
        let (world, mut held, at) = (blocks.read()?, nav.write()?, point(at, "at")?);
        let asked = request(&held, WayfareCell::default(), goal, 0);
        Walk::begin(walk, nav, BlockCorridor::new(&mut held.nav, &*world, at, &asked))
    })
}

/// The same without a search: it stays where it is until it follows a path (`wayfare_block_walk_ask`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_without_path(
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    at: WayfareVec3,
    goal: WayfareBlockBox,
    walk: *mut WayfareBlockWalk,
) -> WayfareStatus {
    border(|| {
        let (world, held, at) = (blocks.read()?, nav.read()?, point(at, "at")?);
        let asked = request(&held, WayfareCell::default(), goal, 0);
        Walk::begin(walk, nav, BlockCorridor::without_path(&held.nav, &*world, at, &asked))
    })
}

/// Asks for a path if the walk needs one: because it has none, was pushed off it, or blocks along it have changed. `number` is
/// that of the request, which is searched with the others (`wayfare_block_nav_update`); 0 if it needs none, or waits for one
/// already. When `wayfare_block_nav_take` gives that number, call `wayfare_block_walk_follow`. Meanwhile it may move on
/// along the old path. If the request was given up, or another path was found before its answer was followed, it asks anew.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_ask(
    walk: WayfareBlockWalk,
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    number: *mut u64,
) -> WayfareStatus {
    border(|| {
        check_out(number, "number")?;
        let (world, mut held, mut walk) = (blocks.read()?, nav.write()?, walk.write()?);
        walk.belongs_to(nav)?;
        if walk.waits(&held) {
            return put!(number, 0);
        }
        let Some(request) = walk.wanted(&held, &world) else { return put!(number, 0) };
        let id = held.requests.request(request.clone());
        held.walks.insert(id);
        walk.asked = Some((id, request));
        put!(number, id.to_bits())
    })
}

/// Follows the last path that was taken, which must be the answer to what the walk asked for. If it has moved on since, it
/// joins the path at the nearest place that it can have come to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_follow(walk: WayfareBlockWalk, nav: WayfareBlockNav) -> WayfareStatus {
    border(|| {
        let (held, mut walk) = (nav.read()?, walk.write()?);
        walk.belongs_to(nav)?;
        let is_answered = walk.asked.as_ref().is_some_and(|(id, _)| held.answers == Some(*id));
        let path = held.path.as_ref().filter(|_| is_answered).ok_or_else(|| {
            Failure::argument(
                "the last path is not the answer to what this walk asked for: take that one, and follow it at once",
            )
        })?;
        walk.corridor.follow(path.clone());
        walk.asked = None;
        Ok(())
    })
}

/// What a walk says after a move.
struct Moved {
    now: *mut WayfareVec3,
    target: *mut WayfareVec3,
    arrived: *mut u32,
}

impl Moved {
    fn put(self, walk: &BlockCorridor) -> Outcome {
        let Self { now, target, arrived } = self;
        put!(now, walk.position().into())?;
        put!(target, walk.target().into())?;
        put!(arrived, walk.has_arrived().into())
    }
}

/// Walks to a point, as far as blocks allow, without a search. `target` is the point to go to next.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_move(
    walk: WayfareBlockWalk,
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    to: WayfareVec3,
    now: *mut WayfareVec3,
    target: *mut WayfareVec3,
    arrived: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (world, held, to) = (blocks.read()?, nav.read()?, point(to, "to")?);
        let mut walk = walk.write()?;
        walk.belongs_to(nav)?;
        walk.corridor.walk(&held.nav, &*world, to);
        Moved { now, target, arrived }.put(&walk.corridor)
    })
}

/// The same, and searches at once what has changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_step(
    walk: WayfareBlockWalk,
    nav: WayfareBlockNav,
    blocks: WayfareBlocks,
    to: WayfareVec3,
    now: *mut WayfareVec3,
    target: *mut WayfareVec3,
    arrived: *mut u32,
) -> WayfareStatus {
    border(|| {
        let (world, mut held, to) = (blocks.read()?, nav.write()?, point(to, "to")?);
        let mut walk = walk.write()?;
        walk.belongs_to(nav)?;
        if let Some(request) = walk.wanted(&held, &world) {
            let found = held.nav.find_path(&*world, &request);
            walk.corridor.follow(found);
        }
        walk.corridor.walk(&held.nav, &*world, to);
        Moved { now, target, arrived }.put(&walk.corridor)
    })
}

/// Frees a walk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_block_walk_free(walk: WayfareBlockWalk) -> WayfareStatus {
    border(|| walk.free())
}
