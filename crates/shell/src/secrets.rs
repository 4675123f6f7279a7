//! Files with secret content.

use crate::path::is_within;

/// Folders and files below the home that hold credentials.
const HOME: [&str; 44] = [
    ".aws/credentials",
    ".azure",
    ".boto",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".claude/.credentials.json",
    ".claude.json",
    ".codex/auth.json",
    ".config/gcloud",
    ".config/gh/hosts.yml",
    ".config/google-chrome",
    ".config/hub",
    ".config/op",
    ".config/rclone/rclone.conf",
    ".config/sops/age/keys.txt",
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
    ".s3cfg",
    ".terraform.d/credentials.tfrc.json",
    ".terraformrc",
    ".vault-token",
    ".wgetrc",
    ".zsh_history",
    "Library/Keychains",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/BraveSoftware",
    "Library/Application Support/Firefox",
    "Library/Application Support/Microsoft Edge",
    "Library/Cookies",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".local/share/keyrings",
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

/// Parts of a name that say that its value is a secret.
const SECRET_WORDS: [&str; 12] = [
    "SECRET",
    "TOKEN",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "APIKEY",
    "API_KEY",
    "PRIVATE_KEY",
    "ACCESS_KEY",
    "CREDENTIAL",
    "AUTH_KEY",
    "ENCRYPTION_KEY",
];

/// Returns whether a variable of this name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let is_other = ["TOKENS", "TOKENIZER", "MAX_TOKEN", "TOKEN_LIMIT", "TOKEN_COUNT", "PUBLIC"];
    let about = ["_FILE", "_PATH", "_ID", "_URL", "_NAME", "_TYPE", "_DIR", "_EXPIRY", "_TTL"];
    let is_secret = SECRET_WORDS.iter().any(|word| upper.contains(word))
        || ["_KEY", "_PASS", "_PWD"].iter().any(|end| upper.ends_with(end));
    is_secret
        && !is_other.iter().any(|word| upper.contains(word))
        && !about.iter().any(|end| upper.ends_with(end))
}

/// Returns whether text has the value of a variable with a secret name in it: `$API_KEY`, `${TOKEN}`, `${X:-}`.
pub(crate) fn names_secret_variable(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        let rest = &text[at + 1..];
        let (rest, braced) = rest.strip_prefix('{').map_or((rest, false), |rest| (rest, true));
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        is_secret_name(name)
            && (!braced || behind.starts_with('}') || behind.starts_with(":-") || behind.starts_with('-'))
    })
}

/// Returns whether a file of a project is a private key by its name; certificates often share the ending.
pub(crate) fn is_project_key(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    let is_key = name.ends_with(".key")
        || name.ends_with(".pem")
        || name.ends_with(".p12")
        || name.ends_with(".pfx")
        || name.ends_with(".jks")
        || name.ends_with(".keystore")
        || name.ends_with(".ppk");
    // `cert.key`, `ca-key.pem` and `keychain.p12` name the key of a certificate.
    let is_named_key = name.contains("key") && !name.ends_with(".keystore");
    let of_certificates = ["cert", "chain", "ca.pem", "ca-", "csr", "bundle"];
    let is_certificate = !is_named_key && of_certificates.iter().any(|word| name.contains(word));
    let is_public = ["public", "pub.", ".pub", "example", "sample"].iter().any(|word| name.contains(word));
    is_key && !is_certificate && !is_public
}

/// Files of [`HOME`] that hold credentials in whichever folder they lie: a copy, a container's home, a checked-in one.
const IN_ANY_FOLDER: [&str; 12] = [
    ".aws/credentials",
    ".cargo/credentials.toml",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".docker/config.json",
    ".git-credentials",
    ".kube/config",
    ".netrc",
    ".pgpass",
    ".pypirc",
    ".terraform.d/credentials.tfrc.json",
    ".vault-token",
];

/// Returns whether a file may show a secret, by its name: more names than the guard asks about.
///
/// WHY: a question about each `.npmrc` would tire the user, but a call that reads one is not harmless by itself.
pub fn may_show_secret(path: &str) -> bool {
    const ENDINGS: [&str; 13] = [
        ".dockercfg",
        ".git/config",
        ".mcp.json",
        ".npmrc",
        ".renviron",
        ".secrets",
        ".token",
        ".yarnrc.yml",
        "kubeconfig",
        "local.settings.json",
        "pip.conf",
        "rclone.conf",
        "wp-config.php",
    ];
    const EXTENSIONS: [&str; 14] = [
        "age",
        "asc",
        "gpg",
        "jks",
        "kdb",
        "kdbx",
        "keystore",
        "keytab",
        "kubeconfig",
        "ovpn",
        "p12",
        "p8",
        "pfx",
        "tfvars",
    ];
    const DATA: [&str; 10] = ["", "txt", "json", "yml", "yaml", "toml", "ini", "cfg", "conf", "xml"];
    let lower = path.to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or("");
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let has_word = |words: &[&str]| words.iter().any(|word| name.contains(word));
    // Without an ending a word is rather one of a search or of a message.
    let is_named = has_word(&["secret", "credential", "password"])
        || !extension.is_empty()
            && (has_word(&["apikey", "api_key", "api-key", "adminsdk"])
                || stem == "token"
                || ["_token", "-token", ".token"].iter().any(|end| stem.ends_with(end)));
    is_secret(path, "/~")
        || is_project_key(path)
        || ends_in_any(&lower, &ENDINGS)
        || ends_in_any(path, &HOME)
        || EXTENSIONS.contains(&extension)
        || name.ends_with("_history")
        || name.contains("vault") && matches!(extension, "yml" | "yaml")
        || is_named && (DATA.contains(&extension) || stem.ends_with(".secret"))
}

fn ends_in_any(path: &str, names: &[&str]) -> bool {
    let is_end =
        |name: &&str| path.strip_suffix(*name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
    names.iter().any(is_end)
}

/// Returns whether the file at `path` holds a secret, for every reader.
pub(crate) fn is_secret(path: &str, home: &str) -> bool {
    is_credential_store(path, home) || is_environment_file(path)
}

/// Returns whether `path` is a store of the user's or the system's credentials.
pub(crate) fn is_credential_store(path: &str, home: &str) -> bool {
    // WHY by its first folder: every word of every command may be a path, and hardly one is the system's.
    let is_system = path.starts_with("/etc/") || path.starts_with("/var/run/");
    if is_system
        && (SYSTEM.iter().any(|secret| is_within(path, secret))
            || path.starts_with("/etc/ssh/ssh_host") && !path.ends_with(".pub"))
    {
        return true;
    }
    if is_process_memory(path) {
        return true;
    }
    if path == home {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or("");
    if is_private_key(path, name) || path.contains("/.") && ends_in_any(path, &IN_ANY_FOLDER) {
        return true;
    }
    below_home(path, home).is_some_and(|rest| {
        if rest.contains(['*', '?', '[']) && names_by_pattern(rest) {
            return true;
        }
        if !rest.starts_with(['.', 'L']) {
            return false;
        }
        matches!(rest, ".ssh" | ".aws" | ".kube" | ".docker" | ".config/gh" | ".config")
            || rest.starts_with(".ssh/*")
            || HOME.iter().any(|secret| {
                rest == *secret || rest.starts_with(secret) && rest[secret.len()..].starts_with('/')
            })
    })
}

/// Returns whether a path is the memory or the environment of a process, whichever it is, or the user's keyboard.
pub(crate) fn is_process_memory(path: &str) -> bool {
    path.starts_with("/proc/") && (path.ends_with("/environ") || path.ends_with("/mem"))
        || matches!(path, "/proc/kcore" | "/dev/mem" | "/dev/kmem")
        // Every key that the user presses.
        || path.starts_with("/dev/input/event")
}

/// Returns whether a pattern below the home matches a file with credentials: `.aws/cred*`, `.n?trc`.
fn names_by_pattern(pattern: &str) -> bool {
    let is_broad = pattern.trim_matches(['*', '/', '.']).is_empty();
    !is_broad
        && HOME.iter().chain(&[".ssh/id_rsa", ".ssh/id_ed25519"]).any(|secret| {
            pattern.split('/').count() == secret.split('/').count()
                && crate::walk::glob_matches(pattern, secret)
        })
}

/// Names in front of `.env` that say whose settings they are.
const STAGES: [&str; 8] =
    ["prod", "production", "dev", "development", "staging", "stage", "local", "secrets"];

/// `.env` and its kin, but not the examples.
pub(crate) fn is_environment_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or("");
    let name = name.strip_suffix('*').unwrap_or(name);
    let is_env = name == ".env"
        || name.starts_with(".env.")
        || name.starts_with(".env_")
        || name.starts_with(".env-")
        || matches!(name, ".envrc" | ".dev.vars")
        || name.strip_suffix(".env").is_some_and(|stage| STAGES.contains(&stage));
    is_env
        && !["example", "sample", "template", "dist", "test", "defaults"]
            .iter()
            .any(|word| name.ends_with(word))
        || matches!(
            name,
            "secrets.yml"
                | "secrets.yaml"
                | "secrets.json"
                | "secrets.toml"
                | "credentials.json"
                | "service-account.json"
                | "terraform.tfstate"
                | "terraform.tfstate.backup"
                | ".htpasswd"
                | ".vault_pass"
                | ".vault_pass.txt"
                | "kubeconfig"
        )
        || name.ends_with("-service-account.json")
}

fn is_private_key(path: &str, name: &str) -> bool {
    if name.ends_with(".pub") {
        return false;
    }
    name.starts_with("id_")
        && ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].iter().any(|key| name.starts_with(key))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_files_may_show_a_secret_than_the_guard_asks_about() {
        for path in [
            "/w/.env",
            "/w/.git/config",
            "/w/.npmrc",
            "/w/infra/prod.tfvars",
            "/w/.docker/config.json",
            "/w/kubeconfig",
            "/w/.htpasswd",
            "/w/.vault_pass",
            "/w/tls/cert.key",
            "/w/db-password.txt",
            "/w/tls/cert.p12",
            "/w/AuthKey_1.p8",
            "/w/.secrets",
            "/w/.Renviron",
            "/w/token.txt",
            "/w/deploy-token.txt",
            "/w/wp-config.php",
            "/w/group_vars/vault.yml",
            "/w/shop-firebase-adminsdk.json",
            "/w/.python_history",
        ] {
            assert!(may_show_secret(path), "{path}");
        }
        for path in [
            "/w/README.md",
            "/w/src/secrets.rs",
            "/w/src/config",
            "/w/.env.example",
            "/w/package.json",
            "/w/docs/passwords.md",
            "/w/.github/workflows/ci.yml",
            "/w/src/token.rs",
            "/w/design-tokens.json",
            "/w/tokenizer.json",
            "/w/locales/en/auth.json",
        ] {
            assert!(!may_show_secret(path), "{path}");
        }
    }
}
