//! What a result shares with the arguments of its call, and with the state that its function reaches: to
//! the program these are the same objects.
//!
//! An object of a result that nothing else refers to is the result's alone. So most results are gone
//! through once, and arguments and state are looked at only if a result has something that others hold,
//! too.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::CStr;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMemoryView, PyTuple, PyType};

use crate::objects::parts::{is_simple, push_parts, Object};
use crate::travel::pickling::{base_of_array, is_array_class};
use crate::travel::watch::Snapshot;

/// The objects that a result has in common with arguments or state, and the arrays of the result that lie in the
/// memory of others, each with that other: one of those, if any is.
pub type Shared<'py> = (
    Vec<Bound<'py, PyAny>>,
    Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
);

/// So many levels of tuples are looked into to tell that they hold nothing that can change.
const DEEPEST: usize = 16;

/// What is made of objects of a class.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// It cannot change, and nobody asks which one it is.
    Still,
    /// The same, but for what is in it.
    Part,
    /// It is looked into.
    Open,
    /// It is not.
    Closed,
    /// Its traceback leads to arguments anyway.
    Exception,
    /// What it closes over and its defaults are looked into.
    Function,
    Array,
}

#[derive(Default)]
struct Walk<'a> {
    kinds: HashMap<usize, Kind>,
    stack: Vec<Object>,
    seen: HashSet<usize>,
    /// What the main script has under names is looked into where a function of its is met.
    has_globals: bool,
    /// What is in that is not looked into.
    state: Option<&'a Snapshot>,
}

/// What is found in a result, or in arguments.
#[derive(Default)]
struct Found {
    /// Those that something else may refer to.
    objects: Vec<Object>,
    /// Arrays, and what each lies in.
    arrays: Vec<(Object, Object)>,
    /// Whether something else may refer to what one of them lies in.
    has_parts: bool,
}

/// What a result shares with the arguments of its call, and with state; none if that is nothing.
///
/// # Arguments
/// * `references`: so many references to the result itself are known.
/// * `state`: what the function reaches, as it was and is.
pub fn shared<'py>(
    value: &Bound<'py, PyAny>,
    references: isize,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
    state: Option<&Snapshot>,
) -> Option<Shared<'py>> {
    let py = value.py();
    let mut walk = Walk {
        state,
        ..Walk::default()
    };
    let inside = walk.go(py, value.as_ptr(), references);
    let in_one = equal(inside.arrays.iter().map(|(_, owner)| *owner));
    if inside.objects.is_empty() && in_one.is_empty() && !inside.has_parts {
        return None;
    }
    walk.seen.clear();
    (walk.has_globals, walk.state) = (true, None);
    let mut given = walk.go(py, args.as_ptr(), 0);
    if let Some(kwargs) = kwargs {
        let more = walk.go(py, kwargs.as_ptr(), 0);
        given.objects.extend(more.objects);
        given.arrays.extend(more.arrays);
    }
    let known: HashSet<Object> = given.objects.into_iter().collect();
    let is_known = |one: Object| known.contains(&one) || state.is_some_and(|all| all.holds(one));
    // SAFETY: nothing has run since they were found in what lives.
    let object = |one: Object| unsafe { Bound::from_borrowed_ptr(py, one) };
    let common = inside.objects.iter().filter(|one| is_known(**one));
    let common: Vec<_> = common.map(|one| object(*one)).collect();
    let owners: HashMap<_, _> = given.arrays.iter().rev().map(|(a, at)| (*at, *a)).collect();
    let views = inside.arrays.iter().filter_map(|(array, owner)| {
        let of = owners.get(owner).copied();
        let of = of.or_else(|| is_known(*owner).then_some(*owner));
        let of = of
            .or_else(|| (in_one.contains(owner) && array != owner).then(|| last_array(py, *array)));
        let of = of.filter(|of| of != array && !is_known(*array))?;
        Some((object(*array), object(of)))
    });
    let views: Vec<_> = views.collect();
    (!common.is_empty() || !views.is_empty()).then_some((common, views))
}

/// The same for Python, which has more references to the result.
#[pyfunction]
#[pyo3(name = "shared")]
fn shared_from_python<'py>(
    value: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    kwargs: &Bound<'py, PyDict>,
) -> Option<Shared<'py>> {
    shared(value, 0, args, Some(kwargs), None)
}

/// The ways to objects from roots that lead to them: each holds the next, from the root on. Those that
/// cannot be come to are left out.
#[pyfunction]
fn trails<'py>(
    py: Python<'py>,
    objects: Vec<Bound<'py, PyAny>>,
    roots: Vec<Bound<'py, PyAny>>,
) -> Vec<Vec<Bound<'py, PyAny>>> {
    let mut missing: HashSet<Object> = objects.iter().map(|one| one.as_ptr()).collect();
    let roots: Vec<Object> = roots.iter().map(Bound::as_ptr).collect();
    let holders = holders_from(py, &roots, |part| {
        missing.remove(&part);
        !missing.is_empty()
    });
    let trail = |one: &Bound<'py, PyAny>| {
        let found = std::iter::successors(Some(one.as_ptr()), |one| holders.get(one).copied());
        // SAFETY: what holds them lives, and nothing has run since.
        let mut found: Vec<_> = found
            .map(|one| unsafe { Bound::from_borrowed_ptr(py, one) })
            .collect();
        found.reverse();
        (found.len() > 1).then_some(found)
    };
    objects.iter().filter_map(trail).collect()
}

/// By what roots lead to, what holds it, the nearest to a root first. `goes_on` is told of each part, and
/// whether there is nothing more to look for.
fn holders_from(
    py: Python<'_>,
    roots: &[Object],
    mut goes_on: impl FnMut(Object) -> bool,
) -> HashMap<Object, Object> {
    let mut walk = Walk::default();
    let mut holders = HashMap::new();
    let mut next: VecDeque<Object> = roots.iter().copied().collect();
    let mut inside = Vec::new();
    let mut is_over = false;
    while let Some(holder) = next.pop_front().filter(|_| !is_over) {
        if matches!(walk.kind(py, holder), Kind::Part | Kind::Open) {
            push_parts(holder, &mut inside);
        }
        for part in inside.drain(..) {
            let is_known = roots.contains(&part) || holders.contains_key(&part);
            if !is_known && walk.kind(py, part) != Kind::Still {
                holders.insert(part, holder);
                is_over |= !goes_on(part);
                next.push_back(part);
            }
        }
    }
    holders
}

/// What a root led to when this was made, by its addresses alone: nothing of it is kept alive, so who is
/// told of a way looks whether it is so still.
#[pyclass(frozen, module = "cord._core")]
struct Holders {
    holders: HashMap<usize, usize>,
}

#[pymethods]
impl Holders {
    #[new]
    fn new(root: &Bound<'_, PyAny>) -> Holders {
        let found = holders_from(root.py(), &[root.as_ptr()], |_| true);
        let pairs = found.into_iter();
        Holders {
            holders: pairs
                .map(|(part, by)| (part as usize, by as usize))
                .collect(),
        }
    }

    /// The addresses of what lies between the root and an object, and its own; nothing for others.
    fn between(&self, object: &Bound<'_, PyAny>) -> Vec<usize> {
        let next = |one: &usize| self.holders.get(one).copied();
        let mut found: Vec<_> =
            std::iter::successors(Some(object.as_ptr() as usize), next).collect();
        found.pop(); // the root, or what it does not lead to
        found.reverse();
        found
    }
}

impl Walk<'_> {
    /// Goes through all that an object leads to.
    fn go(&mut self, py: Python<'_>, root: Object, references: isize) -> Found {
        let mut found = Found::default();
        let mut known = references;
        self.stack.push(root);
        while let Some(one) = self.stack.pop() {
            let kind = self.kind(py, one);
            if kind == Kind::Still {
                continue;
            }
            // SAFETY: it lives: what leads to it does, and nothing runs meanwhile.
            let is_held_elsewhere = unsafe { ffi::Py_REFCNT(one) } > known;
            known = 1;
            if is_held_elsewhere {
                if !self.seen.insert(one as usize) {
                    continue;
                }
                if kind != Kind::Part || !self.is_plain(py, one, DEEPEST) {
                    found.objects.push(one);
                }
                if self.state.is_some_and(|state| state.holds(one)) {
                    continue; // it comes whole
                }
            }
            match kind {
                Kind::Part | Kind::Open => push_parts(one, &mut self.stack),
                Kind::Exception => push_fields(one, &mut self.stack),
                Kind::Function => push_held(one, self.has_globals, &mut self.stack),
                Kind::Array => self.array(py, one, &mut found),
                Kind::Still | Kind::Closed => {}
            }
        }
        found
    }

    /// Whether a tuple or the like has nothing in it that can change, as far as so many levels down.
    fn is_plain(&mut self, py: Python<'_>, part: Object, levels: usize) -> bool {
        let mut inside = Vec::new();
        push_parts(part, &mut inside);
        inside.into_iter().all(|one| match self.kind(py, one) {
            Kind::Still => true,
            Kind::Part => levels > 0 && self.is_plain(py, one, levels - 1),
            _ => false,
        })
    }

    fn array(&mut self, py: Python<'_>, array: Object, found: &mut Found) {
        let mut owner = array;
        while let Some(base) = base_in(py, owner) {
            owner = base;
            // SAFETY: arrays keep what they lie in.
            found.has_parts |= unsafe { ffi::Py_REFCNT(base) } > 1;
        }
        found.arrays.push((array, behind_views(py, owner)));
        // SAFETY: it lives.
        let value = unsafe { Bound::from_borrowed_ptr(py, array) };
        if !is_array_class(py, value.get_type_ptr(), true) {
            return; // asking it may run code of the program's
        }
        let has_objects = value
            .getattr("dtype")
            .and_then(|it| it.getattr("hasobject"));
        if !has_objects.and_then(|it| it.extract()).unwrap_or(false) {
            return;
        }
        // The list goes at once, its items live in the array.
        if let Ok(items) = value
            .call_method0("ravel")
            .and_then(|it| it.call_method0("tolist"))
        {
            push_parts(items.as_ptr(), &mut self.stack);
        }
    }

    fn kind(&mut self, py: Python<'_>, one: Object) -> Kind {
        // SAFETY: it lives.
        let class = unsafe { ffi::Py_TYPE(one) };
        if is_simple(class) {
            return Kind::Still;
        }
        let found = self.kinds.entry(class as usize);
        // SAFETY: the class of a live object.
        *found.or_insert_with(|| unsafe { kind_of(py, class) })
    }
}

/// What an array lies in; none if that is itself, or this is none.
fn base_in(py: Python<'_>, array: Object) -> Option<Object> {
    // SAFETY: it lives, and the check of its class comes first.
    unsafe {
        let is_array = is_array_class(py, ffi::Py_TYPE(array), false);
        is_array.then(|| base_of_array(array)).flatten()
    }
}

/// Whose memory a memoryview shows, if it is one.
fn behind_views(py: Python<'_>, owner: Object) -> Object {
    // SAFETY: it lives.
    let value = unsafe { Bound::from_borrowed_ptr(py, owner) };
    let shown = value.cast::<PyMemoryView>().ok();
    let shown = shown.and_then(|view| view.getattr(intern!(py, "obj")).ok());
    // the view keeps what it shows
    shown
        .filter(|shown| !shown.is_none())
        .map_or(owner, |shown| shown.as_ptr())
}

/// The last array on the way from an array to the memory that it lies in.
fn last_array(py: Python<'_>, array: Object) -> Object {
    let mut last = array;
    // SAFETY: arrays keep what they lie in.
    let is_array = |one: &Object| is_array_class(py, unsafe { ffi::Py_TYPE(*one) }, false);
    while let Some(base) = base_in(py, last).filter(is_array) {
        last = base;
    }
    last
}

/// Those that come twice.
fn equal(all: impl Iterator<Item = Object>) -> HashSet<Object> {
    let mut seen = HashSet::new();
    all.filter(|one| !seen.insert(*one)).collect()
}

/// # Safety
/// The class lives.
unsafe fn kind_of(py: Python<'_>, class: *mut ffi::PyTypeObject) -> Kind {
    // SAFETY: the caller's promise.
    let (flags, name, traverse, meta) = unsafe {
        let meta = ffi::Py_TYPE(class.cast());
        let meta = CStr::from_ptr((*meta).tp_name).to_bytes();
        let name = CStr::from_ptr((*class).tp_name).to_bytes();
        (
            ffi::PyType_GetFlags(class),
            name,
            (*class).tp_traverse,
            meta,
        )
    };
    let has = |flag| flags & flag != 0;
    if has(ffi::Py_TPFLAGS_TYPE_SUBCLASS)
        || is_value(name)
        || matches!(meta, b"EnumType" | b"EnumMeta")
    {
        return Kind::Still;
    }
    if class == &raw mut ffi::PyTuple_Type || class == &raw mut ffi::PyFrozenSet_Type {
        return Kind::Part;
    }
    if has(ffi::Py_TPFLAGS_BASE_EXC_SUBCLASS) {
        return Kind::Exception;
    }
    if is_array_class(py, class, false) {
        return Kind::Array;
    }
    // SAFETY: the caller's promise.
    let class = unsafe { Bound::from_borrowed_ptr(py, class.cast()) };
    let module = class
        .cast::<PyType>()
        .ok()
        .and_then(|class| class.module().ok());
    // what pandas' objects share, they copy before they write
    let is_pandas = module.is_some_and(|name| {
        let name = name.to_string_lossy();
        (name == "pandas" || name.starts_with("pandas."))
            && !LOOKS_ON.iter().any(|one| name.starts_with(one))
    });
    // what stands for remote functions is called so, too
    if class.as_ptr() == (&raw mut ffi::PyFunction_Type).cast() {
        return Kind::Function;
    }
    match has(ffi::Py_TPFLAGS_HAVE_GC) && traverse.is_some() && !is_pandas {
        true => Kind::Open,
        false => Kind::Closed,
    }
}

/// Of pandas, what goes on to look at the frame that it was made of.
const LOOKS_ON: [&str; 5] = [
    "pandas.api.typing",
    "pandas.core.groupby.",
    "pandas.core.window.",
    "pandas.core.resample",
    "pandas.io.formats.style",
];

/// Whether objects of a class in C are nothing but what they stand for, by its name.
fn is_value(name: &[u8]) -> bool {
    const VALUES: [&[u8]; 7] = [
        b"NoneType",
        b"complex",
        b"range",
        b"slice",
        b"module",
        b"code",
        b"ellipsis",
    ];
    let of_numpy = name.strip_prefix(b"numpy.");
    VALUES.contains(&name)
        || name.starts_with(b"datetime.")
        || name.starts_with(b"decimal.")
        || of_numpy
            .is_some_and(|name| name != b"ndarray" && name != b"void" && !name.contains(&b'.'))
}

/// Puts what an exception refers to on a stack, without its traceback, which leads to its function's
/// variables.
fn push_fields(one: Object, stack: &mut Vec<Object>) {
    let start = stack.len();
    push_parts(one, stack);
    // SAFETY: the class says that it lies so.
    let traceback = unsafe { (*one.cast::<ffi::PyBaseExceptionObject>()).traceback };
    if let Some(at) = stack[start..].iter().position(|part| *part == traceback) {
        stack.swap_remove(start + at);
    }
}

/// The same of a function, without its module, which leads to all of that; but what the main script has
/// under names is the program's own, and came with a function among the arguments.
fn push_held(one: Object, has_globals: bool, stack: &mut Vec<Object>) {
    // SAFETY: a live function; what it holds, it keeps.
    let parts = unsafe {
        let module = ffi::PyFunction_GetModule(one);
        let is_of_main = has_globals
            && !module.is_null()
            && ffi::PyUnicode_CheckExact(module) != 0
            && ffi::PyUnicode_CompareWithASCIIString(module, c"__main__".as_ptr()) == 0;
        let globals = if is_of_main {
            ffi::PyFunction_GetGlobals(one)
        } else {
            std::ptr::null_mut()
        };
        [
            ffi::PyFunction_GetClosure(one),
            ffi::PyFunction_GetDefaults(one),
            ffi::PyFunction_GetKwDefaults(one),
            globals,
        ]
    };
    stack.extend(parts.into_iter().filter(|part| !part.is_null()));
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Holders>()?;
    module.add_function(wrap_pyfunction!(trails, module)?)?;
    module.add_function(wrap_pyfunction!(shared_from_python, module)?)
}
