using System;

namespace Wayfare
{
    /// <summary>
    /// A level of triangles, solid objects and obstacles that come, move and go, and the mesh that follows it tile by tile, with
    /// automatic links. A change is accepted at once and costs little: <see cref="Step"/> does the work.
    /// </summary>
    public sealed unsafe class LiveLevel : NativeObject
    {
        /// <summary>
        /// Nothing is baked yet: the first steps bake the tiles under the level. A change bakes the tiles that it touches: give
        /// the settings a <c>TileSize</c>. What is added later counts inside their bounds, by default those of the level. The
        /// level's volumes stay as they are: those that come and go are obstacles. <c>links</c> are the rules of drops, jumps and
        /// climbs that are found and kept up, if any.
        /// </summary>
        public LiveLevel(Level level, BakeSettings settings, LinkSettings links = null) =>
            Own(Interop.Make(made => Native.wayfare_live_level_new(level, settings, links, made)));

        /// <summary>
        /// Of a mesh that was baked before, and obstacles over its checkpoints, which its tiles are built anew from: it takes
        /// copies of both. Without obstacles only connections, areas and flags can change. <c>level</c> is what the mesh was baked
        /// from, which objects and links need; its volumes are those of the checkpoints. The connections of <c>links</c> that the
        /// mesh has already are taken over if they are found again.
        /// </summary>
        public LiveLevel(NavMesh mesh, Obstacles obstacles = null, Level level = null, LinkSettings links = null)
        {
            Obstacles from = obstacles ?? Obstacles.None;
            Level baked = level ?? Level.None;
            Own(Interop.Make(made => Native.wayfare_live_level_stored(mesh, from, baked, links, made)));
        }

        private LiveLevel(ulong id) => Own(id);

        /// <summary>
        /// Loads what <see cref="Save"/> or <c>wayfare bake --layers</c> gave. <c>level</c> is what it was baked from, which
        /// objects and links need. Obstacles keep their references; objects are to be added again where they stood.
        /// </summary>
        public static LiveLevel Load(ReadOnlySpan<byte> bytes, Level level = null, LinkSettings links = null)
        {
            Level baked = level ?? Level.None;
            ulong made;
            fixed (byte* from = bytes)
            {
                Interop.Check(Native.wayfare_live_level_load(from, (UIntPtr)bytes.Length, baked, links, &made));
            }
            return new LiveLevel(made);
        }

        /// <summary>
        /// Its mesh with its obstacles, what tiles are built anew from, and which connections are automatic links, as a file of
        /// this library.
        /// </summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_live_level_save(this, made));

        /// <summary>A copy of the mesh as far as it has followed: a few pointers.</summary>
        public NavMesh ToMesh() => new NavMesh(Interop.Make(made => Native.wayfare_live_level_mesh(this, made)));

        /// <summary>
        /// Goes on with an edited copy of its mesh: for connections, areas, flags and rules. A copy from before the last change
        /// of the mesh throws <see cref="Status.Outdated"/>, and changes nothing.
        /// </summary>
        public void SetMesh(NavMesh mesh) => Call.Check(Native.wayfare_live_level_set_mesh(this, mesh));

        /// <summary>Its obstacles; none for a mesh without.</summary>
        public ObstacleRef[] AllObstacles =>
            Interop.List<ObstacleRef>((list, room, count) => Native.wayfare_live_level_list_obstacles(this, (ulong*)list, room, count));

        /// <summary>A copy of its obstacles, to be saved; null for a mesh without.</summary>
        public Obstacles ToObstacles()
        {
            ulong made = Interop.Make(at => Native.wayfare_live_level_obstacles(this, at));
            return made == 0 ? null : new Obstacles(made);
        }

        /// <summary>The automatic links that are in the mesh, by number.</summary>
        public AutoLink[] Links =>
            Interop.List<AutoLink>((list, room, count) => Native.wayfare_live_level_links(this, (AutoLink*)list, room, count));

        /// <summary>Adds an obstacle, or paints an area.</summary>
        public ObstacleRef AddObstacle(Volume volume)
        {
            ulong obstacle;
            ulong* at = &obstacle;
            Volume.Use(volume, data => Native.wayfare_live_level_add_obstacle(this, data, at));
            return new ObstacleRef(obstacle);
        }

        /// <summary>Moves an obstacle by so much.</summary>
        public void MoveObstacleBy(ObstacleRef obstacle, Vec3 by) =>
            Call.Check(Native.wayfare_live_level_move_obstacle_by(this, obstacle.Bits, by));

        /// <summary>Puts another volume in the place of an obstacle, which keeps its reference.</summary>
        public void ReplaceObstacle(ObstacleRef obstacle, Volume volume) =>
            Volume.Use(volume, data => Native.wayfare_live_level_replace_obstacle(this, obstacle.Bits, data));

        /// <summary>Removes an obstacle.</summary>
        public void RemoveObstacle(ObstacleRef obstacle) => Call.Check(Native.wayfare_live_level_remove_obstacle(this, obstacle.Bits));

        /// <summary>Places an object, the triangles of a level, moved by <c>at</c>: it can be walked on, and is in the way.</summary>
        public ObjectRef AddObject(Level shape, Vec3 at)
        {
            ulong made;
            Call.Check(Native.wayfare_live_level_add_object(this, shape, at, &made));
            return new ObjectRef(made);
        }

        /// <summary>Moves an object: its triangles are now moved by <c>to</c>.</summary>
        public void MoveObject(ObjectRef thing, Vec3 to) => Call.Check(Native.wayfare_live_level_move_object(this, thing.Bits, to));

        /// <summary>Removes an object.</summary>
        public void RemoveObject(ObjectRef thing) => Call.Check(Native.wayfare_live_level_remove_object(this, thing.Bits));

        /// <summary>
        /// Puts the triangles of another level in the place of those that are not objects: only tiles under triangles that came
        /// or went are baked anew.
        /// </summary>
        public void ReplaceTriangles(Level level) => Call.Check(Native.wayfare_live_level_replace_triangles(this, level));

        /// <summary>
        /// Puts the height map of another level in the place of the one that was there; one without takes it away. If both have
        /// their points in the same places, only tiles under points whose height is another are baked anew.
        /// </summary>
        public void ReplaceTerrain(Level level) => Call.Check(Native.wayfare_live_level_replace_terrain(this, level));

        /// <summary>
        /// Says in its mesh which tiles will be built anew, so that those who walk on them learn of it before. Call it after
        /// changes.
        /// </summary>
        public void Announce() => Call.Check(Native.wayfare_live_level_announce(this));

        /// <summary>
        /// Follows the changes for <c>budget</c> units of work, 0 for as many as it takes: rebuilds tiles, and when all are there,
        /// searches links. After an exception later steps go on with the rest.
        /// </summary>
        public LiveProgress Step(ulong budget = 0, WorkContext context = null)
        {
            LiveProgress progress;
            LiveProgress* at = &progress;
            WorkContext.Run(context, with => Native.wayfare_live_level_step(this, budget, with, at));
            return progress;
        }

        /// <summary>How far it has followed.</summary>
        public LiveProgress Progress
        {
            get
            {
                LiveProgress progress;
                Call.Check(Native.wayfare_live_level_progress(this, &progress));
                return progress;
            }
        }

        /// <summary>The tiles that the last step rebuilt.</summary>
        public RebuiltTile[] Rebuilt =>
            Interop.List<RebuiltTile>((list, room, count) => Native.wayfare_live_level_rebuilt(this, (RebuiltTile*)list, room, count));

        internal override Status Free(ulong id) => Native.wayfare_live_level_free(id);
    }
}
