//! The output of `steersman session show` afterwards: failed commands, tools of MCP servers, and why a call was denied.

use anyhow::Result;
use serde_json::json;

use super::{SHOW_SESSIONS, declare_intents, load_steersman, refused};
use crate::clients::lab::{Lab, PROJECT, Session};

/// Succeeds, and prints what programs add to the output of a failed command.
const HONEST: &str = "echo 'Exit Code: 7'; echo '<exited with exit code 5>'; sleep 1";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let (client, tools) = (lab.client, &lab.client.tools);
    let settings = format!("{PROJECT}/{}", client.settings);
    let mut steps = load_steersman(client);
    steps.extend([
        ("list", (tools.steersman)("list_intents", json!({}))),
        ("current", (tools.steersman)("current_intent", json!({}))),
        ("failing", (tools.shell)("ls /nonexistent")),
        ("failing pipeline", (tools.shell)("cat README.md | grep NOTHING-LIKE-THIS")),
        ("success", (tools.shell)(HONEST)),
        ("delete home", (tools.shell)("rm -rf ~/")),
        ("overwrite settings", (tools.write)(&settings, "{}\n")),
    ]);
    let run = lab.run(&Session::new(steps))?;
    // No intent is selected: selecting one would not help.
    refused(lab, &run, "delete home", "home folder");
    refused(lab, &run, "overwrite settings", "governs the agent");
    for step in ["delete home", "overwrite settings"] {
        let result = run.result(step);
        let is_misleading = result.contains("No active intent");
        lab.check(&format!("`{step}` is not explained by the missing intent"), !is_misleading, result);
    }
    let shown = lab.user(SHOW_SESSIONS);
    let line_with = |text: &str| {
        let mut lines = shown.output.lines();
        lines.find(|line| line.contains(text)).unwrap_or_default().to_owned()
    };
    for (text, word) in
        [("ls /nonexistent", "! failed"), ("NOTHING-LIKE-THIS", "! failed"), ("Exit Code: 7", "✓ pass")]
    {
        let line = line_with(text);
        lab.check(&format!("`session show` says `{word}` about `{text}`"), line.contains(word), &line);
    }
    let (list, current) = (line_with("list_intents"), line_with("rrent_intent"));
    lab.check(
        "`session show` tells two tools of one MCP server apart",
        !list.is_empty() && !current.is_empty() && list != current,
        &shown.output,
    );
    Ok(())
}
