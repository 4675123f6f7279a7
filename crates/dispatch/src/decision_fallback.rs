//! Replaces a decision that the project or the host does not permit.

use event::{Decision, RunId, Verdict};
use host::ReplyTarget;
use project_config::{Manifest, manifest::AskFallback};
use session::allowance::PERMITTED;

/// The inputs of the replacement.
pub(crate) struct DecisionFallback<'a> {
    /// The host and its event.
    pub target: &'a ReplyTarget,
    /// The project's settings.
    pub manifest: &'a Manifest,
    /// The run to name in `steersman session allow`.
    pub run: RunId,
    /// Whether the call is of a tool of our own MCP server.
    pub is_own_tool: bool,
}

impl DecisionFallback<'_> {
    /// Replaces the decision of a verdict:
    /// - an allow becomes an abstain, unless the manifest has `explicitAllow` or the tool is our own;
    /// - an ask becomes an abstain if a user permitted this call;
    /// - an ask that the host cannot carry out becomes a deny, or with `"askFallback": "abstain"` an abstain and a
    ///   warning.
    ///
    /// `permitted` uses up the user's permission; only an ask calls it.
    pub(crate) fn apply(&self, verdict: &mut Verdict, permitted: impl FnOnce() -> bool) {
        match &verdict.decision {
            Decision::Allow if !self.manifest.explicit_allow && !self.is_own_tool => {
                verdict.decision = Decision::Abstain;
            }
            Decision::Ask { reason } => {
                if permitted() {
                    verdict.decision = Decision::Abstain;
                    verdict.warnings.push(PERMITTED.into());
                } else if let Some(refusal) = host::unaskable(self.target, reason, &self.how_to_permit()) {
                    match self.manifest.ask_fallback {
                        AskFallback::Deny => {
                            verdict.decision = refusal;
                            verdict.rewrite = None;
                        }
                        AskFallback::Abstain => {
                            let title = self.target.host().title();
                            verdict.warnings.push(format!("{title} cannot ask: {reason}"));
                            verdict.decision = Decision::Abstain;
                        }
                    }
                }
            }
            Decision::Abstain | Decision::Allow | Decision::Deny { .. } => {}
        }
    }

    fn how_to_permit(&self) -> String {
        format!(
            "A person can permit exactly this call, once, within ten minutes: steersman session allow {}",
            self.run
        )
    }
}
