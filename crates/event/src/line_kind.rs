//! The kinds of lines in a session's journal: the one table of their names.
//!
//! A project's own modules may emit kinds of their own, so a journal also holds lines whose kind has no
//! variant here.

crate::named_set! {
    /// The kind of a journal line that steersman writes.
    pub enum LineKind;

    /// A whole run: the answer of each module, and the verdict. Always the last line of its run.
    HookRun = "HOOK_RUN",
    /// A run took a turn's or an agent's number.
    Reserved = "RESERVED",
    /// A person lifted a block.
    Unblocked = "UNBLOCKED",
    /// A run or a module exceeded its time.
    BudgetExceeded = "BUDGET_EXCEEDED",
    /// The process of a run crashed.
    ErrorCrash = "ERROR_CRASH",
    /// A module failed.
    ErrorModule = "ERROR_MODULE",
    /// A critical module failed.
    ErrorModuleCritical = "ERROR_MODULE_CRITICAL",
    /// A session started or resumed.
    SessionStart = "SESSION_START",
    /// The agent ended its turn.
    SessionStop = "SESSION_STOP",
    /// A prompt started a turn.
    Prompt = "PROMPT",
    /// A tool call was judged.
    ToolDecision = "TOOL_DECISION",
    /// A tool call ended.
    ToolOutcome = "TOOL_OUTCOME",
    /// The host shortened the context.
    Compaction = "COMPACTION",
    /// The session entered another phase.
    PhaseChange = "PHASE_CHANGE",
    /// An agent recorded a decision of the project.
    Decision = "DECISION",
    /// The intent gate refused a call.
    IntentDenied = "INTENT_DENIED",
    /// A session selected an intent.
    IntentSelected = "INTENT_SELECTED",
    /// A call wrote a file.
    FileWritten = "FILE_WRITTEN",
    /// A call deleted a file.
    FileDeleted = "FILE_DELETED",
    /// A file has other content than its write announced.
    WriteConflict = "WRITE_CONFLICT",
    /// A command changed files out of scope.
    ScopeDrift = "SCOPE_DRIFT",
    /// A call that needs a look afterwards was permitted.
    CallPending = "CALL_PENDING",
    /// A scan for changes ran out of time.
    ScanIncomplete = "SCAN_INCOMPLETE",
    /// A scan for changes ended, with hashes of the records from which the next one begins.
    ScanEnded = "SCAN_ENDED",
    /// A call wrote a file that is too large to trace.
    FileUntraced = "FILE_UNTRACED",
    /// A call undoes reported changes out of scope.
    DriftUndone = "DRIFT_UNDONE",
    /// A call was permitted to write temporary files.
    TempWritten = "TEMP_WRITTEN",
    /// A record of steersman was changed by another program.
    Forged = "FORGED",
    /// A comparison of the host's transcript with the journal, and how far it read.
    Coverage = "COVERAGE",
    /// A call in the host's transcript that no hook judged.
    Ungoverned = "UNGOVERNED",
    /// A call about which the host was about to ask was approved.
    Approved = "APPROVED",
    /// A person permitted a call once.
    CallAllowed = "CALL_ALLOWED",
    /// A hook waits for a person's answer.
    AskOpened = "ASK_OPENED",
    /// A person answered, for one call or for the session.
    AskAnswered = "ASK_ANSWERED",
    /// A hook stopped waiting without an answer.
    AskClosed = "ASK_CLOSED",
    /// A command ran unconfined although it was to run confined.
    Unconfined = "UNCONFINED",
    /// A command was to run confined, and no record shows whether it did.
    ArrivalUnknown = "ARRIVAL_UNKNOWN",
    /// A command cannot run confined, and was judged without confinement.
    NotConfined = "NOT_CONFINED",
    /// The kernel refused writes of a confined command.
    WriteRefused = "WRITE_REFUSED",
    /// A person held the session: its calls are denied.
    Held = "HELD",
    /// A person released the held session.
    Released = "RELEASED",
    /// A person ended the agent's turn.
    TurnEnded = "TURN_ENDED",
    /// A run is about to append lines to the trace.
    TraceStaged = "TRACE_STAGED",
    /// Trace lines could not be appended and wait in the session's folder.
    TraceDelayed = "TRACE_DELAYED",
    /// A plan was accepted.
    PlanAccepted = "PLAN_ACCEPTED",
    /// A plan was rejected.
    PlanRejected = "PLAN_REJECTED",
    /// The plan refused a call.
    PlanRefused = "PLAN_REFUSED",
    /// The plan narrowed a search.
    PlanNarrowed = "PLAN_NARROWED",
    /// A node of the plan has a new status.
    PlanNode = "PLAN_NODE",
    /// The validations of a plan's nodes ran.
    PlanChecked = "PLAN_CHECKED",
    /// The acceptance commands ran when the agent wanted to stop.
    DoneChecked = "DONE_CHECKED",
    /// A search or read had no bounds.
    UnboundedCall = "UNBOUNDED_CALL",
    /// Broad work was given to a subagent.
    RlmDelegation = "RLM_DELEGATION",
    /// A subagent was given its packet.
    RlmPacket = "RLM_PACKET",
    /// A subagent returned its result.
    RlmResult = "RLM_RESULT",
    /// The model was shown memories.
    MemoryTold = "MEMORY_TOLD",
    /// A follow-up rule matched.
    FollowupFired = "FOLLOWUP_FIRED",
    /// A follow-up rule queued an automation.
    AutomationRequested = "AUTOMATION_REQUESTED",
    /// Lessons were ranked.
    LessonsRanked = "LESSONS_RANKED",
    /// The summary of a session was written.
    SummaryWritten = "SUMMARY_WRITTEN",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in LineKind::ALL {
            assert_eq!(LineKind::parse(kind.name()), Some(*kind));
        }
        assert_eq!(LineKind::parse("SEEN"), None);
    }

    #[test]
    fn the_documentation_describes_every_kind() {
        let page = include_str!("../../../docs/journal.md");
        for kind in LineKind::ALL {
            let name = kind.name();
            assert!(page.contains(&format!("`{name}`")), "docs/journal.md lacks the line `{name}`");
        }
    }
}
