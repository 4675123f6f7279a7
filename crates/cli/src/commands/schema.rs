//! `steersman schema [NAME]`

use config_file::nearest;
use serde_json::json;

use crate::exit::Exit;
use crate::output::{self, print};

/// Print the JSON Schema of a file; without a name, list all schemas
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name of the schema
    name: Option<String>,
    /// List the schemas as JSON
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

macro_rules! schemas {
    ($($name:literal: $about:literal,)*) => {
        /// Every schema: its name, the file it describes, its text.
        pub(crate) const SCHEMAS: &[(&str, &str, &str)] = &[
            $(($name, $about, include_str!(concat!("../../../../schemas/", $name, ".schema.json"))),)*
        ];
    };
}

schemas! {
    "active-intents": ".orchestration/active_intents.yaml",
    "agent": ".rawko/agents/*.yaml, and the fields of *.md",
    "agent-config": ".rawko/config.yaml",
    "agent-md": "the fields of .github/agents/**/*.agent.md",
    "agent-registry": ".ai/tmp/agents.json, and the output of `agent list --json`",
    "agent-ruling": "a file in agent-tools/output/",
    "agent-run-record": "a line of .ai/tmp/agent-runs/<run>.jsonl",
    "api-agents": "the answer of /api/v1/agents of `serve`",
    "api-automation-run": "the answer of /api/v1/automations/runs/{id} of `serve`",
    "api-automations": "the answer of /api/v1/automations of `serve`",
    "api-health": "the answer of /api/v1/health of `serve`",
    "api-intents": "the answer of /api/v1/intents of `serve`",
    "api-now": "the answer of /api/v1/now of `serve`",
    "api-plan": "the answer of /api/v1/plan of `serve`",
    "api-run": "the answer of /api/v1/sessions/{sid}/runs/{run} of `serve`",
    "api-session": "the answer of /api/v1/sessions/{sid} of `serve`",
    "artifact-record": "a line of registry.jsonl",
    "automation-queue": "a line of .ai/tmp/automation/queue.jsonl",
    "automation-server": ".ai/tmp/automation/server.json",
    "automations": ".akira/hooks.json",
    "compiled-intent": "a line of <state>/intents/<workspace>/<hash>, after its id",
    "compiled-intents": "the first line of <state>/intents/<workspace>/<hash>",
    "config": ".ai/hooks/config.json",
    "ctx": "the context a project's own module gets",
    "custom-hooks": ".vscode/gatomia/hooks.json",
    "dispatch-manifest": ".ai/hooks/dispatch.manifest.json",
    "event-record": "a line of events.jsonl",
    "execution-record": "the record of a run of an automation",
    "experience-record": "a line of memory-journal/output/experience.jsonl",
    "followup-rules": ".ai/hooks/followup-rules.json",
    "hold-of-all": "<state>/holds/<workspace>",
    "hook-action": "the result of a project's own module",
    "hook-input": "the contract's own payload (`--host raw`)",
    "hook-output": "the contract's own answer (`--host raw`)",
    "host-record": "<state>/hosts/<workspace>/<process>",
    "intent-event": "lines of events.jsonl about intents",
    "intent-selection": ".ai/tmp/intent.json",
    "kept-intent": "<state>/intents/<workspace>/<id>",
    "kept-plan": "the first line of <state>/plans/<workspace>/<hash>",
    "memory": "the head of a file in .ai/memory/",
    "memory-candidates": "memory-journal/output/candidates.json",
    "memory-dropped": ".ai/memory/dropped.json",
    "pending-call": "the line of JSON in a frame of intent/pending-calls",
    "person-changes": "<state>/persons/<workspace>.json",
    "pin": "<state>/pin.json",
    "plan-graph": "planGraph.json, written by a planning agent",
    "plan-manifest": "manifest.json beside planGraph.json",
    "prompt-record": "a line of p.jsonl",
    "rlm-packet": "packet.json, the input of a subagent",
    "rlm-policy": ".ai/hooks/rlm-policy.json",
    "scan-coverage": "intent/scan.json",
    "scope-request": "a line of .ai/tmp/scope-requests.jsonl",
    "seen-file": "a file in intent/seen/",
    "serve-line": "a line that `serve --json` prints",
    "staged-report": "a file in intent/reports/",
    "state": "state.json",
    "stop-summary": "stop-synth/output/summary.json",
    "trace-record": "a line of .orchestration/agent_trace.jsonl",
    "trust": "trust.json in the user's state folder",
    "user-config": "~/.config/steersman/config.json, /etc/steersman/config.json",
    "workspace": ".ai/hooks/workspace.json",
}

/// Schemas of YAML files, and the path from such a file to the copy that `init` writes.
const IN_YAML: &[(&str, &str)] = &[
    ("agent", "../../.ai/hooks/schema/agent.schema.json"),
    ("agent-config", "../.ai/hooks/schema/agent-config.schema.json"),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let Some(name) = &args.name else {
        list(args.json)?;
        return Ok(Exit::Fine);
    };
    let wanted = name.trim_end_matches(".schema.json");
    if let Some((_, _, text)) = SCHEMAS.iter().find(|(name, _, _)| *name == wanted) {
        print(format_args!("{}", text.trim_end()));
        if let Some((_, schema)) = IN_YAML.iter().find(|(name, _)| *name == wanted) {
            output::hint(&format!(
                "make `# yaml-language-server: $schema={schema}` the first line of the file to have editors check it; \
                 `steersman init --agents --schemas` writes both"
            ));
        }
        return Ok(Exit::Fine);
    }
    output::error(&format!("unknown schema `{name}`"));
    match nearest(wanted, SCHEMAS.iter().map(|schema| schema.0)) {
        Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
        None => output::hint("run `steersman schema` for a list"),
    }
    Ok(Exit::No)
}

fn list(as_json: bool) -> anyhow::Result<()> {
    if as_json {
        let all: Vec<_> =
            SCHEMAS.iter().map(|(name, about, _)| json!({"name": name, "about": about})).collect();
        return output::json(&json!(all));
    }
    let width = SCHEMAS.iter().map(|schema| schema.0.len()).max().unwrap_or_default();
    for (name, about, _) in SCHEMAS {
        print(format_args!("{name:width$}  {about}"));
    }
    Ok(())
}
