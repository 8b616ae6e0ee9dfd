// Runs the cases that the library and every binding run (bindings/cases): the same levels, questions and answers.

#include <wayfare.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

using nlohmann::json;
using namespace wayfare;

namespace {

struct Answer {
    std::vector<float> numbers;
    std::optional<std::string> text;
};

std::string digest(const std::vector<float>& numbers) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (float number : numbers) {
        std::uint32_t bits;
        std::memcpy(&bits, &number, 4);
        for (int i = 0; i < 4; i++) {
            hash = (hash ^ ((bits >> (8 * i)) & 0xFF)) * 0x100000001b3U;
        }
    }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

Vec3 point(const json& value) {
    return Vec3{value.at(0).get<float>(), value.at(1).get<float>(), value.at(2).get<float>()};
}

std::vector<Vec3> points(const json& value) {
    std::vector<Vec3> made;
    for (std::size_t i = 0; i + 2 < value.size(); i += 3) made.push_back(Vec3{value[i], value[i + 1], value[i + 2]});
    return made;
}

std::vector<Vec2> flat_points(const json& value) {
    std::vector<Vec2> made;
    for (std::size_t i = 0; i + 1 < value.size(); i += 2) made.push_back(Vec2{value[i], value[i + 1]});
    return made;
}

Place place(const json& value) { return at(point(value)); }
float index(std::uint64_t poly) { return static_cast<float>(poly & 0xFFFFF); }
void add(std::vector<float>& numbers, Vec3 p) { numbers.insert(numbers.end(), {p.x, p.y, p.z}); }

struct Session {
    Level level;
    BakeSettings settings;
    Mesh mesh;
    std::optional<Obstacles> obstacles;
    std::vector<std::uint64_t> placed;
};

BakeSettings settings_of(const json& bake) {
    BakeSettings s;
    for (const auto& [name, value] : bake.items()) {
        if (name == "agent_height") s.agent_height = value;
        else if (name == "agent_radius") s.agent_radius = value;
        else if (name == "agent_max_climb") s.agent_max_climb = value;
        else if (name == "cell_size") s.cell_size = value;
        else if (name == "cell_height") s.cell_height = value;
        else if (name == "tile_size") s.tile_size = value;
        else if (name == "partition") s.partition = value;
        else if (name == "erosion") s.erosion = value;
        else throw std::runtime_error("no setting " + name);
    }
    return s;
}

/// A volume; its outline and points are kept by the caller.
WayfareVolume volume_of(const json& v, std::vector<Vec2>& outline, std::vector<Vec3>& corners) {
    const std::string shape = v.at("shape");
    WayfareVolume made{};
    if (shape == "box") {
        const Vec3 min = point(v["min"]), max = point(v["max"]);
        made = volume::box(Vec3{(min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2},
                           Vec3{(max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2});
    } else if (shape == "turned_box") {
        made = volume::box(point(v["center"]), point(v["half_extents"]), v["angle"]);
    } else if (shape == "cylinder") {
        made = volume::cylinder(point(v["base"]), v["radius"], v["height"]);
    } else if (shape == "capsule") {
        made = volume::capsule(point(v["base"]), v["radius"], v["height"]);
    } else if (shape == "prism") {
        outline = flat_points(v["outline"]);
        made = volume::prism(outline, v["heights"][0], v["heights"][1]);
    } else {
        corners = points(v["points"]);
        made = volume::hull(corners);
    }
    if (v.contains("area")) {
        made.area = v["area"];
        made.after_erosion = !v.value("before_erosion", false);
    }
    return made;
}

Session session_of(const json& c) {
    Session s;
    s.settings = settings_of(c.value("bake", json::object()));
    if (c.contains("level")) {
        const json& level = c["level"];
        s.level.add_triangles(points(level["verts"]), level["tris"].get<std::vector<std::uint32_t>>(),
                              level.value("areas", std::vector<std::uint8_t>{}));
    }
    if (c.contains("heights")) {
        const json& h = c["heights"];
        const auto samples = h["samples"].get<std::vector<std::uint16_t>>();
        s.level.set_heights(WayfareHeights{h["columns"], h["rows"], samples.data(), samples.size(), point(h["origin"]), 63,
                                           h["spacing"], h["step"]});
    }
    std::vector<Vec2> outline;
    std::vector<Vec3> corners;
    for (const json& v : c.value("volumes", json::array())) s.level.add_volume(volume_of(v, outline, corners));
    if (!c.contains("level") && !c.contains("heights")) return s;
    s.mesh = Mesh::bake(s.level, s.settings);
    if (c.value("obstacles", false)) s.obstacles.emplace(s.level, s.settings);
    for (const json& a : c.value("areas", json::array())) s.mesh.name_area(a["area"], a["name"], a["cost"]);
    for (const json& a : c.value("area_flags", json::array())) s.mesh.set_area_flags(a["area"], a["flags"]);
    for (const json& j : c.value("connections", json::array())) {
        s.mesh.add_connection(WayfareConnection{point(j["start"]), point(j["end"]), j["radius"], j.value("two_way", true),
                                                j["area"], j["flags"], j.value("user_id", 0U)});
    }
    return s;
}

void add_line(std::vector<float>& n, const Path& path) {
    for (const auto& corner : path.points) add(n, corner.point);
}

Answer path_answer(const Path& path) {
    Answer a;
    a.numbers.push_back(static_cast<float>(path.status));
    for (const auto& corner : path.points) {
        add(a.numbers, corner.point);
        a.numbers.push_back(static_cast<float>(corner.kind));
    }
    return a;
}

Answer optimal_answer(const Path& path) {
    Answer a;
    a.numbers = {static_cast<float>(path.status), path.length};
    add_line(a.numbers, path);
    return a;
}

Filter filter_of(const Mesh& mesh, const json& step) {
    Filter filter(mesh, step.value("include", 0xFFFFU), step.value("exclude", 0U));
    for (const json& cost : step.value("costs", json::array())) filter.set_area_cost(cost[0], cost[1]);
    return filter;
}

std::vector<WayfarePair> pairs_of(const json& step) {
    std::vector<WayfarePair> pairs;
    for (const json& pair : step["pairs"]) pairs.push_back(WayfarePair{place(pair[0]), place(pair[1])});
    return pairs;
}

Answer ask_around(Query& query, const std::string& word, const json& step) {
    Answer a;
    std::uint64_t seed = step.value("seed", std::uint64_t{0});
    if (word == "wall") {
        if (auto wall = query.nearest_wall(place(step["at"]), step["radius"])) {
            a.numbers.push_back(wall->distance);
            add(a.numbers, wall->point);
        }
    } else if (word == "walls") {
        for (const auto& wall : query.walls(place(step["at"]))) {
            add(a.numbers, wall.start);
            add(a.numbers, wall.end);
        }
    } else if (word == "around") {
        for (const auto& one : query.around(place(step["at"]), step["radius"])) {
            a.numbers.insert(a.numbers.end(), {index(one.poly), one.cost});
        }
    } else if (word == "neighbourhood") {
        for (auto poly : query.neighbourhood(place(step["at"]), step["radius"])) a.numbers.push_back(index(poly));
    } else if (word == "in_box") {
        for (auto poly : query.in_box(Box{point(step["min"]), point(step["max"])})) a.numbers.push_back(index(poly));
    } else if (word == "random") {
        for (const auto& one : query.random(seed, step["count"])) add(a.numbers, one.point);
    } else if (word == "random_around") {
        for (const auto& one : query.random_around(place(step["at"]), step["radius"], seed, step["count"])) {
            add(a.numbers, one.point);
        }
    } else {
        throw std::runtime_error("no step " + word);
    }
    return a;
}

Answer ask(const Mesh& mesh, Query& query, const std::string& word, const json& step) {
    Answer a;
    if (word == "nearest") {
        if (auto near = query.nearest(point(step["at"]))) {
            a.numbers = {static_cast<float>(near->over), index(near->place.poly)};
            add(a.numbers, near->place.point);
        }
    } else if (word == "path") {
        return path_answer(query.straight_path(place(step["from"]), place(step["to"])));
    } else if (word == "paths") {
        const Paths batch = query.straight_paths(pairs_of(step));
        std::size_t next = 0;
        for (const auto& path : batch.paths) {
            a.numbers.insert(a.numbers.end(), {static_cast<float>(path.status), static_cast<float>(path.point_count)});
            for (std::uint32_t i = 0; i < path.point_count; i++) add(a.numbers, batch.points[next++]);
        }
    } else if (word == "optimal") {
        return optimal_answer(query.optimal_path(place(step["from"]), place(step["to"])));
    } else if (word == "bounded") {
        return path_answer(query.bounded_path(CostBounds(mesh), place(step["from"]), place(step["to"])));
    } else if (word == "ray") {
        const WayfareRay ray = query.ray(place(step["from"]), point(step["to"]));
        a.numbers = {static_cast<float>(ray.hit), ray.t};
        add(a.numbers, ray.point);
        add(a.numbers, ray.normal);
    } else if (word == "rays") {
        for (const auto& ray : query.rays(pairs_of(step))) {
            a.numbers.insert(a.numbers.end(), {static_cast<float>(ray.hit), ray.t});
        }
    } else if (word == "move") {
        if (auto end = query.move(place(step["from"]), point(step["to"]))) add(a.numbers, end->point);
    } else if (word == "reachable") {
        auto answer = query.reachable(place(step["from"]), place(step["to"]));
        a.numbers.push_back(answer ? static_cast<float>(*answer) : -1.0F);
    } else if (word == "explain_path") {
        a.text = query.explain(point(step["from"]), point(step["to"]));
    } else {
        return ask_around(query, word, step);
    }
    return a;
}

std::vector<WayfareGridObstacle> grid_obstacles(const json& step) {
    std::vector<WayfareGridObstacle> obstacles;
    for (const json& obstacle : step.value("obstacles", json::array())) {
        WayfareGridObstacle one{};
        one.id = static_cast<std::uint32_t>(obstacles.size());
        if (obstacle["shape"] == "segment") {
            one.a = point(obstacle["a"]);
            one.b = point(obstacle["b"]);
        } else if (obstacle["shape"] == "disc") {
            one.shape = WAYFARE_GRID_SHAPE_DISC;
            one.a = point(obstacle["center"]);
            one.radius = obstacle["radius"];
        } else {
            one.shape = WAYFARE_GRID_SHAPE_BOX;
            one.a = point(obstacle["center"]);
            one.half_x = obstacle["half"][0];
            one.half_z = obstacle["half"][1];
            one.yaw = obstacle["yaw"];
        }
        obstacles.push_back(one);
    }
    return obstacles;
}

Answer crowd(const Mesh& mesh, const json& step) {
    static const char* const METHODS[] = {"none", "sampled", "adaptive", "orca", "clearpath", "hrvo"};
    Crowd crowd;
    for (const json& agent : step["agents"]) {
        AgentParams params;
        params.radius = agent.value("radius", params.radius);
        params.max_speed = agent.value("max_speed", params.max_speed);
        if (agent.contains("method")) {
            const std::string method = agent["method"];
            const auto* found = std::find(std::begin(METHODS), std::end(METHODS), method);
            params.avoid_by(static_cast<WayfareAvoidanceMethod>(found - std::begin(METHODS)));
        }
        const auto id = crowd.add(mesh, point(agent["at"]), params);
        crowd.go_to(mesh, id, point(agent["to"]));
    }
    const auto obstacles = grid_obstacles(step);
    crowd.set_obstacles(obstacles);
    const Planner planner;
    for (int tick = 0; tick < step["ticks"].get<int>(); tick++) crowd.step(mesh, step["dt"], &planner);
    Answer a;
    for (Vec3 at : crowd.positions()) add(a.numbers, at);
    if (obstacles.empty()) return a;
    for (std::uint64_t agent : crowd.agents()) {
        const auto by = crowd.obstructed_by(agent);
        a.numbers.push_back(static_cast<float>(by.size()));
        for (std::uint32_t one : by) a.numbers.push_back(static_cast<float>(one));
    }
    return a;
}

WayfareCell cell(const json& value) { return WayfareCell{value[0], value[1], value[2]}; }

Answer block_path(const json& step) {
    Blocks blocks;
    for (const json& box : step["boxes"]) {
        blocks.fill(WayfareBlockBox{cell(box["min"]), cell(box["max"])}, static_cast<WayfareBlock>(box["block"].get<int>()));
    }
    BlockNav nav;
    const BlockRoute route = nav.path(blocks, cell(step["start"]), cell(step["goal"]));
    Answer a;
    a.numbers = {static_cast<float>(route.status), route.length};
    for (Vec3 at : route.points) add(a.numbers, at);
    return a;
}

Answer grid_path(const json& step) {
    Grid grid(step["size"], step["cell_size"]);
    grid.recenter(point(step["center"]));
    grid.block(grid_obstacles(step), step["radius"]);
    const Route route = grid.path(point(step["from"]), point(step["to"]));
    Answer a;
    a.numbers.push_back(static_cast<float>(route.status));
    for (Vec3 at : route.points) add(a.numbers, at);
    return a;
}

Answer obstacle(Session& s, const std::string& word, const json& step) {
    Answer a;
    std::size_t tiles = 0;
    if (word == "obstacle_add") {
        std::vector<Vec2> outline;
        std::vector<Vec3> corners;
        s.placed.push_back(s.obstacles->add(volume_of(step, outline, corners), &tiles));
    } else if (word == "obstacle_move") {
        tiles = s.obstacles->move(s.placed.at(step["which"]), point(step["to"]));
    } else if (word == "obstacle_remove") {
        tiles = s.obstacles->remove(s.placed.at(step["which"]));
    } else {
        if (!s.obstacles->step(s.mesh)) throw std::runtime_error("not all tiles were rebuilt");
        tiles = s.obstacles->rebuilt().size();
    }
    a.numbers.push_back(static_cast<float>(tiles));
    return a;
}

Answer corridor(const Mesh& mesh, const json& step) {
    Query query(mesh);
    Corridor corridor(query, place(step["from"]));
    query.straight_path(place(step["from"]), place(step["to"]));
    corridor.follow(query);
    Answer a;
    for (const json& to : step["walk"]) {
        add(a.numbers, corridor.move_start(query, point(to)));
        for (const auto& corner : corridor.corners(3)) add(a.numbers, corner.point);
    }
    return a;
}

Answer run(Session& s, const json& step) {
    const std::string word = step["do"];
    Answer a;
    if (word.rfind("obstacle_", 0) == 0) return obstacle(s, word, step);
    if (word == "block_path") return block_path(step);
    if (word == "grid_path") return grid_path(step);
    if (word == "hull") {
        const auto points = flat_points(step["points"]);
        for (auto i : detail::list<std::uint32_t>([&](std::uint32_t* out, std::size_t capacity, std::size_t* count) {
                 return wayfare_convex_hull(points.data(), points.size(), out, capacity, count);
             })) {
            a.numbers.push_back(static_cast<float>(i));
        }
    } else if (word == "outline_mesh") {
        std::vector<std::vector<Vec2>> outlines;
        for (const json& outline : step["outlines"]) outlines.push_back(flat_points(outline));
        s.mesh = Mesh::from_outlines(outlines, step["y"]);
        a.text = s.mesh.digest();
    } else if (word == "links") {
        WayfareLinkSettings rules{};
        detail::check(wayfare_link_settings_for_agent(&s.settings, &rules, sizeof rules));
        for (const auto& link : s.mesh.find_links(s.level, s.settings, rules)) {
            a.numbers.push_back(static_cast<float>(link.kind));
            add(a.numbers, link.start);
            add(a.numbers, link.end);
        }
    } else if (word == "explain_place") {
        WayfareExplainMap made{0};
        detail::check(wayfare_explain_level(s.level.get(), &s.settings, nullptr, &made));
        const detail::Owned<WayfareExplainMap, wayfare_explain_free> map(made);
        a.text = detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_explain_text(map.get(), point(step["at"]), 0, out, capacity, length);
        });
    } else if (word == "mesh") {
        a.text = s.mesh.digest();
    } else if (word == "count") {
        const WayfareMeshSize size = s.mesh.size();
        a.numbers = {static_cast<float>(size.tiles), static_cast<float>(size.polys), static_cast<float>(size.connections)};
    } else if (word == "save_load") {
        a.text = Mesh::load(s.mesh.save()).digest();
    } else if (word == "detour") {
        a.text = Mesh::from_detour(s.mesh.to_detour(64)).digest();
    } else if (word == "crowd") {
        return crowd(s.mesh, step);
    } else if (word == "corridor") {
        return corridor(s.mesh, step);
    } else if (word == "clearance") {
        const Clearance wide(s.mesh, step["radius"]);
        Query query(wide.mesh());
        return optimal_answer(query.optimal_path(place(step["from"]), place(step["to"])));
    } else if (word == "hierarchical") {
        Query query(s.mesh);
        Hierarchy hierarchy(s.mesh);
        const Path path = hierarchy.path(query, place(step["from"]), place(step["to"]));
        a.numbers = {static_cast<float>(path.status), path.cost, static_cast<float>(path.poly_count)};
    } else if (word == "overlay") {
        Overlay overlay;
        overlay.paint_disc(point(step["center"]), step["radius"], 2, step["cost"]);
        Query query(s.mesh, Filter(s.mesh, 0xFFFF, 0).with_overlay(overlay.get(), 1));
        return path_answer(query.straight_path(place(step["from"]), place(step["to"])));
    } else {
        Query query(s.mesh, filter_of(s.mesh, step));
        return ask(s.mesh, query, word, step);
    }
    return a;
}

bool agrees(const Answer& a, const json& wanted) {
    if (a.text) return wanted.contains("text") && wanted["text"] == *a.text;
    return wanted.contains("count") && wanted["count"] == a.numbers.size() && wanted["digest"] == digest(a.numbers);
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(argc > 1 ? argv[1] : "../cases")) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    int count = 0, faults = 0;
    for (const auto& file : files) {
        const json c = json::parse(std::ifstream(file));
        Session session = session_of(c);
        int number = 0;
        for (const json& step : c["steps"]) {
            const Answer a = run(session, step);
            count++;
            if (!agrees(a, step["answer"])) {
                faults++;
                std::cerr << file.filename() << ", step " << number << ": " << step << "\n  is "
                          << (a.text ? json(*a.text) : json(a.numbers)) << " " << digest(a.numbers) << "\n";
            }
            number++;
        }
    }
    std::size_t live = 0;
    detail::check(wayfare_live_handles(&live));
    if (live != 0) {
        std::cerr << live << " handles were not freed\n";
        faults++;
    }
    std::cout << count << " steps of " << files.size() << " cases, " << faults << " faults\n";
    return faults == 0 && count > 100 ? 0 : 1;
}
