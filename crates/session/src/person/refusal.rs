//! Why a command that only a person may run is refused, and how a person can run it.

use std::fmt;

/// Why a command is refused: a program that an agent may have started asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAPerson {
    /// An ancestor is an agent program that works in this workspace.
    BeneathHost {
        /// The program.
        program: String,
        /// Its process.
        pid: u32,
    },
    /// The process that started it is gone.
    Reparented {
        /// The program whose parent is gone.
        program: String,
    },
    /// An agent in this editor or terminal multiplexer shares its terminals.
    SharedTerminal {
        /// The program.
        program: String,
    },
    /// A program that starts terminals or logins, younger than an agent program here, which may have started it.
    UnprovenTerminal {
        /// The program.
        program: String,
    },
    /// Sessions of agents are recorded here, and the records of their programs were removed.
    RecordsRemoved,
    /// A program ran it at a later time, or for a login from this machine: an agent may have asked for it.
    Indirect {
        /// The program.
        program: String,
    },
    /// The extension host of an editor did not start it.
    NotAnExtensionHost {
        /// The program that did.
        program: String,
    },
    /// It runs in a namespace of processes that hides who started it, or a process above it ended meanwhile.
    Hidden,
}

impl NotAPerson {
    /// Returns whether the person's PIN may answer: where a person may well sit at the terminal, but the processes do not
    /// prove it.
    pub fn may_be_answered(&self) -> bool {
        matches!(self, Self::SharedTerminal { .. } | Self::UnprovenTerminal { .. } | Self::RecordsRemoved)
    }

    /// Returns how a person can do it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::BeneathHost { .. } | Self::Reparented { .. } | Self::Indirect { .. } | Self::Hidden => {
                "run the command yourself, in a terminal that the agent program did not start"
            }
            Self::NotAnExtensionHost { .. } => {
                "let the editor's extension start it, or run `steersman serve`"
            }
            Self::UnprovenTerminal { .. } => {
                "use a terminal that was open before the agent program started, or log in from another machine; there you can also set a PIN with `steersman intent pin`, which then unlocks this one"
            }
            Self::RecordsRemoved => {
                "send the agent program a prompt, which records it again; then run the command in a terminal that it did not start"
            }
            Self::SharedTerminal { .. } => {
                "run the command in a separate terminal, outside of the program in which the agent works; there you can also set a PIN with `steersman intent pin`"
            }
        }
    }
}

impl fmt::Display for NotAPerson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BeneathHost { program, pid } => {
                write!(
                    f,
                    "only a person may do this, and `{program}` (process {pid}), which runs an agent here, started the command"
                )
            }
            Self::Reparented { program } => {
                write!(
                    f,
                    "only a person may do this, and the process that started `{program}` is gone, so an agent may have started it"
                )
            }
            Self::SharedTerminal { program } => {
                write!(f, "only a person may do this, and agents share the terminals of `{program}`")
            }
            Self::UnprovenTerminal { program } => {
                write!(
                    f,
                    "only a person may do this, and `{program}` started after the agent program, which may have started it"
                )
            }
            Self::RecordsRemoved => f.write_str(
                "only a person may do this, and the records of the agent programs that work here were removed",
            ),
            Self::Indirect { program } => {
                write!(
                    f,
                    "only a person may do this, and `{program}` ran the command, which an agent may have asked it to"
                )
            }
            Self::NotAnExtensionHost { program } => {
                write!(f, "`{program}`, which is not the extension host of an editor, started the command")
            }
            Self::Hidden => f.write_str(
                "only a person may do this, and a container, a mount or a process that has ended hides who started the command",
            ),
        }
    }
}
