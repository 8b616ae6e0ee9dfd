/* The first program: bakes a floor with a pillar, and walks around it. */
#include <stdio.h>
#include <wayfare.h>

int main(void) {
    const WayfareVec3 verts[] = {{0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0}};
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    const WayfareTriangles floor = {verts, 4, indices, 6, NULL, 0};
    const WayfareVolume pillar = {.shape = WAYFARE_SHAPE_CYLINDER, .center = {10, -1, 10}, .radius = 3, .height = 4};
    WayfareLevel level;
    WayfareMesh mesh;
    WayfareVec3 points[32];
    size_t count = 0;
    uint32_t status = 0;
    if (wayfare_level_new(&level) || wayfare_level_add_triangles(level, &floor) || wayfare_level_add_volume(level, &pillar) ||
        wayfare_bake(level, NULL, NULL, &mesh, NULL) ||
        wayfare_find_path(mesh, (WayfareVec3){2, 0, 2}, (WayfareVec3){18, 0, 18}, points, 32, &count, &status)) {
        char why[512];
        wayfare_last_error(why, sizeof why, NULL);
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    for (size_t i = 0; i < count; i++) printf("%g %g %g\n", points[i].x, points[i].y, points[i].z);
    wayfare_mesh_free(mesh);
    wayfare_level_free(level);
    return status == WAYFARE_PATH_STATUS_COMPLETE && count > 2 ? 0 : 1;
}
