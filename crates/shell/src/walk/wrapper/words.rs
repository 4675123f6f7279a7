//! The meaning of the words of a wrapper: that it only asks, never prompts, or changes something by itself.

use super::super::Call;
use crate::programs::options::{Item, Options};
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
        // The last one runs the folder's `.envrc` first.
        "bundle" | "bunx" | "pnpx" | "uvx" | "pipx" | "direnv" => true,
        // Without a question a package that is not there is installed.
        "npx" | "npm" => front().any(|word| {
            matches!(word, "-y" | "--yes" | "-p" | "--package" | "-yp") || word.starts_with("--package=")
        }),
        "pnpm" | "yarn" => has(&["dlx"]),
        // It makes its lock file.
        "flock" => true,
        "perf" => has(&["record"]),
        // Its other tools write a file of their own.
        "valgrind" => call.rest().iter().any(|word| {
            word.text
                .strip_prefix("--tool=")
                .is_some_and(|tool| !matches!(tool, "memcheck" | "none" | "helgrind" | "drd"))
        }),
        "sudo" => has(&["-e", "--edit"]),
        _ => false,
    }
}

/// Returns the repository from which a runner of packages takes the code that it runs: `npx github:owner/name`. No
/// registry has checked its name or keeps its versions. Addresses of Python's runners are judged by their host.
pub(super) fn repository(wrapper: &Wrapper, rest: &[Text]) -> Option<String> {
    if !matches!(wrapper.name, "npx" | "bunx" | "pnpx" | "npm" | "pnpm" | "yarn" | "bun") {
        return None;
    }
    for item in Options::new(rest, wrapper.spec()) {
        match item {
            Item::Operand(at) => return Some(rest[at].text.clone()).filter(|text| is_repository(text)),
            Item::Option(option) => {
                let is_package = option.is("-p|--package");
                if let Some(value) = option.value.filter(|value| is_package && is_repository(&value.text)) {
                    return Some(value.text.clone());
                }
            }
        }
    }
    None
}

/// Returns whether npm takes a word for a repository: `github:owner/name`, `git+ssh://…`, `name@github:owner/name`, and
/// `owner/name` for one of GitHub.
fn is_repository(text: &str) -> bool {
    const SCHEMES: [&str; 8] = ["github:", "gitlab:", "bitbucket:", "gist:", "git+", "git:", "git@", "ssh:"];
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.#".contains(&byte))
    };
    let source =
        text.split_once('@').map_or(text, |(name, source)| if name.is_empty() { text } else { source });
    SCHEMES.iter().any(|scheme| text.starts_with(scheme) || source.starts_with(scheme))
        || text.starts_with("http://")
        || text.starts_with("https://")
        || text
            .split_once('/')
            .is_some_and(|(owner, name)| is_name(owner) && !owner.starts_with('.') && is_name(name))
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
