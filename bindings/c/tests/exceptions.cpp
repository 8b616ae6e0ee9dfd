// Exceptions that callbacks throw come out of the call that ran them, and the library goes on.

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
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

    const Filter filter = query.filter();
    checked("a C call", [&] {
        WayfareNearest near{};
        query.ask([&] { return wayfare_query_nearest(query.get(), {2, 0, 2}, &near); });
        return near.found != 0;
    });
    checked("many", [&] { return query.nearest(std::vector<Vec3>{{2, 0, 2}})[0].found != 0; });
    checked("cost map", [&] { return CostMap(query, from).path_to(to).is_complete(); });
    CostMap map(query, from);
    checked("a path out of it", [&] { return map.path_to(to).is_complete(); });
    Search search(query, from, to);
    angry = true;
    throws<Boom>([&] { search.step(1000); }, "a search in steps");
    angry = false;
    Queue queue;
    queue.request(mesh, from, to, filter);
    angry = true;
    throws<Boom>([&] { queue.request(mesh, from, to, filter); }, "a point that a queue looks up");
    throws<Boom>([&] { queue.step(mesh, 1000); }, "a queue");
    angry = false;
    queue.request(mesh, from, to, filter);
    angry = true;
    Context context;
    throws<Boom>([&] { queue.step(mesh, 1000, nullptr, &context); }, "with a context");
    angry = false;

    Crowd crowd;
    AgentParams params(0.5F, 2);
    params.filter = crowd.add_filter(filter);
    angry = true;
    throws<Boom>([&] { crowd.add(mesh, {2, 0, 2}, params); }, "an agent whose filter throws");
    angry = false;
    require(crowd.agents().empty(), "is not added");
    const auto agent = crowd.add(mesh, {2, 0, 2}, params);
    checked("go to", [&] { return crowd.go_to(mesh, agent, {18, 0, 18}), true; });
    checked("teleport", [&] { return crowd.teleport(mesh, agent, {4, 0, 4}), true; });
    {
        // Its places are seen from the leader, through tiles.
        BakeSettings tiled;
        tiled.tile_size = 16;
        const Mesh tiles = Mesh::bake(floor(), tiled);
        Crowd others;
        params.filter = others.add_filter(filter);
        const auto leader = others.add(tiles, {2, 0, 2}, params);
        const auto member = others.add(tiles, {6, 0, 6}, AgentParams(0.5F, 2));
        Formation formation(others, leader, {Vec2{0, 12}}, {member});
        checked("a formation", [&] { return formation.lead(others, tiles), true; });
        others.step(tiles, 0.1F);
        params.filter = 1;
    }
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

/// Two calls at once by one filter, which throws in one of them: the other was told of nothing to walk on meanwhile.
void thrown_beside_others() {
    const Mesh mesh = Mesh::bake(floor());
    std::atomic<int> stage{0};
    thread_local bool throwing = false;
    const auto wait = [&](int until) { while (stage < until) std::this_thread::yield(); };
    const Filter filter = Filter::of([&](std::uint64_t, std::uint32_t, std::uint32_t) -> bool {
        if (stage >= 3) return true;
        if (throwing) {
            wait(1);
            stage = 2;
            throw Boom();
        }
        if (stage == 0) {
            stage = 1;
            wait(2);
        }
        return true;
    }, {});
    Query first(mesh, filter), second(mesh, filter);
    int thrown = 0;
    std::mutex counting;
    const auto ask = [&](Query& query, bool throws) {
        throwing = throws;
        try {
            std::uint64_t seed = 1;
            query.random(seed, 3);
        } catch (const Boom&) {
            std::lock_guard<std::mutex> lock(counting);
            thrown++;
        }
    };
    std::thread one([&] { ask(first, true); }), other([&] { ask(second, false); });
    one.join();
    other.join();
    require(thrown == 2, "both calls throw");
    stage = 3;
    std::uint64_t seed = 1;
    require(first.random(seed, 3).size() == 3 && second.random(seed, 3).size() == 3, "and neither goes on with what was none");
}

/// What a search needs of a filter stays, whatever becomes of the query; and filters that are replaced do not add up.
void kept_as_long_as_needed() {
    const Mesh mesh = Mesh::bake(floor());
    const auto counted = std::make_shared<int>(0);
    const auto passes = [counted](std::uint64_t, std::uint32_t, std::uint32_t) { return ++*counted > 0; };
    WayfareSearch raw{0};
    std::optional<Search> search;
    {
        Query query(mesh, Filter::of(passes, {}));
        query.ask([&] { return wayfare_search_new(query.get(), at(2, 0, 2), at(18, 0, 18), 0, &raw); });
        search.emplace(query, at(2, 0, 2), at(18, 0, 18));
        query.set_filter({});
    }
    std::uint32_t done = 0;
    require(wayfare_search_step(raw, 1000, &done) == WAYFARE_STATUS_OK && done, "a search of C");
    require(search->step(1000) && search->path().is_complete(), "a search");
    wayfare_search_free(raw);
    search.reset();
    require(counted.use_count() == 2, "then it is let go");

    Overlay overlay;
    Crowd crowd;
    AgentParams params(0.5F, 2);
    params.filter = crowd.add_filter(Filter(mesh));
    const auto agent = crowd.add(mesh, {2, 0, 2}, params);
    crowd.go_to(mesh, agent, {18, 0, 18});
    const std::size_t before = live_handles();
    for (int i = 0; i < 100; i++) {
        crowd.set_filter(params.filter, Filter::of(passes, {}).with_overlay(overlay.get(), 1), true);
        crowd.step(mesh, 0.1F);
    }
    require(live_handles() == before, "no filter is held that was replaced");
    require(counted.use_count() <= 5, "nor what its callbacks needed");
}

void blocks_that_throw() {
    bool angry = true;
    const WayfareBlockBox bounds{{0, 0, 0}, {15, 15, 15}};
    const Blocks blocks = Blocks::of([&](WayfareCell cell) {
        if (angry) throw Boom();
        return cell.y == 0 ? WAYFARE_BLOCK_SOLID : WAYFARE_BLOCK_AIR;
    }, bounds);
    BlockNav nav;
    const WayfareCell from{1, 1, 1}, to{9, 1, 9};
    throws<Boom>([&] { nav.path(blocks, from, to); }, "a world that throws");
    throws<Boom>([&] { blocks.at(from); }, "one block of it");
    throws<Boom>([&] { BlockWalk::begin(nav, blocks, {1.5F, 1, 1.5F}, {to, to}); }, "a walk through it");
    angry = false;
    require(nav.path(blocks, from, to).status == WAYFARE_PATH_STATUS_COMPLETE, "what was built is built again");
    auto walk = BlockWalk::without_path(nav, blocks, {1.5F, 1, 1.5F}, {to, to});
    angry = true;
    throws<Boom>([&] { walk->ask(nav, blocks); }, "a walk that asks");
    angry = false;
    nav.update(blocks, 1000);
    require(!nav.take(), "what it asked for is given up");
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
    BakeJob job(empty);
    report = Report();
    while (!job.step(100)) {}
    throws<Error>([&] { job.finish(&report); }, "a job of nothing");
    require(bool(report), "has a report");
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
    thrown_beside_others();
    kept_as_long_as_needed();
    blocks_that_throw();
    moved_and_freed();
    threads();
    std::size_t live = 0;
    wayfare_live_handles(&live);
    require(live == 0, "all handles are freed");
    std::cout << checks << " checks\n";
}
