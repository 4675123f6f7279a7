//! Writing what modules want written outside the journals: files in their output folders, and
//! runs in the queue of automations.

use std::fs;
use std::io;
use std::time::Duration;

use automation::Chain;
use automation::queue::{self, Entry, QueuedRun};
use store::{FeatureDir, Journal, ModuleName, Workspace, write_atomic};

use crate::Fault;
use crate::action::{Content, Output};
use crate::pipeline::{Deliberation, Report};
use crate::sitting::{self, Sitting};

/// Writes them all and returns what the person has to be told about those that could not be.
pub(crate) fn write(workspace: &Workspace, sitting: &Sitting, said: [&Deliberation; 2]) -> Vec<String> {
    let reports = said.into_iter().flat_map(|deliberation| &deliberation.reports);
    let outputs = reports.flat_map(|report| {
        let outputs = report.action().map(|action| action.outputs.as_slice()).unwrap_or_default();
        outputs.iter().map(|output| (report.module.as_str(), output))
    });
    let mut outputs = outputs.peekable();
    // A session that cannot be written to has been complained about already.
    let (Some(_), Some(journal)) = (outputs.peek(), &sitting.journal) else { return Vec::new() };
    // Two ends of a turn at once must not meet in the same file beside the target.
    let _held = journal.lock(sitting::PATIENCE);
    let failed = outputs.filter_map(|(module, output)| {
        let name = ModuleName::new(module)?;
        let error = put(workspace, &sitting.dir.feature(&name), output).err()?;
        Some(format!("module `{module}` could not write its `{}`: {error}", output.name))
    });
    failed.collect()
}

/// Puts the runs that modules asked for into the queue of automations.
///
/// Each knows which automations led to the process that asks: none leads to itself.
pub(crate) fn enqueue(workspace: &Workspace, said: [&Deliberation; 2], led_here: &[String]) -> Option<Fault> {
    let reports = said.into_iter().flat_map(|deliberation| &deliberation.reports);
    let runs = reports.filter_map(Report::action).flat_map(|action| action.automations.iter().cloned());
    let chain = Chain::of(led_here);
    let led = |mut run: QueuedRun| {
        run.occurrence.chain = chain.clone();
        Entry::Queued { run }
    };
    let entries: Vec<_> = runs.map(led).collect();
    if entries.is_empty() {
        return None;
    }
    queue::append(workspace, store::now(), entries).err().map(Fault::Queue)
}

fn put(workspace: &Workspace, feature: &FeatureDir, output: &Output) -> io::Result<()> {
    let outside = || io::Error::new(io::ErrorKind::InvalidInput, "it is no plain name");
    let path = feature.output_file(&output.name).ok_or_else(outside)?;
    let folder = path.parent().ok_or_else(outside)?;
    workspace.check_way_to(&folder)?;
    fs::create_dir_all(folder.as_path())?;
    match &output.content {
        Content::Replace(text) => {
            write_atomic(path.as_path(), text.as_str().as_bytes()).map_err(io::Error::other)
        }
        Content::Append(lines) => Journal::open(&path)
            .and_then(|journal| match journal.lock(Duration::from_millis(20)) {
                Some(held) => held.append(lines).map(|_| ()),
                None => journal.append_unlocked(lines),
            })
            .map_err(io::Error::other),
    }
}
