//! Records the end of a tool call as an attempt, a failure or a fix.

use std::collections::BTreeSet;

use event::{Access, Outcome, ToolCall, ToolKind};
use session::{Subject, shown_path};

use super::entry;
use crate::Context;
use memory::{Experience, ExperienceKind, program, recent};

/// How much of the session's experience is searched.
const LOOK_BACK: u64 = 64 * 1024;

/// The most files in a record.
const MOST_PATHS: usize = 20;

/// Returns the experience of a call; empty for one that only reads.
pub(super) fn made(context: &Context<'_>, call: &ToolCall, outcome: &Outcome) -> Option<Experience> {
    let subject = subject(context, call);
    let entry = |kind| Experience {
        tool: subject.tool.clone(),
        subject: subject.text.clone(),
        ..entry::of(context, kind)
    };
    match outcome {
        Outcome::Failed { error, .. } => {
            Some(Experience { text: entry::text(error), ..entry(ExperienceKind::Failed) })
        }
        Outcome::Done { .. } if only_looks(&call.kind) => None,
        Outcome::Done { .. } => {
            let before = recent(context.session, LOOK_BACK);
            let paths = written_paths(context, call);
            let tried = Experience { paths, ..entry(ExperienceKind::Tried) };
            Some(fixed(&before, &tried).unwrap_or(tried))
        }
    }
}

/// Returns the fix if the same call, or another command of the same program in the same turn, failed before.
fn fixed(before: &[Experience], worked: &Experience) -> Option<Experience> {
    use ExperienceKind::{Failed, Fixed, Tried};
    let same = |it: &Experience| it.tool == worked.tool && it.subject == worked.subject;
    let last_same = before.iter().rposition(|it| same(it) && matches!(it.kind, Failed | Fixed | Tried));
    let again = last_same.filter(|at| before[*at].kind == Failed);
    let kin = || {
        let its_program = program(&worked.subject);
        let is_kin = |it: &Experience| {
            it.kind == Failed
                && it.tool == worked.tool
                && it.turn_id == worked.turn_id
                && worked.subject.contains(' ')
                && program(&it.subject) == its_program
        };
        let at = before.iter().rposition(is_kin)?;
        // An earlier success after it is already recorded as the fix.
        let claimed = before[at + 1..].iter().any(|it| it.kind == Fixed && it.subject == before[at].subject);
        (!claimed).then_some(at)
    };
    let at = again.or_else(kin)?;
    let failure = &before[at];
    let changed: BTreeSet<String> = before[at..].iter().flat_map(|it| it.paths.iter().cloned()).collect();
    Some(Experience {
        kind: Fixed,
        subject: failure.subject.clone(),
        text: failure.text.clone(),
        worked: (failure.subject != worked.subject).then(|| worked.subject.clone()),
        paths: changed.into_iter().take(MOST_PATHS).collect(),
        ..worked.clone()
    })
}

fn subject(context: &Context<'_>, call: &ToolCall) -> Subject {
    let command = call.command.as_ref().map(|command| command.text.as_str());
    let touches = call.touches.iter().map(|touch| (touch.path.as_str(), touch.access.as_str()));
    let subject = Subject::new(context.workspace.root(), &call.name, command, touches);
    Subject { tool: entry::text(&subject.tool), text: entry::text(&subject.text) }
}

fn written_paths(context: &Context<'_>, call: &ToolCall) -> Vec<String> {
    let written = call.touches.iter().filter(|touch| touch.access != Access::Read).take(MOST_PATHS);
    written.map(|touch| entry::text(&shown_path(context.workspace.root(), &touch.path))).collect()
}

const fn only_looks(kind: &ToolKind) -> bool {
    matches!(kind, ToolKind::Read | ToolKind::Search | ToolKind::Harmless)
}
