//! The judgement of one tool call.

use event::{AbsPath, Access, ToolCall, ToolKind};
use shell::Reading;

use super::shell_targets::{ShellTargets, shell_targets};
use crate::{Intent, Located, Reach, Scope, Target, Violation};

/// What stands between a tool call and the files.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The workspace and what nobody may write in it.
    pub scope: &'a Scope,
    /// The folder relative paths of the call are meant from.
    pub cwd: &'a AbsPath,
}

/// What was made of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it may go on.
    pub decision: GateDecision,
    /// The files it is going to touch, as far as they are known and in scope.
    pub touched: Vec<Touched>,
}

/// A file of the workspace that a call is going to touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Where it is.
    pub located: Located,
    /// What is done there.
    pub access: Access,
}

/// Whether a call may go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GateDecision {
    /// Nothing speaks against it.
    Pass,
    /// It may go on, but what it changes cannot be known beforehand: look afterwards.
    UnknownWrites {
        /// What could not be known, for a person who is asked.
        why: String,
        /// Whether a shell would run it; `strictShell` asks about those.
        by_shell: bool,
    },
    /// It writes, and no intent is selected.
    NeedsIntent,
    /// It writes where the intent does not include it; at least one.
    Violations(Vec<Violation>),
}

/// The document's words for a write without an intent.
pub const NO_INTENT: &str = "No active intent selected. Please call select_active_intent first.";

/// What to do about that.
pub const NO_INTENT_HINT: &str =
    "call list_intents for the ids, or ask a person to run `steersman intent select INT-001`";

impl Gate<'_> {
    /// Judges a call. `reading` is what its command line does, for calls that have one.
    pub fn judge(&self, call: &ToolCall, reading: Option<&Reading>, intent: Option<&Intent>) -> Judgement {
        let by_shell = call.command.is_some() || call.kind == ToolKind::Shell;
        let mut found = self.named(call);
        match reading {
            Some(reading) if by_shell && reading.is_read_only() => {}
            Some(reading) if by_shell => {
                let ShellTargets { targets, unknown } = shell_targets(reading, self.cwd, intent, self.scope);
                found.extend(targets);
                return self.decide(&found, Some(unknown), by_shell, intent);
            }
            None if by_shell => {
                let unknown = vec!["what the command does is not known".to_owned()];
                return self.decide(&found, Some(unknown), by_shell, intent);
            }
            _ => {}
        }
        if found.is_empty() {
            return match call.kind {
                // A writing tool whose paths no table finds.
                ToolKind::Write => {
                    let unknown = vec![format!("which files `{}` writes is not known", call.name)];
                    self.decide(&[], Some(unknown), false, intent)
                }
                ToolKind::Unknown | ToolKind::Mcp { .. } => {
                    let why = format!("what `{}` does is not known", call.name);
                    Judgement {
                        decision: GateDecision::UnknownWrites { why, by_shell: false },
                        touched: Vec::new(),
                    }
                }
                _ => Judgement { decision: GateDecision::Pass, touched: Vec::new() },
            };
        }
        self.decide(&found, None, by_shell, intent)
    }

    /// Returns the paths the call's input names for writing.
    fn named(&self, call: &ToolCall) -> Vec<Target> {
        let writing = call.touches.iter().filter(|touch| touch.access != Access::Read);
        // A folder that is deleted goes with all that is in it.
        writing.map(|touch| Target::new(&touch.path, self.cwd, touch.access, Reach::Itself)).collect()
    }

    fn decide(
        &self,
        targets: &[Target],
        unknown: Option<Vec<String>>,
        by_shell: bool,
        intent: Option<&Intent>,
    ) -> Judgement {
        let Some(intent) = intent else {
            return Judgement { decision: GateDecision::NeedsIntent, touched: Vec::new() };
        };
        let (mut touched, mut violations) = (Vec::new(), Vec::new());
        for target in targets {
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
        Judgement { decision, touched }
    }
}

impl GateDecision {
    /// Returns what is said to the agent, if the call may not go on.
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
