//! Where a hook waits: the folder of sockets, and the workspace whose persons may answer.

use event::AbsPath;
use store::Workspace;

/// The place of an ask.
#[derive(Debug, Clone, Copy)]
pub struct WaitingPlace<'a> {
    /// The workspace, for the check that a person answers.
    pub workspace: &'a Workspace,
    /// The user's state folder.
    pub user_state: &'a AbsPath,
}
