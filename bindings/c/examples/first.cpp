// The first program: bakes a floor with a pillar, and walks around it.
#include <iostream>
#include <wayfare.hpp>

int main() {
    wayfare::Level level;
    level.add_triangles({{0, 0, 0}, {0, 0, 20}, {20, 0, 20}, {20, 0, 0}}, {0, 1, 2, 0, 2, 3});
    level.add_volume(wayfare::volume::cylinder({10, -1, 10}, 3, 4));
    const auto mesh = wayfare::Mesh::bake(level);
    const auto route = mesh.find_path({2, 0, 2}, {18, 0, 18});
    for (const auto& p : route.points) std::cout << p.x << ' ' << p.y << ' ' << p.z << '\n';
    return route.is_complete() ? 0 : 1;
}
