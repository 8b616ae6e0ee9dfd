/* Filters that call back: from which threads, and until when; and what a crowd is asked and says. */
#include "parts.h"

static _Thread_local int is_main;
static int asked, strangers, released;

static float cost(void *user, const WayfareCrossing *crossing) {
    asked++;
    if (!is_main) strangers++;
    return *(const float *)user * hypotf(crossing->to.x - crossing->from.x, crossing->to.z - crossing->from.z);
}

static void release(void *user) {
    (void)user;
    released++;
}

static WayfareFilter filter_of(float *factor) {
    WayfareFilterCallbacks callbacks;
    WayfareFilter filter;
    DONE(wayfare_filter_callbacks_default(&callbacks, sizeof callbacks));
    callbacks.cost = cost;
    callbacks.release = release;
    callbacks.user = factor;
    DONE(wayfare_filter_from_callbacks(&callbacks, &filter));
    return filter;
}

static const WayfarePlanner NO_PLANNER = {0};
static const WayfarePlace HERE = {0, {2, 0, 2}}, THERE = {0, {22, 0, 20}};

static void says(const char *words, int line) {
    char text[512];
    done(wayfare_last_error(text, sizeof text, NULL), line);
    require(strstr(text, words) != NULL, line);
}

#define SAYS(words) says(words, __LINE__)

/* With one thread, as with no context, callbacks come from the caller's own; with more, from others. */
static void threads(WayfareMesh mesh) {
    enum { MANY = 300 };
    float once = 1, twice = 2;
    WayfareFilter first = filter_of(&once), second = filter_of(&twice);
    WayfareCrowd crowd;
    WayfareAgentParams params;
    WayfareContext context;
    WayfareQueue queue;
    uint64_t agent, request;
    uint32_t number, state = 0;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_crowd_add_filter(crowd, first, &number));
    DONE(wayfare_agent_params_of_size(0.2F, 2, &params, sizeof params));
    params.filter = number;
    for (int i = 0; i < MANY; i++) {
        const WayfareVec3 at = {1 + (float)(i % 20), 0, 1 + (float)(i / 20)};
        DONE(wayfare_crowd_add(crowd, mesh, at, &params, &agent));
        DONE(wayfare_crowd_go_to(crowd, mesh, agent, (WayfareVec3){22 - at.x, 0, 22}));
    }
    for (int i = 0; i < 5; i++) DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
    REQUIRE(asked > 0 && strangers == 0);
    asked = 0;
    DONE(wayfare_crowd_set_filter(crowd, number, second, 1));
    REQUIRE(asked > MANY && strangers == 0);
    DONE(wayfare_crowd_begin(crowd, 0.1F));
    for (uint32_t phase = 0; phase < 10; phase++) DONE(wayfare_crowd_phase(crowd, phase, mesh, 0.1F, NO_PLANNER, NULL));
    DONE(wayfare_crowd_end(crowd));
    DONE(wayfare_queue_new(&queue));
    for (int i = 0; i < 3; i++) DONE(wayfare_queue_request(queue, mesh, second, HERE, THERE, &request));
    while (state != WAYFARE_REQUEST_STATE_DONE) {
        DONE(wayfare_queue_step(queue, mesh, NO_PLANNER, 100, NULL));
        DONE(wayfare_queue_state(queue, request, &state));
    }
    REQUIRE(strangers == 0);
    DONE(wayfare_context_default(&context, sizeof context));
    context.threads = 2;
    DONE(wayfare_queue_request(queue, mesh, second, HERE, THERE, &request));
    DONE(wayfare_queue_step(queue, mesh, NO_PLANNER, 1000, &context));
    REQUIRE(strangers > 0);
    DONE(wayfare_queue_free(queue));
    DONE(wayfare_crowd_free(crowd));
    REQUIRE(released == 0);
    DONE(wayfare_filter_free(first));
    DONE(wayfare_filter_free(second));
    REQUIRE(released == 2);
}

/* What a filter needs is needed until the last that took it is freed, or has another. */
static void releases(WayfareMesh mesh) {
    float factor = 1;
    WayfareQuery query;
    WayfareSearch search;
    WayfareCostMap map;
    WayfareOverlay overlay;
    WayfareFilter over, none = {0};
    WayfareFilterCallbacks callbacks;
    uint32_t finished = 0, number;
    released = 0;
    WayfareFilter filter = filter_of(&factor);
    DONE(wayfare_query_new(mesh, filter, &query));
    DONE(wayfare_search_new(query, HERE, THERE, 0, &search));
    DONE(wayfare_cost_map_new(query, HERE, &map));
    DONE(wayfare_filter_free(filter));
    DONE(wayfare_query_set_filter(query, none));
    DONE(wayfare_query_free(query));
    while (!finished) DONE(wayfare_search_step(search, 10, &finished));
    DONE(wayfare_search_free(search));
    REQUIRE(released == 0);
    DONE(wayfare_cost_map_free(map));
    REQUIRE(released == 1);
    /* On top of another. */
    filter = filter_of(&factor);
    DONE(wayfare_overlay_new(0, 0, 0, 0, &overlay));
    DONE(wayfare_filter_with_overlay(filter, overlay, 1, &over));
    DONE(wayfare_filter_free(filter));
    REQUIRE(released == 1);
    /* In a crowd until there is another in its place. */
    WayfareCrowd crowd;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_crowd_add_filter(crowd, over, &number));
    DONE(wayfare_filter_free(over));
    for (int i = 1; i < 20; i++) {
        REQUIRE(released == i);
        filter = filter_of(&factor);
        DONE(wayfare_crowd_set_filter(crowd, number, filter, 1));
        DONE(wayfare_filter_free(filter));
    }
    DONE(wayfare_crowd_free(crowd));
    REQUIRE(released == 21);
    /* A filter that is not made releases nothing. */
    DONE(wayfare_filter_callbacks_default(&callbacks, sizeof callbacks));
    callbacks.release = release;
    callbacks.least_cost = -1;
    REQUIRE(wayfare_filter_from_callbacks(&callbacks, &filter) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(released == 21);
    DONE(wayfare_overlay_free(overlay));
}

/* Where there is no mesh whose own filter could be meant, one is needed. */
static void none_given(WayfareMesh mesh) {
    const WayfareFilter none = {0};
    WayfareFilter made;
    WayfareOverlay overlay;
    WayfareCrowd crowd;
    uint32_t number;
    DONE(wayfare_overlay_new(0, 0, 0, 0, &overlay));
    DONE(wayfare_crowd_new(NULL, &crowd));
    REQUIRE(wayfare_filter_downhill(none, 1, 0, &made) == WAYFARE_STATUS_INVALID_ARGUMENT);
    SAYS("wayfare_filter_new");
    REQUIRE(wayfare_filter_with_overlay(none, overlay, 1, &made) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_filter_set_area_cost(none, 1, 2) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_crowd_add_filter(crowd, none, &number) == WAYFARE_STATUS_INVALID_ARGUMENT);
    REQUIRE(wayfare_crowd_set_filter(crowd, 0, none, 0) == WAYFARE_STATUS_INVALID_ARGUMENT);
    SAYS("wayfare_filter_new");
    REQUIRE(wayfare_crowd_load((const uint8_t *)"", 0, mesh, &none, 1, &crowd) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_overlay_free(overlay));
}

/* A point is looked up wherever a place is taken. */
static void points(WayfareMesh mesh) {
    const WayfarePlace far = {0, {500, 0, 0}};
    WayfareCrowd crowd;
    WayfareAgentParams params;
    WayfareAgent state;
    WayfareQuery query;
    WayfareQueue queue;
    WayfareCostMap map;
    WayfarePath path;
    uint64_t agent, request;
    uint32_t finished;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_agent_params_of_size(0.5F, 2, &params, sizeof params));
    DONE(wayfare_crowd_add(crowd, mesh, HERE.point, &params, &agent));
    for (uint32_t kind = WAYFARE_TARGET_KIND_POINT; kind <= WAYFARE_TARGET_KIND_MOVING; kind++) {
        WayfareTarget target = {.kind = kind, .place = THERE};
        DONE(wayfare_crowd_set_target(crowd, mesh, agent, &target));
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_agent(crowd, agent, &state));
        REQUIRE(state.target_status == WAYFARE_TARGET_STATUS_COMPLETE);
        target.place = far;
        REQUIRE(wayfare_crowd_set_target(crowd, mesh, agent, &target) == WAYFARE_STATUS_INVALID_ARGUMENT);
        SAYS("no ground");
    }
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_queue_new(&queue));
    DONE(wayfare_queue_request(queue, mesh, (WayfareFilter){0}, HERE, THERE, &request));
    DONE(wayfare_queue_step(queue, mesh, NO_PLANNER, 10000, NULL));
    DONE(wayfare_queue_take(queue, request, &finished, &path, NULL));
    REQUIRE(finished && path.status == WAYFARE_PATH_STATUS_COMPLETE);
    REQUIRE(wayfare_queue_request(queue, mesh, (WayfareFilter){0}, HERE, far, &request) == WAYFARE_STATUS_INVALID_ARGUMENT);
    SAYS("not near the mesh");
    DONE(wayfare_queue_free(queue));
    DONE(wayfare_query_new(mesh, (WayfareFilter){0}, &query));
    DONE(wayfare_cost_map_new(query, HERE, &map));
    DONE(wayfare_cost_map_path(map, THERE, &path));
    REQUIRE(path.status == WAYFARE_PATH_STATUS_COMPLETE);
    REQUIRE(wayfare_cost_map_path(map, far, &path) == WAYFARE_STATUS_INVALID_ARGUMENT);
    DONE(wayfare_cost_map_free(map));
    DONE(wayfare_query_free(query));
}

/* Indices are those of the lists, also when agents have gone and others come; and neighbours are who they are. */
static void indices(WayfareMesh mesh) {
    WayfareCrowd crowd;
    WayfareAgentParams params;
    uint64_t agents[8], listed[8], near[8];
    WayfareVec3 positions[8];
    WayfareAgent state;
    size_t count, found;
    DONE(wayfare_crowd_new(NULL, &crowd));
    DONE(wayfare_agent_params_of_size(0.3F, 2, &params, sizeof params));
    for (int i = 0; i < 6; i++) {
        DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){2 + (float)i, 0, 4}, &params, &agents[i]));
        DONE(wayfare_crowd_go_to(crowd, mesh, agents[i], (WayfareVec3){2 + (float)i, 0, 20}));
    }
    for (int round = 0; round < 4; round++) {
        DONE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, NULL));
        DONE(wayfare_crowd_agents(crowd, listed, 8, &count));
        DONE(wayfare_crowd_positions(crowd, positions, 8, &count));
        for (size_t i = 0; i < count; i++) {
            DONE(wayfare_crowd_agent(crowd, listed[i], &state));
            REQUIRE(state.index == i && memcmp(&state.position, &positions[i], sizeof *positions) == 0);
            DONE(wayfare_crowd_neighbours(crowd, listed[i], near, 8, &found));
            REQUIRE(found > 0);
            for (size_t n = 0; n < found; n++) {
                int is_there = 0;
                for (size_t k = 0; k < count; k++) is_there |= near[n] == listed[k];
                REQUIRE(is_there && near[n] != listed[i]);
            }
        }
        /* One goes, then another; then one comes into a free slot. */
        if (round < 2) DONE(wayfare_crowd_remove(crowd, agents[2 * round]));
        else DONE(wayfare_crowd_add(crowd, mesh, (WayfareVec3){3, 0, 4}, &params, &agents[0]));
    }
    DONE(wayfare_crowd_free(crowd));
}

/* Work that was cancelled does not begin; and a pedestrian far along is drawn at once. */
static void at_once(WayfareMesh mesh) {
    WayfareCancel cancel;
    WayfareContext context;
    WayfareCrowd crowd;
    WayfareQueue queue;
    WayfareCrowdProfile profile;
    WayfareAgentParams params, same;
    DONE(wayfare_cancel_new(&cancel));
    DONE(wayfare_cancel_now(cancel));
    DONE(wayfare_context_default(&context, sizeof context));
    context.cancel = cancel;
    DONE(wayfare_crowd_new(NULL, &crowd));
    REQUIRE(wayfare_crowd_step(crowd, mesh, 0.1F, NO_PLANNER, &context) == WAYFARE_STATUS_CANCELLED);
    DONE(wayfare_crowd_profile(crowd, &profile));
    REQUIRE(profile.time == 0);
    DONE(wayfare_crowd_free(crowd));
    DONE(wayfare_queue_new(&queue));
    REQUIRE(wayfare_queue_step(queue, mesh, NO_PLANNER, 10, &context) == WAYFARE_STATUS_CANCELLED);
    DONE(wayfare_queue_free(queue));
    DONE(wayfare_cancel_free(cancel));
    for (uint32_t number = 0; number < 4000; number++) {
        DONE(wayfare_agent_params_pedestrian(7, UINT32_MAX - number, &params, sizeof params));
    }
    DONE(wayfare_agent_params_pedestrian(7, UINT32_MAX - 3999, &same, sizeof same));
    REQUIRE(params.max_speed == same.max_speed && params.max_speed > 0.4F);
}

int main(void) {
    size_t live = 0;
    is_main = 1;
    WayfareLevel level = level_of(VERTS);
    const WayfareBakeSettings settings = settings_of(32);
    WayfareMesh mesh = mesh_of(level, &settings);
    threads(mesh);
    releases(mesh);
    none_given(mesh);
    points(mesh);
    indices(mesh);
    at_once(mesh);
    DONE(wayfare_mesh_free(mesh));
    DONE(wayfare_level_free(level));
    DONE(wayfare_live_handles(&live));
    REQUIRE(live == 0);
    printf("%d checks\n", checks);
    return 0;
}
