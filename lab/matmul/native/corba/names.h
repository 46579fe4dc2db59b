// The naming service, and the name of a server in the group MULTgrp.
#pragma once

#include <string>

#include "multiplier.hh"

inline CosNaming::NamingContext_ptr names_at(CORBA::ORB_ptr orb, const char *corbaloc) {
    CORBA::Object_var root = orb->string_to_object(corbaloc);
    return CosNaming::NamingContext::_narrow(root);
}

inline CosNaming::Name name_of(int number) {
    CosNaming::Name name;
    name.length(1);
    name[0].id = CORBA::string_dup(("MULTgrp" + std::to_string(number)).c_str());
    return name;
}
