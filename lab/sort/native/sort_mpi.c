/* Sorts the numbers of a file in parts, one a rank: rank 0 deals them out, sorts its own, merges.
 *
 * usage: mpirun -n RANKS sort_mpi FILE ALGORITHM REPEATS SIZE...
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    void (*sort)(int32_t *, size_t) = strcmp(argv[2], "insertion") ? quicksort : insertion_sort;
    int repeats = atoi(argv[3]);
    double *took = malloc((size_t)repeats * sizeof *took);
    if (rank == 0) printf("{");
    for (int which = 4; which < argc; which++) {
        size_t count = strtoul(argv[which], NULL, 10), part = count / (size_t)ranks;
        int32_t *numbers = NULL, *sorted = NULL, *own = malloc(part * sizeof *own);
        size_t ends[ranks];
        if (rank == 0) {
            numbers = malloc(count * sizeof *numbers);
            sorted = malloc(count * sizeof *sorted);
            for (int each = 0; each < ranks; each++) ends[each] = part * (size_t)(each + 1);
        }
        for (int repeat = 0; repeat < repeats; repeat++) {
            if (rank == 0) {
                FILE *file = fopen(argv[1], "rb");
                if (!file || fread(numbers, sizeof *numbers, count, file) != count)
                    MPI_Abort(MPI_COMM_WORLD, 1);
                fclose(file);
            }
            MPI_Barrier(MPI_COMM_WORLD);
            double begin = seconds_now();
            MPI_Scatter(numbers, (int)part, MPI_INT32_T, own, (int)part, MPI_INT32_T, 0,
                        MPI_COMM_WORLD);
            sort(own, part);
            MPI_Gather(own, (int)part, MPI_INT32_T, numbers, (int)part, MPI_INT32_T, 0,
                       MPI_COMM_WORLD);
            if (rank == 0) {
                merge_parts(numbers, ends, (size_t)ranks, sorted);
                took[repeat] = seconds_now() - begin;
            }
        }
        if (rank == 0) {
            qsort(took, (size_t)repeats, sizeof *took, by_value);
            printf("%s\"%zu\": %.9f, \"check %zu\": %u", which > 4 ? ", " : "", count,
                   took[repeats / 2], count, checksum(sorted, count * sizeof *sorted));
        }
        free(own);
        free(sorted);
        free(numbers);
    }
    if (rank == 0) printf("}\n");
    MPI_Finalize();
    return 0;
}
