//! Cloud command lines, read by their verbs.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::walk::{Call, Walker};

/// Verbs of aws that print a secret.
const PRINT_SECRETS: [&str; 6] = [
    "get-authorization-token",
    "get-secret-value",
    "get-parameter",
    "get-parameters",
    "get-parameters-by-path",
    "get-session-token",
];

pub(crate) fn aws(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let (service, verb) = (args.word(0), args.word(1));
    if args.has("--dry-run|--dryrun") || args.operands.last().is_some_and(|last| last.text == "help") {
        return Some(Class::ReadOnly);
    }
    if service == "s3" {
        return Some(match verb {
            "ls" | "presign" => Class::ReadOnly,
            "rb" => {
                walker.risk(RuleId::CloudDelete, format!("s3 rb {}", args.word(2)), call.span);
                Class::Destructive
            }
            "rm" => {
                walker.risk(
                    if args.has("--recursive") { RuleId::CloudDelete } else { RuleId::CloudChange },
                    args.word(2),
                    call.span,
                );
                Class::Destructive
            }
            "sync" if args.has("--delete") => {
                walker.risk(RuleId::SyncDelete, args.word(3), call.span);
                Class::Destructive
            }
            _ => {
                if args.values("--acl").iter().any(|acl| acl.text.starts_with("public")) {
                    walker.risk(RuleId::CloudAccess, format!("s3 {verb} --acl"), call.span);
                }
                copy(walker, call, args)
            }
        });
    }
    if [
        "describe",
        "list",
        "get",
        "head",
        "lookup",
        "search",
        "select",
        "batch-get",
        "scan",
        "query",
        "wait",
        "help",
        "filter",
        "view",
        "estimate",
        "validate",
        "check",
        "test",
        "tail",
        "simulate",
        "decode",
    ]
    .iter()
    .any(|prefix| verb.starts_with(prefix))
        || service == "logs" && verb == "tail"
        || matches!(service, "configure" | "sso" | "help")
        || verb == "update-kubeconfig"
    {
        if PRINT_SECRETS.contains(&verb) {
            walker.risk(RuleId::SecretRead, format!("{service} {verb}"), call.span);
        }
        return Some(Class::ReadOnly);
    }
    if [
        "delete",
        "terminate",
        "remove",
        "deregister",
        "purge",
        "destroy",
        "disable",
        "detach",
        "revoke",
        "cancel",
        "schedule-key-deletion",
        "empty",
        "batch-delete",
    ]
    .iter()
    .any(|prefix| verb.starts_with(prefix))
    {
        let rule = if ["remove-tags", "delete-tags", "detach", "cancel", "revoke"]
            .iter()
            .any(|prefix| verb.starts_with(prefix))
        {
            RuleId::CloudChange
        } else {
            RuleId::CloudDelete
        };
        walker.risk(rule, format!("{service} {verb}"), call.span);
        return Some(Class::Destructive);
    }
    if matches!(service, "iam" | "organizations" | "kms") {
        walker.risk(RuleId::CloudAccess, format!("{service} {verb}"), call.span);
    } else {
        walker.risk(RuleId::CloudChange, format!("{service} {verb}"), call.span);
    }
    None
}

/// `aws s3 cp` carries files out or in.
fn copy(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Class {
    if let (Some(source), Some(target)) = (args.operands.get(2), args.operands.get(3)) {
        let path = walker.resolve(source).0;
        if target.text.starts_with("s3://") && walker.taint_of_file(&path).has(crate::text::Taint::SECRET) {
            walker.risk(RuleId::SecretExfiltration, target.text.clone(), call.span);
        }
        if target.text.starts_with("s3://") && !source.text.starts_with("s3://") && source.text != "-" {
            walker.sent.push(path);
        }
        walker.check_sent(source.text == "-", !target.text.starts_with("s3://"), call.span);
        if !target.text.starts_with("s3://") && target.text != "-" {
            walker.write_path(target, call.span);
        }
    }
    Class::Writes
}

pub(crate) fn gcloud(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    verbs(walker, call, args)
}

pub(crate) fn az(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.words().any(|word| word.starts_with("download")) {
        let given = Args::parse(call.rest(), "-f --file -d --destination --dest");
        for target in given.values("-f|--file|-d|--destination|--dest") {
            walker.write_path(target, call.span);
        }
    }
    // `storage account keys list`, `acr credential show`, `storage account show-connection-string`.
    let words: Vec<&str> = args.words().take(6).collect();
    let shows_key = words.iter().any(|word| matches!(*word, "list-keys" | "show-connection-string"))
        || words.windows(2).any(|pair| {
            matches!(
                pair[0],
                "keys" | "key" | "credential" | "credentials" | "secret" | "admin-key" | "query-key"
            ) && matches!(pair[1], "list" | "show" | "download" | "get-access-token")
        }) && words.first() != Some(&"ad");
    if shows_key && (words.first() != Some(&"keyvault") || words.contains(&"download"))
        || words.starts_with(&["account", "get-access-token"])
    {
        walker.risk(RuleId::SecretRead, words.join(" "), call.span);
    }
    verbs(walker, call, args)
}

pub(crate) fn cloud_verbs(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    verbs(walker, call, args)
}

/// Any word of the subcommand may be the verb.
fn verbs(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    sends(walker, call, args);
    let words: Vec<&str> = args.words().take(6).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(word));
    let changes = words.iter().any(|word| {
        ["create", "update", "add", "set", "delete", "remove"].iter().any(|verb| word.starts_with(verb))
    });
    // Who may reach or do what: rules of networks, roles, policies.
    if changes
        && has(&[
            "firewall-rules",
            "firewall-policies",
            "nsg",
            "security-group",
            "roles",
            "role",
            "policy",
            "iam",
            "org-policies",
        ])
        && !has(&["list", "show", "describe"])
    {
        walker.risk(RuleId::CloudAccess, words.join(" "), call.span);
    }
    if args.words().take(5).collect::<Vec<_>>().windows(2).any(|pair| pair == ["keys", "create"])
        || args.words().take(5).any(|word| word == "add-iam-policy-binding")
        || args.words().take(5).collect::<Vec<_>>().windows(2).any(|pair| pair == ["assignment", "create"])
        || args.word(0) == "ad" && args.words().any(|word| word.starts_with("create"))
    {
        walker.risk(RuleId::CloudAccess, args.words().take(4).collect::<Vec<_>>().join(" "), call.span);
    }
    // A noun such as `apps` must not hide the verb behind it.
    let destroys = |word: &&str| {
        matches!(word.rsplit([':', '-']).next().unwrap_or(word), "delete" | "destroy" | "purge" | "terminate")
    };
    let mut words: Vec<&str> = args.words().take(6).collect();
    if let Some(at) = words.iter().position(destroys) {
        words.rotate_left(at);
    }
    for word in words {
        let verb = word.rsplit(':').next().unwrap_or(word);
        // `service-instance-delete` of ibmcloud.
        let verb = verb.rsplit_once('-').map_or(verb, |(_, last)| if last == "delete" { last } else { verb });
        match verb {
            "delete" | "destroy" | "purge" | "remove" | "rm" | "rb" | "reset" | "wipe" | "teardown"
            | "terminate" | "nuke" | "drop" => {
                let rule = if matches!(verb, "reset") { RuleId::CloudChange } else { RuleId::CloudDelete };
                walker.risk(rule, args.words().take(4).collect::<Vec<_>>().join(" "), call.span);
                return Some(Class::Destructive);
            }
            "down" if call.name == "railway" => {
                walker.risk(RuleId::CloudChange, "railway down", call.span);
                return Some(Class::Destructive);
            }
            "deploy" | "promote" | "rollback" | "release" => {
                walker.risk(
                    RuleId::InfrastructureApply,
                    args.words().take(3).collect::<Vec<_>>().join(" "),
                    call.span,
                );
                return Some(Class::Writes);
            }
            "list" | "ls" | "describe" | "show" | "get" | "info" | "status" | "logs" | "whoami"
            | "version" | "read" | "tail" | "inspect" | "apps" | "get-value" | "print-access-token"
            | "open" => return Some(Class::ReadOnly),
            _ => {}
        }
    }
    if args.has("--prod|--production") {
        walker.risk(RuleId::InfrastructureApply, "--prod", call.span);
    }
    None
}

/// A copy of a secret file to a bucket.
fn sends(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    let to_bucket = args.operands.last().is_some_and(|target| target.text.contains("://"));
    let uploads = args.words().any(|word| word.starts_with("upload"));
    if !to_bucket && !uploads {
        return;
    }
    let mut files: Vec<_> = args.values("-f|--file|-s|--source");
    files.extend(args.operands.iter().copied());
    for file in files {
        let path = walker.resolve(file).0;
        if path.starts_with('/') && walker.taint_of_file(&path).has(crate::text::Taint::SECRET) {
            walker.risk(RuleId::SecretExfiltration, path, call.span);
            return;
        }
    }
}

pub(crate) fn gsutil(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    sends(walker, call, args);
    if args.word(0) == "rsync" && args.has("-d") {
        walker.risk(RuleId::SyncDelete, args.word(2), call.span);
    }
    let target = args.operands.last().filter(|target| target.text != "-" && !target.text.contains("://"));
    if let Some(target) = target.filter(|_| matches!(args.word(0), "cp" | "mv" | "rsync")) {
        walker.write_path(target, call.span);
    }
    None
}

pub(crate) fn heroku(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "pg:psql" {
        let given = Args::parse(call.rest(), "-c --command -f --file -a --app -r --remote");
        for statement in given.values("-c|--command") {
            if let Some(rule) = super::databases::rule_of_statement(&statement.text, false) {
                walker.risk(rule, statement.text.clone(), call.span);
            }
        }
    }
    match args.word(0) {
        "pg:reset" | "apps:destroy" | "apps:delete" | "addons:destroy" | "destroy" => {
            walker.risk(RuleId::CloudDelete, args.word(0), call.span);
            Some(Class::Destructive)
        }
        "logs" | "ps" | "apps" | "config" | "releases" | "pg:info" | "addons" | "status" => {
            Some(Class::ReadOnly)
        }
        _ => verbs(walker, call, args),
    }
}

/// `terraform apply plan.out` applies a reviewed plan; `plan -destroy` only prints.
pub(crate) fn terraform(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "plan" {
        for file in args.values("-out|--out") {
            walker.write_path(file, call.span);
        }
        return Some(Class::ReadOnly);
    }
    if call
        .rest()
        .iter()
        .any(|word| word.text.starts_with("-auto-approve") || word.text.starts_with("--auto-approve"))
        && matches!(args.word(0), "apply" | "run-all" | "refresh")
    {
        walker.risk(RuleId::InfrastructureAutoApply, args.word(0), call.span);
    }
    None
}

pub(crate) fn ansible(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let looks = args.values("-m|--module-name").iter().any(|module| {
        matches!(
            module.text.rsplit('.').next(),
            Some("ping" | "setup" | "debug" | "gather_facts" | "stat" | "win_ping")
        )
    });
    if looks || args.has("--check|-C|--syntax-check|--list-hosts|--list-tasks|--list-tags|--version") {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::InfrastructureApply, args.word(0), call.span);
    None
}
