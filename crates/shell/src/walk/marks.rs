//! Signs in the words of a call that mean the same for every program: a mining pool, a switched-off check of
//! certificates, a terminal on another machine's screen.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::network::is_local_host;

/// Settings that switch the check of certificates off, with the value that does, in lower case.
const UNCHECKED: [(&str, &str); 9] = [
    ("http.sslverify", "false"),
    ("http.sslverify", "0"),
    ("http.sslverify", "no"),
    ("strict-ssl", "false"),
    ("strictssl", "false"),
    ("enablestrictssl", "false"),
    ("ssl_verify", "false"),
    ("disable-tls", "true"),
    ("secure-http", "false"),
];

/// Programs that print or copy each file they are given.
const READERS: [&str; 10] = ["cat", "head", "tail", "base64", "xxd", "strings", "cp", "less", "od", "tar"];

/// Programs that read the memory of another process.
const DEBUGGERS: [&str; 8] = ["gdb", "lldb", "gcore", "procdump", "strace", "ltrace", "memdump", "reptyr"];

/// Programs that hold keys, passwords or cookies in their memory.
const KEEPERS: [&str; 16] = [
    "ssh-agent",
    "gpg-agent",
    "gnome-keyring-daemon",
    "gnome-keyring",
    "kwalletd",
    "keepass",
    "keepassxc",
    "1password",
    "bitwarden",
    "sshd",
    "sudo",
    "firefox",
    "chrome",
    "chromium",
    "vault",
    "lsass",
];

/// Programs that send a message to a service of the system.
const BUS: [&str; 4] = ["dbus-send", "busctl", "gdbus", "qdbus"];

/// Messages that stop the machine.
const POWER: [&str; 6] = ["PowerOff", "Reboot", "Halt", "Hibernate", "Suspend", "KExec"];

/// Programs that run code on the project's models.
const EMPTIES_MODELS: [&str; 6] = ["rails", "manage.py", "artisan", "rake", "flask", "console"];

/// Things that lie elsewhere, or hold data, in the words of programs that manage them; in the singular.
#[rustfmt::skip]
const RESOURCES: [&str; 30] = [
    "app", "backup", "bucket", "cluster", "collection", "database", "dataset", "db", "disk", "domain",
    "droplet", "instance", "metadata", "namespace", "org", "organization", "pool", "project", "queue",
    "repo", "repository", "schema", "server", "snapshot", "stack", "stream", "table", "topic", "vm",
    "volume",
];

/// Programs that fetch code and keep settings.
const FETCHERS: [&str; 9] = ["git", "npm", "yarn", "pnpm", "bun", "conda", "mamba", "composer", "pip"];

impl Walker<'_> {
    /// Records that an unknown program mines, or is an agent that asks nothing; others may mention such words.
    pub(super) fn mines_or_asks_nothing(&mut self, call: &Call) {
        // An agent program without a row that is started without its questions.
        let is_unguarded = |word: &str| word == "--yolo" || word.starts_with("--dangerously-");
        if let Some(word) = call.rest().iter().find(|word| is_unguarded(&word.text)) {
            self.risk(RuleId::AgentUnguarded, format!("{} {}", call.name, word.text), call.span);
        }
        if call.rest().iter().any(|word| names_pool(&word.text)) {
            self.risk(RuleId::CoinMiner, call.name.clone(), call.span);
        }
    }

    /// Records that the words make a program without a row destroy something, without a question: `dokku apps:destroy shop --force`.
    pub(super) fn destroys_by_name(&mut self, call: &Call) {
        let words = || call.rest().iter().map(|word| word.text.as_str()).take(8);
        // `wp db reset`, `sqlx database drop`, `console doctrine:schema:drop`.
        let parts: Vec<&str> = words().take(4).flat_map(|word| word.split(':')).collect();
        let empties = |pair: &[&str]| {
            matches!(pair[0], "db" | "sql" | "database" | "schema")
                && matches!(pair[1], "drop" | "reset" | "wipe" | "clean" | "destroy")
        };
        if parts.windows(2).any(empties) {
            self.risk(RuleId::DatabaseReset, format!("{} {}", call.name, parts.join(" ")), call.span);
            return;
        }
        if let Some(what) = names_destruction(call) {
            self.risk(RuleId::RemoteDelete, format!("{} {what}", call.name), call.span);
            return;
        }
        let verb = |word: &str| {
            let last = word.rsplit([':', '-']).next().unwrap_or(word);
            let last = last.strip_suffix("_flash").unwrap_or(last);
            matches!(
                last,
                "destroy"
                    | "delete"
                    | "deleteall"
                    | "purge"
                    | "remove"
                    | "rm"
                    | "uninstall"
                    | "reset"
                    | "forget"
                    | "erase"
                    | "terminate"
                    | "obliterate"
                    | "nuke"
                    | "wipe"
                    | "unregistervm"
            )
        };
        let insists = |word: &str| {
            matches!(
                word,
                "-f" | "-y"
                    | "--force"
                    | "--yes"
                    | "--all"
                    | "-a"
                    | "--delete"
                    | "--auto-approve"
                    | "--confirm"
                    | "--purge"
                    | "--recursive"
                    | "--no-prompts"
                    | "--no-confirm"
                    | "--yes-i-really-mean-it"
                    | "--yes-i-really-really-mean-it"
            ) || is_bucket(word)
        };
        let verbs: Vec<&str> =
            words().filter(|word| !word.starts_with('-')).take(4).filter(|word| verb(word)).collect();
        let is_plain = |word: &&str| {
            word.ends_with("destroy")
                || matches!(*word, "obliterate" | "nuke" | "erase" | "erase_flash" | "deleteall")
        };
        // These verbs are as often about something of the project: only who insists means more.
        let mild = |word: &&str| matches!(*word, "remove" | "rm" | "uninstall" | "reset" | "forget");
        let is_soft = |word: &str| matches!(word, "-f" | "-y" | "-a" | "--yes" | "--delete" | "--recursive");
        let insists = |word: &str| insists(word) && !(is_soft(word) && verbs.iter().all(mild));
        if verbs.iter().any(is_plain) || !verbs.is_empty() && words().any(insists) {
            self.risk(RuleId::RemoteDelete, format!("{} {}", call.name, verbs[0]), call.span);
        }
    }

    /// Records the signs in the words of `call`.
    pub(super) fn marks(&mut self, call: &Call) {
        if call.name == "go" && call.rest().iter().any(|word| word.text.starts_with("GOFLAGS=-toolexec")) {
            self.risk(RuleId::EnvironmentHook, "GOFLAGS", call.span);
        }
        if call.name == "rpm" && call.rest().iter().any(|word| word.text == "--import") {
            self.risk(RuleId::SystemInstall, "rpm --import", call.span);
        }
        if matches!(call.name.as_str(), "glab" | "tea" | "hub")
            && call.rest().windows(2).any(|pair| {
                matches!(pair[0].text.as_str(), "-X" | "--method")
                    && pair[1].text.eq_ignore_ascii_case("delete")
            })
        {
            self.risk(RuleId::RemoteDelete, call.name.clone(), call.span);
        }
        if let Some(name) = unchecked(call) {
            self.risk(RuleId::EncryptionOff, name, call.span);
        }
        // The account of a container in its cluster, also behind `kubectl exec`.
        let is_account = |word: &str| word.contains("/run/secrets/kubernetes.io/serviceaccount");
        if READERS.contains(&call.name.as_str()) && call.rest().iter().any(|word| is_account(&word.text)) {
            self.risk(RuleId::SecretRead, call.name.clone(), call.span);
        }
        if call.name == "osascript" && call.rest().iter().any(|word| word.text.contains("hidden answer")) {
            self.risk(RuleId::UserRecording, call.name.clone(), call.span);
        }
        let deletes =
            |word: &str| word.contains("Finder") && (word.contains("delete ") || word.contains("empty"));
        if call.name == "osascript" && call.rest().iter().any(|word| deletes(&word.text)) {
            self.risk(RuleId::DeleteOutsideFile, call.name.clone(), call.span);
        }
        let types = |word: &str| {
            word.contains("keystroke") || word.contains("key code ") || word.contains("click at ")
        };
        if call.name == "osascript" && call.rest().iter().any(|word| types(&word.text)) {
            self.risk(RuleId::UserInput, call.name.clone(), call.span);
        }
        if DEBUGGERS.contains(&call.name.as_str()) && self.attaches_to_keeper(call) {
            self.risk(RuleId::SecretRead, call.name.clone(), call.span);
        }
        if EMPTIES_MODELS.contains(&call.name.as_str())
            && let Some(word) = call.rest().iter().find(|word| empties_model(&word.text))
        {
            self.risk(RuleId::DatabaseDelete, word.text.chars().take(60).collect::<String>(), call.span);
        }
        if let Some(library) = loaded_library(call) {
            self.risk(RuleId::LibraryHijack, library, call.span);
        }
        let method = |word: &str| word.rsplit('.').next().is_some_and(|last| POWER.contains(&last));
        if BUS.contains(&call.name.as_str()) && call.rest().iter().any(|word| method(&word.text)) {
            self.risk(RuleId::Power, call.name.clone(), call.span);
        }
        if call.name == "wsl" && call.rest().iter().any(|word| word.text == "--unregister") {
            self.risk(RuleId::RemoteDelete, "wsl --unregister", call.span);
        }
        if let Some(display) = foreign_display(call) {
            self.risk(RuleId::ReverseShell, display, call.span);
        }
    }
}

impl Walker<'_> {
    /// Returns whether a debugger attaches to a process that holds secrets: `gcore $(pgrep ssh-agent)`.
    fn attaches_to_keeper(&self, call: &Call) -> bool {
        const FIND: [&str; 6] = ["pgrep", "pidof", "grep", "awk", "ps", "tasklist"];
        let is_keeper = |text: &str| {
            text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'))
                .any(|word| KEEPERS.contains(&word))
        };
        let attaches = matches!(call.name.as_str(), "gcore" | "procdump" | "memdump" | "reptyr")
            || call.rest().iter().any(|word| {
                let text = word.text.as_str();
                matches!(text, "-p" | "--pid" | "--attach-pid" | "-n" | "--attach-name")
                    || text.starts_with("attach ")
                    || text.starts_with("--pid=")
                    || text.starts_with("-p") && !word.is_known()
            });
        attaches
            && self.reading.commands.iter().enumerate().any(|(at, command)| {
                (at == call.command || FIND.contains(&command.program.as_str()))
                    && command.argv.iter().skip(1).any(|word| is_keeper(&word.text))
            })
    }
}

/// Returns the words of an unknown program, or the part of its own name, that say what it destroys: `tea repo delete x`,
/// `kafka-delete-records`, `memcached-tool host flush_all`.
fn names_destruction(call: &Call) -> Option<String> {
    let words: Vec<&str> =
        call.rest().iter().map(|word| word.text.as_str()).filter(|word| !word.starts_with('-')).collect();
    let is_strong = |word: &str| {
        matches!(word, "delete" | "destroy" | "drop" | "purge" | "wipe" | "terminate" | "clear" | "truncate")
    };
    let parts: Vec<&str> = words.iter().take(4).flat_map(|word| word.split(':')).collect();
    let pair = parts.windows(2).find(|pair| {
        RESOURCES.contains(&pair[0].trim_end_matches('s')) && is_strong(pair[1])
            || is_strong(pair[0]) && pair[0] != "clear" && RESOURCES.contains(&pair[1].trim_end_matches('s'))
    });
    if let Some(pair) = pair {
        return Some(pair.join(" "));
    }
    if let Some(word) = words.iter().find(|word| matches!(**word, "flush_all" | "flushall" | "flushdb")) {
        return Some((*word).to_owned());
    }
    // A program of the system that is named after it; a script of the project is read.
    let is_bare = call.argv.first().is_some_and(|word| !word.text.contains('/'));
    let is_telling = |part: &str| {
        matches!(part, "delete" | "destroy" | "uninstall" | "wipe" | "purge" | "nuke" | "erase" | "shred")
    };
    let part = call.name.split(['-', '_', '.']).find(|part| is_bare && is_telling(part))?;
    Some(part.to_owned())
}

/// Returns whether code deletes every row of a model: `User.delete_all`, `User::truncate()`.
fn empties_model(code: &str) -> bool {
    [
        "delete_all",
        "destroy_all",
        ".objects.all().delete()",
        "::truncate()",
        "->truncate()",
        ".query.delete()",
    ]
    .iter()
    .any(|call| code.contains(call))
}

/// Returns the library of another place than the system's that a call loads: `ssh-keygen -D ./x.so`.
fn loaded_library(call: &Call) -> Option<String> {
    let options: &[&str] = match call.name.as_str() {
        "ssh-keygen" => &["-D"],
        "ssh-add" => &["-s"],
        "ssh" | "scp" | "sftp" => &["-I"],
        "openssl" => &["-engine", "-provider-path", "-engine_impl"],
        "sqlcipher" => &["-ext"],
        _ => return None,
    };
    let rest = call.rest();
    rest.iter().enumerate().find_map(|(at, word)| {
        let value = if options.contains(&word.text.as_str()) {
            rest.get(at + 1)?.text.as_str()
        } else {
            options.iter().find_map(|option| word.text.strip_prefix(option)).filter(|it| it.contains('/'))?
        };
        let is_file = value.contains('/') || value.ends_with(".so") || value.ends_with(".dylib");
        let of_system = ["/usr/", "/lib", "/opt/", "/nix/"].iter().any(|folder| value.starts_with(folder));
        (is_file && !of_system).then(|| value.to_owned())
    })
}

/// Returns whether a word is the address of a store of objects: `s3://x/*`.
fn is_bucket(word: &str) -> bool {
    ["s3://", "gs://", "r2://", "b2://", "oss://", "cos://", "swift://", "hdfs://", "abfs://"]
        .iter()
        .any(|scheme| word.starts_with(scheme))
}

/// Returns whether a word is the address of a mining pool.
fn names_pool(word: &str) -> bool {
    const POOLS: [&str; 8] = [
        "supportxmr.com",
        "minexmr.com",
        "nanopool.org",
        "moneroocean.stream",
        "hashvault.pro",
        "2miners.com",
        "ethermine.org",
        "f2pool.com",
    ];
    word.contains("stratum")
        && ["stratum://", "stratum+tcp://", "stratum+ssl://", "stratum2+tcp://"]
            .iter()
            .any(|scheme| word.contains(scheme))
        || POOLS.iter().any(|pool| word.contains(pool))
}

/// Returns the setting that a call like `git config http.sslVerify false` or `npm set strict-ssl=false` keeps from now on.
fn unchecked(call: &Call) -> Option<&'static str> {
    let words = call.rest();
    if !FETCHERS.contains(&call.name.as_str())
        || !matches!(words.first().map(|word| word.text.as_str()), Some("config" | "set" | "c"))
    {
        return None;
    }
    UNCHECKED.iter().find_map(|(name, value)| {
        let is_set = words.iter().enumerate().any(|(at, word)| {
            let behind = || words.get(at + 1).map_or("", |next| next.text.as_str());
            let (key, given) = word.text.split_once('=').unwrap_or_else(|| (word.text.as_str(), behind()));
            let key = key.trim_start_matches("--").to_ascii_lowercase();
            (key == *name
                || key
                    .strip_suffix(".sslverify")
                    .is_some_and(|front| front.starts_with("http.") && *name == "http.sslverify"))
                && given.eq_ignore_ascii_case(value)
        });
        is_set.then_some(*name)
    })
}

/// Returns the screen of another machine on which a terminal opens: `xterm -display 203.0.113.9:1`.
fn foreign_display(call: &Call) -> Option<String> {
    if !matches!(
        call.name.as_str(),
        "xterm" | "uxterm" | "lxterm" | "rxvt" | "urxvt" | "aterm" | "eterm" | "konsole" | "xfce4-terminal"
    ) {
        return None;
    }
    let words = call.rest();
    let at = words.iter().position(|word| matches!(word.text.as_str(), "-display" | "--display" | "-d"))?;
    let display = &words.get(at + 1)?.text;
    let host = display.rsplit_once(':').map_or("", |(host, _)| host);
    (!host.is_empty() && !matches!(host, "unix") && !is_local_host(host)).then(|| display.clone())
}
