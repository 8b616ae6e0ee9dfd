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
    require(live_handles() == 0, "all handles are freed");
    std::cout << "saved and loaded\n";
}
