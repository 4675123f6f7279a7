//! The places of the settings of agent programs that are not a project's: the user's own in the home, an
//! administrator's below the root, or where a variable moves them.

use event::AbsPath;
use host::install::{SettingsVariable, SystemSettingsVariable};
use shell::guard::MovedSettings;

use super::{folder, home, managed_root, path};

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
            let root = value(variable.name)?;
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

/// Returns the place of an administrator's settings, given relative to the root, and its name in messages.
pub(crate) fn managed_file(file: &str) -> (AbsPath, String) {
    let variable = SystemSettingsVariable::ALL.into_iter().find(|variable| variable.file == file);
    let named = variable.and_then(|variable| Some((named_file(variable)?, format!("${}", variable.name))));
    named.unwrap_or_else(|| (managed_root().join(file), format!("/{file}")))
}

/// Returns the folders and files to which the user moved settings, each with its usual name in the home.
pub(crate) fn moved_settings() -> Vec<MovedSettings> {
    let folders = SettingsVariable::ALL.iter().filter_map(|variable| {
        let folder = value(variable.name)?.join(variable.moved_folder());
        Some(MovedSettings { path: folder.to_string(), usual: variable.folder })
    });
    let files = SystemSettingsVariable::ALL.into_iter().filter_map(|variable| {
        Some(MovedSettings { path: named_file(variable)?.to_string(), usual: variable.like })
    });
    folders.chain(files).collect()
}

/// Returns the file that a variable names; the programs do not read `~` in it.
fn named_file(variable: SystemSettingsVariable) -> Option<AbsPath> {
    let named = path(variable.name)?;
    AbsPath::new(folder().as_path().join(named)).ok()
}

/// Returns the folder that a variable names, as the programs read it.
fn value(variable: &str) -> Option<AbsPath> {
    let value = path(variable)?;
    let value = match value.strip_prefix("~") {
        Ok(rest) => home()?.as_path().join(rest),
        Err(_) => folder().as_path().join(value),
    };
    AbsPath::new(value).ok()
}
