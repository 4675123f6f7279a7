//! Reads the runner of a prompt, in the files of automations and in `config.json`.

use config_file::{Fields, Node, Report, nearest};
use host::AgentCli;

use super::table::{PROGRAMS, RUNNER_SETTINGS};
use crate::{CliRunner, RunnerChoice};

const SHAPES: &str = "`\"claude\"`, `\"copilot\"`, `\"codex\"`, `\"gemini\"`, `{\"type\": \"command\", \"command\": [\"prog\", \"arg\"]}` or `{\"type\": \"http\", \"url\": \"https://…\"}`";

/// Reads a runner: the name of an agent program, or an object with its `type`. Returns `None` and adds an error to the
/// report if it is invalid.
pub(super) fn runner(node: &Node<'_>, name: &str, report: &mut Report<'_>) -> Option<RunnerChoice> {
    if let Some(word) = node.as_string() {
        return named(word, node, name, report);
    }
    if node.entries().is_none() {
        let message = format!("`{name}` must be a string or an object, not {}", node.what(report.syntax()));
        report.error(node.at(), message).hint = Some(format!("write {SHAPES}"));
        return None;
    }
    let (word, fields) = Fields::of_union(node, name, &RUNNER_SETTINGS, report)?;
    match word {
        "command" => command(&fields, report),
        "http" => http(&fields, report),
        program => AgentCli::from_name(program).map(|cli| RunnerChoice::Cli(settings(cli, &fields, report))),
    }
}

fn named(word: &str, node: &Node<'_>, name: &str, report: &mut Report<'_>) -> Option<RunnerChoice> {
    let cli = AgentCli::from_name(word);
    if cli.is_none() {
        let hint = nearest(word, PROGRAMS.iter())
            .map_or_else(|| format!("write {SHAPES}"), |meant| format!("did you mean `{meant}`?"));
        report.error(node.span, format!("`{name}` names the unknown runner `{word}`")).hint = Some(hint);
    }
    cli.map(|cli| RunnerChoice::Cli(cli.into()))
}

fn settings(cli: AgentCli, fields: &Fields<'_, '_>, report: &mut Report<'_>) -> CliRunner {
    let model = fields.string("model", report);
    let mode = fields.string("permissionMode", report);
    let known = permission_modes(cli);
    if let Some(mode) = mode.as_ref().filter(|it| !known.contains(&it.text.as_str())) {
        let name = fields.name("permissionMode");
        let (message, hint) = if known.is_empty() {
            let message = format!("`{}` has no permission modes", cli.as_str());
            (message, format!("pass its own options in `{}`", fields.name("args")))
        } else {
            let hint = nearest(&mode.text, known.iter().copied()).map_or_else(
                || format!("use one of {}", known.join(", ")),
                |it| format!("did you mean `{it}`?"),
            );
            (format!("`{name}` must be a mode of `{}`, not `{}`", cli.as_str(), mode.text), hint)
        };
        report.error(mode.at, message).hint = Some(hint);
    }
    let args = fields.strings("args", report).unwrap_or_default();
    CliRunner {
        cli,
        model: model.map(|it| it.text),
        permission_mode: mode.map(|it| it.text),
        args: args.into_iter().map(|it| it.text).collect(),
    }
}

/// Returns the words of a program's own option for what it may do without approval.
const fn permission_modes(cli: AgentCli) -> &'static [&'static str] {
    match cli {
        AgentCli::Claude => &["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"],
        AgentCli::Codex => &["read-only", "workspace-write", "danger-full-access"],
        AgentCli::Gemini => &["default", "auto_edit", "yolo", "plan"],
        AgentCli::Copilot => &[],
    }
}

fn command(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<RunnerChoice> {
    let n_items = fields.items("command", report)?.len();
    let argv = fields.strings("command", report)?;
    let names_program = argv.first().is_none_or(|it| !it.text.trim().is_empty());
    if n_items == 0 || !names_program {
        let at = fields.get("command").map_or(fields.at(), Node::at);
        let message = format!("`{}` must name a program", fields.name("command"));
        report.error(at, message).hint = Some(ARGV.to_owned());
        return None;
    }
    (argv.len() == n_items)
        .then(|| RunnerChoice::Command { argv: argv.into_iter().map(|it| it.text).collect() })
}

/// The hint for the command of a runner.
pub(super) const ARGV: &str = "write an array of strings: the program and its arguments; no shell reads them";

fn http(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<RunnerChoice> {
    let url = fields.string("url", report);
    let headers = fields.string_map("headers", report).unwrap_or_default();
    let n_headers = fields.get("headers").map_or(0, |it| it.entries().map_or(usize::MAX, <[_]>::len));
    let url = url?;
    let host = url.text.strip_prefix("http://").or_else(|| url.text.strip_prefix("https://"));
    if host.is_none_or(|host| host.is_empty() || host.starts_with('/')) {
        let message = format!("`{}` is not a URL of a server", fields.name("url"));
        report.error(url.at, message).hint = Some(URL.to_owned());
        return None;
    }
    let is_whole = headers.len() == n_headers;
    let headers = headers.into_iter().map(|(name, value)| (name.to_owned(), value.text)).collect();
    is_whole.then_some(RunnerChoice::Http { url: url.text, headers })
}

/// The hint for the URL of a runner.
pub(super) const URL: &str = "write one that starts with `http://` or `https://`";

#[cfg(test)]
mod tests {
    use config_file::{JsonDialect, Source, Syntax, parse_json};

    use super::*;

    fn read(text: &str) -> Result<String, Vec<String>> {
        let source = Source::new("f.json", text.to_owned());
        let node = parse_json(text, JsonDialect::Plain).unwrap().unwrap();
        let mut report = Report::new(&source, Syntax::Json);
        let read = runner(&node, "runner", &mut report);
        let problems: Vec<String> =
            report.into_problems().iter().map(config_file::Problem::log_line).collect();
        if problems.is_empty() { Ok(read.unwrap().to_string()) } else { Err(problems) }
    }

    #[test]
    fn a_runner_is_a_name_or_an_object_with_its_type() {
        for (text, shown) in [
            (r#""claude""#, "claude"),
            (r#"{"type": "gemini"}"#, "gemini"),
            (
                r#"{"type": "claude", "model": "haiku", "permissionMode": "plan", "args": ["--max-turns", "3"]}"#,
                "claude (haiku)",
            ),
            (r#"{"type": "command", "command": ["sh", "x.sh", ""]}"#, "command `sh x.sh `"),
            (
                r#"{"type": "http", "url": "http://localhost:1/x", "headers": {"a": "b"}}"#,
                "http http://localhost:1/x",
            ),
        ] {
            assert_eq!(read(text), Ok(shown.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_invalid_runner_is_reported_with_its_place_and_a_hint() {
        for (text, problem) in [
            (
                r#""cluade""#,
                "1:1: error: `runner` names the unknown runner `cluade` (hint: did you mean `claude`?)",
            ),
            (
                r#""command""#,
                "1:1: error: `runner` names the unknown runner `command` (hint: write `\"claude\"`",
            ),
            (
                "7",
                "1:1: error: `runner` must be a string or an object, not a number (hint: write `\"claude\"`",
            ),
            (r#"{"command": ["x"]}"#, "1:1: error: missing key `runner.type` (hint: add `\"type\": …`)"),
            (r#"{"type": "cluade"}"#, "1:10: error: `runner.type` must be one of `claude`"),
            (
                r#"{"type": "command", "command": "rm -rf"}"#,
                "1:32: error: `runner.command` must be an array of strings, not a string (hint: write an array",
            ),
            (
                r#"{"type": "command", "command": []}"#,
                "1:32: error: `runner.command` must name a program (hint:",
            ),
            (
                r#"{"type": "command", "command": [" "]}"#,
                "1:32: error: `runner.command` must name a program (hint:",
            ),
            (
                r#"{"type": "command", "command": ["x", 7]}"#,
                "1:38: error: `runner.command[1]` must be a string, not a number",
            ),
            (
                r#"{"type": "claude", "permissionMode": "plann"}"#,
                "1:38: error: `runner.permissionMode` must be a mode of `claude`, not `plann` (hint: did you mean `plan`?)",
            ),
            (
                r#"{"type": "copilot", "permissionMode": "x"}"#,
                "1:39: error: `copilot` has no permission modes (hint: pass its own options in `runner.args`)",
            ),
            (r#"{"type": "command"}"#, "1:1: error: missing key `runner.command` (hint: write an array"),
            (
                r#"{"type": "command", "command": ["x"], "comand": ["y"]}"#,
                "1:39: warning: unknown key `runner.comand` (hint: did you mean `command`?)",
            ),
            (
                r#"{"type": "http", "url": "file:///etc/passwd"}"#,
                "1:25: error: `runner.url` is not a URL of a server (hint: write one that starts",
            ),
            (r#"{"type": "http", "url": "http://"}"#, "1:25: error: `runner.url` is not a URL of a server"),
            (
                r#"{"type": "http", "url": "http://a", "headers": []}"#,
                "1:48: error: `runner.headers` must be an object of strings, not an array",
            ),
            (
                r#"{"type": "http", "url": "http://a", "headers": {"a": 1}}"#,
                "1:54: error: `runner.headers.a` must be a string, not a number",
            ),
        ] {
            let problems = read(text).unwrap_err();
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].starts_with(&format!("f.json:{problem}")), "{problems:?}");
        }
    }
}
