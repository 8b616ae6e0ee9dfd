// Wayfare for C++17: classes over wayfare.h that free what they hold, return values, and throw wayfare::Error.
//
// Each class holds one handle and can be moved, not copied; get() gives the handle, for C functions that have no method
// here. Threads: as wayfare.h says. An exception that a callback throws is caught before it reaches the library, and thrown
// again from the call that ran the callback.
#ifndef WAYFARE_HPP
#define WAYFARE_HPP

#include "wayfare.h"

#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace wayfare {

using Vec2 = WayfareVec2;
using Vec3 = WayfareVec3;
using Box = WayfareBox;
using Place = WayfarePlace;
using Bytes = std::vector<std::uint8_t>;

/// What a call threw: its status, and a sentence.
class Error : public std::runtime_error {
public:
    Error(WayfareStatus status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
    WayfareStatus status() const noexcept { return status_; }

private:
    WayfareStatus status_;
};

namespace detail {

inline std::string last_error() {
    std::string text(512, '\0');
    std::size_t length = 0;
    if (wayfare_last_error(&text[0], text.size(), &length) == WAYFARE_STATUS_TOO_SMALL) {
        text.resize(length + 1);
        wayfare_last_error(&text[0], text.size(), &length);
    }
    text.resize(length);
    return text;
}

inline void check(WayfareStatus status) {
    if (status != WAYFARE_STATUS_OK) throw Error(status, last_error());
}

/// Asks for a list: with room for a few values at once, and again where there are more.
template <class T, class Ask> std::vector<T> list(Ask ask, std::size_t guess = 32) {
    std::vector<T> values(guess);
    std::size_t count = 0;
    WayfareStatus status = ask(values.data(), values.size(), &count);
    if (status == WAYFARE_STATUS_TOO_SMALL) {
        values.resize(count);
        status = ask(values.data(), values.size(), &count);
    }
    check(status);
    values.resize(count);
    return values;
}

template <class Ask> std::string text(Ask ask) {
    std::string text(128, '\0');
    std::size_t length = 0;
    WayfareStatus status = ask(&text[0], text.size(), &length);
    if (status == WAYFARE_STATUS_TOO_SMALL) {
        text.resize(length + 1);
        status = ask(&text[0], text.size(), &length);
    }
    check(status);
    text.resize(length);
    return text;
}

/// A handle that is freed with its holder.
template <class Handle, WayfareStatus (*Free)(Handle)> class Owned {
public:
    Owned() noexcept : handle_{0} {}
    explicit Owned(Handle handle) noexcept : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{0})) {}
    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) {
            Free(handle_);
            handle_ = std::exchange(other.handle_, Handle{0});
        }
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    ~Owned() { Free(handle_); }

    Handle get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_.id != 0; }
    Handle release() noexcept { return std::exchange(handle_, Handle{0}); }

protected:
    Handle* out() noexcept { return &handle_; }

private:
    Handle handle_;
};

template <class Make> Bytes bytes(Make make) {
    WayfareBytes made{0};
    check(make(&made));
    Owned<WayfareBytes, wayfare_bytes_free> owner(made);
    std::size_t size = 0;
    check(wayfare_bytes_size(made, &size));
    Bytes copy(size);
    check(wayfare_bytes_copy(made, copy.data(), copy.size(), &size));
    return copy;
}

inline Bytes read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    Bytes bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) throw Error(WAYFARE_STATUS_IO, "`" + path + "` cannot be read");
    return bytes;
}

/// The first exception that a callback threw, until the call that ran it is over.
class Thrown {
public:
    void keep() noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!first_) first_ = std::current_exception();
    }
    bool any() noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        return static_cast<bool>(first_);
    }
    std::exception_ptr take() noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        return std::exchange(first_, nullptr);
    }
    void rethrow() {
        if (auto first = take()) std::rethrow_exception(first);
    }

private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

} // namespace detail

/// How many objects are not freed.
inline std::size_t live_handles() {
    std::size_t count = 0;
    detail::check(wayfare_live_handles(&count));
    return count;
}

/// A point that is looked up on the mesh.
inline Place at(Vec3 point) noexcept { return Place{0, point}; }
inline Place at(float x, float y, float z) noexcept { return Place{0, Vec3{x, y, z}}; }

using Report = detail::Owned<WayfareReport, wayfare_report_free>;
using Version = detail::Owned<WayfareVersion, wayfare_version_free>;
using Checkpoints = detail::Owned<WayfareCheckpoints, wayfare_checkpoints_free>;

/// Lets one thread cancel the work of another.
class Cancel : public detail::Owned<WayfareCancel, wayfare_cancel_free> {
public:
    Cancel() { detail::check(wayfare_cancel_new(out())); }
    void now() { detail::check(wayfare_cancel_now(get())); }
};

/// Who hears of long work, who may cancel it, and what it may take.
class Context {
public:
    Context() { detail::check(wayfare_context_default(&context_, sizeof context_)); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Hears how far it is; returning false cancels it.
    std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
    std::function<void(const char* message)> log;

    Context& threads(std::uint32_t count) { context_.threads = count; return *this; }
    Context& memory_limit(std::uint64_t bytes) { context_.memory_limit = bytes; return *this; }
    Context& measure_times(bool on = true) { context_.measure_times = on; return *this; }
    Context& cancelled_by(const Cancel& cancel) { context_.cancel = cancel.get(); return *this; }

    /// Runs a call with it, and throws what its callbacks threw.
    template <class Call> void run(Call call) {
        context_.user = this;
        context_.progress = progress ? &Context::on_progress : nullptr;
        context_.log = log ? &Context::on_log : nullptr;
        WayfareStatus status = WAYFARE_STATUS_OK;
        try {
            status = call(&context_);
        } catch (...) {
            // One exception is enough, and none is left for the next call.
            thrown_.take();
            throw;
        }
        thrown_.rethrow();
        detail::check(status);
    }

private:
    static std::int32_t on_progress(void* user, std::uint64_t done, std::uint64_t total) noexcept {
        auto* self = static_cast<Context*>(user);
        try {
            return self->progress(done, total) ? 0 : 1;
        } catch (...) {
            self->thrown_.keep();
            return 1;
        }
    }
    static void on_log(void* user, const char* message) noexcept {
        auto* self = static_cast<Context*>(user);
        try {
            self->log(message);
        } catch (...) {
            self->thrown_.keep();
        }
    }

    WayfareContext context_{};
    detail::Thrown thrown_;
};

namespace detail {
template <class Call> void with(Context* context, Call call) {
    if (context) context->run(call);
    else check(call(static_cast<const WayfareContext*>(nullptr)));
}
} // namespace detail

/// All settings of a bake, begun with the defaults.
struct BakeSettings : WayfareBakeSettings {
    BakeSettings() : WayfareBakeSettings{} { detail::check(wayfare_bake_settings_default(this, sizeof(WayfareBakeSettings))); }
    static BakeSettings for_agent(float height, float radius, float max_climb) {
        BakeSettings settings;
        detail::check(wayfare_bake_settings_for_agent(height, radius, max_climb, &settings, sizeof(WayfareBakeSettings)));
        return settings;
    }
    std::string advice() const {
        return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_bake_settings_advice(this, out, capacity, length);
        });
    }
};

/// The volumes of levels and obstacles.
namespace volume {
inline WayfareVolume box(Vec3 center, Vec3 half_extents, float angle = 0) {
    WayfareVolume made{};
    made.shape = angle == 0 ? WAYFARE_SHAPE_BOX : WAYFARE_SHAPE_TURNED_BOX;
    made.center = center;
    made.half_extents = half_extents;
    made.angle = angle;
    return made;
}
inline WayfareVolume cylinder(Vec3 foot, float radius, float height) {
    WayfareVolume made{};
    made.shape = WAYFARE_SHAPE_CYLINDER;
    made.center = foot;
    made.radius = radius;
    made.height = height;
    return made;
}
inline WayfareVolume capsule(Vec3 foot, float radius, float height) {
    WayfareVolume made = cylinder(foot, radius, height);
    made.shape = WAYFARE_SHAPE_CAPSULE;
    return made;
}
/// The outline must live until the volume is used.
inline WayfareVolume prism(const std::vector<Vec2>& outline, float low, float high) {
    WayfareVolume made{};
    made.shape = WAYFARE_SHAPE_PRISM;
    made.outline = outline.data();
    made.outline_count = outline.size();
    made.low = low;
    made.high = high;
    return made;
}
/// The points must live until the volume is used.
inline WayfareVolume hull(const std::vector<Vec3>& points) {
    WayfareVolume made{};
    made.shape = WAYFARE_SHAPE_HULL;
    made.points = points.data();
    made.point_count = points.size();
    return made;
}
/// The same volume, which paints the surface inside it and blocks nothing.
inline WayfareVolume paint(WayfareVolume shape, std::uint32_t area) {
    shape.area = area;
    shape.after_erosion = 1;
    return shape;
}
} // namespace volume

/// All geometry that a bake is made from.
class Level : public detail::Owned<WayfareLevel, wayfare_level_free> {
public:
    Level() { detail::check(wayfare_level_new(out())); }
    /// Reads a file, whose kind the ending of its name tells. Files that it names are looked for in its folder.
    static Level load_file(const std::string& path) {
        const std::size_t slash = path.find_last_of("/\\");
        const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
        return from_file(path.substr(slash + 1), detail::read_file(path), folder.c_str());
    }
    /// The same of its bytes. Without a folder it may name no files.
    static Level from_file(const std::string& name, const Bytes& bytes, const char* folder = nullptr) {
        Level level;
        WayfareLevel read{0};
        detail::check(wayfare_level_from_file(name.c_str(), bytes.data(), bytes.size(), folder, &read));
        static_cast<Owned&>(level) = Owned(read);
        return level;
    }
    void add_triangles(const std::vector<Vec3>& verts, const std::vector<std::uint32_t>& indices,
                       const std::vector<std::uint8_t>& areas = {}) {
        const WayfareTriangles triangles{verts.data(),   verts.size(), indices.data(),
                                         indices.size(), areas.data(), areas.size()};
        detail::check(wayfare_level_add_triangles(get(), &triangles));
    }
    void set_heights(const WayfareHeights& heights) { detail::check(wayfare_level_set_heights(get(), &heights)); }
    void add_volume(const WayfareVolume& volume) { detail::check(wayfare_level_add_volume(get(), &volume)); }
    void clear_volumes() { detail::check(wayfare_level_clear_volumes(get())); }
    void in_frame(WayfareFrame frame) { detail::check(wayfare_level_in_frame(get(), frame)); }
    WayfareLevelReport report() const {
        WayfareLevelReport report{};
        detail::check(wayfare_level_report(get(), &report));
        return report;
    }
};

class Mesh;

/// A filter. Copies share what the callbacks need.
class Filter {
public:
    using Passes = std::function<bool(std::uint64_t poly, std::uint32_t area, std::uint32_t flags)>;
    using Cost = std::function<float(const WayfareCrossing&)>;

    /// The mesh's own costs, and all flags.
    Filter() = default;
    inline Filter(const Mesh& mesh, std::uint32_t include, std::uint32_t exclude);

    /// A filter of one's own; either function may be empty.
    static Filter of(Passes passes, Cost cost, float least_cost = 1) {
        Filter filter;
        filter.state_ = std::make_shared<State>();
        State& state = *filter.state_;
        state.passes = std::move(passes);
        state.cost = std::move(cost);
        WayfareFilterCallbacks callbacks{};
        detail::check(wayfare_filter_callbacks_default(&callbacks, sizeof callbacks));
        callbacks.user = &state;
        callbacks.least_cost = least_cost;
        callbacks.passes = state.passes ? &Filter::on_passes : nullptr;
        callbacks.cost = state.cost ? &Filter::on_cost : nullptr;
        WayfareFilter made{0};
        detail::check(wayfare_filter_from_callbacks(&callbacks, &made));
        state.handle = Handle(made);
        return filter;
    }
    void set_area_cost(std::uint32_t area, float cost) { detail::check(wayfare_filter_set_area_cost(get(), area, cost)); }
    Filter downhill(float max_rise, std::uint32_t flags = 0) const {
        WayfareFilter made{0};
        detail::check(wayfare_filter_downhill(get(), max_rise, flags, &made));
        return on_top(made);
    }
    Filter with_overlay(WayfareOverlay overlay, float weight) const {
        WayfareFilter made{0};
        detail::check(wayfare_filter_with_overlay(get(), overlay, weight, &made));
        return on_top(made);
    }
    WayfareFilter get() const noexcept { return state_ ? state_->handle.get() : WayfareFilter{0}; }
    bool has_callbacks() const noexcept {
        for (const State* state = state_.get(); state; state = state->inner.get()) {
            if (state->passes || state->cost) return true;
        }
        return false;
    }
    /// What a callback threw since the last time. Where several did, it is one of that; the rest is forgotten.
    std::exception_ptr take_thrown() const noexcept {
        std::exception_ptr first;
        for (State* state = state_.get(); state; state = state->inner.get()) {
            auto thrown = state->thrown.take();
            if (!first) first = std::move(thrown);
        }
        return first;
    }
    /// Throws it.
    void rethrow() const {
        if (auto first = take_thrown()) std::rethrow_exception(first);
    }

private:
    using Handle = detail::Owned<WayfareFilter, wayfare_filter_free>;
    struct State {
        Passes passes;
        Cost cost;
        detail::Thrown thrown;
        Handle handle;
        std::shared_ptr<State> inner;
    };
    static std::uint32_t on_passes(void* user, std::uint64_t poly, std::uint32_t area, std::uint32_t flags) noexcept {
        auto* state = static_cast<State*>(user);
        try {
            return !state->thrown.any() && state->passes(poly, area, flags);
        } catch (...) {
            state->thrown.keep();
            return 0;
        }
    }
    static float on_cost(void* user, const WayfareCrossing* crossing) noexcept {
        auto* state = static_cast<State*>(user);
        try {
            return state->cost(*crossing);
        } catch (...) {
            state->thrown.keep();
            return -1;
        }
    }
    Filter on_top(WayfareFilter made) const {
        Filter filter;
        filter.state_ = std::make_shared<State>();
        filter.state_->handle = Handle(made);
        filter.state_->inner = state_;
        return filter;
    }

    std::shared_ptr<State> state_;
};

/// Costs that change by place.
class Overlay : public detail::Owned<WayfareOverlay, wayfare_overlay_free> {
public:
    explicit Overlay(std::uint32_t half_life = 0) { detail::check(wayfare_overlay_new(0, 0, half_life, 0, out())); }
    void paint_disc(Vec3 center, float radius, float reach, float cost) {
        detail::check(wayfare_overlay_paint_disc(get(), center, radius, reach, cost));
    }
    void paint_box(Box area, float cost) { detail::check(wayfare_overlay_paint_box(get(), area, cost)); }
    void advance(std::uint32_t ticks) { detail::check(wayfare_overlay_advance(get(), ticks)); }
    void clear() { detail::check(wayfare_overlay_clear(get())); }
};

/// A path from one call.
struct Route {
    WayfarePathStatus status;
    std::vector<Vec3> points;
    bool is_complete() const noexcept { return status == WAYFARE_PATH_STATUS_COMPLETE; }
};

/// A navigation mesh.
class Mesh : public detail::Owned<WayfareMesh, wayfare_mesh_free> {
public:
    Mesh() = default;
    explicit Mesh(WayfareMesh handle) noexcept : Owned(handle) {}

    static Mesh bake(const Level& level, const BakeSettings& settings = {}, Context* context = nullptr,
                     Report* report = nullptr) {
        WayfareMesh mesh{0};
        WayfareReport told{0};
        const auto keep = [&] { if (report) *report = Report(told); };
        try {
            detail::with(context, [&](const WayfareContext* given) {
                return wayfare_bake(level.get(), &settings, given, &mesh, report ? &told : nullptr);
            });
        } catch (...) {
            // A listener that throws once the work is done leaves a mesh that nobody gets.
            const Mesh unwanted(mesh);
            keep();
            throw;
        }
        keep();
        return Mesh(mesh);
    }
    static Mesh load(const Bytes& bytes) {
        WayfareMesh mesh{0};
        detail::check(wayfare_mesh_load(bytes.data(), bytes.size(), &mesh));
        return Mesh(mesh);
    }
    /// Reads a file of any kind that is known: this library's, Detour's, `.mesh`, `.map`.
    static Mesh load_file(const std::string& path) {
        const Bytes bytes = detail::read_file(path);
        WayfareMesh mesh{0};
        detail::check(wayfare_mesh_from_file(bytes.data(), bytes.size(), &mesh));
        return Mesh(mesh);
    }
    static Mesh from_detour(const Bytes& bytes) {
        WayfareMesh mesh{0};
        detail::check(wayfare_mesh_from_detour(bytes.data(), bytes.size(), &mesh));
        return Mesh(mesh);
    }
    static Mesh from_outlines(const std::vector<std::vector<Vec2>>& outlines, float y) {
        std::vector<Vec2> points;
        std::vector<std::uint32_t> counts;
        for (const auto& outline : outlines) {
            points.insert(points.end(), outline.begin(), outline.end());
            counts.push_back(static_cast<std::uint32_t>(outline.size()));
        }
        WayfareMesh mesh{0};
        detail::check(wayfare_mesh_from_outlines(points.data(), points.size(), counts.data(), counts.size(), y, &mesh));
        return Mesh(mesh);
    }

    /// A copy that shares what does not change: to be edited while others read.
    Mesh copy() const {
        WayfareMesh made{0};
        detail::check(wayfare_mesh_copy(get(), &made));
        return Mesh(made);
    }
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_save(get(), out); });
    }
    Bytes to_detour(std::uint32_t bits = 64) const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_to_detour(get(), bits, out); });
    }
    std::string digest() const {
        return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_mesh_digest(get(), out, capacity, length);
        });
    }
    WayfareMeshSize size() const {
        WayfareMeshSize size{};
        detail::check(wayfare_mesh_size(get(), &size));
        return size;
    }
    std::vector<WayfareTileInfo> tiles() const {
        return detail::list<WayfareTileInfo>([&](WayfareTileInfo* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_tiles(get(), out, capacity, count);
        });
    }
    WayfarePolygon polygon(std::uint64_t poly) const {
        WayfarePolygon polygon{};
        detail::check(wayfare_mesh_polygon(get(), poly, &polygon));
        return polygon;
    }
    std::vector<Vec3> corners(std::uint64_t poly) const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_polygon_corners(get(), poly, out, capacity, count);
        });
    }
    /// The whole surface, three points for each triangle.
    std::vector<Vec3> triangles() const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_triangles(get(), 0, out, nullptr, capacity, count);
        });
    }
    void set_flags(std::uint64_t poly, std::uint32_t flags) { detail::check(wayfare_mesh_set_poly_flags(get(), poly, flags)); }
    void set_area(std::uint64_t poly, std::uint32_t area) { detail::check(wayfare_mesh_set_poly_area(get(), poly, area)); }
    void name_area(std::uint32_t area, const std::string& name, float cost) {
        detail::check(wayfare_mesh_set_area(get(), area, name.c_str(), cost));
    }
    void set_area_flags(std::uint32_t area, std::uint32_t flags) {
        detail::check(wayfare_mesh_set_area_flags(get(), area, flags));
    }
    std::uint64_t add_connection(const WayfareConnection& connection) {
        std::uint64_t reference = 0;
        detail::check(wayfare_mesh_add_connection(get(), &connection, &reference));
        return reference;
    }
    void remove_connection(std::uint64_t reference) { detail::check(wayfare_mesh_remove_connection(get(), reference)); }
    /// Finds drops, jumps and climbs, and adds them.
    std::vector<WayfareLink> find_links(const Level& level, const BakeSettings& settings, const WayfareLinkSettings& rules,
                                        Context* context = nullptr) {
        const auto ask = [&](const Mesh& mesh, std::size_t room, std::size_t& count) {
            std::vector<WayfareLink> links(room);
            detail::with(context, [&](const WayfareContext* given) {
                return wayfare_mesh_find_links(mesh.get(), level.get(), &settings, &rules, given, links.data(), room, &count);
            });
            links.resize(count < room ? count : room);
            return links;
        };
        // They are added in the call: where there are more than there was room for, the copy is asked again.
        const Mesh before = copy();
        std::size_t count = 0;
        auto links = ask(*this, 1024, count);
        return count > links.size() ? ask(before, count, count) : links;
    }
    Route find_path(Vec3 from, Vec3 to) const {
        std::uint32_t status = 0;
        auto points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_find_path(get(), from, to, out, capacity, count, &status);
        });
        return Route{static_cast<WayfarePathStatus>(status), std::move(points)};
    }
};

inline Filter::Filter(const Mesh& mesh, std::uint32_t include, std::uint32_t exclude) : state_(std::make_shared<State>()) {
    WayfareFilter made{0};
    detail::check(wayfare_filter_new(mesh.get(), include, exclude, &made));
    state_->handle = Handle(made);
}

/// Lower bounds of costs on a mesh, which guide searches.
class CostBounds : public detail::Owned<WayfareCostBounds, wayfare_cost_bounds_free> {
public:
    /// Computes them for the mesh as it is now.
    explicit CostBounds(const Mesh& mesh, const Filter& filter = {}) {
        const WayfareStatus status = wayfare_cost_bounds_new(mesh.get(), filter.get(), out());
        filter.rethrow();
        detail::check(status);
    }
    /// Whether they hold for the mesh as it is now.
    bool hold(const Mesh& mesh) const {
        std::uint32_t answer = 0;
        detail::check(wayfare_cost_bounds_hold(get(), mesh.get(), &answer));
        return answer != 0;
    }
};

/// A path with its points.
struct Path : WayfarePath {
    std::vector<WayfarePathPoint> points;
    bool is_complete() const noexcept { return status == WAYFARE_PATH_STATUS_COMPLETE; }
};

/// Many paths, and their points.
struct Paths {
    std::vector<WayfarePath> paths;
    /// Those of all, one path after the other.
    std::vector<Vec3> points;
};

/// Questions to a mesh: one for each thread.
class Query : public detail::Owned<WayfareQuery, wayfare_query_free> {
public:
    explicit Query(const Mesh& mesh, Filter filter = {}) : filter_(std::move(filter)) {
        detail::check(wayfare_query_new(mesh.get(), filter_.get(), out()));
    }
    void set(const WayfareQuerySettings& settings) { ask(wayfare_query_set(get(), &settings)); }
    void set_mesh(const Mesh& mesh) { ask(wayfare_query_set_mesh(get(), mesh.get())); }
    void set_filter(Filter filter) {
        detail::check(wayfare_query_set_filter(get(), filter.get()));
        filter_ = std::move(filter);
    }
    std::optional<WayfareNearest> nearest(Vec3 point) {
        WayfareNearest near{};
        ask(wayfare_query_nearest(get(), point, &near));
        return near.found ? std::optional<WayfareNearest>(near) : std::nullopt;
    }
    Path straight_path(Place from, Place to) {
        Path path{};
        ask(wayfare_query_straight_path(get(), from, to, nullptr, 0, &path));
        return with_points(std::move(path));
    }
    Path optimal_path(Place from, Place to) {
        Path path{};
        ask(wayfare_query_optimal_path(get(), from, to, nullptr, 0, &path));
        return with_points(std::move(path));
    }
    /// The cheapest path, guided by bounds.
    Path bounded_path(const CostBounds& bounds, Place from, Place to) {
        Path path{};
        ask(wayfare_query_bounded_path(get(), bounds.get(), from, to, nullptr, 0, &path));
        return with_points(std::move(path));
    }
    /// The path to the nearest goal, and the goal's number.
    std::pair<Path, std::optional<std::size_t>> path_to_nearest(Place from, const std::vector<Place>& goals) {
        Path path{};
        std::size_t goal = 0;
        ask(wayfare_query_path_to_nearest(get(), from, goals.data(), goals.size(), &goal, &path));
        auto reached = goal == SIZE_MAX ? std::nullopt : std::optional<std::size_t>(goal);
        return {with_points(std::move(path)), reached};
    }
    /// The polygons of the last path.
    std::vector<std::uint64_t> polygons() {
        return list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_polygons(get(), out, capacity, count);
        });
    }
    /// Nothing if a limit cut the search short.
    std::optional<bool> reachable(Place from, Place to) {
        std::int32_t answer = 0;
        ask(wayfare_query_reachable(get(), from, to, &answer));
        return answer < 0 ? std::nullopt : std::optional<bool>(answer == 1);
    }
    /// Why there is no path: by name, or in a sentence.
    std::string explain(Vec3 from, Vec3 to, bool whole = false) {
        return asked([&] {
            return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
                return wayfare_query_explain(get(), from, to, whole, nullptr, out, capacity, length);
            });
        });
    }
    WayfareRay ray(Place from, Vec3 to, bool with_cost = false) {
        WayfareRay ray{};
        ask(with_cost ? wayfare_query_ray_with_cost(get(), from, to, &ray) : wayfare_query_ray(get(), from, to, &ray));
        return ray;
    }
    std::optional<Place> move(Place from, Vec3 to) {
        Place end{};
        ask(wayfare_query_move(get(), from, to, &end));
        return end.poly ? std::optional<Place>(end) : std::nullopt;
    }
    std::optional<WayfareNearestWall> nearest_wall(Place place, float radius) {
        WayfareNearestWall wall{};
        ask(wayfare_query_nearest_wall(get(), place, radius, &wall));
        return wall.found ? std::optional<WayfareNearestWall>(wall) : std::nullopt;
    }
    std::vector<WayfareWall> walls(Place place) {
        return list<WayfareWall>([&](WayfareWall* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_walls(get(), place, out, capacity, count);
        });
    }
    std::vector<WayfareReached> around(Place place, float radius) {
        return list<WayfareReached>([&](WayfareReached* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_around(get(), place, radius, nullptr, 0, out, capacity, count);
        });
    }
    std::vector<std::uint64_t> neighbourhood(Place place, float radius) {
        return list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_neighbourhood(get(), place, radius, 0, out, capacity, count);
        });
    }
    std::vector<std::uint64_t> in_box(Box area) {
        return list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_in_box(get(), area, out, capacity, count);
        });
    }
    std::vector<Place> random(std::uint64_t& seed, std::size_t count) {
        std::vector<Place> places(count);
        const WayfareStatus status = wayfare_query_random(get(), &seed, places.data(), count, &count);
        try {
            ask(status);
        } catch (...) {
            // What it knows of the mesh by a filter that threw.
            wayfare_query_forget(get());
            throw;
        }
        places.resize(count);
        return places;
    }
    std::vector<Place> random_around(Place place, float radius, std::uint64_t& seed, std::size_t count) {
        std::vector<Place> places(count);
        ask(wayfare_query_random_around(get(), place, radius, &seed, places.data(), count, &count));
        places.resize(count);
        return places;
    }
    Paths straight_paths(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        WayfarePathBatch made{0};
        const WayfareStatus status = wayfare_query_straight_paths(get(), pairs.data(), pairs.size(), threads, &made);
        return paths_of(status, made);
    }
    Paths optimal_paths(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        WayfarePathBatch made{0};
        const WayfareStatus status = wayfare_query_optimal_paths(get(), pairs.data(), pairs.size(), threads, &made);
        return paths_of(status, made);
    }
    Paths bounded_paths(const CostBounds& bounds, const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        WayfarePathBatch made{0};
        const WayfareStatus status =
            wayfare_query_bounded_paths(get(), bounds.get(), pairs.data(), pairs.size(), threads, &made);
        return paths_of(status, made);
    }
    std::vector<WayfareRay> rays(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        std::vector<WayfareRay> rays(pairs.size());
        ask(wayfare_query_rays(get(), pairs.data(), pairs.size(), threads, rays.data()));
        return rays;
    }

    /// Throws what a callback of the filter threw, or what a call with this query says: an answer counts for nothing if a
    /// callback threw on the way to it. For C functions that have no method here.
    void ask(WayfareStatus status) const {
        filter_.rethrow();
        detail::check(status);
    }

private:
    /// What a call gives, unless a callback of the filter threw on the way to it.
    template <class Call> auto asked(Call call) const -> decltype(call()) {
        try {
            auto answer = call();
            filter_.rethrow();
            return answer;
        } catch (const Error&) {
            filter_.rethrow();
            throw;
        }
    }
    template <class T, class Ask> std::vector<T> list(Ask answer) const {
        return asked([&] { return detail::list<T>(answer); });
    }
    Path with_points(Path path) {
        path.points = detail::list<WayfarePathPoint>(
            [&](WayfarePathPoint* out, std::size_t capacity, std::size_t* count) {
                return wayfare_query_points(get(), out, capacity, count);
            },
            path.point_count);
        return path;
    }
    Paths paths_of(WayfareStatus status, WayfarePathBatch made) {
        const detail::Owned<WayfarePathBatch, wayfare_batch_free> batch(made);
        ask(status);
        Paths paths;
        paths.paths = detail::list<WayfarePath>([&](WayfarePath* out, std::size_t capacity, std::size_t* count) {
            return wayfare_batch_paths(batch.get(), out, capacity, count);
        });
        paths.points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_batch_points(batch.get(), out, capacity, count);
        });
        return paths;
    }

    Filter filter_;
};

/// An agent's path, kept up while both ends move.
class Corridor : public detail::Owned<WayfareCorridor, wayfare_corridor_free> {
public:
    Corridor(Query& query, Place place) { query.ask(wayfare_corridor_new(query.get(), place, out())); }
    /// Follows the query's last path.
    void follow(Query& query) { query.ask(wayfare_corridor_follow(get(), query.get())); }
    Vec3 move_start(Query& query, Vec3 to) {
        Vec3 now{};
        query.ask(wayfare_corridor_move_start(get(), query.get(), to, &now));
        return now;
    }
    Vec3 move_end(Query& query, Vec3 to) {
        Vec3 now{};
        query.ask(wayfare_corridor_move_end(get(), query.get(), to, &now));
        return now;
    }
    std::vector<WayfareCorner> corners(std::size_t limit) {
        return detail::list<WayfareCorner>([&](WayfareCorner* out, std::size_t capacity, std::size_t* count) {
            return wayfare_corridor_corners(get(), limit, out, capacity, count);
        });
    }
    float length() {
        float length = 0;
        detail::check(wayfare_corridor_length(get(), &length));
        return length;
    }
    WayfareRepair repair(Query& query, std::uint32_t look_ahead) {
        std::uint32_t repair = 0;
        query.ask(wayfare_corridor_repair(get(), query.get(), look_ahead, &repair));
        return static_cast<WayfareRepair>(repair);
    }
};

/// How paths are found.
class Planner : public detail::Owned<WayfarePlanner, wayfare_planner_free> {
public:
    explicit Planner(WayfarePlannerKind kind = WAYFARE_PLANNER_KIND_A_STAR) {
        detail::check(wayfare_planner_new(static_cast<std::uint32_t>(kind), out()));
    }
    /// One whose searches are guided by bounds.
    explicit Planner(const CostBounds& bounds) { detail::check(wayfare_planner_bounded(bounds.get(), out())); }
    /// Goes on with other bounds: those of the mesh as it is now.
    void set_bounds(const CostBounds& bounds) { detail::check(wayfare_planner_set_bounds(get(), bounds.get())); }
};

/// Parameters of an agent, begun with those of a size.
struct AgentParams : WayfareAgentParams {
    explicit AgentParams(float its_radius = 0.6F, float its_height = 2) : WayfareAgentParams{} {
        detail::check(wayfare_agent_params_of_size(its_radius, its_height, this, sizeof(WayfareAgentParams)));
    }
    AgentParams& avoid_by(WayfareAvoidanceMethod method) {
        detail::check(wayfare_avoidance_default(static_cast<std::uint32_t>(method), &avoidance, sizeof avoidance));
        return *this;
    }
};

/// Many agents.
class Crowd : public detail::Owned<WayfareCrowd, wayfare_crowd_free> {
public:
    Crowd() { detail::check(wayfare_crowd_new(nullptr, out())); }
    explicit Crowd(WayfareCrowd handle) noexcept : Owned(handle) {}
    explicit Crowd(const WayfareCrowdSettings& settings) { detail::check(wayfare_crowd_new(&settings, out())); }
    std::uint64_t add(const Mesh& mesh, Vec3 point, const AgentParams& params) {
        std::uint64_t agent = 0;
        const WayfareStatus status = wayfare_crowd_add(get(), mesh.get(), point, &params, &agent);
        try {
            ask(status);
        } catch (...) {
            if (status == WAYFARE_STATUS_OK) wayfare_crowd_remove(get(), agent);
            throw;
        }
        return agent;
    }
    /// The crowd that `save` saved, on the mesh that it was on, with the filters that were added to it, in their order.
    static Crowd load(const Bytes& bytes, const Mesh& mesh, std::vector<Filter> filters = {}) {
        std::vector<WayfareFilter> handles;
        for (const Filter& filter : filters) handles.push_back(filter.get());
        WayfareCrowd loaded{0};
        const WayfareStatus status =
            wayfare_crowd_load(bytes.data(), bytes.size(), mesh.get(), handles.data(), handles.size(), &loaded);
        Crowd crowd(loaded);
        crowd.filters_ = std::move(filters);
        crowd.ask(status);
        return crowd;
    }
    void remove(std::uint64_t agent) { detail::check(wayfare_crowd_remove(get(), agent)); }
    AgentParams params(std::uint64_t agent) const {
        AgentParams params;
        detail::check(wayfare_crowd_params(get(), agent, &params, sizeof(WayfareAgentParams)));
        return params;
    }
    void set_params(std::uint64_t agent, const AgentParams& params) {
        ask(wayfare_crowd_set_params(get(), agent, &params));
    }
    void go_to(const Mesh& mesh, std::uint64_t agent, Vec3 to) {
        ask(wayfare_crowd_go_to(get(), mesh.get(), agent, to));
    }
    void set_target(const Mesh& mesh, std::uint64_t agent, const WayfareTarget& target) {
        ask(wayfare_crowd_set_target(get(), mesh.get(), agent, &target));
    }
    void teleport(const Mesh& mesh, std::uint64_t agent, Vec3 to) {
        ask(wayfare_crowd_teleport(get(), mesh.get(), agent, to));
    }
    void pause(std::uint64_t agent, bool paused = true) { detail::check(wayfare_crowd_pause(get(), agent, paused)); }
    /// The number that `AgentParams` take.
    std::uint32_t add_filter(Filter filter) {
        std::uint32_t number = 0;
        detail::check(wayfare_crowd_add_filter(get(), filter.get(), &number));
        if (filter.has_callbacks()) filters_.push_back(std::move(filter));
        return number;
    }
    /// Puts another filter in the place of one: with `costs_only`, one that passes the same polygons.
    void set_filter(std::uint32_t number, Filter filter, bool costs_only = false) {
        // Kept before anything can throw; and searches may go on with the one before.
        if (filter.has_callbacks()) filters_.push_back(filter);
        ask(wayfare_crowd_set_filter(get(), number, filter.get(), costs_only));
    }
    /// Sets what agents walk around although the mesh does not contain it, in place of what was set before.
    void set_obstacles(const std::vector<WayfareGridObstacle>& obstacles) {
        detail::check(wayfare_crowd_set_obstacles(get(), obstacles.data(), obstacles.size()));
    }
    /// The numbers of the obstacles that no local path leads an agent around.
    std::vector<std::uint32_t> obstructed_by(std::uint64_t agent) const {
        return detail::list<std::uint32_t>([&](std::uint32_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_obstructed_by(get(), agent, out, capacity, count);
        });
    }
    /// Where an agent steers to get around obstacles.
    std::optional<Vec3> local_bend(std::uint64_t agent) const {
        std::uint32_t found = 0;
        Vec3 bend{};
        detail::check(wayfare_crowd_local_bend(get(), agent, &found, &bend));
        return found ? std::optional<Vec3>(bend) : std::nullopt;
    }
    void step(const Mesh& mesh, float dt, const Planner* planner = nullptr, Context* context = nullptr) {
        const WayfarePlanner by = planner ? planner->get() : WayfarePlanner{0};
        detail::with(context, [&](const WayfareContext* given) {
            const WayfareStatus status = wayfare_crowd_step(get(), mesh.get(), dt, by, given);
            rethrow();
            return status;
        });
    }
    WayfareAgent agent(std::uint64_t agent) const {
        WayfareAgent state{};
        detail::check(wayfare_crowd_agent(get(), agent, &state));
        return state;
    }
    std::vector<std::uint64_t> agents() const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_agents(get(), out, capacity, count);
        });
    }
    std::vector<Vec3> positions() const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_positions(get(), out, capacity, count);
        });
    }
    std::vector<Vec3> velocities() const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_velocities(get(), out, capacity, count);
        });
    }
    std::vector<WayfareEvent> events() const {
        return detail::list<WayfareEvent>([&](WayfareEvent* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_events(get(), out, capacity, count);
        });
    }
    Bytes save(const Mesh& mesh, const Planner* planner = nullptr) const {
        const WayfarePlanner by = planner ? planner->get() : WayfarePlanner{0};
        return detail::bytes([&](WayfareBytes* out) { return wayfare_crowd_save(get(), mesh.get(), by, out); });
    }

    /// Throws what a callback of its filters threw, or what a call with this crowd says. For C functions that have no
    /// method here.
    void ask(WayfareStatus status) const {
        rethrow();
        detail::check(status);
    }

private:
    void rethrow() const {
        std::exception_ptr first;
        for (const Filter& filter : filters_) {
            auto thrown = filter.take_thrown();
            if (!first) first = std::move(thrown);
        }
        if (first) std::rethrow_exception(first);
    }

    /// Those whose callbacks may be called.
    std::vector<Filter> filters_;
};

/// Obstacles in a level, and the rebuild of the tiles under them.
class Obstacles : public detail::Owned<WayfareObstacles, wayfare_obstacles_free> {
public:
    Obstacles(const Level& level, const BakeSettings& settings) {
        WayfareCheckpoints baked{0};
        detail::check(wayfare_checkpoints_bake(level.get(), &settings, nullptr, &baked));
        Checkpoints checkpoints(baked);
        detail::check(wayfare_obstacles_new(checkpoints.get(), out()));
    }
    explicit Obstacles(WayfareObstacles handle) noexcept : Owned(handle) {}
    explicit Obstacles(const Checkpoints& checkpoints) { detail::check(wayfare_obstacles_new(checkpoints.get(), out())); }
    std::uint64_t add(const WayfareVolume& volume, std::size_t* tiles = nullptr) {
        std::uint64_t obstacle = 0;
        detail::check(wayfare_obstacles_add(get(), &volume, &obstacle, tiles));
        return obstacle;
    }
    std::size_t move(std::uint64_t obstacle, Vec3 to) {
        std::size_t tiles = 0;
        detail::check(wayfare_obstacles_move(get(), obstacle, to, &tiles));
        return tiles;
    }
    std::size_t replace(std::uint64_t obstacle, const WayfareVolume& volume) {
        std::size_t tiles = 0;
        detail::check(wayfare_obstacles_replace(get(), obstacle, &volume, &tiles));
        return tiles;
    }
    std::size_t remove(std::uint64_t obstacle) {
        std::size_t tiles = 0;
        detail::check(wayfare_obstacles_remove(get(), obstacle, &tiles));
        return tiles;
    }
    std::size_t clear() {
        std::size_t tiles = 0;
        detail::check(wayfare_obstacles_clear(get(), &tiles));
        return tiles;
    }
    std::vector<std::uint64_t> list() const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_obstacles_list(get(), out, capacity, count);
        });
    }
    /// A copy of the checkpoints as they are now, to be saved with the obstacles.
    Checkpoints checkpoints() const {
        WayfareCheckpoints made{0};
        detail::check(wayfare_obstacles_checkpoints(get(), &made));
        return Checkpoints(made);
    }
    /// Rebuilds tiles for a budget, 0 for all; whether it is done.
    bool step(Mesh& mesh, std::uint64_t budget = 0, Context* context = nullptr) {
        std::uint64_t done = 0, total = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_obstacles_step(get(), mesh.get(), WayfareObjects{0}, budget, given, &done, &total);
        });
        return done == total;
    }
    /// All obstacles as bytes, without their checkpoints; numbers stay the same.
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_obstacles_save(get(), out); });
    }
    static Obstacles load(const Checkpoints& checkpoints, const Bytes& bytes) {
        WayfareObstacles loaded{0};
        detail::check(wayfare_obstacles_load(checkpoints.get(), bytes.data(), bytes.size(), &loaded));
        return Obstacles(loaded);
    }
    std::vector<WayfareRebuiltTile> rebuilt() const {
        return detail::list<WayfareRebuiltTile>([&](WayfareRebuiltTile* out, std::size_t capacity, std::size_t* count) {
            return wayfare_obstacles_rebuilt(get(), out, capacity, count);
        });
    }
};

/// A mesh that one thread edits while others read: each reader takes the newest.
class Shared : public detail::Owned<WayfareShared, wayfare_shared_free> {
public:
    explicit Shared(const Mesh& mesh) { detail::check(wayfare_shared_new(mesh.get(), out())); }
    /// A copy of the newest mesh, to be read, or edited and published.
    Mesh newest() const {
        WayfareMesh made{0};
        detail::check(wayfare_shared_newest(get(), &made));
        return Mesh(made);
    }
    /// Publishes an edited copy of the newest mesh. One of an older version throws WAYFARE_STATUS_OUTDATED, and nothing is
    /// published: take the newest, make the same changes, and publish that.
    void publish(const Mesh& mesh) { detail::check(wayfare_shared_publish(get(), mesh.get())); }
    /// Replaces the newest mesh, whatever it is: what others have changed in it is lost.
    void replace(const Mesh& mesh) { detail::check(wayfare_shared_replace(get(), mesh.get())); }
};

/// A level that changes, and the mesh that follows it: obstacles, solid objects and automatic links in one.
class LiveLevel : public detail::Owned<WayfareLiveLevel, wayfare_live_level_free> {
public:
    /// Nothing is baked yet: the first steps bake the tiles under the level. A change bakes the tiles that it touches: give
    /// the settings a `tile_size`. `links` are the rules of drops, jumps and climbs that are kept up, if any.
    LiveLevel(const Level& level, const BakeSettings& settings, const WayfareLinkSettings* links = nullptr) {
        detail::check(wayfare_live_level_new(level.get(), &settings, links, out()));
    }
    /// Of a mesh alone: only connections, areas and flags can change in it.
    explicit LiveLevel(const Mesh& mesh) {
        detail::check(wayfare_live_level_stored(mesh.get(), WayfareObstacles{0}, WayfareLevel{0}, nullptr, out()));
    }
    /// Of a mesh that was baked before, what its tiles are built anew from, and the level that it was baked from, which
    /// objects and links need.
    LiveLevel(const Mesh& mesh, const Obstacles& obstacles, const Level* level = nullptr,
              const WayfareLinkSettings* links = nullptr) {
        const WayfareLevel from = level ? level->get() : WayfareLevel{0};
        detail::check(wayfare_live_level_stored(mesh.get(), obstacles.get(), from, links, out()));
    }
    /// A copy of the mesh as far as it has followed.
    Mesh mesh() const {
        WayfareMesh made{0};
        detail::check(wayfare_live_level_mesh(get(), &made));
        return Mesh(made);
    }
    /// Goes on with an edited copy of its mesh: for connections, areas, flags and rules. A copy from before its last change
    /// throws WAYFARE_STATUS_OUTDATED.
    void set_mesh(const Mesh& mesh) { detail::check(wayfare_live_level_set_mesh(get(), mesh.get())); }
    std::vector<std::uint64_t> list_obstacles() const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_live_level_list_obstacles(get(), out, capacity, count);
        });
    }
    /// A copy of its obstacles, to be saved; none (false) for a mesh without.
    Obstacles obstacles() const {
        WayfareObstacles made{0};
        detail::check(wayfare_live_level_obstacles(get(), &made));
        return Obstacles(made);
    }
    /// The automatic links that are in the mesh.
    std::vector<WayfareLink> links() const {
        return detail::list<WayfareLink>([&](WayfareLink* out, std::size_t capacity, std::size_t* count) {
            return wayfare_live_level_links(get(), out, capacity, count);
        });
    }
    std::uint64_t add_obstacle(const WayfareVolume& volume) {
        std::uint64_t obstacle = 0;
        detail::check(wayfare_live_level_add_obstacle(get(), &volume, &obstacle));
        return obstacle;
    }
    void move_obstacle_by(std::uint64_t obstacle, Vec3 by) {
        detail::check(wayfare_live_level_move_obstacle_by(get(), obstacle, by));
    }
    void replace_obstacle(std::uint64_t obstacle, const WayfareVolume& volume) {
        detail::check(wayfare_live_level_replace_obstacle(get(), obstacle, &volume));
    }
    void remove_obstacle(std::uint64_t obstacle) { detail::check(wayfare_live_level_remove_obstacle(get(), obstacle)); }
    /// Places the triangles of a level: they can be walked on, and are in the way.
    std::uint64_t add_object(const Level& shape, Vec3 at) {
        std::uint64_t object = 0;
        detail::check(wayfare_live_level_add_object(get(), shape.get(), at, &object));
        return object;
    }
    void move_object(std::uint64_t object, Vec3 to) { detail::check(wayfare_live_level_move_object(get(), object, to)); }
    void remove_object(std::uint64_t object) { detail::check(wayfare_live_level_remove_object(get(), object)); }
    /// Replaces the triangles that are not objects; only tiles under those that came or went are baked anew.
    void replace_triangles(const Level& level) {
        detail::check(wayfare_live_level_replace_triangles(get(), level.get()));
    }
    /// Replaces the height map by that of another level, or takes it away if that has none; only tiles under points whose
    /// height is another are baked anew.
    void replace_terrain(const Level& level) { detail::check(wayfare_live_level_replace_terrain(get(), level.get())); }
    /// Says in its mesh which tiles will be built anew, so that those who walk on them learn of it before.
    void announce() { detail::check(wayfare_live_level_announce(get())); }
    /// Follows the changes for a budget, 0 for all of them; gives how far it is.
    WayfareLiveProgress step(std::uint64_t budget = 0, Context* context = nullptr) {
        WayfareLiveProgress progress{};
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_live_level_step(get(), budget, given, &progress);
        });
        return progress;
    }
    WayfareLiveProgress progress() const {
        WayfareLiveProgress progress{};
        detail::check(wayfare_live_level_progress(get(), &progress));
        return progress;
    }
    /// The tiles that the last step rebuilt.
    std::vector<WayfareRebuiltTile> rebuilt() const {
        return detail::list<WayfareRebuiltTile>([&](WayfareRebuiltTile* out, std::size_t capacity, std::size_t* count) {
            return wayfare_live_level_rebuilt(get(), out, capacity, count);
        });
    }
};

/// A mesh cut for wider agents.
class Clearance : public detail::Owned<WayfareClearance, wayfare_clearance_free> {
public:
    Clearance(const Mesh& mesh, float radius, const Filter& filter = {}) {
        const WayfareStatus status = wayfare_clearance_new(mesh.get(), radius, filter.get(), out());
        filter.rethrow();
        detail::check(status);
    }
    Mesh mesh() const {
        WayfareMesh made{0};
        detail::check(wayfare_clearance_mesh(get(), &made));
        return Mesh(made);
    }
};

/// A store of which some tiles are in memory: the others are read when a path needs them. Only one thread at a time may use
/// it, even where a method is `const`.
class World : public detail::Owned<WayfareWorld, wayfare_world_free> {
public:
    /// So many tiles are in memory at most; 0 for no limit.
    explicit World(const std::string& path, std::size_t max_tiles = 0) {
        detail::check(wayfare_world_open(path.c_str(), max_tiles, 0, 0, out()));
    }
    std::uint32_t prefetch(Vec3 center, float radius) {
        std::uint32_t loaded = 0;
        detail::check(wayfare_world_prefetch(get(), center, radius, &loaded));
        return loaded;
    }
    Route path(Vec3 from, Vec3 to) {
        WayfarePath path{};
        detail::check(wayfare_world_path(get(), from, to, &path));
        auto points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_world_points(get(), out, capacity, count);
        });
        return Route{static_cast<WayfarePathStatus>(path.status), std::move(points)};
    }
    std::optional<Place> nearest(Vec3 point) {
        Place place{};
        detail::check(wayfare_world_nearest(get(), point, &place));
        return place.poly ? std::optional<Place>(place) : std::nullopt;
    }
    /// Sets the flags of a polygon whose tile is in memory; they are kept while it is not.
    void set_flags(std::uint64_t poly, std::uint32_t flags) {
        detail::check(wayfare_world_set_poly_flags(get(), poly, flags));
    }
    /// What has changed in it, without the tiles themselves.
    Bytes save_changes() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_world_save_changes(get(), out); });
    }
    void load_changes(const Bytes& bytes) {
        detail::check(wayfare_world_load_changes(get(), bytes.data(), bytes.size()));
    }
    WayfareWorldStats stats() const {
        WayfareWorldStats stats{};
        detail::check(wayfare_world_stats(get(), &stats));
        return stats;
    }
};

/// Paths over tiles first.
class Hierarchy : public detail::Owned<WayfareHierarchy, wayfare_hierarchy_free> {
public:
    explicit Hierarchy(const Mesh& mesh) { detail::check(wayfare_hierarchy_new(mesh.get(), out())); }
    void update(const Mesh& mesh) { detail::check(wayfare_hierarchy_update(get(), mesh.get(), nullptr)); }
    Path path(Query& query, Place from, Place to) {
        Path path{};
        query.ask(wayfare_hierarchy_path(get(), query.get(), from, to, &path));
        path.points = detail::list<WayfarePathPoint>([&](WayfarePathPoint* out, std::size_t capacity, std::size_t* count) {
            return wayfare_hierarchy_points(get(), out, capacity, count);
        });
        return path;
    }
};

/// Where the blocks of a world are.
class Blocks : public detail::Owned<WayfareBlocks, wayfare_blocks_free> {
public:
    Blocks() { detail::check(wayfare_blocks_new(out())); }
    void fill(WayfareBlockBox area, WayfareBlock block) {
        detail::check(wayfare_blocks_fill(get(), area, static_cast<std::uint32_t>(block)));
    }
};

/// A path through blocks.
struct BlockRoute : WayfareBlockPath {
    std::vector<Vec3> points;
};

/// Paths in a world of blocks.
class BlockNav : public detail::Owned<WayfareBlockNav, wayfare_block_nav_free> {
public:
    BlockNav() { detail::check(wayfare_block_nav_new(nullptr, out())); }
    void invalidate(WayfareBlockBox area) { detail::check(wayfare_block_nav_invalidate(get(), area)); }
    BlockRoute path(const Blocks& blocks, WayfareCell start, WayfareCell goal) {
        BlockRoute route{};
        detail::check(wayfare_block_nav_path(get(), blocks.get(), start, WayfareBlockBox{goal, goal}, 0, &route));
        route.points = points();
        return route;
    }
    /// Asks for a path that `update` searches: its number.
    std::uint64_t ask(WayfareCell start, WayfareBlockBox goal) {
        std::uint64_t number = 0;
        detail::check(wayfare_block_nav_ask(get(), start, goal, &number));
        return number;
    }
    /// Searches on for all that was asked, for so many nodes.
    void update(const Blocks& blocks, std::uint64_t budget) {
        detail::check(wayfare_block_nav_update(get(), blocks.get(), budget));
    }
    /// The next answer with the number of its request; nothing if none is ready.
    std::optional<std::pair<std::uint64_t, BlockRoute>> take() {
        std::uint64_t number = 0;
        BlockRoute route{};
        detail::check(wayfare_block_nav_take(get(), &number, &route));
        if (number == 0) return std::nullopt;
        route.points = points();
        return std::make_pair(number, std::move(route));
    }

private:
    std::vector<Vec3> points() const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_block_nav_points(get(), out, capacity, count);
        });
    }
};

/// Where a walk through blocks is.
struct BlockMove {
    Vec3 now;
    /// Where to go next.
    Vec3 target;
    bool arrived;
};

/// A walk through blocks that keeps up with changes. It belongs to the navigation that it was begun with.
class BlockWalk : public detail::Owned<WayfareBlockWalk, wayfare_block_walk_free> {
public:
    /// Begins a walk with its path; nothing if there is no block to stand on near its start.
    static std::optional<BlockWalk> begin(BlockNav& nav, const Blocks& blocks, Vec3 at, WayfareBlockBox goal) {
        WayfareBlockWalk made{0};
        detail::check(wayfare_block_walk_new(nav.get(), blocks.get(), at, goal, &made));
        return made.id ? std::optional<BlockWalk>(BlockWalk(made)) : std::nullopt;
    }
    /// The same without a search: it stays where it is until it follows a path that it has asked for.
    static std::optional<BlockWalk> without_path(const BlockNav& nav, const Blocks& blocks, Vec3 at, WayfareBlockBox goal) {
        WayfareBlockWalk made{0};
        detail::check(wayfare_block_walk_without_path(nav.get(), blocks.get(), at, goal, &made));
        return made.id ? std::optional<BlockWalk>(BlockWalk(made)) : std::nullopt;
    }
    /// Puts a request into the navigation's queue if the walk needs a path and waits for none: its number, or 0.
    std::uint64_t ask(BlockNav& nav, const Blocks& blocks) {
        std::uint64_t number = 0;
        detail::check(wayfare_block_walk_ask(get(), nav.get(), blocks.get(), &number));
        return number;
    }
    /// Follows the path that `BlockNav::take` has just given for its request.
    void follow(const BlockNav& nav) { detail::check(wayfare_block_walk_follow(get(), nav.get())); }
    /// Walks to a point, as far as blocks allow, without a search.
    BlockMove move(const BlockNav& nav, const Blocks& blocks, Vec3 to) {
        return moved([&](Vec3* now, Vec3* target, std::uint32_t* arrived) {
            return wayfare_block_walk_move(get(), nav.get(), blocks.get(), to, now, target, arrived);
        });
    }
    /// The same, and searches at once what has changed.
    BlockMove step(BlockNav& nav, const Blocks& blocks, Vec3 to) {
        return moved([&](Vec3* now, Vec3* target, std::uint32_t* arrived) {
            return wayfare_block_walk_step(get(), nav.get(), blocks.get(), to, now, target, arrived);
        });
    }

private:
    explicit BlockWalk(WayfareBlockWalk handle) noexcept : Owned(handle) {}
    template <class Ask> static BlockMove moved(Ask ask) {
        BlockMove move{};
        std::uint32_t arrived = 0;
        detail::check(ask(&move.now, &move.target, &arrived));
        move.arrived = arrived != 0;
        return move;
    }
};

/// A small grid that follows an agent.
class Grid : public detail::Owned<WayfareGrid, wayfare_grid_free> {
public:
    Grid(std::uint32_t size, float cell_size) { detail::check(wayfare_grid_new(size, cell_size, out())); }
    void recenter(Vec3 center) { detail::check(wayfare_grid_recenter(get(), center)); }
    void block(const std::vector<WayfareGridObstacle>& obstacles, float radius) {
        detail::check(wayfare_grid_block(get(), obstacles.data(), obstacles.size(), radius));
    }
    /// Blocks a cell, or frees it.
    void set_blocked(std::uint32_t x, std::uint32_t z, bool blocked = true) {
        detail::check(wayfare_grid_set_blocked(get(), x, z, blocked));
    }
    Route path(Vec3 from, Vec3 to) {
        std::uint32_t status = 0;
        auto points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_grid_path(get(), from, to, &status, out, capacity, count);
        });
        return Route{static_cast<WayfarePathStatus>(status), std::move(points)};
    }
};

} // namespace wayfare

#endif
