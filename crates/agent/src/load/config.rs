//! Reads `.rawko/config.yaml`, strictly.

use std::time::Duration;

use super::{bash_filter, yaml_node};
use crate::config::{Config, Constraints, LogFormat, LogLevel, Logging, ProviderSettings, Providers};
use crate::definition::ProviderName;
use crate::fields::Fields;
use crate::problem::Problem;
use crate::report::Report;
use crate::source::Source;
use crate::yaml::Node;

/// The format this build reads.
const CONFIG_VERSION: u64 = 1;

const CONFIG_KEYS: &[&str] = &["version", "provider", "agents", "constraints", "logging", "tools"];
const PROVIDER_KEYS: &[&str] = &["default", "claude", "copilot", "codex", "gemini", "command"];
const SETTINGS_KEYS: &[&str] = &["model", "maxTokens"];
const COMMAND_KEYS: &[&str] = &["model", "maxTokens", "argv"];
const AGENTS_KEYS: &[&str] = &["default", "directory"];
const CONSTRAINTS_KEYS: &[&str] = &["maxIterations", "maxFailures", "timeoutMs"];
const LOGGING_KEYS: &[&str] = &["level", "format", "file"];
const TOOLS_KEYS: &[&str] = &["bash", "custom"];
const BASH_KEYS: &[&str] = &["globalBlockedPatterns"];
const LEVELS: &[&str] = &["debug", "info", "warn", "error"];
const FORMATS: &[&str] = &["text", "json"];

/// Every object of the file with its keys.
#[cfg(all(test, feature = "schema"))]
pub(crate) const OBJECTS: &[(&[&str], &[&str])] = &[
    (&[], CONFIG_KEYS),
    (&["provider"], PROVIDER_KEYS),
    (&["provider", "claude"], SETTINGS_KEYS),
    (&["provider", "command"], COMMAND_KEYS),
    (&["agents"], AGENTS_KEYS),
    (&["constraints"], CONSTRAINTS_KEYS),
    (&["logging"], LOGGING_KEYS),
    (&["tools"], TOOLS_KEYS),
    (&["tools", "bash"], BASH_KEYS),
];

/// What came of the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedConfig {
    /// The configuration, if the file has no errors.
    pub config: Option<Config>,
    /// What is wrong with the file, in its order.
    pub problems: Vec<Problem>,
}

/// Reads the configuration.
pub fn load_config(source: &Source) -> LoadedConfig {
    let mut report = Report::new(source);
    let config = yaml_node(source.text(), 0, &mut report).and_then(|root| read(&root, &mut report));
    LoadedConfig { config: config.filter(|_| !report.has_errors()), problems: report.into_problems() }
}

fn read(root: &Node, report: &mut Report<'_>) -> Option<Config> {
    let fields = Fields::of(root, "", CONFIG_KEYS, report)?;
    let mut config = Config::default();
    version(&fields, report);
    if let Some(node) = fields.get("provider") {
        config.provider = providers(node, report).unwrap_or_default();
    }
    if let Some(agents) = fields.get("agents").and_then(|it| Fields::of(it, "agents", AGENTS_KEYS, report)) {
        config.default_agent = agents.text("default", report).map(|it| it.text);
        config.directory = directory(&agents, report).unwrap_or(config.directory);
    }
    if let Some(node) = fields.get("constraints") {
        config.constraints = constraints(node, report).unwrap_or_default();
    }
    if let Some(logging) =
        fields.get("logging").and_then(|it| Fields::of(it, "logging", LOGGING_KEYS, report))
    {
        let level = logging.word("level", LEVELS, report);
        let format = logging.word("format", FORMATS, report);
        config.logging = Logging {
            level: level.and_then(|it| LogLevel::ALL.into_iter().find(|level| level.as_str() == it.text)),
            format: format.map(|it| if it.text == "json" { LogFormat::Json } else { LogFormat::Text }),
            file: log_file(&logging, report),
        };
    }
    if let Some(tools) = fields.get("tools").and_then(|it| Fields::of(it, "tools", TOOLS_KEYS, report)) {
        let custom = tools.texts("custom", report).unwrap_or_default();
        config.custom_tools = custom.into_iter().map(|it| it.text).collect();
        let bash = tools.get("bash").and_then(|it| Fields::of(it, "tools.bash", BASH_KEYS, report));
        if let Some(bash) = bash {
            config.global_blocked_patterns = bash_filter::patterns(&bash, "globalBlockedPatterns", report);
        }
    }
    Some(config)
}

fn version(fields: &Fields<'_>, report: &mut Report<'_>) {
    let Some(node) = fields.get("version") else { return };
    // People write 1, "1" and 1.0.
    let written = node.as_written().unwrap_or_default();
    let major = written.split('.').next().and_then(|it| it.parse::<u64>().ok());
    match major {
        Some(found) if found <= CONFIG_VERSION => {}
        Some(found) => {
            let message = format!("format {found} is newer than the {CONFIG_VERSION} this build knows");
            report.error(node.at, message).hint = Some("update steersman".to_owned());
        }
        None => {
            let problem = report.error(node.at, format!("`version` is {}", node.kind()));
            problem.expected = Some(format!("`{CONFIG_VERSION}`"));
        }
    }
}

/// A log is only ever added to, and what git runs must not be.
fn log_file(logging: &Fields<'_>, report: &mut Report<'_>) -> Option<String> {
    let written = logging.text("file", report)?;
    let is_of_git = written.text.split(['/', '\\']).any(|it| it.eq_ignore_ascii_case(".git"));
    if leaves(&written.text) || is_of_git || written.text.ends_with('/') {
        let problem = report.error(written.at, "`logging.file` is no file of the workspace");
        problem.expected = Some("a file relative to the workspace, such as `.rawko/agents.log`".to_owned());
        return None;
    }
    Some(written.text.trim_start_matches("./").to_owned())
}

/// Returns whether a path that should be relative leads elsewhere.
fn leaves(path: &str) -> bool {
    path.is_empty()
        || path.starts_with(['/', '\\', '~'])
        || path.contains(':')
        || path.split(['/', '\\']).any(|it| it == "..")
}

fn directory(agents: &Fields<'_>, report: &mut Report<'_>) -> Option<String> {
    let written = agents.text("directory", report)?;
    if leaves(&written.text) {
        let problem = report.error(written.at, "`agents.directory` does not lie within `.rawko/`");
        problem.expected = Some("a folder relative to `.rawko/`, such as `agents`".to_owned());
        return None;
    }
    Some(written.text.trim_start_matches("./").trim_end_matches('/').to_owned())
}

fn providers(node: &Node, report: &mut Report<'_>) -> Option<Providers> {
    let fields = Fields::of(node, "provider", PROVIDER_KEYS, report)?;
    let default = fields.word("default", &ProviderName::NAMES, report);
    let mut settings = Vec::new();
    let mut command = Vec::new();
    for name in ProviderName::ALL {
        let path = fields.name(name.as_str());
        let keys = if name == ProviderName::Command { COMMAND_KEYS } else { SETTINGS_KEYS };
        let Some(own) = fields.get(name.as_str()).and_then(|it| Fields::of(it, &path, keys, report)) else {
            continue;
        };
        if name == ProviderName::Command {
            command = argv(&own, report);
        }
        let model = own.text("model", report).map(|it| it.text);
        settings.push((name, ProviderSettings { model, max_tokens: own.positive("maxTokens", report) }));
    }
    Some(Providers { default: default.and_then(|it| ProviderName::from_name(&it.text)), command, settings })
}

/// Reads the program and its words. No shell reads them, so a whole line is a mistake.
fn argv(command: &Fields<'_>, report: &mut Report<'_>) -> Vec<String> {
    let words = command.texts("argv", report).unwrap_or_default();
    if let [only] = words.as_slice()
        && only.text.contains(char::is_whitespace)
    {
        let problem = report.error(only.at, "this looks like a whole command line");
        problem.expected = Some("the program and each of its arguments as a text of its own".to_owned());
        problem.hint = Some(format!(
            "write `[{}]`",
            only.text.split_whitespace().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(", ")
        ));
    }
    words.into_iter().map(|it| it.text).collect()
}

fn constraints(node: &Node, report: &mut Report<'_>) -> Option<Constraints> {
    let fields = Fields::of(node, "constraints", CONSTRAINTS_KEYS, report)?;
    let default = Constraints::default();
    Some(Constraints {
        max_iterations: fields.positive("maxIterations", report).unwrap_or(default.max_iterations),
        max_failures: fields.positive("maxFailures", report).unwrap_or(default.max_failures),
        timeout: fields.positive("timeoutMs", report).map_or(default.timeout, Duration::from_millis),
    })
}
