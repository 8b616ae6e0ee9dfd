/* A loop of 100,000 paths in C; `bench/paths.rs` is the same in Rust. Both read a level's OBJ file, take the number of
   rounds and of paths, and print nanoseconds a path. `bench/run` compares them. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <wayfare.h>

enum { PLACES = 1000 };

static void check(WayfareStatus status) {
    if (status != WAYFARE_STATUS_OK) {
        char why[512] = "";
        wayfare_last_error(why, sizeof why, NULL);
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
}

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "level.obj", "rb");
    if (!file) return 1;
    static uint8_t bytes[64 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const int rounds = argc > 2 ? atoi(argv[2]) : 5;
    const size_t paths = argc > 3 ? strtoul(argv[3], NULL, 10) : 100000;
    WayfareLevel level;
    WayfareMesh mesh;
    WayfareQuery query;
    WayfarePath path;
    static WayfarePlace places[PLACES];
    static WayfareVec3 points[4096];
    uint64_t seed = 1;
    size_t count = 0;
    check(wayfare_level_from_file("level.obj", bytes, size, NULL, &level));
    check(wayfare_bake(level, NULL, NULL, &mesh, NULL));
    check(wayfare_query_new(mesh, (WayfareFilter){0}, &query));
    check(wayfare_query_random(query, &seed, places, PLACES, &count));
    for (int round = 0; round < rounds; round++) {
        struct timespec begin, end;
        double length = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        for (size_t i = 0; i < paths; i++) {
            check(wayfare_query_straight_path(query, places[i % PLACES], places[(i * 7 + 3) % PLACES], points, 4096, &path));
            length += (double)path.length;
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        const double nanos = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
        printf("C     %8.1f ns a path, sum of lengths %.3f\n", nanos / (double)paths, length);
    }
    wayfare_query_free(query);
    wayfare_mesh_free(mesh);
    wayfare_level_free(level);
    return 0;
}
