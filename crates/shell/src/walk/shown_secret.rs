//! Commands whose output is a secret: the environment, a variable with a secret name, credentials of a tool.
//!
//! The guard judges at the end, when it knows where the output goes, whether a reader sees it ([`crate::guard`]).

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::reading::{Site, Span};
use crate::secrets;
use crate::text::{Taint, Text};

/// Programs that print the files they are given.
const PRINT_FILES: [&str; 32] = [
    "cat", "bat", "batcat", "head", "tail", "less", "more", "most", "nl", "tac", "rev", "xxd", "od",
    "hexdump", "hexyl", "strings", "base64", "base32", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed",
    "awk", "gawk", "mawk", "cut", "sort", "view", "column",
];

/// Programs whose output may be a secret.
const PRINT_SECRETS: [&str; 40] = [
    "env",
    "printenv",
    "export",
    "declare",
    "typeset",
    "readonly",
    "set",
    "echo",
    "printf",
    "ps",
    "gcloud",
    "kubectl",
    "oc",
    "aws",
    "az",
    "gh",
    "glab",
    "heroku",
    "netlify",
    "fly",
    "flyctl",
    "pulumi",
    "sops",
    "ansible-vault",
    "doppler",
    "infisical",
    "chamber",
    "bw",
    "lpass",
    "keyring",
    "secret-tool",
    "eb",
    "railway",
    "git",
    "openssl",
    "doctl",
    "docker",
    "podman",
    "firebase",
    "vault",
];

impl Walker<'_> {
    /// Records that a command prints secrets, if it does.
    pub(super) fn shows_secret(&mut self, call: &Call) {
        // `find ~ -name '*.pem' | xargs cat`
        if self.site == Site::Local
            && PRINT_FILES.contains(&call.name.as_str())
            && call.rest().iter().any(|word| word.glob && word.taint.has(Taint::SECRET))
        {
            self.risk_of(RuleId::SecretShown, "the files found", call.span, call.command);
        }
        // Most programs print no secrets; their words need not be collected.
        if self.site != Site::Local || !PRINT_SECRETS.contains(&call.name.as_str()) {
            return;
        }
        let words: Vec<&str> = call.rest().iter().map(|word| word.text.as_str()).collect();
        let about = match call.name.as_str() {
            "env" if prints_environment(&words) => Some("the environment"),
            "printenv" if words.iter().all(|word| word.starts_with('-')) => Some("the environment"),
            "printenv" if words.iter().any(|word| secrets::is_secret_name(word)) => Some("a secret variable"),
            "set" if words.is_empty() => Some("the environment"),
            "export" | "declare" | "typeset" | "readonly"
                if words.iter().all(|word| matches!(*word, "-p" | "-x" | "-px" | "-xp")) =>
            {
                Some("the environment")
            }
            "echo" | "printf" if call.rest().iter().any(is_secret_word) => Some("a secret variable"),
            // Letters without a dash: `ps eww` prints the environment of each process.
            "ps" if words
                .first()
                .is_some_and(|word| !word.starts_with('-') && word.contains('e') && word.len() < 8) =>
            {
                Some("the environment of processes")
            }
            _ => prints_credentials(&call.name, &words).then_some("credentials"),
        };
        if let Some(about) = about {
            self.risk_of(RuleId::SecretShown, about, call.span, call.command);
        }
    }

    /// Records that a file with secrets is printed.
    pub(super) fn shows_file(&mut self, path: &str, command: usize, span: Span) {
        let program = self.reading.commands.get(command).map_or("", |command| command.program.as_str());
        // A copy of a secret is one, too: `cp .env /tmp/x && cat /tmp/x`.
        let is_copy = || self.state.content(path).is_some_and(|content| content.taint.has(Taint::SECRET));
        if !PRINT_FILES.contains(&program) || !self.is_shown_secret(path) && !is_copy() {
            return;
        }
        self.risk_of(RuleId::SecretShown, path, span, command);
    }

    /// Returns whether a file of a project is secret: `.env`, or a key that is not known to be a certificate.
    pub(crate) fn is_shown_secret(&self, path: &str) -> bool {
        if secrets::is_environment_file(path) {
            return true;
        }
        if !secrets::is_project_key(path) {
            return false;
        }
        let head = self.place.files.read(path, 128).unwrap_or_default();
        let head = String::from_utf8_lossy(&head);
        !head.contains("BEGIN CERTIFICATE") && !head.contains("BEGIN PUBLIC")
    }
}

/// The value of a variable with a secret name is in the word.
fn is_secret_word(word: &Text) -> bool {
    !word.is_known() && (secrets::names_secret_variable(&word.text) || word.taint.has(Taint::SECRET))
}

/// `env` without a command.
fn prints_environment(words: &[&str]) -> bool {
    words
        .iter()
        .all(|word| matches!(*word, "-0" | "--null" | "-v") || word.contains('=') && !word.starts_with('-'))
}

/// Tools that print their own credentials.
fn prints_credentials(name: &str, words: &[&str]) -> bool {
    let has = |word: &str| words.contains(&word);
    let begins = |start: &[&str]| {
        let mut operands = words.iter().filter(|word| !word.starts_with('-'));
        start.iter().all(|word| operands.next() == Some(word))
    };
    match name {
        "gcloud" => {
            words.iter().any(|word| {
                matches!(*word, "print-access-token" | "print-identity-token" | "print-refresh-token")
            }) || begins(&["secrets", "versions", "access"])
        }
        "kubectl" | "oc" => {
            begins(&["config", "view"]) && has("--raw") || name == "oc" && has("whoami") && has("-t")
        }
        "aws" => {
            begins(&["configure", "export-credentials"])
                || begins(&["configure", "get"])
                    && words.iter().any(|word| word.contains("secret") || word.contains("token"))
                || begins(&["ecr", "get-login-password"])
                || begins(&["sts", "get-session-token"])
                || begins(&["sts", "assume-role"])
                || begins(&["ec2", "get-password-data"])
                || begins(&["s3", "presign"])
                || begins(&["codeartifact", "get-authorization-token"])
        }
        "az" => begins(&["account", "get-access-token"]) || begins(&["keyvault", "secret", "show"]),
        "gh" => {
            begins(&["auth", "token"]) || begins(&["auth", "status"]) && (has("-t") || has("--show-token"))
        }
        "glab" => begins(&["auth", "status"]) && has("-t"),
        "heroku" => matches!(words.first(), Some(&"config" | &"config:get" | &"auth:token")),
        "doctl" => begins(&["auth", "token"]),
        "netlify" => matches!(words.first(), Some(&"env:get")),
        "firebase" => {
            matches!(words.first(), Some(&"functions:secrets:access" | &"login:ci" | &"auth:export"))
        }
        // The environment of a container: `docker inspect -f '{{.Config.Env}}' web`.
        "docker" | "podman" => has("inspect") && words.iter().any(|word| word.contains(".Config.Env")),
        "fly" | "flyctl" => begins(&["auth", "token"]),
        "vault" => begins(&["token", "lookup"]) || begins(&["print", "token"]),
        "pulumi" => has("--show-secrets"),
        "sops" => has("-d") || has("--decrypt") || begins(&["decrypt"]),
        "ansible-vault" => begins(&["view"]),
        "doppler" => begins(&["secrets"]) && !begins(&["secrets", "set"]),
        "infisical" => begins(&["secrets"]) || begins(&["export"]),
        "chamber" => begins(&["read"]) || begins(&["export"]),
        "bw" => begins(&["get"]) && !begins(&["get", "template"]),
        "lpass" => begins(&["show"]),
        "keyring" => begins(&["get"]),
        "secret-tool" => begins(&["lookup"]),
        "eb" => begins(&["printenv"]),
        "railway" => begins(&["variables"]),
        "git" => begins(&["credential-store", "get"]) || begins(&["credential-cache", "get"]),
        "openssl" => {
            matches!(words.first(), Some(&"rsa" | &"pkey" | &"ec" | &"dsa" | &"pkcs8" | &"pkcs12"))
                && has("-in")
                && !words.iter().any(|word| {
                    matches!(*word, "-noout" | "-pubout" | "-pubin" | "-out" | "-info" | "-nokeys" | "-check")
                })
        }
        _ => false,
    }
}
