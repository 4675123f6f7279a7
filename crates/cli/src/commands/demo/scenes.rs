//! The scenes of the demo.

use anstyle::Style;
use host::{SampleAnswer, SampleSession};
use serde_json::{Value, json};

use crate::environment;
use crate::output::paint;

/// A scene of the demo.
pub(super) struct Scene {
    /// The title.
    pub(super) title: &'static str,
    /// The explanation below the title.
    pub(super) story: &'static [&'static str],
    /// The steps, in order.
    pub(super) steps: Vec<Step>,
}

/// A step of a scene.
pub(super) enum Step {
    /// A hook event.
    Event(HookEvent),
    /// A file is written, by an allowed tool or by the user.
    File {
        /// The path in the project.
        path: &'static str,
        /// The new content.
        content: &'static str,
        /// The text printed for it; `None` prints nothing.
        shown: Option<&'static str>,
    },
    /// The user prints the trace.
    Trace,
    /// The user runs a command of steersman.
    Command(&'static [&'static str]),
}

/// One hook event.
pub(super) struct HookEvent {
    /// The contract's name for it.
    pub(super) event: &'static str,
    /// The name of the host.
    pub(super) host: &'static str,
    /// The payload that the host sends.
    pub(super) payload: Value,
    /// The text printed for it; `None` for events that only complete the session.
    pub(super) shown: Option<String>,
}

/// Returns all scenes.
pub(super) fn all(folder: &str) -> Vec<Scene> {
    let claude = Script { host: "claude-code", session: SampleSession { id: "demo-claude", cwd: folder } };
    let codex = Script { host: "codex", session: SampleSession { id: "demo-codex", cwd: folder } };
    let mut scenes = vec![
        Scene {
            title: "Ordinary work passes",
            story: &["No objection is not approval: the answer is empty, and the host's own prompts stay."],
            steps: vec![
                claude.start(),
                claude.prompt("Speed up the cart and tidy the project."),
                claude.call("Read", &json!({"file_path": format!("{folder}/src/cart.js")})),
                claude.call("Bash", &json!({"command": "npm test 2>&1 | tail -20"})),
                claude.done("Bash", &json!({"command": "npm test 2>&1 | tail -20"})),
                claude.call("Bash", &json!({"command": "rm -rf node_modules dist"})),
            ],
        },
        Scene {
            title: "Destructive commands are denied, however they are written",
            story: &["steersman parses the command as the shell would, instead of searching for words."],
            steps: vec![
                claude.call("Bash", &json!({"command": "D=~; X=rm; cd / && $X -rf \"$D\""})),
                claude.call("Bash", &json!({"command": "git commit -m 'never run rm -rf / again'"})),
            ],
        },
        Scene {
            title: "Risky commands need a confirmation",
            story: &["A host that can ask, asks. Codex cannot, so the call is denied with a way to permit it."],
            steps: vec![
                claude.call("Bash", &json!({"command": "npm publish"})),
                codex.call("Bash", &json!({"command": "npm publish"})),
            ],
        },
        Scene {
            title: "The project's own rules, in JavaScript, without Node",
            story: &["house-rules/hook.mjs limits searches to src/ and protects released migrations."],
            steps: vec![
                claude.call("Grep", &json!({"pattern": "reduce"})),
                claude.call("Edit", &json!({"file_path": format!("{folder}/migrations/001.sql"), "old_string": "cart", "new_string": "basket"}),
                ),
            ],
        },
        Scene {
            title: "A module that crashes does no harm",
            story: &[
                "broken/hook.mjs has thrown an error at every call above; only the journal reports it.",
            ],
            steps: vec![
                claude.call("Bash", &json!({"command": "ls"})),
                claude.stop(),
            ],
        },
        outside_the_intent(&claude),
        two_agents(&claude, &codex),
    ];
    scenes.extend(confined_build());
    scenes.extend([Scene {
        title: "Which intent wrote which lines",
        story: &[
            "steersman records every write in .orchestration/agent_trace.jsonl, with intent, hash and lines.",
            "`trace blame` names the intent and session of each present line.",
        ],
        steps: vec![Step::Trace, Step::Command(&["trace", "blame", "src/cart.js"])],
    }]);
    scenes
}

/// A build that writes outside its scope; `None` where the kernel cannot confine it.
fn confined_build() -> Option<Scene> {
    environment::find_program("make")?;
    confine::support().backend?;
    Some(Scene {
        title: "The kernel holds what no reader can promise",
        story: &[
            "The command line of `make` does not show which files it writes. Confined to src/, it can write nothing else.",
        ],
        steps: vec![
            Step::File {
                path: "Makefile",
                content: "all:\n\t@echo built > src/built.txt && echo 'wrote src/built.txt'\n\t@echo changed > migrations/001.sql\n",
                shown: Some("now also writes migrations/001.sql"),
            },
            Step::Command(&[
                "run",
                "--write",
                "src",
                "--",
                "sh",
                "-c",
                "make 2>&1 || cat migrations/001.sql",
            ]),
        ],
    })
}

const SELECT: &str = "mcp__steersman__select_active_intent";

const INTENTS: &str = "intents:\n  - id: INT-001\n    name: Faster cart\n    status: IN_PROGRESS\n    owned_scope: [\"src/**\"]\n";

const FASTER: &str = "export const total = items => {\n  let sum = 0;\n  for (const item of items) sum += item.price;\n  return sum;\n};\n";

const TAXED: &str = "export const total = items => {\n  let sum = 0;\n  for (const item of items) sum += item.price * 1.19;\n  return sum;\n};\n";

fn outside_the_intent(claude: &Script<'_>) -> Scene {
    let folder = claude.session.cwd;
    let write = json!({"file_path": format!("{folder}/src/cart.js"), "content": FASTER});
    let select = json!({"intent_id": "INT-001"});
    Scene {
        title: "Agents write only within their intent",
        story: &["The intents file declares the work and the files that belong to it."],
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
    let file = format!("{}/src/cart.js", claude.session.cwd);
    let read = json!({"file_path": file});
    let edit = json!({"file_path": file, "old_string": "let sum", "new_string": "let total"});
    let patch = json!({"command": "*** Begin Patch\n*** Update File: src/cart.js\n@@\n-  for (const item of items) sum += item.price;\n+  for (const item of items) sum += item.price * 1.19;\n*** End Patch"});
    let select = json!({"intent_id": "INT-001"});
    Scene {
        title: "Two agents do not overwrite each other's work",
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

/// Returns a sentence for a line of the trace.
pub(super) fn describe_trace(line: &Value) -> String {
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

/// Returns an answer: its word with a style, and the rest.
pub(super) fn describe_answer(answer: &Value) -> (Style, &'static str, String) {
    match SampleAnswer::of(answer) {
        SampleAnswer::NoObjection => (paint::GOOD, "no objection", String::new()),
        SampleAnswer::Deny { reason } => (paint::BAD, "deny", reason.to_owned()),
        SampleAnswer::Ask { reason } => (paint::CAREFUL, "ask", reason.to_owned()),
        SampleAnswer::Rewrite { input } => (paint::CAREFUL, "rewrite", format!("runs as {input}")),
    }
}

/// The agent program that sends the events of a scene.
struct Script<'a> {
    host: &'static str,
    session: SampleSession<'a>,
}

impl Script<'_> {
    fn start(&self) -> Step {
        self.quiet("SessionStart", self.session.start())
    }

    fn prompt(&self, text: &str) -> Step {
        self.quiet("UserPromptSubmit", self.session.prompt(text))
    }

    fn call(&self, tool: &str, input: &Value) -> Step {
        let shown = match input.get("command").and_then(Value::as_str) {
            Some(command) => format!("{tool}: {command}"),
            None => format!("{tool}: {input}").replace(&format!("{}/", self.session.cwd), ""),
        };
        let payload = self.session.call(tool, input);
        Step::Event(HookEvent { event: "PreToolUse", host: self.host, payload, shown: Some(shown) })
    }

    fn done(&self, tool: &str, input: &Value) -> Step {
        self.quiet("PostToolUse", self.session.result(tool, input, "12 passing"))
    }

    fn stop(&self) -> Step {
        self.quiet("Stop", self.session.stop())
    }

    fn quiet(&self, event: &'static str, payload: Value) -> Step {
        Step::Event(HookEvent { event, host: self.host, payload, shown: None })
    }
}
