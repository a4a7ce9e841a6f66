#include "launch.h"

// Defines __GLIBC__ where it is that library.
#include <stdlib.h>

// scripts/build-release has the commit in its environment, from which Package.swift defines this.
#ifndef UNDERSTUDY_COMMIT
#define UNDERSTUDY_COMMIT ""
#endif

const char *const understudy_commit = UNDERSTUDY_COMMIT;

static int count;
static char **arguments;

// Swift reads the arguments from /proc, which a container may lack. Glibc and dyld hand those of `main` to every
// initialiser as well; other systems may hand over nothing that is of use.
#if defined(__GLIBC__) || defined(__APPLE__)
__attribute__((constructor)) static void keep_arguments(int given, char **values) {
    count = given;
    arguments = values;
}
#endif

int understudy_argument_count(void) { return count; }

const char *understudy_argument(int place) { return place >= 0 && place < count ? arguments[place] : NULL; }
