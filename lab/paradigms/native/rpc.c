/* The same as mpi.c by ONC RPC. Calls wait for their replies; what is to overlap gets a thread and a
 * connection of its own.
 *
 * usage: rpc SERVER latency|stream BYTES...
 *        rpc SERVER multiply SIZE REPEATS WORKERS
 *
 * SERVER is the command that starts one. LAB_HOST is where it then is (127.0.0.1).
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "calls.h"

enum { THREADS = 4, BUFFER = 1 << 18 };
static struct timeval patience = {60, 0};
static CLIENT *clients[64];
static char *sent;

static void fail(const char *what) {
    fprintf(stderr, "rpc: %s\n", what);
    exit(1);
}

static int start_server(const char *command) {
    char words[4096];
    int port;
    snprintf(words, sizeof words, "exec %s", command);
    FILE *said = popen(words, "r");
    if (!said || fscanf(said, "%d", &port) != 1) fail("the server did not start");
    return port;
}

static CLIENT *connected(int port) {
    const char *host = getenv("LAB_HOST");
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, host ? host : "127.0.0.1", &address.sin_addr);
    int link = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(link, (struct sockaddr *)&address, sizeof address)) fail("no connection");
    CLIENT *client = clnttcp_create(&address, LAB, FIRST, &link, BUFFER, BUFFER);
    if (!client) fail("no client");
    return client;
}

static void echo(CLIENT *client, size_t bytes) {
    block argument = {(u_int)bytes, sent}, reply = {0, NULL};
    if (clnt_call(client, ECHO, (xdrproc_t)xdr_block, (caddr_t)&argument, (xdrproc_t)xdr_block,
                  (caddr_t)&reply, patience) != RPC_SUCCESS)
        fail("a call failed");
    clnt_freeres(client, (xdrproc_t)xdr_block, (caddr_t)&reply);
}

static void call(size_t bytes) { echo(clients[0], bytes); }

static size_t streamed;

static void *stream_part(void *client) {
    for (int each = 0; each < STREAM / THREADS; each++) echo(client, streamed);
    return NULL;
}

static void in_threads(void *(*part)(void *), int count) {
    pthread_t threads[64];
    for (int each = 0; each < count; each++)
        pthread_create(&threads[each], NULL, part, clients[each]);
    for (int each = 0; each < count; each++) pthread_join(threads[each], NULL);
}

static void stream(size_t bytes) {
    streamed = bytes;
    in_threads(stream_part, THREADS);
}

static double *a, *b, *c;
static size_t size;
static atomic_size_t next_row;

/* One worker's part: it asks for the next row when it has done one. */
static void *multiply_part(void *argument_of_thread) {
    CLIENT *client = argument_of_thread;
    numbers matrix = {(u_int)(size * size), b};
    char nothing;
    if (clnt_call(client, KEEP, (xdrproc_t)xdr_numbers, (caddr_t)&matrix, (xdrproc_t)xdr_void,
                  &nothing, patience) != RPC_SUCCESS)
        fail("the matrix was not taken");
    for (size_t row; (row = next_row++) < size;) {
        numbers argument = {(u_int)size, a + row * size}, reply = {(u_int)size, c + row * size};
        if (clnt_call(client, TIMES, (xdrproc_t)xdr_numbers, (caddr_t)&argument,
                      (xdrproc_t)xdr_numbers, (caddr_t)&reply, patience) != RPC_SUCCESS)
            fail("a call failed");
    }
    return NULL;
}

static void multiply(const char *server, int repeats, int workers) {
    size_t count = size * size;
    a = new_doubles(count, 1), b = new_doubles(count, 2), c = malloc(count * sizeof *c);
    double times[repeats];
    for (int each = 0; each < workers; each++) clients[each] = connected(start_server(server));
    for (int repeat = 0; repeat < repeats; repeat++) {
        double begin = seconds_now();
        next_row = 0;
        in_threads(multiply_part, workers);
        times[repeat] = seconds_now() - begin;
    }
    printf("{\"seconds\": %.9f, \"check\": %u}\n", median(times, (size_t)repeats),
           checksum(c, count * sizeof *c));
}

int main(int argc, char **argv) {
    if (!strcmp(argv[2], "multiply")) {
        size = strtoul(argv[3], NULL, 10);
        multiply(argv[1], atoi(argv[4]), atoi(argv[5]));
        return 0;
    }
    int streaming = !strcmp(argv[2], "stream"), port = start_server(argv[1]);
    for (int each = 0; each < THREADS; each++) clients[each] = connected(port);
    sent = calloc(1 << 24, 1);
    printf("{");
    for (int which = 3; which < argc; which++) {
        size_t bytes = strtoul(argv[which], NULL, 10);
        double seconds = measure_calls(streaming ? stream : call, bytes);
        printf("%s\"%zu\": %.9f", which > 3 ? ", " : "", bytes,
               streaming ? seconds / STREAM : seconds);
    }
    printf("}\n");
    return 0;
}
