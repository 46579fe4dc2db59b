/* How native programs measure a call, and print it as the harness wants it. */
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

enum { MOST = 100000, WARM = 100, WINDOW = 64, STREAM = 2000 };
#define ENOUGH 0.4 /* seconds for one measure, unless MOST samples come first */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, size_t count) {
    qsort(times, count, sizeof *times, by_value);
    return times[count / 2];
}

/* The median of the seconds that a call with so many bytes takes. */
static double measure_calls(void (*call)(size_t), size_t bytes) {
    static double times[MOST];
    double warm = seconds_now();
    for (int each = 0; each < WARM && seconds_now() - warm < ENOUGH / 4; each++) call(bytes);
    size_t count = 0;
    double end = seconds_now() + ENOUGH;
    do {
        double begin = seconds_now();
        call(bytes);
        times[count++] = seconds_now() - begin;
    } while (count < MOST && (count < 5 || seconds_now() < end));
    return median(times, count);
}

/* The numbers that the matrices of the lab hold: small ones, so that no sum is rounded. */
static int32_t next_number(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (int32_t)(*state >> 22) - 512;
}

static double *new_doubles(size_t count, uint32_t seed) {
    double *numbers = (double *)malloc(count * sizeof *numbers);
    for (size_t each = 0; each < count; each++) numbers[each] = next_number(&seed);
    return numbers;
}

static int32_t *new_ints(size_t count, uint32_t seed) {
    int32_t *numbers = (int32_t *)malloc(count * sizeof *numbers);
    for (size_t each = 0; each < count; each++) numbers[each] = next_number(&seed);
    return numbers;
}

#endif
