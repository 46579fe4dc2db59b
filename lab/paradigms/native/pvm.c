/* The same as mpi.c by PVM: tasks that the first one spawns, with direct routes between them.
 *
 * usage: pvm latency|stream BYTES...
 *        pvm multiply SIZE REPEATS WORKERS
 */
#include <pvm3.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { CALL = 1, REPLY, MATRIX, ROW, STOP };
static int tasks[64];
static char *sent, *received;

static void fail(const char *what) {
    fprintf(stderr, "pvm: %s\n", what);
    pvm_exit();
    exit(1);
}

static void send_bytes(int task, int tag, const void *bytes, size_t count) {
    pvm_initsend(PvmDataInPlace);
    pvm_pkbyte((char *)bytes, (int)count, 1);
    pvm_send(task, tag);
}

static void receive_bytes(int task, int tag, void *bytes) {
    int buffer = pvm_recv(task, tag), count;
    pvm_bufinfo(buffer, &count, NULL, NULL);
    pvm_upkbyte(bytes, count, 1);
}

static void call(size_t bytes) {
    send_bytes(tasks[0], CALL, sent, bytes);
    receive_bytes(tasks[0], REPLY, received);
}

static void stream(size_t bytes) {
    for (int number = 0; number < STREAM + WINDOW; number++) {
        if (number >= WINDOW) receive_bytes(tasks[0], REPLY, received);
        if (number < STREAM) send_bytes(tasks[0], CALL, sent, bytes);
    }
}

/* A spawned task does what its messages say. */
static void serve(int master) {
    static char bytes[1 << 24];
    double *matrix = NULL, *product = NULL;
    int size = 0;
    for (;;) {
        int buffer = pvm_recv(master, -1), count, tag, row;
        pvm_bufinfo(buffer, &count, &tag, NULL);
        if (tag == STOP) return;
        if (tag == CALL) {
            pvm_upkbyte(bytes, count, 1);
            send_bytes(master, REPLY, bytes, (size_t)count);
        } else if (tag == MATRIX) {
            pvm_upkint(&size, 1, 1);
            matrix = realloc(matrix, (size_t)size * (size_t)size * sizeof *matrix);
            product = realloc(product, (size_t)size * sizeof *product);
            pvm_upkdouble(matrix, size * size, 1);
        } else {
            double *numbers = (double *)bytes;
            pvm_upkint(&row, 1, 1);
            pvm_upkdouble(numbers, size, 1);
            row_times_double(numbers, matrix, (size_t)size, (size_t)size, product);
            pvm_initsend(PvmDataRaw);
            pvm_pkint(&row, 1, 1);
            pvm_pkdouble(product, size, 1);
            pvm_send(master, REPLY);
        }
    }
}

static void send_row(int task, const double *a, int row, int size) {
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&row, 1, 1);
    pvm_pkdouble((double *)a + (size_t)row * (size_t)size, size, 1);
    pvm_send(task, ROW);
}

static void multiply(int size, int repeats, int workers) {
    size_t count = (size_t)size * (size_t)size;
    double *a = new_doubles(count, 1), *b = new_doubles(count, 2);
    double *c = malloc(count * sizeof *c), times[repeats];
    for (int repeat = 0; repeat < repeats; repeat++) {
        double begin = seconds_now();
        pvm_initsend(PvmDataRaw);
        pvm_pkint(&size, 1, 1);
        pvm_pkdouble(b, size * size, 1);
        pvm_mcast(tasks, workers, MATRIX);
        int next = 0;
        for (int round = 0; round < 2; round++) /* one row in hand, the next one waiting */
            for (int each = 0; each < workers && next < size; each++)
                send_row(tasks[each], a, next++, size);
        for (int done = 0; done < size; done++) {
            int buffer = pvm_recv(-1, REPLY), task, row;
            pvm_bufinfo(buffer, NULL, NULL, &task);
            pvm_upkint(&row, 1, 1);
            pvm_upkdouble(c + (size_t)row * (size_t)size, size, 1);
            if (next < size) send_row(task, a, next++, size);
        }
        times[repeat] = seconds_now() - begin;
    }
    printf("{\"seconds\": %.9f, \"check\": %u}\n", median(times, (size_t)repeats),
           checksum(c, count * sizeof *c));
}

int main(int argc, char **argv) {
    if (pvm_mytid() < 0) fail("no daemon");
    pvm_setopt(PvmRoute, PvmRouteDirect);
    int master = pvm_parent();
    if (master != PvmNoParent) {
        serve(master);
        pvm_exit();
        return 0;
    }
    int several = !strcmp(argv[1], "multiply"), workers = several ? atoi(argv[4]) : 1;
    char *where = getenv("LAB_PVM_HOST"); /* elsewhere than here */
    for (int hosts = 1, tries = 0; where && hosts < 2 && tries < 200; tries++) { /* it joins late */
        pvm_config(&hosts, NULL, NULL);
        usleep(50000);
    }
    char program[4096] = {0};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) fail("no program");
    if (pvm_spawn(program, NULL, where ? PvmTaskHost : PvmTaskDefault, where ? where : "", workers,
                  tasks) != workers)
        fail("no tasks");
    if (several) {
        multiply(atoi(argv[2]), atoi(argv[3]), workers);
    } else {
        sent = calloc(1 << 24, 1), received = calloc(1 << 24, 1);
        int streaming = !strcmp(argv[1], "stream");
        printf("{");
        for (int which = 2; which < argc; which++) {
            size_t bytes = strtoul(argv[which], NULL, 10);
            double seconds = measure_calls(streaming ? stream : call, bytes);
            printf("%s\"%zu\": %.9f", which > 2 ? ", " : "", bytes,
                   streaming ? seconds / STREAM : seconds);
        }
        printf("}\n");
    }
    pvm_initsend(PvmDataRaw);
    pvm_mcast(tasks, workers, STOP);
    pvm_exit();
    return 0;
}
