//! What a run would do first, without doing it.

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

/// Prints the first request as it would be asked.
pub(super) fn tell(
    conduct: &WorkflowRunner<'_>,
    task: &str,
    fate: &FirstAgentChoice,
) -> Result<Exit, WorkflowError> {
    let definition = match fate {
        FirstAgentChoice::Decided(first) => {
            field("begins", &format!("{} ({})", first.agent, first.chosen_by));
            conduct.agents.get(&first.agent)
        }
        FirstAgentChoice::AskModel => {
            field("begins", "whoever a model chooses by `whenToUse`; this is what it would be asked");
            None
        }
    };
    let folder = conduct.workspace.root().as_path();
    let program =
        resolve_program(definition, conduct.config, conduct.environment, folder, conduct.permission)?;
    let (role, prompt) = match definition {
        Some(definition) => (
            definition.system_prompt.clone(),
            step_prompt(task, &Transcript::default(), "the workflow begins"),
        ),
        None => (Arbiter::ROLE.to_owned(), Arbiter { agents: conduct.agents }.prompt(task)),
    };
    let (role, prompt) = (Redacted::from_text(&role), Redacted::from_text(&prompt));
    let request = ProgramRequest {
        role: &role,
        prompt: &prompt,
        model: program.model.as_deref(),
        agent: definition,
        permission: conduct.permission,
    };
    let invocation = invocation(program.provider, program.path.clone(), &program.args, &request);
    field("provider", program.provider.as_str());
    field("model", program.model.as_deref().unwrap_or("the program's own"));
    if let Some(definition) = definition {
        let workflow = Workflow { agents: conduct.agents, constraints: conduct.constraints };
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
    output::note("this was a dry run: nothing was started, nothing was written");
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
