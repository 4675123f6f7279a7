//! The registration of our hooks: one plan per settings file.

use event::EventName;
use serde_json::{Map, Value, json};

use super::program::Program;
use super::server::Form;
use super::{hook_plans, managed_plans, user_plans};
use crate::{Host, attendance};

/// The registration of our hooks in one settings file.
#[derive(Debug, Clone, Copy)]
pub struct HookPlan {
    /// The file, with `/`: relative to the workspace, to the home ([`Self::USER`]) or to `/`
    /// ([`Self::MANAGED`]).
    pub file: &'static str,
    /// The file's syntax.
    pub form: Form,
    /// The hosts that read it. Two hosts share one file if both read it, because a second
    /// registration would answer every event twice.
    pub hosts: &'static [Host],
    /// The value of `--host` in the command; `None` if the payload must tell, since more than one
    /// host runs the same command.
    pub host_flag: Option<Host>,
    /// The value of `--registration` in the command, by which steersman tells a second announcement of an event by
    /// another registration from a second event; `None` where the payload tells, or the host runs equal commands of
    /// several files once.
    pub registration: Option<&'static str>,
    /// The structure of an entry in its event's array.
    pub shape: Shape,
    /// The unit of `timeout` in this host.
    pub timeout_unit: TimeoutUnit,
    /// Whether entries have `"type": "command"`.
    pub typed: bool,
    /// The key of the command line.
    pub command_key: &'static str,
    /// Whether entries have a `name`, which this host shows and with which users can disable them.
    pub named: bool,
    /// Whether the host rejects the file without a top-level `version`.
    pub versioned: bool,
    /// How to call a quoted path on Windows.
    pub windows_shell: WindowsShell,
    /// The registered events, in the order of the file.
    pub rows: &'static [HookRow],
    /// The settings that keep a project from switching the hooks of this file off.
    pub pins: &'static [Pin],
    /// Notes for the user, shown after registering.
    pub notes: &'static [&'static str],
}

/// A boolean setting that a managed file fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pin {
    /// The object that contains the key; `None` for the file's own object.
    pub section: Option<&'static str>,
    /// The key.
    pub key: &'static str,
    /// Its value.
    pub value: bool,
}

/// One event of a host and the event it is dispatched as.
#[derive(Debug, Clone, Copy)]
pub struct HookRow {
    /// The host's name of the event, the key in its settings.
    pub key: &'static str,
    /// The contract's event, for the command line.
    pub event: EventName,
    /// Further words for the command line.
    pub flags: &'static [&'static str],
    /// The host's time limit for us. Generous: our own budget is far below it, and exceeding it lets
    /// the tool call pass on every host.
    pub timeout_seconds: u32,
}

/// How much longer than the hook waits the host must: for the rest of the hook's work, on a busy machine.
const WAIT_MARGIN_SECONDS: u32 = 5;

/// The option of our command with the host's timeout.
pub(super) const TIMEOUT_FLAG: &str = "--timeout=";

impl HookRow {
    /// Returns the row of a hook that waits this long.
    fn waiting(&self, seconds: u32) -> Self {
        let timeout_seconds = seconds.saturating_add(WAIT_MARGIN_SECONDS);
        let flag: &'static str = format!("{TIMEOUT_FLAG}{timeout_seconds}").leak();
        let flags = self.flags.iter().copied().chain([flag]).collect::<Vec<_>>().leak();
        Self { flags, timeout_seconds, ..*self }
    }

    /// Returns whether the hook may wait.
    pub(super) fn waits(&self) -> bool {
        self.flags.iter().any(|flag| flag.starts_with(TIMEOUT_FLAG))
    }
}

/// The structure of an entry in its event's array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `"Event": [{entry}]`
    Flat,
    /// `"Event": [{"hooks": [{entry}]}]`, without a matcher: for all tools.
    Grouped,
}

/// The unit of `timeout`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeoutUnit {
    /// Most hosts.
    Seconds,
    /// Gemini and Qwen: with a timeout of 10 the hook is killed before it has started.
    Milliseconds,
}

/// The shell that runs the command on Windows, with regard to quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowsShell {
    /// A leading quoted word is a string, not a call: it needs `&`.
    PowerShell,
    /// Git Bash or cmd: a quoted word is a program; `&` would be a syntax error.
    BashOrCmd,
}

impl HookPlan {
    /// All plans that `init` may carry out by default.
    pub const ALL: [&'static Self; 6] = [
        &hook_plans::COPILOT_HOOKS,
        &hook_plans::CLAUDE_SETTINGS,
        &hook_plans::CODEX_HOOKS,
        &hook_plans::GEMINI_SETTINGS,
        &hook_plans::CURSOR_HOOKS,
        &hook_plans::QWEN_SETTINGS,
    ];

    /// The plans of `init --user`: the settings files in the home, which hosts read in every folder.
    pub const USER: [&'static Self; 6] = [
        &user_plans::COPILOT_HOOKS,
        &user_plans::CLAUDE_SETTINGS,
        &user_plans::CODEX_HOOKS,
        &user_plans::GEMINI_SETTINGS,
        &user_plans::CURSOR_HOOKS,
        &user_plans::QWEN_SETTINGS,
    ];

    /// The plans of `init --managed`: the settings files of administrators. VS Code has none for hooks.
    pub const MANAGED: [&'static Self; 6] = [
        &managed_plans::COPILOT_POLICY,
        &managed_plans::CLAUDE_SETTINGS,
        &managed_plans::CODEX_REQUIREMENTS,
        &managed_plans::GEMINI_SETTINGS,
        &managed_plans::CURSOR_HOOKS,
        &managed_plans::QWEN_SETTINGS,
    ];

    /// The plan of `init --local`: the settings file of one checkout that is not shared. Only Claude Code has one.
    pub const LOCAL: &'static Self = &hook_plans::CLAUDE_LOCAL_SETTINGS;

    /// The contract's own form (004 §2), which no host reads today; only for `--legacy-hooks-file`.
    pub const LEGACY: &'static Self = &hook_plans::LEGACY_HOOKS;

    /// Returns the plan of a host. Returns `None` for `raw`, which is not a program.
    pub fn of(host: Host) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|plan| plan.hosts.contains(&host))
    }

    /// Returns the plan that also registers for the host's own question about a call; the plan itself if the host has
    /// no such event, or needs no answer to it.
    ///
    /// WHY not always: a hook without effect would delay every prompt. WHY leaked: all other plans are constants, and a
    /// command makes at most one per settings file.
    pub fn with_permissions(&'static self) -> &'static Self {
        let has_row = self.rows.iter().any(|row| row.key == hook_plans::PERMISSION_REQUEST);
        if has_row || !self.hosts.iter().any(|host| host.announces_prompts()) {
            return self;
        }
        let rows: Vec<HookRow> = self.rows.iter().copied().chain([hook_plans::PERMISSION_ROW]).collect();
        Box::leak(Box::new(Self { rows: rows.leak(), ..*self }))
    }

    /// Returns the command line of a row.
    ///
    /// WHY always one shell line, also for Claude Code, which could run `command` with `args` and no
    /// shell: older releases ignore `args` and would start us without an event, and the other
    /// programs that read Claude's file (VS Code, Copilot, Cursor) support only the line. `sh -c` of
    /// one simple command is an exec, which costs less than a hook without effect.
    pub(super) fn command(&self, row: &HookRow, program: &Program) -> String {
        let mut line = format!("{} dispatch {}", program.quoted(self.windows_shell), row.event);
        if let Some(host) = self.host_flag {
            line.push_str(" --host ");
            line.push_str(host.name());
        }
        if let Some(registration) = self.registration {
            line.push_str(" --registration ");
            line.push_str(registration);
        }
        for flag in row.flags {
            line.push(' ');
            line.push_str(flag);
        }
        line
    }

    /// Returns the entry itself, without its group.
    pub(super) fn entry(&self, row: &HookRow, program: &Program) -> Value {
        let mut entry = Map::new();
        if self.typed {
            entry.insert("type".into(), json!("command"));
        }
        if self.named {
            entry.insert("name".into(), json!("steersman"));
        }
        entry.insert(self.command_key.into(), Value::String(self.command(row, program)));
        entry.insert("timeout".into(), json!(self.timeout(row)));
        Value::Object(entry)
    }

    /// Returns the host's timeout of a row, in its unit.
    pub(super) const fn timeout(&self, row: &HookRow) -> u32 {
        match self.timeout_unit {
            TimeoutUnit::Seconds => row.timeout_seconds,
            TimeoutUnit::Milliseconds => row.timeout_seconds * 1000,
        }
    }

    /// Returns the plan whose hooks may wait this long for a person before a call, in seconds. Their commands name the
    /// host's timeout, by which a hook knows how long it may wait.
    ///
    /// WHY leaked: all other plans are constants, and a command makes at most one per settings file.
    pub fn with_wait(&'static self, seconds: u32) -> &'static Self {
        let is_announced = self.hosts.iter().any(|host| attendance(*host).is_announced());
        let plan = if is_announced { self.with_permissions() } else { self };
        let rows = plan.rows.iter().map(|row| {
            let is_announcement = row.key == hook_plans::PERMISSION_REQUEST;
            let waits = row.event == EventName::PreToolUse && (is_announced || !is_announcement);
            if waits { row.waiting(seconds) } else { *row }
        });
        Box::leak(Box::new(Self { rows: rows.collect::<Vec<_>>().leak(), ..*plan }))
    }

    /// Returns the plan whose hooks may take this long when an agent stops, in seconds.
    pub fn with_stop_time(&'static self, seconds: u32) -> &'static Self {
        let rows = self
            .rows
            .iter()
            .map(|row| if row.event == EventName::Stop { row.waiting(seconds) } else { *row });
        Box::leak(Box::new(Self { rows: rows.collect::<Vec<_>>().leak(), ..*self }))
    }

    /// Returns the element of the event's array.
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
    use crate::install::other_hook_sources;

    #[test]
    fn every_host_but_raw_has_exactly_one_plan() {
        for host in Host::ALL {
            let plans = HookPlan::ALL.iter().filter(|plan| plan.hosts.contains(&host)).count();
            assert_eq!(plans, usize::from(host != Host::Raw), "{host}");
        }
    }

    #[test]
    fn every_program_has_a_plan_for_all_its_folders_and_all_but_vs_code_a_managed_one() {
        for host in Host::ALL {
            let count =
                |plans: [&HookPlan; 6]| plans.iter().filter(|plan| plan.hosts.contains(&host)).count();
            assert_eq!(count(HookPlan::USER), usize::from(host != Host::Raw), "{host}");
            let has_managed = !matches!(host, Host::Raw | Host::VsCode);
            assert_eq!(count(HookPlan::MANAGED), usize::from(has_managed), "{host}");
        }
    }

    #[test]
    fn a_plan_of_the_home_or_the_machine_differs_from_the_projects_in_its_place_only() {
        for (one, other) in HookPlan::ALL.into_iter().zip(HookPlan::USER) {
            assert_eq!(
                (one.rows.len(), one.shape, one.host_flag),
                (other.rows.len(), other.shape, other.host_flag)
            );
            assert!(one.pins.is_empty() && other.pins.is_empty(), "{}", other.file);
        }
        for (one, other) in HookPlan::ALL.into_iter().zip(HookPlan::MANAGED) {
            assert_eq!(
                (one.rows.len(), one.shape, one.host_flag),
                (other.rows.len(), other.shape, other.host_flag)
            );
        }
    }

    #[test]
    fn a_file_that_one_host_reads_names_it_and_one_that_more_read_leaves_it_to_the_payload() {
        for plan in HookPlan::ALL {
            let others = Host::ALL.into_iter().filter(|host| !plan.hosts.contains(host));
            let is_shared = others.flat_map(other_hook_sources).any(|source| source.path == plan.file);
            let expected = if let ([only], false) = (plan.hosts, is_shared) { Some(*only) } else { None };
            assert_eq!(plan.host_flag, expected, "{}", plan.file);
        }
        assert_eq!(HookPlan::LEGACY.host_flag, None);
    }

    #[test]
    fn no_plan_writes_a_key_twice() {
        for plan in HookPlan::ALL.into_iter().chain([HookPlan::LEGACY]) {
            let mut keys: Vec<_> = plan.rows.iter().map(|row| row.key).collect();
            keys.sort_unstable();
            keys.dedup();
            assert_eq!(keys.len(), plan.rows.len(), "{}", plan.file);
        }
    }

    #[test]
    fn every_plan_covers_what_its_hosts_can_tell() {
        for plan in HookPlan::ALL {
            for event in EventName::ALL {
                let told = plan.rows.iter().any(|row| row.event == event);
                let gemini_has_none = plan.hosts == [Host::Gemini]
                    && matches!(event, EventName::SubagentStart | EventName::SubagentStop);
                assert_eq!(told, !gemini_has_none, "{} {event}", plan.file);
            }
        }
    }
}
