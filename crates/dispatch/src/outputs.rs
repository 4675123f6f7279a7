//! Writes the modules' output files and queues the automations that they request.

use std::io;

use automation::Chain;
use automation::queue::{self, Entry, QueuedRun};
use modules::{Content, Output};
use session::{LOCK_TIMEOUT, OpenSession};
use store::{FeatureDir, Journal, ModuleName, Workspace, write_atomic};

use crate::Fault;
use crate::pipeline::{PipelineReport, Report};

/// Writes the output files. Returns a warning for each that cannot be written.
pub(crate) fn write(
    workspace: &Workspace,
    session: &OpenSession,
    reports: [&PipelineReport; 2],
) -> Vec<String> {
    let reports = reports.into_iter().flat_map(|report| &report.modules);
    let outputs = reports.flat_map(|report| {
        let outputs = report.action().map(|action| action.outputs.as_slice()).unwrap_or_default();
        outputs.iter().map(|output| (report.module.as_str(), output))
    });
    let mut outputs = outputs.peekable();
    // Without a journal the run has a fault, which warns already.
    let (Some(_), Some(journal)) = (outputs.peek(), &session.journal) else { return Vec::new() };
    // Two simultaneous runs must not write the same temporary file beside the target.
    let _held = journal.lock(LOCK_TIMEOUT);
    let failed = outputs.filter_map(|(module, output)| {
        let name = ModuleName::new(module)?;
        let error = put(workspace, &session.dir.feature(&name), output).err()?;
        Some(format!("module `{module}` cannot write its `{}`: {error}", output.name))
    });
    failed.collect()
}

/// Queues the automation runs that modules request. Each carries the chain of automations that started the host, so
/// that no automation triggers itself.
pub(crate) fn enqueue(
    workspace: &Workspace,
    reports: [&PipelineReport; 2],
    started_by: &[String],
) -> Option<Fault> {
    let reports = reports.into_iter().flat_map(|report| &report.modules);
    let runs = reports.filter_map(Report::action).flat_map(|action| action.automations.iter().cloned());
    let chain = Chain::of(started_by);
    let queued = |mut run: QueuedRun| {
        run.occurrence.chain = chain.clone();
        Entry::Queued { run }
    };
    let entries: Vec<_> = runs.map(queued).collect();
    if entries.is_empty() {
        return None;
    }
    queue::append(workspace, store::now(), entries).err().map(Fault::Queue)
}

fn put(workspace: &Workspace, feature: &FeatureDir, output: &Output) -> io::Result<()> {
    let outside = || io::Error::new(io::ErrorKind::InvalidInput, "not a plain name");
    let path = feature.output_file(&output.name).ok_or_else(outside)?;
    let folder = path.parent().ok_or_else(outside)?;
    workspace.check_way_to(&folder)?;
    store::create_folder(folder.as_path())?;
    match &output.content {
        Content::Replace(text) => {
            write_atomic(path.as_path(), text.as_str().as_bytes()).map_err(io::Error::other)
        }
        Content::Append(lines) => Journal::open(&path)
            .and_then(|journal| match journal.lock(LOCK_TIMEOUT) {
                Some(held) => held.append(lines).map(|_| ()),
                None => journal.append_unlocked(lines),
            })
            .map_err(io::Error::other),
    }
}
