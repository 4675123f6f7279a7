//! What the words of a wrapper say about it: that it only asks, never prompts, or changes something by itself.

use super::super::Call;
use crate::programs::wrappers::Wrapper;
use crate::text::Text;

/// Returns whether a wrapper changes something whatever it runs: it makes a container, loads code of the project, records a
/// file, opens an editor.
pub(super) fn changes_by_itself(wrapper: &Wrapper, call: &Call) -> bool {
    let has = |words: &[&str]| call.rest().iter().any(|word| words.contains(&word.text.as_str()));
    let front = || {
        call.rest()
            .iter()
            .map(|word| word.text.as_str())
            .take_while(|word| word.starts_with('-') || *word == "exec")
    };
    match wrapper.name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" => has(&["run", "debug"]),
        "bundle" | "bunx" | "pnpx" | "uvx" | "pipx" => true,
        // Without a question a package that is not there is installed.
        "npx" | "npm" => front().any(|word| {
            matches!(word, "-y" | "--yes" | "-p" | "--package" | "-yp") || word.starts_with("--package=")
        }),
        "pnpm" | "yarn" => has(&["dlx"]),
        // It makes its lock file.
        "flock" => true,
        "perf" => has(&["record"]),
        "sudo" => has(&["-e", "--edit"]),
        _ => false,
    }
}

/// Returns whether sudo is only asked if it would run something without a password: `sudo -n true`, `sudo -nv`.
pub(super) fn only_asks(wrapper: &Wrapper, rest: &[Text]) -> bool {
    const PROBES: [&str; 9] =
        ["-n", "-v", "-nv", "-vn", "-l", "-nl", "--non-interactive", "--validate", "true"];
    wrapper.name == "sudo" && !rest.is_empty() && rest.iter().all(|word| PROBES.contains(&word.text.as_str()))
}

/// `sudo -n PROGRAM`: sudo fails instead of asking for a password.
pub(super) fn never_prompts(rest: &[Text]) -> bool {
    rest.first().is_some_and(|word| matches!(word.text.as_str(), "-n" | "--non-interactive"))
}

/// `sudo -l`, `sudo -V`: nothing runs.
pub(super) fn is_question(rest: &[Text]) -> bool {
    let asks = |word: &Text| {
        matches!(
            word.text.as_str(),
            "-l" | "-ll" | "--list" | "-V" | "--version" | "-n" | "--non-interactive" | "-nl" | "-h"
        )
    };
    !rest.is_empty() && rest.iter().all(asks)
}
