// Exceptions that callbacks throw come out of the call that ran them, and the library goes on.

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <wayfare.hpp>

using namespace wayfare;

namespace {

struct Boom : std::runtime_error {
    Boom() : std::runtime_error("boom") {}
};

std::atomic<int> checks{0};

void require(bool holds, const char* what) {
    checks++;
    if (!holds) {
        std::cerr << "failed: " << what << '\n';
        std::exit(1);
    }
}

template <class Thrown, class Call> void throws(Call call, const char* what) {
    try {
        call();
    } catch (const Thrown&) {
        require(true, what);
        return;
    }
    require(false, what);
}

Level floor() {
    Level level;
    level.add_triangles({{0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0}}, {0, 1, 2, 0, 2, 3});
    return level;
}

void thrown_by_callbacks() {
    const Level level = floor();
    Context context;
    context.progress = [](std::uint64_t, std::uint64_t) -> bool { throw Boom(); };
    throws<Boom>([&] { Mesh::bake(level, {}, &context); }, "a progress callback's exception");
    context.progress = [](std::uint64_t, std::uint64_t) { return false; };
    throws<Error>([&] { Mesh::bake(level, {}, &context); }, "a bake that its progress stopped");
    context.progress = {};
    const Mesh mesh = Mesh::bake(level, {}, &context);

    bool angry = true;
    Query query(mesh, Filter::of({}, [&](const WayfareCrossing&) -> float {
        if (angry) throw Boom();
        return 1;
    }));
    throws<Boom>([&] { query.straight_path(at(2, 0, 2), at(18, 0, 18)); }, "a filter's exception");
    throws<Boom>([&] { query.straight_path(at(2, 0, 2), at(18, 0, 18)); }, "again");
    angry = false;
    require(query.straight_path(at(2, 0, 2), at(18, 0, 18)).is_complete(), "a path once the filter is calm");
    query.set_filter(Filter::of([](std::uint64_t, std::uint32_t, std::uint32_t) -> bool { throw Boom(); }, {}));
    throws<Boom>([&] { query.nearest({2, 0, 2}); }, "an exception of what passes");
    const CostBounds bounds(mesh);
    throws<Boom>([&] { query.bounded_path(bounds, at(2, 0, 2), at(18, 0, 18)); }, "an exception of a guided search");

    Crowd crowd;
    AgentParams params(0.5F, 2);
    params.filter = crowd.add_filter(Filter::of({}, [](const WayfareCrossing&) -> float { throw Boom(); }));
    const auto agent = crowd.add(mesh, {2, 0, 2}, params);
    crowd.go_to(mesh, agent, {18, 0, 18});
    throws<Boom>([&] { for (int i = 0; i < 10; i++) crowd.step(mesh, 0.1F); }, "an exception of a crowd's filter");
    crowd.set_filter(params.filter, Filter::of({}, [](const WayfareCrossing&) { return 1.0F; }));
    crowd.go_to(mesh, agent, {18, 0, 18});
    for (int i = 0; i < 10; i++) crowd.step(mesh, 0.1F);
    const auto fails = Filter::of({}, [](const WayfareCrossing&) -> float { throw Boom(); });
    throws<Boom>([&] { crowd.set_filter(params.filter, fails, true); }, "an exception while costs change");
    throws<Error>([&] { crowd.set_filter(9, fails); }, "a filter in the place of none");
}

/// Each call throws what its filter threw, and the next has the answer of a filter that never did.
void thrown_by_each_call() {
    const Mesh mesh = Mesh::bake(floor());
    bool angry = false;
    const auto passes = [&](std::uint64_t, std::uint32_t, std::uint32_t) -> bool {
        if (angry) throw Boom();
        return true;
    };
    Query query(mesh, Filter::of(passes, {}));
    const Place from = at(2, 0, 2), to = at(18, 0, 18);
    const auto checked = [&](const char* what, auto call) {
        angry = true;
        throws<Boom>([&] { call(); }, what);
        angry = false;
        require(call(), what);
    };
    std::uint64_t seed = 7;
    checked("nearest", [&] { return query.nearest({2, 0, 2}).has_value(); });
    checked("straight path", [&] { return query.straight_path(from, to).is_complete(); });
    checked("optimal path", [&] { return query.optimal_path(from, to).is_complete(); });
    checked("path to the nearest", [&] { return query.path_to_nearest(from, {to}).second.has_value(); });
    checked("reachable", [&] { return query.reachable(from, to).value_or(false); });
    checked("explain", [&] { return !query.explain({2, 0, 2}, {18, 0, 18}).empty(); });
    checked("ray", [&] { return query.ray(from, {3, 0, 3}).hit == 0; });
    checked("move", [&] { return query.move(from, {3, 0, 3}).has_value(); });
    checked("nearest wall", [&] { return query.nearest_wall(from, 30).has_value(); });
    checked("walls", [&] { return !query.walls(from).empty(); });
    checked("around", [&] { return !query.around(from, 4).empty(); });
    checked("neighbourhood", [&] { return !query.neighbourhood(from, 4).empty(); });
    checked("in a box", [&] { return !query.in_box({{0, -1, 0}, {9, 1, 9}}).empty(); });
    checked("random", [&] { return query.random(seed, 3).size() == 3; });
    checked("random around", [&] { return query.random_around(from, 4, seed, 3).size() == 3; });
    checked("paths", [&] { return query.straight_paths({{from, to}}, 2).paths.size() == 1; });
    checked("rays", [&] { return query.rays({{from, to}}, 2).size() == 1; });
    checked("corridor", [&] { return Corridor(query, from).length() == 0; });

    Crowd crowd;
    AgentParams params(0.5F, 2);
    params.filter = crowd.add_filter(Filter::of(passes, {}));
    angry = true;
    throws<Boom>([&] { crowd.add(mesh, {2, 0, 2}, params); }, "an agent whose filter throws");
    angry = false;
    require(crowd.agents().empty(), "is not added");
    const auto agent = crowd.add(mesh, {2, 0, 2}, params);
    checked("go to", [&] { return crowd.go_to(mesh, agent, {18, 0, 18}), true; });
    checked("teleport", [&] { return crowd.teleport(mesh, agent, {4, 0, 4}), true; });
    // Two filters that throw in one tick: one exception comes out of it, and none out of a later one.
    AgentParams other(0.5F, 2);
    other.filter = crowd.add_filter(Filter::of(passes, {}));
    const auto second = crowd.add(mesh, {2, 0, 12}, other);
    crowd.go_to(mesh, agent, {18, 0, 18});
    crowd.go_to(mesh, second, {18, 0, 2});
    angry = true;
    throws<Boom>([&] { for (int i = 0; i < 10; i++) crowd.step(mesh, 0.1F); }, "a tick of two filters that throw");
    angry = false;
    crowd.step(mesh, 0.1F);
}

void moved_and_freed() {
    Level level = floor();
    Mesh mesh = Mesh::bake(level);
    Mesh other = std::move(mesh);
    throws<Error>([&] { mesh.digest(); }, "a mesh that was moved away"); // NOLINT: that is the point
    other = Mesh::bake(level);
    require(other.digest().size() == 16, "a mesh that was assigned");
    try {
        Mesh::load({1, 2, 3});
        require(false, "three bytes are no mesh");
    } catch (const Error& error) {
        require(error.status() == WAYFARE_STATUS_BAD_DATA && *error.what() != 0, "a status and a sentence");
    }
    Level empty;
    Report report;
    try {
        Mesh::bake(empty, {}, nullptr, &report);
        require(false, "nothing can be walked on");
    } catch (const Error& error) {
        require(error.status() == WAYFARE_STATUS_NOTHING_WALKABLE && report, "a report of a bake of nothing");
    }
}

void threads() {
    const Level level = floor();
    Mesh mesh = Mesh::bake(level);
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; i++) {
        readers.emplace_back([&mesh, i] {
            Query query(mesh);
            for (int n = 0; n < 500; n++) {
                require(query.optimal_path(at(2, 0, 2), at(18, 0, 2.0F + static_cast<float>(i))).is_complete(), "a path");
            }
        });
    }
    for (auto& reader : readers) reader.join();
    // A query is for one thread: of two that use it at once, one may be told that it is busy, and nothing else happens.
    Query query(mesh);
    std::vector<std::thread> two;
    for (int i = 0; i < 2; i++) {
        two.emplace_back([&query] {
            for (int n = 0; n < 2000; n++) {
                WayfarePath path{};
                const WayfareStatus status = wayfare_query_path(query.get(), at(2, 0, 2), at(18, 0, 18), &path);
                if (status != WAYFARE_STATUS_OK && status != WAYFARE_STATUS_BUSY) std::exit(1);
            }
        });
    }
    for (auto& one : two) one.join();
}

} // namespace

int main() {
    thrown_by_callbacks();
    thrown_by_each_call();
    moved_and_freed();
    threads();
    std::size_t live = 0;
    wayfare_live_handles(&live);
    require(live == 0, "all handles are freed");
    std::cout << checks << " checks\n";
}
