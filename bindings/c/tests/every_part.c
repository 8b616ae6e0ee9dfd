/* One visit to every part of the interface that the cases do not ask. */
#include "parts.h"

static const WayfarePlace FROM = {0, {2, 0, 2}}, TO = {0, {22, 0, 20}};
static const WayfareFilter NO_FILTER = {0};
static const WayfarePlanner NO_PLANNER = {0};

static void digest_of(WayfareMesh mesh, char digest[17]) { DONE(wayfare_mesh_digest(mesh, digest, 17, NULL)); }

static size_t saved_size(WayfareMesh mesh) {
    WayfareBytes bytes;
    size_t size = 0;
    DONE(wayfare_mesh_save(mesh, &bytes));
    DONE(wayfare_bytes_size(bytes, &size));
    DONE(wayfare_bytes_free(bytes));
    return size;
}

static void bakes(void) {
    WayfareLevel level = level_of(VERTS);
    WayfareBakeSettings settings = settings_of(32), wide = settings;
    WayfareMesh whole, stepped, meshes[2];
    WayfareReport report;
    WayfareBakeStats stats;
    WayfareContext context;
    char have[17], want[17], text[256];
    double seconds;
    DONE(wayfare_context_default(&context, sizeof context));
    context.measure_times = 1;
    context.threads = 2;
    DONE(wayfare_bake(level, &settings, &context, &whole, &report));
    DONE(wayfare_report_stats(report, &stats));
    REQUIRE(stats.tiles > 4 && stats.polys > 0);
    DONE(wayfare_report_stage(report, 0, &seconds, text, sizeof text));
    REQUIRE(seconds > 0 && strlen(text) > 3);
    DONE(wayfare_report_free(report));
    DONE(wayfare_bake_settings_advice(&settings, text, sizeof text, NULL));

    WayfareBakeJob job;
    uint64_t at = 0, total = 1;
    int steps = 0;
    DONE(wayfare_bake_job_new(level, &settings, &job));
    while (at < total) {
        DONE(wayfare_bake_job_step(job, 1, NULL, &at, &total));
        steps++;
    }
    REQUIRE(steps > 4);
    DONE(wayfare_bake_job_finish(job, &stepped, NULL));
    DONE(wayfare_bake_job_free(job));
    digest_of(whole, want);
    digest_of(stepped, have);
    REQUIRE(strcmp(have, want) == 0);

    wide.agent_radius = 1;
    const WayfareBakeSettings both[] = {settings, wide};
    DONE(wayfare_bake_agents(level, both, 2, NULL, meshes));
    digest_of(meshes[0], have);
    REQUIRE(strcmp(have, want) == 0);

    /* Only the tile under a new pillar is baked anew, and it is the same as when all are. */
    const WayfareVolume pillar = {.shape = WAYFARE_SHAPE_CYLINDER, .center = {5, -1, 5}, .radius = 1, .height = 4};
    uint32_t changed = 0;
    DONE(wayfare_mesh_remember_level(whole, level, &settings));
    DONE(wayfare_level_add_volume(level, &pillar));
    DONE(wayfare_mesh_bake_changed(whole, level, &settings, NULL, &changed));
    REQUIRE(changed >= 1 && changed <= 4);
    DONE(wayfare_mesh_bake_box(stepped, level, &settings, (WayfareBox){{3, -1, 3}, {7, 3, 7}}, &changed));
    REQUIRE(changed >= 1 && changed <= 4);
    digest_of(whole, have);
    digest_of(stepped, want);
    REQUIRE(strcmp(have, want) == 0);

    /* Tiles of another grid have no place in it. */
    WayfareBakeSettings moved = settings;
    moved.bounds.min.x = -1;
    REQUIRE(wayfare_mesh_bake_changed(whole, level, &moved, NULL, &changed) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_mesh_bake_box(whole, level, &moved, moved.bounds, &changed) == WAYFARE_STATUS_INVALID_ARGUMENT);
    digest_of(whole, want);
    REQUIRE(strcmp(have, want) == 0);

    /* A bake that is cancelled forgets nothing of what the tiles were baked from. */
    const WayfareVolume second = {.shape = WAYFARE_SHAPE_CYLINDER, .center = {19, -1, 19}, .radius = 1, .height = 4};
    const size_t remembered = saved_size(whole);
    DONE(wayfare_cancel_new(&context.cancel));
    DONE(wayfare_cancel_now(context.cancel));
    DONE(wayfare_level_add_volume(level, &second));
    REQUIRE(wayfare_mesh_bake_changed(whole, level, &settings, &context, &changed) == WAYFARE_STATUS_CANCELLED);
    REQUIRE(saved_size(whole) == remembered);
    DONE(wayfare_cancel_free(context.cancel));
    DONE(wayfare_mesh_bake_changed(whole, level, &settings, NULL, &changed));
    REQUIRE(changed >= 1 && changed <= 4);

    WayfareExplainMap map;
    WayfareExplanation why;
    uint32_t found;
    DONE(wayfare_explain_around(level, &settings, (WayfareVec3){5, 0, 5}, &map));
    DONE(wayfare_explain_at(map, (WayfareVec3){5, 0, 5}, &found, &why));
    REQUIRE(found && !why.walkable);
    DONE(wayfare_explain_text(map, (WayfareVec3){5, 0, 5}, 1, text, sizeof text, NULL));
    REQUIRE(strlen(text) > 10);
    DONE(wayfare_explain_free(map));
    uint8_t inside = 1;
    DONE(wayfare_level_inside_bodies(level, &(WayfareVec3){1, 9, 1}, 1, &inside));
    REQUIRE(inside == 0);
    for (int i = 0; i < 2; i++) DONE(wayfare_mesh_free(meshes[i]));
    DONE(wayfare_mesh_free(stepped));
    DONE(wayfare_mesh_free(whole));
    DONE(wayfare_level_free(level));
}

/* Links are found and added, or an argument is wrong and none are. */
static void links(void) {
    const WayfareVec3 step[] = {{24, -2, 0}, {24, -2, 24}, {40, -2, 24}, {40, -2, 0}};
    WayfareLevel level = level_of(VERTS);
    const WayfareTriangles lower = {step, 4, INDICES, 6, NULL, 0};
    DONE(wayfare_level_add_triangles(level, &lower));
    WayfareBakeSettings settings = settings_of(0);
    settings.bounds.min.y = -3;
    settings.bounds.max.x = 40;
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareLinkSettings rules;
    uint64_t connections[1];
    size_t count = 0;
    DONE(wayfare_link_settings_for_agent(&settings, &rules, sizeof rules));
    REQUIRE(wayfare_mesh_find_links(mesh, level, &settings, &rules, NULL, NULL) != WAYFARE_STATUS_OK);
    DONE(wayfare_mesh_connections(mesh, connections, 1, &count));
    REQUIRE(count == 0);
    DONE(wayfare_mesh_find_links(mesh, level, &settings, &rules, NULL, &count));
    REQUIRE(count > 0);
    static WayfareLink found[256];
    WayfareMesh copy;
    size_t listed;
    DONE(wayfare_mesh_copy(mesh, &copy));
    DONE(wayfare_mesh_found_links(copy, found, 256, &listed));
    REQUIRE(listed == count && found[0].start.y > found[0].end.y);
    DONE(wayfare_mesh_free(copy));
    REQUIRE(wayfare_mesh_connections(mesh, NULL, 0, &listed) == WAYFARE_STATUS_TOO_SMALL && listed == count);
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

/* A query without a filter has the costs of whichever mesh it goes on with; one with a filter keeps it. */
static void costs_of_meshes(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(0);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareFilter filter;
    WayfareQuery usual, chosen;
    WayfarePath path;
    WayfarePolygon poly;
    WayfareNearest nearest;
    DONE(wayfare_filter_new(mesh, 0xFFFF, 0, &filter));
    DONE(wayfare_query_new(mesh, NO_FILTER, &usual));
    DONE(wayfare_query_new(mesh, filter, &chosen));
    DONE(wayfare_query_path(usual, FROM, TO, &path));
    const float cost = path.cost;
    DONE(wayfare_query_nearest(usual, FROM.point, &nearest));
    DONE(wayfare_mesh_polygon(mesh, nearest.place.poly, &poly));
    DONE(wayfare_mesh_set_area(mesh, poly.area, "mud", 3));
    DONE(wayfare_query_set_mesh(usual, mesh));
    DONE(wayfare_query_set_mesh(chosen, mesh));
    DONE(wayfare_query_path(usual, FROM, TO, &path));
    REQUIRE(fabsf(path.cost - 3 * cost) < 0.01F * cost);
    DONE(wayfare_query_path(chosen, FROM, TO, &path));
    REQUIRE(path.cost == cost);
    DONE(wayfare_query_forget(usual));
    DONE(wayfare_query_free(usual));
    DONE(wayfare_query_free(chosen));
    DONE(wayfare_filter_free(filter));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

static void tiles(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings), empty, snapshot;
    WayfareTileInfo list[64];
    WayfareBytes bytes;
    WayfareVersion version;
    WayfareChange changes[64];
    WayfareShared shared;
    uint8_t block[65536];
    uint64_t tile, polys[64], poly;
    uint32_t known, component, valid;
    size_t count, size, poly_count;
    char text[64];
    DONE(wayfare_mesh_tiles(mesh, list, 64, &count));
    REQUIRE(count > 4);
    DONE(wayfare_mesh_tile_at(mesh, list[1].coord, &tile));
    REQUIRE(tile == list[1].tile);
    DONE(wayfare_tile_to_text(tile, text, sizeof text, NULL));
    DONE(wayfare_tile_from_text(text, &tile));
    REQUIRE(tile == list[1].tile);
    DONE(wayfare_mesh_version(mesh, &version));
    DONE(wayfare_mesh_copy(mesh, &snapshot));
    DONE(wayfare_shared_new(mesh, &shared));

    DONE(wayfare_mesh_empty_like(mesh, &empty));
    for (size_t i = 0; i < count; i++) {
        DONE(wayfare_mesh_tile_bytes(mesh, list[i].tile, &bytes));
        DONE(wayfare_bytes_copy(bytes, block, sizeof block, &size));
        DONE(wayfare_bytes_free(bytes));
        DONE(wayfare_mesh_add_tile(empty, block, size, NULL));
    }
    DONE(wayfare_mesh_announce(mesh, &list[0].tile, 1));
    DONE(wayfare_mesh_tile_polygons(mesh, list[1].tile, polys, 64, &poly_count));
    poly = polys[0];
    WayfarePolygon polygon;
    DONE(wayfare_mesh_set_poly_flags(mesh, poly, 5));
    DONE(wayfare_mesh_set_poly_area(mesh, poly, 9));
    DONE(wayfare_mesh_polygon(mesh, poly, &polygon));
    REQUIRE(polygon.flags == 5 && polygon.area == 9 && polygon.tile == list[1].tile);
    DONE(wayfare_mesh_polygon(snapshot, poly, &polygon));
    REQUIRE(polygon.flags == 1 && polygon.area == 63);
    WayfareVec3 corners[32], triangles[1024], closest;
    WayfarePortal portals[32];
    DONE(wayfare_mesh_polygon_corners(mesh, poly, corners, 32, &count));
    REQUIRE(count == polygon.corner_count);
    DONE(wayfare_mesh_polygon_portals(mesh, poly, portals, 32, &count));
    REQUIRE(count > 0);
    DONE(wayfare_mesh_portal_between(mesh, poly, portals[0].to, &known, &portals[1]));
    REQUIRE(known == 1);
    DONE(wayfare_mesh_triangles(mesh, 0, triangles, NULL, 1024, &count));
    REQUIRE(count % 3 == 0 && count > 12);
    DONE(wayfare_mesh_closest_point(mesh, poly, polygon.center, &closest, &valid));
    REQUIRE(valid == 1);
    DONE(wayfare_mesh_closest_on_boundary(mesh, poly, polygon.center, &closest));
    float height;
    DONE(wayfare_mesh_height(mesh, poly, polygon.center, &valid, &height));
    REQUIRE(valid == 1 && fabsf(height - polygon.center.y) < 1);

    /* What differs from the bake is saved, and restored onto the snapshot. */
    DONE(wayfare_mesh_save_delta(mesh, &bytes));
    DONE(wayfare_bytes_copy(bytes, block, sizeof block, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_mesh_load_delta(snapshot, block, size));
    DONE(wayfare_mesh_polygon(snapshot, poly, &polygon));
    REQUIRE(polygon.flags == 5 && polygon.area == 9);
    DONE(wayfare_mesh_save_tile_state(mesh, list[1].tile, &bytes));
    DONE(wayfare_bytes_copy(bytes, block, sizeof block, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_mesh_load_tile_state(snapshot, list[1].tile, block, size));

    DONE(wayfare_mesh_remove_tile(mesh, list[0].tile));
    DONE(wayfare_mesh_changes_since(mesh, version, &known, changes, 64, &count));
    REQUIRE(known == 1 && count > 2);
    DONE(wayfare_mesh_component(mesh, poly, &component, NULL));
    DONE(wayfare_mesh_keep_components(mesh, 0xFFFF, 0));
    DONE(wayfare_mesh_set_user_id(mesh, 7));
    WayfareMeshSize measured;
    DONE(wayfare_mesh_size(mesh, &measured));
    REQUIRE(measured.user_id == 7 && measured.data_bytes > 0);
    WayfareViolation violation;
    DONE(wayfare_mesh_check(mesh, &violation, 1, &count));
    REQUIRE(count == 0);
    DONE(wayfare_shared_publish(shared, mesh));
    WayfareMesh newest;
    DONE(wayfare_shared_newest(shared, &newest));
    DONE(wayfare_mesh_size(newest, &measured));
    REQUIRE(measured.user_id == 7);
    DONE(wayfare_mesh_to_obj(mesh, &bytes));
    DONE(wayfare_bytes_free(bytes));

    const uint16_t counts[] = {4};
    const uint32_t square[] = {0, 1, 2, 3};
    const WayfarePolygons own = {.verts = VERTS, .vert_count = 4, .corners = square, .corner_count = 4, .counts = counts,
                                 .poly_count = 1, .agent_height = 2, .agent_radius = 0.5F, .agent_climb = 0.5F};
    WayfareMesh made;
    DONE(wayfare_mesh_from_polygons(&own, &made));
    WayfareVec3 points[8];
    DONE(wayfare_find_path(made, FROM.point, TO.point, points, 8, &count, &valid));
    REQUIRE(valid == WAYFARE_PATH_STATUS_COMPLETE && count == 2);
    DONE(wayfare_mesh_free(made));
    DONE(wayfare_mesh_free(newest));
    DONE(wayfare_shared_free(shared));
    DONE(wayfare_version_free(version));
    DONE(wayfare_mesh_free(snapshot));
    DONE(wayfare_mesh_free(empty));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

/* Searches guided by bounds: no dearer than A*, at once, in steps, in batches, and for crowds. */
static void bounded(WayfareMesh mesh, WayfareQuery query, WayfarePath plain) {
    WayfareCostBounds bounds, newer;
    WayfareSearch search;
    WayfarePath path, paths[2];
    WayfarePathBatch batch;
    WayfarePlanner planner, other;
    WayfarePathPoint points[64];
    WayfareVec3 line[64], references[16];
    WayfareMesh changed;
    WayfareNearest near;
    WayfareCrowd crowd;
    WayfareAgentParams params;
    WayfareAgent agent;
    uint32_t answer, finished = 0;
    uint64_t bytes, number;
    size_t count;
    DONE(wayfare_cost_bounds_new(mesh, NO_FILTER, &bounds));
    DONE(wayfare_cost_bounds_hold(bounds, mesh, &answer));
    REQUIRE(answer == 1);
    DONE(wayfare_cost_bounds_points(bounds, references, 16, &count));
    DONE(wayfare_cost_bounds_size(bounds, &bytes));
    REQUIRE(count > 0 && bytes > 64);
    DONE(wayfare_query_bounded_path(query, bounds, FROM, TO, line, 64, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE && path.cost <= plain.cost * 1.0001F);
    REQUIRE(path.point_count >= 2 && line[path.point_count - 1].z == TO.point.z);
    DONE(wayfare_search_bounded(query, bounds, FROM, TO, &search));
    while (!finished) DONE(wayfare_search_step(search, 1, &finished));
    DONE(wayfare_search_path(search, &paths[0]));
    DONE(wayfare_search_points(search, points, 64, &count));
    REQUIRE(paths[0].cost == path.cost && count == path.point_count);
    DONE(wayfare_search_free(search));
    const WayfarePair pairs[] = {{FROM, TO}, {TO, FROM}};
    DONE(wayfare_query_bounded_paths(query, bounds, pairs, 2, 2, &batch));
    DONE(wayfare_batch_paths(batch, paths, 2, &count));
    REQUIRE(count == 2 && paths[0].cost == path.cost && paths[1].status == WAYFARE_PATH_STATUS_COMPLETE);
    DONE(wayfare_batch_free(batch));

    /* A mesh that has changed needs others. */
    DONE(wayfare_mesh_copy(mesh, &changed));
    DONE(wayfare_query_nearest(query, (WayfareVec3){20, 0, 4}, &near));
    DONE(wayfare_mesh_set_poly_flags(changed, near.place.poly, 0));
    DONE(wayfare_cost_bounds_hold(bounds, changed, &answer));
    REQUIRE(answer == 0);
    DONE(wayfare_cost_bounds_new(changed, NO_FILTER, &newer));
    DONE(wayfare_planner_bounded(bounds, &planner));
    DONE(wayfare_planner_set_bounds(planner, newer));
    DONE(wayfare_planner_new(WAYFARE_PLANNER_KIND_A_STAR, &other));
    REQUIRE(wayfare_planner_set_bounds(other, newer) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_cost_bounds_free(newer));
    DONE(wayfare_cost_bounds_free(bounds));
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_agent_params_of_size(0.6F, 2, &params, sizeof params));
    DONE(wayfare_crowd_add(crowd, changed, FROM.point, &params, &number));
    DONE(wayfare_crowd_go_to(crowd, changed, number, TO.point));
    for (int i = 0; i < 400; i++) DONE(wayfare_crowd_step(crowd, changed, 0.1F, planner, NULL));
    DONE(wayfare_crowd_agent(crowd, number, &agent));
    REQUIRE(agent.target_status == WAYFARE_TARGET_STATUS_ARRIVED);
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_planner_free(other));
    DONE(wayfare_planner_free(planner));
    DONE(wayfare_mesh_free(changed));
}

static void searches(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareVolume wall = {.shape = WAYFARE_SHAPE_BOX, .center = {12, 1, 8}, .half_extents = {0.5F, 2, 8}};
    const WayfareBakeSettings settings = settings_of(32);
    DONE(wayfare_level_add_volume(level, &wall));
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareQuery query;
    WayfarePath straight, path;
    WayfarePathPoint points[64];
    uint32_t finished = 0, broken, state;
    uint64_t polys[256];
    size_t count, goal;
    DONE(wayfare_query_new(mesh, NO_FILTER, &query));
    DONE(wayfare_query_straight_path(query, FROM, TO, NULL, 0, &straight));
    DONE(wayfare_query_points_with_crossings(query, 1, points, 64, &count));
    REQUIRE(count > straight.point_count);
    DONE(wayfare_query_polygons(query, polys, 256, &count));
    REQUIRE(count == straight.poly_count);
    DONE(wayfare_query_along(query, polys, count, FROM.point, TO.point, &path));
    REQUIRE(path.point_count == straight.point_count);
    DONE(wayfare_query_path_holds(query, &broken, NULL));
    REQUIRE(!broken);
    const WayfarePlace goals[] = {TO, {0, {3, 0, 3}}, {0, {900, 0, 0}}};
    DONE(wayfare_query_path_to_nearest(query, FROM, goals, 3, &goal, &path));
    REQUIRE(goal == 1);
    DONE(wayfare_query_path_to_box(query, FROM, (WayfareBox){{20, -1, 18}, {23, 2, 22}}, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE);
    WayfareSearchNode nodes[512];
    DONE(wayfare_query_record_search(query, FROM, TO, nodes, 512, &count));
    REQUIRE(count >= straight.poly_count);

    for (uint32_t optimal = 0; optimal < 2; optimal++) {
        WayfareSearch search;
        DONE(wayfare_search_new(query, FROM, TO, optimal, &search));
        for (finished = 0; !finished;) DONE(wayfare_search_step(search, 1, &finished));
        DONE(wayfare_search_path(search, &path));
        REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE && path.length <= straight.length + 1e-3F);
        DONE(wayfare_search_points(search, points, 64, &count));
        REQUIRE(count == path.point_count);
        DONE(wayfare_search_free(search));
    }
    bounded(mesh, query, straight);
    WayfareNearest near, nears[2];
    DONE(wayfare_query_nearest(query, TO.point, &near));
    WayfareCostMap costs;
    float cost;
    DONE(wayfare_cost_map_new(query, FROM, &costs));
    DONE(wayfare_cost_map_cost(costs, near.place.poly, &cost));
    REQUIRE(cost > 10 && cost < 100);
    DONE(wayfare_cost_map_path(costs, near.place, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE);
    DONE(wayfare_cost_map_points(costs, points, 64, &count));
    DONE(wayfare_cost_map_free(costs));

    WayfareQueue queue;
    WayfareNearest start;
    uint64_t request;
    DONE(wayfare_query_nearest(query, FROM.point, &start));
    DONE(wayfare_queue_new(&queue));
    DONE(wayfare_queue_request(queue, mesh, NO_FILTER, start.place, near.place, &request));
    for (state = 0; state != 2;) {
        DONE(wayfare_queue_step(queue, mesh, NO_PLANNER, 4, NULL));
        DONE(wayfare_queue_state(queue, request, &state));
    }
    DONE(wayfare_queue_take(queue, request, &finished, &path, NULL));
    REQUIRE(finished && path.status == WAYFARE_PATH_STATUS_COMPLETE);
    REQUIRE(wayfare_queue_take(queue, request, &finished, &path, NULL) == WAYFARE_STATUS_STALE);
    DONE(wayfare_queue_free(queue));

    WayfareCorridor corridor;
    WayfareVec3 now;
    DONE(wayfare_query_path(query, start.place, near.place, &path));
    DONE(wayfare_corridor_new(query, start.place, &corridor));
    DONE(wayfare_corridor_follow(corridor, query));
    DONE(wayfare_corridor_move_end(corridor, query, (WayfareVec3){21, 0, 21}, &now));
    DONE(wayfare_corridor_shorten(corridor, query, now, 20, 32, NULL));
    DONE(wayfare_corridor_repair(corridor, query, 100, &state));
    REQUIRE(state == WAYFARE_REPAIR_WHOLE);
    DONE(wayfare_corridor_length(corridor, &cost));
    REQUIRE(cost > 20);
    DONE(wayfare_corridor_free(corridor));

    /* Batches agree with single questions, for any number of threads. */
    WayfarePair pairs[600];
    WayfareRay rays[600], ray;
    int32_t reach[600];
    WayfarePlace ends[600];
    for (int i = 0; i < 600; i++) {
        pairs[i] = (WayfarePair){{0, {1 + (float)(i % 22), 0, 1}}, {0, {1 + (float)(i % 19), 0, 22}}};
    }
    DONE(wayfare_query_rays(query, pairs, 600, 2, rays));
    DONE(wayfare_query_reachable_many(query, pairs, 600, 0, reach));
    DONE(wayfare_query_moves(query, pairs, 600, 2, ends));
    DONE(wayfare_query_ray(query, pairs[7].from, pairs[7].to.point, &ray));
    REQUIRE(ray.t == rays[7].t && reach[7] == 1 && ends[7].poly != 0);
    const WayfareVec3 two[] = {FROM.point, TO.point};
    WayfareNearestWall walls[2];
    DONE(wayfare_query_nearest_many(query, two, 2, 1, nears));
    REQUIRE(nears[1].place.poly == near.place.poly);
    DONE(wayfare_query_nearest_walls(query, goals, 2, 5, 1, walls));
    REQUIRE(walls[1].found);
    DONE(wayfare_query_free(query));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

static void crowds(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(0);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareCrowd crowd, loaded;
    WayfareCrowdSettings own;
    WayfareAgentParams params;
    WayfarePlanner planner;
    WayfareFormation formation;
    WayfareVec2 slots[4];
    WayfareVec3 have[8], want[8];
    WayfareBytes bytes;
    WayfareAgent state;
    static uint8_t saved[1 << 20];
    uint64_t agents[5];
    size_t count, size;
    DONE(wayfare_crowd_settings_default(&own, sizeof own));
    DONE(wayfare_crowd_new(&own, &crowd));
    DONE(wayfare_planner_new(WAYFARE_PLANNER_KIND_FLOW, &planner));
    for (int i = 0; i < 5; i++) {
        DONE(wayfare_agent_params_pedestrian(3, (uint32_t)i, &params, sizeof params));
        DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){3 + 2 * (float)i, 0, 3}, &params, &agents[i]));
    }
    DONE(wayfare_formation_slots(4, 2, 1.5F, 0, slots));
    DONE(wayfare_formation_new(crowd, agents[0], slots, agents + 1, 4, &formation));
    DONE(wayfare_crowd_go_to(crowd, mesh, agents[0], (WayfareVec3){20, 0, 20}));
    for (int i = 0; i < 50; i++) {
        DONE(wayfare_formation_lead(formation, crowd, mesh));
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, planner, NULL));
    }
    DONE(wayfare_crowd_save(crowd, mesh, planner, &bytes));
    DONE(wayfare_bytes_copy(bytes, saved, sizeof saved, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_crowd_load(saved, size, mesh, NULL, 0, &loaded));
    for (int i = 0; i < 20; i++) {
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        /* The same phase by phase. */
        DONE(wayfare_crowd_begin(loaded, 0.1F));
        for (uint32_t phase = 0; phase < 10; phase++) DONE(wayfare_crowd_phase(loaded, phase, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_end(loaded));
    }
    DONE(wayfare_crowd_positions(crowd, want, 8, &count));
    DONE(wayfare_crowd_positions(loaded, have, 8, &count));
    REQUIRE(count == 5 && memcmp(have, want, 5 * sizeof *have) == 0);

    WayfareTarget target = {.kind = WAYFARE_TARGET_KIND_VELOCITY, .place = {0, {1, 0, 0}}};
    DONE(wayfare_crowd_set_target(crowd, mesh, agents[1], &target));
    target = (WayfareTarget){.kind = WAYFARE_TARGET_KIND_AGENT, .agent = agents[0]};
    DONE(wayfare_crowd_set_target(crowd, mesh, agents[2], &target));
    DONE(wayfare_crowd_teleport(crowd, mesh, agents[3], (WayfareVec3){5, 0, 5}));
    DONE(wayfare_crowd_pause(crowd, agents[3], 1));
    DONE(wayfare_crowd_set_velocity(crowd, agents[4], (WayfareVec3){0, 0, 1}));
    DONE(wayfare_crowd_write(crowd, WAYFARE_VELOCITY_ARRAY_DESIRED, agents[4], (WayfareVec3){1, 0, 0}));
    DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
    DONE(wayfare_crowd_agent(crowd, agents[3], &state));
    REQUIRE(fabsf(state.position.x - 5) < 0.5F);
    WayfareCrowdProfile profile;
    WayfareCorner corners[8];
    uint64_t list[64];
    DONE(wayfare_crowd_profile(crowd, &profile));
    REQUIRE(profile.time > 7);
    DONE(wayfare_crowd_corners(crowd, agents[0], corners, 8, &count));
    DONE(wayfare_crowd_corridor(crowd, agents[0], list, 64, &count));
    REQUIRE(count > 0);
    DONE(wayfare_crowd_neighbours(crowd, agents[0], list, 64, &count));
    DONE(wayfare_crowd_params(crowd, agents[0], &params, sizeof params));
    DONE(wayfare_crowd_set_params(crowd, agents[0], &params));

    WayfareAvoidance method;
    const WayfareAvoider me = {{0, 0}, {1, 0}, {1, 0}, 0.5F, 2, 0, 0}, other = {{2, 0}, {-1, 0}, {-1, 0}, 0.5F, 2, 0, 0.5F};
    WayfareVec2 velocity;
    DONE(wayfare_avoidance_default(WAYFARE_AVOIDANCE_METHOD_ORCA, &method, sizeof method));
    DONE(wayfare_avoid(&method, &me, &other, 1, NULL, 0, &velocity));
    REQUIRE(fabsf(velocity.z) > 0.01F || velocity.x < 0.99F);
    DONE(wayfare_formation_free(formation));
    DONE(wayfare_planner_free(planner));
    DONE(wayfare_crowd_free(loaded));
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

/* An agent walks around what the mesh does not contain, and says what it cannot get around. */
static void loose_obstacles(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(0);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareCrowd crowd;
    WayfareAgentParams params;
    WayfareAgent state;
    WayfareEvent events[8];
    WayfareVec3 bend;
    WayfareGridObstacle cart = {.shape = WAYFARE_GRID_SHAPE_BOX, .id = 7, .a = {12, 0, 12}, .half_x = 0.5F, .half_z = 2};
    const WayfareGridObstacle fence = {.shape = WAYFARE_GRID_SHAPE_SEGMENT, .id = 9, .a = {12, 0, -1}, .b = {12, 0, 25}};
    uint64_t agent;
    uint32_t found = 0, by[4], bends = 0, obstructed = 0;
    size_t count;
    float widest = 0;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_agent_params_of_size(0.6F, 2, &params, sizeof params));
    DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){4, 0, 12}, &params, &agent));
    DONE(wayfare_crowd_go_to(crowd, mesh, agent, (WayfareVec3){20, 0, 12}));
    DONE(wayfare_crowd_set_obstacles(crowd, &cart, 1));
    for (int i = 0; i < 200; i++) {
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_agent(crowd, agent, &state));
        DONE(wayfare_crowd_local_bend(crowd, agent, &found, &bend));
        bends += found;
        widest = fmaxf(widest, fabsf(state.position.z - 12));
    }
    DONE(wayfare_crowd_obstructed_by(crowd, agent, by, 4, &count));
    REQUIRE(state.position.x > 19 && widest > 2 && bends > 0 && count == 0);
    DONE(wayfare_crowd_set_obstacles(crowd, &fence, 1));
    DONE(wayfare_crowd_go_to(crowd, mesh, agent, (WayfareVec3){4, 0, 12}));
    for (int i = 0; i < 200; i++) {
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_events(crowd, events, 8, &count));
        for (size_t e = 0; e < count; e++) {
            if (events[e].kind == WAYFARE_EVENT_KIND_OBSTRUCTED && events[e].value == 9) obstructed++;
        }
    }
    DONE(wayfare_crowd_obstructed_by(crowd, agent, by, 4, &count));
    REQUIRE(obstructed > 0 && count == 1 && by[0] == 9);
    DONE(wayfare_crowd_set_obstacles(crowd, NULL, 0));
    for (int i = 0; i < 200; i++) DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
    DONE(wayfare_crowd_agent(crowd, agent, &state));
    REQUIRE(state.position.x < 5);
    cart.shape = 3;
    REQUIRE(wayfare_crowd_set_obstacles(crowd, &cart, 1) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
}

static void changing_world(void) {
    const WayfareVec3 crate[] = {{-1, 1, -1}, {-1, 1, 1}, {1, 1, 1}, {1, 1, -1}};
    WayfareLevel level = level_of(VERTS), shape = level_of(crate);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings), loaded;
    WayfareCheckpoints checkpoints, again;
    WayfareObstacles obstacles, restored;
    WayfareObjects objects;
    WayfareBytes bytes;
    WayfareBox area, areas[2];
    WayfareTileCoord pending[64];
    WayfareRebuiltTile rebuilt[64];
    static uint8_t saved[1 << 20];
    uint64_t obstacle, object, at, total;
    size_t count, size;
    DONE(wayfare_checkpoints_bake(level, &settings, NULL, &checkpoints));
    DONE(wayfare_checkpoints_save(checkpoints, &bytes));
    DONE(wayfare_bytes_copy(bytes, saved, sizeof saved, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_checkpoints_load(saved, size, &again));
    DONE(wayfare_obstacles_new(again, &obstacles));
    const WayfareVolume box = {.shape = WAYFARE_SHAPE_BOX, .center = {12, 1, 12}, .half_extents = {2, 2, 2}};
    DONE(wayfare_obstacles_add(obstacles, &box, &obstacle, NULL));
    DONE(wayfare_obstacles_pending(obstacles, pending, 64, &count));
    REQUIRE(count > 0);
    for (at = 0, total = 1; at < total;) DONE(wayfare_obstacles_step(obstacles, mesh, (WayfareObjects){0}, 1, NULL, &at, &total));
    DONE(wayfare_obstacles_rebuilt(obstacles, rebuilt, 64, &count));
    DONE(wayfare_obstacles_replace(obstacles, obstacle, &box, NULL));
    DONE(wayfare_obstacles_save(obstacles, &bytes));
    DONE(wayfare_bytes_copy(bytes, saved, sizeof saved, &size));
    DONE(wayfare_bytes_free(bytes));
    DONE(wayfare_obstacles_load(checkpoints, saved, size, &restored));
    uint64_t numbers[4];
    DONE(wayfare_obstacles_list(restored, numbers, 4, &count));
    REQUIRE(count == 1);
    DONE(wayfare_objects_new(level, &settings, &objects));
    DONE(wayfare_objects_add(objects, shape, (WayfareVec3){6, 0, 6}, &object, &area));
    DONE(wayfare_obstacles_invalidate(obstacles, area, NULL));
    DONE(wayfare_obstacles_step(obstacles, mesh, objects, 0, NULL, &at, &total));
    REQUIRE(at == total);
    DONE(wayfare_objects_move(objects, object, (WayfareVec3){8, 0, 6}, areas));
    DONE(wayfare_objects_remove(objects, object, &area));

    const char *file = "every_part.waystore";
    size_t tile_count, broken;
    WayfareMesh tiled;
    WayfareMeshSize measured;
    WayfareWorld world;
    WayfarePath path;
    WayfareWorldStats stats;
    WayfareVec3 points[32];
    DONE(wayfare_store_bake(file, level, &settings, NULL, &tile_count));
    REQUIRE(tile_count > 4);
    DONE(wayfare_store_bake(file, level, &settings, NULL, &tile_count));
    DONE(wayfare_store_load(file, &loaded, &broken));
    REQUIRE(broken == 0);
    DONE(wayfare_world_open(file, 6, 0, 0, &world));
    DONE(wayfare_world_path(world, FROM.point, TO.point, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE);
    DONE(wayfare_world_points(world, points, 32, &count));
    REQUIRE(count == path.point_count);
    DONE(wayfare_world_stats(world, &stats));
    REQUIRE(stats.resident <= 6 && stats.loaded > 0);
    WayfareStore store;
    DONE(wayfare_store_open(file, &store));
    for (int i = 0; i < 2; i++) {
        DONE(wayfare_store_tile(store, (WayfareTileCoord){0, 0, 0}, &bytes));
        DONE(wayfare_bytes_free(bytes));
    }
    DONE(wayfare_store_free(store));
    DONE(wayfare_world_free(world));
    REQUIRE(remove(file) == 0);
    /* Without a word of tiles a store has those of the program: 64 cells, here 16 metres to each side. */
    WayfareBakeSettings one_tile = settings;
    one_tile.tile_size = 0;
    DONE(wayfare_store_bake(file, level, &one_tile, NULL, &tile_count));
    REQUIRE(tile_count == 4);
    DONE(wayfare_store_load(file, &tiled, NULL));
    DONE(wayfare_mesh_size(tiled, &measured));
    REQUIRE(measured.tile_width == 64 * settings.cell_size);
    DONE(wayfare_mesh_free(tiled));
    REQUIRE(remove(file) == 0);
    DONE(wayfare_store_bake(file, level, NULL, NULL, &tile_count));
    REQUIRE(tile_count == 4);
    REQUIRE(remove(file) == 0);
    DONE(wayfare_mesh_free(loaded));
    DONE(wayfare_objects_free(objects));
    DONE(wayfare_obstacles_free(restored));
    DONE(wayfare_obstacles_free(obstacles));
    DONE(wayfare_checkpoints_free(again));
    DONE(wayfare_checkpoints_free(checkpoints));
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(shape));
    DONE(wayfare_level_free(level));
}

static uint32_t hills(void *user, int32_t x, int32_t y, int32_t z) {
    *(int *)user += 1;
    return y <= (x / 4 + z / 8) % 2 ? WAYFARE_BLOCK_SOLID : WAYFARE_BLOCK_AIR;
}

static void others(void) {
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings);
    WayfareShapes shapes;
    WayfareDrawn drawn[2048];
    WayfareBytes picture;
    WayfareOverlay overlay;
    size_t count, size;
    const WayfareVec3 line[] = {FROM.point, TO.point};
    DONE(wayfare_overlay_new(0, 0, 4, 0, &overlay));
    DONE(wayfare_overlay_paint_box(overlay, (WayfareBox){{2, -1, 2}, {4, 1, 4}}, 3));
    const WayfareVec2 outline[] = {{8, 8}, {12, 8}, {10, 12}};
    DONE(wayfare_overlay_paint_outline(overlay, outline, 3, -1, 1, 2));
    DONE(wayfare_overlay_advance(overlay, 4));
    float cost;
    DONE(wayfare_overlay_cost_at(overlay, (WayfareVec3){3, 0, 3}, &cost));
    REQUIRE(cost > 1 && cost < 3);
    DONE(wayfare_shapes_new(&shapes));
    DONE(wayfare_shapes_add_mesh(shapes, mesh));
    DONE(wayfare_shapes_add_path(shapes, line, 2));
    DONE(wayfare_shapes_add_overlay(shapes, overlay));
    DONE(wayfare_shapes_list(shapes, drawn, 2048, &count));
    REQUIRE(count > 10);
    for (uint32_t png = 0; png < 2; png++) {
        DONE(wayfare_shapes_picture(shapes, 256, png, &picture));
        DONE(wayfare_bytes_size(picture, &size));
        REQUIRE(size > 500);
        DONE(wayfare_bytes_free(picture));
    }
    DONE(wayfare_shapes_free(shapes));
    DONE(wayfare_overlay_free(overlay));

    WayfareBlocks blocks;
    WayfareBlockNav nav;
    WayfareBlockPath path;
    WayfareBlockWalk walk;
    WayfareCell near;
    WayfareVec3 now = {1.5F, 1, 1.5F}, target;
    uint32_t found, arrived = 0;
    uint64_t request, answered, random = 5;
    int32_t exists;
    int asked = 0;
    const WayfareBlockBox bounds = {{0, 0, 0}, {31, 15, 31}}, goal = {{28, 1, 28}, {30, 4, 30}};
    DONE(wayfare_blocks_from_callback(hills, &asked, 1, bounds, &blocks));
    DONE(wayfare_block_nav_new(NULL, &nav));
    DONE(wayfare_block_nav_nearest(nav, blocks, now, 4, &found, &near));
    REQUIRE(found && asked > 0);
    DONE(wayfare_block_nav_path(nav, blocks, near, goal, 0, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE);
    DONE(wayfare_block_nav_is_current(nav, &found));
    REQUIRE(found);
    DONE(wayfare_block_nav_path_exists(nav, blocks, near, (WayfareCell){29, 50, 29}, 0, &exists));
    REQUIRE(exists == 0);
    DONE(wayfare_block_nav_random(nav, blocks, bounds, NULL, 0, &random, &found, &near));
    DONE(wayfare_block_nav_set_cost(nav, 1, 4));
    DONE(wayfare_block_nav_ask(nav, near, goal, &request));
    for (answered = 0; answered == 0;) {
        DONE(wayfare_block_nav_update(nav, blocks, 16));
        DONE(wayfare_block_nav_take(nav, &answered, &path));
    }
    REQUIRE(answered == request);
    DONE(wayfare_block_nav_nearest(nav, blocks, now, 4, &found, &near));
    DONE(wayfare_block_walk_new(nav, blocks, now, goal, &walk));
    REQUIRE(walk.id != 0);
    for (int i = 0; i < 2000 && !arrived; i++) {
        DONE(wayfare_block_walk_step(walk, nav, blocks, now, &now, &target, &arrived));
        const float dx = target.x - now.x, dz = target.z - now.z, d = sqrtf(dx * dx + dz * dz);
        const float step = d > 0.2F ? 0.2F / d : 1;
        now.x += dx * step;
        now.z += dz * step;
    }
    REQUIRE(arrived);
    DONE(wayfare_block_walk_free(walk));
    DONE(wayfare_block_nav_invalidate(nav, bounds));
    DONE(wayfare_block_nav_free(nav));
    DONE(wayfare_blocks_free(blocks));

    WayfareClearance wide;
    WayfareMesh cut;
    uint32_t changed;
    DONE(wayfare_clearance_new(mesh, 2, NO_FILTER, &wide));
    DONE(wayfare_clearance_follow(wide, mesh, NO_FILTER, &changed));
    REQUIRE(changed == 0);
    DONE(wayfare_clearance_mesh(wide, &cut));
    DONE(wayfare_mesh_free(cut));
    DONE(wayfare_clearance_free(wide));
    WayfareHierarchy hierarchy;
    WayfareGraphSize graph;
    DONE(wayfare_hierarchy_new(mesh, &hierarchy));
    DONE(wayfare_hierarchy_size(hierarchy, &graph));
    REQUIRE(graph.nodes > 0);
    DONE(wayfare_hierarchy_update(hierarchy, mesh, &changed));
    DONE(wayfare_hierarchy_free(hierarchy));
    uint32_t hull[128];
    const WayfareVec3 cube[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    DONE(wayfare_convex_hull3(cube, 5, hull, 128, &count));
    REQUIRE(count % 3 == 0 && count >= 12);
    WayfareVec3 turned[] = {{100, 200, 300}};
    const WayfareFrame unreal = {1, 1, 0.01};
    DONE(wayfare_frame_points_in(unreal, turned, 1));
    REQUIRE(fabsf(turned[0].y - 3) < 1e-5F);
    DONE(wayfare_frame_points_out(unreal, turned, 1));
    REQUIRE(fabsf(turned[0].z - 300) < 1e-3F);
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
    REQUIRE(wayfare_version() >= 1000);
}

int main(void) {
    size_t live = 0;
    bakes();
    links();
    costs_of_meshes();
    tiles();
    searches();
    crowds();
    loose_obstacles();
    changing_world();
    others();
    DONE(wayfare_live_handles(&live));
    REQUIRE(live == 0);
    printf("%d checks\n", checks);
    return 0;
}
