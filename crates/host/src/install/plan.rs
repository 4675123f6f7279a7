//! What is registered where: one plan per settings file.

use event::EventName;
use serde_json::{Map, Value, json};

use super::plans;
use super::program::Program;
use crate::Host;

/// Everything about registering with the hosts that read one settings file.
#[derive(Debug)]
pub struct Plan {
    /// The file, relative to the workspace, with `/`.
    pub file: &'static str,
    /// Who is served by it. Two hosts share one file where both read it, because
    /// a second registration would have every event answered twice.
    pub hosts: &'static [Host],
    /// What the command says with `--host`; `None` where the payload must tell,
    /// since more than one host runs the same command.
    pub host_flag: Option<Host>,
    /// How an entry sits in its event's list.
    pub shape: Shape,
    /// What a number under `timeout` means to this host.
    pub timeout_unit: TimeoutUnit,
    /// Whether entries carry `"type": "command"`.
    pub typed: bool,
    /// Whether entries carry a `name`, which this host shows and can switch off by.
    pub named: bool,
    /// Whether the host refuses the whole file without a top-level `version`.
    pub versioned: bool,
    /// How a path that needs quotes is called on Windows.
    pub windows_shell: WindowsShell,
    /// What is registered, in the order it is written.
    pub rows: &'static [HookRow],
    /// What a person has to know or do; shown after registering.
    pub notes: &'static [&'static str],
}

/// One event of a host and what it is dispatched as.
#[derive(Debug)]
pub struct HookRow {
    /// The host's spelling, the key in its settings.
    pub key: &'static str,
    /// The contract's event, which goes onto the command line.
    pub event: EventName,
    /// More words for the command line.
    pub flags: &'static [&'static str],
    /// How long the host waits for us. Generous: our own budget is far below it,
    /// and running into it lets the tool call through on every host.
    pub timeout_seconds: u32,
}

/// How an entry sits in its event's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `"Event": [{entry}]`
    Flat,
    /// `"Event": [{"hooks": [{entry}]}]`, with a matcher that we leave out: all tools.
    Grouped,
}

/// What a number under `timeout` means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutUnit {
    /// Most hosts.
    Seconds,
    /// Gemini and Qwen: a timeout of 10 there ends a hook before it has started.
    Milliseconds,
}

/// Which shell reads the command on Windows, as far as quotes are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowsShell {
    /// A leading quoted word is a string there, not a call: it needs `&`.
    PowerShell,
    /// Git Bash or cmd: a quoted word is a program; `&` would be a syntax error.
    BashOrCmd,
}

impl Plan {
    /// Every plan that `init` may carry out without being asked for it by name.
    pub const ALL: [&'static Self; 6] = [
        &plans::COPILOT_HOOKS,
        &plans::CLAUDE_SETTINGS,
        &plans::CODEX_HOOKS,
        &plans::GEMINI_SETTINGS,
        &plans::CURSOR_HOOKS,
        &plans::QWEN_SETTINGS,
    ];

    /// The contract's own form (004 §2), which no host reads today; only for
    /// `--legacy-hooks-file`.
    pub const LEGACY: &'static Self = &plans::LEGACY_HOOKS;

    /// Returns the plan that serves this host; `raw` is no program to register with.
    pub fn of(host: Host) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|plan| plan.hosts.contains(&host))
    }

    /// Returns the command line of a row.
    ///
    /// WHY: always one shell line, also for Claude Code, which could run `command`
    /// with `args` and no shell. Releases before that form ignore `args` and
    /// would start us without an event, and the other programs that read Claude's
    /// file (VS Code, Copilot, Cursor) know only the line. `sh -c` of one simple
    /// command is an exec, which costs less than a hook that silently says nothing.
    pub(super) fn command(&self, row: &HookRow, program: &Program) -> String {
        let mut line = format!("{} dispatch {}", program.quoted(self.windows_shell), row.event);
        if let Some(host) = self.host_flag {
            line.push_str(" --host ");
            line.push_str(host.name());
        }
        for flag in row.flags {
            line.push(' ');
            line.push_str(flag);
        }
        line
    }

    /// Returns the entry itself, without the group around it.
    pub(super) fn entry(&self, row: &HookRow, program: &Program) -> Value {
        let mut entry = Map::new();
        if self.typed {
            entry.insert("type".into(), json!("command"));
        }
        if self.named {
            entry.insert("name".into(), json!("steersman"));
        }
        entry.insert("command".into(), Value::String(self.command(row, program)));
        let timeout = match self.timeout_unit {
            TimeoutUnit::Seconds => row.timeout_seconds,
            TimeoutUnit::Milliseconds => row.timeout_seconds * 1000,
        };
        entry.insert("timeout".into(), json!(timeout));
        Value::Object(entry)
    }

    /// Returns what goes into the event's list.
    pub(super) fn element(&self, row: &HookRow, program: &Program) -> Value {
        let entry = self.entry(row, program);
        match self.shape {
            Shape::Flat => entry,
            Shape::Grouped => json!({ "hooks": [entry] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::also_reads;

    #[test]
    fn every_host_but_raw_has_exactly_one_plan() {
        for host in Host::ALL {
            let plans = Plan::ALL.iter().filter(|plan| plan.hosts.contains(&host)).count();
            assert_eq!(plans, usize::from(host != Host::Raw), "{host}");
        }
    }

    #[test]
    fn a_file_that_one_host_reads_names_it_and_one_that_more_read_leaves_it_to_the_payload() {
        for plan in Plan::ALL {
            let others = Host::ALL.into_iter().filter(|host| !plan.hosts.contains(host));
            let is_shared = others.flat_map(also_reads).any(|source| source.path == plan.file);
            let expected = if let ([only], false) = (plan.hosts, is_shared) { Some(*only) } else { None };
            assert_eq!(plan.host_flag, expected, "{}", plan.file);
        }
        assert_eq!(Plan::LEGACY.host_flag, None);
    }

    #[test]
    fn no_plan_writes_a_key_twice() {
        for plan in Plan::ALL.into_iter().chain([Plan::LEGACY]) {
            let mut keys: Vec<_> = plan.rows.iter().map(|row| row.key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), plan.rows.len(), "{}", plan.file);
        }
    }

    #[test]
    fn every_plan_covers_what_its_hosts_can_tell() {
        for plan in Plan::ALL {
            for event in EventName::ALL {
                let told = plan.rows.iter().any(|row| row.event == event);
                let gemini_has_none = plan.hosts == [Host::Gemini]
                    && matches!(event, EventName::SubagentStart | EventName::SubagentStop);
                assert_eq!(told, !gemini_has_none, "{} {event}", plan.file);
            }
        }
    }
}
