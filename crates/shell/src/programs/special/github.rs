//! `gh api` with a method that changes something.

use crate::programs::Args;
use crate::reading::Class;
use crate::walk::{Call, Walker};

pub(crate) fn gh(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "gist" && args.word(1) == "create" {
        for file in args.operands.iter().skip(2) {
            let path = walker.resolve(file).0;
            if walker.taint_of_file(&path).has(crate::text::Taint::SECRET) {
                walker.risk("secret-exfiltration", path, call.span);
            }
        }
    }
    let said = args.values("-b|--body|-t|--title|-n|--notes|-f|--field|--raw-field|-d|--desc|--description");
    if args.word(0) != "secret" && said.iter().any(|text| text.taint.has(crate::text::Taint::SECRET)) {
        walker.risk("secret-exfiltration", "gh", call.span);
    }
    if args.word(0) != "api" {
        return None;
    }
    let method =
        args.values("-X|--method").first().map_or("", |method| method.text.as_str()).to_ascii_uppercase();
    let path = args.word(1).trim_start_matches('/').to_owned();
    match method.as_str() {
        "DELETE" => {
            // `repos/owner/name` and a protected branch are beyond repair; a comment or a label is not.
            let depth = path.split('/').count();
            let severe = path.starts_with("repos/") && depth <= 3
                || path.contains("/protection")
                || path.contains("git/refs/heads/main")
                || path.contains("git/refs/heads/master");
            walker.risk(if severe { "remote-repository" } else { "remote-settings" }, path, call.span);
            Some(Class::Destructive)
        }
        "PATCH" if path.contains("git/refs") => {
            walker.risk("git-force-push", path, call.span);
            Some(Class::Writes)
        }
        "PUT" if path.contains("/protection") => {
            walker.risk("remote-settings", path, call.span);
            Some(Class::Writes)
        }
        "" if args.has("-f|-F|--field|--raw-field|--input") => Some(Class::Writes),
        "" | "GET" => Some(Class::ReadOnly),
        _ => Some(Class::Writes),
    }
}
