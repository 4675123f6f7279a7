//! What happens in the demo, scene by scene.

use serde_json::{Value, json};

use crate::output::paint::{self, paint};

/// One scene.
pub(super) struct Scene {
    /// What it is about.
    pub(super) title: &'static str,
    /// What to look out for.
    pub(super) story: &'static [&'static str],
    /// What happens.
    pub(super) steps: Vec<Step>,
}

/// Something that happens.
pub(super) enum Step {
    /// A hook event.
    Event(Told),
    /// A file is written, by a tool that may or by a person.
    File {
        /// Where in the project.
        path: &'static str,
        /// What it holds then.
        content: &'static str,
        /// How it is shown, if it is.
        shown: Option<&'static str>,
    },
    /// A person looks at the trace.
    Trace,
    /// A person runs a command of ours.
    Command(&'static [&'static str]),
}

/// One hook event.
pub(super) struct Told {
    /// The contract's name for it.
    pub(super) event: &'static str,
    /// The host.
    pub(super) host: &'static str,
    /// What the host sends.
    pub(super) payload: Value,
    /// How it is shown; some events are only there to make the session whole.
    pub(super) shown: Option<String>,
}

/// Returns the whole play.
pub(super) fn all(folder: &str) -> Vec<Scene> {
    let claude = Script { folder, host: "claude-code", session: "demo-claude" };
    let codex = Script { folder, host: "codex", session: "demo-codex" };
    vec![
        Scene {
            title: "Ordinary work passes unnoticed",
            story: &["No objection is not approval: the answer is empty, and the host asks what it always asks."],
            steps: vec![
                claude.quiet("SessionStart", json!({"source": "startup"})),
                claude.quiet("UserPromptSubmit", json!({"prompt": "Speed up the cart and tidy the project."})),
                claude.call("Read", &json!({"file_path": format!("{folder}/src/cart.js")})),
                claude.call("Bash", &json!({"command": "npm test 2>&1 | tail -20"})),
                claude.done("Bash", &json!({"command": "npm test 2>&1 | tail -20"})),
                claude.call("Bash", &json!({"command": "rm -rf node_modules dist"})),
            ],
        },
        Scene {
            title: "What destroys is denied, however it is written",
            story: &["The command is read as the shell would read it, not searched for words."],
            steps: vec![
                claude.call("Bash", &json!({"command": "D=~; X=rm; cd / && $X -rf \"$D\""})),
                claude.call("Bash", &json!({"command": "git commit -m 'never run rm -rf / again'"})),
            ],
        },
        Scene {
            title: "What is risky is asked about",
            story: &["A host that can ask, asks. Codex cannot: there it is refused, with the way to permit it."],
            steps: vec![
                claude.call("Bash", &json!({"command": "npm publish"})),
                codex.call("Bash", &json!({"command": "npm publish"})),
            ],
        },
        Scene {
            title: "The project's own rules, in JavaScript, without Node",
            story: &["house-rules/hook.mjs keeps searches within src/ and released migrations as they are."],
            steps: vec![
                claude.call("Grep", &json!({"pattern": "reduce"})),
                claude.call("Edit", &json!({"file_path": format!("{folder}/migrations/001.sql"), "old_string": "cart", "new_string": "basket"}),
                ),
            ],
        },
        Scene {
            title: "A module that crashes does no harm",
            story: &[
                "broken/hook.mjs has thrown an error at every call above. You did not notice; the journal did.",
            ],
            steps: vec![
                claude.call("Bash", &json!({"command": "ls"})),
                claude.quiet("Stop", json!({"stop_hook_active": false})),
            ],
        },
        not_asked_for(&claude),
        two_agents(&claude, &codex),
        Scene {
            title: "What was written, and why",
            story: &[
                "Every write is a line of .orchestration/agent_trace.jsonl, with intent, hash and lines.",
                "So each line that is there now can be asked which intent and session it is from.",
            ],
            steps: vec![
                Step::Trace,
                Step::Command(&["trace", "blame", "src/cart.js"]),
            ],
        },
    ]
}

const SELECT: &str = "mcp__steersman__select_active_intent";

const INTENTS: &str = "intents:\n  - id: INT-001\n    name: Faster cart\n    status: IN_PROGRESS\n    owned_scope: [\"src/**\"]\n";

const FASTER: &str = "export const total = items => {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n};\n";

const TAXED: &str = "export const total = items => {\n  let sum = 0;\n  for (const item of items) sum += item.price * 1.19;\n  return sum;\n};\n";

fn not_asked_for(claude: &Script<'_>) -> Scene {
    let folder = claude.folder;
    let write = json!({"file_path": format!("{folder}/src/cart.js"), "content": FASTER});
    let select = json!({"intent_id": "INT-001"});
    Scene {
        title: "Nothing is written that was not asked for",
        story: &["A file of intents says what is to be done, and which files belong to it."],
        steps: vec![
            Step::File {
                path: ".orchestration/active_intents.yaml",
                content: INTENTS,
                shown: Some("declares INT-001 \"Faster cart\", which may write src/**"),
            },
            claude.call("Write", &write),
            claude.call(SELECT, &select),
            claude.done(SELECT, &select),
            claude.call("Write", &write),
            Step::File { path: "src/cart.js", content: FASTER, shown: None },
            claude.done("Write", &write),
            claude.call("Write", &json!({"file_path": format!("{folder}/package.json"), "content": "{}"})),
            claude.call("Bash", &json!({"command": "sed -i s/src/*/ .orchestration/active_intents.yaml"})),
        ],
    }
}

fn two_agents(claude: &Script<'_>, codex: &Script<'_>) -> Scene {
    let file = format!("{}/src/cart.js", claude.folder);
    let read = json!({"file_path": file});
    let edit = json!({"file_path": file, "old_string": "let sum", "new_string": "let total"});
    let patch = json!({"command": "*** Begin Patch\n*** Update File: src/cart.js\n@@\n-  for (const item of items) sum += item.price;\n+  for (const item of items) sum += item.price * 1.19;\n*** End Patch"});
    let select = json!({"intent_id": "INT-001"});
    Scene {
        title: "Two agents do not write over each other",
        story: &["Claude has read src/cart.js. Codex changes it meanwhile."],
        steps: vec![
            claude.done("Read", &read),
            codex.done(SELECT, &select),
            codex.call("apply_patch", &patch),
            Step::File { path: "src/cart.js", content: TAXED, shown: None },
            codex.done("apply_patch", &patch),
            claude.call("Edit", &edit),
            claude.call("Read", &read),
            claude.done("Read", &read),
            claude.call("Edit", &edit),
        ],
    }
}

/// Puts a line of the trace into words.
pub(super) fn say_trace(line: &Value) -> String {
    let text = |key: &str| line[key].as_str().unwrap_or_default();
    let range = |range: &Value| match (&range["start"], &range["end"]) {
        (start, end) if start == end => start.to_string(),
        (start, end) => format!("{start}-{end}"),
    };
    let ranges: Vec<String> = line["line_ranges"].as_array().into_iter().flatten().map(range).collect();
    let hash: String = text("content_hash").chars().take(12).collect();
    format!(
        "{}  {} {} lines {}  by {}  sha256 {hash}…",
        text("intent_id"),
        text("mutation_class"),
        text("file_path"),
        ranges.join(", "),
        text("tool_name"),
    )
}

/// Puts an answer into words.
pub(super) fn say(answer: &Value) -> String {
    let own = &answer["hookSpecificOutput"];
    let reason = own["permissionDecisionReason"].as_str().unwrap_or_default();
    let rewritten = (!own["updatedInput"].is_null()).then(|| format!("runs as {}", own["updatedInput"]));
    match own["permissionDecision"].as_str() {
        Some("deny") => format!("{}: {}", paint(paint::BAD, "deny"), indented(reason)),
        Some("ask") => format!("{}: {}", paint(paint::CAREFUL, "ask"), indented(reason)),
        _ => match rewritten {
            Some(input) => format!("{}: {input}", paint(paint::CAREFUL, "rewrite")),
            None => paint(paint::GOOD, "no objection"),
        },
    }
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n               ")
}

/// Who plays, and where.
struct Script<'a> {
    folder: &'a str,
    host: &'static str,
    session: &'static str,
}

impl Script<'_> {
    fn quiet(&self, event: &'static str, fields: Value) -> Step {
        Step::Event(Told { event, host: self.host, payload: self.payload(event, fields), shown: None })
    }

    fn call(&self, tool: &str, input: &Value) -> Step {
        let shown = match input.get("command").and_then(Value::as_str) {
            Some(command) => format!("{tool}: {command}"),
            None => format!("{tool}: {input}").replace(&format!("{}/", self.folder), ""),
        };
        let fields = json!({"tool_name": tool, "tool_input": input});
        let payload = self.payload("PreToolUse", fields);
        Step::Event(Told { event: "PreToolUse", host: self.host, payload, shown: Some(shown) })
    }

    fn done(&self, tool: &str, input: &Value) -> Step {
        let fields =
            json!({"tool_name": tool, "tool_input": input, "tool_response": {"stdout": "12 passing"}});
        self.quiet("PostToolUse", fields)
    }

    fn payload(&self, event: &str, fields: Value) -> Value {
        let mut payload = json!({
            "session_id": self.session,
            "cwd": self.folder,
            "hook_event_name": event,
            "permission_mode": "default",
            "turn_id": "1",
            "model": "demo",
        });
        if let (Value::Object(payload), Value::Object(fields)) = (&mut payload, fields) {
            payload.extend(fields);
        }
        payload
    }
}
