using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Wayfare.Tests
{
    /// <summary>The cases that the library and every binding run (bindings/cases): the same levels, questions and answers.</summary>
    internal static class Cases
    {
        internal static IEnumerable<Test> All(string folder)
        {
            string[] files = Directory.GetFiles(folder, "*.json");
            Array.Sort(files, StringComparer.Ordinal);
            Require.That(files.Length > 5, folder + " holds the cases");
            return files.Select(file => new Test("case " + Path.GetFileName(file), () => Run(file)));
        }

        private sealed class Answer
        {
            internal readonly List<float> Numbers = new List<float>();
            internal string Text;

            internal Answer With(params float[] numbers)
            {
                Numbers.AddRange(numbers);
                return this;
            }

            internal Answer With(Vec3 point) => With(point.X, point.Y, point.Z);

            internal Answer With(IEnumerable<Vec3> points)
            {
                foreach (Vec3 point in points) With(point);
                return this;
            }

            internal string Digest
            {
                get
                {
                    ulong hash = 0xcbf29ce484222325;
                    foreach (float number in Numbers)
                    {
                        uint bits = BitConverter.ToUInt32(BitConverter.GetBytes(number), 0);
                        for (int i = 0; i < 4; i++) hash = unchecked((hash ^ (bits >> (8 * i) & 0xFF)) * 0x100000001b3);
                    }
                    return hash.ToString("x16");
                }
            }
        }

        private sealed class Session : IDisposable
        {
            internal readonly Level Level = new Level();
            internal BakeSettings Settings;
            internal NavMesh Mesh;
            internal Obstacles Obstacles;
            internal readonly List<ObstacleRef> Placed = new List<ObstacleRef>();

            public void Dispose()
            {
                Level.Dispose();
                if (Mesh != null) Mesh.Dispose();
                if (Obstacles != null) Obstacles.Dispose();
            }
        }

        private static void Run(string file)
        {
            Json test = Json.Parse(File.ReadAllText(file));
            using (Session session = Begin(test))
            {
                int number = 0;
                foreach (Json step in test["steps"].Items)
                {
                    Answer answer = Ask(session, step);
                    Json wanted = step["answer"];
                    string where = "step " + number + ", " + step["do"].Text;
                    if (answer.Text != null)
                    {
                        Require.Equal(answer.Text, wanted["text"].Text, where);
                    }
                    else
                    {
                        Require.Equal(answer.Numbers.Count, wanted["count"].Int, where + ": the count");
                        Require.Equal(answer.Digest, wanted["digest"].Text, where + ": the digest of " + string.Join(" ", answer.Numbers));
                    }
                    number++;
                }
                Require.That(number > 3, "there are steps");
            }
        }

        private static Vec3 Point(Json value) => new Vec3(value[0].Float, value[1].Float, value[2].Float);

        private static Vec3[] Points(Json value)
        {
            var points = new Vec3[value.Items.Count / 3];
            for (int i = 0; i < points.Length; i++) points[i] = new Vec3(value[3 * i].Float, value[3 * i + 1].Float, value[3 * i + 2].Float);
            return points;
        }

        private static Vec2[] FlatPoints(Json value)
        {
            var points = new Vec2[value.Items.Count / 2];
            for (int i = 0; i < points.Length; i++) points[i] = new Vec2(value[2 * i].Float, value[2 * i + 1].Float);
            return points;
        }

        private static Cell CellOf(Json value) => new Cell(value[0].Int, value[1].Int, value[2].Int);

        private static float Index(PolyRef poly) => poly.Bits & 0xFFFFF;

        private static Session Begin(Json test)
        {
            var session = new Session { Settings = SettingsOf(test) };
            if (test.Has("level"))
            {
                Json level = test["level"];
                session.Level.AddTriangles(
                    Points(level["verts"]),
                    level["tris"].Items.Select(one => one.Int).ToArray(),
                    level.List("areas").Select(one => (byte)one.Int).ToArray());
            }
            if (test.Has("heights"))
            {
                Json heights = test["heights"];
                ushort[] samples = heights["samples"].Items.Select(one => (ushort)one.Int).ToArray();
                session.Level.SetHeights(
                    heights["columns"].Int, heights["rows"].Int, samples, heights["spacing"].Number, heights["step"].Number, Point(heights["origin"]));
            }
            foreach (Json volume in test.List("volumes")) session.Level.AddVolume(VolumeOf(volume));
            if (!test.Has("level") && !test.Has("heights")) return session;
            session.Mesh = NavMesh.Bake(session.Level, session.Settings);
            if (test.Has("obstacles") && test["obstacles"].Flag) session.Obstacles = new Obstacles(session.Level, session.Settings);
            foreach (Json area in test.List("areas")) session.Mesh.SetArea(area["area"].Uint, area["name"].Text, area["cost"].Float);
            foreach (Json area in test.List("area_flags")) session.Mesh.SetAreaFlags(area["area"].Uint, area["flags"].Uint);
            foreach (Json one in test.List("connections"))
            {
                session.Mesh.AddConnection(new Connection
                {
                    Start = Point(one["start"]),
                    End = Point(one["end"]),
                    Radius = one["radius"].Float,
                    TwoWay = !one.Has("two_way") || one["two_way"].Flag,
                    Area = one["area"].Uint,
                    Flags = one["flags"].Uint,
                    UserId = one.UintOr("user_id", 0),
                });
            }
            return session;
        }

        private static BakeSettings SettingsOf(Json test)
        {
            var settings = new BakeSettings();
            if (!test.Has("bake")) return settings;
            Json bake = test["bake"];
            foreach (string name in bake.Names)
            {
                Json value = bake[name];
                switch (name)
                {
                    case "agent_height": settings.AgentHeight = value.Float; break;
                    case "agent_radius": settings.AgentRadius = value.Float; break;
                    case "agent_max_climb": settings.AgentMaxClimb = value.Float; break;
                    case "cell_size": settings.CellSize = value.Float; break;
                    case "cell_height": settings.CellHeight = value.Float; break;
                    case "tile_size": settings.TileSize = value.Uint; break;
                    case "partition": settings.Partition = (Partition)value.Uint; break;
                    case "erosion": settings.Erosion = (Erosion)value.Uint; break;
                    default: throw new Exception("no setting " + name);
                }
            }
            return settings;
        }

        private static Volume VolumeOf(Json v)
        {
            Volume made;
            switch (v["shape"].Text)
            {
                case "box":
                    Vec3 min = Point(v["min"]), max = Point(v["max"]);
                    made = Volume.Box((min + max) * 0.5f, (max - min) * 0.5f);
                    break;
                case "turned_box":
                    made = Volume.Box(Point(v["center"]), Point(v["half_extents"]), v["angle"].Float);
                    break;
                case "cylinder":
                    made = Volume.Cylinder(Point(v["base"]), v["radius"].Float, v["height"].Float);
                    break;
                case "capsule":
                    made = Volume.Capsule(Point(v["base"]), v["radius"].Float, v["height"].Float);
                    break;
                case "prism":
                    made = Volume.Prism(FlatPoints(v["outline"]), v["heights"][0].Float, v["heights"][1].Float);
                    break;
                default:
                    made = Volume.Hull(Points(v["points"]));
                    break;
            }
            bool before = v.Has("before_erosion") && v["before_erosion"].Flag;
            return v.Has("area") ? made.Painting(v["area"].Uint, !before) : made;
        }

        private static Answer Ask(Session session, Json step)
        {
            var answer = new Answer();
            string word = step["do"].Text;
            if (word.StartsWith("obstacle_", StringComparison.Ordinal)) return ObstacleAnswer(session, word, step);
            switch (word)
            {
                case "block_path": return BlockAnswer(step);
                case "grid_path": return GridAnswer(step);
                case "hull": return answer.With(ConvexHull.Of(FlatPoints(step["points"])).Select(i => (float)i).ToArray());
                case "outline_mesh":
                    if (session.Mesh != null) session.Mesh.Dispose();
                    session.Mesh = NavMesh.FromOutlines(step["outlines"].Items.Select(FlatPoints), step["y"].Float);
                    answer.Text = session.Mesh.Digest;
                    return answer;
                case "links":
                    foreach (AutoLink link in session.Mesh.FindLinks(session.Level, session.Settings))
                    {
                        answer.With((float)link.Kind).With(link.Start).With(link.End);
                    }
                    return answer;
                case "explain_place":
                    using (ExplainMap map = ExplainMap.Of(session.Level, session.Settings)) answer.Text = map.ReasonAt(Point(step["at"]));
                    return answer;
                case "mesh":
                    answer.Text = session.Mesh.Digest;
                    return answer;
                case "count":
                    MeshSize size = session.Mesh.Size;
                    return answer.With(size.Tiles, size.Polys, size.Connections);
                case "save_load":
                    using (NavMesh mesh = NavMesh.Load(session.Mesh.Save())) answer.Text = mesh.Digest;
                    return answer;
                case "detour":
                    using (NavMesh mesh = NavMesh.FromDetour(session.Mesh.ToDetour())) answer.Text = mesh.Digest;
                    return answer;
                case "crowd": return CrowdAnswer(session.Mesh, step);
                case "corridor": return CorridorAnswer(session.Mesh, step);
                case "clearance":
                    using (var wide = new ClearanceMesh(session.Mesh, step["radius"].Float))
                    using (NavMesh mesh = wide.ToMesh())
                    using (var query = new NavQuery(mesh))
                    {
                        return OptimalAnswer(query.OptimalPath(Point(step["from"]), Point(step["to"])));
                    }
                case "hierarchical":
                    using (var query = new NavQuery(session.Mesh))
                    using (var graph = new AbstractGraph(session.Mesh))
                    {
                        NavPath path = graph.Path(query, Point(step["from"]), Point(step["to"]));
                        return answer.With((float)path.Status, path.Cost, path.Info.PolyCount);
                    }
                case "overlay":
                    using (var overlay = new CostOverlay())
                    using (var plain = new Filter(session.Mesh))
                    {
                        overlay.PaintDisc(Point(step["center"]), step["radius"].Float, 2, step["cost"].Float);
                        using (Filter filter = plain.With(overlay))
                        using (var query = new NavQuery(session.Mesh, filter))
                        {
                            return PathAnswer(query.StraightPath(Point(step["from"]), Point(step["to"])));
                        }
                    }
                default:
                    using (var filter = new Filter(session.Mesh, step.UintOr("include", 0xFFFF), step.UintOr("exclude", 0)))
                    {
                        foreach (Json cost in step.List("costs")) filter.SetAreaCost(cost[0].Uint, cost[1].Float);
                        using (var query = new NavQuery(session.Mesh, filter)) return QueryAnswer(session.Mesh, query, word, step);
                    }
            }
        }

        private static Answer PathAnswer(NavPath path)
        {
            var answer = new Answer();
            answer.With((float)path.Status);
            foreach (PathPoint point in path.Points) answer.With(point.Point).With((float)point.Kind);
            return answer;
        }

        private static Answer OptimalAnswer(NavPath path)
        {
            return new Answer().With((float)path.Status, path.Length).With(path.Points.Select(point => point.Point));
        }

        private static PathEnds[] PairsOf(Json step) =>
            step["pairs"].Items.Select(pair => new PathEnds(Point(pair[0]), Point(pair[1]))).ToArray();

        private static Answer QueryAnswer(NavMesh mesh, NavQuery query, string word, Json step)
        {
            var answer = new Answer();
            switch (word)
            {
                case "nearest":
                    Nearest near = query.Nearest(Point(step["at"]));
                    return near.Found ? answer.With(near.Over ? 1 : 0, Index(near.Place.Poly)).With(near.Place.Point) : answer;
                case "path": return PathAnswer(query.StraightPath(Point(step["from"]), Point(step["to"])));
                case "paths":
                    PathBatch batch = query.StraightPaths(PairsOf(step));
                    for (int i = 0; i < batch.Paths.Count; i++)
                    {
                        answer.With((float)batch.Paths[i].Status, batch.Paths[i].PointCount).With(batch.PointsOf(i).ToArray());
                    }
                    return answer;
                case "optimal": return OptimalAnswer(query.OptimalPath(Point(step["from"]), Point(step["to"])));
                case "bounded":
                    using (var bounds = new CostBounds(mesh))
                    {
                        return PathAnswer(query.BoundedPath(bounds, Point(step["from"]), Point(step["to"])));
                    }
                case "ray":
                    Ray ray = query.Ray(Point(step["from"]), Point(step["to"]));
                    return answer.With(ray.Hit ? 1 : 0, ray.T).With(ray.Point).With(ray.Normal);
                case "rays":
                    foreach (Ray one in query.Rays(PairsOf(step))) answer.With(one.Hit ? 1 : 0, one.T);
                    return answer;
                case "move":
                    Place? end = query.Move(Point(step["from"]), Point(step["to"]));
                    return end.HasValue ? answer.With(end.Value.Point) : answer;
                case "reachable":
                    bool? reached = query.IsReachable(Point(step["from"]), Point(step["to"]));
                    return answer.With(reached.HasValue ? (reached.Value ? 1 : 0) : -1);
                case "explain_path":
                    PathExplanation? why = query.Explain(Point(step["from"]), Point(step["to"]));
                    answer.Text = why.HasValue ? why.Value.Name : "found";
                    return answer;
                default: return AroundAnswer(query, word, step);
            }
        }

        private static Answer AroundAnswer(NavQuery query, string word, Json step)
        {
            var answer = new Answer();
            ulong seed = step.UintOr("seed", 0);
            switch (word)
            {
                case "wall":
                    NearestWall wall = query.NearestWall(Point(step["at"]), step["radius"].Float);
                    return wall.Found ? answer.With(wall.Distance).With(wall.Point) : answer;
                case "walls":
                    foreach (Wall one in query.Walls(Point(step["at"]))) answer.With(one.Start).With(one.End);
                    return answer;
                case "around":
                    foreach (Reached one in query.Around(Point(step["at"]), step["radius"].Float)) answer.With(Index(one.Poly), one.Cost);
                    return answer;
                case "neighbourhood":
                    return answer.With(query.Neighbourhood(Point(step["at"]), step["radius"].Float).Select(Index).ToArray());
                case "in_box":
                    return answer.With(query.InBox(new Box(Point(step["min"]), Point(step["max"]))).Select(Index).ToArray());
                case "random":
                    return answer.With(query.Random(ref seed, step["count"].Int).Select(one => one.Point));
                case "random_around":
                    return answer.With(query.RandomAround(Point(step["at"]), step["radius"].Float, ref seed, step["count"].Int).Select(one => one.Point));
                default: throw new Exception("no step " + word);
            }
        }

        private static Answer CrowdAnswer(NavMesh mesh, Json step)
        {
            string[] methods = { "none", "sampled", "adaptive", "orca", "clearpath", "hrvo" };
            using (var crowd = new Crowd())
            using (var planner = new Planner(PlannerKind.AStar))
            {
                foreach (Json agent in step["agents"].Items)
                {
                    var parameters = new AgentParams();
                    if (agent.Has("radius")) parameters.Radius = agent["radius"].Float;
                    if (agent.Has("max_speed")) parameters.MaxSpeed = agent["max_speed"].Float;
                    if (agent.Has("method"))
                    {
                        parameters.Avoidance = Avoidance.Of((AvoidanceMethod)Array.IndexOf(methods, agent["method"].Text));
                    }
                    crowd.GoTo(mesh, crowd.Add(mesh, Point(agent["at"]), parameters), Point(agent["to"]));
                }
                GridObstacle[] obstacles = GridObstacles(step);
                crowd.SetObstacles(obstacles);
                for (int tick = 0; tick < step["ticks"].Int; tick++) crowd.Step(mesh, step["dt"].Float, planner);
                Answer answer = new Answer().With(crowd.Positions);
                if (obstacles.Length == 0) return answer;
                foreach (AgentId agent in crowd.Agents)
                {
                    uint[] by = crowd.ObstructedBy(agent);
                    answer.With(by.Length).With(by.Select(one => (float)one).ToArray());
                }
                return answer;
            }
        }

        private static Answer CorridorAnswer(NavMesh mesh, Json step)
        {
            var answer = new Answer();
            using (var query = new NavQuery(mesh))
            using (var corridor = new PathCorridor(query, Point(step["from"])))
            {
                query.StraightPath(Point(step["from"]), Point(step["to"]));
                corridor.Follow(query);
                foreach (Json to in step["walk"].Items)
                {
                    answer.With(corridor.MoveStart(query, Point(to))).With(corridor.Corners(3).Select(corner => corner.Point));
                }
            }
            return answer;
        }

        private static Answer BlockAnswer(Json step)
        {
            using (var world = new BlockWorld())
            using (var nav = new BlockNav())
            {
                foreach (Json box in step["boxes"].Items)
                {
                    world.Fill(new BlockBox(CellOf(box["min"]), CellOf(box["max"])), (BlockKind)box["block"].Uint);
                }
                BlockRoute route = nav.Path(world, CellOf(step["start"]), CellOf(step["goal"]));
                return new Answer().With((float)route.Status, route.Length).With(route.Points);
            }
        }

        private static GridObstacle[] GridObstacles(Json step) => step.List("obstacles").Select((one, i) =>
        {
            var number = (uint)i;
            switch (one["shape"].Text)
            {
                case "segment": return GridObstacle.Segment(number, Point(one["a"]), Point(one["b"]));
                case "disc": return GridObstacle.Disc(number, Point(one["center"]), one["radius"].Float);
                default:
                    Json half = one["half"];
                    return GridObstacle.Box(number, Point(one["center"]), half[0].Float, half[1].Float, one["yaw"].Float);
            }
        }).ToArray();

        private static Answer GridAnswer(Json step)
        {
            using (var grid = new LocalGrid(step["size"].Int, step["cell_size"].Float))
            {
                grid.Recenter(Point(step["center"]));
                grid.Block(GridObstacles(step), step["radius"].Float);
                Route route = grid.FindPath(Point(step["from"]), Point(step["to"]));
                return new Answer().With((float)route.Status).With(route.Points);
            }
        }

        private static Answer ObstacleAnswer(Session session, string word, Json step)
        {
            int tiles;
            switch (word)
            {
                case "obstacle_add":
                    session.Placed.Add(session.Obstacles.Add(VolumeOf(step), out tiles));
                    break;
                case "obstacle_move":
                    tiles = session.Obstacles.Move(session.Placed[step["which"].Int], Point(step["to"]));
                    break;
                case "obstacle_remove":
                    tiles = session.Obstacles.Remove(session.Placed[step["which"].Int]);
                    break;
                default:
                    WorkProgress progress = session.Obstacles.Step(session.Mesh);
                    Require.Equal(progress.Done, progress.Total, "all tiles are rebuilt");
                    tiles = session.Obstacles.Rebuilt.Length;
                    break;
            }
            return new Answer().With(tiles);
        }
    }
}
