// A game's loop: a bake with progress, a crowd that changes sides, an obstacle that comes and goes, a filter of one's own.
using System;
using System.Linq;
using Wayfare;

internal static class Game
{
    private static Level Hall()
    {
        var level = new Level();
        level.AddTriangles(new[] { new Vec3(0, 0, 0), new Vec3(0, 0, 24), new Vec3(24, 0, 24), new Vec3(24, 0, 0) }, new[] { 0, 1, 2, 0, 2, 3 });
        level.AddVolume(Volume.Cylinder(new Vec3(12, -1, 12), 2, 4));
        Vec2[] pond = { new Vec2(3, 9), new Vec2(9, 9), new Vec2(9, 15), new Vec2(3, 15) };
        level.AddVolume(Volume.Prism(pond, -1, 2).Painting(1));
        return level;
    }

    private static int Main()
    {
        BakeSettings settings = BakeSettings.ForAgent(2, 0.4f, 0.5f);
        settings.TileSize = 48;
        int steps = 0;
        var context = new WorkContext { OnProgress = progress => steps++ };
        using (Level level = Hall())
        using (NavMesh mesh = NavMesh.Bake(level, settings, context))
        using (var query = new NavQuery(mesh))
        using (var crowd = new Crowd())
        using (var obstacles = new Obstacles(level, settings))
        {
            Console.WriteLine("{0} polygons, digest {1}, heard {2} times", mesh.Size.Polys, mesh.Digest, steps);

            // Costs by area type, and a filter that keeps away from the left.
            mesh.SetArea(1, "water", 10);
            query.SetMesh(mesh);
            NavPath around = query.StraightPath(new Vec3(1, 0, 12), new Vec3(10.5f, 0, 4));
            using (Filter dear = Filter.Of(null, step => step.From.X < 12 ? 3 * step.Length : step.Length)) query.SetFilter(dear);
            NavPath costly = query.StraightPath(new Vec3(1, 0, 12), new Vec3(10.5f, 0, 4));
            Console.WriteLine("cost {0:0.00}, by the other filter {1:0.00}", around.Cost, costly.Cost);

            // Two rows change sides, and a crate falls between them after two seconds.
            var agent = new AgentParams(0.4f, 2) { Avoidance = Avoidance.Of(AvoidanceMethod.Orca) };
            for (int i = 0; i < 8; i++)
            {
                float z = 3 + 2 * i;
                crowd.GoTo(mesh, crowd.Add(mesh, new Vec3(2, 0, z), agent), new Vec3(22, 0, z));
                crowd.GoTo(mesh, crowd.Add(mesh, new Vec3(22, 0, z), agent), new Vec3(2, 0, z));
            }
            var crate = default(ObstacleRef);
            int arrived = 0;
            for (int tick = 0; tick < 600; tick++)
            {
                if (tick == 40) crate = obstacles.Add(Volume.Box(new Vec3(12, 0.5f, 17), new Vec3(1, 1, 1)));
                if (tick == 400) obstacles.Remove(crate);
                obstacles.Step(mesh, 4);
                crowd.Step(mesh, 0.05f);
                arrived += crowd.Events.Count(one => one.Kind == CrowdEventKind.Arrived);
            }
            Console.WriteLine("{0} arrivals of {1} agents", arrived, crowd.Agents.Length);
            return arrived >= 16 && costly.Cost > around.Cost ? 0 : 1;
        }
    }
}
