//! Runs the modules one after the other; a failure of one does not affect the others.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use event::{Decision, EventName, LineKind};
use modules::{Action, Carryover, Concluded, Context, Module};
use script::{Script, ScriptError};
use serde_json::json;
use session::Emitted;

use crate::ctx_wire;
use crate::merged_verdict::MergedVerdict;
use crate::steps::{Step, StepKind};

/// The results of the modules, in the order they ran.
#[derive(Debug, Default)]
pub(crate) struct PipelineReport {
    /// One report per module that ran.
    pub modules: Vec<Report>,
    /// Records about the run itself: failures and exhausted budgets.
    pub events: Vec<Emitted>,
}

/// The result of one module.
#[derive(Debug)]
pub(crate) struct Report {
    /// The module's name.
    pub module: String,
    /// How long it took.
    pub took: Duration,
    /// Its result.
    pub result: StepResult,
}

/// How a module ended.
#[derive(Debug)]
pub(crate) enum StepResult {
    /// It returned an action.
    Acted(Box<Action>),
    /// It failed; `denies` if it is critical.
    Failed {
        /// Why.
        error: String,
        /// Whether the module is critical.
        denies: bool,
    },
    /// It exceeded the budget; its answer does not count.
    OutOfTime,
}

impl Report {
    /// Returns the module's action; `None` if it has none.
    pub(crate) fn action(&self) -> Option<&Action> {
        match &self.result {
            StepResult::Acted(action) => Some(action),
            StepResult::Failed { .. } | StepResult::OutOfTime => None,
        }
    }

    /// Returns the module's decision.
    pub(crate) fn decision(&self) -> Decision {
        match &self.result {
            StepResult::Acted(action) => action.decision.clone(),
            StepResult::Failed { error, denies: true } => Decision::Deny {
                reason: format!(
                    "The critical module `{}` failed: {error}. Every call is denied until it works again. \
                     Hint: ask the user to run `steersman doctor`.",
                    self.module
                ),
            },
            StepResult::Failed { .. } | StepResult::OutOfTime => Decision::Abstain,
        }
    }
}

/// Runs the steps until one denies or the budget is exceeded. After an ask or a deny that yields, only built-in modules
/// run, and of those that are not critical only a deny counts.
pub(crate) fn run(context: &Context<'_>, steps: &[Step<'_>]) -> PipelineReport {
    let mut pipeline = PipelineReport::default();
    let mut asks = false;
    // Modules run even after an ask: the user's yes must not override a deny.
    for step in steps {
        if asks && step.kind.builtin().is_none() {
            continue;
        }
        let only_denies = asks && !step.critical;
        let began = Instant::now();
        if context.deadline.has_passed(began) {
            pipeline.events.push(budget_exceeded(context, step));
            break;
        }
        let result = run_step(context, step);
        if only_denies && !matches!(&result, StepResult::Acted(action) if action.decision.is_deny()) {
            continue;
        }
        let report = Report { module: step.name.to_string(), took: began.elapsed(), result };
        match &report.result {
            StepResult::Acted(action) => {
                let errors =
                    action.mistakes.iter().map(|mistake| module_error(context, step, mistake, false));
                pipeline.events.extend(errors);
            }
            StepResult::Failed { error, denies } => {
                pipeline.events.push(module_error(context, step, error, *denies));
            }
            StepResult::OutOfTime => pipeline.events.push(budget_exceeded(context, step)),
        }
        let decision = report.decision();
        let yields = report.action().is_some_and(|action| action.yields);
        let out_of_time = matches!(report.result, StepResult::OutOfTime);
        pipeline.modules.push(report);
        asks |= yields || matches!(decision, Decision::Ask { .. });
        if out_of_time || (decision.is_deny() && !yields) {
            break;
        }
    }
    pipeline
}

/// Lets the built-in modules record the final verdict.
pub(crate) fn conclude(
    context: &Context<'_>,
    steps: &[Step<'_>],
    merged: &MergedVerdict,
    reports: &PipelineReport,
) -> PipelineReport {
    let none = Carryover::default();
    let mut conclusion = PipelineReport::default();
    for step in steps {
        let Some(module) = step.kind.builtin() else { continue };
        let own = reports.modules.iter().find(|report| report.module == step.name.as_str());
        let concluded = Concluded {
            verdict: &merged.verdict,
            decided_by: merged.decided_by.as_deref(),
            carryover: own.and_then(Report::action).map_or(&none, |action| &action.carryover),
        };
        let result = match catch_unwind(AssertUnwindSafe(|| module.conclude(context, &concluded))) {
            Ok(action) => StepResult::Acted(Box::new(action)),
            Err(panic) => {
                let error = format!("panicked: {}", panic_text(&*panic));
                conclusion.events.push(module_error(context, step, &error, false));
                StepResult::Failed { error, denies: false }
            }
        };
        conclusion.modules.push(Report { module: step.name.to_string(), took: Duration::ZERO, result });
    }
    conclusion
}

/// Lets the built-in modules complete what earlier runs left.
pub(crate) fn recover(context: &Context<'_>, modules: &[&dyn Module]) {
    for module in modules {
        // A module that cannot recover judges as if there were nothing to complete.
        let _ = catch_unwind(AssertUnwindSafe(|| module.recover(context)));
    }
}

/// Lets the built-in modules write the files that count only once the journal announces them. Returns their records, with the module's
/// name.
pub(crate) fn committed(
    context: &Context<'_>,
    steps: &[Step<'_>],
    conclusion: &PipelineReport,
) -> Vec<(String, Emitted)> {
    let mut records = Vec::new();
    for step in steps {
        let Some(module) = step.kind.builtin() else { continue };
        let own = conclusion.modules.iter().find(|report| report.module == step.name.as_str());
        let Some(action) = own.and_then(Report::action) else { continue };
        let emitted = catch_unwind(AssertUnwindSafe(|| module.committed(context, &action.carryover)));
        let emitted = emitted.unwrap_or_else(|panic| {
            let error = format!("panicked: {}", panic_text(&*panic));
            vec![module_error(context, step, &error, false)]
        });
        records.extend(emitted.into_iter().map(|record| (step.name.to_string(), record)));
    }
    records
}

fn run_step(context: &Context<'_>, step: &Step<'_>) -> StepResult {
    // Only a tool call can be denied without harm: a broken module would deny a prompt or a stop forever.
    let denies = step.critical && context.event.name() == EventName::PreToolUse;
    let failed = |error: String| StepResult::Failed { error, denies };
    match &step.kind {
        StepKind::Builtin(module) => match catch_unwind(AssertUnwindSafe(|| module.handle(context))) {
            Ok(Ok(action)) => StepResult::Acted(Box::new(action)),
            Ok(Err(failure)) => failed(failure.to_string()),
            Err(panic) => failed(format!("panicked: {}", panic_text(&*panic))),
        },
        StepKind::Unloadable(error) => failed(error.clone()),
        StepKind::Script(script) => run_script(context, step, &mut script.borrow_mut(), denies),
    }
}

/// WHY not inlined: few projects have scripts, and every run would pay for the stack frame.
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
            Ok(mut action) => {
                action.restrict_patch_to(step.name.as_str());
                for mistake in &action.mistakes {
                    context.log.add(step.name.as_str(), "error", mistake.clone());
                }
                StepResult::Acted(Box::new(action))
            }
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

/// Returns the message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
