/* Meshes, levels and worlds that change while somebody works with them. */
#include "parts.h"

static const WayfareVec3 HERE = {2, 0, 12}, THERE = {22, 0, 12};

static uint64_t user_id(WayfareMesh mesh) {
    WayfareMeshSize size;
    DONE(wayfare_mesh_size(mesh, &size));
    return size.user_id;
}

static uint64_t shared_user_id(WayfareShared shared) {
    WayfareMesh newest;
    DONE(wayfare_shared_newest(shared, &newest));
    const uint64_t id = user_id(newest);
    DONE(wayfare_mesh_free(newest));
    return id;
}

/* A mesh continues the newest version, or is refused, or replaces it whatever it is. */
static void shared_meshes(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings), baked = mesh_of(level, &settings), one, other;
    WayfareShared shared;
    char text[512];
    DONE(wayfare_shared_new(mesh, &shared));
    /* The mesh itself goes on, and so does a copy of a copy. */
    for (uint64_t id = 1; id < 3; id++) {
        DONE(wayfare_mesh_set_user_id(mesh, id));
        DONE(wayfare_shared_publish(shared, mesh));
        REQUIRE(shared_user_id(shared) == id);
    }
    DONE(wayfare_shared_newest(shared, &one));
    DONE(wayfare_mesh_copy(one, &other));
    DONE(wayfare_mesh_set_user_id(one, 3));
    DONE(wayfare_mesh_set_user_id(other, 4));
    DONE(wayfare_shared_publish(shared, other));
    /* It knows nothing of what the other changed. */
    REQUIRE(wayfare_shared_publish(shared, one) == WAYFARE_STATUS_OUTDATED);
    DONE(wayfare_last_error(text, sizeof text, NULL));
    REQUIRE(strstr(text, "take the newest, make the same changes in it") != NULL);
    REQUIRE(strcmp(wayfare_status_name(WAYFARE_STATUS_OUTDATED), "outdated") == 0);
    REQUIRE(shared_user_id(shared) == 4 && user_id(one) == 3);
    /* Nor does a mesh that was baked by itself. */
    REQUIRE(wayfare_shared_publish(shared, baked) == WAYFARE_STATUS_OUTDATED);
    DONE(wayfare_shared_replace(shared, one));
    REQUIRE(shared_user_id(shared) == 3);
    DONE(wayfare_shared_replace(shared, baked));
    DONE(wayfare_mesh_set_user_id(baked, 5));
    DONE(wayfare_shared_publish(shared, baked));
    REQUIRE(shared_user_id(shared) == 5);
    DONE(wayfare_shared_free(shared));
    DONE(wayfare_mesh_free(other));
    DONE(wayfare_mesh_free(one));
    DONE(wayfare_mesh_free(baked));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

/* A number of the whole surface; the order of tiles does not matter. */
static uint64_t surface_of(WayfareMesh mesh) {
    static WayfareVec3 corners[20000];
    uint64_t sum = 0;
    size_t count;
    DONE(wayfare_mesh_triangles(mesh, 0, corners, NULL, 20000, &count));
    REQUIRE(count > 0);
    for (size_t i = 0; i < count; i += 3) {
        uint32_t words[9];
        uint64_t hash = 14695981039346656037ULL;
        memcpy(words, corners + i, sizeof words);
        for (int w = 0; w < 9; w++) hash = (hash ^ words[w]) * 1099511628211ULL;
        sum += hash;
    }
    return sum;
}

static void all_obstacles_at_once(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareCheckpoints checkpoints;
    WayfareObstacles obstacles;
    uint64_t number;
    size_t count, tiles = 0;
    DONE(wayfare_checkpoints_bake(level, &settings, NULL, &checkpoints));
    DONE(wayfare_obstacles_new(checkpoints, &obstacles));
    const uint64_t before = surface_of(mesh);
    for (int i = 0; i < 3; i++) {
        const WayfareVolume post = {.shape = WAYFARE_SHAPE_CYLINDER, .center = {6 * (float)i + 4, -1, 9}, .radius = 1, .height = 4};
        size_t touched;
        DONE(wayfare_obstacles_add(obstacles, &post, &number, &touched));
        /* The last one stands where the first does not. */
        if (i != 1) tiles += touched;
    }
    REQUIRE(tiles > 1);
    DONE(wayfare_obstacles_step(obstacles, mesh, (WayfareObjects){0}, 0, NULL, NULL, NULL));
    REQUIRE(surface_of(mesh) != before);
    size_t cleared;
    DONE(wayfare_obstacles_clear(obstacles, &cleared));
    REQUIRE(cleared >= tiles);
    DONE(wayfare_obstacles_clear(obstacles, &cleared));
    REQUIRE(cleared == 0);
    DONE(wayfare_obstacles_clear(obstacles, NULL));
    DONE(wayfare_obstacles_list(obstacles, &number, 1, &count));
    REQUIRE(count == 0);
    DONE(wayfare_obstacles_step(obstacles, mesh, (WayfareObjects){0}, 0, NULL, NULL, NULL));
    REQUIRE(surface_of(mesh) == before);
    DONE(wayfare_obstacles_free(obstacles));
    DONE(wayfare_checkpoints_free(checkpoints));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

static WayfareLiveProgress follow(WayfareLiveLevel live, uint64_t budget) {
    WayfareLiveProgress progress = {.finished = 0}, same;
    int steps = 0;
    while (!progress.finished) {
        DONE(wayfare_live_level_step(live, budget, NULL, &progress));
        REQUIRE(++steps < 100000);
    }
    DONE(wayfare_live_level_progress(live, &same));
    REQUIRE(same.finished && same.done == same.total && same.stage == progress.stage);
    return progress;
}

static uint32_t path_status(WayfareLiveLevel live, size_t *count) {
    WayfareMesh mesh;
    WayfareVec3 points[32];
    uint32_t status;
    DONE(wayfare_live_level_mesh(live, &mesh));
    DONE(wayfare_find_path(mesh, HERE, THERE, points, 32, count, &status));
    DONE(wayfare_mesh_free(mesh));
    return status;
}

static uint64_t live_surface(WayfareLiveLevel live) {
    WayfareMesh mesh;
    DONE(wayfare_live_level_mesh(live, &mesh));
    const uint64_t surface = surface_of(mesh);
    DONE(wayfare_mesh_free(mesh));
    return surface;
}

/* A floor, and a ledge two metres above it that objects and links lead to. */
/* A height map of 24 by 24 metres, with a pit in it or without, and a volume that blocks. */
static WayfareLevel hill(int pit) {
    uint16_t samples[25 * 25];
    for (int i = 0; i < 25 * 25; i++) samples[i] = pit && i / 25 >= 2 && i / 25 < 5 && i % 25 >= 2 && i % 25 < 5 ? 0 : 20;
    const WayfareHeights heights = {
        .columns = 25, .rows = 25, .samples = samples, .sample_count = 25 * 25, .area = 63, .spacing = 1, .step = 0.1};
    const WayfareVolume post = {.shape = WAYFARE_SHAPE_BOX, .center = {18, 2, 18}, .half_extents = {1, 3, 1}};
    WayfareLevel level;
    DONE(wayfare_level_new(&level));
    DONE(wayfare_level_set_heights(level, &heights));
    DONE(wayfare_level_add_volume(level, &post));
    return level;
}

/* Terrain and volumes of a live level are those of a bake, and what is dug is baked anew. */
static void terrain(void) {
    const WayfareBakeSettings settings = settings_of(32);
    const WayfareLevel land = hill(0), dug = hill(1);
    const WayfareMesh plain = mesh_of(land, &settings), pit = mesh_of(dug, &settings);
    WayfareLiveLevel live;
    WayfareRebuiltTile rebuilt[64];
    size_t count;
    WayfareMesh mesh;
    WayfareLevel flat;
    DONE(wayfare_live_level_new(land, &settings, NULL, &live));
    follow(live, 0);
    REQUIRE(live_surface(live) == surface_of(plain));
    DONE(wayfare_live_level_replace_terrain(live, dug));
    follow(live, 0);
    DONE(wayfare_live_level_rebuilt(live, rebuilt, 64, &count));
    REQUIRE(count > 0 && count < 4);
    REQUIRE(live_surface(live) == surface_of(pit));
    DONE(wayfare_level_new(&flat));
    DONE(wayfare_live_level_replace_terrain(live, flat));
    follow(live, 0);
    DONE(wayfare_live_level_mesh(live, &mesh));
    DONE(wayfare_mesh_tiles(mesh, NULL, 0, &count));
    REQUIRE(count == 0);
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_mesh_free(plain));
    DONE(wayfare_mesh_free(pit));
    DONE(wayfare_level_free(flat));
    DONE(wayfare_level_free(land));
    DONE(wayfare_level_free(dug));
    DONE(wayfare_live_level_free(live));
}

static void live_levels(void) {
    const WayfareVec3 ledge[] = {{0, 2, 18}, {0, 2, 24}, {24, 2, 24}, {24, 2, 18}};
    const WayfareVec3 crate[] = {{-1, 0.4F, -1}, {-1, 0.4F, 1}, {1, 0.4F, 1}, {1, 0.4F, -1}};
    WayfareLevel level = level_of(VERTS), whole = level_of(VERTS), shape = level_of(crate);
    const WayfareTriangles above = {ledge, 4, INDICES, 6, NULL, 0};
    DONE(wayfare_level_add_triangles(whole, &above));
    const WayfareBakeSettings settings = settings_of(32);
    WayfareLinkSettings rules;
    WayfareLiveLevel live, stored;
    WayfareLiveProgress progress;
    WayfareRebuiltTile rebuilt[64];
    WayfareLink links[256];
    WayfareMesh mesh;
    uint64_t wall, object, number;
    size_t count;
    uint32_t found;
    DONE(wayfare_link_settings_for_agent(&settings, &rules, sizeof rules));
    rules.drop.max_height = 3;
    DONE(wayfare_live_level_new(level, &settings, &rules, &live));
    DONE(wayfare_live_level_progress(live, &progress));
    REQUIRE(progress.stage == WAYFARE_LIVE_STAGE_TILES && progress.done == 0 && progress.total > 0);
    follow(live, 5000);
    mesh = mesh_of(level, &settings);
    const uint64_t begun = live_surface(live);
    REQUIRE(surface_of(mesh) == begun);
    REQUIRE(path_status(live, &count) == WAYFARE_PATH_STATUS_COMPLETE && count == 2);

    /* A wall comes, moves, is another and goes. */
    WayfareVolume box = {.shape = WAYFARE_SHAPE_BOX, .center = {12, 1, 10}, .half_extents = {1, 2, 10}};
    DONE(wayfare_live_level_add_obstacle(live, &box, &wall));
    DONE(wayfare_live_level_announce(live));
    REQUIRE(path_status(live, &count) == WAYFARE_PATH_STATUS_COMPLETE && count == 2);
    follow(live, 0);
    REQUIRE(path_status(live, &count) == WAYFARE_PATH_STATUS_COMPLETE && count > 2);
    DONE(wayfare_live_level_rebuilt(live, rebuilt, 64, &count));
    REQUIRE(count > 0);
    DONE(wayfare_live_level_move_obstacle_by(live, wall, (WayfareVec3){0, 0, -9}));
    follow(live, 0);
    REQUIRE(path_status(live, &count) == WAYFARE_PATH_STATUS_COMPLETE);
    box.half_extents.z = 30;
    DONE(wayfare_live_level_replace_obstacle(live, wall, &box));
    follow(live, 0);
    REQUIRE(path_status(live, &count) == WAYFARE_PATH_STATUS_PARTIAL);
    WayfareObstacles obstacles;
    DONE(wayfare_live_level_obstacles(live, &obstacles));
    DONE(wayfare_obstacles_list(obstacles, &number, 1, &count));
    REQUIRE(count == 1 && number == wall);
    number = 0;
    DONE(wayfare_live_level_list_obstacles(live, &number, 1, &count));
    REQUIRE(count == 1 && number == wall);
    REQUIRE(wayfare_live_level_list_obstacles(live, NULL, 0, &count) == WAYFARE_STATUS_TOO_SMALL && count == 1);
    DONE(wayfare_live_level_remove_obstacle(live, wall));
    DONE(wayfare_live_level_list_obstacles(live, &number, 1, &count));
    REQUIRE(count == 0);
    REQUIRE(wayfare_live_level_remove_obstacle(live, wall) == WAYFARE_STATUS_STALE);
    follow(live, 0);
    REQUIRE(live_surface(live) == begun);

    /* A crate is placed, moved and taken away. */
    DONE(wayfare_live_level_add_object(live, shape, (WayfareVec3){8, 0, 12}, &object));
    follow(live, 0);
    const uint64_t first = live_surface(live);
    REQUIRE(first != begun);
    DONE(wayfare_live_level_move_object(live, object, (WayfareVec3){16, 0, 12}));
    follow(live, 0);
    REQUIRE(live_surface(live) != first);
    DONE(wayfare_live_level_remove_object(live, object));
    REQUIRE(wayfare_live_level_move_object(live, object, HERE) == WAYFARE_STATUS_STALE);
    follow(live, 0);
    REQUIRE(live_surface(live) == begun);

    /* A ledge is built: links lead up and down, which go with it. */
    DONE(wayfare_live_level_links(live, links, 256, &count));
    REQUIRE(count == 0);
    DONE(wayfare_live_level_replace_triangles(live, whole));
    /* The search for links is cancelled, and goes on later. */
    do DONE(wayfare_live_level_step(live, 1, NULL, &progress));
    while (progress.stage == WAYFARE_LIVE_STAGE_TILES);
    REQUIRE(!progress.finished);
    WayfareContext context;
    WayfareCancel cancel;
    DONE(wayfare_context_default(&context, sizeof context));
    DONE(wayfare_cancel_new(&cancel));
    DONE(wayfare_cancel_now(cancel));
    context.cancel = cancel;
    REQUIRE(wayfare_live_level_step(live, 0, &context, &progress) == WAYFARE_STATUS_CANCELLED);
    DONE(wayfare_cancel_free(cancel));
    DONE(wayfare_live_level_progress(live, &progress));
    REQUIRE(progress.stage == WAYFARE_LIVE_STAGE_LINKS && !progress.finished);
    progress = follow(live, 5000);
    REQUIRE(progress.stage == WAYFARE_LIVE_STAGE_LINKS);
    DONE(wayfare_live_level_links(live, links, 256, &count));
    REQUIRE(count > 0);
    for (size_t i = 0; i < count; i++) REQUIRE(fabsf(links[i].start.y - links[i].end.y) > 1.5F);

    /* Steps with nothing to rebuild say so. */
    DONE(wayfare_live_level_step(live, 0, NULL, NULL));
    DONE(wayfare_live_level_rebuilt(live, rebuilt, 64, &count));
    REQUIRE(count == 0);

    /* Connections and areas are edited in a copy, which must be of the mesh as it is. */
    WayfareMesh edited, old;
    const WayfareConnection ladder = {.start = HERE, .end = {4, 2, 20}, .radius = 0.5F, .two_way = 1, .area = 63, .flags = 1, .user_id = 77};
    DONE(wayfare_live_level_mesh(live, &edited));
    DONE(wayfare_live_level_mesh(live, &old));
    DONE(wayfare_mesh_set_user_id(old, 6));
    DONE(wayfare_mesh_add_connection(edited, &ladder, NULL));
    DONE(wayfare_live_level_set_mesh(live, edited));
    REQUIRE(wayfare_live_level_set_mesh(live, old) == WAYFARE_STATUS_OUTDATED);
    DONE(wayfare_live_level_replace_triangles(live, level));
    follow(live, 0);
    DONE(wayfare_live_level_links(live, links, 256, &count));
    REQUIRE(count == 0);
    uint64_t connections[4];
    WayfareConnection kept;
    DONE(wayfare_mesh_free(edited));
    DONE(wayfare_live_level_mesh(live, &edited));
    DONE(wayfare_mesh_connections(edited, connections, 4, &count));
    REQUIRE(count == 1);
    DONE(wayfare_mesh_connection(edited, connections[0], &kept, &found));
    REQUIRE(kept.user_id == 77);

    /* Stored: with all of it, or with the mesh alone. */
    WayfareObstacles of_stored;
    WayfareCheckpoints checkpoints;
    DONE(wayfare_live_level_obstacles(live, &of_stored));
    DONE(wayfare_obstacles_checkpoints(of_stored, &checkpoints));
    DONE(wayfare_obstacles_free(of_stored));
    DONE(wayfare_obstacles_new(checkpoints, &of_stored));
    DONE(wayfare_live_level_stored(mesh, of_stored, level, &rules, &stored));
    follow(stored, 0);
    DONE(wayfare_live_level_add_object(stored, shape, (WayfareVec3){8, 0, 12}, &object));
    DONE(wayfare_live_level_add_obstacle(stored, &box, &wall));
    follow(stored, 0);
    REQUIRE(path_status(stored, &count) == WAYFARE_PATH_STATUS_PARTIAL);
    DONE(wayfare_live_level_free(stored));
    DONE(wayfare_live_level_stored(mesh, of_stored, (WayfareLevel){0}, NULL, &stored));
    REQUIRE(wayfare_live_level_add_object(stored, shape, HERE, &object) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_live_level_free(stored));
    DONE(wayfare_live_level_stored(mesh, (WayfareObstacles){0}, (WayfareLevel){0}, NULL, &stored));
    REQUIRE(wayfare_live_level_add_obstacle(stored, &box, &wall) == WAYFARE_STATUS_INVALID_ARGUMENT);
    follow(stored, 0);
    DONE(wayfare_obstacles_free(of_stored));
    DONE(wayfare_live_level_obstacles(stored, &of_stored));
    REQUIRE(of_stored.id == 0);
    DONE(wayfare_live_level_list_obstacles(stored, &number, 1, &count));
    REQUIRE(count == 0);

    /* Saved and loaded as one file. */
    WayfareBytes bytes;
    WayfareLiveLevel loaded;
    size_t size;
    DONE(wayfare_live_level_add_obstacle(live, &box, &wall));
    DONE(wayfare_live_level_save(live, &bytes));
    DONE(wayfare_bytes_size(bytes, &size));
    uint8_t *saved = malloc(size);
    REQUIRE(saved != NULL);
    DONE(wayfare_bytes_copy(bytes, saved, size, &size));
    DONE(wayfare_live_level_load(saved, size, level, &rules, &loaded));
    DONE(wayfare_live_level_list_obstacles(loaded, &number, 1, &count));
    REQUIRE(count == 1 && number == wall);
    follow(live, 0);
    follow(loaded, 0);
    REQUIRE(live_surface(loaded) == live_surface(live));
    DONE(wayfare_live_level_remove_obstacle(live, wall));
    follow(live, 0);
    DONE(wayfare_live_level_free(loaded));
    REQUIRE(wayfare_live_level_load(saved, size / 2, level, &rules, &loaded) == WAYFARE_STATUS_BAD_DATA);
    REQUIRE(wayfare_live_level_load(saved, size, (WayfareLevel){0}, &rules, &loaded) == WAYFARE_STATUS_INVALID_ARGUMENT);
    free(saved);
    DONE(wayfare_bytes_free(bytes));

    /* What a live level cannot be made of. */
    WayfareLiveLevel none;
    WayfareBakeSettings other = settings;
    other.tile_size = 48;
    /* Where only triangles are taken, volumes and height maps would be lost without a word. */
    const WayfareLevel land = hill(0);
    WayfareObjects objects;
    WayfareBox area;
    DONE(wayfare_objects_new(level, &settings, &objects));
    DONE(wayfare_level_add_volume(shape, &box));
    const WayfareLevel refused[] = {shape, land};
    for (int i = 0; i < 2; i++) {
        REQUIRE(wayfare_live_level_replace_triangles(live, refused[i]) == WAYFARE_STATUS_INVALID_ARGUMENT);
        REQUIRE(wayfare_live_level_add_object(live, refused[i], HERE, &object) == WAYFARE_STATUS_INVALID_ARGUMENT);
        REQUIRE(wayfare_objects_add(objects, refused[i], HERE, &object, &area) == WAYFARE_STATUS_INVALID_ARGUMENT);
    }
    DONE(wayfare_objects_free(objects));
    DONE(wayfare_level_free(land));
    DONE(wayfare_live_level_progress(live, &progress));
    REQUIRE(progress.finished);
    /* Links are searched over triangles. */
    REQUIRE(wayfare_live_level_stored(mesh, obstacles, (WayfareLevel){0}, &rules, &none) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_live_level_stored(mesh, (WayfareObstacles){0}, (WayfareLevel){0}, &rules, &none) == WAYFARE_STATUS_INVALID_ARGUMENT);
    WayfareMesh wide = mesh_of(level, &other);
    REQUIRE(wayfare_live_level_stored(wide, obstacles, level, NULL, &none) == WAYFARE_STATUS_INVALID_ARGUMENT);
    rules.drop.spacing = NAN;
    REQUIRE(wayfare_live_level_new(level, &settings, &rules, &none) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_mesh_free(wide));
    DONE(wayfare_live_level_free(stored));
    DONE(wayfare_live_level_free(live));
    DONE(wayfare_checkpoints_free(checkpoints));
    DONE(wayfare_obstacles_free(obstacles));
    DONE(wayfare_mesh_free(old));
    DONE(wayfare_mesh_free(edited));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(shape));
    DONE(wayfare_level_free(whole));
    DONE(wayfare_level_free(level));
}

/* A closed door stays closed while its tile is not in memory, and in a world that is opened anew. */
static void resident_worlds(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    const char *file = "changing.waystore";
    WayfareWorld world, again;
    WayfarePlace place;
    uint64_t closed[60];
    WayfarePath path;
    WayfareBytes bytes;
    WayfareWorldStats stats, then;
    static uint8_t saved[1 << 16];
    size_t size;
    DONE(wayfare_store_bake(file, level, &settings, NULL, NULL));
    DONE(wayfare_world_open(file, 0, 0, 0, &world));
    REQUIRE(wayfare_world_set_poly_flags(world, UINT64_C(1) << 48 | 1, 0) == WAYFARE_STATUS_STALE);
    /* A line across the middle, with a gap at its end. */
    for (int z = 0; z < 60; z++) {
        DONE(wayfare_world_nearest(world, (WayfareVec3){12, 0, 0.25F * (float)z}, &place));
        REQUIRE(place.poly != 0);
        closed[z] = place.poly;
    }
    for (int z = 0; z < 60; z++) DONE(wayfare_world_set_poly_flags(world, closed[z], 0));
    DONE(wayfare_world_path(world, HERE, THERE, &path));
    const float length = path.length;
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE && length > 21);
    DONE(wayfare_world_save_changes(world, &bytes));
    DONE(wayfare_bytes_copy(bytes, saved, sizeof saved, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_world_stats(world, &stats));
    DONE(wayfare_world_free(world));
    DONE(wayfare_world_open(file, 8, 0, 0, &again));
    DONE(wayfare_world_path(again, HERE, THERE, &path));
    REQUIRE(path.length < 21);
    saved[40] ^= 1;
    REQUIRE(wayfare_world_load_changes(again, saved, size) == WAYFARE_STATUS_BAD_DATA);
    saved[40] ^= 1;
    DONE(wayfare_world_load_changes(again, saved, size));
    DONE(wayfare_world_stats(again, &then));
    REQUIRE(then.resident == stats.resident);
    DONE(wayfare_world_prefetch(again, HERE, 40, NULL));
    DONE(wayfare_world_stats(again, &then));
    REQUIRE(then.evicted > 0);
    DONE(wayfare_world_path(again, HERE, THERE, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE && path.length == length);
    DONE(wayfare_world_free(again));
    REQUIRE(remove(file) == 0);
    DONE(wayfare_level_free(level));
}

/* Two walks whose paths come from one queue; a wall is built in front of one. */
static void walks(void) {
    WayfareBlocks blocks;
    WayfareBlockNav nav;
    WayfareBlockWalk walk[2], nowhere;
    WayfareBlockPath path;
    WayfareVec3 now[2] = {{2.5F, 1, 2.5F}, {2.5F, 1, 12.5F}}, target[2];
    const WayfareBlockBox ground = {{0, 0, 0}, {31, 0, 31}}, wall = {{16, 1, 0}, {16, 4, 20}};
    const WayfareBlockBox goals[] = {{{28, 1, 2}, {28, 1, 2}}, {{28, 1, 28}, {28, 1, 28}}};
    uint64_t request[2] = {0, 0}, answered, other;
    uint32_t arrived[2] = {0, 0}, followed = 0;
    DONE(wayfare_blocks_new(&blocks));
    DONE(wayfare_blocks_fill(blocks, ground, WAYFARE_BLOCK_SOLID));
    DONE(wayfare_block_nav_new(NULL, &nav));
    DONE(wayfare_block_walk_without_path(nav, blocks, (WayfareVec3){90, 9, 90}, goals[0], &nowhere));
    REQUIRE(nowhere.id == 0);
    for (int i = 0; i < 2; i++) {
        DONE(wayfare_block_walk_without_path(nav, blocks, now[i], goals[i], &walk[i]));
        DONE(wayfare_block_walk_move(walk[i], nav, blocks, now[i], &now[i], &target[i], &arrived[i]));
        REQUIRE(target[i].x == now[i].x && target[i].z == now[i].z && !arrived[i]);
        REQUIRE(wayfare_block_walk_follow(walk[i], nav) == WAYFARE_STATUS_INVALID_ARGUMENT);
    }
    for (int tick = 0; tick < 2000 && !(arrived[0] && arrived[1]); tick++) {
        if (tick == 40) {
            DONE(wayfare_blocks_fill(blocks, wall, WAYFARE_BLOCK_SOLID));
            DONE(wayfare_block_nav_invalidate(nav, wall));
        }
        for (int i = 0; i < 2; i++) {
            DONE(wayfare_block_walk_ask(walk[i], nav, blocks, &answered));
            if (answered == 0) continue;
            request[i] = answered;
            /* It waits for that one. */
            DONE(wayfare_block_walk_ask(walk[i], nav, blocks, &other));
            REQUIRE(other == 0);
        }
        DONE(wayfare_block_nav_update(nav, blocks, 1));
        DONE(wayfare_block_nav_take(nav, &answered, &path));
        for (int i = 0; i < 2; i++) {
            if (answered != 0 && answered == request[i]) {
                REQUIRE(wayfare_block_walk_follow(walk[1 - i], nav) == WAYFARE_STATUS_INVALID_ARGUMENT);
                DONE(wayfare_block_walk_follow(walk[i], nav));
                followed++;
            }
            const float dx = target[i].x - now[i].x, dz = target[i].z - now[i].z, d = sqrtf(dx * dx + dz * dz);
            const float step = d > 0.2F ? 0.2F / d : 1;
            const WayfareVec3 to = {now[i].x + dx * step, now[i].y, now[i].z + dz * step};
            DONE(wayfare_block_walk_move(walk[i], nav, blocks, to, &now[i], &target[i], &arrived[i]));
            REQUIRE(tick < 60 || fabsf(now[i].x - 16.5F) > 0.5F || now[i].z > 20.5F);
        }
    }
    REQUIRE(arrived[0] && arrived[1] && followed >= 3);
    for (int i = 0; i < 2; i++) DONE(wayfare_block_walk_free(walk[i]));
    DONE(wayfare_block_nav_free(nav));
    DONE(wayfare_blocks_free(blocks));
}

/* Whatever happens to what it asked for, a walk that needs a path asks again, or finds one. */
static void lost_answers(void) {
    enum { WITHDRAWN, TAKEN_OVER, SEARCHED_OVER, WAYS };
    WayfareBlocks blocks;
    WayfareBlockNav nav, other;
    WayfareBlockPath path;
    const WayfareBlockBox floor = {{0, 0, 0}, {15, 0, 15}}, goal = {{12, 1, 12}, {12, 1, 12}};
    const WayfareVec3 start = {2.5F, 1, 2.5F};
    const WayfareCell cell = {2, 1, 2};
    WayfareVec3 now, target;
    uint64_t asked, again, answered;
    uint32_t arrived;
    DONE(wayfare_blocks_new(&blocks));
    DONE(wayfare_blocks_fill(blocks, floor, WAYFARE_BLOCK_SOLID));
    DONE(wayfare_block_nav_new(NULL, &nav));
    DONE(wayfare_block_nav_new(NULL, &other));
    for (int way = 0; way < WAYS; way++) {
        for (int steps = 0; steps < 2; steps++) {
            WayfareBlockWalk walk;
            DONE(wayfare_block_walk_without_path(nav, blocks, start, goal, &walk));
            DONE(wayfare_block_walk_ask(walk, nav, blocks, &asked));
            REQUIRE(asked != 0);
            if (way == WITHDRAWN) {
                DONE(wayfare_block_nav_withdraw(nav, asked));
            } else {
                if (way == TAKEN_OVER) DONE(wayfare_block_nav_ask(nav, cell, goal, &again));
                DONE(wayfare_block_nav_update(nav, blocks, 100000));
                /* Nothing is taken for nobody. */
                REQUIRE(wayfare_block_nav_take(nav, &answered, NULL) == WAYFARE_STATUS_INVALID_ARGUMENT);
                REQUIRE(wayfare_block_nav_take(nav, NULL, &path) == WAYFARE_STATUS_INVALID_ARGUMENT);
                DONE(wayfare_block_nav_take(nav, &answered, &path));
                REQUIRE(answered == asked);
                /* It is there to be followed. */
                DONE(wayfare_block_walk_ask(walk, nav, blocks, &answered));
                REQUIRE(answered == 0);
                if (way == TAKEN_OVER) {
                    DONE(wayfare_block_nav_take(nav, &answered, &path));
                    REQUIRE(answered == again);
                } else {
                    DONE(wayfare_block_nav_path(nav, blocks, cell, goal, 0, &path));
                }
            }
            REQUIRE(wayfare_block_walk_follow(walk, nav) == WAYFARE_STATUS_INVALID_ARGUMENT);
            if (!steps) {
                DONE(wayfare_block_walk_ask(walk, nav, blocks, &again));
                REQUIRE(again != 0 && again != asked);
                DONE(wayfare_block_nav_update(nav, blocks, 100000));
                DONE(wayfare_block_nav_take(nav, &answered, &path));
                REQUIRE(answered == again);
                DONE(wayfare_block_walk_follow(walk, nav));
                DONE(wayfare_block_walk_move(walk, nav, blocks, start, &now, &target, &arrived));
            } else {
                DONE(wayfare_block_walk_step(walk, nav, blocks, start, &now, &target, &arrived));
            }
            REQUIRE(target.x > start.x + 1 && target.z > start.z + 1);
            DONE(wayfare_block_walk_ask(walk, nav, blocks, &again));
            REQUIRE(again == 0);
            DONE(wayfare_block_walk_free(walk));
        }
    }
    /* The numbers of two navigations are the same, and their answers are not. */
    WayfareBlockWalk walk;
    DONE(wayfare_block_nav_free(nav));
    DONE(wayfare_block_nav_new(NULL, &nav));
    DONE(wayfare_block_walk_without_path(nav, blocks, start, goal, &walk));
    DONE(wayfare_block_walk_ask(walk, nav, blocks, &asked));
    DONE(wayfare_block_nav_ask(other, cell, (WayfareBlockBox){cell, cell}, &again));
    REQUIRE(asked == again);
    DONE(wayfare_block_nav_update(other, blocks, 100000));
    DONE(wayfare_block_nav_take(other, &answered, &path));
    REQUIRE(wayfare_block_walk_follow(walk, other) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_block_walk_ask(walk, other, blocks, &again) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_block_walk_move(walk, other, blocks, start, &now, &target, &arrived) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_block_walk_step(walk, other, blocks, start, &now, &target, &arrived) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_block_walk_free(walk));
    DONE(wayfare_block_nav_free(other));
    DONE(wayfare_block_nav_free(nav));
    DONE(wayfare_blocks_free(blocks));
}

static void cells(void) {
    WayfareGrid grid;
    WayfareVec3 points[64];
    uint32_t status, blocked;
    size_t straight, around;
    const WayfareVec3 from = {-3, 0, 0}, to = {3, 0, 0};
    DONE(wayfare_grid_new(16, 0.5F, &grid));
    DONE(wayfare_grid_recenter(grid, (WayfareVec3){0, 0, 0}));
    DONE(wayfare_grid_path(grid, from, to, &status, points, 64, &straight));
    for (uint32_t z = 0; z < 12; z++) DONE(wayfare_grid_set_blocked(grid, 8, z, 1));
    DONE(wayfare_grid_is_blocked(grid, 8, 11, &blocked));
    REQUIRE(blocked == 1);
    DONE(wayfare_grid_path(grid, from, to, &status, points, 64, &around));
    REQUIRE(status == WAYFARE_PATH_STATUS_COMPLETE && around > straight);
    for (uint32_t z = 0; z < 12; z++) DONE(wayfare_grid_set_blocked(grid, 8, z, 0));
    DONE(wayfare_grid_path(grid, from, to, &status, points, 64, &around));
    REQUIRE(around == straight);
    REQUIRE(wayfare_grid_set_blocked(grid, 16, 0, 1) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_grid_free(grid));
}

int main(void) {
    size_t live = 0;
    shared_meshes();
    all_obstacles_at_once();
    live_levels();
    terrain();
    resident_worlds();
    walks();
    lost_answers();
    cells();
    DONE(wayfare_live_handles(&live));
    REQUIRE(live == 0);
    printf("%d checks\n", checks);
    return 0;
}
