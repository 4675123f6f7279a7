//! Reads the definition of an automation: from options, else as JSON from stdin.

use std::io::{IsTerminal, Read};

use anyhow::Context;
use automation::limits::MAX_FILE_BYTES;
use config_file::{JsonDialect, Problem, Report, Source, Syntax, parse_json};
use serde_json::{Map, Value};

use crate::exit::Exit;
use crate::output;

/// The keys of a definition as options.
#[derive(Debug, clap::Args)]
pub(super) struct DefinitionArgs {
    /// Its display name
    #[arg(long)]
    name: Option<String>,
    /// Its trigger, such as `onDidSaveTextDocument`
    #[arg(long)]
    trigger: Option<String>,
    /// The files of the trigger; repeat it for several patterns
    #[arg(long, value_name = "GLOB")]
    pattern: Vec<String>,
    /// Its prompt, with variables such as `{filePath}`
    #[arg(long, allow_hyphen_values = true)]
    prompt: Option<String>,
    /// Its runner: a name such as `claude`, or JSON
    #[arg(long)]
    runner: Option<String>,
    /// Any key: `timeoutMs=5000`, `retry.count=2`; the value is JSON, else a string
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    set: Vec<String>,
}

/// The definition that the command line or stdin gives.
pub(super) enum Definition {
    /// The keys and their values.
    Keys(Map<String, Value>),
    /// The JSON on stdin is invalid.
    Invalid(Vec<Problem>),
    /// The command line is wrong; the command has reported it.
    Usage(Exit),
}

/// The name of stdin in problems.
const STDIN: &str = "<stdin>";

impl DefinitionArgs {
    /// Returns the definition of the options; without any, of stdin. The keys in `more` are options of the command.
    pub(super) fn read(&self, more: Map<String, Value>) -> anyhow::Result<Definition> {
        let mut keys = more;
        for (key, value) in [("name", &self.name), ("trigger", &self.trigger)] {
            keys.extend(value.as_ref().map(|it| (key.to_owned(), it.as_str().into())));
        }
        match &self.pattern[..] {
            [] => {}
            [only] => drop(keys.insert("pattern".to_owned(), only.as_str().into())),
            several => drop(keys.insert("pattern".to_owned(), several.into())),
        }
        keys.extend(self.prompt.as_ref().map(|it| ("prompt".to_owned(), it.as_str().into())));
        keys.extend(self.runner.as_ref().map(|it| ("runner".to_owned(), json_or_string(it))));
        for setting in &self.set {
            let Some((key, value)) = setting.split_once('=').filter(|(key, _)| !key.is_empty()) else {
                output::error(&format!("`--set {}` has no value", output::text::one_line(setting)));
                output::hint("write `--set KEY=VALUE`");
                return Ok(Definition::Usage(Exit::Usage));
            };
            put(&mut keys, key, json_or_string(value));
        }
        if !keys.is_empty() {
            return Ok(Definition::Keys(keys));
        }
        if std::io::stdin().is_terminal() {
            output::error("no definition given");
            output::hint("name its keys as options, or pipe it as JSON to stdin");
            return Ok(Definition::Usage(Exit::Usage));
        }
        from_stdin()
    }
}

/// Sets the value of a dotted key.
pub(super) fn put(keys: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(keys.insert(path.to_owned(), value)),
        Some((first, rest)) => {
            let inner = keys.entry(first).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}

fn json_or_string(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

fn from_stdin() -> anyhow::Result<Definition> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX);
    std::io::stdin().take(limit).read_to_end(&mut bytes).context("cannot read the definition from stdin")?;
    let source = match Source::decode(STDIN, &bytes) {
        Ok(source) => source,
        Err(bad) => return Ok(Definition::Invalid(vec![bad.into_problem(STDIN)])),
    };
    let mut report = Report::new(&source, Syntax::Json);
    match parse_json(source.text(), JsonDialect::WithComments) {
        Err(fault) => report.syntax_error(fault),
        Ok(value) => {
            let value = value.unwrap_or_else(|| config_file::Node::empty_map(config_file::Span::new(0, 1)));
            if let Some((second, _)) = value.duplicate() {
                report.error(second.at, format!("duplicate key `{}`", second.key));
            } else if let Value::Object(keys) = value.to_json() {
                if !keys.is_empty() {
                    return Ok(Definition::Keys(keys));
                }
                report.error(value.at(), "the definition is empty").hint =
                    Some("name its keys as options, or pipe it as JSON to stdin".to_owned());
            } else {
                let message = format!("the definition must be an object, not {}", value.what(Syntax::Json));
                report.error(value.at(), message);
            }
        }
    }
    Ok(Definition::Invalid(report.into_problems()))
}
