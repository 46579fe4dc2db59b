//! The strand that runs: where its calls and items go, how deep it is, what it is to wait for.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Run;
use crate::calls::{Entry, SharedCalls};
use crate::scout_end::stop;
use crate::strand::{Begun, Counted};
use crate::stream::Items;

/// How deep in helpers a scout may be.
pub(super) const MAX_DEPTH: usize = 100;

/// The strand that runs.
pub(super) struct Current {
    pub(super) id: u64,
    pub(super) place: SharedCalls,
    pub(super) depth: usize,
    pub(super) waits: bool,
    /// It waits for an item of a stream, not for its own result.
    pub(super) starved: bool,
    pub(super) reads: bool,
    pub(super) items: Option<Items>,
    pub(super) first: bool,
    /// Set for a strand that waits to know whether it should go on.
    pub(super) chance: f64,
    /// It may go on without knowing.
    pub(super) dares: bool,
}

impl Run {
    /// Where calls go now.
    pub fn place(&self) -> PyResult<SharedCalls> {
        let inner = self.lock();
        let current = inner.current.as_ref().ok_or_else(stop)?;
        Ok(current.place.clone())
    }

    /// Where what the strand that runs yields goes, if it is a generator's.
    pub fn items(&self) -> Option<Items> {
        let inner = self.lock();
        inner.current.as_ref()?.items.clone()
    }

    /// A strand that runs `function(run, *args)`, whose calls and items stand here.
    pub fn group(
        slf: &Bound<'_, Self>,
        function: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<Begun> {
        let mut all = Vec::with_capacity(args.len() + 1);
        all.push(slf.clone().into_any());
        all.extend(args.iter());
        let generator = function.call1(PyTuple::new(slf.py(), all)?)?;
        let run = slf.get();
        let place = SharedCalls::default();
        run.place()?.push(Entry::Group(place.clone()));
        Ok(Begun {
            generator: generator.unbind(),
            place,
            counted: Some(Counted::new(&run.pace.outstanding)),
            items: run.items().as_ref().map(Items::inner),
            heads: false,
            exit: None,
        })
    }

    /// Starts the producer of a stream.
    pub fn produce(
        &self,
        py: Python<'_>,
        generator: Py<PyAny>,
        calls: SharedCalls,
        items: Items,
    ) -> PyResult<()> {
        let begun = Begun {
            generator,
            place: calls,
            counted: Some(Counted::new(&self.pace.outstanding)),
            items: Some(items),
            heads: true,
            exit: None,
        };
        self.start(py, begun, None)?;
        Ok(())
    }

    /// Whether the strand that runs has asked to wait; it will not.
    pub fn waits_now(&self) -> bool {
        let mut inner = self.lock();
        let current = inner.current.as_mut();
        current.is_some_and(|current| std::mem::take(&mut current.waits))
    }

    /// The strand that runs waits for the other end of a stream; its number.
    pub fn starve(&self) -> PyResult<u64> {
        let mut inner = self.lock();
        let current = inner.current.as_mut().ok_or_else(stop)?;
        current.waits = true;
        current.starved = true;
        Ok(current.id)
    }

    /// The strand that runs is to wait until it is woken, by the number that is returned. If there is
    /// nothing better to do it goes on before that, if the program is likely enough to follow.
    pub fn hold(&self, chance: f64) -> PyResult<u64> {
        match &mut self.lock().current {
            Some(current) => {
                current.waits = true;
                current.chance = chance;
                Ok(current.id)
            }
            None => Err(stop()),
        }
    }

    /// Whether the strand that runs is to go on without knowing, this once.
    pub fn dares(&self) -> bool {
        let mut inner = self.lock();
        inner
            .current
            .as_mut()
            .is_some_and(|current| std::mem::take(&mut current.dares))
    }

    /// The strand that runs reads a stream.
    pub fn note_reading(&self) {
        if let Some(current) = &mut self.lock().current {
            current.reads = true;
        }
    }

    /// Whether the strand goes on where the program is, and no scout has been there before.
    pub fn is_first(&self) -> bool {
        self.lock()
            .current
            .as_ref()
            .is_some_and(|current| current.first)
    }

    /// Goes one helper deeper, unless that is too deep.
    pub fn descend(&self) -> PyResult<()> {
        match &mut self.lock().current {
            Some(current) if current.depth < MAX_DEPTH => {
                current.depth += 1;
                Ok(())
            }
            _ => Err(stop()),
        }
    }

    pub fn ascend(&self) {
        if let Some(current) = &mut self.lock().current {
            current.depth = current.depth.saturating_sub(1);
        }
    }
}
