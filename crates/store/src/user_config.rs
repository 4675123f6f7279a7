//! The settings of a registration for all folders: `~/.config/steersman/config.json`, which `init --user` writes, and
//! `/etc/steersman/config.json`, which `init --managed` writes.

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{FileError, Format, Workspace, parse_json, read_text};

/// The settings of a registration for all folders.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct UserConfig {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The schema that editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The workspaces that steersman governs.
    pub scope: Scope,
}

/// The workspaces that a registration for all folders governs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Every folder; one without `.ai/hooks` gets the built-in defaults.
    #[default]
    All,
    /// Only workspaces with `.ai/hooks` or intents.
    Registered,
}

/// Where steersman records the events of a workspace.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a process makes one of them; a box would cost an allocation")]
pub enum Governed {
    /// The workspace, and why its layout or the settings could not be read.
    In(Workspace, Option<FileError>),
    /// Nowhere: the workspace is not registered, and the scope covers registered ones only.
    Out,
}

impl UserConfig {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// The file, relative to the home.
    pub const IN_HOME: &'static str = ".config/steersman/config.json";

    /// The file of administrators, relative to `/`.
    pub const MANAGED: &'static str = "etc/steersman/config.json";

    /// The initial content.
    pub const STARTER: &'static str = "{\n  \"version\": 1,\n  \"scope\": \"all\"\n}\n";

    /// Reads the files and returns the widest scope in them: the administrator's settings do not narrow the user's, nor
    /// the user's the administrator's. Returns `None` if no file exists: steersman is not registered for all folders.
    pub fn scope_in<'a>(files: impl IntoIterator<Item = &'a AbsPath>) -> Result<Option<Scope>, FileError> {
        let mut widest = None;
        for file in files {
            let Some(text) = read_text(file)? else { continue };
            match parse_json::<Self>(file.as_path(), &text, Self::FORMAT)?.scope {
                Scope::All => return Ok(Some(Scope::All)),
                Scope::Registered => widest = Some(Scope::Registered),
            }
        }
        Ok(widest)
    }

    /// Opens the workspace at `root`. One without rules has its records in the user's state folder if a registration
    /// for all folders governs it. `files` are the settings of such registrations.
    ///
    /// A linked checkout belongs to its repository: if the main checkout is registered, the linked one is governed, too,
    /// although rules that were not committed are missing there.
    pub fn open<'a>(
        root: AbsPath,
        user_state: Option<&AbsPath>,
        files: impl IntoIterator<Item = &'a AbsPath>,
    ) -> Governed {
        let in_folder = |root: AbsPath| {
            let (workspace, error) = Workspace::open(root);
            Governed::In(workspace, error)
        };
        let Some(user_state) = user_state.filter(|_| !Workspace::has_rules(&root)) else {
            return in_folder(root);
        };
        let in_state = |root, error| Governed::In(Workspace::with_records_in(user_state, root), error);
        match Self::scope_in(files) {
            Ok(None) => in_folder(root),
            Ok(Some(Scope::Registered)) if !Workspace::is_linked_to_rules(&root) => Governed::Out,
            Ok(Some(Scope::Registered | Scope::All)) => in_state(root, None),
            Err(error) => in_state(root, Some(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_workspace_without_rules_is_governed_as_the_users_settings_say() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        fs::create_dir_all(at("bare").as_path()).unwrap();
        fs::create_dir_all(at("ruled/.ai/hooks").as_path()).unwrap();
        let place =
            |root: &str, files: &[AbsPath]| match UserConfig::open(at(root), Some(&at("state")), files) {
                Governed::In(workspace, error) => {
                    let tmp = workspace.tmp_dir().as_path();
                    let place = if tmp.starts_with(at("state").as_path()) { "state" } else { "workspace" };
                    format!("{place}{}", if error.is_some() { ", error" } else { "" })
                }
                Governed::Out => "out".to_owned(),
            };
        for (text, bare) in [
            (None, "workspace"),
            (Some("{}"), "state"),
            (Some(UserConfig::STARTER), "state"),
            (Some(r#"{"scope": "registered"}"#), "out"),
            (Some(r#"{"scope": "some"}"#), "state, error"),
        ] {
            let file = at("config.json");
            let _ = fs::remove_file(file.as_path());
            if let Some(text) = text {
                fs::write(file.as_path(), text).unwrap();
            }
            let files = [at("absent.json"), file];
            assert_eq!(place("bare", &files), bare, "{text:?}");
            assert_eq!(place("ruled", &files), "workspace", "{text:?}");
        }
    }

    #[test]
    fn the_widest_scope_counts() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, scope: Option<&str>| {
            let file = AbsPath::new(dir.path().join(name)).unwrap();
            let _ = fs::remove_file(file.as_path());
            if let Some(scope) = scope {
                fs::write(file.as_path(), format!("{{\"scope\": \"{scope}\"}}")).unwrap();
            }
            file
        };
        for (own, managed, expected) in [
            (None, None, None),
            (Some("registered"), None, Some(Scope::Registered)),
            (None, Some("registered"), Some(Scope::Registered)),
            (Some("registered"), Some("all"), Some(Scope::All)),
            (Some("all"), Some("registered"), Some(Scope::All)),
            (Some("registered"), Some("registered"), Some(Scope::Registered)),
        ] {
            let files = [file("own", own), file("managed", managed)];
            assert_eq!(UserConfig::scope_in(&files).unwrap(), expected, "{own:?} {managed:?}");
        }
    }

    #[test]
    fn a_linked_checkout_of_a_registered_repository_is_governed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        for folder in
            ["ruled/.ai/hooks", "ruled/.git/worktrees/a", "bare/.git/worktrees/a", "beside", "other"]
        {
            fs::create_dir_all(at(folder).as_path()).unwrap();
        }
        for (linked, main) in [("beside", "ruled"), ("other", "bare")] {
            let git = format!("gitdir: {}\n", at(main).child(".git/worktrees/a"));
            fs::write(at(linked).child(".git").as_path(), git).unwrap();
        }
        fs::write(at("config.json").as_path(), r#"{"scope": "registered"}"#).unwrap();
        for (root, expected) in [("ruled", true), ("beside", true), ("bare", false), ("other", false)] {
            let opened = UserConfig::open(at(root), Some(&at("state")), &[at("config.json")]);
            assert_eq!(matches!(opened, Governed::In(..)), expected, "{root}");
        }
    }
}
