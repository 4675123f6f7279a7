//! The automations of a workspace that a user has reviewed and trusted.
//!
//! Trust stores a hash of each file, and a copy without secrets, so that `steersman` can show a
//! change and stores no secret twice. It covers everything that determines what runs: both automation
//! files, the part of `config.json` that names the runner and, if an automation may call an MCP
//! server, the files that declare the server's program.
//!
//! Only [`Trust::verify`] creates [`TrustedFiles`], and only those lead to automations that run.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use event::AbsPath;
use redact::{Filter, REPLACEMENT};

use crate::automation_files::{FileReading, SECTION};
use crate::trust::TrustRecord;
use crate::{AutomationFiles, Timestamp, Trust, TrustError, fingerprint, remove_file, write_private};

/// Automation files that a user trusts, as they were when this was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedFiles(AutomationFiles);

impl TrustedFiles {
    /// Returns the files.
    pub const fn files(&self) -> &AutomationFiles {
        &self.0
    }
}

/// Whether a user trusts the automations of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustStatus {
    /// They may run.
    Trusted,
    /// No user has trusted them yet.
    Never,
    /// A user trusted them, and they changed since.
    Changed {
        /// The changed files.
        files: Vec<String>,
    },
}

/// A file before and after a change; `None` if it did or does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedChange {
    /// The file, relative to the workspace.
    pub file: String,
    /// The content when it was trusted, without secrets.
    pub before: Option<String>,
    /// The current content.
    pub after: Option<String>,
}

impl Trust {
    /// Returns the files as trusted, or why they are not.
    pub fn verify(&self, workspace: &AbsPath, files: &AutomationFiles) -> Result<TrustedFiles, TrustStatus> {
        match self.status(workspace, files) {
            TrustStatus::Trusted => Ok(TrustedFiles(files.clone())),
            other => Err(other),
        }
    }

    /// Returns whether a user trusts the workspace's automations.
    pub fn status(&self, workspace: &AbsPath, files: &AutomationFiles) -> TrustStatus {
        let judged = files.judged();
        let Some(TrustRecord { automations: known, .. }) = self.workspaces.get(&workspace.to_string()) else {
            return if judged.is_empty() { TrustStatus::Trusted } else { TrustStatus::Never };
        };
        // A file that cannot be read counts as changed.
        let is_as_it_was = |name: &String| match judged.get(name) {
            None => !known.contains_key(name),
            Some(text) => {
                text.as_ref().map(|text| hash(text)).as_ref().is_some_and(|it| known.get(name) == Some(it))
            }
        };
        let mut names: Vec<&String> = known.keys().chain(judged.keys()).collect();
        names.sort();
        names.dedup();
        let files: Vec<String> = names.into_iter().filter(|name| !is_as_it_was(name)).cloned().collect();
        if files.is_empty() { TrustStatus::Trusted } else { TrustStatus::Changed { files } }
    }

    /// Records that a user trusts these automations, and stores their texts without the secrets that
    /// `hide` finds.
    pub fn grant_automations(
        &mut self,
        user_state: &AbsPath,
        workspace: &AbsPath,
        files: &AutomationFiles,
        hide: &Filter,
        at: Timestamp,
    ) -> Result<(), TrustError> {
        let mut automations = BTreeMap::new();
        for (name, text) in &files.judged() {
            let text = text.as_ref().ok_or_else(|| TrustError::Read {
                path: PathBuf::from(name),
                source: std::io::Error::other("cannot trust an unreadable file"),
            })?;
            let hash = hash(text);
            write_private(&copy_in(user_state, &hash), hide.redact(text).as_str().as_bytes())?;
            automations.insert(name.clone(), hash);
        }
        let entry = self.workspaces.entry(workspace.to_string()).or_default();
        entry.at = at.as_millis();
        let before = std::mem::replace(&mut entry.automations, automations);
        self.forget_copies(user_state, before.into_values());
        Ok(())
    }

    /// Removes the trust in a workspace. Returns whether it was trusted.
    pub fn revoke(&mut self, user_state: &AbsPath, workspace: &AbsPath) -> bool {
        let known = self.workspaces.remove(&workspace.to_string());
        let was_known = known.is_some();
        self.forget_copies(user_state, known.into_iter().flat_map(|it| it.automations.into_values()));
        was_known
    }

    /// Removes the copies that no trusted workspace needs.
    fn forget_copies(&self, user_state: &AbsPath, hashes: impl Iterator<Item = String>) {
        for hash in hashes {
            if !self.workspaces.values().any(|known| known.automations.values().any(|it| *it == hash)) {
                // A copy that cannot be removed does no harm.
                let _ = remove_file(copy_in(user_state, &hash).as_ref());
            }
        }
    }

    /// Returns a file, by its path relative to the workspace, as the user trusted it; of `config.json` only the
    /// part that trust covers. Returns `None` if trust does not cover the file.
    ///
    /// The stored copy has no secrets; they are taken from the file as it is now. Returns `None` if they have
    /// changed, too.
    pub fn trusted_version(
        &self,
        user_state: &AbsPath,
        workspace: &AbsPath,
        file: &str,
        (now, hide): (&AutomationFiles, &Filter),
    ) -> Option<String> {
        let known = &self.workspaces.get(&workspace.to_string())?.automations;
        let copy = |hash_then: &String| {
            let copy = fs::read_to_string(copy_in(user_state, hash_then)).ok()?;
            let current = match now.reading(file) {
                Some(FileReading::Bytes(bytes)) => String::from_utf8_lossy(bytes),
                _ => "".into(),
            };
            let whole = if hash(&copy) == *hash_then { copy } else { restored(&copy, &current, hide) };
            (hash(&whole) == *hash_then).then_some(whole)
        };
        if let Some(hash) = known.get(file) {
            return copy(hash);
        }
        now.is_config(file).then(|| match known.get(&format!("{file} ({SECTION})")) {
            Some(hash) => Some(format!("{{\"{SECTION}\": {}}}", copy(hash)?)),
            None => Some("{}".to_owned()),
        })?
    }

    /// Returns the changes since the workspace's automations were trusted.
    pub fn changes(
        &self,
        user_state: &AbsPath,
        workspace: &AbsPath,
        files: &AutomationFiles,
    ) -> Vec<TrustedChange> {
        let judged = files.judged();
        let changed = match self.status(workspace, files) {
            TrustStatus::Trusted => Vec::new(),
            TrustStatus::Never => judged.keys().cloned().collect(),
            TrustStatus::Changed { files } => files,
        };
        let known = self.workspaces.get(&workspace.to_string());
        let before = |file: &str| {
            let hash = known?.automations.get(file)?;
            // A missing copy counts as a file that did not exist.
            fs::read_to_string(copy_in(user_state, hash)).ok()
        };
        changed
            .into_iter()
            .map(|file| TrustedChange {
                before: before(&file),
                after: judged.get(&file).cloned().flatten(),
                file,
            })
            .collect()
    }
}

/// Returns the copy of a file with its secrets, taken from the file as it is now: each secret goes to the
/// place with the same text before it in its line, else to the next place.
///
/// The result may be wrong; its hash tells.
fn restored(copy: &str, now: &str, hide: &Filter) -> String {
    let before = |text: &str| text.rsplit('\n').next().unwrap_or_default().trim_start().to_owned();
    let hidden = hide.redact(now);
    let mut secrets: Vec<(String, &str)> = Vec::new();
    let mut parts = hidden.as_str().split(REPLACEMENT);
    let mut at = parts.next().unwrap_or_default();
    let mut rest = now.strip_prefix(at).unwrap_or_default();
    for part in parts {
        let length = if part.is_empty() { rest.len() } else { rest.find(part).unwrap_or(rest.len()) };
        secrets.push((before(at), &rest[..length]));
        rest = rest.get(length + part.len()..).unwrap_or_default();
        at = part;
    }
    let mut whole = String::with_capacity(copy.len());
    let mut parts = copy.split(REPLACEMENT).peekable();
    while let Some(part) = parts.next() {
        whole.push_str(part);
        if parts.peek().is_some() && !secrets.is_empty() {
            let place = before(part);
            let index = secrets.iter().position(|(it, _)| *it == place).unwrap_or(0);
            whole.push_str(secrets.remove(index).1);
        }
    }
    whole
}

fn hash(text: &str) -> String {
    fingerprint([text.as_bytes()]).to_string()
}

fn copy_in(user_state: &AbsPath, hash: &str) -> PathBuf {
    // We wrote the hashes in the file; any other text there is reduced to hex digits.
    let plain: String = hash.chars().filter(char::is_ascii_hexdigit).collect();
    user_state.child("trusted").join(plain).as_path().to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;

    #[test]
    fn trust_is_for_what_stood_in_the_files_and_a_change_can_be_shown() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("project")).unwrap();
        let user_state = AbsPath::new(dir.path().join("state")).unwrap();
        let workspace = Workspace::at(root.clone());
        let write = |path: AbsPath, text: &str| {
            fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
            fs::write(path.as_path(), text).unwrap();
        };
        let files = || AutomationFiles::read(&workspace);
        let mut trust = Trust::load(&user_state).unwrap();
        assert_eq!(trust.status(&root, &files()), TrustStatus::Trusted, "there is nothing to run");

        write(workspace.akira_file(), "one");
        assert_eq!(trust.status(&root, &files()), TrustStatus::Never);
        trust
            .grant_automations(&user_state, &root, &files(), &Filter::default(), Timestamp::from_millis(1))
            .unwrap();
        trust.save(&user_state).unwrap();
        let mut trust = Trust::load(&user_state).unwrap();
        assert_eq!(trust.status(&root, &files()), TrustStatus::Trusted);

        write(workspace.akira_file(), "two");
        let plain = Filter::default();
        let trusted =
            |trust: &Trust, file| trust.trusted_version(&user_state, &root, file, (&files(), &plain));
        assert_eq!(trusted(&trust, ".akira/hooks.json").as_deref(), Some("one"));
        assert_eq!(trusted(&trust, ".ai/hooks/config.json").as_deref(), Some("{}"), "it had no section");
        write(workspace.config_file(), r#"{"session": {}, "automation": {"runner": "claude"}}"#);
        let config = ".ai/hooks/config.json (automation)".to_owned();
        let changed = TrustStatus::Changed { files: vec![config.clone(), ".akira/hooks.json".into()] };
        assert_eq!(trust.status(&root, &files()), changed);
        let shown = trust.changes(&user_state, &root, &files());
        assert_eq!((shown[0].file.as_str(), shown[0].before.as_deref()), (config.as_str(), None));
        assert_eq!((shown[1].before.as_deref(), shown[1].after.as_deref()), (Some("one"), Some("two")));

        trust
            .grant_automations(&user_state, &root, &files(), &Filter::default(), Timestamp::from_millis(2))
            .unwrap();
        write(workspace.config_file(), "broken");
        let version = trusted(&trust, ".ai/hooks/config.json").unwrap();
        assert_eq!(
            trust.status(&root, &files().with(".ai/hooks/config.json", &version)),
            TrustStatus::Trusted
        );
        write(workspace.config_file(), r#"{"session": {"x": 1}, "automation": {"runner": "claude"}}"#);
        assert_eq!(trust.status(&root, &files()), TrustStatus::Trusted, "other settings do not count");
        fs::remove_file(workspace.akira_file().as_path()).unwrap();
        assert_eq!(
            trust.status(&root, &files()),
            TrustStatus::Changed { files: vec![".akira/hooks.json".into()] }
        );
    }

    #[test]
    fn trusting_scripts_anew_leaves_the_automations_as_they_were_trusted() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("project")).unwrap();
        let user_state = AbsPath::new(dir.path().join("state")).unwrap();
        let files = AutomationFiles::read(&Workspace::at(root.clone())).with(".akira/hooks.json", "x");
        let mut trust = Trust::default();
        trust
            .grant_automations(&user_state, &root, &files, &Filter::default(), Timestamp::from_millis(1))
            .unwrap();
        trust.grant(&root, &fingerprint([b"scripts".as_slice()]), Timestamp::from_millis(2));
        assert_eq!(trust.status(&root, &files), TrustStatus::Trusted);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_kept_has_no_secret_in_it_is_for_its_owner_only_and_goes_when_nobody_needs_it() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let roots = ["one", "other"].map(|name| AbsPath::new(dir.path().join(name)).unwrap());
        let user_state = AbsPath::new(dir.path().join("state")).unwrap();
        let folder = user_state.child("trusted");
        fs::create_dir_all(folder.as_path()).unwrap();
        fs::set_permissions(folder.as_path(), fs::Permissions::from_mode(0o755)).unwrap();
        let token = format!("ghp_{}", "a1B2".repeat(9));
        let none = AutomationFiles::read(&Workspace::at(roots[0].clone()));
        let files = |word: &str| none.clone().with(".akira/hooks.json", &format!("{word} {token} corp-42\n"));
        let hide = Filter::with_patterns(["corp-[0-9]+"]).unwrap();
        let mut trust = Trust::default();
        let grant = |trust: &mut Trust, root: &AbsPath, word: &str| {
            trust
                .grant_automations(&user_state, root, &files(word), &hide, Timestamp::from_millis(1))
                .unwrap();
        };
        let copies = || -> Vec<(String, u32)> {
            let entries = fs::read_dir(folder.as_path()).unwrap().map(|it| it.unwrap());
            let copy = |it: fs::DirEntry| {
                let mode = it.metadata().unwrap().permissions().mode() & 0o777;
                (fs::read_to_string(it.path()).unwrap(), mode)
            };
            entries.map(copy).collect()
        };
        grant(&mut trust, &roots[0], "first");
        assert_eq!(copies(), [("first [REDACTED] [REDACTED]\n".to_owned(), 0o600)]);
        let mode = fs::metadata(folder.as_path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert_eq!(trust.status(&roots[0], &files("first")), TrustStatus::Trusted);
        let shown = trust.changes(&user_state, &roots[0], &files("second"));
        assert_eq!(shown[0].before.as_deref(), Some("first [REDACTED] [REDACTED]\n"));
        let version = |now: &AutomationFiles| {
            trust.trusted_version(&user_state, &roots[0], ".akira/hooks.json", (now, &hide))
        };
        assert_eq!(version(&none), None);
        let edited = none.clone().with(".akira/hooks.json", &format!("{{ first {token} corp-42\n}}"));
        assert_eq!(version(&edited), Some(format!("first {token} corp-42\n")), "it still has the secrets");
        assert_eq!(version(&none.clone().with(".akira/hooks.json", "first corp-43")), None);

        grant(&mut trust, &roots[1], "first");
        grant(&mut trust, &roots[0], "second");
        assert_eq!(copies().len(), 2, "the other workspace is still trusted with the first");
        assert!(trust.revoke(&user_state, &roots[1]));
        assert_eq!(copies(), [("second [REDACTED] [REDACTED]\n".to_owned(), 0o600)]);
        assert!(trust.revoke(&user_state, &roots[0]) && !trust.revoke(&user_state, &roots[0]));
        assert_eq!(copies(), []);
    }
}
