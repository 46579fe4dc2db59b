/* Calls that sleep a millisecond, in processes fed over Unix socket pairs: two calls are under way
 * at each, and whoever has answered gets the next. Usage: naps WORKERS COUNT. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256, DEPTH = 2 };
static const struct timespec NAP = {0, 1000000};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void transfer(ssize_t moved) {
    if (moved != 1) exit(1);
}

int main(int words, char **word) {
    int workers = words > 1 ? atoi(word[1]) : 8, count = words > 2 ? atoi(word[2]) : 2000;
    if (workers < 1 || workers > MOST) return 1;
    struct pollfd ends[MOST];
    char byte = 0;
    for (int each = 0; each < workers; each++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
        if (fork() == 0) {
            for (int earlier = 0; earlier < each; earlier++) close(ends[earlier].fd);
            close(pair[0]);
            while (read(pair[1], &byte, 1) == 1) {
                nanosleep(&NAP, NULL);
                transfer(write(pair[1], &byte, 1));
            }
            _exit(0);
        }
        close(pair[1]);
        ends[each] = (struct pollfd){.fd = pair[0], .events = POLLIN};
    }
    double begin = now();
    int sent = 0, answered = 0;
    for (int turn = 0; turn < DEPTH * workers && sent < count; turn++, sent++)
        transfer(write(ends[turn % workers].fd, &byte, 1));
    while (answered < count) {
        if (poll(ends, workers, -1) < 0) return 1;
        for (int each = 0; each < workers; each++) {
            if (!(ends[each].revents & POLLIN)) continue;
            transfer(read(ends[each].fd, &byte, 1));
            answered++;
            if (sent < count) {
                transfer(write(ends[each].fd, &byte, 1));
                sent++;
            }
        }
    }
    printf("{\"rate\": %.9g}\n", count / (now() - begin));
    return 0;
}
