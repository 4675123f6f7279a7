//! Finds the rule of the policy for a call.

use event::ToolCall;
use fast_glob::glob_match;
use project_config::{DelegationRule, Exemptions, RlmPolicy};
use session::recorded_input::short;

use super::breadth;
use crate::Context;

/// A rule that applies to a call.
pub(super) struct Hit<'a> {
    /// The rule.
    pub rule: &'a DelegationRule,
    /// The name of the tool.
    pub tool: String,
}

/// Returns the strictest rule that applies to the call; the first of equally strict ones.
pub(super) fn strictest<'a>(
    context: &Context<'_>,
    policy: &'a RlmPolicy,
    call: &ToolCall,
) -> Option<Hit<'a>> {
    let input = Input::new(context, call);
    if policy.rules.is_empty() || input.reads_findings() || input.is_exempt(&policy.exempt) {
        return None;
    }
    let mut strictest: Option<&DelegationRule> = None;
    for rule in &policy.rules {
        let is_stricter = strictest.is_none_or(|so_far| rule.mode > so_far.mode);
        if is_stricter && input.falls_under(rule) {
            strictest = Some(rule);
        }
    }
    strictest.map(|rule| Hit { rule, tool: short(&call.name).into_owned() })
}

/// Words the rule and the alternative for the model.
pub(super) fn sentence(hit: &Hit<'_>) -> String {
    let rule = hit.rule;
    let who = rule
        .agent_type
        .as_deref()
        .map_or_else(|| "a subagent".to_owned(), |role| format!("a subagent (`{role}`)"));
    let why = rule.reason.as_deref().map(|reason| format!(" {}", reason.trim())).unwrap_or_default();
    format!(
        "`{}` belongs to {who} here (rule `{}` of rlm-policy.json).{why} Instead: start {who} with this task and \
         ask it to write what it finds into the folder it is given; then read from there what you need.",
        hit.tool, rule.id
    )
}

/// A call and the properties that rules test, each computed at most once.
struct Input<'a> {
    context: &'a Context<'a>,
    call: &'a ToolCall,
    text: std::cell::OnceCell<String>,
    reads: std::cell::OnceCell<usize>,
}

impl<'a> Input<'a> {
    fn new(context: &'a Context<'_>, call: &'a ToolCall) -> Self {
        Self { context, call, text: std::cell::OnceCell::new(), reads: std::cell::OnceCell::new() }
    }

    /// Cheap tests first: a pattern is compiled only if all other conditions match.
    fn falls_under(&self, rule: &DelegationRule) -> bool {
        let phase = self.context.state.core.phase();
        let breadth_fits = || {
            let least = rule.breadth;
            least.is_none_or(|least| breadth::of(self.context, self.call).is_some_and(|it| it >= least))
        };
        let read_enough = || {
            let looked = || *self.reads.get_or_init(|| breadth::reads_so_far(self.context));
            rule.after_reads.is_none_or(|limit| looked() >= usize::try_from(limit).unwrap_or(usize::MAX))
        };
        (rule.tools.is_empty() || self.is_tool(&rule.tools))
            && (rule.phases.is_empty() || rule.phases.iter().any(|name| name == phase.as_str()))
            && breadth_fits()
            && !self.is_exempt(&rule.exempt)
            && read_enough()
            && rule.pattern.as_deref().is_none_or(|pattern| self.has(pattern))
    }

    fn is_exempt(&self, exempt: &Exemptions) -> bool {
        self.is_tool(&exempt.tools)
            || self.lies_in(&exempt.paths)
            || exempt.pattern.as_deref().is_some_and(|pattern| self.has(pattern))
    }

    /// Returns whether the call only reads results of subagents, which the rules recommend to read.
    fn reads_findings(&self) -> bool {
        let Ok(feature) = super::feature(self.context) else { return false };
        let folder = self.context.folder();
        let is_result = |touch: &event::Touch| {
            touch.access == event::Access::Read && folder.join(&touch.path).below(&feature.output).is_ok()
        };
        !self.call.touches.is_empty() && self.call.touches.iter().all(is_result)
    }

    fn is_tool(&self, tools: &[String]) -> bool {
        tools.iter().any(|tool| *tool == self.call.kind.as_str() || glob_match(tool, &self.call.name))
    }

    fn lies_in(&self, globs: &[String]) -> bool {
        let root = self.context.workspace.root();
        let folder = self.context.folder();
        let fits = |path: &str| {
            let below = folder.join(path).below(root);
            below.is_ok_and(|path| globs.iter().any(|glob| glob_match(glob, path.as_str())))
        };
        !globs.is_empty()
            && !self.call.touches.is_empty()
            && self.call.touches.iter().all(|touch| fits(&touch.path))
    }

    fn has(&self, pattern: &str) -> bool {
        project_config::matches(pattern, self.text.get_or_init(|| self.call.input.to_string()))
    }
}
