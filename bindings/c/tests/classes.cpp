// What a game saves and loads again by the classes: a mesh, a crowd with its filters, obstacles.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <type_traits>
#include <wayfare.hpp>

using namespace wayfare;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "failed: " << what << '\n';
    std::exit(1);
}

bool equal(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

Level hall() {
    Level level;
    level.add_triangles({{0, 0, 0}, {0, 0, 30}, {30, 0, 30}, {30, 0, 0}}, {0, 1, 2, 0, 2, 3});
    return level;
}

BakeSettings settings() {
    auto settings = BakeSettings::for_agent(1.8F, 0.4F, 0.4F);
    settings.tile_size = 32;
    return settings;
}

void crowds() {
    const Mesh mesh = Mesh::load(Mesh::bake(hall(), settings()).save());
    const auto longer = Filter::of({}, [](const WayfareCrossing& step) {
        return 2 * std::hypot(step.to.x - step.from.x, step.to.z - step.from.z);
    });
    Crowd crowd;
    AgentParams params(0.4F, 1.8F);
    params.filter = crowd.add_filter(longer);
    params.avoid_by(WAYFARE_AVOIDANCE_METHOD_ORCA);
    const auto agent = crowd.add(mesh, {2, 0, 2}, params);
    crowd.add(mesh, {28, 0, 28}, AgentParams(0.4F, 1.8F));
    crowd.go_to(mesh, agent, {28, 0, 28});
    crowd.step(mesh, 0.1F);
    Crowd loaded = Crowd::load(crowd.save(mesh), mesh, {longer});
    require(loaded.agents() == crowd.agents(), "agents keep their numbers");
    for (Crowd* each : {&crowd, &loaded}) {
        AgentParams slower = each->params(agent);
        require(slower.filter == params.filter, "parameters are kept");
        slower.max_speed = 1;
        each->set_params(agent, slower);
        for (int i = 0; i < 20; i++) each->step(mesh, 0.1F);
        each->teleport(mesh, each->agents()[1], {15, 0, 2});
        each->pause(agent);
        each->step(mesh, 0.1F);
    }
    for (std::size_t i = 0; i < 2; i++) {
        require(equal(crowd.positions()[i], loaded.positions()[i]), "a loaded crowd walks as the one that was saved");
        require(equal(crowd.velocities()[i], loaded.velocities()[i]), "and as fast");
    }
    require(crowd.positions()[0].x > 2.5F, "the first has walked");
}

void obstacles() {
    const Level level = hall();
    const BakeSettings given = settings();
    Mesh mesh = Mesh::bake(level, given);
    const std::string before = mesh.digest();
    const Checkpoints checkpoints(level, given);
    Obstacles first(checkpoints);
    const auto wall = first.add(volume::box({15, 1, 13}, {1, 1, 13}));
    first.step(mesh);
    require(mesh.find_path({2, 0, 2}, {28, 0, 2}).points.size() > 2, "a path leads around a wall");
    Obstacles second = Obstacles::load(checkpoints, first.save());
    second.replace(wall, volume::box({15, 1, 15}, {1, 1, 16}));
    second.step(mesh);
    require(!mesh.find_path({2, 0, 2}, {28, 0, 2}).is_complete(), "no path leads through a longer one");
    second.remove(wall);
    second.step(mesh);
    require(mesh.find_path({2, 0, 2}, {28, 0, 2}).points.size() == 2 && mesh.size().tiles > 1, "nor is it there any more");
    require(Mesh::bake(level, given).digest() == before, "a bake is the same again");
}

template <class Call> void throws(WayfareStatus status, Call call, const char* what) {
    try {
        call();
    } catch (const Error& error) {
        require(error.status() == status, what);
        return;
    }
    require(false, what);
}

void shared() {
    Mesh mesh = Mesh::bake(hall(), settings());
    Shared shared(mesh);
    Mesh one = shared.newest(), other = shared.newest();
    one.name_area(5, "one", 2);
    other.name_area(5, "other", 3);
    shared.publish(one);
    throws(WAYFARE_STATUS_OUTDATED, [&] { shared.publish(other); }, "another has published");
    require(shared.newest().digest() == one.digest(), "the newest stays");
    shared.replace(other);
    require(shared.newest().digest() == other.digest(), "it is replaced all the same");
}

void live_levels() {
    const auto is_open = [](const LiveLevel& live) {
        return live.mesh().find_path({2, 0, 15}, {28, 0, 15}).is_complete();
    };
    const BakeSettings given = settings();
    LiveLevel live(hall(), given);
    std::uint64_t steps = 0;
    while (!live.step(5000).finished) steps++;
    require(steps > 1 && is_open(live), "the first steps bake it");
    const auto wall = live.add_obstacle(volume::box({15, 1, 15}, {1, 2, 20}));
    live.announce();
    require(!live.progress().finished, "a change waits");
    live.step();
    require(!is_open(live) && !live.rebuilt().empty(), "a wall is in the way");
    live.move_obstacle_by(wall, {0, 0, 30});
    live.step();
    require(is_open(live), "it has moved on");
    live.replace_obstacle(wall, volume::box({15, 1, 15}, {2, 2, 20}));
    const LiveLevel loaded(live.mesh(), live.obstacles());
    require(!loaded.progress().finished && loaded.links().empty(), "what waits is copied");
    require(live.list_obstacles() == std::vector<std::uint64_t>{wall}, "the wall is listed");
    const LiveLevel read = LiveLevel::load(live.save());
    require(!read.progress().finished && read.list_obstacles() == live.list_obstacles(), "what waits is saved");
    LiveLevel fixed(live.mesh());
    require(!fixed.obstacles() && fixed.list_obstacles().empty() && fixed.step().finished, "a mesh alone");
    throws(WAYFARE_STATUS_INVALID_ARGUMENT, [&] { fixed.add_obstacle(volume::box({15, 1, 15}, {1, 1, 1})); }, "it has no obstacles");
    live.remove_obstacle(wall);
    Level crate;
    crate.add_triangles({{-1, 0.3F, -1}, {-1, 0.3F, 1}, {1, 0.3F, 1}, {1, 0.3F, -1}}, {0, 1, 2, 0, 2, 3});
    const auto object = live.add_object(crate, {15, 0, 15});
    live.move_object(object, {20, 0, 20});
    live.step();
    Mesh edited = live.mesh();
    edited.name_area(5, "mud", 4);
    live.remove_object(object);
    live.set_mesh(edited);
    live.replace_triangles(hall());
    live.replace_terrain(hall());  // neither had any
    live.step();
    throws(WAYFARE_STATUS_OUTDATED, [&] { live.set_mesh(edited); }, "the mesh has changed since");
    throws(WAYFARE_STATUS_STALE, [&] { live.remove_object(object); }, "the object is gone");
    Obstacles obstacles = live.obstacles();
    require(obstacles.list() == live.list_obstacles() && obstacles.list().empty(), "the wall is gone from both");
    const auto post = obstacles.add(volume::box({15, 1, 15}, {1, 2, 1}));
    require(obstacles.list() == std::vector<std::uint64_t>{post}, "a post is listed");
    require(obstacles.clear() > 0 && obstacles.clear() == 0, "tiles under the post");
    require(obstacles.step(edited) && bool(obstacles.checkpoints()), "obstacles are cleared");
}

void worlds() {
    const std::string store = "wayfare_classes_test.waystore";
    const BakeSettings given = settings();
    const auto tiles = Store::bake(store, hall(), given);
    require(tiles > 1 && Store::load(store).size().tiles == tiles, "a store");
    Store open(store);
    require(open.tile({0, 0, 0})->size() > 100, "a tile of it");
    World world(store);
    const auto place = world.nearest({15, 0, 15});
    require(place.has_value(), "a place in the middle");
    world.set_flags(place->poly, 0);
    require(world.path({2, 0, 15}, {28, 0, 15}).points.size() > 2, "a path leads around what is closed");
    World again(store);
    require(again.path({2, 0, 15}, {28, 0, 15}).points.size() == 2, "another world knows nothing of it");
    again.load_changes(world.save_changes());
    require(again.path({2, 0, 15}, {28, 0, 15}).points.size() > 2, "it was told");
    std::remove(store.c_str());
}

void walks() {
    Blocks blocks;
    BlockNav nav;
    blocks.fill({{0, 0, 0}, {15, 0, 15}}, WAYFARE_BLOCK_SOLID);
    const WayfareBlockBox goal{{12, 1, 12}, {12, 1, 12}};
    auto walk = BlockWalk::without_path(nav, blocks, {2.5F, 1, 2.5F}, goal);
    require(walk && !BlockWalk::begin(nav, blocks, {90, 1, 90}, goal), "walks begin where one can stand");
    const auto number = walk->ask(nav, blocks);
    require(number != 0 && walk->ask(nav, blocks) == 0, "it asks once");
    throws(WAYFARE_STATUS_INVALID_ARGUMENT, [&] { walk->follow(nav); }, "it is not answered");
    nav.update(blocks, 1000);
    const auto answer = nav.take();
    require(answer && answer->first == number && !answer->second.points.empty(), "it is answered");
    walk->follow(nav);
    BlockMove at = walk->move(nav, blocks, {2.5F, 1, 2.5F});
    for (int i = 0; i < 100 && !at.arrived; i++) at = walk->step(nav, blocks, at.target);
    require(at.arrived, "it arrives");
}

/// Whatever C makes can be held by a class.
template <class Class, class Handle> constexpr bool takes() {
    return std::is_constructible_v<Class, Handle> && !std::is_convertible_v<Handle, Class>;
}
static_assert(takes<Level, WayfareLevel>() && takes<Mesh, WayfareMesh>() && takes<Report, WayfareReport>());
static_assert(takes<Filter, WayfareFilter>() && takes<Overlay, WayfareOverlay>() && takes<Query, WayfareQuery>());
static_assert(takes<CostBounds, WayfareCostBounds>() && takes<Planner, WayfarePlanner>() && takes<Queue, WayfareQueue>());
static_assert(takes<Search, WayfareSearch>() && takes<CostMap, WayfareCostMap>() && takes<Corridor, WayfareCorridor>());
static_assert(takes<Crowd, WayfareCrowd>() && takes<Formation, WayfareFormation>() && takes<Version, WayfareVersion>());
static_assert(takes<Checkpoints, WayfareCheckpoints>() && takes<Objects, WayfareObjects>());
static_assert(takes<Obstacles, WayfareObstacles>() && takes<LiveLevel, WayfareLiveLevel>() && takes<Shared, WayfareShared>());
static_assert(takes<Clearance, WayfareClearance>() && takes<Hierarchy, WayfareHierarchy>() && takes<World, WayfareWorld>());
static_assert(takes<Store, WayfareStore>() && takes<Blocks, WayfareBlocks>() && takes<BlockNav, WayfareBlockNav>());
static_assert(takes<BlockWalk, WayfareBlockWalk>() && takes<Grid, WayfareGrid>() && takes<Shapes, WayfareShapes>());
static_assert(takes<BakeJob, WayfareBakeJob>() && takes<ExplainMap, WayfareExplainMap>() && takes<Cancel, WayfareCancel>());

void saved_parts() {
    Overlay overlay(10);
    overlay.paint_disc({5, 0, 5}, 2, 1, 3);
    const Overlay same = Overlay::load(overlay.save());
    require(same.cost_at({5, 0, 5}) > 0 && same.cost_at({5, 0, 5}) == overlay.cost_at({5, 0, 5}), "an overlay");
    Context context;
    int heard = 0;
    context.progress = [&](std::uint64_t, std::uint64_t) { return ++heard > 0; };
    const Checkpoints checkpoints(hall(), settings(), &context);
    require(heard > 0, "checkpoints are baked with a context");
    Mesh mesh = Mesh::bake(hall(), settings());
    Obstacles first(checkpoints);
    first.add(volume::box({15, 1, 15}, {1, 1, 20}));
    Obstacles later = Obstacles::load(Checkpoints::load(checkpoints.save()), first.save());
    require(!later.pending().empty() && later.step(mesh) && later.pending().empty(), "obstacles of another run");
    require(!mesh.find_path({2, 0, 15}, {28, 0, 15}).is_complete(), "stand where they stood");
    Objects objects(hall(), [] { auto with = settings(); with.has_bounds = 1; with.bounds = {{0, -1, 0}, {30, 4, 30}}; return with; }());
    Level crate;
    crate.add_triangles({{-1, 0.3F, -1}, {-1, 0.3F, 1}, {1, 0.3F, 1}, {1, 0.3F, -1}}, {0, 1, 2, 0, 2, 3});
    const auto [object, area] = objects.add(crate, {5, 0, 5});
    require(later.invalidate(area) > 0 && later.step(mesh, objects), "an object");
    later.invalidate(objects.move(object, {6, 0, 6})[1]);
    later.invalidate(objects.remove(object));
}

void settings_begin_with_what_is_usual() {
    const Mesh mesh = Mesh::bake(hall(), settings());
    Query query(mesh);
    QuerySettings few;
    few.max_nodes = 1;
    query.set(few);
    require(!query.straight_path(at(2, 0, 2), at(28, 0, 28)).is_complete(), "a limit of nodes");
    CrowdSettings calm;
    calm.replan_interval = 2;
    Crowd crowd(calm);
    crowd.set_settings(calm);
    BlockSettings tall;
    tall.height = 3;
    BlockNav nav(tall);
    const Blocks blocks(WayfareBlockBox{{0, 0, 0}, {15, 15, 15}});
    require(!nav.nearest(blocks, {1, 1, 1}, 2), "nothing to stand on in air");
    const Level ledges = [] {
        Level level = hall();
        level.add_triangles({{30, -2, 0}, {30, -2, 30}, {44, -2, 30}, {44, -2, 0}}, {0, 1, 2, 0, 2, 3});
        return level;
    }();
    Mesh linked = Mesh::bake(ledges, settings());
    const auto links = linked.find_links(ledges, settings(), LinkSettings(settings()));
    require(!links.empty() && linked.connections().size() == links.size(), "links are found once");
    Mesh apart = Mesh::bake(ledges, settings());
    require(!apart.find_path({2, 0, 2}, {40, -2, 2}).is_complete(), "two floors");
    const auto jump = apart.add_connection(Connection({29, 0, 15}, {32, -2, 15}, 1));
    require(apart.connection(jump).second && apart.find_path({2, 0, 2}, {40, -2, 2}).is_complete(), "a connection that is used");
    throws(WAYFARE_STATUS_INVALID_ARGUMENT, [&] { apart.add_connection(WayfareConnection{}); }, "one that nobody could use");
}

void plans() {
    const Mesh mesh = Mesh::bake(hall(), settings());
    const Filter doubled = Filter::of({}, [](const WayfareCrossing& step) {
        return 2 * std::hypot(step.to.x - step.from.x, step.to.z - step.from.z);
    }, 2, 2, true);
    Query query(mesh, doubled);
    const CostMap map(query, at(2, 0, 2));
    require(map.cost(query.nearest({28, 0, 28})->place.poly) > 40, "costs of a map");
    Queue queue;
    const auto request = queue.request(mesh, at(2, 0, 2), at(28, 0, 28), doubled);
    while (queue.pending() > 0) queue.step(mesh, 100);
    require(queue.state(request) == WAYFARE_REQUEST_STATE_DONE, "it is done");
    bool outdated = true;
    const auto path = queue.take(request, &outdated);
    require(path && path->is_complete() && path->points.size() >= 2 && !outdated, "the path of a queue");
    query.straight_path(at(2, 0, 2), at(28, 0, 28));
    require(query.along(query.polygons(), {2, 0, 2}, {28, 0, 28}).is_complete(), "a line through what is known");
    require(!query.path_breaks_at() && !query.points_with_crossings(true).empty(), "the last path");
    require(!query.record_search(at(2, 0, 2), at(28, 0, 28)).empty(), "what a search did");
    Crowd crowd;
    const auto leader = crowd.add(mesh, {5, 0, 5}, AgentParams(0.4F, 1.8F));
    const auto member = crowd.add(mesh, {6, 0, 5}, AgentParams::pedestrian(3, 70000));
    Formation formation(crowd, leader, Formation::wedge(1, 2), {member});
    Formation again = Formation::load(formation.save());
    crowd.go_to(mesh, leader, {25, 0, 25});
    for (int i = 0; i < 30; i++) {
        again.lead(crowd, mesh);
        crowd.begin(0.1F);
        for (int phase = 0; phase < 10; phase++) crowd.phase(static_cast<WayfareCrowdPhase>(phase), mesh, 0.1F);
        crowd.end();
    }
    require(crowd.agent(member).position.x > 7 && crowd.neighbours(leader).size() < 2, "a member follows");
    require(!crowd.corners(leader).empty() && !crowd.corridor(leader).empty() && crowd.profile().time > 2.9, "and is watched");
}

void meshes_looked_at() {
    Mesh mesh = Mesh::bake(hall(), settings());
    const auto tile = mesh.tiles()[0].tile;
    const auto poly = mesh.polygons_of(tile)[0];
    require(mesh.is_valid(poly) && poly_from_text(poly_to_text(poly)) == poly, "a polygon");
    require(tile_from_text(tile_to_text(tile)) == tile && mesh.check().empty() && mesh.check_text().empty(), "a sound mesh");
    const Version then = mesh.version();
    mesh.set_flags(poly, 5);
    require(mesh.changes_since(then)->size() == 1, "a change");
    const Bytes delta = mesh.save_delta(), bytes = mesh.tile_bytes(tile);
    mesh.set_flags(poly, 1);
    mesh.load_delta(delta);
    require(mesh.polygon(poly).flags == 5, "a snapshot");
    Mesh part = mesh.empty_like();
    require(part.tile_at(mesh.tiles()[0].coord) == 0 && part.add_tile(bytes) != 0, "a tile of another mesh");
    require(mesh.portals(poly).size() > 0 && mesh.height(poly, mesh.polygon(poly).center), "its portals and height");
    require(mesh.component(poly).second == 1 && mesh.area(63).second == 1, "one component");
    mesh.remember_level(hall(), settings());
    require(mesh.bake_changed(hall(), settings()) == 0, "nothing has changed");
    require(Mesh::bake_agents(hall(), {settings(), settings()}).size() == 2, "two agents");
    const ExplainMap map(hall(), settings());
    require(map.at({15, 0, 15})->walkable && map.text({500, 0, 0}) == "level-edge", "reasons");
    Report report;
    Mesh::bake(hall(), settings(), nullptr, &report);
    require(report.stats().tiles > 1 && report.stages().size() == 10 && report.warnings().size() < 100, "a report");
    Shapes shapes;
    shapes.add(mesh);
    shapes.add({{2, 0, 2}, {28, 0, 28}});
    require(!shapes.list().empty() && shapes.label(0).empty() && shapes.picture(64).size() > 100, "a picture");
}

void grids() {
    Grid grid(16, 0.5F);
    grid.recenter({0, 0, 0});
    for (std::uint32_t z = 0; z < 12; z++) grid.set_blocked(8, z);
    require(grid.path({-3, 0, 0}, {3, 0, 0}).points.size() > 2, "around blocked cells");
    for (std::uint32_t z = 0; z < 12; z++) grid.set_blocked(8, z, false);
    require(grid.path({-3, 0, 0}, {3, 0, 0}).points.size() == 2, "through free ones");
}

void files() {
    const std::string obj = "wayfare_classes_test.obj", way = "wayfare_classes_test.way";
    std::ofstream(obj) << "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    const Level level = Level::load_file(obj);
    require(level.report().triangles == 2, "a level of a file");
    const Mesh mesh = Mesh::bake(level, settings());
    const Bytes saved = mesh.save();
    std::ofstream(way, std::ios::binary).write(reinterpret_cast<const char*>(saved.data()), static_cast<std::streamsize>(saved.size()));
    require(Mesh::load_file(way).digest() == mesh.digest(), "a mesh of a file");
    std::remove(obj.c_str());
    std::remove(way.c_str());
    try {
        Mesh::load_file(way);
        require(false, "there is no such file");
    } catch (const Error& error) {
        require(error.status() == WAYFARE_STATUS_IO && error.name() == std::string("io"), "a file that is not there");
        require(library_version() >= 1000, "a version");
    }
}

} // namespace

int main() {
    files();
    crowds();
    obstacles();
    shared();
    live_levels();
    worlds();
    walks();
    grids();
    saved_parts();
    settings_begin_with_what_is_usual();
    plans();
    meshes_looked_at();
    require(live_handles() == 0, "all handles are freed");
    std::cout << "saved and loaded\n";
}
