//! `.ai/hooks/followup-rules.json`: reactions to events.

use std::collections::BTreeSet;
use std::path::Path;

use automation::AutomationId;
use config_file::nearest;
use event::EventName;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{FileError, Format, ModuleName, parse_json};

use crate::condition::{Condition, walk};
use crate::shell_field;

/// The follow-up rules; steersman carries out every rule whose conditions hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct FollowupRules {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The JSON Schema for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The rules, in order.
    pub rules: Vec<FollowupRule>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FollowupRule {
    /// Names the rule in journals and cooldowns.
    pub id: String,
    /// Its events, `PreToolUse` and `PostToolUse`; empty is both, or only the first for `ask`, `deny` and `rewrite`.
    #[serde(default)]
    pub events: Vec<String>,
    /// The conditions; all must hold.
    pub when: Vec<Condition>,
    /// The reaction.
    pub action: FollowupAction,
    /// Limits how often it fires.
    #[serde(default)]
    pub cooldown: Cooldown,
    /// Events the rule fires on, as `{event, input, state}`; checked when the file is loaded.
    #[serde(default, rename = "match")]
    pub matches: Vec<Value>,
    /// Events the rule does not fire on; checked when the file is loaded.
    #[serde(default, rename = "not_match")]
    pub not_matches: Vec<Value>,
}

/// The reaction of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FollowupAction {
    /// Adds text for the model.
    InjectContext {
        /// The text.
        text: String,
    },
    /// Warns the user.
    Warn {
        /// The text.
        text: String,
    },
    /// Asks the user about the call.
    Ask {
        /// Why, and what to do instead.
        text: String,
    },
    /// Denies the call.
    Deny {
        /// Why, and what to do instead.
        text: String,
    },
    /// Runs the call with another value of one key; counts only if the manifest's `rewriteOwner` is `rules`.
    Rewrite {
        /// The key of the tool's input, such as `command`.
        key: String,
        /// A regular expression; without one the whole value is replaced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
        /// The new value, or the replacement of each match, in which `$1` is the first group.
        value: String,
    },
    /// Queues a run of an automation.
    EnqueueAutomation {
        /// The automation's id.
        automation: String,
    },
}

/// Limits how often a rule fires.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Cooldown {
    /// Once per session or per piece of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once_per: Option<OncePer>,
    /// Not again within this many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// The period in which a rule fires once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OncePer {
    /// A session.
    Session,
    /// A piece of work.
    Work,
}

/// The events that a rule may have.
const EVENTS: [EventName; 2] = [EventName::PreToolUse, EventName::PostToolUse];

/// The place of a problem, the problem, and a hint.
pub(crate) type Mistake = (String, String, String);

/// Returns a mistake with its line and column.
pub(crate) fn placed(path: &Path, text: &[u8], (pointer, problem, hint): Mistake) -> FileError {
    let error = FileError::about(path, text, &pointer, problem);
    if hint.is_empty() { error } else { error.with_hint(hint) }
}

impl FollowupRules {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Parses rules, validates them, and checks each against its own examples.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, FileError> {
        let rules: Self = parse_json(path, text, Self::FORMAT)?;
        rules.check().map_err(|mistake| placed(path, text, mistake))?;
        Ok(rules)
    }

    fn check(&self) -> Result<(), Mistake> {
        let mut ids = BTreeSet::new();
        for (index, rule) in self.rules.iter().enumerate() {
            rule.check(index, &mut ids)?;
            rule.check_examples(index)?;
        }
        Ok(())
    }
}

impl FollowupRule {
    /// Returns whether the rule applies to this event.
    pub fn looks_at(&self, event: EventName) -> bool {
        if self.events.is_empty() {
            let is_after = event == EventName::PostToolUse && !self.action.is_about_coming_call();
            return event == EventName::PreToolUse || is_after;
        }
        self.events.iter().any(|name| name == event.as_str())
    }

    /// Checks everything but the examples. `ids` are those of the rules before it.
    pub(crate) fn check<'a>(&'a self, index: usize, ids: &mut BTreeSet<&'a str>) -> Result<(), Mistake> {
        let at = |key: &str| format!("/rules/{index}/{key}");
        if ModuleName::new(&self.id).is_none() {
            let hint = "letters, digits, `.`, `_` and `-`, 64 at most".to_owned();
            return Err((at("id"), format!("invalid rule id `{}`", self.id), hint));
        }
        if !ids.insert(&self.id) {
            return Err((at("id"), format!("duplicate rule `{}`", self.id), String::new()));
        }
        for (index, name) in self.events.iter().enumerate() {
            let place = || at(&format!("events/{index}"));
            let Some(event) = EVENTS.into_iter().find(|event| event.as_str() == name) else {
                let hint =
                    nearest(name, EVENTS.map(EventName::as_str)).unwrap_or("PreToolUse or PostToolUse");
                return Err((
                    place(),
                    format!("a rule cannot apply to `{name}`"),
                    format!("did you mean `{hint}`?"),
                ));
            };
            if event != EventName::PreToolUse && self.action.is_about_coming_call() {
                let hint = format!("{} at `PreToolUse`, or use `warn`", self.action.name());
                let problem = format!("cannot {} a call that has ended", self.action.verb());
                return Err((place(), problem, hint));
            }
        }
        for (index, condition) in self.when.iter().enumerate() {
            if let Some((part, problem)) = condition.fault() {
                let hint = "`event.toolName`, `input.command`, `state.core.phase`".to_owned();
                let hint = if part == "field" { hint } else { String::new() };
                return Err((at(&format!("when/{index}/{part}")), problem, hint));
            }
        }
        if let FollowupAction::EnqueueAutomation { automation } = &self.action {
            AutomationId::new(automation)
                .map_err(|error| (at("action/automation"), error.to_string(), String::new()))?;
        }
        if let FollowupAction::Rewrite { pattern: Some(pattern), .. } = &self.action {
            regex_lite::Regex::new(pattern).map_err(|error| {
                (at("action/pattern"), format!("not a regular expression: {error}"), String::new())
            })?;
        }
        Ok(())
    }

    /// Checks the rule against its own examples.
    pub(crate) fn check_examples(&self, rule: usize) -> Result<(), Mistake> {
        let examples = [("match", &self.matches, true), ("not_match", &self.not_matches, false)];
        for (key, examples, expected) in examples {
            for (index, example) in examples.iter().enumerate() {
                if self.fires_on(example) != expected {
                    let verb = if expected { "does not fire" } else { "fires" };
                    let problem = format!("rule `{}` {verb} on this example of `{key}`", self.id);
                    let hint =
                        "fix the rule or the example; an example is `{event, input, state}`".to_owned();
                    return Err((format!("/rules/{rule}/{key}/{index}"), problem, hint));
                }
            }
        }
        Ok(())
    }

    /// Returns whether the rule fires on an example.
    fn fires_on(&self, example: &Value) -> bool {
        let event = walk(example, "event.name").and_then(Value::as_str);
        let event = event.map(EventName::from_contract);
        event.is_none_or(|event| event.is_some_and(|event| self.looks_at(event)))
            && self.when.iter().all(|condition| condition.holds(|path| field_of(example, path)))
    }
}

/// Returns a field of an example. Those of the command line are read from it, unless the example has them.
fn field_of(example: &Value, path: &str) -> Option<Value> {
    if let Some(found) = walk(example, path) {
        return Some(found.clone());
    }
    let name = path.strip_prefix("shell.")?;
    let command = walk(example, "event.command").or_else(|| walk(example, "input.command"));
    shell_field::of_example(command?.as_str()?, name)
}

impl FollowupAction {
    /// Returns its name in the file and in records.
    pub fn name(&self) -> &'static str {
        match self {
            Self::InjectContext { .. } => "inject_context",
            Self::Warn { .. } => "warn",
            Self::Ask { .. } => "ask",
            Self::Deny { .. } => "deny",
            Self::Rewrite { .. } => "rewrite",
            Self::EnqueueAutomation { .. } => "enqueue_automation",
        }
    }

    /// Returns the name with the preposition before its object.
    fn verb(&self) -> &'static str {
        if matches!(self, Self::Ask { .. }) { "ask about" } else { self.name() }
    }

    /// Returns whether it holds a call back.
    pub fn is_guard(&self) -> bool {
        matches!(self, Self::Ask { .. } | Self::Deny { .. })
    }

    /// Returns whether it decides about a call that has not started.
    fn is_about_coming_call(&self) -> bool {
        matches!(self, Self::Ask { .. } | Self::Deny { .. } | Self::Rewrite { .. })
    }

    /// Returns the key that a `rewrite` replaces in a tool's input, with its new value. Returns `None` for another action,
    /// for a key whose value is no string, and if nothing changes.
    pub fn rewritten(&self, input: &Value) -> Option<(String, Value)> {
        let Self::Rewrite { key, pattern, value } = self else { return None };
        let before = input.get(key)?.as_str()?;
        let after = match pattern {
            None => value.clone(),
            Some(pattern) => {
                regex_lite::Regex::new(pattern).ok()?.replace_all(before, value.as_str()).into_owned()
            }
        };
        (after != before).then(|| (key.clone(), after.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parse(rule: &Value) -> Result<FollowupRules, String> {
        let text = json!({"rules": [rule]}).to_string();
        FollowupRules::parse(Path::new("r.json"), text.as_bytes()).map_err(|error| error.to_string())
    }

    fn rule(more: &Value) -> Value {
        let mut rule = json!({
            "id": "a", "when": [{"field": "input.command", "op": "matches", "value": "npm"}],
            "action": {"type": "warn", "text": "pnpm"},
        });
        rule.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        rule
    }

    #[test]
    fn a_rule_whose_examples_hold_is_read() {
        let examples = json!({
            "match": [{"input": {"command": "npm i"}}],
            "not_match": [{"input": {"command": "ls"}}, {"event": {"name": "Stop"}, "input": {"command": "npm i"}}],
        });
        assert_eq!(parse(&rule(&examples)).unwrap().rules.len(), 1);
    }

    #[test]
    fn a_mistake_is_reported_with_its_place() {
        for (more, told) in [
            (
                json!({"match": [{"input": {"command": "ls"}}]}),
                "rule `a` does not fire on this example of `match`",
            ),
            (
                json!({"not_match": [{"input": {"command": "npm"}}]}),
                "rule `a` fires on this example of `not_match`",
            ),
            (json!({"events": ["PostTooluse"]}), "hint: did you mean `PostToolUse`?"),
            (
                json!({"events": ["PostToolUse"], "action": {"type": "ask", "text": "x"}}),
                "hint: ask at `PreToolUse`",
            ),
            (json!({"when": [{"field": "tool", "op": "exists"}]}), "unknown field `tool`"),
            (
                json!({"when": [{"field": "input.x", "op": "matches", "value": "("}]}),
                "not a regular expression",
            ),
            (json!({"when": [{"field": "input.x", "op": "equals"}]}), "unknown variant `equals`"),
            (json!({"action": {"type": "enqueue_automation", "automation": ""}}), "column"),
            (json!({"id": "a b"}), "invalid rule id `a b`"),
        ] {
            let error = parse(&rule(&more)).unwrap_err();
            assert!(error.contains(told) && error.contains("line 1, column"), "{error}");
        }
    }

    #[test]
    fn a_rule_matches_what_a_command_does_not_how_it_is_spelled() {
        let rule = rule(&json!({
            "when": [{"field": "shell.program", "op": "eq", "value": "npm"}, {"field": "shell.network", "op": "eq", "value": true}],
            "action": {"type": "deny", "text": "pnpm"},
            "match": [{"event": {"command": "cd web && env CI=1 npm install left-pad"}}, {"input": {"command": "npm i x"}}],
            "not_match": [{"event": {"command": "echo npm install"}}, {"event": {"command": "npm --version"}}],
        }));
        parse(&rule).unwrap();
        let writes = json!({
            "id": "a", "action": {"type": "warn", "text": "x"},
            "when": [{"field": "shell.writes", "op": "matches", "value": "^src/"}, {"field": "shell.class", "op": "neq", "value": "read-only"}],
            "match": [{"event": {"command": "cd src && touch a.rs"}}],
            "not_match": [{"event": {"command": "cat src/a.rs > /tmp/b"}}],
        });
        parse(&writes).unwrap();
        let unknown = parse(&json!({
            "id": "a", "action": {"type": "warn", "text": "x"}, "when": [{"field": "shell.programs", "op": "exists"}],
        }));
        assert!(unknown.unwrap_err().contains("`shell.program`"));
    }

    #[test]
    fn a_rewrite_replaces_the_matches_of_its_pattern() {
        let action = |pattern: Value| {
            let action = json!({"type": "rewrite", "key": "command", "pattern": pattern, "value": "pnpm$1"});
            parse(&rule(&json!({ "action": action }))).map(|rules| rules.rules[0].action.clone())
        };
        let input = json!({"command": "npm ci && npm test", "other": 1});
        let rewritten = action(json!("\\bnpm( ci)?")).unwrap().rewritten(&input);
        assert_eq!(rewritten, Some(("command".to_owned(), json!("pnpm ci && pnpm test"))));
        assert_eq!(action(json!("yarn")).unwrap().rewritten(&input), None);
        assert!(action(json!("(")).unwrap_err().contains("not a regular expression"));
    }

    #[test]
    fn an_ask_applies_only_before_the_call() {
        let asks = &parse(&rule(&json!({"action": {"type": "ask", "text": "x"}}))).unwrap().rules[0];
        assert!(asks.looks_at(EventName::PreToolUse) && !asks.looks_at(EventName::PostToolUse));
    }
}
