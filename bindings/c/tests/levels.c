/* What levels and meshes take, refuse, and remember. */
#include "parts.h"

static void says(const char *words, int line) {
    char text[512];
    done(wayfare_last_error(text, sizeof text, NULL), line);
    require(strstr(text, words) != NULL, line);
}

#define REFUSED(call, words) do { REQUIRE((call) == WAYFARE_STATUS_INVALID_ARGUMENT); says(words, __LINE__); } while (0)

/* Triangles of another engine are turned one by one; what cannot be turned is refused. */
static void frames(void) {
    const WayfareFrame unity = {.left_handed = 1, .unit = 1};
    const WayfareTriangles triangles = {VERTS, 4, INDICES, 6, NULL, 0};
    const WayfareVolume pond = {.shape = WAYFARE_SHAPE_BOX, .area = 1, .center = {5, 0, 5}, .half_extents = {1, 1, 1}};
    WayfareLevel level;
    WayfareLevelReport report;
    DONE(wayfare_level_new(&level));
    DONE(wayfare_level_add_triangles(level, &triangles));
    DONE(wayfare_level_add_triangles_in(level, unity, &triangles));
    DONE(wayfare_level_report(level, &report));
    REQUIRE(report.triangles == 4 && report.bounds.min.z == -24 && report.bounds.max.z == 24);
    /* Both can be walked on: they are wound as they were. */
    WayfareBakeSettings settings = settings_of(0);
    settings.has_bounds = 0;
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareMeshSize size;
    DONE(wayfare_mesh_size(mesh, &size));
    REQUIRE(size.bounds.min.z < -20 && size.bounds.max.z > 20);
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_in_frame(level, unity));
    DONE(wayfare_level_add_volume(level, &pond));
    REFUSED(wayfare_level_in_frame(level, unity), "volumes: turn it before");
    DONE(wayfare_level_clear_volumes(level));
    DONE(wayfare_level_in_frame(level, unity));
    const uint16_t samples[4] = {0, 0, 0, 0};
    const WayfareHeights heights = {.columns = 2, .rows = 2, .samples = samples, .sample_count = 4, .area = 63, .spacing = 1, .step = 1};
    DONE(wayfare_level_set_heights(level, &heights));
    REFUSED(wayfare_level_in_frame(level, unity), "height map");
    DONE(wayfare_level_free(level));
}

/* Volumes that hold nothing are refused by levels as by obstacles. */
static void volumes(void) {
    const WayfareVec2 line[] = {{0, 0}, {1, 1}, {3, 3}}, triangle[] = {{0, 0}, {1, 0}, {0, 1}};
    const WayfareVec3 row[] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}};
    WayfareLevel level, empty;
    DONE(wayfare_level_new(&level));
    DONE(wayfare_level_new(&empty));
    const WayfareVolume nothing[] = {
        {.shape = WAYFARE_SHAPE_BOX, .half_extents = {-1, 1, 1}},
        {.shape = WAYFARE_SHAPE_TURNED_BOX, .half_extents = {1, 1, -1}, .angle = 1},
        {.shape = WAYFARE_SHAPE_PRISM, .outline = line, .outline_count = 2, .high = 1},
        {.shape = WAYFARE_SHAPE_PRISM, .outline = line, .outline_count = 3, .high = 1},
        {.shape = WAYFARE_SHAPE_PRISM, .outline = triangle, .outline_count = 3, .low = 2, .high = 1},
        {.shape = WAYFARE_SHAPE_HULL, .points = row, .point_count = 4},
        {.shape = WAYFARE_SHAPE_CYLINDER, .radius = -1, .height = 1},
        {.shape = WAYFARE_SHAPE_MESH, .mesh = empty},
    };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        REQUIRE(wayfare_level_add_volume(level, &nothing[i]) == WAYFARE_STATUS_INVALID_ARGUMENT);
    }
    const WayfareVolume prism = {.shape = WAYFARE_SHAPE_PRISM, .outline = triangle, .outline_count = 3, .high = 1};
    DONE(wayfare_level_add_volume(level, &prism));
    DONE(wayfare_level_free(empty));
    DONE(wayfare_level_free(level));
}

static size_t size_of(WayfareMesh mesh) {
    WayfareBytes bytes;
    size_t size;
    DONE(wayfare_mesh_save(mesh, &bytes));
    DONE(wayfare_bytes_size(bytes, &size));
    DONE(wayfare_bytes_free(bytes));
    return size;
}

/* What tiles were baked from goes along with a mesh: into files, copies, and those who share it. */
static void memory(void) {
    static uint8_t saved[1 << 20];
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings), other;
    WayfareShared shared;
    WayfareBytes bytes;
    size_t plain = size_of(mesh), size;
    DONE(wayfare_shared_new(mesh, &shared));
    DONE(wayfare_mesh_remember_level(mesh, level, &settings));
    const size_t with_keys = size_of(mesh);
    REQUIRE(with_keys > plain);
    DONE(wayfare_mesh_save(mesh, &bytes));
    DONE(wayfare_bytes_copy(bytes, saved, sizeof saved, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_mesh_from_file(saved, size, &other));
    REQUIRE(size_of(other) == with_keys);
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_shared_newest(shared, &other));
    REQUIRE(size_of(other) == plain);
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_shared_publish(shared, mesh));
    DONE(wayfare_shared_newest(shared, &other));
    REQUIRE(size_of(other) == with_keys);
    DONE(wayfare_mesh_set_user_id(other, 5));
    DONE(wayfare_shared_publish(shared, other));
    /* One that is refused leaves the newest as it is. */
    DONE(wayfare_mesh_set_user_id(mesh, 6));
    REQUIRE(wayfare_shared_publish(shared, mesh) == WAYFARE_STATUS_OUTDATED);
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_shared_newest(shared, &other));
    WayfareMeshSize measured;
    DONE(wayfare_mesh_size(other, &measured));
    REQUIRE(measured.user_id == 5 && size_of(other) == with_keys);
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_shared_free(shared));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

struct busy {
    WayfareMesh mesh;
    uint64_t poly;
    int calls, busy;
};

static int32_t ask_while_busy(void *user, uint64_t now, uint64_t total) {
    struct busy *it = user;
    uint32_t valid = 7;
    (void)now, (void)total;
    it->calls++;
    it->busy += wayfare_mesh_is_valid(it->mesh, it->poly, &valid) == WAYFARE_STATUS_BUSY && valid == 7;
    return 0;
}

/* Whether a polygon is there is not said of a mesh that is at work or gone. */
static void validity(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareContext context;
    WayfareTileInfo tiles[64];
    uint64_t polys[64];
    uint32_t valid;
    size_t count;
    DONE(wayfare_mesh_tiles(mesh, tiles, 64, &count));
    DONE(wayfare_mesh_tile_polygons(mesh, tiles[count - 1].tile, polys, 64, &count));
    struct busy it = {mesh, polys[0], 0, 0};
    DONE(wayfare_mesh_is_valid(mesh, polys[0], &valid));
    REQUIRE(valid == 1);
    DONE(wayfare_mesh_is_valid(mesh, 0, &valid));
    REQUIRE(valid == 0);
    DONE(wayfare_context_default(&context, sizeof context));
    context.progress = ask_while_busy;
    context.user = &it;
    DONE(wayfare_mesh_bake_changed(mesh, level, &settings, &context, NULL));
    REQUIRE(it.calls > 0 && it.busy == it.calls);
    /* The triangles of one tile are those among all. */
    static WayfareVec3 all[4096], some[4096];
    size_t one, sum = 0, whole;
    DONE(wayfare_mesh_triangles(mesh, 0, all, NULL, 4096, &whole));
    DONE(wayfare_mesh_tiles(mesh, tiles, 64, &count));
    for (size_t i = 0; i < count; i++) {
        DONE(wayfare_mesh_triangles(mesh, tiles[i].tile, some, NULL, 4096, &one));
        REQUIRE(memcmp(all + sum, some, one * sizeof *some) == 0);
        sum += one;
    }
    REQUIRE(sum == whole);
    DONE(wayfare_mesh_free(mesh));
    REQUIRE(wayfare_mesh_is_valid(mesh, polys[0], &valid) == WAYFARE_STATUS_DEAD_HANDLE);
    DONE(wayfare_level_free(level));
}

/* A connection that no path would use is refused. */
static void connections(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(0);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareConnection jump = {.start = {3, 0, 3}, .end = {20, 0, 20}, .radius = 1};
    REFUSED(wayfare_mesh_add_connection(mesh, &jump, NULL), "no path would use it");
    jump.area = 63;
    REFUSED(wayfare_mesh_add_connection(mesh, &jump, NULL), "flags 1");
    jump.flags = 1;
    DONE(wayfare_mesh_add_connection(mesh, &jump, NULL));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

/* Solid ground without end, but for a chasm along z, as far as one looks. */
static uint32_t endless(void *user, int32_t x, int32_t y, int32_t z) {
    (void)user, (void)z;
    return y <= 0 && y > -3 && (x < 10 || x > 14) ? WAYFARE_BLOCK_SOLID : WAYFARE_BLOCK_AIR;
}

/* Whether there is a path is a question that ends. */
static void endless_worlds(void) {
    WayfareBlocks blocks;
    WayfareBlockSettings settings;
    WayfareBlockNav nav;
    int32_t answer = 7;
    DONE(wayfare_blocks_from_callback(endless, NULL, 0, (WayfareBlockBox){{0, 0, 0}, {0, 0, 0}}, &blocks));
    DONE(wayfare_block_settings_default(&settings, sizeof settings));
    settings.mini = 4;
    DONE(wayfare_block_nav_new(&settings, &nav));
    DONE(wayfare_block_nav_path_exists(nav, blocks, (WayfareCell){0, 1, 0}, (WayfareCell){20, 1, 0}, 0, &answer));
    REQUIRE(answer == -1);
    DONE(wayfare_block_nav_path_exists(nav, blocks, (WayfareCell){0, 1, 0}, (WayfareCell){-9, 1, 3}, 0, &answer));
    REQUIRE(answer == 1);
    /* So is one for a random place. */
    uint64_t seed = 1;
    uint32_t found;
    WayfareCell cell;
    const WayfareBlockBox all = {{0, 2, 0}, {1 << 20, 1 << 10, 1 << 20}}, some = {{0, 0, 0}, {40, 4, 40}};
    REQUIRE(wayfare_block_nav_random(nav, blocks, all, NULL, 0, &seed, &found, &cell) == WAYFARE_STATUS_LIMIT);
    says("2^26", __LINE__);
    DONE(wayfare_block_nav_random(nav, blocks, some, NULL, 0, &seed, &found, &cell));
    REQUIRE(found && cell.y == 1);
    DONE(wayfare_block_nav_free(nav));
    DONE(wayfare_blocks_free(blocks));
}

/* Shapes say what they show. */
static void shapes_say(void) {
    WayfareOverlay overlay;
    WayfareShapes shapes;
    static WayfareDrawn drawn[2048];
    size_t count, length;
    char text[8];
    float greatest = 0;
    int values = 0;
    DONE(wayfare_overlay_new(0, 0, 0, 0, &overlay));
    DONE(wayfare_overlay_paint_disc(overlay, (WayfareVec3){5, 0, 5}, 2, 1, 3));
    DONE(wayfare_overlay_paint_disc(overlay, (WayfareVec3){15, 0, 5}, 2, 1, 6));
    DONE(wayfare_shapes_new(&shapes));
    DONE(wayfare_shapes_add_overlay(shapes, overlay));
    DONE(wayfare_shapes_list(shapes, drawn, 2048, &count));
    for (size_t i = 0; i < count; i++) {
        if (drawn[i].role != WAYFARE_DRAWN_ROLE_VALUE) continue;
        values |= drawn[i].value < 0.6F ? 1 : 2;
        greatest = fmaxf(greatest, drawn[i].value);
    }
    REQUIRE(values == 3 && greatest == 1);
    DONE(wayfare_shapes_label(shapes, 0, text, sizeof text, &length));
    REQUIRE(length == 0);
    REFUSED(wayfare_shapes_label(shapes, count, text, sizeof text, &length), "`shape`");
    DONE(wayfare_shapes_free(shapes));
    DONE(wayfare_overlay_free(overlay));
}

int main(void) {
    size_t live = 0;
    frames();
    volumes();
    memory();
    validity();
    connections();
    endless_worlds();
    shapes_say();
    DONE(wayfare_live_handles(&live));
    REQUIRE(live == 0);
    printf("%d checks\n", checks);
    return 0;
}
