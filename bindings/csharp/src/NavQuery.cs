using System;
using System.Collections.Generic;

namespace Wayfare
{
    /// <summary>A path: how it went, and the points of its line.</summary>
    public sealed class NavPath
    {
        internal NavPath(PathInfo info, PathPoint[] points)
        {
            Info = info;
            Points = points;
        }

        /// <summary>The path in short.</summary>
        public PathInfo Info { get; }

        /// <summary>Whether it leads to its goal.</summary>
        public PathStatus Status => Info.Status;

        /// <summary>Whether it leads to its goal.</summary>
        public bool IsComplete => Info.Status == PathStatus.Complete;

        /// <summary>What it costs.</summary>
        public float Cost => Info.Cost;

        /// <summary>Its length.</summary>
        public float Length => Info.Length;

        /// <summary>Its points, from the start to where it ends.</summary>
        public IReadOnlyList<PathPoint> Points { get; }
    }

    /// <summary>The paths of a batch.</summary>
    public sealed class PathBatch
    {
        private readonly Vec3[] points;
        private readonly int[] begins;

        internal PathBatch(PathInfo[] paths, Vec3[] points)
        {
            Paths = paths;
            this.points = points;
            begins = new int[paths.Length + 1];
            for (int i = 0; i < paths.Length; i++) begins[i + 1] = begins[i] + (int)paths[i].PointCount;
        }

        /// <summary>The paths in short, one for each pair.</summary>
        public IReadOnlyList<PathInfo> Paths { get; }

        /// <summary>The points of a path.</summary>
        public ReadOnlySpan<Vec3> PointsOf(int path) => new ReadOnlySpan<Vec3>(points, begins[path], begins[path + 1] - begins[path]);

        /// <summary>The points of all paths, one path after the other.</summary>
        public ReadOnlySpan<Vec3> AllPoints => points;
    }

    /// <summary>Why there is no path.</summary>
    public readonly struct PathExplanation
    {
        internal PathExplanation(string name, string sentence)
        {
            Name = name;
            Sentence = sentence;
        }

        /// <summary>The reason by name.</summary>
        public string Name { get; }

        /// <summary>The reason in a sentence.</summary>
        public string Sentence { get; }

        /// <summary>The sentence.</summary>
        public override string ToString() => Sentence;
    }

    /// <summary>
    /// Questions to a mesh as it is now, with a filter. It keeps the memory of its searches: give each thread a query of its
    /// own. Where a <see cref="Place"/> is asked for, a point will do.
    /// </summary>
    public sealed unsafe partial class NavQuery : NativeObject
    {
        /// <summary>
        /// A query of a mesh as it is now. A filter of null has the mesh's own costs, also those of the meshes that it goes on
        /// with.
        /// </summary>
        public NavQuery(NavMesh mesh, Filter filter = null)
        {
            Filter used = filter ?? Filter.None;
            Own(Interop.Make(made => Native.wayfare_query_new(mesh, used, made)));
            KeepStatesOf(filter);
        }

        /// <summary>Changes how it asks.</summary>
        public void Set(QuerySettings settings)
        {
            if (settings == null) throw new ArgumentNullException(nameof(settings));
            Call.Check(Native.wayfare_query_set(this, settings));
        }

        /// <summary>Goes on with a mesh as it is now: after it was edited, or with a newer one.</summary>
        public void SetMesh(NavMesh mesh) => Call.Check(Native.wayfare_query_set_mesh(this, mesh));

        /// <summary>Goes on with another filter.</summary>
        public void SetFilter(Filter filter) =>
            ReplaceStates(filter, () => Native.wayfare_query_set_filter(this, filter ?? Filter.None));

        /// <summary>The place on the mesh nearest to a point, within the query's reach; its <c>Found</c> says whether there is one.</summary>
        public Nearest Nearest(Vec3 at)
        {
            Nearest nearest;
            Call.Check(Native.wayfare_query_nearest(this, at, &nearest));
            return nearest;
        }

        /// <summary>Finds a path over polygons, which <see cref="Polygons"/> gives; its line is not asked for.</summary>
        public PathInfo PolyPath(Place from, Place to)
        {
            PathInfo path;
            Call.Check(Native.wayfare_query_path(this, from, to, &path));
            return path;
        }

        /// <summary>Finds a path over polygons and the shortest line through them.</summary>
        public NavPath StraightPath(Place from, Place to)
        {
            PathInfo path;
            Call.Check(Native.wayfare_query_straight_path(this, from, to, null, UIntPtr.Zero, &path));
            return new NavPath(path, Points());
        }

        /// <summary>
        /// The same without memory of its own: writes the points, as many as there is room for; how many there are is
        /// <c>PointCount</c> of the answer. No room at all asks for none.
        /// </summary>
        public PathInfo StraightPath(Place from, Place to, Span<Vec3> points)
        {
            PathInfo path;
            fixed (Vec3* at = points) CheckPoints(Call, Native.wayfare_query_straight_path(this, from, to, at, (UIntPtr)points.Length, &path));
            return path;
        }

        /// <summary>Finds the shortest path in any direction: straight wherever the goal is in sight.</summary>
        public NavPath OptimalPath(Place from, Place to)
        {
            PathInfo path;
            Call.Check(Native.wayfare_query_optimal_path(this, from, to, null, UIntPtr.Zero, &path));
            return new NavPath(path, Points());
        }

        /// <summary>The same without memory of its own, as <see cref="StraightPath(Place, Place, Span{Vec3})"/>.</summary>
        public PathInfo OptimalPath(Place from, Place to, Span<Vec3> points)
        {
            PathInfo path;
            fixed (Vec3* at = points) CheckPoints(Call, Native.wayfare_query_optimal_path(this, from, to, at, (UIntPtr)points.Length, &path));
            return path;
        }

        /// <summary>
        /// Finds the cheapest path over polygons, guided by bounds; without them where they do not hold for the query's mesh.
        /// </summary>
        public NavPath BoundedPath(CostBounds bounds, Place from, Place to)
        {
            PathInfo path;
            Call.Check(Native.wayfare_query_bounded_path(this, bounds, from, to, null, UIntPtr.Zero, &path));
            return new NavPath(path, Points());
        }

        /// <summary>The same without memory of its own, as <see cref="StraightPath(Place, Place, Span{Vec3})"/>.</summary>
        public PathInfo BoundedPath(CostBounds bounds, Place from, Place to, Span<Vec3> points)
        {
            PathInfo path;
            fixed (Vec3* at = points)
            {
                CheckPoints(Call, Native.wayfare_query_bounded_path(this, bounds, from, to, at, (UIntPtr)points.Length, &path));
            }
            return path;
        }

        /// <summary>Points of which only the first had room are no failure.</summary>
        private static void CheckPoints(Call call, Status status) => call.Check(status == Status.TooSmall ? Status.Ok : status);

        /// <summary>Finds a path to the nearest of several goals; <c>goal</c> is its number, −1 if none can be reached.</summary>
        public PathInfo PathToNearest(Place from, ReadOnlySpan<Place> goals, out int goal)
        {
            PathInfo path;
            UIntPtr number;
            fixed (Place* at = goals) Call.Check(Native.wayfare_query_path_to_nearest(this, from, at, (UIntPtr)goals.Length, &number, &path));
            goal = (ulong)number == ulong.MaxValue ? -1 : (int)number;
            return path;
        }

        /// <summary>Finds a path to the nearest polygon that reaches into a box.</summary>
        public PathInfo PathToBox(Place from, Box area)
        {
            PathInfo path;
            Call.Check(Native.wayfare_query_path_to_box(this, from, area, &path));
            return path;
        }

        /// <summary>The points of the last path.</summary>
        public PathPoint[] Points() =>
            Interop.List<PathPoint>((list, room, count) => Native.wayfare_query_points(this, (PathPoint*)list, room, count), this);

        /// <summary>The points of the last path, and those where its line crosses borders: of areas only, or of all polygons.</summary>
        public PathPoint[] PointsWithCrossings(bool all = false) => Interop.List<PathPoint>(
            (list, room, count) => Native.wayfare_query_points_with_crossings(this, all ? 1u : 0u, (PathPoint*)list, room, count), this);

        /// <summary>The polygons of the last path.</summary>
        public PolyRef[] Polygons() =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_query_polygons(this, (ulong*)list, room, count), this, Interop.Many);

        /// <summary>A line through polygons that are known, of which each must lead to the next.</summary>
        public NavPath Along(ReadOnlySpan<PolyRef> polygons, Vec3 from, Vec3 to)
        {
            PathInfo path;
            fixed (PolyRef* at = polygons) Call.Check(Native.wayfare_query_along(this, (ulong*)at, (UIntPtr)polygons.Length, from, to, &path));
            return new NavPath(path, Points());
        }

        /// <summary>
        /// Whether the last path still holds on the query's mesh; if not, <c>step</c> is the number of the first polygon that
        /// is gone, closed, or apart from the next.
        /// </summary>
        public bool PathHolds(out int step)
        {
            uint broken, at;
            Call.Check(Native.wayfare_query_path_holds(this, &broken, &at));
            step = broken != 0 ? (int)at : -1;
            return broken == 0;
        }

        /// <summary>Whether a place can be reached; null if a limit cut the search short.</summary>
        public bool? IsReachable(Place from, Place to)
        {
            int answer;
            Call.Check(Native.wayfare_query_reachable(this, from, to, &answer));
            return answer < 0 ? (bool?)null : answer == 1;
        }

        /// <summary>Why there is no path; null if there is one.</summary>
        public PathExplanation? Explain(Vec3 from, Vec3 to)
        {
            uint found;
            uint* at = &found;
            string name = Interop.Text(
                (text, room, length) => Native.wayfare_query_explain(this, from, to, 0, at, text, room, length), this);
            if (found != 0) return null;
            string sentence = Interop.Text(
                (text, room, length) => Native.wayfare_query_explain(this, from, to, 1, at, text, room, length), this);
            return new PathExplanation(name, sentence);
        }

        /// <summary>Looks along the surface from a place to a point: what can be seen is what can be walked straight.</summary>
        public Ray Ray(Place from, Vec3 to)
        {
            Ray ray;
            Call.Check(Native.wayfare_query_ray(this, from, to, &ray));
            return ray;
        }

        /// <summary>The same, with what walking there costs.</summary>
        public Ray RayWithCost(Place from, Vec3 to)
        {
            Ray ray;
            Call.Check(Native.wayfare_query_ray_with_cost(this, from, to, &ray));
            return ray;
        }

        /// <summary>The polygons that the last ray crossed.</summary>
        public PolyRef[] RayPolygons() =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_query_ray_polygons(this, (ulong*)list, room, count), this);

        /// <summary>
        /// Moves from a place towards a point and slides along walls: for short moves, as of a frame. Null if the place is not
        /// near the mesh.
        /// </summary>
        public Place? Move(Place from, Vec3 to)
        {
            Place end;
            Call.Check(Native.wayfare_query_move(this, from, to, &end));
            return end.Poly.IsNone ? (Place?)null : end;
        }

        /// <summary>The polygons that the last move went over.</summary>
        public PolyRef[] MovedOver() =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_query_moved_over(this, (ulong*)list, room, count), this);

        /// <summary>
        /// Begins a search that is done in steps: over polygons, or for the shortest path. The query is free for other
        /// questions meanwhile.
        /// </summary>
        public PathSearch Search(Place from, Place to, bool optimal = false)
        {
            ulong made = 0;
            Call call = Call;
            Status status = Native.wayfare_search_new(this, from, to, optimal ? 1u : 0u, &made);
            return call.Made(status, made, id => new PathSearch(id, this));
        }

        /// <summary>Begins a search in steps that is guided by bounds.</summary>
        public PathSearch Search(CostBounds bounds, Place from, Place to)
        {
            ulong made = 0;
            Call call = Call;
            Status status = Native.wayfare_search_bounded(this, bounds, from, to, &made);
            return call.Made(status, made, id => new PathSearch(id, this));
        }

        /// <summary>The costs of all polygons around a place, within the limits of the query.</summary>
        public CostMap CostsFrom(Place from)
        {
            ulong made = 0;
            Call call = Call;
            Status status = Native.wayfare_cost_map_new(this, from, &made);
            return call.Made(status, made, id => new CostMap(id, this));
        }

        /// <summary>
        /// Finds a path over polygons and says which nodes the search opened, in their order: for tools that show searches.
        /// </summary>
        public SearchNode[] RecordSearch(Place from, Place to) => Interop.List<SearchNode>(
            (list, room, count) => Native.wayfare_query_record_search(this, from, to, (SearchNode*)list, room, count), this, Interop.Many);

        internal override Status Free(ulong id) => Native.wayfare_query_free(id);
    }

    /// <summary>A search that is done in steps of a budget.</summary>
    public sealed unsafe class PathSearch : NativeObject
    {
        internal PathSearch(ulong id, NavQuery query)
        {
            Own(id);
            KeepStatesOf(query);
        }

        /// <summary>Searches on for <c>budget</c> nodes; true once it is done.</summary>
        public bool Step(ulong budget)
        {
            uint finished;
            Call.Check(Native.wayfare_search_step(this, budget, &finished));
            return finished != 0;
        }

        /// <summary>The path that was found; before the end, the one to the place nearest to the goal so far.</summary>
        public NavPath Path()
        {
            PathInfo path;
            Call.Check(Native.wayfare_search_path(this, &path));
            PathPoint[] points = Interop.List<PathPoint>(
                (list, room, count) => Native.wayfare_search_points(this, (PathPoint*)list, room, count), this);
            return new NavPath(path, points);
        }

        internal override Status Free(ulong id) => Native.wayfare_search_free(id);
    }

    /// <summary>The costs of a whole neighbourhood, and the paths out of it.</summary>
    public sealed unsafe class CostMap : NativeObject
    {
        internal CostMap(ulong id, NavQuery query)
        {
            Own(id);
            KeepStatesOf(query);
        }

        /// <summary>What it costs to get to a polygon; infinite if that was not reached.</summary>
        public float Cost(PolyRef poly)
        {
            float cost;
            Call.Check(Native.wayfare_cost_map_cost(this, poly.Bits, &cost));
            return cost;
        }

        /// <summary>The path to a place, out of the map.</summary>
        public NavPath PathTo(Place to)
        {
            PathInfo path;
            Call.Check(Native.wayfare_cost_map_path(this, to, &path));
            PathPoint[] points = Interop.List<PathPoint>(
                (list, room, count) => Native.wayfare_cost_map_points(this, (PathPoint*)list, room, count), this);
            return new NavPath(path, points);
        }

        internal override Status Free(ulong id) => Native.wayfare_cost_map_free(id);
    }
}
