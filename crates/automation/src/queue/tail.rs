//! The journal's lines as they are added, for those who only look.

use store::{Journal, Workspace};

use super::journal::{QueueError, check_format};

/// Reads on where it last stopped.
///
/// INVARIANT: no line is missed, and none told twice, when the journal begins anew or is removed in
/// between: the old one is held open and read to its end first.
#[derive(Debug)]
pub struct Tail {
    workspace: Workspace,
    journal: Option<Journal>,
    offset: u64,
}

impl Tail {
    /// Begins with the first line there is.
    pub fn from_the_beginning(workspace: &Workspace) -> Self {
        Self { workspace: workspace.clone(), journal: None, offset: 0 }
    }

    /// Begins with the next line that is added.
    pub fn from_now_on(workspace: &Workspace) -> Result<Self, QueueError> {
        let mut tail = Self::from_the_beginning(workspace);
        tail.open()?;
        tail.offset = tail.journal.as_ref().map_or(Ok(0), Journal::length)?;
        Ok(tail)
    }

    /// Returns the lines that were added since.
    pub fn news(&mut self) -> Result<String, QueueError> {
        let mut all = String::new();
        loop {
            let Some(journal) = &self.journal else {
                self.open()?;
                if self.journal.is_none() {
                    return Ok(all);
                }
                continue;
            };
            // Asked before reading: nobody adds to a journal that has lost its place.
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
