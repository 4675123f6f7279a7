//! Running the modules one after the other, each walled off from the rest.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use event::{Decision, EventName, LineKind};
use script::{Script, ScriptError};
use serde_json::json;

use crate::action::Emitted;
use crate::judgement::Judgement;
use crate::module::Concluded;
use crate::steps::{Step, StepKind};
use crate::{Action, Context, Memo, ctx_wire};

/// What the modules said, in the order they said it.
#[derive(Debug, Default)]
pub(crate) struct Deliberation {
    /// One report per module that ran.
    pub reports: Vec<Report>,
    /// Records about the run itself: failures and exhausted budgets.
    pub events: Vec<Emitted>,
}

/// What one module did.
#[derive(Debug)]
pub(crate) struct Report {
    /// Which module.
    pub module: String,
    /// How long it took.
    pub took: Duration,
    /// What came of it.
    pub result: StepResult,
}

/// What came of running one module.
#[derive(Debug)]
pub(crate) enum StepResult {
    /// It returned an action.
    Acted(Box<Action>),
    /// It failed; `denies` if it is critical.
    Failed {
        /// What went wrong.
        error: String,
        /// The failure of a critical module is a refusal.
        denies: bool,
    },
    /// Its time was up; nothing it did counts.
    OutOfTime,
}

impl Report {
    /// Returns what the module handed back, if it did.
    pub(crate) fn action(&self) -> Option<&Action> {
        match &self.result {
            StepResult::Acted(action) => Some(action),
            _ => None,
        }
    }

    /// Returns the decision this report stands for.
    pub(crate) fn decision(&self) -> Decision {
        match &self.result {
            StepResult::Acted(action) => action.decision.clone(),
            StepResult::Failed { error, denies: true } => Decision::Deny {
                reason: format!(
                    "The module `{}`, which has to look at every call, failed: {error}. Nothing passes until it \
                     works again. Hint: tell the person to run `steersman doctor`.",
                    self.module
                ),
            },
            StepResult::Failed { .. } | StepResult::OutOfTime => Decision::Abstain,
        }
    }
}

/// Runs the steps until one refuses or the time is up; once one asks, only those that protect.
pub(crate) fn run(context: &Context<'_>, steps: &[Step<'_>]) -> Deliberation {
    let mut deliberation = Deliberation::default();
    let mut asks = false;
    // A question stops what only has an opinion. What protects is still heard: a person's yes to
    // the question must not be a way round a refusal.
    for step in steps {
        if asks && !(step.critical && step.kind.builtin().is_some()) {
            continue;
        }
        let began = Instant::now();
        if context.deadline.has_passed(began) {
            deliberation.events.push(budget_exceeded(context, step));
            break;
        }
        let result = run_step(context, step);
        let report = Report { module: step.name.to_string(), took: began.elapsed(), result };
        match &report.result {
            StepResult::Acted(_) => {}
            StepResult::Failed { error, denies } => {
                deliberation.events.push(module_error(context, step, error, *denies));
            }
            StepResult::OutOfTime => deliberation.events.push(budget_exceeded(context, step)),
        }
        let decision = report.decision();
        let out_of_time = matches!(report.result, StepResult::OutOfTime);
        deliberation.reports.push(report);
        asks |= matches!(decision, Decision::Ask { .. });
        if out_of_time || decision.is_deny() {
            break;
        }
    }
    deliberation
}

/// Lets the built-in modules record what was decided in the end.
pub(crate) fn conclude(
    context: &Context<'_>,
    steps: &[Step<'_>],
    judgement: &Judgement,
    deliberation: &Deliberation,
) -> Deliberation {
    let nothing = Memo::default();
    let mut conclusion = Deliberation::default();
    for step in steps {
        let Some(module) = step.kind.builtin() else { continue };
        let own = deliberation.reports.iter().find(|report| report.module == step.name.as_str());
        let concluded = Concluded {
            verdict: &judgement.verdict,
            decided_by: judgement.decided_by.as_deref(),
            memo: own.and_then(Report::action).map_or(&nothing, |action| &action.memo),
        };
        let result = match catch_unwind(AssertUnwindSafe(|| module.conclude(context, &concluded))) {
            Ok(action) => StepResult::Acted(Box::new(action)),
            Err(panic) => {
                let error = format!("it panicked: {}", panic_text(&*panic));
                conclusion.events.push(module_error(context, step, &error, false));
                StepResult::Failed { error, denies: false }
            }
        };
        conclusion.reports.push(Report { module: step.name.to_string(), took: Duration::ZERO, result });
    }
    conclusion
}

fn run_step(context: &Context<'_>, step: &Step<'_>) -> StepResult {
    // Only a tool call can be held back without harm: a prompt or a stop refused for a broken
    // module would be refused forever.
    let denies = step.critical && context.event.name() == EventName::PreToolUse;
    let failed = |error: String| StepResult::Failed { error, denies };
    match &step.kind {
        StepKind::Builtin(module) => match catch_unwind(AssertUnwindSafe(|| module.handle(context))) {
            Ok(Ok(action)) => StepResult::Acted(Box::new(action)),
            Ok(Err(failure)) => failed(failure.to_string()),
            Err(panic) => failed(format!("it panicked: {}", panic_text(&*panic))),
        },
        StepKind::Unloadable(error) => failed(error.clone()),
        StepKind::Script(script) => run_script(context, step, &mut script.borrow_mut(), denies),
    }
}

/// WHY not inlined: few projects have scripts, and their part of the stack would be everybody's.
#[inline(never)]
fn run_script(context: &Context<'_>, step: &Step<'_>, script: &mut Script, denies: bool) -> StepResult {
    let failed = |error: String| StepResult::Failed { error, denies };
    let wire = ctx_wire::of(context, &step.name);
    let handled = script.handle(context.event.name().as_str(), &wire);
    let logs = match &handled {
        Ok(handled) => handled.logs.clone(),
        Err(_) => script.take_logs(),
    };
    for line in logs {
        let data = line.data.map(|data| format!(" {data}")).unwrap_or_default();
        context.log.add(step.name.as_str(), line.level.as_str(), format!("{}{data}", line.msg));
    }
    match handled {
        Err(ScriptError::TimedOut) => StepResult::OutOfTime,
        Err(error) => failed(error.to_string()),
        Ok(handled) => match Action::from_json(handled.action) {
            Ok(action) => StepResult::Acted(Box::new(action)),
            Err(error) => failed(error.to_string()),
        },
    }
}

fn module_error(context: &Context<'_>, step: &Step<'_>, error: &str, denies: bool) -> Emitted {
    let kind = if denies { LineKind::ErrorModuleCritical } else { LineKind::ErrorModule };
    let hash = store::fingerprint([error.as_bytes()]).short();
    let data = json!({
        "module": step.name.as_str(), "event": context.event.name().as_str(), "error": error, "hash": hash,
    });
    Emitted { kind: kind.name().into(), data }
}

fn budget_exceeded(context: &Context<'_>, step: &Step<'_>) -> Emitted {
    let data = json!({
        "module": step.name.as_str(),
        "event": context.event.name().as_str(),
        "budgetMs": u64::try_from(context.deadline.budget().as_millis()).unwrap_or(u64::MAX),
    });
    Emitted { kind: LineKind::BudgetExceeded.name().into(), data }
}

/// Returns what a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
