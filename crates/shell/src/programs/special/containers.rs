//! docker and kubectl beyond their subcommands.

use crate::programs::Args;
use crate::reading::Class;
use crate::walk::{Call, Walker};

pub(crate) fn docker(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let (first, second) = (args.word(0), args.word(1));
    walker.reading.network |= matches!(first, "pull" | "push" | "login" | "search");
    if matches!((first, second), ("rm" | "rmi" | "kill", _) | ("container" | "image", "rm"))
        && args.operands.iter().any(|word| !word.is_known())
    {
        walker.risk("container-prune", "everything a command lists", call.span);
    }
    if first == "rm" && args.has("-v|--volumes") {
        walker.risk("container-volume", second, call.span);
    }
    if matches!(first, "ps" | "images") {
        return Some(Class::ReadOnly);
    }
    None
}

pub(crate) fn kubectl(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("--dry-run") || call.rest().iter().any(|word| word.text.starts_with("--dry-run=")) {
        return Some(Class::ReadOnly);
    }
    if crate::walk::shows_secret(call.rest()) {
        walker.risk("secret-read", args.word(1), call.span);
    }
    // A copy out of a pod changes nothing in the cluster.
    if args.word(0) == "cp" {
        match args.operands.get(2) {
            Some(target) if args.word(1).contains(':') => {
                walker.write_path(target, call.span);
            }
            _ => walker.risk("cluster-change", args.word(2), call.span),
        }
    }
    if args.word(0) == "delete" {
        let target = args.word(1);
        let kind = target.split('/').next().unwrap_or(target);
        if matches!(kind, "namespace" | "ns" | "pv" | "pvc" | "node" | "crd") && target.contains('/') {
            walker.risk("cluster-delete", target, call.span);
        }
    }
    None
}
