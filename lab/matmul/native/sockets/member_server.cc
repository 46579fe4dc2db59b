// The name server: servers register with it by a datagram, clients ask it for all of them.
// Prints its port.
#include <signal.h>
#include <sys/prctl.h>

#include <vector>

#include "wire.h"

int main() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int port = 0, link = bound(SOCK_DGRAM, port);
    std::printf("%d\n", port);
    std::fflush(stdout);
    std::vector<sockaddr_in> members;
    for (;;) {
        sockaddr_in who{};
        socklen_t size = sizeof who;
        int32_t registered; // the port of a server; 0: who asks is a client
        if (recvfrom(link, &registered, sizeof registered, 0, reinterpret_cast<sockaddr *>(&who),
                     &size) != sizeof registered)
            continue;
        if (registered != 0) {
            sockaddr_in member = who;
            member.sin_port = htons(static_cast<uint16_t>(registered));
            members.push_back(member);
        }
        sendto(link, members.data(), members.size() * sizeof members[0], 0,
               reinterpret_cast<sockaddr *>(&who), size);
    }
}
