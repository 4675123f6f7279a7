//! What a server prints in a pseudo terminal: coloured lines, and a last line with what runs and waits.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::stage::{Project, hook, until};

/// What a terminal of 80 columns got from a server.
struct Terminal {
    script: Child,
    typescript: PathBuf,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

impl Terminal {
    /// Starts a server in a pseudo terminal.
    fn serve(project: &Project, more: &str) -> Self {
        let typescript = project.sandbox.elsewhere().join("typescript");
        let program = env!("CARGO_BIN_EXE_steersman");
        let line = format!("stty rows 20 cols 80; exec '{program}' serve --no-web --grace 1 {more}");
        let steersman = project.command();
        let variables = steersman.get_envs().filter_map(|(key, value)| Some((key, value?)));
        let mut script = Command::new("script");
        script.envs(variables).env("TERM", "xterm").env("SHELL", "/bin/sh").env_remove("NO_COLOR");
        script.current_dir(project.sandbox.root()).args(["-qfec", &line]).arg(&typescript);
        let script = script.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let terminal = Self { script, typescript };
        until("the server serves", || terminal.shown().contains(" enabled in "));
        terminal
    }

    fn shown(&self) -> String {
        fs::read_to_string(&self.typescript).unwrap_or_default()
    }

    /// Returns the lines that stay on the screen: what a carriage return and an erase leave of each.
    fn lines(&self) -> Vec<String> {
        let shown = self.shown();
        let left = shown.split('\n').map(|line| line.rsplit("\u{1b}[2K").next().unwrap_or_default());
        left.map(|line| line.trim_end_matches('\r').to_owned()).collect()
    }
}

const RESET: &str = "\u{1b}[0m";

#[test]
fn a_terminal_gets_coloured_lines_and_what_runs_and_waits() {
    let mut slow = hook("slow", "x", "touch started; until [ -e go ]; do sleep 0.02; done");
    slow["concurrency"] = 1.into();
    slow["prompt"] = "go".into();
    let mut bad = hook("bad", "y", "echo broken >&2; exit 3");
    bad["prompt"] = "go".into();
    let project = Project::new(&json!([slow, bad]));
    let terminal = Terminal::serve(&project, "");
    project.run(&["emit", "x"]);
    until("it started", || project.sandbox.path("started").exists());
    project.run(&["emit", "x", "--file", "a.rs"]);
    let status = |text: &str| terminal.shown().contains(text);
    until("the last line says what runs and waits", || status("1 running, 1 queued: slow "));
    project.run(&["emit", "y"]);
    let has_line = |sign: &str, rest: &str| {
        terminal.lines().iter().any(|line| line.contains(sign) && line.contains(&format!("{RESET} {rest}")))
    };
    until("the failure is printed", || has_line("\u{1b}[31m✗", "bad failed after "));
    assert!(terminal.lines().iter().any(|it| it.contains("EXIT_CODE: ")), "{:?}", terminal.lines());
    until("the last line is drawn again below it", || {
        terminal.lines().last().is_some_and(|it| it.contains("1 running, 1 queued: slow "))
    });
    project.sandbox.write("go", "");
    until("both ended", || project.runs(&[]).len() == 3);
    until("the success is printed", || has_line("\u{1b}[32m✓", "slow success after "));
    until("the last line goes", || terminal.lines().last().is_some_and(String::is_empty));
    assert!(has_line("▶", "slow (r") && has_line("▶", "bad (r"), "{:?}", terminal.lines());
}

#[test]
fn a_quiet_server_shows_a_terminal_only_failures() {
    let mut good = hook("good", "x", "true");
    good["prompt"] = "go".into();
    let mut bad = hook("bad", "x", "exit 3");
    bad["prompt"] = "go".into();
    let project = Project::new(&json!([good, bad]));
    let terminal = Terminal::serve(&project, "--quiet");
    project.run(&["emit", "x"]);
    until("both ended", || project.runs(&[]).len() == 2);
    until("the failure is printed", || terminal.shown().contains("bad failed after "));
    for part in ["▶", "✓", " running, ", "\u{1b}[2K"] {
        assert!(!terminal.shown().contains(part), "{part}: {:?}", terminal.shown());
    }
}
