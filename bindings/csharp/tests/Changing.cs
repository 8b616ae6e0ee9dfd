using System;
using System.IO;
using System.Linq;

namespace Wayfare.Tests
{
    /// <summary>Meshes, levels and worlds that change while somebody works with them.</summary>
    internal static class Changing
    {
        internal static readonly Test[] All =
        {
            new Test("outdated meshes are refused", Outdated),
            new Test("all obstacles at once", AllAtOnce),
            new Test("a live level", Live),
            new Test("terrain of a live level", Terrain),
            new Test("a live level of a stored mesh", Stored),
            new Test("changes of a resident world", Resident),
            new Test("walks that ask for paths", Walks),
            new Test("cells of a grid", Cells),
            new Test("what a mesh remembers", Remembered),
            new Test("a mesh that is at work", AtWork),
            new Test("indices of agents", Indices),
            new Test("many agents by a filter of one's own", ManyByOwn),
            new Test("points in place of places", Points),
            new Test("what nobody could use", Useless),
            new Test("triangles of another engine", Turned),
            new Test("links beyond the first hundreds", ManyLinks),
            new Test("a world without end", Endless),
            new Test("values of shapes", Values),
        };

        private static readonly Vec3 Here = new Vec3(2, 0, 12), There = new Vec3(22, 0, 12);

        private static void Outdated()
        {
            EveryPart.WithMesh(mesh =>
            {
                using (var shared = new SharedMesh(mesh))
                using (NavMesh one = shared.Newest())
                using (NavMesh other = one.Copy())
                {
                    one.SetArea(5, "one", 2);
                    other.SetArea(5, "other", 3);
                    shared.Publish(one);
                    Require.Status(Status.Outdated, () => shared.Publish(other), "another has published");
                    using (NavMesh newest = shared.Newest()) Require.Equal(newest.Digest, one.Digest, "the newest");
                    shared.Replace(other);
                    using (NavMesh newest = shared.Newest()) Require.Equal(newest.Digest, other.Digest, "it is replaced");
                    other.SetArea(5, "third", 4);
                    shared.Publish(other);
                }
            });
        }

        private static void AllAtOnce()
        {
            using (Level level = EveryPart.Square())
            using (NavMesh mesh = NavMesh.Bake(level, EveryPart.Settings()))
            using (var obstacles = new Obstacles(level, EveryPart.Settings()))
            {
                string before = EveryPart.Content(mesh);
                for (int i = 0; i < 3; i++) obstacles.Add(Volume.Cylinder(new Vec3(6 * i + 4, -1, 9), 1, 4));
                obstacles.Step(mesh);
                Require.That(EveryPart.Content(mesh) != before, "they are there");
                Require.That(obstacles.Clear() > 1 && obstacles.Clear() == 0, "tiles under three posts");
                obstacles.Step(mesh);
                Require.That(obstacles.All.Length == 0 && EveryPart.Content(mesh) == before, "they are gone");
            }
        }

        private static bool IsOpen(LiveLevel live)
        {
            using (NavMesh mesh = live.ToMesh()) return mesh.FindPath(Here, There).IsComplete;
        }

        private static string Content(LiveLevel live)
        {
            using (NavMesh mesh = live.ToMesh()) return EveryPart.Content(mesh);
        }

        private static void Live()
        {
            BakeSettings settings = EveryPart.Settings();
            using (Level level = EveryPart.Square())
            using (Level crate = EveryPart.Square(1, 0.4f, -1))
            using (Level ledge = EveryPart.Square(24, 2, 16))
            using (NavMesh baked = NavMesh.Bake(level, settings))
            using (var live = new LiveLevel(level, settings, new LinkSettings(settings)))
            {
                Require.That(live.Progress.Stage == LiveStage.Tiles && !live.Progress.Finished, "nothing is baked yet");
                int steps = 0;
                while (!live.Step(5000).Finished) steps++;
                Require.That(steps > 1 && live.Progress.Done == live.Progress.Total, "the first steps bake it");
                string before = Content(live);
                Require.Equal(before, EveryPart.Content(baked), "as a bake does");

                ObstacleRef wall = live.AddObstacle(Volume.Box(new Vec3(12, 1, 12), new Vec3(1, 2, 20)));
                live.Announce();
                Require.That(IsOpen(live), "it is not built yet");
                live.Step(0, new WorkContext { Threads = 2 });
                Require.That(!IsOpen(live) && live.Rebuilt.Length > 0, "a wall is in the way");
                live.MoveObstacleBy(wall, new Vec3(0, 0, 25));
                live.Step();
                Require.That(IsOpen(live), "it has moved on");
                live.ReplaceObstacle(wall, Volume.Cylinder(new Vec3(12, -1, 12), 2, 4));
                live.Step();
                using (Obstacles copied = live.ToObstacles()) Require.Equal(copied.All.Single(), wall, "its reference");
                Require.Equal(live.AllObstacles.Single(), wall, "it is listed");
                live.RemoveObstacle(wall);
                Require.Equal(live.AllObstacles.Length, 0, "obstacles");
                Require.Status(Status.Stale, () => live.RemoveObstacle(wall), "a removed obstacle");

                ObjectRef thing = live.AddObject(crate, Here);
                live.Step();
                string first = Content(live);
                live.MoveObject(thing, There);
                live.Step();
                string second = Content(live);
                live.RemoveObject(thing);
                Require.Status(Status.Stale, () => live.MoveObject(thing, Here), "a removed object");
                live.Step();
                Require.That(first != before && second != first && Content(live) == before, "a crate comes and goes");

                Require.Equal(live.Links.Length, 0, "links of a floor");
                using (Level whole = EveryPart.Square())
                {
                    whole.AddTriangles(
                        new[] { new Vec3(0, 2, 18), new Vec3(0, 2, 24), new Vec3(24, 2, 24), new Vec3(24, 2, 18) }, new[] { 0, 1, 2, 0, 2, 3 });
                    live.ReplaceTriangles(whole);
                }
                Require.Equal(live.Step().Stage, LiveStage.Links, "the last stage");
                Require.That(live.Links.Length > 0, "links to a ledge");
                using (NavMesh edited = live.ToMesh())
                using (NavMesh old = live.ToMesh())
                {
                    edited.SetArea(5, "mud", 4);
                    live.SetMesh(edited);
                    old.SetArea(5, "sand", 2);
                    Require.Status(Status.Outdated, () => live.SetMesh(old), "a copy from before");
                    using (NavMesh mesh = live.ToMesh()) Require.Equal(mesh.Area(5).cost, 4f, "the cost of mud");
                }
                live.ReplaceTriangles(level);
                live.Step();
                Require.That(live.Links.Length == 0 && Content(live) == before, "the ledge and its links are gone");
                crate.AddVolume(Volume.Box(Here, new Vec3(1, 1, 1)));
                Require.Throws<ArgumentException>(() => live.ReplaceTriangles(crate), "triangles with volumes");
                Require.Throws<ArgumentException>(() => live.AddObject(crate, Here), "an object with volumes");
            }
        }

        /// <summary>A height map of 25 by 25 metres with a pit in it, or without, and a volume that blocks.</summary>
        private static Level Land(bool hasPit)
        {
            var samples = new ushort[26 * 26];
            for (int i = 0; i < samples.Length; i++) samples[i] = 20;
            if (hasPit) for (int z = 2; z < 5; z++) for (int x = 2; x < 5; x++) samples[26 * z + x] = 0;
            var land = new Level();
            land.SetHeights(26, 26, samples, 1, 0.1);
            land.AddVolume(Volume.Cylinder(new Vec3(18, 0, 18), 2, 6));
            return land;
        }

        private static void Terrain()
        {
            BakeSettings settings = EveryPart.Settings();
            using (Level land = Land(false))
            using (Level dug = Land(true))
            using (Level square = EveryPart.Square())
            using (NavMesh plain = NavMesh.Bake(land, settings))
            using (NavMesh pit = NavMesh.Bake(dug, settings))
            using (var live = new LiveLevel(land, settings))
            {
                live.Step();
                Require.Equal(Content(live), EveryPart.Content(plain), "terrain and volumes are those of a bake");
                live.ReplaceTerrain(dug);
                live.Step();
                Require.That(live.Rebuilt.Length > 0 && live.Rebuilt.Length < 4, "few tiles are dug");
                Require.Equal(Content(live), EveryPart.Content(pit), "a pit");
                live.ReplaceTerrain(square);
                live.Step();
                using (NavMesh none = live.ToMesh()) Require.Equal(none.Size.Tiles, 0u, "tiles without terrain");
            }
        }

        private static void Stored()
        {
            BakeSettings settings = EveryPart.Settings();
            Volume wall = Volume.Box(new Vec3(12, 1, 12), new Vec3(1, 2, 20));
            using (Level level = EveryPart.Square())
            using (NavMesh mesh = NavMesh.Bake(level, settings))
            using (var obstacles = new Obstacles(level, settings))
            {
                using (var live = new LiveLevel(mesh, obstacles, level, new LinkSettings(settings)))
                {
                    live.Step();
                    live.AddObstacle(wall);
                    live.AddObject(level, new Vec3(0, 3, 0));
                    using (Obstacles saved = live.ToObstacles())
                    using (LevelCheckpoints checkpoints = saved.ToCheckpoints())
                    using (Obstacles loaded = Obstacles.Load(checkpoints, saved.Save()))
                    {
                        Require.That(loaded.Pending.SequenceEqual(saved.Pending) && loaded.Pending.Length > 0, "what waits is saved");
                    }
                    live.Step();
                    Require.That(!IsOpen(live) && mesh.FindPath(Here, There).IsComplete, "the mesh that it was made of stays");
                }
                using (var live = new LiveLevel(level, settings, new LinkSettings(settings)))
                {
                    live.Step();
                    ObstacleRef kept = live.AddObstacle(wall);
                    byte[] saved = live.Save();
                    using (LiveLevel loaded = LiveLevel.Load(saved, level, new LinkSettings(settings)))
                    {
                        Require.That(!loaded.Progress.Finished && IsOpen(loaded), "what waits is saved");
                        loaded.Step();
                        live.Step();
                        Require.That(!IsOpen(loaded) && Content(loaded) == Content(live), "it goes on as the other does");
                        Require.Equal(loaded.AllObstacles.Single(), kept, "its reference");
                    }
                    Array.Resize(ref saved, saved.Length - 1);
                    Require.Status(Status.BadData, () => LiveLevel.Load(saved), "bytes that are cut short");
                }
                using (var live = new LiveLevel(mesh, obstacles))
                {
                    Require.Throws<ArgumentException>(() => live.AddObject(level, Here), "objects without triangles");
                    live.AddObstacle(wall);
                    live.Step();
                    Require.That(!IsOpen(live) && obstacles.All.Length == 0, "the obstacles that it was made of stay");
                }
                Require.Throws<ArgumentException>(
                    () => new LiveLevel(mesh, obstacles, null, new LinkSettings(settings)), "links without triangles");
                using (var live = new LiveLevel(mesh))
                {
                    Require.Throws<ArgumentException>(() => live.AddObstacle(wall), "obstacles without checkpoints");
                    Require.That(live.ToObstacles() == null && live.AllObstacles.Length == 0 && live.Step().Finished, "nothing to do");
                }
            }
        }

        private static void Resident()
        {
            string store = Path.Combine(Path.GetTempPath(), "wayfare_changes_" + Guid.NewGuid().ToString("N"));
            try
            {
                using (Level level = EveryPart.Square()) TileStore.Bake(store, level, EveryPart.Settings());
                using (var world = new ResidentWorld(store))
                using (var again = new ResidentWorld(store, 8))
                {
                    world.SetFlags(world.Nearest(new Vec3(12, 0, 12)).Value.Poly, 0);
                    Require.That(world.FindPath(Here, There).Points.Count > 2, "around what is closed");
                    Require.Equal(again.FindPath(Here, There).Points.Count, 2, "points in another world");
                    byte[] changes = world.SaveChanges();
                    again.LoadChanges(changes);
                    again.Prefetch(Here, 40);
                    Require.That(again.Stats.Evicted > 0 && again.FindPath(Here, There).Points.Count > 2, "it was told");
                    changes[40] ^= 1;
                    Require.Status(Status.BadData, () => again.LoadChanges(changes), "damaged changes");
                    Require.Status(Status.Stale, () => again.SetFlags(new PolyRef(1UL << 48 | 1), 0), "no such tile");
                }
            }
            finally
            {
                if (Directory.Exists(store)) Directory.Delete(store, true);
                if (File.Exists(store)) File.Delete(store);
            }
        }

        private static void Walks()
        {
            var goal = new BlockBox(new Cell(12, 1, 12), new Cell(12, 1, 12));
            var start = new Vec3(2.5f, 1, 2.5f);
            using (var blocks = new BlockWorld())
            using (var nav = new BlockNav())
            using (var other = new BlockNav())
            {
                blocks.Fill(new BlockBox(new Cell(0, 0, 0), new Cell(15, 0, 15)), BlockKind.Solid);
                Require.That(nav.WalkWithoutPath(blocks, new Vec3(90, 1, 90), goal) == null, "nowhere to stand");
                using (BlockWalk walk = nav.WalkWithoutPath(blocks, start, goal))
                {
                    RequestId request = walk.Ask(nav, blocks);
                    Require.That(!request.IsNone && walk.Ask(nav, blocks).IsNone, "it asks once");
                    Require.Throws<ArgumentException>(() => walk.Follow(nav), "no answer yet");
                    Require.Throws<ArgumentException>(() => walk.Ask(other, blocks), "another navigation");
                    nav.Withdraw(request);
                    request = walk.Ask(nav, blocks);
                    Require.That(!request.IsNone, "what was given up is asked again");
                    nav.Update(blocks, 1000);
                    Require.That(nav.Take(out RequestId answered).IsComplete && answered == request, "an answer");
                    walk.Follow(nav);
                    (Vec3 now, Vec3 target, bool arrived) = walk.Move(nav, blocks, start);
                    for (int i = 0; i < 100 && !arrived; i++) (now, target, arrived) = walk.Move(nav, blocks, target);
                    Require.That(arrived && Vec3.Distance(now, new Vec3(12.5f, 1, 12.5f)) < 1, "it arrives");
                }
            }
        }

        private static void Cells()
        {
            using (var grid = new LocalGrid(16, 0.5f))
            {
                var from = new Vec3(-3, 0, 0);
                var to = new Vec3(3, 0, 0);
                grid.Recenter(new Vec3(0, 0, 0));
                for (int z = 0; z < 12; z++) grid.SetBlocked(8, z);
                Require.That(grid.IsBlocked(8, 11) && grid.FindPath(from, to).Points.Count > 2, "around blocked cells");
                for (int z = 0; z < 12; z++) grid.SetBlocked(8, z, false);
                Require.Equal(grid.FindPath(from, to).Points.Count, 2, "points over free cells");
                Require.Throws<ArgumentException>(() => grid.SetBlocked(16, 0), "outside");
            }
        }

        private static void Remembered()
        {
            string file = Path.Combine(Path.GetTempPath(), "wayfare_remembered_" + Guid.NewGuid().ToString("N") + ".way");
            BakeSettings settings = EveryPart.Settings();
            using (Level level = EveryPart.Square())
            using (NavMesh mesh = NavMesh.Bake(level, settings))
            using (var shared = new SharedMesh(mesh))
            {
                mesh.RememberLevel(level, settings);
                byte[] saved = mesh.Save();
                File.WriteAllBytes(file, saved);
                try
                {
                    using (NavMesh loaded = NavMesh.Load(file)) Require.That(loaded.Save().SequenceEqual(saved), "a file by its name");
                }
                finally
                {
                    File.Delete(file);
                }
                shared.Publish(mesh);
                using (NavMesh newest = shared.Newest())
                {
                    Require.That(newest.Save().SequenceEqual(saved), "the newest");
                    level.AddVolume(Volume.Box(new Vec3(4, 1, 4), new Vec3(1, 2, 1)));
                    Require.That(newest.BakeChanged(level, settings) > 0, "tiles that differ");
                    shared.Publish(newest);
                }
            }
        }

        private static void AtWork()
        {
            using (Level level = EveryPart.Square())
            using (NavMesh mesh = NavMesh.Bake(level, EveryPart.Settings()))
            {
                PolyRef poly = mesh.PolygonsOf(mesh.Tiles[0].Tile)[0];
                int asked = 0;
                mesh.BakeChanged(level, EveryPart.Settings(), new WorkContext
                {
                    OnProgress = now =>
                    {
                        asked++;
                        Require.Status(Status.Busy, () => mesh.IsValid(poly), "a mesh at work");
                    },
                });
                Require.That(asked > 0 && !mesh.IsValid(default(PolyRef)), "it was asked");
            }
        }

        private static void Indices()
        {
            EveryPart.WithMesh(mesh =>
            {
                using (var crowd = new Crowd())
                {
                    var agents = new AgentId[5];
                    for (int i = 0; i < agents.Length; i++) agents[i] = crowd.Add(mesh, new Vec3(2 + 2 * i, 0, 2), new AgentParams());
                    crowd.Remove(agents[0]);
                    crowd.Remove(agents[3]);
                    Vec3[] positions = crowd.Positions;
                    foreach (AgentId agent in crowd.Agents)
                    {
                        Require.Equal(positions[(int)crowd.State(agent).Index], crowd.State(agent).Position, "the position at its index");
                    }
                    Require.Equal(crowd.State(agents[4]).Index, 2u, "the index of the last");
                }
            });
        }

        private static void ManyByOwn()
        {
            EveryPart.WithMesh(mesh =>
            {
                int own = System.Threading.Thread.CurrentThread.ManagedThreadId, strangers = 0, calls = 0;
                Func<Crossing, float> cost = crossing =>
                {
                    calls++;
                    if (System.Threading.Thread.CurrentThread.ManagedThreadId != own) strangers++;
                    return 2 * crossing.Length;
                };
                using (var crowd = new Crowd())
                {
                    uint number;
                    using (Filter filter = Filter.Of(null, crossing => crossing.Length)) number = crowd.AddFilter(filter);
                    for (int i = 0; i < 300; i++)
                    {
                        AgentId agent = crowd.Add(mesh, new Vec3(1 + i % 20, 0, 1 + i / 20), new AgentParams { Filter = number, Radius = 0.2f });
                        crowd.GoTo(mesh, agent, new Vec3(21 - i % 20, 0, 22));
                    }
                    for (int i = 0; i < 3; i++) crowd.Step(mesh, 0.1f);
                    long before = Library.LiveHandles;
                    for (int i = 0; i < 5; i++)
                    {
                        using (Filter filter = Filter.Of(null, cost)) crowd.SetFilter(number, filter, costsOnly: true);
                        crowd.Begin(0.1f);
                        foreach (CrowdPhase phase in Enum.GetValues(typeof(CrowdPhase))) crowd.RunPhase(phase, mesh, 0.1f);
                        crowd.End();
                    }
                    Require.That(calls > 300 && strangers == 0, strangers + " calls on other threads");
                    Require.Equal(Library.LiveHandles, before, "what lives after filters were replaced");
                    var cancelled = new System.Threading.CancellationTokenSource();
                    cancelled.Cancel();
                    Require.Throws<OperationCanceledException>(
                        () => crowd.Step(mesh, 0.1f, null, new WorkContext { Cancellation = cancelled.Token }), "a tick that was cancelled");
                }
            });
        }

        private static void Points()
        {
            EveryPart.WithMesh(mesh =>
            {
                using (var crowd = new Crowd())
                using (var queue = new PathQueue())
                using (var query = new NavQuery(mesh))
                using (CostMap costs = query.CostsFrom(EveryPart.From))
                {
                    AgentId agent = crowd.Add(mesh, EveryPart.From, new AgentParams());
                    crowd.SetTarget(mesh, agent, AgentTarget.Point(EveryPart.To));
                    crowd.Step(mesh, 0.1f);
                    crowd.SetTarget(mesh, agent, AgentTarget.Moving(EveryPart.To));
                    for (int i = 0; i < 3; i++) crowd.Step(mesh, 0.1f);
                    Require.Equal(crowd.State(agent).TargetStatus, TargetStatus.Complete, "its way");
                    RequestId request = queue.Request(mesh, EveryPart.From, EveryPart.To);
                    queue.Step(mesh, 10000);
                    Require.That(queue.Take(request).IsComplete && costs.PathTo(EveryPart.To).IsComplete, "paths");
                }
            });
        }

        private static void Useless()
        {
            EveryPart.WithMesh(mesh =>
            {
                var without = new Connection { Start = Here, End = There, Radius = 1 };
                Require.Throws<ArgumentException>(() => mesh.AddConnection(without), "a connection without flags");
                PolyRef made = mesh.AddConnection(new Connection(Here, There));
                Require.That(mesh.IsLinked(made), "one that can be used");
            });
            using (var level = new Level())
            {
                Require.Throws<ArgumentException>(() => level.AddVolume(Volume.Box(Here, new Vec3(-1, 1, 1))), "an inverted box");
                Require.Throws<ArgumentException>(() => level.AddVolume(Volume.Prism(new[] { new Vec2(0, 0), new Vec2(1, 1) }, 0, 1)), "two corners");
            }
        }

        private static void Turned()
        {
            using (Level level = EveryPart.Square())
            {
                Vec3[] verts = { new Vec3(0, 0, 0), new Vec3(0, 0, 9), new Vec3(9, 0, 9), new Vec3(9, 0, 0) };
                level.AddTriangles(verts, new[] { 0, 1, 2, 0, 2, 3 }, frame: Frame.Unity);
                Box bounds = level.Report.Bounds;
                Require.That(bounds.Min.Z == -9 && bounds.Max.Z == 24, "only those are turned");
                level.AddVolume(Volume.Box(Here, new Vec3(1, 1, 1)));
                Require.Throws<ArgumentException>(() => level.InFrame(Frame.Unity), "volumes would stay");
            }
        }

        private static void ManyLinks()
        {
            // Steps down, one after the other.
            using (var level = new Level())
            {
                for (int i = 0; i < 12; i++)
                {
                    float x = 10 * i, y = -i;
                    Vec3[] verts = { new Vec3(x, y, 0), new Vec3(x, y, 90), new Vec3(x + 10, y, 90), new Vec3(x + 10, y, 0) };
                    level.AddTriangles(verts, new[] { 0, 1, 2, 0, 2, 3 });
                }
                BakeSettings settings = BakeSettings.ForAgent(2, 0.5f, 0.5f);
                using (NavMesh mesh = NavMesh.Bake(level, settings))
                {
                    ulong last = 0;
                    int restarts = 0;
                    AutoLink[] links = mesh.FindLinks(level, settings, null, new WorkContext
                    {
                        OnProgress = now =>
                        {
                            if (now.Done < last) restarts++;
                            last = now.Done;
                        },
                    });
                    Require.That(links.Length > 256, "many links: " + links.Length);
                    Require.Equal(mesh.Connections.Length, links.Length, "connections");
                    Require.Equal(restarts, 0, "searches that began anew");
                }
            }
        }

        private static void Endless()
        {
            Func<Cell, BlockKind> chasm = at =>
                at.Y <= 0 && at.Y > -3 && (at.X < 10 || at.X > 14) ? BlockKind.Solid : BlockKind.Air;
            using (BlockWorld world = BlockWorld.Of(chasm))
            using (var nav = new BlockNav(new BlockSettings { Mini = 4 }))
            {
                // The usual limit is tried in C, where callbacks are fast.
                Require.That(nav.PathExists(world, new Cell(0, 1, 0), new Cell(20, 1, 0), 2000) == null, "it is not decided");
                Require.That(nav.PathExists(world, new Cell(0, 1, 0), new Cell(-9, 1, 3)) == true, "on this side");
            }
        }

        private static void Values()
        {
            using (var overlay = new CostOverlay())
            using (var shapes = new Shapes())
            {
                overlay.PaintDisc(new Vec3(5, 0, 5), 2, 1, 3);
                overlay.PaintDisc(new Vec3(15, 0, 5), 2, 1, 6);
                DrawnShape[] cells = shapes.Add(overlay).List.Where(shape => shape.Role == DrawnRole.Value).ToArray();
                Require.That(cells.Max(cell => cell.Value) == 1 && cells.Min(cell => cell.Value) < 0.6f, "values");
                Require.Equal(shapes.Label(0), "", "what is no label has no text");
                Require.Throws<ArgumentException>(() => shapes.Label(shapes.List.Length), "a shape that is none");
            }
        }
    }
}
