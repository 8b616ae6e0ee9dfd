using System;

namespace Wayfare
{
    /// <summary>What the tiles of a level are rebuilt from: the level as it is before obstacles.</summary>
    public sealed unsafe class LevelCheckpoints : NativeObject
    {
        internal LevelCheckpoints(ulong id) => Own(id);

        /// <summary>Bakes the checkpoints of a level: with the settings of its mesh, which must have tiles.</summary>
        public static LevelCheckpoints Bake(Level level, BakeSettings settings, WorkContext context = null) =>
            WorkContext.Make(
                context, (with, made) => Native.wayfare_checkpoints_bake(level, settings, with, made), id => new LevelCheckpoints(id));

        /// <summary>Loads what <see cref="Save"/> gave.</summary>
        public static LevelCheckpoints Load(ReadOnlySpan<byte> bytes)
        {
            ulong made;
            fixed (byte* from = bytes) Interop.Check(Native.wayfare_checkpoints_load(from, (UIntPtr)bytes.Length, &made));
            return new LevelCheckpoints(made);
        }

        /// <summary>The checkpoints as bytes.</summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_checkpoints_save(this, made));

        internal override Status Free(ulong id) => Native.wayfare_checkpoints_free(id);
    }

    /// <summary>Obstacles in a level, and the rebuild of the tiles under them.</summary>
    public sealed unsafe class Obstacles : NativeObject
    {
        /// <summary>Obstacles over checkpoints, of which they take a copy.</summary>
        public Obstacles(LevelCheckpoints checkpoints) => Own(Interop.Make(made => Native.wayfare_obstacles_new(checkpoints, made)));

        /// <summary>Obstacles over a level with the settings of its mesh: bakes the checkpoints.</summary>
        public Obstacles(Level level, BakeSettings settings)
        {
            using (LevelCheckpoints checkpoints = LevelCheckpoints.Bake(level, settings))
            {
                Own(Interop.Make(made => Native.wayfare_obstacles_new(checkpoints, made)));
            }
        }

        internal static readonly Obstacles None = new Obstacles(0);

        internal Obstacles(ulong id) => Own(id);

        /// <summary>Loads obstacles over the checkpoints that they stood on. They keep their references.</summary>
        public static Obstacles Load(LevelCheckpoints checkpoints, ReadOnlySpan<byte> bytes)
        {
            ulong made;
            fixed (byte* from = bytes)
            {
                Interop.Check(Native.wayfare_obstacles_load(checkpoints, from, (UIntPtr)bytes.Length, &made));
            }
            return new Obstacles(made);
        }

        /// <summary>The obstacles as bytes, without their checkpoints.</summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_obstacles_save(this, made));

        /// <summary>
        /// A copy of the checkpoints as they are now, to be saved with the obstacles: tiles whose geometry was invalidated have
        /// others than at first.
        /// </summary>
        public LevelCheckpoints ToCheckpoints() =>
            new LevelCheckpoints(Interop.Make(made => Native.wayfare_obstacles_checkpoints(this, made)));

        /// <summary>Adds an obstacle. Nothing changes before <see cref="Step"/>.</summary>
        public ObstacleRef Add(Volume volume) => Add(volume, out _);

        /// <summary>The same; <c>tiles</c> is how many tiles it touches.</summary>
        public ObstacleRef Add(Volume volume, out int tiles)
        {
            ulong obstacle;
            UIntPtr touched;
            ulong* at = &obstacle;
            UIntPtr* count = &touched;
            Volume.Use(volume, data => Native.wayfare_obstacles_add(this, data, at, count));
            tiles = (int)touched;
            return new ObstacleRef(obstacle);
        }

        /// <summary>Moves an obstacle to a point; gives how many tiles that touches.</summary>
        public int Move(ObstacleRef obstacle, Vec3 to)
        {
            UIntPtr tiles;
            Call.Check(Native.wayfare_obstacles_move(this, obstacle.Bits, to, &tiles));
            return (int)tiles;
        }

        /// <summary>Puts another volume in the place of an obstacle, which keeps its reference.</summary>
        public int Replace(ObstacleRef obstacle, Volume volume)
        {
            UIntPtr tiles;
            UIntPtr* count = &tiles;
            Volume.Use(volume, data => Native.wayfare_obstacles_replace(this, obstacle.Bits, data, count));
            return (int)tiles;
        }

        /// <summary>Removes an obstacle; gives how many tiles that touches.</summary>
        public int Remove(ObstacleRef obstacle)
        {
            UIntPtr tiles;
            Call.Check(Native.wayfare_obstacles_remove(this, obstacle.Bits, &tiles));
            return (int)tiles;
        }

        /// <summary>Removes all obstacles; gives how many tiles that touches.</summary>
        public int Clear()
        {
            UIntPtr tiles;
            Call.Check(Native.wayfare_obstacles_clear(this, &tiles));
            return (int)tiles;
        }

        /// <summary>Says that the geometry in a box has changed: its tiles are built anew from an <see cref="ObjectLevel"/>.</summary>
        public int Invalidate(Box area)
        {
            UIntPtr tiles;
            Call.Check(Native.wayfare_obstacles_invalidate(this, area, &tiles));
            return (int)tiles;
        }

        /// <summary>All obstacles.</summary>
        public ObstacleRef[] All =>
            Interop.List<ObstacleRef>((list, room, count) => Native.wayfare_obstacles_list(this, (ulong*)list, room, count));

        /// <summary>
        /// Rebuilds tiles of the mesh for <c>budget</c> units of work, 0 for as many as it takes. <c>objects</c> gives the
        /// geometry of tiles that were invalidated.
        /// </summary>
        public WorkProgress Step(NavMesh mesh, ulong budget = 0, ObjectLevel objects = null, WorkContext context = null)
        {
            ulong done, total;
            ulong* at = &done, all = &total;
            ObjectLevel from = objects ?? ObjectLevel.None;
            WorkContext.Run(context, with => Native.wayfare_obstacles_step(this, mesh, from, budget, with, at, all));
            return new WorkProgress(done, total);
        }

        /// <summary>The tiles that the last step rebuilt.</summary>
        public RebuiltTile[] Rebuilt =>
            Interop.List<RebuiltTile>((list, room, count) => Native.wayfare_obstacles_rebuilt(this, (RebuiltTile*)list, room, count));

        /// <summary>The tiles that will change: what was asked for and not built yet.</summary>
        public TileCoord[] Pending =>
            Interop.List<TileCoord>((list, room, count) => Native.wayfare_obstacles_pending(this, (TileCoord*)list, room, count));

        internal override Status Free(ulong id) => Native.wayfare_obstacles_free(id);
    }

    /// <summary>A level of solid objects that are placed and moved.</summary>
    public sealed unsafe class ObjectLevel : NativeObject
    {
        internal static readonly ObjectLevel None = new ObjectLevel();

        private ObjectLevel()
        {
        }

        /// <summary>A level of which the triangles are fixed, to put objects into. The settings are those of its bake, with bounds.</summary>
        public ObjectLevel(Level level, BakeSettings settings) =>
            Own(Interop.Make(made => Native.wayfare_objects_new(level, settings, made)));

        /// <summary>Places an object: the triangles of a level. <c>changed</c> is for <see cref="Obstacles.Invalidate"/>.</summary>
        public ObjectRef Add(Level shape, Vec3 at, out Box changed)
        {
            ulong made;
            Box area;
            Call.Check(Native.wayfare_objects_add(this, shape, at, &made, &area));
            changed = area;
            return new ObjectRef(made);
        }

        /// <summary>Moves an object; gives the box where it was, and the one where it is.</summary>
        public (Box before, Box now) Move(ObjectRef thing, Vec3 to)
        {
            var areas = new Box[2];
            fixed (Box* at = areas) Call.Check(Native.wayfare_objects_move(this, thing.Bits, to, at));
            return (areas[0], areas[1]);
        }

        /// <summary>Removes an object; gives the box that has changed.</summary>
        public Box Remove(ObjectRef thing)
        {
            Box area;
            Call.Check(Native.wayfare_objects_remove(this, thing.Bits, &area));
            return area;
        }

        internal override Status Free(ulong id) => Native.wayfare_objects_free(id);
    }
}
