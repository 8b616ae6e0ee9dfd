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
    moved_and_freed();
    threads();
    std::size_t live = 0;
    wayfare_live_handles(&live);
    require(live == 0, "all handles are freed");
    std::cout << checks << " checks\n";
}
