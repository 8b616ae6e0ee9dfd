using System;
using System.Collections.Generic;
using System.Threading;

namespace Wayfare.Tests
{
    /// <summary>What is wrong is an exception with a sentence, never an end of the process.</summary>
    internal static class Misuse
    {
        internal static readonly Test[] All =
        {
            new Test("disposed objects", Disposed),
            new Test("nulls", Nulls),
            new Test("numbers that cannot be", BadNumbers),
            new Test("bytes that are none", BadBytes),
            new Test("stale references", Stale),
            new Test("a filter that throws for two", ThrowingForTwo),
            new Test("filters that throw", Throwing),
            new Test("worlds that throw", ThrowingWorld),
            new Test("callbacks that call back", Reentered),
            new Test("forgotten objects", Forgotten),
            new Test("many threads", Threads),
        };

        // Mono never gives back what it took of the first argument where the second is refused; .NET does.
        private static readonly bool IsMono = Type.GetType("Mono.Runtime") != null;

        private static void Disposed()
        {
            var level = new Level();
            level.Dispose();
            level.Dispose();
            Require.Throws<ObjectDisposedException>(() => level.ClearVolumes(), "a disposed level");
            Require.Throws<ObjectDisposedException>(() => NavMesh.Bake(level), "a bake of it");
            Require.Throws<ObjectDisposedException>(() => new BakeJob(level), "a job of it");
            EveryPart.WithMesh(mesh =>
            {
                if (!IsMono) Require.Throws<ObjectDisposedException>(() => mesh.HollowSurfaces(level, 2), "beside a live mesh");
                using (Level other = EveryPart.Square())
                {
                    Require.Throws<ObjectDisposedException>(() => other.AddVolume(Volume.Solid(level)), "a solid of it");
                }
                var query = new NavQuery(mesh);
                NavMesh copy = mesh.Copy();
                query.SetMesh(copy);
                copy.Dispose();
                Require.That(query.StraightPath(EveryPart.From, EveryPart.To).IsComplete, "a query outlives its mesh");
                query.Dispose();
                Require.Throws<ObjectDisposedException>(() => query.Nearest(EveryPart.From), "a disposed query");
                var filter = new Filter(mesh);
                filter.Dispose();
                if (!IsMono) Require.Throws<ObjectDisposedException>(() => new NavQuery(mesh, filter), "a disposed filter");
                Require.Throws<ObjectDisposedException>(() => Crowd.Load(new byte[9], mesh, filter), "a crowd with it");
            });
        }

        private static void Nulls()
        {
            using (var level = new Level())
            {
                Require.Throws<ArgumentNullException>(() => NavMesh.Bake(null), "no level");
                Require.Throws<ArgumentNullException>(() => new NavQuery(null), "no mesh");
                Require.Throws<ArgumentNullException>(() => level.AddVolume(null), "no volume");
                Require.Throws<ArgumentNullException>(() => Level.FromBytes(null, new byte[1]), "no name");
                Require.Throws<ArgumentNullException>(() => NavMesh.BakeAgents(level, null), "no settings");
                Require.Throws<ArgumentNullException>(() => NavMesh.BakeAgents(level, new BakeSettings[] { null }), "no settings among them");
                Require.Throws<ArgumentNullException>(() => BlockWorld.Of(null), "no function");
                Require.Throws<ArgumentNullException>(() => new LinkSettings(null), "no agent");
                Require.Throws<ArgumentException>(() => Level.FromBytes("a\0b.obj", new byte[1]), "a zero in a text");
            }
        }

        private static void BadNumbers()
        {
            using (Level level = EveryPart.Square())
            {
                foreach (float bad in new[] { float.NaN, float.PositiveInfinity, -1f })
                {
                    Require.Throws<Exception>(() => NavMesh.Bake(level, new BakeSettings { CellSize = bad }), "a cell of " + bad);
                    Require.Throws<Exception>(() => NavMesh.Bake(level, new BakeSettings { AgentHeight = bad }), "a height of " + bad);
                }
                Require.Throws<ArgumentException>(() => NavMesh.Bake(level, new BakeSettings { Partition = (Partition)99 }), "a partition");
                Require.Throws<ArgumentException>(() => level.AddTriangles(new[] { new Vec3() }, new[] { 0, 0, 7 }), "an index too high");
                Require.Throws<ArgumentException>(() => level.AddTriangles(new[] { new Vec3() }, new[] { 0, 0, -1 }), "a negative index");
                Require.Throws<ArgumentException>(() => level.AddTriangles(new[] { new Vec3() }, new[] { 0, 0 }), "two indices");
                Require.Throws<ArgumentException>(() => level.AddTriangles(new[] { new Vec3() }, new[] { 0, 0, -3 }), "an index below 0");
                Require.Throws<ArgumentOutOfRangeException>(() => level.SetHeights(-1, 2, new ushort[4], 1, 1), "columns");
                Require.Throws<ArgumentException>(() => level.SetHeights(2, 3, new ushort[4], 1, 1), "samples");
                Require.Throws<ArgumentException>(() => level.AddVolume(Volume.Cylinder(new Vec3(), float.NaN, 1)), "a radius");
                Require.Throws<ArgumentOutOfRangeException>(() => NavMesh.Bake(level, null, new WorkContext { Threads = -1 }), "threads");
            }
            EveryPart.WithMesh(mesh =>
            {
                using (var query = new NavQuery(mesh))
                using (var crowd = new Crowd())
                {
                    Require.Throws<ArgumentException>(() => query.StraightPath(new Vec3(float.NaN, 0, 0), EveryPart.To), "NaN");
                    Require.Throws<ArgumentException>(() => query.Nearest(new Vec3(0, float.NegativeInfinity, 0)), "infinity");
                    ulong seed = 1;
                    Require.Throws<ArgumentOutOfRangeException>(() => query.Random(ref seed, -1), "a negative count");
                    Require.Throws<ArgumentException>(() => query.NearestWall(EveryPart.From, -1), "a negative radius");
                    Require.Throws<ArgumentException>(() => query.Set(new QuerySettings { MaxCost = float.NaN }), "a cost");
                    AgentId agent = crowd.Add(mesh, EveryPart.From, new AgentParams());
                    Require.Throws<ArgumentException>(() => crowd.Step(mesh, float.NaN), "a tick of NaN");
                    Require.Throws<ArgumentException>(() => crowd.SetParams(agent, new AgentParams { Radius = -1 }), "a radius");
                    Require.Throws<Exception>(() => crowd.RunPhase((CrowdPhase)77, mesh, 0.1f), "a phase");
                    Require.Throws<ArgumentException>(() => crowd.Add(mesh, EveryPart.From, new AgentParams { Style = (SteeringStyle)9 }), "a style");
                    Require.Throws<ArgumentException>(() => new Planner((PlannerKind)50), "a planner");
                    Require.Throws<ArgumentException>(() => new Filter(mesh, 0x10000), "flags");
                    Require.Throws<ArgumentException>(() => Filter.Of(null, null, float.NaN), "the least cost");
                    Require.Throws<ArgumentException>(() => mesh.SetArea(64, "x", 1), "an area");
                }
            });
        }

        private static void BadBytes()
        {
            EveryPart.WithMesh(mesh =>
            {
                byte[] whole = mesh.Save();
                for (int length = 0; length < whole.Length; length += 1 + length / 8)
                {
                    int most = length;
                    Require.Throws<WayfareException>(() => NavMesh.Load(new ReadOnlySpan<byte>(whole, 0, most)), "the first " + length + " bytes");
                }
                for (int i = 0; i < whole.Length; i += 97)
                {
                    var damaged = (byte[])whole.Clone();
                    damaged[i] ^= 0x55;
                    try
                    {
                        NavMesh.Load(damaged).Dispose();
                    }
                    catch (WayfareException)
                    {
                        // As it should.
                    }
                }
                Require.Throws<WayfareException>(() => Crowd.Load(whole, mesh), "a mesh is no crowd");
                Require.Throws<WayfareException>(() => CostOverlay.Load(whole), "nor an overlay");
                Require.Throws<WayfareException>(() => LevelCheckpoints.Load(whole), "nor checkpoints");
                Require.Throws<WayfareException>(() => Formation.Load(whole), "nor a formation");
            });
        }

        private static void Stale()
        {
            EveryPart.WithMesh(mesh =>
            {
                TileInfo tile = mesh.Tiles[0];
                PolyRef poly = mesh.PolygonsOf(tile.Tile)[0];
                byte[] bytes = mesh.TileBytes(tile.Tile);
                mesh.ReplaceTile(tile.Tile, bytes);
                Require.That(!mesh.IsValid(poly), "the polygon is gone");
                Require.Status(Status.Stale, () => mesh.Polygon(poly), "a stale polygon");
                Require.Status(Status.Stale, () => mesh.SetFlags(poly, 1), "its flags");
                Require.Status(Status.Stale, () => mesh.TileBytes(tile.Tile), "a stale tile");
                using (var query = new NavQuery(mesh))
                {
                    Require.Status(Status.Stale, () => query.StraightPath(new Place(poly, EveryPart.From), EveryPart.To), "a path from it");
                }
                Require.Throws<Exception>(() => mesh.Polygon(new PolyRef(ulong.MaxValue)), "a wild reference");
                using (var crowd = new Crowd())
                {
                    Require.Status(Status.Stale, () => crowd.State(new AgentId(99)), "no agent");
                    Require.Status(Status.Stale, () => crowd.Remove(default(AgentId)), "none");
                }
            });
        }

        private static void Throwing()
        {
            EveryPart.WithMesh(mesh =>
            {
                Filter bad = Filter.Of((poly, area, flags) => throw new InvalidOperationException("the first"), crossing => throw new Exception("the second"));
                using (bad)
                using (var query = new NavQuery(mesh, bad))
                {
                    var pairs = new PathEnds[200];
                    for (int i = 0; i < pairs.Length; i++) pairs[i] = new PathEnds(EveryPart.From, EveryPart.To);
                    var asks = new Dictionary<string, Action>
                    {
                        { "a path", () => query.StraightPath(EveryPart.From, EveryPart.To) },
                        { "the shortest", () => query.OptimalPath(EveryPart.From, EveryPart.To) },
                        { "a ray", () => query.Ray(EveryPart.From, EveryPart.To) },
                        { "a move", () => query.Move(EveryPart.From, EveryPart.To) },
                        { "the nearest", () => query.Nearest(EveryPart.From) },
                        { "many on threads", () => query.StraightPaths(pairs, 2) },
                        { "into a span", () => query.StraightPath(EveryPart.From, EveryPart.To, new Vec3[1]) },
                        { "a list", () => query.Around(EveryPart.From, 9) },
                        { "walls", () => query.Walls(EveryPart.From) },
                        { "reach", () => query.IsReachable(EveryPart.From, EveryPart.To) },
                        { "the nearest wall", () => query.NearestWall(EveryPart.From, 9) },
                        { "a random place", () => { ulong seed = 1; query.Random(ref seed, 3); } },
                        { "one around", () => { ulong seed = 1; query.RandomAround(EveryPart.From, 9, ref seed, 3); } },
                        { "a text", () => query.Explain(EveryPart.From, EveryPart.To) },
                    };
                    foreach (KeyValuePair<string, Action> ask in asks)
                    {
                        var thrown = Require.Throws<InvalidOperationException>(() => Throw(ask.Value), ask.Key);
                        Require.Equal(thrown.Message, "wrapped: the first", ask.Key);
                    }
                    query.SetFilter(null);
                    Require.That(query.StraightPath(EveryPart.From, EveryPart.To).IsComplete, "the query still works");
                }
                using (Filter costs = Filter.Of(null, crossing => throw new DivideByZeroException("a fault in a cost")))
                using (var crowd = new Crowd())
                {
                    uint number = crowd.AddFilter(costs);
                    AgentId agent = crowd.Add(mesh, EveryPart.From, new AgentParams { Filter = number });
                    crowd.GoTo(mesh, agent, EveryPart.To);
                    Require.Throws<DivideByZeroException>(() => { for (int i = 0; i < 5; i++) crowd.Step(mesh, 0.1f); }, "a crowd");
                    Require.Throws<DivideByZeroException>(
                        () => { crowd.GoTo(mesh, agent, new Vec3(20, 0, 3)); for (int i = 0; i < 5; i++) crowd.Step(mesh, 0.1f, null, new WorkContext { Threads = 2 }); },
                        "with a context");
                }
                bool isAngry = false;
                Func<PolyRef, uint, uint, bool> moody = (poly, area, flags) => isAngry ? throw new TimeoutException("the filter is angry") : true;
                using (Filter first = Filter.Of(moody))
                using (Filter second = Filter.Of(moody))
                using (var query = new NavQuery(mesh, first))
                using (var crowd = new Crowd())
                {
                    var with = new AgentParams { Filter = crowd.AddFilter(first) };
                    var other = new AgentParams { Filter = crowd.AddFilter(second) };
                    ulong seed = 1;
                    isAngry = true;
                    Require.Throws<TimeoutException>(() => crowd.Add(mesh, EveryPart.From, with), "an agent whose filter throws");
                    Require.Equal(crowd.Agents.Length, 0, "is not added");
                    Require.Throws<TimeoutException>(() => query.Random(ref seed, 3), "a random place");
                    isAngry = false;
                    Require.Equal(query.Random(ref seed, 3).Length, 3, "once the filter is calm");
                    AgentId agent = crowd.Add(mesh, EveryPart.From, with), more = crowd.Add(mesh, EveryPart.To, other);
                    crowd.GoTo(mesh, agent, EveryPart.To);
                    crowd.GoTo(mesh, more, EveryPart.From);
                    isAngry = true;
                    Require.Throws<TimeoutException>(() => { for (int i = 0; i < 5; i++) crowd.Step(mesh, 0.1f); }, "two filters in a tick");
                    isAngry = false;
                    crowd.Step(mesh, 0.1f);
                    // A filter that cannot be set leaves the one that is there, with what it needs.
                    isAngry = true;
                    Filter gone = Filter.Of(moody);
                    gone.Dispose();
                    Require.Throws<ObjectDisposedException>(() => query.SetFilter(gone), "a filter that is gone");
                    Require.Throws<TimeoutException>(() => query.Nearest(EveryPart.From), "the filter before");
                    query.SetFilter(second);
                    Require.Throws<TimeoutException>(() => query.Nearest(EveryPart.From), "the filter after");
                    isAngry = false;
                    Require.That(query.Nearest(EveryPart.From).Found, "once it is calm");
                }
                using (Filter infinite = Filter.Of(null, crossing => float.NaN))
                using (var query = new NavQuery(mesh, infinite))
                {
                    query.StraightPath(EveryPart.From, EveryPart.To);
                }
            });
        }

        /// <summary>Two calls at once by one filter, which throws in one of them: the other was told of nothing to walk on.</summary>
        private static void ThrowingForTwo()
        {
            EveryPart.WithMesh(mesh =>
            {
                int stage = 0, thrown = 0;
                Action<int> wait = until => { while (Volatile.Read(ref stage) < until) Thread.Yield(); };
                int thrower = 0;
                Func<PolyRef, uint, uint, bool> passes = (poly, area, flags) =>
                {
                    if (Volatile.Read(ref stage) >= 3) return true;
                    if (Thread.CurrentThread.ManagedThreadId == Volatile.Read(ref thrower))
                    {
                        wait(1);
                        Volatile.Write(ref stage, 2);
                        throw new TimeoutException("the filter of two");
                    }
                    if (Volatile.Read(ref stage) == 0)
                    {
                        Volatile.Write(ref stage, 1);
                        // Until the other call has ended: only then is it known that it threw.
                        while (Volatile.Read(ref thrown) == 0) Thread.Yield();
                    }
                    return true;
                };
                using (Filter filter = Filter.Of(passes))
                using (var first = new NavQuery(mesh, filter))
                using (var second = new NavQuery(mesh, filter))
                {
                    Action<NavQuery> ask = query =>
                    {
                        try
                        {
                            ulong seed = 1;
                            query.Random(ref seed, 3);
                        }
                        catch (TimeoutException)
                        {
                            Interlocked.Increment(ref thrown);
                        }
                    };
                    var one = new Thread(() => { Volatile.Write(ref thrower, Thread.CurrentThread.ManagedThreadId); ask(first); });
                    var other = new Thread(() => { while (Volatile.Read(ref thrower) == 0) Thread.Yield(); ask(second); });
                    one.Start();
                    other.Start();
                    one.Join();
                    other.Join();
                    Require.Equal(thrown, 2, "calls that throw");
                    Volatile.Write(ref stage, 3);
                    ulong again = 1;
                    Require.That(first.Random(ref again, 3).Length == 3 && second.Random(ref again, 3).Length == 3, "neither keeps what was none");
                }
                bool isAngry = false;
                using (Filter filter = Filter.Of((poly, area, flags) => isAngry ? throw new TimeoutException("the filter of a leader") : true))
                using (var crowd = new Crowd())
                {
                    AgentId leader = crowd.Add(mesh, EveryPart.From, new AgentParams { Filter = crowd.AddFilter(filter) });
                    AgentId member = crowd.Add(mesh, EveryPart.To, new AgentParams());
                    using (var formation = new Formation(crowd, leader, new[] { new Vec2(0, 15) }, new[] { member }))
                    {
                        isAngry = true;
                        Require.Throws<TimeoutException>(() => formation.Lead(crowd, mesh), "a formation");
                        isAngry = false;
                        crowd.Step(mesh, 0.1f);
                    }
                }
            });
        }

        /// <summary>The trace of the callback is kept: that is seen by its message here.</summary>
        private static void Throw(Action call)
        {
            try
            {
                call();
            }
            catch (InvalidOperationException exception)
            {
                Require.That(exception.StackTrace.Contains("HearPasses"), "the trace tells where it was thrown");
                throw new InvalidOperationException("wrapped: " + exception.Message);
            }
        }

        private static void ThrowingWorld()
        {
            var bounds = new BlockBox(new Cell(0, 0, 0), new Cell(15, 15, 15));
            using (BlockWorld world = BlockWorld.Of(at => throw new InvalidOperationException("no such chunk"), bounds))
            using (var nav = new BlockNav())
            {
                Require.Throws<InvalidOperationException>(() => nav.Path(world, new Cell(1, 1, 1), new Cell(9, 1, 9)), "a world that throws");
                Require.Throws<InvalidOperationException>(() => nav.Nearest(world, new Vec3(1, 1, 1), 3), "the nearest block");
            }
            bool isAngry = true;
            Func<Cell, BlockKind> floor = at => isAngry ? throw new InvalidOperationException("the world is angry now") : at.Y == 0 ? BlockKind.Solid : BlockKind.Air;
            using (BlockWorld world = BlockWorld.Of(floor, bounds))
            using (var nav = new BlockNav())
            {
                Require.Throws<InvalidOperationException>(() => nav.Path(world, new Cell(1, 1, 1), new Cell(9, 1, 9)), "a world that is angry");
                isAngry = false;
                Require.That(nav.Path(world, new Cell(1, 1, 1), new Cell(9, 1, 9)).IsComplete, "what was built meanwhile is built again");
                var goal = new BlockBox(new Cell(9, 1, 9), new Cell(9, 1, 9));
                using (BlockWalk walk = nav.WalkWithoutPath(world, new Vec3(1.5f, 1, 1.5f), goal))
                {
                    isAngry = true;
                    Require.Throws<InvalidOperationException>(() => nav.WalkWithoutPath(world, new Vec3(1.5f, 1, 1.5f), goal), "a walk through it");
                    Require.Throws<InvalidOperationException>(() => walk.Ask(nav, world), "a walk that asks");
                    isAngry = false;
                    nav.Update(world, 1000);
                    Require.That(nav.Take(out _) == null, "what it asked for is given up");
                }
            }
        }

        private static void Reentered()
        {
            EveryPart.WithMesh(mesh =>
            {
                NavQuery query = null;
                using (Filter filter = Filter.Of((poly, area, flags) => query.Nearest(EveryPart.From).Found))
                using (query = new NavQuery(mesh, filter))
                {
                    Require.Status(Status.Busy, () => query.StraightPath(EveryPart.From, EveryPart.To), "a query within itself");
                }
                NavQuery own = null;
                using (Filter filter = Filter.Of((poly, area, flags) => { own.Dispose(); return true; }))
                {
                    own = new NavQuery(mesh, filter);
                    // The call itself ends well; its points are asked of what is no longer there.
                    Require.Throws<ObjectDisposedException>(() => own.StraightPath(EveryPart.From, EveryPart.To), "disposed within its own call");
                }
            });
        }

        private static void Forgotten()
        {
            long before = Program.Live();
            for (int i = 0; i < 50; i++) Forget();
            for (int i = 0; i < 100 && Library.LiveHandles > before; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                Thread.Sleep(5);
            }
            // A conservative collector may take a number on the stack for an object.
            Require.That(Library.LiveHandles <= before + 20, "the collector frees what is forgotten: " + Library.LiveHandles);
        }

        private static void Forget()
        {
            var level = new Level();
            level.AddVolume(Volume.Box(new Vec3(), new Vec3(1, 1, 1)));
            Filter filter = Filter.Of((poly, area, flags) => true);
            GC.KeepAlive(filter);
            new Crowd().AddFilter(filter);
        }

        private static void Threads()
        {
            EveryPart.WithMesh(mesh =>
            {
                var faults = new List<Exception>();
                var threads = new Thread[4];
                int total = 0;
                using (Filter shared = Filter.Of((poly, area, flags) => { Interlocked.Increment(ref total); return true; }))
                {
                    for (int i = 0; i < threads.Length; i++)
                    {
                        threads[i] = new Thread(() =>
                        {
                            try
                            {
                                using (var query = new NavQuery(mesh, shared))
                                {
                                    for (int round = 0; round < 200; round++)
                                    {
                                        Require.That(query.StraightPath(EveryPart.From, EveryPart.To).IsComplete, "a path");
                                        if (round % 50 == 0) GC.Collect();
                                    }
                                }
                            }
                            catch (Exception exception)
                            {
                                lock (faults) faults.Add(exception);
                            }
                        });
                        threads[i].Start();
                    }
                    foreach (Thread thread in threads) thread.Join();
                }
                if (faults.Count > 0) throw faults[0];
                Require.That(total > 1000, "the filter was asked");
            }, true);
        }
    }
}
