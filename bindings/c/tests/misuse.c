/* Bad input: dead handles, null pointers, NaN, wrong sizes, damaged bytes. Each gives a status and a sentence. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayfare.h>

static int checks = 0;

static void expect(WayfareStatus have, WayfareStatus want, const char *sentence, int line) {
    char text[1024] = "";
    wayfare_last_error(text, sizeof text, NULL);
    checks++;
    if (have != want || (sentence && !strstr(text, sentence))) {
        fprintf(stderr, "line %d: %s, not %s: %s\n", line, wayfare_status_name((uint32_t)have),
                wayfare_status_name((uint32_t)want), text);
        exit(1);
    }
}

#define FAILS(call, status, sentence) expect(call, WAYFARE_STATUS_##status, sentence, __LINE__)
#define DONE(call) expect(call, WAYFARE_STATUS_OK, NULL, __LINE__)

static const WayfareVec3 VERTS[] = {{0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0}};
static const uint32_t INDICES[] = {0, 1, 2, 0, 2, 3};

static WayfareLevel floor_level(void) {
    WayfareLevel level;
    const WayfareTriangles triangles = {VERTS, 4, INDICES, 6, NULL, 0};
    DONE(wayfare_level_new(&level));
    DONE(wayfare_level_add_triangles(level, &triangles));
    return level;
}

static WayfareMesh floor_mesh(void) {
    WayfareMesh mesh;
    WayfareLevel level = floor_level();
    DONE(wayfare_bake(level, NULL, NULL, &mesh, NULL));
    DONE(wayfare_level_free(level));
    return mesh;
}

static void levels(void) {
    WayfareLevel level = floor_level();
    WayfareMesh mesh;
    const uint32_t wild[] = {0, 1, 9};
    WayfareTriangles triangles = {VERTS, 4, wild, 3, NULL, 0};
    FAILS(wayfare_level_new(NULL), INVALID_ARGUMENT, "`level` is null");
    FAILS(wayfare_level_add_triangles(level, NULL), INVALID_ARGUMENT, "`triangles` is null");
    FAILS(wayfare_level_add_triangles(level, &triangles), INVALID_ARGUMENT, "`indices` has 9, but there are 4 vertices");
    triangles.index_count = 2;
    FAILS(wayfare_level_add_triangles(level, &triangles), INVALID_ARGUMENT, "no multiple of 3");
    triangles.verts = NULL;
    FAILS(wayfare_level_add_triangles(level, &triangles), INVALID_ARGUMENT, "`verts` is null, but its count is 4");
    triangles.verts = VERTS;
    triangles.vert_count = SIZE_MAX;
    FAILS(wayfare_level_add_triangles(level, &triangles), INVALID_ARGUMENT, "cannot be there");
    const uint8_t areas[] = {64, 0};
    const WayfareTriangles painted = {VERTS, 4, INDICES, 6, areas, 2};
    FAILS(wayfare_level_add_triangles(level, &painted), INVALID_ARGUMENT, "area");
    WayfareVolume volume = {.shape = 99};
    FAILS(wayfare_level_add_volume(level, &volume), INVALID_ARGUMENT, "`shape` is 99");
    volume.shape = WAYFARE_SHAPE_CYLINDER;
    volume.center.x = NAN;
    FAILS(wayfare_level_add_volume(level, &volume), INVALID_ARGUMENT, "`center`");
    FAILS(wayfare_level_from_file("floor.obj", (const uint8_t *)"v 0 0\n", 6, NULL, &level), BAD_DATA, "line 1");
    FAILS(wayfare_level_from_file("floor.txt", (const uint8_t *)"x", 1, NULL, &level), BAD_DATA, NULL);

    WayfareBakeSettings settings;
    DONE(wayfare_bake_settings_default(&settings, sizeof settings));
    settings.size = 3;
    FAILS(wayfare_bake(level, &settings, NULL, &mesh, NULL), INVALID_ARGUMENT, "says that its size is 3");
    settings.size = sizeof settings + 8;
    FAILS(wayfare_bake(level, &settings, NULL, &mesh, NULL), INVALID_ARGUMENT, "newer header");
    DONE(wayfare_bake_settings_default(&settings, sizeof settings));
    settings.cell_size = NAN;
    FAILS(wayfare_bake(level, &settings, NULL, &mesh, NULL), INVALID_ARGUMENT, "cell_size");
    DONE(wayfare_bake_settings_default(&settings, sizeof settings));
    settings.partition = 7;
    FAILS(wayfare_bake(level, &settings, NULL, &mesh, NULL), INVALID_ARGUMENT, "`partition` is 7");
    FAILS(wayfare_bake(level, NULL, NULL, NULL, NULL), INVALID_ARGUMENT, "`mesh` is null");
    DONE(wayfare_bake_settings_default(&settings, sizeof settings));
    FAILS(wayfare_bake_agents(level, &settings, 1, NULL, NULL), INVALID_ARGUMENT, "`meshes` is null");
    WayfareBakeSettings two[2] = {settings, settings};
    WayfareMesh made[2];
    two[1].size = 3;
    FAILS(wayfare_bake_agents(level, two, 2, NULL, made), INVALID_ARGUMENT, "at index 1 says that its size is 3");
    two[0].size = 3;
    FAILS(wayfare_bake_agents(level, two, 2, NULL, made), INVALID_ARGUMENT, "says that its size is 3");
    FAILS(wayfare_bake_agents(level, &settings, SIZE_MAX, NULL, made), INVALID_ARGUMENT, "cannot be there");
    DONE(wayfare_level_free(level));
    FAILS(wayfare_level_free(level), DEAD_HANDLE, "freed");
    FAILS(wayfare_bake(level, NULL, NULL, &mesh, NULL), DEAD_HANDLE, "no level");
    DONE(wayfare_level_new(&level));
    FAILS(wayfare_bake(level, NULL, NULL, &mesh, NULL), NOTHING_WALKABLE, "no triangle");
    DONE(wayfare_level_free(level));
}

static void meshes(void) {
    WayfareMesh mesh = floor_mesh(), other, none = {0}, wild = {0x123456789abcdefULL};
    WayfareBytes bytes;
    size_t size = 0;
    char digest[17];
    FAILS(wayfare_mesh_save(none, &bytes), DEAD_HANDLE, "null handle");
    FAILS(wayfare_mesh_save(wild, &bytes), DEAD_HANDLE, "never made");
    DONE(wayfare_mesh_free(none));
    DONE(wayfare_mesh_save(mesh, &bytes));
    /* A handle of another kind. */
    FAILS(wayfare_mesh_save((WayfareMesh){bytes.id}, &bytes), DEAD_HANDLE, "another kind");
    FAILS(wayfare_bytes_copy(bytes, NULL, 0, &size), TOO_SMALL, "capacity is 0");
    uint8_t *saved = malloc(size);
    FAILS(wayfare_bytes_copy(bytes, NULL, size, &size), INVALID_ARGUMENT, "null");
    DONE(wayfare_bytes_copy(bytes, saved, size, &size));
    DONE(wayfare_bytes_free(bytes));
    FAILS(wayfare_bytes_size(bytes, &size), DEAD_HANDLE, NULL);
    for (size_t cut = 0; cut < size; cut += 1 + size / 50) FAILS(wayfare_mesh_load(saved, cut, &other), BAD_DATA, NULL);
    for (size_t at = 0; at < size; at += 1 + size / 50) {
        saved[at] ^= 0x40;
        FAILS(wayfare_mesh_load(saved, size, &other), BAD_DATA, NULL);
        saved[at] ^= 0x40;
    }
    FAILS(wayfare_mesh_load(NULL, 5, &other), INVALID_ARGUMENT, "`bytes` is null");
    FAILS(wayfare_mesh_from_detour(saved, size, &other), BAD_DATA, NULL);
    FAILS(wayfare_mesh_to_detour(mesh, 48, &bytes), INVALID_ARGUMENT, "32 or 64");
    DONE(wayfare_mesh_load(saved, size, &other));
    free(saved);
    FAILS(wayfare_mesh_digest(mesh, digest, 3, NULL), TOO_SMALL, "needs 17 characters");
    if (strlen(digest) != 2) exit(2);
    DONE(wayfare_mesh_digest(mesh, digest, sizeof digest, NULL));
    FAILS(wayfare_mesh_set_poly_flags(mesh, 0, 1), INVALID_ARGUMENT, "no polygon");
    FAILS(wayfare_mesh_set_poly_flags(mesh, UINT64_MAX, 1), STALE, NULL);
    FAILS(wayfare_mesh_set_area(mesh, 64, "x", 1), INVALID_ARGUMENT, NULL);
    FAILS(wayfare_mesh_set_area(mesh, 1, "\xff\xfe", 1), INVALID_ARGUMENT, "not UTF-8");
    FAILS(wayfare_mesh_set_area(mesh, 1, NULL, 1), INVALID_ARGUMENT, "`name` is null");
    FAILS(wayfare_mesh_set_area(mesh, 1, "x", NAN), INVALID_ARGUMENT, "cost");
    WayfareConnection jump = {.radius = -1, .area = 63, .flags = 1};
    FAILS(wayfare_mesh_add_connection(mesh, &jump, NULL), INVALID_ARGUMENT, NULL);
    FAILS(wayfare_mesh_remove_tile(mesh, 5), INVALID_ARGUMENT, "no tile");
    WayfareTileInfo tile;
    size_t tiles;
    DONE(wayfare_mesh_tiles(other, &tile, 1, &tiles));
    DONE(wayfare_mesh_remove_tile(other, tile.tile));
    FAILS(wayfare_mesh_remove_tile(other, tile.tile), STALE, NULL);
    FAILS(wayfare_mesh_add_tile(mesh, (const uint8_t *)"tile", 4, NULL), BAD_DATA, NULL);
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_mesh_free(mesh));
}

static void queries(void) {
    WayfareMesh mesh = floor_mesh();
    WayfareQuery query;
    WayfarePath path;
    WayfareVec3 points[8];
    WayfarePlace from = {0, {2, 0, 2}}, to = {0, {18, 0, 18}}, nan = {0, {NAN, 0, 0}}, gone = {UINT64_MAX, {2, 0, 2}};
    WayfareQuery freed;
    DONE(wayfare_query_new(mesh, (WayfareFilter){0}, &freed));
    DONE(wayfare_query_free(freed));
    DONE(wayfare_query_new(mesh, (WayfareFilter){0}, &query));
    /* The slot is used again: the old handle is dead all the same. */
    FAILS(wayfare_query_path(freed, from, to, &path), DEAD_HANDLE, "freed");
    FAILS(wayfare_query_path(query, nan, to, &path), INVALID_ARGUMENT, "`from`");
    FAILS(wayfare_query_path(query, gone, to, &path), STALE, NULL);
    FAILS(wayfare_query_path(query, from, to, NULL), INVALID_ARGUMENT, "`path` is null");
    FAILS(wayfare_query_straight_path(query, from, to, points, 1, &path), TOO_SMALL, "wayfare_query_points");
    FAILS(wayfare_query_straight_path(query, from, to, NULL, 8, &path), INVALID_ARGUMENT, "null");
    DONE(wayfare_query_straight_path(query, from, to, points, 8, &path));
    if (path.status != WAYFARE_PATH_STATUS_COMPLETE || path.point_count != 2) exit(2);
    to.point.x = 500;
    DONE(wayfare_query_straight_path(query, from, to, points, 8, &path));
    if (path.status != WAYFARE_PATH_STATUS_NONE) exit(2);
    WayfareNearestWall wall;
    FAILS(wayfare_query_nearest_wall(query, from, -1, &wall), INVALID_ARGUMENT, "`radius`");
    FAILS(wayfare_query_nearest_wall(query, from, INFINITY, &wall), INVALID_ARGUMENT, "`radius`");
    WayfareQuerySettings settings;
    DONE(wayfare_query_settings_default(&settings, sizeof settings));
    settings.reach.x = NAN;
    FAILS(wayfare_query_set(query, &settings), INVALID_ARGUMENT, "`reach`");
    /* A batch says which of its questions is at fault: the first, whatever the threads. */
    WayfarePair pairs[1000];
    WayfarePathBatch batch;
    size_t reached;
    for (size_t i = 0; i < 1000; i++) pairs[i] = (WayfarePair){from, to};
    pairs[700].to = pairs[990].from = nan;
    pairs[640].to = pairs[950].from = gone;
    FAILS(wayfare_query_straight_paths(query, pairs, 1000, 2, &batch), STALE, "at index 640: s65535");
    FAILS(wayfare_query_optimal_paths(query, pairs + 650, 100, 1, &batch), INVALID_ARGUMENT, "at index 50: `to`");
    const WayfarePlace goals[] = {to, gone};
    FAILS(wayfare_query_path_to_nearest(query, from, goals, 2, &reached, &path), STALE, "at index 1: s65535");
    /* The mesh may go: the query has its own. */
    DONE(wayfare_mesh_free(mesh));
    to.point.x = 18;
    DONE(wayfare_query_path(query, from, to, &path));
    DONE(wayfare_query_free(query));
}

static WayfareQuery calling_back;

static float calls_back(void *user, const WayfareCrossing *crossing) {
    WayfarePath path;
    const WayfarePlace place = {0, {2, 0, 2}};
    FAILS(wayfare_query_path(calling_back, place, place, &path), BUSY, "in use");
    *(int *)user += 1;
    return crossing->to.x - crossing->from.x > 1e9F ? NAN : 1;
}

static int stops(void *user, uint64_t done, uint64_t total) {
    (void)done, (void)total;
    *(int *)user += 1;
    return 1;
}

static void callbacks(void) {
    WayfareMesh mesh = floor_mesh();
    WayfareFilterCallbacks own;
    WayfareFilter filter;
    WayfarePath path;
    WayfarePlace from = {0, {2, 0, 2}}, to = {0, {18, 0, 18}};
    int called = 0;
    DONE(wayfare_filter_callbacks_default(&own, sizeof own));
    own.least_cost = NAN;
    FAILS(wayfare_filter_from_callbacks(&own, &filter), INVALID_ARGUMENT, "`least_cost`");
    own.least_cost = 0;
    own.cost = calls_back;
    own.user = &called;
    DONE(wayfare_filter_from_callbacks(&own, &filter));
    DONE(wayfare_query_new(mesh, filter, &calling_back));
    DONE(wayfare_query_path(calling_back, from, to, &path));
    if (called == 0) exit(2);
    FAILS(wayfare_filter_set_area_cost(filter, 1, 2), INVALID_ARGUMENT, "plain");
    DONE(wayfare_query_free(calling_back));
    DONE(wayfare_filter_free(filter));

    WayfareLevel level = floor_level();
    WayfareContext context;
    WayfareMesh baked;
    DONE(wayfare_context_default(&context, sizeof context));
    called = 0;
    context.progress = stops;
    context.user = &called;
    FAILS(wayfare_bake(level, NULL, &context, &baked, NULL), CANCELLED, "progress callback");
    WayfareCancel cancel;
    DONE(wayfare_cancel_new(&cancel));
    DONE(wayfare_cancel_now(cancel));
    DONE(wayfare_context_default(&context, sizeof context));
    context.cancel = cancel;
    FAILS(wayfare_bake(level, NULL, &context, &baked, NULL), CANCELLED, NULL);
    DONE(wayfare_cancel_free(cancel));
    FAILS(wayfare_bake(level, NULL, &context, &baked, NULL), DEAD_HANDLE, "no cancel");
    context.cancel.id = 0;
    context.memory_limit = 16;
    FAILS(wayfare_bake(level, NULL, &context, &baked, NULL), LIMIT, NULL);
    context.memory_limit = 0;
    context.threads = 100000;
    FAILS(wayfare_bake(level, NULL, &context, &baked, NULL), INVALID_ARGUMENT, "`threads`");
    DONE(wayfare_level_free(level));
    DONE(wayfare_mesh_free(mesh));
}

static void crowds(void) {
    WayfareMesh mesh = floor_mesh();
    WayfareCrowd crowd, loaded;
    WayfareAgentParams params;
    WayfareAgent state;
    uint64_t agent, second;
    size_t listed;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_agent_params_of_size(0.5F, 2, &params, sizeof params));
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){500, 0, 0}, &params, &agent), INVALID_ARGUMENT, NULL);
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){NAN, 0, 0}, &params, &agent), INVALID_ARGUMENT, "`at`");
    params.radius = -1;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT, "radius");
    DONE(wayfare_agent_params_of_size(0.5F, 2, &params, sizeof params));
    params.avoidance.method = 50;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT, "`method` is 50");
    DONE(wayfare_avoidance_default(WAYFARE_AVOIDANCE_METHOD_ORCA, &params.avoidance, sizeof params.avoidance));
    params.avoidance.solver = 2;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT, "`solver` is 2");
    DONE(wayfare_avoidance_default(WAYFARE_AVOIDANCE_METHOD_HRVO, &params.avoidance, sizeof params.avoidance));
    params.driver = 9;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT, "`driver` is 9");
    params.driver = WAYFARE_DRIVER_CROWD;
    params.connection_driver = 2;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT,
          "`connection_driver` is 2, but there are 0 to 1");
    params.connection_driver = WAYFARE_DRIVER_CROWD;
    params.when_unreachable = UINT32_MAX;
    FAILS(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent), INVALID_ARGUMENT, "`when_unreachable`");
    params.when_unreachable = WAYFARE_WHEN_UNREACHABLE_STAY;
    DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &agent));
    DONE(wayfare_crowd_remove(crowd, agent));
    DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){5, 0, 5}, &params, &second));
    FAILS(wayfare_crowd_go_to(crowd, mesh, agent, (WayfareVec3){9, 0, 9}), STALE, "not in the crowd");
    DONE(wayfare_crowd_go_to(crowd, mesh, second, (WayfareVec3){9, 0, 9}));
    FAILS(wayfare_crowd_step(crowd, mesh, NAN, (WayfarePlanner){0}, NULL), INVALID_ARGUMENT, "`dt`");
    FAILS(wayfare_crowd_step(crowd, mesh, -1, (WayfarePlanner){0}, NULL), INVALID_ARGUMENT, "`dt`");
    FAILS(wayfare_crowd_step(crowd, mesh, 0.1F, (WayfarePlanner){77}, NULL), DEAD_HANDLE, "no planner");
    for (int i = 0; i < 100; i++) DONE(wayfare_crowd_step(crowd, mesh, 0.1F, (WayfarePlanner){0}, NULL));
    DONE(wayfare_crowd_agent(crowd, second, &state));
    if (state.target_status != WAYFARE_TARGET_STATUS_ARRIVED) exit(2);
    FAILS(wayfare_crowd_phase(crowd, 10, mesh, 0.1F, (WayfarePlanner){0}, NULL), INVALID_ARGUMENT, "`phase`");
    const WayfareGridObstacle wild = {.shape = WAYFARE_GRID_SHAPE_DISC, .a = {1, 0, 1}, .radius = -1};
    FAILS(wayfare_crowd_set_obstacles(crowd, &wild, 1), INVALID_ARGUMENT, "`radius`");
    FAILS(wayfare_crowd_set_obstacles(crowd, NULL, 1), INVALID_ARGUMENT, "`obstacles` is null");
    FAILS(wayfare_crowd_obstructed_by(crowd, agent, NULL, 0, &listed), STALE, "not in the crowd");
    FAILS(wayfare_crowd_load((const uint8_t *)"crowd", 5, mesh, NULL, 0, &loaded), BAD_DATA, NULL);
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_mesh_free(mesh));
}

/* A program with an earlier header has shorter structures: what stands behind them is its own. */
static void sizes(void) {
    struct {
        WayfareContext context;
        uint64_t after;
    } own;
    const size_t earlier = offsetof(WayfareContext, threads);
    memset(&own, 0xAB, sizeof own);
    DONE(wayfare_context_default(&own.context, earlier));
    const unsigned char *bytes = (const unsigned char *)&own;
    for (size_t i = earlier; i < sizeof own; i++) {
        if (bytes[i] != 0xAB) exit(2);
    }
    if (own.context.size != earlier || own.context.memory_limit != 0) exit(2);
    /* It is read as what it says that it is: the threads are the usual ones, not what stands behind. */
    WayfareLevel level = floor_level();
    WayfareMesh mesh;
    DONE(wayfare_bake(level, NULL, &own.context, &mesh, NULL));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
    FAILS(wayfare_context_default(&own.context, 3), INVALID_ARGUMENT, "the size of `context` is given as 3");
    FAILS(wayfare_context_default(&own.context, 0), INVALID_ARGUMENT, "(sizeof)");
    FAILS(wayfare_context_default(&own.context, sizeof own), INVALID_ARGUMENT, "newer header");
    FAILS(wayfare_context_default(NULL, sizeof own.context), INVALID_ARGUMENT, "`context` is null");
    for (size_t i = earlier; i < sizeof own; i++) {
        if (bytes[i] != 0xAB) exit(2);
    }
    WayfareAgentParams params;
    FAILS(wayfare_agent_params_of_size(0.5F, 2, &params, 4), INVALID_ARGUMENT, "the size of `params`");
    DONE(wayfare_agent_params_of_size(0.5F, 2, &params, sizeof params));
    if (params.size != sizeof params || params.avoidance.size != sizeof params.avoidance) exit(2);
}

static void others(void) {
    WayfareGrid grid;
    WayfareBlocks blocks;
    WayfareOverlay overlay;
    WayfarePlanner planner;
    WayfareWorld world;
    uint32_t corners[4];
    uint64_t poly;
    size_t count;
    FAILS(wayfare_grid_new(65, 0.5F, &grid), INVALID_ARGUMENT, NULL);
    FAILS(wayfare_grid_new(8, NAN, &grid), INVALID_ARGUMENT, NULL);
    const WayfareBlockBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    FAILS(wayfare_blocks_new_dense(all, &blocks), LIMIT, NULL);
    DONE(wayfare_blocks_new(&blocks));
    FAILS(wayfare_blocks_fill(blocks, all, WAYFARE_BLOCK_SOLID), LIMIT, NULL);
    FAILS(wayfare_blocks_fill(blocks, (WayfareBlockBox){{0, 0, 0}, {1, 1, 1}}, 9), INVALID_ARGUMENT, "`block` is 9");
    DONE(wayfare_blocks_free(blocks));
    FAILS(wayfare_blocks_from_callback(NULL, NULL, 0, all, &blocks), INVALID_ARGUMENT, "`callback` is null");
    FAILS(wayfare_overlay_new(-1, 1, 0, 0, &overlay), INVALID_ARGUMENT, NULL);
    FAILS(wayfare_planner_new(4, &planner), INVALID_ARGUMENT, "`kind` is 4");
    FAILS(wayfare_world_open("/no/such/store", 0, 0, 0, &world), IO, NULL);
    FAILS(wayfare_convex_hull((const WayfareVec2[]){{NAN, 0}}, 1, corners, 4, &count), INVALID_ARGUMENT, "`points`");
    FAILS(wayfare_poly_from_text("nonsense", &poly), BAD_DATA, NULL);
    FAILS(wayfare_frame_points_in((WayfareFrame){0, 0, NAN}, NULL, 0), INVALID_ARGUMENT, NULL);
}

int main(void) {
    size_t live = 0;
    levels();
    meshes();
    queries();
    callbacks();
    crowds();
    sizes();
    others();
    DONE(wayfare_live_handles(&live));
    if (live != 0) {
        fprintf(stderr, "%zu handles were not freed\n", live);
        return 1;
    }
    printf("%d checks\n", checks);
    return 0;
}
