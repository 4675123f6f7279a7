//! Reads the trace of a workspace.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;

use anyhow::Context;
use event::AbsPath;
use intent::trace::{TraceLog, TraceRecord};
use session::history;

use super::filter::Filter;
use crate::commands::Place;
use crate::output;

/// Returns the path of the trace.
pub(super) fn file(place: &Place) -> AbsPath {
    place.workspace.root().join(TraceLog::PATH)
}

/// Opens the trace; a missing one is empty.
pub(super) fn open(place: &Place) -> io::Result<Box<dyn Read>> {
    match File::open(file(place).as_path()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(Box::new(io::empty()))
        }
        other => Ok(Box::new(other?)),
    }
}

/// Calls `each` for every matching record, oldest first. Warns about malformed lines.
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
        output::note(&format!("warning: {}", malformed(n_broken)));
        output::hint("run `steersman trace verify` for details");
    }
    Ok(())
}

/// Returns a sentence about the number of malformed lines.
pub(super) fn malformed(n_broken: usize) -> String {
    if n_broken == 1 {
        format!("1 line of {} is malformed", TraceLog::PATH)
    } else {
        format!("{n_broken} lines of {} are malformed", TraceLog::PATH)
    }
}

/// Reports that no record exists or matches.
pub(super) fn report_empty(filter: &Filter) {
    if filter.is_open() {
        output::note("the trace of this workspace is empty");
        output::hint(
            "steersman traces the writes of agents in a workspace with intents; run `steersman intent list`",
        );
    } else {
        output::note("no record of the trace matches");
    }
}
