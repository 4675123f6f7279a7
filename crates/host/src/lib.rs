//! The agent programs that fire hooks: their payloads, their answers, and their settings files.
//!
//! A payload is [`recognise`]d, [`parse`]d into an [`event::Event`], judged by other crates, and the
//! [`event::Verdict`] is [`render`]ed in the host's format. The [`capability`] table lists in advance
//! what a host supports.
//!
//! INVARIANT: only this crate knows a wire field name. Crates above it receive an [`event::Event`]
//! and return an [`event::Verdict`]. This crate does not read the environment, a file or a clock.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod agent_cli;
mod attendance;
mod capability;
mod capability_table;
mod claude_code;
mod claude_shape;
mod closed_set;
mod codex;
mod command_settings;
mod copilot;
mod cursor;
mod ellipsis;
mod event_kind;
mod exit_code;
mod fields;
mod gemini;
mod hints;
mod host;
pub mod install;
mod lenient_json;
mod outcome;
mod parse;
mod parsed_payload;
mod protocol;
mod qwen;
pub mod raw;
mod recognise;
mod render;
mod reply_target;
mod result_text;
mod sample;
mod sandbox_escape;
mod server_definition;
mod session;
mod sha256;
pub mod shell_entry;
mod supported_verdict;
mod tools;
mod transcript;
mod transcript_calls;
mod unaskable;
pub mod user_rules;
mod verb;
mod vscode;
mod vscode_or_copilot;

pub use agent_cli::AgentCli;
pub use attendance::{Attendance, attendance, attendance_table};
pub use capability::{Support, can, capability};
pub use capability_table::{capability_summary, capability_table};
pub use command_settings::command_settings;
pub use event_kind::EventKind;
pub use hints::Hints;
pub use host::Host;
pub use lenient_json::lenient_json;
pub use parse::parse;
pub use parsed_payload::{ParseError, ParsedEvent, ParsedPayload, PermissionRequest};
pub use protocol::Protocol;
pub use recognise::recognise;
pub use render::{Rendered, render};
pub use reply_target::ReplyTarget;
pub use result_text::result_text;
pub use sample::{RAW_CALL, SampleAnswer, SampleSession};
pub use sandbox_escape::leaves_sandbox;
pub use server_definition::{
    ServerDefinition, ServerFile, ServerFileBase, names_server, server_definitions, server_files,
};
pub use shell_entry::ShellEntry;
pub use tools::{Reach, SearchBounds, is_understood, narrow, reach, tool_call, tool_names};
pub use transcript::{TranscriptFact, failure_in, may_announce_no_compaction, may_be_compressed_in};
pub use transcript_calls::{
    CallIdentity, TranscriptCall, call_identity, hooked_calls, is_transcript_of, transcript_calls,
    transcript_folder, why_unhooked,
};
pub use unaskable::unaskable;
pub use verb::Verb;
