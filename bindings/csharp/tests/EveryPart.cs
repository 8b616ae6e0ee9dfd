using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;

namespace Wayfare.Tests
{
    /// <summary>One visit to every part that the cases do not ask.</summary>
    internal static class EveryPart
    {
        internal static readonly Test[] All =
        {
            new Test("layouts are those of the library", Layouts),
            new Test("bakes", Bakes),
            new Test("reports and reasons", Reports),
            new Test("progress, logs and cancelling", Contexts),
            new Test("tiles", Tiles),
            new Test("polygons", Polygons),
            new Test("changes and snapshots", Changes),
            new Test("files", Files),
            new Test("meshes of other sources", OtherSources),
            new Test("searches", Searches),
            new Test("queues and corridors", Planned),
            new Test("batches", Batches),
            new Test("filters and overlays", Filters),
            new Test("a crowd", ACrowd),
            new Test("obstacles that the mesh lacks", LooseObstacles),
            new Test("a crowd's phases, targets and formations", Phases),
            new Test("avoidance", Avoids),
            new Test("obstacles and objects", ChangingWorld),
            new Test("stores and worlds", Stores),
            new Test("blocks", Blocks),
            new Test("pictures", Pictures),
            new Test("grids, hulls, frames, names", Others),
        };

        internal static readonly Vec3 From = new Vec3(2, 0, 2), To = new Vec3(22, 0, 20);

        internal static Level Square(float side = 24, float y = 0, float from = 0)
        {
            var level = new Level();
            Vec3[] verts = { new Vec3(from, y, from), new Vec3(from, y, side), new Vec3(side, y, side), new Vec3(side, y, from) };
            level.AddTriangles(verts, new[] { 0, 1, 2, 0, 2, 3 });
            return level;
        }

        internal static BakeSettings Settings(uint tileSize = 32)
        {
            BakeSettings settings = BakeSettings.ForAgent(2, 0.5f, 0.5f);
            settings.TileSize = tileSize;
            settings.Bounds = new Box(new Vec3(0, -1, 0), new Vec3(24, 4, 24));
            return settings;
        }

        /// <summary>Works with a mesh of a square, with a wall in it or without.</summary>
        internal static void WithMesh(Action<NavMesh> work, bool wall = false)
        {
            using (Level level = Square())
            {
                if (wall) level.AddVolume(Volume.Box(new Vec3(12, 1, 8), new Vec3(0.5f, 2, 8)));
                using (NavMesh mesh = NavMesh.Bake(level, Settings())) work(mesh);
            }
        }

        /// <summary>A structure with a size of another layout than the library's would be refused by it.</summary>
        private static void Layouts()
        {
            new BakeSettings();
            new CrowdSettings();
            new BlockSettings();
            new QuerySettings();
            new AgentParams();
            new LinkSettings(new BakeSettings());
            var settings = new BakeSettings();
            Require.Equal(settings.AgentHeight, 2f, "the default height");
            Require.Equal(settings.VertsPerPoly, 6u, "the default corners");
            Require.That(settings.FilterLedges && settings.Bounds == null, "the default filters and bounds");
            Require.Equal(Marshal.SizeOf<PathInfo>(), 40, "the size of a path");
            Require.Equal(Marshal.SizeOf<Place>(), 24, "the size of a place");
            Require.Equal(Marshal.SizeOf<Ray>(), 40, "the size of a ray");
            Require.Equal(Marshal.SizeOf<CrowdEvent>(), 48, "the size of an event");
            Require.Equal(Marshal.SizeOf<TileInfo>(), 56, "the size of a tile");
            var parameters = new AgentParams(0.3f, 1.5f);
            Require.Equal(parameters.Radius, 0.3f, "the radius");
            Require.That(parameters.Clone().Avoidance.Horizon >= 0 && parameters.Height == 1.5f, "a copy");
        }

        private static void Bakes()
        {
            using (Level level = Square())
            {
                BakeSettings settings = Settings();
                var context = new WorkContext { MeasureTimes = true, Threads = 2 };
                using (NavMesh whole = NavMesh.Bake(level, settings, context))
                using (var job = new BakeJob(level, settings))
                {
                    int steps = 0;
                    while (job.Step(1).Fraction < 1) steps++;
                    Require.That(steps > 4, "it takes steps");
                    NavMesh stepped = job.Finish();
                    Require.Equal(stepped.Digest, whole.Digest, "the mesh of a job");
                    BakeSettings wide = settings.Clone();
                    wide.AgentRadius = 1;
                    NavMesh[] both = NavMesh.BakeAgents(level, new[] { settings, wide });
                    Require.Equal(both[0].Digest, whole.Digest, "the first of two agents");
                    Require.That(both[1].Digest != whole.Digest, "the other differs");

                    // Only the tiles under a new pillar are baked anew, and they are the same as when all are.
                    whole.RememberLevel(level, settings);
                    level.AddVolume(Volume.Cylinder(new Vec3(5, -1, 5), 1, 4));
                    int changed = whole.BakeChanged(level, settings);
                    Require.That(changed >= 1 && changed <= 4, "some tiles change");
                    Require.Equal(stepped.BakeBox(level, settings, new Box(new Vec3(3, -1, 3), new Vec3(7, 3, 7))), changed, "the same tiles");
                    Require.Equal(stepped.Digest, whole.Digest, "both are the same");
                    foreach (NavMesh mesh in both) mesh.Dispose();
                    stepped.Dispose();
                }
                Require.That(!level.AreInsideBodies(new[] { new Vec3(1, 9, 1) })[0], "the air is in no body");
                Require.Equal(level.Report.Triangles, 2ul, "the triangles");
                level.ClearVolumes();
            }
        }

        private static void Reports()
        {
            using (Level level = Square())
            {
                level.AddVolume(Volume.Box(new Vec3(5, 1, 5), new Vec3(1, 2, 1)));
                NavMesh.Bake(level, Settings(), out BakeReport report, new WorkContext { MeasureTimes = true }).Dispose();
                using (report)
                {
                    Require.That(report.Stats.Tiles > 4 && report.Stats.Polys > 0, "there are counts");
                    Require.That(report.Stages.Sum(stage => stage.Seconds) > 0, "there are times");
                    Require.That(report.Stages.All(stage => stage.Name.Length > 3), "the stages have names");
                    Require.Equal(report.Warnings.Length, 0, "warnings of a plain square");
                }
                level.AddVolume(Volume.Box(new Vec3(500, 1, 5), new Vec3(1, 2, 1)));
                NavMesh.Bake(level, Settings(), out BakeReport warned).Dispose();
                using (warned)
                {
                    BakeNotice outside = warned.Warnings.Single();
                    Require.That(outside.Count == 1 && outside.ToString().Contains("outside"), "a volume outside: " + outside);
                }
                using (ExplainMap map = ExplainMap.Around(level, Settings(), new Vec3(5, 0, 5)))
                {
                    Explanation? why = map.At(new Vec3(5, 0, 5));
                    Require.That(why.HasValue && !why.Value.Walkable, "the box is in the way");
                    Require.That(map.SentenceAt(new Vec3(5, 0, 5)).Length > 10, "a sentence says so");
                    Require.That(map.ReasonAt(new Vec3(500, 0, 5)).Length > 4, "a reason far away");
                }
                var unwise = new BakeSettings { CellSize = 2, AgentRadius = 0.1f };
                Require.That(unwise.Advice.Length > 10, "there is advice");
                using (Level empty = Square(0.2f))
                {
                    BakeReport told = null;
                    Require.Status(Status.NothingWalkable, () => NavMesh.Bake(empty, new BakeSettings(), out told), "a level too small");
                    using (told) Require.Equal(told.Stats.Polys, 0u, "polygons of its report");
                    told = null;
                    using (var job = new BakeJob(empty, new BakeSettings()))
                    {
                        while (!job.Step(100).IsFinished)
                        {
                        }
                        Require.Status(Status.NothingWalkable, () => job.Finish(out told), "a job of it");
                        using (told) Require.Equal(told.Stats.Polys, 0u, "polygons of the job's report");
                    }
                }
            }
        }

        private static void Contexts()
        {
            using (Level level = Square(200))
            {
                var settings = new BakeSettings { TileSize = 32 };
                var heard = new List<WorkProgress>();
                var context = new WorkContext { OnProgress = progress => { lock (heard) heard.Add(progress); }, OnLog = text => { } };
                NavMesh.Bake(level, settings, context).Dispose();
                Require.That(heard.Count > 10 && heard.Max(one => one.Fraction) == 1, "progress was heard " + heard.Count + " times");

                using (var source = new CancellationTokenSource())
                {
                    var cancelled = new WorkContext { Cancellation = source.Token, OnProgress = progress => source.Cancel() };
                    var exception = Require.Throws<OperationCanceledException>(() => NavMesh.Bake(level, settings, cancelled), "cancelling");
                    Require.Equal(exception.CancellationToken, source.Token, "the token");
                    Require.Throws<OperationCanceledException>(() => NavMesh.Bake(level, settings, cancelled), "cancelled before");
                }
                var thrower = new WorkContext { OnProgress = progress => throw new InvalidOperationException("a fault of the game") };
                var thrown = Require.Throws<InvalidOperationException>(() => NavMesh.Bake(level, settings, thrower), "a listener that throws");
                Require.Equal(thrown.Message, "a fault of the game", "what was thrown");
                var late = new WorkContext { Threads = 1, OnProgress = progress => { if (progress.Fraction == 1) throw new TimeoutException("thrown at the very end"); } };
                long before = Library.LiveHandles;
                Require.Throws<TimeoutException>(() => NavMesh.Bake(level, settings, late), "a listener that throws at the end");
                Require.Equal(Library.LiveHandles, before, "what was made is freed");
                Require.Status(Status.Limit, () => NavMesh.Bake(level, settings, new WorkContext { MemoryLimit = 1000 }), "too little memory");
            }
        }

        private static void Tiles()
        {
            WithMesh(mesh =>
            {
                TileInfo[] tiles = mesh.Tiles;
                Require.That(tiles.Length > 4, "there are tiles");
                Require.Equal(mesh.TileAt(tiles[1].Coord), tiles[1].Tile, "the tile at its place");
                Require.Equal(TileRef.Parse(tiles[1].Tile.ToString()), tiles[1].Tile, "a tile from its text");
                Require.That(mesh.TileAt(new TileCoord(900, 900)).IsNone, "no tile far away");
                Require.Equal(mesh.TileOfPoint(new Vec3(1, 0, 1)).X, 0, "the column of a point");
                using (NavMesh empty = mesh.EmptyLike())
                {
                    foreach (TileInfo tile in tiles) empty.AddTile(mesh.TileBytes(tile.Tile));
                    Require.Equal(empty.Digest, mesh.Digest, "a mesh of the same tiles");
                    byte[] bytes = empty.TileBytes(empty.Tiles[0].Tile);
                    TileRef replaced = empty.ReplaceTile(empty.Tiles[0].Tile, bytes);
                    Require.Status(Status.Stale, () => empty.RemoveTile(tiles[0].Tile == replaced ? default(TileRef) : tiles[0].Tile), "a stale tile");
                    empty.RemoveTile(replaced);
                    Require.Equal(empty.Tiles.Length, tiles.Length - 1, "one tile less");
                }
                PolyRef poly = mesh.PolygonsOf(tiles[1].Tile)[0];
                mesh.SetFlags(poly, 5);
                byte[] state = mesh.SaveTileState(tiles[1].Tile), delta = mesh.SaveDelta();
                mesh.SetFlags(poly, 1);
                mesh.LoadTileState(tiles[1].Tile, state);
                Require.Equal(mesh.Polygon(poly).Flags, 5u, "the state");
                mesh.SetFlags(poly, 1);
                mesh.LoadDelta(delta);
                Require.Equal(mesh.Polygon(poly).Flags, 5u, "the delta");
                mesh.UserId = 7;
                using (NavMesh loaded = NavMesh.Load(mesh.Save())) Require.Equal(loaded.UserId, 7ul, "the user's number");
                Require.That(mesh.ToObj().Contains("v "), "an OBJ file");
                Require.Equal(mesh.FindViolations().Length, 0, "a sound mesh");
                Require.That(mesh.DescribeViolations().Length < 100, "in words");
            });
        }

        private static void Polygons()
        {
            WithMesh(mesh =>
            {
                TileInfo tile = mesh.Tiles[1];
                PolyRef poly = mesh.PolygonsOf(tile.Tile)[0];
                mesh.SetPolyArea(poly, 9);
                mesh.SetArea(9, "wet \u00e4", 3);
                Require.Equal(mesh.Area(9).name, "wet \u00e4", "the name of an area");
                Require.Equal(mesh.Area(9).cost, 3f, "its cost");
                mesh.SetAreaFlags(9, 3);
                mesh.ClearAreaFlags(9);
                Polygon polygon = mesh.Polygon(poly);
                Require.That(polygon.Area == 9 && polygon.Tile == tile.Tile && !polygon.OffMesh, "a polygon");
                Require.Equal(mesh.CornersOf(poly).Length, (int)polygon.CornerCount, "its corners");
                Portal[] portals = mesh.PortalsOf(poly);
                Require.That(mesh.PortalBetween(poly, portals[0].To).HasValue, "a portal");
                Require.That(!mesh.PortalBetween(poly, poly).HasValue, "none to itself");
                mesh.ClosestPoint(poly, polygon.Center, out bool over);
                Require.That(over && mesh.Height(poly, polygon.Center).HasValue, "it lies over itself");
                Require.That(mesh.Height(poly, new Vec3(900, 0, 0)) == null, "and nowhere else");
                mesh.ClosestOnBoundary(poly, polygon.Center);
                mesh.ClosestPoint(poly, polygon.Center);
                Vec3[] triangles = mesh.Triangles(default(TileRef), out PolyRef[] of);
                Require.That(triangles.Length == 3 * of.Length && of.Contains(poly), "triangles");
                Require.Equal(PolyRef.Parse(poly.ToString()), poly, "a polygon from its text");
                Require.That(mesh.IsValid(poly) && !mesh.IsValid(default(PolyRef)), "whether it is there");
                Require.Status(Status.BadData, () => PolyRef.Parse("nonsense"), "nonsense");
                using (Level level = Square()) Require.Equal(mesh.HollowSurfaces(level, 2).Length, 0, "nothing is hollow");

                PolyRef connection = mesh.AddConnection(new Connection
                {
                    Start = new Vec3(3, 0, 3), End = new Vec3(20, 0, 20), Radius = 1, TwoWay = true, Area = 63, Flags = 1, UserId = 42,
                });
                Require.Equal(mesh.Connections.Single(), connection, "the connection");
                Require.That(mesh.Connection(connection).UserId == 42 && mesh.IsLinked(connection), "it is linked");
                mesh.RemoveConnection(connection);
                Require.Status(Status.Stale, () => mesh.RemoveConnection(connection), "a stale connection");
            });
        }

        private static void Changes()
        {
            WithMesh(mesh =>
            {
                using (MeshVersion version = mesh.Version)
                using (var shared = new SharedMesh(mesh))
                using (NavMesh snapshot = mesh.Copy())
                {
                    TileRef tile = mesh.Tiles[0].Tile;
                    mesh.Announce(new[] { tile });
                    mesh.Withdraw(new[] { tile });
                    mesh.RemoveTile(tile);
                    MeshChange[] changes = mesh.ChangesSince(version);
                    Require.That(changes.Any(change => change.Kind == ChangeKind.TileRemoved), "the change is told");
                    Require.That(snapshot.Tiles.Any(one => one.Tile == tile), "the snapshot keeps the tile");
                    shared.Publish(mesh);
                    using (NavMesh newest = shared.Newest()) Require.Equal(newest.Digest, mesh.Digest, "the newest");
                    mesh.KeepComponents();
                    PolyRef poly = mesh.PolygonsOf(mesh.Tiles[1].Tile)[0];
                    mesh.Component(poly, out uint components);
                    Require.Equal(components, 1u, "one component");
                }
                using (var graph = new AbstractGraph(mesh))
                {
                    Require.That(graph.Size.Nodes > 0, "a graph");
                    Require.Equal(graph.Update(mesh), 0, "nothing has changed");
                }
                using (var wide = new ClearanceMesh(mesh, 1))
                using (NavMesh cut = wide.ToMesh())
                {
                    Require.Equal(wide.Follow(mesh), 0, "nothing was cut anew");
                    PolyRef piece = cut.PolygonsOf(cut.Tiles[0].Tile)[0];
                    Require.That(mesh.IsValid(wide.BasePoly(piece)), "the polygon below");
                }
            });
        }

        private static void Files()
        {
            string folder = Path.Combine(Path.GetTempPath(), "wayfare_csharp_" + Guid.NewGuid().ToString("N"));
            Directory.CreateDirectory(folder);
            try
            {
                string file = Path.Combine(folder, "floor \u00e4.obj");
                File.WriteAllText(file, "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n");
                using (Level level = Level.Load(file))
                using (NavMesh mesh = NavMesh.Bake(level))
                {
                    Require.Equal(level.Report.Triangles, 2ul, "the triangles of a file");
                    Require.Equal(level.Connections.Length, 0, "its connections");
                    using (NavMesh again = NavMesh.FromBytes(mesh.Save())) Require.Equal(again.Digest, mesh.Digest, "a mesh of bytes");
                    string saved = Path.Combine(folder, "floor.way");
                    File.WriteAllBytes(saved, mesh.Save());
                    using (NavMesh again = NavMesh.Load(saved)) Require.Equal(again.Digest, mesh.Digest, "a mesh of a file");
                }
                Require.Status(Status.BadData, () => Level.FromBytes("broken.glb", new byte[] { 1, 2, 3 }), "a broken file");
                Require.Throws<FileNotFoundException>(() => Level.Load(Path.Combine(folder, "none.obj")), "no file");
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        private static void OtherSources()
        {
            var soup = new PolygonSoup
            {
                Verts = new[] { new Vec3(0, 0, 0), new Vec3(0, 0, 24), new Vec3(24, 0, 24), new Vec3(24, 0, 0) },
                Polygons = new[] { new[] { 0, 1, 2, 3 } },
            };
            using (NavMesh mesh = NavMesh.FromPolygons(soup))
            {
                Route route = mesh.FindPath(From, To);
                Require.That(route.IsComplete && route.Points.Count == 2, "a path over one polygon");
            }
            soup.Polygons = new[] { new[] { 0, 1, -2 } };
            Require.Throws<Exception>(() => NavMesh.FromPolygons(soup), "a negative corner");
            using (NavMesh mesh = NavMesh.FromOutlines(new[] { new[] { new Vec2(0, 0), new Vec2(9, 0), new Vec2(9, 9) } }, 1))
            {
                Require.Equal(mesh.Size.Polys, 1ul, "a mesh of an outline");
            }
            Require.Throws<WayfareException>(() => NavMesh.FromDetour(new byte[] { 1, 2, 3, 4 }), "bytes that are no mesh");
        }

        private static void Searches()
        {
            WithMesh(mesh =>
            {
                using (var query = new NavQuery(mesh))
                {
                    NavPath straight = query.StraightPath(From, To);
                    Require.That(straight.IsComplete && straight.Points.Count > 2 && straight.Length > 20, "a path around the wall");
                    PolyRef[] polygons = query.Polygons();
                    Require.Equal(polygons.Length, (int)straight.Info.PolyCount, "its polygons");
                    Require.That(query.PointsWithCrossings(true).Length > straight.Points.Count, "with crossings");
                    Require.That(query.PathHolds(out int step) && step == -1, "it holds");
                    Require.Equal(query.Along(polygons, From, To).Points.Count, straight.Points.Count, "along the same polygons");
                    Span<Vec3> room = stackalloc Vec3[64];
                    Require.Equal((int)query.StraightPath(From, To, room).PointCount, straight.Points.Count, "into a span");
                    Require.Equal(room[1], straight.Points[1].Point, "its second point");
                    Span<Vec3> two = stackalloc Vec3[2];
                    PathInfo cut = query.StraightPath(From, To, two);
                    Require.That(cut.PointCount > 2 && two[1] == straight.Points[1].Point, "the first points where there is little room");
                    Require.That(query.OptimalPath(From, To, room).Length <= straight.Length + 1e-3f, "the shortest is shorter");
                    query.PathToNearest(From, new Place[] { To, new Vec3(3, 0, 3), new Vec3(900, 0, 0) }, out int goal);
                    Require.Equal(goal, 1, "the nearest goal");
                    query.PathToNearest(From, new Place[] { new Vec3(900, 0, 0) }, out goal);
                    Require.Equal(goal, -1, "no goal");
                    Require.Equal(query.PathToBox(From, new Box(new Vec3(20, -1, 18), new Vec3(23, 2, 22))).Status, PathStatus.Complete, "into a box");
                    Require.Equal(query.PolyPath(From, To).Status, PathStatus.Complete, "over polygons");
                    Require.That(query.RecordSearch(From, To).Length >= straight.Info.PolyCount, "a record");
                    Require.That(query.Explain(From, To) == null, "there is nothing to explain");
                    Require.That(query.Explain(From, new Vec3(900, 0, 0)).Value.Sentence.Length > 10, "but there is where there is no path");
                    Require.That(query.Ray(From, To).Hit && query.RayPolygons().Length > 0, "the wall is in sight");
                    Require.That(query.RayWithCost(From, new Vec3(6, 0, 2)).Cost > 3, "a free line costs");
                    Require.That(query.Move(From, new Vec3(3, 0, 2)).HasValue && query.MovedOver().Length > 0, "a move");
                    Require.That(query.Move(new Vec3(900, 0, 0), From) == null, "no move away from the mesh");
                    Require.That(query.Around(From, new[] { new Vec3(0, 0, 0), new Vec3(0, 0, 9), new Vec3(9, 0, 9), new Vec3(9, 0, 0) }).Length > 0, "in an outline");
                    Require.That(query.Neighbourhood(From, 9, true).Length > 0, "by distance");
                    Require.Equal(query.IsReachable(From, To), true, "reach");
                    foreach (bool optimal in new[] { false, true })
                    {
                        using (PathSearch search = query.Search(From, To, optimal))
                        {
                            int steps = 1;
                            while (!search.Step(1)) steps++;
                            Require.That(steps > 3 && search.Path().IsComplete, "a search in steps");
                        }
                    }
                    Bounded(mesh, query, straight);
                    Place near = query.Nearest(To).Place;
                    using (CostMap costs = query.CostsFrom(From))
                    {
                        Require.That(costs.Cost(near.Poly) > 10, "a cost");
                        Require.That(costs.PathTo(near).IsComplete, "a path out of the map");
                    }
                    query.Set(new QuerySettings { MaxNodes = 2, Placement = NodePlacement.Nearest });
                    NavPath limited = query.StraightPath(From, To);
                    Require.That(limited.Status == PathStatus.Partial && limited.Info.Limit == LimitHit.Nodes, "a limit");
                    query.SetMesh(mesh);
                }
            }, true);
        }

        private static void Planned()
        {
            WithMesh(mesh =>
            {
                using (var query = new NavQuery(mesh))
                using (var queue = new PathQueue())
                using (var planner = new Planner(PlannerKind.Optimal))
                {
                    Place start = query.Nearest(From).Place, end = query.Nearest(To).Place;
                    RequestId request = queue.Request(mesh, start, end), other = queue.Request(mesh, end, start);
                    Require.That(queue.Take(request) == null && queue.Pending == 2, "it is not done");
                    queue.Cancel(other);
                    while (queue.State(request) != RequestState.Done) queue.Step(mesh, 4, planner);
                    NavPath path = queue.Take(request, out bool outdated);
                    Require.That(path.IsComplete && path.Points.Count > 2 && !outdated, "it is done");
                    Require.Status(Status.Stale, () => queue.Take(request), "it is gone");

                    query.PolyPath(start, end);
                    using (var corridor = new PathCorridor(query, start))
                    {
                        corridor.Follow(query);
                        Vec3 now = corridor.MoveEnd(query, new Vec3(21, 0, 21));
                        corridor.Shorten(query, now, 20, 32);
                        Require.Equal(corridor.Repair(query, 100), Repair.Whole, "it holds");
                        Require.That(corridor.Length > 20 && corridor.Polygons.Length > 1, "its length");
                        Require.That(corridor.Start.Poly == start.Poly && !corridor.End.Poly.IsNone, "its ends");
                        corridor.Corners(3);
                        Require.That(corridor.EnterConnection(query, 0) == null, "no connection");
                    }
                }
            }, true);
        }

        private static void Batches()
        {
            WithMesh(mesh =>
            {
                using (var query = new NavQuery(mesh))
                {
                    var pairs = new PathEnds[600];
                    for (int i = 0; i < pairs.Length; i++) pairs[i] = new PathEnds(new Vec3(1 + i % 22, 0, 1), new Vec3(1 + i % 19, 0, 22));
                    Require.Equal(query.Rays(pairs, 2)[7].T, query.Ray(pairs[7].From, pairs[7].To.Point).T, "a ray of many");
                    Require.That(query.AreReachable(pairs).All(one => one == true), "reach of many");
                    Require.That(query.Moves(pairs, 2).All(one => !one.Poly.IsNone), "moves of many");
                    Require.Equal(query.NearestMany(new[] { From, To })[1].Place.Poly, query.Nearest(To).Place.Poly, "the nearest of many");
                    Require.That(query.NearestWalls(new Place[] { To }, 5)[0].Found, "walls of many");
                    PathBatch single = query.StraightPaths(pairs, 1), all = query.StraightPaths(pairs);
                    Require.That(single.AllPoints.SequenceEqual(all.AllPoints), "paths on any number of threads");
                    Require.That(query.OptimalPaths(pairs).Paths.All(path => path.Status == PathStatus.Complete), "the shortest of many");
                    Require.Equal(query.StraightPaths(new PathEnds[0]).Paths.Count, 0, "none at all");
                }
            }, true);
        }

        private static void Filters()
        {
            WithMesh(mesh =>
            {
                using (var query = new NavQuery(mesh))
                {
                    float plain = query.StraightPath(From, To).Cost;
                    int asked = 0;
                    using (Filter twice = Filter.Of(null, crossing => { asked++; return 2 * crossing.Length; }))
                    {
                        query.SetFilter(twice);
                    }
                    // The filter is disposed, but the query has it still.
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    float costly = query.StraightPath(From, To).Cost;
                    Require.That(asked > 0 && Math.Abs(costly - 2 * plain) < 0.01f * plain, "costs twice: " + plain + ", " + costly);
                    using (Filter none = Filter.Of((poly, area, flags) => false)) query.SetFilter(none);
                    Require.That(!query.StraightPath(From, To).IsComplete, "nothing passes");
                    using (var closed = new Filter(mesh))
                    using (Filter down = closed.Downhill(0.1f))
                    {
                        closed.SetAreaCost(63, 3);
                        query.SetFilter(down);
                        Require.That(query.StraightPath(From, To).IsComplete, "a plane is no slope");
                    }
                    query.SetFilter(null);
                    Require.Equal(query.StraightPath(From, To).Cost, plain, "the mesh's own");
                }
                using (var overlay = new CostOverlay(4))
                {
                    overlay.PaintBox(new Box(new Vec3(2, -1, 2), new Vec3(4, 1, 4)), 3);
                    overlay.PaintOutline(new[] { new Vec2(8, 8), new Vec2(12, 8), new Vec2(10, 12) }, -1, 1, 2);
                    overlay.Advance(4);
                    float cost = overlay.CostAt(new Vec3(3, 0, 3));
                    Require.That(cost > 1 && cost < 3, "costs fade");
                    using (CostOverlay loaded = CostOverlay.Load(overlay.Save())) Require.Equal(loaded.CostAt(new Vec3(3, 0, 3)), cost, "a saved overlay");
                    overlay.Clear();
                    Require.Equal(overlay.CostAt(new Vec3(3, 0, 3)), 0f, "nothing is painted");
                }
            });
        }

        private static void Bounded(NavMesh mesh, NavQuery query, NavPath straight)
        {
            using (var bounds = new CostBounds(mesh))
            using (NavMesh changed = mesh.Copy())
            {
                Require.That(bounds.Points.Length > 0 && bounds.Bytes > 64, "bounds");
                NavPath path = query.BoundedPath(bounds, From, To);
                Require.That(path.IsComplete && path.Cost <= straight.Cost * 1.0001f, "the cheapest path");
                Span<Vec3> two = stackalloc Vec3[2];
                Require.Equal((int)query.BoundedPath(bounds, From, To, two).PointCount, path.Points.Count, "into a span");
                PathBatch batch = query.BoundedPaths(bounds, new[] { new PathEnds(From, To), new PathEnds(To, From) }, 2);
                Require.Equal(batch.Paths[0].Cost, path.Cost, "in a batch");
                using (PathSearch search = query.Search(bounds, From, To))
                {
                    while (!search.Step(1)) { }
                    Require.Equal(search.Path().Cost, path.Cost, "in steps");
                }
                using (Filter bad = Filter.Of((poly, area, flags) => throw new InvalidOperationException("an angry filter")))
                using (var angry = new NavQuery(mesh, bad))
                {
                    Require.Throws<InvalidOperationException>(() => angry.BoundedPath(bounds, From, To), "a filter that throws");
                }
                changed.SetFlags(changed.PolygonsOf(changed.Tiles[0].Tile)[0], 3);
                Require.That(bounds.HoldFor(mesh) && !bounds.HoldFor(changed), "for which mesh they hold");
                using (var planner = new Planner(bounds))
                using (var newer = new CostBounds(changed))
                using (var other = new Planner(PlannerKind.AStar))
                using (var crowd = new Crowd())
                {
                    planner.SetBounds(newer);
                    Require.Throws<ArgumentException>(() => other.SetBounds(newer), "a planner without bounds");
                    AgentId agent = crowd.Add(changed, From, new AgentParams());
                    crowd.GoTo(changed, agent, To);
                    for (int tick = 0; tick < 400; tick++) crowd.Step(changed, 0.1f, planner);
                    Require.Equal(crowd.State(agent).TargetStatus, TargetStatus.Arrived, "a crowd planned with bounds");
                }
            }
        }

        private static void LooseObstacles()
        {
            WithMesh(mesh =>
            {
                using (var crowd = new Crowd())
                {
                    AgentId agent = crowd.Add(mesh, new Vec3(4, 0, 12), new AgentParams());
                    crowd.GoTo(mesh, agent, new Vec3(20, 0, 12));
                    crowd.SetObstacles(new[] { GridObstacle.Box(7, new Vec3(12, 0, 12), 0.5f, 2) });
                    bool bends = false;
                    float widest = 0;
                    for (int tick = 0; tick < 200; tick++)
                    {
                        crowd.Step(mesh, 0.1f);
                        bends |= crowd.LocalBend(agent).HasValue;
                        widest = Math.Max(widest, Math.Abs(crowd.State(agent).Position.Z - 12));
                    }
                    Require.That(bends && widest > 2 && crowd.State(agent).Position.X > 19, "around a cart");
                    Require.Equal(crowd.ObstructedBy(agent).Length, 0, "nothing is in the way");
                    crowd.SetObstacles(new[] { GridObstacle.Segment(9, new Vec3(12, 0, -1), new Vec3(12, 0, 25)) });
                    crowd.GoTo(mesh, agent, new Vec3(4, 0, 12));
                    bool told = false;
                    for (int tick = 0; tick < 200; tick++)
                    {
                        crowd.Step(mesh, 0.1f);
                        told |= crowd.Events.Any(one => one.Kind == CrowdEventKind.Obstructed && one.Value == 9);
                    }
                    Require.That(told && crowd.ObstructedBy(agent).Single() == 9, "a fence is in the way");
                    crowd.SetObstacles(ReadOnlySpan<GridObstacle>.Empty);
                    for (int tick = 0; tick < 200; tick++) crowd.Step(mesh, 0.1f);
                    Require.That(crowd.State(agent).Position.X < 5, "until it is gone");
                    Require.Throws<ArgumentException>(
                        () => crowd.SetObstacles(new[] { GridObstacle.Disc(1, From, float.NaN) }), "a disc of no size");
                }
            });
        }

        private static void ACrowd()
        {
            WithMesh(mesh =>
            {
                using (var crowd = new Crowd(new CrowdSettings { ResolveRounds = 4 }))
                {
                    var agents = new List<AgentId>();
                    for (int i = 0; i < 10; i++)
                    {
                        AgentParams parameters = AgentParams.Pedestrian(3, (uint)i);
                        parameters.Avoidance = Avoidance.Of(AvoidanceMethod.Orca);
                        agents.Add(crowd.Add(mesh, new Vec3(3, 0, 2 + 2 * i), parameters));
                        crowd.GoTo(mesh, agents[i], new Vec3(20, 0, 20 - 2 * i));
                    }
                    for (int tick = 0; tick < 40; tick++) crowd.Step(mesh, 0.1f);
                    byte[] saved = crowd.Save(mesh);
                    var arrived = new HashSet<AgentId>();
                    for (int tick = 0; tick < 260; tick++)
                    {
                        crowd.Step(mesh, 0.1f, null, new WorkContext { MeasureTimes = true });
                        foreach (CrowdEvent one in crowd.Events)
                        {
                            if (one.Kind == CrowdEventKind.Arrived) arrived.Add(one.Agent);
                        }
                    }
                    Require.Equal(arrived.Count, 10, "all arrive");
                    Require.That(crowd.Profile.SecondsOf(CrowdPhase.Avoid) > 0 && crowd.Profile.Time > 29, "a profile");
                    using (Crowd loaded = Crowd.Load(saved, mesh))
                    {
                        for (int tick = 0; tick < 260; tick++) loaded.Step(mesh, 0.1f);
                        Require.That(loaded.Positions.SequenceEqual(crowd.Positions), "a saved crowd walks on as it would have");
                    }
                    var room = new Vec3[10];
                    Require.That(crowd.CopyPositions(room) == 10 && room.SequenceEqual(crowd.Positions), "positions into a span");
                    Require.That(crowd.CopyVelocities(room) == 10 && room.SequenceEqual(crowd.Velocities), "velocities into a span");
                    Require.Status(Status.TooSmall, () => crowd.CopyPositions(new Vec3[3]), "too little room");
                    Require.Equal(crowd.State(agents[0]).TargetStatus, TargetStatus.Arrived, "what it does");
                    crowd.Remove(agents[0]);
                    Require.Status(Status.Stale, () => crowd.State(agents[0]), "a removed agent");
                    Require.That(!crowd.Agents.Contains(agents[0]) && crowd.Agents.Length == 9, "the others are there");
                }
            });
        }

        private static void Phases()
        {
            WithMesh(mesh =>
            {
                using (var crowd = new Crowd())
                using (var flow = new Planner(PlannerKind.Flow))
                {
                    AgentId leader = crowd.Add(mesh, new Vec3(12, 0, 4), new AgentParams());
                    AgentId[] members = { crowd.Add(mesh, new Vec3(10, 0, 2), new AgentParams()), crowd.Add(mesh, new Vec3(14, 0, 2), new AgentParams()) };
                    AgentId driven = crowd.Add(mesh, new Vec3(2, 0, 20), new AgentParams { Driver = Driver.Game });
                    uint number;
                    using (var filter = new Filter(mesh)) number = crowd.AddFilter(filter);
                    AgentParams parameters = crowd.Params(members[0]);
                    parameters.Filter = number;
                    crowd.SetParams(members[0], parameters);
                    using (var filter = new Filter(mesh)) crowd.SetFilter(number, filter, true);
                    crowd.GoTo(mesh, leader, new Vec3(12, 0, 20));
                    using (var formation = new Formation(crowd, leader, Formation.BlockSlots(2, 2, 2), members))
                    {
                        for (int tick = 0; tick < 50; tick++)
                        {
                            formation.Lead(crowd, mesh);
                            crowd.Begin(0.1f);
                            foreach (CrowdPhase phase in Enum.GetValues(typeof(CrowdPhase)))
                            {
                                crowd.RunPhase(phase, mesh, 0.1f, flow);
                                if (phase == CrowdPhase.Steer) crowd.Write(VelocityArray.Desired, driven, new Vec3(1, 0, 0));
                            }
                            crowd.End();
                        }
                        using (Formation loaded = Formation.Load(formation.Save())) loaded.Lead(crowd, mesh);
                    }
                    Require.That(crowd.State(members[0]).Position.Z > 5, "the members follow");
                    Require.Equal(Formation.WedgeSlots(3, 1).Length, 3, "a wedge");
                    crowd.SetPosition(driven, new Vec3(3, 0, 20));
                    crowd.SetVelocity(leader, new Vec3(0, 0, 1));
                    crowd.Pause(leader);
                    crowd.Pause(leader, false);
                    crowd.Teleport(mesh, leader, new Vec3(4, 0, 4));
                    crowd.SetTarget(mesh, members[0], AgentTarget.Following(leader));
                    crowd.SetTarget(mesh, members[1], AgentTarget.Velocity(new Vec3(1, 0, 0)));
                    using (var query = new NavQuery(mesh))
                    {
                        crowd.SetTarget(mesh, leader, AgentTarget.Moving(query.Nearest(To).Place));
                    }
                    for (int tick = 0; tick < 5; tick++) crowd.Step(mesh, 0.1f);
                    Require.That(crowd.Corners(leader).Length > 0 && crowd.Corridor(leader).Length > 0, "corners and corridor");
                    Require.That(crowd.Agents.All(agent => crowd.Neighbours(agent).All(near => near != agent && crowd.Agents.Contains(near))), "neighbours are others");
                    Require.That(crowd.Agents.Any(agent => crowd.Neighbours(agent).Length > 0), "there are some");
                    crowd.Stop(mesh, leader);
                    crowd.SetSettings(new CrowdSettings());
                    crowd.SetConnectionProgress(leader, 0.5f);
                    Require.That(!crowd.State(leader).OnConnection, "it is on no connection");
                }
            });
        }

        private static void Avoids()
        {
            var me = new Avoider { Velocity = new Vec2(1, 0), Desired = new Vec2(1, 0), Radius = 0.5f, MaxSpeed = 2 };
            var other = new Avoider { Position = new Vec2(2, 0), Velocity = new Vec2(-1, 0), Desired = new Vec2(-1, 0), Radius = 0.5f, MaxSpeed = 2, Share = 0.5f };
            foreach (AvoidanceMethod method in Enum.GetValues(typeof(AvoidanceMethod)))
            {
                Vec2 velocity = Avoidance.Of(method).Velocity(me, new[] { other }, new[] { new FlatWall(new Vec2(-9, 3), new Vec2(9, 3)) });
                bool avoids = Math.Abs(velocity.Z) > 0.01f || velocity.X < 0.99f;
                // Pedestrians look for what comes within their time gap, and walk on until then.
                Require.That(avoids || method == AvoidanceMethod.None || method == AvoidanceMethod.Pedestrian, method + " avoids");
            }
            Require.That(Avoidance.Of(AvoidanceMethod.Orca).Velocity(me, default(ReadOnlySpan<Avoider>)).X > 0.9f, "alone");
        }

        private static void ChangingWorld()
        {
            using (Level level = Square())
            using (Level crate = Square(1, 1, -1))
            using (NavMesh mesh = NavMesh.Bake(level, Settings()))
            using (LevelCheckpoints baked = LevelCheckpoints.Bake(level, Settings()))
            using (LevelCheckpoints checkpoints = LevelCheckpoints.Load(baked.Save()))
            using (var obstacles = new Obstacles(checkpoints))
            {
                string before = Content(mesh);
                ObstacleRef box = obstacles.Add(Volume.Box(new Vec3(12, 1, 12), new Vec3(2, 2, 2), 0.5f), out int tiles);
                Require.That(tiles > 0 && obstacles.Pending.Length > 0, "tiles will change");
                while (obstacles.Step(mesh, 1).Fraction < 1) { }
                Require.That(Content(mesh) != before && obstacles.Pending.Length == 0, "they have changed");
                obstacles.Replace(box, Volume.Capsule(new Vec3(6, 0, 6), 1, 2));
                obstacles.Replace(box, Volume.Hull(new[] { new Vec3(5, -1, 5), new Vec3(7, -1, 5), new Vec3(6, -1, 7), new Vec3(6, 2, 6) }));
                obstacles.Replace(box, Volume.Prism(new[] { new Vec2(5, 5), new Vec2(7, 5), new Vec2(6, 7) }, -1, 2).Painting(4));
                using (Obstacles loaded = Obstacles.Load(checkpoints, obstacles.Save())) Require.Equal(loaded.All.Length, 1, "a saved obstacle");
                obstacles.Remove(box);
                Require.Status(Status.Stale, () => obstacles.Remove(box), "a removed obstacle");
                obstacles.Step(mesh);
                Require.Equal(Content(mesh), before, "the mesh is as it was");
                using (var objects = new ObjectLevel(level, Settings()))
                {
                    ObjectRef thing = objects.Add(crate, new Vec3(6, 0, 6), out Box area);
                    obstacles.Invalidate(area);
                    WorkProgress progress = obstacles.Step(mesh, 0, objects);
                    Require.That(progress.Done == progress.Total && Content(mesh) != before, "the crate is in the mesh");
                    (Box was, Box now) = objects.Move(thing, new Vec3(8, 0, 6));
                    Require.That(now.Min.X > was.Min.X, "it has moved");
                    obstacles.Invalidate(objects.Remove(thing));
                    obstacles.Invalidate(was);
                    obstacles.Step(mesh, 0, objects);
                    Require.Equal(Content(mesh), before, "the mesh is as it was before the crate");
                }
            }
        }

        /// <summary>The tiles of a mesh by their places: what is the same after obstacles are gone, though references differ.</summary>
        internal static string Content(NavMesh mesh)
        {
            IEnumerable<TileInfo> tiles = mesh.Tiles.OrderBy(tile => tile.Coord.X).ThenBy(tile => tile.Coord.Z);
            return string.Join(" ", tiles.Select(tile => Convert.ToBase64String(mesh.TileBytes(tile.Tile))));
        }

        private static void Stores()
        {
            string folder = Path.Combine(Path.GetTempPath(), "wayfare_store_" + Guid.NewGuid().ToString("N"));
            try
            {
                using (Level level = Square())
                {
                    int tiles = TileStore.Bake(folder, level, Settings());
                    Require.That(tiles > 4, "tiles in the store");
                    Require.Equal(TileStore.Bake(folder, level, Settings()), tiles, "the same again");
                    Require.Equal(TileStore.Bake(folder + "64", level, Settings(0)), 4, "tiles of 64 cells");
                    using (NavMesh mesh = TileStore.Load(folder, out int broken)) Require.Equal(broken, 0, "no tile is broken");
                    using (var store = new TileStore(folder))
                    {
                        Require.That(store.Tile(new TileCoord(0, 0)).Length > 100 && store.Tile(new TileCoord(1, 0)).Length > 100, "tiles");
                        Require.Throws<WayfareException>(() => store.Tile(new TileCoord(900, 0)), "no tile");
                    }
                    Require.That(File.Exists(folder) && !Directory.Exists(folder), "a store is a file");
                    Require.Equal(TileStore.Bake(folder + "_apart/", level, Settings()), tiles, "tiles in a folder");
                    Require.That(Directory.Exists(folder + "_apart"), "a store whose path ends with a slash is a folder");
                    using (NavMesh mesh = TileStore.Load(folder + "_apart", out int none)) Require.Equal(none, 0, "no tile of it is broken");
                    using (var world = new ResidentWorld(folder, 6))
                    {
                        world.Prefetch(From, 3);
                        Route route = world.FindPath(From, To, out PathInfo info);
                        Require.That(route.IsComplete && route.Points.Count == info.PointCount, "a path over the world");
                        Require.That(world.Nearest(From).HasValue && world.FindPath(To, From).IsComplete, "and others");
                        Require.That(world.Stats.Resident <= 6 && world.Stats.Loaded > 0, "few tiles in memory");
                    }
                }
                Require.Status(Status.Io, () => TileStore.Load(folder + "_none", out _), "no store");
            }
            finally
            {
                foreach (string made in new[] { folder, folder + "64", folder + "_apart" })
                {
                    if (Directory.Exists(made)) Directory.Delete(made, true);
                    if (File.Exists(made)) File.Delete(made);
                }
            }
        }

        private static void Blocks()
        {
            int asked = 0;
            var bounds = new BlockBox(new Cell(0, 0, 0), new Cell(31, 15, 31));
            var goal = new BlockBox(new Cell(28, 1, 28), new Cell(30, 4, 30));
            Func<Cell, BlockKind> hills = at =>
            {
                asked++;
                return at.Y <= (at.X / 4 + at.Z / 8) % 2 ? BlockKind.Solid : BlockKind.Air;
            };
            using (BlockWorld world = BlockWorld.Of(hills, bounds))
            using (var nav = new BlockNav(new BlockSettings { Climb = 1 }))
            {
                Cell near = nav.Nearest(world, new Vec3(1.5f, 1, 1.5f), 4).Value;
                BlockRoute route = nav.Path(world, near, goal);
                Require.That(route.IsComplete && route.Length > 30 && nav.IsCurrent && asked > 0, "a path over hills");
                Require.Equal(nav.PathExists(world, near, new Cell(29, 50, 29)), false, "none to the sky");
                ulong seed = 5;
                Require.That(nav.Random(world, bounds, ref seed).HasValue && seed != 5, "a random block");
                Require.That(nav.Random(world, bounds, near, 8, ref seed).HasValue, "one that can be reached");
                nav.SetCost(1, 4);
                RequestId request = nav.Ask(near, goal);
                RequestId answered = default(RequestId);
                BlockRoute taken = null;
                while (taken == null)
                {
                    nav.Update(world, 16);
                    taken = nav.Take(out answered);
                }
                Require.That(answered == request && taken.IsComplete, "an answer");
                nav.Withdraw(nav.Ask(near, goal));
                using (BlockWalk walk = nav.Walk(world, new Vec3(1.5f, 1, 1.5f), goal))
                {
                    var now = new Vec3(1.5f, 1, 1.5f);
                    bool arrived = false;
                    for (int i = 0; i < 2000 && !arrived; i++)
                    {
                        Vec3 target;
                        (now, target, arrived) = walk.Step(nav, world, now);
                        Vec3 ahead = target - now;
                        ahead.Y = 0;
                        if (ahead.Length > 0.2f) ahead = ahead * (0.2f / ahead.Length);
                        now += ahead;
                    }
                    Require.That(arrived, "the walk ends");
                }
                nav.Invalidate(bounds);
            }
            using (var dense = new BlockWorld(bounds))
            using (BlockWorld heights = BlockWorld.FromHeights(2, new[] { 0, 1, 2, 3 }))
            {
                dense[new Cell(1, 1, 1)] = BlockKind.Water;
                Require.Equal(dense[new Cell(1, 1, 1)], BlockKind.Water, "a block");
                Require.Equal(heights[new Cell(1, 0, 0)], BlockKind.Solid, "a column");
            }
        }

        private static void Pictures()
        {
            WithMesh(mesh =>
            {
                using (var overlay = new CostOverlay())
                using (var shapes = new Shapes())
                {
                    overlay.PaintDisc(From, 2, 1, 3);
                    shapes.Add(mesh).AddPath(new[] { From, To }).Add(overlay);
                    Require.Equal(shapes.List.Sum(shape => (int)shape.PointCount), shapes.Points.Length, "points of shapes");
                    Require.That(shapes.List.Any(shape => shape.Role == DrawnRole.Path), "a path is drawn");
                    Require.That(shapes.ToSvg(256).Contains("<svg"), "an SVG");
                    Require.Equal(shapes.ToPng(256)[1], (byte)'P', "a PNG");
                }
            });
        }

        private static void Others()
        {
            Vec3[] cube = { new Vec3(0, 0, 0), new Vec3(1, 0, 0), new Vec3(0, 1, 0), new Vec3(0, 0, 1), new Vec3(1, 1, 1) };
            Require.That(ConvexHull.Of(cube).Length % 3 == 0 && ConvexHull.Of(cube).Length >= 12, "a hull");
            Frame unreal = Frame.Unreal;
            Vec3 turned = unreal.PointIn(new Vec3(100, 200, 300));
            Require.That(Math.Abs(turned.Y - 3) < 1e-5f, "z is up in Unreal");
            Require.That(Vec3.Distance(unreal.PointOut(turned), new Vec3(100, 200, 300)) < 1e-3f, "and back");
            Vec3[] many = { new Vec3(1, 2, 3) };
            Frame.Unity.PointsIn(many);
            Frame.Unity.PointsOut(many);
            Require.Equal(many[0], new Vec3(1, 2, 3), "Unity and back");
            GridObstacle[] obstacles = { GridObstacle.Segment(3, new Vec3(1, 0, -2), new Vec3(1, 0, 2)), GridObstacle.Box(4, new Vec3(9, 0, 9), 1, 1) };
            Require.Equal(LocalGrid.Blockers(obstacles, new Vec3(0, 0, 0), new Vec3(3, 0, 0), 0.3f).Single(), 3u, "what is in the way");
            using (var grid = new LocalGrid(32, 0.25f))
            {
                grid.Recenter(new Vec3(0, 0, 0));
                grid.Block(obstacles, 0.3f);
                Require.That(grid.FindPath(new Vec3(-1, 0, 0), new Vec3(3, 0, 0)).Points.Count > 2, "around it");
                grid.Clear();
                Require.That(!grid.IsBlocked(4, 4), "it is empty");
            }
            Require.That(Library.Version.Minor + Library.Version.Major > 0, "a version");
            Require.Equal(Library.NameOf(Status.DeadHandle), "dead handle", "the name of a status");
            System.Numerics.Vector3 numerics = new Vec3(1, 2, 3);
            Require.Equal((Vec3)numerics, new Vec3(1, 2, 3), "System.Numerics");
            Require.Equal(new Vec3(1, 2.5f, 3).ToString(), "(1, 2.5, 3)", "a text");
        }
    }
}
