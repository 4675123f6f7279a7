//! The status of every specification, its changes, and the specification that an operation is about.

use std::collections::HashMap;

use automation::{Occurrence, OccurrenceKind, Operation, Timing};
use engine::{Specification, branch_of};
use event::AbsPath;

/// The statuses by path within the workspace; `None` for a specification without one.
type Statuses = HashMap<String, Option<String>>;

/// The statuses as last seen.
#[derive(Debug, Default)]
pub(crate) struct SpecStatuses {
    statuses: Statuses,
    /// The statuses when the current operation of a session was requested, by session.
    requested: HashMap<String, Statuses>,
}

impl SpecStatuses {
    /// Reads the statuses of all specifications.
    pub(crate) fn read_all(&mut self, root: &AbsPath) {
        for spec in Specification::all(root) {
            let status = spec.status(root);
            self.statuses.insert(spec.path, status);
        }
    }

    /// Checks one file. Returns an occurrence if it is a specification whose status has changed.
    pub(crate) fn check(&mut self, root: &AbsPath, path: &str) -> Option<OccurrenceKind> {
        let spec = Specification::of_path(path)?;
        let now = spec.status(root);
        let before = self.statuses.insert(path.to_owned(), now.clone()).flatten();
        let new_status = now.filter(|status| Some(status) != before.as_ref())?;
        Some(OccurrenceKind::SpecStatus {
            spec_id: spec.id,
            path: path.to_owned(),
            old_status: before,
            new_status,
            change_author: None,
        })
    }

    /// Adds the specification of an operation and its statuses to the values of an occurrence: before the
    /// operation was requested, and now.
    pub(crate) fn describe(&mut self, root: &AbsPath, occurrence: &mut Occurrence) {
        let OccurrenceKind::Operation { agent, operation, timing, session } = &occurrence.kind else {
            return;
        };
        let session = session.clone().unwrap_or_default();
        let branch = branch_of(root);
        let then = match timing {
            Timing::Before => {
                self.read_all(root);
                self.requested.insert(session, self.statuses.clone());
                // The specification that the operation creates does not exist yet.
                if *operation == Operation::Specify {
                    return;
                }
                self.statuses.clone()
            }
            Timing::After => self.requested.remove(&session).unwrap_or_else(|| self.statuses.clone()),
        };
        let Some(spec) = Specification::current(root, *agent, branch.as_deref()) else { return };
        let now = spec.status(root);
        let before = then.get(&spec.path).cloned().unwrap_or_else(|| now.clone());
        let mut put = |name: &str, value: Option<String>| {
            occurrence.values.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("specPath", Some(root.join(&spec.path).to_string()));
        put("specId", Some(spec.id));
        put("oldStatus", before);
        put("newStatus", now);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use automation::SpecAgent;
    use store::Timestamp;

    use super::*;

    const PATH: &str = "specs/011-hooks/spec.md";

    fn write(dir: &tempfile::TempDir, status: &str) {
        fs::create_dir_all(dir.path().join("specs/011-hooks")).unwrap();
        fs::write(dir.path().join(PATH), format!("**Status**: {status}\n")).unwrap();
    }

    #[test]
    fn only_a_change_is_told_with_what_was_before() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        write(&dir, "Draft");
        let mut specs = SpecStatuses::default();
        specs.read_all(&root);
        assert_eq!(specs.check(&root, PATH), None);
        write(&dir, "Review");
        let expected = OccurrenceKind::SpecStatus {
            spec_id: "011-hooks".into(),
            path: PATH.into(),
            old_status: Some("Draft".into()),
            new_status: "Review".into(),
            change_author: None,
        };
        assert_eq!(specs.check(&root, PATH), Some(expected));
        assert_eq!(specs.check(&root, PATH), None);
        assert_eq!(specs.check(&root, "src/spec.md"), None);
    }

    #[test]
    fn an_operation_knows_the_status_when_it_was_requested_and_now() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        write(&dir, "Draft");
        let mut specs = SpecStatuses::default();
        let mut described = |timing, operation| {
            let (agent, session) = (SpecAgent::SpecKit, Some("1".to_owned()));
            let kind = OccurrenceKind::Operation { agent, operation, timing, session };
            let mut occurrence = Occurrence::new(Timestamp::from_millis(1), kind);
            specs.describe(&root, &mut occurrence);
            ["specId", "oldStatus", "newStatus"]
                .map(|it| occurrence.values.get(it).cloned().unwrap_or_default())
        };
        assert_eq!(described(Timing::Before, Operation::Clarify), ["011-hooks", "Draft", "Draft"]);
        write(&dir, "Review");
        assert_eq!(described(Timing::After, Operation::Clarify), ["011-hooks", "Draft", "Review"]);
        assert_eq!(described(Timing::Before, Operation::Specify), ["", "", ""]);
    }
}
