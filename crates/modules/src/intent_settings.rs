//! The section `intent` of `config.json`, and the scope that follows from it.
//!
//! The module, `steersman intent check` and the MCP server use this scope, so that all of them give the same answer.

use intent::{Protected, Scope};
use project_config::Config;
use serde::{Deserialize, Serialize};
use store::Workspace;

/// `"intent": { "mode": "enforce", "allowSelfEdit": false, "strictShell": false, "tempWrites": "allow" }`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub struct IntentSettings {
    /// Whether intents refuse calls, or only record which ones they would refuse.
    pub mode: IntentMode,
    /// Lets intents include the files that govern the agent.
    pub allow_self_edit: bool,
    /// Asks about every command whose writes are unknown beforehand.
    pub strict_shell: bool,
    /// Whether intents may write below the system's temp folder.
    pub temp_writes: TempWrites,
}

/// The answer to a call that the intent in force does not permit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum IntentMode {
    /// It is refused.
    #[default]
    Enforce,
    /// It passes; steersman warns the user and records it.
    Observe,
}

/// Whether intents may write below the system's temp folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TempWrites {
    /// They may, and steersman records it.
    #[default]
    Allow,
    /// Only files of the workspace can be in scope.
    Deny,
}

impl IntentSettings {
    /// The name of the section and of the module.
    pub const SECTION: &'static str = "intent";

    /// Reads the settings of a workspace. Unreadable settings fall back to the defaults, which are the strictest
    /// ones that permit work.
    pub fn of(workspace: &Workspace) -> Self {
        Config::load(workspace).and_then(|config| config.typed(Self::SECTION)).unwrap_or_default()
    }

    /// Returns whether the settings of a workspace only let intents observe.
    pub fn observes(config: &Config) -> bool {
        config.typed::<Self>(Self::SECTION).is_ok_and(|settings| settings.mode == IntentMode::Observe)
    }

    /// Returns the scope of the workspace, with its protected files.
    pub fn scope(self, workspace: &Workspace) -> Scope {
        let protected = if self.allow_self_edit {
            Protected::nothing()
        } else {
            Protected::with(host::install::governing_files())
        };
        let scope = Scope::open(workspace.root(), protected);
        match self.temp_writes {
            TempWrites::Allow => scope.with_temp_writes(),
            TempWrites::Deny => scope,
        }
    }
}

#[cfg(test)]
mod tests {
    use event::{AbsPath, Access};
    use intent::{Intent, IntentsFile, Reach, Target};
    use std::fs;

    use super::*;

    fn everything() -> Intent {
        let yaml = "intents:\n  - id: INT-001\n    name: all\n    status: PENDING\n    owned_scope: ['**']\n";
        IntentsFile::parse(yaml.as_bytes()).unwrap().intents.remove(0)
    }

    #[test]
    fn what_governs_the_agent_is_in_no_scope_unless_the_settings_say_so() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let workspace = Workspace::at(root.clone());
        let passes = |path: &str| {
            let target = Target::new(path, &root, Access::Write, Reach::Itself);
            IntentSettings::of(&workspace).scope(&workspace).check(&target, &everything()).is_ok()
        };
        let governing =
            [".claude/settings.json", ".codex/hooks.json", ".github/hooks/new.json", ".ai/hooks/x"];
        assert!(passes("src/a.rs") && governing.iter().all(|path| !passes(path)));
        fs::create_dir_all(dir.path().join(".ai/hooks")).unwrap();
        let config = dir.path().join(".ai/hooks/config.json");
        fs::write(&config, r#"{"intent": {"allowSelfEdit": "yes"}}"#).unwrap();
        assert!(!passes(".codex/hooks.json"), "a typing mistake protects");
        fs::write(&config, r#"{"intent": {"allowSelfEdit": true}}"#).unwrap();
        assert!(governing.iter().all(|path| passes(path)));
    }
}
