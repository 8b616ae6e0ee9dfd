/* What the visits to the interface's parts share: checks that count, and a floor of 24 by 24 metres. */
#ifndef PARTS_H
#define PARTS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayfare.h>

static int checks = 0;

static inline void done(WayfareStatus status, int line) {
    checks++;
    if (status != WAYFARE_STATUS_OK) {
        char text[1024] = "";
        wayfare_last_error(text, sizeof text, NULL);
        fprintf(stderr, "line %d: %s: %s\n", line, wayfare_status_name((uint32_t)status), text);
        exit(1);
    }
}

static inline void require(int holds, int line) {
    checks++;
    if (!holds) {
        fprintf(stderr, "line %d does not hold\n", line);
        exit(1);
    }
}

#define DONE(call) done(call, __LINE__)
#define REQUIRE(holds) require(holds, __LINE__)

static const WayfareVec3 VERTS[] = {{0, 0, 0}, {0, 0, 24}, {24, 0, 24}, {24, 0, 0}};
static const uint32_t INDICES[] = {0, 1, 2, 0, 2, 3};

static inline WayfareLevel level_of(const WayfareVec3 *verts) {
    WayfareLevel level;
    const WayfareTriangles triangles = {verts, 4, INDICES, 6, NULL, 0};
    DONE(wayfare_level_new(&level));
    DONE(wayfare_level_add_triangles(level, &triangles));
    return level;
}

static inline WayfareBakeSettings settings_of(uint32_t tile_size) {
    WayfareBakeSettings settings;
    DONE(wayfare_bake_settings_for_agent(2, 0.5F, 0.5F, &settings, sizeof settings));
    settings.tile_size = tile_size;
    settings.has_bounds = 1;
    settings.bounds = (WayfareBox){{0, -1, 0}, {24, 4, 24}};
    return settings;
}

static inline WayfareMesh mesh_of(WayfareLevel level, const WayfareBakeSettings *settings) {
    WayfareMesh mesh;
    DONE(wayfare_bake(level, settings, NULL, &mesh, NULL));
    return mesh;
}

#endif
