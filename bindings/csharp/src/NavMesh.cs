using System;
using System.Collections.Generic;
using System.Text;

namespace Wayfare
{
    /// <summary>A path from one call.</summary>
    public sealed class Route
    {
        internal Route(PathStatus status, Vec3[] points)
        {
            Status = status;
            Points = points;
        }

        /// <summary>Whether it leads to its goal.</summary>
        public PathStatus Status { get; }

        /// <summary>Whether it leads to its goal.</summary>
        public bool IsComplete => Status == PathStatus.Complete;

        /// <summary>Its points, from the start to where it ends; none if there is no path.</summary>
        public IReadOnlyList<Vec3> Points { get; }
    }

    /// <summary>
    /// A navigation mesh. Any number of threads may ask; whoever changes it needs it alone: change a <see cref="Copy"/> and
    /// publish that (<see cref="SharedMesh"/>) where others read meanwhile.
    /// </summary>
    public sealed unsafe partial class NavMesh : NativeObject
    {
        internal NavMesh(ulong id) => Own(id);

        /// <summary>Loads a mesh that <see cref="Save"/> gave. Any bytes may be given: damage is seen and said.</summary>
        public static NavMesh Load(ReadOnlySpan<byte> bytes) => new NavMesh(Interop.Make(bytes, Native.wayfare_mesh_load));

        /// <summary>Reads a file of any kind that is known: this library's, Detour's, <c>.mesh</c>, <c>.map</c>.</summary>
        public static NavMesh Load(string file)
        {
            if (file == null) throw new ArgumentNullException(nameof(file));
            return FromBytes(System.IO.File.ReadAllBytes(file));
        }

        /// <summary>The same from the bytes of such a file, which say what kind it is.</summary>
        public static NavMesh FromBytes(ReadOnlySpan<byte> bytes) => new NavMesh(Interop.Make(bytes, Native.wayfare_mesh_from_file));

        /// <summary>Loads a mesh of Detour: the file that its demo writes, with references of 32 or 64 bits.</summary>
        public static NavMesh FromDetour(ReadOnlySpan<byte> bytes) => new NavMesh(Interop.Make(bytes, Native.wayfare_mesh_from_detour));

        /// <summary>
        /// A mesh from outlines on a plane at a height: the inside of an odd number of them can be walked on, so that an
        /// outline in another is a hole.
        /// </summary>
        public static NavMesh FromOutlines(IEnumerable<Vec2[]> outlines, float y = 0)
        {
            if (outlines == null) throw new ArgumentNullException(nameof(outlines));
            var points = new List<Vec2>();
            var counts = new List<uint>();
            foreach (Vec2[] outline in outlines)
            {
                points.AddRange(outline);
                counts.Add((uint)outline.Length);
            }
            fixed (Vec2* corners = points.ToArray())
            fixed (uint* lengths = counts.ToArray())
            {
                ulong id;
                Interop.Check(Native.wayfare_mesh_from_outlines(corners, (UIntPtr)points.Count, lengths, (UIntPtr)counts.Count, y, &id));
                return new NavMesh(id);
            }
        }

        /// <summary>
        /// A mesh of one tile from polygons of another source: convex, counter-clockwise seen from above; those that share two
        /// corners are neighbours.
        /// </summary>
        public static NavMesh FromPolygons(PolygonSoup polygons)
        {
            if (polygons == null) throw new ArgumentNullException(nameof(polygons));
            var corners = new List<uint>();
            var counts = new ushort[polygons.Polygons.Count];
            for (int i = 0; i < counts.Length; i++)
            {
                counts[i] = checked((ushort)polygons.Polygons[i].Length);
                foreach (int corner in polygons.Polygons[i]) corners.Add(unchecked((uint)corner));
            }
            ulong id;
            fixed (Vec3* verts = polygons.Verts)
            fixed (uint* indices = corners.ToArray())
            fixed (ushort* lengths = counts)
            fixed (byte* areas = polygons.Areas)
            fixed (ushort* flags = polygons.Flags)
            {
                if (areas != null) Interop.SameLength(counts.Length, polygons.Areas.Length, nameof(polygons));
                if (flags != null) Interop.SameLength(counts.Length, polygons.Flags.Length, nameof(polygons));
                PolygonsData data;
                data.Verts = verts;
                data.VertCount = (UIntPtr)(polygons.Verts == null ? 0 : polygons.Verts.Length);
                data.Corners = indices;
                data.CornerCount = (UIntPtr)corners.Count;
                data.Counts = lengths;
                data.PolyCount = (UIntPtr)counts.Length;
                data.Areas = areas;
                data.Flags = flags;
                data.AgentHeight = polygons.AgentHeight;
                data.AgentRadius = polygons.AgentRadius;
                data.AgentClimb = polygons.AgentClimb;
                data.UserId = polygons.UserId;
                Interop.Check(Native.wayfare_mesh_from_polygons(&data, &id));
            }
            return new NavMesh(id);
        }

        /// <summary>A copy, which shares all that does not change: to be edited while others read.</summary>
        public NavMesh Copy() => new NavMesh(Interop.Make(made => Native.wayfare_mesh_copy(this, made)));

        /// <summary>The mesh in this library's format.</summary>
        public byte[] Save() => Interop.Bytes(made => Native.wayfare_mesh_save(this, made));

        /// <summary>The mesh as Detour reads it, with references of 32 or 64 <c>bits</c>.</summary>
        public byte[] ToDetour(int bits = 64)
        {
            uint width = Interop.Count(bits, nameof(bits));
            return Interop.Bytes(made => Native.wayfare_mesh_to_detour(this, width, made));
        }

        /// <summary>The surface as an OBJ file.</summary>
        public string ToObj() => Encoding.UTF8.GetString(Interop.Bytes(made => Native.wayfare_mesh_to_obj(this, made)));

        /// <summary>A text that names the content: meshes of the same content have the same, on every machine.</summary>
        public string Digest => Interop.Text((text, room, length) => Native.wayfare_mesh_digest(this, text, room, length));

        /// <summary>Counts, bounds and memory.</summary>
        public MeshSize Size
        {
            get
            {
                MeshSize size;
                Call.Check(Native.wayfare_mesh_size(this, &size));
                return size;
            }
        }

        /// <summary>A number of the user, which is saved with the mesh.</summary>
        public ulong UserId
        {
            get => Size.UserId;
            set => Call.Check(Native.wayfare_mesh_set_user_id(this, value));
        }

        /// <summary>Checks the whole mesh: what is wrong with it, nothing for a sound one.</summary>
        public Violation[] FindViolations() =>
            Interop.List<Violation>((list, room, count) => Native.wayfare_mesh_check(this, (Violation*)list, room, count));

        /// <summary>The same in words, a line for each fault.</summary>
        public string DescribeViolations() =>
            Interop.Text((text, room, length) => Native.wayfare_mesh_check_text(this, text, room, length));

        /// <summary>The path between two points in one call: the shortest in any direction. Whoever asks often keeps a query.</summary>
        public Route FindPath(Vec3 from, Vec3 to)
        {
            uint status = 0;
            uint* at = &status;
            Vec3[] points = Interop.List<Vec3>(
                (list, room, count) => Native.wayfare_find_path(this, from, to, (Vec3*)list, room, count, at), this);
            return new Route((PathStatus)status, points);
        }

        /// <summary>Names an area type, and says what a metre of it costs: filters made without one use it.</summary>
        public void SetArea(uint area, string name, float cost)
        {
            fixed (byte* text = Interop.Utf8(name, nameof(name))) Call.Check(Native.wayfare_mesh_set_area(this, area, text, cost));
        }

        /// <summary>The name and cost of an area type: an empty name and 1 where nobody said.</summary>
        public (string name, float cost) Area(uint area)
        {
            float cost;
            float* at = &cost;
            string name = Interop.Text((text, room, length) => Native.wayfare_mesh_area(this, area, at, text, room, length));
            return (name, cost);
        }

        /// <summary>Gives all polygons of an area type these flags, now and in tiles to come.</summary>
        public void SetAreaFlags(uint area, uint flags) => Call.Check(Native.wayfare_mesh_set_area_flags(this, area, flags));

        /// <summary>Takes that rule away: tiles to come keep their own flags.</summary>
        public void ClearAreaFlags(uint area) => Call.Check(Native.wayfare_mesh_clear_area_flags(this, area));

        /// <summary>Surfaces that lie inside closed bodies of the level that the mesh was baked from, one place for each.</summary>
        public Place[] HollowSurfaces(Level level, float agentHeight) => Interop.List<Place>(
            (list, room, count) => Native.wayfare_mesh_hollow_surfaces(this, level, agentHeight, (Place*)list, room, count));

        /// <summary>Adds an off-mesh connection, and gives what names it; polygons are named the same way.</summary>
        public PolyRef AddConnection(Connection connection)
        {
            ulong reference;
            Call.Check(Native.wayfare_mesh_add_connection(this, &connection, &reference));
            return new PolyRef(reference);
        }

        /// <summary>Removes an off-mesh connection.</summary>
        public void RemoveConnection(PolyRef connection) => Call.Check(Native.wayfare_mesh_remove_connection(this, connection.Bits));

        /// <summary>All off-mesh connections.</summary>
        public PolyRef[] Connections =>
            Interop.List<PolyRef>((list, room, count) => Native.wayfare_mesh_connections(this, (ulong*)list, room, count));

        /// <summary>An off-mesh connection.</summary>
        public Connection Connection(PolyRef connection)
        {
            Connection found;
            uint linked;
            Call.Check(Native.wayfare_mesh_connection(this, connection.Bits, &found, &linked));
            return found;
        }

        /// <summary>Whether both ends of an off-mesh connection are on the mesh now.</summary>
        public bool IsLinked(PolyRef connection)
        {
            Connection found;
            uint linked;
            Call.Check(Native.wayfare_mesh_connection(this, connection.Bits, &found, &linked));
            return linked != 0;
        }

        internal override Status Free(ulong id) => Native.wayfare_mesh_free(id);
    }

    /// <summary>Polygons of another source, for <see cref="NavMesh.FromPolygons"/>.</summary>
    public sealed class PolygonSoup
    {
        /// <summary>The corners of all.</summary>
        public Vec3[] Verts { get; set; } = new Vec3[0];

        /// <summary>The polygons, each by the indices of its corners.</summary>
        public IReadOnlyList<int[]> Polygons { get; set; } = new int[0][];

        /// <summary>Area types, one for each polygon; null for plain ground.</summary>
        public byte[] Areas { get; set; }

        /// <summary>Flags, one for each polygon; null for 1, walking.</summary>
        public ushort[] Flags { get; set; }

        /// <summary>Height of the agents that the polygons are for. Default 2.</summary>
        public float AgentHeight { get; set; } = 2;

        /// <summary>Their radius. Default 0.6.</summary>
        public float AgentRadius { get; set; } = 0.6f;

        /// <summary>Their climb. Default 0.9.</summary>
        public float AgentClimb { get; set; } = 0.9f;

        /// <summary>A number of the user.</summary>
        public uint UserId { get; set; }
    }
}
