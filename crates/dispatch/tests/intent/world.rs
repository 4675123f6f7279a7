//! A workspace with intents, and a host that asks about calls in it.

use std::fs;
use std::path::PathBuf;

use dispatch::{Alarm, LaunchContext, ShellCalls, run};
use event::AbsPath;
use host::{Hints, Host};
use serde_json::{Value, json};
use testkit::Sandbox;

pub(crate) const INTENTS: &str = "\
intents:
  - id: INT-001
    name: Cart
    description: Make the cart <fast> & small
    status: IN_PROGRESS
    owned_scope: [\"src/**\", \"docs/*.md\"]
    constraints: [\"no new dependencies\"]
    acceptance_criteria: [\"tests pass\"]
  - id: INT-002
    name: Library
    status: PENDING
    owned_scope: [\"lib/**\"]
  - id: INT-003
    name: Done
    status: COMPLETED
    owned_scope: [\"**\"]
  - id: INT-004
    name: Stuck
    status: BLOCKED
    owned_scope: [\"**\"]
";

/// A workspace in which one host asks.
pub(crate) struct World {
    pub(crate) sandbox: Sandbox,
}

/// One agent of one session of one host.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) world: &'a World,
    pub(crate) host: Host,
    pub(crate) session: &'a str,
    pub(crate) agent: Option<&'a str>,
}

impl World {
    /// A workspace with the intents above, none of them selected.
    pub(crate) fn new() -> Self {
        let world = Self::without_intents();
        world.write(".orchestration/active_intents.yaml", INTENTS);
        world
    }

    pub(crate) fn without_intents() -> Self {
        let sandbox = Sandbox::new("");
        // Nothing here is about time, and the machine may have other things to do.
        sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 20_000}}));
        Self { sandbox }
    }

    /// Selects an intent for the workspace.
    pub(crate) fn select(&self, id: &str) {
        let selection = json!({"version": 1, "intentId": id, "since": "2026-01-01T00:00:00.000Z"});
        self.write(".ai/tmp/intent.json", selection.to_string());
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        self.sandbox.write(path, content);
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.sandbox.path(path)
    }

    /// The main agent of a session of Claude Code.
    pub(crate) fn claude<'a>(&'a self, session: &'a str) -> Asker<'a> {
        Asker { world: self, host: Host::ClaudeCode, session, agent: None }
    }

    /// Returns the lines of the trace.
    pub(crate) fn trace(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path(".orchestration/agent_trace.jsonl")).unwrap_or_default();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &lines {
            testkit::schema::check("trace-record", line);
        }
        lines
    }

    /// Returns the records of a kind in every session's journal.
    pub(crate) fn events(&self, kind: &str) -> Vec<Value> {
        let of = |session: &testkit::SessionFiles| session.events_of(kind);
        let lines = self.sandbox.sessions().iter().flat_map(of).collect::<Vec<Value>>();
        for line in &lines {
            testkit::schema::check("intent-event", line);
        }
        lines.iter().map(|line| line["data"].clone()).collect()
    }
}

impl Asker<'_> {
    pub(crate) fn event(&self, name: &str, more: &Value) -> Value {
        let root = self.world.sandbox.root();
        let mut payload = match self.host {
            Host::CopilotCli => json!({"sessionId": self.session, "cwd": root, "timestamp": 1}),
            Host::Cursor => json!({
                "conversation_id": self.session, "generation_id": "g", "hook_event_name": name,
                "workspace_roots": [root], "cwd": root,
            }),
            _ => json!({"session_id": self.session, "cwd": root, "hook_event_name": name}),
        };
        if let Some(agent) = self.agent {
            payload["agent_id"] = agent.into();
            payload["agent_type"] = "worker".into();
        }
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let folder = AbsPath::new(&root).unwrap();
        let launch = LaunchContext {
            event: Some(name.to_owned()),
            host: Some(self.host),
            workspace: Some(folder.clone()),
            registration: None,
            timeout: None,
            notify: |_| {},
            run_check: |_| unreachable!("no workspace here has a done gate"),
            check_coverage: |_, _| {},
            shell: ShellCalls::Judged,
            folder,
            project: None,
            user_state: AbsPath::new(self.world.sandbox.user_state()).ok(),
            user_configs: Vec::new(),
            home: AbsPath::new(self.world.sandbox.elsewhere()).ok(),
            moved_settings: Vec::new(),
            running_agent: None,
            automations: Vec::new(),
            records: None,
            hints: Hints::default(),
            shell_entry: |_| false,
            program_folders: Vec::new,
        };
        let mut stdout = Vec::new();
        let stdin = payload.to_string();
        run(&launch, modules::ALL, stdin.as_bytes(), &mut stdout, Alarm::Unarmed);
        serde_json::from_slice(&stdout).unwrap()
    }

    fn call(&self, before: bool, id: &str, tool: &str, input: &Value) -> Value {
        let (name, mut more) = match (self.host, before) {
            (Host::CopilotCli, true) => ("preToolUse", json!({"toolName": tool, "toolArgs": input})),
            (Host::CopilotCli, false) => (
                "postToolUse",
                json!({"toolName": tool, "toolArgs": input, "toolResult": {"resultType": "success"}}),
            ),
            (Host::Cursor, true) => ("preToolUse", json!({"tool_name": tool, "tool_input": input})),
            (Host::Cursor, false) => {
                ("postToolUse", json!({"tool_name": tool, "tool_input": input, "tool_output": "{}"}))
            }
            (Host::Gemini, true) => ("BeforeTool", json!({"tool_name": tool, "tool_input": input})),
            (Host::Gemini, false) => {
                ("AfterTool", json!({"tool_name": tool, "tool_input": input, "tool_response": {}}))
            }
            (_, true) => ("PreToolUse", json!({"tool_name": tool, "tool_input": input})),
            (_, false) => {
                ("PostToolUse", json!({"tool_name": tool, "tool_input": input, "tool_response": {}}))
            }
        };
        if !id.is_empty() {
            more["tool_use_id"] = id.into();
        }
        self.event(name, &more)
    }

    /// Announces a call and returns the answer.
    pub(crate) fn before(&self, id: &str, tool: &str, input: &Value) -> Value {
        self.call(true, id, tool, input)
    }

    /// Reports a call that ran and returns the answer.
    pub(crate) fn after(&self, id: &str, tool: &str, input: &Value) -> Value {
        self.call(false, id, tool, input)
    }

    /// Writes a file like the host's tool: asks, writes, reports. Returns the answer to the report.
    pub(crate) fn writes(&self, id: &str, path: &str, content: &str) -> Value {
        let input = json!({"file_path": self.world.path(path), "content": content});
        let answer = self.before(id, "Write", &input);
        assert_eq!(refusal(&answer), None, "{path}");
        self.world.write(path, content);
        self.after(id, "Write", &input)
    }

    /// Asks whether a file may be written; returns why not.
    pub(crate) fn may_write(&self, id: &str, path: &str) -> Option<String> {
        let input = json!({"file_path": self.world.path(path), "content": "x"});
        refusal(&self.before(id, "Write", &input))
    }

    /// Reads a file as the host's tool would.
    pub(crate) fn reads(&self, id: &str, path: &str) {
        let input = json!({"file_path": self.world.path(path)});
        assert_eq!(refusal(&self.before(id, "Read", &input)), None);
        self.after(id, "Read", &input);
    }

    /// Really runs a command like the host's tool; returns the answer to the report.
    pub(crate) fn runs(&self, id: &str, command: &str) -> Value {
        let input = json!({"command": command});
        let answer = self.before(id, "Bash", &input);
        assert_eq!(refusal(&answer), None, "{command}");
        // File systems count time in steps; what was written before must be older.
        std::thread::sleep(std::time::Duration::from_millis(15));
        let root = self.world.sandbox.root();
        let status = std::process::Command::new("sh").arg("-c").arg(command).current_dir(root).status();
        assert!(status.unwrap().success(), "{command}");
        self.after(id, "Bash", &input)
    }
}

/// Returns the reason of a denial, on any host.
pub(crate) fn refusal(answer: &Value) -> Option<String> {
    let nested = &answer["hookSpecificOutput"];
    let decisions = [
        &answer["decision"],
        &answer["permission"],
        &answer["permissionDecision"],
        &nested["permissionDecision"],
    ];
    let denied = decisions.iter().any(|it| **it == "deny" || **it == "block");
    denied.then(|| {
        let reasons = [
            &answer["reason"],
            &answer["denyReason"],
            &answer["agent_message"],
            &answer["permissionDecisionReason"],
            &nested["permissionDecisionReason"],
        ];
        let reason = reasons.iter().find_map(|it| it.as_str());
        reason.unwrap_or_else(|| panic!("a refusal without a reason: {answer}")).to_owned()
    })
}

/// Returns the additional context for the model.
pub(crate) fn told(answer: &Value) -> String {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
}
