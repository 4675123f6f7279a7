//! The spelling of our binary in a command line.

use super::command_line::is_our_name;
use super::hook_plan::WindowsShell;

/// The program that a hook command starts: the bare name, or the path of the binary.
///
/// The bare name is better wherever it works. Settings files are shared through the repository, and
/// it is the only spelling that every shell on every system reads alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    path: String,
    system: System,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum System {
    Posix,
    Windows,
}

/// The path does not end in our name, so that we would not recognise the entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a path to a program named `steersman`")]
pub struct ForeignProgram(pub String);

impl Program {
    /// Returns the bare name, which the shell resolves.
    pub fn on_path() -> Self {
        Self { path: "steersman".to_owned(), system: System::Posix }
    }

    /// Creates a program from the path of the binary, in the syntax of any system.
    pub fn at(path: &str) -> Result<Self, ForeignProgram> {
        if is_our_name(path) && !path.contains(['\n', '\r', '\0', '"']) {
            let system = System::of(path);
            let path = match system {
                System::Posix => path.to_owned(),
                // Git Bash would drop a backslash; cmd and PowerShell accept either.
                System::Windows => path.replace('\\', "/"),
            };
            Ok(Self { path, system })
        } else {
            Err(ForeignProgram(path.to_owned()))
        }
    }

    /// Returns whether every shell reads it alike. A Windows path with spaces is quoted for the shell
    /// its host usually runs, and some hosts run several: the caller should warn.
    pub fn is_safe_everywhere(&self) -> bool {
        self.system == System::Posix || self.is_plain()
    }

    /// Returns the unquoted path, for use without a shell.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Returns it as the first word of a command line.
    pub(super) fn quoted(&self, windows: WindowsShell) -> String {
        if self.is_plain() {
            return self.path.clone();
        }
        match (self.system, windows) {
            (System::Posix, _) => format!("'{}'", self.path.replace('\'', r"'\''")),
            (System::Windows, WindowsShell::PowerShell) => format!("& '{}'", self.path.replace('\'', "''")),
            (System::Windows, WindowsShell::BashOrCmd) => format!("\"{}\"", self.path),
        }
    }

    fn is_plain(&self) -> bool {
        let harmless = match self.system {
            System::Posix => "_./:-+@%,=",
            System::Windows => "_./:-~",
        };
        self.path.chars().all(|c| c.is_ascii_alphanumeric() || harmless.contains(c))
    }
}

impl System {
    /// Detects the system by the drive or share at the start.
    fn of(path: &str) -> Self {
        match path.as_bytes() {
            [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => Self::Windows,
            [b'\\', b'\\', ..] => Self::Windows,
            _ => Self::Posix,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::command_line::words;

    fn check(path: &str, posix_or_power_shell: &str, bash_or_cmd: &str) {
        let program = Program::at(path).unwrap();
        assert_eq!(program.quoted(WindowsShell::PowerShell), posix_or_power_shell);
        assert_eq!(program.quoted(WindowsShell::BashOrCmd), bash_or_cmd);
    }

    #[test]
    fn a_plain_path_needs_no_quotes_in_any_shell() {
        check("/usr/local/bin/steersman", "/usr/local/bin/steersman", "/usr/local/bin/steersman");
        check(r"C:\tools\steersman.exe", "C:/tools/steersman.exe", "C:/tools/steersman.exe");
        check("steersman", "steersman", "steersman");
    }

    #[test]
    fn blanks_and_quotes_are_quoted_for_the_shell_that_reads_them() {
        check("/home/a b/steersman", "'/home/a b/steersman'", "'/home/a b/steersman'");
        check("/o'neil/$x/steersman", r"'/o'\''neil/$x/steersman'", r"'/o'\''neil/$x/steersman'");
        check(
            r"C:\Program Files (x86)\s\steersman.exe",
            "& 'C:/Program Files (x86)/s/steersman.exe'",
            "\"C:/Program Files (x86)/s/steersman.exe\"",
        );
    }

    #[test]
    fn what_was_quoted_is_read_back_as_one_word() {
        for path in
            ["/home/a b/steersman", "/o'neil/$x/`y`/steersman", "/a\\b/ c/steersman", "/a;b&c|d/steersman"]
        {
            let program = Program::at(path).unwrap();
            let line = format!("{} dispatch Stop", program.quoted(WindowsShell::PowerShell));
            assert_eq!(words(&line), [path, "dispatch", "Stop"]);
        }
    }

    #[test]
    fn only_a_program_of_our_name_can_be_registered() {
        for path in
            ["/usr/bin/steersman-old", "/usr/bin/", "", "/opt/steersman/bin", "steer", "/a\n/steersman"]
        {
            assert_eq!(Program::at(path), Err(ForeignProgram(path.to_owned())));
        }
    }

    #[test]
    fn a_windows_path_with_blanks_is_worth_a_warning() {
        assert!(Program::on_path().is_safe_everywhere());
        assert!(Program::at("/home/a b/steersman").unwrap().is_safe_everywhere());
        assert!(!Program::at(r"C:\Users\A B\steersman.exe").unwrap().is_safe_everywhere());
    }
}
