//! The variables with which a user moves the settings of an agent program: the user's own, and an administrator's.

use super::{managed_plans, user_plans};

/// A variable that names another place for a program's own settings of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingsVariable {
    /// Its name.
    pub name: &'static str,
    /// The text before the name of a file in messages.
    pub prefix: &'static str,
    /// The folder in the home that it moves.
    pub folder: &'static str,
    names: Names,
    /// Files beside the folder that move into it.
    beside: &'static [&'static str],
}

/// The target of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// The folder itself.
    Folder,
    /// The folder in which the folder is, as the home.
    Home,
}

impl SettingsVariable {
    /// All of them, as the programs read them. Cursor and VS Code have none.
    pub const ALL: [Self; 5] = [
        variable("CLAUDE_CONFIG_DIR", "$CLAUDE_CONFIG_DIR/", ".claude", Names::Folder, &[".claude.json"]),
        variable("CODEX_HOME", "$CODEX_HOME/", ".codex", Names::Folder, &[]),
        variable("COPILOT_HOME", "$COPILOT_HOME/", ".copilot", Names::Folder, &[]),
        variable("GEMINI_CLI_HOME", "$GEMINI_CLI_HOME/", ".gemini", Names::Home, &[]),
        variable("QWEN_HOME", "$QWEN_HOME/", ".qwen", Names::Folder, &[]),
    ];

    /// Returns the variable that moves a file or folder, given relative to the home.
    pub fn of(file: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|it| it.within_folder(file).is_some() || it.beside.contains(&file))
    }

    /// Returns a file that the variable moves, relative to the folder in its value.
    pub fn moved<'a>(&self, file: &'a str) -> &'a str {
        match self.names {
            Names::Home => file,
            Names::Folder => self.within_folder(file).unwrap_or(file),
        }
    }

    /// Returns the folder that has moved, below the folder in the variable's value; empty if the value is that folder.
    pub fn moved_folder(&self) -> &'static str {
        match self.names {
            Names::Home => self.folder,
            Names::Folder => "",
        }
    }

    /// Returns a file that the variable moves, relative to the moved folder.
    pub fn in_folder<'a>(&self, file: &'a str) -> &'a str {
        self.within_folder(file).unwrap_or(file)
    }

    fn within_folder<'a>(&self, file: &'a str) -> Option<&'a str> {
        let rest = file.strip_prefix(self.folder)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }
}

/// A variable that names another file for the settings of an administrator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemSettingsVariable {
    /// Its name.
    pub name: &'static str,
    /// The file that it replaces, relative to the root.
    pub file: &'static str,
    /// The user's own file with the same settings, relative to the home.
    pub like: &'static str,
}

impl SystemSettingsVariable {
    /// All of them, as the programs read them.
    pub const ALL: [Self; 2] = [
        Self {
            name: "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
            file: managed_plans::GEMINI_SETTINGS.file,
            like: user_plans::GEMINI_SETTINGS.file,
        },
        Self {
            name: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
            file: managed_plans::QWEN_SETTINGS.file,
            like: user_plans::QWEN_SETTINGS.file,
        },
    ];
}

const fn variable(
    name: &'static str,
    prefix: &'static str,
    folder: &'static str,
    names: Names,
    beside: &'static [&'static str],
) -> SettingsVariable {
    SettingsVariable { name, prefix, folder, names, beside }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::HookPlan;

    #[test]
    fn each_file_moves_with_the_folder_of_its_program() {
        for (file, moved) in [
            (".claude/settings.json", Some(("CLAUDE_CONFIG_DIR", "settings.json"))),
            (".claude.json", Some(("CLAUDE_CONFIG_DIR", ".claude.json"))),
            (".claude", Some(("CLAUDE_CONFIG_DIR", ""))),
            (".codex/hooks.json", Some(("CODEX_HOME", "hooks.json"))),
            (".copilot/hooks/steersman.json", Some(("COPILOT_HOME", "hooks/steersman.json"))),
            (".gemini/settings.json", Some(("GEMINI_CLI_HOME", ".gemini/settings.json"))),
            (".qwen/settings.json", Some(("QWEN_HOME", "settings.json"))),
            (".cursor/hooks.json", None),
            (".claudette/settings.json", None),
            (".config/steersman/config.json", None),
        ] {
            let found = SettingsVariable::of(file).map(|variable| (variable.name, variable.moved(file)));
            assert_eq!(found, moved, "{file}");
        }
    }

    #[test]
    fn every_plan_of_a_user_moves_with_its_variable_or_has_none() {
        for plan in HookPlan::USER {
            let is_fixed = plan.file.starts_with(".cursor/");
            assert_eq!(SettingsVariable::of(plan.file).is_none(), is_fixed, "{}", plan.file);
        }
    }

    #[test]
    fn messages_name_the_variable() {
        for variable in SettingsVariable::ALL {
            assert_eq!(variable.prefix, format!("${}/", variable.name));
        }
    }
}
