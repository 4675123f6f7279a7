//! docker and kubectl beyond their subcommands.

use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Options of subcommands whose value is a file or folder of this machine that is written.
const OUTPUTS: &str = "-o --output --iidfile --metadata-file --cidfile";

pub(crate) fn docker(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let (first, second) = (args.word(0), args.word(1));
    walker.reading.network |= matches!(first, "pull" | "push" | "login" | "search");
    let looks = matches!(
        first,
        "" | "ps"
            | "images"
            | "logs"
            | "inspect"
            | "info"
            | "version"
            | "stats"
            | "top"
            | "port"
            | "events"
            | "history"
            | "context"
            | "search"
            | "ls"
    ) || matches!(second, "ls" | "inspect" | "list");
    if let Some(host) = foreign_daemon(walker, args)
        && !looks
    {
        walker.risk(RuleId::CloudChange, host, call.span);
    }
    if matches!((first, second), ("rm" | "rmi" | "kill", _) | ("container" | "image", "rm"))
        && args.operands.iter().any(|word| !word.is_known())
    {
        walker.risk(RuleId::ContainerPrune, "everything a command lists", call.span);
    }
    if first == "rm" && args.has("-v|--volumes") {
        walker.risk(RuleId::ContainerVolume, second, call.span);
    }
    if matches!(first, "ps" | "images") {
        return Some(Class::ReadOnly);
    }
    copies_out(walker, call, if matches!(first, "container" | "image") { second } else { first });
    None
}

/// Returns the other machine whose containers a call manages: `-H tcp://prod:2375`, `DOCKER_HOST=ssh://prod`.
fn foreign_daemon(walker: &Walker<'_>, args: &Args<'_>) -> Option<String> {
    let named = args.values("-H|--host").first().map(|host| host.text.clone());
    let host = named.or_else(|| walker.variable("DOCKER_HOST").map(|host| host.text))?;
    let is_remote = ["tcp://", "ssh://", "http://", "https://"].iter().any(|scheme| host.starts_with(scheme));
    (is_remote && !crate::network::is_local_url(&host)).then_some(host)
}

/// Files copied from a container or an image to this machine.
fn copies_out(walker: &mut Walker<'_>, call: &Call, sub: &str) {
    let args = Args::parse(call.rest(), OUTPUTS);
    match sub {
        "cp" => {
            let sources = args.operands.iter().rev().skip(1).filter(|source| !is_in_container(source));
            for source in sources.filter(|source| !matches!(source.text.as_str(), "cp" | "container" | "-")) {
                walker.read_path(source, call.span);
                let path = walker.resolve(source).0;
                if crate::secrets::is_credential_store(&path, &walker.reading.home) {
                    walker.risk(RuleId::SecretRead, path, call.span);
                }
            }
            let target = args.operands.last().filter(|target| target.text != "-" && !is_in_container(target));
            if let Some(target) = target.filter(|_| args.operands.len() > 2) {
                walker.write_path(target, call.span);
            }
        }
        "save" | "export" | "build" | "buildx" => {
            for output in args.values("-o|--output|--iidfile|--metadata-file|--cidfile") {
                // `type=local,dest=folder` names it among others.
                let named = output.text.split(',').find_map(|part| part.strip_prefix("dest="));
                let path = named.map_or_else(|| (*output).clone(), Text::known);
                if path.text != "-" && (named.is_some() || !path.text.contains('=')) {
                    walker.write_path(&path, call.span);
                }
            }
        }
        _ => {}
    }
}

/// `docker compose cp`.
pub(crate) fn compose(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    copies_out(walker, call, args.word(0));
    None
}

/// `helm pull -d folder`, `helm template --output-dir folder`, `helm package -d folder`.
pub(crate) fn helm(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let given =
        Args::parse(call.rest(), "-d --destination --untardir --output-dir -n --namespace -f --values");
    let named = match args.word(0) {
        "pull" | "fetch" | "package" => given.values("-d|--destination|--untardir"),
        "template" => given.values("--output-dir"),
        _ => return None,
    };
    for folder in &named {
        walker.write_path(folder, call.span);
    }
    if named.is_empty() {
        if args.word(0) == "template" {
            return None;
        }
        walker.write_path(&Text::known("."), call.span);
    }
    Some(Class::Writes)
}

/// `name:path`; a path here begins with a slash or a dot, or has no colon.
fn is_in_container(word: &Text) -> bool {
    !word.text.starts_with(['/', '.'])
        && word.text.split_once(':').is_some_and(|(name, _)| !name.is_empty() && !name.contains('/'))
}

pub(crate) fn kubectl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--dry-run") || call.rest().iter().any(|word| word.text.starts_with("--dry-run=")) {
        return Some(Class::ReadOnly);
    }
    if crate::walk::shows_secret(call.rest()) {
        walker.risk(RuleId::SecretRead, args.word(1), call.span);
    }
    // A pod that reaches into its node: `--overrides='{"spec":{"hostPID":true}}'`.
    if call.rest().iter().any(|word| reaches_node(&word.text)) {
        walker.risk(RuleId::ContainerHostAccess, "kubectl --overrides", call.span);
    }
    if args.word(0) == "kustomize" {
        for output in args.values("-o|--output") {
            walker.write_path(output, call.span);
        }
    }
    // A copy out of a pod changes nothing in the cluster.
    if args.word(0) == "cp" {
        match args.operands.get(2) {
            Some(target) if args.word(1).contains(':') => {
                walker.write_path(target, call.span);
            }
            _ => walker.risk(RuleId::ClusterChange, args.word(2), call.span),
        }
    }
    if args.word(0) == "delete" {
        let target = args.word(1);
        let kind = target.split('/').next().unwrap_or(target);
        if matches!(kind, "namespace" | "ns" | "pv" | "pvc" | "node" | "crd") && target.contains('/') {
            walker.risk(RuleId::ClusterDelete, target, call.span);
        }
    }
    None
}

/// Returns whether the definition of a pod gives it access to its node.
pub(crate) fn reaches_node(word: &str) -> bool {
    let dense: String = word.chars().filter(|letter| !letter.is_whitespace()).collect();
    dense.contains('{')
        && [
            "\"privileged\":true",
            "\"hostPID\":true",
            "\"hostNetwork\":true",
            "\"hostIPC\":true",
            "\"hostPath\"",
        ]
        .iter()
        .any(|mark| dense.contains(mark))
}
