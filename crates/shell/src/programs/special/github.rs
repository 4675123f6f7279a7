//! `gh api` with a method that changes something, and files that `gh` downloads.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::text::{Taint, Text};
use crate::walk::{Act, Call, Walker};

pub(crate) fn gh(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "gist" && args.word(1) == "create" {
        for file in args.operands.iter().skip(2) {
            let path = walker.resolve(file).0;
            if walker.taint_of_file(&path).has(Taint::SECRET) {
                walker.risk(RuleId::SecretExfiltration, path, call.span);
            } else {
                walker.sent.push(path);
            }
        }
        walker.check_sent(true, false, call.span);
    }
    let texts = args.values("-b|--body|-t|--title|-n|--notes|-f|--field|--raw-field|-d|--desc|--description");
    if args.word(0) != "secret"
        && texts.iter().any(|text| {
            text.taint.has(Taint::SECRET)
                || !text.is_known() && crate::secrets::names_secret_variable(&text.text)
        })
    {
        walker.risk(RuleId::SecretExfiltration, "gh", call.span);
    }
    match (args.word(0), args.word(1)) {
        ("run" | "release", "download") => {
            let given = Args::parse(call.rest(), "-D --dir -O --output -p --pattern -n --name -R --repo -A");
            let target = given.values("-D|--dir|-O|--output").last().map(|target| (*target).clone());
            walker.write_path(&target.unwrap_or_else(|| Text::known(".")), call.span);
            return Some(Class::Writes);
        }
        ("repo" | "gist", "clone") => {
            let named = args.operands.get(3).map(|folder| (*folder).clone());
            let repository = args.word(2).trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or("");
            let folder = repository.strip_suffix(".git").unwrap_or(repository);
            if let Some(folder) = named.or_else(|| (!folder.is_empty()).then(|| Text::known(folder))) {
                walker.touch(Act::Create, &folder, call.span);
            }
            return Some(Class::Writes);
        }
        ("api", "graphql") if is_query(args) => return Some(Class::ReadOnly),
        ("api", _) => {}
        _ => return None,
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
            walker.risk(
                if severe { RuleId::RemoteRepository } else { RuleId::RemoteSettings },
                path,
                call.span,
            );
            Some(Class::Destructive)
        }
        "PATCH" if path.starts_with("repos/") && opens_repository(args) => {
            walker.risk(RuleId::RemoteSettings, path, call.span);
            Some(Class::Writes)
        }
        "PATCH" if path.contains("git/refs") => {
            walker.risk(RuleId::GitForcePush, path, call.span);
            Some(Class::Writes)
        }
        "PUT" | "POST" | "PATCH"
            if [
                "/protection",
                "/secrets",
                "/keys",
                "/hooks",
                "/collaborators",
                "/rulesets",
                "/actions/permissions",
            ]
            .iter()
            .any(|part| path.contains(part)) =>
        {
            walker.risk(RuleId::RemoteSettings, path, call.span);
            Some(Class::Writes)
        }
        "" if args.has("-f|-F|--field|--raw-field|--input") => {
            let taint = args.values("-F|--field|-f|--raw-field|--input").into_iter().fold(
                Taint::NONE,
                |taint, field| {
                    let file = field.text.split_once("=@").map_or(field.text.as_str(), |(_, file)| file);
                    taint.with(field.taint).with(walker.secrecy(&walker.resolve(&Text::known(file)).0))
                },
            );
            super::network::leak(walker, call, taint, false, args.word(1));
            Some(Class::Writes)
        }
        "" | "GET" => Some(Class::ReadOnly),
        _ => Some(Class::Writes),
    }
}

/// Returns whether a GraphQL request only asks: its text is on the line and has no mutation.
fn is_query(args: &Args<'_>) -> bool {
    let fields = args.values("-f|--raw-field|-F|--field");
    let query = fields.iter().find_map(|field| field.text.strip_prefix("query="));
    let asks = query.is_some_and(|query| {
        let query = query.trim_start();
        (query.starts_with("query") || query.starts_with('{')) && !query.contains("mutation")
    });
    asks && !args.has("-X|--method|--input")
        && fields.iter().all(|field| !field.text.contains("=@") && field.is_known())
}

/// Returns whether a request shows a repository to everyone, or puts it away.
fn opens_repository(args: &Args<'_>) -> bool {
    args.values("-f|-F|--field|--raw-field")
        .iter()
        .any(|field| matches!(field.text.as_str(), "private=false" | "visibility=public" | "archived=true"))
}
