// A server: tells the naming service its name, then multiplies.
//
// usage: corba_server CORBALOC NUMBER, with omniORB's options behind
#include <signal.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "kernels.h"
#include "names.h"

class MultiplierServant : public POA_Lab::Multiplier {
    Lab::Numbers matrix_;

    static Lab::Numbers *product(const Lab::Numbers &row, const Lab::Numbers &matrix) {
        auto rows = row.length(), columns = matrix.length() / rows;
        auto *made = new Lab::Numbers;
        made->length(columns);
        row_times_int(row.get_buffer(), matrix.get_buffer(), rows, columns, made->get_buffer());
        return made;
    }

  public:
    Lab::Numbers *times(const Lab::Numbers &row, const Lab::Numbers &matrix) override {
        return product(row, matrix);
    }
    void keep(const Lab::Numbers &matrix) override { matrix_ = matrix; }
    Lab::Numbers *times_kept(const Lab::Numbers &row) override { return product(row, matrix_); }
    Lab::Block *echo(const Lab::Block &sent) override { return new Lab::Block(sent); }
};

int main(int argc, char **argv) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    auto *servant = new MultiplierServant;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::Object_var self = servant->_this();
    CosNaming::NamingContext_var names = names_at(orb, argv[1]);
    names->rebind(name_of(std::atoi(argv[2])), self);
    orb->run();
}
