// What client, servers and name server say to one another, and how it is sent.
#pragma once

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Which row of the product is wanted, and how long rows are. `columns` is 0 if the server is to use
// the matrix that it has: the row follows, and otherwise the matrix, too.
struct Request {
    int32_t index, rows, columns;
};
struct Reply {
    int32_t index, columns;
};

inline void fail(const char *what) {
    std::perror(what);
    std::exit(1);
}

inline sockaddr_in address_of(const char *host, int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

// A socket that is bound to a port of its own; `port` becomes its number.
inline int bound(int kind, int &port) {
    int made = socket(AF_INET, kind, 0);
    sockaddr_in address = address_of("0.0.0.0", port);
    socklen_t size = sizeof address;
    if (bind(made, reinterpret_cast<sockaddr *>(&address), size)) fail("bind");
    getsockname(made, reinterpret_cast<sockaddr *>(&address), &size);
    port = ntohs(address.sin_port);
    return made;
}

inline int connected(sockaddr_in address) {
    int link = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    if (connect(link, reinterpret_cast<sockaddr *>(&address), sizeof address)) fail("connect");
    setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return link;
}

// Whether all of it came before the other side ended.
inline bool receive_all(int link, void *bytes, size_t count) {
    for (char *at = static_cast<char *>(bytes); count > 0;) {
        ssize_t got = recv(link, at, count, MSG_WAITALL);
        if (got <= 0) return false;
        at += got, count -= static_cast<size_t>(got);
    }
    return true;
}

inline void send_all(int link, iovec *parts, int count) {
    while (count > 0) {
        ssize_t sent = writev(link, parts, count);
        if (sent < 0) fail("writev");
        auto left = static_cast<size_t>(sent);
        for (; count > 0 && left >= parts->iov_len; parts++, count--) left -= parts->iov_len;
        if (count > 0) {
            parts->iov_base = static_cast<char *>(parts->iov_base) + left;
            parts->iov_len -= left;
        }
    }
}
