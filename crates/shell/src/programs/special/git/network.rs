//! git: subcommands that ask another machine.

use super::SubCall;

/// Returns whether a subcommand talks to another machine. A remote that is named by a path lies on this one.
pub(super) fn uses_network(sub: &SubCall<'_>) -> bool {
    let args = sub.args;
    match sub.name {
        "fetch" | "pull" | "push" | "clone" | "ls-remote" | "fetch-pack" | "send-pack" => {
            !is_path(args.word(0))
        }
        "request-pull" => !is_path(args.word(1)),
        "send-email" | "imap-send" | "http-fetch" | "http-push" | "svn" | "p4" => true,
        "remote" => match args.word(0) {
            "update" | "prune" => true,
            "show" => !args.has("-n") && !args.word(1).is_empty(),
            "set-head" => args.has("-a|--auto"),
            "add" => args.has("-f"),
            _ => false,
        },
        "submodule" => matches!(args.word(0), "update" | "add") && !args.has("-N|--no-fetch"),
        "lfs" => matches!(args.word(0), "fetch" | "pull" | "push" | "clone" | "locks" | "lock" | "unlock"),
        "archive" => args.has("--remote"),
        _ => false,
    }
}

fn is_path(remote: &str) -> bool {
    remote.starts_with(['.', '/', '~']) || remote.starts_with("file://")
}
