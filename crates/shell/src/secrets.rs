//! Files with secret content.

use crate::path::is_within;

/// Folders and files below the home that hold credentials.
const HOME: [&str; 26] = [
    ".aws/credentials",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".config/google-chrome",
    ".config/op",
    ".docker/config.json",
    ".gem/credentials",
    ".git-credentials",
    ".gnupg",
    ".kube/config",
    ".mozilla/firefox",
    ".my.cnf",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".vault-token",
    "Library/Keychains",
];

/// Files with secrets that lie at the top of projects.
pub(crate) const IN_PROJECTS: [&str; 10] = [
    ".env",
    ".env.local",
    ".env.production",
    ".env.development",
    ".envrc",
    "credentials.json",
    "secrets.yml",
    "secrets.yaml",
    "service-account.json",
    "id_rsa",
];

/// Files of the system that hold credentials.
const SYSTEM: [&str; 6] = [
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/ssl/private",
    "/etc/krb5.keytab",
    "/var/run/secrets",
];

/// Returns whether the file at `path` holds a secret, for every reader.
pub(crate) fn is_secret(path: &str, home: &str) -> bool {
    is_credential_store(path, home) || is_environment_file(path)
}

/// Returns whether `path` is a store of the user's or the system's credentials.
pub(crate) fn is_credential_store(path: &str, home: &str) -> bool {
    if SYSTEM.iter().any(|secret| is_within(path, secret))
        || path.starts_with("/etc/ssh/ssh_host") && !path.ends_with(".pub")
    {
        return true;
    }
    if path.starts_with("/proc/") && path.ends_with("/environ") {
        return true;
    }
    if path == home {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or("");
    if is_private_key(path, name) {
        return true;
    }
    below_home(path, home).is_some_and(|rest| {
        matches!(rest, ".ssh" | ".aws" | ".kube" | ".docker" | ".config/gh" | ".config")
            || rest.starts_with(".ssh/*")
            || HOME.iter().any(|secret| {
                rest == *secret || rest.starts_with(secret) && rest[secret.len()..].starts_with('/')
            })
    })
}

/// `.env` and its kin, but not the examples.
pub(crate) fn is_environment_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    let is_env = name == ".env" || name.starts_with(".env.") || name == ".envrc";
    is_env
        && !["example", "sample", "template", "dist", "test", "defaults"]
            .iter()
            .any(|word| name.ends_with(word))
        || matches!(
            name,
            "secrets.yml" | "secrets.yaml" | "secrets.json" | "credentials.json" | "service-account.json"
        )
}

fn is_private_key(path: &str, name: &str) -> bool {
    if name.ends_with(".pub") {
        return false;
    }
    ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].iter().any(|key| name.starts_with(key))
        || path.contains("/.ssh/")
            && (name.ends_with(".pem")
                || name.ends_with(".key")
                || name.starts_with("id_")
                || name.contains('*'))
}

/// The path below a home folder, ours or another user's.
pub(crate) fn below_home<'p>(path: &'p str, home: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(home).and_then(|rest| rest.strip_prefix('/'));
    rest.or_else(|| path.strip_prefix("/root/")).or_else(|| {
        let rest = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"))?;
        rest.split_once('/').map(|(_, rest)| rest)
    })
}
