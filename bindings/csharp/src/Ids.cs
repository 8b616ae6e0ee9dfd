using System;
using System.Globalization;

namespace Wayfare
{
    /// <summary>A polygon of a mesh, or an off-mesh connection. It holds while its tile is in the mesh: afterwards it is stale, which is seen, and never another polygon.</summary>
    public readonly struct PolyRef : IEquatable<PolyRef>, IComparable<PolyRef>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public PolyRef(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(PolyRef other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is PolyRef && Equals((PolyRef)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(PolyRef other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(PolyRef a, PolyRef b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(PolyRef a, PolyRef b) => a.Bits != b.Bits;

        /// <summary>It as text, such as <c>s1:t0:p5</c>.</summary>
        public override unsafe string ToString()
        {
            ulong bits = Bits;
            return IsNone ? "none" : Interop.Text((text, capacity, length) => Native.wayfare_poly_to_text(bits, text, capacity, length));
        }

        /// <summary>It from its text.</summary>
        public static unsafe PolyRef Parse(string text)
        {
            ulong bits;
            fixed (byte* from = Interop.Utf8(text, nameof(text))) Interop.Check(Native.wayfare_poly_from_text(from, &bits));
            return new PolyRef(bits);
        }
    }

    /// <summary>A tile of a mesh. It holds while the tile is in the mesh.</summary>
    public readonly struct TileRef : IEquatable<TileRef>, IComparable<TileRef>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public TileRef(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(TileRef other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is TileRef && Equals((TileRef)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(TileRef other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(TileRef a, TileRef b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(TileRef a, TileRef b) => a.Bits != b.Bits;

        /// <summary>It as text, such as <c>s1:t0</c>.</summary>
        public override unsafe string ToString()
        {
            ulong bits = Bits;
            return IsNone ? "none" : Interop.Text((text, capacity, length) => Native.wayfare_tile_to_text(bits, text, capacity, length));
        }

        /// <summary>It from its text.</summary>
        public static unsafe TileRef Parse(string text)
        {
            ulong bits;
            fixed (byte* from = Interop.Utf8(text, nameof(text))) Interop.Check(Native.wayfare_tile_from_text(from, &bits));
            return new TileRef(bits);
        }
    }

    /// <summary>An agent of a crowd.</summary>
    public readonly struct AgentId : IEquatable<AgentId>, IComparable<AgentId>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public AgentId(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(AgentId other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is AgentId && Equals((AgentId)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(AgentId other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(AgentId a, AgentId b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(AgentId a, AgentId b) => a.Bits != b.Bits;

        /// <summary>It as a number.</summary>
        public override string ToString() => IsNone ? "none" : Bits.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>An obstacle.</summary>
    public readonly struct ObstacleRef : IEquatable<ObstacleRef>, IComparable<ObstacleRef>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public ObstacleRef(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(ObstacleRef other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is ObstacleRef && Equals((ObstacleRef)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(ObstacleRef other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(ObstacleRef a, ObstacleRef b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(ObstacleRef a, ObstacleRef b) => a.Bits != b.Bits;

        /// <summary>It as a number.</summary>
        public override string ToString() => IsNone ? "none" : Bits.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>An object that was placed in a level.</summary>
    public readonly struct ObjectRef : IEquatable<ObjectRef>, IComparable<ObjectRef>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public ObjectRef(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(ObjectRef other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is ObjectRef && Equals((ObjectRef)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(ObjectRef other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(ObjectRef a, ObjectRef b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(ObjectRef a, ObjectRef b) => a.Bits != b.Bits;

        /// <summary>It as a number.</summary>
        public override string ToString() => IsNone ? "none" : Bits.ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>A request for a path.</summary>
    public readonly struct RequestId : IEquatable<RequestId>, IComparable<RequestId>
    {
        /// <summary>What <see cref="Bits"/> gave.</summary>
        public RequestId(ulong bits)
        {
            Bits = bits;
        }

        /// <summary>It as a number, to be stored; 0 for none.</summary>
        public readonly ulong Bits;

        /// <summary>Whether it stands for nothing.</summary>
        public bool IsNone => Bits == 0;

        /// <summary>Whether both are the same.</summary>
        public bool Equals(RequestId other) => Bits == other.Bits;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is RequestId && Equals((RequestId)other);

        /// <inheritdoc/>
        public override int GetHashCode() => Bits.GetHashCode();

        /// <summary>Their order, which is always the same and means nothing.</summary>
        public int CompareTo(RequestId other) => Bits.CompareTo(other.Bits);

        /// <summary>Whether both are the same.</summary>
        public static bool operator ==(RequestId a, RequestId b) => a.Bits == b.Bits;

        /// <summary>Whether they differ.</summary>
        public static bool operator !=(RequestId a, RequestId b) => a.Bits != b.Bits;

        /// <summary>It as a number.</summary>
        public override string ToString() => IsNone ? "none" : Bits.ToString(CultureInfo.InvariantCulture);
    }
}
