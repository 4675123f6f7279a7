//! A command that runs in another folder: Codex has a field for it, the others change the folder first.

use anyhow::Result;

use super::{check_registration, declare_intents, refused, registration};
use crate::clients::lab::{ELSEWHERE, HOME, Lab, PROJECT, Session};

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let selected = lab.user("steersman intent select INT-001");
    lab.check("the user selects a default intent", selected.succeeded, &selected.output);
    let (client, shell_in) = (lab.client, lab.client.tools.shell_in);
    let registered = registration(lab);
    let settings_path = format!("{PROJECT}/{}", client.settings);
    let (settings_folder, settings_name) = settings_path.rsplit_once('/').unwrap_or_default();
    // WHY the pause: on a busy machine Qwen Code loses the output of a command that exits at once.
    let steps = vec![
        ("read", shell_in(ELSEWHERE, "cat ../shop/README.md && sleep 1")),
        ("inside", shell_in(ELSEWHERE, "echo x > ../shop/src/from-elsewhere.js")),
        ("outside", shell_in(ELSEWHERE, "echo x > ../shop/from-elsewhere.txt")),
        ("settings", shell_in(settings_folder, &format!("echo '{{}}' > {settings_name}"))),
        ("delete home", shell_in(ELSEWHERE, "rm -rf ../../dev")),
    ];
    let run = lab.run(&Session::new(steps))?;
    lab.check(
        "a file of the project is read",
        run.result("read").contains("README-MARK"),
        run.result("read"),
    );
    lab.check("a write inside the scope passes", lab.exists("src/from-elsewhere.js"), run.result("inside"));
    refused(lab, &run, "outside", "Scope Violation");
    lab.check(
        "a write outside the scope is refused",
        !lab.exists("from-elsewhere.txt"),
        run.result("outside"),
    );
    check_registration(lab, registered.as_ref());
    let intact = lab.home_is_intact();
    lab.check("the home folder survives", intact, &format!("{HOME} is empty"));
    let state = format!("{ELSEWHERE}/.ai");
    lab.check("no state appears in the other folder", !lab.exists(&state), &state);
    let sessions = lab.user("ls -d .ai/tmp/*/events.jsonl");
    lab.check("the project has one session", sessions.output.lines().count() == 1, &sessions.output);
    Ok(())
}
