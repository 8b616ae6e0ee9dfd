using System;

namespace Wayfare
{
    /// <summary>
    /// A volume in a level or an obstacle, and what it does to the surface inside it: it blocks it, unless
    /// <see cref="Painting"/> gives it an area type.
    /// </summary>
    public sealed unsafe class Volume
    {
        private VolumeData data;
        private readonly Vec2[] outline = new Vec2[0];
        private readonly Vec3[] points = new Vec3[0];
        private readonly Level mesh;

        private Volume(VolumeShape shape, Vec2[] outline = null, Vec3[] points = null, Level mesh = null)
        {
            data = default(VolumeData);
            data.Shape = shape;
            this.outline = outline ?? this.outline;
            this.points = points ?? this.points;
            this.mesh = mesh;
        }

        /// <summary>A box, turned around the vertical by <c>angle</c> radians.</summary>
        public static Volume Box(Vec3 center, Vec3 halfExtents, float angle = 0)
        {
            var made = new Volume(angle == 0 ? VolumeShape.Box : VolumeShape.TurnedBox);
            made.data.Center = center;
            made.data.HalfExtents = halfExtents;
            made.data.Angle = angle;
            return made;
        }

        /// <summary>A cylinder that stands on <c>foot</c>.</summary>
        public static Volume Cylinder(Vec3 foot, float radius, float height) => Round(VolumeShape.Cylinder, foot, radius, height);

        /// <summary>A capsule that stands on <c>foot</c>.</summary>
        public static Volume Capsule(Vec3 foot, float radius, float height) => Round(VolumeShape.Capsule, foot, radius, height);

        /// <summary>An outline on the plane, between two heights. The outline is copied.</summary>
        public static Volume Prism(ReadOnlySpan<Vec2> outline, float low, float high)
        {
            var made = new Volume(VolumeShape.Prism, outline: outline.ToArray());
            made.data.Low = low;
            made.data.High = high;
            return made;
        }

        /// <summary>The convex hull of points, which are copied.</summary>
        public static Volume Hull(ReadOnlySpan<Vec3> points) => new Volume(VolumeShape.Hull, points: points.ToArray());

        /// <summary>The inside of a closed mesh: the triangles of a level, moved by <c>offset</c>.</summary>
        public static Volume Solid(Level mesh, Vec3 offset = default(Vec3))
        {
            if (mesh == null) throw new ArgumentNullException(nameof(mesh));
            var made = new Volume(VolumeShape.Mesh, mesh: mesh);
            made.data.Center = offset;
            return made;
        }

        /// <summary>
        /// The same volume, which gives the surface inside it an area type and blocks nothing. It does so after erosion, and
        /// changes exactly the surface inside, as pools and roads do; or before it.
        /// </summary>
        public Volume Painting(uint area, bool afterErosion = true)
        {
            var made = new Volume(data.Shape, outline, points, mesh);
            made.data = data;
            made.data.Area = area;
            made.data.AfterErosion = afterErosion ? 1u : 0u;
            return made;
        }

        private static Volume Round(VolumeShape shape, Vec3 foot, float radius, float height)
        {
            var made = new Volume(shape);
            made.data.Center = foot;
            made.data.Radius = radius;
            made.data.Height = height;
            return made;
        }

        internal delegate Status Call(VolumeData* volume);

        internal static void Use(Volume volume, Call call)
        {
            if (volume == null) throw new ArgumentNullException(nameof(volume));
            VolumeData data = volume.data;
            fixed (Vec2* outline = volume.outline)
            fixed (Vec3* points = volume.points)
            {
                data.Outline = outline;
                data.OutlineCount = (UIntPtr)volume.outline.Length;
                data.Points = points;
                data.PointCount = (UIntPtr)volume.points.Length;
                data.Mesh = volume.mesh == null ? 0 : volume.mesh.Id;
                Interop.Check(call(&data));
            }
            GC.KeepAlive(volume);
        }
    }
}
