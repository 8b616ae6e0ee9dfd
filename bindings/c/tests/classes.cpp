// What a game saves and loads again by the classes: a mesh, a crowd with its filters, obstacles.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
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
    WayfareCheckpoints baked{0};
    require(wayfare_checkpoints_bake(level.get(), &given, nullptr, &baked) == WAYFARE_STATUS_OK, "checkpoints");
    const Checkpoints checkpoints(baked);
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
    require(wayfare_store_bake(store.c_str(), hall().get(), &given, nullptr, nullptr) == WAYFARE_STATUS_OK, "a store");
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
        require(error.status() == WAYFARE_STATUS_IO, "the status of a file that is not there");
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
    require(live_handles() == 0, "all handles are freed");
    std::cout << "saved and loaded\n";
}
