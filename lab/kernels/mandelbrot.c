#include "kernels.h"

void mandelbrot_row(double imaginary, double first, double last, size_t width, int32_t limit,
                    int32_t *counts) {
    for (size_t x = 0; x < width; x++) {
        double real = first + (last - first) * (double)x / (double)(width - 1);
        double a = 0, b = 0;
        int32_t count = 0;
        while (count < limit && a * a + b * b <= 4) {
            double next = a * a - b * b + real;
            b = 2 * a * b + imaginary;
            a = next;
            count++;
        }
        counts[x] = count;
    }
}
