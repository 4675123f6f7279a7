//! THE table of what each host can carry out, at which moment.
//!
//! Data only: `render` asks it what to leave out, `capability_table` prints it, and a
//! test holds every cell against the host's own rules.

use crate::{Moment, Protocol, Verb, Wire};

use Support::{AsContext, Implied, Mostly, No, Yes};

/// How well a host carries out a verb at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// As asked.
    Yes,
    /// As asked, with a difference worth knowing.
    Mostly(&'static str),
    /// As a text for the model, for want of a field that does it.
    AsContext,
    /// By saying nothing: the host goes on when nobody objects.
    Implied,
    /// Not at all.
    No(&'static str),
}

impl Support {
    /// Returns whether the verb has its effect, in whatever way.
    pub const fn works(self) -> bool {
        !matches!(self, No(_))
    }
}

/// Returns how well a protocol carries out a verb at a moment.
pub fn capability(protocol: Protocol, moment: Moment, verb: Verb) -> Support {
    let cells = row(protocol, moment).or_else(|| row(protocol, moment.plain()));
    match (cells, verb) {
        (None, _) => No("no such event"),
        (Some(cells), Verb::Deny) => cells[0],
        (Some(cells), Verb::Ask) => cells[1],
        (Some(cells), Verb::Allow) => cells[2],
        (Some(cells), Verb::Rewrite) => cells[3],
        (Some(cells), Verb::Context) => cells[4],
        (Some(cells), Verb::Message) => cells[5],
    }
}

/// Returns whether the host that waits can carry out a verb.
pub fn can(wire: &Wire, verb: Verb) -> bool {
    capability(wire.protocol(), wire.moment(), verb).works()
}

/// Returns whether the host has this moment, not merely one like it.
pub(crate) fn has(protocol: Protocol, moment: Moment) -> bool {
    row(protocol, moment).is_some()
}

type Row = (Moment, [Support; 6]);

fn row(protocol: Protocol, moment: Moment) -> Option<&'static [Support; 6]> {
    rows(protocol).iter().find(|(at, _)| *at == moment).map(|(_, cells)| cells)
}

const fn rows(protocol: Protocol) -> &'static [Row] {
    match protocol {
        Protocol::VsCodeLocal => VSCODE_LOCAL,
        Protocol::ClaudeCode => CLAUDE_CODE,
        Protocol::CopilotCamel => COPILOT_CAMEL,
        Protocol::CopilotPascal => COPILOT_PASCAL,
        Protocol::Codex => CODEX,
        Protocol::Gemini => GEMINI,
        Protocol::Cursor => CURSOR,
        Protocol::Qwen => QWEN,
        Protocol::Raw => RAW,
    }
}

// Reasons that many cells share.
const NO_GATE: Support = No("nothing to refuse here");
const NO_ASK: Support = No("only a tool call can be asked about");
const NO_INPUT: Support = No("no input to change here");
const NO_FIELD: Support = No("no field for it");
const NOT_READ: Support = No("sent, but nothing is read back");
const GOES_ON: Support = No("would keep the agent going");
const UNSEEN: Support = Mostly("not seen in a recorded run");

// Columns:               deny      ask     allow    rewrite   context   message
#[rustfmt::skip]
const VSCODE_LOCAL: &[Row] = &[
    (Moment::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreToolUse,       [Yes,      Yes,    Yes,     Mostly("discarded when the tool's schema rejects it"), Yes, Yes]),
    (Moment::PostToolUse,      [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreCompact,       [NOT_READ, NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (Moment::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::SubagentStart,    [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::SubagentStop,     [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const CLAUDE_CODE: &[Row] = &[
    (Moment::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreToolUse,         [Yes,       Yes,    Yes,     Yes,      Yes,      Yes]),
    (Moment::PostToolUse,        [Mostly("a note beside the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (Moment::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreCompact,         [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Stop,               [Mostly("eight times in a row at most"), NO_ASK, Implied, NO_INPUT, GOES_ON, Yes]),
    (Moment::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::SubagentStop,       [Yes,       NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (Moment::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

const PROGRESS_LINE: Support = No("would take a second line of output");

#[rustfmt::skip]
const COPILOT_CAMEL: &[Row] = &[
    (Moment::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (Moment::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (Moment::PreToolUse,         [Yes,       Mostly("the cloud agent denies instead"), Yes, Yes, Yes, PROGRESS_LINE]),
    (Moment::PostToolUse,        [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, PROGRESS_LINE]),
    (Moment::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (Moment::PreCompact,         [NOT_READ,  NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (Moment::Stop,               [Mostly("eight times in a row at most"), NO_ASK, Implied, NO_INPUT, NO_FIELD, PROGRESS_LINE]),
    (Moment::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (Moment::SubagentStop,       [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, PROGRESS_LINE]),
    (Moment::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, NO_FIELD]),
];

const COPILOT_PASCAL: &[Row] = COPILOT_CAMEL;

#[rustfmt::skip]
const CODEX: &[Row] = &[
    (Moment::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreToolUse,       [Yes,      No("runs the tool instead"), No("only together with a rewrite"), Mostly("counts as an allow"), Yes, Yes]),
    (Moment::PostToolUse,      [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (Moment::PreCompact,       [Mostly("stops the turn"), NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::SubagentStart,    [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::SubagentStop,     [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const GEMINI: &[Row] = &[
    (Moment::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreToolUse,       [Yes,      No("hangs for good when nobody is there"), Yes, Mostly("keys left out stay as they were"), No("ignored"), Yes]),
    (Moment::PostToolUse,      [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (Moment::PreCompact,       [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const CURSOR: &[Row] = &[
    (Moment::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      NO_FIELD]),
    (Moment::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::PreToolUse,         [Yes,       No("accepted and not enforced"), Yes, Yes, NO_FIELD, Yes]),
    (Moment::ShellGate,          [Yes,       Yes,    Yes,     NO_FIELD, NO_FIELD, Yes]),
    (Moment::McpGate,            [Yes,       Yes,    Yes,     NO_FIELD, NO_FIELD, Yes]),
    (Moment::ReadGate,           [Yes,       No("not offered for reading"), Yes, NO_FIELD, NO_FIELD, Yes]),
    (Moment::PostToolUse,        [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      NO_FIELD]),
    (Moment::PostToolUseFailure, [NOT_READ,  NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (Moment::PreCompact,         [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Stop,               [Mostly("as a follow-up prompt, five times at most"), NO_ASK, Implied, NO_INPUT, GOES_ON, NO_FIELD]),
    (Moment::SubagentStart,      [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::SubagentStop,       [Mostly("as a follow-up prompt, five times at most"), NO_ASK, Implied, NO_INPUT, GOES_ON, NO_FIELD]),
    (Moment::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, NO_FIELD]),
];

#[rustfmt::skip]
const QWEN: &[Row] = &[
    (Moment::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreToolUse,         [Yes,       Yes,    Yes,     No("ignored"), No("ignored"), Yes]),
    (Moment::PostToolUse,        [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (Moment::PreCompact,         [UNSEEN,    NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (Moment::Stop,               [Yes,       NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (Moment::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, UNSEEN,   Yes]),
    (Moment::SubagentStop,       [UNSEEN,    NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (Moment::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

// The contract's own object has a field for everything, whatever the event.
#[rustfmt::skip]
const RAW: &[Row] = &[
    (Moment::SessionStart,     [Yes; 6]),
    (Moment::UserPromptSubmit, [Yes; 6]),
    (Moment::PreToolUse,       [Yes; 6]),
    (Moment::PostToolUse,      [Yes; 6]),
    (Moment::PreCompact,       [Yes; 6]),
    (Moment::Stop,             [Yes; 6]),
    (Moment::SubagentStart,    [Yes; 6]),
    (Moment::SubagentStop,     [Yes; 6]),
    (Moment::Other,            [Yes; 6]),
];
