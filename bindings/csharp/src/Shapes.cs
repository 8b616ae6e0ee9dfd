using System;
using System.Text;

namespace Wayfare
{
    /// <summary>Shapes to be drawn: pictures of them, or the shapes themselves for a renderer of one's own.</summary>
    public sealed unsafe class Shapes : NativeObject
    {
        /// <summary>No shapes.</summary>
        public Shapes() => Own(Interop.Make(made => Native.wayfare_shapes_new(made)));

        /// <summary>Adds a mesh.</summary>
        public Shapes Add(NavMesh mesh)
        {
            Call.Check(Native.wayfare_shapes_add_mesh(this, mesh));
            return this;
        }

        /// <summary>Adds a path, in a colour of its own.</summary>
        public Shapes AddPath(ReadOnlySpan<Vec3> path)
        {
            fixed (Vec3* at = path) Call.Check(Native.wayfare_shapes_add_path(this, at, (UIntPtr)path.Length));
            return this;
        }

        /// <summary>Adds the cells of an overlay.</summary>
        public Shapes Add(CostOverlay overlay)
        {
            Call.Check(Native.wayfare_shapes_add_overlay(this, overlay));
            return this;
        }

        /// <summary>All shapes, in the order in which they were added.</summary>
        public DrawnShape[] List =>
            Interop.List<DrawnShape>((list, room, count) => Native.wayfare_shapes_list(this, (DrawnShape*)list, room, count), null, Interop.Many);

        /// <summary>The text of a label, by its index in <see cref="List"/>; of other shapes an empty one.</summary>
        public string Label(int shape)
        {
            UIntPtr index = Interop.Size(shape, nameof(shape));
            return Interop.Text((text, room, length) => Native.wayfare_shapes_label(this, index, text, room, length));
        }

        /// <summary>The points of all shapes, one shape after the other.</summary>
        public Vec3[] Points =>
            Interop.List<Vec3>((list, room, count) => Native.wayfare_shapes_points(this, (Vec3*)list, room, count), null, 4096);

        /// <summary>A picture from above as SVG, <c>size</c> pixels along the longer side.</summary>
        public string ToSvg(int size = 1024) => Encoding.UTF8.GetString(Picture(size, 0));

        /// <summary>The same as PNG.</summary>
        public byte[] ToPng(int size = 1024) => Picture(size, 1);

        private byte[] Picture(int size, uint png)
        {
            uint pixels = Interop.Count(size, nameof(size));
            return Interop.Bytes(made => Native.wayfare_shapes_picture(this, pixels, png, made));
        }

        internal override Status Free(ulong id) => Native.wayfare_shapes_free(id);
    }
}
