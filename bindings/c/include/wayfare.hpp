// Wayfare for C++17: classes over wayfare.h that free what they hold, return values, and throw wayfare::Error.
//
// Each class holds one handle and can be moved, not copied; get() gives the handle, for C functions that have no method
// here, and each can be made of a handle, which it then frees. Threads: as wayfare.h says. An exception that a callback
// throws is caught before it reaches the library, and thrown again from the call that ran the callback; where several calls
// had answers of a filter meanwhile that were none, each throws it.
#ifndef WAYFARE_HPP
#define WAYFARE_HPP

#include "wayfare.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
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
    /// The name of its status, such as "dead handle".
    const char* name() const noexcept { return wayfare_status_name(static_cast<std::uint32_t>(status_)); }

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

/// The list that a function gives of an object.
template <class Handle, class T>
std::vector<T> list(Handle handle, WayfareStatus (*read)(Handle, T*, std::size_t, std::size_t*), std::size_t guess = 32) {
    return list<T>(
        [&](T* out, std::size_t capacity, std::size_t* count) { return read(handle, out, capacity, count); }, guess);
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
    if (made.id == 0) return {};
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

/// Counts the answers of all callbacks that were none, because one threw: a call notes the count before it begins, and
/// knows then which of them were given while it ran.
inline std::atomic<std::uint64_t> moments{0};

inline std::uint64_t moment() noexcept { return moments.load(); }

/// The last exception that callbacks threw, and when they gave the last answer that was none.
class Thrown {
public:
    void keep() noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        last_ = std::current_exception();
        refuses_ = true;
        at_ = ++moments;
    }
    /// Whether nothing is asked any more, since a call that is running will throw. So will whoever hears this.
    bool refuses() noexcept {
        if (!refuses_) return false;
        std::lock_guard<std::mutex> lock(mutex_);
        if (refuses_) at_ = ++moments;
        return refuses_;
    }
    /// What was thrown since a moment, which is then over: the next call asks again.
    std::exception_ptr since(std::uint64_t moment) noexcept {
        std::lock_guard<std::mutex> lock(mutex_);
        if (at_ <= moment) return nullptr;
        refuses_ = false;
        return last_;
    }
    void rethrow_since(std::uint64_t moment) {
        if (auto thrown = since(moment)) std::rethrow_exception(thrown);
    }

private:
    std::mutex mutex_;
    std::exception_ptr last_;
    std::atomic<bool> refuses_{false};
    std::uint64_t at_ = 0;
};

} // namespace detail

/// The version of the library: 1000000 · major + 1000 · minor + patch.
inline std::uint32_t library_version() noexcept { return wayfare_version(); }

/// How many objects are not freed.
inline std::size_t live_handles() {
    std::size_t count = 0;
    detail::check(wayfare_live_handles(&count));
    return count;
}

/// A point that is looked up on the mesh.
inline Place at(Vec3 point) noexcept { return Place{0, point}; }
inline Place at(float x, float y, float z) noexcept { return Place{0, Vec3{x, y, z}}; }

/// Points of another engine in this library's axes and unit, in their place; and back.
inline void points_in(WayfareFrame frame, std::vector<Vec3>& points) {
    detail::check(wayfare_frame_points_in(frame, points.data(), points.size()));
}
inline void points_out(WayfareFrame frame, std::vector<Vec3>& points) {
    detail::check(wayfare_frame_points_out(frame, points.data(), points.size()));
}

/// References of polygons and tiles as text, such as `s1:t0:p5` and `s1:t0`, and back.
inline std::string poly_to_text(std::uint64_t poly) {
    return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
        return wayfare_poly_to_text(poly, out, capacity, length);
    });
}
inline std::uint64_t poly_from_text(const std::string& text) {
    std::uint64_t poly = 0;
    detail::check(wayfare_poly_from_text(text.c_str(), &poly));
    return poly;
}
inline std::string tile_to_text(std::uint64_t tile) {
    return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
        return wayfare_tile_to_text(tile, out, capacity, length);
    });
}
inline std::uint64_t tile_from_text(const std::string& text) {
    std::uint64_t tile = 0;
    detail::check(wayfare_tile_from_text(text.c_str(), &tile));
    return tile;
}

/// The corners of the convex hull of points on the plane, as indices.
inline std::vector<std::uint32_t> convex_hull(const std::vector<Vec2>& points) {
    return detail::list<std::uint32_t>([&](std::uint32_t* out, std::size_t capacity, std::size_t* count) {
        return wayfare_convex_hull(points.data(), points.size(), out, capacity, count);
    });
}
/// The triangles of the convex hull of points in space, as indices.
inline std::vector<std::uint32_t> convex_hull(const std::vector<Vec3>& points) {
    return detail::list<std::uint32_t>([&](std::uint32_t* out, std::size_t capacity, std::size_t* count) {
        return wayfare_convex_hull3(points.data(), points.size(), out, capacity, count);
    });
}

/// A moment in the life of a mesh.
class Version : public detail::Owned<WayfareVersion, wayfare_version_free> {
public:
    using Owned::Owned;
};

/// What a bake warns of.
struct Warning : WayfareWarning {
    std::string name;
    /// Where, as far as places were kept.
    std::vector<Vec3> places;
};

/// What a bake did, counted, timed, and what it warns of.
class Report : public detail::Owned<WayfareReport, wayfare_report_free> {
public:
    using Owned::Owned;
    WayfareBakeStats stats() const {
        WayfareBakeStats stats{};
        detail::check(wayfare_report_stats(get(), &stats));
        return stats;
    }
    /// The stages with the seconds that each took; 0 unless the context asked for times.
    std::vector<std::pair<std::string, double>> stages() const {
        std::vector<std::pair<std::string, double>> stages;
        for (std::uint32_t i = 0; i < 10; i++) {
            char name[64];
            double seconds = 0;
            detail::check(wayfare_report_stage(get(), i, &seconds, name, sizeof name));
            stages.emplace_back(name, seconds);
        }
        return stages;
    }
    std::vector<Warning> warnings() const {
        const auto found = detail::list(get(), wayfare_report_warnings);
        std::vector<Warning> warnings;
        for (std::size_t i = 0; i < found.size(); i++) {
            Warning warning{};
            static_cast<WayfareWarning&>(warning) = found[i];
            warning.name = detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
                return wayfare_report_warning_name(get(), i, out, capacity, length);
            });
            warning.places = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
                return wayfare_report_warning_places(get(), i, out, capacity, count);
            });
            warnings.push_back(std::move(warning));
        }
        return warnings;
    }
};

/// Lets one thread cancel the work of another.
class Cancel : public detail::Owned<WayfareCancel, wayfare_cancel_free> {
public:
    using Owned::Owned;
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
        const auto before = detail::moment();
        const WayfareStatus status = call(&context_);
        thrown_.rethrow_since(before);
        detail::check(status);
    }

private:
    static std::int32_t on_progress(void* user, std::uint64_t done, std::uint64_t total) noexcept {
        auto* self = static_cast<Context*>(user);
        try {
            return !self->thrown_.refuses() && self->progress(done, total) ? 0 : 1;
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

/// Which links are found automatically, begun with what an agent of the bake's settings can do.
struct LinkSettings : WayfareLinkSettings {
    explicit LinkSettings(const BakeSettings& settings) : WayfareLinkSettings{} {
        detail::check(wayfare_link_settings_for_agent(&settings, this, sizeof(WayfareLinkSettings)));
    }
};

/// How a query asks, begun with what is usual.
struct QuerySettings : WayfareQuerySettings {
    QuerySettings() : WayfareQuerySettings{} {
        detail::check(wayfare_query_settings_default(this, sizeof(WayfareQuerySettings)));
    }
};

/// Settings of a whole crowd, begun with what is usual.
struct CrowdSettings : WayfareCrowdSettings {
    CrowdSettings() : WayfareCrowdSettings{} {
        detail::check(wayfare_crowd_settings_default(this, sizeof(WayfareCrowdSettings)));
    }
};

/// Who walks in a world of blocks, begun with what is usual.
struct BlockSettings : WayfareBlockSettings {
    BlockSettings() : WayfareBlockSettings{} {
        detail::check(wayfare_block_settings_default(this, sizeof(WayfareBlockSettings)));
    }
};

/// How agents avoid each other, begun with what is usual for a method.
struct Avoidance : WayfareAvoidance {
    explicit Avoidance(WayfareAvoidanceMethod by) : WayfareAvoidance{} {
        detail::check(wayfare_avoidance_default(static_cast<std::uint32_t>(by), this, sizeof(WayfareAvoidance)));
    }
    /// The velocity of an agent among others and walls.
    Vec2 velocity(const WayfareAvoider& agent, const std::vector<WayfareAvoider>& others,
                  const std::vector<WayfareFlatWall>& walls = {}) const {
        Vec2 velocity{};
        detail::check(wayfare_avoid(this, &agent, others.data(), others.size(), walls.data(), walls.size(), &velocity));
        return velocity;
    }
};

/// An off-mesh connection that plain filters pass: one of all 0 would be used by no path.
struct Connection : WayfareConnection {
    Connection(Vec3 its_start, Vec3 its_end, float its_radius = 0.6F, bool both_ways = true) : WayfareConnection{} {
        start = its_start;
        end = its_end;
        radius = its_radius;
        two_way = both_ways;
        area = 63;
        flags = 1;
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
/// The inside of the triangles of a closed level, moved; the level must live until the volume is used.
inline WayfareVolume inside(WayfareLevel mesh, Vec3 moved_by = {}) {
    WayfareVolume made{};
    made.shape = WAYFARE_SHAPE_MESH;
    made.mesh = mesh;
    made.center = moved_by;
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
    using Owned::Owned;
    Level() { detail::check(wayfare_level_new(out())); }
    /// Reads a file, whose kind the ending of its name tells. Files that it names are looked for in its folder.
    static Level load_file(const std::string& path) {
        const std::size_t slash = path.find_last_of("/\\");
        const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
        return from_file(path.substr(slash + 1), detail::read_file(path), folder.c_str());
    }
    /// The same of its bytes. Without a folder it may name no files.
    static Level from_file(const std::string& name, const Bytes& bytes, const char* folder = nullptr) {
        WayfareLevel read{0};
        detail::check(wayfare_level_from_file(name.c_str(), bytes.data(), bytes.size(), folder, &read));
        return Level(read);
    }
    void add_triangles(const std::vector<Vec3>& verts, const std::vector<std::uint32_t>& indices,
                       const std::vector<std::uint8_t>& areas = {}) {
        const WayfareTriangles triangles{verts.data(),   verts.size(), indices.data(),
                                         indices.size(), areas.data(), areas.size()};
        detail::check(wayfare_level_add_triangles(get(), &triangles));
    }
    /// The same of another engine's triangles.
    void add_triangles_in(WayfareFrame frame, const std::vector<Vec3>& verts, const std::vector<std::uint32_t>& indices,
                          const std::vector<std::uint8_t>& areas = {}) {
        const WayfareTriangles triangles{verts.data(),   verts.size(), indices.data(),
                                         indices.size(), areas.data(), areas.size()};
        detail::check(wayfare_level_add_triangles_in(get(), frame, &triangles));
    }
    void set_heights(const WayfareHeights& heights) { detail::check(wayfare_level_set_heights(get(), &heights)); }
    void add_volume(const WayfareVolume& volume) { detail::check(wayfare_level_add_volume(get(), &volume)); }
    void clear_volumes() { detail::check(wayfare_level_clear_volumes(get())); }
    /// Turns all triangles that it has, such as those of a file, from another engine's axes and unit. It may have nothing else.
    void in_frame(WayfareFrame frame) { detail::check(wayfare_level_in_frame(get(), frame)); }
    WayfareLevelReport report() const {
        WayfareLevelReport report{};
        detail::check(wayfare_level_report(get(), &report));
        return report;
    }
    /// The off-mesh connections of its file, for `Mesh::add_connection`.
    std::vector<WayfareConnection> connections() const {
        return detail::list(get(), wayfare_level_connections);
    }
    /// Which points lie inside closed bodies, where no agent can be: 1 or 0 for each.
    std::vector<std::uint8_t> inside_bodies(const std::vector<Vec3>& points) const {
        std::vector<std::uint8_t> inside(points.size());
        detail::check(wayfare_level_inside_bodies(get(), points.data(), points.size(), inside.data()));
        return inside;
    }
};

/// Why the places of a level can or cannot be walked on.
class ExplainMap : public detail::Owned<WayfareExplainMap, wayfare_explain_free> {
public:
    using Owned::Owned;
    /// Explains a whole level.
    explicit ExplainMap(const Level& level, const BakeSettings& settings = {}, Context* context = nullptr) {
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_explain_level(level.get(), &settings, given, out());
        });
    }
    /// Explains the surroundings of a point: much faster.
    static ExplainMap around(const Level& level, const BakeSettings& settings, Vec3 point) {
        WayfareExplainMap made{0};
        detail::check(wayfare_explain_around(level.get(), &settings, point, &made));
        return ExplainMap(made);
    }
    /// Nothing outside of what was explained.
    std::optional<WayfareExplanation> at(Vec3 point) const {
        std::uint32_t found = 0;
        WayfareExplanation explanation{};
        detail::check(wayfare_explain_at(get(), point, &found, &explanation));
        return found ? std::optional<WayfareExplanation>(explanation) : std::nullopt;
    }
    /// The reason by name, or in a sentence.
    std::string text(Vec3 point, bool whole = false) const {
        return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_explain_text(get(), point, whole, out, capacity, length);
        });
    }
};

class Mesh;

namespace detail {

/// What the callbacks of a filter need. It lives as long as the library may call them.
struct FilterState {
    std::function<bool(std::uint64_t poly, std::uint32_t area, std::uint32_t flags)> passes;
    std::function<float(const WayfareCrossing&)> cost;
    Thrown thrown;
};

/// The filters with callbacks that an object took, as long as the library keeps them.
class FilterStates {
public:
    void add(const std::shared_ptr<FilterState>& state) {
        if (!state) return;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < states_.size(); i++) {
            const auto other = states_[i].lock();
            if (!other || other == state) continue;
            std::swap(states_[kept++], states_[i]);
        }
        states_.resize(kept);
        states_.push_back(state);
    }
    std::size_t size() const noexcept { return states_.size(); }
    /// Runs a C call, and throws what a callback threw, or else what the call says.
    template <class Call> void ask(Call call) const {
        // Held over the call, which may let go of one that threw.
        std::vector<std::shared_ptr<FilterState>> asked;
        for (const auto& state : states_) {
            if (auto alive = state.lock()) asked.push_back(std::move(alive));
        }
        const auto before = moment();
        const WayfareStatus status = call();
        std::exception_ptr first;
        for (const auto& state : asked) {
            auto thrown = state->thrown.since(before);
            if (!first) first = std::move(thrown);
        }
        if (first) std::rethrow_exception(first);
        check(status);
    }

private:
    std::vector<std::weak_ptr<FilterState>> states_;
};

} // namespace detail

/// A filter. Copies are the same filter.
class Filter {
public:
    using Passes = std::function<bool(std::uint64_t poly, std::uint32_t area, std::uint32_t flags)>;
    using Cost = std::function<float(const WayfareCrossing&)>;

    /// None: the mesh's own costs, and all flags. Nothing can be changed in it, or put on top of it.
    Filter() = default;
    /// A filter of C, which is freed with the last copy.
    explicit Filter(WayfareFilter handle) : handle_(std::make_shared<Handle>(handle)) {}
    /// With the costs of a mesh, and flags of which a polygon must have one and must have none.
    inline explicit Filter(const Mesh& mesh, std::uint32_t include = 0xFFFF, std::uint32_t exclude = 0);

    /// A filter of one's own; either function may be empty. The functions live as long as anything that may call them.
    /// `least_cost` and `most_cost` are what a metre costs; with `by_state` area type and flags alone decide.
    static Filter of(Passes passes, Cost cost, float least_cost = 1,
                     float most_cost = std::numeric_limits<float>::infinity(), bool by_state = false) {
        auto state = std::make_shared<State>();
        state->passes = std::move(passes);
        state->cost = std::move(cost);
        WayfareFilterCallbacks callbacks{};
        detail::check(wayfare_filter_callbacks_default(&callbacks, sizeof callbacks));
        callbacks.least_cost = least_cost;
        callbacks.most_cost = most_cost;
        callbacks.by_state = by_state;
        callbacks.passes = state->passes ? &Filter::on_passes : nullptr;
        callbacks.cost = state->cost ? &Filter::on_cost : nullptr;
        callbacks.release = &Filter::on_release;
        // The library's own share, which it gives back once nothing calls any more.
        auto share = std::make_unique<std::shared_ptr<State>>(state);
        callbacks.user = share.get();
        WayfareFilter made{0};
        detail::check(wayfare_filter_from_callbacks(&callbacks, &made));
        share.release();
        Filter filter(made);
        if (state->passes || state->cost) filter.state_ = std::move(state);
        return filter;
    }
    /// Changes this filter and its copies, but nothing that has taken it.
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
    WayfareFilter get() const noexcept { return handle_ ? handle_->get() : WayfareFilter{0}; }
    bool has_callbacks() const noexcept { return static_cast<bool>(state_); }

    /// Runs a C call that asks this filter; throws what a callback threw meanwhile, or else what the call says.
    template <class Call> void ask(Call call) const {
        const auto before = detail::moment();
        const WayfareStatus status = call();
        rethrow_since(before);
        detail::check(status);
    }
    /// Throws what its callbacks threw since `detail::moment()` gave that.
    void rethrow_since(std::uint64_t moment) const {
        if (state_) state_->thrown.rethrow_since(moment);
    }

private:
    friend class Crowd;
    friend class Queue;
    using Handle = detail::Owned<WayfareFilter, wayfare_filter_free>;
    using State = detail::FilterState;

    static State& state_of(void* user) noexcept { return **static_cast<std::shared_ptr<State>*>(user); }
    static std::uint32_t on_passes(void* user, std::uint64_t poly, std::uint32_t area, std::uint32_t flags) noexcept {
        State& state = state_of(user);
        try {
            return !state.thrown.refuses() && state.passes(poly, area, flags);
        } catch (...) {
            state.thrown.keep();
            return 0;
        }
    }
    static float on_cost(void* user, const WayfareCrossing* crossing) noexcept {
        State& state = state_of(user);
        try {
            return state.thrown.refuses() ? -1 : state.cost(*crossing);
        } catch (...) {
            state.thrown.keep();
            return -1;
        }
    }
    static void on_release(void* user) noexcept { delete static_cast<std::shared_ptr<State>*>(user); }
    Filter on_top(WayfareFilter made) const {
        Filter filter(made);
        filter.state_ = state_;
        return filter;
    }

    std::shared_ptr<Handle> handle_;
    std::shared_ptr<State> state_;
};

/// Costs that change by place.
class Overlay : public detail::Owned<WayfareOverlay, wayfare_overlay_free> {
public:
    using Owned::Owned;
    /// `half_life` is the ticks after which costs are half as high, 0 for never; a size of 0 stands for what is usual.
    explicit Overlay(std::uint32_t half_life = 0, float cell_size = 0, float cell_height = 0, std::uint32_t max_cells = 0) {
        detail::check(wayfare_overlay_new(cell_size, cell_height, half_life, max_cells, out()));
    }
    static Overlay load(const Bytes& bytes) {
        WayfareOverlay loaded{0};
        detail::check(wayfare_overlay_load(bytes.data(), bytes.size(), &loaded));
        return Overlay(loaded);
    }
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_overlay_save(get(), out); });
    }
    void paint_outline(const std::vector<Vec2>& corners, float min_y, float max_y, float cost) {
        detail::check(wayfare_overlay_paint_outline(get(), corners.data(), corners.size(), min_y, max_y, cost));
    }
    float cost_at(Vec3 point) const {
        float cost = 0;
        detail::check(wayfare_overlay_cost_at(get(), point, &cost));
        return cost;
    }
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
    using Owned::Owned;
    Mesh() = default;

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
    /// A mesh for each of the settings of several agents, baked at once.
    static std::vector<Mesh> bake_agents(const Level& level, const std::vector<BakeSettings>& settings,
                                         Context* context = nullptr) {
        static_assert(sizeof(BakeSettings) == sizeof(WayfareBakeSettings), "they stand one after the other");
        std::vector<WayfareMesh> made(settings.size(), WayfareMesh{0});
        std::vector<Mesh> meshes;
        const auto own = [&] { for (WayfareMesh mesh : made) meshes.emplace_back(mesh); };
        try {
            detail::with(context, [&](const WayfareContext* given) {
                return wayfare_bake_agents(level.get(), settings.data(), settings.size(), given, made.data());
            });
        } catch (...) {
            own();
            throw;
        }
        own();
        return meshes;
    }
    static Mesh from_polygons(const WayfarePolygons& polygons) {
        WayfareMesh mesh{0};
        detail::check(wayfare_mesh_from_polygons(&polygons, &mesh));
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
        return detail::list(get(), wayfare_mesh_tiles);
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
    /// The surface, three points for each triangle: of one tile, or of all with 0.
    std::vector<Vec3> triangles(std::uint64_t tile = 0) const {
        return detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_triangles(get(), tile, out, nullptr, capacity, count);
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
    /// All off-mesh connections.
    std::vector<std::uint64_t> connections() const {
        return detail::list(get(), wayfare_mesh_connections);
    }
    /// One of them, and whether both of its ends are on the mesh now.
    std::pair<WayfareConnection, bool> connection(std::uint64_t reference) const {
        WayfareConnection connection{};
        std::uint32_t linked = 0;
        detail::check(wayfare_mesh_connection(get(), reference, &connection, &linked));
        return {connection, linked != 0};
    }
    /// Finds drops, jumps and climbs, and adds them.
    std::vector<WayfareLink> find_links(const Level& level, const BakeSettings& settings, const WayfareLinkSettings& rules,
                                        Context* context = nullptr) {
        std::size_t added = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_mesh_find_links(get(), level.get(), &settings, &rules, given, &added);
        });
        return detail::list(get(), wayfare_mesh_found_links, added);
    }
    /// Remembers from what each tile was baked, so that `bake_changed` bakes only what has changed. It is saved with the mesh.
    void remember_level(const Level& level, const BakeSettings& settings) {
        detail::check(wayfare_mesh_remember_level(get(), level.get(), &settings));
    }
    /// Bakes a level that has changed since: how many tiles differ now.
    std::uint32_t bake_changed(const Level& level, const BakeSettings& settings, Context* context = nullptr) {
        std::uint32_t changed = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_mesh_bake_changed(get(), level.get(), &settings, given, &changed);
        });
        return changed;
    }
    /// Bakes the tiles under a box anew: how many differ now.
    std::uint32_t bake_box(const Level& level, const BakeSettings& settings, Box area) {
        std::uint32_t changed = 0;
        detail::check(wayfare_mesh_bake_box(get(), level.get(), &settings, area, &changed));
        return changed;
    }
    /// Surfaces that lie inside closed bodies of the level it was baked from, one place for each.
    std::vector<Place> hollow_surfaces(const Level& level, float agent_height) const {
        return detail::list<Place>([&](Place* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_hollow_surfaces(get(), level.get(), agent_height, out, capacity, count);
        });
    }
    Bytes to_obj() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_to_obj(get(), out); });
    }
    void set_user_id(std::uint64_t id) { detail::check(wayfare_mesh_set_user_id(get(), id)); }
    /// What a check of all of it finds: nothing in a sound one. In words, a line for each: `check_text`.
    std::vector<WayfareViolation> check() const {
        return detail::list(get(), wayfare_mesh_check);
    }
    std::string check_text() const {
        return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_mesh_check_text(get(), out, capacity, length);
        });
    }
    /// The name and cost of an area type: none and 1 where nobody said.
    std::pair<std::string, float> area(std::uint32_t area) const {
        float cost = 1;
        auto name = detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_mesh_area(get(), area, &cost, out, capacity, length);
        });
        return {std::move(name), cost};
    }
    void clear_area_flags(std::uint32_t area) { detail::check(wayfare_mesh_clear_area_flags(get(), area)); }

    /// The present moment of the mesh.
    Version version() const {
        WayfareVersion made{0};
        detail::check(wayfare_mesh_version(get(), &made));
        return Version(made);
    }
    /// What has changed since a moment; nothing if that is too long ago to say.
    std::optional<std::vector<WayfareChange>> changes_since(const Version& version) const {
        std::uint32_t known = 0;
        auto changes = detail::list<WayfareChange>([&](WayfareChange* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_changes_since(get(), version.get(), &known, out, capacity, count);
        });
        return known ? std::optional<std::vector<WayfareChange>>(std::move(changes)) : std::nullopt;
    }
    /// Says that tiles will be replaced soon, so that paths over them are told; or takes that back.
    void announce(const std::vector<std::uint64_t>& tiles) {
        detail::check(wayfare_mesh_announce(get(), tiles.data(), tiles.size()));
    }
    void withdraw(const std::vector<std::uint64_t>& tiles) {
        detail::check(wayfare_mesh_withdraw(get(), tiles.data(), tiles.size()));
    }
    /// Keeps up what is connected for filters with these flags, so that questions of reach need no search.
    void keep_components(std::uint32_t include, std::uint32_t exclude = 0) {
        detail::check(wayfare_mesh_keep_components(get(), include, exclude));
    }
    /// The number of a polygon's component, and how many there are.
    std::pair<std::uint32_t, std::uint32_t> component(std::uint64_t poly) const {
        std::uint32_t component = 0, all = 0;
        detail::check(wayfare_mesh_component(get(), poly, &component, &all));
        return {component, all};
    }

    /// Whether a polygon is still there.
    bool is_valid(std::uint64_t poly) const {
        std::uint32_t valid = 0;
        detail::check(wayfare_mesh_is_valid(get(), poly, &valid));
        return valid != 0;
    }
    /// The neighbours of a polygon, and where they touch.
    std::vector<WayfarePortal> portals(std::uint64_t poly) const {
        return detail::list<WayfarePortal>([&](WayfarePortal* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_polygon_portals(get(), poly, out, capacity, count);
        });
    }
    std::optional<WayfarePortal> portal_between(std::uint64_t from, std::uint64_t to) const {
        std::uint32_t found = 0;
        WayfarePortal portal{};
        detail::check(wayfare_mesh_portal_between(get(), from, to, &found, &portal));
        return found ? std::optional<WayfarePortal>(portal) : std::nullopt;
    }
    /// The closest point on a polygon's surface, and whether the point lies over it.
    std::pair<Vec3, bool> closest_point(std::uint64_t poly, Vec3 point) const {
        Vec3 closest{};
        std::uint32_t over = 0;
        detail::check(wayfare_mesh_closest_point(get(), poly, point, &closest, &over));
        return {closest, over != 0};
    }
    Vec3 closest_on_boundary(std::uint64_t poly, Vec3 point) const {
        Vec3 closest{};
        detail::check(wayfare_mesh_closest_on_boundary(get(), poly, point, &closest));
        return closest;
    }
    /// The height of a polygon at a point over it.
    std::optional<float> height(std::uint64_t poly, Vec3 point) const {
        std::uint32_t found = 0;
        float height = 0;
        detail::check(wayfare_mesh_height(get(), poly, point, &found, &height));
        return found ? std::optional<float>(height) : std::nullopt;
    }

    /// The polygons of a tile.
    std::vector<std::uint64_t> polygons_of(std::uint64_t tile) const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_mesh_tile_polygons(get(), tile, out, capacity, count);
        });
    }
    /// The tile at a place of the grid; 0 for none.
    std::uint64_t tile_at(WayfareTileCoord coord) const {
        std::uint64_t tile = 0;
        detail::check(wayfare_mesh_tile_at(get(), coord, &tile));
        return tile;
    }
    WayfareTileCoord tile_of_point(Vec3 point) const {
        WayfareTileCoord coord{};
        detail::check(wayfare_mesh_tile_of_point(get(), point, &coord));
        return coord;
    }
    /// A tile as bytes, for the mesh of somebody else.
    Bytes tile_bytes(std::uint64_t tile) const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_tile_bytes(get(), tile, out); });
    }
    /// A mesh without tiles that tiles of this one fit into.
    Mesh empty_like() const {
        WayfareMesh made{0};
        detail::check(wayfare_mesh_empty_like(get(), &made));
        return Mesh(made);
    }
    std::uint64_t add_tile(const Bytes& bytes) {
        std::uint64_t tile = 0;
        detail::check(wayfare_mesh_add_tile(get(), bytes.data(), bytes.size(), &tile));
        return tile;
    }
    std::uint64_t replace_tile(std::uint64_t old, const Bytes& bytes) {
        std::uint64_t tile = 0;
        detail::check(wayfare_mesh_replace_tile(get(), old, bytes.data(), bytes.size(), &tile));
        return tile;
    }
    void remove_tile(std::uint64_t tile) { detail::check(wayfare_mesh_remove_tile(get(), tile)); }
    /// Flags and areas of a tile's polygons, and of all that differ from the bake.
    Bytes save_tile_state(std::uint64_t tile) const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_save_tile_state(get(), tile, out); });
    }
    void load_tile_state(std::uint64_t tile, const Bytes& bytes) {
        detail::check(wayfare_mesh_load_tile_state(get(), tile, bytes.data(), bytes.size()));
    }
    Bytes save_delta() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_mesh_save_delta(get(), out); });
    }
    void load_delta(const Bytes& bytes) { detail::check(wayfare_mesh_load_delta(get(), bytes.data(), bytes.size())); }
    Route find_path(Vec3 from, Vec3 to) const {
        std::uint32_t status = 0;
        auto points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_find_path(get(), from, to, out, capacity, count, &status);
        });
        return Route{static_cast<WayfarePathStatus>(status), std::move(points)};
    }
};

inline Filter::Filter(const Mesh& mesh, std::uint32_t include, std::uint32_t exclude) {
    WayfareFilter made{0};
    detail::check(wayfare_filter_new(mesh.get(), include, exclude, &made));
    handle_ = std::make_shared<Handle>(made);
}

/// A bake that is done in steps, within frames of a game.
class BakeJob : public detail::Owned<WayfareBakeJob, wayfare_bake_job_free> {
public:
    using Owned::Owned;
    /// Begins a bake; nothing is baked yet.
    explicit BakeJob(const Level& level, const BakeSettings& settings = {}) {
        detail::check(wayfare_bake_job_new(level.get(), &settings, out()));
    }
    /// Bakes on for a budget; whether it is done.
    bool step(std::uint64_t budget, Context* context = nullptr) {
        std::uint64_t done = 0, total = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_bake_job_step(get(), budget, given, &done, &total);
        });
        return done == total;
    }
    /// The mesh of a finished job, which is then of no more use; the report is there even if nothing can be walked on.
    Mesh finish(Report* report = nullptr) {
        WayfareMesh mesh{0};
        WayfareReport told{0};
        const WayfareStatus status = wayfare_bake_job_finish(get(), &mesh, report ? &told : nullptr);
        if (report) *report = Report(told);
        detail::check(status);
        return Mesh(mesh);
    }
};

/// Lower bounds of costs on a mesh, which guide searches.
class CostBounds : public detail::Owned<WayfareCostBounds, wayfare_cost_bounds_free> {
public:
    using Owned::Owned;
    /// Computes them for the mesh as it is now.
    explicit CostBounds(const Mesh& mesh, const Filter& filter = {}) {
        filter.ask([&] { return wayfare_cost_bounds_new(mesh.get(), filter.get(), out()); });
    }
    /// The reference points that they were computed from, for drawings.
    std::vector<Vec3> points() const {
        return detail::list(get(), wayfare_cost_bounds_points);
    }
    /// Bytes that they take in memory.
    std::uint64_t bytes() const {
        std::uint64_t bytes = 0;
        detail::check(wayfare_cost_bounds_size(get(), &bytes));
        return bytes;
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
    /// A query of C, and the filter that it has: what that throws comes out of the calls here.
    explicit Query(WayfareQuery handle, Filter filter = {}) noexcept : Owned(handle), filter_(std::move(filter)) {}
    void set(const WayfareQuerySettings& settings) { ask([&] { return wayfare_query_set(get(), &settings); }); }
    void set_mesh(const Mesh& mesh) { ask([&] { return wayfare_query_set_mesh(get(), mesh.get()); }); }
    void set_filter(Filter filter) {
        detail::check(wayfare_query_set_filter(get(), filter.get()));
        filter_ = std::move(filter);
    }
    std::optional<WayfareNearest> nearest(Vec3 point) {
        WayfareNearest near{};
        ask([&] { return wayfare_query_nearest(get(), point, &near); });
        return near.found ? std::optional<WayfareNearest>(near) : std::nullopt;
    }
    Path straight_path(Place from, Place to) {
        Path path{};
        ask([&] { return wayfare_query_straight_path(get(), from, to, nullptr, 0, &path); });
        return with_points(std::move(path));
    }
    Path optimal_path(Place from, Place to) {
        Path path{};
        ask([&] { return wayfare_query_optimal_path(get(), from, to, nullptr, 0, &path); });
        return with_points(std::move(path));
    }
    /// The cheapest path, guided by bounds.
    Path bounded_path(const CostBounds& bounds, Place from, Place to) {
        Path path{};
        ask([&] { return wayfare_query_bounded_path(get(), bounds.get(), from, to, nullptr, 0, &path); });
        return with_points(std::move(path));
    }
    /// The path to the nearest goal, and the goal's number.
    std::pair<Path, std::optional<std::size_t>> path_to_nearest(Place from, const std::vector<Place>& goals) {
        Path path{};
        std::size_t goal = 0;
        ask([&] { return wayfare_query_path_to_nearest(get(), from, goals.data(), goals.size(), &goal, &path); });
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
        ask([&] { return wayfare_query_reachable(get(), from, to, &answer); });
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
        ask([&] { return with_cost ? wayfare_query_ray_with_cost(get(), from, to, &ray) : wayfare_query_ray(get(), from, to, &ray); });
        return ray;
    }
    std::optional<Place> move(Place from, Vec3 to) {
        Place end{};
        ask([&] { return wayfare_query_move(get(), from, to, &end); });
        return end.poly ? std::optional<Place>(end) : std::nullopt;
    }
    std::optional<WayfareNearestWall> nearest_wall(Place place, float radius) {
        WayfareNearestWall wall{};
        ask([&] { return wayfare_query_nearest_wall(get(), place, radius, &wall); });
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
        try {
            ask([&] { return wayfare_query_random(get(), &seed, places.data(), count, &count); });
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
        ask([&] { return wayfare_query_random_around(get(), place, radius, &seed, places.data(), count, &count); });
        places.resize(count);
        return places;
    }
    Paths straight_paths(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        return paths_of([&](WayfarePathBatch* made) {
            return wayfare_query_straight_paths(get(), pairs.data(), pairs.size(), threads, made);
        });
    }
    Paths optimal_paths(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        return paths_of([&](WayfarePathBatch* made) {
            return wayfare_query_optimal_paths(get(), pairs.data(), pairs.size(), threads, made);
        });
    }
    Paths bounded_paths(const CostBounds& bounds, const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        return paths_of([&](WayfarePathBatch* made) {
            return wayfare_query_bounded_paths(get(), bounds.get(), pairs.data(), pairs.size(), threads, made);
        });
    }
    std::vector<WayfareRay> rays(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        std::vector<WayfareRay> rays(pairs.size());
        ask([&] { return wayfare_query_rays(get(), pairs.data(), pairs.size(), threads, rays.data()); });
        return rays;
    }

    /// The nearest places of many points, on so many threads.
    std::vector<WayfareNearest> nearest(const std::vector<Vec3>& points, std::uint32_t threads = 0) {
        std::vector<WayfareNearest> nearest(points.size());
        ask([&] { return wayfare_query_nearest_many(get(), points.data(), points.size(), threads, nearest.data()); });
        return nearest;
    }
    /// Many moves; places without a polygon for those that are lost.
    std::vector<Place> moves(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        std::vector<Place> ends(pairs.size());
        ask([&] { return wayfare_query_moves(get(), pairs.data(), pairs.size(), threads, ends.data()); });
        return ends;
    }
    /// Many questions of reach: 1, 0, or -1 where a limit cut the search short.
    std::vector<std::int32_t> reachable(const std::vector<WayfarePair>& pairs, std::uint32_t threads = 0) {
        std::vector<std::int32_t> answers(pairs.size());
        ask([&] { return wayfare_query_reachable_many(get(), pairs.data(), pairs.size(), threads, answers.data()); });
        return answers;
    }
    std::vector<WayfareNearestWall> nearest_walls(const std::vector<Place>& places, float radius, std::uint32_t threads = 0) {
        std::vector<WayfareNearestWall> walls(places.size());
        ask([&] {
            return wayfare_query_nearest_walls(get(), places.data(), places.size(), radius, threads, walls.data());
        });
        return walls;
    }
    /// A path over polygons, which `polygons` gives; it has no line.
    WayfarePath poly_path(Place from, Place to) {
        WayfarePath path{};
        ask([&] { return wayfare_query_path(get(), from, to, &path); });
        return path;
    }
    /// The path to a box that is the cheapest to reach.
    Path path_to_box(Place from, Box area) {
        Path path{};
        ask([&] { return wayfare_query_path_to_box(get(), from, area, &path); });
        return with_points(std::move(path));
    }
    /// A line through polygons that are known, each of which leads to the next.
    Path along(const std::vector<std::uint64_t>& polys, Vec3 from, Vec3 to) {
        Path path{};
        ask([&] { return wayfare_query_along(get(), polys.data(), polys.size(), from, to, &path); });
        return with_points(std::move(path));
    }
    /// The points of the last path, and those where its line crosses borders: of areas, or of all polygons.
    std::vector<WayfarePathPoint> points_with_crossings(bool all = false) {
        return list<WayfarePathPoint>([&](WayfarePathPoint* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_points_with_crossings(get(), all, out, capacity, count);
        });
    }
    /// Nothing if the last path still holds; else the number of the first polygon that does not.
    std::optional<std::uint32_t> path_breaks_at() {
        std::uint32_t broken = 0, step = 0;
        ask([&] { return wayfare_query_path_holds(get(), &broken, &step); });
        return broken ? std::optional<std::uint32_t>(step) : std::nullopt;
    }
    /// The polygons that the last ray, and the last move, went over.
    std::vector<std::uint64_t> ray_polygons() {
        return list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_ray_polygons(get(), out, capacity, count);
        });
    }
    std::vector<std::uint64_t> moved_over() {
        return list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_moved_over(get(), out, capacity, count);
        });
    }
    /// The nodes that a search for a path opens, in their order: for tools that show searches.
    std::vector<WayfareSearchNode> record_search(Place from, Place to) {
        return list<WayfareSearchNode>([&](WayfareSearchNode* out, std::size_t capacity, std::size_t* count) {
            return wayfare_query_record_search(get(), from, to, out, capacity, count);
        });
    }
    const Filter& filter() const noexcept { return filter_; }

    /// Runs a C call with this query: for those that have no method here. Throws what a callback of the filter threw
    /// meanwhile, for an answer counts for nothing then; or else what the call says.
    template <class Call> void ask(Call call) const { filter_.ask(call); }

private:
    /// What a call gives, unless a callback of the filter threw on the way to it.
    template <class Call> auto asked(Call call) const -> decltype(call()) {
        const auto before = detail::moment();
        try {
            auto answer = call();
            filter_.rethrow_since(before);
            return answer;
        } catch (const Error&) {
            filter_.rethrow_since(before);
            throw;
        }
    }
    template <class T, class Ask> std::vector<T> list(Ask answer) const {
        return asked([&] { return detail::list<T>(answer); });
    }
    Path with_points(Path path) {
        path.points = detail::list(get(), wayfare_query_points, path.point_count);
        return path;
    }
    template <class Ask> Paths paths_of(Ask answer) {
        WayfarePathBatch made{0};
        const auto before = detail::moment();
        const WayfareStatus status = answer(&made);
        const detail::Owned<WayfarePathBatch, wayfare_batch_free> batch(made);
        filter_.rethrow_since(before);
        detail::check(status);
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

/// A search that is done in steps of a budget.
class Search : public detail::Owned<WayfareSearch, wayfare_search_free> {
public:
    /// Over polygons, or for the shortest path. The query is free for other questions meanwhile.
    Search(const Query& query, Place from, Place to, bool optimal = false) : filter_(query.filter()) {
        query.ask([&] { return wayfare_search_new(query.get(), from, to, optimal, out()); });
    }
    /// One that is guided by bounds.
    Search(const Query& query, const CostBounds& bounds, Place from, Place to) : filter_(query.filter()) {
        query.ask([&] { return wayfare_search_bounded(query.get(), bounds.get(), from, to, out()); });
    }
    /// A search of C, and the filter of the query that it was begun with.
    explicit Search(WayfareSearch handle, Filter filter = {}) noexcept : Owned(handle), filter_(std::move(filter)) {}
    /// Searches on for so many nodes; whether it is done.
    bool step(std::uint64_t budget) {
        std::uint32_t finished = 0;
        filter_.ask([&] { return wayfare_search_step(get(), budget, &finished); });
        return finished != 0;
    }
    /// The path that was found; before the end, the one to the place nearest to the goal so far.
    Path path() {
        Path path{};
        filter_.ask([&] { return wayfare_search_path(get(), &path); });
        path.points = detail::list(get(), wayfare_search_points);
        return path;
    }

private:
    Filter filter_;
};

/// What it costs to get from one place to all others.
class CostMap : public detail::Owned<WayfareCostMap, wayfare_cost_map_free> {
public:
    /// Within the limits of the query.
    CostMap(const Query& query, Place from) : filter_(query.filter()) {
        query.ask([&] { return wayfare_cost_map_new(query.get(), from, out()); });
    }
    /// A cost map of C, and the filter of the query that it was made by.
    explicit CostMap(WayfareCostMap handle, Filter filter = {}) noexcept : Owned(handle), filter_(std::move(filter)) {}
    /// Infinite for a polygon that was not reached.
    float cost(std::uint64_t poly) const {
        float cost = 0;
        filter_.ask([&] { return wayfare_cost_map_cost(get(), poly, &cost); });
        return cost;
    }
    Path path_to(Place to) {
        Path path{};
        filter_.ask([&] { return wayfare_cost_map_path(get(), to, &path); });
        path.points = detail::list(get(), wayfare_cost_map_points);
        return path;
    }

private:
    Filter filter_;
};

/// An agent's path, kept up while both ends move.
class Corridor : public detail::Owned<WayfareCorridor, wayfare_corridor_free> {
public:
    using Owned::Owned;
    Corridor(Query& query, Place place) { query.ask([&] { return wayfare_corridor_new(query.get(), place, out()); }); }
    /// Follows the query's last path.
    void follow(Query& query) { query.ask([&] { return wayfare_corridor_follow(get(), query.get()); }); }
    Vec3 move_start(Query& query, Vec3 to) {
        Vec3 now{};
        query.ask([&] { return wayfare_corridor_move_start(get(), query.get(), to, &now); });
        return now;
    }
    Vec3 move_end(Query& query, Vec3 to) {
        Vec3 now{};
        query.ask([&] { return wayfare_corridor_move_end(get(), query.get(), to, &now); });
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
        query.ask([&] { return wayfare_corridor_repair(get(), query.get(), look_ahead, &repair); });
        return static_cast<WayfareRepair>(repair);
    }
    std::vector<std::uint64_t> polygons() const {
        return detail::list(get(), wayfare_corridor_polygons);
    }
    /// Where it begins and ends; without polygons if it is lost.
    WayfarePair ends() const {
        WayfarePair ends{};
        detail::check(wayfare_corridor_ends(get(), &ends.from, &ends.to));
        return ends;
    }
    /// Shortens it: to `next` if it can be seen within `range`, then by a small search of `nodes`. Whether it did.
    bool shorten(Query& query, Vec3 next, float range, std::uint32_t nodes) {
        std::uint32_t shortened = 0;
        query.ask([&] { return wayfare_corridor_shorten(get(), query.get(), next, range, nodes, &shortened); });
        return shortened != 0;
    }
    /// Enters the connection that a corner of the last asked ones is: from where to where it leads.
    std::optional<std::pair<Vec3, Vec3>> enter_connection(Query& query, std::size_t corner) {
        std::uint32_t entered = 0;
        Vec3 from{}, to{};
        query.ask([&] { return wayfare_corridor_enter_connection(get(), query.get(), corner, &entered, &from, &to); });
        return entered ? std::optional<std::pair<Vec3, Vec3>>({from, to}) : std::nullopt;
    }
};

/// How paths are found.
class Planner : public detail::Owned<WayfarePlanner, wayfare_planner_free> {
public:
    using Owned::Owned;
    explicit Planner(WayfarePlannerKind kind = WAYFARE_PLANNER_KIND_A_STAR) {
        detail::check(wayfare_planner_new(static_cast<std::uint32_t>(kind), out()));
    }
    /// One whose searches are guided by bounds.
    explicit Planner(const CostBounds& bounds) { detail::check(wayfare_planner_bounded(bounds.get(), out())); }
    /// Goes on with other bounds: those of the mesh as it is now.
    void set_bounds(const CostBounds& bounds) { detail::check(wayfare_planner_set_bounds(get(), bounds.get())); }
};

/// Many requests for paths, searched in steps of a budget.
class Queue : public detail::Owned<WayfareQueue, wayfare_queue_free> {
public:
    using Owned::Owned;
    Queue() { detail::check(wayfare_queue_new(out())); }
    /// Asks for a path, whose number it gives.
    std::uint64_t request(const Mesh& mesh, Place from, Place to, const Filter& filter = {}) {
        std::uint64_t request = 0;
        filters_.add(filter.state_);
        ask([&] { return wayfare_queue_request(get(), mesh.get(), filter.get(), from, to, &request); });
        return request;
    }
    /// Searches on for so many nodes, for all requests in turn; on this thread, unless the context says more.
    void step(const Mesh& mesh, std::uint64_t budget, const Planner* planner = nullptr, Context* context = nullptr) {
        const WayfarePlanner by = planner ? planner->get() : WayfarePlanner{0};
        ask_with(context, [&](const WayfareContext* given) {
            return wayfare_queue_step(get(), mesh.get(), by, budget, given);
        });
    }
    WayfareRequestState state(std::uint64_t request) const {
        std::uint32_t state = 0;
        detail::check(wayfare_queue_state(get(), request, &state));
        return static_cast<WayfareRequestState>(state);
    }
    /// How many requests are not done.
    std::size_t pending() const {
        std::size_t count = 0;
        detail::check(wayfare_queue_pending(get(), &count));
        return count;
    }
    /// Takes the answer of a request, which is then gone; nothing if it is not done. `outdated` says whether the mesh has
    /// changed under it meanwhile.
    std::optional<Path> take(std::uint64_t request, bool* outdated = nullptr) {
        std::uint32_t done = 0, is_outdated = 0;
        Path path{};
        ask([&] { return wayfare_queue_take(get(), request, &done, &path, &is_outdated); });
        if (!done) return std::nullopt;
        if (outdated) *outdated = is_outdated != 0;
        path.points = detail::list(get(), wayfare_queue_points);
        return path;
    }
    void cancel(std::uint64_t request) { detail::check(wayfare_queue_cancel(get(), request)); }

private:
    template <class Call> void ask(Call call) const { filters_.ask(call); }
    template <class Call> void ask_with(Context* context, Call call) const {
        detail::with(context, [&](const WayfareContext* given) {
            auto status = WAYFARE_STATUS_OK;
            filters_.ask([&] {
                status = call(given);
                return WAYFARE_STATUS_OK;
            });
            return status;
        });
    }

    detail::FilterStates filters_;
};

/// Parameters of an agent, begun with those of a size.
struct AgentParams : WayfareAgentParams {
    explicit AgentParams(float its_radius = 0.6F, float its_height = 2) : WayfareAgentParams{} {
        detail::check(wayfare_agent_params_of_size(its_radius, its_height, this, sizeof(WayfareAgentParams)));
    }
    AgentParams& avoid_by(WayfareAvoidanceMethod method) {
        avoidance = Avoidance(method);
        return *this;
    }
    /// The pedestrian of a number that a seed draws: speeds differ as those of people do.
    static AgentParams pedestrian(std::uint64_t seed, std::uint32_t number) {
        AgentParams params;
        detail::check(wayfare_agent_params_pedestrian(seed, number, &params, sizeof(WayfareAgentParams)));
        return params;
    }
};

/// Many agents.
class Crowd : public detail::Owned<WayfareCrowd, wayfare_crowd_free> {
public:
    Crowd() { detail::check(wayfare_crowd_new(nullptr, out())); }
    /// A crowd of C, and the filters that were added to it: what they throw comes out of the calls here.
    explicit Crowd(WayfareCrowd handle, const std::vector<Filter>& filters = {}) : Owned(handle) {
        for (const Filter& filter : filters) filters_.add(filter.state_);
    }
    explicit Crowd(const CrowdSettings& settings) { detail::check(wayfare_crowd_new(&settings, out())); }
    std::uint64_t add(const Mesh& mesh, Vec3 point, const AgentParams& params) {
        std::uint64_t agent = 0;
        WayfareStatus status = WAYFARE_STATUS_OK;
        try {
            ask([&] { return status = wayfare_crowd_add(get(), mesh.get(), point, &params, &agent); });
        } catch (...) {
            // Added by a filter that threw on the way.
            if (status == WAYFARE_STATUS_OK) wayfare_crowd_remove(get(), agent);
            throw;
        }
        return agent;
    }
    /// The crowd that `save` saved, on the mesh that it was on, with the filters that were added to it, in their order.
    static Crowd load(const Bytes& bytes, const Mesh& mesh, const std::vector<Filter>& filters = {}) {
        std::vector<WayfareFilter> handles;
        for (const Filter& filter : filters) handles.push_back(filter.get());
        WayfareCrowd loaded{0};
        const auto before = detail::moment();
        const WayfareStatus status =
            wayfare_crowd_load(bytes.data(), bytes.size(), mesh.get(), handles.data(), handles.size(), &loaded);
        Crowd crowd(loaded, filters);
        for (const Filter& filter : filters) filter.rethrow_since(before);
        detail::check(status);
        return crowd;
    }
    void set_settings(const CrowdSettings& settings) { detail::check(wayfare_crowd_set_settings(get(), &settings)); }
    void remove(std::uint64_t agent) { detail::check(wayfare_crowd_remove(get(), agent)); }
    AgentParams params(std::uint64_t agent) const {
        AgentParams params;
        detail::check(wayfare_crowd_params(get(), agent, &params, sizeof(WayfareAgentParams)));
        return params;
    }
    void set_params(std::uint64_t agent, const AgentParams& params) {
        ask([&] { return wayfare_crowd_set_params(get(), agent, &params); });
    }
    void go_to(const Mesh& mesh, std::uint64_t agent, Vec3 to) {
        ask([&] { return wayfare_crowd_go_to(get(), mesh.get(), agent, to); });
    }
    void set_target(const Mesh& mesh, std::uint64_t agent, const WayfareTarget& target) {
        ask([&] { return wayfare_crowd_set_target(get(), mesh.get(), agent, &target); });
    }
    void teleport(const Mesh& mesh, std::uint64_t agent, Vec3 to) {
        ask([&] { return wayfare_crowd_teleport(get(), mesh.get(), agent, to); });
    }
    void pause(std::uint64_t agent, bool paused = true) { detail::check(wayfare_crowd_pause(get(), agent, paused)); }
    /// Where an agent is that the game moves, and how fast any is.
    void set_position(std::uint64_t agent, Vec3 point) { detail::check(wayfare_crowd_set_position(get(), agent, point)); }
    void set_velocity(std::uint64_t agent, Vec3 velocity) {
        detail::check(wayfare_crowd_set_velocity(get(), agent, velocity));
    }
    /// How far the game has taken an agent over a connection, 0 to 1.
    void set_connection_progress(std::uint64_t agent, float progress) {
        detail::check(wayfare_crowd_set_connection_progress(get(), agent, progress));
    }
    /// The number that `AgentParams` take.
    std::uint32_t add_filter(const Filter& filter) {
        std::uint32_t number = 0;
        detail::check(wayfare_crowd_add_filter(get(), filter.get(), &number));
        filters_.add(filter.state_);
        return number;
    }
    /// Puts another filter in the place of one: with `costs_only`, one that passes the same polygons.
    void set_filter(std::uint32_t number, const Filter& filter, bool costs_only = false) {
        // Before anything can throw, since the crowd has it then.
        filters_.add(filter.state_);
        ask([&] { return wayfare_crowd_set_filter(get(), number, filter.get(), costs_only); });
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
        ask_with(context, [&](const WayfareContext* given) {
            return wayfare_crowd_step(get(), mesh.get(), dt, by, given);
        });
    }
    /// A tick phase by phase: `begin`, `phase` for each, `end`; between phases the game may `write` velocities.
    void begin(float dt) { detail::check(wayfare_crowd_begin(get(), dt)); }
    void phase(WayfareCrowdPhase phase, const Mesh& mesh, float dt, const Planner* planner = nullptr,
               Context* context = nullptr) {
        const WayfarePlanner by = planner ? planner->get() : WayfarePlanner{0};
        ask_with(context, [&](const WayfareContext* given) {
            return wayfare_crowd_phase(get(), static_cast<std::uint32_t>(phase), mesh.get(), dt, by, given);
        });
    }
    void end() { detail::check(wayfare_crowd_end(get())); }
    void write(WayfareVelocityArray array, std::uint64_t agent, Vec3 value) {
        detail::check(wayfare_crowd_write(get(), static_cast<std::uint32_t>(array), agent, value));
    }
    /// The next corners of an agent, the polygons of its corridor, and whom it saw in the last tick.
    std::vector<WayfareCorner> corners(std::uint64_t agent) const {
        return detail::list<WayfareCorner>([&](WayfareCorner* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_corners(get(), agent, out, capacity, count);
        });
    }
    std::vector<std::uint64_t> corridor(std::uint64_t agent) const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_corridor(get(), agent, out, capacity, count);
        });
    }
    std::vector<std::uint64_t> neighbours(std::uint64_t agent) const {
        return detail::list<std::uint64_t>([&](std::uint64_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_crowd_neighbours(get(), agent, out, capacity, count);
        });
    }
    WayfareCrowdProfile profile() const {
        WayfareCrowdProfile profile{};
        detail::check(wayfare_crowd_profile(get(), &profile));
        return profile;
    }
    WayfareAgent agent(std::uint64_t agent) const {
        WayfareAgent state{};
        detail::check(wayfare_crowd_agent(get(), agent, &state));
        return state;
    }
    std::vector<std::uint64_t> agents() const {
        return detail::list(get(), wayfare_crowd_agents);
    }
    std::vector<Vec3> positions() const {
        return detail::list(get(), wayfare_crowd_positions);
    }
    std::vector<Vec3> velocities() const {
        return detail::list(get(), wayfare_crowd_velocities);
    }
    std::vector<WayfareEvent> events() const {
        return detail::list(get(), wayfare_crowd_events);
    }
    Bytes save(const Mesh& mesh, const Planner* planner = nullptr) const {
        const WayfarePlanner by = planner ? planner->get() : WayfarePlanner{0};
        return detail::bytes([&](WayfareBytes* out) { return wayfare_crowd_save(get(), mesh.get(), by, out); });
    }

    /// Runs a C call with this crowd: for those that have no method here. Throws what a callback of its filters threw
    /// meanwhile, or else what the call says.
    template <class Call> void ask(Call call) const { filters_.ask(call); }

private:
    template <class Call> void ask_with(Context* context, Call call) const {
        detail::with(context, [&](const WayfareContext* given) {
            auto status = WAYFARE_STATUS_OK;
            filters_.ask([&] {
                status = call(given);
                return WAYFARE_STATUS_OK;
            });
            return status;
        });
    }

    detail::FilterStates filters_;
};

/// Agents in a formation behind a leader.
class Formation : public detail::Owned<WayfareFormation, wayfare_formation_free> {
public:
    using Owned::Owned;
    /// Slots are places behind the leader, x to its right and z ahead, one for each member.
    Formation(const Crowd& crowd, std::uint64_t leader, const std::vector<Vec2>& slots,
              const std::vector<std::uint64_t>& members) {
        if (slots.size() != members.size()) {
            throw Error(WAYFARE_STATUS_INVALID_ARGUMENT, "a formation has a slot for each member");
        }
        detail::check(
            wayfare_formation_new(crowd.get(), leader, slots.data(), members.data(), members.size(), out()));
    }
    static std::vector<Vec2> block(std::size_t count, std::size_t columns, float spacing) {
        return slots(count, columns, spacing, 0);
    }
    static std::vector<Vec2> wedge(std::size_t count, float spacing) { return slots(count, 1, spacing, 1); }
    /// Sends the members to their places: once a tick, before the step.
    void lead(Crowd& crowd, const Mesh& mesh) {
        crowd.ask([&] { return wayfare_formation_lead(get(), crowd.get(), mesh.get()); });
    }
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_formation_save(get(), out); });
    }
    static Formation load(const Bytes& bytes) {
        WayfareFormation loaded{0};
        detail::check(wayfare_formation_load(bytes.data(), bytes.size(), &loaded));
        return Formation(loaded);
    }

private:
    static std::vector<Vec2> slots(std::size_t count, std::size_t columns, float spacing, std::uint32_t wedge) {
        std::vector<Vec2> slots(count);
        detail::check(wayfare_formation_slots(count, columns, spacing, wedge, slots.data()));
        return slots;
    }
};

/// What tiles are built anew from while obstacles come and go.
class Checkpoints : public detail::Owned<WayfareCheckpoints, wayfare_checkpoints_free> {
public:
    using Owned::Owned;
    explicit Checkpoints(const Level& level, const BakeSettings& settings = {}, Context* context = nullptr) {
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_checkpoints_bake(level.get(), &settings, given, out());
        });
    }
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_checkpoints_save(get(), out); });
    }
    static Checkpoints load(const Bytes& bytes) {
        WayfareCheckpoints loaded{0};
        detail::check(wayfare_checkpoints_load(bytes.data(), bytes.size(), &loaded));
        return Checkpoints(loaded);
    }
};

/// Triangles that come, move and go on a level, for `Obstacles::step`: they can be walked on, and are in the way.
class Objects : public detail::Owned<WayfareObjects, wayfare_objects_free> {
public:
    using Owned::Owned;
    /// The settings are those of the level's bake, with bounds.
    Objects(const Level& fixed, const BakeSettings& settings) {
        detail::check(wayfare_objects_new(fixed.get(), &settings, out()));
    }
    /// An object, and the box that has changed, for `Obstacles::invalidate`.
    std::pair<std::uint64_t, Box> add(const Level& shape, Vec3 at) {
        std::pair<std::uint64_t, Box> added{};
        detail::check(wayfare_objects_add(get(), shape.get(), at, &added.first, &added.second));
        return added;
    }
    /// The boxes where it was, and where it is.
    std::array<Box, 2> move(std::uint64_t object, Vec3 to) {
        std::array<Box, 2> areas{};
        detail::check(wayfare_objects_move(get(), object, to, areas.data()));
        return areas;
    }
    Box remove(std::uint64_t object) {
        Box area{};
        detail::check(wayfare_objects_remove(get(), object, &area));
        return area;
    }
};

/// Obstacles in a level, and the rebuild of the tiles under them.
class Obstacles : public detail::Owned<WayfareObstacles, wayfare_obstacles_free> {
public:
    using Owned::Owned;
    Obstacles(const Level& level, const BakeSettings& settings, Context* context = nullptr)
        : Obstacles(Checkpoints(level, settings, context)) {}
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
        return detail::list(get(), wayfare_obstacles_list);
    }
    /// A copy of the checkpoints as they are now, to be saved with the obstacles.
    Checkpoints checkpoints() const {
        WayfareCheckpoints made{0};
        detail::check(wayfare_obstacles_checkpoints(get(), &made));
        return Checkpoints(made);
    }
    /// Rebuilds tiles for a budget, 0 for all; whether it is done.
    bool step(Mesh& mesh, std::uint64_t budget = 0, Context* context = nullptr) {
        return step(mesh, WayfareObjects{0}, budget, context);
    }
    /// The same with objects.
    bool step(Mesh& mesh, const Objects& objects, std::uint64_t budget = 0, Context* context = nullptr) {
        return step(mesh, objects.get(), budget, context);
    }
    /// Says that what tiles are built from has changed in a box: how many tiles that is.
    std::size_t invalidate(Box area) {
        std::size_t tiles = 0;
        detail::check(wayfare_obstacles_invalidate(get(), area, &tiles));
        return tiles;
    }
    /// The tiles that will change.
    std::vector<WayfareTileCoord> pending() const {
        return detail::list(get(), wayfare_obstacles_pending);
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
        return detail::list(get(), wayfare_obstacles_rebuilt);
    }

private:
    bool step(Mesh& mesh, WayfareObjects objects, std::uint64_t budget, Context* context) {
        std::uint64_t done = 0, total = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_obstacles_step(get(), mesh.get(), objects, budget, given, &done, &total);
        });
        return done == total;
    }
};

/// A mesh that one thread edits while others read: each reader takes the newest.
class Shared : public detail::Owned<WayfareShared, wayfare_shared_free> {
public:
    using Owned::Owned;
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
    using Owned::Owned;
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
    /// What `save` or `wayfare bake --layers` gave, and the level that it was baked from, which objects and links need.
    /// Objects are to be added again.
    static LiveLevel load(const Bytes& bytes, const Level* level = nullptr, const WayfareLinkSettings* links = nullptr) {
        WayfareLiveLevel loaded{0};
        const WayfareLevel from = level ? level->get() : WayfareLevel{0};
        detail::check(wayfare_live_level_load(bytes.data(), bytes.size(), from, links, &loaded));
        return LiveLevel(loaded);
    }
    /// Its mesh with its obstacles, what tiles are built anew from, and which connections are automatic links.
    Bytes save() const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_live_level_save(get(), out); });
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
        return detail::list(get(), wayfare_live_level_list_obstacles);
    }
    /// A copy of its obstacles, to be saved; none (false) for a mesh without.
    Obstacles obstacles() const {
        WayfareObstacles made{0};
        detail::check(wayfare_live_level_obstacles(get(), &made));
        return Obstacles(made);
    }
    /// The automatic links that are in the mesh.
    std::vector<WayfareLink> links() const {
        return detail::list(get(), wayfare_live_level_links);
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
        return detail::list(get(), wayfare_live_level_rebuilt);
    }
};

/// A mesh cut for wider agents.
class Clearance : public detail::Owned<WayfareClearance, wayfare_clearance_free> {
public:
    using Owned::Owned;
    Clearance(const Mesh& mesh, float radius, const Filter& filter = {}) {
        filter.ask([&] { return wayfare_clearance_new(mesh.get(), radius, filter.get(), out()); });
    }
    /// Follows the mesh after it has changed: how many tiles were cut anew.
    std::uint32_t follow(const Mesh& mesh, const Filter& filter = {}) {
        std::uint32_t changed = 0;
        filter.ask([&] { return wayfare_clearance_follow(get(), mesh.get(), filter.get(), &changed); });
        return changed;
    }
    /// The polygon of the mesh that one of the cut mesh lies in.
    std::uint64_t base_poly(std::uint64_t poly) const {
        std::uint64_t base = 0;
        detail::check(wayfare_clearance_base_poly(get(), poly, &base));
        return base;
    }
    Mesh mesh() const {
        WayfareMesh made{0};
        detail::check(wayfare_clearance_mesh(get(), &made));
        return Mesh(made);
    }
};

/// A store of baked tiles: one file, or a folder if its path ends with a slash or is one. Open to be read tile by tile.
class Store : public detail::Owned<WayfareStore, wayfare_store_free> {
public:
    using Owned::Owned;
    explicit Store(const std::string& path) { detail::check(wayfare_store_open(path.c_str(), out())); }
    /// Bakes a level into a store, and goes on with one that was begun: how many tiles it has then.
    static std::size_t bake(const std::string& path, const Level& level, const BakeSettings& settings,
                            Context* context = nullptr) {
        std::size_t tiles = 0;
        detail::with(context, [&](const WayfareContext* given) {
            return wayfare_store_bake(path.c_str(), level.get(), &settings, given, &tiles);
        });
        return tiles;
    }
    /// A whole store as a mesh; `broken` is how many tiles could not be read.
    static Mesh load(const std::string& path, std::size_t* broken = nullptr) {
        WayfareMesh mesh{0};
        detail::check(wayfare_store_load(path.c_str(), &mesh, broken));
        return Mesh(mesh);
    }
    /// One tile, for `Mesh::add_tile`; nothing if the place has no surface.
    std::optional<Bytes> tile(WayfareTileCoord coord) {
        bool has_surface = true;
        Bytes bytes = detail::bytes([&](WayfareBytes* out) {
            const WayfareStatus status = wayfare_store_tile(get(), coord, out);
            has_surface = out->id != 0;
            return status;
        });
        return has_surface ? std::optional<Bytes>(std::move(bytes)) : std::nullopt;
    }
};

/// A store of which some tiles are in memory: the others are read when a path needs them. Only one thread at a time may use
/// it, even where a method is `const`.
class World : public detail::Owned<WayfareWorld, wayfare_world_free> {
public:
    using Owned::Owned;
    /// So many tiles, bytes of tiles, and parts of the abstract graph are in memory at most; 0 for no limit.
    explicit World(const std::string& path, std::size_t max_tiles = 0, std::size_t max_bytes = 0, std::size_t max_parts = 0) {
        detail::check(wayfare_world_open(path.c_str(), max_tiles, max_bytes, max_parts, out()));
    }
    std::uint32_t prefetch(Vec3 center, float radius) {
        std::uint32_t loaded = 0;
        detail::check(wayfare_world_prefetch(get(), center, radius, &loaded));
        return loaded;
    }
    Route path(Vec3 from, Vec3 to) {
        WayfarePath path{};
        detail::check(wayfare_world_path(get(), from, to, &path));
        auto points = detail::list(get(), wayfare_world_points);
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
    using Owned::Owned;
    explicit Hierarchy(const Mesh& mesh) { detail::check(wayfare_hierarchy_new(mesh.get(), out())); }
    /// Follows a mesh that has changed: how many tiles did.
    std::uint32_t update(const Mesh& mesh) {
        std::uint32_t changed = 0;
        detail::check(wayfare_hierarchy_update(get(), mesh.get(), &changed));
        return changed;
    }
    WayfareGraphSize size() const {
        WayfareGraphSize size{};
        detail::check(wayfare_hierarchy_size(get(), &size));
        return size;
    }
    Path path(Query& query, Place from, Place to) {
        Path path{};
        query.ask([&] { return wayfare_hierarchy_path(get(), query.get(), from, to, &path); });
        path.points = detail::list(get(), wayfare_hierarchy_points);
        return path;
    }
};

/// Where the blocks of a world are.
class Blocks : public detail::Owned<WayfareBlocks, wayfare_blocks_free> {
public:
    using Owned::Owned;
    using KindOf = std::function<WayfareBlock(WayfareCell)>;

    /// Air in chunks, which grows where blocks are set.
    Blocks() { detail::check(wayfare_blocks_new(out())); }
    /// Air within bounds, held as one array.
    explicit Blocks(WayfareBlockBox bounds) { detail::check(wayfare_blocks_new_dense(bounds, out())); }
    /// Columns, solid below each height; so many heights in a row.
    static Blocks from_heights(std::uint32_t width, const std::vector<std::int32_t>& heights) {
        WayfareBlocks made{0};
        detail::check(wayfare_blocks_new_heights(width, heights.data(), heights.size(), &made));
        return Blocks(made);
    }
    /// A world whose blocks the game is asked for. Without bounds it may have no end: a search for what cannot be reached ends
    /// at its limit. What the function throws ends the search, and comes out of the call.
    static Blocks of(KindOf kind_of, std::optional<WayfareBlockBox> bounds = std::nullopt) {
        auto state = std::make_unique<State>();
        state->kind_of = std::move(kind_of);
        WayfareBlocks made{0};
        const WayfareBlockBox box = bounds.value_or(WayfareBlockBox{});
        detail::check(wayfare_blocks_from_callback(&Blocks::on_block, state.get(), bounds.has_value(), box, &made));
        Blocks blocks(made);
        blocks.state_ = std::move(state);
        return blocks;
    }
    void fill(WayfareBlockBox area, WayfareBlock block) {
        detail::check(wayfare_blocks_fill(get(), area, static_cast<std::uint32_t>(block)));
    }
    WayfareBlock at(WayfareCell cell) const {
        std::uint32_t kind = 0;
        ask(WayfareBlockNav{0}, [&] { return wayfare_blocks_get(get(), cell, &kind); });
        return static_cast<WayfareBlock>(kind);
    }
    /// Runs a C call that asks these blocks; throws what the function threw meanwhile, or else what the call says. What the
    /// navigation built while it threw may hold air in place of blocks: all of it is built again.
    template <class Call> void ask(WayfareBlockNav nav, Call call) const {
        const auto before = detail::moment();
        const WayfareStatus status = call();
        if (auto thrown = state_ ? state_->thrown.since(before) : nullptr) {
            constexpr std::int32_t low = INT32_MIN, high = INT32_MAX;
            if (nav.id) wayfare_block_nav_invalidate(nav, {{low, low, low}, {high, high, high}});
            std::rethrow_exception(thrown);
        }
        detail::check(status);
    }

private:
    struct State {
        KindOf kind_of;
        detail::Thrown thrown;
    };
    static std::uint32_t on_block(void* user, std::int32_t x, std::int32_t y, std::int32_t z) noexcept {
        auto* state = static_cast<State*>(user);
        try {
            return state->thrown.refuses() ? WAYFARE_BLOCK_AIR : state->kind_of(WayfareCell{x, y, z});
        } catch (...) {
            state->thrown.keep();
            return WAYFARE_BLOCK_AIR;
        }
    }

    std::unique_ptr<State> state_;
};

/// A path through blocks.
struct BlockRoute : WayfareBlockPath {
    std::vector<Vec3> points;
};

/// Paths in a world of blocks.
class BlockNav : public detail::Owned<WayfareBlockNav, wayfare_block_nav_free> {
public:
    using Owned::Owned;
    BlockNav() { detail::check(wayfare_block_nav_new(nullptr, out())); }
    explicit BlockNav(const BlockSettings& settings) { detail::check(wayfare_block_nav_new(&settings, out())); }
    /// What blocks of an area type cost; infinite closes them.
    void set_cost(std::uint32_t area, float cost) { detail::check(wayfare_block_nav_set_cost(get(), area, cost)); }
    void invalidate(WayfareBlockBox area) { detail::check(wayfare_block_nav_invalidate(get(), area)); }
    BlockRoute path(const Blocks& blocks, WayfareCell start, WayfareCell goal, std::uint32_t max_nodes = 0) {
        return path(blocks, start, WayfareBlockBox{goal, goal}, max_nodes);
    }
    /// To a box, of which one block will do.
    BlockRoute path(const Blocks& blocks, WayfareCell start, WayfareBlockBox goal, std::uint32_t max_nodes = 0) {
        BlockRoute route{};
        blocks.ask(get(), [&] {
            return wayfare_block_nav_path(get(), blocks.get(), start, goal, max_nodes, &route);
        });
        route.points = points();
        return route;
    }
    /// Whether the last path still holds after changes.
    bool is_current() const {
        std::uint32_t current = 0;
        detail::check(wayfare_block_nav_is_current(get(), &current));
        return current != 0;
    }
    /// Whether there is a path at all; nothing if `max_nodes` (0: as usual) was not enough.
    std::optional<bool> path_exists(const Blocks& blocks, WayfareCell start, WayfareCell goal, std::uint32_t max_nodes = 0) {
        std::int32_t answer = 0;
        blocks.ask(get(), [&] {
            return wayfare_block_nav_path_exists(get(), blocks.get(), start, goal, max_nodes, &answer);
        });
        return answer < 0 ? std::nullopt : std::optional<bool>(answer == 1);
    }
    /// The nearest block on which the agent can stand.
    std::optional<WayfareCell> nearest(const Blocks& blocks, Vec3 point, std::uint32_t reach) const {
        std::uint32_t found = 0;
        WayfareCell cell{};
        blocks.ask(get(), [&] {
            return wayfare_block_nav_nearest(get(), blocks.get(), point, reach, &found, &cell);
        });
        return found ? std::optional<WayfareCell>(cell) : std::nullopt;
    }
    /// A random block on which the agent can stand: in a box, or reachable from a block within a radius.
    std::optional<WayfareCell> random(const Blocks& blocks, WayfareBlockBox area, std::uint64_t& seed) {
        return drawn(blocks, area, nullptr, 0, seed);
    }
    std::optional<WayfareCell> random_around(const Blocks& blocks, WayfareCell start, std::uint32_t radius, std::uint64_t& seed) {
        return drawn(blocks, WayfareBlockBox{}, &start, radius, seed);
    }
    /// Gives a request up.
    void withdraw(std::uint64_t number) { detail::check(wayfare_block_nav_withdraw(get(), number)); }
    /// Asks for a path that `update` searches: its number.
    std::uint64_t ask(WayfareCell start, WayfareBlockBox goal) {
        std::uint64_t number = 0;
        detail::check(wayfare_block_nav_ask(get(), start, goal, &number));
        return number;
    }
    /// Searches on for all that was asked, for so many nodes.
    void update(const Blocks& blocks, std::uint64_t budget) {
        blocks.ask(get(), [&] { return wayfare_block_nav_update(get(), blocks.get(), budget); });
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
    std::optional<WayfareCell> drawn(const Blocks& blocks, WayfareBlockBox area, const WayfareCell* start,
                                     std::uint32_t radius, std::uint64_t& seed) {
        std::uint32_t found = 0;
        WayfareCell cell{};
        blocks.ask(get(), [&] {
            return wayfare_block_nav_random(get(), blocks.get(), area, start, radius, &seed, &found, &cell);
        });
        return found ? std::optional<WayfareCell>(cell) : std::nullopt;
    }
    std::vector<Vec3> points() const {
        return detail::list(get(), wayfare_block_nav_points);
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
    using Owned::Owned;
    /// Begins a walk with its path; nothing if there is no block to stand on near its start.
    static std::optional<BlockWalk> begin(BlockNav& nav, const Blocks& blocks, Vec3 at, WayfareBlockBox goal) {
        BlockWalk walk(WayfareBlockWalk{0});
        blocks.ask(nav.get(), [&] {
            return wayfare_block_walk_new(nav.get(), blocks.get(), at, goal, walk.out());
        });
        return walk ? std::optional<BlockWalk>(std::move(walk)) : std::nullopt;
    }
    /// The same without a search: it stays where it is until it follows a path that it has asked for.
    static std::optional<BlockWalk> without_path(const BlockNav& nav, const Blocks& blocks, Vec3 at, WayfareBlockBox goal) {
        BlockWalk walk(WayfareBlockWalk{0});
        blocks.ask(nav.get(), [&] {
            return wayfare_block_walk_without_path(nav.get(), blocks.get(), at, goal, walk.out());
        });
        return walk ? std::optional<BlockWalk>(std::move(walk)) : std::nullopt;
    }
    /// Puts a request into the navigation's queue if the walk needs a path and waits for none: its number, or 0.
    std::uint64_t ask(BlockNav& nav, const Blocks& blocks) {
        std::uint64_t number = 0;
        try {
            blocks.ask(nav.get(), [&] { return wayfare_block_walk_ask(get(), nav.get(), blocks.get(), &number); });
        } catch (...) {
            if (number) wayfare_block_nav_withdraw(nav.get(), number);
            throw;
        }
        return number;
    }
    /// Follows the path that `BlockNav::take` has just given for its request.
    void follow(const BlockNav& nav) { detail::check(wayfare_block_walk_follow(get(), nav.get())); }
    /// Walks to a point, as far as blocks allow, without a search.
    BlockMove move(const BlockNav& nav, const Blocks& blocks, Vec3 to) {
        return moved(nav, blocks, [&](Vec3* now, Vec3* target, std::uint32_t* arrived) {
            return wayfare_block_walk_move(get(), nav.get(), blocks.get(), to, now, target, arrived);
        });
    }
    /// The same, and searches at once what has changed.
    BlockMove step(BlockNav& nav, const Blocks& blocks, Vec3 to) {
        return moved(nav, blocks, [&](Vec3* now, Vec3* target, std::uint32_t* arrived) {
            return wayfare_block_walk_step(get(), nav.get(), blocks.get(), to, now, target, arrived);
        });
    }

private:
    template <class Ask> static BlockMove moved(const BlockNav& nav, const Blocks& blocks, Ask ask) {
        BlockMove move{};
        std::uint32_t arrived = 0;
        blocks.ask(nav.get(), [&] { return ask(&move.now, &move.target, &arrived); });
        move.arrived = arrived != 0;
        return move;
    }
};

/// A small grid that follows an agent.
class Grid : public detail::Owned<WayfareGrid, wayfare_grid_free> {
public:
    using Owned::Owned;
    Grid(std::uint32_t size, float cell_size) { detail::check(wayfare_grid_new(size, cell_size, out())); }
    void recenter(Vec3 center) { detail::check(wayfare_grid_recenter(get(), center)); }
    void block(const std::vector<WayfareGridObstacle>& obstacles, float radius) {
        detail::check(wayfare_grid_block(get(), obstacles.data(), obstacles.size(), radius));
    }
    /// Blocks a cell, or frees it.
    void set_blocked(std::uint32_t x, std::uint32_t z, bool blocked = true) {
        detail::check(wayfare_grid_set_blocked(get(), x, z, blocked));
    }
    void clear() { detail::check(wayfare_grid_clear(get())); }
    bool is_blocked(std::uint32_t x, std::uint32_t z) const {
        std::uint32_t blocked = 0;
        detail::check(wayfare_grid_is_blocked(get(), x, z, &blocked));
        return blocked != 0;
    }
    /// The numbers of the obstacles that are in the way of an agent on a line, nearest first.
    static std::vector<std::uint32_t> blockers(const std::vector<WayfareGridObstacle>& obstacles, Vec3 from, Vec3 to,
                                               float radius) {
        return detail::list<std::uint32_t>([&](std::uint32_t* out, std::size_t capacity, std::size_t* count) {
            return wayfare_grid_blockers(obstacles.data(), obstacles.size(), from, to, radius, out, capacity, count);
        });
    }
    Route path(Vec3 from, Vec3 to) {
        std::uint32_t status = 0;
        auto points = detail::list<Vec3>([&](Vec3* out, std::size_t capacity, std::size_t* count) {
            return wayfare_grid_path(get(), from, to, &status, out, capacity, count);
        });
        return Route{static_cast<WayfarePathStatus>(status), std::move(points)};
    }
};

/// Shapes to be drawn: as a picture, or by a renderer of one's own.
class Shapes : public detail::Owned<WayfareShapes, wayfare_shapes_free> {
public:
    using Owned::Owned;
    Shapes() { detail::check(wayfare_shapes_new(out())); }
    void add(const Mesh& mesh) { detail::check(wayfare_shapes_add_mesh(get(), mesh.get())); }
    void add(const std::vector<Vec3>& path) { detail::check(wayfare_shapes_add_path(get(), path.data(), path.size())); }
    void add(const Overlay& overlay) { detail::check(wayfare_shapes_add_overlay(get(), overlay.get())); }
    std::vector<WayfareDrawn> list() const {
        return detail::list(get(), wayfare_shapes_list);
    }
    /// The points of all, one shape after the other.
    std::vector<Vec3> points() const {
        return detail::list(get(), wayfare_shapes_points);
    }
    /// The text of a label, by its index in the list.
    std::string label(std::size_t shape) const {
        return detail::text([&](char* out, std::size_t capacity, std::size_t* length) {
            return wayfare_shapes_label(get(), shape, out, capacity, length);
        });
    }
    /// From above, so many pixels along the longer side: as SVG, or as PNG.
    Bytes picture(std::uint32_t size, bool png = false) const {
        return detail::bytes([&](WayfareBytes* out) { return wayfare_shapes_picture(get(), size, png, out); });
    }
};

} // namespace wayfare

#endif
