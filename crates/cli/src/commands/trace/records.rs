//! The trace of a workspace as a file to read.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use anyhow::Context;
use dispatch::history;
use event::AbsPath;
use intent::trace::{TraceLog, TraceRecord};

use super::filter::Filter;
use crate::commands::Place;
use crate::output;

/// Returns where the trace is.
pub(super) fn file(place: &Place) -> AbsPath {
    place.workspace.root().join(TraceLog::PATH)
}

/// Opens the trace; one that is not there yet is empty.
pub(super) fn open(place: &Place) -> io::Result<Box<dyn Read>> {
    match File::open(file(place).as_path()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Box::new(io::empty()))
        }
        other => Ok(Box::new(other?)),
    }
}

/// Hands every record that the filter lets through to `each`, oldest first. Says how many lines
/// are no records.
pub(super) fn each(place: &Place, filter: &Filter, mut each: impl FnMut(TraceRecord)) -> anyhow::Result<()> {
    let mut n_broken = 0;
    history::each_line(&file(place), |line| {
        if line.trim().is_empty() || !filter.may_match(line) {
            return ControlFlow::<()>::Continue(());
        }
        match TraceRecord::parse(line.as_bytes()) {
            Ok(record) if filter.matches(&record) => each(record),
            Ok(_) => {}
            Err(_) => n_broken += 1,
        }
        ControlFlow::Continue(())
    })
    .with_context(|| format!("cannot read `{}`", file(place)))?;
    if n_broken > 0 {
        output::note(&format!("warning: {}", no_records(n_broken)));
        output::hint("`steersman trace verify` says which and why");
    }
    Ok(())
}

/// Says how many lines of the trace are no records.
pub(super) fn no_records(n_broken: usize) -> String {
    if n_broken == 1 {
        format!("1 line of {} is no record", TraceLog::PATH)
    } else {
        format!("{n_broken} lines of {} are no records", TraceLog::PATH)
    }
}

/// Says that nothing was traced.
pub(super) fn say_empty(filter: &Filter) {
    if filter.is_open() {
        output::note("nothing was traced here yet");
        output::hint("an agent's writes are traced once there are intents: `steersman intent list`");
    } else {
        output::note("nothing in the trace matches");
    }
}
