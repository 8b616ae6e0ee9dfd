using System;

namespace Wayfare
{
    /// <summary>A level: all geometry that a bake is made from. Filled part by part, then baked as often as wanted.</summary>
    public sealed unsafe class Level : NativeObject
    {
        /// <summary>An empty level.</summary>
        public Level() => Own(Interop.Make(made => Native.wayfare_level_new(made)));

        internal Level(ulong id) => Own(id);

        internal static readonly Level None = new Level(0);

        /// <summary>
        /// Reads the level of another tool: <c>.obj</c>, <c>.gltf</c>, <c>.glb</c>, <c>.stl</c>, <c>.ply</c>, <c>.gset</c>,
        /// a height map, and others. Files that it names are looked for in its folder.
        /// </summary>
        public static Level Load(string file)
        {
            if (file == null) throw new ArgumentNullException(nameof(file));
            byte[] bytes = System.IO.File.ReadAllBytes(file);
            return FromBytes(System.IO.Path.GetFileName(file), bytes, System.IO.Path.GetDirectoryName(System.IO.Path.GetFullPath(file)));
        }

        /// <summary>
        /// The same from bytes; the name tells the kind. Files that it names are looked for in <c>folder</c>; null forbids it
        /// to name any.
        /// </summary>
        public static Level FromBytes(string name, ReadOnlySpan<byte> bytes, string folder = null)
        {
            ulong id;
            fixed (byte* text = Interop.Utf8(name, nameof(name)))
            fixed (byte* from = bytes)
            fixed (byte* at = folder == null ? null : Interop.Utf8(folder, nameof(folder)))
            {
                Interop.Check(Native.wayfare_level_from_file(text, from, (UIntPtr)bytes.Length, at, &id));
            }
            return new Level(id);
        }

        /// <summary>
        /// Adds triangles: three indices for each, counter-clockwise seen from above, and an area type for each or none at
        /// all, for plain ground. Those that cannot be used are left out: <see cref="Report"/> counts them. With a frame they
        /// are turned from another engine's axes and unit.
        /// </summary>
        public void AddTriangles(
            ReadOnlySpan<Vec3> verts, ReadOnlySpan<int> indices, ReadOnlySpan<byte> areas = default(ReadOnlySpan<byte>), Frame? frame = null)
        {
            foreach (int index in indices)
            {
                if (index < 0) throw new ArgumentException("an index is " + index + ", but must be 0 or above", nameof(indices));
            }
            fixed (Vec3* corners = verts)
            fixed (int* triangles = indices)
            fixed (byte* types = areas)
            {
                TrianglesData data;
                data.Verts = corners;
                data.VertCount = (UIntPtr)verts.Length;
                data.Indices = (uint*)triangles;
                data.IndexCount = (UIntPtr)indices.Length;
                data.Areas = types;
                data.AreaCount = (UIntPtr)areas.Length;
                if (frame.HasValue) Call.Check(Native.wayfare_level_add_triangles_in(this, frame.Value, &data));
                else Call.Check(Native.wayfare_level_add_triangles(this, &data));
            }
        }

        /// <summary>
        /// The level as a terrain of samples, <c>columns</c> in a row, <c>spacing</c> metres apart, each of <c>step</c> metres
        /// a unit, with the first at <c>origin</c>.
        /// </summary>
        public void SetHeights(int columns, int rows, ReadOnlySpan<ushort> samples, double spacing, double step, Vec3 origin = default(Vec3), uint area = 63)
        {
            fixed (ushort* heights = samples)
            {
                HeightsData data;
                data.Columns = Interop.Count(columns, nameof(columns));
                data.Rows = Interop.Count(rows, nameof(rows));
                data.Samples = heights;
                data.SampleCount = (UIntPtr)samples.Length;
                data.Origin = origin;
                data.Area = area;
                data.Spacing = spacing;
                data.Step = step;
                Call.Check(Native.wayfare_level_set_heights(this, &data));
            }
        }

        /// <summary>Adds a volume that blocks or paints the surface inside it.</summary>
        public void AddVolume(Volume volume) => Volume.Use(volume, data => Native.wayfare_level_add_volume(this, data));

        /// <summary>Removes all volumes.</summary>
        public void ClearVolumes() => Call.Check(Native.wayfare_level_clear_volumes(this));

        /// <summary>
        /// Turns all triangles that it has, such as those of a file, from the axes and unit of another engine into this
        /// library's. Only triangles can be turned: it throws if there is anything else. Triangles that one has are turned as
        /// they are added, by <see cref="AddTriangles"/>; points of volumes by <see cref="Frame.PointIn"/>.
        /// </summary>
        public void InFrame(Frame frame) => Call.Check(Native.wayfare_level_in_frame(this, frame));

        /// <summary>What was taken of all triangles, and what was left out.</summary>
        public LevelReport Report
        {
            get
            {
                LevelReport report;
                Call.Check(Native.wayfare_level_report(this, &report));
                return report;
            }
        }

        /// <summary>The off-mesh connections that the level's file named.</summary>
        public Connection[] Connections =>
            Interop.List<Connection>((list, room, count) => Native.wayfare_level_connections(this, (Connection*)list, room, count));

        /// <summary>Which points lie inside closed bodies, where no agent can be.</summary>
        public bool[] AreInsideBodies(ReadOnlySpan<Vec3> points)
        {
            var inside = new byte[points.Length];
            fixed (Vec3* at = points)
            fixed (byte* answers = inside)
            {
                Call.Check(Native.wayfare_level_inside_bodies(this, at, (UIntPtr)points.Length, answers));
            }
            return Array.ConvertAll(inside, one => one != 0);
        }

        internal override Status Free(ulong id) => Native.wayfare_level_free(id);
    }
}
