using System;

namespace Wayfare
{
    /// <content>Tiles, polygons, and what changes in them.</content>
    public sealed unsafe partial class NavMesh
    {
        /// <summary>All tiles, in the order of their slots.</summary>
        public TileInfo[] Tiles =>
            Interop.List<TileInfo>((list, room, count) => Native.wayfare_mesh_tiles(this, (TileInfo*)list, room, count), null, Interop.Many);

        /// <summary>The tile at a column, row and layer; none if there is none.</summary>
        public TileRef TileAt(TileCoord coord)
        {
            ulong tile;
            Call.Check(Native.wayfare_mesh_tile_at(this, coord, &tile));
            return new TileRef(tile);
        }

        /// <summary>The column and row of a point.</summary>
        public TileCoord TileOfPoint(Vec3 at)
        {
            TileCoord coord;
            Call.Check(Native.wayfare_mesh_tile_of_point(this, at, &coord));
            return coord;
        }

        /// <summary>A tile as bytes: to be kept, sent, and put into a mesh of the same layout.</summary>
        public byte[] TileBytes(TileRef tile) => Interop.Bytes(made => Native.wayfare_mesh_tile_bytes(this, tile.Bits, made));

        /// <summary>An empty mesh with the layout of this one, to put tiles into.</summary>
        public NavMesh EmptyLike() => new NavMesh(Interop.Make(made => Native.wayfare_mesh_empty_like(this, made)));

        /// <summary>Puts a tile into the mesh, at the place that it says.</summary>
        public TileRef AddTile(ReadOnlySpan<byte> bytes)
        {
            ulong tile;
            fixed (byte* from = bytes) Call.Check(Native.wayfare_mesh_add_tile(this, from, (UIntPtr)bytes.Length, &tile));
            return new TileRef(tile);
        }

        /// <summary>Puts a tile in the place of another.</summary>
        public TileRef ReplaceTile(TileRef old, ReadOnlySpan<byte> bytes)
        {
            ulong tile;
            fixed (byte* from = bytes) Call.Check(Native.wayfare_mesh_replace_tile(this, old.Bits, from, (UIntPtr)bytes.Length, &tile));
            return new TileRef(tile);
        }

        /// <summary>Removes a tile.</summary>
        public void RemoveTile(TileRef tile) => Call.Check(Native.wayfare_mesh_remove_tile(this, tile.Bits));

        /// <summary>The polygons of a tile.</summary>
        public PolyRef[] PolygonsOf(TileRef tile) => Interop.List<PolyRef>(
            (list, room, count) => Native.wayfare_mesh_tile_polygons(this, tile.Bits, (ulong*)list, room, count), null, Interop.Many);

        /// <summary>A polygon's area, flags and middle.</summary>
        public Polygon Polygon(PolyRef poly)
        {
            Polygon polygon;
            Call.Check(Native.wayfare_mesh_polygon(this, poly.Bits, &polygon));
            return polygon;
        }

        /// <summary>Whether a polygon is still there.</summary>
        public bool IsValid(PolyRef poly)
        {
            uint valid;
            Call.Check(Native.wayfare_mesh_is_valid(this, poly.Bits, &valid));
            return valid != 0;
        }

        /// <summary>The corners of a polygon.</summary>
        public Vec3[] CornersOf(PolyRef poly) => Interop.List<Vec3>(
            (list, room, count) => Native.wayfare_mesh_polygon_corners(this, poly.Bits, (Vec3*)list, room, count));

        /// <summary>The portals of a polygon: its neighbours, and where they touch.</summary>
        public Portal[] PortalsOf(PolyRef poly) => Interop.List<Portal>(
            (list, room, count) => Native.wayfare_mesh_polygon_portals(this, poly.Bits, (Portal*)list, room, count));

        /// <summary>The portal between two polygons; null if they do not touch.</summary>
        public Portal? PortalBetween(PolyRef from, PolyRef to)
        {
            uint found;
            Portal portal;
            Call.Check(Native.wayfare_mesh_portal_between(this, from.Bits, to.Bits, &found, &portal));
            return found != 0 ? portal : (Portal?)null;
        }

        /// <summary>Changes the flags of a polygon or connection.</summary>
        public void SetFlags(PolyRef poly, uint flags) => Call.Check(Native.wayfare_mesh_set_poly_flags(this, poly.Bits, flags));

        /// <summary>Changes the area type of a polygon or connection.</summary>
        public void SetPolyArea(PolyRef poly, uint area) => Call.Check(Native.wayfare_mesh_set_poly_area(this, poly.Bits, area));

        /// <summary>The closest point on a polygon's surface.</summary>
        public Vec3 ClosestPoint(PolyRef poly, Vec3 at) => ClosestPoint(poly, at, out _);

        /// <summary>The closest point on a polygon's surface, and whether the point lies over it.</summary>
        public Vec3 ClosestPoint(PolyRef poly, Vec3 at, out bool isOver)
        {
            Vec3 closest;
            uint over;
            Call.Check(Native.wayfare_mesh_closest_point(this, poly.Bits, at, &closest, &over));
            isOver = over != 0;
            return closest;
        }

        /// <summary>The closest point on a polygon's boundary.</summary>
        public Vec3 ClosestOnBoundary(PolyRef poly, Vec3 at)
        {
            Vec3 closest;
            Call.Check(Native.wayfare_mesh_closest_on_boundary(this, poly.Bits, at, &closest));
            return closest;
        }

        /// <summary>The height of a polygon at a point; null if the point is not over it.</summary>
        public float? Height(PolyRef poly, Vec3 at)
        {
            uint found;
            float height;
            Call.Check(Native.wayfare_mesh_height(this, poly.Bits, at, &found, &height));
            return found != 0 ? height : (float?)null;
        }

        /// <summary>The surface as triangles, three points for each: of one tile, or of all.</summary>
        public Vec3[] Triangles(TileRef tile = default(TileRef)) => Interop.List<Vec3>(
            (list, room, count) => Native.wayfare_mesh_triangles(this, tile.Bits, (Vec3*)list, null, room, count), null, 3072);

        /// <summary>The same with the polygon of each triangle.</summary>
        public Vec3[] Triangles(TileRef tile, out PolyRef[] polygons)
        {
            Vec3[] points = Triangles(tile);
            polygons = new PolyRef[points.Length / 3];
            UIntPtr count;
            fixed (Vec3* at = points)
            fixed (PolyRef* of = polygons)
            {
                Call.Check(Native.wayfare_mesh_triangles(this, tile.Bits, at, (ulong*)of, (UIntPtr)points.Length, &count));
            }
            return points;
        }

        /// <summary>The flags and areas of a tile's polygons: what a saved game keeps of a tile that it can load.</summary>
        public byte[] SaveTileState(TileRef tile) => Interop.Bytes(made => Native.wayfare_mesh_save_tile_state(this, tile.Bits, made));

        /// <summary>Restores them.</summary>
        public void LoadTileState(TileRef tile, ReadOnlySpan<byte> bytes)
        {
            fixed (byte* from = bytes) Call.Check(Native.wayfare_mesh_load_tile_state(this, tile.Bits, from, (UIntPtr)bytes.Length));
        }

        /// <summary>The states of all polygons and connections that differ from the bake.</summary>
        public byte[] SaveDelta() => Interop.Bytes(made => Native.wayfare_mesh_save_delta(this, made));

        /// <summary>Restores them: all others are as they were baked.</summary>
        public void LoadDelta(ReadOnlySpan<byte> bytes)
        {
            fixed (byte* from = bytes) Call.Check(Native.wayfare_mesh_load_delta(this, from, (UIntPtr)bytes.Length));
        }

        /// <summary>The present moment, for <see cref="ChangesSince"/>.</summary>
        public MeshVersion Version => new MeshVersion(Interop.Make(made => Native.wayfare_mesh_version(this, made)));

        /// <summary>What has changed since a moment; null if that is too long ago to say: then anything may have.</summary>
        public MeshChange[] ChangesSince(MeshVersion version)
        {
            uint known = 0;
            uint* at = &known;
            MeshChange[] changes = Interop.List<MeshChange>(
                (list, room, count) => Native.wayfare_mesh_changes_since(this, version, at, (MeshChange*)list, room, count));
            return known != 0 ? changes : null;
        }

        /// <summary>Says that tiles will be replaced soon: paths over them are told so.</summary>
        public void Announce(ReadOnlySpan<TileRef> tiles)
        {
            fixed (TileRef* list = tiles) Call.Check(Native.wayfare_mesh_announce(this, (ulong*)list, (UIntPtr)tiles.Length));
        }

        /// <summary>Takes that back.</summary>
        public void Withdraw(ReadOnlySpan<TileRef> tiles)
        {
            fixed (TileRef* list = tiles) Call.Check(Native.wayfare_mesh_withdraw(this, (ulong*)list, (UIntPtr)tiles.Length));
        }

        /// <summary>
        /// Keeps up what is connected for filters with these flags, so that questions of reach are answered without a search.
        /// </summary>
        public void KeepComponents(uint include = 0xFFFF, uint exclude = 0) =>
            Call.Check(Native.wayfare_mesh_keep_components(this, include, exclude));

        /// <summary>
        /// The number of a polygon's component, and how many there are: polygons of the same one are connected, if one-way
        /// connections are walked both ways.
        /// </summary>
        public uint Component(PolyRef poly, out uint components)
        {
            uint component, all;
            Call.Check(Native.wayfare_mesh_component(this, poly.Bits, &component, &all));
            components = all;
            return component;
        }
    }

    /// <summary>A moment of a mesh.</summary>
    public sealed class MeshVersion : NativeObject
    {
        internal MeshVersion(ulong id) => Own(id);

        internal override Status Free(ulong id) => Native.wayfare_version_free(id);
    }

    /// <summary>A mesh that one thread publishes and others read, of which nobody waits for another.</summary>
    public sealed unsafe class SharedMesh : NativeObject
    {
        /// <summary>Shares a mesh as it is now.</summary>
        public SharedMesh(NavMesh mesh) => Own(Interop.Make(made => Native.wayfare_shared_new(mesh, made)));

        /// <summary>
        /// Publishes an edited copy of the newest mesh: a few pointers are copied. One of an older version, after which somebody
        /// else has published, is a <see cref="WayfareException"/> with <see cref="Status.Outdated"/>, and nothing is
        /// published: take the newest, make the same changes, and publish that.
        /// </summary>
        public void Publish(NavMesh mesh) => Call.Check(Native.wayfare_shared_publish(this, mesh));

        /// <summary>
        /// Replaces the newest mesh by another, whatever it is; what others have changed in it is lost. References into the old
        /// one may match other polygons of one that was baked anew.
        /// </summary>
        public void Replace(NavMesh mesh) => Call.Check(Native.wayfare_shared_replace(this, mesh));

        /// <summary>A copy of the newest mesh, to be read, or edited and published.</summary>
        public NavMesh Newest() => new NavMesh(Interop.Make(made => Native.wayfare_shared_newest(this, made)));

        internal override Status Free(ulong id) => Native.wayfare_shared_free(id);
    }

    /// <summary>A mesh cut for agents that are wider than those it was baked for, kept up with the first.</summary>
    public sealed unsafe class ClearanceMesh : NativeObject
    {
        /// <summary>Cuts a mesh for agents that are wider by <c>radius</c>. A filter of null is the mesh's own.</summary>
        public ClearanceMesh(NavMesh mesh, float radius, Filter filter = null)
        {
            Filter used = filter ?? Filter.None;
            ulong made = 0;
            Call call = Call.On(used);
            Status status = Native.wayfare_clearance_new(mesh, radius, used, &made);
            Own(made);
            call.Check(status);
        }

        /// <summary>Follows the mesh after it has changed; gives how many tiles were cut anew.</summary>
        public int Follow(NavMesh mesh, Filter filter = null)
        {
            Filter used = filter ?? Filter.None;
            uint changed;
            Call.On(used).Check(Native.wayfare_clearance_follow(this, mesh, used, &changed));
            return (int)changed;
        }

        /// <summary>The mesh that was cut, as it is now: a copy, for queries and crowds.</summary>
        public NavMesh ToMesh() => new NavMesh(Interop.Make(made => Native.wayfare_clearance_mesh(this, made)));

        /// <summary>The polygon of the first mesh of which a polygon is a piece; none if it is gone.</summary>
        public PolyRef BasePoly(PolyRef poly)
        {
            ulong found;
            Call.Check(Native.wayfare_clearance_base_poly(this, poly.Bits, &found));
            return new PolyRef(found);
        }

        internal override Status Free(ulong id) => Native.wayfare_clearance_free(id);
    }
}
