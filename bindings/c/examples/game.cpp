// A game's loop: a bake with progress, a crowd that changes sides, an obstacle that comes and goes, a filter of one's own.
#include <cmath>
#include <iostream>
#include <wayfare.hpp>

namespace {

wayfare::Level hall() {
    wayfare::Level level;
    level.add_triangles({{0, 0, 0}, {0, 0, 24}, {24, 0, 24}, {24, 0, 0}}, {0, 1, 2, 0, 2, 3});
    level.add_volume(wayfare::volume::cylinder({12, -1, 12}, 2, 4));
    const std::vector<wayfare::Vec2> pond = {{3, 9}, {9, 9}, {9, 15}, {3, 15}};
    level.add_volume(wayfare::volume::paint(wayfare::volume::prism(pond, -1, 2), 1));
    return level;
}

} // namespace

int main() try {
    const wayfare::Level level = hall();
    auto settings = wayfare::BakeSettings::for_agent(2, 0.4F, 0.5F);
    settings.tile_size = 48;
    std::uint64_t steps = 0;
    wayfare::Context context;
    context.progress = [&](std::uint64_t, std::uint64_t) { return ++steps > 0; };
    auto mesh = wayfare::Mesh::bake(level, settings, &context);
    mesh.name_area(1, "water", 10);
    std::cout << mesh.size().polys << " polygons, digest " << mesh.digest() << ", heard " << steps << " times\n";

    // Costs by area type, and a filter that keeps away from the left.
    wayfare::Query query(mesh);
    const auto around = query.straight_path(wayfare::at(1, 0, 12), wayfare::at(10.5F, 0, 4));
    query.set_filter(wayfare::Filter::of({}, [](const WayfareCrossing& c) {
        const float length = std::hypot(c.to.x - c.from.x, c.to.z - c.from.z);
        return c.from.x < 12 ? 3 * length : length;
    }));
    const auto costly = query.straight_path(wayfare::at(1, 0, 12), wayfare::at(10.5F, 0, 4));
    std::cout << "cost " << around.cost << ", by the other filter " << costly.cost << "\n";

    // Two rows change sides, and a crate falls between them after two seconds.
    wayfare::Crowd crowd;
    wayfare::AgentParams params(0.4F, 2);
    params.avoid_by(WAYFARE_AVOIDANCE_METHOD_ORCA);
    for (int i = 0; i < 8; i++) {
        const float z = 3 + 2 * static_cast<float>(i);
        crowd.go_to(mesh, crowd.add(mesh, {2, 0, z}, params), {22, 0, z});
        crowd.go_to(mesh, crowd.add(mesh, {22, 0, z}, params), {2, 0, z});
    }
    wayfare::Obstacles obstacles(level, settings);
    std::uint64_t crate = 0;
    int arrived = 0;
    for (int tick = 0; tick < 600; tick++) {
        if (tick == 40) crate = obstacles.add(wayfare::volume::box({12, 0.5F, 17}, {1, 1, 1}));
        if (tick == 400) obstacles.remove(crate);
        obstacles.step(mesh, 4);
        crowd.step(mesh, 0.05F);
        for (const auto& event : crowd.events()) arrived += event.kind == WAYFARE_EVENT_KIND_ARRIVED;
    }
    std::cout << arrived << " arrivals of " << crowd.agents().size() << " agents\n";
    return arrived >= 16 && costly.cost > 0 ? 0 : 1;
} catch (const wayfare::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
