//! Puts rules, levels and exceptions together to a verdict.

use super::RuleId;
use super::paths::{self, Zoned};
use super::policy::Policy;
use super::rule::Level;
use crate::reading::{Concern, Origin, Reading, Span};

/// The decision of the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardDecision {
    /// No rule objects.
    Allow,
    /// The user should be asked.
    Ask,
    /// It must not run.
    Deny,
}

impl GuardDecision {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A rule that fits, and its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of the rule.
    pub rule: RuleId,
    /// Its level under the policy.
    pub level: Level,
    /// The reason, with its object.
    pub text: String,
    /// A safer way.
    pub hint: &'static str,
    /// Where in the line.
    pub span: Span,
}

/// The verdict and its reasons, strictest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardJudgement {
    /// The decision.
    pub verdict: GuardDecision,
    /// The rules that fit; for an allowed line only warnings.
    pub reasons: Vec<Finding>,
}

/// Judges a reading.
pub fn judge(reading: &Reading, policy: &Policy) -> GuardJudgement {
    let mut findings = Findings { reading, policy, reasons: Vec::new() };
    if !reading.parsed {
        let stop = reading.stopped_at.as_ref();
        let at = stop.map_or(0, |stop| stop.at);
        findings.add(RuleId::Unreadable, stop.map_or("", |stop| stop.what), Span::new(at, at), None);
    }
    for used in &reading.deletes {
        if let Some(hit) = paths::deleted(used, reading) {
            findings.add(hit.rule, &hit.about, used.span, Some(used.command));
        }
    }
    for used in reading.writes.iter().chain(&reading.creates) {
        if let Some(hit) = paths::written(used, reading) {
            findings.add(hit.rule, &hit.about, used.span, Some(used.command));
        }
    }
    for used in &reading.reads {
        if let Some(hit) = paths::read(used, reading) {
            findings.add(hit.rule, &hit.about, used.span, Some(used.command));
        }
    }
    for risk in &reading.risks {
        let rule = match risk.concern {
            // Output that no reader sees, or of which only harmless lines are left, shows nothing.
            Concern::Rule(RuleId::SecretShown) if !super::shown::is_shown(reading, risk.command) => continue,
            Concern::Rule(rule) => rule,
            // Changing a whole tree matters only by whose it is.
            Concern::PermissionsOfTree if paths::tree(&risk.about, reading) == Zoned::Ours => continue,
            Concern::PermissionsOfTree => RuleId::PermissionsOutside,
            Concern::OwnerOfTree if paths::tree(&risk.about, reading) == Zoned::NotOurs => {
                RuleId::PermissionsOutside
            }
            // Folders of the workspace are the user's already.
            Concern::OwnerOfTree if risk.about != reading.workspace => continue,
            Concern::OwnerOfTree => RuleId::OwnerTree,
        };
        findings.add(rule, &risk.about, risk.span, risk.command);
    }
    findings.close()
}

struct Findings<'a> {
    reading: &'a Reading,
    policy: &'a Policy,
    reasons: Vec<Finding>,
}

impl Findings<'_> {
    fn add(&mut self, id: RuleId, about: &str, span: Span, command: Option<usize>) {
        let rule = super::rule(id);
        let level = self.policy.level(id, rule.level);
        if level == Level::Off {
            return;
        }
        let command = command.and_then(|index| self.reading.commands.get(index));
        if !self.policy.exceptions.is_empty()
            && command.is_some_and(|command| self.policy.excepts(id, &command.line()))
        {
            return;
        }
        let mut text = rule.why.to_owned();
        if !about.is_empty() {
            text.push_str(": `");
            text.extend(about.chars().take(120));
            text.push('`');
        }
        if let Some(Origin::Script(name)) = command.map(|command| &command.origin) {
            text.push_str(" (in ");
            text.push_str(name);
            text.push(')');
        }
        if self.reasons.len() < 32 && !self.reasons.iter().any(|known| known.rule == id && known.text == text)
        {
            self.reasons.push(Finding { rule: id, level, text, hint: rule.hint, span });
        }
    }

    fn close(mut self) -> GuardJudgement {
        self.reasons.sort_by_key(|finding| std::cmp::Reverse(finding.level));
        let verdict = match self.reasons.first().map(|finding| finding.level) {
            Some(Level::Deny) => GuardDecision::Deny,
            Some(Level::Ask) => GuardDecision::Ask,
            Some(Level::Warn | Level::Off) | None => GuardDecision::Allow,
        };
        GuardJudgement { verdict, reasons: self.reasons }
    }
}
