//! How steersman knows whether a person can answer at the agent program itself.

use std::fmt::Write;

use crate::Host;

/// Where a person answers the asks of an agent program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attendance {
    /// Nowhere: a hook of this program cannot ask, with or without a person.
    Nowhere,
    /// In the program's window.
    Window,
    /// At the program's terminal, unless it has none or one of these options makes it run without a person.
    Terminal {
        /// The options.
        headless: &'static [&'static str],
    },
    /// At the program's terminal or at the event with which it announces its question, whichever is first. Without a
    /// terminal, or with one of these options, it announces none.
    Announced {
        /// The options.
        headless: &'static [&'static str],
    },
}

impl Attendance {
    /// Returns whether the program announces its own question with an event.
    pub const fn is_announced(self) -> bool {
        matches!(self, Self::Announced { .. })
    }
}

/// Returns where a person answers the asks of a host.
pub const fn attendance(host: Host) -> Attendance {
    match host {
        Host::ClaudeCode => Attendance::Announced { headless: &["-p", "--print"] },
        Host::Codex | Host::Gemini => Attendance::Nowhere,
        Host::CopilotCli | Host::Qwen => Attendance::Terminal { headless: &["-p", "--prompt"] },
        Host::VsCode | Host::Cursor | Host::Raw => Attendance::Window,
    }
}

/// Returns the table in Markdown: when a hook waits for a person, by host.
pub fn attendance_table() -> String {
    let mut table =
        String::from("| host | no user is at the terminal if | the hook waits in |\n|---|---|---|\n");
    for host in Host::ALL.into_iter().filter(|host| *host != Host::Raw) {
        let (sign, place) = match attendance(host) {
            Attendance::Nowhere => {
                ("it does not matter: its hooks cannot ask".to_owned(), "the event before the call")
            }
            Attendance::Window => (
                "never: it asks in its window; other tools than the shell it cannot ask about in Cursor"
                    .to_owned(),
                "the event before the call, if it cannot ask there",
            ),
            Attendance::Terminal { headless } => (without_terminal(headless), "the event before the call"),
            Attendance::Announced { headless } => (
                without_terminal(headless),
                "the event before the call; with a person `PermissionRequest`, where its dialog and the hook are open at \
                 once and the first answer counts",
            ),
        };
        let sign = if host == Host::VsCode { "never: it asks in its window".to_owned() } else { sign };
        let _ = writeln!(table, "| {} | {sign} | {place} |", host.title());
    }
    table
}

fn without_terminal(headless: &[&str]) -> String {
    let flags: Vec<String> = headless.iter().map(|flag| format!("`{flag}`")).collect();
    format!("its command line has {}, or its input or output is not a terminal", flags.join(" or "))
}
