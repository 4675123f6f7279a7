//! Keeps an agent from changing its own definition.

use agent::policy::{Denial, Rule, Rules};
use agent::registry::CONFIG_FILE;
use event::{AbsPath, Access, ToolCall};

use super::shell_guard;
use crate::Context;
use crate::call_folder::real_folder;

/// Returns the denial of a call that would change its own agent's definition.
pub(super) fn written(context: &Context<'_>, call: &ToolCall, rules: &Rules) -> Option<Denial> {
    let agent = rules.agent.as_ref()?;
    let root = context.workspace.root();
    let governing = [root.join(&agent.file), root.join(CONFIG_FILE)];
    let is_governing = |path: &AbsPath| governing.iter().any(|file| file == path);
    let folder = context.folder();
    let touched = call.touches.iter().filter(|touch| touch.access != Access::Read);
    let mut written: Vec<AbsPath> =
        touched.map(|touch| real_folder(root, folder, Some(&touch.path))).collect();
    if let Some(command) = &call.command {
        let cwd = shell_guard::folder(context, command);
        let reading = shell::read(&command.text, &shell_guard::place(context, command, &cwd));
        let paths = reading.writes.iter().chain(&reading.creates).chain(&reading.deletes);
        written.extend(paths.filter_map(|it| AbsPath::new(&it.path).ok()));
    }
    let file = written.iter().find(|path| is_governing(path))?;
    let shown = file.below(root).map_or_else(|_| file.to_string(), |it| it.to_string());
    Some(Denial {
        reason: format!(
            "`{shown}` defines the permissions of the agent `{}`, which must not change them",
            agent.name
        ),
        instead: "Tell the user which change is needed and why.".to_owned(),
        rule: Rule::OwnDefinition,
    })
}
