//! `steersman agent show NAME`

use agent::Definition;
use agent::registry::{Entry, EntryRecord, EntrySource, Registry};
use serde_json::{Map, Value, json};

use super::project::{Project, print_problems};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::text::{one_line, wrap};
use crate::output::{self, print};

/// Show one agent: its file, its tools, its transitions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The name or id of the agent
    agent: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The number of prompt lines printed for users; `--json` prints all.
const PROMPT_LINES: usize = 12;

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let project = Project::of(place);
    let (registry, found) = project.registry(place);
    let Some(entry) = find(&registry, &args.agent) else {
        print_problems(&project.problems);
        output::error(&format!("unknown agent `{}`", args.agent));
        let names = registry.iter().flat_map(|it| [it.id.as_str(), short(it)]);
        output::hint(&match config_file::nearest(&args.agent, names) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "run `steersman agent list` for the agents of this project".to_owned(),
        });
        return Ok(Exit::No);
    };
    let definition = found.agents.values().find(|it| is_of(it, entry));
    if args.json {
        output::json(&as_json(entry, definition))?;
    } else {
        draw(entry, definition, place);
    }
    Ok(Exit::Fine)
}

fn find<'a>(registry: &'a Registry, wanted: &str) -> Option<&'a Entry> {
    let lower = wanted.to_lowercase();
    registry.get(wanted).or_else(|| registry.get(&format!("local:{lower}"))).or_else(|| {
        let called = |it: &&Entry| {
            it.name.to_lowercase() == lower || it.display_name.to_lowercase() == lower || short(it) == lower
        };
        registry.iter().find(called)
    })
}

fn short(entry: &Entry) -> &str {
    entry.id.split_once(':').map_or(entry.id.as_str(), |(_, name)| name)
}

fn is_of(definition: &Definition, entry: &Entry) -> bool {
    matches!(&entry.source, EntrySource::File { path } if path.ends_with(&definition.origin.file))
}

fn as_json(entry: &Entry, definition: Option<&Definition>) -> Value {
    let mut value = serde_json::to_value(EntryRecord::of(entry)).unwrap_or_default();
    let problems: Vec<Value> = entry.problems.iter().map(super::validate::as_json).collect();
    value["problems"] = Value::Array(problems);
    if let Some(definition) = definition {
        value["definition"] = Value::Object(definition_json(definition));
    }
    value
}

fn definition_json(definition: &Definition) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            map.insert(key.to_owned(), value);
        }
    };
    let tools = &definition.tools;
    let patterns: Vec<&str> = tools.bash_filter.blocked_patterns.iter().map(agent::Pattern::as_str).collect();
    let transitions = &definition.transitions;
    let custom: Vec<Value> = transitions
        .custom
        .iter()
        .map(|it| json!({"condition": it.condition.to_string(), "target": it.target}))
        .collect();
    put("name", json!(definition.name));
    put("displayName", json!(definition.display_name));
    put("whenToUse", json!(definition.when_to_use));
    put("systemPrompt", json!(definition.system_prompt));
    put(
        "tools",
        json!({
            "allowed": tools.allowed,
            "blocked": tools.blocked,
            "bashFilter": {"allowedCommands": tools.bash_filter.allowed_commands, "blockedPatterns": patterns},
        }),
    );
    put(
        "transitions",
        json!({
            "onSuccess": transitions.on_success,
            "onFailure": transitions.on_failure,
            "onMaxIterations": transitions.on_max_iterations,
            "custom": custom,
        }),
    );
    put(
        "limits",
        json!({
            "maxIterations": definition.limits.max_iterations,
            "timeout": definition.limits.timeout.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX)),
            "maxTokens": definition.limits.max_tokens,
        }),
    );
    let provider = definition.provider.as_ref();
    put("provider", provider.map_or(Value::Null, |it| json!({"name": it.name.as_str(), "model": it.model})));
    if !definition.metadata.is_empty() {
        put("metadata", Value::Object(definition.metadata.clone()));
    }
    put("file", json!(definition.origin.file));
    map
}

fn draw(entry: &Entry, definition: Option<&Definition>, place: &Place) {
    print(format_args!("{}  {}", paint(STRONG, &one_line(&entry.display_name)), paint(FAINT, &entry.id)));
    let field = |name: &str, text: &str| {
        let text = one_line(text);
        if !text.is_empty() {
            output::field(&format!("  {} ", paint(FAINT, &format!("{name:<12}"))), &text);
        }
    };
    let from = match &entry.source {
        EntrySource::File { path } => {
            path.strip_prefix(place.workspace.root().as_path()).unwrap_or(path).to_string_lossy().into_owned()
        }
        EntrySource::Extension { id } => format!("extension {id}"),
    };
    field("from", &from);
    let why = entry.reason.map(|it| format!(": {}", it.sentence())).unwrap_or_default();
    field("state", &format!("{}{why}", entry.state.as_str().to_lowercase()));
    field("for", entry.description.as_deref().unwrap_or_default());
    if let Some(profile) = &entry.profile {
        let commands: Vec<String> = profile.commands.iter().map(|it| format!("/{}", it.name)).collect();
        field("commands", &commands.join(", "));
    }
    if let Some(definition) = definition {
        draw_definition(definition, field);
        draw_prompt(definition);
    }
    for problem in &entry.problems {
        print(format_args!("\n{}", problem.to_string().trim_end()));
    }
}

fn draw_definition(definition: &Definition, field: impl Fn(&str, &str)) {
    if let Some(provider) = &definition.provider {
        let model = provider.model.as_ref().map(|it| format!(", model {it}")).unwrap_or_default();
        field("provider", &format!("{}{model}", provider.name.as_str()));
    }
    let tools = &definition.tools;
    field("may use", &tools.allowed.as_ref().map_or_else(|| "every tool".to_owned(), |it| it.join(", ")));
    field("may not use", &tools.blocked.join(", "));
    field("may run", &tools.bash_filter.allowed_commands.join(", "));
    let patterns: Vec<&str> = tools.bash_filter.blocked_patterns.iter().map(agent::Pattern::as_str).collect();
    field("may not run", &patterns.join("   "));
    for (when, target) in definition.transitions.targets() {
        field("then", &format!("{when} → {target}"));
    }
    let limits = &definition.limits;
    let parts = [
        limits.max_iterations.map(|it| format!("{it} iterations")),
        limits.timeout.map(|it| format!("{} ms each", it.as_millis())),
        limits.max_tokens.map(|it| format!("{it} tokens")),
    ];
    field("limits", &parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
}

fn draw_prompt(definition: &Definition) {
    print(format_args!("\n  {}", paint(FAINT, "system prompt")));
    let lines = wrap(&definition.system_prompt, output::columns().unwrap_or(100).saturating_sub(4).max(40));
    for line in lines.iter().take(PROMPT_LINES) {
        print(format_args!("    {line}"));
    }
    if lines.len() > PROMPT_LINES {
        print(format_args!("    {}", paint(FAINT, &format!("… {} more lines", lines.len() - PROMPT_LINES))));
    }
}
