//! Task runners: the commands of `make TARGET`, `npm run NAME` and `just RECIPE`.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::limits::{MAX_SCRIPT_BYTES, MAX_SCRIPT_DEPTH};
use crate::path;
use crate::programs::Args;
use crate::reading::{Class, Doubt, Origin};
use crate::tasks::{just_recipe, makefile, package_json};
use crate::text::{Taint, Text};

/// Files of a project whose content programs run.
#[rustfmt::skip]
const PROJECT_FILES: [&str; 39] = [
    ".envrc", ".pre-commit-config.yaml", "BUILD", "BUILD.bazel", "CMakeLists.txt", "Cargo.toml", "Dockerfile",
    "Earthfile", "Fastfile", "Gemfile", "Gruntfile.js", "Guardfile", "Jakefile", "Justfile", "Makefile", "Podfile",
    "Procfile", "Rakefile", "SConstruct", "Taskfile.yml", "Vagrantfile", "WORKSPACE", "build.gradle.kts", "build.rs",
    "build.xml", "compose.yaml", "compose.yml", "conftest.py", "docker-compose.yaml", "docker-compose.yml",
    "gulpfile.js", "justfile", "meson.build", "mix.exs", "noxfile.py", "package.json", "pom.xml", "setup.cfg",
    "setup.py",
];

impl Walker<'_> {
    /// Follows a task runner; `None` when it is something else or does something else.
    pub(super) fn runner(&mut self, call: &Call) -> Option<Text> {
        match call.name.as_str() {
            "make" | "gmake" | "bmake" => self.make(call),
            "just" => self.just(call),
            "npm" | "yarn" | "pnpm" | "bun" => return self.package_script(call),
            _ => return None,
        }
        Some(Text::unknown("$_output", Taint::PRINTED))
    }

    fn make(&mut self, call: &Call) {
        let args = Args::parse(call.rest(), "-C -f -l -o -W -I -E --eval --directory --file --makefile");
        self.doubtful(call);
        if args.has("-n|--dry-run|--just-print") {
            return;
        }
        let folder = args
            .values("-C|--directory")
            .first()
            .map_or_else(|| self.state.cwd.clone(), |folder| Some(self.resolve(folder).0));
        let names: Vec<String> = match args.values("-f|--file|--makefile").first() {
            Some(file) => vec![file.text.clone()],
            None => ["Makefile", "makefile", "GNUmakefile"].map(str::to_owned).to_vec(),
        };
        // `make SHELL=…` and a rule given by `--eval` run whatever the project says.
        for shell in args.words().filter_map(|word| word.strip_prefix("SHELL=")) {
            self.named_program(shell, call.span, "make");
        }
        let mut content = args
            .values("--eval|-E")
            .into_iter()
            .fold(String::new(), |all, rule| format!("{all}{}\n", rule.text));
        let flags = args.words().find_map(|word| word.strip_prefix("MAKEFLAGS=")).map(str::to_owned);
        let flags = flags.or_else(|| {
            self.state.variable("MAKEFLAGS").map(|flags| {
                flags.values.iter().map(|value| value.text.as_str()).collect::<Vec<_>>().join(" ")
            })
        });
        content.extend(flags.as_deref().map(evaluated));
        if matches!(names[0].as_str(), "-" | "/dev/stdin") {
            if self.state.stdin.is_none() {
                self.runs_typed(call);
            }
            let input = self.state.stdin.clone().unwrap_or_default();
            if input.taint.has(Taint::FETCHED) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, "make", call.span);
            }
            content.push_str(&input.text);
        } else {
            content.extend(self.first_file(folder.as_deref(), &names));
            self.runs_fetched_file(folder.as_deref(), &names, call);
        }
        if content.is_empty() {
            return;
        }
        let variables: Vec<(String, String)> = args
            .words()
            .filter_map(|word| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())))
            .collect();
        // Make runs `$(shell …)` while it reads the file, whatever the target is.
        for command in makefile::shell_calls(&content, &variables) {
            let origin = Origin::Text("Makefile".to_owned());
            if self.would_be_denied(|walker| walker.text(&command, call.span, origin.clone())) {
                self.through("make", |walker| drop(walker.text(&command, call.span, origin)));
            }
        }
        let targets: Vec<&str> = args.words().filter(|word| !word.contains('=')).collect();
        let lines = makefile::recipe(&content, &targets, &variables);
        self.task_lines(&lines, folder.as_deref(), call, targets.first().copied().unwrap_or("default"));
    }

    fn just(&mut self, call: &Call) {
        let args = Args::parse(call.rest(), "-f --justfile -d --working-directory --set");
        if args.has("--list|-l|--summary|--dry-run|-n|--show|-s") {
            return;
        }
        self.doubtful(call);
        let folder = self.state.cwd.clone();
        let names = ["justfile", "Justfile", ".justfile"].map(str::to_owned);
        let Some(content) = self.first_file(folder.as_deref(), &names) else { return };
        let lines = just_recipe(&content, args.word(0));
        self.task_lines(&lines, folder.as_deref(), call, args.word(0));
    }

    fn package_script(&mut self, call: &Call) -> Option<Text> {
        let args =
            Args::parse(call.rest(), "-C --prefix --dir --filter -F -w --workspace --cwd --script-shell");
        for shell in args.values("--script-shell") {
            self.named_program(&shell.text, call.span, "npm");
        }
        if call.name == "bun"
            && let Some(code) =
                Args::parse(call.rest(), "-e --eval -p --print").values("-e|--eval|-p|--print").first()
        {
            self.code(crate::code::Language::Node, code, call);
            return Some(Text::unknown("$_output", Taint::PRINTED));
        }
        let (first, second) = (args.word(0), args.word(1));
        if call.name == "bun"
            && matches!((first, second), ("-", _) | ("run", "-"))
            && let Some(code) = self.state.stdin.clone()
        {
            self.code(crate::code::Language::Node, &code, call);
            return Some(Text::unknown("$_output", Taint::PRINTED));
        }
        let run = if matches!(first, "run" | "run-script" | "rum") { second } else { first };
        if call.name == "bun" && super::interpreter::is_foreign_script(run) {
            self.reading.network = true;
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::FetchedCode, run, call.span);
        }
        if matches!(first, "install" | "i" | "ci" | "add" | "rebuild" | "rb")
            || call.name == "yarn" && first.is_empty()
        {
            self.installs(&args, call);
        }
        let name = match (call.name.as_str(), first) {
            (_, "run" | "run-script" | "rum") => second,
            (_, "test" | "t") | ("npm" | "pnpm", "start" | "stop" | "restart") => {
                if first == "t" {
                    "test"
                } else {
                    first
                }
            }
            ("bun", other) if other.ends_with(".ts") || other.ends_with(".js") => {
                self.doubtful(call);
                return Some(Text::unknown("$_output", Taint::PRINTED));
            }
            ("yarn" | "pnpm" | "bun", other) if !other.is_empty() && !PACKAGE_VERBS.contains(&other) => other,
            _ => return None,
        };
        if name.is_empty() {
            return Some(Text::default());
        }
        let name = name.to_owned();
        self.doubtful(call);
        let folder = args
            .values("-C|--prefix|--dir|--cwd")
            .first()
            .map_or_else(|| self.state.cwd.clone(), |folder| Some(self.resolve(folder).0));
        let output = Text::unknown("$_output", Taint::PRINTED);
        let Some(content) = self.first_file(folder.as_deref(), &["package.json".to_owned()]) else {
            self.guess(call.rest(), usize::MAX, call);
            return Some(output);
        };
        let lines: Vec<String> = [format!("pre{name}"), name.clone(), format!("post{name}")]
            .iter()
            .filter_map(|name| package_json::script(&content, name))
            .collect();
        // No script of this name: the program of a package, or of the system.
        if lines.is_empty() {
            self.guess(call.rest(), usize::MAX, call);
        }
        self.task_lines(&lines, folder.as_deref(), call, &name);
        Some(output)
    }

    /// Follows the scripts of the project that run when its packages are installed.
    fn installs(&mut self, args: &Args<'_>, call: &Call) {
        if args.has("--ignore-scripts") {
            return;
        }
        let folder = args
            .values("-C|--prefix|--dir|--cwd")
            .first()
            .map_or_else(|| self.state.cwd.clone(), |folder| Some(self.resolve(folder).0));
        let Some(content) = self.first_file(folder.as_deref(), &["package.json".to_owned()]) else { return };
        let lines: Vec<String> =
            ["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"]
                .iter()
                .filter_map(|name| package_json::script(&content, name))
                .collect();
        self.task_lines(&lines, folder.as_deref(), call, "install");
    }

    /// Follows the commands of a task, each in the task's folder.
    fn task_lines(&mut self, lines: &[String], folder: Option<&str>, call: &Call, name: &str) {
        let key = format!("{} {name}", call.name);
        if self.script_depth >= MAX_SCRIPT_DEPTH || self.stack.contains(&key) {
            return;
        }
        self.script_depth += 1;
        self.stack.push(key.clone());
        for line in lines {
            self.subshell(|walker| {
                walker.state.cwd = folder.map(str::to_owned);
                walker.text(line, call.span, Origin::Script(key.clone()))
            });
        }
        self.stack.pop();
        self.script_depth -= 1;
    }

    fn doubtful(&mut self, call: &Call) {
        self.classify(call.command, Class::Unknown);
        self.doubt(Doubt::Effects, call.name.clone(), call.span);
    }

    /// Records that a program does what a file of the project says, and this line fetched that file: `curl -o conftest.py … && pytest`.
    pub(super) fn runs_fetched_project(&mut self, call: &Call) {
        let is_fetched = |written: &super::state::Written| {
            let name = written.path.rsplit('/').next().unwrap_or("");
            written.content.taint.has(Taint::FETCHED)
                && (PROJECT_FILES.contains(&name) || name.ends_with(".gradle") || name.ends_with(".tf"))
        };
        if self.state.written.iter().any(is_fetched) {
            self.reading.runs_fetched_code = true;
            // Many projects are started from one fetched file, so the user decides.
            self.risk(RuleId::ClonedCode, call.name.clone(), call.span);
        }
    }

    /// Records that one of the files that are run was fetched by this line.
    fn runs_fetched_file(&mut self, folder: Option<&str>, names: &[String], call: &Call) {
        let home = &self.reading.home;
        let is_fetched = names
            .iter()
            .filter_map(|name| path::join(name, folder, home))
            .any(|path| self.state.content(&path).is_some_and(|content| content.taint.has(Taint::FETCHED)));
        if is_fetched {
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::FetchedCode, call.name.clone(), call.span);
        }
    }

    fn first_file(&mut self, folder: Option<&str>, names: &[String]) -> Option<String> {
        if !self.is_local() {
            return None;
        }
        let folder = folder?;
        names.iter().find_map(|name| {
            let path = path::join(name, Some(folder), &self.reading.home)?;
            if let Some(content) = self.state.content(&path) {
                return Some(content.text.clone());
            }
            let bytes = self.place.files.read(&path, MAX_SCRIPT_BYTES + 1)?;
            (bytes.len() <= MAX_SCRIPT_BYTES).then(|| String::from_utf8_lossy(&bytes).into_owned())
        })
    }
}

/// Subcommands of package managers that are no scripts.
const PACKAGE_VERBS: [&str; 63] = [
    "pkg",
    "add",
    "audit",
    "autoclean",
    "bin",
    "build-binary",
    "cache",
    "ci",
    "config",
    "constraints",
    "create",
    "dedupe",
    "deploy",
    "dlx",
    "docs",
    "env",
    "exec",
    "explain",
    "fetch",
    "generate-lock-entry",
    "global",
    "help",
    "i",
    "import",
    "info",
    "init",
    "install",
    "licenses",
    "link",
    "list",
    "login",
    "logout",
    "ls",
    "node",
    "outdated",
    "pack",
    "patch",
    "pm",
    "policies",
    "prune",
    "publish",
    "rebuild",
    "remove",
    "repl",
    "rm",
    "root",
    "set",
    "setup",
    "show",
    "store",
    "tag",
    "team",
    "un",
    "uninstall",
    "unlink",
    "unplug",
    "up",
    "update",
    "upgrade",
    "version",
    "why",
    "workspace",
    "workspaces",
];

/// Returns the text behind `--eval` in the flags that make takes from its environment; `\\ ` is a blank in it.
fn evaluated(flags: &str) -> String {
    let behind = flags.match_indices("--eval").map(|(at, mark)| &flags[at + mark.len()..]);
    let texts = behind.map(|text| text.trim_start_matches(['=', ' ']).replace("\\ ", " "));
    texts.collect::<Vec<_>>().join("\n")
}
