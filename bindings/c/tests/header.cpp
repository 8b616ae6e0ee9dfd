// Both headers alone, included twice and in two translation units' worth of names: all classes are made once.
#include <wayfare.hpp>
#include <wayfare.hpp>

template class std::vector<wayfare::Vec3>;

int main() {
    const wayfare::Level level;
    const wayfare::Crowd crowd;
    const wayfare::Blocks blocks;
    const wayfare::Grid grid(8, 1);
    const wayfare::Overlay overlay;
    return level && crowd && blocks && grid && overlay ? 0 : 1;
}
