//! Prints the first step of a run without running it.

use std::path::Path;

use agent::workflow::{Progress, Workflow};
use redact::Redacted;
use runner::Invocation;
use workflow::{
    Arbiter, FirstAgentChoice, ProgramRequest, Transcript, WorkflowError, WorkflowRunner, invocation,
    resolve_program, step_prompt,
};

use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::text::{cut, one_line, visible};
use crate::output::{self, print};

/// Prints the first request to a model.
pub(super) fn print_first_step(
    runner: &WorkflowRunner<'_>,
    task: &str,
    first: &FirstAgentChoice,
) -> Result<Exit, WorkflowError> {
    let definition = match first {
        FirstAgentChoice::Decided(first) => {
            field("begins", &format!("{} ({})", first.agent, first.chosen_by));
            runner.agents.get(&first.agent)
        }
        FirstAgentChoice::AskModel => {
            field("begins", "the agent that a model chooses by `whenToUse`; its request follows");
            None
        }
    };
    let folder = runner.workspace.root().as_path();
    let program = resolve_program(definition, runner.config, runner.environment, folder, runner.permission)?;
    let (role, prompt) = match definition {
        Some(definition) => (
            definition.system_prompt.clone(),
            step_prompt(task, &Transcript::default(), "the workflow begins"),
        ),
        None => (Arbiter::ROLE.to_owned(), Arbiter { agents: runner.agents }.prompt(task)),
    };
    let (role, prompt) = (Redacted::from_text(&role), Redacted::from_text(&prompt));
    let request = ProgramRequest {
        role: &role,
        prompt: &prompt,
        model: program.model.as_deref(),
        agent: definition,
        permission: runner.permission,
    };
    let invocation = invocation(program.provider, program.path.clone(), &program.args, &request);
    field("provider", program.provider.as_str());
    field("model", program.model.as_deref().unwrap_or("the program's default"));
    if let Some(definition) = definition {
        let workflow = Workflow { agents: runner.agents, constraints: runner.constraints };
        let timeout = workflow.allowance(&Progress::from(&definition.name)).timeout;
        field("time", &format!("{} s at most", timeout.as_secs()));
        for (when, target) in definition.transitions.targets() {
            field("then", &format!("{when} → {target}"));
        }
    }
    field("runs", &line(&invocation, folder));
    if !invocation.stdin.is_empty() {
        print(format_args!("\n{}", paint(STRONG, "on its stdin")));
        print(format_args!("{}", visible(&String::from_utf8_lossy(&invocation.stdin)).trim_end()));
    }
    output::note("dry run: nothing was started or written");
    Ok(Exit::Fine)
}

fn line(invocation: &Invocation, folder: &Path) -> String {
    let program = invocation.program.strip_prefix(folder).unwrap_or(&invocation.program);
    let words = invocation.args.iter().map(|it| {
        let word = cut(&one_line(&it.to_string_lossy()), 60);
        if word.contains([' ', '(', '*']) || word.is_empty() { format!("'{word}'") } else { word }
    });
    std::iter::once(program.display().to_string()).chain(words).collect::<Vec<_>>().join(" ")
}

fn field(name: &str, text: &str) {
    print(format_args!("{} {}", paint(FAINT, &format!("{name:<9}")), one_line(text)));
}
