#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "kernels.h"

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Adler-32, as zlib has it: Python's zlib.adler32 gives the same. */
uint32_t checksum(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    uint32_t a = 1, b = 0;
    while (count > 0) {
        size_t some = count < 5552 ? count : 5552;
        count -= some;
        while (some-- > 0) {
            a += *at++;
            b += a;
        }
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}
