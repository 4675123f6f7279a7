//! The command line of `steersman run`.

use std::ffi::OsString;
use std::path::PathBuf;

use confine::Network;

/// The output of `steersman run --help`.
pub(crate) const HELP: &str = "\
Run a command where the kernel refuses writes outside its scope

Usage: steersman run [--intent ID | --write PATH…] [--read-only PATH…]
                     [--no-network | --sealed] -- COMMAND…

The command may write the files of the scope, the folders that git ignores and
tools fill (target, node_modules, …), caches, and the folder for temporary
files. Everything else is read-only for it and for all processes it starts.
Without --intent and --write, the scope is that of the workspace's selected
intent, or the workspace if it has no intents.

Options:
      --intent ID        The scope is that of this intent
      --write PATH…      The scope is these folders and files
      --read-only PATH…  Keep these folders and files of the scope read-only
      --no-network       Give the command a separate loopback and no other
                         network, and keep its signals inside
      --sealed           Hide everything but the system, toolchains, caches and the
                         workspace: the home, other users, temporary files,
                         files and variables with secrets, other processes.
                         Includes --no-network
      --own-signals      Keep the command's signals inside
      --state PATH…      Open these folders and files of the command's own
                         state, besides the scope
      --needs-mounts     Refuse a mechanism under which the command cannot mount
                         file systems
      --records FD       Let hooks inside the command send their records to this
                         inherited pipe
      --workspace DIR    Use the workspace DIR instead of the one around the
                         current folder
  -h, --help             Print help

Exit code: that of the command; 2 for a wrong command line, 3 if this system
cannot confine it (the command then did not run), 126 if it cannot be executed,
127 if it was not found.
";

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// The intent whose scope is writable.
    pub(crate) intent: Option<String>,
    /// The writable paths.
    pub(crate) write: Vec<PathBuf>,
    /// The paths that stay read-only.
    pub(crate) read_only: Vec<PathBuf>,
    /// Folders and files of the command's own state.
    pub(crate) state: Vec<PathBuf>,
    /// The inherited pipe that takes the records of hooks inside the command.
    pub(crate) records: Option<u32>,
    /// Whether the command mounts file systems, as sandboxes do.
    pub(crate) needs_mounts: bool,
    /// Whether the command reaches the network.
    pub(crate) network: Network,
    /// Whether private files, secrets and other processes are hidden from the command.
    pub(crate) sealed: bool,
    /// Whether the command cannot signal processes outside.
    pub(crate) own_signals: bool,
    /// The folder of the workspace.
    pub(crate) workspace: Option<PathBuf>,
    /// The command.
    pub(crate) command: Vec<OsString>,
    /// The call of a session, whose scope a hook recorded.
    pub(crate) session: Option<SessionRun>,
}

/// A call of a session that runs confined.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SessionRun {
    /// The command as the hook judged it, without the lines in which a host wraps it.
    pub(crate) judged: Vec<OsString>,
    /// Whether it may write nothing but temporary files and caches.
    pub(crate) opens_nothing: bool,
    /// Whether it must not run unless it is confined.
    pub(crate) is_required: bool,
}

impl CommandLine {
    /// Returns the command by which it is decided what else it may write.
    pub(crate) fn judged(&self) -> &[OsString] {
        self.session.as_ref().map_or(&self.command, |session| &session.judged)
    }
}

/// The request on the command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    Run(CommandLine),
    Help,
}

/// Parses the words after `run`.
pub(crate) fn parse(args: impl Iterator<Item = OsString>) -> Result<Parsed, String> {
    let mut line = CommandLine::default();
    let mut args = args.peekable();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str() else { return Err(unknown(&arg)) };
        let (flag, mut value) = match text.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(OsString::from(value))),
            _ => (text, None),
        };
        let has_value = value.is_some();
        let mut one = |what: &str| {
            let next = value.take().or_else(|| args.next_if(|next| next != "--"));
            next.filter(|value| !value.is_empty()).ok_or_else(|| format!("`{flag}` needs {what}"))
        };
        match flag {
            "--" => {
                line.command = args.collect();
                break;
            }
            // `steersman --workspace DIR run`.
            "run"
                if line == (CommandLine { workspace: line.workspace.clone(), ..CommandLine::default() })
                    && line.workspace.is_some() => {}
            "--help" | "-h" => return Ok(Parsed::Help),
            "--intent" => {
                let id = one("an intent, such as INT-001")?;
                line.intent = Some(id.into_string().map_err(|id| unknown(&id))?);
            }
            "--workspace" => line.workspace = Some(one("a folder")?.into()),
            "--no-network" if !has_value => line.network = Network::Own,
            "--sealed" if !has_value => (line.sealed, line.network) = (true, Network::Own),
            "--own-signals" if !has_value => line.own_signals = true,
            "--records" => {
                let number = one("the number of a descriptor")?;
                let number = number.to_str().and_then(|number| number.parse().ok());
                line.records = Some(number.ok_or("`--records` needs the number of a descriptor")?);
            }
            "--needs-mounts" if !has_value => line.needs_mounts = true,
            "--write" | "--read-only" | "--state" => {
                let first = one("a path")?;
                let list = match flag {
                    "--write" => &mut line.write,
                    "--state" => &mut line.state,
                    _ => &mut line.read_only,
                };
                list.push(first.into());
                while let Some(next) =
                    args.next_if(|next| !has_value && !next.to_string_lossy().starts_with("--"))
                {
                    list.push(next.into());
                }
            }
            _ => return Err(unknown(&arg)),
        }
    }
    if line.command.is_empty() {
        return Err("no command; write it after `--`".to_owned());
    }
    if line.intent.is_some() && !line.write.is_empty() {
        return Err("`--intent` and `--write` exclude each other".to_owned());
    }
    Ok(Parsed::Run(line))
}

fn unknown(arg: &std::ffi::OsStr) -> String {
    let arg = arg.to_string_lossy();
    if arg.starts_with('-') {
        format!("unknown option `{arg}`")
    } else {
        format!("unexpected word `{arg}`; write the command after `--`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Parsed, String> {
        parse(text.split_whitespace().map(OsString::from))
    }

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    fn paths(text: &str) -> Vec<PathBuf> {
        text.split_whitespace().map(PathBuf::from).collect()
    }

    #[test]
    fn options_end_at_the_two_dashes_and_lists_end_at_the_next_option() {
        for (text, expected) in [
            ("-- make -j2", CommandLine { command: words("make -j2"), ..CommandLine::default() }),
            ("-- a -- b", CommandLine { command: words("a -- b"), ..CommandLine::default() }),
            (
                "--write src tests --read-only src/gen --no-network -- x --write y",
                CommandLine {
                    write: paths("src tests"),
                    read_only: paths("src/gen"),
                    network: Network::Own,
                    command: words("x --write y"),
                    ..CommandLine::default()
                },
            ),
            (
                "--sealed -- x",
                CommandLine {
                    network: Network::Own,
                    sealed: true,
                    command: words("x"),
                    ..CommandLine::default()
                },
            ),
            (
                "--write=a --write b -- x",
                CommandLine { write: paths("a b"), command: words("x"), ..CommandLine::default() },
            ),
            (
                "--own-signals --needs-mounts --records 198 --state /h/.codex --write src -- codex",
                CommandLine {
                    records: Some(198),
                    write: paths("src"),
                    state: paths("/h/.codex"),
                    needs_mounts: true,
                    own_signals: true,
                    command: words("codex"),
                    ..CommandLine::default()
                },
            ),
            (
                "--intent INT-001 --workspace /w -- x",
                CommandLine {
                    intent: Some("INT-001".into()),
                    workspace: Some("/w".into()),
                    command: words("x"),
                    ..CommandLine::default()
                },
            ),
        ] {
            assert_eq!(parsed(text), Ok(Parsed::Run(expected)), "{text}");
        }
        assert_eq!(parsed("--help"), Ok(Parsed::Help));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("", "no command; write it after `--`"),
            ("--", "no command; write it after `--`"),
            ("make", "unexpected word `make`; write the command after `--`"),
            ("--frobnicate -- x", "unknown option `--frobnicate`"),
            ("--write -- x", "`--write` needs a path"),
            ("--intent -- x", "`--intent` needs an intent, such as INT-001"),
            ("--intent INT-1 --write a -- x", "`--intent` and `--write` exclude each other"),
            ("--records pipe -- x", "`--records` needs the number of a descriptor"),
            ("--no-network=yes -- x", "unknown option `--no-network=yes`"),
        ] {
            assert_eq!(parsed(text), Err(message.to_owned()), "{text}");
        }
    }
}
