using System;

namespace Wayfare
{
    /// <content>Obstacles by their shapes.</content>
    public partial struct GridObstacle
    {
        /// <summary>A segment between two points.</summary>
        public static GridObstacle Segment(uint id, Vec3 a, Vec3 b)
        {
            var made = default(GridObstacle);
            made.Shape = GridObstacleShape.Segment;
            made.Id = id;
            made.A = a;
            made.B = b;
            return made;
        }

        /// <summary>A disc.</summary>
        public static GridObstacle Disc(uint id, Vec3 center, float radius)
        {
            var made = default(GridObstacle);
            made.Shape = GridObstacleShape.Disc;
            made.Id = id;
            made.A = center;
            made.Radius = radius;
            return made;
        }

        /// <summary>A box, turned around the vertical by <c>yaw</c> radians.</summary>
        public static GridObstacle Box(uint id, Vec3 center, float halfX, float halfZ, float yaw = 0)
        {
            var made = default(GridObstacle);
            made.Shape = GridObstacleShape.Box;
            made.Id = id;
            made.A = center;
            made.HalfX = halfX;
            made.HalfZ = halfZ;
            made.Yaw = yaw;
            return made;
        }
    }

    /// <summary>A small grid that follows an agent, and paths between the obstacles in it.</summary>
    public sealed unsafe class LocalGrid : NativeObject
    {
        /// <summary>A grid of <c>size</c> cells to each side, 64 at most.</summary>
        public LocalGrid(int size, float cellSize)
        {
            uint cells = Interop.Count(size, nameof(size));
            Own(Interop.Make(made => Native.wayfare_grid_new(cells, cellSize, made)));
        }

        /// <summary>Moves it: it is empty then.</summary>
        public void Recenter(Vec3 center) => Call.Check(Native.wayfare_grid_recenter(this, center));

        /// <summary>Empties it.</summary>
        public void Clear() => Call.Check(Native.wayfare_grid_clear(this));

        /// <summary>Blocks the cells where an agent of this radius would touch an obstacle.</summary>
        public void Block(ReadOnlySpan<GridObstacle> obstacles, float radius)
        {
            fixed (GridObstacle* at = obstacles) Call.Check(Native.wayfare_grid_block(this, at, (UIntPtr)obstacles.Length, radius));
        }

        /// <summary>
        /// Blocks the cell in column <c>x</c>, row <c>z</c>, or frees it: for grids that come from sensors. What is occupied must be
        /// grown by the agent's radius, if paths are to keep that distance.
        /// </summary>
        public void SetBlocked(int x, int z, bool blocked = true) =>
            Call.Check(Native.wayfare_grid_set_blocked(this, Interop.Count(x, nameof(x)), Interop.Count(z, nameof(z)), blocked ? 1u : 0u));

        /// <summary>Whether a cell is blocked.</summary>
        public bool IsBlocked(int x, int z)
        {
            uint blocked;
            Call.Check(Native.wayfare_grid_is_blocked(this, Interop.Count(x, nameof(x)), Interop.Count(z, nameof(z)), &blocked));
            return blocked != 0;
        }

        /// <summary>A path over free cells.</summary>
        public Route FindPath(Vec3 from, Vec3 to)
        {
            uint status = 0;
            uint* at = &status;
            Vec3[] points = Interop.List<Vec3>(
                (list, room, count) => Native.wayfare_grid_path(this, from, to, at, (Vec3*)list, room, count));
            return new Route((PathStatus)status, points);
        }

        /// <summary>The obstacles that an agent of this radius would touch on the straight line, by their numbers.</summary>
        public static uint[] Blockers(ReadOnlySpan<GridObstacle> obstacles, Vec3 from, Vec3 to, float radius)
        {
            fixed (GridObstacle* pinned = obstacles)
            {
                GridObstacle* at = pinned;
                var many = (UIntPtr)obstacles.Length;
                return Interop.List<uint>(
                    (list, room, count) => Native.wayfare_grid_blockers(at, many, from, to, radius, (uint*)list, room, count));
            }
        }

        internal override Status Free(ulong id) => Native.wayfare_grid_free(id);
    }
}
