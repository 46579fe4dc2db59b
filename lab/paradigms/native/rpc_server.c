/* A server of ONC RPC: prints its port, and serves until who started it has ended. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "calls.h"
#include "kernels.h"

enum { BUFFER = 1 << 18 };
extern void lab_1(struct svc_req *, SVCXPRT *); /* rpcgen's */

static numbers matrix; /* what KEEP was given */

block *echo_1_svc(block *argument, struct svc_req *request) {
    (void)request;
    return argument;
}

void *keep_1_svc(numbers *argument, struct svc_req *request) {
    static char nothing;
    (void)request;
    free(matrix.numbers_val);
    matrix = *argument;
    argument->numbers_val = NULL; /* so that it is not freed after the call */
    return &nothing;
}

numbers *times_1_svc(numbers *row, struct svc_req *request) {
    static numbers product;
    (void)request;
    size_t columns = matrix.numbers_len / row->numbers_len;
    product.numbers_len = (u_int)columns;
    product.numbers_val = realloc(product.numbers_val, columns * sizeof(double));
    row_times_double(row->numbers_val, matrix.numbers_val, row->numbers_len, columns,
                     product.numbers_val);
    return &product;
}

int main(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 16)) return 1;
    getsockname(listener, (struct sockaddr *)&address, &size);
    SVCXPRT *transport = svctcp_create(listener, BUFFER, BUFFER);
    /* 0: rpcbind need not know it, whoever started it is told the port */
    if (!transport || !svc_register(transport, LAB, FIRST, lab_1, 0)) return 1;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    svc_run();
    return 1;
}
