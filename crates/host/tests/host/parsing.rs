//! Tests that parse every recorded payload.

use std::fmt::Write;

use event::{Detail, Event, Outcome, ToolCall};
use expect_test::expect_file;
use host::{ParsedEvent, ParsedPayload, parse};

use crate::fixtures;

#[test]
fn every_recorded_payload_is_understood() {
    let mut told = String::new();
    for fixture in fixtures::all() {
        let received = parse(fixture.host, Some(&fixture.registered), &fixture.payload)
            .unwrap_or_else(|error| panic!("{}: {error}", fixture.name));
        writeln!(told, "{}\n{}", fixture.name, brief(&received)).unwrap();
    }
    expect_file!["../golden/parse.txt"].assert_eq(&told);
}

#[test]
fn the_name_in_the_payload_is_enough_where_there_is_one() {
    for fixture in fixtures::all() {
        let named = ["hook_event_name", "hookName"].iter().any(|field| fixture.payload.get(field).is_some());
        let with = parse(fixture.host, Some(&fixture.registered), &fixture.payload);
        let without = parse(fixture.host, None, &fixture.payload);
        assert_eq!(named, with == without, "{}", fixture.name);
    }
}

/// Returns a summary of a payload in a few lines.
pub(crate) fn brief(received: &ParsedPayload) -> String {
    let target = &received.target;
    let mut told = format!("  {} {}", target.protocol().name(), target.spelling());
    match &received.event {
        ParsedEvent::OutsideContract { name } => write!(told, " → not ours: {name}").unwrap(),
        ParsedEvent::Permission(request) => {
            let unlisted = if request.is_merely_unlisted { ", merely unlisted" } else { "" };
            write!(told, " → permission{unlisted}").unwrap();
            about(&request.event, &mut told);
            detail(&request.event.detail, &mut told);
        }
        ParsedEvent::Event(event) => {
            write!(told, " → {}", event.name()).unwrap();
            about(event, &mut told);
            detail(&event.detail, &mut told);
        }
    }
    told
}

fn about(event: &Event, told: &mut String) {
    let parts = [
        ("session", &event.session),
        ("cwd", &event.cwd),
        ("transcript", &event.transcript),
        ("model", &event.model),
        ("mode", &event.permission_mode),
    ];
    told.push_str("\n   ");
    for (name, value) in parts {
        if let Some(value) = value {
            write!(told, " {name}={value}").unwrap();
        }
    }
    if let Some(agent) = &event.agent {
        write!(told, "\n    agent {:?} {:?}", agent.id, agent.kind).unwrap();
    }
}

fn detail(detail: &Detail, told: &mut String) {
    match detail {
        Detail::SessionStart { source } => write!(told, "\n    source {source:?}").unwrap(),
        Detail::UserPromptSubmit { prompt } => write!(told, "\n    prompt {prompt:?}").unwrap(),
        Detail::PreToolUse { call } => write!(told, "\n{}", tool(call)).unwrap(),
        Detail::PostToolUse { call, outcome } => {
            write!(told, "\n{}", tool(call)).unwrap();
            match outcome {
                Outcome::Done { response } => {
                    let response: String = response.to_string().chars().take(60).collect();
                    write!(told, "\n    done {response}").unwrap();
                }
                Outcome::Failed { error, .. } => write!(told, "\n    failed {error:?}").unwrap(),
            }
        }
        Detail::PreCompact { trigger, instructions } => {
            write!(told, "\n    trigger {trigger:?} instructions {instructions:?}").unwrap();
        }
        Detail::Stop { kept_going, message } | Detail::SubagentStop { kept_going, message } => {
            write!(told, "\n    kept going {kept_going} message {message:?}").unwrap();
        }
        Detail::SubagentStart => {}
    }
}

/// Returns a summary of a call in a few lines.
pub(crate) fn tool(call: &ToolCall) -> String {
    let mut told = format!("    {} {:?} id {:?}", call.name, call.kind, call.id.as_deref().unwrap_or("-"));
    for touch in &call.touches {
        write!(told, "\n    {} {}", touch.access.as_str(), touch.path).unwrap();
    }
    if let Some(command) = &call.command {
        write!(told, "\n    runs {:?} {:?}", command.dialect, command.text).unwrap();
        if let Some(cwd) = &command.cwd {
            write!(told, " in {cwd}").unwrap();
        }
    }
    if let Some(content) = &call.content {
        write!(told, "\n    content {content:?}").unwrap();
    }
    told
}
