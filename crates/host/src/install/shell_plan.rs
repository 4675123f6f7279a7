//! The settings that put steersman in front of a host's shell: one variable in one file.
//!
//! A variable that the user set to something else is the user's own and stays.

use config_file::jsonc::{Object, Value};
use serde_json::json;

use super::document::{Document, last, misshapen, split_mark};
use super::edit_error::EditError;
use super::insert::{Item, Level, append};
use super::layout::Layout;
use super::remove::{came_with_their_only_item, remove};
use super::unregister::{Removed, says_nothing};
use super::usage_evidence::Root;
use super::{shell_env_line, shell_env_toml};
use crate::Host;
use crate::shell_entry::{BASH_ENV_VARIABLE, PREFIX_VARIABLE};

/// The file of a host in which a variable puts steersman in front of its shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShellPlan {
    /// The host.
    pub host: Host,
    /// The folder to which the file is relative; `None` is the folder of administrators' settings.
    pub root: Option<Root>,
    /// The file, with `/`.
    pub file: &'static str,
    /// The variable.
    pub variable: &'static str,
    form: Form,
}

/// How the file sets a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `"env": {"NAME": "value"}`
    Json,
    /// `[shell_environment_policy.set]`
    Toml,
    /// `NAME=value`
    Line,
}

/// The value that a file gives the variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShellSetting {
    /// Nothing.
    Missing,
    /// Our program at this path.
    Ours(String),
    /// Something else.
    Foreign(String),
}

const CLAUDE: ShellPlan = ShellPlan {
    host: Host::ClaudeCode,
    // WHY not the settings that are committed: on a machine without steersman every command would fail.
    root: Some(Root::Workspace),
    file: ".claude/settings.local.json",
    variable: PREFIX_VARIABLE,
    form: Form::Json,
};

const CODEX: ShellPlan = ShellPlan {
    host: Host::Codex,
    root: Some(Root::Home),
    file: ".codex/config.toml",
    variable: BASH_ENV_VARIABLE,
    form: Form::Toml,
};

const GEMINI: ShellPlan = ShellPlan {
    host: Host::Gemini,
    root: Some(Root::Home),
    file: ".gemini/.env",
    variable: BASH_ENV_VARIABLE,
    form: Form::Line,
};

impl ShellPlan {
    /// The plans of a project. Codex and Gemini CLI take such a variable only from the user's own settings.
    pub const PROJECT: [Self; 3] = [CLAUDE, CODEX, GEMINI];

    /// The plans of `init --user`.
    pub const USER: [Self; 3] =
        [Self { root: Some(Root::Home), file: ".claude/settings.json", ..CLAUDE }, CODEX, GEMINI];

    /// The plan of `init --managed`: a project's settings cannot switch it off.
    pub const MANAGED: [Self; 1] =
        [Self { root: None, file: super::managed_plans::CLAUDE_SETTINGS.file, ..CLAUDE }];

    /// The settings of a project that are committed: `init` leaves them alone, but a value there beats the user's own.
    pub const COMMITTED: Self = Self { file: ".claude/settings.json", ..CLAUDE };

    /// Returns what a string sets the variable to.
    pub fn found_in(&self, text: &str) -> Result<ShellSetting, EditError> {
        let (_, body) = split_mark(text);
        let value = match self.form {
            Form::Json if body.trim().is_empty() => None,
            Form::Json => {
                let document = Document::parse(body)?;
                let value = variables(&document)?.and_then(|env| last(env, self.variable)).cloned();
                value.map(|value| {
                    value.as_string_lit().map_or_else(String::new, |text| text.value.to_string())
                })
            }
            Form::Toml => shell_env_toml::value(body, self.variable)?,
            Form::Line => shell_env_line::value(body, self.variable),
        };
        Ok(match value {
            None => ShellSetting::Missing,
            Some(path) if is_ours(&path) => ShellSetting::Ours(path),
            Some(other) => ShellSetting::Foreign(other),
        })
    }

    /// Returns the file with the variable set to `path`. Idempotent. A foreign value stays.
    pub fn register(&self, existing: Option<&str>, path: &str) -> Result<String, EditError> {
        let text = existing.unwrap_or_default();
        let (mark, body) = split_mark(text);
        let old = match self.found_in(text)? {
            ShellSetting::Foreign(_) => return Ok(text.to_owned()),
            ShellSetting::Ours(old) if old == path => return Ok(text.to_owned()),
            ShellSetting::Ours(old) => Some(old),
            ShellSetting::Missing => None,
        };
        let edited = match (old, self.form) {
            (Some(old), _) => body.replacen(&escaped(&old), &escaped(path), 1),
            (None, Form::Json) => self.with_json(body, path)?,
            (None, Form::Toml) => shell_env_toml::with(body, self.variable, path)?,
            (None, Form::Line) => shell_env_line::with(body, self.variable, path),
        };
        Ok(format!("{mark}{edited}"))
    }

    /// Returns the file without our value.
    pub fn unregister(&self, existing: &str) -> Result<Removed, EditError> {
        let (mark, body) = split_mark(existing);
        let ShellSetting::Ours(path) = self.found_in(existing)? else { return Ok(Removed::Nothing) };
        let text = match self.form {
            Form::Json => self.without_json(body)?,
            Form::Toml => shell_env_toml::without(body, self.variable, &path)?,
            Form::Line => shell_env_line::without(body, self.variable, &path),
        };
        let nothing_left = match self.form {
            Form::Json => says_nothing(&Document::parse(&text)?, &[]),
            Form::Toml | Form::Line => text.trim().is_empty(),
        };
        let text = format!("{mark}{text}");
        Ok(if nothing_left { Removed::OnlyOurs { left: text } } else { Removed::Text(text) })
    }

    fn with_json(&self, body: &str, path: &str) -> Result<String, EditError> {
        let all = json!({self.variable: path});
        if body.trim().is_empty() {
            return Ok(format!("{}\n", Layout::default().block(&json!({ENV: all}), "")));
        }
        let document = Document::parse(body)?;
        let layout = Layout::of(&document);
        Ok(match variables(&document)? {
            Some(env) => {
                append(body, &env.into(), Item::Property(self.variable, &json!(path)), &layout, Level::Inner)
            }
            None => append(body, &(&document.root).into(), Item::Property(ENV, &all), &layout, Level::File),
        })
    }

    fn without_json(&self, body: &str) -> Result<String, EditError> {
        let document = Document::parse(body)?;
        let Some(env) = variables(&document)? else { return Ok(body.to_owned()) };
        let at = env.properties.iter().rposition(|property| property.name.as_str() == self.variable);
        let whole = document.root.properties.iter().rposition(|property| property.name.as_str() == ENV);
        Ok(match (at, whole) {
            (Some(_), Some(whole)) if came_with_their_only_item(body, &env.into()) => {
                remove(body, &(&document.root).into(), whole)
            }
            (Some(at), _) => remove(body, &env.into(), at),
            (None, _) => body.to_owned(),
        })
    }
}

/// The key of the variables in Claude Code's settings.
const ENV: &str = "env";

fn variables<'o, 'a>(document: &'o Document<'a>) -> Result<Option<&'o Object<'a>>, EditError> {
    match last(&document.root, ENV) {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(misshapen(document.text, "`env`", "an object", other)),
    }
}

/// Returns whether a path is that of a file with which `init` puts steersman in front of a shell.
fn is_ours(path: &str) -> bool {
    path.ends_with("/steersman-shell") || path.ends_with("/shell/bash-env")
}

/// Returns a path as JSON and TOML write it in quotes; paths rarely need it.
fn escaped(path: &str) -> String {
    path.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "/home/u/.local/state/steersman/shell/steersman-shell";

    fn plans() -> impl Iterator<Item = (ShellPlan, &'static [&'static str], &'static str)> {
        let json: &[&str] = &[
            "{}",
            "{\n  \"env\": {\n    \"A\": \"1\"\n  }\n}\n",
            "{\n  // mine\n  \"hooks\": {}\n}\n",
            "{\"env\": {}}",
            "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        ];
        let toml: &[&str] = &[
            "model = \"x\"\n",
            "model = \"x\"",
            "[shell_environment_policy]\ninherit = \"all\"\n\n[mcp_servers.a]\ncommand = \"b\"\n",
            "[shell_environment_policy.set]\nA = \"1\"\n",
            "# mine\n",
        ];
        let line: &[&str] = &["A=1\n", "A=1", "# mine\nB='x'\n"];
        [
            (CLAUDE, json, "{\"env\": {\"CLAUDE_CODE_SHELL_PREFIX\": \"/opt/wrap\"}}"),
            (CODEX, toml, "[shell_environment_policy.set]\nBASH_ENV = \"/opt/env\"\n"),
            (GEMINI, line, "BASH_ENV=/opt/env\n"),
        ]
        .into_iter()
    }

    #[test]
    fn a_variable_is_set_once_and_removed_without_a_trace() {
        for (plan, texts, foreign) in plans() {
            for before in texts {
                let once = plan.register(Some(before), PATH).unwrap();
                assert_eq!(plan.found_in(&once).unwrap(), ShellSetting::Ours(PATH.into()), "{once}");
                assert_eq!(plan.register(Some(&once), PATH).unwrap(), once);
                let after = match plan.unregister(&once).unwrap() {
                    Removed::Text(text) | Removed::OnlyOurs { left: text } => text,
                    Removed::Nothing => panic!("{once}"),
                };
                assert_eq!(after, *before, "{once}");
                // Another home.
                let moved = plan.register(Some(&once), "/x/steersman/shell/bash-env").unwrap();
                let moved = plan.found_in(&moved).unwrap();
                assert_eq!(moved, ShellSetting::Ours("/x/steersman/shell/bash-env".into()));
            }
            let new = plan.register(None, PATH).unwrap();
            assert!(matches!(plan.unregister(&new).unwrap(), Removed::OnlyOurs { .. }), "{new}");
            // A value of the user's own stays.
            assert!(matches!(plan.found_in(foreign).unwrap(), ShellSetting::Foreign(_)));
            assert_eq!(plan.register(Some(foreign), PATH).unwrap(), foreign);
            assert_eq!(plan.unregister(foreign).unwrap(), Removed::Nothing);
        }
        assert!(CLAUDE.register(Some("{\"env\": 1}"), PATH).is_err());
        assert!(CODEX.register(Some("[x"), PATH).is_err());
    }
}
