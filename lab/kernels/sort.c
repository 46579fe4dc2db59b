#include <stdlib.h>
#include <string.h>

#include "kernels.h"

enum { FEW = 16 }; /* below this, insertion sort is faster than another partition */

void insertion_sort(int32_t *numbers, size_t count) {
    for (size_t next = 1; next < count; next++) {
        int32_t number = numbers[next];
        size_t place = next;
        while (place > 0 && numbers[place - 1] > number) {
            numbers[place] = numbers[place - 1];
            place--;
        }
        numbers[place] = number;
    }
}

static int32_t median_of_three(int32_t a, int32_t b, int32_t c) {
    if (a < b) return b < c ? b : (a < c ? c : a);
    return a < c ? a : (b < c ? c : b);
}

void quicksort(int32_t *numbers, size_t count) {
    while (count > FEW) {
        int32_t pivot = median_of_three(numbers[0], numbers[count / 2], numbers[count - 1]);
        ptrdiff_t low = -1, high = (ptrdiff_t)count;
        for (;;) { /* Hoare's partition */
            do low++; while (numbers[low] < pivot);
            do high--; while (numbers[high] > pivot);
            if (low >= high) break;
            int32_t moved = numbers[low];
            numbers[low] = numbers[high];
            numbers[high] = moved;
        }
        size_t left = (size_t)high + 1;
        if (left < count - left) { /* recursion for the smaller part, a loop for the other */
            quicksort(numbers, left);
            numbers += left;
            count -= left;
        } else {
            quicksort(numbers + left, count - left);
            count = left;
        }
    }
    insertion_sort(numbers, count);
}

static void merge_two(const int32_t *a, size_t na, const int32_t *b, size_t nb, int32_t *out) {
    size_t i = 0, j = 0;
    while (i < na && j < nb) {
        int take_b = b[j] < a[i]; /* no branch: nobody can predict it */
        *out++ = take_b ? b[j] : a[i];
        j += (size_t)take_b;
        i += (size_t)!take_b;
    }
    memcpy(out, a + i, (na - i) * sizeof *out);
    memcpy(out + (na - i), b + j, (nb - j) * sizeof *out);
}

void merge_parts(const int32_t *numbers, const size_t *ends, size_t parts, int32_t *merged) {
    size_t count = parts ? ends[parts - 1] : 0;
    size_t *from_ends = malloc((parts + 1) * sizeof *from_ends);
    int32_t *spare = malloc((count + 1) * sizeof *spare);
    memcpy(from_ends, ends, parts * sizeof *from_ends);
    const int32_t *from = numbers;
    int32_t *to = merged;
    while (parts > 1) { /* neighbours by pairs, until one part is left */
        size_t made = 0, begin = 0;
        for (size_t part = 0; part < parts; part += 2) {
            size_t middle = from_ends[part];
            size_t end = part + 1 < parts ? from_ends[part + 1] : middle;
            merge_two(from + begin, middle - begin, from + middle, end - middle, to + begin);
            from_ends[made++] = end;
            begin = end;
        }
        parts = made;
        from = to;
        to = from == merged ? spare : merged;
    }
    if (from != merged) memcpy(merged, from, count * sizeof *merged);
    free(spare);
    free(from_ends);
}
