//! The places of the user's own settings of agent programs: in the home, or where a variable moves them.

use event::AbsPath;
use host::install::SettingsVariable;
use shell::guard::MovedSettings;

use super::{folder, home, path};

/// A file or folder of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UserFile {
    /// The home, or the folder that a variable names.
    pub(crate) root: AbsPath,
    /// The path below it, with `/`.
    pub(crate) file: &'static str,
    /// The text before the path in messages.
    pub(crate) prefix: &'static str,
}

impl UserFile {
    /// The text before the path of a file in the home.
    pub(crate) const IN_HOME: &'static str = "~/";

    /// Returns the place of a file that is usually in the home. Returns `None` without a home.
    pub(crate) fn of(file: &'static str) -> Option<Self> {
        let moved = SettingsVariable::of(file).and_then(|variable| {
            let root = value(variable)?;
            Some(Self { root, file: variable.moved(file), prefix: variable.prefix })
        });
        moved.or_else(|| Some(Self { root: home()?, file, prefix: Self::IN_HOME }))
    }

    /// Returns its path.
    pub(crate) fn path(&self) -> AbsPath {
        self.root.join(self.file)
    }

    /// Returns its name in messages.
    pub(crate) fn shown(&self) -> String {
        format!("{}{}", self.prefix, self.file)
    }

    /// Returns whether the name of a file in a message is one of the user's own.
    pub(crate) fn is_shown(name: &str) -> bool {
        name.starts_with(Self::IN_HOME) || name.starts_with('$')
    }
}

/// The variables that name the list of trusted folders of a program itself.
const TRUSTED_FOLDERS: [(&str, &str); 2] = [
    (".gemini/trustedFolders.json", "GEMINI_CLI_TRUSTED_FOLDERS_PATH"),
    (".qwen/trustedFolders.json", "QWEN_CODE_TRUSTED_FOLDERS_PATH"),
];

/// Returns the list of trusted folders that is usually in the home, and its name in messages.
pub(crate) fn trusted_folders(file: &'static str) -> Option<(AbsPath, String)> {
    let variable = TRUSTED_FOLDERS.iter().find(|(usual, _)| *usual == file).map(|(_, variable)| *variable);
    let named = variable.and_then(|name| Some((folder().join(path(name)?), format!("${name}"))));
    named.or_else(|| UserFile::of(file).map(|own| (own.path(), own.shown())))
}

/// Returns the folders to which the user moved settings, each with its usual name in the home.
pub(crate) fn moved_settings() -> Vec<MovedSettings> {
    let moved = SettingsVariable::ALL.iter().filter_map(|variable| {
        // Below a home, the folder is known by its name.
        let root = value(variable).filter(|_| !variable.names_home())?;
        Some(MovedSettings { folder: root.to_string(), usual: variable.folder })
    });
    moved.collect()
}

/// Returns the folder that a variable names, as the programs read it.
fn value(variable: &SettingsVariable) -> Option<AbsPath> {
    let value = path(variable.name)?;
    let value = match value.strip_prefix("~") {
        Ok(rest) => home()?.as_path().join(rest),
        Err(_) => folder().as_path().join(value),
    };
    AbsPath::new(value).ok()
}
