//! Reads the journal's lines as other processes append them.

use store::{Journal, Workspace};

use super::journal::{QueueError, check_format};

/// Reads from where it last stopped.
///
/// INVARIANT: it returns every line once, even if the journal is rotated or deleted in between: it
/// holds the old one open and reads it to its end first.
#[derive(Debug)]
pub struct Tail {
    workspace: Workspace,
    journal: Option<Journal>,
    offset: u64,
}

impl Tail {
    /// Starts at the first line.
    pub fn from_the_beginning(workspace: &Workspace) -> Self {
        Self { workspace: workspace.clone(), journal: None, offset: 0 }
    }

    /// Starts at the end of the journal.
    pub fn from_now_on(workspace: &Workspace) -> Result<Self, QueueError> {
        let mut tail = Self::from_the_beginning(workspace);
        tail.open()?;
        tail.offset = tail.journal.as_ref().map_or(Ok(0), Journal::length)?;
        Ok(tail)
    }

    /// Returns the lines added since the last call.
    pub fn new_lines(&mut self) -> Result<String, QueueError> {
        let mut all = String::new();
        loop {
            let Some(journal) = &self.journal else {
                self.open()?;
                if self.journal.is_none() {
                    return Ok(all);
                }
                continue;
            };
            // Checked before reading: no process appends to a journal that was moved.
            let is_in_place = journal.is_in_place();
            let (lines, end) = journal.whole_lines(self.offset)?;
            check_format(&lines)?;
            all.push_str(&lines);
            self.offset = end;
            if is_in_place {
                return Ok(all);
            }
            self.journal = None;
            self.offset = 0;
        }
    }

    fn open(&mut self) -> Result<(), QueueError> {
        self.journal = Journal::open_to_read(&self.workspace.automation_queue())?;
        Ok(())
    }
}
