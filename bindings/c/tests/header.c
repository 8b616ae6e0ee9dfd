/* The header alone, included twice: it needs nothing before it, and compiles in C99. */
#include <wayfare.h>
#include <wayfare.h>

int main(void) {
    WayfareBakeSettings settings;
    return wayfare_bake_settings_default(&settings, sizeof settings) == WAYFARE_STATUS_OK ? 0 : 1;
}
