//! When the tools of an agent program ran, by the lines that its hooks recorded.
//!
//! WHY: an agent program runs for minutes and its user keeps editing. Between two tool calls the agent writes
//! nothing, so another program or the user made a change at that time.

use std::time::SystemTime;

use automation::Chain;

use super::TICK;

/// One recorded hook event of an agent program that an automation started.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HookMark {
    /// The automations that led to the program, its own last.
    pub(crate) chain: Chain,
    pub(crate) at: SystemTime,
    /// The host's id of the tool call, where the host sends one.
    pub(crate) call: Option<String>,
    pub(crate) step: Step,
}

/// The meaning of a recorded event for tool calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The tool is about to run.
    Before,
    /// The tool ran.
    After,
    /// No tool runs because of this event.
    Other,
}

/// The tool calls of one run.
#[derive(Debug, Default)]
pub(super) struct ToolActivity {
    /// When each event was recorded, in order.
    events: Vec<SystemTime>,
    calls: Vec<Call>,
}

#[derive(Debug)]
struct Call {
    id: Option<String>,
    began: SystemTime,
    ended: Option<SystemTime>,
}

impl ToolActivity {
    pub(super) fn note(&mut self, mark: &HookMark) {
        self.events.push(mark.at);
        match mark.step {
            Step::Before => self.calls.push(Call { id: mark.call.clone(), began: mark.at, ended: None }),
            Step::After => {
                let mut open = self.calls.iter_mut().filter(|call| call.ended.is_none());
                if let Some(call) = open.find(|call| call.id == mark.call) {
                    call.ended = Some(mark.at);
                }
            }
            Step::Other => {}
        }
    }

    /// Returns whether a tool ran at this time; `None` if no hook of the program recorded anything.
    ///
    /// A call without a recorded end was refused by the host or its user, so it ended before the next event; the
    /// last one may have run until the program exited.
    pub(super) fn covers(&self, at: SystemTime) -> Option<bool> {
        let next_event = |call: &Call| self.events.iter().find(|event| **event > call.began).copied();
        let ran = |call: &Call| {
            let ended = call.ended.or_else(|| next_event(call));
            at + TICK >= call.began && ended.is_none_or(|ended| at <= ended + TICK)
        };
        (!self.events.is_empty()).then(|| self.calls.iter().any(ran))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn mark(seconds: u64, step: Step, call: Option<&str>) -> HookMark {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        HookMark { chain: Chain::default(), at, call: call.map(str::to_owned), step }
    }

    #[test]
    fn a_tool_runs_from_the_event_before_it_to_the_event_after_it() {
        let mut activity = ToolActivity::default();
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(activity.covers(at(1)), None, "no hook recorded anything");
        activity.note(&mark(1, Step::Other, None));
        assert_eq!(activity.covers(at(1)), Some(false));
        // Two calls at once, the first ends last; then two whose ends are never recorded.
        activity.note(&mark(10, Step::Before, Some("a")));
        activity.note(&mark(11, Step::Before, Some("b")));
        activity.note(&mark(12, Step::After, Some("b")));
        activity.note(&mark(14, Step::After, Some("a")));
        activity.note(&mark(20, Step::Before, None));
        activity.note(&mark(22, Step::Before, None));
        for (seconds, runs) in
            [(9, false), (10, true), (13, true), (14, true), (15, false), (20, true), (22, true), (99, true)]
        {
            assert_eq!(activity.covers(at(seconds)), Some(runs), "{seconds}");
        }
        activity.note(&mark(30, Step::Other, None));
        assert_eq!(activity.covers(at(99)), Some(false), "the user refused the last call");
    }
}
