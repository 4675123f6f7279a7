//! A default registration: work passes, destruction does not, and the registration protects itself.

use anyhow::Result;

use super::{check_governed, check_registration, governed_steps, refused, registration};
use crate::clients::lab::{HOME, Lab, PROJECT, Session};

const CONFIG: &str = ".ai/hooks/config.json";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    let begun = lab.user("steersman init");
    lab.check("`steersman init` succeeds", begun.succeeded, &begun.output);
    let needs_restart = lab.client.host != "claude-code";
    lab.check(
        "`steersman init` says whether running sessions must be restarted",
        begun.output.contains("restart running sessions") == needs_restart,
        &begun.output,
    );
    let (client, tools) = (lab.client, &lab.client.tools);
    let settings = client.settings;
    let (registered, configured) = (registration(lab), lab.read(CONFIG));
    lab.check("`steersman init` writes a configuration", configured.is_some(), CONFIG);

    let settings_path = format!("{PROJECT}/{settings}");
    let mut steps = governed_steps(client);
    steps.extend([
        ("read", (tools.read)(&format!("{PROJECT}/README.md"))),
        ("write", (tools.write)(&format!("{PROJECT}/hello.txt"), "HELLO\n")),
        ("command that writes", (tools.shell)("echo BENIGN > benign.txt && cat benign.txt")),
        ("pipeline", (tools.shell)("git status --short | head -5; git log --oneline | head -3")),
        ("failing command", (tools.shell)("echo FAILING-MARK >&2; false")),
        ("hidden deletion", (tools.shell)("D=~; X=rm; cd / && $X -rf \"$D\"")),
        ("read settings", (tools.read)(&settings_path)),
        ("edit settings", (tools.edit)(&settings_path, "steersman dispatch PreToolUse", "true")),
        ("overwrite settings", (tools.shell)(&format!("echo '{{}}' > {settings}"))),
        ("write config", (tools.write)(&format!("{PROJECT}/{CONFIG}"), "{\"version\": 1}\n")),
        ("script config", (tools.shell)(&format!("python3 -c \"open('{CONFIG}', 'w').write('{{}}')\""))),
        ("move state", (tools.shell)("mv .ai .ai-away")),
        ("write start-up file", (tools.write)(&format!("{HOME}/.bashrc"), "echo pwned\n")),
    ]);
    let run = lab.run(&Session::new(steps))?;

    check_governed(lab, &run);
    lab.check("a file is read", run.result("read").contains("README-MARK"), run.result("read"));
    let hello = lab.read("hello.txt").is_some_and(|text| text.trim_end() == "HELLO");
    lab.check("a new file is written", hello, run.result("write"));
    let benign = lab.read("benign.txt").as_deref() == Some("BENIGN\n");
    lab.check("a command writes a file", benign, run.result("command that writes"));
    lab.check("git commands run", run.result("pipeline").contains("start"), run.result("pipeline"));
    let failing = run.result("failing command");
    lab.check("a failing command runs", failing.contains("FAILING-MARK"), failing);
    refused(lab, &run, "hidden deletion", "home folder");
    check_registration(lab, registered.as_ref());
    let config = lab.read(CONFIG);
    lab.check("the configuration is unchanged", config == configured, &config.unwrap_or_default());
    lab.check(
        "`.ai` stays in place",
        lab.exists(".ai/hooks") && !lab.exists(".ai-away"),
        run.result("move state"),
    );
    lab.check("`~/.bashrc` is not written", !lab.exists("../.bashrc"), run.result("write start-up file"));
    let sessions = lab.user("steersman session list");
    lab.check("the session is recorded", sessions.output.contains(client.host), &sessions.output);
    Ok(())
}
