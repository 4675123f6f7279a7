//! Judges one tool call by its intent.

use std::collections::HashSet;

use event::{AbsPath, Access, ToolCall, ToolKind};
use shell::Reading;

use super::shell_targets::{ShellTargets, makes_temp_file, shell_targets};
use crate::{Intent, Located, Reach, Scope, Target, Violation};

/// Judges tool calls before they run.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The workspace and its protected files.
    pub scope: &'a Scope,
    /// The folder to which relative paths of the call refer.
    pub cwd: &'a AbsPath,
}

/// The judgement of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateJudgement {
    /// Whether the call may proceed.
    pub decision: GateDecision,
    /// The files it will touch, if known and in scope.
    pub touched: Vec<Touched>,
    /// The files below the system's temp folder that it will write.
    pub temp: Vec<String>,
}

/// A file of the workspace that a call will touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Its location.
    pub located: Located,
    /// The kind of access.
    pub access: Access,
}

/// Whether a call may proceed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDecision {
    /// The call may proceed.
    Pass,
    /// The call may proceed, but its changes cannot be known in advance: scan for them afterwards.
    UnknownWrites {
        /// The unknown part, for the question to the user.
        why: String,
        /// Whether it is a shell command; `strictShell` asks about those.
        by_shell: bool,
    },
    /// The call writes, and no intent is selected.
    NeedsIntent,
    /// The call writes files that the intent does not include; at least one.
    Violations(Vec<Violation>),
}

/// The specification's message for a write without an intent.
pub const NO_INTENT: &str = "No active intent selected. Please call select_active_intent first.";

/// The hint for [`NO_INTENT`].
pub const NO_INTENT_HINT: &str =
    "call list_intents for the ids, or ask a person to run `steersman intent select INT-001`";

/// After this many violations the rest of a call is not judged.
const MAX_VIOLATIONS: usize = 100;

impl Gate<'_> {
    /// Judges a call. `reading` is the analysis of its command line, if it has one.
    pub fn judge(
        &self,
        call: &ToolCall,
        reading: Option<&Reading>,
        intent: Option<&Intent>,
    ) -> GateJudgement {
        let by_shell = call.command.is_some() || call.kind == ToolKind::Shell;
        let mut found = self.named(call);
        match reading {
            Some(reading) if by_shell && self.only_reads(reading) => {}
            Some(reading) if by_shell => {
                let ShellTargets { targets, unknown } = shell_targets(reading, self.cwd, intent, self.scope);
                found.extend(targets);
                return self.decide(&found, Some(unknown), by_shell, intent);
            }
            None if by_shell => {
                let unknown = vec!["the effects of the command are unknown".to_owned()];
                return self.decide(&found, Some(unknown), by_shell, intent);
            }
            _ => {}
        }
        if found.is_empty() {
            return match call.kind {
                // A writing tool whose paths are unknown.
                ToolKind::Write => {
                    let unknown = vec![format!("the files that `{}` writes are unknown", call.name)];
                    self.decide(&[], Some(unknown), false, intent)
                }
                ToolKind::Unknown | ToolKind::Mcp { .. } => {
                    let why = format!("the effects of `{}` are unknown", call.name);
                    GateJudgement {
                        decision: GateDecision::UnknownWrites { why, by_shell: false },
                        touched: Vec::new(),
                        temp: Vec::new(),
                    }
                }
                _ => GateJudgement { decision: GateDecision::Pass, touched: Vec::new(), temp: Vec::new() },
            };
        }
        self.decide(&found, None, by_shell, intent)
    }

    /// Returns whether a command line changes nothing that this scope forbids.
    fn only_reads(&self, reading: &Reading) -> bool {
        reading.is_read_only() && (self.scope.permits_temp_writes() || !makes_temp_file(reading))
    }

    /// Returns the paths that the call's input names for writing.
    fn named(&self, call: &ToolCall) -> Vec<Target> {
        let writing = call.touches.iter().filter(|touch| touch.access != Access::Read);
        // Deleting a folder deletes everything in it.
        writing.map(|touch| Target::new(&touch.path, self.cwd, touch.access, Reach::Itself)).collect()
    }

    fn decide(
        &self,
        targets: &[Target],
        unknown: Option<Vec<String>>,
        by_shell: bool,
        intent: Option<&Intent>,
    ) -> GateJudgement {
        let Some(intent) = intent else {
            return GateJudgement {
                decision: GateDecision::NeedsIntent,
                touched: Vec::new(),
                temp: Vec::new(),
            };
        };
        let (mut touched, mut violations, mut temp) = (Vec::new(), Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        // Those that no pattern matches come first: of many files the last may be the one out of scope, and
        // resolving each takes time.
        let (first, last): (Vec<&Target>, Vec<&Target>) = targets
            .iter()
            .filter(|target| seen.insert((&target.raw, target.access as u8, target.reach)))
            .partition(|target| !self.scope.may_match(target, intent));
        for target in first.into_iter().chain(last) {
            if self.scope.is_temp_file(target) {
                temp.push(target.shown.clone());
                continue;
            }
            if violations.len() >= MAX_VIOLATIONS {
                break;
            }
            match self.scope.check(target, intent) {
                Ok(located) => touched.push(Touched { located, access: target.access }),
                Err(violation) if violations.contains(&violation) => {}
                Err(violation) => violations.push(violation),
            }
        }
        let decision = match unknown {
            _ if !violations.is_empty() => GateDecision::Violations(violations),
            Some(reasons) if !reasons.is_empty() => {
                GateDecision::UnknownWrites { why: reasons.join("; "), by_shell }
            }
            _ => GateDecision::Pass,
        };
        GateJudgement { decision, touched, temp }
    }
}

impl GateDecision {
    /// Returns the message for the agent if the call may not proceed.
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Pass | Self::UnknownWrites { .. } => None,
            Self::NeedsIntent => Some(format!("{NO_INTENT}\nhint: {NO_INTENT_HINT}")),
            Self::Violations(violations) => {
                Some(violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
            }
        }
    }
}
