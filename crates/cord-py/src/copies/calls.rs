//! Calls in a copy: they are issued, and something stands for their values.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cord_copies::{end, other_threads, why, Ahead, Call, Place, Trust};
use cord_scout::Answers;
use cord_wire::effects::Effects;
use cord_wire::payload::{Payload, World};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use super::context::{contexts, Contexts};
use super::lifting::is_unknown_in;
use super::{is_copy, locked, may_issue, AHEAD};
use crate::client::inlining::Inlining;
use crate::client::remote::{RemoteFunction, Waits};
use crate::client::service::Use;
use crate::python;
use crate::travel::codec;
use crate::travel::encode::Encoded;

/// A call as the program makes it.
#[derive(Clone, Copy)]
pub struct Made<'a, 'py> {
    pub how: &'a Use,
    pub args: &'a Bound<'py, PyTuple>,
    pub kwargs: Option<&'a Bound<'py, PyDict>>,
}

thread_local! {
    /// A function of the project's is asked what is to stand for a value: it goes without what is not known.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// So long a copy waits for a value, and at its end for those that calls of its need.
const LONGEST: Duration = Duration::from_secs(20);

pyo3::create_exception!(
    cord._core,
    UnknownError,
    PyException,
    "What stands for a value cannot be sent as it is."
);

/// So many calls wait for values that they need.
static DEPENDENTS: AtomicUsize = AtomicUsize::new(0);
/// What these were come to in, and the places, by their numbers.
static WAITING: Mutex<BTreeMap<u32, (Moment, Place)>> = Mutex::new(BTreeMap::new());
/// Calls from places to which nothing was returned before, by their numbers: what comes of them is the
/// first sample there.
static FIRST: Mutex<BTreeMap<u32, (Py<RemoteFunction>, Contexts)>> = Mutex::new(BTreeMap::new());

/// Of a fresh copy: it watches what the program asks of what stands for values.
pub fn begin(py: Python<'_>) -> PyResult<()> {
    let guesses = with_ahead(|ahead| ahead.may_guess());
    python::WATCH.call(py, (guesses, other_threads())).map(drop)
}

/// What a call is known by: its number among those of the copy, who counts such calls, and the lines that
/// it is made by. It is issued late if it has waited for values.
#[derive(Clone, Copy)]
struct Numbers {
    number: u32,
    counted: u64,
    place: Place,
    late: bool,
}

/// A call that this process, a copy, comes to.
pub fn call<'py>(
    function: &Bound<'py, RemoteFunction>,
    how: &Use,
    (inlining, answers): (&Inlining, &Answers),
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, remote) = (function.py(), function.get());
    let is_inlined = how.inline && inlining.is_local() && remote.waits == Waits::Never;
    if is_inlined || remote.staying.is() {
        return remote.call_here(py, args, kwargs); // as the program will
    }
    if IS_ASKED.get() {
        return Err(UnknownError::new_err(()));
    }
    if !may_issue(remote, how) {
        linger(py, why::IMPURE);
    }
    look(py)?;
    let number = with_ahead(Ahead::come);
    let place = place_of_call(py)?;
    let is_vain = with_ahead(|ahead| ahead.is_vain(place));
    if is_vain && remote.learnt.sample(py).is_some() {
        with_ahead(|ahead| ahead.pass_over(number));
        python::NEVER.call(py, (number,))?;
    } else {
        let counted = answers.address();
        issue(
            function,
            how,
            Numbers {
                number,
                counted,
                place,
                late: false,
            },
            args,
            kwargs,
        )?;
    }
    wait_for_room(py)?;
    value_of(function, number, Some(Made { how, args, kwargs }))
}

/// The lines that a call is made by; 0 where nothing is guessed.
fn place_of_call(py: Python<'_>) -> PyResult<Place> {
    match with_ahead(|ahead| ahead.may_guess()) {
        true => python::CALLED_AT.call(py, ())?.extract(),
        false => Ok(0),
    }
}

/// The call at which the copy was made: what stands for its value.
pub fn first<'py>(
    function: &Bound<'py, RemoteFunction>,
    made: Made<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let remote = function.get();
    if let Ok(encoded) = encode(remote, made.args, made.kwargs) {
        with_ahead(|ahead| ahead.began_at(remote.module, &encoded.payload));
    }
    value_of(function, 0, Some(made))
}

/// Whether this process, a copy, may guess, or have leaders that do.
pub fn may_guess() -> bool {
    with_ahead(|ahead| ahead.may_guess())
}

fn with_ahead<T>(f: impl FnOnce(&mut Ahead) -> T) -> T {
    match locked(&AHEAD).as_mut() {
        Some(ahead) => f(ahead),
        None => end(why::SESSION),
    }
}

/// Issues a call now, or once the values are there that it needs.
fn issue<'py>(
    function: &Bound<'py, RemoteFunction>,
    how: &Use,
    numbers: Numbers,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<()> {
    let (py, remote) = (function.py(), function.get());
    let (mut args, mut kwargs) = known(args, kwargs)?;
    if has_unknown(&args, kwargs.as_ref()) && with_ahead(|ahead| ahead.may_guess()) {
        let taken = python::TAKEN.call(py, (&args, &kwargs))?;
        if let Some(taken) = taken.extract()? {
            (args, kwargs) = taken;
        }
    }
    let kwargs = kwargs.as_ref();
    let encoded = match has_unknown(&args, kwargs) {
        true => Err(UnknownError::new_err(())),
        false => encode(remote, &args, kwargs),
    };
    match encoded {
        Ok(encoded) if !has_marks(&encoded.payload.head) => {
            send(remote, how, numbers, &args, kwargs, &encoded);
        }
        Err(_) if !with_ahead(|ahead| ahead.may_guess()) => linger(py, why::ARGUMENTS),
        _ => {
            let Numbers {
                number,
                counted,
                place,
                ..
            } = numbers;
            with_ahead(|ahead| ahead.pass_over(number));
            let how = remote.handle_of(py, how);
            DEPENDENTS.fetch_add(1, Ordering::Relaxed);
            let now = Moment::now(py, remote);
            locked(&WAITING).insert(number, (now, place));
            let waits =
                python::DEPEND.tells(py, (function, how, counted, number, &args, kwargs))?;
            if !waits {
                locked(&WAITING).remove(&number);
                DEPENDENTS.fetch_sub(1, Ordering::Relaxed);
                if !with_ahead(Ahead::goes_on_without) {
                    linger(py, why::FINISHED);
                }
            }
        }
    }
    Ok(())
}

fn has_unknown(args: &Bound<'_, PyTuple>, kwargs: Option<&Bound<'_, PyDict>>) -> bool {
    is_unknown_in(args) || kwargs.is_some_and(|named| is_unknown_in(named))
}

fn send(
    remote: &RemoteFunction,
    how: &Use,
    numbers: Numbers,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
    encoded: &Encoded,
) {
    let py = args.py();
    if !encoded.needs.is_empty() {
        linger(py, why::VALUE);
    }
    let Ok(priority) = how.priority(py, args, kwargs) else {
        linger(py, why::ARGUMENTS);
    };
    let then = locked(&WAITING).remove(&numbers.number);
    let is_then = then
        .as_ref()
        .is_none_or(|(then, _)| then.is_now(py, remote));
    let (Moment { world, .. }, place) =
        then.unwrap_or_else(|| (Moment::now(py, remote), numbers.place));
    // what a later run would find it by tells of the state that there is now
    let keep = match is_then {
        true => remote.keep(py, &encoded.payload, (args, kwargs), &world),
        false => None,
    };
    let call = Call {
        keep: keep.as_deref(),
        number: numbers.number,
        late: numbers.late,
        counted: numbers.counted,
        module: remote.module,
        function: remote.learnt.number(),
        place,
        manner: how.manner,
        priority,
        payload: &encoded.payload,
        world: &world,
    };
    with_ahead(|ahead| ahead.issue(&call));
}

/// What a call finds besides its arguments: the program's world, with the state of its modules, as it is
/// where the copy stands.
struct Moment {
    world: World,
    /// Which look at what the function reaches it is of.
    looked: u64,
}

impl Moment {
    /// The copy ends if nobody knows it.
    fn now(py: Python<'_>, remote: &RemoteFunction) -> Moment {
        if !matches!(remote.reads_what_stays(py), Ok(None)) {
            linger(py, why::WORLD);
        }
        match remote.session().world_now(py, Effects::Pure) {
            Ok(world) if !has_marks(&world) => Moment {
                world,
                looked: remote.looked(),
            },
            _ => linger(py, why::WORLD),
        }
    }

    fn is_now(&self, py: Python<'_>, remote: &RemoteFunction) -> bool {
        matches!(remote.reads_what_stays(py), Ok(None)) && self.looked == remote.looked()
    }
}

/// Issues a call whose arguments are known by now; without arguments, it cannot be made.
#[pyfunction]
#[pyo3(signature = (function, how, counted, number, args, kwargs=None))]
pub fn issue_late<'py>(
    function: &Bound<'py, RemoteFunction>,
    how: &Bound<'py, Use>,
    counted: u64,
    number: u32,
    args: Option<&Bound<'py, PyTuple>>,
    kwargs: Option<&Bound<'py, PyDict>>,
) {
    DEPENDENTS.fetch_sub(1, Ordering::Relaxed);
    let Some(args) = args else {
        locked(&WAITING).remove(&number);
        return;
    };
    let remote = function.get();
    let known = encode(remote, args, kwargs).ok();
    if let Some(encoded) = known.filter(|encoded| !has_marks(&encoded.payload.head)) {
        let numbers = Numbers {
            number,
            counted,
            place: 0, // as it was when the copy came to it
            late: true,
        };
        send(remote, how.get(), numbers, args, kwargs, &encoded);
    }
}

/// Whether arguments could not be encoded since something in them is not known yet.
pub fn is_unknown(py: Python<'_>, error: &PyErr) -> bool {
    is_copy() && error.is_instance_of::<UnknownError>(py)
}

/// A mark in text begins so; `cord.runtime.copies.unknown` tells what each stands for.
pub const MARK: &str = "\u{f8f0}";

fn has_marks(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, MARK.as_bytes()).is_some()
}

/// Looks at the replies that have come; issues what has waited for them.
#[pyfunction]
pub fn look(py: Python<'_>) -> PyResult<()> {
    for number in with_ahead(Ahead::read) {
        if with_ahead(|ahead| ahead.is_lost(number)) {
            python::NEVER.call(py, (number,))?;
        }
        if with_ahead(|ahead| ahead.may_guess()) {
            python::ARRIVED.call(py, (number,))?;
        }
    }
    Ok(())
}

fn wait_for_room(py: Python<'_>) -> PyResult<()> {
    while !with_ahead(Ahead::has_room) {
        let seen = with_ahead(|ahead| ahead.news());
        look(py)?;
        if !with_ahead(Ahead::has_room) {
            pause(py, seen);
        }
    }
    Ok(())
}

fn pause(py: Python<'_>, seen: u32) {
    let area = with_ahead(|ahead| ahead.area());
    py.detach(|| Ahead::wait(area, seen));
}

/// Says why this process is about to end.
pub fn say(words: &str) {
    with_ahead(|ahead| ahead.say(words));
}

/// Ends this process once all its calls are issued whose values will come.
pub fn linger(py: Python<'_>, reason: u32) -> ! {
    let until = Instant::now() + LONGEST;
    with_ahead(|ahead| ahead.lingers());
    while DEPENDENTS.load(Ordering::Relaxed) > 0 && Instant::now() < until {
        let seen = with_ahead(|ahead| ahead.news());
        if look(py).is_err() {
            break;
        }
        if DEPENDENTS.load(Ordering::Relaxed) > 0 {
            pause(py, seen);
        }
    }
    end(reason)
}

/// What stands for the value of a call, or the value itself where nothing can stand for it.
pub fn value_of<'py>(
    function: &Bound<'py, RemoteFunction>,
    number: u32,
    made: Option<Made<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let learnt = &function.get().learnt;
    if let Some(payload) = with_ahead(|ahead| ahead.reply(number)) {
        return learnt_from(function.get(), py, payload);
    }
    if with_ahead(|ahead| ahead.may_guess()) {
        let given = made.map(|made| given(function, number, made)).transpose()?;
        if let Some((given,)) = given.flatten() {
            return python::STAND_IN.call(py, (number, given));
        }
        let sample = learnt.sample(py);
        if sample.as_ref().is_none_or(|(_, is_far)| *is_far) {
            let first = (function.clone().unbind(), contexts(py));
            locked(&FIRST).insert(number, first);
        }
        if let Some((sample, is_far)) = sample {
            let sample = decoded(py, sample)?;
            return python::STAND_IN.call(py, (number, sample, is_far));
        }
        return python::UNSEEN_REPLY.call(py, (number,)); // nothing has come back yet
    }
    if learnt.can_be_stood_for() {
        return python::PLACEHOLDER.call(py, (number,));
    }
    let Some(payload) = awaited(py, number, false)? else {
        linger(py, why::VALUE)
    };
    learnt_from(function.get(), py, payload)
}

/// A value that is there: the next ones are taken to be like it.
fn learnt_from<'py>(
    function: &RemoteFunction,
    py: Python<'py>,
    payload: Payload,
) -> PyResult<Bound<'py, PyAny>> {
    function.learnt.keep(py, &payload);
    let value = decoded(py, payload)?;
    function.learnt.note(&value);
    Ok(value)
}

/// What the function gives that the plan names for this, in the place of a call's value.
fn given<'py>(
    function: &Bound<'py, RemoteFunction>,
    number: u32,
    made: Made<'_, 'py>,
) -> PyResult<Option<(Bound<'py, PyAny>,)>> {
    let Some(by) = &made.how.guess else {
        return Ok(None);
    };
    let (py, whose) = (function.py(), function.get().learnt.number());
    IS_ASKED.set(true);
    let given = python::GIVEN.call(py, (by, whose, number, made.args, made.kwargs));
    IS_ASKED.set(false);
    given?.extract()
}

fn decoded(py: Python<'_>, payload: Payload) -> PyResult<Bound<'_, PyAny>> {
    codec::decode(py, payload).or_else(|_| linger(py, why::VALUE))
}

/// The value of a call, once it is there; or nothing, once a leader may get further without it.
pub fn wait_for(py: Python<'_>, number: u32) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Some(payload) = awaited(py, number, true)? else {
        return Ok(None);
    };
    keep_first(number, &payload);
    decoded(py, payload).map(Some)
}

fn keep_first(number: u32, payload: &Payload) {
    let first = locked(&FIRST).remove(&number);
    if let Some((function, places)) = first {
        function.get().learnt.keep_at(places, payload);
    }
}

fn awaited(py: Python<'_>, number: u32, may_lead: bool) -> PyResult<Option<Payload>> {
    let until = Instant::now() + LONGEST;
    let mut is_told = false;
    loop {
        let seen = with_ahead(|ahead| ahead.news());
        look(py)?;
        if let Some(payload) = with_ahead(|ahead| ahead.reply(number)) {
            with_ahead(Ahead::goes_on_itself);
            return Ok(Some(payload));
        }
        if may_lead && with_ahead(|ahead| ahead.may_get_further()) {
            return Ok(None);
        }
        if Instant::now() > until || with_ahead(|ahead| ahead.is_lost(number)) {
            linger(py, why::VALUE);
        }
        if !is_told && !with_ahead(|ahead| ahead.is_led()) {
            is_told = true;
            tell_of_wait(py)?;
        }
        pause(py, seen);
    }
}

/// Says where the program asks for a value that is not there: once for each place.
fn tell_of_wait(py: Python<'_>) -> PyResult<()> {
    let place = python::ASKING.call(py, ())?;
    if let Some(place) = place.extract::<Option<String>>()? {
        with_ahead(|ahead| ahead.waits_at(&place));
    }
    Ok(())
}

/// The value of a call, if it is there.
#[pyfunction]
pub fn value_now(py: Python<'_>, number: u32) -> PyResult<Option<(Bound<'_, PyAny>,)>> {
    let payload = with_ahead(|ahead| ahead.reply(number));
    if let Some(payload) = &payload {
        keep_first(number, payload);
    }
    let value = payload.map(|payload| decoded(py, payload)).transpose()?;
    Ok(value.map(|value| (value,)))
}

/// Whether this process goes on without what is asked for at a place of the program, which is told by a
/// number: a leader does. The copy itself makes one there, or not, and is to wait.
#[pyfunction]
pub fn leads(place: u64) -> PyResult<bool> {
    match IS_ASKED.get() {
        true => Err(UnknownError::new_err(())),
        false => Ok(with_ahead(|ahead| ahead.leads(place))),
    }
}

/// What tells a call of the copy's from others, from run to run, if it was issued.
#[pyfunction]
pub fn digest_of(number: u32) -> Option<u64> {
    with_ahead(|ahead| ahead.digest(number))
}

/// What a question was answered before, in this run or the last one.
#[pyfunction]
pub fn answer_of(question: u64) -> Option<u32> {
    with_ahead(|ahead| ahead.answer(question))
}

/// The copy has found what a question is answered.
#[pyfunction]
pub fn is_answered(question: u64, answer: u32) {
    with_ahead(|ahead| ahead.answered(question, answer));
}

/// The copy has found whether what a function of the project's has given for the value of a call is that.
#[pyfunction]
pub fn stood_for(function: u32, number: u32, right: bool, by: &str) {
    with_ahead(|ahead| ahead.stood_for(function, number, right, by));
}

/// Whether what a function of the project's gives for values of this one may be sent in their place.
#[pyfunction]
pub fn is_good_for(function: u32) -> bool {
    with_ahead(|ahead| ahead.is_good_for(function))
}

/// What this copy, or another one, has made of what the key tells; none if none has.
#[pyfunction]
pub fn noted<'py>(py: Python<'py>, key: &[u8]) -> Option<Bound<'py, PyBytes>> {
    with_ahead(|ahead| ahead.noted(key).map(|note| PyBytes::new(py, note)))
}

/// Notes what this copy has made, so that no other one makes it again.
#[pyfunction]
pub fn note(key: &[u8], note: &[u8]) {
    with_ahead(|ahead| ahead.note(key, note));
}

/// Whether to wait at a place rather than to guess there what is asked of a value.
#[pyfunction]
pub fn must_wait(place: u64) -> bool {
    with_ahead(|ahead| ahead.guess(place)) == Trust::Wait
}

/// Whether a leader would rather pass by what is asked for at a place than guess it.
#[pyfunction]
pub fn may_pass(place: u64) -> bool {
    with_ahead(|ahead| ahead.may_pass(place))
}

/// The copy guesses at a place, which is this line of the program.
#[pyfunction]
pub fn guesses_at(place: u64, line: &str) {
    with_ahead(|ahead| ahead.guesses_at(place, line));
}

/// Whether a leader goes on behind what is asked for at a place, which is this line of the program, without
/// knowing it.
#[pyfunction]
pub fn passes_by(place: u64, line: &str) -> bool {
    with_ahead(|ahead| ahead.pass_by(place, line))
}

/// The copy has found that it guessed wrong at a place: where, what, and what should have been.
#[pyfunction]
pub fn was_wrong(place: u64, words: &str) {
    with_ahead(|ahead| ahead.was_wrong(place, words));
}

/// The arguments with values in place of what stands for them; the copy waits for these.
fn known<'py>(
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>)> {
    python::KNOWN.call(args.py(), (args, kwargs))?.extract()
}

/// As the program will encode it.
fn encode(
    remote: &RemoteFunction,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<Encoded> {
    remote.encode(args.py(), args, kwargs, remote.are_stable(args, kwargs))
}
