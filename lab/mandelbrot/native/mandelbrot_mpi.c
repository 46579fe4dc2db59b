/* Draws the Mandelbrot set, row by row, on ranks of unequal speed; rank 0 deals the rows out.
 *
 * usage: mpirun -n WORKERS+1 mandelbrot_mpi sync|async|static SIZE LIMIT
 *
 * sync: one row at a time, each waited for. async: each worker has a row in hand and the next one
 * waiting; who has done one gets another. static: every worker gets the same number at once.
 */
#include <mpi.h>
#include <string.h>

#include "bench.h"

static int size, limit, workers;
static int32_t *rows;

static double imaginary(int row) { return 1.2 - 2.4 * row / (size - 1); }

static void receive_row(int *worker) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    *worker = status.MPI_SOURCE;
    MPI_Recv(rows + (size_t)status.MPI_TAG * (size_t)size, size, MPI_INT32_T, *worker,
             status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rows are numbers of a message's tag: a worker needs nothing else. */
static void send_row(int row, int worker, MPI_Request *request) {
    MPI_Isend(NULL, 0, MPI_INT32_T, worker, row, MPI_COMM_WORLD, request);
}

static void draw(int waiting) {
    MPI_Request requests[size];
    int next = 0, worker;
    for (int round = 0; round < waiting; round++)
        for (worker = 1; worker <= workers && next < size; worker++, next++)
            send_row(next, worker, &requests[next]);
    for (int done = 0; done < size; done++) {
        receive_row(&worker);
        if (next < size) send_row(next, worker, &requests[next]), next++;
    }
    MPI_Waitall(size, requests, MPI_STATUSES_IGNORE);
}

static void serve(void) {
    int32_t *counts = malloc((size_t)size * sizeof *counts);
    for (;;) {
        MPI_Status status;
        MPI_Recv(NULL, 0, MPI_INT32_T, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG >= size) break;
        mandelbrot_row(imaginary(status.MPI_TAG), -1.8, 0.5, (size_t)size, limit, counts);
        MPI_Send(counts, size, MPI_INT32_T, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
    free(counts);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &workers);
    workers--;
    size = atoi(argv[2]), limit = atoi(argv[3]);
    if (rank == 0) {
        rows = malloc((size_t)size * (size_t)size * sizeof *rows);
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = seconds_now();
        int waiting = !strcmp(argv[1], "sync") ? 1 : !strcmp(argv[1], "async") ? 2 : size;
        draw(waiting);
        printf("{\"seconds\": %.9f, \"check\": %u}\n", seconds_now() - begin,
               checksum(rows, (size_t)size * (size_t)size * sizeof *rows));
        for (int worker = 1; worker <= workers; worker++)
            MPI_Send(NULL, 0, MPI_INT32_T, worker, size, MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        serve();
    }
    MPI_Finalize();
    return 0;
}
