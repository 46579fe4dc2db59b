//! Reading TOML with the position of every key and value.
//!
//! Python's `tomllib` forgets where a value stood, and the plan's errors must say it. This file
//! only reads; what the keys mean is `cord.plan`'s business, so the result is plain Python data.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3::IntoPyObjectExt;
use toml_edit::{Document, Item, Key, TableLike, Value};

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_document, module)?)
}

/// Parses `text` and returns its top-level table: a dict from key to entry.
///
/// An entry is `(kind, value, line, column, key_line, key_column)`, positions 1-based, columns in
/// characters. A table's value is such a dict again; an array's is a list of entries, whose key
/// position is that of the value. Raises `ValueError(message, line, column)` for text that is
/// not TOML.
#[pyfunction]
fn parse_document<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let reader = Reader {
        py,
        text,
        positions: Positions::new(text),
    };
    match Document::parse(text) {
        Ok(document) => reader.table(document.as_table()),
        Err(error) => {
            let offset = error.span().map_or(text.len(), |span| span.start);
            let (line, column) = reader.positions.at(offset);
            let message = error.message().to_owned();
            Err(PyValueError::new_err((message, line, column)))
        }
    }
}

/// Walks the parsed document and builds the Python data.
struct Reader<'py, 'text> {
    py: Python<'py>,
    text: &'text str,
    positions: Positions<'text>,
}

impl<'py> Reader<'py, '_> {
    fn table(&self, table: &dyn TableLike) -> PyResult<Bound<'py, PyDict>> {
        let entries = PyDict::new(self.py);
        for (name, _) in table.iter() {
            // `iter` yields bare names; the key with its span has to be asked for.
            if let Some((key, item)) = table.get_key_value(name) {
                entries.set_item(name, self.keyed(key, item)?)?;
            }
        }
        Ok(entries)
    }

    fn keyed(&self, key: &Key, item: &Item) -> PyResult<Bound<'py, PyTuple>> {
        let at_key = key.span().map_or(0, |span| span.start);
        match item {
            Item::None => self.entry("none", self.py.None().into_bound(self.py), at_key, at_key),
            Item::Value(value) => self.value(value, Some(at_key)),
            Item::Table(table) => {
                // A table's span covers its header, or nothing where other headers imply it.
                let entries = self.table(table)?.into_any();
                self.entry("table", entries, at_key, at_key)
            }
            Item::ArrayOfTables(tables) => {
                let entries = PyList::empty(self.py);
                for table in tables {
                    let at = table.span().map_or(at_key, |span| span.start);
                    let value = self.table(table)?.into_any();
                    entries.append(self.entry("table", value, at, at)?)?;
                }
                self.entry("array", entries.into_any(), at_key, at_key)
            }
        }
    }

    /// The entry of a value; elements of arrays have no key and stand for themselves.
    fn value(&self, value: &Value, at_key: Option<usize>) -> PyResult<Bound<'py, PyTuple>> {
        let span = value.span().unwrap_or(0..0);
        let (kind, object) = match value {
            Value::String(text) => ("string", self.object(text.value().as_str())?),
            Value::Integer(number) => ("integer", self.object(*number.value())?),
            Value::Float(number) => ("float", self.object(*number.value())?),
            Value::Boolean(truth) => ("boolean", self.object(*truth.value())?),
            Value::Datetime(_) => ("datetime", self.object(self.source(&span))?),
            Value::Array(array) => {
                let entries = PyList::empty(self.py);
                for element in array {
                    entries.append(self.value(element, None)?)?;
                }
                ("array", entries.into_any())
            }
            Value::InlineTable(table) => ("table", self.table(table)?.into_any()),
        };
        self.entry(kind, object, span.start, at_key.unwrap_or(span.start))
    }

    fn entry(
        &self,
        kind: &str,
        value: Bound<'py, PyAny>,
        at: usize,
        at_key: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (line, column) = self.positions.at(at);
        let (key_line, key_column) = self.positions.at(at_key);
        (kind, value, line, column, key_line, key_column).into_pyobject(self.py)
    }

    fn object<T: IntoPyObject<'py>>(&self, value: T) -> PyResult<Bound<'py, PyAny>> {
        value.into_bound_py_any(self.py)
    }

    fn source(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default()
    }
}

/// Turns byte offsets into lines and columns.
struct Positions<'text> {
    text: &'text str,
    line_starts: Vec<usize>,
}

impl<'text> Positions<'text> {
    fn new(text: &'text str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        Positions { text, line_starts }
    }

    /// Line and column of the character at `offset`, both from 1.
    fn at(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }
}
