//! Turning a decision the host cannot carry out into the next stricter one it can.

use event::{Decision, RunId, Verdict};
use host::{Verb, Wire};

use crate::Manifest;
use crate::manifest::AskFallback;

/// The warning of a call that a person permitted with `steersman session allow`.
pub(crate) const PERMITTED: &str = "a person permitted exactly this call, once";

/// What decides how a verdict is fitted.
pub(crate) struct Fit<'a> {
    /// Who waits for it.
    pub wire: &'a Wire,
    /// What the project wants in doubt.
    pub manifest: &'a Manifest,
    /// What a person would have to name.
    pub run: RunId,
}

impl Fit<'_> {
    /// Changes the verdict. `permitted` uses up a person's permission for this call, and
    /// is asked only where one would count.
    pub(crate) fn apply(&self, verdict: &mut Verdict, permitted: impl FnOnce() -> bool) {
        match &verdict.decision {
            Decision::Allow if !self.manifest.explicit_allow => verdict.decision = Decision::Abstain,
            Decision::Ask { .. } if permitted() => {
                verdict.decision = Decision::Abstain;
                verdict.warnings.push(PERMITTED.into());
            }
            Decision::Ask { reason } if !host::can(self.wire, Verb::Ask) => {
                let title = self.wire.host().title();
                if self.manifest.ask_fallback == AskFallback::Abstain {
                    verdict.warnings.push(format!("{title} cannot ask: {reason}"));
                    verdict.decision = Decision::Abstain;
                    return;
                }
                let reason = format!(
                    "{reason}\n{title} cannot ask a person here, so the call is refused. A person can permit exactly \
                     this call, once, within ten minutes: steersman session allow {}",
                    self.run
                );
                verdict.decision = Decision::Deny { reason };
                verdict.rewrite = None;
            }
            _ => {}
        }
    }
}
