//! Explains why there is no path between two positions.
//!
//! ```text
//!   is there a polygon?  ──no──► start-off-mesh, goal-off-mesh
//!   may it be stood on?  ──no──► start-filtered, goal-filtered
//!   is there any path at all?  ──no──► one-way (only back), not-connected
//!   within the limits?  ──no──► limit
//!   with what the filter lets through?  ──no──► filtered, by the first polygon of the path that crosses least of it
//! ```
//!
//! Cost: the components of the mesh, and up to three searches: for showing to people, not for every frame.
//!
//! Sources: own.

use super::{
    Crossing, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchLimits, SearchScratch, crossings, find_nearest,
    find_path,
};
use crate::area::{LimitHit, PathStatus};
use crate::graph::SearchObserver;
use crate::mesh::{NavMesh, PolyRef, PolyState};
use core::fmt;
use glam::Vec3;

/// The reason why there is no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoPath {
    /// There is a path.
    Found,
    /// There is no surface near the start.
    StartOffMesh,
    /// There is no surface near the goal.
    GoalOffMesh,
    /// The filter blocks every polygon near the start.
    StartFiltered,
    /// The filter blocks every polygon near the goal.
    GoalFiltered,
    /// Start and goal lie in different components that nothing connects.
    NotConnected,
    /// The start's component can be reached from the goal's, but not the other way round.
    OneWay,
    /// A limit ended the search early.
    Limit,
    /// Every path crosses something that the filter blocks.
    Filtered,
}

impl NoPath {
    /// The name for use by programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::StartOffMesh => "start-off-mesh",
            Self::GoalOffMesh => "goal-off-mesh",
            Self::StartFiltered => "start-filtered",
            Self::GoalFiltered => "goal-filtered",
            Self::NotConnected => "not-connected",
            Self::OneWay => "one-way",
            Self::Limit => "limit",
            Self::Filtered => "filtered",
        }
    }
}

/// The question: from where to where, how far from these points the surface may be (metres along x, y, z), and the
/// limits of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathQuestion {
    /// The start.
    pub from: Vec3,
    /// The goal.
    pub to: Vec3,
    /// How far from both the surface may be.
    pub half_extents: Vec3,
    /// Limits of the search.
    pub limits: SearchLimits,
}

/// Why there is no path, with the polygon that blocks it.
#[derive(Clone, Debug, PartialEq)]
pub struct PathExplanation {
    /// The answer.
    pub reason: NoPath,
    /// The positions on the mesh of start and goal, if there are any.
    pub ends: [Option<PolyPoint>; 2],
    /// The components of both, numbered as in [`Components`](crate::components::Components).
    pub components: [Option<u32>; 2],
    /// The polygon or off-mesh connection that the filter blocks, and its state.
    pub blocker: Option<(PolyRef, PolyState)>,
    /// Where the blocker is entered.
    pub blocked_at: Option<Vec3>,
    /// The limit that ended the search.
    pub limit: Option<LimitHit>,
    /// The reachable position nearest to the goal.
    pub reached: Option<Vec3>,
    question: PathQuestion,
}

impl PathExplanation {
    /// Whether there is a path.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.reason == NoPath::Found
    }
}

/// Explains why there is no path, or finds that there is one.
pub fn explain_path<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    question: &PathQuestion,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> PathExplanation {
    let mut told = PathExplanation {
        reason: NoPath::Found,
        ends: [None; 2],
        components: [None; 2],
        blocker: None,
        blocked_at: None,
        limit: None,
        reached: None,
        question: *question,
    };
    let ends = [
        (question.from, NoPath::StartOffMesh, NoPath::StartFiltered),
        (question.to, NoPath::GoalOffMesh, NoPath::GoalFiltered),
    ];
    for (end, (point, off_mesh, filtered)) in ends.into_iter().enumerate() {
        let near = find_nearest(mesh, point, question.half_extents, filter);
        if let Some(near) = near {
            told.ends[end] = Some(near.place());
            continue;
        }
        let any = find_nearest(mesh, point, question.half_extents, &Reluctant(filter));
        told.reason = if any.is_some() { filtered } else { off_mesh };
        told.blocker = any.and_then(|any| Some((any.poly, mesh.state(any.poly).ok()?)));
        told.blocked_at = any.map(|any| any.point);
        return told;
    }
    if let [Some(start), Some(goal)] = told.ends {
        told.search(mesh, [start, goal], filter, scratch);
    }
    told
}

impl PathExplanation {
    /// Both ends are on polygons that pass the filter: examines what lies between them.
    fn search<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        [start, goal]: [PolyPoint; 2],
        filter: &F,
        scratch: &mut SearchScratch<O>,
    ) {
        let components = mesh.components();
        self.components = [start, goal].map(|end| components.component(end.poly));
        let limited = PathRequest { limits: self.question.limits, ..PathRequest::new(start, goal) };
        let whole = PathRequest::new(start, goal);
        // Both references were just found in this mesh, so they are not stale.
        let path = find_path(mesh, &limited, filter, scratch).unwrap_or_default();
        if path.status == PathStatus::Complete {
            return;
        }
        self.reached = path.polys.last().map(|_| path.end);
        if !components.may_reach(start.poly, goal.poly) {
            let back = components.may_reach(goal.poly, start.poly);
            self.reason = if back { NoPath::OneWay } else { NoPath::NotConnected };
            return;
        }
        if path.limit.is_some() {
            let free = find_path(mesh, &whole, filter, scratch).unwrap_or_default();
            if free.status == PathStatus::Complete {
                (self.reason, self.limit) = (NoPath::Limit, path.limit);
                return;
            }
        }
        self.reason = NoPath::Filtered;
        let through = find_path(mesh, &whole, &Reluctant(filter), scratch).unwrap_or_default();
        self.find_blocker(mesh, &through, filter);
    }

    fn find_blocker<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, through: &PolyPath, filter: &F) {
        let mut crossings = crossings(mesh, (&through.polys, &through.portals), [through.start, through.end]);
        if let Some(closed) = crossings.find(|crossing| !lets_through(filter, crossing)) {
            self.blocker = Some((closed.poly, closed.state));
            self.blocked_at = Some(closed.from);
        }
    }
}

/// Whether a filter allows crossing a polygon, and on this path, at a finite cost. (Nothing of an infinite cost is no
/// number, which is not finite.)
fn lets_through<F: QueryFilter + ?Sized>(filter: &F, crossing: &Crossing<'_>) -> bool {
    filter.passes(crossing.poly, crossing.state) && filter.cost(crossing).is_finite()
}

/// A filter that allows everything, but crosses what another filter blocks only if there is no other path.
struct Reluctant<'a, F: ?Sized>(&'a F);

impl<F: QueryFilter + ?Sized> QueryFilter for Reluctant<'_, F> {
    fn passes(&self, _: PolyRef, _: PolyState) -> bool {
        true
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        const DETOUR: f32 = 1000.0;
        crossing.length() * if lets_through(self.0, crossing) { 1.0 } else { DETOUR }
    }
}

/// One clear sentence.
impl fmt::Display for PathExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PathQuestion { from, to, half_extents: reach, .. } = self.question;
        let off_mesh = |f: &mut fmt::Formatter<'_>, end: &str, at: Vec3| {
            write!(
                f,
                "no path: there is no ground within {},{},{} m of the {end} {}",
                reach.x,
                reach.y,
                reach.z,
                ExplainedPoint(at)
            )
        };
        let blocked = |f: &mut fmt::Formatter<'_>| match (self.blocker, self.blocked_at) {
            (Some((poly, state)), Some(at)) => {
                let kind = if poly.is_off_mesh() { "off-mesh connection" } else { "polygon" };
                write!(f, "{kind} {poly} at {} (area {}, flags {:#x})", ExplainedPoint(at), state.area, state.flags.0)
            }
            _ => f.write_str("a polygon"),
        };
        match self.reason {
            NoPath::Found => f.write_str("there is a path"),
            NoPath::StartOffMesh => off_mesh(f, "start", from),
            NoPath::GoalOffMesh => off_mesh(f, "goal", to),
            NoPath::StartFiltered | NoPath::GoalFiltered => {
                let end = if self.reason == NoPath::StartFiltered { "start" } else { "goal" };
                write!(f, "no path: the filter does not let the {end}'s ground through: ")?;
                blocked(f)
            }
            NoPath::NotConnected | NoPath::OneWay => {
                f.write_str(match self.reason {
                    NoPath::OneWay => {
                        "no path: one-way connections lead from the goal to the start, but none leads back"
                    }
                    _ => "no path: nothing joins the ground at start and goal",
                })?;
                if let [Some(start), Some(goal)] = self.components {
                    write!(f, " (components {start} and {goal})")?;
                }
                self.nearest(f, "the nearest place that can be reached is")
            }
            NoPath::Limit => {
                // The farthest point of a path is also the most expensive.
                let limit = if self.limit == Some(LimitHit::Nodes) { "nodes" } else { "cost" };
                write!(f, "no path: the limit of {limit} ended the search; without it there is one")?;
                // The position is the nearest of the last polygon, which may lie beyond the limit.
                self.nearest(f, "the search got to the ground of")
            }
            NoPath::Filtered => {
                f.write_str("no path: every way crosses what the filter does not let through, first ")?;
                blocked(f)?;
                self.nearest(f, "the nearest place that can be reached is")
            }
        }
    }
}

impl PathExplanation {
    fn nearest(&self, f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
        match self.reached {
            Some(at) => {
                write!(f, "; {what} {}, {:.1} m from the goal", ExplainedPoint(at), at.distance(self.question.to))
            }
            None => Ok(()),
        }
    }
}

/// A point in the notation of the command-line program.
struct ExplainedPoint(Vec3);

impl fmt::Display for ExplainedPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2},{:.2},{:.2}", self.0.x, self.0.y, self.0.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::mesh::OffMeshConnection;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    fn ask(mesh: &NavMesh, from: f32, to: f32, filter: &DefaultFilter, limits: SearchLimits) -> PathExplanation {
        let place = |x| Vec3::new(x, 0.0, 0.5);
        let half_extents = Vec3::new(0.2, 1.0, 0.2);
        let question = PathQuestion { from: place(from), to: place(to), half_extents, limits };
        explain_path(mesh, &question, filter, &mut SearchScratch::new())
    }

    fn jump(from: f32, to: f32) -> OffMeshConnection {
        let at = |x| Vec3::new(x, 0.0, 0.5);
        let (area, flags) = (AreaId::WALKABLE, PolyFlags(8));
        OffMeshConnection { start: at(from), end: at(to), radius: 0.3, two_way: false, area, flags, user_id: 0 }
    }

    #[test]
    fn every_reason_is_told_apart() {
        let mut mesh = mesh(&[((0, 0), "aabaa..aa")]);
        let (all, none) = (DefaultFilter::default(), SearchLimits::default());
        let reason =
            |mesh: &NavMesh, from, to, filter: &DefaultFilter, limits| ask(mesh, from, to, filter, limits).reason;
        assert_eq!(reason(&mesh, 0.5, 4.5, &all, none), NoPath::Found);
        assert_eq!(reason(&mesh, 5.5, 0.5, &all, none), NoPath::StartOffMesh);
        assert_eq!(reason(&mesh, 0.5, 6.0, &all, none), NoPath::GoalOffMesh);
        assert_eq!(reason(&mesh, 0.5, 7.5, &all, none), NoPath::NotConnected);
        mesh.add_connection(jump(7.5, 4.5)).unwrap();
        assert_eq!(reason(&mesh, 0.5, 7.5, &all, none), NoPath::OneWay);
        assert_eq!(reason(&mesh, 7.5, 0.5, &all, none), NoPath::Found);
        let few = SearchLimits { max_nodes: 2, ..none };
        let limited = ask(&mesh, 0.5, 4.5, &all, few);
        assert_eq!((limited.reason, limited.limit), (NoPath::Limit, Some(LimitHit::Nodes)));

        let door = at(&mesh, (2.5, 0.5)).unwrap().poly;
        mesh.set_flags(door, PolyFlags(4)).unwrap();
        let no_doors = DefaultFilter::new(PolyFlags::ALL, PolyFlags(4));
        let blocked = ask(&mesh, 0.5, 4.5, &no_doors, none);
        assert_eq!((blocked.reason, blocked.blocker.map(|b| b.0)), (NoPath::Filtered, Some(door)));
        assert_eq!(blocked.blocked_at, Some(Vec3::new(2.0, 0.0, 0.5)));
        assert_eq!(blocked.reached, Some(Vec3::new(2.0, 0.0, 0.5)));
        assert_eq!(reason(&mesh, 2.5, 4.5, &no_doors, none), NoPath::StartFiltered);
        assert_eq!(reason(&mesh, 4.5, 2.5, &no_doors, none), NoPath::GoalFiltered);
        // An area of infinite cost, and a connection that asks for an ability.
        let mut costly = DefaultFilter::default();
        costly.set_area_cost(AreaId::new(2).unwrap(), f32::INFINITY).unwrap();
        assert_eq!(ask(&mesh, 0.5, 4.5, &costly, none).blocker.map(|b| b.0), Some(door));
        let no_jumps = DefaultFilter::new(PolyFlags::ALL, PolyFlags(8));
        let blocked = ask(&mesh, 7.5, 4.5, &no_jumps, none);
        assert!(blocked.reason == NoPath::Filtered && blocked.blocker.unwrap().0.is_off_mesh(), "{blocked}");
    }

    #[test]
    fn the_sentence_names_places_and_numbers() {
        let mesh = mesh(&[((0, 0), "aa..aa")]);
        let told = ask(&mesh, 0.5, 5.5, &DefaultFilter::default(), SearchLimits::default()).to_string();
        assert_eq!(
            told,
            "no path: nothing joins the ground at start and goal (components 0 and 1); \
             the nearest place that can be reached is 2.00,0.00,0.50, 3.5 m from the goal"
        );
    }
}
