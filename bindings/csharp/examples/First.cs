// The first program: bakes a floor with a pillar, and walks around it.
using System;
using Wayfare;

internal static class First
{
    private static int Main()
    {
        using (var level = new Level())
        {
            level.AddTriangles(new[] { new Vec3(0, 0, 0), new Vec3(0, 0, 20), new Vec3(20, 0, 20), new Vec3(20, 0, 0) }, new[] { 0, 1, 2, 0, 2, 3 });
            level.AddVolume(Volume.Cylinder(new Vec3(10, -1, 10), 3, 4));
            using (NavMesh mesh = NavMesh.Bake(level))
            {
                Route route = mesh.FindPath(new Vec3(2, 0, 2), new Vec3(18, 0, 18));
                foreach (Vec3 point in route.Points) Console.WriteLine(point);
                return route.IsComplete ? 0 : 1;
            }
        }
    }
}
