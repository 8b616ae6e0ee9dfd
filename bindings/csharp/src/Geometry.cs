using System;

namespace Wayfare
{
    /// <summary>Convex hulls.</summary>
    public static unsafe class ConvexHull
    {
        /// <summary>The corners of the hull of points on the plane, as indices, counter-clockwise seen from above with z down.</summary>
        public static int[] Of(ReadOnlySpan<Vec2> points)
        {
            fixed (Vec2* pinned = points)
            {
                Vec2* at = pinned;
                var many = (UIntPtr)points.Length;
                return Interop.List<int>((list, room, count) => Native.wayfare_convex_hull(at, many, (uint*)list, room, count));
            }
        }

        /// <summary>The triangles of the hull of points in space, as indices, three for each.</summary>
        public static int[] Of(ReadOnlySpan<Vec3> points)
        {
            fixed (Vec3* pinned = points)
            {
                Vec3* at = pinned;
                var many = (UIntPtr)points.Length;
                return Interop.List<int>((list, room, count) => Native.wayfare_convex_hull3(at, many, (uint*)list, room, count), null, 192);
            }
        }
    }

    /// <content>The axes and units of known engines.</content>
    public unsafe partial struct Frame
    {
        /// <summary>Unity: y up, left-handed, metres.</summary>
        public static Frame Unity => new Frame { LeftHanded = true, Unit = 1 };

        /// <summary>Unreal: z up, left-handed, centimetres.</summary>
        public static Frame Unreal => new Frame { ZUp = true, LeftHanded = true, Unit = 0.01 };

        /// <summary>Godot: as this library.</summary>
        public static Frame Godot => new Frame { Unit = 1 };

        /// <summary>Blender: z up, right-handed, metres.</summary>
        public static Frame Blender => new Frame { ZUp = true, Unit = 1 };

        /// <summary>Turns points of the other engine into this library's, in their place.</summary>
        public void PointsIn(Span<Vec3> points)
        {
            fixed (Vec3* at = points) Interop.Check(Native.wayfare_frame_points_in(this, at, (UIntPtr)points.Length));
        }

        /// <summary>Turns points of this library into the other engine's, in their place.</summary>
        public void PointsOut(Span<Vec3> points)
        {
            fixed (Vec3* at = points) Interop.Check(Native.wayfare_frame_points_out(this, at, (UIntPtr)points.Length));
        }

        /// <summary>One point of the other engine as this library's.</summary>
        public Vec3 PointIn(Vec3 point)
        {
            Interop.Check(Native.wayfare_frame_points_in(this, &point, (UIntPtr)1));
            return point;
        }

        /// <summary>One point of this library as the other engine's.</summary>
        public Vec3 PointOut(Vec3 point)
        {
            Interop.Check(Native.wayfare_frame_points_out(this, &point, (UIntPtr)1));
            return point;
        }
    }

    /// <content>Connections that agents use.</content>
    public partial struct Connection
    {
        /// <summary>
        /// A connection of plain ground that filters pass. One that is filled field by field needs an <see cref="Area"/> and
        /// <see cref="Flags"/> too: 63 and 1 are usual.
        /// </summary>
        public Connection(Vec3 start, Vec3 end, float radius = 0.6f, bool twoWay = true) : this()
        {
            Start = start;
            End = end;
            Radius = radius;
            TwoWay = twoWay;
            Area = 63;
            Flags = 1;
        }
    }
}
