//! The private native module `cord._core`.

use pyo3::prelude::*;

mod address;
mod allocator;
mod apart;
mod attached;
mod built;
mod c_functions;
mod client;
mod constants;
mod copies;
mod descriptor;
mod document;
mod guards;
mod held;
mod library;
mod node;
mod objects;
mod process;
mod python;
mod quiet;
mod replica;
mod scouts;
mod stack;
mod takes;
mod thread_state;
mod ticks;
mod trace;
mod travel;

// All of it relies on the interpreter's lock: one that runs without it turns it on.
#[pymodule(gil_used = true)]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    travel::buffers::register(module)?;
    apart::register(module)?;
    built::register(module)?;
    client::session::register(module)?;
    client::team::register(module)?;
    client::settings::register(module)?;
    client::code::register(module)?;
    constants::register(module)?;
    copies::register(module)?;
    client::ending::register(module)?;
    client::forking::register(module)?;
    replica::endpoint::register(module)?;
    client::definitions::register(module)?;
    client::live::register(module)?;
    descriptor::register(module)?;
    document::register(module)?;
    scouts::exits::register(module)?;
    client::facade::register(module)?;
    client::front::register(module)?;
    client::given::register(module)?;
    client::onlookers::register(module)?;
    client::recorded::register(module)?;
    client::world::register(module)?;
    guards::guard::register(module)?;
    travel::keeper::register(module)?;
    takes::late::register(module)?;
    node::register(module)?;
    replica::leftovers::register(module)?;
    replica::moved::register(module)?;
    replica::output::register(module)?;
    replica::outside::register(module)?;
    travel::passed::register(module)?;
    travel::pickling::register(module)?;
    process::register(module)?;
    takes::reach::register(module)?;
    takes::reasons::register(module)?;
    client::remote::register(module)?;
    travel::resident::register(module)?;
    travel::scalars::register(module)?;
    replica::named::register(module)?;
    replica::serve::register(module)?;
    replica::shared::register(module)?;
    client::service::register(module)?;
    travel::sets::register(module)?;
    takes::site::register(module)?;
    module.add_function(wrap_pyfunction!(python::asked_of_python, module)?)?;
    module.add_class::<takes::activation::Region>()?;
    module.add_class::<takes::activation::Activation>()?;
    module.add_class::<takes::bound::BoundTake>()?;
    module.add_class::<takes::values::Following>()?;
    module.add_class::<takes::loops::Loops>()?;
    module.add_class::<takes::loops::Counted>()?;
    module.add_class::<scouts::run::Run>()?;
    module.add_class::<guards::heap::Heap>()?;
    module.add_class::<scouts::future::Future>()?;
    module.add_function(wrap_pyfunction!(takes::values::enters, module)?)?;
    module.add_function(wrap_pyfunction!(scouts::run::doubt, module)?)?;
    ticks::register(module)?;
    trace::register(module)?;
    client::versions::register(module)?;
    client::module_state::register(module)?;
    travel::watch::register(module)?;
    module.delattr("__all__") // everything here is private to the package
}
