#include <string.h>

#include "kernels.h"

/* Whole numbers wrap round, so that every system gets the same ones. */
void row_times_int(const int32_t *row, const int32_t *matrix, size_t rows, size_t columns,
                   int32_t *product) {
    uint32_t *sums = (uint32_t *)product;
    memset(sums, 0, columns * sizeof *sums);
    for (size_t k = 0; k < rows; k++) {
        uint32_t factor = (uint32_t)row[k];
        const int32_t *line = matrix + k * columns;
        for (size_t j = 0; j < columns; j++) sums[j] += factor * (uint32_t)line[j];
    }
}

void row_times_double(const double *row, const double *matrix, size_t rows, size_t columns,
                      double *product) {
    memset(product, 0, columns * sizeof *product);
    for (size_t k = 0; k < rows; k++) {
        double factor = row[k];
        const double *line = matrix + k * columns;
        for (size_t j = 0; j < columns; j++) product[j] += factor * line[j];
    }
}
