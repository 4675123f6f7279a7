//! Programs that run their standard input or a file as code of a language that the guard does not parse.

use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::text::Taint;

/// Programs that run their standard input as code of a language of which the guard reads only the strings.
const LANGUAGES: [&str; 24] = [
    "jshell",
    "groovysh",
    "ghci",
    "iex",
    "scala",
    "scala-cli",
    "kotlin",
    "swift",
    "utop",
    "ocaml",
    "sbcl",
    "clisp",
    "ecl",
    "clojure",
    "clj",
    "racket",
    "guile",
    "octave",
    "gnuplot",
    "m4",
    "wish",
    "raku",
    "crystal",
    "cling",
];

/// Other programs that run their standard input: debuggers, editors, and languages that the guard reads elsewhere.
const PROMPTS: [&str; 13] =
    ["gdb", "lldb", "ed", "ex", "vim", "make", "gmake", "dc", "tclsh", "expect", "tcc", "at", "batch"];

/// Programs that send their standard input to a server or a builder, which runs it.
const CLIENTS: [&str; 16] = [
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "duckdb",
    "mongosh",
    "mongo",
    "redis-cli",
    "cqlsh",
    "sqlcmd",
    "clickhouse-client",
    "clickhouse",
    "sqlplus",
    "ansible-playbook",
    "docker",
    "podman",
];

/// Programs that run the files in their arguments, and the subcommands with which they do; empty for any.
const RUNNERS: [(&str, &[&str]); 20] = [
    ("go", &["run"]),
    ("zig", &["run"]),
    ("nim", &["r", "run"]),
    ("crystal", &["run", "eval"]),
    ("bun", &[]),
    ("swift", &[]),
    ("scala", &[]),
    ("kotlin", &[]),
    ("jshell", &[]),
    ("racket", &[]),
    ("guile", &[]),
    ("ocaml", &[]),
    ("octave", &[]),
    ("tclsh", &[]),
    ("expect", &[]),
    ("gnuplot", &[]),
    ("cargo", &["script", "-Zscript"]),
    ("rust-script", &[]),
    ("ansible-playbook", &[]),
    ("dotnet", &["script", "run"]),
];

impl Walker<'_> {
    /// Records that a program runs text of the network as code.
    pub(super) fn runs_fetched_input(&mut self, call: &Call) {
        let name = call.name.as_str();
        let is_fed = self.state.stdin.as_ref().is_some_and(|input| input.taint.has(Taint::FETCHED));
        let is_language = LANGUAGES.contains(&name);
        if is_fed && (is_language || PROMPTS.contains(&name)) {
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::FetchedCode, name, call.span);
            return;
        }
        let typed = self.state.stdin.clone().filter(|input| is_language && input.is_known());
        if let Some(code) = typed {
            self.code(Language::Other, &code, call);
            return;
        }
        let builds =
            || !matches!(name, "docker" | "podman") || call.rest().iter().any(|word| word.text == "build");
        if is_fed && CLIENTS.contains(&name) && builds() {
            self.risk(RuleId::OpaqueCode, name, call.span);
        }
        let Some((_, words)) = RUNNERS.iter().find(|(runner, _)| *runner == name) else { return };
        if !words.is_empty() && !call.rest().iter().any(|word| words.contains(&word.text.as_str())) {
            return;
        }
        let is_fetched = call.rest().iter().any(|word| {
            !word.text.starts_with('-')
                && (word.taint.has(Taint::FETCHED) && !word.is_known()
                    || self
                        .state
                        .content(&self.resolve(word).0)
                        .is_some_and(|content| content.taint.has(Taint::FETCHED)))
        });
        if is_fetched {
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::FetchedCode, name, call.span);
        }
    }
}
