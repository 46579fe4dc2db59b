/* The inner loops of the lab, the same ones for all systems: what is compared is the distribution. */
#ifndef LAB_KERNELS_H
#define LAB_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sort numbers in place. */
void insertion_sort(int32_t *numbers, size_t count);
void quicksort(int32_t *numbers, size_t count);

/* Merge sorted parts, which lie one after another and end at `ends`, into `merged`. */
void merge_parts(const int32_t *numbers, const size_t *ends, size_t parts, int32_t *merged);

/* One row of the Mandelbrot set: after how many steps each point is further than 2 from 0. */
void mandelbrot_row(double imaginary, double first, double last, size_t width, int32_t limit,
                    int32_t *counts);

/* A row times a matrix that has `rows` rows of `columns` numbers. */
void row_times_int(const int32_t *row, const int32_t *matrix, size_t rows, size_t columns,
                   int32_t *product);
void row_times_double(const double *row, const double *matrix, size_t rows, size_t columns,
                      double *product);

/* The seconds of a clock that only goes forward. */
double seconds_now(void);

/* What tells whether two systems got the same numbers. */
uint32_t checksum(const void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
