//! The private native module `cord._core`.

use mimalloc::MiMalloc;
use pyo3::prelude::*;

mod activation;
mod answers;
mod bound;
mod buffers;
mod calls;
mod client;
mod copies;
mod definitions;
mod dispatched;
mod document;
mod encode;
mod ending;
mod endpoint;
mod enter;
mod exits;
mod facade;
mod forms;
mod future;
mod groups;
mod guard;
mod heap;
mod history;
mod issue;
mod keeper;
mod loops;
mod mentions;
mod methods;
mod modules;
mod operations;
mod outcome;
mod output;
mod pace;
mod passed;
mod passes;
mod patience;
mod pickling;
mod plain;
mod process;
mod promised;
mod quiet;
mod readahead;
mod remote;
mod replay;
mod resident;
mod run;
mod scalars;
mod scout_end;
mod sent;
mod serve;
mod service;
mod sets;
mod site;
mod steps;
mod strand;
mod stream;
mod take;
mod together;
mod unwritten;
mod values;
mod world;

/// Much of a call is allocated by the program's thread and freed by the dispatcher's: the C library's
/// allocator takes locks for that. Version 2 of mimalloc allocates without any, so that a child that
/// the program forks at whatever moment finds none held by a thread that it does not have.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    buffers::register(module)?;
    client::register(module)?;
    copies::register(module)?;
    ending::register(module)?;
    endpoint::register(module)?;
    definitions::register(module)?;
    document::register(module)?;
    exits::register(module)?;
    facade::register(module)?;
    guard::register(module)?;
    keeper::register(module)?;
    output::register(module)?;
    passed::register(module)?;
    pickling::register(module)?;
    process::register(module)?;
    remote::register(module)?;
    replay::register(module)?;
    resident::register(module)?;
    scalars::register(module)?;
    serve::register(module)?;
    service::register(module)?;
    sets::register(module)?;
    site::register(module)?;
    module.delattr("__all__") // everything here is private to the package
}
