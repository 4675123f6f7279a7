//! Creates an issue, a comment or a pull request, or closes an issue, with the program `gh`.

use automation::{GitHub, GitHubOperation, State};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::attempt::Attempt;
use crate::ending::Ending;

/// Runs `gh` with the body on stdin and one argument for each other value.
pub(super) fn perform(attempt: &Attempt<'_>, github: &GitHub, enter: Enter<'_>) -> Result<Ending, Ending> {
    let program = attempt.find("gh")?;
    enter(State::Replacing);
    let fill = |template| attempt.fill(template);
    let title = github.title.as_ref().map(fill);
    let body = github.body.as_ref().map(fill);
    let args = words(github, title.as_ref())?;
    let reads_body = matches!(
        github.operation,
        GitHubOperation::OpenIssue | GitHubOperation::CreatePr | GitHubOperation::AddComment
    );
    let input = body.filter(|_| reads_body).unwrap_or_default();
    enter(State::Executing);
    let printed = attempt.program(&Invocation::command(program, args, &input))?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}

fn words(github: &GitHub, title: Option<&Redacted>) -> Result<Vec<String>, Ending> {
    let number = || {
        let issue = github.issue.map(|number| number.to_string());
        issue.ok_or_else(|| Ending::failure("TEMPLATE_ERROR", "no issue number is configured"))
    };
    let mut args: Vec<String> = match github.operation {
        GitHubOperation::OpenIssue => own(&["issue", "create", "--body-file", "-"]),
        GitHubOperation::CreatePr => own(&["pr", "create", "--body-file", "-"]),
        GitHubOperation::CloseIssue => [own(&["issue", "close"]), vec![number()?]].concat(),
        GitHubOperation::AddComment => {
            [own(&["issue", "comment"]), vec![number()?], own(&["--body-file", "-"])].concat()
        }
    };
    if matches!(github.operation, GitHubOperation::OpenIssue | GitHubOperation::CreatePr) {
        args.push(format!("--title={}", title.map(Redacted::as_str).unwrap_or_default()));
        args.extend(github.labels.iter().map(|label| format!("--label={label}")));
    }
    args.extend(github.repository.iter().map(|repository| format!("--repo={repository}")));
    Ok(args)
}

fn own(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
