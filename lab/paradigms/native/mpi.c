/* Round trips, streams of calls and an embarrassingly parallel multiplication by messages of MPI.
 *
 * usage: mpirun -n 2 mpi latency|stream BYTES...
 *        mpirun -n WORKERS+1 mpi multiply SIZE REPEATS
 */
#include <mpi.h>
#include <string.h>

#include "bench.h"

enum { CALL, REPLY, STOP };
static char *sent, *received;

static void call(size_t bytes) {
    MPI_Send(sent, (int)bytes, MPI_BYTE, 1, CALL, MPI_COMM_WORLD);
    MPI_Recv(received, (int)bytes, MPI_BYTE, 1, REPLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* STREAM calls, WINDOW of them under way; `each` gets the seconds of one. */
static void stream(size_t bytes) {
    MPI_Request sends[WINDOW], receives[WINDOW];
    for (int one = 0; one < WINDOW; one++) sends[one] = receives[one] = MPI_REQUEST_NULL;
    for (int number = 0; number < STREAM; number++) {
        int at = number % WINDOW;
        MPI_Wait(&sends[at], MPI_STATUS_IGNORE);
        MPI_Wait(&receives[at], MPI_STATUS_IGNORE);
        char *place = received + (size_t)at * bytes;
        MPI_Irecv(place, (int)bytes, MPI_BYTE, 1, REPLY, MPI_COMM_WORLD, &receives[at]);
        MPI_Isend(sent, (int)bytes, MPI_BYTE, 1, CALL, MPI_COMM_WORLD, &sends[at]);
    }
    MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, receives, MPI_STATUSES_IGNORE);
}

static void serve_echo(void) {
    for (;;) {
        MPI_Status status;
        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        int bytes;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        MPI_Recv(received, bytes, MPI_BYTE, 0, status.MPI_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP) return;
        MPI_Send(received, bytes, MPI_BYTE, 0, REPLY, MPI_COMM_WORLD);
    }
}

static void measure(int streaming, int count, char **sizes) {
    printf("{");
    for (int which = 0; which < count; which++) {
        size_t bytes = strtoul(sizes[which], NULL, 10);
        double seconds = measure_calls(streaming ? stream : call, bytes);
        printf("%s\"%zu\": %.9f", which ? ", " : "", bytes, streaming ? seconds / STREAM : seconds);
    }
    printf("}\n");
    MPI_Send(NULL, 0, MPI_BYTE, 1, STOP, MPI_COMM_WORLD);
}

/* Rows go to whoever is free: each worker has one in hand, and the next one waiting. They are sent
 * without waiting: with two that wait for each other to receive, nothing would go on. */
static void deal_out(const double *a, const double *b, double *c, int size, int workers) {
    MPI_Request sends[size];
    MPI_Bcast((void *)b, size * size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int next = 0;
    for (int round = 0; round < 2; round++)
        for (int worker = 1; worker <= workers && next < size; worker++, next++)
            MPI_Isend(a + (size_t)next * size, size, MPI_DOUBLE, worker, next, MPI_COMM_WORLD,
                      &sends[next]);
    for (int done = 0; done < size; done++) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(c + (size_t)status.MPI_TAG * size, size, MPI_DOUBLE, status.MPI_SOURCE,
                 status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (next < size) {
            MPI_Isend(a + (size_t)next * size, size, MPI_DOUBLE, status.MPI_SOURCE, next,
                      MPI_COMM_WORLD, &sends[next]);
            next++;
        }
    }
    MPI_Waitall(size, sends, MPI_STATUSES_IGNORE);
    for (int worker = 1; worker <= workers; worker++)
        MPI_Send(NULL, 0, MPI_DOUBLE, worker, size, MPI_COMM_WORLD);
}

static void serve_rows(double *b, int size) {
    double row[size], product[size];
    MPI_Bcast(b, size * size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (;;) {
        MPI_Status status;
        MPI_Recv(row, size, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == size) return;
        row_times_double(row, b, (size_t)size, (size_t)size, product);
        MPI_Send(product, size, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD);
    }
}

static void multiply(int rank, int workers, int size, int repeats) {
    size_t count = (size_t)size * (size_t)size;
    double *a = new_doubles(count, 1), *b = new_doubles(count, 2);
    double *c = malloc(count * sizeof *c), times[repeats];
    for (int repeat = 0; repeat < repeats; repeat++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = seconds_now();
        if (rank == 0) deal_out(a, b, c, size, workers);
        else serve_rows(b, size);
        times[repeat] = seconds_now() - begin;
    }
    if (rank == 0)
        printf("{\"seconds\": %.9f, \"check\": %u}\n", median(times, (size_t)repeats),
               checksum(c, count * sizeof *c));
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(argv[1], "multiply")) {
        multiply(rank, ranks - 1, atoi(argv[2]), atoi(argv[3]));
    } else {
        size_t most = 0;
        for (int each = 2; each < argc; each++)
            if (strtoul(argv[each], NULL, 10) > most) most = strtoul(argv[each], NULL, 10);
        sent = calloc(most + 1, 1);
        received = calloc(most + 1, WINDOW);
        if (rank == 0) measure(!strcmp(argv[1], "stream"), argc - 2, argv + 2);
        else serve_echo();
    }
    MPI_Finalize();
    return 0;
}
