// A server: registers with the name server, then multiplies rows by the matrix that it is sent or has.
//
// usage: matrix_server NAME_SERVER PORT
#include <signal.h>
#include <sys/prctl.h>

#include <vector>

#include "kernels.h"
#include "wire.h"

static void serve(int link) {
    Request request;
    std::vector<int32_t> row, matrix, product;
    size_t columns = 0;
    while (receive_all(link, &request, sizeof request)) {
        auto rows = static_cast<size_t>(request.rows);
        row.resize(rows);
        if (!receive_all(link, row.data(), rows * sizeof row[0])) return;
        if (request.columns != 0) {
            columns = static_cast<size_t>(request.columns);
            matrix.resize(rows * columns);
            product.resize(columns);
            if (!receive_all(link, matrix.data(), matrix.size() * sizeof matrix[0])) return;
        }
        row_times_int(row.data(), matrix.data(), rows, columns, product.data());
        Reply reply{request.index, static_cast<int32_t>(columns)};
        iovec parts[] = {{&reply, sizeof reply}, {product.data(), columns * sizeof product[0]}};
        send_all(link, parts, 2);
    }
}

int main(int, char **argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int port = 0, listener = bound(SOCK_STREAM, port);
    if (listen(listener, 16)) fail("listen");
    int none = 0, datagrams = bound(SOCK_DGRAM, none);
    sockaddr_in names = address_of(argv[1], std::atoi(argv[2]));
    int32_t registered = port;
    sendto(datagrams, &registered, sizeof registered, 0, reinterpret_cast<sockaddr *>(&names),
           sizeof names);
    recv(datagrams, &registered, sizeof registered, 0); // it knows us
    std::printf("%d\n", port);
    std::fflush(stdout);
    for (;;) {
        int link = accept(listener, nullptr, nullptr), yes = 1;
        setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        serve(link);
        close(link);
    }
}
