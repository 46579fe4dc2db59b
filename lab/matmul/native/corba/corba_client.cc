// The client: takes the servers of the group in turn, and sends them deferred requests.
//
// usage: corba_client SERVER_COMMAND multiply SERVERS stateless|stateful REPEATS SIZE...
//        corba_client SERVER_COMMAND latency|stream BYTES...
//
// omniORB's way to defer a request is AMI, "asynchronous method invocation": sendp_times() returns a
// poller, which has the reply later. LAB_HOST is where the client and the naming service are.
#include <arpa/inet.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <sstream>
#include <string>
#include <vector>

#include "bench.h"
#include "names.h"

static constexpr size_t WAITING = 8; // requests under way for each server

static std::string here() {
    const char *host = std::getenv("LAB_HOST");
    return host ? host : "127.0.0.1";
}

static int free_port() {
    int link = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t size = sizeof address;
    bind(link, reinterpret_cast<sockaddr *>(&address), size);
    getsockname(link, reinterpret_cast<sockaddr *>(&address), &size);
    close(link);
    return ntohs(address.sin_port);
}

// Start a command that ends with this process.
static void start(const std::string &command) {
    std::vector<std::string> words;
    std::istringstream text(command);
    for (std::string word; text >> word;) words.push_back(word);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        std::vector<char *> pointers;
        for (auto &word : words) pointers.push_back(word.data());
        pointers.push_back(nullptr);
        freopen("/dev/null", "w", stdout);
        freopen("/dev/null", "w", stderr);
        execvp(pointers[0], pointers.data());
        _exit(127);
    }
}

struct Group {
    std::vector<Lab::Multiplier_var> servers;
    std::string folder = "/tmp/cordlab-names-" + std::to_string(getpid());

    Group(CORBA::ORB_ptr orb, const std::string &command, int count) {
        int port = free_port();
        std::string root =
            "corbaloc:iiop:" + here() + ":" + std::to_string(port) + "/NameService";
        if (std::system(("mkdir -p " + folder).c_str())) std::exit(1);
        start("omniNames -start " + std::to_string(port) + " -datadir " + folder + " -logdir " +
              folder + " -ORBendPointPublish giop:tcp:" + here() + ":" + std::to_string(port));
        for (int each = 0; each < count; each++) {
            std::string words = command; // a % in it is the number of the server
            for (size_t at; (at = words.find('%')) != std::string::npos;)
                words.replace(at, 1, std::to_string(each + 1));
            while (!bound_name(orb, root)) usleep(20000);
            start(words + " " + root + " " + std::to_string(each) +
                  " -ORBgiopMaxMsgSize 134217728");
        }
        for (int each = 0; each < count; each++) servers.push_back(resolved(orb, root, each));
    }
    ~Group() {
        if (std::system(("rm -rf " + folder).c_str())) std::exit(1);
    }

    static bool bound_name(CORBA::ORB_ptr orb, const std::string &root) {
        try {
            CosNaming::NamingContext_var names = names_at(orb, root.c_str());
            return !CORBA::is_nil(names);
        } catch (CORBA::Exception &) {
            return false;
        }
    }
    static Lab::Multiplier_ptr resolved(CORBA::ORB_ptr orb, const std::string &root, int number) {
        for (int tries = 0; tries < 500; tries++, usleep(20000)) {
            try {
                CosNaming::NamingContext_var names = names_at(orb, root.c_str());
                CORBA::Object_var found = names->resolve(name_of(number));
                return Lab::Multiplier::_narrow(found);
            } catch (CORBA::Exception &) {
            }
        }
        std::fprintf(stderr, "a server did not register\n");
        std::exit(1);
    }
};

using Poller = Lab::AMI_MultiplierPoller;
static constexpr CORBA::ULong FOREVER = 0xffffffff;

static void multiply(Group &group, bool stateful, const int32_t *a, const Lab::Numbers &b,
                     int32_t *c, int size) {
    auto length = static_cast<size_t>(size);
    if (stateful)
        for (auto &server : group.servers) server->keep(b);
    std::deque<std::pair<int, Poller *>> waiting;
    auto collect = [&] {
        auto [index, poller] = waiting.front();
        waiting.pop_front();
        Lab::Numbers_var product;
        if (stateful) poller->times_kept(FOREVER, product.out());
        else poller->times(FOREVER, product.out());
        std::memcpy(c + static_cast<size_t>(index) * length, product->get_buffer(),
                    length * sizeof *c);
        poller->_remove_ref();
    };
    for (int index = 0; index < size; index++) {
        auto &server = group.servers[static_cast<size_t>(index) % group.servers.size()];
        auto *line = const_cast<int32_t *>(a + static_cast<size_t>(index) * length);
        Lab::Numbers row(static_cast<CORBA::ULong>(size), static_cast<CORBA::ULong>(size), line);
        waiting.emplace_back(index, stateful ? server->sendp_times_kept(row)
                                             : server->sendp_times(row, b));
        if (waiting.size() >= WAITING * group.servers.size()) collect();
    }
    while (!waiting.empty()) collect();
}

static void multiply_sizes(Group &group, bool stateful, int repeats, int count, char **sizes) {
    for (int which = 0; which < count; which++) {
        int size = std::atoi(sizes[which]);
        size_t all = static_cast<size_t>(size) * static_cast<size_t>(size);
        int32_t *a = new_ints(all, 1), *b = new_ints(all, 2);
        Lab::Numbers matrix(static_cast<CORBA::ULong>(all), static_cast<CORBA::ULong>(all), b);
        std::vector<int32_t> c(all);
        std::vector<double> times;
        for (int repeat = 0; repeat < repeats; repeat++) {
            double begin = seconds_now();
            multiply(group, stateful, a, matrix, c.data(), size);
            times.push_back(seconds_now() - begin);
        }
        std::printf("%s\"%d\": %.9f, \"check %d\": %u", which ? ", " : "", size,
                    median(times.data(), times.size()), size,
                    checksum(c.data(), all * sizeof c[0]));
        std::free(a), std::free(b);
    }
}

static Lab::Multiplier_ptr echoing;
static Lab::Block sent;

static void call(size_t) { Lab::Block_var reply = echoing->echo(sent); }

static void stream(size_t) {
    std::deque<Poller *> waiting;
    auto collect = [&] {
        Lab::Block_var reply;
        waiting.front()->echo(FOREVER, reply.out());
        waiting.front()->_remove_ref();
        waiting.pop_front();
    };
    for (int each = 0; each < STREAM; each++) {
        waiting.push_back(echoing->sendp_echo(sent));
        if (waiting.size() >= WAITING) collect();
    }
    while (!waiting.empty()) collect();
}

int main(int argc, char **argv) {
    const char *options[][2] = {{"giopMaxMsgSize", "134217728"}, {nullptr, nullptr}};
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, "omniORB4", options);
    bool multiplies = !std::strcmp(argv[2], "multiply");
    {
        Group group(orb, argv[1], multiplies ? std::atoi(argv[3]) : 1);
        std::printf("{");
        if (multiplies) {
            bool stateful = !std::strcmp(argv[4], "stateful");
            multiply_sizes(group, stateful, std::atoi(argv[5]), argc - 6, argv + 6);
        } else {
            echoing = group.servers[0];
            bool streaming = !std::strcmp(argv[2], "stream");
            for (int which = 3; which < argc; which++) {
                size_t bytes = std::strtoul(argv[which], nullptr, 10);
                sent.length(static_cast<CORBA::ULong>(bytes));
                double seconds = measure_calls(streaming ? stream : call, bytes);
                std::printf("%s\"%zu\": %.9f", which > 3 ? ", " : "", bytes,
                            streaming ? seconds / STREAM : seconds);
            }
        }
        std::printf("}\n");
        std::fflush(stdout);
    }
    _exit(0); // servers and naming service end with this process
}
