/* The round trip of one byte between two processes over a Unix socket pair. Usage: pair CORES,
 * where CORES is 1 (both on the same core) or 2; `pair CORES tcp` for a connection over loopback.
 * Prints the median of batches. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 201, CALLS = 200 };

static void pin(int index) {
    cpu_set_t allowed, one;
    sched_getaffinity(0, sizeof allowed, &allowed);
    index %= CPU_COUNT(&allowed);
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET(core, &allowed) && index-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static int connection(int ends[2]) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1)) return 1;
    if (getsockname(listener, (struct sockaddr *)&address, &length)) return 1;
    if (connect(ends[0], (struct sockaddr *)&address, length)) return 1;
    ends[1] = accept(listener, NULL, NULL);
    for (int end = 0; end < 2; end++)
        if (setsockopt(ends[end], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) return 1;
    return close(listener);
}

static void transfer(ssize_t moved) {
    if (moved != 1) exit(1);
}

int main(int count, char **words) {
    int cores = count > 1 ? atoi(words[1]) : 2, ends[2];
    char byte = 0;
    int failed = count > 2 ? connection(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    if (failed) return 1;
    if (fork() == 0) {
        close(ends[0]);
        pin(cores - 1);
        while (read(ends[1], &byte, 1) == 1) transfer(write(ends[1], &byte, 1));
        _exit(0);
    }
    close(ends[1]);
    pin(0);
    static double times[BATCHES];
    for (int batch = 0; batch < BATCHES; batch++) {
        double begin = now();
        for (int call = 0; call < CALLS; call++) {
            transfer(write(ends[0], &byte, 1));
            transfer(read(ends[0], &byte, 1));
        }
        times[batch] = (now() - begin) / CALLS;
    }
    qsort(times, BATCHES, sizeof *times, compare);
    printf("{\"seconds\": %.9g}\n", times[BATCHES / 2]);
    return 0;
}
