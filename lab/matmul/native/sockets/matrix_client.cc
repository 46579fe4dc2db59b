// The client: asks the name server for servers, sends rows round them, and collects the product.
// A thread sends while another one receives: otherwise the buffers of both sides could fill up.
//
// usage: matrix_client NAME_SERVER_COMMAND SERVER_COMMAND SERVERS stateless|stateful REPEATS SIZE...
//
// LAB_HOST is where the client and the name server are (127.0.0.1). With no servers it multiplies.
#include <poll.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "bench.h"
#include "wire.h"

static const char *here() {
    const char *host = std::getenv("LAB_HOST");
    return host ? host : "127.0.0.1";
}

static int started(const std::string &command) {
    int port;
    FILE *said = popen(("exec " + command).c_str(), "r");
    if (!said || std::fscanf(said, "%d", &port) != 1) fail("a server did not start");
    return port;
}

static std::vector<sockaddr_in> members(int names) {
    int none = 0, link = bound(SOCK_DGRAM, none);
    sockaddr_in address = address_of(here(), names);
    int32_t client = 0;
    sendto(link, &client, sizeof client, 0, reinterpret_cast<sockaddr *>(&address), sizeof address);
    std::vector<sockaddr_in> found(64);
    ssize_t got = recv(link, found.data(), found.size() * sizeof found[0], 0);
    close(link);
    found.resize(static_cast<size_t>(got) / sizeof found[0]);
    return found;
}

static void send_rows(const std::vector<int> &links, const int32_t *a, const int32_t *b, int size,
                      bool stateful) {
    auto length = static_cast<size_t>(size);
    for (int index = 0; index < size; index++) {
        auto server = static_cast<size_t>(index) % links.size();
        bool knows = stateful && static_cast<size_t>(index) >= links.size();
        Request request{index, size, knows ? 0 : size};
        iovec parts[] = {
            {&request, sizeof request},
            {const_cast<int32_t *>(a + static_cast<size_t>(index) * length), length * sizeof *a},
            {const_cast<int32_t *>(b), length * length * sizeof *b},
        };
        send_all(links[server], parts, knows ? 2 : 3);
    }
}

static void receive_rows(const std::vector<int> &links, int32_t *c, int size) {
    std::vector<pollfd> polled;
    for (int link : links) polled.push_back({link, POLLIN, 0});
    auto length = static_cast<size_t>(size);
    for (int done = 0; done < size;) {
        poll(polled.data(), polled.size(), -1);
        for (auto &one : polled) {
            if (!one.revents) continue;
            Reply reply;
            if (!receive_all(one.fd, &reply, sizeof reply)) fail("a server has ended");
            receive_all(one.fd, c + static_cast<size_t>(reply.index) * length, length * sizeof *c);
            done++;
        }
    }
}

static void multiply(int names, bool stateful, const int32_t *a, const int32_t *b, int32_t *c,
                     int size) {
    std::vector<int> links;
    for (auto &member : members(names)) links.push_back(connected(member));
    std::thread sender(send_rows, std::ref(links), a, b, size, stateful);
    receive_rows(links, c, size);
    sender.join();
    for (int link : links) close(link);
}

static void multiply_here(const int32_t *a, const int32_t *b, int32_t *c, int size) {
    auto length = static_cast<size_t>(size);
    for (size_t row = 0; row < length; row++)
        row_times_int(a + row * length, b, length, length, c + row * length);
}

int main(int argc, char **argv) {
    int servers = std::atoi(argv[3]), repeats = std::atoi(argv[5]), names = 0;
    bool stateful = !std::strcmp(argv[4], "stateful");
    if (servers > 0) {
        names = started(argv[1]);
        for (int each = 0; each < servers; each++) {
            std::string command = argv[2]; // a % in it is the number of the server
            for (size_t at; (at = command.find('%')) != std::string::npos;)
                command.replace(at, 1, std::to_string(each + 1));
            started(command + " " + here() + " " + std::to_string(names));
        }
    }
    std::printf("{");
    for (int which = 6; which < argc; which++) {
        int size = std::atoi(argv[which]);
        size_t count = static_cast<size_t>(size) * static_cast<size_t>(size);
        int32_t *a = new_ints(count, 1), *b = new_ints(count, 2);
        std::vector<int32_t> c(count);
        std::vector<double> times;
        for (int repeat = 0; repeat < repeats; repeat++) {
            double begin = seconds_now();
            if (servers > 0) multiply(names, stateful, a, b, c.data(), size);
            else multiply_here(a, b, c.data(), size);
            times.push_back(seconds_now() - begin);
        }
        std::printf("%s\"%d\": %.9f, \"check %d\": %u", which > 6 ? ", " : "", size,
                    median(times.data(), times.size()), size,
                    checksum(c.data(), count * sizeof c[0]));
        std::free(a), std::free(b);
    }
    std::printf("}\n");
    return 0;
}
