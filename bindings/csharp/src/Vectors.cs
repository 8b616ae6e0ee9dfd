using System;
using System.Globalization;

namespace Wayfare
{
    /// <content>Arithmetic.</content>
    public partial struct Vec3 : IEquatable<Vec3>
    {
        /// <summary>A point or direction.</summary>
        public Vec3(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        /// <summary>The origin.</summary>
        public static Vec3 Zero => default(Vec3);

        /// <summary>Its length.</summary>
        public float Length => (float)Math.Sqrt(X * X + Y * Y + Z * Z);

        /// <summary>The distance between two points.</summary>
        public static float Distance(Vec3 a, Vec3 b) => (b - a).Length;

        /// <summary>Their sum.</summary>
        public static Vec3 operator +(Vec3 a, Vec3 b) => new Vec3(a.X + b.X, a.Y + b.Y, a.Z + b.Z);

        /// <summary>Their difference.</summary>
        public static Vec3 operator -(Vec3 a, Vec3 b) => new Vec3(a.X - b.X, a.Y - b.Y, a.Z - b.Z);

        /// <summary>The product with a number.</summary>
        public static Vec3 operator *(Vec3 a, float factor) => new Vec3(a.X * factor, a.Y * factor, a.Z * factor);

        /// <summary>The product with a number.</summary>
        public static Vec3 operator *(float factor, Vec3 a) => a * factor;

        /// <summary>Whether all parts are equal.</summary>
        public static bool operator ==(Vec3 a, Vec3 b) => a.Equals(b);

        /// <summary>Whether any part differs.</summary>
        public static bool operator !=(Vec3 a, Vec3 b) => !a.Equals(b);

        /// <summary>The vector of <c>System.Numerics</c>.</summary>
        public static implicit operator System.Numerics.Vector3(Vec3 a) => new System.Numerics.Vector3(a.X, a.Y, a.Z);

        /// <summary>From a vector of <c>System.Numerics</c>.</summary>
        public static implicit operator Vec3(System.Numerics.Vector3 a) => new Vec3(a.X, a.Y, a.Z);

        /// <summary>Whether all parts are equal.</summary>
        public bool Equals(Vec3 other) => X == other.X && Y == other.Y && Z == other.Z;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is Vec3 && Equals((Vec3)other);

        /// <inheritdoc/>
        public override int GetHashCode() => (X.GetHashCode() * 397 ^ Y.GetHashCode()) * 397 ^ Z.GetHashCode();

        /// <summary>Its parts, such as <c>(1, 0, 2.5)</c>.</summary>
        public override string ToString() => string.Format(CultureInfo.InvariantCulture, "({0}, {1}, {2})", X, Y, Z);
    }

    /// <content>Arithmetic.</content>
    public partial struct Vec2 : IEquatable<Vec2>
    {
        /// <summary>A point on the xz-plane.</summary>
        public Vec2(float x, float z)
        {
            X = x;
            Z = z;
        }

        /// <summary>Whether both parts are equal.</summary>
        public static bool operator ==(Vec2 a, Vec2 b) => a.Equals(b);

        /// <summary>Whether a part differs.</summary>
        public static bool operator !=(Vec2 a, Vec2 b) => !a.Equals(b);

        /// <summary>Whether both parts are equal.</summary>
        public bool Equals(Vec2 other) => X == other.X && Z == other.Z;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is Vec2 && Equals((Vec2)other);

        /// <inheritdoc/>
        public override int GetHashCode() => X.GetHashCode() * 397 ^ Z.GetHashCode();

        /// <summary>Its parts, such as <c>(1, 2.5)</c>.</summary>
        public override string ToString() => string.Format(CultureInfo.InvariantCulture, "({0}, {1})", X, Z);
    }

    /// <content>Constructors.</content>
    public partial struct Box
    {
        /// <summary>A box from its low to its high corner.</summary>
        public Box(Vec3 min, Vec3 max)
        {
            Min = min;
            Max = max;
        }
    }

    /// <content>Constructors and conversions.</content>
    public partial struct Place
    {
        /// <summary>A place whose polygon is known from an earlier answer.</summary>
        public Place(PolyRef poly, Vec3 point)
        {
            Poly = poly;
            Point = point;
        }

        /// <summary>A point that is looked up on the mesh: wherever a place is asked for, a point will do.</summary>
        public static implicit operator Place(Vec3 point) => new Place(default(PolyRef), point);

        /// <summary>Its polygon and its point.</summary>
        public override string ToString() => Poly + " at " + Point;
    }

    /// <content>In words.</content>
    public partial struct PathPoint
    {
        /// <summary>Its point and its kind.</summary>
        public override string ToString() => Point + " " + Kind;
    }

    /// <content>Constructors.</content>
    public partial struct PathEnds
    {
        /// <summary>From where to where.</summary>
        public PathEnds(Place from, Place to)
        {
            From = from;
            To = to;
        }
    }

    /// <content>Constructors.</content>
    public partial struct TileCoord
    {
        /// <summary>A column and row.</summary>
        public TileCoord(int x, int z, uint layer = 0)
        {
            X = x;
            Z = z;
            Layer = layer;
        }
    }

    /// <content>Constructors.</content>
    public partial struct Cell : IEquatable<Cell>
    {
        /// <summary>A block of a world.</summary>
        public Cell(int x, int y, int z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        /// <summary>Whether both are the same block.</summary>
        public bool Equals(Cell other) => X == other.X && Y == other.Y && Z == other.Z;

        /// <inheritdoc/>
        public override bool Equals(object other) => other is Cell && Equals((Cell)other);

        /// <inheritdoc/>
        public override int GetHashCode() => (X * 397 ^ Y) * 397 ^ Z;
    }

    /// <content>Constructors.</content>
    public partial struct BlockBox
    {
        /// <summary>The blocks between two corners, both included.</summary>
        public BlockBox(Cell min, Cell max)
        {
            Min = min;
            Max = max;
        }

        /// <summary>One block.</summary>
        public static implicit operator BlockBox(Cell cell) => new BlockBox(cell, cell);
    }

    /// <content>Constructors.</content>
    public partial struct Wall
    {
        /// <summary>A stretch of wall.</summary>
        public Wall(Vec3 start, Vec3 end)
        {
            Start = start;
            End = end;
        }
    }

    /// <content>Constructors.</content>
    public partial struct FlatWall
    {
        /// <summary>A wall on the plane; free is to the left of the line from <c>a</c> to <c>b</c>.</summary>
        public FlatWall(Vec2 a, Vec2 b)
        {
            A = a;
            B = b;
        }
    }
}
