//! A module whose answers contain what no module may set: its author sees the errors, and nothing changes.

use anyhow::Result;

use super::module::install;
use super::{SHOW_SESSIONS, records};
use crate::clients::lab::{Lab, Session};

/// The project's module: it sets keys outside of its own part of the state.
const MODULE: &str = r"// @ts-check
export default {
  name: 'probe',
  supports: new Set(['UserPromptSubmit', 'Stop']),
  priority: 30,
  hotPathSafe: true,
  handle(event) {
    return { statePatch: { stolen: event, features: { probe: { own: event }, session: { stolen: event } } } };
  },
};
";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    install(lab, MODULE)?;
    let steps = vec![("command", (lab.client.tools.shell)("echo WORK-MARK && sleep 1"))];
    lab.run(&Session::new(steps))?;
    let state = lab.user("cat .ai/tmp/*/state.json").output;
    lab.check("the module's own state is set", state.contains("\"own\""), &state);
    lab.check("no other state is set", !state.contains("stolen"), &state);
    let (shown, log) =
        (lab.user(SHOW_SESSIONS).output, lab.user("cat .ai/tmp/*/probe/logs/debug.log").output);
    for key in ["stolen", "features.session"] {
        let error = format!("statePatch sets `{key}`, but a module may only set `features.probe`");
        // A narrow terminal breaks lines.
        let words =
            |text: &str| text.split_whitespace().filter(|it| *it != "│").collect::<Vec<_>>().join(" ");
        lab.check(
            &format!("`session show` shows the error about `{key}`"),
            words(&shown).contains(&error),
            &shown,
        );
        lab.check(&format!("the module's log has the error about `{key}`"), log.contains(&error), &log);
    }
    let declared = lab.read(".ai/hooks/lib/steersman.d.ts").unwrap_or_default();
    let is_documented = declared.contains("is ignored and reported as an error of the module");
    lab.check("the type of a module's answer says so", is_documented, "no such sentence");
    let n_stops = records(lab).iter().filter(|record| record["data"]["event"] == "Stop").count();
    lab.check("the agent stops once", n_stops == 1, &format!("{n_stops} stops"));
    Ok(())
}
