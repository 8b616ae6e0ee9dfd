using System;

namespace Wayfare
{
    /// <summary>How paths are found, for crowds and queues. Wherever a planner is taken, null means A* over polygons.</summary>
    public sealed unsafe class Planner : NativeObject
    {
        internal static readonly Planner None = new Planner();

        private Planner()
        {
        }

        /// <summary>A planner of a kind.</summary>
        public Planner(PlannerKind kind) => Own(Interop.Make(made => Native.wayfare_planner_new((uint)kind, made)));

        /// <summary>A planner whose searches are guided by bounds. While they do not hold for the mesh, it searches with A*.</summary>
        public Planner(CostBounds bounds)
        {
            if (bounds == null) throw new ArgumentNullException(nameof(bounds));
            Own(Interop.Make(made => Native.wayfare_planner_bounded(bounds, made)));
        }

        /// <summary>
        /// Gives a planner that was made with bounds others: those of the mesh as it is now. Searches in progress go on with
        /// the old ones.
        /// </summary>
        public void SetBounds(CostBounds bounds) => Call.Check(Native.wayfare_planner_set_bounds(this, bounds));

        internal override Status Free(ulong id) => Native.wayfare_planner_free(id);
    }

    /// <summary>
    /// Lower bounds of costs from anywhere to anywhere on a mesh. Searches that they guide find the cheapest path, usually
    /// several times faster than those without on meshes of thousands of polygons.
    /// </summary>
    public sealed unsafe class CostBounds : NativeObject
    {
        /// <summary>
        /// Computes bounds for a mesh as it is now, and a filter: the most common one, since bounds also serve others, but less
        /// the more their costs differ. A filter of null has the mesh's own costs. It takes some hundred milliseconds for 30,000
        /// polygons; after a change of the mesh it can be done on another thread, of a copy.
        /// </summary>
        public CostBounds(NavMesh mesh, Filter filter = null)
        {
            Filter used = filter ?? Filter.None;
            ulong made = 0;
            Call call = Call.On(used);
            Status status = Native.wayfare_cost_bounds_new(mesh, used, &made);
            Own(made);
            call.Check(status);
        }

        /// <summary>Whether they hold for a mesh as it is now: whether it has not changed since.</summary>
        public bool HoldFor(NavMesh mesh)
        {
            uint answer;
            Call.Check(Native.wayfare_cost_bounds_hold(this, mesh, &answer));
            return answer != 0;
        }

        /// <summary>The reference points that they were computed from, for drawings.</summary>
        public Vec3[] Points =>
            Interop.List<Vec3>((list, room, count) => Native.wayfare_cost_bounds_points(this, (Vec3*)list, room, count));

        /// <summary>Bytes that they take in memory.</summary>
        public long Bytes
        {
            get
            {
                ulong bytes;
                Call.Check(Native.wayfare_cost_bounds_size(this, &bytes));
                return (long)bytes;
            }
        }

        internal override Status Free(ulong id) => Native.wayfare_cost_bounds_free(id);
    }

    /// <summary>Many requests for paths at once, searched in steps of a budget.</summary>
    public sealed unsafe class PathQueue : NativeObject
    {
        /// <summary>A queue without requests.</summary>
        public PathQueue() => Own(Interop.Make(made => Native.wayfare_queue_new(made)));

        /// <summary>Asks for a path between two places of a mesh. A <see cref="Vec3"/> is looked up at once.</summary>
        public RequestId Request(NavMesh mesh, Place from, Place to, Filter filter = null)
        {
            ulong request;
            KeepStatesOf(filter);
            Call.Check(Native.wayfare_queue_request(this, mesh, filter ?? Filter.None, from, to, &request));
            return new RequestId(request);
        }

        /// <summary>
        /// Searches on for <c>budget</c> nodes, for all requests in turn: on the calling thread, unless a context asks for more.
        /// </summary>
        public void Step(NavMesh mesh, ulong budget, Planner planner = null, WorkContext context = null)
        {
            WorkContext.Run(context, with =>
            {
                Call call = Call;
                Status status = Native.wayfare_queue_step(this, mesh, planner ?? Planner.None, budget, with);
                call.Rethrow();
                return status;
            });
        }

        /// <summary>How far a request is.</summary>
        public RequestState State(RequestId request)
        {
            uint state;
            Call.Check(Native.wayfare_queue_state(this, request.Bits, &state));
            return (RequestState)state;
        }

        /// <summary>How many requests are not done.</summary>
        public int Pending
        {
            get
            {
                UIntPtr count;
                Call.Check(Native.wayfare_queue_pending(this, &count));
                return (int)count;
            }
        }

        /// <summary>Takes the answer of a request, which is then gone; null if it is not done.</summary>
        public NavPath Take(RequestId request) => Take(request, out _);

        /// <summary>The same; <c>isOutdated</c> says whether the mesh has changed under it meanwhile.</summary>
        public NavPath Take(RequestId request, out bool isOutdated)
        {
            uint done, outdated = 0;
            PathInfo path;
            Call.Check(Native.wayfare_queue_take(this, request.Bits, &done, &path, &outdated));
            isOutdated = outdated != 0;
            if (done == 0) return null;
            PathPoint[] points = Interop.List<PathPoint>(
                (list, room, count) => Native.wayfare_queue_points(this, (PathPoint*)list, room, count));
            return new NavPath(path, points);
        }

        /// <summary>Gives a request up.</summary>
        public void Cancel(RequestId request) => Call.Check(Native.wayfare_queue_cancel(this, request.Bits));

        internal override Status Free(ulong id) => Native.wayfare_queue_free(id);
    }

    /// <summary>An agent's path, kept up while its ends move and the mesh changes. It is asked with a query.</summary>
    public sealed unsafe class PathCorridor : NativeObject
    {
        /// <summary>A corridor at a place of the query's mesh, which leads nowhere yet.</summary>
        public PathCorridor(NavQuery query, Place at)
        {
            if (query == null) throw new ArgumentNullException(nameof(query));
            ulong made = 0;
            Call call = Call.On(query);
            Status status = Native.wayfare_corridor_new(query, at, &made);
            Own(made);
            call.Check(status);
        }

        /// <summary>Follows the last path of the query, which must begin where the corridor does.</summary>
        public void Follow(NavQuery query) => Call.On(query).Check(Native.wayfare_corridor_follow(this, query));

        /// <summary>Moves the start, as the agent walks; gives where it is then.</summary>
        public Vec3 MoveStart(NavQuery query, Vec3 to)
        {
            Vec3 now;
            Call.On(query).Check(Native.wayfare_corridor_move_start(this, query, to, &now));
            return now;
        }

        /// <summary>Moves the end, as the target moves; gives where it is then.</summary>
        public Vec3 MoveEnd(NavQuery query, Vec3 to)
        {
            Vec3 now;
            Call.On(query).Check(Native.wayfare_corridor_move_end(this, query, to, &now));
            return now;
        }

        /// <summary>The next corners, <c>limit</c> at most.</summary>
        public CorridorCorner[] Corners(int limit)
        {
            UIntPtr most = Interop.Size(limit, nameof(limit));
            return Interop.List<CorridorCorner>(
                (list, room, count) => Native.wayfare_corridor_corners(this, most, (CorridorCorner*)list, room, count));
        }

        /// <summary>The length of the whole path.</summary>
        public float Length
        {
            get
            {
                float length;
                Call.Check(Native.wayfare_corridor_length(this, &length));
                return length;
            }
        }

        /// <summary>Its polygons.</summary>
        public PolyRef[] Polygons =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_corridor_polygons(this, (ulong*)list, room, count));

        /// <summary>Where it begins; without a polygon if it is lost.</summary>
        public Place Start => Ends().From;

        /// <summary>Where it ends; without a polygon if it is lost.</summary>
        public Place End => Ends().To;

        private PathEnds Ends()
        {
            Place start, end;
            Call.Check(Native.wayfare_corridor_ends(this, &start, &end));
            return new PathEnds(start, end);
        }

        /// <summary>
        /// Shortens it: to <c>next</c> if it can be seen within <c>range</c>, then by a small search of <c>nodes</c>. 0 leaves
        /// either out. True if it did.
        /// </summary>
        public bool Shorten(NavQuery query, Vec3 next, float range, int nodes)
        {
            uint shortened;
            Call.On(query).Check(Native.wayfare_corridor_shorten(this, query, next, range, Interop.Count(nodes, nameof(nodes)), &shortened));
            return shortened != 0;
        }

        /// <summary>Checks the next polygons, and keeps what still holds.</summary>
        public Repair Repair(NavQuery query, int lookAhead)
        {
            uint repair;
            Call.On(query).Check(Native.wayfare_corridor_repair(this, query, Interop.Count(lookAhead, nameof(lookAhead)), &repair));
            return (Repair)repair;
        }

        /// <summary>
        /// Enters the connection that a corner of the last asked ones is: the corridor goes on behind it. Gives from where to
        /// where it leads; null if that corner is none.
        /// </summary>
        public Wall? EnterConnection(NavQuery query, int corner)
        {
            uint entered;
            Vec3 from, to;
            Call.On(query).Check(Native.wayfare_corridor_enter_connection(this, query, Interop.Size(corner, nameof(corner)), &entered, &from, &to));
            return entered != 0 ? new Wall(from, to) : (Wall?)null;
        }

        internal override Status Free(ulong id) => Native.wayfare_corridor_free(id);
    }

    /// <summary>An abstract graph over the tiles of a mesh: paths are found over tiles first.</summary>
    public sealed unsafe class AbstractGraph : NativeObject
    {
        /// <summary>The graph of a mesh as it is now.</summary>
        public AbstractGraph(NavMesh mesh) => Own(Interop.Make(made => Native.wayfare_hierarchy_new(mesh, made)));

        /// <summary>Follows a mesh that has changed; gives how many tiles did.</summary>
        public int Update(NavMesh mesh)
        {
            uint changed;
            Call.Check(Native.wayfare_hierarchy_update(this, mesh, &changed));
            return (int)changed;
        }

        /// <summary>How large it is.</summary>
        public GraphSize Size
        {
            get
            {
                GraphSize size;
                Call.Check(Native.wayfare_hierarchy_size(this, &size));
                return size;
            }
        }

        /// <summary>Finds a path, with the filter, reach and limits of a query of the same mesh.</summary>
        public NavPath Path(NavQuery query, Place from, Place to)
        {
            PathInfo path;
            Call.On(query).Check(Native.wayfare_hierarchy_path(this, query, from, to, &path));
            PathPoint[] points = Interop.List<PathPoint>(
                (list, room, count) => Native.wayfare_hierarchy_points(this, (PathPoint*)list, room, count));
            return new NavPath(path, points);
        }

        internal override Status Free(ulong id) => Native.wayfare_hierarchy_free(id);
    }

    /// <summary>
    /// A store of tiles, for meshes larger than memory: one file, or a folder with a file for each tile if the path ends with a
    /// slash or is a folder. Opened, it is read tile by tile; only one call at a time may use it.
    /// </summary>
    public sealed unsafe class TileStore : NativeObject
    {
        /// <summary>Opens a store, and reads which tiles it has.</summary>
        public TileStore(string path)
        {
            ulong made;
            fixed (byte* text = Interop.Utf8(path, nameof(path))) Interop.Check(Native.wayfare_store_open(text, &made));
            Own(made);
        }

        /// <summary>
        /// Bakes a level into a store, tile by tile, and commits as it goes. What it holds already and has not changed is not
        /// baked again, so that a bake that was stopped goes on where it was. Where the settings say nothing of tiles (null, or a
        /// <c>TileSize</c> of 0), they have 64 cells to each side. Gives how many tiles it has then.
        /// </summary>
        public static int Bake(string path, Level level, BakeSettings settings, WorkContext context = null)
        {
            UIntPtr tiles;
            UIntPtr* count = &tiles;
            fixed (byte* pinned = Interop.Utf8(path, nameof(path)))
            {
                byte* text = pinned;
                WorkContext.Run(context, with => Native.wayfare_store_bake(text, level, settings, with, count));
            }
            return (int)tiles;
        }

        /// <summary>Loads a whole store into a mesh; <c>broken</c> is how many tiles could not be read.</summary>
        public static NavMesh Load(string path, out int broken)
        {
            ulong mesh;
            UIntPtr unread;
            fixed (byte* text = Interop.Utf8(path, nameof(path))) Interop.Check(Native.wayfare_store_load(text, &mesh, &unread));
            broken = (int)unread;
            return new NavMesh(mesh);
        }

        /// <summary>One tile, for <see cref="NavMesh.AddTile"/>; null if the place has no surface.</summary>
        public byte[] Tile(TileCoord coord)
        {
            ulong id;
            Interop.Check(Native.wayfare_store_tile(this, coord, &id));
            return id == 0 ? null : Interop.TakeBytes(id);
        }

        internal override Status Free(ulong id) => Native.wayfare_store_free(id);
    }

    /// <summary>A world in a store, of which some tiles are in memory. Only one call at a time may use it, even to ask something.</summary>
    public sealed unsafe class ResidentWorld : NativeObject
    {
        /// <summary>
        /// Opens a store, of which at most so many tiles, bytes of tiles, and parts of the abstract graph (a kilobyte or two
        /// each) are in memory; 0 for no limit.
        /// </summary>
        public ResidentWorld(string path, int maxTiles = 0, long maxBytes = 0, int maxParts = 0)
        {
            if (maxBytes < 0) throw new ArgumentOutOfRangeException(nameof(maxBytes), maxBytes, "a size cannot be negative");
            UIntPtr parts = Interop.Size(maxParts, nameof(maxParts));
            ulong made;
            fixed (byte* text = Interop.Utf8(path, nameof(path)))
            {
                Interop.Check(Native.wayfare_world_open(text, Interop.Size(maxTiles, nameof(maxTiles)), (UIntPtr)maxBytes, parts, &made));
            }
            Own(made);
        }

        /// <summary>Loads the tiles around a point; gives how many were read.</summary>
        public int Prefetch(Vec3 center, float radius)
        {
            uint loaded;
            Call.Check(Native.wayfare_world_prefetch(this, center, radius, &loaded));
            return (int)loaded;
        }

        /// <summary>Finds a path over the world by its hierarchy; tiles are read as they are needed.</summary>
        public Route FindPath(Vec3 from, Vec3 to, out PathInfo info)
        {
            PathInfo path;
            Call.Check(Native.wayfare_world_path(this, from, to, &path));
            info = path;
            Vec3[] points = Interop.List<Vec3>((list, room, count) => Native.wayfare_world_points(this, (Vec3*)list, room, count));
            return new Route(path.Status, points);
        }

        /// <summary>The same without the details.</summary>
        public Route FindPath(Vec3 from, Vec3 to) => FindPath(from, to, out _);

        /// <summary>The place on the world nearest to a point; null if there is none.</summary>
        public Place? Nearest(Vec3 at)
        {
            Place place;
            Call.Check(Native.wayfare_world_nearest(this, at, &place));
            return place.Poly.IsNone ? (Place?)null : place;
        }

        /// <summary>
        /// Sets the flags of a polygon, whose tile must be in memory, or of an off-mesh connection. They are kept while the tile
        /// is not in memory.
        /// </summary>
        public void SetFlags(PolyRef poly, uint flags) => Call.Check(Native.wayfare_world_set_poly_flags(this, poly.Bits, flags));

        /// <summary>
        /// What has changed since it was opened, whether its tiles are in memory or not, and which of them are: without the
        /// tiles themselves.
        /// </summary>
        public byte[] SaveChanges() => Interop.Bytes(made => Native.wayfare_world_save_changes(this, made));

        /// <summary>
        /// Restores what <see cref="SaveChanges"/> gave of a world with the same tiles: all else returns to what the store says.
        /// </summary>
        public void LoadChanges(ReadOnlySpan<byte> bytes)
        {
            fixed (byte* from = bytes) Call.Check(Native.wayfare_world_load_changes(this, from, (UIntPtr)bytes.Length));
        }

        /// <summary>What it has in memory.</summary>
        public WorldStats Stats
        {
            get
            {
                WorldStats stats;
                Call.Check(Native.wayfare_world_stats(this, &stats));
                return stats;
            }
        }

        internal override Status Free(ulong id) => Native.wayfare_world_free(id);
    }
}
