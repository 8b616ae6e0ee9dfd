using System;

namespace Wayfare
{
    /// <content>Questions about the surroundings, and many questions in one call.</content>
    public sealed unsafe partial class NavQuery
    {
        /// <summary>The wall nearest to a place within a radius; its <c>Found</c> says whether there is one.</summary>
        public NearestWall NearestWall(Place at, float radius)
        {
            NearestWall wall;
            Call.Check(Native.wayfare_query_nearest_wall(this, at, radius, &wall));
            return wall;
        }

        /// <summary>The walls of the polygon at a place.</summary>
        public Wall[] Walls(Place at) =>
            Interop.List<Wall>((list, room, count) => Native.wayfare_query_walls(this, at, (Wall*)list, room, count), this);

        /// <summary>The polygons that can be reached without leaving a circle, cheapest first.</summary>
        public Reached[] Around(Place at, float radius) => Interop.List<Reached>(
            (list, room, count) => Native.wayfare_query_around(this, at, radius, null, UIntPtr.Zero, (Reached*)list, room, count), this);

        /// <summary>The same without leaving a convex outline.</summary>
        public Reached[] Around(Place at, ReadOnlySpan<Vec3> outline)
        {
            fixed (Vec3* pinned = outline)
            {
                Vec3* corners = pinned;
                var many = (UIntPtr)outline.Length;
                return Interop.List<Reached>(
                    (list, room, count) => Native.wayfare_query_around(this, at, 0, corners, many, (Reached*)list, room, count), this);
            }
        }

        /// <summary>
        /// Polygons near a place that do not overlap each other seen from above: by their portals, or by their distance.
        /// </summary>
        public PolyRef[] Neighbourhood(Place at, float radius, bool byDistance = false)
        {
            uint how = byDistance ? 1u : 0u;
            return Interop.List<PolyRef>(
                (list, room, count) => Native.wayfare_query_neighbourhood(this, at, radius, how, (ulong*)list, room, count), this);
        }

        /// <summary>The polygons of which the boxes touch a box.</summary>
        public PolyRef[] InBox(Box area) =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_query_in_box(this, area, (ulong*)list, room, count), this, Interop.Many);

        /// <summary>
        /// Random places, evenly over the mesh; fewer only where it is empty. The seed goes on: the same seed gives the same
        /// places.
        /// </summary>
        public Place[] Random(ref ulong seed, int count)
        {
            var places = new Place[Interop.Count(count, nameof(count))];
            UIntPtr found;
            Call call = Call;
            Status status;
            fixed (ulong* random = &seed)
            fixed (Place* at = places) status = Native.wayfare_query_random(this, random, at, (UIntPtr)count, &found);
            // What it knows of the mesh by a filter that threw.
            call.Check(status, () => Native.wayfare_query_forget(this));
            Array.Resize(ref places, (int)found);
            return places;
        }

        /// <summary>Random places that can be reached within a radius.</summary>
        public Place[] RandomAround(Place at, float radius, ref ulong seed, int count)
        {
            var places = new Place[Interop.Count(count, nameof(count))];
            UIntPtr found;
            fixed (ulong* random = &seed)
            fixed (Place* list = places)
            {
                Call.Check(Native.wayfare_query_random_around(this, at, radius, random, list, (UIntPtr)count, &found));
            }
            Array.Resize(ref places, (int)found);
            return places;
        }

        /// <summary>Finds many paths over polygons and the lines through them, on so many threads: 0 for all cores.</summary>
        public PathBatch StraightPaths(ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            uint many = Interop.Count(threads, nameof(threads));
            ulong made = 0;
            Call call = Call;
            Status status;
            fixed (PathEnds* at = pairs) status = Native.wayfare_query_straight_paths(this, at, (UIntPtr)pairs.Length, many, &made);
            return BatchOf(call, status, made);
        }

        /// <summary>Finds many shortest paths.</summary>
        public PathBatch OptimalPaths(ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            uint many = Interop.Count(threads, nameof(threads));
            ulong made = 0;
            Call call = Call;
            Status status;
            fixed (PathEnds* at = pairs) status = Native.wayfare_query_optimal_paths(this, at, (UIntPtr)pairs.Length, many, &made);
            return BatchOf(call, status, made);
        }

        /// <summary>Finds many cheapest paths, guided by bounds.</summary>
        public PathBatch BoundedPaths(CostBounds bounds, ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            uint many = Interop.Count(threads, nameof(threads));
            ulong made = 0;
            Call call = Call;
            Status status;
            fixed (PathEnds* at = pairs)
            {
                status = Native.wayfare_query_bounded_paths(this, bounds, at, (UIntPtr)pairs.Length, many, &made);
            }
            return BatchOf(call, status, made);
        }

        private static PathBatch BatchOf(Call call, Status status, ulong made)
        {
            using (NativePathBatch batch = call.Made(status, made, id => new NativePathBatch(id)))
            {
                // The counts first: the lists are long.
                UIntPtr many = UIntPtr.Zero, all = UIntPtr.Zero;
                Native.wayfare_batch_paths(batch, null, UIntPtr.Zero, &many);
                Native.wayfare_batch_points(batch, null, UIntPtr.Zero, &all);
                var paths = new PathInfo[(int)many];
                var points = new Vec3[(int)all];
                Interop.Fill<PathInfo>(paths, (list, room, count) => Native.wayfare_batch_paths(batch, (PathInfo*)list, room, count));
                Interop.Fill<Vec3>(points, (list, room, count) => Native.wayfare_batch_points(batch, (Vec3*)list, room, count));
                return new PathBatch(paths, points);
            }
        }

        /// <summary>The nearest places of many points.</summary>
        public Nearest[] NearestMany(ReadOnlySpan<Vec3> points, int threads = 0)
        {
            var nearest = new Nearest[points.Length];
            fixed (Vec3* at = points)
            fixed (Nearest* list = nearest)
            {
                uint many = Interop.Count(threads, nameof(threads));
                Call.Check(Native.wayfare_query_nearest_many(this, at, (UIntPtr)points.Length, many, list));
            }
            return nearest;
        }

        /// <summary>Many rays.</summary>
        public Ray[] Rays(ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            var rays = new Ray[pairs.Length];
            fixed (PathEnds* at = pairs)
            fixed (Ray* list = rays)
            {
                Call.Check(Native.wayfare_query_rays(this, at, (UIntPtr)pairs.Length, Interop.Count(threads, nameof(threads)), list));
            }
            return rays;
        }

        /// <summary>Many moves; the polygon of an end is none where the place is not near the mesh.</summary>
        public Place[] Moves(ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            var ends = new Place[pairs.Length];
            fixed (PathEnds* at = pairs)
            fixed (Place* list = ends)
            {
                Call.Check(Native.wayfare_query_moves(this, at, (UIntPtr)pairs.Length, Interop.Count(threads, nameof(threads)), list));
            }
            return ends;
        }

        /// <summary>Many questions of reach; null where a limit cut the search short.</summary>
        public bool?[] AreReachable(ReadOnlySpan<PathEnds> pairs, int threads = 0)
        {
            var answers = new int[pairs.Length];
            fixed (PathEnds* at = pairs)
            fixed (int* list = answers)
            {
                uint many = Interop.Count(threads, nameof(threads));
                Call.Check(Native.wayfare_query_reachable_many(this, at, (UIntPtr)pairs.Length, many, list));
            }
            return Array.ConvertAll(answers, answer => answer < 0 ? (bool?)null : answer == 1);
        }

        /// <summary>The nearest walls of many places.</summary>
        public NearestWall[] NearestWalls(ReadOnlySpan<Place> places, float radius, int threads = 0)
        {
            var walls = new NearestWall[places.Length];
            fixed (Place* at = places)
            fixed (NearestWall* list = walls)
            {
                uint many = Interop.Count(threads, nameof(threads));
                Call.Check(Native.wayfare_query_nearest_walls(this, at, (UIntPtr)places.Length, radius, many, list));
            }
            return walls;
        }
    }

    internal sealed class NativePathBatch : NativeObject
    {
        internal NativePathBatch(ulong id) => Own(id);

        internal override Status Free(ulong id) => Native.wayfare_batch_free(id);
    }
}
