//! The capabilities of each host, by event.
//!
//! Data only: `render` checks which parts to leave out, `capability_table` prints it, and a test
//! checks every cell against the host's own rules.

use crate::{EventKind, Protocol, ReplyTarget, Verb};

use Support::{AsContext, Implied, Mostly, No, Yes};

/// How well a host supports a verb for an event kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// Fully supported.
    Yes,
    /// Supported, with a noteworthy difference.
    Mostly(&'static str),
    /// Supported as context for the model, since the host has no field for it.
    AsContext,
    /// Supported by an empty answer: the host proceeds unless a hook objects.
    Implied,
    /// Not supported.
    No(&'static str),
}

impl Support {
    /// Returns whether the verb has its effect, in any way.
    pub const fn works(self) -> bool {
        !matches!(self, No(_))
    }
}

/// Returns how well a protocol supports a verb for an event kind.
pub fn capability(protocol: Protocol, event_kind: EventKind, verb: Verb) -> Support {
    let cells = row(protocol, event_kind).or_else(|| row(protocol, event_kind.plain()));
    match (cells, verb) {
        (None, _) => No("no such event"),
        (Some(cells), Verb::Deny) => cells[0],
        (Some(cells), Verb::Ask) => cells[1],
        (Some(cells), Verb::Allow) => cells[2],
        (Some(cells), Verb::Rewrite) => cells[3],
        (Some(cells), Verb::Context) => cells[4],
        (Some(cells), Verb::Message) => cells[5],
        (Some(_), Verb::EndTurn) => end_of_turn(protocol, event_kind.plain()),
        (Some(_), Verb::Replace) => replaced_result(protocol, event_kind),
    }
}

/// Returns whether the waiting host supports a verb.
pub fn can(target: &ReplyTarget, verb: Verb) -> bool {
    capability(target.protocol(), target.event_kind(), verb).works()
}

/// Returns whether the host has exactly this event kind, not merely a similar one.
pub(crate) fn has(protocol: Protocol, event_kind: EventKind) -> bool {
    row(protocol, event_kind).is_some()
}

/// Returns whether the answer to an event can end the agent's turn. WHY not a column of the tables below: only the
/// events of a tool call need it, and where the agent continues anyway the next call is denied.
const fn end_of_turn(protocol: Protocol, event_kind: EventKind) -> Support {
    match (protocol, event_kind) {
        (Protocol::Raw, _) => Yes,
        (_, event_kind) if !matches!(event_kind, EventKind::PreToolUse | EventKind::PostToolUse) => NO_CALL,
        (Protocol::ClaudeCode | Protocol::VsCodeLocal | Protocol::Gemini, _)
        | (Protocol::Codex, EventKind::PostToolUse) => Yes,
        (Protocol::Codex, _) => No("makes the answer invalid, and the tool runs"),
        (Protocol::CopilotCamel | Protocol::CopilotPascal | Protocol::Cursor, _) => NO_FIELD,
        (Protocol::Qwen, _) => No("not tried on the program"),
    }
}

/// Returns whether the answer to an event can replace the tool's result for the model.
const fn replaced_result(protocol: Protocol, event_kind: EventKind) -> Support {
    match (protocol, event_kind) {
        (Protocol::Raw, _) => Yes,
        (Protocol::ClaudeCode, EventKind::PostToolUseFailure) => No("a failed call keeps its result"),
        (Protocol::CopilotCamel | Protocol::CopilotPascal, EventKind::PostToolUseFailure) => {
            No("not tried on the program")
        }
        (_, event_kind) if !matches!(event_kind.plain(), EventKind::PostToolUse) => No("no result here"),
        (Protocol::ClaudeCode, _) => Mostly("in the result's own shape"),
        (Protocol::Codex | Protocol::CopilotCamel | Protocol::CopilotPascal, _) => {
            Mostly("the host's transcript keeps the original")
        }
        (Protocol::Gemini, _) => Mostly("the model reads it as an error"),
        (Protocol::VsCodeLocal | Protocol::Cursor, _) => NO_FIELD,
        (Protocol::Qwen, _) => No("ignored"),
    }
}

type Row = (EventKind, [Support; 6]);

fn row(protocol: Protocol, event_kind: EventKind) -> Option<&'static [Support; 6]> {
    rows(protocol).iter().find(|(at, _)| *at == event_kind).map(|(_, cells)| cells)
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
const NO_ASK: Support = No("only a tool call supports a question");
const NO_INPUT: Support = No("no input to change here");
const NO_FIELD: Support = No("no field for it");
const NOT_READ: Support = No("the host ignores the answer");
const GOES_ON: Support = No("would make the agent continue");
const ASKS_ALREADY: Support = No("the host is about to ask");
const NO_CALL: Support = No("no call to stop at");
const UNSEEN: Support = Mostly("not confirmed by a recorded run");

// Columns:               deny      ask     allow    rewrite   context   message
#[rustfmt::skip]
const VSCODE_LOCAL: &[Row] = &[
    (EventKind::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreToolUse,       [Yes,      Yes,    Yes,     Mostly("discarded if the tool's schema rejects it"), Yes, Yes]),
    (EventKind::PostToolUse,      [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreCompact,       [NOT_READ, NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (EventKind::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::SubagentStart,    [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::SubagentStop,     [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const CLAUDE_CODE: &[Row] = &[
    (EventKind::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreToolUse,         [Yes,       Yes,    Yes,     Yes,      Yes,      Yes]),
    (EventKind::PermissionRequest,  [Yes,       ASKS_ALREADY, Mostly("overrides the user's ask rules"), NO_INPUT, NO_FIELD, NO_FIELD]),
    (EventKind::PostToolUse,        [Mostly("a note next to the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (EventKind::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreCompact,         [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Stop,               [Mostly("at most eight times in a row"), NO_ASK, Implied, NO_INPUT, GOES_ON, Yes]),
    (EventKind::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::SubagentStop,       [Yes,       NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (EventKind::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

const PROGRESS_LINE: Support = No("would need a second line of output");

#[rustfmt::skip]
const COPILOT_CAMEL: &[Row] = &[
    (EventKind::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (EventKind::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (EventKind::PreToolUse,         [Yes,       Mostly("the cloud agent denies instead"), Yes, Yes, Yes, PROGRESS_LINE]),
    (EventKind::PermissionRequest,  [UNSEEN,    ASKS_ALREADY, Mostly("overrides `--deny-tool`"), NO_INPUT, NO_FIELD, NO_FIELD]),
    (EventKind::PostToolUse,        [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, PROGRESS_LINE]),
    (EventKind::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (EventKind::PreCompact,         [NOT_READ,  NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (EventKind::Stop,               [Mostly("at most eight times in a row"), NO_ASK, Implied, NO_INPUT, NO_FIELD, PROGRESS_LINE]),
    (EventKind::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      PROGRESS_LINE]),
    (EventKind::SubagentStop,       [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, PROGRESS_LINE]),
    (EventKind::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, NO_FIELD]),
];

const COPILOT_PASCAL: &[Row] = COPILOT_CAMEL;

#[rustfmt::skip]
const CODEX: &[Row] = &[
    (EventKind::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreToolUse,       [Yes,      No("runs the tool instead"), No("only together with a rewrite"), Mostly("counts as an allow"), Yes, Yes]),
    (EventKind::PermissionRequest,[UNSEEN,   ASKS_ALREADY, Mostly("overrides the user's prompt rules"), NO_INPUT, NO_FIELD, NO_FIELD]),
    (EventKind::PostToolUse,      [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (EventKind::PreCompact,       [Mostly("stops the turn"), NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::SubagentStart,    [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::SubagentStop,     [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const GEMINI: &[Row] = &[
    (EventKind::SessionStart,     [NO_GATE,  NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::UserPromptSubmit, [Yes,      NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreToolUse,       [Yes,      No("hangs forever without a user"), Yes, Mostly("omitted keys keep their values"), No("ignored"), Yes]),
    (EventKind::PostToolUse,      [Mostly("replaces the result"), NO_ASK, Implied, NO_INPUT, Yes, Yes]),
    (EventKind::PreCompact,       [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Stop,             [Yes,      NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Other,            [NO_GATE,  NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

#[rustfmt::skip]
const CURSOR: &[Row] = &[
    (EventKind::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      NO_FIELD]),
    (EventKind::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::PreToolUse,         [Yes,       No("accepted and not enforced"), Yes, Yes, NO_FIELD, Yes]),
    (EventKind::ShellGate,          [Yes,       Yes,    Yes,     NO_FIELD, NO_FIELD, Yes]),
    (EventKind::McpGate,            [Yes,       Yes,    Yes,     NO_FIELD, NO_FIELD, Yes]),
    (EventKind::ReadGate,           [Yes,       No("not offered for reading"), Yes, NO_FIELD, NO_FIELD, Yes]),
    (EventKind::PostToolUse,        [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      NO_FIELD]),
    (EventKind::PostToolUseFailure, [NOT_READ,  NO_ASK, Implied, NO_INPUT, NOT_READ, NOT_READ]),
    (EventKind::PreCompact,         [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Stop,               [Mostly("as a follow-up prompt, at most five times"), NO_ASK, Implied, NO_INPUT, GOES_ON, NO_FIELD]),
    (EventKind::SubagentStart,      [Yes,       NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::SubagentStop,       [Mostly("as a follow-up prompt, at most five times"), NO_ASK, Implied, NO_INPUT, GOES_ON, NO_FIELD]),
    (EventKind::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, NO_FIELD]),
];

#[rustfmt::skip]
const QWEN: &[Row] = &[
    (EventKind::SessionStart,       [NO_GATE,   NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::UserPromptSubmit,   [Yes,       NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreToolUse,         [Yes,       Yes,    Mostly("saves no prompt: it comes after the user was asked"), No("ignored"), No("ignored"), Yes]),
    (EventKind::PermissionRequest,  [UNSEEN,    ASKS_ALREADY, Mostly("overrides the user's ask rules"), NO_INPUT, NO_FIELD, NO_FIELD]),
    (EventKind::PostToolUse,        [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PostToolUseFailure, [AsContext, NO_ASK, Implied, NO_INPUT, Yes,      Yes]),
    (EventKind::PreCompact,         [UNSEEN,    NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
    (EventKind::Stop,               [Yes,       NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (EventKind::SubagentStart,      [NO_GATE,   NO_ASK, Implied, NO_INPUT, No("ignored"), Yes]),
    (EventKind::SubagentStop,       [UNSEEN,    NO_ASK, Implied, NO_INPUT, GOES_ON,  Yes]),
    (EventKind::Other,              [NO_GATE,   NO_ASK, Implied, NO_INPUT, NO_FIELD, Yes]),
];

// The contract's own object has a field for every verb at every event.
#[rustfmt::skip]
const RAW: &[Row] = &[
    (EventKind::SessionStart,     [Yes; 6]),
    (EventKind::UserPromptSubmit, [Yes; 6]),
    (EventKind::PreToolUse,       [Yes; 6]),
    (EventKind::PostToolUse,      [Yes; 6]),
    (EventKind::PreCompact,       [Yes; 6]),
    (EventKind::Stop,             [Yes; 6]),
    (EventKind::SubagentStart,    [Yes; 6]),
    (EventKind::SubagentStop,     [Yes; 6]),
    (EventKind::Other,            [Yes; 6]),
];
